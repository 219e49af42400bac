"""Lists of cards: by name with their stand-ins, by chance, and card by card."""

from __future__ import annotations

from typing import Any

import pytest

from referee.rules import EDITIONS, SETUP_ERRORS, Setup, SetupError, new_game, rulebook
from referee.rules.chance import counted
from referee.rules.lists import PRESETS, Choice, choice_of, choose, edition_of, lists_of
from referee.rules.lists.presets import HARSH, HARSH_DISTRICTS, STAND_INS

DELUXE = EDITIONS["deluxe"]
RANKS = {c.name: c.rank for c in DELUXE.characters}
LEAST = {c.name: c.players_from for c in DELUXE.characters}
COST = {d.name: d.cost for d, _ in DELUXE.districts if d.type == "unique"}


def playable(rank: int, players: int) -> list[str]:
    """The characters of a rank that so many may play with, in the order of the manifest."""
    return [c.name for c in DELUXE.characters if c.rank == rank and players >= c.players_from]


def names(count: int) -> tuple[str, ...]:
    return tuple(f"P{n}" for n in range(count))


def test_the_box_holds_every_card_of_every_list() -> None:
    assert len(PRESETS["deluxe"]) == 7
    for preset in PRESETS["deluxe"]:
        assert [RANKS[name] for name in preset.cast] == list(range(1, 10))
        assert len(set(preset.uniques) & set(COST)) == 14 == len(preset.uniques)
    assert PRESETS["deluxe"][0].cast[:8] == DELUXE.cast
    assert PRESETS["deluxe"][0].uniques == DELUXE.uniques
    assert playable(9, 4)[:2] == ["Artist", "Tax Collector"]
    assert playable(4, 2)[:2] == ["King", "Patrician"]
    for name, others in STAND_INS.items():
        assert all(RANKS[other] == RANKS[name] and LEAST[other] == 2 for other in others)


@pytest.mark.parametrize("players", range(2, 9))
@pytest.mark.parametrize("name", lists_of("deluxe"))
def test_every_list_at_every_table(name: str, players: int) -> None:
    drawn = choose("deluxe", players, Choice(named=name), counted(1))
    preset = next(p for p in PRESETS["deluxe"] if p.name == name)
    assert len(drawn.cast) == (9 if players in (3, 8) else 8)
    for rank, card in enumerate(drawn.cast, 1):
        listed = preset.cast[rank - 1]
        assert card == listed if players >= LEAST[listed] else card == STAND_INS[listed][0]
    assert drawn.uniques == preset.uniques
    assert new_game(Setup("deluxe", names(players), cast=drawn.cast, uniques=drawn.uniques), counted(2)).asks


def test_who_stands_in_is_told_and_may_be_named() -> None:
    assert choose("deluxe", 2, Choice(named="Cunning Agents"), counted(1)).instead == (("Emperor", "King"),)
    named = choose("deluxe", 2, Choice(named="Cunning Agents", also=("Patrician",)), counted(1))
    assert (named.cast[3], named.instead) == ("Patrician", ())
    assert choose("deluxe", 3, Choice(named="Devious Dignitaries"), counted(1)).instead == (
        ("Queen", "Tax Collector"),
    )
    assert (
        choose("deluxe", 4, Choice(named="Devious Dignitaries", also=("Artist",)), counted(1)).cast[8]
        == "Artist"
    )
    assert choose("deluxe", 5, Choice(named="Devious Dignitaries", nine=True), counted(1)).cast[8] == "Queen"


@pytest.mark.parametrize("players", range(2, 9))
def test_chance_is_fair_and_the_same_for_ever(players: int) -> None:
    seen: dict[int, set[str]] = {}
    for number in range(60):
        drawn = choose("deluxe", players, Choice(named="random"), counted(number))
        assert drawn == choose("deluxe", players, Choice(named="random"), counted(number))
        for card in drawn.cast:
            seen.setdefault(RANKS[card], set()).add(card)
        assert len(set(drawn.uniques)) == 14
        assert {COST[name] for name in drawn.uniques} >= {2, 3, 4, 5, 6}
    for rank, cards in seen.items():
        assert cards == {name for name, r in RANKS.items() if r == rank and players >= LEAST[name]}
    assert set(seen) == set(range(1, 10 if players in (3, 8) else 9))


def test_another_number_of_players_changes_only_what_it_must() -> None:
    for number in range(20):
        five, four = (choose("deluxe", n, Choice(named="random", nine=True), counted(number)) for n in (5, 4))
        assert five.uniques == four.uniques
        assert five.cast[:8] == four.cast[:8]
        assert five.cast[8] == four.cast[8] or five.cast[8] == "Queen"


def test_a_gentle_table() -> None:
    for number in range(60):
        drawn = choose("deluxe", 4, Choice(named="random", gentle=True), counted(number))
        assert not {*drawn.cast} & {*HARSH}
        assert not {*drawn.uniques} & HARSH_DISTRICTS
    gentle = Choice(named="random", gentle=True)
    before = choose("original", 4, gentle, counted(3), ())
    assert [before.cast[rank] for rank in (0, 1, 2, 7)] == ["Witch", "Tax Collector", "Wizard", "Diplomat"]
    older = choose("original", 4, gentle, counted(3))
    assert [older.cast[rank] for rank in (0, 1, 2, 7)] == ["Witch", "Thief", "Magician", "Diplomat"]


def bonus_in(cast: tuple[str, ...]) -> int:
    """How many characters of the Dark City are in a cast of the original edition."""
    return len({*cast} - {*EDITIONS["original"].cast})


@pytest.mark.parametrize("gentle", [False, True])
@pytest.mark.parametrize("also", [(), ("Witch",), ("King",), ("Queen",), ("Artist", "Emperor"), ("Park",)])
@pytest.mark.parametrize("nine", [None, True, False])
def test_bonus_characters_come_one_or_two_at_a_time(
    also: tuple[str, ...], nine: bool | None, gentle: bool
) -> None:
    """Ruling 52: whoever names one has it, and chance adds no more than are left."""
    for number in range(20):
        choice = Choice(named="random", gentle=gentle, nine=nine, also=also)
        drawn = choose("original", 5, choice, counted(number))
        assert {*also} - {"Park"} <= {*drawn.cast}
        assert bonus_in(drawn.cast) <= 2
        if nine or "Queen" in also or "Artist" in also:
            assert len(drawn.cast) == 9
    before = [bonus_in(choose("original", 5, choice, counted(number), ()).cast) for number in range(20)]
    assert gentle or nine is False or max(before) >= 2


@pytest.mark.parametrize(
    "choice",
    [
        Choice(also=("Witch", "Wizard", "Emperor")),
        Choice(also=("Witch", "Wizard", "Artist")),
        Choice(also=("Witch", "Wizard"), nine=True),
        Choice(cast=("Witch", "Tax Collector", "Wizard", *EDITIONS["original"].cast[3:])),
    ],
)
def test_three_bonus_characters_are_refused_with_who_they_are(choice: Choice) -> None:
    with pytest.raises(SetupError) as error:
        choose("original", 5, choice, counted(1))
    facts = error.value.facts
    assert (error.value.code, facts["why"], facts["count"], facts["wanted"]) == ("cast", "bonus", 3, 2)
    assert {"Witch", "Wizard"} < {*facts["bonus"]}
    assert bonus_in(choose("original", 5, choice, counted(1), ()).cast) == 3, "older tables had them"


ADDED = ("Lighthouse", "Museum", "Park", "Hospital", "Factory")


def deck_of(choice: Choice, players: int = 5) -> list[str]:
    """The unique cards in the deck of such a table of the original edition."""
    drawn = choose("original", players, choice, counted(1))
    rules = rulebook(Setup("original", names(players), cast=drawn.cast, uniques=drawn.uniques))
    return [d.name for d in rules.deck() if d.type == "unique"]


def test_each_bonus_district_beyond_three_takes_the_place_of_a_purple_card() -> None:
    """Named alone they are added, as those that are named one by one; ruling 52."""
    for choice in (Choice(uniques=ADDED), Choice(also=ADDED), Choice(uniques=ADDED[:2], also=ADDED[2:])):
        deck = deck_of(choice)
        assert {*ADDED} <= {*deck}
        assert len(deck) == 12 - 2 + 5
    with pytest.raises(SetupError):
        choose("original", 5, Choice(uniques=ADDED), counted(1), ())


def test_with_the_diplomat_the_graveyard_makes_room_for_none() -> None:
    for number in range(30):
        choice = Choice(also=("Diplomat", *ADDED[:4]))
        drawn = choose("original", 5, choice, counted(number))
        rules = rulebook(Setup("original", names(5), cast=drawn.cast, uniques=drawn.uniques))
        deck = [d.name for d in rules.deck() if d.type == "unique"]
        assert "Graveyard" not in deck
        assert len(deck) == 12 - 1 - 1 + 4
    left = tuple(name for name in EDITIONS["original"].uniques if name != "Graveyard")
    setup = Setup("original", names(5), cast=drawn.cast, uniques=(*left, *ADDED[:4]))
    with pytest.raises(SetupError, match="uniques"):
        rulebook(setup)
    rulebook(Setup("original", names(5), cast=drawn.cast, uniques=(*left, *ADDED[:4]), rulings=()))


def test_the_original_takes_a_few_bonus_cards() -> None:
    base, bonus = EDITIONS["original"].cast, set[str]()
    for number in range(60):
        drawn = choose("original", 5, Choice(named="random"), counted(number))
        assert 1 <= len({*drawn.cast} - {*base}) <= 2
        assert len(drawn.uniques) == 3
        assert not {*drawn.uniques} & {*EDITIONS["original"].uniques}
        bonus |= {*drawn.uniques}
    assert len(bonus) == 14
    drawn = choose("original", 5, Choice(also=("Queen", "Witch", "Bell Tower", "Quarry")), counted(1))
    assert (drawn.cast[0], drawn.cast[8], drawn.uniques) == ("Witch", "Queen", ("Bell Tower", "Quarry"))
    many = choose(
        "original", 5, Choice(also=("Lighthouse", "Museum", "Park", "Hospital", "Factory")), counted(1)
    )
    rules = rulebook(Setup("original", names(5), cast=many.cast, uniques=many.uniques))
    assert len([d for d in rules.deck() if d.type == "unique"]) == 12 + 3


def test_a_district_that_must_be_in_takes_the_place_of_another() -> None:
    drawn = choose("deluxe", 4, Choice(also=("Theater", "Keep")), counted(1))
    assert len({*drawn.uniques}) == 14
    assert {"Theater", "Keep"} <= {*drawn.uniques}
    assert len({*drawn.uniques} - {*DELUXE.uniques}) == 1


def test_nothing_asked_for_is_the_editions_own() -> None:
    assert not Choice()
    for name in EDITIONS:
        assert choose(name, 4, Choice(), counted(1)) == ((), (), ())


def test_which_edition_is_meant() -> None:
    assert (
        edition_of(Choice(named="Vicious Nobles"))
        == edition_of(Choice(named="random"))
        == edition_of(Choice(also=("Theater",)))
        == "deluxe"
    )
    assert edition_of(Choice(also=("Bell Tower",))) == "original"


def test_a_choice_is_written_and_read() -> None:
    for choice in (
        Choice(),
        Choice(named="random", gentle=True),
        Choice(nine=False),
        Choice(cast=("King",), uniques=("Keep",), also=("Witch",)),
    ):
        assert choice_of(choice.facts()) == choice
    assert Choice(nine=False).facts() == {"nine": False}


CAST = ("Witch", "Thief", "Seer", "King", "Abbot", "Trader", "Scholar", "Marshal")


@pytest.mark.parametrize(
    ("edition", "players", "choice", "code", "facts"),
    [
        (
            "deluxe",
            4,
            Choice(cast=("King", "Emperor")),
            "cast",
            {"why": "rank", "rank": 4, "other": "King", "name": "Emperor"},
        ),
        ("deluxe", 4, Choice(also=("King", "Emperor")), "cast", {"why": "rank", "rank": 4}),
        ("deluxe", 4, Choice(cast=("King", "King")), "cast", {"why": "twice"}),
        (
            "deluxe",
            4,
            Choice(cast=CAST[1:]),
            "cast",
            {"why": "missing", "rank": 1, "choices": playable(1, 4)},
        ),
        (
            "deluxe",
            3,
            Choice(cast=CAST),
            "cast",
            {"why": "ninth-needed", "choices": playable(9, 4)},
        ),
        ("deluxe", 3, Choice(nine=False), "cast", {"why": "ninth-needed"}),
        ("deluxe", 2, Choice(nine=True), "cast", {"why": "ninth-refused"}),
        ("deluxe", 2, Choice(also=("Artist",)), "cast", {"why": "ninth-refused"}),
        (
            "deluxe",
            4,
            Choice(also=("Queen",)),
            "cast",
            {"why": "players", "least": 5, "choices": playable(9, 4)},
        ),
        (
            "deluxe",
            2,
            Choice(also=("Emperor",)),
            "cast",
            {"why": "players", "least": 3, "choices": playable(4, 2)},
        ),
        ("deluxe", 4, Choice(cast=("Gandalf",)), "cast", {"why": "unknown", "edition": "deluxe"}),
        ("deluxe", 4, Choice(uniques=("Keep",) * 2), "uniques", {"why": "twice"}),
        (
            "deluxe",
            4,
            Choice(uniques=DELUXE.uniques[:13]),
            "uniques",
            {"why": "size", "count": 13, "wanted": 14},
        ),
        ("deluxe", 4, Choice(uniques=("University",)), "uniques", {"why": "unknown"}),
        ("deluxe", 4, Choice(also=("University",)), "list", {"why": "card", "name": "University"}),
        ("deluxe", 4, Choice(named="Merry Men"), "list", {"why": "list", "known": list(lists_of("deluxe"))}),
        ("classic", 4, Choice(named="random"), "list", {"why": "list", "known": []}),
        ("original", 4, Choice(named="Cunning Agents"), "list", {"why": "list", "known": []}),
        ("original", 3, Choice(also=("Queen",)), "cast", {"why": "ninth-refused"}),
        ("deluxe", 9, Choice(), "player-count", {"players": 9}),
        ("galactic", 4, Choice(), "unknown-edition", {}),
    ],
)
def test_what_is_refused(
    edition: str, players: int, choice: Choice, code: str, facts: dict[str, Any]
) -> None:
    with pytest.raises(SetupError) as error:
        choose(edition, players, choice, counted(1))
    assert error.value.code == code
    assert facts.items() <= error.value.facts.items()
    assert code in SETUP_ERRORS
