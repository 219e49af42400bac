"""Whatever can be asked of a game is answered as before once it is packed: by commands, pages, records,
replays, statistics and exports, in games of each edition.
"""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from referee.rules import record
from referee.store import (
    Deal,
    GameEvent,
    Journal,
    Undo,
)
from tests.service.playing import running
from tests.service.upkeep.packed_games import ANA, DAYS, PAGES, answers, packed, pages, played, read
from tests.service.web.running_site import lodging

EDITIONS = ("classic", "deluxe random", "original")


@pytest.mark.parametrize("edition", EDITIONS)
async def test_what_can_be_asked_is_answered_as_before(tmp_path: Path, edition: str) -> None:
    async with lodging(tmp_path, pack_days=DAYS) as inn:
        house = inn.house
        game = await played(house, edition)
        house.clock.pass_(hours=24 * (DAYS - 1))  # the last news is told, and it is over for long
        ana = await inn.signed_in(ANA)
        shown, told, within = await pages(ana, game), await answers(house, game), read(house, game)
        await packed(house)
        assert running(house, game).packed_ms
        now_ms = house.clock()
    assert len([one for one in shown.values() if one.startswith("200")]) == len(PAGES)
    assert len(within["steps"][0]) > 30
    async with lodging(tmp_path, pack_days=DAYS) as inn:  # nothing is in any cache
        house = inn.house
        house.clock.at_ms, house._n = now_ms, count(1_000_000)
        for each in (Journal, GameEvent, Deal, Undo):
            assert not house.store.read_now(lambda tx, each=each: tx.count(each, game_id=game)), each
        assert read(house, game) == within
        assert await answers(house, game) == told
        again = await pages(await inn.signed_in(ANA), game)
        for path, text in shown.items():
            assert again[path] == text, path
    record.verify(within["record"])
