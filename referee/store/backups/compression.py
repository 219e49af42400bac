"""Backups made small: compressed (zstd), or as what differs from an earlier one.

A difference is a recipe, compressed as well: take these bytes of the earlier backup, take these that are
told here, and so on to the end. Where pieces end follows from what is in them (a SQLite page, some lines of a
dump), so what was moved is found again. The SHA-256 of what comes out is checked when it is restored.
"""

from __future__ import annotations

import hashlib
import struct
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

#: how hard it is tried: a third of a file of SQLite, some hundred megabytes a second
LEVEL = 3
PAGE = 4096
_PIECE = 1 << 20
_HEAD = b"citadels difference 1\n"
#: what follows: a part of the earlier backup (offset, length), or this many bytes that are told here
_OP = struct.Struct("<cQQ")
_FROM, _NEW, _END = b"F", b"N", b"E"
#: pieces of a dump end behind a line whose checksum has these bits off, on average every 64 lines, or when
#: they get long
_BITS, _LONG = 63, 1 << 16

_TOO_MUCH = "it holds more than it says"
Broken = (OSError, EOFError, zstd.ZstdError, struct.error, ValueError)


class Raw(NamedTuple):
    """Size and SHA-256 of what is in a backup, in bytes and hex."""

    size: int
    sha256: str


class Base(NamedTuple):
    """A compressed backup from which another differs, and how many bytes are in it."""

    path: Path
    size: int


class _Counting:
    """A file that is written to, and what went into it."""

    def __init__(self, file: Any) -> None:
        self._file, self.size, self._hash = file, 0, hashlib.sha256()

    def write(self, data: bytes) -> None:
        self._file.write(data)
        self.size += len(data)
        self._hash.update(data)

    @property
    def raw(self) -> Raw:
        """Of all that was written."""
        return Raw(self.size, self._hash.hexdigest())


def compressed(source: Path, target: Path) -> Raw:
    """Compress a file.  Raises OSError."""
    with source.open("rb") as file, zstd.open(target, "wb", level=LEVEL) as into:
        counting = _Counting(into)
        while piece := file.read(_PIECE):
            counting.write(piece)
        return counting.raw


def expanded(source: Path, into: IO[bytes], most: int) -> Raw:
    """Write what a compressed file holds, at most that many bytes.  Raises one of `Broken`."""
    counting = _Counting(into)
    with zstd.open(source, "rb") as file:
        while piece := file.read(_PIECE):
            if counting.size + len(piece) > most:
                raise ValueError(_TOO_MUCH)
            counting.write(piece)
    return counting.raw


def differing(source: Path, base: Path, target: Path, *, pages: bool) -> tuple[Raw, Raw]:
    """Write to `target` what makes `source` of the compressed `base`; what is in the one, and in the other.

    `pages`: they are SQLite's files, else dumps. Raises one of `Broken`.
    """
    pieces = _pages if pages else _lines
    known, told = dict[bytes, int](), hashlib.sha256()
    with zstd.open(base, "rb") as file:
        at = 0
        for piece in pieces(file):
            known.setdefault(_name(piece), at)
            at += len(piece)
            told.update(piece)
    with source.open("rb") as file, zstd.open(target, "wb", level=LEVEL) as into:
        into.write(_HEAD)
        recipe, digest, size = _Recipe(into), hashlib.sha256(), 0
        for piece in pieces(file):
            recipe.add(known.get(_name(piece)), piece)
            digest.update(piece)
            size += len(piece)
        recipe.end()
    return Raw(size, digest.hexdigest()), Raw(at, told.hexdigest())


class _Recipe:
    """Writes steps; those that follow each other become one."""

    def __init__(self, into: Any) -> None:
        self._into = into
        self._from, self._length = 0, 0
        self._new: list[bytes] = []
        self._held = 0

    def add(self, at: int | None, piece: bytes) -> None:
        """The next piece: `at` this place in the earlier backup, or new."""
        if at is None:
            self._flush_from()
            self._new.append(piece)
            self._held += len(piece)
            if self._held >= _PIECE:
                self._flush_new()
            return
        self._flush_new()
        if self._length and self._from + self._length == at:
            self._length += len(piece)
            return
        self._flush_from()
        self._from, self._length = at, len(piece)

    def end(self) -> None:
        """Nothing follows."""
        self._flush_from()
        self._flush_new()
        self._into.write(_OP.pack(_END, 0, 0))

    def _flush_from(self) -> None:
        if self._length:
            self._into.write(_OP.pack(_FROM, self._from, self._length))
        self._length = 0

    def _flush_new(self) -> None:
        if self._held:
            self._into.write(_OP.pack(_NEW, 0, self._held))
            self._into.write(b"".join(self._new))
        self._new, self._held = [], 0


def remade(difference: Path, base: Base, into: IO[bytes], scratch: Path, most: int) -> Raw:
    """Write what a difference and its base make, at most that many bytes; the base is laid out in the folder
    `scratch` meanwhile. Raises one of `Broken`.
    """
    counting = _Counting(into)
    with tempfile.TemporaryFile(dir=scratch) as whole, zstd.open(difference, "rb") as file:
        expanded(base.path, whole, base.size)
        if file.read(len(_HEAD)) != _HEAD:
            raise ValueError("it is no difference")
        while True:
            what, at, length = _OP.unpack(file.read(_OP.size))
            if what == _END:
                return counting.raw
            if counting.size + length > most:
                raise ValueError(_TOO_MUCH)
            if what == _FROM:
                whole.seek(at)
            _copy(whole if what == _FROM else file, length, counting.write)


def _copy(file: Any, length: int, write: Callable[[bytes], None]) -> None:
    while length:
        piece = file.read(min(length, _PIECE))
        if not piece:
            raise ValueError("it ends too early")
        write(piece)
        length -= len(piece)


def _name(piece: bytes) -> bytes:
    return hashlib.blake2b(piece, digest_size=16).digest()


def _pages(file: Any) -> Iterator[bytes]:
    while piece := file.read(_PIECE):
        for at in range(0, len(piece), PAGE):
            yield piece[at : at + PAGE]


def _lines(file: Any) -> Iterator[bytes]:
    held, size = list[bytes](), 0
    while piece := file.read(_PIECE):
        for line in piece.splitlines(keepends=True):
            held.append(line)
            size += len(line)
            if size >= _LONG or (line.endswith(b"\n") and not zlib.crc32(line) & _BITS):
                yield b"".join(held)
                held, size = [], 0
    if held:
        yield b"".join(held)
