"""Names as nobody should have them, through the whole house with pictures that are really drawn: in chat, by
mail and on pages.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from referee.png import png
from referee.ports import Inbound, What
from referee.store import Seat
from referee.text.rendering.pictures import ZOOM
from tests.service.playing import greet, table, to_the_end
from tests.service.rig import House

PEOPLE = ["telegram:ana", "matrix:bea", "mail:cy@x.test", "telegram:dan"]
NAMES = ('<image href="file:///etc/passwd"/>', "שלום عالم", "🦊🐉👩‍👩‍👧", "N" * 63 + "X")
ROOM = "-100"


class Kept:
    """Instead of a process: keeps what it was to draw; a few are drawn afterwards."""

    def __init__(self) -> None:
        self.given: list[str] = []

    async def run(self, work: Any, svg: str, *given: Any, patience: float | None = None) -> bytes:
        self.given.append(svg)
        return b"PNG"

    def close(self) -> None:
        pass


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    pytest.importorskip("resvg_py", reason="the extra `pictures` is not installed")
    one = await House(tmp_path / "referee.db", pictures=True, base_url="http://play.test").open()
    for name in ("telegram", "matrix", "mail"):
        one.wires[name].markup = name
    yield one
    await one.close()


async def test_every_picture_of_a_whole_game_can_be_drawn_and_names_are_text_in_it(house: House) -> None:
    kept = Kept()
    house.referee.outbox_worker._renderer._worker = kept  # type: ignore[assignment]  # stands for a process
    for who, name, language in zip(PEOPLE, NAMES, ("en", "pt-br", "pt-br", "en"), strict=True):
        await greet(house, who)
        await house.say(who, f"language {language}")
        await house.say(who, f"name {name}")
    game = await table(house, PEOPLE, command="new classic")
    seats = house.store.read_now(lambda tx: tx.all(Seat, game_id=game, order="no"))
    assert "image href= file etc pas" in {seat.name for seat in seats}, (
        "a table keeps to what everybody can type"
    )
    await house.bring(
        Inbound(channel="telegram", key="in", address="ana", what=What.INVITED, place=ROOM, name="Ana")
    )
    await house.say(PEOPLE[0], f"/watch #{game}", place=ROOM)
    for who in PEOPLE:
        await house.say(who, "status")
    begun = list(kept.given)
    await to_the_end(house, game, PEOPLE)
    for who in PEOPLE:
        await house.say(who, f"history #{game}")
    shown = [
        one for who in (*PEOPLE, f"telegram:{ROOM}") for one in house.letters(who) if one.picture is not None
    ]
    assert {one.channel for one in shown} == {"telegram", "matrix", "mail"}
    for svg in kept.given:
        tree = ElementTree.fromstring(svg)
        assert {one.tag.partition("}")[2] for one in tree.iter()} <= {
            "svg",
            "rect",
            "g",
            "text",
            "tspan",
            "path",
            "circle",
            "polyline",
        }
        said = ["".join(one.itertext()) for one in tree.iter("{http://www.w3.org/2000/svg}text")]
        assert any("image href" in one for one in said)
        assert any("שלום" in one for one in said)
        assert any(
            one.startswith(player) or f" {player} " in one for one in said for player in ("Player", "Jogador")
        )
        assert any("NNN" in one for one in said)
        assert not any("🦊" in one for one in said)
    for svg in {*begun[-5:], *kept.given[-6:]}:  # the draft, and the end and the course in both languages
        made = png(svg, ZOOM)
        assert made[:4] == b"\x89PNG"
        assert len(made) < 200_000
