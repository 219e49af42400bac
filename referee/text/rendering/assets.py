"""What pages are dressed with: the style sheet, the scripts, the pictures in the tab and of the app, out of
templates/web, an admin's folders before the shipped one. Each has an address with a hash of what is in it,
so that a browser may keep it for ever.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path

from ..folders import all_folders

#: what a file may be -> its media type
TYPES = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}
_NAME = re.compile(r"^[a-z][a-z0-9_-]{0,40}\.(css|js|svg|png)$")


class Assets:
    """All of them, read once.  `root` is what every address of ours begins with, "" for none."""

    def __init__(self, own: Sequence[Path] = (), root: str = "") -> None:
        self._files: dict[str, tuple[bytes, str]] = {}
        self._addresses: dict[str, str] = {}
        for folder in reversed(all_folders(own)):  # the shipped one first: who comes later takes its place
            for path in sorted((folder / "web").glob("*")):
                if _NAME.match(path.name):
                    self._addresses[path.name] = f"{root}/static/{self._keep(path)}"

    def address(self, name: str) -> str:
        """Where a browser finds "style.css".  Raises LookupError for one that is not there."""
        return self._addresses[name]

    def named(self, name: str) -> tuple[bytes, str] | None:
        """A file by its own name, for one whose address must not change."""
        return self._files.get(self._addresses.get(name, "").rpartition("/")[2])

    def file(self, kept: str) -> tuple[bytes, str] | None:
        """What is behind the last part of an address (UTF-8), and its media type; None for what we don't
        have.
        """
        return self._files.get(kept)

    def _keep(self, path: Path) -> str:
        data = path.read_bytes()
        kept = f"{path.stem}-{hashlib.sha256(data).hexdigest()[:12]}{path.suffix}"
        self._files[kept] = data, TYPES[path.suffix]
        return kept
