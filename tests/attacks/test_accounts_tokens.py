"""Attacks with old letters: a token does what its letter asked and dies with it; and D2, one admin with two
addresses who turns both keys.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.config import load
from referee.doctor import admins
from referee.ports import Inbound, What
from referee.service.deadlines import clock_state
from referee.service.people.reply_scope import SCOPES
from referee.store import AccountJoin, League, LinkCode, Person, Seat
from referee.text.rendering.contents import ADMINS, LETTERS
from tests.service.joining import code
from tests.service.playing import legal, running, table
from tests.service.rig import House

MAIL, ANA, BEA, MALLORY = "mail:vic@x.test", "telegram:ana", "matrix:@bea:hs", "telegram:666"
PLAIN = "24h no quiet no nights no vacation no restart"
DAY = 24


async def welcomed(house: House) -> str:
    """The token of the first letter that somebody was ever sent."""
    await house.say(MAIL, "games", vouched=False)
    token = house.last(MAIL).token
    await house.say(MAIL, "games", token=token)
    return token


@pytest.mark.parametrize("days", [31, 365])
async def test_the_token_of_an_old_letter_opens_nothing(house: House, days: int) -> None:
    token = await welcomed(house)
    house.clock.pass_(hours=days * DAY)
    word = await code(house, MALLORY)
    for said in (
        f"link {word}",
        "link",
        "web",
        "calendar",
        "unlink",
        "name Mallory",
        "new classic 3",
        "help",
    ):
        await house.say(MAIL, said, token=token)
    assert house.store.read_now(lambda tx: tx.count(AccountJoin)) == 0
    assert house.store.read_now(lambda tx: tx.count(LinkCode)) == 1
    assert not house.store.read_now(lambda tx: tx.all(Person, name="Mallory"))
    told = [x.text.replace("\n", " ") for x in house.letters(MAIL)]
    assert "more than 30 days old" in told[-1]
    assert word not in "".join(told)
    assert len(told) <= 4, "and is told so a bounded number of times"
    await house.say(MAIL, "help")
    assert "more than 30 days old" not in house.last(MAIL).text, "the answer to that letter counts"


async def test_accounts_and_doors_need_a_new_letter(tmp_path: Path) -> None:
    house = await House(tmp_path / "referee.db", base_url="https://play.test").open()
    try:
        token = await welcomed(house)
        house.clock.pass_(hours=25)
        for said in ("link", "link ABCDEFGH", "unlink telegram", "accounts", "web", "calendar"):
            await house.say(MAIL, said, token=token)
            assert "more than a day old" in house.last(MAIL).text.replace("\n", " "), said
        assert house.store.read_now(lambda tx: tx.count(LinkCode)) == 0
        await house.say(MAIL, "link")
        assert house.store.read_now(lambda tx: tx.count(LinkCode)) == 1, (
            "the same words in answer to that letter"
        )
        await house.say(MAIL, "web", token=house.last(MAIL).token)
        assert "/me/in/" in house.last(MAIL).text
    finally:
        await house.close()


async def test_a_letter_of_one_table_moves_that_table(house: House) -> None:
    one = await table(house, [MAIL, ANA], hours="20d no quiet no nights no vacation no restart")
    letter = next(x for x in reversed(house.letters(MAIL)) if x.ref == f"g{one}")
    two = await table(house, [MAIL, BEA], hours="20d no quiet no nights no vacation no restart")
    house.clock.pass_(hours=3 * DAY)
    await house.say(MAIL, "games")
    for said in ("name Mallory", "new classic 3", f"talk off #{two}", f"#{two} say hello"):
        await house.say(MAIL, said, token=letter.token)
        assert "about something else" in house.last(MAIL).text.replace("\n", " "), said
    for said in ("help", "rules thief", "games", "status", f"hand #{one}"):
        await house.say(MAIL, said, token=letter.token)
        assert "about something else" not in house.last(MAIL).text, said
    if running(house, one).asked == "0":
        before = running(house, one).move_no
        await house.say(MAIL, legal(house, one)[0], token=letter.token)
        assert running(house, one).move_no > before


async def test_the_newest_letter_does_whatever_is_not_weighty(house: House) -> None:
    await welcomed(house)
    await house.say(ANA, "new classic 3")
    house.clock.pass_(hours=20 * DAY)
    for said, answer in (
        ("help", "help"),
        ("rules museum", "useum"),
        ("games", ""),
        ("status", ""),
        ("join #1", ""),
    ):
        await house.say(MAIL, said)
        assert answer in house.last(MAIL).text
        assert "Nothing was done" not in house.last(MAIL).text
        house.clock.pass_(hours=2 * DAY)
    assert (
        len(house.store.read_now(lambda tx: tx.seats_of(tx.whose("mail", "vic@x.test")[0].id, ("lobby",))))
        == 1
    )


async def test_a_button_dies_with_its_letter(house: House) -> None:
    await house.say(ANA, "/new classic 3", place="-5")
    key = house.key("telegram:-5", "join #1")
    house.clock.pass_(hours=31 * DAY)
    await house.bring(
        Inbound(
            channel="telegram",
            key="late",
            address="8",
            what=What.BUTTON,
            payload=key,
            place="-5",
            name="Cy",
            at_ms=house.clock(),
            facts={"callback": "c"},
        )
    )
    assert house.store.read_now(lambda tx: tx.count(Seat, game_id=1)) == 1


def test_the_kinds_that_are_named_exist() -> None:
    assert set(SCOPES) <= {*LETTERS, *ADMINS}


# ---------------------------------------------------------------- D2: keys count people


ROOT, ROOTS_MAIL, OTHER = ("telegram", "root"), ("terminal", "root2"), ("matrix", "@other:hs")


async def keyed(tmp_path: Path, *entries: tuple[tuple[str, str], ...]) -> House:
    house = await House(
        tmp_path / "referee.db",
        admins=tuple(one for entry in entries for one in entry),
        admin_entries=entries,
    ).open()
    for entry in entries:
        for channel, address in entry:
            await house.say(f"{channel}:{address}", "games")
    return house


async def test_one_admin_with_two_addresses_has_one_key_at_a_table(tmp_path: Path) -> None:
    house = await keyed(tmp_path, (ROOT, ROOTS_MAIL), (OTHER,))
    try:
        game = await table(house, [ANA, BEA, "terminal:root2"], hours=PLAIN)
        await house.say("telegram:root", f"pause #{game}")
        await house.say("terminal:root2", "second 1")
        assert "somebody else's" in house.last("terminal:root2").text
        assert not clock_state.paused(clock_state.read_clocks(running(house, game)))
        await house.say("matrix:@other:hs", "second 1")
        assert clock_state.paused(clock_state.read_clocks(running(house, game)))
    finally:
        await house.close()


async def test_an_admin_who_plays_by_another_address_does_not_decide_alone(tmp_path: Path) -> None:
    house = await keyed(tmp_path, (ROOT, ROOTS_MAIL))
    try:
        game = await table(house, [ANA, BEA, "terminal:root2"], hours=PLAIN)
        await house.say("telegram:root", f"pause #{game}")
        assert not clock_state.paused(clock_state.read_clocks(running(house, game)))
        assert "vote" in house.last("telegram:root").text.lower()
        await house.say("telegram:root", f"admin look #{game} hidden because I like to")
        assert "whoever plays there" in house.last("telegram:root").text.replace("\n", " ")
    finally:
        await house.close()


async def test_one_admin_with_two_addresses_has_one_key_in_a_league(tmp_path: Path) -> None:
    house = await keyed(tmp_path, (ROOT, ROOTS_MAIL), (OTHER,))
    try:
        await house.say("telegram:root", "league new Winter Cup")
        await house.say("telegram:root", "league close")
        await house.say("terminal:root2", "league second 1")
        assert (
            "somebody else" in house.last("terminal:root2").text.replace("\n", " ")
            or "own" in house.last("terminal:root2").text
        )
        assert house.store.read_now(lambda tx: [row.closed_ms for row in tx.all(League)]) == [0]
        await house.say("matrix:@other:hs", "league second 1")
        assert house.store.read_now(lambda tx: [row.closed_ms > 0 for row in tx.all(League)]) == [True]
    finally:
        await house.close()


def test_one_admin_is_one_entry_and_doctor_says_where_it_is_two(tmp_path: Path) -> None:
    path = tmp_path / "referee.toml"
    path.write_text(
        (
            '[store]\nurl = "sqlite:///%s/none.db"\n[referee]\nadmins = [["telegram:1", '
            '"mail:ana@x.test"], "matrix:@bob:hs"]\n'
        ).replace("%s", str(tmp_path)),
        encoding="utf-8",
    )
    config = load(path, {})
    assert config.referee.admin_addresses() == (
        ("telegram", "1"),
        ("mail", "ana@x.test"),
        ("matrix", "@bob:hs"),
    )
    assert config.referee.admin_entries() == (
        (("telegram", "1"), ("mail", "ana@x.test")),
        (("matrix", "@bob:hs"),),
    )
    assert list(admins.twice(config)) == []
    path.write_text(
        path.read_text(encoding="utf-8").replace('"matrix:@bob:hs"', '"matrix:@a.na:hs"'), encoding="utf-8"
    )
    assert [one.code for one in admins.twice(load(path, {}))] == ["admin-twice"]


async def test_doctor_knows_from_the_book_who_is_one(tmp_path: Path) -> None:
    house = await House(tmp_path / "referee.db").open()
    await house.say("telegram:1", "name Zoe")
    await house.say("matrix:@other:hs", "name Zoe")
    await house.close()
    path = tmp_path / "referee.toml"
    path.write_text(
        f'[store]\nurl = "sqlite:///{tmp_path}/referee.db"\n'
        '[referee]\nadmins = ["telegram:1", "matrix:@other:hs"]\n',
        encoding="utf-8",
    )
    assert [one.code for one in admins.twice(load(path, {}))] == ["admin-twice"]
