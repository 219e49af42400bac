"""Each thing that can be wrong with a game in the book is found and named, and nothing else is; no hidden
card stands in what is said of it.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from referee import rules
from referee.ids import GameId
from referee.service.upkeep.audit import flaws
from referee.service.upkeep.try_upgrade import rehearsed
from referee.service.upkeep.workers import WorkShare, audited, desk, shared
from referee.store import Deadline, Game, Journal, Person, Seat, SeatPlan, StoreFull, Tx, Undo
from tests.service.bots import tables
from tests.service.playing import asked, legal, table
from tests.service.rig import House

PEOPLE = ["telegram:ana", "matrix:bo", "terminal:cy"]


@pytest.fixture
async def number(house: House) -> int:
    """A game in its second round."""
    found = await table(house, PEOPLE)
    dice = random.Random(7)
    while house.store.read_now(lambda tx: tx.column(Game, "round", id=found))[0] < 2:
        await house.say(PEOPLE[asked(house, found)], dice.choice(legal(house, found)))
    return found


def codes(house: House, number: int) -> list[str]:
    return sorted(one.code for one in house.store.read_now(lambda tx: flaws(desk(tx, house.clock()), number)))


def snapshot(change: Callable[[dict[str, object]], object]) -> Callable[[Tx, int], object]:
    """Harm to a game's position, as JSON."""

    def harm(tx: Tx, number: int) -> object:
        game = tx.get(Game, number)
        assert game is not None
        data = json.loads(game.snapshot)
        change(data)
        return tx.set(Game, number, snapshot=json.dumps(data).encode())

    return harm


def last(tx: Tx, number: int) -> Journal:
    return tx.all(Journal, game_id=number, order="-no", limit=1)[0]


HARMS: dict[str, Callable[[Tx, int], object]] = {
    "seats": lambda tx, number: tx.change(Seat, {"game_id": number, "no": 2}, no=7),
    "seed": lambda tx, number: tx.set(Game, number, seed_hash="0" * 64),
    "state": lambda tx, number: tx.set(Game, number, snapshot=b"{"),
    "rules": snapshot(lambda data: data["players"][0].update(gold=1000)),  # type: ignore[index]  # plain JSON
    "journal": lambda tx, number: tx.set(Journal, last(tx, number).id, order="build Nowhere"),
    "replay": lambda tx, number: tx.drop(Journal, id=last(tx, number).id),
    "numbers": lambda tx, number: tx.set(Game, number, move_no=1),
    "told": lambda tx, number: tx.change(Seat, {"game_id": number, "no": 0}, told=100_000),
    "asked": lambda tx, number: tx.set(Game, number, asked="0,1,2"),
    "question": lambda tx, number: tx.set(Game, number, question=99_999),
    "deadline": lambda tx, number: tx.change(Deadline, {"game_id": number, "done_ms": 0}, done_ms=1),
    "plan": lambda tx, number: tx.add(SeatPlan, game_id=number, seat=0, data="{", memory="{}"),
    "undo": lambda tx, number: tx.add(Undo, game_id=number, no=90_000, snapshot=b"[]"),
}


async def test_a_flaw_is_found_and_named(house: House, number: int) -> None:
    def harmed(tx: Tx, code: str) -> set[str]:
        HARMS[code](tx, number)
        found = {one.code for one in flaws(desk(tx, house.clock()), number)}
        tx.forget()
        return found

    assert codes(house, number) == []
    more = {"seats": {"broken"}, "rules": {"replay"}, "undo": {"broken"}}
    for code in HARMS:
        found = house.store.write_now(lambda tx, code=code: harmed(tx, code))  # type: ignore[misc]  # the default binds the code
        assert code in found
        assert found <= {code, *more.get(code, ())}, code
    assert codes(house, number) == []


async def test_what_is_found_gives_no_card_away(house: House, number: int) -> None:
    house.store.write_now(lambda tx: [HARMS[code](tx, number) for code in ("rules", "journal", "plan")])
    found = house.store.read_now(lambda tx: flaws(desk(tx, house.clock()), number))
    state = rules.load(json.loads(house.store.read_now(lambda tx: tx.column(Game, "snapshot", id=number))[0]))
    secret = {card.name for card in state.cards} | set(state.rules.characters) | {"Nowhere"}
    assert found
    assert not [word for one in found for word in secret if word in one.why]


async def test_a_pause_or_a_frozen_table_needs_no_deadline(house: House, number: int) -> None:
    await house.say(PEOPLE[0], f"pause #{number}")
    house.store.write_now(lambda tx: tx.set(Game, number, status="frozen"))
    house.store.write_now(lambda tx: tx.change(Deadline, {"game_id": number, "done_ms": 0}, done_ms=1))
    assert codes(house, number) == []


async def test_one_person_among_bots_needs_no_deadline_but_their_bots_do(house: House) -> None:
    """Nobody waits there, so there is no clock: no flaw for which a backup is called unproven."""
    number = await tables.table(house, "greedy", "greedy")
    assert house.store.read_now(lambda tx: tx.count(Deadline, game_id=number, done_ms=0)) == 0
    assert asked(house, number) == 0
    assert codes(house, number) == []
    house.store.write_now(
        lambda tx: tx.change(Seat, {"game_id": number, "no": 0}, bot="greedy", person_id=None)
    )
    assert codes(house, number) == ["deadline"]


async def test_a_game_that_is_over_or_not_there_has_no_flaw(house: House, number: int) -> None:
    house.store.write_now(lambda tx: tx.set(Game, number, status="over", snapshot=b"{"))
    assert codes(house, number) == codes(house, 12345) == []


@pytest.mark.whole_games
async def test_several_processes_find_what_one_finds(house: House, number: int) -> None:
    """More games than one share, one of them with a flaw."""
    house.store.write_now(
        lambda tx: [tx.add(Game, creator_id=tx.column(Person, "id", limit=1)[0]) for _ in range(150)]
    )
    house.store.write_now(lambda tx: tx.set(Game, number, question=99_999))
    one, two = (audited(house.store.url, house.clock(), workers) for workers in (1, 2))
    assert one == two
    assert (one.games, [flaw.code for flaw in one.flaws]) == (151, ["question"])


def dies(share: WorkShare) -> None:
    """As if the system had killed the process that looks."""
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_process_that_is_killed_ends_in_words_for_the_admin() -> None:
    with pytest.raises(StoreFull, match="try fewer workers") as told:
        list(shared(dies, "sqlite:///nowhere", [GameId(n) for n in range(150)], 0, 2))
    assert told.value.reason == "killed"


async def test_a_rehearsal_plays_on_words_letters_and_leaves_the_book_alone(
    house: House, number: int, tmp_path: Path
) -> None:
    before = house.store.read_now(lambda tx: (tx.get(Game, number), tx.count(Journal)))
    sent = {name: len(wire.sent) for name, wire in house.wires.items()}
    done = rehearsed(None, house.store.url, tmp_path / "try", house.clock, workers=1)
    assert done.tried.flaws == []
    assert (done.tried.games, done.tried.played) == (1, 1)
    assert done.tried.orders > 20
    assert done.tried.letters == 3 * 5 + 5  # each player's and a room's, in every markup
    assert house.store.read_now(lambda tx: (tx.get(Game, number), tx.count(Journal))) == before
    assert {name: len(wire.sent) for name, wire in house.wires.items()} == sent
    assert list((tmp_path / "try").iterdir()) == []


async def test_what_a_killed_rehearsal_left_is_cleared_away_and_nobody_else_s(
    house: House, number: int, tmp_path: Path
) -> None:
    """A whole copy of the book would lie there for ever."""
    place = tmp_path / "try"
    code = (
        "import pathlib, sys, time\n"
        "from referee.service.upkeep.try_upgrade import _apart\n"
        "with _apart(pathlib.Path(sys.argv[1])) as made:\n"
        "    (made / 'copy.db').write_text('all')\n"
        "    print(made, flush=True)\n"
        "    time.sleep(600)\n"
    )
    place.mkdir()
    words = [sys.executable, "-c", code, str(place)]
    one, two = (subprocess.Popen(words, stdout=subprocess.PIPE, text=True) for _ in range(2))
    try:
        assert one.stdout is not None
        assert two.stdout is not None
        killed, lives = (Path(each.stdout.readline().strip()) for each in (one, two))
        one.kill()
        one.wait()
        done = rehearsed(None, house.store.url, place, house.clock, workers=1)
        assert done.tried.flaws == []
        assert list(place.iterdir()) == [lives]
        assert killed != lives
    finally:
        for each in (one, two):
            each.kill()
            each.communicate()


async def test_a_rehearsal_tells_what_would_go_wrong(
    house: House, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A template of the admin's own that this version can't use, and bots that meet something broken."""
    (tmp_path / "own" / "en" / "letters").mkdir(parents=True)
    (tmp_path / "own" / "en" / "letters" / "prompt.j2").write_text(
        "{% block subject %}x{% endblock %}{% block body %}{{ nobody.knows.this }}{% endblock %}"
    )

    def broken(state: rules.State, seat: int, move: object) -> None:
        raise LookupError("hidden cards stand here")

    monkeypatch.setattr(
        "referee.service.upkeep.try_upgrade.rules",
        type("Broken", (), {**vars(rules), "play": staticmethod(broken)}),
    )
    done = rehearsed(
        None, house.store.url, tmp_path / "try", house.clock, workers=1, templates=[tmp_path / "own"]
    )
    found = {one.code: one.why for one in done.tried.flaws}
    assert "unplayable" in found
    assert "hidden" not in found["unplayable"]
