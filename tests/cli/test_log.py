"""The log: one line an event, for a person or a machine, with game and seat, without secrets."""

from __future__ import annotations

import asyncio
import io
import json
import logging
from collections.abc import Iterator

import pytest

from referee import log


@pytest.fixture
def diary() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    before = root.handlers[:], root.level
    yield io.StringIO()
    root.handlers[:], root.level = before


def test_json_lines(diary: io.StringIO) -> None:
    log.begin("json", stream=diary)
    with log.about(game=17, seat=2):
        logging.getLogger("x").info("moved %s", "once", extra={"order_no": 3})
    logging.getLogger("x").debug("not told")
    logging.getLogger("x").info("two\nlines")
    first, second = map(json.loads, diary.getvalue().splitlines())
    assert {name: first[name] for name in ("level", "by", "what", "game", "seat", "order_no")} == {
        "level": "info",
        "by": "x",
        "what": "moved once",
        "game": 17,
        "seat": 2,
        "order_no": 3,
    }
    assert first["at"].endswith("Z")
    assert "game" not in second


def test_readable_lines(diary: io.StringIO) -> None:
    log.begin("readable", "debug", stream=diary)
    with log.about(game=17), log.about(game=18, seat=0):
        logging.getLogger("x").warning("late", extra={"by_ms": 5})
    assert diary.getvalue().rstrip().endswith("warning x: late game=18 seat=0 by_ms=5")


async def test_tasks_do_not_mix_their_games(diary: io.StringIO) -> None:
    log.begin("json", stream=diary)

    async def one(game: int) -> None:
        with log.about(game=game):
            await asyncio.sleep(0)
            logging.getLogger("x").info("game %d", game)

    await asyncio.gather(*(one(number) for number in range(10)))
    lines = [json.loads(line) for line in diary.getvalue().splitlines()]
    assert len(lines) == 10
    assert all(line["what"] == f"game {line['game']}" for line in lines)


@pytest.mark.parametrize("style", ["json", "readable"])
def test_no_secret_is_left_in_a_line(diary: io.StringIO, style: str) -> None:
    secrets = {"hunter2-and-more", "hunter2", 'quo"te\\d', "", "abc"}
    log.begin(style, stream=diary, secrets=secrets)
    logging.getLogger("x").info(
        "token %s", "hunter2-and-more", extra={"url": "https://x/bothunter2/y", "odd": 'quo"te\\d'}
    )
    try:
        raise ValueError("hunter2")
    except ValueError:
        logging.getLogger("x").exception("failed abc")
    told = diary.getvalue()
    assert "hunter2" not in told
    assert "and-more" not in told
    assert "quo" not in told
    assert "failed abc" in told, "what is too short to be a secret tears no holes"
    assert "ValueError: ***" in told


def test_chatty_libraries_are_kept_quiet(diary: io.StringIO) -> None:
    log.begin("json", "debug", stream=diary)
    logging.getLogger("httpx").info("POST https://api.telegram.org/bot123:secret/getMe")
    assert diary.getvalue() == ""
