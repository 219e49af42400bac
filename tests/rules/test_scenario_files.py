"""A scenario file that does not fit is refused with file, scenario and reason; one that differs fails."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from referee.rules.scenario import ScenarioError, check

GOOD: dict[str, Any] = {
    "name": "a plain turn",
    "edition": "classic",
    "players": ["Ana", "Bea", "Cy", "Dan"],
    "given": {"at": "call 6", "seats": {"Ana": {"gold": 1, "hand": ["Market"], "character": "Merchant"}}},
    "play": [
        {"Ana": "gold"},
        {"expect": {"Ana": {"gold": 3}}},
        {"Ana": {"refused": "cards"}},
        {"Ana": "build Market"},
    ],
    "expect": {"Ana": {"gold": 1, "city": ["Market"]}, "to_move": "Ana"},
}


def changed(*path: Any, to: Any) -> dict[str, Any]:
    data = copy.deepcopy(GOOD)
    place: Any = data
    for key in path[:-1]:
        place = place.setdefault(key, {}) if isinstance(place, dict) else place[key]
    place[path[-1]] = to
    return data


def test_the_good_one_holds() -> None:
    assert [tuple(r) for r in check([GOOD, GOOD], "file")] == [("a plain turn", True, "")] * 2


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (changed("colour", to="red"), "no field 'colour'"),
        (changed("rulings", to=44), "rulings: a whole number from 45"),
        (changed("rulings", to=9_999), "rulings: there are"),
        (changed("name", to=""), "name: a text"),
        (changed("name", to="two\nlines"), "one line"),
        (changed("players", to=["Ana"]), "player-count"),
        (changed("players", to="Ana"), "a list of names"),
        (changed("options", to={"max_city": 8}), "unknown-option"),
        (changed("cast", to=["Queen"]), "cast"),
        (changed("given", to=None), "given"),
        (changed("given", "at", to="call 0"), "at: draft, or call"),
        (changed("given", "at", to="dawn"), "at: draft, or call"),
        (changed("given", "crown", to="Zoe"), "'Zoe' is not a player"),
        (changed("given", "tax", to=3), "no field 'tax'"),
        (changed("given", "killed", to="King"), "somebody must hold the Assassin"),
        (changed("given", "robbed", to="Moat"), "robbed"),
        (changed("given", "seats", "Zoe", to={}), "no field 'Zoe'"),
        (changed("given", "seats", "Ana", "gold", to=-1), "a whole number"),
        (changed("given", "seats", "Ana", "gold", to=True), "a whole number"),
        (changed("given", "seats", "Ana", "hand", to=["Moat"]), "'Moat' is not in this game"),
        (changed("given", "seats", "Ana", "museum", to=["Temple"]), "no field 'museum'"),
        (changed("given", "seats", "Ana", "character", to=["King", "Thief"]), "too many"),
        (changed("given", "seats", "Bea", to={"character": "Merchant"}), "held twice"),
        (changed("given", "seats", "Ana", "played", to="yes"), "true or false"),
        (changed("given", "seats", "Ana", "played", to=True), "has not been called"),
        (changed("given", "characters", to=["King"]), "only with at: draft"),
        (changed("given", "deck_only", to=["Temple"]) | {}, None),
        (changed("given", to={"at": "call 6", "deck": [], "deck_only": []}), "not both"),
        (changed("given", to={"at": "draft", "characters": ["King"]}), "the whole cast"),
        (changed("given", "at", to="draft"), "nobody holds"),
        (changed("given", "seed", to="x"), "a whole number"),
        (changed("play", to="gold"), "play: a list"),
        (changed("play", 0, to="gold"), "names with values"),
        (changed("play", 0, to={"Zoe": "gold"}), "'Zoe' is not a player"),
        (changed("play", 0, to={"Ana": "gold", "Bea": "gold"}), "one player with one order"),
        (changed("play", 0, to={"Ana": {"refused": ""}}), "a text"),
        (changed("play", 0, to={"Ana": {"accepted": "gold"}}), "no field 'accepted'"),
        (changed("play", 1, to={"expect": {"mood": "good"}}), "no field 'mood'"),
        (changed("expect", "phase", to="dusk"), "phase: one of"),
        (changed("expect", "legal", to={"Zoe": []}), "'Zoe' is not a player"),
        (changed("expect", "Ana", "points", to={"luck": 1}), "no field 'luck'"),
        ({k: v for k, v in GOOD.items() if k != "expect"}, "expect is missing"),
        ("gold", "names with values"),
    ],
)
def test_what_does_not_fit(data: Any, reason: str | None) -> None:
    if reason is None:
        assert check([data], "file")[0].ok
        return
    with pytest.raises(ScenarioError) as error:
        check([GOOD, data], "rules.yaml")
    assert error.value.source == "rules.yaml"
    assert error.value.scenario in (GOOD["name"], "number 2", "two\nlines")
    assert reason in error.value.reason
    assert error.value.code == "format"


@pytest.mark.parametrize(("mark", "holder"), [("warrants", "Magistrate"), ("threats", "Blackmailer")])
@pytest.mark.parametrize("value", [["King"], "King", None, 1])
def test_markers_that_are_no_names_with_values_do_not_fit(mark: str, holder: str, value: Any) -> None:
    data = copy.deepcopy(GOOD) | {
        "edition": "deluxe",
        "cast": ["Magistrate", "Blackmailer", "Seer", "King", "Bishop", "Trader", "Scholar", "Warlord"],
    }
    data["given"] |= {mark: value}
    data["given"]["seats"] = {"Bea": {"character": holder}}
    with pytest.raises(ScenarioError, match="each character with what is on its marker"):
        check([data], "file")


@pytest.mark.parametrize("data", [None, [], {}, "text"])
def test_a_file_is_a_list(data: Any) -> None:
    with pytest.raises(ScenarioError, match=r"rules\.yaml"):
        check(data, "rules.yaml")


def test_an_edition_that_is_not_built_can_be_told_apart() -> None:
    with pytest.raises(ScenarioError) as error:
        check([changed("edition", to="galactic")], "file")
    assert error.value.code == "unknown-edition"


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (
            changed("play", 0, to={"Ana": "build Market"}),
            "entry 1: Ana: 'build Market' is refused: gather-first",
        ),
        (changed("play", 0, to={"Bea": "gold"}), "entry 1: Bea: 'gold' is refused: not-asked"),
        (changed("play", 0, to={"Ana": "conquer"}), "unknown-verb"),
        (changed("play", 2, to={"Ana": {"refused": "end"}}), "entry 3: Ana: 'end' is accepted"),
        (changed("play", 1, to={"expect": {"Ana": {"gold": 2}}}), "entry 2: Ana, gold: is 3, not 2"),
        (
            changed("expect", "Ana", "city", to=["Temple"]),
            "at the end: Ana, city: is ['Market'], not ['Temple']",
        ),
        (changed("expect", "to_move", to=["Bea"]), "to_move"),
        (changed("expect", "winner", to="Ana"), "winner"),
        (changed("expect", "called", to=5), "called: is 6, not 5"),
        (changed("expect", "round", to=2), "round"),
        (changed("expect", "crown", to="Bea"), "crown: is Ana, not Bea"),
        (changed("expect", "phase", to="over"), "phase"),
        (changed("expect", "faceup", to=["King"]), "faceup"),
        (changed("expect", "choices", to=["King"]), "choices"),
        (changed("expect", "deck_size", to=3), "deck_size"),
        (changed("expect", "deck_bottom", to=["Keep", "Keep", "Keep"]), "deck_bottom"),
        (changed("expect", "legal", to={"Ana": ["gold"]}), "'gold' is not legal"),
        (changed("expect", "illegal", to={"Ana": ["end"]}), "'end' is legal"),
        (changed("expect", "Ana", "score", to=3), "the game is not over"),
        (changed("expect", "Ana", "points", to={"districts": 2}), "points"),
        (changed("expect", "Ana", "hand", to=["Market"]), "hand"),
        (changed("expect", "Ana", "hand_size", to=2), "hand_size"),
        (changed("expect", "Ana", "character", to="King"), "character"),
    ],
)
def test_what_differs_is_told(data: Any, why: str) -> None:
    (result,) = check([data], "file")
    assert not result.ok
    assert why in result.why
