"""`review`: the turns of a finished game that cost somebody most."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from referee.ids import MoveNo
from referee.png import png, there
from referee.search.search import Compared
from referee.search.thinking import Answer, Thought
from referee.service.core.settings import BotSettings
from referee.service.core.unit_of_work import StateCache
from referee.service.reviews import past, telling
from referee.service.reviews.commands import DAY_MOST
from referee.service.reviews.findings import Cost, CostlyTurn
from referee.store import Game, GameEvent, GameReview, Journal, Tx
from referee.text import Words
from referee.text.rendering import pictures
from tests.service.playing import running, table, to_the_end
from tests.service.reviews.conftest import Opened
from tests.service.reviews.judges import ANA, BEA, GAME, PEOPLE, Judge, instead, other, own, row, said
from tests.service.rig import House
from tests.service.upkeep.packed_games import packed


def turns_of(made: list[past.OwnDecision]) -> dict[tuple[int, bool], list[int]]:
    """The places of the decisions of each turn, and of each selection."""
    found: dict[tuple[int, bool], list[int]] = {}
    for n, one in enumerate(made):
        found.setdefault((one.round, one.picking), []).append(n)
    return found


def heading(turn: tuple[int, bool]) -> str:
    return f"Round {turn[0]}, {'as you picked' if turn[1] else 'your turn'}"


async def test_the_three_turns_that_cost_most_the_worst_first(house: House) -> None:
    made = own(house)
    turns = turns_of(made)
    first, second, third, fourth = [*turns][:4]
    costs = {turns[first][0]: (90, 86), turns[second][0]: (30, 27), turns[third][0]: (60, 30)}
    costs |= {turns[fourth][0]: (41, 29), turns[fourth][1]: (29, 24)}  # what one turn cost, taken together
    judge = Judge(house, costs)
    text = await said(house, ANA, f"review #{GAME}")
    assert "I am looking through your turns" in text
    told = [
        *(heading(third), f"https://x.test/t/{GAME}/step/{made[turns[third][0]].step}", "from 60 % to 30 %"),
        *(heading(fourth), "from 41 % to 24 %"),
        *(heading(first), "from 90 % to 86 %"),
    ]
    places = [text.index(one) for one in told]
    assert sorted(places[:1] + places[2:]) == places[:1] + places[2:], text
    assert heading(second) not in text, "three are told"
    assert "No other turn" not in text
    assert f"{len(made)} decisions were judged" in text
    assert [one.seed for one in judge.asked] == [f"review:{GAME}:{one.question}:0" for one in made]
    assert all(one.seat == 0 for one in judge.asked)


def test_a_turn_costs_no_more_than_there_was() -> None:
    """Both answers gave away more than half of what was left then, together more than the first chance."""
    other = Answer("end")
    turn = CostlyTurn([Cost(MoveNo(7), other, 500, 200), Cost(MoveNo(9), other, 600, 150)])
    assert (turn.before, turn.after, turn.lost) == (50, 5, pytest.approx(450))


async def test_the_answers_are_told_in_the_words_of_their_buttons(house: House) -> None:
    judge = Judge(house, {0: (55, 35)})
    text = await said(house, ANA, f"review #{GAME}")
    given, better = judge.asked[0].given, other(judge.asked[0])
    assert given is not None
    assert given.verb == better.verb == "pick"
    assert f"You chose {given.args[0]}; {better.args[0]} was better." in text
    assert "No other turn cost you 2 of 100 games or more." in text
    house.store.write_now(lambda tx: tx.drop(GameReview))
    await house.say(ANA, "language pt-br")
    Judge(house, {0: (55, 35)})
    text = await said(house, ANA, f"análise #{GAME}")
    assert "caiu de 55 % para 35 %" in text


async def test_what_cost_little_or_is_not_sure_is_not_told(house: House) -> None:
    judge = Judge(house, dict.fromkeys((0, 3), (50, 49)))
    assert "No turn cost you" in await said(house, ANA, f"review #{GAME}")
    assert judge.asked
    house.store.write_now(lambda tx: tx.drop(GameReview))

    async def unsure(thought: Thought) -> Compared:
        return Compared(other(thought), 0.6, 0.4, 0.11)

    instead(house.referee.bots.thinker, "compared", unsure)
    assert "No turn cost you" in await said(house, ANA, f"review #{GAME}")


async def test_asked_again_it_says_the_same_and_nobody_thinks_also_when_packed(house: House) -> None:
    judge = Judge(house, {0: (55, 35), 9: (40, 30)})
    await house.say(ANA, f"review #{GAME}")
    first, thoughts = house.last(ANA).text, len(judge.asked)
    await house.say(ANA, "review")
    assert house.last(ANA).text == first
    await packed(house)
    assert running(house, GAME).packed_ms
    assert await said(house, ANA, f"review #{GAME}") == first
    assert len(judge.asked) == thoughts
    assert "looking through" in await said(house, BEA, f"review #{GAME}"), "a packed game is looked through"
    assert "decisions were judged" in house.last(BEA).text
    assert {one.seat for one in judge.asked[thoughts:]} == {1}


async def test_by_the_button_below_the_result(tmp_path: Path) -> None:
    house = await House(tmp_path / "book.db").open()
    try:
        await to_the_end(house, await table(house, PEOPLE), PEOPLE)
        Judge(house, {0: (55, 35)})
        assert f"“review #{GAME}” tells you" in house.last(BEA).text
        await house.press(BEA, house.key(BEA, f"review #{GAME}"))
        assert "fell from 55 % to 35 %" in house.last(BEA).text
    finally:
        await house.close()


async def test_only_what_the_person_decided_who_sits_there_counts(house: House) -> None:
    made = own(house)

    def others(tx: Tx) -> None:
        """A caretaker answered once, and Ana took the seat over in the second round."""
        tx.change(Journal, {"game_id": GAME, "no": made[-1].no}, by="caretaker")
        [line] = tx.all(Journal, game_id=GAME, no=made[4].no)
        now = running(house, GAME)
        tx.add(
            GameEvent,
            game_id=GAME,
            no=now.event_no + 1,
            name="taken_over",
            facts='{"seat":0}',
            at_ms=line.at_ms,
        )
        tx.set(Game, GAME, event_no=now.event_no + 1)
        tx.change(Journal, {"game_id": GAME, "no": [one.no for one in made[:4]]}, at_ms=line.at_ms - 1)

    house.store.write_now(others)
    assert [one.no for one in own(house)] == [one.no for one in made[4:-1]]


async def test_what_can_be_asked_is_only_a_finished_game_of_ones_own(house: House) -> None:
    assert "no seat" in (await said(house, "telegram:eve", f"review #{GAME}")).lower()
    await house.say(ANA, f"/review #{GAME}", place="-100")
    assert "in private" in house.last("telegram:-100").text
    fresh = await table(house, PEOPLE)
    assert f"Game #{fresh} is not over" in await said(house, ANA, f"review #{fresh}")
    assert row(house) is None


async def test_one_at_a_time_and_six_within_a_day(house: House) -> None:
    def six(tx: Tx) -> None:
        """As if Ana had asked for five others today, and for one more now."""
        for n in range(DAY_MOST):
            known = tx.get(Game, GAME)
            assert known is not None
            other = tx.add(Game, creator_id=known.creator_id)
            tx.add(GameReview, game_id=other, seat=0, person_id=1, asked_ms=house.clock() - n, done_ms=n)

    house.store.write_now(six)
    judge = Judge(house, {})
    assert "I am still looking through game #2" in await said(house, ANA, f"review #{GAME}")
    house.store.write_now(lambda tx: tx.change(GameReview, {"done_ms": 0}, done_ms=1))
    assert "6 games for you within a day" in await said(house, ANA, f"review #{GAME}")
    assert not judge.asked
    house.clock.pass_(hours=24.1)
    assert "decisions were judged" in await said(house, ANA, f"review #{GAME}")


async def test_a_house_without_the_process_says_so(opened: Opened) -> None:
    house = await opened(bots=BotSettings(process=False))
    assert "There are no reviews here" in await said(house, ANA, f"review #{GAME}")


class InEnglish(NamedTuple):
    """Who reads."""

    words: Words
    now_ms: int
    states: StateCache = StateCache()
    language: str = "en"


async def test_the_pictures_show_what_the_player_saw_then(house: House) -> None:
    made = own(house)
    first = next(n for n, one in enumerate(made) if not one.picking)
    Judge(house, {first: (60, 30), 0: (50, 40)})
    await house.say(ANA, f"review #{GAME}")
    reader = InEnglish(house.referee.context.words, house.clock())

    def look(tx: Tx) -> telling.Told:
        game, known = tx.get(Game, GAME), tx.one(GameReview, game_id=GAME, seat=0)
        assert game is not None
        assert known is not None
        found = telling.told(reader, tx, game, known, "")
        [draw] = telling.drawings(reader, game, found)
        drawn = draw("light")
        assert [view["you"] for view in found.views] == [0, 0]
        assert drawn.svg.count("<svg ") == 3
        for card in found.views[0]["hand"]:
            assert card in drawn.svg
        alone = [
            pictures.seat_picture(reader.words, "en", "light", view, "#1", cast=found.cast)
            for view in found.views
        ]
        assert drawn.height == sum(one.height for one in alone)
        assert drawn.alt == " ".join(one.alt for one in alone)
        if there():
            assert png(drawn.svg, 1.0).startswith(b"\x89PNG")
        return found

    found = house.store.read_now(look)
    assert found.views[0]["ask"]["number"] == made[first].question
    assert [one["link"] for one in found.turns] == ["", ""], "where there are no pages"
