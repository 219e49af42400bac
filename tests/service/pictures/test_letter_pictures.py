"""Letters with pictures, in a house whose channels show them: who gets which, who wants none, and that nobody
sees another's cards.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from referee import rules
from referee.ports import Fate, Inbound, Letter, Picture, Receipt, What
from referee.service.outbound.outbox_rows import thawed
from referee.service.pictures import letter_pictures
from referee.service.pictures.png import PictureRenderer
from referee.store import Outbox, Person, Room
from tests.adapters.conformance import until
from tests.service.pictures.worker_tasks import stuck
from tests.service.playing import asked, legal, state, table, to_the_end
from tests.service.rig import House

ANA, BEA = "telegram:ana", "mail:bea@x.test"
PEOPLE = [ANA, BEA]
ROOM = "-100"
SVG = "image/svg+xml"


class Here:
    """Instead of a process: remembers what was to be drawn."""

    def __init__(self) -> None:
        self.drawn: list[str] = []

    async def run(self, work: Any, svg: str, *given: Any, patience: float | None = None) -> bytes:
        self.drawn.append(svg)
        return b"PNG " + svg.encode()

    def close(self) -> None:
        pass


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    one = await House(tmp_path / "referee.db", pictures=True).open()
    for name in ("telegram", "mail", "matrix"):
        one.wires[name].markup = name
    one.referee.outbox_worker._renderer._worker = Here()  # type: ignore[assignment]  # stands for a process
    yield one
    await one.close()


def svg(letter: Letter) -> str:
    assert letter.picture is not None
    assert letter.picture.media_type == "image/png"
    return letter.picture.data.decode().removeprefix("PNG ")


async def room(house: House, game: int) -> None:
    await house.bring(
        Inbound(channel="telegram", key="in", address="ana", what=What.INVITED, place=ROOM, name="Ana")
    )
    await house.say(ANA, f"/watch #{game}", place=ROOM)


async def test_the_living_message_shows_the_table_and_no_card_of_anybody(house: House) -> None:
    game = await table(house, PEOPLE)
    await room(house, game)
    letter = house.letters(f"telegram:{ROOM}")[-1]
    assert letter.picture is not None
    assert (letter.picture.name, letter.picture.width) == (f"citadels-{game}.png", 540)
    assert letter.picture.alt.startswith(f"Game #{game}, round 1")
    assert letter.picture.caption
    public = rules.view(state(house, game), None)
    known = {card["name"] for player in public["players"] for card in player["city"]}
    for player in state(house, game).players:
        for card in state(house, game).names(player.hand):
            assert card in known or f">{card}<" not in svg(letter)
    kept = house.store.read_now(lambda tx: tx.all(Outbox, kind="table", state="sent"))[-1]
    assert thawed(kept.letter).picture is None  # what has arrived is not kept


async def test_a_question_by_mail_shows_that_seat_s_cards_to_nobody_else(house: House) -> None:
    game = await table(house, PEOPLE)
    while asked(house, game) != 1:
        await house.say(ANA, legal(house, game)[0])
    letter = house.last(BEA)
    now = state(house, game)
    for card in now.names(now.players[1].hand):
        assert f">{card}<" in svg(letter)
    others = set(now.names(now.players[0].hand)) - set(now.names(now.players[1].hand))
    assert not any(f">{card}<" in svg(letter) for card in others)
    assert all(
        one.picture is None for one in house.letters(ANA) if "Your hand" in one.text
    )  # a chat's question is read with its buttons


async def test_hand_status_and_the_end_on_request(house: House) -> None:
    game = await table(house, PEOPLE)
    await house.say(ANA, "hand")
    hand = house.last(ANA)
    now = state(house, game)
    assert all(f">{card}<" in svg(hand) for card in now.names(now.players[0].hand))
    await room(house, game)
    await house.say(ANA, f"/status #{game}", place=ROOM)
    assert f">Game #{game}<" in svg(house.last(f"telegram:{ROOM}"))
    await to_the_end(house, game, PEOPLE)
    over = [
        one
        for one in [*house.letters(ANA), *house.letters(BEA), *house.letters(f"telegram:{ROOM}")]
        if one.picture is not None and one.picture.alt.startswith("Final score")
    ]
    assert {one.channel for one in over} == {"telegram", "mail"}
    for one in over:
        assert ">Final score<" in svg(one)
        assert ">Points of the cities after each round<" in svg(one)


@pytest.mark.parametrize("other", [BEA, "matrix:@bea:x"])
async def test_status_in_private_shows_the_table_on_each_channel(house: House, other: str) -> None:
    game = await table(house, [ANA, other])
    for seat, who in enumerate((ANA, other)):
        await house.say(who, "status")
        letter, now = house.last(who), state(house, game)
        assert f">Your game #{game}<" in svg(letter)
        assert ">Ana (you)<" in svg(letter) if seat == 0 else ">Ana<" in svg(letter)
        others = set(now.names(now.players[1 - seat].hand)) - set(now.names(now.players[seat].hand))
        assert not any(f">{card}<" in svg(letter) for card in others)
        await house.say(who, "pictures off")
        await house.say(who, "status")
        assert house.last(who).picture is None


async def test_status_of_another_s_table_shows_what_everybody_sees(house: House) -> None:
    game = await table(house, PEOPLE)
    await house.say("telegram:cleo", f"status #{game}")
    assert f">Game #{game}<" in svg(house.last("telegram:cleo"))
    hidden = {name for player in state(house, game).players for name in state(house, game).names(player.hand)}
    assert not any(f">{card}<" in svg(house.last("telegram:cleo")) for card in hidden)


async def test_a_question_after_an_order_has_no_picture_in_a_chat(house: House) -> None:
    game = await table(house, [ANA, "telegram:cleo"])
    who = [ANA, "telegram:cleo"][asked(house, game)]
    await house.say(who, "status")
    assert house.last(who).picture is not None
    await house.say(who, "nonsense")
    assert house.last(who).picture is None


async def test_while_characters_are_picked_all_of_the_game_s_are_shown_and_the_open_ones_crossed_out(
    house: House,
) -> None:
    game = await table(house, [ANA, BEA, "telegram:cleo", "telegram:dan"])
    await house.say("telegram:eve", f"status #{game}")
    shown, now = svg(house.last("telegram:eve")), state(house, game)
    assert now.phase == "draft"
    assert now.faceup
    assert all(f">{name}<" in shown for name in rules.rulebook(now).characters)
    assert shown.count("line-through") == len(now.faceup)
    who = [ANA, BEA, "telegram:cleo", "telegram:dan"][asked(house, game)]
    await house.say(who, "hand")
    assert ">Now: pick a character<" in svg(house.last(who))
    assert svg(house.last(who)).count("line-through") == len(now.faceup)


async def test_history_shows_how_the_points_went_from_the_second_round_on(house: House) -> None:
    game = await table(house, PEOPLE)
    await house.say(ANA, "history")
    assert house.last(ANA).picture is None
    assert "Points" not in house.last(ANA).text
    await to_the_end(house, game, PEOPLE)
    for who in PEOPLE:
        await house.say(who, f"history #{game}")
        letter = house.last(who)
        assert letter.picture is not None
        assert letter.picture.alt.startswith(f"Points of the cities in game #{game}")
        # and so it stands in words
        assert "Points of the cities after each round, at last the score" in letter.text
        result = state(house, game).result
        assert result is not None
        assert all(f">{row['score']}<" in svg(letter) for row in result["scores"])


async def test_whoever_wants_none_gets_none_and_whoever_likes_it_dark_gets_it_dark(house: House) -> None:
    await table(house, PEOPLE)
    await house.say(ANA, "pictures off")
    assert "no pictures" in house.last(ANA).text
    await house.say(ANA, "hand")
    assert house.last(ANA).picture is None
    await house.say(ANA, "pictures dark")
    await house.say(ANA, "hand")
    assert "#171613" in svg(house.last(ANA))
    await house.say(ANA, "pictures")
    assert "dark ground" in house.last(ANA).text
    await house.say(ANA, "imagens desligadas")  # in another language than one's own
    await house.say(ANA, "pictures on")
    await house.say(ANA, "hand")
    assert "#f6f1e6" in svg(house.last(ANA))
    await house.say(ANA, "pictures sideways")
    assert "sideways" in house.last(ANA).text
    assert "pictures off" in house.last(ANA).text
    assert house.store.read_now(lambda tx: tx.one(Person, name="Ana")).pictures == ""  # type: ignore[union-attr]  # it is there


async def test_a_room_says_for_itself_by_whoever_opened_the_table(house: House) -> None:
    game = await table(house, PEOPLE)
    await room(house, game)
    await house.say("telegram:cleo", "hello")
    await house.say("telegram:cleo", "/pictures off", place=ROOM)
    assert "only whoever opened it" in house.letters(f"telegram:{ROOM}")[-1].text
    assert house.store.read_now(lambda tx: tx.one(Room, place=ROOM)).pictures == ""  # type: ignore[union-attr]  # it is there
    await house.say(ANA, "/pictures off", place=ROOM)
    assert house.store.read_now(lambda tx: tx.one(Room, place=ROOM)).pictures == "off"  # type: ignore[union-attr]  # it is there
    await house.say([ANA, BEA][asked(house, game)], legal(house, game)[0])
    words = house.letters(f"telegram:{ROOM}")[-1]
    assert words.picture is None
    # a photo becomes no text: what comes in its place is pinned as it was
    assert (bool(words.edits), words.pin) == (
        True,
        True,
    )
    await house.say(ANA, "hand")
    assert house.last(ANA).picture is not None  # the room's wish is the room's


async def test_each_reads_pictures_in_their_own_language(house: House) -> None:
    await table(house, PEOPLE)
    await house.say(ANA, "language pt-br")
    await house.say(ANA, "hand")
    assert ">Sua partida #1<" in svg(house.last(ANA))


async def test_the_same_table_is_drawn_once_for_all_who_see_it(house: House) -> None:
    await table(house, PEOPLE)
    await house.say(ANA, "hand")
    drawn = len(house.referee.outbox_worker._renderer._worker.drawn)  # type: ignore[attr-defined]  # `Here`
    await house.say(ANA, "hand")
    assert len(house.referee.outbox_worker._renderer._worker.drawn) == drawn  # type: ignore[attr-defined]  # `Here`


async def test_a_picture_that_can_t_be_drawn_or_laid_out_is_left_out(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await table(house, PEOPLE)

    async def broken(*_: object, **__: object) -> bytes:
        raise OSError("no process")

    monkeypatch.setattr(house.referee.outbox_worker._renderer._worker, "run", broken)
    await house.say(ANA, "hand")
    assert house.last(ANA).picture is None
    assert "Your hand" in house.last(ANA).text

    def wrong(*_: object) -> None:
        raise LookupError("template")

    monkeypatch.setattr(letter_pictures.pictures, "seat_picture", wrong)
    await house.say(ANA, "hand")
    assert house.last(ANA).picture is None


async def test_without_resvg_there_are_none(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    await table(house, PEOPLE)
    monkeypatch.setattr(letter_pictures, "there", lambda: False)
    await house.say(ANA, "hand")
    assert house.last(ANA).picture is None


async def test_a_frozen_letter_keeps_what_its_picture_is_drawn_from(house: House) -> None:
    await table(house, PEOPLE)
    tries: list[Letter] = []

    def later(letter: Letter) -> Receipt:
        tries.append(letter)
        return Receipt(Fate.UNKNOWN) if len(tries) == 1 else Receipt(Fate.SENT, wire_id="m1")

    house.wires["mail"].fate = later
    await house.say(BEA, "hand")
    kept = house.store.read_now(lambda tx: tx.all(Outbox, kind="hand"))[-1]
    assert '"media_type":"image/svg+xml"' in kept.letter
    assert len(json.loads(kept.letter)["picture"]["data"]) < 60_000
    house.clock.pass_(seconds=10)
    await house.settle()
    assert len(tries) == 2
    assert tries[0] == tries[1]
    assert tries[0].picture is not None


@pytest.mark.parametrize(
    ("fate", "state"), [(Fate.SENT, "sent"), (Fate.FAILED, "failed"), (Fate.UNKNOWN, "unknown")]
)
async def test_a_letter_that_is_done_with_keeps_no_picture_in_the_book(
    house: House, fate: Fate, state: str
) -> None:
    await table(house, PEOPLE)
    house.wires["telegram"].fate = lambda letter: Receipt(fate, wire_id="1", reason="rejected")
    house.wires["telegram"].idempotent = False
    await house.say(ANA, "hand")
    kept = house.store.read_now(lambda tx: tx.all(Outbox, kind="hand"))[-1]
    assert (kept.state, SVG in kept.letter) == (state, False)
    assert "Your hand" in kept.letter


async def test_a_letter_that_expires_on_its_way_keeps_no_picture(house: House) -> None:
    await table(house, PEOPLE)
    house.wires["mail"].fate = lambda letter: Receipt(Fate.UNKNOWN)
    await house.say(BEA, "hand")
    assert SVG in house.store.read_now(lambda tx: tx.all(Outbox, kind="hand"))[-1].letter
    await house.store.write(lambda tx: tx.change(Outbox, {"kind": "hand"}, expires_ms=house.clock() + 1))
    house.clock.pass_(seconds=3600)
    await house.settle()
    kept = house.store.read_now(lambda tx: tx.all(Outbox, kind="hand"))[-1]
    assert (kept.state, SVG in kept.letter) == ("unknown", False)


async def test_a_book_is_no_larger_for_the_pictures_that_went_out(house: House) -> None:
    game = await table(house, [BEA, "mail:cleo@x.test"])
    await to_the_end(house, game, [BEA, "mail:cleo@x.test"])
    rows = house.store.read_now(lambda tx: tx.all(Outbox))
    assert (
        sum(one.picture is not None for one in [*house.letters(BEA), *house.letters("mail:cleo@x.test")]) > 20
    )
    assert not [(row.id, row.kind, row.state) for row in rows if SVG in row.letter]
    # the room that they took for a moment is used again, not added up
    assert house.store.read_now(lambda tx: sum(len(row.letter) for row in rows)) > 0
    assert pages(house) < 1.5 * sum(len(row.letter) + len(row.data) for row in rows) / 4096 + 200


def pages(house: House) -> int:
    """How many pages of 4 kB the book has."""
    return sum(file.stat().st_size for file in house.path.parent.glob("referee.db")) // 4096


async def test_a_renderer_that_can_t_draw_leaves_a_picture_out_and_a_file_as_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one = PictureRenderer()
    monkeypatch.setattr("referee.service.pictures.png.there", lambda: False)
    letter = Letter(id="1", channel="mail", text="x", picture=Picture("a.svg", "image/svg+xml", b"<svg/>"))
    assert (await one.drawn(letter)).picture is None


async def test_stopping_does_not_wait_for_a_picture_and_the_letter_goes_next_time(house: House) -> None:
    await table(house, PEOPLE)
    post = house.referee.outbox_worker
    drawing, there = PictureRenderer(stuck), post._renderer
    post._renderer = drawing
    await house.referee.reception.receive(
        [Inbound(channel="telegram", key="h", address="ana", text="hand", name="Ana")], channel="telegram"
    )
    while await house.referee.reception.worker.round():
        pass
    await post.round()
    await until(lambda: drawing._worker.process is not None)
    worker = drawing._worker.process
    assert worker is not None
    before, began = len(house.letters(ANA)), time.monotonic()
    await post.stop()
    await asyncio.gather(*post.in_hand, return_exceptions=True)
    assert time.monotonic() - began < 10  # and not the twenty seconds that a picture may take
    await until(lambda: worker.poll() is not None)
    assert len(house.letters(ANA)) == before
    assert house.store.read_now(lambda tx: tx.all(Outbox, kind="hand"))[-1].state == "queued"
    post._renderer = there
    await house.settle()
    assert "Your hand" in house.last(ANA).text
