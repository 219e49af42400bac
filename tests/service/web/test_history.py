"""The past of a table: each step shows what everybody could see then, whatever was taken back since."""

from __future__ import annotations

import asyncio
import json
import logging
import random
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee import rules
from referee.service.core import unit_of_work
from referee.service.play.replay import GameHistory, GameRows, unrolled, whole
from referee.service.tables.renaming import rename_seat
from referee.service.web.site.history import HistoryCache
from referee.store import Game, GameEvent, Journal, Seat, StepComment, Tx
from tests.service.playing import asked, event, greet, legal, ring, running, state, table, to_the_end
from tests.service.rig import House
from tests.service.web.site import Standing, standing, text_of

WHO = {"Ana": "telegram:ana", "Bea": "matrix:bea", "Cy": "telegram:cy"}


def rows(site: Standing, game: int) -> GameRows:
    return site.house.store.read_now(lambda tx: whole(tx, tx.get(Game, game)))


def now(site: Standing, game: int) -> dict[str, Any]:
    """The public view, as a room would be shown it; questions without their numbers."""
    return bare(rules.view(rules.load(json.loads(running(site.house, game).snapshot)), None))


def bare(view: Any) -> dict[str, Any]:
    seen: dict[str, Any] = json.loads(msgspec.json.encode(view))
    return {**seen, "waiting": [(one["seat"], one["kind"]) for one in seen["waiting"]]}


@pytest.mark.parametrize(
    ("command", "bots", "seed"), [("new classic", 0, 1), ("new deluxe random", 0, 2), ("new deluxe", 1, 3)]
)
async def test_the_past_is_what_everybody_saw(site: Standing, command: str, bots: int, seed: int) -> None:
    house = site.house
    game = await table(house, list(WHO.values()), bots=bots, command=command)
    seats = [seat.name for seat in house.store.read_now(lambda tx: tx.all(Seat, game_id=game, order="no"))]
    dice, seen, shelf = random.Random(seed), {}, HistoryCache()
    seen[running(house, game).event_no] = now(site, game)
    for n in range(150):
        if running(house, game).status != "running":
            break
        who = WHO[seats[asked(house, game)]]
        await house.say(who, f"#{game} {dice.choice(legal(house, game))}")
        seen[running(house, game).event_no] = now(site, game)
        if dice.random() < 0.25:
            await house.say(who, f"undo #{game}")
            seen[running(house, game).event_no] = now(site, game)
        if n in (70, 110):
            await house.say("telegram:boss", f"rewind 2 #{game}")
            for one in WHO.values():
                await house.say(one, f"vote yes #{game}")
            seen[running(house, game).event_no] = now(site, game)
        if n % 10 == 0:
            house.store.read_now(
                lambda tx: shelf.now(tx, tx.get(Game, game))
            )  # some of it now, the rest later: it must come to the same
    found = rows(site, game)
    names = {one.name for one in found.events}
    assert {"undone", "rewound"} <= names
    whole = GameHistory()
    whole.follow(found)
    going = house.store.read_now(lambda tx: shelf.now(tx, tx.get(Game, game)))
    assert [(s.round, s.view, [t.name for t in s.told]) for s in going.steps] == [
        (s.round, s.view, [t.name for t in s.told]) for s in whole.steps
    ]
    public = [one for one in found.events if one.to_seat is None]
    told = [one.name for step in whole.steps for one in step.told]
    assert told == [one.name for one in public]  # nothing is left out, nothing told twice, nothing private
    at, looked = -1, 0
    for step in whole.steps:
        at += len(step.told)
        upto = public[at].no
        assert step.view
        if upto in seen:
            looked += 1
            assert bare(step.view) == seen[upto], [one.name for one in step.told]
    assert looked > 60


async def test_what_went_back_for_a_forgiven_miss_and_a_deal_given_up(site: Standing) -> None:
    house = site.house
    people = list(WHO.values())[:2]
    game = await table(house, people, hours="24h no bank no quiet no nights no vacation restart")
    await house.say(people[asked(house, game)], legal(house, game)[0])
    house.clock.pass_(hours=30)
    await house.referee.scheduler.ring()
    await house.settle()
    assert running(house, game).status == "mustering"  # a miss in the first round
    page = await site.page(f"/t/{game}")
    assert "not ready yet" in text_of(page)
    assert (await site.get(f"/t/{game}/history"))[0] == 404
    assert (await site.get(f"/t/{game}/step/1"))[0] == 404
    for who in people:
        await house.say(who, f"ready #{game}")
    assert running(house, game).status == "running"
    await house.say(people[asked(house, game)], legal(house, game)[0])
    past = GameHistory()
    past.follow(rows(site, game))
    assert bare(past.steps[-1].view) == now(site, game)
    assert past.steps[0].told[0].name == "started"
    assert "Table #1, step 2<" in await site.page(f"/t/{game}/history")


async def test_plain_links_lead_through_all_of_it(site: Standing) -> None:
    house = site.house
    game = await table(house, ["telegram:ana", "matrix:bea"])
    dice = random.Random(2)
    for _ in range(30):
        await house.say(list(WHO.values())[asked(house, game)], dice.choice(legal(house, game)))
    page, seen = await site.page(f"/t/{game}/step/1"), 1
    assert "<span>First</span>" in page
    while 'rel="next"' in page:
        link = next(part for part in page.split('<a href="') if 'rel="next"' in part.split(">")[0]).split(
            '"'
        )[0]
        page, seen = await site.page(link), seen + 1
        assert len(page.encode()) < 100_000
        assert page.count('aria-current="step"') == 1
    last = seen
    assert last > 20
    assert "<span>Last</span>" in page
    assert text_of(await site.page(f"/t/{game}/history")) == text_of(page)
    for wrong in ("0", str(last + 1), "999999"):
        assert (await site.get(f"/t/{game}/step/{wrong}"))[0] == 404
    for wrong in ("0", "-1", "x", "1e1", "٣", "9" * 40, "1;2"):
        assert (await site.get(f"/t/{game}/history?step={wrong}"))[0] == 404
    assert "step 3<" in await site.page(f"/t/{game}/history?step=3")
    await house.say(list(WHO.values())[asked(house, game)], legal(house, game)[0])
    page = await site.page(f"/t/{game}/history")
    assert f"step {last + 1}<" in page or f"step {last}<" in page
    old = await site.page(f"/t/{game}/step/3")
    while running(house, game).round == 2:
        await house.say(list(WHO.values())[asked(house, game)], dice.choice(legal(house, game)))
    new = await site.page(f"/t/{game}/step/3")
    assert f'<span class="unseen">Round </span>{running(house, game).round}</a>' in new
    assert old != new
    await house.say(list(WHO.values())[asked(house, game)], dice.choice(legal(house, game)))
    again = await site.page(f"/t/{game}/step/3")
    ends = [int(re.findall(r'max="(\d+)"', one)[0]) for one in (old, new, again)]
    assert ends[0] < ends[1] < ends[2]  # the slider reaches what has happened since
    assert again.split('id="told"')[1] == new.split('id="told"')[1]  # and the past stays as it was
    await house.say("telegram:boss", f"rewind 1 #{game}")
    for one in list(WHO.values())[:2]:
        await house.say(one, f"vote yes #{game}")
    assert running(house, game).round == 1
    assert (await site.page(f"/t/{game}/step/3")).count('aria-current="step"') == 1
    assert "to the beginning of round 1" in await site.page(f"/t/{game}/history")


async def test_the_past_of_a_table_that_is_not_for_everybody_is_neither(site: Standing) -> None:
    game = await table(site.house, ["telegram:ana", "matrix:bea"])
    path = f"/t/{game}/step/1"
    assert (await site.get(path))[0] == 200
    site.house.store.write_now(lambda tx: tx.set(Game, game, page="private"))
    for hidden in (
        path,
        f"/t/{game}",
        f"/t/{game}/history",
        f"/t/{game}-{'a' * 16}/step/1",
        f"/t/{game}/record.txt",
    ):
        assert (await site.get(hidden))[0] == 404


async def test_a_journal_that_does_not_fit_is_told_without_tables(
    site: Standing, caplog: pytest.LogCaptureFixture
) -> None:
    house = site.house
    game = await table(house, ["telegram:ana", "matrix:bea"])
    await to_the_end(house, game, ["telegram:ana", "matrix:bea"])
    house.store.write_now(lambda tx: tx.change(Journal, {"game_id": game, "no": 9}, order="gold"))
    house.store.write_now(lambda tx: tx.change(Journal, {"game_id": game, "no": 10}, order="gold"))
    with caplog.at_level(logging.ERROR):
        page = await site.page(f"/t/{game}/history")
    assert "could not be made out" in page
    assert any("could not be played again" in one.message for one in caplog.records)
    assert "Final score" in await site.page(f"/t/{game}")


async def test_a_miss_that_was_forgiven_is_left_again_where_it_was_taken_back(tmp_path: Path) -> None:
    async with standing(tmp_path, breaker=True, admins=(("matrix", "@root:hs"),)) as site:
        house = site.house
        people = [[f"telegram:a{n}", f"terminal:b{n}"] for n in range(6)]
        games = [await table(house, pair, hours="24h no quiet no nights no vacation") for pair in people[:2]]
        shelf = HistoryCache()
        house.clock.pass_(hours=3)
        games += [await table(house, pair, hours="24h no quiet no nights no vacation") for pair in people[2:]]
        house.clock.pass_(hours=21.5)
        await house.referee.scheduler.ring()
        await house.settle()
        house.store.read_now(
            lambda tx: shelf.now(tx, tx.get(Game, games[0]))
        )  # looked at before it is forgiven
        other = asked(house, games[1])
        await house.say(people[1][other], legal(house, games[1])[0])
        house.clock.pass_(hours=3)
        await house.referee.scheduler.ring()
        await house.settle()
        for game, answers in ((games[0], True), (games[1], False)):
            row = house.store.read_now(
                lambda tx, game=game: tx.one(GameEvent, game_id=game, name="miss_forgiven")
            )
            assert json.loads(row.facts)["answer"] is answers
            for past in (
                unrolled(rows(site, game)),
                house.store.read_now(lambda tx, game=game: shelf.now(tx, tx.get(Game, game))),
            ):
                assert past.whole
                assert bare(past.steps[-1].view) == now(site, game)
                names = [one.name for step in past.steps for one in step.told]
                assert names.index("stand_in") < names.index("miss_forgiven")
                before = next(step for step in past.steps if "stand_in" in [one.name for one in step.told])
                assert not answers or bare(before.view) != now(site, game)


def ends_the_round(house: House, game: int) -> bool:
    """Whether nobody else is asked before the next round."""
    now = state(house, game)
    (ask,) = rules.asks(now)
    number = now.round
    while now.round == number:
        if [one.seat for one in rules.asks(now)] != [ask.seat]:
            return False
        now = rules.play(now, ask.seat, rules.asks(now)[0].moves[0]).state
    return True


async def test_a_miss_that_ended_a_round_is_left_again_when_it_was_forgiven(tmp_path: Path) -> None:
    async with standing(tmp_path, breaker=True) as site:
        house, hours = site.house, "24h no quiet no nights no vacation"
        people = [[f"telegram:a{n}", f"terminal:b{n}"] for n in range(5)]
        game = await table(house, people[0], hours=hours)
        while not ends_the_round(house, game):
            await house.say(people[0][asked(house, game)], legal(house, game)[0])
        assert state(house, game).round == 1
        before = now(site, game)
        house.clock.pass_(hours=3)
        for pair in people[1:]:
            await table(house, pair, hours=hours)
        house.clock.pass_(hours=21.5)
        await ring(house)
        assert state(house, game).round == 2
        house.clock.pass_(hours=3)
        await ring(house)
        assert event(house, game, "miss_forgiven")["answer"] is True
        past = unrolled(rows(site, game))
        assert past.whole
        assert bare(past.steps[-1].view) == now(site, game) == before


async def test_many_who_come_at_once_have_a_past_played_again_once(
    site: Standing, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await table(site.house, ["telegram:ana", "matrix:bea"])
    made = []
    monkeypatch.setattr(
        "referee.service.web.site.history.unrolled",
        lambda found, seat=None: made.append(found.game.id) or unrolled(found, seat),
    )
    answers = await asyncio.gather(*(site.get(f"/t/{game}/history") for _ in range(12)))
    assert {status for status, _, _ in answers} == {200}
    assert made == [game]


async def test_strangers_who_ask_for_many_games_leave_the_processor_to_others(site: Standing) -> None:
    game = await table(site.house, ["telegram:ana", "matrix:bea"])
    slept, hours = list[float](), iter([0.0, 1.0, 3.0, 3.5, 9.0, 13.0, 40.0, 40.0, 40.0])

    async def pause(seconds: float) -> None:
        slept.append(seconds)

    found, shelf = rows(site, game), HistoryCache(2, lambda: next(hours), pause)
    for seat in (None, 0, 1):
        await shelf.play_again(found, seat)
    # the first took two seconds, so the second waits until six have passed since; the second took four
    assert slept == [0.0, 3.0 + 3 * 2.0 - 3.5, 13.0 + 3 * 4.0 - 40.0]
    called = unit_of_work.names(found.seats)
    assert [shelf.known(game, seat, called) is None for seat in (None, 0, 1)] == [True, False, False]
    assert shelf.known(game, 0, ["Ana", "Another"]) is None
    await shelf.play_again(found, 0)
    assert len(slept) == 3  # known already


async def test_who_gave_up_a_name_has_it_in_no_step(site: Standing) -> None:
    house = site.house
    game = await table(house, ["telegram:ana", "matrix:bea"])
    await to_the_end(house, game, ["telegram:ana", "matrix:bea"])
    paths = [f"/t/{game}/history", *(f"/t/{game}/step/{step}" for step in range(1, 8))]
    for path in paths:
        assert "Bea" in await site.page(path)

    def rename(tx: Tx) -> None:
        seat = tx.one(Seat, game_id=game, no=1)
        rename_seat(house.referee.context.uow(tx), tx.get(Game, game), seat, "Somebody")

    house.store.write_now(rename)
    for path in paths:
        page = await site.page(path)
        assert "Bea" not in page
        assert "Somebody" in page


async def test_a_name_that_is_replaced_in_a_comment_is_shown_no_more(site: Standing) -> None:
    house = site.house
    people = ["telegram:ana", "matrix:bea", "telegram:zoe"]
    await greet(house, "telegram:zoe")
    await house.say("telegram:zoe", "name Zoe Quixano")
    game = await table(house, people)
    await to_the_end(house, game, people)
    await house.say("matrix:bea", f"#{game} comment 1 well played, Zoe Quixano!")
    assert "Zoe Quixano" in await site.page(f"/t/{game}/step/1")
    await house.say("telegram:zoe", "delete my account")
    await house.say("telegram:zoe", house.last("telegram:zoe").buttons[0][0].order)
    for _ in range(20):
        await house.settle()
        await house.referee.scheduler.tidy()
    [comment] = house.store.read_now(lambda tx: tx.column(StepComment, "text"))
    assert "Zoe" not in comment
    assert "Zoe" not in await site.page(f"/t/{game}/step/1")
