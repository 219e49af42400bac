"""What was in hand when a process died.

Each message is noted in a file that is mapped into memory while it is read or handled, which costs a
microsecond and outlives the process however it ends: killed for want of memory, by a watchdog, or by the
power switch of a container. The next process finds there what its predecessor was busy with. What two of them
died of is not touched by a third.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import logging
import mmap
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

log = logging.getLogger(__name__)
#: places in the file, and bytes of each
_SLOTS, _WIDTH = 64, 256
#: this many deaths are too many; one that may have had nothing to do with it (see `_weight`) counts less
_FATAL, _CHANCE = 1.0, 0.2
#: how many are remembered, and for how long (seconds)
_ROOM, _KEPT_S = 200, 30 * 86_400


class CrashGuard:
    """`folder`: where the files are; nothing is noted before `begin`.  May be used from several threads."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._map: mmap.mmap | None = None
        self._file, self._path = -1, Path()
        self._free: list[int] = []
        self._counts: dict[
            str, tuple[float, float]
        ] = {}  # what was in hand -> how often a process died over it, and when last

    def begin(self) -> None:
        """Look what other processes died of, and note from now on what is in hand here.

        Does without where the folder can't be written.
        """
        if self._folder is None or self._map is not None:
            return
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            # containers that share the folder may each call their process by one number: cut short, a file
            # that is mapped into the memory of another would be that one's death
            self._path = self._folder / f"in-hand.{os.getpid()}.{os.urandom(4).hex()}"
            with self._alone():
                self._recall()
                self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.truncate(self._file, _SLOTS * _WIDTH)
            self._map = mmap.mmap(self._file, _SLOTS * _WIDTH)
            self._free = list(range(_SLOTS))
        except OSError as trouble:
            log.warning("what is in hand can't be noted: %s", trouble)

    def end(self) -> None:
        """This process ends well: it leaves nothing behind."""
        if self._map is None:
            return
        self._map, self._free = None, []  # unmapped when the last who reads or writes it has done so
        with suppress(OSError):
            self._path.unlink()
        os.close(self._file)

    def fatal(self, channel: str, ref: str) -> bool:
        """Whether processes died over it again and again.  An admin's `pardon` lets it be tried once more."""
        name = _name(channel, ref)
        if not self._counts or self._counts.get(name, (0.0, 0.0))[0] <= _FATAL:
            return False
        assert self._folder is not None
        try:
            (self._folder / _pardon(name)).unlink()
        except OSError:  # nobody pardoned it
            return True
        self._forget(name)
        return False

    def enter(self, channel: str, ref: str) -> int:
        """It is begun; the place that it is noted at, for `leave`.  -1 where nothing is noted."""
        if self._map is None or not self._free:
            return -1
        slot = self._free.pop()
        note = f"{time.time():.3f} {_name(channel, ref)}\n".encode()
        self._map[slot * _WIDTH : slot * _WIDTH + len(note)] = note
        return slot

    def leave(self, slot: int, channel: str, ref: str) -> None:
        """It is done, and the process lives."""
        if slot < 0 or self._map is None:
            return
        self._map[slot * _WIDTH] = 0
        self._free.append(slot)
        if self._counts and (name := _name(channel, ref)) in self._counts:
            self._forget(name)

    @contextmanager
    def during(self, channel: str, ref: str) -> Iterator[bool]:
        """While a message is in hand; False: processes died over it again and again, leave it alone."""
        if self.fatal(channel, ref):
            yield False
            return
        slot = self.enter(channel, ref)
        try:
            yield True
        finally:
            self.leave(slot, channel, ref)

    def _recall(self) -> None:
        """What the files of those say who are no more."""
        assert self._folder is not None
        self._read()
        found = False
        for path in self._folder.glob("in-hand.*"):
            with suppress(OSError), open(path, "rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # held by a process that lives
                raw = file.read(_SLOTS * _WIDTH)
                path.unlink()
                for begun, name in filter(
                    None, (_noted(raw[at : at + _WIDTH]) for at in range(0, len(raw), _WIDTH))
                ):
                    found = True
                    count = self._counts.get(name, (0.0, 0.0))[0] + _weight(begun)
                    self._counts[name] = count, time.time()
                    # once may be chance, and the person who stopped the process knows of it
                    log.log(
                        logging.ERROR if count > _FATAL else logging.WARNING,
                        "a process died while it had a message in hand: %s",
                        name,
                    )
        if found:
            self._store()

    def _forget(self, name: str) -> None:
        """It did no harm after all.  What other processes of the house have noted meanwhile stays."""
        with suppress(OSError), self._alone():
            self._read()
            self._counts.pop(name, None)
            self._store()
        self._counts.pop(name, None)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """While the house's file is read and written anew: its processes share it.  Raises OSError."""
        assert self._folder is not None
        lock = os.open(self._folder / "crashes.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)

    def _read(self) -> None:
        assert self._folder is not None
        with suppress(OSError, ValueError):  # there is none yet, or it was cut off
            stored = json.loads((self._folder / "crashes.json").read_text())
            self._counts = {
                name: (float(count), float(at))
                for name, (count, at) in stored.items()
                if time.time() - float(at) < _KEPT_S
            }

    def _store(self) -> None:
        assert self._folder is not None
        newest = sorted(self._counts.items(), key=lambda one: one[1][1])[-_ROOM:]
        path = self._folder / "crashes.json"
        with suppress(OSError):  # remembered by this process alone
            path.with_suffix(".new").write_text(json.dumps(dict(newest)))
            path.with_suffix(".new").replace(path)


def pardon(folder: Path, channel: str, ref: str) -> None:
    """Let what processes died of be tried once more.  Raises OSError."""
    (folder / _pardon(_name(channel, ref))).touch(mode=0o600)


def _pardon(name: str) -> str:
    return f"pardon.{hashlib.sha256(name.encode()).hexdigest()[:20]}"


def _weight(begun: float) -> float:
    """How much a death says against what was in hand.

    A process that is back within a second was killed by somebody who kills at any moment; whatever hangs, or
    eats the memory, takes longer until another stands in its place. That one stands there from its birth on:
    on a busy machine it takes it seconds to come here.
    """
    return _CHANCE if _born() - begun < 1.0 else 1.0


def _born() -> float:
    """When this process began, epoch seconds to a hundredth; now, where the system does not tell."""
    try:
        ticks = int(Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19])
        return time.time() - (time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK"))
    except (OSError, AttributeError, ValueError, IndexError):
        return time.time()


def _name(channel: str, ref: str) -> str:
    name = f"{channel} {ref}".replace("\n", " ")
    raw = name.encode(errors="replace")
    return (
        raw.decode()
        if len(raw) <= 160
        else f"{raw[:100].decode(errors='ignore')}#{hashlib.sha256(raw).hexdigest()[:40]}"
    )


def _noted(slot: bytes) -> tuple[float, str] | None:
    if not slot or slot[0] == 0:
        return None
    begun, _, name = slot.partition(b"\n")[0].decode(errors="replace").partition(" ")
    try:
        return float(begun), name
    except ValueError:
        return None
