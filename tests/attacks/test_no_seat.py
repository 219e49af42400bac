"""Every command, said by somebody without a seat about a table that is not for everybody: in private, in a
room of their own, by a mail in a player's name. Nothing is told, nothing changes, nobody else is written to.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from referee.service.core.commands import COMMANDS
from referee.states import GameStatus
from referee.store import (
    Address,
    Alternate,
    Deadline,
    Game,
    GameEvent,
    GameRoom,
    Journal,
    Mute,
    Person,
    Proposal,
    Seat,
    SeatPlan,
    StepComment,
    Tx,
)
from tests.service.playing import greet
from tests.service.rig import House

ANA, BEA, MAL = "telegram:quirina", "mail:zebedee@play.test", "telegram:mal"
TABLES = (
    Game,
    Seat,
    SeatPlan,
    GameRoom,
    Proposal,
    GameEvent,
    Journal,
    StepComment,
    Deadline,
    Alternate,
    Mute,
)
#: what is said where a command wants more than its name and the table's number; {} is the number
WORDS = {
    "calendar": ["calendar"],
    "comment": ["comment {} 1: well played"],
    "extend": ["extend 24h {}"],
    "here": ["here {}"],
    "hide": ["hide 1"],
    "history": ["history {}", "history 20 {}"],
    "hours": ["hours {}", "hours Sat 18-22 {}", "hours agree Sat 19:00 {}", "hours off {}"],
    "join": ["join {}", "join ABCDEFGH"],
    "kick": ["kick Quirina {}", "kick nobody {}"],
    "language": ["language {}"],
    "link": ["link ABCDEFGH", "link yes ABCDEFGH"],
    "mute": ["mute Quirina {}", "mute nobody {}", "mute talk {}", "mute whispers {}"],
    "name": ["name Nemo"],
    "new": ["new classic 3"],
    "notify": ["notify {} nothing"],
    "offer": ["replace Quirina {}", "replace nobody {}"],
    "opened": ["/start join_1", "/start ready_1", "/start league_1_ABC"],
    "orders": ["{} gold", "{} pick King", "{} 1"],
    "page": ["page {}", "page public {}", "page private {}"],
    "plan": ["plan {}", "{} plan gold; end"],
    "policy": ["policy {}", "clock {}"],
    "prefer": ["prefer mail"],
    "process": ["process {}", "process q1 {}"],
    "record": ["record {}", "record {} deal 1"],
    "rewind": ["rewind {} round 1"],
    "rules": ["rules {}", "rules Thief {}"],
    "say": ["say {} hello"],
    "second": ["second 1", "second {}"],
    "talk": ["talk {}", "talk off {}"],
    "tell": ["tell {} Quirina hello"],
    "unmute": ["unmute Quirina {}"],
    "unlink": ["unlink zebedee@play.test", "unlink"],
    "vacation": ["vacation 3 days {}"],
    "vote": ["vote yes 1", "vote no {}"],
    "web": ["web {}", "web off", "web off 1", "web sessions"],
    "whisper": ["whisper {} hello"],
    "word": ["word {} xyzzy"],
}
SAID = sorted(
    {one.format("#1") for name in COMMANDS for one in WORDS.get(name, [f"{name} {{}}"])}
    | {
        "delete my account QUIRINA",
        "admin look 1",
        "admin",
        "resume all",
        "alternate no #1",
        "alternate off #1",
    }
)


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    one = await House(
        tmp_path / "seatless.db", base_url="https://x.test", admins=(("telegram", "root"),)
    ).open()
    yield one
    await one.close()


async def played(house: House, status: str) -> None:
    await greet(house, BEA)
    await house.say(ANA, "new classic 2 invite 24h")
    await house.say(MAL, "hello")
    code = house.store.read_now(lambda tx: tx.all(Game))[0].settings.split('"code": "')[1][:8]
    if status == GameStatus.LOBBY:
        return
    await house.say(BEA, f"join {code}")
    for who in (ANA, BEA):
        await house.say(who, "ready #1")
    if status == GameStatus.OVER:
        await house.store.write(lambda tx: tx.set(Game, 1, status=status, ended_ms=house.clock()))


def book(house: House) -> Any:
    """What no stranger may change, as it stands."""

    def read(tx: Tx) -> Any:
        strangers = {one.person_id for one in tx.all(Address) if one.address == "mal"}
        people = [one for one in tx.all(Person, order="id") if one.id not in strangers]
        return [
            *(
                repr([vars_of(row) for row in tx.all(table) if getattr(row, "game_id", 1) == 1])
                for table in TABLES[1:]
            ),
            repr(vars_of(tx.get(Game, 1))),
            repr([vars_of(one) for one in people]),
        ]

    return house.store.read_now(read)


def vars_of(row: Any) -> dict[str, Any]:
    return {name: getattr(row, name) for name in type(row).__annotations__ if not name.startswith("_")}


def others(house: House) -> int:
    """Letters to anybody but the stranger and their room."""
    return sum(
        "mal" not in (one.address or "") and one.place != "den"
        for wire in house.wires.values()
        for one in wire.sent
    )


@pytest.mark.parametrize("status", [GameStatus.LOBBY, GameStatus.RUNNING, GameStatus.OVER])
@pytest.mark.parametrize("place", [None, "den"])
async def test_nothing_is_told_and_nothing_changes(house: House, status: str, place: str | None) -> None:
    await played(house, status)
    before, letters = book(house), others(house)
    for said in SAID:
        house.clock.pass_(seconds=90)
        seen = len(house.wires["telegram"].sent)
        await house.say(MAL, f"/{said.lstrip('/')}" if place else said, place=place)
        for one in house.wires["telegram"].sent[seen:]:
            told = one.text.replace(said, "")
            if not said.startswith("name "):
                assert "Zebedee" not in told, (said, told)
                assert "Quirina" not in told.replace(f"“{said}”", "").replace("QUIRINA", ""), (said, told)
        assert book(house) == before, said
        assert others(house) == letters, said


async def test_nor_by_a_mail_in_a_players_name(house: House) -> None:
    await played(house, GameStatus.RUNNING)
    before, letters = book(house), len(house.wires["mail"].sent)
    for said in SAID:
        house.clock.pass_(seconds=90)
        await house.say(BEA, said, vouched=False)
        assert book(house) == before, said
    told = house.wires["mail"].sent[letters:]
    assert len(told) <= 5
    assert all(one.address == "zebedee@play.test" for one in told)
