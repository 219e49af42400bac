"""The page of those who run a league: how its season stands, who is awaited, what waits for a key, what was
done, and every act as a form.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.ids import LeagueId
from referee.states import EntryState, ProposalState, RoundState, TableState
from referee.store import League, LeagueProposal, Person, Season
from referee.text import clean

from ...core.unit_of_work import UnitOfWork
from ...people.identity import Speaker
from ...web.own import hooks
from ...web.site.page_cache import PageContext, Wanted
from .. import log, lookup, roles, settings
from ..commands import official
from ..office import reports, two_keys, waiting
from ..public.pages import number, season_book, uow
from ..roles import Official
from ..scores import views
from ..scores.season_book import NAME_MOST, SeasonRows
from ..season import table_time
from ..terms import read_terms
from .forms import FORMS, NONE, OfficeForm, PartKind
from .preview import preview
from .reader import reader_of

#: this many lines of the log stand on the page
LOG_LINES = 8
#: from a longer list one chooses by typing
LIST_MOST = 100


def facts(look: PageContext, person: Person, wanted: Wanted) -> dict[str, Any] | None:
    """league, role, officials, season and dates (as the public page has them), keys [{number, by, what,
    due_ms, own}], tables [{no, round, state, game, people, awaited}] that are not decided, danger, reports,
    log, and `_acts`.

    None for anyone who has no part in running that league.
    """
    league = look.tx.get(League, LeagueId(number(wanted, "league")))
    one = uow(look)
    who = reader_of(one, person)
    role = "" if league is None else roles.role_of(look.tx, league, who)
    if league is None or not role:
        return None
    season = lookup.latest(one, league)
    book = None if season is None else season_book(look, league, season)
    return {
        "league": views.league_facts(league),
        "path": f"{look.root}/l/{league.id}",
        "public": read_terms(league).visible,
        "role": role,
        "officials": [
            {"role": held, "name": clean(name, NAME_MOST)} for held, name in roles.officials(look.tx, league)
        ],
        "season": None if book is None else views.season_facts(book),
        "dates": [] if book is None else views.next_dates(list(book.rounds), look.now_ms),
        "keys": _keys(one, league, who) if roles.reaches(role, roles.DIRECTOR) else [],
        "tables": [] if book is None else _tables(book, waiting.board(one, book.season)),
        "danger": [] if book is None else _danger(one, book),
        "reports": reports.views(one, [row.id for row in reports.open_reports(one, league, who)]),
        "log": [
            {
                "no": line.no,
                "at_ms": line.at_ms,
                "by": line.by,
                "what": log.act_text(look.words, look.language, person.zone or "UTC", line.act, line.facts),
            }
            for line in log.lines(look.tx, log.scope_of(league), LOG_LINES)[::-1]
        ],
        **_acts(league, role, season, book),
    }


def _acts(league: League, role: str, season: Season | None, book: SeasonRows | None) -> dict[str, Any]:
    """groups [(name, [form])]: what this official may do as the season stands; others [form]: what else;
    shared {kind: options}: long lists, which stand on the page once.
    """
    state = season.state if season is not None and season.state in lookup.ALIVE else NONE
    options = {str(kind): _options(book, league, kind) for kind in PartKind}
    mine = {
        name: [form for form in group if roles.reaches(role, roles.MAY[form.act])]
        for name, group in FORMS.items()
    }
    return {
        "groups": [
            (name, [_form(league, options, form) for form in group if state in form.when])
            for name, group in mine.items()
        ],
        "others": [
            _form(league, options, form)
            for group in mine.values()
            for form in group
            if state not in form.when
        ],
        "shared": {kind: found for kind, found in options.items() if len(found) > LIST_MOST},
    }


def _keys(one: UnitOfWork, league: League, who: Official) -> list[dict[str, Any]]:
    """What waits for a second key."""
    return [
        {
            "number": row.id,
            "by": clean(row.by, NAME_MOST),
            "what": two_keys.proposal_text(one, who.language, row),
            "due_ms": row.due_ms,
            "own": two_keys.key_of(one, row) == who.key,
        }
        for row in one.tx.all(LeagueProposal, league_id=league.id, state=ProposalState.OPEN, order="id")
        if row.due_ms > one.now_ms
    ]


def _danger(one: UnitOfWork, book: SeasonRows) -> list[dict[str, Any]]:
    """The tables that probably need longer than they have: no, round, game, left (days), until_ms."""
    return [
        {
            "no": row.table.no,
            "round": row.table.round,
            "game": row.table.game_id,
            "left": max(1, round(row.left)),
            "until_ms": row.until_ms,
        }
        for row in table_time.in_danger(one, book.season)
    ]


def _tables(book: SeasonRows, awaiting: Sequence[waiting.AwaitingTable]) -> list[dict[str, Any]]:
    """The tables of rounds that are on and are not decided, with those for whom they wait."""
    awaited = {row.no: row.people for row in awaiting}
    on = {row.no for row in book.rounds if row.state == RoundState.OPEN}
    return [
        {**views.table_view(book, row), "awaited": awaited.get(row.no, ())}
        for row in book.tables
        if row.round in on and row.state in (TableState.PLANNED, TableState.GATHERING, TableState.PLAYING)
    ]


def _form(
    league: League, options: Mapping[str, Sequence[tuple[str, str]]], form: OfficeForm
) -> dict[str, Any]:
    """act, label, said (its line begins so), parts [{kind, before, must, options [(words, label)]}]; a long
    list has its options elsewhere (`_acts`).
    """
    return {
        "act": form.act,
        "label": form.label,
        "said": f"league #{league.id} {form.act}",
        "parts": [
            {
                "kind": str(part.kind),
                "before": part.before,
                "must": part.must,
                "options": options[part.kind] if len(options[part.kind]) <= LIST_MOST else (),
            }
            for part in form.parts
        ],
    }


def _options(book: SeasonRows | None, league: League, kind: PartKind) -> Sequence[tuple[str, str]]:
    """What can be chosen: the words, and what they are called."""
    if kind is PartKind.ROLE:
        return [(role, role) for role in (*roles.ROLES, "none")]
    if kind is PartKind.SETTING:
        return [(key, f"{key}: {value}") for key, value in settings.all_told(read_terms(league)).items()]
    if book is None:
        return ()
    if kind is PartKind.PERSON:
        there = (EntryState.SIGNED, EntryState.PLAYING, EntryState.WAITING)
        return sorted(
            (
                (f'"{book.name(row.person_id)}"', book.name(row.person_id))
                for row in book.entries
                if row.state in there
            ),
            key=lambda option: option[1].casefold(),
        )
    if kind is PartKind.ROUND:
        return [(str(row.no), str(row.no)) for row in book.rounds if row.state != RoundState.CLOSED]
    if kind is PartKind.TABLE:
        return [
            (str(row.no), f"{row.no}: {', '.join(book.name(who) for who in book.people[row.id])}")
            for row in book.tables
            if row.state != TableState.REPLAYED
        ]
    return ()


def tried(one: UnitOfWork, speaker: Speaker, wanted: Wanted, text: str) -> dict[str, Any] | None:
    """What would come of an act (see preview.py), and the league's page to which one goes back.

    Of acts that could be done only for those who run that league: it names who is told, and in which rooms.
    """
    who = official(one, speaker)
    found = preview(one, who, text)
    of = one.tx.get(League, LeagueId(int(one.about.get("league") or 0)))
    if found is None or not (found["refused"] or (of is not None and roles.role_of(one.tx, of, who))):
        return None
    return {"back": f"/me/l/{number(wanted, 'league')}/office", **found}


hooks.MORE.add("office", hooks.OwnPage(("league",), facts, tried), __name__)
