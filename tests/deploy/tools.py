"""Programs from Debian that check what is in deploy/."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"


def needed(program: str) -> str:
    """Where it is; skips the test where it is missing and no CI is set, in CI that is an error."""
    found = shutil.which(program) or shutil.which(program, path="/usr/sbin:/sbin")
    if found is None:
        if not os.environ.get("CI"):
            pytest.skip(f"{program} is not installed: what it checks in deploy/ is left out")
        raise AssertionError(f"{program} is not installed")
    return found


def told(
    program: str, *words: Any, cwd: Path | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run it to its end."""
    return subprocess.run(
        [needed(program), *map(str, words)],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
    )
