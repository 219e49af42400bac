"""Open pages hear of it when what they show has changed: they, and nobody else; and what they show tells no
secret.
"""

from __future__ import annotations

import asyncio
import json
import logging
import random
import re
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from html import unescape
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from adapters.web import event_streams
from referee import rules
from referee.ids import SessionId
from referee.service.core.unit_of_work import StateCache, encoded
from referee.service.web import live
from referee.service.web.fingerprint import Audience, mark
from referee.service.web.own import picture, tables
from referee.service.web.own import seat as seat_page
from referee.service.web.site.page_cache import PageContext
from referee.store import Game, Person, Seat, Tx, WebSession
from referee.text import Words
from tests.service.hidden_cards import Behind, hidden
from tests.service.playing import asked, legal, running, table
from tests.service.rig import House
from tests.service.web.running_site import Guest, Inn, lodging

ANA, BEA, CY = "telegram:ana", "matrix:bea", "terminal:cy"
PEOPLE = [ANA, BEA, CY]
SOON, NEVER = 30.0, 0.3


@pytest.fixture
async def inn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Inn]:
    monkeypatch.setattr(live, "_GATHER", 0.01)
    async with lodging(tmp_path) as one:
        yield one


class Ear:
    """A stream, read event by event."""

    def __init__(self, answer: aiohttp.ClientResponse) -> None:
        self._answer = answer

    async def event(self, patience: float = SOON) -> str | None:
        """The next mark; None where there is none for so long."""
        try:
            async with asyncio.timeout(patience):
                while True:
                    line = (await self._answer.content.readline()).decode()
                    if not line:
                        raise EOFError
                    if line.startswith("data: "):
                        return line[6:].strip()
        except TimeoutError:
            return None


@asynccontextmanager
async def listening(guest: Guest, path: str) -> AsyncIterator[Ear]:
    async with guest.session.get(path) as answer:
        assert answer.status == 200
        assert answer.headers["Content-Type"].startswith("text/event-stream")
        assert answer.headers["Cache-Control"] == "no-store"
        yield Ear(answer)


async def stream_of(guest: Guest, page: str) -> str:
    """The stream that a page listens to."""
    return unescape(re.findall(r'data-live="([^"]+)"', await guest.page(page))[0])


async def test_a_page_hears_that_somebody_else_has_played(inn: Inn) -> None:
    house = inn.house
    game = await table(house, PEOPLE)
    who = asked(house, game)
    guest = await inn.signed_in(PEOPLE[(who + 1) % 3])
    async with (
        listening(guest, await stream_of(guest, f"/me/{game}")) as own,
        listening(inn.guest(), await stream_of(inn.guest(), f"/t/{game}")) as public,
    ):
        assert await own.event(NEVER) is None
        await house.say(PEOPLE[who], legal(house, game)[0])
        mine, everybodys = await own.event(), await public.event()
        assert mine
        assert everybodys
        assert mine != everybodys
        assert await own.event(NEVER) is None
    async with listening(guest, await stream_of(guest, f"/me/{game}")) as own:
        assert await own.event(NEVER) is None  # the page is as new as the stream


async def test_what_happened_between_page_and_stream_is_told_at_once(inn: Inn) -> None:
    house = inn.house
    game = await table(house, PEOPLE)
    stream = await stream_of(inn.guest(), f"/t/{game}")
    await house.say(PEOPLE[asked(house, game)], legal(house, game)[0])
    async with listening(inn.guest(), stream) as public:
        assert await public.event()


async def test_a_plan_moves_ones_own_pages_only(inn: Inn) -> None:
    """Filed in chat: the page of that seat shows it, and no other page so much as stirs."""
    house = inn.house
    game = await table(house, PEOPLE)
    one, other = await inn.signed_in(BEA), await inn.signed_in(CY)
    async with (
        listening(one, await stream_of(one, f"/me/{game}")) as mine,
        listening(other, await stream_of(other, f"/me/{game}")) as theirs,
        listening(inn.guest(), await stream_of(inn.guest(), f"/t/{game}")) as public,
    ):
        for words in (
            f"#{game} always prefer King, Bishop",
            f"#{game} notify turns",
            f"#{game} status",
            f"#{game} mute Ana",
        ):
            await house.say(BEA, words)
        assert await mine.event()
        assert await theirs.event(NEVER) is None
        assert await public.event(0.1) is None


async def test_hours_that_players_tell_each_other_move_no_page_for_everybody(inn: Inn) -> None:
    """They are the table's own business, and so is when one told them."""
    house = inn.house
    game = await table(house, [ANA, BEA])

    def everybody() -> str | None:
        return house.store.read_now(lambda tx: mark(tx, StateCache(), Audience(game)))

    before = everybody()
    for said in ("hours Sat 18-22", "hours Sun 10-12", "hours off"):
        await house.say(ANA, f"{said} #{game}")
        assert '"live"' in running(house, game).settings
        assert everybody() == before, said


async def test_a_stream_tells_exactly_what_has_changed(inn: Inn) -> None:
    """Nothing while the view stands, and the newest mark when it does not."""
    house = inn.house
    game, dice = await table(house, PEOPLE), random.Random(3)
    watcher = inn.guest()
    async with listening(watcher, await stream_of(watcher, f"/t/{game}")) as public:
        for _ in range(25):
            before = house.store.read_now(lambda tx: mark(tx, StateCache(), Audience(game)))
            await house.say(PEOPLE[asked(house, game)], dice.choice(legal(house, game)))
            after = house.store.read_now(lambda tx: mark(tx, StateCache(), Audience(game)))
            assert before != after
            assert await public.event() == after
            await house.say(PEOPLE[asked(house, game)], "what is this")
        assert await public.event(0.2) is None


async def test_the_number_of_a_question_is_for_whoever_answers_it(inn: Inn) -> None:
    house = inn.house
    game = await table(house, PEOPLE)
    seats = house.store.read_now(lambda tx: tx.all(Seat, game_id=game, order="no"))
    row = running(house, game)
    other = encoded(rules.asked_anew(rules.load(json.loads(row.snapshot)), row.question + 1))

    def marks(audience: Audience) -> set[str | None]:
        return {
            house.store.read_now(
                lambda tx, snapshot=snapshot: mark(Behind(tx, game, snapshot), StateCache(), audience)
            )
            for snapshot in (row.snapshot, other)
        }  # type: ignore[misc]  # mypy does not know a lambda's default

    assert len(marks(Audience(game))) == 1
    assert len(marks(Audience(game, 0, int(seats[0].person_id or 0)))) == 2


async def test_many_hear_it_and_the_house_is_looked_at_once(
    inn: Inn, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = inn.house
    game = await table(house, PEOPLE)
    monkeypatch.setattr(event_streams, "MOST_EACH", 200)
    path, guest = await stream_of(inn.guest(), f"/t/{game}"), inn.guest()
    looked, real = [], live.mark
    guest.session._connector._limit = 0  # type: ignore[union-attr]  # as many at once as we like
    answers = await asyncio.gather(*(guest.session.get(path) for _ in range(120)))
    assert house.referee.live.listeners == 120
    monkeypatch.setattr(live, "mark", lambda *given: looked.append(1) or real(*given))  # type: ignore[func-returns-value]  # append is for what it does
    await house.say(PEOPLE[asked(house, game)], legal(house, game)[0])
    heard = await asyncio.gather(*(Ear(answer).event() for answer in answers))
    assert len(set(heard)) == 1
    assert heard[0]
    assert len(looked) <= 3
    began = time.monotonic()
    await inn.door.stop()
    assert time.monotonic() - began < 2
    for answer in answers:
        with pytest.raises(EOFError):
            await Ear(answer).event()
        answer.close()
    assert house.referee.live.listeners == 0


async def test_one_caller_has_so_many_streams(inn: Inn) -> None:
    game = await table(inn.house, PEOPLE)
    path, guest = await stream_of(inn.guest(), f"/t/{game}"), inn.guest()
    answers = [await guest.session.get(path) for _ in range(event_streams.MOST_EACH)]
    assert {answer.status for answer in answers} == {200}
    assert (await guest.get(path))[0] == 429
    for answer in answers:
        answer.close()
    async with asyncio.timeout(SOON):
        while inn.house.referee.live.listeners:  # a closed stream is noticed when it is next written to
            await inn.house.say(PEOPLE[asked(inn.house, game)], legal(inn.house, game)[0])
            await asyncio.sleep(0.02)
    assert (await guest.get(f"/t/{game}"))[0] == 200


async def test_a_page_that_is_closed_at_once_is_no_error(
    inn: Inn, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A tap leads on before the stream of the page has begun: each did so with an error in the log."""
    game = await table(inn.house, PEOPLE)
    guest, asked_for, gone = inn.guest(), asyncio.Event(), asyncio.Event()
    path, find = await stream_of(guest, f"/t/{game}"), inn.house.referee.live.table

    async def slow(wanted: Mapping[str, str]) -> live.LiveStream | None:
        found = await find(wanted)
        asked_for.set()
        await gone.wait()
        return found

    monkeypatch.setattr(inn.house.referee.live, "table", slow)
    asking = asyncio.create_task(guest.get(path))
    await asked_for.wait()
    asking.cancel()
    with suppress(asyncio.CancelledError):
        await asking
    await asyncio.sleep(0.05)  # until the house has heard of it
    gone.set()
    async with asyncio.timeout(SOON):
        while inn.house.referee.live.listeners:
            await asyncio.sleep(0.02)
    assert [one.getMessage() for one in caplog.records if one.levelno >= logging.WARNING] == []


async def test_whoever_signs_out_or_loses_the_seat_hears_nothing_more(inn: Inn) -> None:
    house = inn.house
    game = await table(house, PEOPLE)
    for way in ("web off", "button", "seat"):
        guest = await inn.signed_in(BEA)
        form = await guest.form("/me")
        async with listening(guest, await stream_of(guest, f"/me/{game}")) as ear:
            if way == "web off":
                await house.say(BEA, "web off")
            elif way == "button":
                assert (await guest.post("/me/out", form))[0] == 200
            else:
                house.store.write_now(
                    lambda tx: tx.change(Seat, {"game_id": game, "no": 1}, person_id=None, bot="greedy")
                )
                while asked(house, game) == 1:
                    await house.settle()
                await house.say(PEOPLE[asked(house, game)], legal(house, game)[0])
            with pytest.raises(EOFError):  # noqa: PT012 - what was on its way may come first
                while await ear.event() is not None:
                    pass
        assert (await guest.get(f"/me/{game}/events"))[0] in (403, 404)


async def test_what_another_process_writes_is_heard_of_too(inn: Inn, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command of the admin's rings no bell of ours."""
    house = inn.house
    game = await table(house, PEOPLE)
    monkeypatch.setattr(live, "_LOOK", 0.05)
    async with listening(inn.guest(), await stream_of(inn.guest(), f"/t/{game}")) as ear:
        assert await ear.event(NEVER) is None
        house.store.write_now(lambda tx: tx.set(Game, game, status="frozen"))
        assert await ear.event()


async def test_streams_that_are_not_there(inn: Inn) -> None:
    house = inn.house
    await house.say(ANA, "new classic 3 seats invite")
    game = int(re.findall(r"#(\d+)", house.last(ANA).text)[0])
    guest = inn.guest()
    for path in (f"/t/{game}/events", "/t/99/events", f"/t/{game}-aaaaaaaaaaaaaaaa/events", "/t/x/events"):
        assert (await guest.get(path))[0] == 404
    assert (await guest.get(f"/me/{game}/events"))[0] == 403


async def test_a_stream_is_not_asked_for_by_its_head(inn: Inn) -> None:
    """Its events came behind an answer that has none, on a connection that a web server keeps for others."""
    game = await table(inn.house, PEOPLE)
    path = await stream_of(inn.guest(), f"/t/{game}")
    reader, writer = await asyncio.open_connection("127.0.0.1", inn.door.port)
    for method in ("HEAD", "GET"):
        writer.write(f"{method} {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    async with asyncio.timeout(SOON):
        assert b" 405 " in await reader.readuntil(b"\r\n\r\n")
        assert b" 200 " in await reader.readuntil(b"\r\n\r\n")
    writer.close()


async def test_a_look_that_fails_ends_nobody(
    inn: Inn, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    house = inn.house
    game = await table(house, PEOPLE)

    def broken(*_: Any) -> str:
        raise ValueError("broken")

    async with listening(inn.guest(), await stream_of(inn.guest(), f"/t/{game}")) as ear:
        monkeypatch.setattr(live, "mark", broken)
        await house.say(PEOPLE[asked(house, game)], legal(house, game)[0])
        assert await ear.event(NEVER) is None
        monkeypatch.undo()
        await house.say(PEOPLE[asked(house, game)], legal(house, game)[0])
        assert await ear.event()
    assert "could not be looked at" in caplog.text


async def test_what_a_failed_look_did_not_see_is_told_by_the_next_one(
    inn: Inn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where nothing more happens at the table."""
    house, real = inn.house, live.mark
    game = await table(house, PEOPLE)
    failed: list[Audience] = []

    def broken_once(tx: Tx, states: StateCache, audience: Audience) -> str | None:
        if not failed:
            failed.append(audience)
            raise ValueError("broken")
        return real(tx, states, audience)

    async with listening(inn.guest(), await stream_of(inn.guest(), f"/t/{game}")) as ear:
        assert await ear.event(NEVER) is None
        monkeypatch.setattr(live, "_LOOK", 0.05)
        monkeypatch.setattr(live, "mark", broken_once)
        await house.say(PEOPLE[asked(house, game)], legal(house, game)[0])
        assert await ear.event(5)
    assert failed


def shown(house: House, words: Words, number: int, seat: Seat, snapshot: bytes) -> tuple[Any, ...]:
    """What a seat's page, picture and list of tables tell, and both marks, if the position were this one."""

    def job(tx: Tx) -> tuple[Any, ...]:
        seen: Any = Behind(tx, number, snapshot)
        look = PageContext(seen, house.clock(), words, "en", StateCache(), house.settings, "")
        person = tx.get(Person, seat.person_id)
        game = seen.get(Game, number)
        assert person is not None
        facts, _ = seat_page.seat_page_facts(
            look, WebSession(id=1, person_id=person.id, token_hash=""), person, game, seat, (), ()
        )
        listed = tables.tables_page_facts(look, person, SessionId(1), 1)
        return (
            json.dumps([facts, listed], sort_keys=True, default=str),
            picture.seat_svg(look, game, seat.no, (), (), "light"),
            mark(seen, StateCache(), Audience(number, seat.no, person.id)),
            mark(seen, StateCache(), Audience(number)),
        )

    return house.store.read_now(job)


@pytest.mark.parametrize(("seed", "command"), [(1, "new classic"), (2, "new deluxe random")])
async def test_nothing_on_ones_page_depends_on_what_ones_seat_cannot_see(
    inn: Inn, seed: int, command: str
) -> None:
    """Dealing the hidden part afresh changes no page and no mark."""
    house, dice, words = inn.house, random.Random(seed), Words()
    game = await table(house, PEOPLE, command=command)
    otherwise = 0
    for n in range(41):
        if running(house, game).status != "running":
            break
        if n % 4 == 0:
            row = running(house, game)
            now = rules.load(json.loads(row.snapshot))
            for seat in house.store.read_now(lambda tx: tx.all(Seat, game_id=game, order="no")):
                other = encoded(rules.another(now, seat.no, dice))
                assert shown(house, words, game, seat, row.snapshot) == shown(
                    house, words, game, seat, other
                ), (n, seat.name)
            otherwise += hidden(house, game, dice)
        await house.say(PEOPLE[asked(house, game)], dice.choice(legal(house, game)))
    assert otherwise >= 10
