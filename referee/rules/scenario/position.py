"""A position drawn on the table: seats, cities, hands, deck, marks; then the call goes on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from .. import chance
from ..acts import gain
from ..editions import rulebook
from ..facts import Seat
from ..flow.call import Call, is_silenced
from ..flow.completion import is_complete
from ..flow.draft import deal
from ..flow.rounds import Round
from ..flow.table import settle
from ..model import State
from ..rulebook import Rulebook
from ..rulings import FIRST, today
from ..setup import Setup
from .fields import ScenarioError, by_seat, mapping, one_or_more, only, strings, text, whole

GIVEN = ("at", "crown", "seats", "deck", "deck_only", "characters", "completed", "seed")
SEAT = ("gold", "hand", "city", "character", "played")
USUAL_GOLD = 2


class Pile:
    """The district cards of a position, numbered as they are laid down."""

    def __init__(self, rules: Rulebook) -> None:
        self.rules = rules
        self.names: list[str] = []

    def lay(self, value: object, what: str) -> list[int]:
        fresh = strings(value, what, self.rules.districts)
        self.names += fresh
        return list(range(len(self.names) - len(fresh), len(self.names)))

    def rest(self) -> list[int]:
        """What the edition's deck has more, laid down too."""
        missing = Counter(d.name for d in self.rules.deck()) - Counter(self.names)
        return self.lay(list(missing.elements()), "deck")


def lay(scenario: Mapping[str, Any]) -> State:
    """The state that a scenario begins with, settled: somebody is asked."""
    setup = Setup(
        edition=text(scenario.get("edition", "deluxe"), "edition"),
        players=tuple(strings(scenario["players"], "players")),
        options=mapping(scenario.get("options", {}), "options"),
        cast=tuple(strings(scenario.get("cast", []), "cast")),
        uniques=tuple(strings(scenario.get("uniques", []), "uniques")),
        rulings=_rulings(scenario),
    )
    rules = rulebook(setup)
    given = mapping(scenario["given"], "given")
    rules = rulebook(setup, _strange(rules, given))
    only(given, (*GIVEN, *(f for f in rules.fields if f not in by_seat(rules))), "given")
    g = State(rules, setup, chance.counted(whole(given.get("seed", 0), "seed")), ())
    g.crown = seat_of(setup, given.get("crown", setup.players[0]), "crown")
    rank = _at(given)
    pile = Pile(rules)
    rows = mapping(given.get("seats", {}), "seats")
    only(rows, setup.players, "seats")
    held = {
        (seat, field): numbers
        for seat, name in enumerate(setup.players)
        for field, numbers in _seat(g, pile, seat, mapping(rows.get(name, {}), name), name).items()
    }
    _deck(g, pile, given)
    _marks(g, given, rows, held)
    _completed(g, given)
    if rank is None:
        _draft(g, given)
    else:
        if "characters" in given:
            raise ScenarioError("characters: only with at: draft")
        _call(g, rank, rows)
    settle(g)
    return g


def _rulings(scenario: Mapping[str, Any]) -> tuple[int, ...]:
    """Those under which the game was dealt: up to the number that is named, as in an older game; else all."""
    known = today()
    if "rulings" not in scenario:
        return known
    last = whole(scenario["rulings"], "rulings", FIRST)
    if last > FIRST + len(known):
        raise ScenarioError(f"rulings: there are {FIRST + len(known)}")
    return tuple([number for number in known if number <= last])


def _strange(rules: Rulebook, given: Mapping[str, Any]) -> frozenset[str]:
    """Unique districts that the position names and the deck of such a game does not hold."""
    rows = given.get("seats")
    values = (
        [v for row in rows.values() if isinstance(row, dict) for v in row.values()]
        if isinstance(rows, dict)
        else []
    )
    values += [given.get("deck"), given.get("deck_only")]
    named = {name for value in values if isinstance(value, list) for name in value if isinstance(name, str)}
    return frozenset(named & {*rules.districts} - {d.name for d in rules.in_play})


def seat_of(setup: Setup, name: object, what: str) -> Seat:
    if name not in setup.players:
        raise ScenarioError(f"{what}: {name!r} is not a player")
    return setup.players.index(str(name))


def _at(given: Mapping[str, Any]) -> int | None:
    """The rank that is about to be called; None for a selection."""
    at = text(given.get("at"), "at")
    if at == "draft":
        return None
    word, _, rank = at.partition(" ")
    if word != "call" or rank not in map(str, range(1, 10)):
        raise ScenarioError("at: draft, or call and a rank")
    return int(rank)


def _seat(g: State, pile: Pile, seat: Seat, row: Mapping[str, Any], name: str) -> dict[str, list[int]]:
    """Lay a seat's things; returns the district cards that a mark of a card holds, by field."""
    fields = g.rules.fields
    only(row, (*SEAT, *by_seat(g.rules)), name)
    player = g.own(seat)
    gain(g, seat, whole(row.get("gold", USUAL_GOLD), f"{name}, gold"))
    player.hand = pile.lay(row.get("hand", []), f"{name}, hand")
    player.city = pile.lay(row.get("city", []), f"{name}, city")
    if "character" in row:
        held = one_or_more(row["character"], f"{name}, character", g.rules.characters)
        if len(held) > (2 if len(g.players) <= 3 else 1):
            raise ScenarioError(f"{name}, character: too many")
        for character in held:
            if g.holder(character) is not None or held.count(character) > 1:
                raise ScenarioError(f"{name}, character: {character} is held twice")
        player.characters = tuple(held)
    laid = [f for f in by_seat(g.rules) if f in row and f in fields[f].fields_of_cards]
    return {f: pile.lay(row[f], f"{name}, {f}") for f in laid}


def _deck(g: State, pile: Pile, given: Mapping[str, Any]) -> None:
    if "deck" in given and "deck_only" in given:
        raise ScenarioError("given: deck or deck_only, not both")
    if "deck_only" in given:
        g.deck = pile.lay(given["deck_only"], "deck_only")
    else:
        g.deck = pile.lay(given.get("deck", []), "deck")
        g.deck += chance.shuffled(g.seed, pile.rest(), "deck")
    g.cards = tuple(g.rules.districts[name] for name in pile.names)


def _marks(
    g: State, given: Mapping[str, Any], rows: Mapping[str, Any], held: Mapping[tuple[Seat, str], list[int]]
) -> None:
    """What belongs to cards: killed, robbed, and their like."""
    for field, card in g.rules.fields.items():
        places: list[tuple[Seat | None, Any]] = [(None, given[field])] if field in given else []
        places += [
            (seat, held.get((seat, field), rows[name][field]))
            for seat, name in enumerate(g.setup.players)
            if field in rows.get(name, {})
        ]
        for seat, value in places:
            try:
                card.place(g, field, value, seat)
            except (ValueError, KeyError, TypeError) as error:
                raise ScenarioError(f"{field}: {value!r} can't be: {error}") from error


def _completed(g: State, given: Mapping[str, Any]) -> None:
    if "completed" in given:
        names = strings(given["completed"], "completed", g.setup.players)
        g.completed = tuple(g.setup.players.index(name) for name in names)
    clockwise = [(g.crown + i) % len(g.players) for i in range(len(g.players))]
    g.completed += tuple(s for s in clockwise if is_complete(g, s) and s not in g.completed)


def _draft(g: State, given: Mapping[str, Any]) -> None:
    order = strings(given.get("characters", []), "characters", g.rules.characters)
    if order and sorted(order) != sorted(g.rules.characters):
        raise ScenarioError("characters: the whole cast, each once")
    if any(p.characters for p in g.players):
        raise ScenarioError("at draft nobody holds a character yet")
    g.stack.append(Round(step=1))
    deal(g, tuple(order))


def _call(g: State, rank: int, rows: Mapping[str, Any]) -> None:
    for seat, name in enumerate(g.setup.players):
        player = g.own(seat)
        done = _played(g, rank, player.characters, mapping(rows.get(name, {}), name), name)
        player.revealed = tuple(c for c in player.characters if c in done)
    held = {c for p in g.players for c in p.characters}
    g.facedown = tuple(c for c in g.rules.characters if c not in held)
    place = sum(c.rank < rank for c in g.rules.callings)
    g.stack += [Round(step=3), Call(place)]


def _played(g: State, rank: int, held: tuple[str, ...], row: Mapping[str, Any], name: str) -> list[str]:
    """Which of the characters held have had their turn."""
    if "played" not in row:
        return [c for c in held if g.rules.characters[c].rank < rank and not is_silenced(g, c)]
    played = row["played"] if isinstance(row["played"], list) else [row["played"]] * len(held)
    if len(played) != len(held) or not all(type(p) is bool for p in played):
        raise ScenarioError(f"{name}, played: true or false for each character")
    done = [c for c, p in zip(held, played, strict=True) if p]
    if any(g.rules.characters[c].rank >= rank for c in done):
        raise ScenarioError(f"{name}, played: that rank has not been called")
    return done
