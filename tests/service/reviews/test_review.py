"""`review`: the turns of a finished game that cost somebody most."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from referee import rules
from referee.ids import GameId
from referee.rules import Move
from referee.search.search import Compared
from referee.search.thinking import Thought
from referee.service.bots.desk import BotDesk
from referee.service.bots.thinker import NoThought
from referee.service.core.settings import BotSettings
from referee.service.core.unit_of_work import StateCache
from referee.service.reviews import past, telling
from referee.service.reviews.commands import DAY_MOST
from referee.store import Deadline, Game, GameEvent, GameReview, Journal, Tx
from referee.text import Words
from tests import books
from tests.service.playing import ring, running, table, to_the_end
from tests.service.rig import Clock, House
from tests.service.upkeep.packed_games import DAYS, packed

ANA, BEA = "telegram:ana", "matrix:@bea:hs"
PEOPLE = [ANA, BEA]
GAME = GameId(1)
#: what a decision cost, by its place among the person's own: how many of a hundred games before and after
Costs = dict[int, tuple[int, int]]


class Judge:
    """Judges instead of the search, by a list of what each decision cost; remembers what it was asked."""

    def __init__(self, house: House, costs: Costs) -> None:
        self.costs, self.asked, self.tired = costs, list[Thought](), set[int]()
        instead(house.referee.bots.thinker, "compared", self.compared)

    async def compared(self, thought: Thought) -> Compared:
        place = len(self.asked)
        self.asked.append(thought)
        if place in self.tired:
            raise NoThought("cpu")
        assert thought.given is not None
        better, given = self.costs.get(place, (50, 50))
        return Compared(other(thought), better / 100, given / 100, 0.001)


def other(thought: Thought) -> Move:
    """An answer that was not given."""
    assert thought.given is not None
    asks = rules.asks(rules.load(msgspec.json.decode(thought.position)))
    moves = next(one.moves for one in asks if one.seat == thought.seat)
    return next((one for one in moves if one != thought.given.move), moves[0])


Opened = Callable[..., Awaitable[House]]
#: the book of a finished game, and its hour: it is played once
_KEPT: list[tuple[bytes, int]] = []


@pytest.fixture
async def opened(tmp_path: Path) -> AsyncIterator[Opened]:
    """Opens a house in which Ana and Bea have played game #1 to its end."""
    houses: list[House] = []
    path = tmp_path / "book.db"

    async def open_(**settings: Any) -> House:
        usual: dict[str, Any] = {"pack_days": DAYS, "base_url": "https://x.test", **settings}
        if not houses and _KEPT and not books.ON_POSTGRES:
            path.write_bytes(_KEPT[0][0])
        elif not houses:
            houses.append(await House(path, **usual).open())
            await to_the_end(houses[0], await table(houses[0], PEOPLE), PEOPLE)
            await houses[0].close()
            if not books.ON_POSTGRES:
                _KEPT.append((path.read_bytes(), houses[0].clock()))
        clock = houses[-1].clock if houses else Clock(_KEPT[0][1])
        houses.append(await House(path, clock, **usual).open())
        houses[-1]._n = count(1000)  # its messages are others than those of the house before
        return houses[-1]

    yield open_
    await houses[-1].close()


def instead(thing: object, name: str, by: object) -> None:
    vars(thing)[name] = by


@pytest.fixture
async def house(opened: Opened) -> House:
    return await opened()


def own(house: House, seat: int = 0) -> list[past.OwnDecision]:
    def look(tx: Tx) -> list[past.OwnDecision]:
        game = tx.get(Game, GAME)
        assert game is not None
        return past.decisions(tx, StateCache(), house.clock(), game, seat)

    return house.store.read_now(look)


def row(house: House) -> GameReview | None:
    found = house.store.read_now(lambda tx: tx.all(GameReview, order="id"))
    return found[0] if found else None


async def said(house: House, who: str, what: str) -> str:
    """All that somebody is sent when they have said that."""
    before = len(house.letters(who))
    await house.say(who, what)
    return "\n".join(one.text for one in house.letters(who)[before:])


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
    costs |= {turns[fourth][0]: (41, 29), turns[fourth][1]: (29, 24)}  # what one turn cost is added up
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


async def test_a_restart_goes_on_where_it_was(house: House) -> None:
    made = own(house)
    judge = Judge(house, {0: (55, 35), 5: (60, 20)})
    whole, reached = judge.compared, asyncio.Event()

    async def stuck(thought: Thought) -> Compared:
        if len(judge.asked) == 4:
            reached.set()
            await asyncio.Event().wait()
        return await whole(thought)

    instead(house.referee.bots.thinker, "compared", stuck)
    saying = asyncio.create_task(house.say(ANA, f"review #{GAME}"))
    await asyncio.wait_for(reached.wait(), 20)
    saying.cancel()
    review = row(house)
    assert review is not None
    assert review.upto == made[3].no
    [held] = house.store.read_now(lambda tx: tx.all(Deadline, game_id=GAME, done_ms=0))
    assert held.kind == "reviewing"
    house.referee.bots = BotDesk(house.referee.context)
    instead(house.referee.bots.thinker, "compared", whole)
    await house.settle()
    assert [one.seed for one in judge.asked] == [f"review:{GAME}:{one.question}:0" for one in made]
    told = [one for one in house.letters(ANA) if "decisions were judged" in one.text]
    assert len(told) == 1
    assert f"{len(made)} decisions were judged" in told[0].text
    await house.settle()
    assert len([one for one in house.letters(ANA) if "were judged" in one.text]) == 1


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


async def test_what_nobody_can_judge_is_left_out_and_too_much_of_that_ends_it(house: House) -> None:
    judge = Judge(house, {3: (60, 30)})
    judge.tired = {0, 1}
    text = await said(house, ANA, f"review #{GAME}")
    assert f"{len(own(house)) - 2} decisions were judged" in text
    assert "from 60 % to 30 %" in text
    judge = Judge(house, {})
    judge.tired = {4, 5, 6}
    assert "Nobody had time to look through your turns" in await said(house, BEA, f"review #{GAME}")
    assert len(judge.asked) == 7
    assert "decisions were judged" in await said(house, BEA, f"review #{GAME}"), "asked for once more"


async def test_what_waits_is_not_forgotten_and_ends_after_a_day(house: House) -> None:
    instead(house.referee.bots, "round", _nothing)
    assert "I am looking" in await said(house, ANA, f"review #{GAME}")
    for _ in range(3):
        house.clock.pass_(hours=0.2)
        assert await ring(house) == 1
        [waits] = house.store.read_now(lambda tx: tx.all(Deadline, game_id=GAME, done_ms=0))
        assert waits.kind == "review"
    house.clock.pass_(hours=24)
    before = len(house.letters(ANA))
    await ring(house)
    assert "Nobody had time" in house.letters(ANA)[before].text
    assert row(house) is None
    assert not house.store.read_now(lambda tx: tx.all(Deadline, game_id=GAME, done_ms=0))


async def _nothing() -> int:
    return 0


async def test_hints_come_first_then_bots_then_reviews(house: House) -> None:
    def wait(tx: Tx) -> None:
        for kind in ("review", "think", "review", "hint", "think"):
            tx.add(Deadline, game_id=GAME, seat=0, question=1, kind=kind, due_ms=house.clock())

    house.store.write_now(wait)
    desk, taken = house.referee.bots, list[str]()

    def note(tx: Tx, waiting: Deadline) -> None:
        taken.append(waiting.kind)
        tx.set(Deadline, waiting.id, done_ms=1)

    instead(desk, "_taken", note)
    await desk.round()
    assert taken == ["hint", "think", "think", "review", "review"]


async def test_whose_account_is_gone_is_told_nothing(house: House) -> None:
    judge = Judge(house, {})
    whole = judge.compared

    async def gone(thought: Thought) -> Compared:
        await house.store.write(lambda tx: tx.drop(GameReview))
        return await whole(thought)

    instead(house.referee.bots.thinker, "compared", gone)
    assert "were judged" not in await said(house, ANA, f"review #{GAME}")
    assert len(judge.asked) == 1
    assert not house.store.read_now(lambda tx: tx.all(Deadline, game_id=GAME, done_ms=0))


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
        drawn = [draw("light").svg for draw in telling.drawings(reader, game, found)]
        assert [len(found.views), len(drawn)] == [2, 2]
        assert [view["you"] for view in found.views] == [0, 0]
        for card in found.views[0]["hand"]:
            assert card in drawn[0]
        return found

    found = house.store.read_now(look)
    assert found.views[0]["ask"]["number"] == made[first].question
    assert [one["link"] for one in found.turns] == ["", ""], "where there are no pages"
