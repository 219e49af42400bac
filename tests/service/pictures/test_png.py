"""Letters and the process that draws for them: whatever happens there, the letter goes out, and the next
picture comes.
"""

from __future__ import annotations

import asyncio
import os
import signal
import struct
from collections.abc import AsyncIterator, Callable

import pytest

from referee.ports import Letter, Picture
from referee.service.pictures import png
from referee.service.pictures.image_worker import ImageWorker
from referee.service.pictures.png import KEPT, PictureRenderer
from tests.service.pictures.worker_tasks import fontless, fragile

pytest.importorskip("resvg_py", reason="the extra `pictures` is not installed")


def letter(inside: str, number: int = 1) -> Letter:
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{10 + 2 * number}" height="10"><rect width="9" '
        f'height="9" fill="red"/>{inside}</svg>'
    )
    return Letter(
        id=str(number),
        channel="mail",
        text="All of it in words",
        picture=Picture("a.svg", "image/svg+xml", svg.encode(), "a square", 10 + 2 * number, 10),
    )


@pytest.fixture
async def renderers() -> AsyncIterator[Callable[..., PictureRenderer]]:
    made: list[PictureRenderer] = []

    def one(*draw: Callable[..., bytes]) -> PictureRenderer:
        made.append(PictureRenderer(*draw))
        return made[-1]

    yield one
    for each in made:
        each.close()


async def test_a_picture_that_kills_the_process_is_left_out_and_the_next_one_comes(
    renderers: Callable[..., PictureRenderer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(png, "REST", 0.0)
    one = renderers(fragile)
    dead = await one.drawn(letter("<!-- deadly -->"))
    assert (dead.picture, dead.text) == (None, "All of it in words")
    alive = await one.drawn(letter(""))
    assert alive.picture is not None


async def test_a_process_that_was_killed_between_two_letters_or_in_the_midst_costs_none(
    renderers: Callable[..., PictureRenderer],
) -> None:
    one = renderers(fragile)
    first = await one.drawn(letter("", 1))
    assert first.picture is not None
    os.kill(int(first.picture.data), signal.SIGKILL)
    drawn = await asyncio.gather(*(one.drawn(letter("", number)) for number in range(2, 6)))
    assert all(one.picture is not None for one in drawn)


@pytest.mark.parametrize(
    "inside",
    [
        '<image href="file:///etc/passwd"/>',
        '<image href="http://example.org/a.png"/>',
        "<text>",
        '<rect fill="url(file:///etc/passwd)"/>',
    ],
)
async def test_what_names_something_outside_or_is_no_svg_is_left_out(
    renderers: Callable[..., PictureRenderer], inside: str
) -> None:
    one = renderers()
    assert (await one.drawn(letter(inside))).picture is None
    good = (await one.drawn(letter("<text>&lt;image href='file:///etc/passwd'/&gt;</text>"))).picture
    assert good is not None
    assert struct.unpack_from(">II", good.data, 16) == (18, 15) == (good.width, good.height)


async def test_without_a_font_letters_go_without_pictures(renderers: Callable[..., PictureRenderer]) -> None:
    one = renderers(fontless)
    gone = await one.drawn(letter("<text>A</text>"))
    assert (gone.picture, gone.text) == (None, "All of it in words")
    assert one._rested > 0, "nor is it tried, and told in the log, with each letter"


async def test_only_the_last_pictures_are_remembered(
    renderers: Callable[..., PictureRenderer], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def here(self: ImageWorker, work: object, svg: str, *given: object, patience: float = 0) -> bytes:
        return svg.encode()

    monkeypatch.setattr(ImageWorker, "run", here)
    one = renderers()
    for number in range(3 * KEPT):
        await one.drawn(letter("", number))
    assert len(one._known) == KEPT
