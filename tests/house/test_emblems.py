"""Every card has a drawing of its own, or is listed as one without; all of them on one small sheet."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from referee.rules.catalog import every_card
from referee.rules.seams import Character
from referee.text.folders import shipped
from referee.text.rendering import emblems

SHEET = shipped() / "web" / emblems.FILE
MOST = 60_000


def test_every_card_has_an_emblem_or_is_listed_without_one() -> None:
    keys = {emblems.key(card.name) for card in every_card()}
    bare = keys - set(emblems.drawings())
    undrawn = bare - emblems.UNDRAWN
    assert not undrawn, (
        f'draw <symbol id="…"> in {SHEET.name}, or write it into UNDRAWN of text/rendering/emblems: {undrawn}'
    )
    assert bare == emblems.UNDRAWN, "UNDRAWN has a key that has been drawn, or that no card has"


def test_no_emblem_is_left_without_a_card() -> None:
    kinds = {getattr(card, "type", None) for card in every_card()} - {None}
    keys = {emblems.key(card.name) for card in every_card()}
    drawn = set(emblems.drawings())
    assert not drawn - keys - kinds - {emblems.PERSON}, "no card of that name"
    assert drawn >= kinds | {emblems.PERSON}


def test_a_card_that_nobody_has_drawn_has_the_shape_of_its_type() -> None:
    for card in every_card():
        kind = "" if isinstance(card, Character) else str(card.type)
        assert emblems.emblem(f"New {card.name}", kind) == (kind or emblems.PERSON)
        if emblems.key(card.name) not in emblems.UNDRAWN:
            assert emblems.emblem(card.name, kind) == emblems.key(card.name)


def test_the_sheet_is_small_and_brings_in_nothing() -> None:
    text = SHEET.read_text(encoding="utf-8")
    assert len(text.encode()) <= MOST
    assert {one.tag.split("}")[1] for one in ElementTree.fromstring(text).iter()} == {"svg", "symbol", "path"}
    ids = re.findall(r' id="([^"]+)"', text)
    assert len(ids) == len(set(ids)) == len(emblems.drawings())
    assert not re.findall(r"href|style|url\(|#[0-9a-f]{3}", text.split("\n", 3)[3])
