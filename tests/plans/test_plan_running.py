"""What a plan answers at one table: in the selection, in the turn, to questions outside it; and where it has
nothing to say.
"""

from __future__ import annotations

from typing import Any

import pytest

from referee.plans import Answer, filed
from referee.plans.cards import best, cost
from referee.rules import EDITIONS, Move
from referee.text.rendering.cards import by_type
from tests.plans.asked import BUILDS, first, outside, picking, plan, seen, then


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


def test_what_is_declined_before_the_end() -> None:
    filing = plan("when Merchant: gold; try decline; end")
    assert then(filing, seen("gold", "cards"), seen("bonus", "decline", "end"), seen("bonus", "end")) == [
        ("gold",),
        ("decline",),
        ("bonus",),
    ]
    assert then(filing, seen("gold", "cards"), seen("end")) == [("gold",), ("end",)]


def test_the_own_warrant_on_the_own_character_is_in_nobodys_way() -> None:
    filing = plan("when Merchant: gold; build Tavern; end")
    before = seen("gold", "cards")
    for face, answer in (("signed", ("build", "Tavern")), ("facedown", "plan-warranted")):
        marked = seen("build Tavern", "end", warrants={"Merchant": face})
        assert then(filing, before, marked)[1] == answer


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


def test_a_turn_that_has_begun_is_not_taken_over() -> None:
    filing = plan("when Merchant: gold; build Docks; end")
    assert then(filing, seen(*BUILDS, "end"), seen("end")) == [None, None]
    assert then(filing, seen("keep Docks", "keep Manor", kind="keep"), seen(*BUILDS, "end")) == [None, None]


def test_nor_is_one_in_whose_midst_somebody_else_is_asked() -> None:
    """The owner of a Graveyard, whose district was destroyed; not the Blackmailer, who comes before it."""
    filing = plan("when Warlord: gold; end")
    for kind, asked, answered in (("graveyard", BUILDS, None), ("reveal", ("gold", "cards"), ("gold",))):
        waiting = seen(character="Warlord", waiting=[{"seat": 1, "kind": kind, "number": 8}])
        del waiting["ask"]
        assert then(filing, waiting, seen(*asked, character="Warlord")) == [None, answered]


def test_value_words_and_ties() -> None:
    view = seen("build Temple", "build Watchtower", "build Tavern", "build Palace", "build Cathedral")
    for word, card in (("dearest", "Palace"), ("cheapest", "Temple")):
        found = then(plan(f"otherwise: gold; build {word}"), seen("gold"), view)
        assert found[1] == ("build", card)
    cheap = plan("when Warlord: gold; destroy Bea cheapest", view=seen("gold", character="Warlord"))
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
