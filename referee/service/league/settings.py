"""One setting of a league, as it is said and as it is told: `sizes 4-6 wanted 5`, `points 6/4/3/2/1/0`,
`overtime rule 3`, `cast random by round`.

Keys and the words of values are those of this room; other languages are turned into them before. A value has
single blanks between its words when it is read here: patterns say ` ?`, since any number of blanks twice in a
row would be tried in every way to part them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from referee import league as sums
from referee.policy import Policy
from referee.rules import Refusal
from referee.rules.lists import choice_of, edition_of
from referee.text import NotUnderstood, Reading
from referee.text.reading.policy import policy_text, read_policy
from referee.text.reading.tables import read_new
from referee.text.reading.talking import MODES

from ..core.named_policies import NamedPolicies
from ..core.unit_of_work import UnitOfWork
from . import free_days
from .terms import (
    DAYS_MOST,
    FORMATS,
    QUESTION_LONGEST,
    QUESTIONS_MOST,
    TIEBREAKS,
    Terms,
    row_of,
    within,
)

_YES, _NO = ("yes", "on", "true", "1"), ("no", "off", "false", "0", "none")
_BY_ROUND = re.compile(r" (?:by|each|per|every) round\b", re.IGNORECASE)


def changed(uow: UnitOfWork, terms: Terms, key: str, text: str) -> Terms:
    """The terms with one of them changed; not checked as a whole.

    Raises Refusal for a key or a value that can't be read.
    """
    how = KEYS.get(key)
    if how is None:
        raise Refusal("league-no-setting", key=key, known=sorted(KEYS))
    return how[0](uow, terms, key, " ".join(text.split()))


def setting_text(terms: Terms, key: str) -> str:
    """What a setting is, in words that are read again as the same."""
    return KEYS[key][1](terms)


def all_told(terms: Terms) -> dict[str, str]:
    """Every setting, in words."""
    return {key: how[1](terms) for key, how in KEYS.items()}


def _put(terms: Terms, name: str, value: object) -> Terms:
    return Terms(**{**vars(terms), name: value})


def _bad(key: str, text: str, like: str) -> Refusal:
    return Refusal("league-value", key=key, value=text[:60], like=like)


def _flag(name: str) -> _How:
    def read(uow: UnitOfWork, terms: Terms, key: str, text: str) -> Terms:
        said = text.casefold()
        if said not in (*_YES, *_NO):
            raise _bad(key, text, "yes, no")
        return _put(terms, name, said in _YES)

    return read, lambda terms: "yes" if getattr(terms, name) else "no"


def _number(name: str, unit: str = "") -> _How:
    def read(uow: UnitOfWork, terms: Terms, key: str, text: str) -> Terms:
        found = re.fullmatch(r"(\d{1,6}) ?(h|hours?|d|days?|%|percent|people)?", text.casefold())
        if found is None and text.casefold() in _NO:
            return _put(terms, name, 0)
        if found is None:
            raise _bad(key, text, str(getattr(Terms(), name) or 12))
        value = int(found[1])
        if unit == "hours" and (found[2] or "").startswith("d"):
            value *= 24
        return _put(terms, name, value)

    return read, lambda terms: str(getattr(terms, name))


def _word(name: str, *allowed: str) -> _How:
    def read(uow: UnitOfWork, terms: Terms, key: str, text: str) -> Terms:
        if text.casefold() not in allowed:
            raise _bad(key, text, ", ".join(one for one in allowed if one))
        return _put(terms, name, text.casefold())

    return read, lambda terms: str(getattr(terms, name))


def _points(name: str) -> _How:
    def read(uow: UnitOfWork, terms: Terms, key: str, text: str) -> Terms:
        return _put(
            terms, name, "0" if text.casefold() in _NO else text.casefold().removesuffix("points").strip()
        )

    return read, lambda terms: str(getattr(terms, name))


def _policy(uow: UnitOfWork, terms: Terms, key: str, text: str) -> Terms:
    made = read_policy(text, Reading(own=uow.words.own, policies=NamedPolicies(uow.tx)))
    if not isinstance(made, Policy):
        raise Refusal(made.code, **{**made.facts, "quote": made.quote})
    return replace(terms, policy=row_of(made))


def _cast(uow: UnitOfWork, terms: Terms, key: str, text: str) -> Terms:
    said = _BY_ROUND.sub("", text)
    if said.casefold() in ("usual", "none", ""):
        return replace(terms, choice={}, each_round=False)
    got = read_new(said, Reading(own=uow.words.own))
    if isinstance(got, NotUnderstood):
        raise Refusal(got.code, **{**got.facts, "quote": got.quote})
    if not got["choice"]:
        raise _bad(key, text, "random, random by round, usual")
    choice = dict(got["choice"])
    edition = got["edition"] or (
        terms.edition
        if choice.get("named") == "random" and terms.edition != "classic"
        else edition_of(choice_of(choice))
    )
    return replace(terms, edition=edition, choice=choice, each_round=said != text)


def _edition(uow: UnitOfWork, terms: Terms, key: str, text: str) -> Terms:
    got = read_new(text, Reading(own=uow.words.own))
    if isinstance(got, NotUnderstood):
        raise Refusal(got.code, **{**got.facts, "quote": got.quote})
    if not got["edition"] or got["choice"]:
        raise _bad(key, text, "classic, deluxe, original")
    same = got["edition"] == terms.edition
    return replace(
        terms,
        edition=got["edition"],
        choice=terms.choice if same else {},
        each_round=terms.each_round and same,
    )


def _complete(uow: UnitOfWork, terms: Terms, key: str, text: str) -> Terms:
    if text.casefold() in ("usual", *_NO):
        return replace(terms, options={})
    if not text.isdecimal():
        raise _bad(key, text, "7, 8, usual")
    return replace(terms, options={"complete_city": int(text[:3])})


def _sizes(uow: UnitOfWork, terms: Terms, key: str, text: str) -> Terms:
    found = re.fullmatch(
        r"(\d)(?: ?(?:-|–|to| ) ?(\d))?(?: ?,? ?(?:wanted|best|usually|ideal) ?(\d))?", text.casefold()
    )
    if found is None:
        raise _bad(key, text, "4-7, 4-6 wanted 5")
    least, most = int(found[1]), int(found[2] or found[1])
    return replace(
        terms,
        least=least,
        most=most,
        wanted=int(found[3]) if found[3] else min(most, max(least, terms.wanted)),
    )


def _table(uow: UnitOfWork, terms: Terms, key: str, text: str) -> Terms:
    try:
        return replace(terms, points=str(sums.read_points(text)))
    except sums.PointsFault as no:
        raise Refusal(no.code, **no.facts) from no


def _ties(uow: UnitOfWork, terms: Terms, key: str, text: str) -> Terms:
    said = [
        " ".join(one.split()) for one in re.split(r" ?(?:,|/|;|>|then) ?", text.casefold()) if one.strip()
    ]
    said = [one for one in said if one not in ("points", "lot")]
    if any(one not in TIEBREAKS for one in said) or len(set(said)) < len(said):
        raise _bad(key, text, ", ".join(TIEBREAKS))
    return replace(terms, tiebreaks=tuple(said))


def _days(uow: UnitOfWork, terms: Terms, key: str, text: str) -> Terms:
    if re.fullmatch(r"(?:as )?forecast|usual", text.casefold()):
        return replace(terms, round_days=0)
    found = re.fullmatch(r"(\d{1,6}) ?(?:d|days?)?", text.casefold())
    if found is None:
        raise _bad(key, text, "28, as forecast")
    within("days", int(found[1]), 1, DAYS_MOST)
    return replace(terms, round_days=int(found[1]))


def _bye(uow: UnitOfWork, terms: Terms, key: str, text: str) -> Terms:
    return replace(
        terms,
        bye="average" if text.casefold() in ("average", "mean") else "0" if text.casefold() in _NO else text,
    )


def _overtime(uow: UnitOfWork, terms: Terms, key: str, text: str) -> Terms:
    found = re.fullmatch(r"(rule|wait)(?: (?:after )?(\d{1,4}) ?(?:d|days?)?)?", text.casefold())
    if found is None:
        raise _bad(key, text, "rule 3, wait")
    return replace(terms, overtime=found[1], overtime_days=int(found[2]) if found[2] else terms.overtime_days)


def _reliability(uow: UnitOfWork, terms: Terms, key: str, text: str) -> Terms:
    if text.casefold() in _NO:
        return replace(terms, reliability=0)
    found = re.fullmatch(
        r"(\d{1,3}) ?(?:%|percent)?(?: ?(?:after|of|from) (\d{1,6})(?: ?answers)?)?", text.casefold()
    )
    if found is None:
        raise _bad(key, text, "80%, 80% after 20")
    return replace(terms, reliability=int(found[1]), answers=int(found[2]) if found[2] else terms.answers)


def _divisions(uow: UnitOfWork, terms: Terms, key: str, text: str) -> Terms:
    if text.casefold() in ("one", *_NO):
        return replace(terms, division=0)
    found = re.fullmatch(
        r"(?:of )?(\d{1,4})(?: ?people)?(?: ?,? ?up (\d{1,3}))?(?: ?,? ?down (\d{1,3}))?", text.casefold()
    )
    if found is None:
        raise _bad(key, text, "20, 20 up 2 down 2, none")
    return replace(
        terms,
        division=int(found[1]),
        up=int(found[2]) if found[2] else terms.up,
        down=int(found[3]) if found[3] else terms.down,
    )


def _holidays(uow: UnitOfWork, terms: Terms, key: str, text: str) -> Terms:
    return replace(terms, holidays=() if text.casefold() in _NO else free_days.places(text))


def _form(uow: UnitOfWork, terms: Terms, key: str, text: str) -> Terms:
    said = text.casefold().replace("-", "").replace(" ", "")
    if said not in FORMATS:
        raise _bad(key, text, ", ".join(FORMATS))
    return replace(terms, format=said)


def _teams(uow: UnitOfWork, terms: Terms, key: str, text: str) -> Terms:
    if text.casefold() in _NO:
        return replace(terms, team=0, team_best=0)
    found = re.fullmatch(r"(?:of )?(\d{1,4})(?: ?people)?(?: ?,? ?best (\d{1,4}))?", text.casefold())
    if found is None:
        raise _bad(key, text, "3, 4 best 3, none")
    return replace(terms, team=int(found[1]), team_best=int(found[2]) if found[2] else 0)


def _teams_told(terms: Terms) -> str:
    if not terms.team:
        return "none"
    return f"{terms.team} best {terms.team_best}" if terms.team_best else str(terms.team)


def _questions(uow: UnitOfWork, terms: Terms, key: str, text: str) -> Terms:
    if text.casefold() in _NO:
        return replace(terms, questions=())
    said = [one.strip() for one in (re.findall(r'"([^"]*)"', text) or [text])]
    if len(said) > QUESTIONS_MOST or any(not 0 < len(one) <= QUESTION_LONGEST for one in said):
        raise Refusal("league-questions", most=QUESTIONS_MOST, longest=QUESTION_LONGEST)
    return replace(terms, questions=tuple(said))


_How = tuple[Callable[[UnitOfWork, Terms, str, str], Terms], Callable[[Terms], str]]


def _cast_told(terms: Terms) -> str:
    named = str(terms.choice.get("named", ""))
    cards = ", ".join(
        [*terms.choice.get("cast", ()), *terms.choice.get("uniques", ()), *terms.choice.get("also", ())]
    )
    words = " ".join(one for one in (named, "gentle" if terms.choice.get("gentle") else "", cards) if one)
    return (words or "usual") + (" by round" if terms.each_round else "")


#: what can be set: how it is read, and how it is told
KEYS: Mapping[str, _How] = {
    "edition": (_edition, lambda terms: terms.edition),
    "cast": (_cast, _cast_told),
    "complete": (_complete, lambda terms: str(terms.options.get("complete_city", "usual"))),
    "talk": (_word("talk", *MODES)[0], lambda terms: terms.talk or "open"),
    "policy": (_policy, lambda terms: policy_text(terms.rule())),
    "plans": _word("plans", "all", "no lists"),
    "sizes": (_sizes, lambda terms: f"{terms.least}-{terms.most} wanted {terms.wanted}"),
    "points": (_table, lambda terms: terms.points_told()),
    "tiebreaks": (_ties, lambda terms: ", ".join(("points", *terms.tiebreaks, "lot"))),
    "bye": (_bye, lambda terms: terms.bye),
    "rounds": _number("rounds"),
    "days": (_days, lambda terms: str(terms.round_days or "as forecast")),
    "late": _number("late_hours", "hours"),
    "overtime": (
        _overtime,
        lambda terms: "wait" if terms.overtime == "wait" else f"rule {terms.overtime_days}",
    ),
    "early": _flag("early"),
    "overlap": _flag("overlap"),
    "abandonment": _points("abandonment"),
    "withdrawal": _points("withdrawal"),
    "strikes": _number("strikes"),
    "green": _flag("green"),
    "reliability": (
        _reliability,
        lambda terms: f"{terms.reliability}% after {terms.answers}" if terms.reliability else "no",
    ),
    "divisions": (
        _divisions,
        lambda terms: f"{terms.division} up {terms.up} down {terms.down}" if terms.division else "none",
    ),
    "form": (_form, lambda terms: terms.format),
    "advance": _number("advance"),
    "teams": (_teams, _teams_told),
    "joins": _flag("joins"),
    "public": _flag("visible"),
    "holidays": (_holidays, lambda terms: ", ".join(terms.holidays) or "none"),
    "entry": _word("entry", "open", "invited"),
    "questions": (_questions, lambda terms: " ".join(f'"{one}"' for one in terms.questions) or "none"),
    "substitutes": _word("substitutes", "first come", "by rating"),
}
