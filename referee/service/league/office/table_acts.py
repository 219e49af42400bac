"""What officials do about rounds and tables, and about somebody's points: more of the acts of the words."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from referee.ids import ALL_DIVISIONS, RoundNo, TableNo
from referee.policy import HOUR_MS
from referee.rules import Refusal
from referee.states import RoundState, SeasonState, TableState
from referee.store import SeasonRound, SeasonTable
from referee.text.reading.dates import LAST, MORNING

from .. import lookup, roles
from ..scores import penalties, table_places
from ..season import expectations, overlap, rounds
from . import rulings
from .acts import Facts, LeagueRequest, OfficeAct, for_all
from .recusal import Touched

#: a table in one of these states has places, which points hang on
DECIDED = (TableState.OVER, TableState.RULED)


def _table(matter: LeagueRequest) -> SeasonTable:
    return lookup.table_of(matter.uow, matter.season, TableNo(int(matter.args["table"])))


def _round(matter: LeagueRequest) -> SeasonRound:
    """The round that was named, else the one that is on, else the next."""
    season, said = matter.season, RoundNo(int(matter.args["round"]))
    every = lookup.rounds(matter.uow, season)
    here = [one for one in every if one.state == RoundState.OPEN][-1:] or [
        one for one in every if one.state == RoundState.PLANNED
    ]
    if not said and not here:
        raise Refusal("league-not-drawn", league=matter.league.name, season=season.no)
    return lookup.round_of(matter.uow, season, said or here[0].no)


def _person_touches(matter: LeagueRequest) -> Touched:
    """Somebody's points, or whether they play: what that moves is their division."""
    season, person = matter.season, matter.person()
    entry = lookup.entry_of(matter.uow, season, person.id)
    return Touched(season, frozenset({person.id}), division=None if entry is None else entry.division)


def _table_touches(matter: LeagueRequest) -> Touched:
    table = _table(matter)
    return Touched(matter.season, table=table, division=table.division)


def _extend_touches(matter: LeagueRequest) -> Touched:
    """More time is no place: nobody but who plays there need keep out of it."""
    return Touched(matter.season, table=_table(matter))


def _void_touches(matter: LeagueRequest) -> Touched:
    if matter.args["what"] == "season":
        return Touched(matter.season, division=ALL_DIVISIONS)
    return _table_touches(matter)


def _substitute_touches(matter: LeagueRequest) -> Touched:
    out, into = matter.person(str(matter.args["out"])), matter.person(str(matter.args["into"]))
    return _table_touches(matter)._replace(people=frozenset({out.id, into.id}), frees=True)


def _start(matter: LeagueRequest) -> Facts:
    """The season's first round, or the next one where one is over before its time."""
    season = matter.season
    if season.state == SeasonState.RUNNING:
        return {**rounds.open_round(matter.uow, season), "next": True}
    expectations.check(matter.uow, season)
    return {**rounds.start(matter.uow, season), "next": False}


def _postpone(matter: LeagueRequest) -> Facts:
    if matter.season.state == SeasonState.SIGNUP and int(matter.args["round"]) in (0, 1):
        return _postpone_first(matter)
    row = _round(matter)
    # a day on which it ends, or begins
    morning = (LAST - MORNING) * 60_000 if matter.args["day"] and row.state == RoundState.PLANNED else 0
    until = (
        int(matter.args["until_ms"]) - morning
        if matter.args["until_ms"]
        else (row.ends_ms if row.state == RoundState.OPEN else row.starts_ms)
        + round(float(matter.args["hours"]) * HOUR_MS)
    )
    return rounds.postpone(matter.uow, matter.season, row.no, until)


def _extend(matter: LeagueRequest) -> Facts:
    hours = float(matter.args["hours"])
    return overlap.extend(
        matter.uow, matter.season, _table(matter), int(matter.args["until_ms"]), round(hours * HOUR_MS)
    )


def _postpone_first(matter: LeagueRequest) -> Facts:
    """Before the draw there are no rounds yet, but a day on which the first begins."""
    season, args = matter.season, matter.args
    if args["until_ms"]:
        return rounds.postpone_first(
            matter.uow, season, int(args["until_ms"]) - ((LAST - MORNING) * 60_000 if args["day"] else 0)
        )
    if not season.starts_ms:
        raise Refusal("league-no-first-day", league=matter.league.name)
    return rounds.postpone_first(matter.uow, season, season.starts_ms + round(float(args["hours"]) * HOUR_MS))


def _penalty(matter: LeagueRequest) -> Facts:
    worth = str(matter.args["points"])
    role = roles.role_of(matter.uow.tx, matter.league, matter.who)
    if role == roles.MODERATOR and abs(Fraction(worth)) > roles.MODERATOR_PENALTY:
        raise Refusal("league-penalty-much", league=matter.league.name, most=roles.MODERATOR_PENALTY)
    return penalties.penalty(matter.uow, matter.season, matter.person(), worth, str(matter.args["why"]))


def _bonus(matter: LeagueRequest) -> Facts:
    why = str(matter.args["why"])
    return penalties.bonus(matter.uow, matter.season, matter.person(), str(matter.args["points"]), why)


def _bonus_two(matter: LeagueRequest) -> Facts:
    """Points that nobody has won are never one person's word."""
    season, person = matter.season, matter.person()
    lookup.entered(matter.uow, season, person)
    return {
        "name": person.name,
        "person": person.id,
        "season": season.no,
        "points": str(matter.args["points"]),
        "why": matter.args["why"],
    }


def _bye(matter: LeagueRequest) -> Facts:
    season = matter.season
    number = RoundNo(int(matter.args["round"])) or lookup.next_round(matter.uow, season)
    if not number and not lookup.rounds(matter.uow, season):
        raise Refusal("league-not-drawn", league=matter.league.name, season=season.no)
    if not number:
        raise Refusal("league-no-rounds-left", league=matter.league.name)
    return rulings.bye(matter.uow, season, matter.person(), number)


def _substitute(matter: LeagueRequest) -> Facts:
    out, into = matter.person(str(matter.args["out"])), matter.person(str(matter.args["into"]))
    return rulings.substitute(matter.uow, matter.season, _table(matter), out, into)


def _void(matter: LeagueRequest) -> Facts:
    why = str(matter.args["why"])
    facts = {"why": why, "what": str(matter.args["what"])}
    if matter.args["what"] == "season":
        return {**rulings.void_season(matter.uow, matter.season), **facts}
    return {**rulings.void(matter.uow, matter.season, _table(matter), why=why), **facts}


def _void_two(matter: LeagueRequest) -> Facts | None:
    """A season, or a table from which somebody has points."""
    facts: Facts = {
        "what": matter.args["what"],
        "season": matter.season.no,
        "why": matter.args["why"],
        "table": matter.args["table"],
    }
    return facts if matter.args["what"] == "season" or _table(matter).state in DECIDED else None


def _replay(matter: LeagueRequest) -> Facts:
    return rulings.replay(matter.uow, matter.season, _table(matter))


def _replay_two(matter: LeagueRequest) -> Facts | None:
    table = _table(matter)
    return {"season": matter.season.no, "table": table.no} if table.state in DECIDED else None


def _rule(matter: LeagueRequest) -> Facts:
    order = "scores" if matter.args["scores"] else [str(one) for one in matter.args["order"]]
    why, forfeit = str(matter.args["why"]), bool(matter.args.get("forfeit"))
    facts = rulings.rule(matter.uow, matter.season, _table(matter), order, forfeit=forfeit, why=why)
    lost = order if forfeit else []
    return {**facts, "scores": bool(matter.args["scores"]), "lost": lost, "why": why}


def _rule_two(matter: LeagueRequest) -> Facts | None:
    """By the scores as everybody sees them one key is enough, as long as nobody has points from that
    table.
    """
    table = _table(matter)
    if matter.args["scores"] and table.state not in DECIDED:
        return None
    order, forfeit = [str(one) for one in matter.args["order"]], bool(matter.args.get("forfeit"))
    game = lookup.game_of(matter.uow, table)
    if forfeit:
        table_places.without(matter.uow, table, game, table_places.named(matter.uow, table, game, order))
    elif not matter.args["scores"]:
        table_places.in_order(matter.uow, table, game, order)
    return {
        "season": matter.season.no,
        "table": table.no,
        "names": order,
        "scores": bool(matter.args["scores"]),
        "lost": order if forfeit else [],
        "why": matter.args["why"],
    }


ACTS: Mapping[str, OfficeAct] = {
    "start": OfficeAct(_start, touches=for_all),
    "postpone": OfficeAct(_postpone, touches=for_all),
    "extend": OfficeAct(_extend, touches=_extend_touches),
    "penalty": OfficeAct(_penalty, touches=_person_touches),
    "bonus": OfficeAct(_bonus, _bonus_two, touches=_person_touches),
    "bye": OfficeAct(_bye, touches=_person_touches),
    "substitute": OfficeAct(_substitute, touches=_substitute_touches),
    "void": OfficeAct(_void, _void_two, touches=_void_touches),
    "replay": OfficeAct(_replay, _replay_two, touches=_table_touches),
    "rule": OfficeAct(_rule, _rule_two, touches=_table_touches),
}
