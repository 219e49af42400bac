"""Leagues: founding one, finding it by what people call it, changing what its next season is played by,
closing it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any

from referee.ids import LeagueId
from referee.rules import Refusal
from referee.states import SeasonState, TablePage
from referee.store import Game, League, LeagueRole, Person, Season, SeasonTable
from referee.text import squash

from ...core.unit_of_work import UnitOfWork
from ...people import officials
from .. import hooks, lookup, settings
from ..announcements import announce
from ..scores.season_book import parts
from ..terms import Terms, checked, read_terms, text_of

#: the longest name
NAME_LENGTH = 60
Facts = dict[str, Any]


def clean(name: str) -> str:
    """A name on one line, without signs that can't be seen."""
    plain = "".join(
        c
        for c in unicodedata.normalize("NFC", name)
        if unicodedata.category(c)[0] != "C" and unicodedata.category(c) not in ("Zl", "Zp")
    )
    return " ".join(plain.split())


def key_of(name: str) -> str:
    """How names are compared: capitals, accents, blanks and hyphens make no other name; "" for one without
    letters, digits and symbols.
    """
    return squash(clean(name))


def found(uow: UnitOfWork, said: str | LeagueId) -> League:
    """The league of that name, or number, or whose name begins so.  Raises Refusal."""
    if isinstance(said, int):
        row = uow.tx.get(League, said)
        fits = [] if row is None else [row]
    else:
        key = key_of(said)
        row = uow.tx.one(League, key=key)
        if row is None and said.strip().lstrip("#").isdecimal() and said.isascii():
            row = uow.tx.get(League, LeagueId(int(said.strip().lstrip("#")[:9])))
        known = uow.tx.all(League, order="id")
        fits = [row] if row is not None else [one for one in known if key and one.key.startswith(key)]
    if not fits:
        raise Refusal(
            "league-unknown",
            name=str(said)[:80],
            near=[],
            names=[one.name for one in uow.tx.all(League, closed_ms=0, order="id", limit=8)],
        )
    if len(fits) > 1:
        raise Refusal("league-which", names=[one.name for one in fits], act="")
    return fits[0]


def create(uow: UnitOfWork, name: str, person: Person | None, terms: Terms | None = None) -> Facts:
    """Found a league; `person` owns it (None: the console does).

    Its number is in `id`. Raises Refusal for a name that can't be used or is in use.
    """
    plain = usable(name)
    number = uow.tx.add_new(
        League,
        name=plain,
        key=key_of(plain),
        settings=text_of(checked(terms or Terms())),
        created_ms=uow.now_ms,
    )
    if number is None:
        other = uow.tx.one(League, key=key_of(plain))
        raise Refusal("league-name-taken", name=plain, other="" if other is None else other.name)
    if person is not None:
        uow.tx.add(
            LeagueRole,
            league_id=number,
            person_id=person.id,
            role="owner",
            given_ms=max(uow.now_ms, officials.since_ms(uow.tx, person.id)),
        )
    return {"league": plain, "id": number}


def usable(name: str) -> str:
    """A name as it is kept.  Raises Refusal for one that can't be a league's."""
    plain = clean(name)
    if not key_of(plain) or plain.isdecimal():
        raise Refusal("league-name-empty", name=name[:80])
    if len(plain) > NAME_LENGTH:
        raise Refusal("league-name-long", length=len(plain), most=NAME_LENGTH)
    return plain


def rename(uow: UnitOfWork, league: League, name: str) -> Facts:
    """A league is called otherwise from now on, and everybody in it hears so.  Raises Refusal."""
    plain = usable(name)
    other = uow.tx.one(League, key=key_of(plain))
    if other is not None and (other.id != league.id or other.name == plain):
        raise Refusal("league-name-taken", name=plain, other=other.name)
    uow.tx.set(League, league.id, name=plain, key=key_of(plain))
    announce(uow, found(uow, league.id), "league-renamed", {"before": league.name})
    return {"league": plain, "before": league.name}


def change(uow: UnitOfWork, league: League, key: str, text: str) -> Facts:
    """Change one setting of what the next season is played by (and of one that is still gathering people).

    Raises Refusal.
    """
    facts = change_all(uow, league, {key: text})
    return {"league": league.name, **facts["changed"][0], "at_once": facts["at_once"]}


def change_all(uow: UnitOfWork, league: League, said: Mapping[str, str]) -> Facts:
    """The same for several settings, which are checked together.

    `changed` is a list of {key, value, before}; `seen`: nothing but who may see the league, which is no rule
    of a season and holds at once. Raises Refusal.
    """
    going(league)
    before = read_terms(uow.tx.get(League, league.id) or league)
    terms = _with(uow, before, said)
    uow.tx.set(League, league.id, settings=text_of(terms))
    if before.visible and not terms.visible:
        _close_pages(uow, league)
    season = lookup.latest(uow, league)
    at_once = season is not None and season.state == SeasonState.SIGNUP
    if season is not None and at_once:  # it keeps what was usual when it was opened
        uow.tx.set(Season, season.id, settings=text_of(_with(uow, read_terms(season), said)))
        hooks.wake_season(uow, season.id)
    changed = [
        {"key": key, "value": settings.setting_text(terms, key), "before": settings.setting_text(before, key)}
        for key in said
    ]
    seen = [*said] == ["public"]
    return {"league": league.name, "changed": changed, "at_once": at_once, "seen": seen}


def _close_pages(uow: UnitOfWork, league: League) -> None:
    """Strangers see the tables of a league no more, either: each tells who plays in it, and how it went.

    Nothing opens them again by itself: some of them may have been closed by those who play there.
    """
    for season in uow.tx.all(Season, league_id=league.id):
        games = uow.tx.column(SeasonTable, "game_id", season_id=season.id, order="no")
        for some in parts([one for one in games if one is not None]):
            uow.tx.change(Game, {"id": some, "page": TablePage.PUBLIC}, page=TablePage.PRIVATE)


def _with(uow: UnitOfWork, terms: Terms, said: Mapping[str, str]) -> Terms:
    for key, text in said.items():
        terms = settings.changed(uow, terms, key, text)
    return checked(terms)


def close(uow: UnitOfWork, league: League) -> Facts:
    """A league has no more seasons.  Raises Refusal while one goes on."""
    going(league)
    season = lookup.latest(uow, league)
    if season is not None and season.state in lookup.ALIVE:
        raise Refusal("league-goes-on", league=league.name, season=season.no)
    uow.tx.set(League, league.id, closed_ms=uow.now_ms)
    return {"league": league.name}


def going(league: League) -> None:
    """Raises Refusal for a league that is closed."""
    if league.closed_ms:
        raise Refusal("league-closed", league=league.name)
