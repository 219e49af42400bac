"""Strange words on every channel: they stay words, are answered, and change nothing."""

from __future__ import annotations

import re

import pytest

from referee.ports import Inbound
from referee.store import Address, Inbox, Outbox
from tests.service.playing import asked, greet, legal, running, table
from tests.service.rig import House

MARKUPS = {"telegram": "telegram", "matrix": "matrix", "mail": "mail", "terminal": "terminal"}
WHO = {
    "telegram": "telegram:ana",
    "matrix": "matrix:@ana:hs",
    "mail": "mail:ana@x.test",
    "terminal": "terminal:ana",
}
STRANGE = (
    "😀" * 2500,
    "<u>gold</u>",
    "<script>alert(1)</script>",
    "**gold** _x_ `y`",
    "[a](http://evil.test)",
    "{{ 7*7 }}",
    "{% for x in y %}",
    "{reply_to}{bot}",
    "\u202egold",
    "\x00\x07gold\x1b[31m",
    "@room hello",
    "a\u0301" * 3000,
)
#: what would be markup, or a template's work, if it got through
LIVE = re.compile(r"<u>|<script|<a href=\"http://evil|\b49\b(?!:)|\x1b|\u202e|\x00|(?<!@ )@room")


@pytest.fixture(autouse=True)
def markups(house: House) -> None:
    for name, wire in house.wires.items():
        wire.markup = MARKUPS[name]


@pytest.mark.parametrize("channel", WHO)
async def test_messages(house: House, channel: str) -> None:
    other = "terminal:bea"
    game = await table(house, [WHO[channel], other])
    while asked(house, game) != 0:
        await house.say(other, legal(house, game)[0])
    before = running(house, game)
    for n, text in enumerate(STRANGE):
        house.store.write_now(
            lambda tx: tx.change(Address, {"channel": channel}, dialogue="")
        )  # by mail, nobody is answered for ever who says only such things
        letters = len(house.letters(WHO[channel]))
        await house.say(WHO[channel], text)
        found = house.letters(WHO[channel])[letters:]
        assert len(found) == 1, text
        assert re.search("[Nn]ot done|nothing was done", found[0].text), text
        assert len(found[0].text) < 5000
        for words in (found[0].text, found[0].subject):
            assert not re.search(r"\x1b|\u202e|\x00|(?<!@ )@room|\{reply_to\}", words), (n, words)
        assert not LIVE.search(found[0].markup), (n, found[0].markup)
        assert "\n" not in found[0].subject
    assert running(house, game).snapshot == before.snapshot


@pytest.mark.parametrize(
    "name",
    [
        "<u>gold</u>",
        "<script>alert(1)</script>",
        "**Bo**",
        "{{ 7*7 }}",
        "{% raw %}",
        "\u202egold",
        "x\n\nFrom: y",
        "@room",
        "😀" * 2500,
    ],
)
async def test_names(house: House, name: str) -> None:
    """In the lobby, in prompts, in a room, in every markup."""
    for n, channel in enumerate(("telegram", "matrix", "terminal")):
        where = WHO[channel].partition(":")[2]
        await house.bring(
            Inbound(
                channel=channel,
                key=f"n{n}",
                address=where,
                text="new 4" if not n else "join #1",
                name=name,
                at_ms=1,
            )
        )
    await greet(house, WHO["mail"])
    await house.say(WHO["mail"], f"name {name}")
    await house.say(WHO["mail"], "join #1")
    await house.say("telegram:zed", "/watch #1", place="-5")
    for who in WHO.values():
        await house.say(who, "ready")
    assert running(house, 1).status == "running"
    for _ in range(4):
        who = WHO[("telegram", "matrix", "terminal", "mail")[asked(house, 1)]]
        await house.say(who, legal(house, 1)[0])
    for who in WHO.values():
        for text in ("status", "who", "history", "games"):
            await house.say(who, text)
    seen = 0
    for wire in house.wires.values():
        for letter in wire.sent:
            seen += 1
            assert "\n" not in letter.subject
            assert not LIVE.search(letter.markup), letter.markup
            assert len(letter.text) < 6000
    assert seen > 30
    assert not house.store.read_now(lambda tx: [r for r in tx.all(Outbox) if r.error])
    assert not house.store.read_now(lambda tx: [r for r in tx.all(Inbox) if r.state != "done"])


async def test_an_ambiguous_order_names_what_it_could_be(house: House) -> None:
    people = ["telegram:ana", "matrix:@bea:hs"]
    for _ in range(12):
        game = await table(house, people)
        who = people[asked(house, game)]
        initials = [o.split()[1][0] for o in legal(house, game) if o.startswith("pick ")]
        # an "a" alone is an article that broke off
        twice = next((i for i in initials if initials.count(i) > 1 and i != "A"), None)
        if twice is None:
            continue
        before = running(house, game)
        await house.say(who, f"#{game} pick {twice.lower()}")
        assert "two ways" in house.last(who).text
        assert running(house, game).snapshot == before.snapshot
        return
    raise AssertionError("never two characters with one initial")


async def test_an_answer_to_an_old_letter(house: House) -> None:
    people = ["mail:ana@x.test", "telegram:bea"]
    game = await table(house, people)
    while asked(house, game) != 0:
        await house.say(people[1], legal(house, game)[0])
    old = house.last(people[0]).token
    await house.say(people[0], legal(house, game)[0])
    while asked(house, game) != 0:
        await house.say(people[1], legal(house, game)[0])
    before = running(house, game)
    await house.say(people[0], "1", token=old)
    assert "earlier question" in house.last(people[0]).text
    assert running(house, game).snapshot == before.snapshot
    assert house.last(people[0]).token != old


async def test_an_answer_in_another_games_thread_is_for_that_game(house: House) -> None:
    people = ["matrix:@ana:hs", "telegram:bea"]
    first = await table(house, people)
    second = await table(house, people)
    while asked(house, first) != 0:
        await house.say(people[1], f"#{first} {legal(house, first)[0]}")
    while asked(house, second) != 1:
        await house.say(people[0], f"#{second} {legal(house, second)[0]}")
    thread = next(
        w.wire_id
        for w in reversed(
            house.store.read_now(lambda tx: tx.all(Outbox, game_id=second, channel="matrix", order="id"))
        )
        if w.wire_id
    )
    before = running(house, first), running(house, second)
    await house.say(people[0], legal(house, first)[0], thread=thread)
    assert (running(house, first).snapshot, running(house, second).snapshot) == (
        before[0].snapshot,
        before[1].snapshot,
    )
    assert "not your turn" in house.last(people[0]).text or "earlier question" in house.last(people[0]).text
    assert f"#{second}" in house.last(people[0]).subject
