"""The server as a thing that runs: in a thread, as a process, through outages, with two who poll."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import urllib.request
from typing import Any

import aiohttp
import pytest

from tests.servers.botapi import BotApi, why_not


def call(url: str, **given: Any) -> dict[str, Any]:
    """One blocking call, with JSON."""
    request = urllib.request.Request(url, json.dumps(given).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=10) as answer:
        out: dict[str, Any] = json.load(answer)
    return out


def test_it_serves_from_its_own_thread_while_the_test_blocks() -> None:
    assert why_not() is None
    api = BotApi().start_thread()
    try:
        ann = api.user("Ann", started=True)
        base = f"{api.url}/bot{api.token}"
        ann.say("hello")
        (update,) = call(f"{base}/getUpdates", timeout=0)["result"]
        assert update["message"]["text"] == "hello"
        sent = call(
            f"{base}/SENDMESSAGE",
            chat_id=ann.id,
            text="hi",
            reply_markup={"inline_keyboard": [[{"text": "ok", "callback_data": "k"}]]},
        )
        assert sent["result"]["message_id"] == 2
        press = ann.press(None, "ok")
        assert press is not None
        call(f"{base}/answerCallbackQuery", callback_query_id=press.id, text="done")
        assert press.toast == "done"
        assert len(api.called("answercallbackquery")) == 1
    finally:
        api.stop_thread()
    with pytest.raises(OSError, match="refused"):
        call(f"{base}/getMe")


def test_it_runs_as_a_process() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "tests.servers.botapi"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin
        assert process.stdout
        url, token = (process.stdout.readline().strip().split("=", 1)[1] for _ in range(2))
        assert call(f"{url}/bot{token}/getMe")["result"]["is_bot"] is True
        process.stdin.close()
        assert process.wait(20) == 0


async def test_a_long_poll_ends_when_something_comes_and_gives_way_to_the_next() -> None:
    api = await BotApi().start()
    ann = api.user("Ann", started=True)
    base = f"{api.url}/bot{api.token}"
    async with aiohttp.ClientSession() as session:

        async def poll(**given: Any) -> dict[str, Any]:
            async with session.post(f"{base}/getUpdates", json={"timeout": 30, **given}) as answer:
                out: dict[str, Any] = await answer.json()
                return out

        first = asyncio.create_task(poll())
        while not api.calls:
            await asyncio.sleep(0.01)
        second = asyncio.create_task(poll())
        told = await first
        assert (told["error_code"], told["description"][:8]) == (409, "Conflict")
        assert not second.done()
        ann.say("now")
        got = await second
        assert [one["message"]["text"] for one in got["result"]] == ["now"]
    await api.stop()


async def test_an_outage_keeps_what_was_said_and_the_port() -> None:
    api = await BotApi().start()
    ann, url = api.user("Ann", started=True), api.url
    await api.down()
    ann.say("while it was away")
    with pytest.raises(OSError, match="refused"):
        await asyncio.to_thread(call, f"{url}/bot{api.token}/getMe")
    await api.up()
    assert api.url == url
    got = await asyncio.to_thread(call, f"{url}/bot{api.token}/getUpdates", timeout=0)
    assert len(got["result"]) == 1
    await api.stop()


async def test_a_start_on_a_taken_port_leaves_nothing_behind() -> None:
    one = await BotApi().start()
    with pytest.raises(OSError, match="address"):
        await BotApi(one.port).start()
    with pytest.raises(OSError, match="address"):
        BotApi(one.port).start_thread()
    await one.stop()
    assert [task for task in asyncio.all_tasks() if task is not asyncio.current_task()] == []
