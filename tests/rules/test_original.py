"""The original edition beyond its scenarios: which tables may be set, and what nobody sees."""

from __future__ import annotations

from typing import Any

import pytest

from referee.rules import Move, Setup, SetupError, asks, new_game, play, rulebook, view
from referee.rules.chance import counted
from referee.rules.editions.original import BONUS, COPIES
from referee.rules.model import State
from referee.rules.scenario.position import lay

NAMES = ("Ana", "Bea", "Cy", "Dan", "Eve", "Flo", "Gus")
PURPLE = tuple(COPIES)
ADDED = tuple(d.name for d in BONUS)


def table(players: int = 4, **other: Any) -> Setup:
    return Setup("original", NAMES[:players], **other)


def deck(setup: Setup) -> list[str]:
    return [d.name for d in rulebook(setup).deck() if d.type == "unique"]


def position(at: str, seats: dict[str, Any], **other: Any) -> State:
    options = other.pop("options", {})
    return lay(
        {
            "edition": "original",
            "players": list(NAMES[:4]),
            "options": options,
            "given": {"at": at, "seats": seats, **other},
        }
    )


def test_twelve_purple_cards_and_fourteen_others() -> None:
    assert len(deck(table())) == 12
    assert deck(table()).count("Keep") == 2
    assert len(rulebook(table()).deck()) == 66
    assert len(ADDED) == 14


@pytest.mark.parametrize(
    ("uniques", "size"),
    [
        ((*PURPLE, *ADDED[:3]), 15),
        (ADDED[:3], 15),  # added to the purple ones
        (tuple(p for p in PURPLE if p != "Smithy") + ADDED[:4], 15),
        (tuple(p for p in PURPLE if p != "Keep") + ADDED[:5], 15),
        (("Library", *ADDED), 15),
    ],
)
def test_bonus_districts(uniques: tuple[str, ...], size: int) -> None:
    assert len(deck(table(uniques=uniques))) == size


@pytest.mark.parametrize(
    ("uniques", "count", "wanted"),
    [
        ((*PURPLE, *ADDED[:4]), 12, 11),
        (ADDED[:4], 12, 11),
        (PURPLE[1:], 11, 12),
        (tuple(p for p in PURPLE if p != "Keep") + ADDED[:4], 10, 11),
    ],
)
def test_too_many_or_too_few(uniques: tuple[str, ...], count: int, wanted: int) -> None:
    with pytest.raises(SetupError) as error:
        rulebook(table(uniques=uniques))
    assert (error.value.code, error.value.facts) == (
        "uniques",
        {"why": "bonus", "name": "", "count": count, "wanted": wanted},
    )


def test_the_diplomat_and_the_graveyard_are_not_played_together() -> None:
    cast = ("Assassin", "Thief", "Magician", "King", "Bishop", "Merchant", "Architect", "Diplomat")
    assert "Graveyard" in deck(table())
    assert "Graveyard" not in deck(table(cast=cast))
    without = tuple(p for p in PURPLE if p != "Graveyard")
    assert sorted(deck(table(cast=cast, uniques=without))) == sorted(deck(table(cast=cast)))
    with pytest.raises(SetupError):
        rulebook(table(uniques=without))


@pytest.mark.parametrize(
    ("players", "ninth", "why"),
    [
        (2, "Artist", "ninth-refused"),
        (3, "Artist", "ninth-refused"),
        (4, "Queen", "players"),
        (4, "Artist", ""),
        (5, "Queen", ""),
        (7, "Queen", ""),
    ],
)
def test_a_ninth_character(players: int, ninth: str, why: str) -> None:
    setup = table(players, cast=(*rulebook(table()).cast, ninth))
    if not why:
        assert rulebook(setup).cast[-1] == ninth
        return
    with pytest.raises(SetupError) as error:
        rulebook(setup)
    assert error.value.facts["why"] == why


def test_the_emperor_needs_three() -> None:
    cast = ("Assassin", "Tax Collector", "Magician", "Emperor", "Bishop", "Merchant", "Architect", "Warlord")
    assert rulebook(table(3, cast=cast)).cast == cast
    with pytest.raises(SetupError) as error:
        rulebook(table(2, cast=cast))
    assert error.value.facts["choices"] == ["King"]


@pytest.mark.parametrize(
    ("option", "value"), [("complete_city", 7), ("max_city", 7), ("thanks", "demand"), ("thanks", True)]
)
def test_options_that_it_does_not_know(option: str, value: Any) -> None:
    with pytest.raises(SetupError, match="option-value"):
        rulebook(table(options={option: value}))


def test_cards_of_deluxe_are_not_in_the_box() -> None:
    for setup in (table(uniques=("Statue",)), table(cast=("Magistrate", *rulebook(table()).cast[1:]))):
        with pytest.raises(SetupError) as error:
            rulebook(setup)
        assert error.value.facts["why"] == "unknown"


def test_the_ball_room_reminds_only_where_the_table_wants_it() -> None:
    seats = {"Ana": {"city": ["Ball Room"]}, "Bea": {"character": "Merchant"}}
    assert view(position("call 6", seats, options={"thanks": "remind"}), 1)["thanks"] == 0
    assert "thanks" not in view(position("call 6", seats), 1)
    assert "thanks" not in view(position("call 6", seats, options={"thanks": "remind"}, crown="Bea"), 1)


def test_who_looks_through_the_deck_sees_it_and_nobody_else_does() -> None:
    state = position(
        "call 6",
        {"Ana": {"gold": 3, "hand": ["Lighthouse"], "character": "Merchant"}},
        deck_only=["Temple", "Palace", "Docks"],
    )
    state = play(play(state, 0, Move("gold")).state, 0, Move("build", ("Lighthouse",))).state
    assert view(state, 0)["drawn"] == ["Docks", "Palace", "Temple"]
    assert "drawn" not in view(state, 1)
    assert view(state, 1)["deck"] == 3
    outcome = play(state, 0, Move("keep", (("Palace",),)))
    assert not outcome.undoable
    told = [(e.name, e.to) for e in outcome.events]
    assert told == [("lighthouse", None), ("kept_cards", 0)]
    assert sorted(outcome.state.names(outcome.state.deck)) == ["Docks", "Temple"]


def test_what_lies_under_a_museum_is_counted_and_not_named() -> None:
    seats = {"Ana": {"hand": ["Palace"], "city": ["Museum"], "museum": ["Market"], "character": "Merchant"}}
    outcome = play(position("call 6", seats), 0, Move("museum", ("Palace",)))
    assert view(outcome.state, 1)["museum"] == 2
    assert view(outcome.state, 1)["players"][0]["points"] == 4, "the points of the cards are not public"
    assert "Palace" not in str([e for e in outcome.events if e.to is None])
    assert [e.facts for e in outcome.events if e.to == 0] == [{"card": "Palace"}]


def test_a_whole_game_begins_with_the_facedown_card() -> None:
    outcome = new_game(table(5), counted(1))
    assert [e.name for e in outcome.events][-1] == "faceup"
    assert len(outcome.state.facedown) == len(outcome.state.faceup) == 1
    assert [a.kind for a in asks(outcome.state)] == ["pick"]
