"""What a table keeps in its settings is what its type says, and stays as it stands."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from referee.ids import PersonId
from referee.service.core.table_settings import HiddenLook, TableLeague, TableSettings
from referee.service.core.unit_of_work import json_text, settings_of
from referee.store import Game
from tests.service.rig import House

ANA, BEA = "telegram:ana", "telegram:bea"


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    one = await House(tmp_path / "referee.db").open()
    yield one
    await one.close()


async def stored(house: House) -> list[Game]:
    """Tables of all sorts, as their rows stand."""
    for words in (
        "new classic 4 24h",
        "new 5 48h talk private invite",
        "new deluxe random gentle 4 24h",
        "learn",
    ):
        await house.say(ANA, words)
    await house.say(ANA, "new classic 4 12h 3 bots")
    await house.say(ANA, "talk off #1")
    await house.say(ANA, "page private #1")
    await house.settle()
    return house.store.read_now(lambda tx: tx.all(Game, order="id"))


async def test_every_key_that_is_kept_has_a_type(house: House) -> None:
    found = await stored(house)
    assert len(found) >= 4
    kept = {key for game in found for key in json.loads(game.settings)}
    assert {"seats", "hours", "policy", "options", "entry", "talk", "code", "learn", "choice"} <= kept
    assert kept <= set(TableSettings.__annotations__)
    for game in found:
        msgspec.json.decode(game.settings, type=TableSettings)  # raises where a value is of another type


async def test_settings_that_are_written_again_stay_as_they_were(house: House) -> None:
    for game in await stored(house):
        again = json_text(settings_of(game))
        assert json.dumps(json.loads(again)) == json.dumps(
            json.loads(game.settings)
        )  # the order of keys, too


def test_what_another_version_keeps_there_stays() -> None:
    game = Game(creator_id=PersonId(1), settings='{"seats":4,"from_later":[1],"entry":"open"}')
    assert json_text(settings_of(game)) == game.settings


def test_no_settings_are_a_dict_of_anything() -> None:
    every = {**TableSettings.__annotations__, **TableLeague.__annotations__, **HiddenLook.__annotations__}
    assert len(every) > 30
    assert [name for name, kind in every.items() if "dict[str, Any]" in str(kind)] == []
