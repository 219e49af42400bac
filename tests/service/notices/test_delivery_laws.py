"""Laws of notices, whatever people want to hear, at whatever hour, under whatever policy: nobody is told less
than they must, and nothing rings where they sleep.
"""

from __future__ import annotations

import json
import random
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from referee.service.core.letters import traits
from referee.service.notices import delivery_rules
from referee.store import Journal, Outbox, Person, Seat, Tx
from tests.seeds import share
from tests.service.notices.test_delivery_rules import at, let_pass
from tests.service.playing import asked, legal, running, table
from tests.service.rig import House

PEOPLE = ["telegram:ana", "matrix:@bea:hs", "telegram:cy"]
ZONES = ("Europe/Lisbon", "Asia/Kolkata", "America/New_York", "Pacific/Auckland")
LEVELS = ("all", "turns", "urgent", "off", "digest 8:00", "digest 20:00 only", "urgent digest 2:00")
MODES = ("hold", "urgent", "digest")
#: what is said of a table, and whether its clock stands still at night
POLICIES = (
    ("6h no restart no vacation", True),
    ("24h bank 6h no restart no vacation no reminders", True),
    ("3h no nights no quiet no restart no vacation", False),
    ("12h days Mo-Fr no restart no vacation remind 50% 20%", True),
)


def untold(tx: Tx, number: int, seat: Seat, person: Person) -> list[str]:
    """Answers that the clock gave for somebody who was never asked for them."""
    faults = []
    moves = tx.all(Journal, game_id=number, order="no")
    for before, move in zip([None, *moves], moves, strict=False):
        if (
            move.seat != seat.no
            or move.by != "clock"
            or (before is not None and before.seat == seat.no and before.at_ms == move.at_ms)
        ):
            continue
        since = 0 if before is None else before.at_ms
        sent = [
            row
            for row in tx.all(Outbox, person_id=person.id, state=("sent", "unknown"))
            if since <= row.sent_ms <= move.at_ms
        ]
        if not any(
            (
                row.kind in ("prompt", "reminder", "hand")
                and row.game_id == number
                and row.question == move.question
            )
            or (row.kind == "digest" and str(seat.id) in json.loads(row.data).get("seats", {}))
            for row in sent
        ):
            about = [
                (row.kind, row.state, row.error, row.question)
                for row in tx.all(Outbox, person_id=person.id, game_id=number)
                if row.created_ms >= since
            ]
            faults.append(f"{person.name} ({person.notify}) was never asked {move.question}: {about}")
    return faults


def woken(tx: Tx, person: Person, quiet: tuple[int, int], after: int) -> list[str]:
    """Letters that nobody asked for and that rang at night; of those after the first so many."""
    faults = []
    for row in tx.all(Outbox, person_id=person.id, state="sent", after={"id": after}):
        hour = datetime.fromtimestamp(row.sent_ms / 1000, ZoneInfo(person.zone)).hour
        data = json.loads(row.data)
        asked_for = data.get("reply") or traits(row.kind).unasked is None
        if (hour >= quiet[0] or hour < quiet[1]) and not asked_for and not json.loads(row.letter)["quiet"]:
            faults.append(f"{person.name} was woken at {hour} h by {row.kind} {row.id} of game {row.game_id}")
    return faults


@pytest.mark.parametrize("seed", share(range(8)))
async def test_nobody_is_told_less_than_they_must_and_nobody_is_woken(tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    house = await House(tmp_path / "referee.db").open()
    house.clock.at_ms = at(f"2026-11-{10 + seed}T12:00", "UTC")
    said, stands = POLICIES[seed % len(POLICIES)]
    games = [await table(house, PEOPLE, hours=said) for _ in range(2 if seed % 2 else 1)]
    mode = dice.choice(MODES)
    for who in PEOPLE:
        await house.say(who, f"zone {dice.choice(ZONES)}")
        await house.say(who, f"quiet 22-07 {mode}")
        await house.say(who, f"notify {dice.choice(LEVELS)}")
    settled = house.store.read_now(lambda tx: tx.count(Outbox))
    for n in range(40):
        await let_pass(house, dice.choice((0.5, 3, 7, 11)))
        if n == 20:
            await house.close()
            await house.open()
        for game in games:
            if running(house, game).status == "running" and dice.random() < 0.6:
                await house.say(PEOPLE[asked(house, game)], f"#{game} {legal(house, game)[0]}")

    def faults(tx: Tx) -> list[str]:
        found = []
        for seat in tx.all(Seat):
            person = tx.get(Person, seat.person_id)
            assert person is not None
            if delivery_rules.level_of(person, seat) != "off":
                found += untold(tx, seat.game_id, seat, person)
            if stands:
                found += woken(tx, person, (22, 7), settled)
        return found

    assert house.store.read_now(lambda tx: sum(row.by == "clock" for row in tx.all(Journal))), (
        "nobody ever missed"
    )
    assert house.store.read_now(faults) == []
    await house.close()


async def test_the_law_notices_a_question_that_is_never_put(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery_rules, "wanted", lambda row, *_: row.kind not in ("prompt", "reminder"))
    game = await table(house, PEOPLE, hours="3h no nights no quiet no restart no vacation")
    await let_pass(house, 8)
    found = []
    for seat in house.store.read_now(lambda tx: tx.all(Seat, game_id=game)):
        found += house.store.read_now(
            lambda tx, seat=seat: untold(tx, game, seat, tx.get(Person, seat.person_id))
        )
    assert found
