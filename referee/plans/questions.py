"""What may be answered once for all: the questions that come outside one's own turn, or again and again."""

from __future__ import annotations

from typing import NamedTuple


class Question(NamedTuple):
    """`kinds` of an `Ask`; the verbs that say yes; the one that says no, "" where there is none; the `card`
    in the game without which nobody is asked, "" where anybody may be.
    """

    kinds: tuple[str, ...]
    yes: tuple[str, ...]
    no: str = ""
    card: str = ""


QUESTIONS = {
    "warrant": Question(("warrant",), ("confiscate",), "pass", "Magistrate"),
    "threat": Question(("threat",), ("bribe",), "refuse", "Blackmailer"),
    "reveal": Question(("reveal",), ("reveal",), "pass", "Blackmailer"),
    "graveyard": Question(("graveyard",), ("buy",), "pass", "Graveyard"),
    "theater": Question(("theater",), ("exchange",), "pass", "Theater"),
    "hospital": Question(("hospital",), ("gold", "cards"), "pass", "Hospital"),
    "bell-tower": Question(("bell-tower",), ("finish",), "pass", "Bell Tower"),
    "emperor": Question(("emperor",), ("crown",), card="Emperor"),
    "keep": Question(("keep", "study", "lighthouse"), ("keep",)),
}
#: kind of an Ask -> the question it is
BY_KIND = {kind: name for name, question in QUESTIONS.items() for kind in question.kinds}
#: asked while it is somebody else's turn, or nobody's: a script has no answer to them
OFF_TURN = frozenset({"warrant", "reveal", "graveyard", "theater", "hospital", "emperor"})
#: orders that answer a question within one's own turn: in a script they are passed over where it is not asked
ANSWERS = frozenset({"keep", "take", "give", "bribe", "refuse", "finish", "pass"})
#: orders that are never given in one's own turn
ELSEWHERE = frozenset({"confiscate", "reveal", "buy", "pick", "discard"})
#: questions about a card, and those with a price
WITH_CARD, WITH_COST = frozenset({"warrant", "graveyard"}), frozenset({"warrant", "graveyard", "threat"})
#: the selection of a character, and where two play also what is put away
DRAFT = ("pick", "discard")
TURN = "turn"
#: cost nothing, bring something for sure, and have no choice in them: taken before `end` where they were
#: forgotten
FREE = ("income", "bonus", "favor", "collect", "draw")
