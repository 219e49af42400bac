"""The person who speaks, at one of their addresses."""

from __future__ import annotations

from dataclasses import dataclass

from referee.store import Address, Outbox, Person


@dataclass(slots=True)
class Speaker:
    """A person speaking from one of their addresses.  `letter` is the outbox row they answer, if any;
    `order` what the pressed button stands for."""

    person: Person
    address: Address
    letter: Outbox | None = None
    order: str = ""
