"""A channel in one file (docs/engineers/adding-a-channel.md): people and the referee write each other files.

Below one folder, `people/ann/say` is where Ann puts a file with what she says, and `people/ann/read` is where
she finds her letters; a room is `rooms/club`, and a file said there is named after who said it: "ann 7.txt".
A file is put there whole: written under a name with a dot before it, and then renamed.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from referee.ports import Fate, Finding, Inbound, Letter, Receipt, Reception, bring, unread

NAME = "folder"
#: how often the folders are looked into, seconds; how many files are read at once; the longest, bytes
LOOK_S, AT_ONCE, LONGEST = 0.05, 50, 100_000
#: what people and rooms may be called
_CALLED = re.compile(r"\w{1,40}")


class Settings(BaseModel):
    """The section [folder]."""

    model_config = ConfigDict(strict=True, extra="forbid")

    path: str


class AsFast:
    """A disk takes whatever comes: no letter has to wait."""

    def delay_ms(self, letter: Letter, now_ms: int) -> int:
        return 0


class Folder:
    """The adapter; see `referee.ports.Adapter`."""

    name, markup, can_edit, idempotent, rewrites = NAME, "text", True, True, False

    def __init__(self, root: Path, clock_ms: Callable[[], int]) -> None:
        self.root, self.clock_ms, self.limits = root, clock_ms, AsFast()
        self._looking: asyncio.Task[None] | None = None

    async def start(self, reception: Reception) -> None:
        self._looking = asyncio.create_task(self._look(reception))

    async def stop(self) -> None:
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)

    def healthy(self) -> bool:
        return (self.root / "people").is_dir()

    async def check(self) -> list[Finding]:
        if self.healthy():
            return [Finding("ok", "folder-ready", {"path": str(self.root)})]
        return [Finding("bad", "folder-missing", {"path": str(self.root)})]

    async def _look(self, reception: Reception) -> None:
        while True:
            files: list[Path] = []
            try:
                files = [one for _, one in sorted(self._waiting())[:AT_ONCE]]
                await bring(reception, [self._read(one) for one in files], channel=NAME)
            except OSError:
                files = []  # the folder is away, or nothing could be written down: they stay where they are
            for one in files:
                one.unlink(missing_ok=True)  # only now: it is on the referee's disk
            await asyncio.sleep(LOOK_S)

    def _waiting(self) -> Iterator[tuple[int, Path]]:
        """Files with their moments; a folder or a link among them is nobody's words."""
        for one in [one for kind in ("people", "rooms") for one in self.root.glob(f"{kind}/*/say/[!.]*")]:
            if one.is_file() and not one.is_symlink():
                yield one.lstat().st_mtime_ns, one

    def _read(self, file: Path) -> Inbound:
        """One file as what arrived.  Its key is made from all that tells it from another."""
        with file.open("rb") as opened:
            raw = opened.read(LONGEST + 1)
        at = file.stat().st_mtime_ns
        ref = f"{file.relative_to(self.root)} {at}"
        try:
            text = raw.decode()
        except UnicodeDecodeError:
            return unread(NAME, raw, ref=ref, reason="no UTF-8", at_ms=self.clock_ms())
        if len(raw) > LONGEST:
            return unread(NAME, raw, ref=ref, reason="too long", at_ms=self.clock_ms())
        where = file.parent.parent
        public = where.parent.name == "rooms"
        return Inbound(
            NAME,
            hashlib.sha256(f"{ref} {text}".encode()).hexdigest(),
            file.name.split()[0] if public else where.name,
            text=text,
            place=where.name if public else None,
            at_ms=at // 1_000_000,
        )

    async def send(self, letter: Letter) -> Receipt:
        """A letter is a file named after its id, so that it stands there once however often it is sent."""
        if not self.healthy():
            return Receipt(Fate.LATER, detail="the folder is away", whole=True)
        kind, called = ("people", letter.address) if letter.address else ("rooms", letter.place or "")
        where = self.root / kind / called
        if not _CALLED.fullmatch(called) or not where.is_dir():
            return Receipt(Fate.FAILED, reason="no-such-address")
        name = letter.edits if (where / "read" / letter.edits).is_file() else f"{letter.id}.txt"
        try:
            (where / "read").mkdir(exist_ok=True)
            whole = where / "read" / f".{name}"
            whole.write_text(letter.text, encoding="utf-8")
            whole.rename(where / "read" / name)
        except OSError as error:
            return Receipt(Fate.LATER, detail=str(error))
        return Receipt(Fate.SENT, wire_id=name)


def build(settings: Settings, clock_ms: Callable[[], int]) -> Folder:
    """The adapter, not yet looking."""
    return Folder(Path(settings.path), clock_ms)
