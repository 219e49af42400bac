"""Whatever stands in an address: an answer, and never that something broke."""

from __future__ import annotations

import logging
import random
import re

import pytest

from adapters.web.public_pages import ADDRESSES
from tests.seeds import some
from tests.service.playing import table
from tests.service.web.site import Standing

#: what people, programs and attackers put where a number or a word belongs
NAMES = ("page", "show", "step", "round", "season", "division", "game", "key", "x")
ODD = (
    "0",
    "-1",
    "1",
    "2",
    "00",
    "007",
    "999999999",
    "9999999999",
    "9" * 30,
    "1.5",
    "1e3",
    "٣",
    "½",
    "x",
    "",
    " ",
    "%00",
    "%2e%2e%2f",
    "..",
    "' OR 1=1 --",
    "<script>",
    "{{7*7}}",
    "a" * 90,
    "true",
    "null",
    "[]",
    "%ff",
    "running",
    "over",
    "standings",
    "season",
    "aaaaaaaaaaaaaaaa",
)


@pytest.mark.parametrize("address", sorted(ADDRESSES))
async def test_nonsense_in_an_address_breaks_nothing(
    site: Standing, address: str, caplog: pytest.LogCaptureFixture
) -> None:
    dice, met = random.Random(address), set[int]()
    game = await table(site.house, ["telegram:ana", "matrix:bea"])
    pattern = re.sub(r"\{(\w+):(?:[^{}]|\{[^{}]*\})*\}", r"{\1}", address)
    names = re.findall(r"\{(\w+)\}", pattern)
    with caplog.at_level(logging.ERROR):
        for n in range(20 + some(40)):
            path = pattern
            for name in names:
                good = {
                    "game": str(game),
                    "key": "",
                    "step": "1",
                    "league": "1",
                    "season": "1",
                    "person": "1",
                    "division": "1",
                    "what": "standings",
                    "sheet": "standings",
                }.get(name, "1")
                path = path.replace(
                    f"{{{name}}}", good if n < 20 or dice.random() < 0.6 else dice.choice(ODD)
                )
            query = "&".join(f"{dice.choice(NAMES)}={dice.choice(ODD)}" for _ in range(dice.randrange(3)))
            status, _, _ = await site.get(
                f"{path}?{query}" if query else path, dice.choice(("GET", "GET", "HEAD"))
            )
            met.add(status)
    assert met <= {200, 301, 400, 404, 429}, met
    assert not caplog.records
