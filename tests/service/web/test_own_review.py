"""What cost somebody a game, asked for on their page of it."""

from __future__ import annotations

import re
from pathlib import Path

from referee.search.search import Compared
from referee.search.thinking import Thought
from tests.service.playing import table, to_the_end
from tests.service.web.running_site import ANA, BEA, lodging
from tests.service.web.site import text_of


async def _compared(thought: Thought) -> Compared:
    assert thought.given is not None
    return Compared(thought.given.move, 0.6, 0.3, 0.01)


async def test_the_button_brings_the_turns_and_their_steps_on_ones_own_page(tmp_path: Path) -> None:
    async with lodging(tmp_path) as inn:
        vars(inn.house.referee.bots.thinker)["compared"] = _compared
        game = await table(inn.house, [ANA, BEA])
        path = f"/me/{game}"
        guest = await inn.signed_in(BEA)
        assert "What cost me most" not in await guest.page(path)
        await to_the_end(inn.house, game, [ANA, BEA])
        page = await guest.page(path)
        order = f"review #{game}"
        assert f'value="{order}"' in page
        assert "What cost me most" in text_of(page)
        await guest.write(path, order)
        await inn.house.settle()
        page = await guest.write(path, order)
        assert "from 60 % to" in text_of(page)
        [*steps] = re.findall(rf'href="{inn.url}(/me/{game}/step/[0-9]+)"', page)
        assert len(steps) == 3
        for step in steps:
            assert (await guest.get(step))[0] == 200
