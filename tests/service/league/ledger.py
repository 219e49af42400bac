"""A league as the store has it after some rounds, written down at once: for what shows it, which does not
care how it came about.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence

from referee.service.core.settings import ServiceSettings
from referee.service.core.unit_of_work import StateCache, UnitOfWork
from referee.service.league.scores import season_book
from referee.service.league.scores.season_book import SeasonRows
from referee.service.league.terms import FORM
from referee.store import (
    Entry,
    Game,
    League,
    Person,
    Season,
    SeasonDivision,
    SeasonRound,
    SeasonTable,
    Seat,
    TableResult,
    Tx,
)
from referee.text import Words

START, DAY = 1_789_000_000_000, 86_400_000
NAMES = (
    "Ana",
    "Bea",
    "Cy",
    "Dan",
    "Eve",
    "Flo",
    "Gus",
    "Hal",
    "Ida",
    "Jon",
    "Kim",
    "Lou",
    "Max",
    "Nia",
    "Oto",
    "Pia",
)
#: names that mean something elsewhere
ODD = (
    '<script>alert("1")</script>',
    "'); DROP TABLE person;--",
    '=HYPERLINK("http://x.test";"y")',
    "@SUM(A1:A9)",
    "+1 & -2",
    "{{ 7*7 }} {% if %}",
    "אבגד\u202e",
    "🏰🏰",
    "\u0007bell\u0000",
    'one, "two"\nthree',
    "-",
    "'quoted'",
)


def write(
    tx: Tx,
    *,
    name: str = "Winter Cup",
    names: Sequence[str] = NAMES,
    divisions: int = 1,
    rounds: int = 3,
    played: int = 2,
    size: int = 4,
    seed: int = 1,
    state: str = "running",
    visible: bool = True,
    no: int = 1,
    league_id: int = 0,
    people: Sequence[int] = (),
    games: bool = False,
    form: int = FORM,
) -> tuple[int, list[int]]:
    """A league with one season: so many rounds, of which `played` are over.

    Returns its number and its people.
    """
    dice = random.Random(seed)
    settings = {"rounds": rounds, "least": 3, "form": form, **({} if visible else {"visible": False})}
    league_id = league_id or tx.add(
        League, name=name, key=name.casefold(), settings=json.dumps(settings), created_ms=START
    )
    who = list(people) or [tx.add(Person, name=one) for one in names]
    season = tx.add(
        Season,
        league_id=league_id,
        no=no,
        state=state,
        settings=json.dumps(settings),
        seed="lots",
        opened_ms=START - 20 * DAY,
        closes_ms=START - DAY,
        starts_ms=START,
        ended_ms=START + rounds * 14 * DAY if state == "over" else 0,
    )
    cut = -(-len(who) // divisions)
    groups = [who[at * cut : (at + 1) * cut] for at in range(divisions)]
    tx.add_all(SeasonDivision, [{"season_id": season, "no": number} for number in range(1, divisions + 1)])
    tx.add_all(
        Entry,
        [
            {
                "season_id": season,
                "person_id": one,
                "state": "playing" if state != "signup" else "signed",
                "division": number,
                "since_ms": START + one,
            }
            for number, group in enumerate(groups, 1)
            for one in group
        ],
    )
    number = 0
    for at in range(1, rounds + 1):
        byes = [group[(at - 1) % len(group)] for group in groups if len(group) % size]
        tx.add(
            SeasonRound,
            season_id=season,
            no=at,
            state="closed"
            if at <= played
            else "open"
            if at == played + 1 and state == "running"
            else "planned",
            starts_ms=START + (at - 1) * 14 * DAY,
            ends_ms=START + at * 14 * DAY,
            facts=json.dumps({"byes": byes}),
        )
        for division, group in enumerate(groups, 1):
            order = dice.sample(
                [one for one in group if one not in byes], len(group) - sum(one in byes for one in group)
            )
            for cut_at in range(0, len(order), size):
                number += 1
                sit = order[cut_at : cut_at + size]
                game = laid(tx, sit, over=at <= played) if games and at <= played + 1 else None
                row = tx.add(
                    SeasonTable,
                    season_id=season,
                    no=number,
                    division=division,
                    round=at,
                    people=json.dumps(sit),
                    crown=number % len(sit),
                    game_id=game,
                    state="over" if at <= played else "playing" if game else "planned",
                    ended_ms=START + at * 10 * DAY + number if at <= played else 0,
                )
                if at <= played:
                    finished(tx, row, dice.sample(sit, len(sit)), dice)
    return league_id, who


def laid(tx: Tx, sit: Sequence[int], *, over: bool) -> int:
    """A game with these people, of which nothing was played."""
    game = tx.add(
        Game,
        creator_id=sit[0],
        status="over" if over else "mustering",
        settings='{"seats": 4, "entry": "closed", "hours": 24, "options": {}}',
        page="watched",
    )
    for seat, one in enumerate(sit):
        tx.add(Seat, game_id=game, no=seat, person_id=one, name=f"Seat {seat}")
    return game


def finished(tx: Tx, row: int, order: Sequence[int], dice: random.Random) -> None:
    """Results of a table, the best first."""
    for place, one in enumerate(order, 1):
        flags = {
            "answers": dice.randint(20, 30),
            "misses": dice.choice((0, 0, 1)),
            "times": [dice.randint(60, 80_000) for _ in range(20)],
        }
        tx.add(
            TableResult,
            table_id=row,
            person_id=one,
            place=place,
            score=40 - 4 * place + dice.randint(0, 3),
            flags=json.dumps(flags),
        )


def read(tx: Tx, league_id: int, no: int = 0) -> SeasonRows:
    league = tx.get(League, league_id)
    season = (
        tx.all(Season, league_id=league_id, order="-no")
        if not no
        else tx.all(Season, league_id=league_id, no=no)
    )
    assert league is not None
    return season_book.load_season(tx, league, season[0])


def uow(tx: Tx, now_ms: int = START + 15 * DAY) -> UnitOfWork:
    return UnitOfWork(tx, now_ms, Words(()), ServiceSettings(), StateCache())
