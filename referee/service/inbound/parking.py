"""Where things are parked that could not be read, or written down: a file each, in one folder, for an admin
to look at.

A file holds the head of what came, how large it was and its hash, by which channel it came and where that may
have it again, and why it is there. The folder is bounded: the oldest files go first. It lies beside the
database, not in it: what is parked may be what no database takes.
"""

from __future__ import annotations

import base64
import hashlib
import json
import logging
import os
import re
from collections.abc import Collection
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import msgspec

from referee.ports import HEAD_BYTES, Inbound, What

from ..core.counters import Tally

log = logging.getLogger(__name__)
#: files and bytes that lie there at most
FILES, BYTES = 500, 20_000_000
#: the admin is told no more often
_TOLD_MS = 3_600_000
_NAME = re.compile(r"(\d{13})-([0-9a-f]{10})\.json")
#: what may be an address among bytes that nobody could read
_WORDS = re.compile(rb"[^\s<>\"(),;\[\]\\]+")


@dataclass(frozen=True, slots=True)
class Parked:
    """One thing.

    `kind`: wire (bytes that were not read), message (an `Inbound` that could not be written down), row (one
    that the process died of: `ref` is its number in the inbox). `whole`: the head is all of it.
    """

    id: str
    kind: str
    channel: str
    ref: str
    reason: str
    at_ms: int
    size: int
    sha256: str
    whole: bool
    head: bytes
    key: str = ""


class Parking:
    """`folder`: None keeps nothing but the count (a database without a place of its own)."""

    def __init__(
        self, folder: Path | None, tally: Tally | None = None, files: int = FILES, bytes_: int = BYTES
    ) -> None:
        self.folder, self._tally, self._files, self._bytes = folder, tally or Tally(), files, bytes_
        self._news, self._last, self._told_ms = 0, ("", ""), -_TOLD_MS

    def park(self, one: Inbound, reason: str, now_ms: int, *, kind: str = "message", ref: str = "") -> None:
        """Put something aside.

        Never raises: what can't even be kept is told in the log, and its channel goes on.
        """
        facts = one.facts
        if one.what is What.UNREAD:
            kind, reason, ref = "wire", str(facts.get("reason", "")), str(facts.get("ref", ""))
            with suppress(ValueError):  # what is no base64 has no head
                head, size, digest, whole = (
                    base64.b64decode(str(facts.get("head", ""))),
                    int(facts.get("size", 0)),
                    str(facts.get("sha256", "")),
                    bool(facts.get("whole")),
                )
                self._keep(
                    kind,
                    str(one.channel),
                    ref,
                    reason,
                    now_ms,
                    head,
                    size,
                    digest,
                    whole=whole,
                    key=str(one.key),
                )
            return
        raw = _written(one)
        self._keep(
            kind,
            str(one.channel),
            ref,
            reason,
            now_ms,
            raw,
            len(raw),
            hashlib.sha256(raw).hexdigest(),
            whole=len(raw) <= HEAD_BYTES,
            key=str(one.key),
        )

    def news(self, now_ms: int) -> dict[str, Any] | None:
        """What an admin must be told, at most once an hour: how many were parked since, and the last one's
        channel and reason.
        """
        if not self._news or 0 <= now_ms - self._told_ms < _TOLD_MS:
            return None
        found = {"count": self._news, "channel": self._last[0], "reason": self._last[1]}
        self._news, self._told_ms = 0, now_ms
        return found

    def all(self) -> list[Parked]:
        """What is there, the oldest first."""
        return [one for path in self._paths() if (one := _read(path)) is not None]

    def get(self, parked_id: str) -> Parked | None:
        """One of them."""
        return next(
            (
                one
                for path in self._paths()
                if path.name[14:24] == parked_id and (one := _read(path)) is not None
            ),
            None,
        )

    def drop(self, parked_id: str) -> bool:
        """Throw it away; False when it is not there."""
        found = [path for path in self._paths() if path.name[14:24] == parked_id]
        for path in found:
            path.unlink(missing_ok=True)
        return bool(found)

    def forget(self, before_ms: int) -> None:
        """Throw away what was parked before that moment."""
        for path in self._paths():
            if int(path.name[:13]) < before_ms:
                path.unlink(missing_ok=True)

    def forget_from(self, addresses: Collection[tuple[str, str]]) -> None:
        """Throw away what came from these addresses (channel, address)."""
        for path in self._paths():
            one = _read(path)
            if one is not None and any(
                one.channel == channel and _is_from(one, address) for channel, address in addresses
            ):
                path.unlink(missing_ok=True)

    def _keep(
        self,
        kind: str,
        channel: str,
        ref: str,
        reason: str,
        now_ms: int,
        raw: bytes,
        size: int,
        digest: str,
        *,
        whole: bool,
        key: str,
    ) -> None:
        channel, ref, reason, key = (_shown(one) for one in (channel, ref, reason, key))
        named = hashlib.sha256(f"{kind} {channel} {ref} {digest} {key}".encode()).hexdigest()[:10]
        self._tally.parked_one(channel, reason)
        self._news, self._last = self._news + 1, (channel, reason)
        log.error("parked %s: %s, %d bytes by %s", named, reason, size, channel)
        if self.folder is None:
            return
        one = Parked(
            named, kind, channel, ref, reason, now_ms, size, digest[:64], whole, raw[:HEAD_BYTES], key
        )
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if any(path.name[14:24] == named for path in self._paths()):
                return  # it came again
            path = self.folder / f"{max(0, now_ms):013d}-{named}.json"
            with open(
                os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii"
            ) as file:
                json.dump({**asdict(one), "head": base64.b64encode(one.head).decode()}, file)
            self._bounded()
        except OSError as trouble:  # a full disk keeps nothing, and the log has what it was
            log.error("nothing could be kept of it (sha256 %s, %s): %s", digest[:64], ref, trouble)

    def _bounded(self) -> None:
        paths = self._paths()
        sizes = [path.stat().st_size for path in paths]
        left, room = len(paths), sum(sizes)
        for path, size in zip(paths, sizes, strict=True):
            if left <= self._files and room <= self._bytes:
                return
            path.unlink(missing_ok=True)
            left, room = left - 1, room - size

    def _paths(self) -> list[Path]:
        """The files by age."""
        if self.folder is None or not self.folder.is_dir():
            return []
        return sorted(path for path in self.folder.iterdir() if _NAME.fullmatch(path.name))


def _read(path: Path) -> Parked | None:
    """One file; None for one that is damaged."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Parked)
    except (OSError, msgspec.MsgspecError, ValueError):
        return None


def _is_from(one: Parked, address: str) -> bool:
    """Whether something came from that address; for bytes that nobody could read: whether they say it."""
    if one.kind == "wire":
        said, head = address.encode(errors="replace").lower(), one.head.lower()
        # most files don't say it at all, and are looked through no further
        words = (word.strip(b".:") for word in _WORDS.findall(head)) if said in head else ()
        return any(word == said or word.endswith((b":" + said, b"=" + said)) for word in words)
    return f'"address": {json.dumps(address)}'.encode() in one.head  # as `_written` does


def _written(one: Inbound) -> bytes:
    """A message that may hold anything, as JSON in ASCII."""
    try:
        return json.dumps(asdict(one), default=repr).encode()
    except (ValueError, TypeError, RecursionError):  # it refers to itself, or goes too deep
        return repr(one)[:HEAD_BYTES].encode(errors="replace")


def message(one: Parked) -> Inbound | None:
    """The message that was parked, where it is whole and can be read."""
    try:
        return msgspec.convert(json.loads(one.head), Inbound) if one.kind == "message" and one.whole else None
    except (ValueError, msgspec.MsgspecError, RecursionError):
        return None


def _shown(text: str) -> str:
    return "".join(c if c.isprintable() else "\ufffd" for c in text[:300])
