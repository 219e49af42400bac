"""What is said to the office, from chat, by mail or at the command line: read, allowed or refused, done,
written down, answered.

said(uow, who, "Winter Cup open rounds 7")  -> LeagueAnswer
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from referee.ids import NO_GAME, GameId, LeagueId, LeagueProposalId, LeagueReportId
from referee.rules import Refusal
from referee.states import ProposalState
from referee.store import Game, League, LeagueProposal, LeagueReport, Room
from referee.text import Intent, NotUnderstood, Reading
from referee.text.reading.league_args import LeagueReading
from referee.text.reading.leagues import read_league

from ...core.letters import Notice
from ...core.unit_of_work import UnitOfWork
from ...people.letter_facts import NoticeFacts
from .. import hooks, log, onlookers, roles
from ..entry import founding
from ..letter_facts import LeagueAnswer, notice
from ..roles import Official
from . import acts, people_acts, questions, references, reports, table_acts, two_keys
from .acts import LeagueRequest
from .recusal import Keys, tell_last_resort

ACTS = {**acts.ACTS, **table_acts.ACTS, **people_acts.ACTS}
#: what is said to proposals
BY_KEYS = ("second", "refuse")


def said(
    uow: UnitOfWork, who: Official, text: str, room: Room | None = None, about: GameId = NO_GAME
) -> LeagueAnswer:
    """Do what was said, and answer it; `about` is the game of the room, or of the letter that was answered.

    Raises Refusal: then nothing of it may stay.
    """
    words = LeagueReading(
        Reading(language=who.language, own=uow.words.own), uow.now_ms, who.zone, references.LeagueNames(uow)
    )
    with uow.readings.metered():
        found = read_league(text, words)
    if isinstance(found, NotUnderstood):
        raise Refusal(
            found.code, **{**found.facts, "quote": found.quote, "suggestions": list(found.suggestions)}
        )
    return done(uow, who, found, room, about)


def done(
    uow: UnitOfWork, who: Official, intent: Intent, room: Room | None = None, about: GameId = NO_GAME
) -> LeagueAnswer:
    """The same, of words that were read."""
    act, number = str(intent.args["act"]), intent.args["league"]
    uow.about |= {"league": number, "act": act}
    if act == "new":
        return _founded(uow, who, str(intent.args["name"]))
    if act in BY_KEYS:
        return _by_key(uow, who, act, LeagueProposalId(int(intent.args["number"])), number, room)
    if act in ("list", "help"):
        here = references.here(uow, room) if act == "list" else None
        return questions.PAGES["show" if here else act](uow, who, here, intent.args)
    league = references.league(uow, number or _of_number(uow, act, intent.args, about), who, room, act)
    uow.about["league"] = league.id
    roles.must(uow.tx, league, who, act)
    onlookers.must_look_on(uow, who, league, act, room)
    if act == "report":
        return reports.said(uow, who, league, intent.args, about)
    if act in questions.PAGES:
        return questions.PAGES[act](uow, who, league, intent.args)
    return _acted(uow, who, league, act, intent.args, room)


def _of_number(uow: UnitOfWork, act: str, args: Mapping[str, Any], about: GameId) -> LeagueId | None:
    """The league of the report that is named, or of the table that a problem is reported of; None: another
    act.
    """
    if act == "handled":
        row = uow.tx.get(LeagueReport, LeagueReportId(int(args["number"])))
        return None if row is None else row.league_id
    game = uow.tx.get(Game, about) if act == "report" and about else None
    told = None if game is None else hooks.read_league(game)
    return None if told is None else told["league"]


def _founded(uow: UnitOfWork, who: Official, name: str) -> LeagueAnswer:
    roles.must(uow.tx, None, who, "new")
    facts = founding.create(uow, name, who.person)
    league = founding.found(uow, LeagueId(int(facts["id"])))
    log.append_line(uow, league, who, "new", facts)
    return notice("league-did-new", **facts, console=who.person is None)


def _acted(
    uow: UnitOfWork, who: Official, league: League, act: str, args: Mapping[str, Any], room: Room | None
) -> LeagueAnswer:
    matter, chosen = LeagueRequest(uow, who, league, args, room), ACTS[act]
    touched = chosen.touches(matter)
    told = chosen.two(matter)
    keys = Keys(
        uow, league, act, roles.MAY[act] if told is None else roles.DIRECTOR, touched, told is not None
    )
    key = keys.must(who)
    if told is None:
        facts = _done(chosen.do, matter, act)
        kept = {name: value for name, value in facts.items() if name != "invitation"}  # it lets its reader in
        log.append_line(uow, league, who, act, kept)
        tell_last_resort(uow, league, act, facts, [(key, who.by)])
        answer = notice(f"league-did-{act}", **told_again(who, facts))._replace(private=act in _PRIVATE)
        return _with_forecast(answer, facts)
    row = two_keys.propose(
        uow,
        league,
        who,
        act,
        {
            **{name: value for name, value in args.items() if name not in ("act", "league")},
            **{name: told[name] for name in ("person",) if name in told},
        },
        told,
        asked := keys.may_turn(key),
    )
    log.append_line(uow, league, who, "propose", {"number": row.id, "what": act, "told": told})
    answer = notice(
        "league-proposed",
        league=league.name,
        number=row.id,
        what=two_keys.proposal_text(uow, who.language, row),
        until=row.due_ms,
        zone=who.zone,
        others=len(asked),
        console=who.person is None,
    )
    return answer._replace(private=True)  # it may be about somebody, and may come to nothing


def _with_forecast(answer: LeagueAnswer, facts: Mapping[str, Any]) -> LeagueAnswer:
    """The answer to somebody who opens a season says what to expect of it, too."""
    said, what = facts.get("forecast"), answer.what
    if said is None or not isinstance(what, NoticeFacts):
        return answer
    return answer._replace(what=replace(what, notices=[*what.notices, Notice("league-forecast", said)]))


#: acts of which nobody hears but whom they are about
_PRIVATE = frozenset({"penalty", *people_acts.ACTS})
#: acts about the person who speaks
_OWN = frozenset({"join", "team", "alternate", "leave"})


def _done(do: Callable[[LeagueRequest], dict[str, Any]], matter: LeagueRequest, act: str) -> dict[str, Any]:
    """Do it; anyone who is refused something about themselves is spoken to as “you”."""
    try:
        return do(matter)
    except Refusal as no:
        if act not in _OWN:
            raise
        raise Refusal(no.code, **{**no.facts, "you": True}) from no


def _by_key(
    uow: UnitOfWork,
    who: Official,
    act: str,
    number: LeagueProposalId,
    league_id: LeagueId | None,
    room: Room | None,
) -> LeagueAnswer:
    """`second 12`, `refuse 12`."""
    league = None if number else references.league(uow, league_id, who, room, act)
    row = two_keys.proposal(uow, number, league)
    league = uow.tx.get(League, row.league_id)
    assert league is not None
    roles.must(uow.tx, league, who, act)
    matter = LeagueRequest(uow, who, league, json.loads(row.args), room)
    answer = (_refused if act == "refuse" else _seconded)(matter, row)
    two_keys.wake_latest(uow, league)
    return answer


def _refused(matter: LeagueRequest, row: LeagueProposal) -> LeagueAnswer:
    """Its proposer takes it back; anybody else needs a key that counts, as for the act itself."""
    uow, league, who = matter.uow, matter.league, matter.who
    own = two_keys.key_of(uow, row) == who.key
    if not own:
        try:
            keys = _keys(matter, row)
        except Refusal:  # what can't be done any more may be refused by anybody
            keys = None
        if keys is not None:
            keys.must(who, keys.of_proposer(row))
    two_keys.shut(uow, row, ProposalState.REFUSED)
    log.append_line(
        uow, league, who, "refuse", {"number": row.id, "what": row.act, "told": matter.args["told"]}
    )
    return notice("league-did-refuse", league=league.name, number=row.id, own=own)


def _seconded(matter: LeagueRequest, row: LeagueProposal) -> LeagueAnswer:
    uow, league, who = matter.uow, matter.league, matter.who
    two_keys.turn_key(uow, row, who)
    proposed = matter.args["told"].get("season")
    if proposed and proposed != matter.season.no:
        raise Refusal("league-season-over", league=league.name, season=proposed)
    keys = _keys(matter, row)
    first = keys.still(row)
    key = keys.must(who, first)
    facts = ACTS[row.act].do(matter)
    log.append_line(uow, league, who, row.act, {**facts, "number": row.id, "proposed_by": row.by})
    tell_last_resort(uow, league, row.act, facts, [(first, row.by), (key, who.by)])
    two_keys.carried(uow, row, league, who)
    return notice(f"league-did-{row.act}", **told_again(who, facts))


def _keys(matter: LeagueRequest, row: LeagueProposal) -> Keys:
    """Whose keys count for what was proposed.  Raises Refusal where it can't be done any more."""
    return Keys(matter.uow, matter.league, row.act, roles.DIRECTOR, ACTS[row.act].touches(matter), two=True)


def told_again(who: Official, facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts of an answer, with how its reader reads times."""
    return {**facts, "zone": who.zone, "by_console": who.person is None}
