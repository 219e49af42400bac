"""What strangers are answered who name the number of a table that is not for everybody: the same, however
that table stands, whatever command they try and wherever they say it.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from referee.ports import Inbound
from referee.service.core.commands import COMMANDS
from referee.service.people import web_sessions
from referee.states import GameStatus, TablePage
from referee.store import Game, Outbox, Person, Proposal, Tx, WebSession
from tests.seeds import covering
from tests.service.rig import House

ANA, BEA, CY = PEOPLE = ("telegram:ana", "telegram:bea", "telegram:cy")
HOURS = "24h no bank no quiet no nights no vacation"

#: command -> what is said of table 1; all that takes no table's number stands in NUMBERLESS
SAID: dict[str, tuple[str, ...]] = {
    "abandon": ("abandon #1",),
    "alternate": ("alternate #1", "alternate off #1", "alternate no #1"),
    "bot": ("bot strong 2 #1",),
    "comment": ("comment 1 hm #1", "#1 comment 1 hm"),
    "extend": ("extend 24h #1",),
    "hand": ("hand #1",),
    "here": ("here #1",),
    "hide": ("hide 1 #1",),
    "hint": ("hint #1",),
    "history": ("history #1",),
    "hours": ("hours #1", "hours Sat 18-22 #1"),
    "join": ("join #1",),
    "kick": ("kick Ana #1", "kick Zed #1"),
    "leave": ("leave #1",),
    "mute": ("mute Ana #1", "mute talk #1"),
    "notify": ("notify turns #1",),
    "offer": ("replace Ana #1", "replace Zed #1"),
    "opened": ("/start join_1", "/start ready_1"),
    "orders": ("#1 gold", "#1 1"),
    "page": ("page #1", "page public #1"),
    "pause": ("pause #1",),
    "plan": ("plan #1", "when Merchant: gold #1"),
    "policy": ("policy #1",),
    "process": ("process #1", "process q3 #1"),
    "ready": ("ready #1",),
    "record": ("record #1",),
    "rematch": ("rematch #1",),
    "resume": ("resume #1",),
    "review": ("review #1",),
    "rewind": ("rewind #1 round 1",),
    "rules": ("rules #1", "rules Thief #1"),
    "say": ("#1 say hello",),
    "second": ("second #1", "second 1"),
    "start": ("start #1",),
    "status": ("status #1",),
    "subscribe": ("subscribe #1",),
    "talk": ("talk #1", "talk off #1"),
    "tell": ("#1 tell Ana hello",),
    "undo": ("undo #1",),
    "unmute": ("unmute Ana #1",),
    "unsubscribe": ("unsubscribe #1",),
    "unwatch": ("unwatch #1",),
    "vacation": ("vacation 3 days #1",),
    "vote": ("vote yes #1", "vote no #1", "vote yes 1", "vote no 1"),
    "watch": ("watch #1",),
    "web": ("web #1",),
    "whisper": ("#1 whisper hello",),
    "who": ("who #1",),
    "word": ("#1 word hello",),
}
NUMBERLESS = {
    "accounts",
    "admin",
    "calendar",
    "delete my account",
    "games",
    "help",
    "hints",
    "language",
    "learn",
}
NUMBERLESS |= {
    "league",
    "link",
    "my data",
    "my stats",
    "name",
    "new",
    "nothing",
    "pictures",
    "prefer",
    "quiet",
}
NUMBERLESS |= {"skip lessons", "stats", "unlink", "zone"}

State = Callable[[House, str], Awaitable[None]]


async def gathers(house: House, entry: str) -> None:
    await house.say(ANA, f"new classic 3 {'open' if entry == 'open' else 'invite'} {HOURS}")


async def musters(house: House, entry: str) -> None:
    await gathers(house, entry)
    code = json.loads(house.store.read_now(lambda tx: tx.all(Game))[0].settings).get("code", "#1")
    for who in (BEA, CY):
        await house.say(who, f"join {code}")


async def runs(house: House, entry: str) -> None:
    await musters(house, entry)
    for who in PEOPLE:
        await house.say(who, "ready #1")


async def votes(house: House, entry: str) -> None:
    await runs(house, entry)
    await house.say(ANA, "pause #1")
    assert house.store.read_now(lambda tx: tx.all(Proposal))


async def offers(house: House, entry: str) -> None:
    await runs(house, entry)
    await house.say(ANA, "replace Cy #1")
    await house.say(BEA, "vote yes #1")


def comes_to(status: GameStatus) -> State:
    async def reached(house: House, entry: str) -> None:
        await runs(house, entry)
        await house.store.write(lambda tx: tx.set(Game, 1, status=status, ended_ms=house.clock()))

    reached.__name__ = str(status)
    return reached


STATES = (gathers, musters, votes, offers, comes_to(GameStatus.OVER), comes_to(GameStatus.FROZEN))


async def written(house: House, who: str, said: str, where: str) -> list[str]:
    """All that leaves when a newcomer says that, as it was worded."""
    if where == "page":
        await house.say(who, "games")
    last = house.store.read_now(lambda tx: tx.column(Outbox, "id", order="-id", limit=1))
    if where == "page":
        await on_page(house, said)
    else:
        at = {"place": "den"} if where == "room" else {}
        await house.say(who, said if where == "private" else f"/{said.removeprefix('/')}", **at)
    rows = house.store.read_now(lambda tx: tx.all(Outbox, after={"id": last[0] if last else 0}))
    name = who.partition(":")[2]
    found = [f"{json.loads(row.letter)['text'] if row.letter else row.data}" for row in rows]
    return [one.replace(name, "me").replace(name.capitalize(), "Me") for one in found]


async def on_page(house: House, said: str) -> None:
    """The person who came last says it on the page of table 1, in a browser."""
    newest = house.store.read_now(lambda tx: tx.all(Person, order="-id", limit=1))[0]
    await house.store.write(lambda tx: web_sessions.begin(tx, newest.id, "", house.clock(), ""))
    session = house.store.read_now(lambda tx: tx.all(WebSession, order="-id", limit=1))[0]
    facts = {"session": session.id, "game": 1, "question": 0}
    await house.bring(Inbound("web", said, str(newest.id), text=said, at_ms=house.clock(), facts=facts))


def test_every_command_is_tried() -> None:
    untried = set(COMMANDS) ^ (set(SAID) | NUMBERLESS)
    assert not untried, "say in SAID how it is said about a table, or in NUMBERLESS that it is about none"


@pytest.mark.parametrize(
    ("where", "entry"), covering(["private", "room", "page"], ["invite", "closed", "open"])
)
async def test_strangers_hear_the_same_however_a_hidden_table_stands(
    tmp_path: Path, where: str, entry: str
) -> None:
    """By invitation; of a league that is not public; one where anybody may sit down, with a private page."""
    answers: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for state in STATES:
        house = await House(tmp_path / f"{state.__name__}.db", base_url="https://x.test").open()
        try:
            await state(house, entry)
            await house.store.write(lambda tx: hide(tx.get(Game, 1), tx, entry))
            for n, line in enumerate(one for lines in SAID.values() for one in lines):
                told = "|".join(await written(house, f"telegram:mal{n}x", line, where))
                answers[line][told].append(state.__name__)
        finally:
            await house.close()
    seated = {"join #1", "alternate #1", *SAID["opened"]} if entry == "open" else set()
    wrong = {line: dict(by) for line, by in answers.items() if len(by) > 1 and line not in seated}
    assert not wrong
    for line, by in answers.items():
        assert line in seated or not [told for told in by if "Ana" in told.replace("Ana #1", "")], line


async def test_nor_does_a_card_s_text_on_its_page_tell_which_edition_is_played(tmp_path: Path) -> None:
    """The address of a page of one's own may name any table."""
    told = []
    for edition in ("classic", "original"):
        house = await House(tmp_path / f"{edition}.db", base_url="https://x.test").open()
        try:
            await house.say(ANA, f"new {edition} 4 invite")
            told.append(await written(house, "telegram:mal", "rules Merchant", "page"))
        finally:
            await house.close()
    assert told[0] == told[1]


def hide(game: Game | None, tx: Tx, entry: str) -> None:
    """What only the owner, or the office of a league, could set."""
    assert game is not None
    values: dict[str, Any] = {"page": TablePage.PRIVATE}
    if entry == "closed":
        values |= {"settings": json.dumps(json.loads(game.settings) | {"entry": "closed"})}
    tx.set(Game, 1, **values)
