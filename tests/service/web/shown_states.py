"""What pages show, from a fresh house to the end of a game: for tests and for screenshots of all of it."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any, NamedTuple

from referee import rules
from referee.service.people.web_sessions import new_link
from referee.store import Address, LeagueRole, Person
from tests.service.league import ledger
from tests.service.playing import asked, legal, running, state, table, to_the_end
from tests.service.rig import House
from tests.service.web.running_site import Inn

NAMES = ("ana", "bea", "caio", "dee", "eva", "fred", "gil", "hugo")
PEOPLE = [f"telegram:{name}" for name in NAMES]
#: of whom nothing else is asked
OTHERS = ["telegram:iva", "telegram:jo", "telegram:kim"]
#: among them a Wizard and a Scholar, who are asked in between
CAST = "Witch, Thief, Wizard, King, Bishop, Merchant, Scholar, Warlord"
#: questions of a turn as it goes on; all others come in between
USUAL = {"pick", "turn", "keep", "take"}


class Shown(NamedTuple):
    """Something to look at: its name, who looks ("": anybody), and where."""

    name: str
    who: str
    path: str


async def played(house: House, game: int, people: list[str], until: Callable[[dict[str, Any]], bool]) -> str:
    """Play by chance, with a liking for building, until what the person who is asked sees is like that: who
    that is. LookupError where the game ends before.
    """
    dice = random.Random(game)
    while running(house, game).status == "running":
        me = asked(house, game)
        if until(rules.view(state(house, game), me)):
            return people[me]
        orders = legal(house, game)
        builds = [one for one in orders if one.startswith("build ")]
        quiet = [one for one in orders if not one.startswith("destroy ")]
        await house.say(people[me], f"#{game} {dice.choice(builds or quiet or orders)}")
    raise LookupError("that never happened")


async def dealt(
    house: House, people: list[str], command: str, until: Callable[[dict[str, Any]], bool]
) -> tuple[int, str]:
    """A table that is played until then, and who is asked there: deals differ, and some games end before."""
    for _ in range(20):
        game = await table(house, people, command=command)
        with suppress(LookupError):
            return game, await played(house, game, people, until)
    raise AssertionError("that never happens")


def late_turn(view: dict[str, Any]) -> bool:
    """Some way into the game."""
    return bool(view["ask"]["kind"] == "turn" and view["round"] >= 4)


def drawn(view: dict[str, Any]) -> bool:
    """Two cards drawn, one to be kept."""
    return bool(view["ask"]["kind"] == "keep" and view["round"] >= 3)


def harmful(view: dict[str, Any]) -> bool:
    """Others' districts may be destroyed, and something can be built."""
    ask = view["ask"]
    verbs = {verb for verb, _ in ask["moves"]} if ask["kind"] == "turn" else set()
    return view["round"] >= 4 and {"destroy", "build"} <= verbs


def marked(view: dict[str, Any]) -> bool:
    """Somebody is killed, or is to be robbed."""
    return bool(
        view["ask"]["kind"] == "turn" and (view.get("killed") or view.get("robbed")) and view["round"] >= 2
    )


def between(view: dict[str, Any]) -> bool:
    """A question that comes in between."""
    return bool(view["ask"]["kind"] not in USUAL and view["round"] >= 2)


async def states(inn: Inn) -> AsyncIterator[Shown]:
    """All of them, one after the other; each is there when it is handed out."""
    house = inn.house
    yield Shown("home-fresh", "", "/")
    await house.say(PEOPLE[0], "hello")
    with_link = house.store.write_now(
        lambda tx: new_link(tx, tx.all(Person, order="-id", limit=1)[0].id, 0, house.clock())
    )
    yield Shown("sign-in", "", f"/me/in/{with_link}")
    yield Shown("signed-out", "", "/me")
    draft = await table(house, PEOPLE[:4], command="new deluxe")
    yield Shown("draft", PEOPLE[asked(house, draft)], f"/me/{draft}")
    turn, who = await dealt(house, PEOPLE[4:], "new classic", late_turn)
    yield Shown("turn", who, f"/me/{turn}")
    other = next(one for one in PEOPLE[4:] if one != who)
    yield Shown("waiting", other, f"/me/{turn}")
    yield Shown("table", "", f"/t/{turn}")
    yield Shown("cards", "", f"/t/{turn}/cards")
    harm, who = await dealt(house, PEOPLE[:4], "new classic", harmful)
    yield Shown("harm", who, f"/me/{harm}")
    keep, who = await dealt(house, PEOPLE[:4], "new deluxe", drawn)
    yield Shown("keep", who, f"/me/{keep}")
    marks, who = await dealt(house, PEOPLE[:4], "new classic", marked)
    yield Shown("marks", who, f"/me/{marks}")
    odd = marks + 1
    await house.say(PEOPLE[4], f"new deluxe 4 cast {CAST}")
    for word, people in (("join", PEOPLE[5:]), ("ready", PEOPLE[4:])):
        for one in people:
            await house.say(one, f"{word} #{odd}")
    yield Shown("between", await played(house, odd, PEOPLE[4:], between), f"/me/{odd}")
    eight, who = await dealt(house, PEOPLE, "new deluxe", late_turn)
    yield Shown("eight", who, f"/me/{eight}")
    over = await table(house, OTHERS)
    await to_the_end(house, over, OTHERS)
    assert running(house, over).status == "over"
    yield Shown("end", OTHERS[0], f"/me/{over}")
    yield Shown("end-public", "", f"/t/{over}")
    yield Shown("replay", "", f"/t/{over}/step/30")
    yield Shown("history", "", f"/t/{over}/history")
    await house.say(OTHERS[0], "new deluxe 5 seats with 2 bots")
    yield Shown("lobby", OTHERS[0], f"/me/{over + 1}")
    yield Shown("new", PEOPLE[0], "/me/new")
    yield Shown("my-tables", PEOPLE[0], "/me")
    yield Shown("home", "", "/")
    yield Shown("tables", "", "/tables")
    _, who_plays = await house.store.write(
        lambda tx: ledger.write(tx, names=ledger.NAMES[:8], divisions=2, rounds=4, played=3, games=True)
    )
    for name, path in (
        ("leagues", ""),
        ("league", "/1"),
        ("schedule", "/1/schedule"),
        ("strength", "/1/strength"),
        ("hall", "/1/hall"),
    ):
        yield Shown(name, "", f"/l{path}")
    yield Shown("player", "", f"/p/{who_plays[0]}")
    me = house.store.read_now(lambda tx: tx.one(Address, address="ana"))
    house.store.write_now(lambda tx: tx.add(LeagueRole, league_id=1, person_id=me.person_id, role="owner"))
    for name, path in (("my-leagues", ""), ("my-league", "/1"), ("office", "/1/office")):
        yield Shown(name, PEOPLE[0], f"/me/l{path}")
