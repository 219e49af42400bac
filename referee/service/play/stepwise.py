"""Answering a big question step by step: which words may come next is a letter of its own, or the same one
rewritten.

Nothing is kept of the way but in the letters: each is about one place of it, and a number or a button means
what stands behind it in the letter that is answered, or else in the last one that reached that address.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.rules import Ask
from referee.states import OutboxState
from referee.store import Game, Outbox
from referee.text import DOTS, MenuStep, sheet
from referee.text.reading.plan_heads import MENU

from ..core import letters, outbox
from ..core.letter_buttons import chosen_order, orders_offered
from ..core.letter_rows import read
from ..core.unit_of_work import UnitOfWork
from ..people.identity import Speaker
from ..people.letter_facts import Place, PromptFacts


def path_of(facts: PromptFacts, game: Game) -> tuple[Any, ...]:
    """The place that a letter speaks of; () for the whole question, or when another one is open by now."""
    step = facts.step
    if not step or step.question != game.question:
        return ()
    return tuple(tuple(part) if isinstance(part, list) else part for part in step.path)


def place(game: Game, path: tuple[Any, ...]) -> Place:
    """The same as a fact of a letter."""
    return Place(game.question, path)


#: a letter that was worded and is not known to have failed may be on its reader's screen
_PERHAPS_READ = (OutboxState.SENT, OutboxState.SENDING, OutboxState.UNKNOWN, OutboxState.QUEUED)


def seen(uow: UnitOfWork, speaker: Speaker) -> Outbox | None:
    """The letter that is answered, or the last that was handed to the wire for where the speaker is.

    That counts before anybody knows whether it arrived: a crash may come between somebody's reading a letter
    and our writing that it was sent, and their next number is about what they read.
    """
    if speaker.letter is not None and letters.traits(speaker.letter.kind).entries:
        return speaker.letter  # a note has no entries: a number in answer to it means what stood before it
    at = speaker.address
    # what pages show is found by that
    known: dict[str, Any] = {"wire_id": at.address} if at.channel == outbox.WEB else {"address": at.address}
    last = uow.tx.all(
        Outbox,
        channel=at.channel,
        kind=letters.numbered(),
        state=_PERHAPS_READ,
        order="-id",
        limit=8,
        **known,
    )
    return next((row for row in last if row.letter), None)


def numbered(row: Outbox | None, number: int) -> str:
    """What stands behind a number in a letter that shows one place of a way, "" where it has no such
    number.
    """
    return "" if row is None else chosen_order(row.letter, str(number))


def way_back(row: Outbox) -> str:
    """What leads back from the page that a letter shows, or closes the first of a menu; "" where nothing
    does.
    """
    offered = orders_offered(row.letter)
    return next((order for order in (f"{MENU} back", f"{MENU} close", DOTS) if order in offered), "")


def orders_by_steps(
    uow: UnitOfWork, speaker: Speaker, game: Game, chunks: Sequence[str]
) -> tuple[tuple[str, ...], tuple[Any, ...]]:
    """A message's orders, of which the first depends on a letter, with its number put into words where it
    answers a step, and the place of that step.
    """
    return read_by(seen(uow, speaker), game, chunks)


def read_by(row: Outbox | None, game: Game, chunks: Sequence[str]) -> tuple[tuple[str, ...], tuple[Any, ...]]:
    """The same as `orders_by_steps`, for somebody who had that letter before them.

    A number means what the letter showed, also where another version of the referee, that put the same
    options in another order, had written it.
    """
    if row is None or row.game_id != game.id or row.kind != PromptFacts.kind:
        return tuple(chunks), ()
    path, first = path_of(read(row, PromptFacts), game), chunks[0].strip().rstrip(".)")
    if first.isdecimal() and (path or row.question == game.question):
        return (numbered(row, int(first)) or chunks[0], *chunks[1:]), path
    return tuple(chunks), path


def leads(ask: Ask, order: str, names: Sequence[str], path: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """The place that an entry leads to, named by its number or its words; None for anything else.

    () is the whole question.
    """
    plain = order.strip()
    if plain == DOTS:
        return ()
    if not (DOTS in plain or plain.isdecimal()):
        return None
    whole = sheet(ask.moves, ask.families)
    if plain.isdecimal():
        chosen = whole[int(plain[:4]) - 1] if 0 < int(plain[:4]) <= len(whole) else None
        return chosen.path if isinstance(chosen, MenuStep) else None
    near = sheet(ask.moves, ask.families, path) if path else ()
    return next(
        (one.path for one in (*near, *whole) if isinstance(one, MenuStep) and one.text(names) == plain), None
    )
