"""The readers of both languages: whole messages, orders, plans, policies and new tables, leagues and their
settings.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import SimpleNamespace
from typing import Any

from referee.plans import Plan, dump, load, plan_text
from referee.policy import Policy
from referee.rules import Refusal, SetupError, asks
from referee.rules.facts import Move
from referee.service.league import settings
from referee.service.league.terms import Terms
from referee.text import Intent, NotUnderstood, Reading, Words, meter, part, read_intent, read_order
from referee.text.reading import limits
from referee.text.reading.league_args import LeagueReading
from referee.text.reading.leagues import read_league
from referee.text.reading.plans import plan_begins, read_plan
from referee.text.reading.policy import policy_text, read_policy
from referee.text.rendering.plans import understood
from tests.fuzz import corpora, mutating
from tests.fuzz.running import Target
from tests.plans import filing
from tests.rules.laws import table
from tests.text.samples import NOW, asked

WORDS = Words(strict=True)
NAMES = ("Ana", "Bea; Bo", "Cy Cy", "Zoë", "小林", "<b>x</b>", "King")
#: the longest sentence of the referee about what was not understood
_LONGEST_ANSWER = 3000


def clean(said: str) -> str:
    """What an adapter hands over is storable."""
    return said.encode("utf-8", "replace").decode().replace("\0", "\ufffd")


def metered(language: str, go: Callable[[str], None]) -> Callable[[str], None]:
    """As the desk reads: with an end, which is said in words."""

    def within(said: str) -> None:
        try:
            with meter.metered(limits.READING_MS):
                go(said)
        except meter.TooCostly:
            told(language, "too-costly", {})

    return within


def told(language: str, code: str, facts: Any, names: Any = NAMES) -> None:
    """What is refused says why, in the words of the language."""
    said = WORDS.phrase(code, language, **{"names": names, **facts})
    assert said.strip(), code
    said.encode()
    assert len(said) <= _LONGEST_ANSWER, f"{code}: {len(said)} signs"


@cache
def _turn(language: str) -> Reading:
    moment = asked("turn", "build")
    ask, view = moment.view["ask"], moment.view
    return Reading(
        language,
        names=NAMES[: len(moment.names)],
        ask=ask,
        view=view,
        shown=lambda: WORDS.shown(ask, view, language),
    )


def _message(language: str) -> Any:
    def go(said: str) -> None:
        said, at = clean(said), _turn(language)
        private, addressed = ((True, False), (True, False), (False, True), (False, False))[len(said) % 4]
        found = read_intent(said, at, private=private, addressed=addressed, bot="refbot")
        assert isinstance(found, Intent | NotUnderstood)
        if isinstance(found, NotUnderstood):
            assert len(found.quote) <= 200
            told(language, found.code, found.facts)
        elif found.kind == "orders" and private:
            for chunk in found.args["chunks"]:
                _ordered(language, chunk, at)

    return metered(language, go)


def _ordered(language: str, chunk: str, at: Reading) -> None:
    found = read_order(chunk, at)
    assert isinstance(found, Move | NotUnderstood)
    if isinstance(found, NotUnderstood):
        told(language, found.code, found.facts)
        parts = part(chunk, at)
        assert len(parts) != 1
        assert not any(part(one, at) for one in parts), "what was parted is parted once more"


def _order(language: str) -> Any:
    def go(said: str) -> None:
        for at in (
            _turn(language),
            Reading(
                language,
                names=("a a", "a", "aa", "b"),
                ask={
                    "kind": "turn",
                    "number": 1,
                    "moves": [["swap", [0]], ["end", []]],
                    "families": [["redraw", ["Temple", "Tavern"] * 6, 1, 12, [], False]],
                },
            ),
        ):
            _ordered(language, clean(said), at)

    return metered(language, go)


@cache
def _game() -> Any:
    return table(5, 1)


def _plan(language: str) -> Any:
    def go(said: str) -> None:
        said, game = clean(said), _game()
        at = (
            filing.reading(game, asks(game)[0].seat, language)
            if len(said) % 3
            else Reading(language, names=filing.AWKWARD)
        )
        assert plan_begins(said, at) in (True, False)
        found = read_plan(said, at)
        if not isinstance(found, Plan):
            assert found
            for trouble in found:
                told(language, trouble.code, trouble.facts, at.names)
            return
        assert load(dump(found)) == found
        if language == "en":
            assert read_plan("\n".join(plan_text(found, at.names)), at) == found
        assert at.view is None or all(understood(WORDS, found, at.view, tuple(game.rules.characters)))

    return metered(language, go)


def _policy(language: str) -> Any:
    def go(said: str) -> None:
        at = Reading(language)
        found = read_policy(clean(said), at)
        if isinstance(found, Policy):
            assert read_policy(policy_text(found), Reading()) == found
        else:
            told(language, found.code, found.facts)

    return metered(language, go)


def _league(language: str) -> Any:
    asking = LeagueReading(
        Reading(language), NOW, "Europe/Lisbon", {3: "Winter Cup", 4: "Winter", 5: "a a a"}
    )

    def go(said: str) -> None:
        found = read_league(clean(said), asking)
        assert isinstance(found, Intent | NotUnderstood)
        if isinstance(found, NotUnderstood):
            told(language, found.code, found.facts)

    return metered(language, go)


def _setting(said: str) -> None:
    key, _, value = clean(said).partition(" ")
    uow: Any = SimpleNamespace(
        words=WORDS,
        tx=SimpleNamespace(
            all=lambda *_, **__: [],
            get=lambda *_, **__: None,
            first=lambda *_, **__: None,
            count=lambda *_, **__: 0,
            find=lambda *_, **__: None,
        ),
    )
    try:
        terms = settings.changed(
            uow,
            Terms(),
            key if key in settings.KEYS else sorted(settings.KEYS)[len(said) % len(settings.KEYS)],
            value,
        )
    except (Refusal, SetupError) as no:
        for language in ("en", "pt_BR"):
            told(language, no.code, no.facts)
        return
    assert all(isinstance(one, str) for one in settings.all_told(terms).values())


def _messages(language: str) -> tuple[str, ...]:
    own = (
        ("text/test_portuguese*.py",)
        if language == "pt_BR"
        else ("text/test_*.py", "service/*.py", "service/*/*.py")
    )
    return (*corpora.literals(*own), *corpora.lexicon_words(language), *corpora.orders())


def _settings() -> tuple[str, ...]:
    return (
        *(f"{key} {value}" for key, value in settings.all_told(Terms()).items()),
        *(
            f"{key} {value}"
            for key in settings.KEYS
            for value in corpora.literals(
                "service/league/test_table_commands.py", "service/league/test_commands.py"
            )[:60]
        ),
    )


TARGETS = (
    *(
        Target(
            f"message {language}",
            mutating.text,
            lambda language=language: _messages(language),
            _message(language),
            2000,
        )
        for language in ("en", "pt_BR")
    ),
    *(
        Target(
            f"order {language}",
            mutating.text,
            lambda language=language: (*corpora.orders(), *corpora.lexicon_words(language)),
            _order(language),
            800,
        )
        for language in ("en", "pt_BR")
    ),
    *(
        Target(
            f"plan {language}",
            mutating.text,
            lambda language=language: (
                corpora.literals("plans/*.py")
                if language == "en"
                else corpora.literals("text/test_portuguese_plans.py")
            ),
            _plan(language),
            700,
        )
        for language in ("en", "pt_BR")
    ),
    *(
        Target(
            f"policy {language}",
            mutating.text,
            lambda language=language: (*corpora.literals("policy/*.py"), *corpora.lexicon_words(language)),
            _policy(language),
            500,
        )
        for language in ("en", "pt_BR")
    ),
    *(
        Target(
            f"league {language}",
            mutating.text,
            lambda language=language: corpora.literals(
                "text/test_league_words.py", "text/test_portuguese_leagues.py", "service/league/*.py"
            ),
            _league(language),
            500,
        )
        for language in ("en", "pt_BR")
    ),
    Target("setting", mutating.text, _settings, _setting, 600),
)
