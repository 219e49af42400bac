"""Telegram's Mini Apps: the button that opens one, and what Telegram says of the person who did."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import AsyncIterator
from urllib.parse import parse_qsl, urlencode

import pytest

from adapters.telegram import Settings, build
from adapters.telegram.mini_app import verified
from referee.ports import AppVerifier, Button, Fate, VerifiedAccount
from tests.adapters.telegram_line import Line, line
from tests.servers.botapi.mini_app import init_data

TOKEN, OTHER = "123456789:" + "A" * 35, "123456789:" + "B" * 35
ANA = {"id": 4_400_000_017, "first_name": "Ana & Bea=Cy\n+", "username": "ana", "language_code": "pt-br"}
AT = 1_790_000_000
BOARD = Button("Open the board", "", link="https://citadels.example.org/me/app?game=17", app=True)


@pytest.fixture
async def wire() -> AsyncIterator[Line]:
    async with line() as one:
        await one.start()
        yield one


def signed(token: str, data: str) -> bool:
    """Whether somebody else's library takes those words for Telegram's; it takes seconds to load."""
    from aiogram.utils.web_app import check_webapp_signature

    return check_webapp_signature(token, data)


def test_what_telegram_says_is_believed() -> None:
    data = init_data(TOKEN, ANA, AT)
    assert signed(TOKEN, data)  # somebody else's reading of the rule
    found = verified(TOKEN, data)
    assert found == VerifiedAccount("4400000017", AT * 1000, dict(parse_qsl(data))["hash"])
    adapter = build(Settings.model_validate({"token": TOKEN}), lambda: AT * 1000)
    assert isinstance(adapter, AppVerifier)
    assert adapter.verified(data) == found


def changed(data: str, **fields: str | None) -> str:
    """The same with other fields (None: without one)."""
    said = {**dict(parse_qsl(data)), **fields}
    return urlencode({name: value for name, value in said.items() if value is not None})


GOOD = init_data(TOKEN, ANA, AT)
HASH = dict(parse_qsl(GOOD))["hash"]


@pytest.mark.parametrize(
    "data",
    [
        "",
        "hash=" + HASH,
        "nonsense",
        "&" * 4000,
        GOOD + "&x=" + "y" * 4096,
        changed(GOOD, hash=None),
        changed(GOOD, hash=""),
        changed(GOOD, hash="0" * 64),
        changed(GOOD, hash=HASH.upper()),
        changed(GOOD, hash=HASH[:-1]),
        changed(GOOD, hash=HASH + "0"),
        changed(GOOD, hash="é" * 64),
        changed(GOOD, user=json.dumps({**ANA, "id": 1})),
        changed(GOOD, user=None),
        changed(GOOD, auth_date=str(AT + 1)),
        changed(GOOD, auth_date=None),
        changed(GOOD, more="1"),
        changed(GOOD, signature=None),
        GOOD + "&user=" + "%7B%22id%22%3A1%7D",
        "user=%7B%22id%22%3A1%7D&" + GOOD,
        GOOD + "&hash=" + HASH,
        GOOD.replace("auth_date=", "auth_date=%ff"),
        GOOD + "%00",
        init_data(OTHER, ANA, AT),
        init_data("", ANA, AT),
        init_data(TOKEN + " ", ANA, AT),
        # signed by Telegram, but nobody's
        init_data(TOKEN, "", AT),
        init_data(TOKEN, "null", AT),
        init_data(TOKEN, "[]", AT),
        init_data(TOKEN, "{}", AT),
        init_data(TOKEN, '{"id":"17"}', AT),
        init_data(TOKEN, '{"id":true}', AT),
        init_data(TOKEN, '{"id":-17}', AT),
        init_data(TOKEN, '{"id":1.5}', AT),
        init_data(TOKEN, "[" * 1500, AT),
        init_data(TOKEN, ANA, AT, auth_date=""),
        init_data(TOKEN, ANA, AT, auth_date="-1"),
        init_data(TOKEN, ANA, AT, auth_date="9" * 400),
        init_data(TOKEN, ANA, AT, auth_date="١٢"),
    ],
)
def test_what_it_has_not_said_is_not(data: str) -> None:
    assert verified(TOKEN, data) is None


def test_no_other_token_opens_it() -> None:
    assert verified(OTHER, GOOD) is None
    assert not signed(OTHER, GOOD)


async def test_in_private_the_button_opens_the_page_inside_telegram(wire: Line) -> None:
    done = await wire.send("Your turn.", buttons=((Button("Gold", "k1"),), (BOARD,)))
    assert done.fate is Fate.SENT, done
    (post,) = (one for one in wire.api.world.chats[wire.ann.id].posts.values() if one.keyboard)
    assert post.keyboard == [
        [{"text": "Gold", "callback_data": "k1"}],
        [{"text": "Open the board", "web_app": {"url": BOARD.link}}],
    ]


async def test_in_a_group_there_is_none(wire: Line) -> None:
    group = wire.api.group("Club", [wire.ann], bot="member")
    done = await wire.send("All.", place=str(group.id), buttons=((BOARD,), (Button("Join", "k2"),)))
    assert done.fate is Fate.SENT, done
    (post,) = (one for one in wire.api.world.chats[group.id].posts.values() if one.keyboard)
    assert post.keyboard == [[{"text": "Join", "callback_data": "k2"}]]


async def test_telegram_takes_no_plain_http(wire: Line) -> None:
    plain = dataclasses.replace(BOARD, link="http://citadels.example.org/me/app")
    done = await wire.send("Your turn.", buttons=((Button("Gold", "k1"),), (plain,)))
    assert done.fate is Fate.SENT
    assert [one.labels() for one in wire.ann.sees()] == [["Gold"]]
    assert len(wire.api.called("sendMessage")) == 2  # the first was refused
