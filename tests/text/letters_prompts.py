"""Samples of what is asked at a table, of what came of an answer, and of plans."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from referee.text import Words
from tests.text import samples
from tests.text.samples import GAME, common, frozen


def of_questions(words: Words, language: str) -> dict[str, tuple[str, dict[str, Any]]]:
    """Questions of every kind, reminders of them, and the hand beside them."""
    prompt: Callable[..., dict[str, Any]] = partial(samples.prompt, language=language)
    turn = frozen()["turn"]
    asking = prompt(turn, words)
    return {
        "prompt-pick": ("prompt", prompt(frozen()["pick"], words)),
        "prompt-turn": ("prompt", prompt(turn, words, echo=[{"order": "gold"}])),
        "prompt-learn": (
            "prompt",
            prompt(
                frozen()["pick"],
                words,
                teaching="learn",
                game=GAME | {"guided": True},
                lessons=[("event", "you-robbed"), ("ask", "draft"), ("tip", "look-up")],
            ),
        ),
        "prompt-hint": ("prompt", prompt(turn, words, teaching="hints", lessons=[("ask", "gather")])),
        "prompt-keep": ("prompt", prompt(frozen()["keep"], words)),
        "prompt-magician": ("prompt", prompt(frozen()["magician"], words)),
        "prompt-warlord": ("prompt", prompt(frozen()["warlord"], words)),
        "reminder": (
            "reminder",
            {k: asking[k] for k in asking if k not in ("events", "echo", "trouble", "final")},
        ),
        "hand": ("hand", {k: asking[k] for k in asking if k not in ("events", "echo", "trouble", "final")}),
    }


def of_answers(words: Words, language: str) -> dict[str, tuple[str, dict[str, Any]]]:
    """What came of an answer: done, not done, taken back, given by somebody else."""
    prompt: Callable[..., dict[str, Any]] = partial(samples.prompt, language=language)
    turn = frozen()["turn"]
    trouble = {
        "code": "too-poor",
        "facts": {"price": 5, "gold": 2},
        "quote": "build palace",
        "suggestions": ["build Market"],
        "not_done": ["income", "end"],
    }
    return {
        "prompt-trouble": ("prompt", prompt(turn, words, trouble=trouble, events=[])),
        "prompt-undo": (
            "prompt",
            prompt(turn, words, echo=[{"order": "build Market", "undone": True}], events=[]),
        ),
        "prompt-waiting": (
            "prompt",
            prompt(
                turn,
                words,
                echo=[{"order": "end"}],
                ask=None,
                options=[],
                due_ms=None,
                me={"seat": (turn.seat + 1) % 4, "name": turn.names[(turn.seat + 1) % 4]},
                view=turn.public,
                events=[],
            ),
        ),
        "prompt-stopped": (
            "prompt",
            prompt(turn, words, stopped="Your plan as the King is done; the turn is still yours.", events=[]),
        ),
        "prompt-soon": ("prompt", prompt(turn, words, soon=True, events=[])),
        "hint": ("hint", common(best=[hinted("Merchant", 34, "trade", 2), hinted("Bishop", 29)])),
        "hint-close": ("hint", common(best=[hinted("Merchant", 34), hinted("Bishop", 34)])),
        "hint-only": ("hint", common(best=[hinted("Merchant", 0)])),
        "hint-none": ("hint", common(best=[])),
        "undone": ("undone", common(name="Bea", order="build Market")),
        "echo_elsewhere": ("echo_elsewhere", common(echo=[{"order": "gold"}, {"order": "build Market"}])),
        "stand_in": ("stand_in", common(name="Bea", kind="turn")),
        "stand_in-me": ("stand_in", common(name="Bea", kind="turn", me={"seat": 1, "name": "Bea"})),
    }


def hinted(label: str, chance: int, kind: str = "", standing: int = 0) -> dict[str, Any]:
    note = f"rank 6: what the {label} does"
    return {"label": label, "note": note, "chance": chance, "type": kind, "standing": standing}


def of_plans() -> dict[str, tuple[str, dict[str, Any]]]:
    """Plans as they were understood, or not."""
    return {
        "plan": (
            "plan",
            common(
                filed=True,
                soon=True,
                understood=[
                    (
                        "Selection: the first of King or Bishop that reaches you; else you are asked "
                        "(in round 3)."
                    ),
                    (
                        "As the King: gold; build dearest; end; forgotten benefits are taken before the "
                        "end (income)."
                    ),
                ],
            ),
        ),
        "plan-shown": (
            "plan",
            common(understood=["There is no plan."], stopped="Nothing of your list reached you: King."),
        ),
        "plan-wrong": (
            "plan",
            common(
                filed=False,
                troubles=[{"line": "There is no card called Ghost.", "quote": "when Ghost: gold; end"}],
            ),
        ),
    }


def of_plan_menus(words: Words) -> dict[str, tuple[str, dict[str, Any]]]:
    """The menu that makes plans."""
    return {
        "plan-menu": (
            "plan_menu",
            common(
                title="Plan my round",
                page="top",
                lines=["prefer King, Bishop, any"],
                options=[
                    {
                        "n": 1,
                        "order": "prefer King, Bishop, any",
                        "label": "File it for one round",
                        "note": "",
                        "mailto": words.mailto("prefer King, Bishop, any"),
                        "key": "k1",
                    },
                    {
                        "n": 2,
                        "order": "plan menu close",
                        "label": "Close",
                        "note": "",
                        "mailto": words.mailto("plan menu close"),
                        "key": "k2",
                    },
                ],
            ),
        ),
        "plan-menu-script": (
            "plan_menu",
            common(
                title="As the King, one thing after the other:",
                page="script",
                line="when King: gold",
                options=[
                    {
                        "n": 1,
                        "order": "plan menu build",
                        "label": "Build",
                        "note": "",
                        "mailto": words.mailto("plan menu build"),
                        "key": "k1",
                    }
                ],
            ),
        ),
    }
