"""Lines of plans, in order and not."""

from __future__ import annotations

from typing import Any

import pytest

from referee.plans import AskIf, Draft, Fact, Order, Plan, Script, Standing, Step, plan_text
from referee.plans.model import ME, worded
from referee.rules import Setup, State, asks, play, rulebook, view
from referee.text import Cards, Reading, Words
from referee.text.reading.plans import plan_begins, read_plan
from tests.plans.filing import AWKWARD, filed_text, reading
from tests.rules.laws import table

WORDS = Words(strict=True)
GAME = table(5, 1)
SEAT = asks(GAME)[0].seat
AT = reading(GAME, SEAT)
DEAREST = Order("build", (worded("dearest"),))


def order(verb: str, *args: Any) -> Step:
    return Step((Order(verb, args),))


GOOD: dict[str, Plan] = {
    "prefer King, Bishop": Plan(drafts=(Draft(("King", "Bishop"), round=1),)),
    "PREFER the king and the bishop, any": Plan(drafts=(Draft(("King", "Bishop"), True, round=1),)),
    "always prefer merch": Plan(drafts=(Draft(("Merchant",)),)),
    "prefer King if I have the crown": Plan(drafts=(Draft(("King",), False, (Fact("crown", "is", ME),), 1),)),
    "prefer King if Cy doesn't have the crown": Plan(
        drafts=(Draft(("King",), False, (Fact("crown", "not", 2),), 1),)
    ),
    "prefer King if I have at least 4 gold": Plan(
        drafts=(Draft(("King",), False, (Fact("gold", ">=", 4),), 1),)
    ),
    "prefer King if gold≥4 and hand<3": Plan(
        drafts=(Draft(("King",), False, (Fact("gold", ">=", 4), Fact("hand", "<", 3)), 1),)
    ),
    "prefer King if my city has more than 5 districts": Plan(
        drafts=(Draft(("King",), False, (Fact("city", ">", 5),), 1),)
    ),
    "prefer King if my hand holds Temple": Plan(
        drafts=(Draft(("King",), False, (Fact("holds", "is", "Temple"),), 1),)
    ),
    "prefer King if I don't have the Temple in my hand": Plan(
        drafts=(Draft(("King",), False, (Fact("holds", "not", "Temple"),), 1),)
    ),
    "always prefer King if round 4": Plan(drafts=(Draft(("King",), False, (Fact("round", "=", 4),)),)),
    "prefer King if the Bishop is faceup": Plan(
        drafts=(Draft(("King",), False, (Fact("faceup", "is", "Bishop"),), 1),)
    ),
    "when Merchant: gold; build Docks or Tavern; bonus; end": Plan(
        scripts=(
            Script(
                ("Merchant",),
                (
                    order("gold"),
                    Step((Order("build", ("Docks",)), Order("build", ("Tavern",)))),
                    order("bonus"),
                    order("end"),
                ),
                1,
            ),
        )
    ),
    "when Bishop: gold; build Library or Smithy; end": Plan(
        scripts=(
            Script(
                ("Bishop",),
                (
                    order("gold"),
                    Step((Order("build", ("Library",)), Order("build", ("Smithy",)))),
                    order("end"),
                ),
                1,
            ),
        )
    ),
    "when Bishop: gold; smithy or build Library; end": Plan(
        scripts=(
            Script(
                ("Bishop",),
                (order("gold"), Step((Order("smithy"), Order("build", ("Library",)))), order("end")),
                1,
            ),
        )
    ),
    "always when King or Bishop: cards\nkeep dearest\ntry build the most expensive\nend!": Plan(
        scripts=(
            Script(
                ("King", "Bishop"),
                (
                    order("cards"),
                    order("keep", worded("dearest")),
                    Step((DEAREST,), True),
                    Step((Order("end", (), True),)),
                ),
            ),
        )
    ),
    "otherwise: gold or cards; build any": Plan(
        scripts=(Script((), (Step((Order("gold"), Order("cards"))), order("build", worded("any"))), 1),)
    ),
    "when Warlord: try destroy Bea dearest; gold": Plan(
        scripts=(
            Script(("Warlord",), (Step((Order("destroy", (1, worded("dearest"))),), True), order("gold")), 1),
        )
    ),
    "when Magician: redraw cheapest; gold; end": Plan(
        scripts=(
            Script(("Magician",), (order("redraw", worded("cheapest")), order("gold"), order("end")), 1),
        )
    ),
    "when Assassin: assassinate the Thief; take gold; done": Plan(
        scripts=(Script(("Assassin",), (order("kill", "Thief"), order("gold"), order("end")), 1),)
    ),
    "confiscate if cost >= 4": Plan(
        standing=(Standing("warrant", Order("confiscate"), "if", (Fact("cost", ">=", 4),)),)
    ),
    "buy never": Plan(standing=(Standing("graveyard", Order("buy"), "never"),)),
    "buy if Palace or Town Hall": Plan(
        standing=(Standing("graveyard", Order("buy"), "if", (Fact("card", "is", ("Palace", "Town Hall")),)),)
    ),
    "this round bribe always": Plan(standing=(Standing("threat", Order("bribe"), "always", (), 1),)),
    "refuse always": Plan(standing=(Standing("threat", Order("bribe"), "never"),)),
    "reveal ask me": Plan(standing=(Standing("reveal", Order("reveal"), "ask"),)),
    "hospital: cards always": Plan(standing=(Standing("hospital", Order("cards"), "always"),)),
    "exchange Bea if Bea has the crown": Plan(
        standing=(Standing("theater", Order("exchange", (1,)), "if", (Fact("crown", "is", 1),)),)
    ),
    "exchange never": Plan(standing=(Standing("theater", Order("exchange"), "never"),)),
    "crown Bea always": Plan(standing=(Standing("emperor", Order("crown", (1,)), "always"),)),
    "ask me if robbed, or my hand changed": Plan(
        asks=(AskIf((Fact("event", "is", "robbed"),)), AskIf((Fact("event", "is", "changed"),)))
    ),
    "free benefits off": Plan(free=False),
    "cancel plan": Plan(cancels=(("plan", ""),)),
    "cancel when the King": Plan(cancels=(("when", "King"),)),
    "cancel confiscate": Plan(cancels=(("standing", "warrant"),)),
    "cancel prefer; prefer King": Plan(drafts=(Draft(("King",), round=1),), cancels=(("prefer", ""),)),
    "# a remark\n  prefer King   # and why\n\n": Plan(drafts=(Draft(("King",), round=1),)),
}


@pytest.mark.parametrize("text", GOOD)
def test_what_is_in_order(text: str) -> None:
    assert plan_begins(text, AT)
    found = filed_text(text, AT)
    assert found == GOOD[text]
    assert filed_text("\n".join(plan_text(found, AT.names)), AT) == found


BAD = {
    "prefer Gandalf": "no-such-card",
    "prefer Witch": "absent",
    "prefer": "plan-no-names",
    "prefer King, Bishop, King": "plan-named-twice",
    "when Kign: gold": "no-such-card",
    "when Witch: gold": "absent",
    "when: gold": "plan-no-names",
    "when King: ": "plan-no-steps",
    "when King gold; end": "plan-no-colon",
    "when M: gold": "several-cards",
    "when Merchant: gold; build Dcks; end": "unknown-name",
    "when Merchant: dance; end": "unreadable",
    "when Merchant: gold; destroy Market; end": "unknown-name",
    "when Merchant: gold; end; bonus": "plan-after-end",
    "when Merchant: build Docks; gold; end": "plan-early",
    "when Merchant: gold; cards; end": "plan-twice",
    "when Merchant: bonus; end": "plan-must",
    "otherwise: end": "plan-must",
    "when Merchant: gold; rob King; end": "plan-not-yours",
    "when Merchant: gold; sail gold; end": "plan-not-yours",
    "when Merchant: gold; confiscate; end": "plan-not-in-turn",
    "when Merchant: gold; exchange Bea": "plan-not-in-turn",
    "when Assassin: kill any; gold": "plan-value-word",
    "when Magician: redraw Temple, cheapest; gold": "plan-value-word",
    "when Merchant: gold; build Docks if gold >= 4": "plan-step-if",
    "gold; end": "plan-unread",
    "prefer King\nincome": "plan-loose-step",
    "hello": "plan-unread",
    "": "plan-empty",
    "# only a remark": "plan-empty",
    "prefer King if I have the crown and I don't have the crown": "plan-never-holds",
    "prefer King if Bea has the crown and Cy has the crown": "plan-never-holds",
    "prefer King if I have the crown and Bea has the crown": "plan-never-holds",
    "prefer King if gold > 3 and gold < 4": "plan-never-holds",
    "buy if cost >= 9": "plan-never-holds",
    "buy if Palace and cost <= 2": "plan-never-holds",
    "buy if Palace and Temple": "plan-never-holds",
    "buy if Palace and not Palace": "plan-never-holds",
    "prefer King if round >= 3": "plan-never-holds",
    "prefer Bishop if King is faceup": "plan-never-holds",
    "prefer King if my hand holds Temple and my hand does not hold Temple": "plan-never-holds",
    "prefer King if gold < 0": "plan-never-holds",
    "prefer King if I have 4 gold": "plan-compare",
    "prefer King if it rains": "plan-condition",
    "prefer King if I have more gold than 4": "plan-condition",
    "prefer King if I don't have 4 gold or more": "plan-condition",
    "prefer King if gold != 4": "plan-condition",
    "prefer King if gold ≠ 4": "plan-condition",
    "prefer King if Zed has the crown": "unknown-player",
    "prefer King if robbed": "plan-only-ask",
    "prefer King if cost >= 2": "plan-no-card-here",
    "reveal if cost > 2": "plan-no-card-here",
    "prefer King if gold > 1 and hand > 1 and city > 1 and round > 1": "plan-too-many-conditions",
    "gold always": "plan-answer",
    "income never": "plan-answer",
    "crown Bea never": "plan-no-refusal",
    "this round bribe": "plan-answer-use",
    "bribe always\nbribe never": "plan-contradicts",
    "prefer King\nprefer Bishop": "plan-contradicts",
    "otherwise: gold\notherwise: cards": "plan-contradicts",
    "when King: gold\nwhen Bishop or King: cards": "plan-contradicts",
    "bribe always\ncancel bribe": "plan-contradicts",
    "prefer King\ncancel plan": "plan-contradicts",
    "free benefits on; free benefits off": "plan-contradicts",
    "cancel": "plan-cancel-what",
    "cancel breakfast": "plan-cancel-what",
    "ask me if": "plan-condition",
    "free benefits maybe": "plan-free-what",
    "free benefits": "plan-free-what",
}


@pytest.mark.parametrize("text", BAD)
def test_what_is_not(text: str) -> None:
    found = read_plan(text, AT)
    assert not isinstance(found, Plan), found
    assert found[0].code == BAD[text], found
    for trouble in found:
        said = WORDS.phrase(trouble.code, "en", names=AT.names, **dict(trouble.facts))
        assert said
        assert "None" not in said


def test_each_wrong_line_is_named_and_nothing_is_filed() -> None:
    found = read_plan(
        "prefer Kingg\nwhen Merchant: gold; build Dcks; bonus; end\nbuy if cost > 40\nbribe always", AT
    )
    assert not isinstance(found, Plan)
    assert [(t.code, t.quote) for t in found] == [
        ("no-such-card", "prefer Kingg"),
        ("unknown-name", "build Dcks"),
        ("plan-never-holds", "buy if cost > 40"),
    ]
    assert found[0].suggestions == ("King",)


def test_what_can_not_be_read_is_not_followed_by_more_of_the_same() -> None:
    found = read_plan("when Kingg: gold; build Docks; end", AT)
    assert not isinstance(found, Plan)
    assert [t.code for t in found] == ["no-such-card"]


@pytest.mark.parametrize(
    "text",
    [
        "prefer mail, telegram",
        "prefer mail",
        "gold",
        "build Docks",
        "2",
        "status",
        "when is my turn?",
        "as soon as you can",
        "tell me if it is my turn",
        "never mind",
        "cancel game #17",
        "forget it",
        "free tonight",
        "always late",
        "bribe",
        "pass",
        "destroy Bea Market; end",
        "",
        "?",
    ],
)
def test_orders_and_commands_are_no_plans(text: str) -> None:
    assert not plan_begins(text, AT)


def test_the_example_of_the_specification() -> None:
    found = filed_text(
        """\
prefer King, Bishop, Architect          # draft: the first of these that I am passed; then I am asked
prefer King if I have the crown         # a condition
always prefer Merchant, Bishop          # stays for later rounds until withdrawn
when Merchant: gold; build Docks or Tavern; income; bonus; end
when King or Bishop: income; cards; keep dearest; build dearest; end
otherwise: gold; build cheapest; end
ask me if robbed, bewitched, threatened, or my hand changed
confiscate if cost >= 4                 # standing answers: always | never | if cost <, >= n | if <D> | ask me
buy never
""",
        AT,
    )
    assert [len(part) for part in (found.drafts, found.scripts, found.standing, found.asks)] == [3, 3, 2, 4]


def test_players_with_awkward_names() -> None:
    book = rulebook(Setup("classic", AWKWARD[:7]))
    at = Reading(
        names=AWKWARD[:7],
        view={
            "edition": "classic",
            "round": 1,
            "phase": "draft",
            "characters": [],
            "players": [{}] * 7,
            "you": 0,
            "called": None,
        },
        cards=book,
    )
    for seat, name in enumerate(at.names):
        if seat:
            plan = Plan(
                (Draft(("King",), False, (Fact("crown", "is", seat),), 1),),
                (
                    Script(
                        ("Warlord",),
                        (
                            order("gold"),
                            Step(
                                (
                                    Order("destroy", (seat, "Market")),
                                    Order("destroy", (seat, worded("cheapest"))),
                                )
                            ),
                        ),
                        1,
                    ),
                ),
            )
            text = "\n".join(plan_text(plan, at.names))
            found = read_plan(text, at)
            if ";" not in name:  # nobody can be told from a new line there
                assert found == plan, text
            else:
                assert not isinstance(found, Plan) or found == plan


def later(g: State, seat: int, phase: str) -> State:
    """The game gone on until that seat has picked, and further in that phase."""
    while not g.players[seat].characters or g.phase != phase:
        ask = asks(g)[0]
        g = play(
            g, ask.seat, ask.moves[-1] if ask.moves else ask.families[0].move(ask.families[0].cards[:1])
        ).state
    return g


def test_which_round_a_line_is_for() -> None:
    g = later(GAME, SEAT, "draft")
    assert filed_text("prefer King", reading(g, SEAT)).drafts[0].round == 2
    assert filed_text("otherwise: gold; end", reading(g, SEAT)).scripts[0].round == 1
    after = {**view(later(g, SEAT, "turns"), SEAT), "called": 8, "characters": ["Bishop"]}
    assert (
        filed_text("otherwise: gold; end", Reading("en", AT.names, None, after, GAME.rules)).scripts[0].round
        == 2
    )


def test_without_a_table_all_cards_are_known() -> None:
    at = Reading(names=("Ana", "Bea"), cards=Cards())
    assert isinstance(
        read_plan(
            "prefer Witch, Emperor\nwhen Emperor: gold; crown Bea gold; end\nwhen Witch: gold; bewitch King",
            at,
        ),
        Plan,
    )
    bad = read_plan("when Emperor: gold; end\nwhen Witch: gold; bewitch King; end", at)
    assert not isinstance(bad, Plan)
    assert [t.code for t in bad] == ["plan-must", "plan-after-end"]


def test_an_or_within_a_name_parts_no_conditions() -> None:
    at = Reading("en", names=AWKWARD)
    line = "ask me if gold >= 6, or Bea or Cy has the crown and round > 3"
    plan = read_plan(line, at)
    assert isinstance(plan, Plan)
    assert [one.condition for one in plan.asks] == [
        (Fact("gold", ">=", 6),),
        (Fact("crown", "is", AWKWARD.index("Bea or Cy")), Fact("round", ">", 3)),
    ]
    assert read_plan("\n".join(plan_text(plan, AWKWARD)), at) == plan
