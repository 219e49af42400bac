"""Hidden cards stay hidden in letters of every edition: positions of the recorded games, which show every
question there is, laid on a table of the house; dealing afresh what a reader can't see changes no word that
anybody is told, and no picture.
"""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from referee import rules
from referee.rules.model import Frame
from referee.service.core.unit_of_work import encoded
from referee.service.outbound.compose import FinishedLetter
from referee.store import Game, Seat
from tests.seeds import ALL, PART
from tests.service import hidden_cards
from tests.service.playing import table
from tests.service.rig import House
from tests.text.editions import Moment, notable

pytestmark = pytest.mark.whole_games
NAMES = ("ana", "bea", "cy", "dan", "eve", "flo", "gus", "hal")
PEOPLE = [f"{('telegram', 'matrix', 'terminal')[n % 3]}:{name}" for n, name in enumerate(NAMES)]
#: orders of the newer cards, to be typed at any moment by anybody
TYPED = (
    "warrant King, Bishop, Merchant",
    "threaten King, Bishop",
    "confiscate",
    "refuse",
    "take Palace",
    "take Secret Vault",
    "give Temple to Bea",
    "spy Bea noble",
    "museum Temple",
    "exchange Temple for Bea Market",
    "seize Bea Market",
    "beautify Temple",
    "keep Palace",
    "build Palace borrowing Bea giving Temple",
    "build Thieves' Den discarding Temple, Market",
    "build Necropolis with Temple",
    "crown Bea",
    "tithe",
    "study",
    "exchange Bea",
)


class Laid(hidden_cards.Behind):
    """The same transaction, in which that game is in this position, and the person whom it asks is asked."""

    def get(self, table: Any, key: Any) -> Any:
        found = super().get(table, key)
        if table is Game and found is not None and found.id == self._number:
            asks = rules.asks(rules.load(json.loads(self._snapshot)))
            return found._replace(asked=",".join(str(a.seat) for a in asks), question=asks[0].number)
        return found


def of_each_kind(edition: str, per_kind: int, *, every: bool = True) -> list[Moment]:
    """Questions of the recorded games, that many of each kind and number of players that are there; or of
    those one of each, another one with another quarter.
    """
    found: dict[tuple[str, int], list[Moment]] = {}
    for moment in notable():
        if moment.ask is not None and moment.edition == edition:
            found.setdefault(
                (moment.ask.kind, len(moment.names) if moment.ask.kind == "turn" else 0), []
            ).append(moment)
    few = [several[:per_kind] for several in found.values()]
    return [moment for some in few for moment in (some if every else [some[PART % len(some)]])]


def sitting_at(house: House, number: int) -> list[Seat]:
    return house.store.read_now(lambda tx: tx.all(Seat, game_id=number, order="no"))


@pytest.mark.parametrize("edition", ["deluxe", "original"])
async def test_no_word_depends_on_what_its_reader_cannot_see(
    pictured: House, edition: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hidden_cards, "Behind", Laid)
    monkeypatch.setattr(hidden_cards, "TYPED", TYPED)
    monkeypatch.setattr(
        hidden_cards, "MARKUPS", {"telegram": "telegram", "mail": "mail"}
    )  # the words are one template; how they are marked up is not secret
    dice = random.Random(11)
    tables: dict[int, int] = {}
    otherwise = letters = shown = 0
    moments = of_each_kind(edition, 2, every=ALL)
    for moment in moments:
        players = len(moment.names)
        if players not in tables:
            tables[players] = await table(pictured, PEOPLE[:players], command=f"new {edition}")
        assert moment.ask is not None
        number, seat = tables[players], moment.ask.seat
        for reader in {seat, dice.choice([n for n in range(players) if n != seat])}:
            row = sitting_at(pictured, number)[reader]
            snapshot = encoded(moment.state)
            other = rules.another(moment.state, reader, dice)
            otherwise += encoded(other) != snapshot
            for at in (row, None):
                before, after = (
                    hidden_cards.told(pictured, number, at, one) for one in (snapshot, encoded(other))
                )
                letters += sum(one is not None for one in before.values())
                shown += sum(
                    one is not None and one.letter.picture is not None
                    for one in before.values()
                    if isinstance(one, FinishedLetter)
                )
                assert before == after, [what for what in before if before[what] != after[what]]
    assert otherwise > len(moments)
    assert letters > 20 * len(moments)
    assert shown > 8 * len(moments)


async def test_every_question_is_among_them() -> None:
    asked = {m.ask.kind for edition in ("deluxe", "original") for m in of_each_kind(edition, 2) if m.ask}
    questions = {
        code
        for code, kind in Frame.registry.items()
        if kind.asked is not Frame.asked and kind.__module__.startswith("referee.")
    }
    assert len(questions) >= 14
    assert asked == questions - {"draft"} | {"pick", "discard"}


async def test_a_secret_in_the_position_is_noticed(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same comparison between two positions that differ in the reader's own hand."""
    monkeypatch.setattr(hidden_cards, "Behind", Laid)
    moment = next(
        m for m in notable() if m.ask is not None and m.ask.kind == "wizard" and m.edition == "deluxe"
    )
    assert moment.ask is not None
    number = await table(house, PEOPLE[: len(moment.names)], command="new deluxe")
    victim = rules.view(moment.state, moment.ask.seat)["seen"]["seat"]
    row = sitting_at(house, number)[moment.ask.seat]
    blind = next(n for n in range(len(moment.names)) if n not in (victim, moment.ask.seat))
    other = rules.another(
        moment.state, blind, random.Random(3)
    )  # to somebody else that hand is hidden, to the Wizard it is not
    before, after = (hidden_cards.told(house, number, row, encoded(one)) for one in (moment.state, other))
    assert before["prompt by telegram"] != after["prompt by telegram"]
