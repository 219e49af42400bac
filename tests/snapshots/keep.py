"""Keeping a book of today's program, with games in progress and much else in it, for the programs that come
after: `make snapshots`.

    python -m tests.snapshots.keep              writes books/NNNN.sql.xz and books/NNNN.sql.json for today's
      revision
                                                (with REFEREE_TEST_STORE=postgres: NNNN.pg.xz, NNNN.pg.json)

A house is opened and people write to it, in words that every version so far has understood, or has answered
that it does not. It ends as a machine does that is switched off: letters that could not leave, messages that
nobody has read. The books of older revisions were made so by the programs of their time.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import lzma
import random
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from referee.ports import Fate, Inbound, Receipt
from referee.rules import load
from referee.service.tables import lobby
from referee.store import Address, Game, Seat
from referee.store.migrate import revisions
from tests import books
from tests.service import playing
from tests.service.league import seasons
from tests.service.rig import House
from tests.snapshots.playing import played_on, question

FOLDER = Path(__file__).parent / "books"
PEOPLE = ["telegram:ana", "mail:bea@x.test", "matrix:@cy:hs", "terminal:dan"]
#: what is written beside the games: wishes of a person's own, of a table, and what somebody types who got it
#: wrong
WORDS = (
    ("telegram:ana", "zone Lisbon"),
    ("telegram:ana", "quiet 22-07"),
    ("telegram:ana", "notify digest 08:00"),
    ("matrix:@cy:hs", "vacation 2 days"),
    ("matrix:@cy:hs", "notify #1 urgent"),
    ("terminal:dan", "calendar"),
    ("terminal:dan", "web"),
    ("telegram:ana", "say #1 good luck to all"),
    ("mail:bea@x.test", "whisper #1 Ana: not the King again"),
    ("terminal:eve", "alternate"),
    ("telegram:ana", "link"),
    ("mail:bea@x.test", "pause #2"),
    ("telegram:ana", "frobnicate the crown"),
    ("terminal:dan", "new deluxe 5 seats"),
    ("terminal:dan", "language pt-br"),
    ("telegram:gil", "idioma português"),
)
PLANS = (
    (
        "always prefer King, any\nwhen King: income; gold; build dearest; end\notherwise: gold; "
        "build cheapest; end\nbuy never"
    ),
)


async def furnish(house: House) -> None:
    """Four tables, one of them over and one gathering, and what people say beside them."""
    first = await playing.table(house, PEOPLE[:3], bots=1)
    await house.say(PEOPLE[0], "/watch #1", place="-100")
    await advance(house, first, until=4)
    second = await playing.table(house, PEOPLE, command="new deluxe")
    await advance(house, second, until=2)
    while asked(house, second) in (PEOPLE[0], PEOPLE[3]):  # these two are told in the tests how they may plan
        await house.say(asked(house, second), f"#{second} {playing.legal(house, second)[0]}")
    third = await playing.table(house, PEOPLE[:1], bots=2)
    await advance(house, third)
    for who, words in WORDS:
        await playing.greet(house, who)
        await house.say(who, words)
    for words in PLANS:
        for who in PEOPLE:
            await house.say(who, f"#{second} {words}")
    await one_that_can_be_taken_back(house, first)
    await begun_in_room(house)


async def begun_in_room(house: House) -> None:
    """A table in a room, where not all are there yet."""
    await house.say(PEOPLE[0], "/new classic 3 seats", place="-100")
    await house.say("telegram:fay", "/join", place="-100")


def asked(house: House, game: int) -> str:
    """Where the person who is asked writes from."""
    seat = playing.asked(house, game)
    found = house.store.read_now(
        lambda tx: tx.all(Address, person_id=tx.all(Seat, game_id=game, no=seat)[0].person_id)
    )[0]
    return f"{found.channel}:{found.address}"


async def advance(house: House, game: int, until: int = 99) -> None:
    """Play until some city has so many districts, or to the end."""
    dice = random.Random(game)
    for _ in range(2000):
        if (
            playing.running(house, game).status != "running"
            or max(len(p.city) for p in playing.state(house, game).players) >= until
        ):
            return
        await house.say(asked(house, game), f"#{game} {dice.choice(playing.legal(house, game))}")


async def one_that_can_be_taken_back(house: House, game: int) -> None:
    """Somebody takes gold in their turn, and may think again."""
    for _ in range(60):
        legal = playing.legal(house, game)
        await house.say(asked(house, game), f"#{game} {'gold' if 'gold' in legal else legal[0]}")
        if "gold" in legal:
            return


async def league(house: House) -> None:
    """A season with tables that play."""
    await seasons.begun(house, 6)
    for table in seasons.tables(house, "seated")[:1] or seasons.tables(house, "gathering")[:1]:
        seasons.ready(house, table)
    await house.settle()


async def cut_off(house: House) -> None:
    """The channels are away or don't answer, and messages arrive that nobody reads any more."""
    for name, wire in house.wires.items():
        wire.fate = (
            (lambda letter: Receipt(Fate.UNKNOWN))
            if name == "matrix"
            else (lambda letter: Receipt(Fate.LATER, retry_ms=60_000))
        )
    await house.say(PEOPLE[2], "games")
    await house.say(PEOPLE[0], "status #1")
    await house.say(PEOPLE[3], "games")
    late = [
        Inbound(channel="terminal", key=f"late{n}", address="dan", text=text, name="Dan", at_ms=house.clock())
        for n, text in enumerate(("help", "who #1", "new classic 2 seats"))
    ]
    await house.referee.reception.receive(late, channel="terminal")


#: one letter was just leaving; old ones, and messages long done, are left out: what is kept is small
SWITCHED_OFF = (
    (
        "UPDATE outbox SET state = 'sending' WHERE id = (SELECT max(id) FROM outbox WHERE state = "
        "'sent' AND channel = 'telegram')"
    ),
    "DELETE FROM outbox WHERE state IN ('sent', 'dropped') AND id < (SELECT max(id) FROM outbox) - 40",
    "DELETE FROM inbox WHERE state = 'done' AND id < (SELECT max(id) FROM inbox) - 20",
)


def text_of(path: Path) -> str:
    """A book that nobody has open as text of SQL, and what it leaves out."""
    books.behind(path, *SWITCHED_OFF)
    if not books.ON_POSTGRES:
        with closing(sqlite3.connect(path)) as book:
            return "\n".join(book.iterdump())
    from tests.servers.postgres import BIN

    url = books.address(path).replace("postgresql+psycopg", "postgresql")
    said = subprocess.run(
        [BIN / "pg_dump", "--no-owner", "--inserts", "--rows-per-insert=50", url],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    # what only psql understands, and only some versions of the server
    return "\n".join(
        line for line in said.splitlines() if not line.startswith(("\\", "SET transaction_timeout"))
    )


def games(house: House) -> dict[str, Any]:
    """Each game: its status, and of one that is played the open question, and how it goes on with these
    dice.
    """
    found = {}
    for game in house.store.read_now(lambda tx: tx.all(Game, order="id")):
        found[str(game.id)] = {"status": game.status}
        if game.status == "running":
            state = load(json.loads(game.snapshot))
            found[str(game.id)] |= {
                "question": question(state),
                "trail": played_on(state, str(game.id)).facts(),
            }
    return found


async def keep(folder: Path) -> Path:
    """Make a book with today's program; the path of its text."""
    numbers = count(1)

    def dice(size: int) -> bytes:
        return hashlib.sha256(f"table {next(numbers)}".encode()).digest()[:size]

    if hasattr(lobby, "secrets"):
        lobby.secrets = SimpleNamespace(token_bytes=dice)  # type: ignore[attr-defined, unused-ignore]  # the same games each time
    revision = revisions()[-1]
    with tempfile.TemporaryDirectory() as place:
        house = await House(Path(place) / "book.db").open()
        await furnish(house)
        await league(house)
        await cut_off(house)
        told = {"revision": revision, "at_ms": house.clock(), "games": games(house)}
        await house.store.close()
        text = text_of(Path(place) / "book.db")
        books.forget()
    folder.mkdir(exist_ok=True)
    kind = "pg" if books.ON_POSTGRES else "sql"
    (folder / f"{revision}.{kind}.json").write_text(
        json.dumps(told, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    path = folder / f"{revision}.{kind}.xz"
    path.write_bytes(lzma.compress(text.encode(), preset=9))
    return path


if __name__ == "__main__":
    kept = asyncio.run(keep(FOLDER))
    books.end()
    sys.stdout.write(f"{kept.name}: {kept.stat().st_size // 1024} kB\n")
