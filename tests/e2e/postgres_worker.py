"""A worker that is there to be killed: the real reception and desk on a shared database.

Started by test_postgres_workers.

Each line on stdin is an order, [key, who, text]; its key is said on stdout once the order is on disk.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys

from bench.house import CHANNEL, SETTINGS, Wire, now_ms
from referee.ports import Inbound
from referee.service import Referee
from referee.store import Store
from referee.text import Words


async def main(url: str) -> None:
    store = Store.open(url, guest=True)
    referee = Referee(store, Words(()), [Wire()], clock_ms=now_ms, settings=SETTINGS)
    referee.reception.at_once = 1000  # an order is told when it is done: the next of that game builds on it
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    tasks = {asyncio.create_task(referee.reception.worker.run())}

    async def one(key: str, who: str, text: str) -> None:
        await referee.reception.receive(
            [Inbound(CHANNEL, key, who, text=text, name=who, at_ms=now_ms())], channel=CHANNEL
        )
        os.write(1, f"{key}\n".encode())

    os.write(1, b"open\n")
    while line := await lines.readline():
        tasks.add(asyncio.create_task(one(*json.loads(line))))
    for task in tasks:
        task.cancel()
    await store.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
