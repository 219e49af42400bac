"""A season like the last one: by its settings, and with its people, who are asked to join again."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from referee.ids import PersonId
from referee.rules import Refusal
from referee.states import EntryState, SeasonState
from referee.store import League, Season

from ...core.unit_of_work import UnitOfWork
from .. import lookup
from ..announcements import to_each
from ..letter_facts import Named, NewsFacts
from ..terms import FORM, Terms, checked, read_terms, text_of


def last_played(uow: UnitOfWork, league: League) -> Season:
    """The newest season that was played to its end.  Raises Refusal where there is none."""
    found = uow.tx.all(Season, league_id=league.id, state=SeasonState.OVER, order="-no", limit=1)
    if not found:
        raise Refusal("league-no-last", league=league.name)
    return found[0]


def settings_of(uow: UnitOfWork, league: League, last: Season) -> None:
    """From now on the league is played by the settings of that season."""
    terms = Terms(**{**vars(read_terms(last)), "form": FORM})
    uow.tx.set(League, league.id, settings=text_of(checked(terms)))


def ask(uow: UnitOfWork, league: League, last: Season, opened: dict[str, Any]) -> int:
    """Everybody who was in that season to its end, alternates too, is asked to join the one that was opened,
    by a letter with a button; how many that are.
    """
    people = [one.person_id for one in lookup.entries(uow, last, EntryState.PLAYING, EntryState.WAITING)]
    news = NewsFacts(league=Named(league.id, league.name), about_you=False, notices=[])
    news = replace(news, offers=[("join", f"league join #{league.id}")])
    facts = {"season": opened["season"], "closes_ms": opened["closes_ms"], "before": last.no}
    return to_each(uow, league, [PersonId(one) for one in people], "league-again", facts, news)
