"""What a picture costs: laying it out, drawing it in its process, its bytes, and how long the event loop
stands still meanwhile.

    python -m bench.pictures [times]

The public table of eight players late in a deluxe game, every city as full as it can be: the largest picture
there is; then others.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from collections.abc import Iterator

from bench._goals import Sheet
from referee import rules
from referee.png import png
from referee.service.pictures.image_worker import ImageWorker
from referee.text import Words
from referee.text.rendering import pictures
from tests.text.pictured_games import crowded, late, position

TIMES = 20


async def drawn(times: int) -> None:
    """Draw it so often, one after the other, and print what that took."""
    words = Words()
    view = crowded(rules.view(position(8, "deluxe", 7, late), None))
    began = time.perf_counter()
    pictures.table_picture(words, "en", "light", view, "#0")
    print(f"first layout (templates and font read) {(time.perf_counter() - began) * 1000:6.0f} ms")
    laid, took, sizes, held = [], [], [], 0.0
    worker, done = ImageWorker(), asyncio.Event()

    async def watch() -> None:
        nonlocal held
        while not done.is_set():
            before = time.perf_counter()
            await asyncio.sleep(0.001)
            held = max(held, time.perf_counter() - before - 0.001)

    began = time.perf_counter()
    await worker.run(png, pictures.table_picture(words, "en", "light", view, "#0").svg, pictures.ZOOM)
    print(f"first picture (process begun)          {(time.perf_counter() - began) * 1000:6.0f} ms")
    svgs = []
    for number in range(times):
        began = time.perf_counter()
        svgs.append(
            pictures.table_picture(words, "en", ("light", "dark")[number % 2], view, f"#{number}").svg
        )
        laid.append(time.perf_counter() - began)
    watching = asyncio.create_task(watch())
    for svg in svgs:
        began = time.perf_counter()
        sizes.append(len(await worker.run(png, svg, pictures.ZOOM)))
        took.append(time.perf_counter() - began)
    done.set()
    await watching
    worker.close()
    spent = []
    for svg in svgs[:5]:
        began = time.process_time()
        png(svg, pictures.ZOOM)
        spent.append(time.process_time() - began)
    print(f"drawing, of a processor                {min(spent) * 1000:6.1f} ms")
    for name, found in (("layout", laid), ("in the pool", took)):
        print(
            f"{name:<38} {statistics.median(found) * 1000:6.1f} ms median, {max(found) * 1000:.1f} ms longest"
        )
    print(f"bytes                                  {max(sizes):6d} PNG, {len(svgs[0])} SVG")
    print(f"event loop held                        {held * 1000:6.1f} ms longest")
    with Sheet("pictures") as sheet:
        sheet.say("drawing, of a processor", min(spent) * 1000, "ms")
        sheet.say("layout, median", statistics.median(laid) * 1000, "ms")
    for name, svg in others(words):
        began = time.process_time()
        made = png(svg, pictures.ZOOM)
        print(
            f"{name:<38} {(time.process_time() - began) * 1000:6.1f} ms of a processor, {len(made)} "
            f"PNG, {len(svg)} SVG"
        )


def others(words: Words) -> Iterator[tuple[str, str]]:
    """The largest of the other kinds."""
    state = position(8, "deluxe", 7, late)
    view = rules.view(state, rules.asks(state)[0].seat)
    yield (
        "a seat's own",
        pictures.seat_picture(words, "en", "light", view, "#0", words.offers(view["ask"], view, "en")).svg,
    )
    over = rules.view(position(8, "deluxe", 7), None)
    yield (
        "the end and the course",
        pictures.ending_picture(
            words, "en", "light", over, "#0", [[n * seat for seat in range(8)] for n in range(1, 14)]
        ).svg,
    )
    rows = [
        {"rank": n, "person": n, "name": f"Player {n}", "points": str(99 - n), "move": "up", "left": False}
        for n in range(1, 61)
    ]
    division = {"no": 1, "name": "", "several": False, "rows": rows}
    places = {n: [n, 61 - n, n] for n in range(1, 61)}
    yield (
        "a league of sixty",
        pictures.standings_picture(
            words, "en", "light", "Cup", {"no": 1, "round": 3, "rounds": 5}, division, places
        ).svg,
    )


if __name__ == "__main__":
    asyncio.run(drawn(int(sys.argv[1]) if len(sys.argv) > 1 else TIMES))
