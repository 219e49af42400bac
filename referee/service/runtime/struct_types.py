"""What msgspec finds out about a class of ours, it finds out before there are threads."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from referee.ports import Inbound, Letter

from ..inbound.parking import Parked

#: whose classes: the referee's and the channels'
OURS = ("referee", "adapters")


def prepare_types() -> None:
    """Let msgspec look at what channels bring and take, and at every struct of ours that is loaded.

    Else it does so when one is first read, and another thread that reads one just then finds its fields half
    made: the process dies of it (msgspec 0.22; seen when letters of one kind were composed by two threads in
    the first second after a start).
    """
    structs = [one for one in {*_below(msgspec.Struct)} if one.__module__.partition(".")[0] in OURS]
    for kind in (Inbound, Letter, Parked, *structs):
        msgspec.json.Decoder(kind)


def _below(kind: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    for one in kind.__subclasses__():
        yield one
        yield from _below(one)
