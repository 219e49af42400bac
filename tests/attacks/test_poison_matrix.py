"""Syncs that stopped the Matrix channel for everybody, and their kin: what comes before and after them
arrives, and the token moves on.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from aiohttp import web

from adapters.matrix import connection as line_module
from adapters.matrix.adapter import MatrixAdapter
from adapters.matrix.settings import Settings
from referee import wirejson
from tests.adapters.conformance import Desk, until

ME, ROOM = "@referee:hs.test", "!room:hs.test"


def said(event_id: str, body: str, **more: Any) -> dict[str, Any]:
    return {
        "type": "m.room.message",
        "event_id": event_id,
        "sender": "@ann:hs.test",
        "origin_server_ts": 1_795_000_000_000,
        "content": {"msgtype": "m.text", "body": body},
    } | more


def state(kind: str, content: Any, key: str = "", sender: str = "@ann:hs.test") -> dict[str, Any]:
    return {
        "type": kind,
        "event_id": f"${kind}{key}",
        "sender": sender,
        "origin_server_ts": 1,
        "state_key": key,
        "content": content,
    }


def sync(token: str, *events: Any) -> dict[str, Any]:
    """With the poison in a room between two good messages, and a good room behind it."""

    def room(name: str, told: tuple[Any, ...]) -> dict[str, Any]:
        people = [
            state("m.room.create", {"creator": "@ann:hs.test"}),
            *(
                state("m.room.member", {"membership": "join"}, who)
                for who in (ME, "@ann:hs.test", "@bea:hs.test")
            ),
        ]
        return {
            "state": {"events": people},
            "timeline": {"events": list(told), "limited": False, "prev_batch": "p"},
        }

    return {
        "rooms": {
            "join": {
                ROOM: room("Table", events),
                "!other:hs.test": room("Other", (said(f"$other{token}", "elsewhere"),)),
            }
        },
        "device_one_time_keys_count": {},
        "next_batch": token,
    }


class Homeserver:
    """Says what it is told to say, once each token, in raw bytes."""

    def __init__(self) -> None:
        self.answers: dict[str, bytes] = {"": json.dumps(sync("s0")).encode()}
        self.asked: list[str] = []

    def tell(self, *answers: bytes) -> None:
        """After each other; the token in each must be s1, s2 …"""
        for n, one in enumerate(answers):
            self.answers[f"s{n}"] = one

    async def answer(self, request: web.Request) -> web.Response:
        if request.path.endswith("/whoami"):
            return web.json_response({"user_id": ME, "device_id": "D"})
        if request.path.endswith("/sync"):
            since = request.query.get("since", "")
            self.asked.append(since)
            return web.Response(
                body=self.answers.get(since, json.dumps({"next_batch": since, "rooms": {}}).encode()),
                content_type="application/json",
            )
        return web.json_response({"errcode": "M_NOT_FOUND"}, status=404)


@pytest.fixture
async def server() -> AsyncIterator[tuple[Homeserver, MatrixAdapter, Desk]]:
    home, desk = Homeserver(), Desk()
    app = web.Application()
    app.router.add_route("*", "/{tail:.*}", home.answer)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    one = MatrixAdapter(
        Settings(
            homeserver=f"http://127.0.0.1:{runner.addresses[0][1]}",
            user=ME,
            access_token="t",
            timeout_s=5,
            poll_s=0.05,
        ),
        lambda: 1_795_000_000_000,
    )
    yield home, one, desk
    await one.stop()
    await runner.cleanup()


def raw(event: Any, token: str = "s1", **more: Any) -> bytes:
    return json.dumps(
        {**sync(token, said("$before", "before"), event, said("$after", "after")), **more}
    ).encode()


EVENTS: dict[str, Any] = {
    **{
        f"an hour of {hour!r}": said("$p", "poison", origin_server_ts=hour)
        for hour in (2**63, -(2**63), 10**400, 1.5, -1, "now", None, True, [], {}, float("nan"), float("inf"))
    },
    "no event": None,
    "a number": 17,
    "words": "event",
    "a list": [[]],
    "an empty one": {},
    "no content": said("$p", "x", content=None),
    "content in words": said("$p", "x", content="x"),
    "a body of half characters": said("$p", "\ud800\0"),
    "an id of half characters": said("$\ud800", "x"),
    "an id that is a number": said("$p", "x") | {"event_id": 17},
    "an id without end": said("$" + "p" * 60_000, "x"),
    "a sender that is a list": said("$p", "x", sender=["@eve:x"]),
    "a sender of half characters": said("$p", "x", sender="@\ud800:x"),
    "a sender without a server": said("$p", "x", sender="eve"),
    "a body without end": said("$p", "x" * 5_000_000),
    "a number without end": "NUMBER",
    "a nest": "NEST",
    "a nest of objects": "OBJECTS",
    "a type that is a number": said("$p", "x", type=17),
    "relations that are words": said(
        "$p", "x", content={"msgtype": "m.text", "body": "x", "m.relates_to": "x", "m.mentions": 17}
    ),
    "encryption of nothing": {
        "type": "m.room.encrypted",
        "event_id": "$p",
        "sender": "@eve:x",
        "origin_server_ts": 2**63,
        "content": {"algorithm": 17, "ciphertext": {}},
    },
    "a member that is nobody": state("m.room.member", {"membership": 17, "displayname": {"a": []}}, "nobody"),
    "powers": state("m.room.power_levels", {"users": {ME: "x" * 100, "@eve:x": 2**80}, "events": []}),
    "a name that is a list": state("m.room.name", {"name": ["x"]}),
    "an alias": state("m.room.canonical_alias", {"alias": 17}),
    "a tombstone": state("m.room.tombstone", {"replacement_room": "\ud800" * 9, "body": 1}),
    "a redaction": {
        "type": "m.room.redaction",
        "event_id": "$p",
        "sender": "@eve:x",
        "origin_server_ts": 1,
        "redacts": 17,
        "content": {},
    },
    "a reaction": {
        "type": "m.reaction",
        "event_id": "$p",
        "sender": "@eve:x",
        "origin_server_ts": 1,
        "content": {"m.relates_to": {"rel_type": "m.annotation", "event_id": 17, "key": "1\ufe0f\u20e3"}},
    },
}


@pytest.mark.parametrize("name", EVENTS)
async def test_a_poison_event_between_two_good_ones(
    server: tuple[Homeserver, MatrixAdapter, Desk], name: str
) -> None:
    home, one, desk = server
    poison = (
        raw(EVENTS[name])
        .replace(b'"NUMBER"', b"9" * 20_000)
        .replace(b'"NEST"', b"[" * 50_000 + b"]" * 50_000)
        .replace(b'"OBJECTS"', b'{"content":' * 30_000 + b"1" + b"}" * 30_000)
    )
    home.tell(poison, json.dumps(sync("s2", said("$last", "last"))).encode())
    await one.start(desk)
    await until(lambda: desk.bookmarks.get(("matrix", "since")) == "s2")
    texts = [got.text for got in desk.inbox.values()]
    assert [text for text in texts if text in ("before", "after", "last")] == ["before", "after", "last"]
    assert "elsewhere" in texts
    assert home.asked.count("s0") == 1  # never again
    assert all(isinstance(got.at_ms, int) and 0 <= got.at_ms < 2**53 for got in desk.inbox.values())
    await one.stop()
    await one.start(desk)  # nor after a restart
    await until(lambda: home.asked.count("s2") > 1)
    assert home.asked.count("s0") == 1


@pytest.mark.parametrize(
    "broken",
    ["timeline", "state", "rooms", "join", "to_device", "account_data", "invite", "leave", "presence"],
)
async def test_sections_of_the_wrong_kind(
    server: tuple[Homeserver, MatrixAdapter, Desk], broken: str
) -> None:
    home, one, desk = server
    answers = []
    for n, wrong in enumerate((17, "x", [], [17], {"x": 17}, {"events": 17}, {"events": [17, None]}, None)):
        told = sync(f"s{n + 1}", said(f"$e{n}", f"said {n}"))
        if broken in ("timeline", "state"):
            told["rooms"]["join"]["!bad:hs.test"] = {
                "state": {"events": []},
                "timeline": {"events": [], "limited": False, "prev_batch": "p"},
                broken: wrong,
            }
        elif broken in ("invite", "leave"):
            told["rooms"][broken] = {"!bad:hs.test": wrong}
        elif broken == "join":
            told["rooms"]["join"]["!bad:hs.test"] = wrong
        elif broken == "rooms":
            told["rooms"]["knock"] = wrong
        else:
            told[broken] = wrong
        answers.append(json.dumps(told).encode())
    home.tell(*answers)
    await one.start(desk)
    await until(lambda: desk.bookmarks.get(("matrix", "since")) == "s8")
    assert [f"said {n}" in [got.text for got in desk.inbox.values()] for n in range(8)] == [True] * 8


async def test_an_answer_larger_than_any_is_passed_over_and_what_follows_is_heard(
    server: tuple[Homeserver, MatrixAdapter, Desk], monkeypatch: pytest.MonkeyPatch
) -> None:
    home, one, desk = server
    monkeypatch.setattr(line_module, "LARGEST", 100_000)
    large = (
        b'{"next_batch": "s1", "rooms": {"join": {"!r:x": {"timeline": {"events": [{"next_batch": "evil"}, "'
        + b"x" * 300_000
        + b'"]}}}}}'
    )
    home.tell(large, json.dumps(sync("s2", said("$last", "last"))).encode())
    await one.start(desk)
    await until(lambda: desk.bookmarks.get(("matrix", "since")) == "s2")
    assert [got.facts["reason"] for got in desk.parked] == ["sync too large"]
    assert "last" in [got.text for got in desk.inbox.values()]


async def test_an_answer_that_is_no_json_is_passed_over_where_it_tells_its_token(
    server: tuple[Homeserver, MatrixAdapter, Desk],
) -> None:
    home, one, desk = server
    home.tell(
        b'{"rooms": {"next_batch": "evil", "x": tru}, "next_batch": "s1"',
        json.dumps(sync("s2", said("$last", "last"))).encode(),
    )
    await one.start(desk)
    await until(lambda: desk.bookmarks.get(("matrix", "since")) == "s2")
    assert len(desk.parked) == 1


def test_json_is_read_whatever_stands_in_it() -> None:
    assert wirejson.loads('{"a": 1' + "0" * 5000 + ', "b": -1e999, "c": NaN, "d": -9223372036854775809}') == {
        "a": 2**53,
        "b": None,
        "c": None,
        "d": -(2**53),
    }
    assert wirejson.loads(b'{"a": "\xff"}') == {"a": "\ufffd"}
    assert wirejson.loads("[1," + "[" * 100_000 + "]" * 100_000 + ',{"b":"[[[\\"]"}]')[2] == {"b": '[[["]'}
    for none in ("", "{", "[1,]", "tru", "[" * 100_000):
        with pytest.raises(ValueError):
            wirejson.loads(none)
    assert wirejson.member(b'{"a": {"n": "1"}, "b": "\\"n\\": \\"2\\"", "n" : "3"}', "n") == "3"
