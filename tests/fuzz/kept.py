"""Inputs that once broke something, made small: kept.json, replayed by every run of the tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

PATH = Path(__file__).parent / "kept.json"


def cases() -> list[dict[str, Any]]:
    """Each with its target, what it did, and its parts (a piece, and how often it stands there)."""
    found: list[dict[str, Any]] = json.loads(PATH.read_text()) if PATH.exists() else []
    return found
