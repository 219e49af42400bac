"""What a plan answers at one table: in the selection, in the turn, to questions outside it; and why it
stops.
"""

from __future__ import annotations

from typing import Any

import pytest

from referee.plans import Answer, Plan, answer, filed
from referee.plans.cards import best, cost
from referee.rules import EDITIONS, Move
from referee.text import Cards, Reading
from referee.text.reading.plans import read_plan
from referee.text.rendering.cards import by_type

NAMES = ("Ana", "Bea", "Cy", "Dan")
CAST = ("Assassin", "Thief", "Magician", "King", "Bishop", "Merchant", "Architect", "Warlord")
BUILDS = ("build Docks", "build Temple", "build Manor")


def seen(*orders: str, kind: str = "turn", character: str = "Merchant", **more: Any) -> dict[str, Any]:
    """Ana's view in her turn as that character, these orders being all that is on offer."""
    ranks = {name: n for n, name in enumerate(CAST, 1)}
    players = [
        {
            "seat": n,
            "name": name,
            "gold": 4,
            "hand_size": 3,
            "city": [],
            "revealed": [],
            "complete": False,
            "points": 0,
        }
        for n, name in enumerate(NAMES)
    ]
    players[0]["revealed"] = [character]
    players[1]["city"] = [
        {"name": "Market", "cost": 2, "type": "trade"},
        {"name": "Tavern", "cost": 1, "type": "trade"},
    ]
    return {
        "edition": "classic",
        "round": 3,
        "phase": "turns",
        "crown": 1,
        "called": ranks[character],
        "deck": 30,
        "faceup": ["Thief"],
        "complete_at": 8,
        "players": players,
        "you": 0,
        "hand": ["Docks", "Temple", "Manor"],
        "characters": [character],
        "killed": None,
        "robbed": None,
        "ask": {
            "kind": kind,
            "number": 9,
            "moves": [move(one) for one in orders],
            "families": more.pop("families", []),
        },
        **more,
    }


def move(text: str) -> list[Any]:
    verb, *words = text.split(" ")
    if verb == "keep":
        return [verb, [[" ".join(words)]]]
    return [
        verb,
        [NAMES.index(w) if w in NAMES else w for w in words]
        if verb in ("destroy", "exchange", "crown")
        else [" ".join(words)]
        if words
        else [],
    ]


def plan(*lines: str, view: dict[str, Any] | None = None) -> Plan:
    at = Reading("en", NAMES, None, view or seen(), Cards(CAST))
    found = read_plan("\n".join(lines), at)
    assert isinstance(found, Plan), found
    return found


def first(filing: Plan, view: dict[str, Any], before: dict[str, Any] | None = None) -> Answer:
    """What the plan says to this question, filed with what was seen before."""
    return answer(filing, view, filed(filing, before or view))


def then(filing: Plan, *views: dict[str, Any]) -> list[Any]:
    """The answers to one question after the other: a verb with its arguments, the code of a stop, or None."""
    memory, out = filed(filing, views[0]), []
    for view in views:
        found = answer(filing, view, memory)
        memory = found.memory
        out.append(
            (found.move.verb, *found.move.args) if found.move else found.stop.code if found.stop else None
        )
    return out


def picking(*characters: str, **more: Any) -> dict[str, Any]:
    return seen(
        *(f"pick {c}" for c in characters),
        kind="pick",
        **{"phase": "draft", "called": None, "characters": [], "picking": list(characters), **more},
    )


@pytest.mark.parametrize(
    ("lines", "passed", "taken"),
    [
        (["prefer King, Bishop, Merchant"], ["Bishop", "Merchant", "Warlord"], "Bishop"),
        (["prefer King, any"], ["Bishop", "Merchant", "Warlord"], "Merchant"),
        (["prefer any"], ["King", "Architect"], "Architect"),
        (["prefer King", "prefer Warlord if I have the crown"], ["King", "Warlord"], "King"),
        (["prefer King", "prefer Warlord if Bea has the crown"], ["King", "Warlord"], "Warlord"),
        (["always prefer King", "prefer Warlord"], ["King", "Warlord"], "Warlord"),
        (["always prefer King", "prefer Warlord"], ["King", "Bishop"], "King"),
        (["prefer Warlord if Thief is faceup and gold >= 4"], ["King", "Warlord"], "Warlord"),
        (["prefer Warlord if my hand holds Temple and city < 1"], ["King", "Warlord"], "Warlord"),
    ],
)
def test_selection(lines: list[str], passed: list[str], taken: str) -> None:
    view = picking(*passed)
    assert first(plan(*lines, view=view), view).move == Move("pick", (taken,))


@pytest.mark.parametrize(
    "lines", [["prefer King, Bishop"], ["prefer Warlord if I have the crown"], ["prefer Warlord if gold > 9"]]
)
def test_nothing_of_the_list_is_passed(lines: list[str]) -> None:
    view = picking("Merchant", "Warlord")
    found = first(plan(*lines, view=view), view)
    assert found.move is None
    assert found.stop
    assert found.stop.code == "plan-none-passed"


def test_a_list_of_last_round_is_no_list() -> None:
    filing = plan("prefer King", view=picking("King"))
    assert first(filing, picking("King", round=4)) == Answer(
        None, None, filed(filing, picking("King", round=4)) | {"dealt": ["Docks", "Manor", "Temple"]}
    )
    assert first(plan("always prefer King", view=picking("King")), picking("King", round=4)).move == Move(
        "pick", ("King",)
    )


def test_a_whole_turn() -> None:
    filing = plan("when Merchant: gold; build Tavern or Docks; try build Palace; build dearest; end")
    assert then(
        filing,
        seen("gold", "cards", "income", "bonus"),
        seen("income", "bonus", *BUILDS, "end"),
        seen("income", "bonus", "build Manor", "build Temple", "end"),
        seen("income", "bonus", "end"),
        seen("bonus", "end"),
        seen("end"),
    ) == [("gold",), ("build", "Docks"), ("build", "Manor"), ("income",), ("bonus",), ("end",)]


def test_end_with_a_sign_and_benefits_off() -> None:
    late = seen("income", "bonus", "end")
    assert then(plan("otherwise: gold; end!"), seen("gold"), late) == [("gold",), ("end",)]
    assert then(plan("otherwise: gold; end", "free benefits off"), seen("gold"), late) == [
        ("gold",),
        ("end",),
    ]
    assert then(plan("otherwise: gold; end"), seen("gold"), late) == [("gold",), ("income",)]


def test_no_benefit_is_taken_where_the_end_is_not_possible() -> None:
    assert then(plan("otherwise: gold; end"), seen("gold"), seen("income", "crown Bea")) == [
        ("gold",),
        "plan-illegal",
    ]


def test_questions_in_the_middle() -> None:
    kept = seen("keep Docks", "keep Temple", kind="keep", drawn=["Docks", "Temple"])
    filing = plan("when Merchant: cards; keep cheapest; end")
    assert then(filing, seen("cards"), kept) == [("cards",), ("keep", ("Temple",))]
    assert then(filing, seen("cards"), seen("end")) == [
        ("cards",),
        ("end",),
    ]  # nothing to choose, nothing asked
    assert then(plan("when Merchant: cards; end"), seen("cards"), kept) == [("cards",), "plan-question"]
    assert then(
        plan("when Merchant: cards; end", "keep dearest always"), seen("cards"), kept, seen("end")
    ) == [("cards",), ("keep", ("Docks",)), ("end",)]
    many = seen(kind="keep", families=[["keep", ["Docks", "Temple", "Manor"], 2, 2, [], False]])
    assert then(filing, seen("cards"), many) == [("cards",), ("keep", ("Temple", "Manor"))]


def test_it_stops_for_the_turn() -> None:
    filing = plan("when Merchant: gold; build Palace; end")
    assert then(filing, seen("gold"), seen("build Docks", "end"), seen("build Docks", "end")) == [
        ("gold",),
        "plan-lacking",
        None,
    ]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"robbed": "Merchant"}, "plan-robbed"),
        ({"bewitched": "Merchant"}, "plan-bewitched"),
        ({"threats": {"Merchant": "facedown"}}, "plan-threatened"),
        ({"hand": ["Docks", "Temple"]}, "plan-changed"),
        ({"hand": ["Docks", "Temple", "Palace"]}, "plan-changed"),
        ({"robbed": "King"}, None),
        ({"threats": {"King": "flowered"}}, None),
        ({"hand": ["Manor", "Temple", "Docks"]}, None),
    ],
)
def test_what_happened_before_the_turn(change: dict[str, Any], code: str | None) -> None:
    filing = plan("when Merchant: gold; end")
    found = first(filing, seen("gold", "cards", **change), seen("gold"))
    assert (found.stop.code if found.stop else None) == code
    assert (found.move is None) == (code is not None)


@pytest.mark.parametrize(
    "marks",
    [
        {"robbed": "Merchant"},
        {"bewitched": "Merchant"},
        {"threats": {"Merchant": "facedown"}},
        {"warrants": {"Merchant": "facedown"}},
    ],
)
def test_what_was_known_when_the_plan_was_filed_does_not_stop_it(marks: dict[str, Any]) -> None:
    filing = plan("always when Merchant: gold; build Docks; end")
    assert then(filing, seen("gold", **marks), seen(*BUILDS, **marks)) == [("gold",), ("build", "Docks")]
    later = filed(filing, seen("gold", round=2, **marks))
    first_step = answer(filing, seen("gold", **marks), later)
    assert (
        first_step.stop or answer(filing, seen(*BUILDS, **marks), first_step.memory).stop
    ) is not None  # the marks of another round


def test_a_turn_that_has_begun_is_not_taken_over() -> None:
    filing = plan("when Merchant: gold; build Docks; end")
    assert then(filing, seen(*BUILDS, "end"), seen("end")) == [None, None]
    assert then(filing, seen("keep Docks", "keep Manor", kind="keep"), seen(*BUILDS, "end")) == [None, None]


def test_a_district_that_is_not_paid_for_is_not_under_a_warrant() -> None:
    view = seen(warrants={"Merchant": "facedown"}, edition="deluxe")
    view["ask"]["moves"] = [["build", ["Docks", "with", "Framework"]]]
    assert then(plan("when Merchant: gold; build Docks with Framework; end"), seen("gold"), view) == [
        ("gold",),
        ("build", "Docks", "with", "Framework"),
    ]


def test_somebody_completed_a_city() -> None:
    filing, over = plan("when Merchant: gold; end"), seen("gold")
    over["players"][2]["complete"] = True
    assert then(filing, over) == [("gold",)]  # it was known when the plan was filed
    found = first(filing, over, seen("gold"))
    assert found.stop
    assert found.stop.code == "plan-last-round"


def purse(gold: int, *orders: str, **more: Any) -> dict[str, Any]:
    view = seen(*orders, **more)
    view["players"][0]["gold"] = gold
    return view


@pytest.mark.parametrize(
    ("before", "now", "robbed", "code"),
    [
        (4, 3, None, "plan-poorer"),
        (4, 4, None, None),
        (4, 6, None, None),
        (4, 0, "Merchant", "plan-robbed"),
        (0, 0, "Merchant", None),
        (4, 0, "King", "plan-poorer"),
    ],
)
def test_what_was_taken(before: int, now: int, robbed: str | None, code: str | None) -> None:
    """Who had nothing lost nothing; and nobody minds having more."""
    found = first(plan("when Merchant: gold; end"), purse(now, "gold", robbed=robbed), purse(before, "gold"))
    assert (found.stop.code if found.stop else None) == code
    if code == "plan-poorer":
        assert found.stop is not None
        assert found.stop.facts == {"gold": now, "before": before}


def test_what_was_paid_outside_the_turn_is_no_loss() -> None:
    filing = plan("when Merchant: gold; end", "buy always")
    asked = seen("buy", "pass", kind="graveyard", called=8, destroyed="Docks")
    assert then(filing, asked, purse(3, "gold")) == [("buy",), ("gold",)]


def test_what_was_named_before_the_plan_was_filed_is_no_surprise_when_it_is_taken() -> None:
    filing = plan("when Merchant: gold; end")
    found = first(filing, purse(0, "gold", robbed="Merchant"), seen("gold", robbed="Merchant"))
    assert found.move == Move("gold")


def test_an_answer_to_the_threat_is_no_surprise() -> None:
    threatened = {"threats": {"Merchant": "facedown"}, "threat": {"seat": 2, "bribe": 2}}
    filing = plan("when Merchant: gold; end", "bribe if cost <= 2")
    asked = seen("bribe", "refuse", kind="threat", **threatened)
    assert then(filing, seen("gold", **threatened), asked, seen("end", **threatened)) == [
        ("gold",),
        ("bribe",),
        ("end",),
    ]
    asked["threat"]["bribe"] = 3
    assert then(filing, seen("gold", **threatened), asked) == [("gold",), ("refuse",)]


def test_a_build_under_a_warrant() -> None:
    filing = plan("when Merchant: gold; build Docks; end")
    assert then(filing, seen("gold"), seen(*BUILDS, warrants={"Merchant": "facedown"})) == [
        ("gold",),
        "plan-warranted",
    ]
    assert then(filing, seen("gold"), seen(*BUILDS, warrants={"Merchant": "blank"})) == [
        ("gold",),
        ("build", "Docks"),
    ]


def test_a_target_that_is_gone() -> None:
    filing = plan("when Warlord: gold; destroy Bea Market; end", view=seen(character="Warlord"))
    assert then(
        filing, seen("gold", character="Warlord"), seen("destroy Bea Market", character="Warlord")
    ) == [("gold",), ("destroy", 1, "Market")]
    late = seen("destroy Bea Tavern", "end", character="Warlord")
    late["players"][1]["city"].pop(0)
    found = answer(
        filing,
        late,
        answer(
            filing, seen("gold", character="Warlord"), filed(filing, seen("gold", character="Warlord"))
        ).memory,
    )
    assert found.stop
    assert (found.stop.code, found.stop.facts["card"], found.stop.facts["player"], found.stop.order) == (
        "plan-gone",
        "Market",
        1,
        Move("destroy", (1, "Market")),
    )


def test_value_words_and_ties() -> None:
    view = seen("build Temple", "build Watchtower", "build Tavern", "build Palace", "build Cathedral")
    for word, card in (("dearest", "Palace"), ("cheapest", "Temple")):
        found = then(plan(f"otherwise: gold; build {word}"), seen("gold"), view)
        assert found[1] == ("build", card)
    cheap = plan("when Warlord: gold; destroy Bea cheapest", view=seen(character="Warlord"))
    assert then(
        cheap,
        seen("gold", character="Warlord"),
        seen("destroy Bea Market", "destroy Bea Tavern", character="Warlord"),
    )[1] == ("destroy", 1, "Tavern")


def test_the_first_of_like_ones_is_the_first_in_the_book_of_cards() -> None:
    for edition, book in EDITIONS.items():
        names = [d.name for d, _ in book.districts]
        assert best(edition, "any", reversed(names)) == list(by_type(edition))
        for word, sign in (("dearest", -1), ("cheapest", 1)):
            found = best(edition, word, reversed(names))
            assert found == sorted(by_type(edition), key=lambda name: sign * cost(edition, name))


def test_somebody_elses_script() -> None:
    filing = plan("when King: gold; end")
    assert then(filing, seen("gold"), seen("gold")) == ["plan-no-script", None]
    assert then(plan("when King: gold; end", "otherwise: cards"), seen("gold", "cards")) == [("cards",)]
    assert then(plan("prefer King"), seen("gold")) == [None]


def test_after_the_last_step() -> None:
    assert then(plan("when Merchant: gold"), seen("gold"), seen("end")) == [("gold",), "plan-ran-out"]


def test_a_turn_of_a_character_that_is_not_held() -> None:
    witch = seen("build Docks", character="King", characters=["Witch"], edition="deluxe")
    assert then(plan("otherwise: gold; end"), witch, witch) == ["plan-other-turn", None]


def test_ask_me() -> None:
    filing = plan(
        "when Merchant: gold; build Docks; end", "ask me if gold >= 6, or Bea has the crown and round > 3"
    )
    rich = seen(*BUILDS)
    rich["players"][0]["gold"] = 6
    assert then(filing, seen("gold"), rich, seen(*BUILDS)) == [("gold",), "plan-ask-me", None]
    assert then(
        filing,
        seen("gold", round=4),
    ) == [None]  # the script was for round 3


def outside(*orders: str, kind: str, **more: Any) -> dict[str, Any]:
    """A question while it is another's turn: Ana's character was called before."""
    return seen(*orders, kind=kind, **{"called": 8, **more})


@pytest.mark.parametrize(
    ("line", "view", "said"),
    [
        ("buy always", outside("buy", "pass", kind="graveyard", destroyed="Palace"), ("buy",)),
        ("buy never", outside("buy", "pass", kind="graveyard", destroyed="Palace"), ("pass",)),
        ("buy if Palace or Temple", outside("buy", "pass", kind="graveyard", destroyed="Palace"), ("buy",)),
        ("buy if not Palace", outside("buy", "pass", kind="graveyard", destroyed="Palace"), ("pass",)),
        ("buy if cost < 5", outside("buy", "pass", kind="graveyard", destroyed="Palace"), ("pass",)),
        ("buy ask me", outside("buy", "pass", kind="graveyard", destroyed="Palace"), "plan-standing"),
        ("bribe always", outside("buy", "pass", kind="graveyard", destroyed="Palace"), None),
        (
            "confiscate if cost >= 4",
            outside(
                "confiscate", "pass", kind="warrant", claimed={"seat": 1, "district": "Fortress", "paid": 5}
            ),
            ("confiscate",),
        ),
        (
            "confiscate always",
            outside("pass", kind="warrant", claimed={"seat": 1, "district": "Fortress", "paid": 5}),
            ("pass",),
        ),
        (
            "hospital cards always",
            outside("gold", "cards", "pass", kind="hospital", killed="Merchant", called=6),
            ("cards",),
        ),
        (
            "hospital gold never",
            outside("gold", "cards", "pass", kind="hospital", killed="Merchant", called=6),
            ("pass",),
        ),
        ("reveal if gold > 5", outside("reveal", "pass", kind="reveal"), ("pass",)),
        ("crown Cy always", outside("crown Bea", "crown Cy", kind="emperor"), ("crown", 2)),
        ("crown Cy always", outside("crown Bea", "crown Dan", kind="emperor"), "plan-standing"),
        (
            "exchange Bea if Bea has the crown",
            seen("exchange Bea", "exchange Cy", "pass", kind="theater", called=None),
            ("exchange", 1),
        ),
        (
            "exchange never",
            seen("exchange Bea", "exchange Cy", "pass", kind="theater", called=None),
            ("pass",),
        ),
        ("otherwise: gold; end", outside("buy", "pass", kind="graveyard", destroyed="Palace"), None),
        (
            "otherwise: gold; end",
            outside("gold", "cards", "pass", kind="hospital", killed="Merchant", called=6),
            None,
        ),
        (
            "otherwise: cards; keep dearest",
            outside("keep Docks", "keep Temple", kind="keep", killed="Merchant", called=6),
            None,
        ),
        (
            "keep cheapest always",
            outside("keep Docks", "keep Temple", kind="keep", killed="Merchant", called=6),
            ("keep", ("Temple",)),
        ),
    ],
)
def test_outside_the_turn(line: str, view: dict[str, Any], said: Any) -> None:
    assert then(plan(line), view) == [said]


def test_nobody_is_asked() -> None:
    view = seen("gold")
    del view["ask"]
    filing = plan("when Merchant: gold; end")
    assert first(filing, view) == Answer(None, None, filed(filing, view))
