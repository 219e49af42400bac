"""What an admin did shows on a table's page: a look at hidden cards for ever; a table that was put away is in
no list.
"""

from __future__ import annotations

from tests.service.playing import table, to_the_end
from tests.service.web.site import BOSS, Standing, text_of

PEOPLE = ["telegram:ana", "matrix:bea"]


async def test_a_look_at_hidden_cards_stays_on_the_page(site: Standing) -> None:
    game = await table(site.house, PEOPLE)
    await site.house.say(BOSS, "name Boss")
    assert "hidden cards" not in text_of(await site.page(f"/t/{game}"))
    await site.house.say(BOSS, f"admin look #{game} hidden because <script>alert(1)</script>")
    page = await site.page(f"/t/{game}")
    assert "An admin has looked at hidden cards" in text_of(page)
    assert "Boss looked at" in text_of(page)
    assert "<script>alert" not in page


async def test_a_table_that_was_put_away_is_in_no_list(site: Standing) -> None:
    game = await table(site.house, PEOPLE)
    await to_the_end(site.house, game, PEOPLE)
    assert f"Table #{game}" in await site.page("/tables?show=over")
    await site.house.say(BOSS, f"admin archive #{game}")
    site.house.clock.pass_(seconds=3)  # a list may be two seconds old
    assert f"Table #{game}" not in await site.page("/tables?show=over")
