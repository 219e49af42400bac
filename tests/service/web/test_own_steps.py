"""A finished game from one's own seat, step by step: what that seat saw then, and nobody else may look."""

from __future__ import annotations

import json
import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest_asyncio

from referee import rules
from referee.service.play.replay import unrolled, whole
from referee.store import Address, Game, Seat
from tests.service.playing import asked, greedy, legal, running, table, to_the_end
from tests.service.web.running_site import Inn, lodging
from tests.service.web.site import text_of

PEOPLE = ["telegram:ana", "matrix:bea", "telegram:cy"]


@pytest_asyncio.fixture
async def inn(tmp_path: Path) -> AsyncIterator[Inn]:
    async with lodging(tmp_path) as one:
        yield one


def bare(view: Any) -> dict[str, Any]:
    """A view without the numbers of its questions."""
    seen: dict[str, Any] = json.loads(msgspec.json.encode(view))
    if "ask" in seen:
        seen["ask"].pop("number")
    return {**seen, "waiting": [(one["seat"], one["kind"]) for one in seen["waiting"]]}


async def test_each_step_shows_what_the_seat_saw_then(inn: Inn) -> None:
    """Also what was taken back since; and its steps are those of the page for everybody."""
    house = inn.house
    game = await table(house, PEOPLE, command="new deluxe")
    dice, seen = random.Random(4), dict[int, list[Any]]()

    def look() -> None:
        row = running(house, game)
        now = rules.load(json.loads(row.snapshot))
        seen[row.event_no] = [bare(rules.view(now, seat)) for seat in range(3)]

    look()
    for n in range(2000):
        if running(house, game).status != "running":
            break
        who = PEOPLE[asked(house, game)]
        await house.say(who, f"#{game} {greedy(house, game, n)}")
        look()
        if n < 60 and dice.random() < 0.2 and running(house, game).status == "running":
            await house.say(who, f"undo #{game}")
            look()
    rows = house.store.read_now(lambda tx: whole(tx, tx.get(Game, game)))
    everybody = unrolled(rows)
    for seat in range(3):
        past = unrolled(rows, seat)
        assert past.whole
        assert [step.last_no for step in past.steps] == [step.last_no for step in everybody.steps]
        own = [one for step in past.steps for one in step.told if one.own]
        assert len(own) == sum(one.to_seat == seat for one in rows.events)
        looked = 0
        for step in past.steps:
            if step.told[-1].no in seen:
                looked += 1
                assert bare(step.view) == seen[step.told[-1].no][seat]
        assert looked > 30
        picks = [one for step in past.steps for one in step.picks]
        assert len(picks) >= running(house, game).round
        assert all(one.name in one.left and len(one.left) > 1 for one in picks)


async def test_the_page_has_hand_and_draft_for_whom_the_seat_is_and_nobody_else(inn: Inn) -> None:
    house = inn.house
    game = await table(house, PEOPLE, command="new deluxe")
    ana, bea = await inn.signed_in(PEOPLE[0]), await inn.signed_in(PEOPLE[1])
    dan = await inn.signed_in("telegram:dan")
    for path in (f"/me/{game}/step/2", f"/me/{game}/history"):
        assert (await ana.get(path))[0] == 404  # while it is played
    assert "From my seat" not in await ana.page(f"/t/{game}/step/1")
    await to_the_end(house, game, PEOPLE)
    public = await ana.page(f"/t/{game}/step/2")
    assert f'href="/me/{game}/step/2">From my seat</a>' in public
    rows = house.store.read_now(lambda tx: whole(tx, tx.get(Game, game)))
    for no, guest in ((0, ana), (1, bea)):
        past = unrolled(rows, no)
        step = next(n for n, one in enumerate(past.steps, 1) if one.picks)
        page = await guest.page(f"/me/{game}/step/{step}")
        here = past.steps[step - 1]
        assert here.view
        assert here.view["hand"]
        text = text_of(page)
        for one in here.picks:
            assert f"you picked {one.name}" in text or f"you put {one.name}" in text
        assert page.count('<li class="held') == len(here.view["hand"])
        assert page.count('aria-current="step"') == 1
        assert f'href="/t/{game}/step/{step}" rel="bookmark"' in page
        told = text_of(page.split('id="told">')[1].join(("<main>", "</main>")))
        assert "You " in told
    last = len(unrolled(rows).steps)
    assert text_of(await ana.page(f"/me/{game}/history")) == text_of(
        await ana.page(f"/me/{game}/step/{last}")
    )
    assert f"step {last}," in await ana.page(f"/me/{game}/history?step={last}")
    for wrong in (f"step/{last + 1}", "step/999999", "history?step=999999"):
        assert (await ana.get(f"/me/{game}/{wrong}"))[0] == 404
    for wrong in ("step/0", "step/x", "step/-1", "step/9999999"):
        assert (await ana.get(f"/me/{game}/{wrong}"))[0] == 404
    assert (await dan.get(f"/me/{game}/step/2"))[0] == 404
    assert (await inn.guest().get(f"/me/{game}/step/2"))[0] == 403
    status, _, headers = await ana.get(f"/me/{game}/step/2")
    assert (status, headers["Cache-Control"]) == (200, "no-store")


async def test_who_has_the_seat_at_the_end_looks_from_it_and_who_left_it_does_not(inn: Inn) -> None:
    house = inn.house
    game = await table(house, PEOPLE)
    ana, cy = await inn.signed_in(PEOPLE[0]), await inn.signed_in(PEOPLE[2])
    for _ in range(8):
        await house.say(PEOPLE[asked(house, game)], legal(house, game)[0])
    dan = await inn.signed_in("telegram:dan")
    person = house.store.read_now(lambda tx: tx.all(Seat, game_id=game, order="no"))
    whom = next(one.person_id for one in person if one.name == "Ana")
    await to_the_end(house, game, PEOPLE)
    assert (await ana.get(f"/me/{game}/step/3"))[0] == 200
    mine = next(one for one in person if one.person_id == whom)
    row = await own_number(inn, "telegram:dan")
    house.store.write_now(lambda tx: tx.set(Seat, mine.id, person_id=row))
    assert (await ana.get(f"/me/{game}/step/3"))[0] == 404
    assert (await dan.get(f"/me/{game}/step/3"))[0] == 200
    assert (await cy.get(f"/me/{game}/step/3"))[0] == 200


async def own_number(inn: Inn, who: str) -> int:
    """The number of somebody's person."""
    channel, _, address = who.partition(":")
    row = inn.house.store.read_now(lambda tx: tx.one(Address, channel=channel, address=address))
    assert row is not None
    return int(row.person_id)
