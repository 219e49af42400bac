"""Times as the admin reads them."""

from __future__ import annotations

from datetime import UTC, datetime


def told(at_ms: int) -> str:
    """UTC to the second; "-" for never."""
    return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%SZ") if at_ms else "-"
