"""`hint`: what a strong player would answer, where it may be asked, and what others hear of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from referee.ids import GameId
from referee.service.bots import desk
from referee.service.bots.desk import BotDesk
from referee.service.core.settings import BotSettings
from referee.service.teaching import advice
from referee.store import Deadline, Game, GameEvent, Outbox, Person, Seat
from tests.service.playing import FLAT, asked, legal, running, table
from tests.service.rig import House

ANA, BEA = "telegram:ana", "telegram:bea"


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    one = await House(tmp_path / "book.db", bots=BotSettings(effort=0.1)).open()
    yield one
    await one.close()


async def advised(house: House, said: str = f"new classic 4 seats {FLAT} advice with 2 bots") -> GameId:
    await house.say(ANA, said)
    number = house.store.read_now(lambda tx: tx.all(Game, order="-id", limit=1))[0].id
    await house.say(BEA, f"join #{number}")
    for who in (ANA, BEA):
        await house.say(who, f"ready #{number}")
    assert running(house, number).status == "running"
    return number


def who_is_asked(house: House, game: GameId) -> str:
    return {0: ANA, 3: BEA}[asked(house, game)]


def told(house: House, game: GameId) -> list[str]:
    rows = house.store.read_now(lambda tx: tx.all(GameEvent, game_id=game, name="hinted"))
    return [one.facts for one in rows if one.to_seat is None]


async def test_a_hint_comes_from_the_search_in_words_of_the_buttons(house: House) -> None:
    await house.say(ANA, "learn")
    game = house.store.read_now(lambda tx: tx.all(Game))[0].id
    question = house.last(ANA)
    assert [one.order for row in question.buttons for one in row][-1] == "hint"
    labels = {one.label for row in question.buttons for one in row}
    await house.say(ANA, "hint")
    text = house.last(ANA).text
    assert text.startswith(("Most strong players would choose: ", "Strong players would choose: "))
    assert any(f": {label}" in text for label in labels), text
    assert " of 100 games" in text
    assert told(house, game) == ['{"seat":0}']
    await house.say(ANA, "hint")
    assert "already" in house.last(ANA).text
    await house.say(ANA, legal(house, game)[0])
    await house.say(ANA, "hint")
    assert len(told(house, game)) == 2


async def test_the_entry_below_a_question_asks_for_it_by_number_and_by_tap(house: House) -> None:
    await house.say(ANA, "learn")
    await house.say(ANA, str(house.last(ANA).buttons[-1][-1].number))
    assert "would choose:" in house.last(ANA).text
    await house.say(ANA, legal(house, GameId(1))[0])
    entry = house.last(ANA).buttons[-1][-1]
    assert entry.order == "hint"
    await house.press(ANA, entry.key)
    assert house.last(ANA).text.count("of 100 games") == 1


async def test_a_hint_that_breaks_keeps_no_table_waiting(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise KeyError("hint")

    with monkeypatch.context() as once:
        once.setattr(desk.hooks, "judged", broken)
        await house.say(ANA, "learn")
        await house.say(ANA, "hint")
    assert "a hint in game 1 broke" in caplog.text
    assert not house.store.read_now(lambda tx: tx.count(Deadline, kind="hinting", done_ms=0))
    await house.say(ANA, legal(house, GameId(1))[0])
    await house.say(ANA, "hint")
    assert "of 100 games" in house.last(ANA).text


async def test_a_table_that_allows_it_says_so_and_others_hear_that_there_was_one(house: House) -> None:
    game = await advised(house)
    assert "Hints may be asked for here" in await said(house, ANA, f"status #{game}")
    who = who_is_asked(house, game)
    other = BEA if who == ANA else ANA
    assert "when it is your turn" in await said(house, other, f"hint #{game}")
    before = len(house.wires["telegram"].sent)
    assert "of 100 games" in await said(house, who, f"hint #{game}")
    sent = house.wires["telegram"].sent[before:]
    assert not any("100 games" in one.text for one in sent if one.address == other.split(":")[1])
    assert f"{'Ana' if who == ANA else 'Bea'} was given a hint." in await said(
        house, other, f"history #{game}"
    )


async def test_a_hint_of_the_person_who_had_the_seat_before_is_none_of_theirs(house: House) -> None:
    game = await advised(house)
    who, seat, cy = who_is_asked(house, game), asked(house, game), "telegram:cy"
    await house.say(cy, "name Cy")
    assert "of 100 games" in await said(house, who, f"hint #{game}")
    assert "already" in await said(house, who, f"hint #{game}")
    newcomer = house.store.read_now(lambda tx: tx.all(Person, name="Cy"))[0]
    house.store.write_now(lambda tx: tx.change(Seat, {"game_id": game, "no": seat}, person_id=newcomer.id))
    assert "of 100 games" in await said(house, cy, f"hint #{game}")
    assert "already" in await said(house, cy, f"hint #{game}")


async def test_of_a_hint_that_nobody_is_given_any_more_nothing_is_told(house: House) -> None:
    """The seat changed hands while somebody thought: its new player had none."""
    game = await advised(house)
    who, seat, desk = who_is_asked(house, game), asked(house, game), house.referee.bots

    async def busy() -> int:
        return 0

    vars(desk)["round"] = busy
    await house.say("telegram:cy", "name Cy")
    await house.say(who, f"hint #{game}")
    newcomer = house.store.read_now(lambda tx: tx.all(Person, name="Cy"))[0]
    house.store.write_now(lambda tx: tx.change(Seat, {"game_id": game, "no": seat}, person_id=newcomer.id))
    del vars(desk)["round"]
    desk.wake()
    await house.settle()
    assert not house.store.read_now(lambda tx: tx.count(Deadline, kind=("hint", "hinting"), done_ms=0))
    assert told(house, game) == []


async def said(house: House, who: str, what: str) -> str:
    """All that somebody is sent when they have said that."""
    before = len(house.wires["telegram"].sent)
    await house.say(who, what)
    sent = house.wires["telegram"].sent[before:]
    return "\n".join(one.text for one in sent if one.address == who.split(":")[1])


async def test_what_a_table_was_opened_with_is_shown_while_it_gathers(house: House) -> None:
    assert "Hints may be asked for here" in await said(house, ANA, "new classic 4 advice")
    assert "Hints may be asked for here" not in await said(house, ANA, "new classic 4")


async def test_refused_where_the_table_has_none_and_in_every_league(house: House) -> None:
    game = await advised(house, f"new classic 4 seats {FLAT} with 2 bots")
    who = who_is_asked(house, game)
    assert "There are no hints" in await said(house, who, f"hint #{game}")
    for extra in ({"season": "1"}, {"league": {"name": "Cup", "no": 1}}):
        plain = running(house, game).settings
        house.store.write_now(
            lambda tx, extra=extra, plain=plain: tx.change(
                Game,
                {"id": game},
                settings='{"advice":1,' + str(extra).replace("'", '"')[1:-1] + "," + plain[1:],
            )
        )
        assert "counts for a league" in await said(house, who, f"hint #{game}")
        assert not advice.allowed(running(house, game))
        house.store.write_now(lambda tx, plain=plain: tx.change(Game, {"id": game}, settings=plain))
    assert not house.store.read_now(lambda tx: tx.all(Outbox, kind="hint"))


async def test_no_more_than_so_many_within_a_day(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advice, "DAY_MOST", 2)
    await house.say(ANA, "learn")
    for _ in range(2):
        await house.say(ANA, "hint")
        assert "of 100 games" in house.last(ANA).text
        await house.say(ANA, legal(house, GameId(1))[0])
    assert "2 hints within a day" in await said(house, ANA, "hint")
    house.clock.pass_(hours=24.1)
    assert "of 100 games" in await said(house, ANA, "hint")


@pytest.mark.parametrize("begin", ["raise SystemExit", "import time; time.sleep(0)"])
async def test_where_nobody_can_think_that_is_said_and_the_game_goes_on(house: House, begin: str) -> None:
    house.referee.bots.close()
    house.referee.bots = BotDesk(house.referee.context, begin)
    await house.say(ANA, "learn")
    assert "Nobody had time to think" in await said(house, ANA, "hint")
    assert told(house, GameId(1)) == []
    await house.say(ANA, legal(house, GameId(1))[0])
    assert running(house, GameId(1)).status == "running"


async def test_in_portuguese(house: House) -> None:
    await house.say(ANA, "language pt-br")
    await house.say(ANA, "aprender")
    text = await said(house, ANA, "dica")
    assert "de 100 partidas" in text
    assert "ogadores fortes" in text


async def test_who_plays_and_asks_how_is_told_and_opens_no_other_game(house: House) -> None:
    people = ["telegram:ana", "telegram:bea"]
    await table(house, people)
    for said, told in (
        ("how do I play?", "rank"),
        ("how do i play this game", "rank"),
        ("language pt-br", ""),
        ("como se joga?", "ranque"),
    ):
        await house.say(people[0], said)
        assert told in house.last(people[0]).text, said
        assert house.store.read_now(lambda tx: tx.count(Game)) == 1
    await house.say(people[0], "aprender")
    assert house.store.read_now(lambda tx: tx.count(Game)) == 2
