"""Reading and writing events, without a server: the odd cases, and anything at all."""

from __future__ import annotations

import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from adapters.matrix import Settings, reading, writing
from adapters.matrix.connection import verdict
from referee.ports import Button, Fate, Letter

ME = "@referee:hs.test"
LETTER = Letter(id="7", channel="matrix", text="words", markup="<b>words</b>", place="!r:hs.test")


def member(who: str, before: str, now: str) -> dict[str, Any]:
    return {
        "type": "m.room.member",
        "state_key": who,
        "sender": who,
        "event_id": f"${before}-{now}",
        "content": {"membership": now},
        "unsigned": {"prev_content": {"membership": before}} if before else {},
    }


def said(text: str) -> dict[str, Any]:
    return {"type": "m.room.message", "content": {"body": text}}


@pytest.mark.parametrize(("private", "expected"), [(False, ["later"]), (True, ["first words", "later"])])
def test_what_was_said_before_we_came(private: bool, expected: list[str]) -> None:
    events = [
        said("history"),
        member(ME, "", "invite"),
        said("first words"),
        member(ME, "invite", "join"),
        said("later"),
    ]
    meant = reading.since_we_came(events, ME, private=private)
    assert [event["content"]["body"] for event in meant if "body" in event["content"]] == expected


def test_a_new_name_of_ours_is_no_coming() -> None:
    events = [said("one"), member(ME, "join", "join"), said("two"), member("@ann:hs.test", "invite", "join")]
    assert reading.since_we_came(events, ME, private=False) == events


def test_what_is_struck_out_is_not_said() -> None:
    content = {"body": "~~gold~~\ncards", "format": "org.matrix.custom.html"}
    struck = {"type": "m.room.message", "content": {**content, "formatted_body": "<del>gold</del><br>cards"}}
    assert reading.text(struck) == "\ncards"
    assert reading.text(said("~~ gold ~~")) == "~~ gold ~~"


def test_put_out_and_let_in_again() -> None:
    events = [
        said("one"),
        member(ME, "join", "leave"),
        said("behind our back"),
        member(ME, "leave", "invite"),
        member(ME, "invite", "join"),
        said("two"),
    ]
    assert [event["content"].get("body") for event in reading.since_we_came(events, ME, private=False)] == [
        None,
        "two",
    ]


@pytest.mark.parametrize(("key", "number"), [("1️⃣", 0), ("9️⃣", 8), ("🔟", 9), ("3\u20e3", 2)])
def test_keycaps(key: str, number: int) -> None:
    event = {"content": {"m.relates_to": {"rel_type": "m.annotation", "event_id": "$q", "key": key}}}
    assert reading.choice(event) == ("$q", number)


@pytest.mark.parametrize("key", ["0️⃣", "1", "👍", "", "1️⃣1️⃣", "a" * 64])
def test_other_reactions(key: str) -> None:
    assert (
        reading.choice(
            {"content": {"m.relates_to": {"rel_type": "m.annotation", "event_id": "$q", "key": key}}}
        )
        is None
    )


def test_forged_offers_are_nobodys() -> None:
    offer = {"sender": ME, "content": {writing.KEYS: ["k-1", "k 2", 3, "x" * 41, "k-5"]}}
    assert reading.offered(offer, ME) == ["k-1", "", "", "", "k-5"]
    assert reading.offered(offer, "@other:hs.test") == []
    edit = {"sender": "@other:hs.test", "content": {"m.new_content": {writing.KEYS: ["forged"]}}}
    assert reading.offered({**offer, "unsigned": {"m.relations": {"m.replace": edit}}}, ME)[0] == "k-1"
    assert reading.offered({"sender": ME, "content": {writing.KEYS: "k-1"}}, ME) == []


def anything(chance: random.Random, depth: int = 0) -> Any:
    """Some JSON, with the names that matter in unlikely places."""
    names = [
        "type",
        "content",
        "m.relates_to",
        "m.in_reply_to",
        "event_id",
        "rel_type",
        "key",
        "body",
        "msgtype",
        "unsigned",
        "prev_content",
        "membership",
        "state_key",
        "sender",
        writing.KEYS,
        "m.relations",
        "m.replace",
        "m.new_content",
        "origin_server_ts",
    ]
    words = [
        "m.room.member",
        "m.thread",
        "m.annotation",
        "m.replace",
        "join",
        "1️⃣",
        ME,
        "> <@a:b>\n>\n",
        "\0",
        "\ud800",
        "",
    ]
    kind = chance.randrange(8 if depth < 4 else 5)
    if kind < 2:
        return chance.choice(words)
    if kind < 5:
        return chance.choice([None, True, -1, 2**70, 0.5, float("inf")])
    if kind == 5:
        return [anything(chance, depth + 1) for _ in range(chance.randrange(3))]
    return {name: anything(chance, depth + 1) for name in chance.sample(names, chance.randrange(1, 8))}


def test_anything_at_all_can_be_read() -> None:
    chance = random.Random(17)
    found = 0
    for _ in range(5_000):
        event = {
            name: anything(chance)
            for name in ("type", "content", "unsigned", "sender", "state_key", "origin_server_ts")
        }
        text = reading.text(event)
        text.encode()  # no half characters, whatever came
        assert "\0" not in text
        assert reading.moment(event) >= 0
        found += (
            bool(text)
            + bool(reading.answered(event))
            + bool(reading.choice(event))
            + bool(reading.membership(event))
        )
        reading.is_edit(event)
        reading.offered(event, ME)
        reading.since_we_came([event, event], ME, private=chance.random() < 0.5)
    assert found > 100  # the noise does reach the readers


def test_the_words_make_the_transaction() -> None:
    first = writing.transaction(LETTER)
    assert first == writing.transaction(replace(LETTER))
    others = [
        replace(LETTER, id="8"),
        replace(LETTER, text="other"),
        replace(LETTER, place="!s:hs.test"),
        replace(LETTER, edits="$x"),
    ]
    assert len({first, *map(writing.transaction, others)}) == 5


def test_at_most_ten_answers_and_no_links() -> None:
    rows = tuple((Button(f"{n}", f"k-{n}"),) for n in range(12))
    assert writing.keys(replace(LETTER, buttons=((Button("web", "", link="https://x.test"),), *rows))) == [
        f"k-{n}" for n in range(10)
    ]


@pytest.mark.parametrize(
    ("code", "status", "fate", "reason"),
    [
        ("M_LIMIT_EXCEEDED", 429, Fate.LATER, ""),
        ("", 429, Fate.LATER, ""),
        ("", 502, Fate.LATER, ""),
        ("M_UNKNOWN", 500, Fate.LATER, ""),
        ("", 0, Fate.LATER, ""),
        ("M_UNKNOWN_TOKEN", 401, Fate.FAILED, "unauthorised"),
        ("M_USER_SUSPENDED", 403, Fate.FAILED, "unauthorised"),
        ("M_CONSENT_NOT_GIVEN", 403, Fate.FAILED, "unauthorised"),
        ("M_RESOURCE_LIMIT_EXCEEDED", 403, Fate.LATER, ""),
        ("M_FORBIDDEN", 403, Fate.FAILED, "not-a-member"),
        ("M_TOO_LARGE", 413, Fate.FAILED, "too-long"),
        ("", 413, Fate.FAILED, "too-long"),
        ("M_NOT_FOUND", 404, Fate.FAILED, "gone"),
        ("M_BAD_JSON", 400, Fate.FAILED, "rejected"),
        ("M_UNRECOGNIZED", 404, Fate.LATER, ""),
        ("M_UNRECOGNIZED", 405, Fate.LATER, ""),
    ],
)
def test_what_an_error_means_for_a_letter(code: str, status: int, fate: Fate, reason: str) -> None:
    receipt = verdict(code, status, 0).receipt
    assert (receipt.fate, receipt.reason) == (fate, reason)
    assert bool(receipt.retry_ms) == (fate is Fate.LATER)


def test_after_which_errors_a_message_may_stand_there_all_the_same() -> None:
    perhaps = [("", 502), ("M_UNKNOWN", 500), ("", 0), ("", 200)]
    surely_not = [("M_LIMIT_EXCEEDED", 429), ("M_LIMIT_EXCEEDED", 0), ("", 403), ("M_UNKNOWN_TOKEN", 401)]
    assert all(verdict(code, status).perhaps for code, status in perhaps)
    assert not any(verdict(code, status).perhaps for code, status in surely_not)


GOOD: dict[str, Any] = {"homeserver": "https://hs.test", "user": ME, "access_token": "secret-token"}


def test_settings_come_from_strings_and_keep_their_secret() -> None:
    settings = Settings(**GOOD, rate="0.5", burst="3", e2e="true", store_path="/var/lib/keys", timeout_s="10")
    assert (settings.rate, settings.burst, settings.e2e) == (0.5, 3, True)
    assert "secret-token" not in repr(settings)
    assert all(field.description for field in Settings.model_fields.values())


@pytest.mark.parametrize(
    "wrong",
    [
        {"homeserver": "hs.test"},
        {"user": "referee"},
        {"access_token": None},
        {"e2e": True},
        {"ratee": 1},
        {"rate": -1},
        {"threads": "maybe"},
    ],
)
def test_settings_with_a_mistake(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Settings(**{**GOOD, **wrong})


def test_a_keycap_is_the_options_number_in_the_text() -> None:
    rows = (
        (Button("gold", "k-2", number=2), Button("cards", "k-4", number=4)),
        (Button("far", "k-12", number=12),),
    )
    assert writing.keys(replace(LETTER, buttons=rows)) == ["", "k-2", "", "k-4"]
    assert writing.keys(replace(LETTER, buttons=((Button("far", "k-12", number=12),),))) == []


def test_the_heavy_library_is_imported_only_when_the_channel_is_built() -> None:
    code = "import sys, adapters.matrix; sys.exit('nio' in sys.modules or 'aiohttp' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[2], check=False).returncode
        == 0
    )
