"""A newer referee brings rulings: running games keep their rules, but for a ruling that is meant for them;
then everybody there is told, once.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from itertools import count
from pathlib import Path

import pytest

from referee import rules
from referee.rules import Move, record, rulings
from referee.rules.rulings import Ruling
from referee.service.play.records import record_text
from referee.service.play.replay import GameHistory, GameRows, present_deal
from referee.service.play.rulings import RulesUpgrade
from referee.store import Alert, Game, GameEvent, Journal, Meta, Person, Seat, Tx, Undo
from referee.text import Words
from tests.rules.invented.made_rulings import RICHER, make
from tests.service import rig
from tests.service.finishing import finish, some
from tests.service.playing import asked, legal, running, state, table
from tests.service.rig import House

PEOPLE = ["telegram:ana", "matrix:@bea:hs", "terminal:cy"]
#: the real rulings, which the made ones follow
REAL = list(rulings.today())
OWN = Path(__file__).parents[2] / "rules" / "invented" / "rulings"
STARTS = count(1)
SENTENCE = "whoever is asked may not draw cards"


async def started(path: Path, monkeypatch: pytest.MonkeyPatch, *made: Ruling) -> House:
    """The referee is stopped and a newer one started, with these rulings."""
    make(monkeypatch, *made)
    monkeypatch.setattr(rig, "Words", lambda own: Words([OWN]))
    one = await House(path).open()
    one._n = count(1000 + 1000 * next(STARTS))  # no message has the key of one of before
    return one


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    one = await House(tmp_path / "referee.db").open()
    yield one
    await one.store.close()  # the newer one has its own, the older one is closed by then


async def to_a_turn(house: House, game: int) -> None:
    """Play until somebody is to gather."""
    while Move("gold") not in rules.asks(state(house, game))[0].moves:
        await some(house, game, 1)


def said(house: House, who: str) -> int:
    """How often somebody was told what the ruling is."""
    return sum(letter.text.count(SENTENCE) for letter in house.letters(who))


def rows(tx: Tx, game: int) -> GameRows:
    """What a page of history is made from."""
    found = tx.get(Game, game)
    assert found is not None
    return present_deal(
        GameRows(found, *(tx.all(kind, game_id=game, order="no") for kind in (Seat, Journal, GameEvent)))
    )


def events(house: House, game: int) -> int:
    return house.store.read_now(lambda tx: tx.count(GameEvent, game_id=game, name="ruling"))


async def test_a_running_game_keeps_its_rules_and_a_new_one_has_the_new(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await table(house, PEOPLE)
    await to_a_turn(house, game)
    await house.close()
    new = await started(house.path, monkeypatch, RICHER)
    assert await new.referee.rulings.once() == 0
    seat = asked(new, game)
    before = state(new, game).players[seat].gold
    await new.say(PEOPLE[seat], f"#{game} gold")
    assert state(new, game).players[seat].gold == before + 2
    fresh = await table(new, PEOPLE)
    assert json.loads(running(new, fresh).settings)["rulings"] == [*REAL, 946]
    assert state(new, fresh).holds(946)
    assert not state(new, game).holds(946)
    for number in (game, fresh):
        await finish(new, number)
        text = new.store.read_now(lambda tx, number=number: record_text(tx, number))
        assert record.verify(text).replayed
        assert (f"rulings: {json.dumps([*REAL, 946])}" in text) == (number == fresh)
    assert sum(said(new, who) for who in PEOPLE) == 0
    await new.close()


async def test_a_ruling_for_running_games_comes_to_them_and_all_are_told_once(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await house.say("telegram:ana", "hello", place="-100")
    game = await table(house, PEOPLE)
    await house.say("telegram:ana", f"/watch #{game}", place="-100")
    over = await table(house, PEOPLE[:2])
    await finish(house, over)
    await to_a_turn(house, game)
    await house.say("terminal:cy", f"#{game} notify off")
    ended = running(house, over).snapshot
    asked_before = running(house, game).question
    await house.close()

    new = await started(house.path, monkeypatch)
    assert await new.referee.rulings.once() == 1
    await new.settle()
    assert [said(new, who) for who in PEOPLE] == [1, 1, 1]
    assert said(new, "telegram:-100") == 1
    assert events(new, game) == 1
    assert running(new, over).snapshot == ended
    assert running(new, game).question == asked_before + 1
    assert "cards" not in legal(new, game)
    assert "Draw 2 cards" not in new.last(PEOPLE[asked(new, game)]).text
    seat = asked(new, game)
    await new.say(PEOPLE[seat], f"#{game} cards")
    assert running(new, game).question == asked_before + 1
    before = state(new, game).players[seat].gold
    await new.say(PEOPLE[seat], f"#{game} gold")
    assert state(new, game).players[seat].gold == before + 2, "the ruling for new games is not for this one"

    assert await new.referee.rulings.once() == 0
    await new.close()
    again = await started(house.path, monkeypatch)
    assert await again.referee.rulings.once() == 0
    await again.settle()
    assert [said(again, who) for who in PEOPLE] == [0, 0, 0]
    await finish(again, game)
    text = again.store.read_now(lambda tx: record_text(tx, game))
    assert text.count("ruling: 947 from question ") == 1
    assert record.verify(text).replayed
    assert again.store.read_now(lambda tx: tx.all(Alert)) == []
    await again.close()


async def test_killed_half_way_everybody_is_told_once_all_the_same(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [await table(house, PEOPLE) for _ in range(3)]
    await house.close()
    new = await started(house.path, monkeypatch)
    brought, broken = 0, RulesUpgrade._one

    async def killed(self: RulesUpgrade, number: int) -> bool:
        nonlocal brought
        if brought == 2:
            raise SystemExit
        brought += 1
        return await broken(self, number)

    with monkeypatch.context() as patched:
        patched.setattr(RulesUpgrade, "_one", killed)
        with pytest.raises(SystemExit):
            await new.referee.rulings.once()
    assert [events(new, game) for game in games] == [1, 1, 0]
    assert new.store.read_now(lambda tx: tx.get(Meta, "rulings")) is None
    await new.store.close()  # letters that were not sent yet wait in the book
    again = await started(house.path, monkeypatch)
    assert await again.referee.rulings.once() == 1
    await again.settle()
    assert [events(again, game) for game in games] == [1, 1, 1]
    for who in PEOPLE:
        assert [letter.text.count(SENTENCE) for letter in again.letters(who) if SENTENCE in letter.text] == [
            1,
            1,
            1,
        ]
    await again.close()


@pytest.mark.whole_games
async def test_an_order_of_before_is_not_taken_back_and_going_back_keeps_the_ruling(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await table(house, PEOPLE)
    while running(house, game).round < 3:
        await some(house, game, 1)
    await to_a_turn(house, game)
    await house.say(PEOPLE[asked(house, game)], "gold")
    assert house.store.read_now(lambda tx: tx.count(Undo, game_id=game)) == 1
    await house.close()
    new = await started(house.path, monkeypatch)
    await new.referee.rulings.once()
    await new.settle()
    who, moves = PEOPLE[asked(new, game)], running(new, game).move_no
    await new.say(who, "undo")
    assert running(new, game).move_no == moves
    assert new.store.read_now(lambda tx: tx.count(Journal, game_id=game, undone=1)) == 0
    await some(new, game, 30)
    await new.say(PEOPLE[0], f"rewind #{game} 2")
    for one in PEOPLE[1:]:
        await new.say(one, f"vote yes #{game}")
    assert running(new, game).round == 2
    assert state(new, game).holds(947), "what was played before it is played again under it"
    await some(new, game, 10)
    text = new.store.read_now(lambda tx: record_text(tx, game))
    assert text.count("ruling: 947 from question ") == 1
    past = GameHistory()
    past.follow(new.store.read_now(lambda tx: rows(tx, game)))
    assert past.whole
    assert any(one.name == "ruling" for step in past.steps for one in step.told)
    await finish(new, game)
    assert record.verify(new.store.read_now(lambda tx: record_text(tx, game))).replayed
    await new.close()


async def test_a_frozen_game_gets_it_when_it_goes_on_and_a_new_deal_is_under_all(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    from referee.service.admin import repair

    frozen, first = (
        await table(house, PEOPLE),
        await table(house, PEOPLE, hours="24h restart no quiet no nights no vacation"),
    )
    house.store.write_now(lambda tx: tx.set(Game, frozen, status="frozen"))
    await house.close()
    new = await started(house.path, monkeypatch)
    assert await new.referee.rulings.once() == 1
    assert events(new, frozen) == 0

    def thaw(tx: Tx) -> bool:
        return repair.thaw(new.referee.rulings._sit(tx), frozen)

    assert new.store.write_now(thaw)
    await new.settle()
    assert (events(new, frozen), state(new, frozen).holds(947)) == (1, True)
    assert running(new, frozen).status == "running"
    new.clock.pass_(hours=30)
    await new.referee.scheduler.ring()
    await new.settle()
    assert running(new, first).status == "mustering"
    for who in PEOPLE:
        await new.say(who, f"ready #{first}")
    settings = json.loads(running(new, first).settings)
    assert (settings["rulings"], "ruled" in settings) == ([*REAL, 946, 947], False)
    assert record.verify(new.store.read_now(lambda tx: record_text(tx, first))).record.setup.rulings == (
        *REAL,
        946,
        947,
    )
    await new.close()


async def test_a_ruling_that_breaks_a_game_leaves_it_as_it_was(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [await table(house, PEOPLE) for _ in range(2)]
    await house.close()
    new = await started(house.path, monkeypatch)
    ruled, before = rules.ruled, running(new, games[0])

    def breaks(now: rules.State, number: int) -> rules.Outcome:
        if now.seed == state(new, games[0]).seed:
            raise LookupError("not in this position")
        return ruled(now, number)

    with monkeypatch.context() as patched:
        patched.setattr(rules, "ruled", breaks)
        assert await new.referee.rulings.once() == 1
    await new.settle()
    assert running(new, games[0]) == before
    assert [events(new, game) for game in games] == [0, 1]
    assert [row.code for row in new.store.read_now(lambda tx: tx.all(Alert))] == ["ruling-broke"]
    await some(new, games[0], 5)
    await new.close()


async def test_every_ruling_for_running_games_has_its_sentence(house: House) -> None:
    words = Words(())
    for one in rulings.RULINGS:
        if one.running:
            assert f"ruling-{one.number}" in words.codes("en", "notices"), (
                f"what players are told: ruling-{one.number} in templates/en/phrases.toml, [notices]"
            )
    assert house.store.read_now(lambda tx: tx.count(Person)) == 0
