"""Standings by mail: a table in its HTML, the picture as PNG, files that were asked for."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from referee.ids import LeagueId, PersonId
from referee.ports import Attachment, Letter
from referee.service.core import outbox
from referee.service.core.letters import Facts
from referee.service.league.letter_facts import ExportFacts, StandingsFacts
from referee.service.pictures import letter_pictures, png
from referee.service.pictures.png import SVG, PictureRenderer
from referee.store import Outbox, Tx
from referee.text.rendering import pictures
from tests.service.league import ledger
from tests.service.rig import House

ANA = "mail:ana@x.test"


LEAGUE = LeagueId(1)


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    one = await House(tmp_path / "referee.db", pictures=True).open()
    yield one
    await one.close()


async def asked(house: House, what: Facts) -> Letter:
    """The letter, as it reaches a mailbox."""
    house.wires["mail"].markup = "mail"
    await house.say(ANA, "hello", vouched=False)
    await house.say(ANA, "help")

    def job(tx: Tx) -> None:
        known = tx.whose("mail", "ana@x.test")
        assert known is not None
        outbox.to_person(ledger.uow(tx, house.clock()), known[0].id, what)

    await house.store.write(job)
    await house.settle()
    return house.last(ANA)


async def test_standings_by_mail_have_a_table_and_a_picture(house: House) -> None:
    pytest.importorskip("resvg_py", reason="the extra `pictures` is not installed")
    await house.store.write(lambda tx: ledger.write(tx, names=ledger.ODD, divisions=2))
    letter = await asked(house, StandingsFacts(LEAGUE, 0))
    assert letter.markup.count("<table") == 2
    assert "<script>" not in letter.markup
    assert letter.picture is not None
    shown = [letter.picture, *letter.attachments]  # the first inside the mail, the other beside it
    assert [(one.name, one.media_type, one.data[:4]) for one in shown] == [
        (f"league-standings-{n}.png", "image/png", b"\x89PNG") for n in (1, 2)
    ]
    assert all(10_000 < len(one.data) < 200_000 for one in shown)
    assert "standings" in letter.picture.alt
    kept = house.store.read_now(lambda tx: tx.all(Outbox, kind="league_standings"))
    assert [row.state for row in kept] == ["sent"]
    assert len(kept[0].letter) < 20_000  # what has arrived is not kept


async def test_without_resvg_the_svg_goes(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(png, "there", lambda: False)
    monkeypatch.setattr(letter_pictures, "there", lambda: False)
    await house.store.write(ledger.write)
    letter = await asked(house, StandingsFacts(LEAGUE, 0))
    assert letter.picture is None
    assert [(one.name, one.media_type) for one in letter.attachments] == [("league-standings-1.svg", SVG)]


async def test_whoever_wants_no_pictures_has_the_table_alone(house: House) -> None:
    await house.store.write(ledger.write)
    await asked(house, StandingsFacts(LEAGUE, 0))
    await house.say(ANA, "pictures off")
    letter = await asked(house, StandingsFacts(LEAGUE, 0))
    assert (letter.picture, letter.attachments) == (None, ())
    assert "<table" in letter.markup


@pytest.mark.parametrize("channel", ["telegram", "matrix"])
async def test_standings_in_a_chat_have_a_picture_and_no_file(house: House, channel: str) -> None:
    pytest.importorskip("resvg_py", reason="the extra `pictures` is not installed")
    await house.store.write(ledger.write)
    house.wires[channel].markup = channel
    await house.say(f"{channel}:ana", "hello")
    await house.say(f"{channel}:ana", "language pt-br")
    await house.say(f"{channel}:ana", "liga classificação")
    letter = house.last(f"{channel}:ana")
    assert letter.picture is not None, letter.text
    assert letter.picture.data[:4] == b"\x89PNG"
    assert "classificação" in letter.picture.alt
    assert letter.attachments == ()


async def test_standings_whose_picture_goes_wrong_go_without(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(*_: object) -> None:
        raise LookupError("template")

    monkeypatch.setattr(pictures, "standings_picture", wrong)
    await house.store.write(ledger.write)
    letter = await asked(house, StandingsFacts(LEAGUE, 0))
    assert (letter.picture, letter.attachments) == (None, ())
    assert "<table" in letter.markup


async def test_files_that_were_asked_for(house: House) -> None:
    await house.store.write(lambda tx: ledger.write(tx, names=ledger.ODD))
    letter = await asked(house, ExportFacts(LEAGUE, 0, form="csv"))
    files = {one.name: one for one in letter.attachments}
    assert set(files) == {f"league-1-season-1-{sheet}.csv" for sheet in ("standings", "results", "schedule")}
    rows = list(
        csv.reader(io.StringIO(files["league-1-season-1-standings.csv"].data.decode("utf-8-sig"), newline=""))
    )
    assert len(rows) == 1 + len(ledger.ODD)
    letter = await asked(house, ExportFacts(LEAGUE, 0, form="json"))
    assert json.loads(letter.attachments[0].data)["format"] == "citadels-league"


async def test_elsewhere_files_do_not_go(house: House) -> None:
    await house.store.write(ledger.write)
    await house.say("telegram:bea", "help")
    await house.store.write(
        lambda tx: outbox.to_person(ledger.uow(tx, house.clock()), PersonId(17), ExportFacts(LEAGUE, 0))
    )
    await house.settle()
    letter = house.last("telegram:bea")
    assert letter.attachments == ()
    assert "by mail" in letter.text


def letter_of(*files: Attachment) -> Letter:
    return Letter(id="1", channel="mail", text="x", attachments=files)


def slow(svg: str) -> bytes:
    time.sleep(60)
    return b""


def count(svg: str) -> bytes:
    return b"PNG " + svg.encode()


async def test_a_picture_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(png, "there", lambda: True)
    monkeypatch.setattr(png, "PATIENCE", 0.05)
    before = letter_of(Attachment("a.svg", SVG, b"<svg/>"))
    began = time.monotonic()
    assert await PictureRenderer(slow).drawn(before) == before
    assert time.monotonic() - began < 20


async def test_other_files_stay_as_they_are_and_the_loop_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(png, "there", lambda: True)
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            await asyncio.sleep(0.01)
            ticks += 1

    beside = asyncio.create_task(tick())
    one = PictureRenderer(count)
    files = (Attachment("a.csv", "text/csv", b"1"), Attachment("b.svg", SVG, b"<svg/>"))
    made = await one.drawn(letter_of(*files))
    beside.cancel()
    assert made.attachments == (files[0], Attachment("b.png", "image/png", b"PNG <svg/>"))
    assert ticks > 3
    again = asyncio.get_running_loop().time()
    assert (await one.drawn(letter_of(files[1]))).attachments[0].name == "b.png"
    assert asyncio.get_running_loop().time() - again < 0.05  # remembered: no process begins for it
    one.close()
