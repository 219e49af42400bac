"""The hash chain of a record: what shows that no line was changed, cut, added or moved.

    links: 5f0c 81aa 03d1 …                   (the first four digits of each line's link; several such lines)
    head: 9b44…                               (the last link, whole)
    key: ed25519 …                            (the house's public key, base64; not in every record)
    signature: …                              (of the head, by that key)

The link of a line is the SHA-256 of the link before it (of nothing, for the first) and of the line in UTF-8
without blanks at its end; lines with nothing in them don't count. So the head stands for every line and their
order: anyone who has noted it knows a record that is another. The short links tell where it breaks. Anybody
can reckon a chain for a record of their own: that the house wrote it, only its signature shows.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .lines import HEAD, KEY, LINKS, SIGNATURE
from .model import RecordError

#: what is signed begins with this, so that no signature of the house serves for anything else
SIGNED = b"citadels record head "
_SHORT, _ROW = 4, 16
_FORMS = {
    HEAD: re.compile("[0-9a-f]{64}"),
    KEY: re.compile("ed25519 [A-Za-z0-9+/]{43}="),
    SIGNATURE: re.compile("[A-Za-z0-9+/]{86}=="),
}
_RIGHT = {
    LINKS: "four hexadecimal digits for each line",
    HEAD: "64 hexadecimal digits",
    KEY: "ed25519 and 44 signs of base64",
    SIGNATURE: "88 signs of base64",
}

Numbered = tuple[int, str]


class Closing(NamedTuple):
    """What stands under a record: the head of its chain, in hex, and who signed it ("" where nobody did)."""

    head: str
    key: str = ""
    signature: str = ""

    @property
    def message(self) -> bytes:
        """What a signature is of."""
        return SIGNED + bytes.fromhex(self.head)


def closed(lines: Sequence[str]) -> str:
    """The text of a record: its lines and, under them, their chain."""
    chain = list(_linked(line for line in lines if line.strip()))
    short = [link[:_SHORT] for link in chain]
    rows = [" ".join(short[at : at + _ROW]) for at in range(0, len(short), _ROW)]
    return "\n".join([*lines, "", *(f"{LINKS}: {row}" for row in rows), f"{HEAD}: {chain[-1]}"]) + "\n"


def signed(text: str, key: str, signature: str) -> str:
    """The same with the signature of its head."""
    return f"{text.rstrip()}\n{KEY}: {key}\n{SIGNATURE}: {signature}\n"


def opened(lines: Sequence[Numbered]) -> tuple[list[Numbered], Closing]:
    """The lines of a record that say something, without its chain, and what stands under them.

    Raises RecordError naming the line where it breaks.
    """
    place = next((n for n, (_, line) in enumerate(lines) if line.startswith(f"{LINKS}: ")), len(lines))
    said, under = (
        [(number, line) for number, line in part if line.strip()] for part in (lines[:place], lines[place:])
    )
    short, closing = _under(under, said[-1][0] + 1)
    chain = list(_linked(line for _, line in said))
    for (number, line), link, stands in zip(said, chain, short, strict=False):
        if link[:_SHORT] != stands:
            raise RecordError(
                number,
                (
                    f"{line.strip()!r} does not follow from the lines before it: here a line was "
                    f"changed, moved, added or left out"
                ),
                "the line that the house wrote",
            )
    if len(chain) > len(short):
        raise RecordError(said[len(short)][0], f"{said[len(short)][1].strip()!r} was added", "no such line")
    if len(chain) < len(short):
        raise RecordError(
            said[-1][0], "after this line others were cut off", f"{len(short) - len(chain)} more"
        )
    if chain[-1] != closing.head:
        raise RecordError(
            under[0][0], f"{HEAD}: {closing.head} is not the head of these lines", f"{HEAD}: {chain[-1]}"
        )
    return said, closing


def _linked(lines: Iterator[str]) -> Iterator[str]:
    """The link of each line, in hex."""
    last = b""
    for line in lines:
        last = hashlib.sha256(last + line.rstrip().encode("utf-8", "surrogatepass")).digest()
        yield last.hex()


def _under(lines: Sequence[Numbered], end: int) -> tuple[list[str], Closing]:
    """The short links, and the rest of what stands under a record."""
    short: list[str] = []
    values: dict[str, str] = {}
    for number, line in lines:
        name, _, value = line.rstrip().partition(": ")
        if name == LINKS and not values and re.fullmatch(r"[0-9a-f]{4}(?: [0-9a-f]{4})*", value):
            short += value.split(" ")
        elif (
            name in _FORMS
            and list(_FORMS)[len(values) : len(values) + 1] == [name]
            and _FORMS[name].fullmatch(value)
        ):
            values[name] = value
        else:
            raise RecordError(
                number,
                f"{line.strip()!r} under the record",
                (
                    f"{LINKS}:, {HEAD}:, {KEY}: and {SIGNATURE}: in this order,"
                    f" {_RIGHT.get(name, 'and nothing else')}"
                ),
            )
    if HEAD not in values:
        raise RecordError(
            lines[-1][0] + 1 if lines else end,
            "the record is cut off before the end of its chain",
            f"{LINKS}: and {HEAD}:",
        )
    if len(values) == 2:
        raise RecordError(
            lines[-1][0] + 1, "the record is cut off: its signature is missing", f"{SIGNATURE}: …"
        )
    return short, Closing(*values.values())
