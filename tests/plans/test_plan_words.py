"""Everything about plans has its sentence, and says what it should."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from pathlib import Path

from referee.plans import STOPS, Plan, Stop
from referee.plans.questions import BY_KIND, OFF_TURN, QUESTIONS
from referee.rules import asks, view
from referee.rules.model import Frame
from referee.text import Words
from referee.text.lexicon import lexicon
from referee.text.rendering.plans import stopped, understood
from tests.house.files import ROOT, python
from tests.plans.filing import filed_text, reading
from tests.rules.laws import table

WORDS = Words(strict=True)
GAME = table(5, 1)
SEAT = asks(GAME)[0].seat
VIEW = view(GAME, SEAT)
AT = reading(GAME, SEAT)
CAST = tuple(GAME.rules.characters)
SAID = tomllib.loads((ROOT / "templates" / "en" / "plans.toml").read_text(encoding="utf-8"))["plans"]


def test_every_sentence_is_used_and_every_code_has_one() -> None:
    rooms = "\n".join(path.read_text(encoding="utf-8") for path in python("referee") if "plan" in str(path))
    codes = set(re.findall(r'(?:Mistake|Trouble|Stop|say)\(\s*"([a-z-]+)"', rooms))
    own = {code for code in codes if code.startswith(("plan-", "understood", "stays", "once"))}
    assert len(own) > 40
    assert own <= set(SAID)
    idle = [code for code in SAID if code not in rooms and not code.startswith("asked-")]
    assert not idle
    of_cards = {code for table, said in lexicon("en").says() if table == "plans" for code in said}
    asked = {code for code in (*SAID, *of_cards) if code.startswith("asked-")}
    assert asked == {f"asked-{name}" for name in QUESTIONS}


def test_who_plans_as_orders_are_given_reads_how_it_goes() -> None:
    """“pick King if possible, else Bishop” was told only what it is not."""
    for code in ("plan-answer", "plan-not-in-turn"):
        shown = re.findall("“([^“”{]+)”", SAID[code])
        assert shown[0] == "prefer King, Bishop"
        assert all(filed_text(one, AT) for one in shown)


def test_every_stop_has_a_sentence() -> None:
    facts = {
        "character": "Merchant",
        "step": "build Docks",
        "card": "Docks",
        "player": 1,
        "kind": "keep",
        "characters": ("King", "Bishop"),
        "condition": "gold >= 4",
        "gold": 1,
        "before": 3,
    }
    said = {
        code: stopped(
            WORDS,
            Stop(
                code,
                {
                    key: value
                    for key, value in facts.items()
                    if key in re.findall("[a-z]+", meaning.partition(":")[0])
                },
            ),
            VIEW,
        )
        for code, meaning in STOPS.items()
    }
    assert len(set(said.values())) == len(STOPS)
    assert (
        said["plan-gone"] == "Your plan stopped at “build Docks”: there is no Docks in Bea's city any more."
    )
    assert said["plan-ask-me"] == "You wanted to be asked: gold >= 4."


def test_the_echo() -> None:
    plan = filed_text(
        "prefer King, Bishop, any if I have the crown\nalways when Merchant: gold; try build dearest; "
        "end\nwhen Warlord or King: gold\nbuy if cost >= 3\n"
        "reveal ask me\nask me if robbed, or gold > 8\nfree benefits on",
        AT,
    )
    assert understood(WORDS, plan, VIEW, CAST) == [
        (
            "Selection, if I have the crown: the first of King or Bishop that reaches you; "
            "else the least harmful one (in round 1)."
        ),
        "As the King: gold; then you are asked.",
        (
            "As the Merchant: gold; try build dearest; end; forgotten benefits are taken before the end "
            "(income and bonus)."
        ),
        "As the Warlord: gold; then you are asked.",
        "Nothing for Assassin, Thief, Magician, Bishop and Architect: there you are asked.",
        (
            "A district is destroyed, and the Graveyard is yours: “buy” if cost >= 3, "
            "else “pass” (until you withdraw it)."
        ),
        "Your threat was not bribed away: you are asked (until you withdraw it).",
        "You are asked, whatever else the plan says, if robbed or gold > 8 (until you withdraw it).",
        "Free benefits that a script forgets are taken before its end.",
        SAID["understood-stops"],
    ]
    assert understood(WORDS, Plan(), VIEW, CAST) == [SAID["understood-nothing"]]


def test_the_echo_speaks_of_whom_the_player_might_get() -> None:
    once, always = filed_text("otherwise: gold; end", AT), filed_text("always otherwise: gold; end", AT)
    faceup = {**VIEW, "faceup": ["Thief"]}
    mine = {**VIEW, "characters": ["Merchant"]}
    assert [line.split(":")[0] for line in understood(WORDS, once, faceup, CAST)][:-1] == [
        f"As the {c}" for c in CAST if c != "Thief"
    ]
    assert [line.split(":")[0] for line in understood(WORDS, once, mine, CAST)][:-1] == ["As the Merchant"]
    assert len(understood(WORDS, always, mine, CAST)) == len(CAST) + 1


def test_the_echo_says_where_it_stops() -> None:
    plan = filed_text(
        "otherwise: gold; destroy Bea cheapest; end\nwhen Bishop or King: gold; try income; end!", AT
    )
    said = understood(WORDS, plan, VIEW, CAST)
    assert "As the Architect: gold. There it stops at “destroy Bea cheapest”, and you are asked." in said
    assert "As the King: gold; try income; end!." in said
    emperor = understood(
        WORDS, filed_text("otherwise: gold; end", AT), {**VIEW, "edition": "deluxe"}, ("Emperor",)
    )
    assert emperor[0] == (
        "As the Emperor: gold; end; forgotten benefits are taken before the end (income). "
        "Before the end you are asked, since that must be ordered: crown."
    )


def test_an_admins_own_words(tmp_path: Path) -> None:
    """Beside the shipped ones, and above them where they are sentences."""
    (tmp_path / "en").mkdir()
    (tmp_path / "en" / "plans.toml").write_text(
        '[plan_words]\nprefer = ["i would like"]\ndearest = ["finest"]\n[plans]\nunderstood-nothing '
        '= "Nothing planned."\n'
    )
    at = replace(AT, own=(tmp_path,))
    assert filed_text("i would like King\notherwise: gold; build finest", at) == filed_text(
        "prefer King\notherwise: gold; build dearest", AT
    )
    assert understood(Words([tmp_path], strict=True), Plan(), VIEW, CAST) == ["Nothing planned."]


def test_what_is_over_is_not_echoed() -> None:
    plan = filed_text("prefer King\nwhen King: gold; end", AT)
    assert understood(WORDS, plan, {**VIEW, "round": 2}, CAST) == [SAID["understood-nothing"]]


def test_every_question_of_every_edition_is_known() -> None:
    """A new kind of question shall not slip by: it is answered once for all, by a script, or in the
    selection.
    """
    frames = {frame.code: frame for frame in subclasses(Frame)}
    asking = {code for code, frame in frames.items() if frame.asked is not Frame.asked}
    assert len(asking) > 12
    assert asking == {*BY_KIND, "turn", "draft", "bewitch", "seer", "wizard"}
    assert set(BY_KIND) >= OFF_TURN


def subclasses(kind: type[Frame]) -> set[type[Frame]]:
    found = {one for one in kind.__subclasses__() if one.__module__.startswith("referee.")}
    return found.union(*(subclasses(one) for one in found))
