"""How fast pages are beside a busy desk: 20, 50 and 200 of them a second, asked for by another process, while
100 orders a second are played and the post is at work.

    python -m bench.pages [seconds]

Readers don't wait for each other: each request has its moment, and its time counts from there, also when the
reader's own process was late to send it. What is asked for: the tables and their players' own pages (most),
their past, single steps of it, the list, a league of 240 and its people; and the style sheet, which is only
handed out: what that takes is the noise of the machine. The last rows have the same with nobody playing.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

import aiohttp

from adapters.web import build
from adapters.web.sign_in import NAME
from bench._goals import Sheet
from bench.desk import PACE, paced, quantile
from bench.house import closed, futures, now_ms, opened
from referee.main import settled_in
from referee.processors import let_go
from referee.service.people.web_sessions import fingerprint
from referee.store import Seat, Tx, WebSession
from tests.service.league import ledger

SECONDS, GAMES = 10, 32
#: pages a second; the last is more than one process gives away: how it behaves then has no goal
RATES = (20, 50, 200)
P99_MS, LARGEST = 50.0, 100_000
#: where the style sheet is, as the first page says
STYLE: list[str] = []
#: pages of a league of 240 people, five rounds of seven played; its people come after those who play the
#: games
LEAGUE, PEOPLE = ("", "?page=3", "/schedule?round=2", "/strength", "/season/1"), 4 * GAMES
#: how many of twenty requests ask for what
MIX = {
    "a table": 5,
    "own page": 4,
    "its past": 2,
    "a step": 3,
    "the list": 2,
    "the style": 1,
    "a league": 2,
    "a player": 1,
}


def path_of(what: str, dice: random.Random) -> str:
    """The address of one of these pages."""
    game = dice.randrange(GAMES) + 1
    return {
        "a table": f"/t/{game}",
        "own page": f"/me/{game}",
        "its past": f"/t/{game}/history",
        "a step": f"/t/{game}/step/{dice.randrange(1, 7)}",
        "the list": "/tables",
        "the style": STYLE[0],
        "a league": f"/l/1{dice.choice(LEAGUE)}",
        "a player": f"/p/{PEOPLE + dice.randrange(1, 241)}",
    }[what]


def cookie(game: int) -> str:
    """What the browser keeps of the one player of this table who looks."""
    return f"bench-{game:04}".ljust(43, "x")


def signed_in(tx: Tx) -> None:
    """Somebody of each table has signed in in a browser."""
    for game in range(1, GAMES + 1):
        seat = tx.one(Seat, game_id=game, no=0)
        assert seat is not None
        tx.add(
            WebSession,
            person_id=int(seat.person_id or 0),
            token_hash=fingerprint("session", cookie(game)),
            made_ms=now_ms(),
            seen_ms=now_ms(),
            expires_ms=now_ms() + 3_600_000,
        )


async def readers(url: str, seconds: float, rate: float) -> dict[str, tuple[list[float], int]]:
    """What they met: by kind of page how long each took (seconds), and the largest page (bytes)."""
    dice, took, largest = random.Random(1), defaultdict[str, list[float]](list), defaultdict[str, int](int)
    kinds = [what for what, count in MIX.items() for _ in range(count)]

    async def read(session: aiohttp.ClientSession, path: str) -> bytes:
        game = path.removeprefix("/me/")
        async with session.get(
            path, headers={"Cookie": f"{NAME}={cookie(int(game))}"} if game != path else {}
        ) as answer:
            assert answer.status == 200, (path, answer.status)
            return await answer.read()

    async def one(session: aiohttp.ClientSession, what: str, due: float) -> None:
        body = await read(session, path_of(what, dice))
        took[what].append(time.perf_counter() - due)
        largest[what] = max(largest[what], len(body))

    async with aiohttp.ClientSession(url, connector=aiohttp.TCPConnector(limit=0)) as session:
        async with session.get("/") as answer:
            STYLE.append(
                next(
                    part.split('"')[0]
                    for part in (await answer.text()).split('href="')
                    if part.startswith("/static/style-")
                )
            )
        # the templates are read, the pasts are played again: once a process, not once a second
        for what in MIX:
            for game in range(GAMES):
                await read(session, path_of(what, dice).replace("/t/1/", f"/t/{game + 1}/"))
        begun, tasks = time.perf_counter() + 0.1, []
        for number in range(int(rate * seconds)):
            due = begun + number / rate
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            tasks.append(asyncio.create_task(one(session, dice.choice(kinds), due)))
        await asyncio.gather(*tasks)
    return {what: (took[what], largest[what]) for what in MIX}


async def measured(
    seconds: float, rate: int, playing: bool
) -> tuple[dict[str, tuple[list[float], int]], list[float], float]:
    """What the readers met, how long the orders beside them took, and how much of a processor all of that was
    here (seconds).
    """
    with tempfile.TemporaryDirectory() as folder:
        store, desk, tasks = await opened(Path(folder), GAMES, post=True)
        told = futures(store, GAMES, 40 + int(PACE * (seconds + 3)) // GAMES)
        for game in told:  # tables in the middle of their games
            for one in game[:25]:
                await desk.order(one.who, one.text)
        await store.write(
            lambda tx: ledger.write(tx, names=[f"Player {n}" for n in range(240)], rounds=7, played=5, size=5)
        )
        await store.write(signed_in)
        whole = desk.referee
        door = build("127.0.0.1:0", whole.pages, now_ms, own=whole.own_pages, watch=whole.monitor)
        await door.start()
        spent = time.process_time()
        child = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "bench.pages",
            "--readers",
            f"http://127.0.0.1:{door.port}",
            str(seconds),
            str(rate),
            stdout=asyncio.subprocess.PIPE,
        )
        let_go(child.pid)
        orders = (
            await paced(desk, [game[25 : 25 + int(PACE * (seconds + 2)) // GAMES] for game in told], PACE)
            if playing
            else []
        )
        out, _ = await child.communicate()
        assert child.returncode == 0, "the readers broke"
        spent = time.process_time() - spent
        await door.stop()
        await closed(store, desk, tasks)
        return json.loads(out), orders, spent


def main(seconds: float = SECONDS) -> None:
    settled_in()
    with Sheet("pages") as sheet:
        for rate, playing in (*((rate, True) for rate in RATES), (RATES[-1], False)):
            met, orders, spent = asyncio.run(measured(seconds, rate, playing))
            beside = (
                f"beside {PACE} orders a second (p99 {quantile(orders, 0.99):.1f} ms)"
                if orders
                else "with nobody playing"
            )
            print(f"{rate} pages a second {beside}, {spent / seconds * 100:.0f} % of a processor")
            for what, (took, largest) in met.items():
                print(
                    f"  {what:12} p50 {quantile(took, 0.5):5.1f} ms  p99 {quantile(took, 0.99):5.1f} ms  "
                    f"at most {largest / 1000:.1f} kB (asked for: {LARGEST / 1000:.0f} kB)"
                )
            for what in ("a table", "own page") if playing else ():
                sheet.say(
                    f"{what}, p99 at {rate} a second",
                    quantile(met[what][0], 0.99),
                    "ms",
                    most=P99_MS if rate < RATES[-1] else None,
                )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--readers"]:
        print(json.dumps(asyncio.run(readers(sys.argv[2], float(sys.argv[3]), float(sys.argv[4])))))
    else:
        main(*map(float, sys.argv[1:]))
