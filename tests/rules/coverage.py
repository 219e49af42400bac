"""What a collection of recorded games must show, and what one game shows.

`demanded` is computed from the cards themselves (their orders, questions, ways to build), so
a new card asks for a recording by being in an edition.  An item is one line of text.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache

from referee.rules import Event, Move, chance, legal, new_game, play
from referee.rules.catalog import EVENTS
from referee.rules.editions import EDITIONS
from referee.rules.facts import Family
from referee.rules.flow.build import way_of
from referee.rules.flow.turn import Turn
from referee.rules.model import Frame, State
from referee.rules.record import read
from referee.rules.rulebook import Edition
from referee.rules.seams import Card, Character, District

ENDINGS = ("city", "standstill", "tie decided", "win shared", "several cities complete")


def demanded() -> set[str]:
    """Everything, of every edition."""
    out = {f"event {name}" for name in EVENTS} | {f"ending {what}" for what in ENDINGS}
    for edition in EDITIONS.values():
        out |= {f"{edition.name}: {item}" for item in _of_edition(edition)}
    return out


def _of_edition(edition: Edition) -> Iterator[str]:
    cards: list[Card] = [*edition.characters, *(d for d, _ in edition.districts)]
    modules = {type(card).__module__: card.name for card in cards}
    yield from (f"{n} players" for n in range(edition.least, edition.most + 1))
    for kind in Frame.registry.values():
        if kind.__module__ in modules:
            yield from (f"{modules[kind.__module__]} asks, {verb}" for verb in kind.verbs)
    for card in cards:
        yield from (f"{card.name}: {shape.text}" for ability in card.abilities for shape in ability.shapes)
        ways = (*card.ways, *card.own_ways) if isinstance(card, District) else card.ways
        yield from (f"{card.name}: {shape.text}" for way in ways for shape in way.shapes)
        if isinstance(card, Character):
            yield f"{card.name} takes a turn"
            yield from _named_by(card, edition)
        elif card.name not in _never_built():
            yield f"{card.name} is built"


def _named_by(card: Character, edition: Edition) -> Iterator[str]:
    """Orders that name a character: each of a higher rank must have been named."""
    verbs = {s.verb for a in card.abilities for s in a.shapes if s.parts and s.parts[0][:2] == "<C"}
    for verb in verbs | naming_verbs(card):
        yield from (f"{verb} {other.name}" for other in edition.characters if other.rank > card.rank)


def naming_verbs(card: Card) -> set[str]:
    """Verbs of this card's questions that name a character first (the one who bewitches)."""
    return {s.verb for s in card.shapes if s.parts and s.parts[0][:2] == "<C" and len(s.parts) == 1}


def _never_built() -> set[str]:
    return {"Secret Vault"}


@cache
def _card_of(module: str) -> str | None:
    """The name of the card in whose file a frame is written."""
    for edition in EDITIONS.values():
        for card in (*edition.characters, *(d for d, _ in edition.districts)):
            if type(card).__module__ == module:
                return card.name
    return None


def shown_by(g: State, move: Move) -> set[str]:
    """What giving this order, which is legal now, shows."""
    return {f"{g.setup.edition}: {item}" for item in _shown(g, move)}


def _shown(g: State, move: Move) -> Iterator[str]:
    frame = g.stack[-1]
    asking = _card_of(type(frame).__module__)
    if asking:
        yield f"{asking} asks, {move.verb}"
    first = move.args[0] if move.args else None
    named = first[0] if isinstance(first, tuple) else first
    if isinstance(named, str) and named in g.rules.characters:
        yield f"{move.verb} {named}"
    if isinstance(frame, Turn):
        yield f"{frame.powers} takes a turn"
        yield from _ordered(g, frame, move)


def _ordered(g: State, turn: Turn, move: Move) -> Iterator[str]:
    if move.verb == "build" and len(move.args) > 1:
        way = way_of(g, turn, move)
        for card in (g.rules.characters[turn.powers], *g.rules.in_play):
            if way in (*card.ways, *getattr(card, "own_ways", ())):
                yield from (f"{card.name}: {s.text}" for s in way.shapes if s.fits(move.args))
    standing = [g.cards[n] for n in g.players[turn.seat].city]
    for card in (g.rules.characters[turn.powers], *standing):
        for ability in card.abilities:
            yield from (
                f"{card.name}: {s.text}" for s in ability.shapes if s.verb == move.verb and s.fits(move.args)
            )


def shown_after(edition: str, events: tuple[Event, ...]) -> set[str]:
    """What the news of a step shows."""
    out = {f"event {event.name}" for event in events}
    out |= {f"{edition}: {e.facts['district']} is built" for e in events if e.name == "built"}
    return out


def shown_in_the_end(g: State) -> set[str]:
    """What the end of a game shows."""
    assert g.result is not None
    scores = sorted((row["score"] for row in g.result["scores"]), reverse=True)
    winners = g.result["winners"]
    out = {f"ending {g.result['reason']}", f"{g.setup.edition}: {len(g.players)} players"}
    if scores[:1] == scores[1:2]:
        out.add("ending win shared" if len(winners) > 1 else "ending tie decided")
    if len(g.completed) > 1:
        out.add("ending several cities complete")
    return out


def shown(text: str) -> set[str]:
    """What a record shows when it is played again."""
    record = read(text)
    assert record.seed is not None
    outcome = new_game(record.setup, chance.mix(record.seed, record.words))
    out = shown_after(record.setup.edition, outcome.events)
    entries = list(record.entries)
    while outcome.asks:
        state, seat = outcome.state, outcome.asks[0].seat
        only = (*outcome.asks[0].moves, None)[0]
        if (entries and (entries[0].seat, entries[0].move) == (seat, only)) or len(legal(state, seat)) > 1:
            move = entries.pop(0).move
        else:
            move = only  # the one answer, which is not written
        out |= shown_by(state, move)
        outcome = play(state, seat, move)
        out |= shown_after(record.setup.edition, outcome.events)
    return out | shown_in_the_end(outcome.state)


def singles(options: list[Move | Family]) -> list[Move]:
    """Each option as a move; a choice of cards by a few examples."""
    out: list[Move] = []
    for option in options:
        if isinstance(option, Family):
            starts = range(min(len(option.cards), 9))
            turned = [(*option.cards[n:], *option.cards[:n]) for n in starts]
            out += [option.move(cards[: max(option.least, 1)]) for cards in turned]
        else:
            out.append(option)
    return out


if __name__ == "__main__":
    print("\n".join(sorted(demanded())), file=sys.stdout)
