"""Webhook mode: only Telegram is believed, and 200 means on disk."""

from __future__ import annotations

import asyncio
import io
import logging
import socket
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import aiohttp
import pytest

from adapters.telegram import webhook
from referee.ports import What
from tests.adapters.conformance import until
from tests.adapters.telegram_line import Line, line

SECRET = "a-secret-of-this-test"
HEADER = webhook.SECRET


@pytest.fixture
async def tg() -> AsyncIterator[Line]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    async with line(
        mode="webhook", port=port, webhook_url=f"http://127.0.0.1:{port}/hook/telegram", webhook_secret=SECRET
    ) as one:
        yield one


async def call(tg: Line, body: bytes, **headers: str) -> int:
    async with (
        aiohttp.ClientSession() as session,
        session.post(tg.given["webhook_url"], data=io.BytesIO(body), headers=headers) as answer,
    ):
        return answer.status


async def test_telegram_is_told_where_and_how(tg: Line) -> None:
    await tg.start()
    assert (tg.api.hook.url, tg.api.hook.secret, tg.api.hook.connections) == (
        tg.given["webhook_url"],
        SECRET,
        1,
    )
    assert tg.api.world.updates.allowed == ["message", "callback_query", "my_chat_member"]
    tg.ann.say("one")
    tg.ann.block()
    await tg.heard()
    await tg.heard(What.BLOCKED)


async def test_whoever_only_asks_whether_we_listen_is_told_405(
    tg: Line, caplog: pytest.LogCaptureFixture
) -> None:
    """By that deploy/proxy/Caddyfile knows which of several referees has the bot."""
    await tg.start()
    async with aiohttp.ClientSession() as session, session.get(tg.given["webhook_url"]) as answer:
        assert answer.status == 405
    assert [one.getMessage() for one in caplog.records if one.levelno >= logging.WARNING] == []


async def test_only_who_knows_the_secret_is_believed(tg: Line, caplog: pytest.LogCaptureFixture) -> None:
    await tg.start()
    forged = (
        b'{"update_id": 1, "message": {"message_id": 1, "date": 1, "chat": {"id": 5, "type": '
        b'"private"}, "from": {"id": 5, "is_bot": false, "first_name": "E"}, "text": "hand"}}'
    )
    assert await call(tg, forged) == 403
    assert await call(tg, forged, **{HEADER: "wrong"}) == 403
    assert await call(tg, forged, **{HEADER: "wr\u00f6ng"}) == 403
    assert b" 403 " in await raw(tg, HEADER.encode() + b": \xff\xfe")
    assert not tg.desk.inbox
    assert "without the secret" in caplog.text
    assert "Traceback" not in caplog.text
    assert SECRET not in caplog.text
    assert await call(tg, forged, **{HEADER: SECRET}) == 200
    assert [one.text for one in tg.desk.said()] == ["hand"]


async def raw(tg: Line, header: bytes) -> bytes:
    """The first line of the answer to a call with a header that no library would send."""
    at = urlsplit(tg.given["webhook_url"])
    reader, writer = await asyncio.open_connection(at.hostname, at.port)
    head = f"POST {at.path} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nConnection: close\r\n"
    writer.write(head.encode() + header + b"\r\n\r\n{}")
    said = await asyncio.wait_for(reader.readline(), 10)
    writer.close()
    return said


async def test_what_is_no_request_leaves_nothing_in_the_log(
    tg: Line, caplog: pytest.LogCaptureFixture
) -> None:
    await tg.start()
    at = urlsplit(tg.given["webhook_url"])
    caplog.clear()
    for nonsense in (b"GET /" + b"x" * 9_000 + b" HTTP/1.1", b"GET / HTTP/1.1\r\nA b: c", b"\0" * 40):
        reader, writer = await asyncio.open_connection(at.hostname, at.port)
        writer.write(nonsense + b"\r\n\r\n")
        assert b" 400 " in await asyncio.wait_for(reader.readline(), 10)
        writer.close()
    assert caplog.text == ""


@pytest.mark.parametrize("said", ["GET /no HTTP/1.1", "POST {path} HTTP/1.1", "POST {path} HTTP/9.9", "\0\0"])
async def test_no_answer_names_the_programs_that_made_it(tg: Line, said: str) -> None:
    await tg.start()
    at = urlsplit(tg.given["webhook_url"])
    reader, writer = await asyncio.open_connection(at.hostname, at.port)
    writer.write(f"{said.format(path=at.path)}\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    answer = (await asyncio.wait_for(reader.read(), 10)).decode()
    writer.close()
    assert answer.startswith("HTTP/1.")
    assert "Server: citadels" in answer
    assert "aiohttp/" not in answer
    assert "Python/" not in answer


async def test_nonsense_with_the_secret_changes_nothing(tg: Line) -> None:
    await tg.start()
    for body in (b"", b"{", b"[]", b"\xff\xfe"):
        assert await call(tg, body, **{HEADER: SECRET}) == 400
    for body in (b"{}", b'{"update_id": "x"}', b'{"update_id": 7, "message": 3}'):
        assert await call(tg, body, **{HEADER: SECRET}) == 200  # else it would come again for ever
    assert await call(tg, b"x" * (webhook.LARGEST_BODY + 1), **{HEADER: SECRET}) == 413
    assert not tg.desk.inbox


async def test_a_full_disk_is_answered_503_and_the_update_comes_again(
    tg: Line, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR, "adapters.telegram"):
        await tg.start()
        tg.desk.refuse = True
        tg.ann.say("keep this")
        tg.ann.say("and this")
        await until(lambda: tg.api.hook.refused >= 2)
        assert not tg.desk.inbox
        assert "503" in tg.api.hook.last_error
        tg.desk.refuse = False
        assert [one.text for one in await tg.heard(count=2)] == ["keep this", "and this"]
    assert "not acknowledged" in caplog.text


async def test_a_webhook_that_was_taken_away_is_set_again(tg: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhook, "LOOK_EVERY_S", 0.05)
    await tg.start()
    with tg.api.world.lock:
        tg.api.hook.set({})
    await until(lambda: tg.api.hook.url)
    tg.ann.say("there again")
    await tg.heard()


async def test_the_doctor_says_what_is_wrong_with_the_webhook(tg: Line) -> None:
    adapter = tg.build()
    assert [one.code for one in await adapter.check()] == ["telegram-bot", "telegram-webhook"]
    tg.api.hook.set({"url": "http://127.0.0.1:9/other"})
    assert [(one.level, one.code) for one in await adapter.check()] == [
        ("ok", "telegram-bot"),
        ("warn", "telegram-other-webhook"),
    ]
    polling = tg.build(mode="polling")
    assert [one.code for one in await polling.check()] == ["telegram-bot", "telegram-other-webhook"]
    tg.api.hook.set({"url": tg.given["webhook_url"]})
    tg.ann.say("nobody listens")
    await until(lambda: tg.api.hook.last_error)
    assert [one.code for one in await adapter.check()] == ["telegram-bot", "telegram-webhook-trouble"]


async def test_before_telegram_was_reached_nothing_is_acknowledged(tg: Line) -> None:
    await tg.api.down()
    await tg.build().start(tg.desk)
    assert await call(tg, b'{"update_id": 7}', **{HEADER: SECRET}) == 503
    await tg.api.up()
    await until(tg.adapter.healthy)
    assert await call(tg, b'{"update_id": 7}', **{HEADER: SECRET}) == 200


async def test_trouble_telegram_has_with_us_is_logged(
    tg: Line, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(webhook, "LOOK_EVERY_S", 0.05)
    await tg.start()
    tg.desk.refuse = True
    tg.ann.say("not yet")
    await until(lambda: "can't reach the webhook" in caplog.text)


async def test_a_port_that_is_taken_is_said_at_once(tg: Line) -> None:
    await tg.start()
    with pytest.raises(OSError, match="address"):
        await tg.build().start(tg.desk)
