"""What is said to the office, from chat, by mail or at the command line: read, allowed or refused, done,
written down, answered.

said(sitting, who, "Winter Cup open rounds 7")  -> Answer
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from referee.rules import Refusal
from referee.store import League, Room
from referee.text import Reading, Trouble, Wish
from referee.text.reading.league_args import Asking
from referee.text.reading.leagues import read_league

from ..core.unit_of_work import Sitting
from . import acts, founding, log, meant, questions, roles, table_acts, two_keys
from .acts import Matter
from .answer import Answer, notice
from .roles import Official

DEEDS = {**acts.DEEDS, **table_acts.DEEDS}
#: what is said to proposals
BY_KEYS = ("second", "refuse")


def said(sitting: Sitting, who: Official, text: str, room: Room | None = None) -> Answer:
    """Do what was said, and answer it.  Raises Refusal: then nothing of it may stay."""
    words = Asking(
        Reading(language=who.language, own=sitting.words.own), sitting.now_ms, who.zone, meant.Names(sitting)
    )
    with sitting.readings.metered():
        found = read_league(text, words)
    if isinstance(found, Trouble):
        raise Refusal(
            found.code, **{**found.facts, "quote": found.quote, "suggestions": list(found.suggestions)}
        )
    return done(sitting, who, found, room)


def done(sitting: Sitting, who: Official, wish: Wish, room: Room | None = None) -> Answer:
    """The same, of words that were read."""
    act, number = str(wish.args["act"]), wish.args["league"]
    sitting.about |= {"league": number, "act": act}
    if act == "new":
        return _founded(sitting, who, str(wish.args["name"]))
    if act in BY_KEYS:
        return _by_key(sitting, who, act, int(wish.args["number"]), number, room)
    if act in ("list", "help"):
        here = meant.here(sitting, room) if act == "list" else None
        return questions.PAGES["show" if here else act](sitting, who, here, wish.args)
    league = meant.league(sitting, number, who, room, act)
    sitting.about["league"] = league.id
    roles.must(sitting.tx, league, who, act)
    if act in questions.PAGES:
        return questions.PAGES[act](sitting, who, league, wish.args)
    return _deed(sitting, who, league, act, wish.args, room)


def _founded(sitting: Sitting, who: Official, name: str) -> Answer:
    roles.must(sitting.tx, None, who, "new")
    facts = founding.create(sitting, name, who.person)
    league = founding.found(sitting, int(facts["id"]))
    log.write(sitting, league, who, "new", facts)
    return notice("league-did-new", **facts, console=who.person is None)


def _deed(
    sitting: Sitting, who: Official, league: League, act: str, args: Mapping[str, Any], room: Room | None
) -> Answer:
    matter, deed = Matter(sitting, who, league, args, room), DEEDS[act]
    told = deed.two(matter)
    if told is None:
        facts = _done(deed.do, matter, act)
        log.write(sitting, league, who, act, facts)
        return notice(f"league-did-{act}", **told_again(who, facts))._replace(private=act in _PRIVATE)
    row = two_keys.propose(
        sitting,
        league,
        who,
        act,
        {
            **{name: value for name, value in args.items() if name not in ("act", "league")},
            **{name: told[name] for name in ("person",) if name in told},
        },
        told,
    )
    log.write(sitting, league, who, "propose", {"number": row.id, "what": act, "told": told})
    answer = notice(
        "league-proposed",
        league=league.name,
        number=row.id,
        what=two_keys.worded(sitting, who.language, row),
        until=row.due_ms,
        zone=who.zone,
        others=len(two_keys.others(sitting, league, who)),
        console=who.person is None,
    )
    return answer._replace(private=True)  # it may be about somebody, and may come to nothing


#: acts of which nobody hears but whom they are about
_PRIVATE = frozenset({"penalty"})
#: acts about whoever speaks
_OWN = frozenset({"join", "alternate", "leave"})


def _done(do: Callable[[Matter], dict[str, Any]], matter: Matter, act: str) -> dict[str, Any]:
    """Do it; whoever is refused something about themselves is spoken to as “you”."""
    try:
        return do(matter)
    except Refusal as no:
        if act not in _OWN:
            raise
        raise Refusal(no.code, **{**no.facts, "you": True}) from no


def _by_key(
    sitting: Sitting, who: Official, act: str, number: int, league_no: int | None, room: Room | None
) -> Answer:
    """`second 12`, `refuse 12`."""
    league = None if number else meant.league(sitting, league_no, who, room, act)
    row = two_keys.proposal(sitting, number, league)
    league = sitting.tx.get(League, row.league_id)
    assert league is not None
    roles.must(sitting.tx, league, who, act)
    if act == "refuse":
        two_keys.shut(sitting, row, "refused")
        log.write(
            sitting,
            league,
            who,
            "refuse",
            {"number": row.id, "what": row.act, "told": json.loads(row.args)["told"]},
        )
        return notice(
            "league-did-refuse",
            league=league.name,
            number=row.id,
            own=two_keys.key_of(sitting, row) == who.key,
        )
    args = two_keys.turned(sitting, row, who)
    facts = DEEDS[row.act].do(Matter(sitting, who, league, args, room))
    log.write(sitting, league, who, row.act, {**facts, "number": row.id, "proposed_by": row.by})
    two_keys.carried(sitting, row, league, who)
    return notice(f"league-did-{row.act}", **told_again(who, facts))


def told_again(who: Official, facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts of an answer, with how its reader reads times."""
    return {**facts, "zone": who.zone, "by_console": who.person is None}
