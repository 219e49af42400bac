"""A PNG as resvg writes it (8 bits, red, green, blue and opacity), with a palette: a third of its bytes.

A drawing has some flat colours, and more only where its letters and edges are smoothed. The most frequent
ones show all of it, to the eye. No library that writes pictures is needed for that; what it costs is a few
tenths of a second, in the process that draws.
"""

from __future__ import annotations

import struct
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate

#: this many colours are kept
COLOURS = 64
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
#: bytes of a pixel; the header of such a picture behind its size; opacity of what does not shine through
_PIXEL, _KIND, _OPAQUE = 4, b"\x08\x06\x00\x00\x00", 255
_HEADER = struct.Struct(">II5s")


def few_colours(picture: bytes) -> bytes:
    """The same picture in few colours; unchanged where it is of another kind, or shines through."""
    chunks = list(_chunks(picture))
    width, height, kind = _HEADER.unpack(chunks[0][1])
    if kind != _KIND:
        return picture
    drawn = zlib.decompress(b"".join(data for name, data in chunks if name == b"IDAT"))
    pixels = memoryview(_unfiltered(drawn, width * _PIXEL)).cast("I")
    found = Counter(pixels)
    near = _nearest(found)
    if near is None:
        return picture
    palette = {colour: place for place, colour in enumerate(dict.fromkeys(near.values()))}
    places = {colour: palette[kept] for colour, kept in near.items()}
    shown = bytes([places[one] for one in pixels])
    lines = b"".join(b"\0" + shown[at : at + width] for at in range(0, width * height, width))
    return _SIGNATURE + b"".join(
        _chunk(name, data)
        for name, data in (
            (b"IHDR", _HEADER.pack(width, height, b"\x08\x03\x00\x00\x00")),
            (b"PLTE", b"".join(bytes(_parts(one)[:3]) for one in palette)),
            (b"IDAT", zlib.compress(lines, 9)),
            (b"IEND", b""),
        )
    )


def _chunks(picture: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(_SIGNATURE)
    while at < len(picture):
        length, name = struct.unpack_from(">I4s", picture, at)
        yield name, picture[at + 8 : at + 8 + length]
        at += 12 + length


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def _parts(colour: int) -> bytes:
    """Red, green, blue and opacity, as they lie in memory."""
    return struct.pack("=I", colour)


def _nearest(found: Counter[int]) -> Mapping[int, int] | None:
    """The colour that is kept for each; None where some of the picture shines through."""
    parts = {colour: _parts(colour) for colour in found}
    if any(one[3] != _OPAQUE for one in parts.values()):
        return None
    kept = [(colour, parts[colour]) for colour, _ in found.most_common(COLOURS)]

    return {
        colour: min(
            kept,
            key=lambda other: (
                (one[0] - other[1][0]) ** 2 + (one[1] - other[1][1]) ** 2 + (one[2] - other[1][2]) ** 2
            ),
        )[0]
        for colour, one in parts.items()
    }


def _unfiltered(drawn: bytes, length: int) -> bytearray:
    """The pixels of all lines. Each line is kept as its difference to what is left of it and above it, for
    each of its colours apart.
    """
    above, pixels = bytes(length), bytearray()
    for at in range(0, len(drawn), length + 1):
        undo, line = _FILTERS[drawn[at]], bytearray(length)
        for part in range(_PIXEL):
            line[part::_PIXEL] = undo(drawn[at + 1 + part : at + 1 + length : _PIXEL], above[part::_PIXEL])
        above = bytes(line)
        pixels += line
    return pixels


def _none(line: bytes, above: bytes) -> bytes:
    """It stands as it is."""
    return line


def _left(line: bytes, above: bytes) -> bytes:
    return bytes(sign & 255 for sign in accumulate(line))


def _up(line: bytes, above: bytes) -> bytes:
    return bytes([(one + over) & 255 for one, over in zip(line, above, strict=True)]) if any(line) else above


def _average(line: bytes, above: bytes) -> bytes:
    left, found = 0, bytearray()
    for one, over in zip(line, above, strict=True):
        left = (one + (left + over) // 2) & 255
        found.append(left)
    return bytes(found)


@lru_cache(maxsize=64)
def _paeth(line: bytes, above: bytes) -> bytes:
    """Each differs from that one of its neighbours that is next to left + above - corner. Lines that say how
    opaque a picture is are all alike, and margins often are.
    """
    left, corner, found = 0, 0, bytearray()
    for one, over in zip(line, above, strict=True):
        if left == corner:
            left = (one + over) & 255
        elif over == corner:
            left = (one + left) & 255
        else:
            to_left, to_over, to_corner = (
                abs(over - corner),
                abs(left - corner),
                abs(left + over - 2 * corner),
            )
            near = (
                left
                if to_left <= to_over and to_left <= to_corner
                else (over if to_over <= to_corner else corner)
            )
            left = (one + near) & 255
        corner = over
        found.append(left)
    return bytes(found)


#: by the number that begins a line
_FILTERS: Sequence[Callable[[bytes, bytes], bytes]] = (_none, _left, _up, _average, _paeth)
