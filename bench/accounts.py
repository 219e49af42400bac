"""What one account of each channel carries: the real adapters against real servers on this machine.

    python -m bench.accounts [letters] [telegram|matrix|mail|lmtp]

Postfix and Dovecot, Synapse without its limits, and a strict server of ours that speaks Telegram's Bot API;
what a server far away takes is its provider's to say (docs/admins/scale.md). Letters go sixteen at once to as
many people; then as many messages lie ready and are taken in. Seconds of work are this process's processor
time, the adapter's own cost: they hold on a busy machine too.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from bench._goals import Sheet
from referee.ports import Adapter, Button, Fate, Letter
from tests.adapters.conformance import Desk, until

LETTERS, AT_ONCE = 400, 16
TEXT = "\n".join(
    [
        "Round 5: your turn.",
        *("Ana (crown): 4 gold, 3 cards in hand; city: Market 2, Temple 1, Manor 3",) * 5,
        "1) take 2 gold",
        "2) draw 2 cards",
    ]
)
HTML = TEXT.replace("\n", "<br>").replace("Round 5", "<b>Round 5</b>")
BUTTONS = (
    (Button("take 2 gold", "k-1", "gold", number=1), Button("draw 2 cards", "k-2", "cards", number=2)),
)


class Account(NamedTuple):
    """A channel that is open: its adapter, whom it may write to, and how `n` messages are made to lie ready
    for it.
    """

    adapter: Adapter
    desk: Desk
    people: list[str]
    lay: Callable[[int], Awaitable[None]]


@asynccontextmanager
async def telegram() -> AsyncIterator[Account]:
    """As many people as letters under way, with nobody counting how fast they come."""
    from adapters.telegram import Settings, build
    from tests.adapters.test_telegram import clock_ms
    from tests.servers.botapi import BotApi

    api = BotApi(flood=False)
    api.start_thread()
    try:
        people = [api.user(f"P{n}", started=True) for n in range(AT_ONCE)]

        async def lay(n: int) -> None:
            for number in range(n):
                people[number % AT_ONCE].say(f"status {number}")

        yield Account(
            build(Settings.model_validate({"token": api.token, "base_url": api.url}), clock_ms),
            Desk(),
            [str(one.id) for one in people],
            lay,
        )
    finally:
        api.stop_thread()


@asynccontextmanager
async def matrix() -> AsyncIterator[Account]:
    """Two people and their rooms: Synapse works one event of a room off after the other."""
    from tests.adapters.matrix_rig import matrix_rig
    from tests.servers.synapse import Synapse

    server = await asyncio.to_thread(Synapse().start)
    try:
        async with matrix_rig(server) as rig:

            async def lay(n: int) -> None:
                await asyncio.gather(*(rig.say(f"status {number}") for number in range(n)))

            yield Account(rig.adapter(), rig.desk, [rig.person], lay)
    finally:
        await asyncio.to_thread(server.stop)


@asynccontextmanager
async def mail(gateway: bool = False) -> AsyncIterator[Account]:
    """By submission with a login, and IMAP; or by injection, and LMTP from Postfix."""
    from tests.servers.mail import Mail
    from tests.servers.mail_rig import HANDED, gateway_rigged, rigged

    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        server = await asyncio.to_thread(
            Mail(home, handed={HANDED: f"unix:{home}/handed.sock"} if gateway else {}).start
        )
        rig = await (gateway_rigged if gateway else rigged)(server)
        try:

            async def lay(n: int) -> None:
                await asyncio.to_thread(
                    lambda: [
                        rig.friend.write(rig.address, f"status {number}", subject="hello")
                        for number in range(n)
                    ]
                )

            name, _, domain = rig.person.partition("@")
            yield Account(
                rig.adapter(), rig.desk, [f"{name}+{number}@{domain}" for number in range(AT_ONCE)], lay
            )
        finally:
            await rig.close()
            await asyncio.to_thread(server.stop)


async def measured(sheet: Sheet, name: str, account: Account, letters: int) -> None:
    adapter, desk, people, lay = account
    await adapter.start(desk)
    receipts = []

    async def to(n: int) -> None:
        for number in range(n, letters, AT_ONCE):
            receipts.append(
                await adapter.send(
                    Letter(
                        id=f"b{number}",
                        channel=adapter.name,
                        address=people[number % len(people)],
                        text=TEXT,
                        markup=TEXT if adapter.markup == "telegram" else HTML,
                        subject="[#17] Round 5: your turn",
                        ref="g17",
                        token=f"abcdefg{number:05}",
                        buttons=BUTTONS,
                    )
                )
            )

    await to(letters - 1)  # the first opens lines and rooms
    begun, worked = time.perf_counter(), time.process_time()
    await asyncio.gather(*map(to, range(AT_ONCE)))
    took, worked = time.perf_counter() - begun, time.process_time() - worked
    sent = sum(one.fate is Fate.SENT for one in receipts) - 1
    print(
        (
            f"{name:10} sends   {sent / took:7.0f} a second ({sent} of {letters}),"
            f" {worked / letters * 1000:5.2f} ms of work each"
        ),
        flush=True,
    )
    sheet.say(f"{name}: work to send a letter", worked / letters * 1000, "ms")
    assert sent == letters, {one.detail for one in receipts}
    await adapter.stop()
    await lay(letters)
    begun, worked = time.perf_counter(), time.process_time()
    await adapter.start(desk)
    await until(lambda: len(desk.said()) >= letters, 120)
    took, worked = time.perf_counter() - begun, time.process_time() - worked
    print(
        f"{name:10} takes   {letters / took:7.0f} a second, {worked / letters * 1000:5.2f} ms of work each",
        flush=True,
    )
    sheet.say(f"{name}: work to take a message", worked / letters * 1000, "ms")
    await adapter.stop()


CHANNELS: dict[str, Callable[[], contextlib.AbstractAsyncContextManager[Account]]] = {
    "telegram": telegram,
    "matrix": matrix,
    "mail": mail,
    "lmtp": lambda: mail(gateway=True),
}


async def main(letters: int, names: list[str]) -> None:
    with Sheet("accounts") as sheet:
        for name in names:
            async with CHANNELS[name]() as account:
                await measured(sheet, name, account, letters)


if __name__ == "__main__":
    given = sys.argv[1:]
    count = int(given.pop(0)) if given and given[0].isdigit() else LETTERS
    asyncio.run(main(count, given or list(CHANNELS)))
