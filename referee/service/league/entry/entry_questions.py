"""What a league asks of those who join: at most three questions, whose answers its officials read.

They stand in the entry of the person who answered (`facts`, as `answers`: question and answer), so that they
go with a personal data export and are gone with the account.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import msgspec

from referee.ids import PersonId
from referee.rules import Refusal
from referee.states import EntryState
from referee.store import Entry, League, Season

from ...core.unit_of_work import UnitOfWork, json_text
from .. import lookup
from ..terms import Terms


class PersonAnswers(msgspec.Struct, frozen=True):
    """Somebody in a season, and each question that they answered with their answer."""

    person: PersonId
    name: str
    state: str
    answers: list[tuple[str, str]]


def asked(league: League, terms: Terms, answers: Sequence[str], code: str, act: str) -> list[tuple[str, str]]:
    """The questions with their answers.  Raises Refusal, which asks them, where answers are missing or too
    many; it tells how they are given, with the invitation's code that somebody had (`code`) and the word
    with which they join (`act`).
    """
    if len(answers) != len(terms.questions):
        raise Refusal(
            "league-asks" if terms.questions else "league-asks-nothing",
            league=league.name,
            questions=list(terms.questions),
            count=len(answers),
            invitation=code,
            act=act,
        )
    return list(zip(terms.questions, answers, strict=True))


def keep_answers(uow: UnitOfWork, entry: Entry, answers: Sequence[tuple[str, str]]) -> None:
    """Write them into an entry, in place of older ones."""
    facts: dict[str, Any] = {name: one for name, one in json.loads(entry.facts).items() if name != "answers"}
    if answers:
        facts["answers"] = [list(one) for one in answers]
    uow.tx.set(Entry, entry.id, facts=json_text(facts))


def answers_of(entry: Entry) -> list[tuple[str, str]]:
    """Question and answer of one entry."""
    return [(str(one[0]), str(one[1])) for one in json.loads(entry.facts).get("answers", ())]


def listing(uow: UnitOfWork, season: Season) -> list[PersonAnswers]:
    """Everybody in a season who answered anything, for its officials alone; nothing is written."""
    here = (EntryState.SIGNED, EntryState.PLAYING, EntryState.WAITING)
    return [
        PersonAnswers(one.person_id, lookup.name_of(uow, one.person_id), one.state, found)
        for one in lookup.entries(uow, season, *here)
        if (found := answers_of(one))
    ]
