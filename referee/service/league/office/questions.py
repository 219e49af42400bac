"""What anybody may ask the office, and what officials may look up: each act of the words that changes
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from referee.ids import SeasonNo, TableNo
from referee.rules import Refusal
from referee.states import EntryState, RoundState
from referee.store import Entry, League, LeagueRoom, Room, Season, SeasonRound, SeasonTable
from referee.text.lexicon import Lexicon

from ...core.letters import Facts
from ...core.unit_of_work import UnitOfWork
from ...people.letter_facts import HelpFacts
from .. import log, lookup, pausing, roles, same_names, settings
from ..letter_facts import (
    AnswersFacts,
    CardFacts,
    ExportFacts,
    Group,
    HallFacts,
    InvitationsFacts,
    LeagueAnswer,
    LeagueLine,
    ListFacts,
    LogFacts,
    LogLine,
    OfficialLine,
    PeopleFacts,
    PlayerFacts,
    ProposalLine,
    ProposalsFacts,
    ReportsFacts,
    RoundLine,
    ScheduleFacts,
    SeasonLine,
    SeasonsFacts,
    Setting,
    SettingsFacts,
    StandingsFacts,
    StatsFacts,
    TableFacts,
    WaitingFacts,
    notice,
)
from ..roles import Official
from ..scores import brackets, season_book, teams
from ..terms import read_terms
from . import references, reports, two_keys

#: this many lines of the log are shown at once, and where nobody says how many
LOG_MOST, LOG_USUAL = 200, 20
#: this many names stand in a list of people
PEOPLE_MOST = 300
#: in which order they stand there
_PEOPLE = (
    EntryState.SIGNED,
    EntryState.PLAYING,
    EntryState.WAITING,
    EntryState.WITHDRAWN,
    EntryState.REMOVED,
)

Page = Callable[[UnitOfWork, Official, "League | None", Mapping[str, Any]], "LeagueAnswer"]


def summary(uow: UnitOfWork, league: League, who: Official) -> LeagueLine:
    """A league as everybody may know it, and what the asker is in it."""
    season, role = lookup.latest(uow, league), roles.role_of(uow.tx, league, who)
    if season is None:
        return LeagueLine(league.id, league.name, league.closed_ms > 0, None, None, role, "")
    mine = lookup.entry_of(uow, season, who.person_id) if who.person_id is not None else None
    return LeagueLine(
        league.id,
        league.name,
        league.closed_ms > 0,
        _season_line(uow, season),
        _round_line(uow, season),
        role,
        "" if mine is None else "out" if brackets.is_out(uow, season, mine) else mine.state,
    )


def _season_line(uow: UnitOfWork, season: Season) -> SeasonLine:
    tx = uow.tx
    return SeasonLine(
        season.no,
        season.state,
        pausing.expected(season, season.closes_ms),
        pausing.expected(season, season.starts_ms),
        season.ended_ms,
        people=tx.count(Entry, season_id=season.id, state=(EntryState.SIGNED, EntryState.PLAYING)),
        waiting=tx.count(Entry, season_id=season.id, state=EntryState.WAITING),
        rounds=len(lookup.rounds(uow, season)) or read_terms(season).rounds_known,
        over=tx.count(SeasonRound, season_id=season.id, state=RoundState.CLOSED),
        pause=pausing.shown(season),
    )


def _round_line(uow: UnitOfWork, season: Season) -> RoundLine | None:
    """The last round that is on."""
    on = [one for one in lookup.rounds(uow, season) if one.state == RoundState.OPEN]
    if not on:
        return None
    tables = {"season_id": season.id, "round": on[-1].no}
    every = uow.tx.count(SeasonTable, **tables)
    left = uow.tx.count(SeasonTable, **tables, state=lookup.UNDECIDED)
    return RoundLine(on[-1].no, pausing.expected(season, on[-1].ends_ms), every, left)


def _list(uow: UnitOfWork, who: Official, league: League | None, args: Mapping[str, Any]) -> LeagueAnswer:
    alive = uow.tx.all(League, closed_ms=0, order="id")
    leagues = [summary(uow, one, who) for one in alive]
    return LeagueAnswer(ListFacts(leagues=leagues, house=who.house, console=who.person is None))


def _help(uow: UnitOfWork, who: Official, league: League | None, args: Mapping[str, Any]) -> LeagueAnswer:
    """In private, somebody who plays in a season can report a problem with one tap."""
    if "word" in args:
        return help_on(uow.words.lexicon(who.language), str(args["word"]))
    found = HelpFacts(topic=args.get("topic", "league"))
    plays = who.person is not None and uow.tx.count(
        Entry, person_id=who.person_id, state=(EntryState.SIGNED, EntryState.PLAYING)
    )
    if plays and found.topic == "league":
        found = replace(found, offers=[("report", "league report")])
    return LeagueAnswer(found)


def help_on(lexicon: Lexicon, act: str) -> LeagueAnswer:
    """How one act is typed, what it does, and who may do it."""
    about = lexicon.entry("leagues", act)
    return notice("league-help-word", usage=about["usage"], text=about["text"], needs=roles.MAY[act])


def _show(uow: UnitOfWork, who: Official, league: League | None, args: Mapping[str, Any]) -> LeagueAnswer:
    assert league is not None
    rooms = [uow.tx.get(Room, one.room_id) for one in uow.tx.all(LeagueRoom, league_id=league.id, order="id")]
    return LeagueAnswer(
        CardFacts(
            card=summary(uow, league, who),
            officials=_officials(uow, league),
            rooms=len([one for one in rooms if one is not None]),
            public=read_terms(league).visible,
            console=who.person is None,
        )
    )


def _officials(uow: UnitOfWork, league: League) -> list[OfficialLine]:
    return [OfficialLine(role, name) for role, name in roles.officials(uow.tx, league)]


def _roles(uow: UnitOfWork, who: Official, league: League | None, args: Mapping[str, Any]) -> LeagueAnswer:
    assert league is not None
    found = _officials(uow, league)
    return notice(
        "league-officials",
        league=league.name,
        **{role: [one.name for one in found if one.role == role] for role in roles.ROLES},
    )


def _people(uow: UnitOfWork, who: Official, league: League | None, args: Mapping[str, Any]) -> LeagueAnswer:
    """Everybody in the latest season, by what they are in it; of very many the first to sign up by name."""
    assert league is not None
    season = lookup.latest(uow, league)
    every = [] if season is None else lookup.entries(uow, season)
    alike = {} if season is None else same_names.of_season(uow.tx, season.id)
    groups, room = list[Group](), PEOPLE_MOST
    for state in _PEOPLE:
        there = [one for one in every if one.state == state]
        shown = there[:room]
        room -= len(shown)
        names = {**season_book.names_of(uow.tx, [one.person_id for one in shown]), **alike}
        played = [teams.team_of(one) for one in shown]
        if there:
            groups.append(
                Group(
                    state,
                    [names.get(one.person_id, "") for one in shown],
                    played if any(played) else (),
                    len(there) - len(shown),
                )
            )
    return LeagueAnswer(
        PeopleFacts(league=league.name, season=SeasonNo(0) if season is None else season.no, groups=groups)
    )


def _settings(uow: UnitOfWork, who: Official, league: League | None, args: Mapping[str, Any]) -> LeagueAnswer:
    assert league is not None
    every = [Setting(key, value) for key, value in settings.all_told(read_terms(league)).items()]
    return LeagueAnswer(SettingsFacts(league=league.name, settings=every))


def _proposals(
    uow: UnitOfWork, who: Official, league: League | None, args: Mapping[str, Any]
) -> LeagueAnswer:
    assert league is not None
    found = [
        ProposalLine(
            row.id,
            row.by,
            two_keys.proposal_text(uow, who.language, row),
            row.due_ms,
            own=two_keys.key_of(uow, row) == who.key,
        )
        for row in two_keys.waiting(uow, league)
    ]
    return LeagueAnswer(ProposalsFacts(league=league.name, proposals=found), private=True)


def _audit(uow: UnitOfWork, who: Official, league: League | None, args: Mapping[str, Any]) -> LeagueAnswer:
    assert league is not None
    most = min(int(args["number"]) or LOG_USUAL, LOG_MOST)
    scope = log.scope_of(league)
    rows = [
        LogLine(
            line.no,
            line.at_ms,
            line.by,
            line.via,
            log.act_text(uow.words, who.language, who.zone, line.act, line.facts),
        )
        for line in log.lines(uow.tx, scope, most)
    ]
    broken = log.verify(uow.tx, scope)
    return LeagueAnswer(LogFacts(league=league.name, lines=rows, broken=broken), private=True)


def _reports(uow: UnitOfWork, who: Official, league: League | None, args: Mapping[str, Any]) -> LeagueAnswer:
    """Those that the asker may read."""
    assert league is not None
    found = [one.id for one in reports.open_reports(uow, league, who)]
    return LeagueAnswer(ReportsFacts(of=league.id, reports=found), private=True)


def _waiting(uow: UnitOfWork, who: Official, league: League | None, args: Mapping[str, Any]) -> LeagueAnswer:
    assert league is not None
    lookup.current(uow, league)
    offers = [("league-remind", f"league #{league.id} remind")]
    return LeagueAnswer(WaitingFacts(of=league.id, offers=offers), private=True)


def _inside(facts: Callable[..., Facts]) -> Page:
    """A page of the season that is to come or goes on, for those who run it."""

    def page(uow: UnitOfWork, who: Official, league: League | None, args: Mapping[str, Any]) -> LeagueAnswer:
        assert league is not None
        lookup.current(uow, league)
        return LeagueAnswer(facts(of=league.id), private=True)

    return page


def _of(facts: Callable[..., Facts], *names: str) -> Page:
    """A page of which the words are looked up when its channel is ready (see letters.py)."""

    def page(uow: UnitOfWork, who: Official, league: League | None, args: Mapping[str, Any]) -> LeagueAnswer:
        assert league is not None
        chosen = {"season": 0, **{name: args[name] for name in names if name in args}}
        return LeagueAnswer(facts(of=league.id, reader=who.person_id, **chosen))

    return page


def _table(uow: UnitOfWork, who: Official, league: League | None, args: Mapping[str, Any]) -> LeagueAnswer:
    assert league is not None
    season = lookup.latest(uow, league)
    if season is None:
        raise Refusal("league-no-season", league=league.name)
    number = lookup.table_of(uow, season, TableNo(int(args["table"]))).no
    found = TableFacts(of=league.id, season=SeasonNo(0), table=number)
    if who.person is not None and lookup.entry_of(uow, season, who.person_id) is not None:
        found = replace(found, offers=[("report", f"league #{league.id} report table {number}")])
    return LeagueAnswer(found)


def _player(uow: UnitOfWork, who: Official, league: League | None, args: Mapping[str, Any]) -> LeagueAnswer:
    assert league is not None
    person = references.person(uow, league, str(args["name"]), who)
    return LeagueAnswer(PlayerFacts(of=league.id, person=person.id))


PAGES: Mapping[str, Page] = {
    "list": _list,
    "help": _help,
    "show": _show,
    "people": _people,
    "settings": _settings,
    "roles": _roles,
    "proposals": _proposals,
    "audit": _audit,
    "reports": _reports,
    "waiting": _waiting,
    "invitations": _inside(InvitationsFacts),
    "answers": _inside(AnswersFacts),
    "table": _table,
    "player": _player,
    "standings": _of(StandingsFacts, "season", "division"),
    "schedule": _of(ScheduleFacts, "season", "division", "round"),
    "tables": _of(ScheduleFacts, "season", "division", "round"),
    "stats": _of(StatsFacts, "season"),
    "seasons": _of(SeasonsFacts),
    "hall": _of(HallFacts),
    "export": _of(ExportFacts, "season", "form", "sheet"),
}
