"""A full bot that plays for somebody who stays away: at the level that the house has chosen, which is told;
and whoever it is that stays away, its answers are the same.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from referee import rules
from referee.search import PLAYERS, Sight, player
from referee.service.core.settings import BotSettings
from referee.service.play import bot_turns, moves
from referee.store import Journal, Seat
from tests.rules.laws import NAMES, any_setup
from tests.seeds import covering
from tests.service.playing import event, running, table
from tests.service.rig import House

PEOPLE = ["telegram:ana", "matrix:@bea:hs"]


@pytest.mark.parametrize(
    ("level", "edition"), covering(["gentle", "steady", "greedy"], ["classic", "deluxe", "original"])
)
def test_the_answer_does_not_depend_on_who_is_away(level: str, edition: str) -> None:
    dice = Random(f"{level} {edition}")
    answers = 0
    for _ in range(3):
        state = rules.new_game(any_setup(edition, 5, dice), dice.randbytes(32)).state
        for _ in range(120):
            waiting = rules.asks(state)
            if not waiting:
                break
            no = waiting[0].seat
            done = [
                moves.let_the_clock(state, seats(no, who), no, "standin", level).steps for who in (7, 900)
            ]
            assert [step.order for step in done[0]] == [step.order for step in done[1]]
            answers += len(done[0])
            state = rules.play(state, no, PLAYERS["random"].choose(Sight(state, no), dice)).state
    assert answers > 300


def seats(away: int, who: int) -> list[Seat]:
    """A table where that person has the seat that is away, under the same name in the game."""
    return [
        Seat(
            id=no + who,
            game_id=4,
            no=no,
            name=name,
            person_id=who if no == away else 100 + no,
            channel="mail" if who == 7 else "telegram",
            misses=who,
            bot="",
        )
        for no, name in enumerate(NAMES[:5])
    ]


@pytest.mark.parametrize("level", ["gentle", "greedy"])
async def test_it_plays_at_the_level_of_the_house_and_says_so(tmp_path: Path, level: str) -> None:
    house = await House(tmp_path / "a.db", bots=BotSettings(stand_in=level)).open()
    await house.say(PEOPLE[1], "language pt_BR")
    game = await table(house, PEOPLE, bots=1, hours="live standin bot")
    for _ in range(40):
        if running(house, game).status != "running":
            break
        house.clock.pass_(hours=0.5)
        await house.referee.scheduler.ring()
        await house.settle()
    by = {one.by for one in house.store.read_now(lambda tx: tx.all(Journal, game_id=game))}
    assert "standin" in by
    assert event(house, game, "probation")["bot"] == level
    told = "\n".join(letter.text for letter in house.letters(PEOPLE[0]))
    assert f"from now on nobody waits, and a bot ({level}) plays" in told
    assert event(house, game, "stood_in")["bot"] == level
    told = "\n".join(letter.text for letter in house.letters(PEOPLE[1]))
    assert f"um robô ({'tranquilo' if level == 'gentle' else 'ganancioso'}) joga" in told
    await house.close()


@pytest.mark.parametrize("words", ["live standin bot", "live"])
@pytest.mark.parametrize("way", ["kicked", "departed"])
async def test_who_plays_in_an_empty_seat_is_told_with_the_level(
    tmp_path: Path, words: str, way: str
) -> None:
    bots, root = BotSettings(stand_in="strong"), ("terminal", "root")
    house = await House(tmp_path / "a.db", bots=bots, admins=(root,), admin_entries=((root,),)).open()
    game = await table(house, [*PEOPLE, "telegram:cid"], hours=words)
    if way == "kicked":
        await house.say("terminal:root", f"kick Bea #{game}")
    else:
        await house.say(PEOPLE[1], "delete my account")
        await house.say(PEOPLE[1], house.last(PEOPLE[1]).buttons[0][0].order)
    await house.say(PEOPLE[0], f"history #{game}")
    plays = "a bot (strong) plays until" if "bot" in words else "a stand-in plays until"
    assert ("bot" in event(house, game, way)) == ("bot" in words)
    assert plays in house.last(PEOPLE[0]).text
    await house.close()


def test_its_answer_is_the_levels_own() -> None:
    state = rules.new_game(rules.Setup("classic", NAMES[:4]), bytes([3]) * 32).state
    (ask,) = rules.asks(state)
    seat = seats(ask.seat, 7)[ask.seat]
    for level in ("gentle", "steady", "greedy"):
        sight = Sight(state, ask.seat)
        own = player(level).choose(sight, sight.dice(bot_turns.seed(seat, ask.number)))
        assert bot_turns.instead("standin", state, seat, ask, level) == own


def test_nobody_can_throw_its_dice_before_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """Game, question and seat are known to all; what a bot answers here anyone could else ask their own."""

    class Dice:
        def choose(self, sight: Sight, dice: Random) -> float:
            return dice.random()

    monkeypatch.setattr(bot_turns, "player", lambda level: Dice())
    thrown = []
    for number in (3, 3, 4):
        state = rules.new_game(rules.Setup("classic", NAMES[:4]), bytes([number]) * 32).state
        (ask,) = rules.asks(state)
        thrown.append(bot_turns.at_once(state, seats(1, 7)[1], ask._replace(number=1), "steady"))
    assert thrown[0] == thrown[1] != thrown[2]
