"""Laws of the desk: whatever people do and whatever the wires do, these hold afterwards."""

from __future__ import annotations

import json
import logging
import random
import secrets
from types import SimpleNamespace
from typing import Any

import pytest

from referee import rules
from referee.rules import record
from referee.service.core import outbox, tokens
from referee.service.core.letters import Facts
from referee.service.deadlines import clock_state
from referee.service.deadlines.clock_state import WhenAway, when_away
from referee.service.notices import delivery_rules
from referee.service.play import seat_page
from referee.service.play.records import record_text
from referee.store import Address, Deadline, Game, Inbox, Journal, Outbox, Seat, Tx
from tests.e2e import sealed
from tests.e2e.history import positions
from tests.seeds import share
from tests.service.crowd import Crowd
from tests.service.playing import table
from tests.service.rig import House

ACTS = 160
SEEDS = share(range(10))
#: letters in which a line with a bullet is news
_TELLING = frozenset({"prompt", "reminder", "hand", "over", "table", "status", "history"})


@pytest.mark.parametrize("seed", SEEDS)
async def test_whatever_happens(
    house: House, seed: int, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        secrets, "token_bytes", random.Random(seed).randbytes
    )  # the same deal for the same seed
    caplog.set_level(logging.WARNING, logger="referee.service")
    crowd = Crowd(house, seed)
    await crowd.live(ACTS)
    assert crowd.orders > ACTS // 10
    assert not [r.getMessage() for r in caplog.records if r.levelno >= logging.ERROR]
    if house.store.read_now(
        lambda tx: [row for row in tx.all(Outbox, state="queued") if '"held"' in row.data]
    ):
        house.clock.pass_(hours=10)  # it was night for somebody: what waits for the morning leaves then
        await house.settle()
    assert faults(house, crowd) == []
    assert house.store.read_now(lambda tx: tx.count(Journal)) > ACTS // 4


def faults(house: House, crowd: Crowd) -> list[str]:
    """Every way in which the laws are broken."""
    return house.store.read_now(
        lambda tx: [
            *left_behind(tx, house.clock.at_ms),
            *clocks(tx),
            *prompts(tx),
            *journals(tx),
            *seats(tx),
            *leaks(tx, house, crowd),
        ]
    )


def no_clock(*_: Any, **__: Any) -> None:
    """A question without a deadline."""


def no_prompt(uow: Any, what: Facts, **row: Any) -> None:
    """A question that is put to nobody."""
    if what.kind != "prompt":
        queue(uow, what, **row)


def neighbours_hand(state: Any, seat: int | None) -> dict[str, Any]:
    """A view with somebody else's cards."""
    view: dict[str, Any] = rules.view(state, seat)
    return (
        view if seat is None else {**view, "hand": rules.view(state, (seat + 1) % len(state.players))["hand"]}
    )


queue = outbox.queue


@pytest.mark.parametrize(
    ("room", "name", "mutant", "found"),
    [
        (clock_state, "ask", no_clock, "deadlines"),
        (outbox, "queue", no_prompt, "never asked"),
        (seat_page, "rules", SimpleNamespace(view=neighbours_hand), "hand"),
    ],
)
async def test_the_laws_notice(
    house: House, monkeypatch: pytest.MonkeyPatch, room: Any, name: str, mutant: Any, found: str
) -> None:
    monkeypatch.setattr(secrets, "token_bytes", random.Random(7).randbytes)
    monkeypatch.setattr(room, name, mutant)
    crowd = Crowd(house, 7)
    await crowd.live(50)
    await table(house, ["terminal:zoe", "terminal:max"])  # at others nobody waits, and no clock runs
    assert any(found in fault for fault in faults(house, crowd))


def left_behind(tx: Tx, now_ms: int) -> list[str]:
    """Messages that were not handled, letters that are due and not out: by mail, a confirmation waits."""
    faults = [f"inbox {r.id} {r.state}: {r.error}" for r in tx.all(Inbox) if r.state != "done" or r.tries]
    return faults + [
        f"outbox {r.id} {r.kind} {r.state}: {r.error}"
        for r in tx.all(Outbox)
        if r.state == "sending"
        or (r.state == "queued" and r.not_before_ms <= now_ms)
        or "could not be written" in r.error
    ]


def clocks(tx: Tx) -> list[str]:
    """Anyone who is asked has exactly one open deadline, set by this question or an earlier one of the same
    turn, and nobody else has.
    """
    faults = []
    for game in tx.all(Game):
        seats = tx.all(Seat, game_id=game.id)
        timed = game.status == "running" and when_away(game, seats) is not WhenAway.STAYS
        asked = {int(s): game.question for s in game.asked.split(",") if s} if timed else {}
        due = [(d.seat, d.question) for d in tx.all(Deadline, game_id=game.id, kind="answer", done_ms=0)]
        if sorted(seat for seat, _ in due) != sorted(asked) or any(
            question > asked[seat] for seat, question in due
        ):
            faults.append(f"game {game.id} {game.status}: deadlines {due}, asked {asked}")
        if game.status == "running" and not game.asked:
            faults.append(f"game {game.id} waits for nobody")
    return faults


def prompts(tx: Tx) -> list[str]:
    """Anyone who is asked and can be reached has been asked."""
    faults = []
    for game in tx.all(Game, status="running"):
        for no in game.asked.split(","):
            seat = tx.one(Seat, game_id=game.id, no=int(no))
            assert seat is not None
            if not any(a.state in ("green", "new") for a in tx.all(Address, person_id=seat.person_id)):
                continue
            told = [
                r
                for r in tx.all(Outbox, game_id=game.id, seat=seat.no)
                if r.kind in ("prompt", "reminder") and r.question == game.question
            ]
            asked = any(row.state in ("sent", "unknown", "queued") for row in told)
            if not asked and not in_another(tx, seat, told):
                faults.append(
                    f"game {game.id}: {seat.name} was never "
                    f"asked {game.question}: {[(r.id, r.state, r.error) for r in told]}"
                )
    return faults


def in_another(tx: Tx, seat: Seat, told: list[Outbox]) -> bool:
    """Whether a letter about all games that came in place of those asks for this seat, too."""
    first = min((one.id for one in told if one.error == delivery_rules.GATHERED), default=None)
    digests = [] if first is None else tx.all(Outbox, kind="digest", person_id=seat.person_id)
    return any(
        row.id > first and (row.state == "queued" or str(seat.id) in json.loads(row.data).get("seats", {}))
        for row in digests
    )


def journals(tx: Tx) -> list[str]:
    """Each journal, played again, gives the snapshot; no question is answered twice; a finished game's record
    verifies.
    """
    faults = []
    for game in tx.all(Game):
        if not game.snapshot:
            continue
        *_, last = positions(tx, int(game.id or 0))
        now = rules.load(json.loads(game.snapshot))
        if rules.dump(rules.asked_anew(last, now.number)) != rules.dump(
            now
        ):  # questions that were taken back count too
            faults.append(f"game {game.id}: the journal leads elsewhere")
        answered = [move.question for move in tx.all(Journal, game_id=game.id)]
        if len(set(answered)) != len(answered):
            faults.append(f"game {game.id}: a question was answered twice")
        if game.status == "over":
            record.verify(record_text(tx, int(game.id or 0)))
    return faults


def seats(tx: Tx) -> list[str]:
    faults = []
    for game in tx.all(Game):
        around = tx.all(Seat, game_id=game.id, order="no")
        names = [s.name.casefold() for s in around]
        if len(set(names)) != len(names) or [s.no for s in around] != list(range(len(around))):
            faults.append(f"game {game.id}: seats {[(s.no, s.name) for s in around]}")
        faults += [
            f"game {game.id}: {s.name} was told {s.told} of {game.event_no}"
            for s in around
            if s.told > game.event_no
        ]
    return faults


def leaks(tx: Tx, house: House, crowd: Crowd) -> list[str]:
    """News, hands and characters in every letter are those of its reader."""
    faults = []
    may: dict[int, dict[int | None, Any]] = {}
    for wire in house.wires.values():
        for letter in wire.sent:
            row = tx.get(Outbox, tokens.wire_of(tokens.known(tx), letter.id) or 0)
            game = None if row is None or row.game_id is None else tx.get(Game, row.game_id)
            if row is None or game is None or not game.snapshot or row.kind not in _TELLING:
                continue
            number = int(game.id or 0)
            if number not in may:
                may[number] = sealed.readers(tx, number)
                for seat, reader in may[number].items():
                    if seat is not None:
                        reader.hands, reader.characters = crowd.held[number, seat], crowd.were[number, seat]
            reader = may[number][row.seat if letter.place is None else None]
            faults += [
                f"letter {row.id} ({row.kind}) to {letter.address or letter.place}: {wrong}"
                for wrong in sealed.overheard(reader, letter.text)
            ]
            if letter.place is not None and sealed.hands_told(letter.text):
                faults.append(f"letter {row.id}: a hand in a room")
    return faults
