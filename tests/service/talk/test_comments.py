"""Comments on positions of a finished game: by those who played there, kept, bounded, and taken away."""

from __future__ import annotations

from typing import Any

import pytest

from referee.ports import Inbound, What
from referee.service.talk import comments
from referee.service.upkeep import retention
from referee.states import TablePage
from referee.store import Game, StepComment
from tests.service.joining import joined
from tests.service.once import once
from tests.service.playing import rows, running, table, to_the_end
from tests.service.rig import House
from tests.service.talking import ANA, BEA, CY, PEOPLE, heard

#: an hour after the game, so that nobody has said too much lately
HOUR = 3_600_000


async def ended(house: House, setting: str = "") -> int:
    """A finished game of the three."""

    async def play() -> int:
        game = await table(house, PEOPLE, command=f"new classic {setting}".strip())
        await to_the_end(house, game, PEOPLE)
        house.clock.pass_(hours=1)
        return game

    return await once(house, ("comments", setting), play)


def kept(house: House) -> list[str]:
    """The words of all comments."""
    return [one.text for one in rows(house, StepComment, order="id")]


async def test_a_comment_is_kept_and_told_to_the_others(house: House) -> None:
    game = await ended(house)
    await house.say(ANA, "comment 5: why not the <b>Palace</b>?")
    assert f"It stands below step 5 of game #{game} now." in house.last(ANA).text
    [row] = rows(house, StepComment)
    assert (row.game_id, row.seat, row.text) == (game, 0, "why not the <b>Palace</b>?")
    for who in (BEA, CY):
        assert heard(house, who, "Ana, of step 5: why not the <b>Palace</b>?") == 1
    await house.say(BEA, f"#{game} say at step 6: gold; end\n#99")
    assert kept(house)[-1] == "gold; end #99"
    assert heard(house, ANA, "gold; end #99") == 1


async def test_in_portuguese(house: House) -> None:
    game = await ended(house)
    for who in (ANA, BEA):
        await house.say(who, "language pt-br")
    await house.say(ANA, "comentar 5 bela jogada")
    assert f"no passo 5 da partida #{game}" in house.last(ANA).text
    assert heard(house, BEA, "Ana, sobre o passo 5: bela jogada") == 1
    number = rows(house, StepComment)[0].id
    await house.say(ANA, f"ocultar {number}")
    assert kept(house) == []


async def test_who_may_not_and_where_there_is_none(house: House) -> None:
    game = await table(house, PEOPLE)
    await house.say(ANA, f"#{game} comment 1 so far so good")
    assert "is still on" in house.last(ANA).text
    await to_the_end(house, game, PEOPLE)
    for text, answer in (
        (f"#{game} comment 9999 x", "and no step 9999"),
        (f"#{game} comment 5", "comment 5 well played"),
        ("#99 comment 5 x", "#99"),
    ):
        await house.say(ANA, text)
        assert answer in house.last(ANA).text
    await house.say("telegram:dan", f"#{game} comment 5 x")
    assert "You don't play" in house.last("telegram:dan").text or "seat" in house.last("telegram:dan").text
    assert kept(house) == []


async def test_a_table_without_talk_takes_none(house: House) -> None:
    game = await ended(house, "talk off")
    await house.say(ANA, f"#{game} comment 5 x")
    assert "That is not possible" in house.last(ANA).text
    assert kept(house) == []


async def test_a_game_takes_so_many_and_a_person_so_many_at_once(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await ended(house)
    for n in range(9):
        await house.say(ANA, f"comment 5 line {n}")
    assert "That is a lot of talk" in house.last(ANA).text
    assert len(kept(house)) == 8
    monkeypatch.setattr(comments, "MOST", 9)
    await house.say(BEA, "comment 5 one more")
    await house.say(BEA, "comment 5 and one more")
    assert "has 9 comments, and holds no more" in house.last(BEA).text
    assert len(kept(house)) == 9


async def test_long_after_the_end_it_is_kept_and_nobody_is_told(house: House) -> None:
    await ended(house)
    house.clock.pass_(hours=24 * 8)
    await house.say(ANA, "comment 5 found it")
    assert kept(house) == ["found it"]
    assert heard(house, BEA, "found it") == 0


async def test_nobody_is_told_who_muted_its_writer(house: House) -> None:
    game = await ended(house)
    await house.say(CY, f"mute Ana #{game}")
    await house.say(ANA, "comment 5 hello")
    assert (heard(house, BEA, "hello"), heard(house, CY, "hello")) == (1, 0)


async def test_what_took_a_comment_away_takes_no_later_one(house: House) -> None:
    """On SQLite the number of the last row is given again."""
    await ended(house)  # Ana opened it
    await house.say(BEA, "comment 5 a slip")
    [old] = (one.id for one in rows(house, StepComment))
    await house.say(BEA, f"hide {old}")
    await house.say(BEA, "comment 5 words")
    await house.say(ANA, f"hide {old}")  # by a page that she opened before
    assert f"There is no comment {old}." in house.last(ANA).text
    assert kept(house) == ["words"]


async def test_its_writer_or_who_is_in_charge_takes_it_away(house: House) -> None:
    game = await ended(house)  # Ana opened it
    for who in (BEA, BEA, CY):
        await house.say(who, "comment 5 words")
    first, second, third = (one.id for one in rows(house, StepComment, order="id"))
    await house.say(BEA, f"hide {third}")
    assert f"Comment {third} is not yours" in house.last(BEA).text
    await house.say("telegram:dan", f"hide {third}")
    assert f"Comment {third} is not yours" in house.last("telegram:dan").text
    for who, number in ((BEA, first), (ANA, second), (ANA, third)):
        await house.say(who, f"hide {number}")
        assert f"Comment {number} of game #{game} is gone." in house.last(who).text
    await house.say(ANA, f"hide {first}")
    assert f"There is no comment {first}." in house.last(ANA).text
    assert kept(house) == []


async def test_a_table_that_is_not_for_everybody_does_not_tell_that_it_has_comments(house: House) -> None:
    game = await ended(house)
    await house.say(BEA, "comment 5 words")
    [number] = (one.id for one in rows(house, StepComment))
    house.store.write_now(lambda tx: tx.set(Game, game, page=TablePage.PRIVATE))
    for who, answer in (
        ("telegram:dan", f"There is no comment {number}."),
        (CY, f"Comment {number} is not yours"),
    ):
        await house.say(who, f"hide {number}")
        assert answer in house.last(who).text
    assert kept(house) == ["words"]


async def test_it_goes_over_when_accounts_are_joined_and_back(house: House) -> None:
    await ended(house)
    await house.say(CY, "comment 5 mine")
    before = rows(house, StepComment)[0].person_id
    await joined(house, "telegram:other", CY)
    now = rows(house, StepComment)[0].person_id
    assert now != before
    await house.say("telegram:other", f"hide {rows(house, StepComment)[0].id}")
    assert kept(house) == []


async def test_retention_forgets_it_like_all_that_was_said(house: House) -> None:
    game = await ended(house)
    await house.say(ANA, "comment 5 old")
    house.clock.pass_(hours=48)
    await house.say(ANA, "comment 5 new")
    house.store.write_now(lambda tx: retention.tidy(tx, house.clock.at_ms))
    assert kept(house) == ["old", "new"]  # words that are forgotten are others
    house.store.write_now(lambda tx: retention.comments(tx, house.clock.at_ms - 24 * HOUR))
    assert kept(house) == ["new"]
    assert running(house, game).status == "over"


async def test_the_same_message_twice_is_one_comment(house: House) -> None:
    await ended(house)
    facts: dict[str, Any] = {
        "channel": "telegram",
        "key": "again",
        "address": "ana",
        "text": "comment 5 once",
        "what": What.MESSAGE,
    }
    for _ in range(2):
        await house.referee.reception.receive([Inbound(**facts)], channel="telegram")
        await house.settle()
    assert kept(house) == ["once"]
