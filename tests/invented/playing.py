"""Run inside a copy of the house with both cards planted: games with them, and what every layer says of them.

python -m tests.invented.playing        prints JSON; see test_planted.py for what is asked of it
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

import yaml

from referee import rules
from referee.bots import BOTS
from referee.pace import minds
from referee.plans import answer, filed
from referee.plans.walking import Walk, entries, ground, onward
from referee.rules import Setup, State
from referee.rules.scenario import check
from referee.service.teaching.lessons import LESSONS
from referee.text import Reading, Words, read_order
from referee.text.gaps import gaps
from referee.text.reading.plans import read_plan
from referee.text.rendering.phrases import PhraseBook
from tests.invented.planting import ROWS
from tests.rules import laws
from tests.text import samples

NAMES = ("Ana", "Bea", "Cy", "Dan")
CAST = ("Assassin", "Thief", "Magician", "King", "Bishop", "Merchant", "Architect", "Warlord", "Almoner")
LANGUAGES = ("en", "pt_BR")
WORDS = Words(strict=True)
GAMES = 14


def setup() -> Setup:
    deluxe = rules.EDITIONS["deluxe"]
    return Setup("deluxe", NAMES, cast=CAST, uniques=("Toll Gate", *deluxe.uniques[1:]))


BOOK = rules.rulebook(rules.new_game(setup(), bytes(16)).state)


def games(count: int) -> tuple[Counter[str], dict[str, samples.Moment]]:
    """Games of the bots to their end: what was ordered and told, and the first moment with each new order."""
    seen: Counter[str] = Counter()
    moments: dict[str, samples.Moment] = {}
    for number in range(count):
        dice = Random(number)
        outcome = rules.new_game(setup(), bytes([number]) * 16)
        told = list(outcome.events)
        while outcome.asks:
            seat = outcome.asks[0].seat
            view = rules.view(outcome.state, seat)
            verbs = {verb for verb, _ in view["ask"]["moves"]}
            for verb in {"levy", "alms"} & verbs:
                public = rules.view(outcome.state, None)
                moments.setdefault(verb, samples.Moment(seat, view, public, tuple(told), NAMES))
            move = BOTS["greedy"].choose(view, dice)
            seen[move.verb] += 1
            outcome = rules.play(outcome.state, seat, move)
            told += outcome.events
            seen.update(event.name for event in outcome.events)
        seen["finished"] += outcome.state.result is not None
    return seen, moments


def kept_laws(count: int) -> int:
    """Random games with both cards, every law looked at now and then; how many moments were."""
    looked = 0
    for number in range(count):
        dice = Random(number)
        for g in laws.moments(4, number, dice, setup()):
            if g.stack and (g.stack[-1].code == "toll-gate" or dice.random() < 0.03):
                laws.everything_in_its_place(g, dice)
                laws.written_and_read(g, dice)
                laws.dull_answers_are_legal(g, dice)
                looked += 1
    return looked


def reading(moment: samples.Moment, language: str) -> Reading:
    view = moment.view
    return Reading(language, NAMES, view["ask"], view, BOOK)


def typed(moments: Mapping[str, samples.Moment]) -> dict[str, str]:
    """What people write, and the order that is read."""
    lines = {
        "en": {"levy": ["levy", "take the toll"], "alms": ["alms to {}", "give alms {}"]},
        "pt_BR": {"levy": ["pedagiar", "cobrar pedágio"], "alms": ["esmola para {}", "dar esmola a {}"]},
    }
    out = {}
    for language, verbs in lines.items():
        for verb, said in verbs.items():
            moment = moments[verb]
            somebody = NAMES[(moment.seat + 1) % len(NAMES)]
            for line in said:
                found = read_order(line.format(somebody), reading(moment, language))
                out[f"{language}: {line}"] = repr(found).replace(str(NAMES.index(somebody)), "SEAT")
    return out


def planned(moment: samples.Moment) -> dict[str, Any]:
    """What plans say to the interrupt, typed and tapped."""
    out: dict[str, Any] = {}
    for line in ("levy always", "levy never", "levy if gold < 99", "levy ask me", "pedagiar sempre"):
        plan: Any = read_plan(line, reading(moment, "pt_BR" if "sempre" in line else "en"))
        found = answer(plan, moment.view, filed(plan, moment.view))
        out[line] = found.move.verb if found.move else found.stop.code if found.stop else ""
    table = ground(moment.view, CAST, ("Toll Gate",), False)
    at = onward(Walk(), "answers", table) or Walk()
    out["asked"] = [one.words for one in entries(at, table)]
    out["offered"] = [one.words for one in entries(onward(at, "toll-gate", table) or at, table)]
    out["simulated"] = minds.standing("deluxe", CAST)
    return out


def letters(moments: Mapping[str, samples.Moment]) -> dict[str, str]:
    """The letters that ask, with their buttons and a lesson each."""
    lesson = {"levy": [("ask", "toll-gate")], "alms": [("character", "as-almoner")]}
    out = {}
    for language in LANGUAGES:
        for verb, moment in moments.items():
            said = samples.prompt(moment, WORDS, language, teaching="learn", lessons=lesson[verb])
            said["game"] = {**said["game"], "edition": "deluxe", "guided": True}
            out[f"{language}: {verb}"] = WORDS.letter("prompt", language, "text", said).text
    return out


def sentences() -> dict[str, str]:
    """Every event of the cards, told to everybody."""
    facts = {"seat": 0, "victim": 1, "other": 1, "gold": 1}
    events = ("levied", "toll_waived", "alms_given", "endowed")
    return {f"{lang}: {e}": WORDS.event(e, facts, lang, NAMES, 2) for lang in LANGUAGES for e in events}


def scenarios() -> list[str]:
    """Those of the scenarios' stories that don't hold."""
    out = []
    for name, row in ROWS.items():
        with open(f"tests/rules/scenarios/{row.room}/{name}.yaml", encoding="utf-8") as file:
            results = check(yaml.safe_load(file), name)
        out += [f"{name}: {one.name}: {one.why}" for one in results if not one.ok]
        out += [f"{name}: none"] if len(results) < 2 else []
    return out


def never_faceup(count: int) -> list[int]:
    """Tables at which the Almoner lay faceup."""
    out = []
    for number in range(count):
        state: State = rules.new_game(setup(), bytes([number]) * 16).state
        assert state.faceup, "at this number of players some lie faceup"
        out += [number] if "Almoner" in state.faceup else []
    return out


def main() -> None:
    seen, moments = games(GAMES)
    books = {lang: PhraseBook(WORDS.lexicon(lang), ()) for lang in LANGUAGES}
    json.dump(
        {
            "place": str(rules.__file__),
            "games": GAMES,
            "seen": seen,
            "laws": kept_laws(4),
            "typed": typed(moments),
            "planned": planned(moments["levy"]),
            "letters": letters(moments),
            "sentences": sentences(),
            "scenarios": scenarios(),
            "faceup": never_faceup(40),
            "gaps": [str(one) for one in gaps("pt_BR")],
            "lessons": [one.name for one in LESSONS],
            "taught": {lang: book.codes("lessons") for lang, book in books.items()},
        },
        sys.stdout,
    )


if __name__ == "__main__":
    main()
