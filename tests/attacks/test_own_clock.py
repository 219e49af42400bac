"""S5: nobody stops their own clock.

A message that breaks us is set aside and every game goes on; a game freezes only where its own position
broke, and a thaw gives back the time that this took and no more.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from referee import rules
from referee.ports import Fate, Inbound, Receipt, What
from referee.service.admin import console
from referee.service.core.commands import COMMANDS
from referee.service.core.unit_of_work import GameBroke, broken_game, playing
from referee.service.inbound import dispatch
from referee.service.people.identity import Speaker
from referee.service.people.spoken import planned
from referee.service.plans import filing
from referee.service.play import commands as play
from referee.store import Alert, Deadline, Inbox, Outbox
from referee.text import Reading, read_intent
from referee.text.reading.plan_heads import plan_head
from referee.text.reading.plans import read_plan
from tests.service.playing import FLAT, asked, legal, running, table
from tests.service.rig import House

PEOPLE = ["telegram:ana", "matrix:@bea:hs"]
HOUR = 3_600_000


def broken(*_: object, **__: object) -> None:
    raise RuntimeError("a bug of ours")


def due(house: House, game: int) -> int:
    rows = house.store.read_now(lambda tx: tx.all(Deadline, game_id=game, done_ms=0, kind="answer"))
    assert len(rows) == 1
    return rows[0].due_ms


async def seated(house: House) -> tuple[int, str, int]:
    """A running table, who is asked, and when their answer is due."""
    game = await table(house, PEOPLE)
    return game, PEOPLE[asked(house, game)], due(house, game)


STRANGE = [
    "rules " + "#1 " * 1_000,
    "help " + "#1 " * 1_000,
    "#999999999 gold",
    "#999999999 undo",
    "#999999999 when King: gold",
    "#0 gold",
    "#1 #2 #3 gold",
    "#1" * 500,
    "(" * 3_000,
    "ask me if " + "gold > 3 and " * 900,
    "rules " + "(" * 500,
    "record #999999999 deal 99999999",
    "\ud800".encode("utf-8", "surrogatepass").decode("utf-8", "replace"),
    "rewind round 9999",
    "process q999999999",
    "vote yes 999999999",
    "second 999999999",
    "extend 99999999999h",
    "vacation 99999999 days",
    "history 999999",
    "admin look #999999999",
    "bot 99999999999",
]


async def test_no_message_stops_the_clock_of_whoever_writes_it(house: House) -> None:
    game, who, before = await seated(house)
    for text in STRANGE:
        await house.say(who, text)
        assert running(house, game).status == "running", text
        assert due(house, game) == before, text
    assert [row.state for row in house.store.read_now(lambda tx: tx.all(Inbox))].count("shunted") == 0
    assert house.store.read_now(lambda tx: tx.one(Alert, code="shunted")) is None
    await house.say(who, legal(house, game)[0])  # and they can still move


async def test_an_order_posted_to_a_table_that_is_not_there_is_refused(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a page does that was opened under another number."""
    game, who, before = await seated(house)

    class Answered:
        def __init__(self, number: int) -> None:
            self.number = number

        def __call__(self, uow: Any, came: Inbound) -> Any:
            person, address = uow.tx.whose(*who.split(":", 1))
            return Speaker(
                person,
                address,
                Outbox(
                    id=0,
                    channel="web",
                    address=address.address,
                    person_id=person.id,
                    game_id=self.number,
                    kind="prompt",
                    question=0,
                ),
            )

    for number in (999_999_999, 4711):
        with monkeypatch.context() as patch:
            patch.setattr(dispatch, "identify_speaker", Answered(number))
            letters = len(house.letters(who))
            await house.say(who, "gold")
            assert len(house.letters(who)) == letters + 1
            assert str(number) in house.last(who).text
    assert running(house, game).status == "running"
    assert due(house, game) == before
    assert {row.state for row in house.store.read_now(lambda tx: tx.all(Inbox))} == {"done"}


async def test_a_table_where_one_has_no_seat_is_refused_before_it_is_loaded(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, who, _ = await seated(house)
    other = await table(house, ["telegram:cy", "telegram:dan"])
    with monkeypatch.context() as patch:
        patch.setattr(rules, "load", broken)
        house.referee.states._kept.clear()
        for text in ("gold", "undo", "when King: gold", "prefer King"):
            await house.say(who, f"#{other} {text}")
    assert {row.state for row in house.store.read_now(lambda tx: tx.all(Inbox))} == {"done"}
    assert running(house, game).status == running(house, other).status == "running"


#: where a bug of ours may sit that a message reaches: (what breaks, the words that reach it)
BUGS: list[tuple[Any, str, str]] = [
    (dispatch, "spoken", "gold"),
    (dispatch, "which", "gold"),
    (planned, "listeners", "prefer King"),
    (play, "prompt_again", "gold"),
    (COMMANDS, "orders", "gold"),
    (filing, "file", "when King: gold; end"),
    (COMMANDS, "status", "status"),
    (COMMANDS, "rules", "rules thief"),
    (COMMANDS, "undo", "undo"),
    (COMMANDS, "hand", "hand"),
    (COMMANDS, "vacation", "vacation 1 day"),
    (COMMANDS, "pause", "pause"),
    (COMMANDS, "say", "say hello"),
    (dispatch, "before", "hello there"),
]


async def test_a_bug_that_a_message_finds_stops_no_clock(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, who, before = await seated(house)
    for count, (where, name, text) in enumerate(BUGS, 1):
        with monkeypatch.context() as patch:
            if where is COMMANDS:
                patch.setitem(COMMANDS, name, replace(COMMANDS[name], do=broken))
            elif where is planned:
                patch.setattr(where, name, [broken])
            else:
                patch.setattr(where, name, broken)
            await house.say(who, text)
        rows = house.store.read_now(lambda tx: tx.all(Inbox, state="shunted"))
        assert len(rows) == count, name  # set aside, nothing lost
        assert all(row.tries == 3 for row in rows)
        assert house.store.read_now(lambda tx: tx.count(Alert, code="shunted")) == count
        assert running(house, game).status == "running", name
        assert due(house, game) == before, name
    for row in rows:
        assert house.store.write_now(
            lambda tx, number=int(row.id or 0): console.mend(tx, "drop-message", number, house.shell())
        )
    assert due(house, game) == before
    house.clock.pass_(hours=25)
    await house.referee.scheduler.ring()
    await house.settle()
    assert running(house, game).move_no > 0  # the deadline held


async def frozen(house: House, monkeypatch: pytest.MonkeyPatch, game: int, who: str) -> int:
    """The game's own position breaks while it is played; the number of the message."""
    order = legal(house, game)[0]
    with monkeypatch.context() as patch:
        patch.setattr(rules, "play", broken)
        await house.say(who, order)
    assert running(house, game).status == "frozen"
    row = house.store.read_now(lambda tx: tx.one(Inbox, state="shunted"))
    assert row is not None
    return int(row.id or 0)


@pytest.mark.parametrize("how", ["thaw", "retry", "drop"])
async def test_a_thaw_gives_back_the_time_that_was_lost_and_no_more(
    house: House, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    game, who, before = await seated(house)
    house.clock.pass_(hours=23)
    number = await frozen(house, monkeypatch, game, who)
    house.clock.pass_(hours=50)
    monkeypatch.setattr(rules, "play", broken if how == "retry" else rules.play)
    acts: dict[str, Callable[[Any], object]] = {
        "thaw": lambda tx: console.mend(tx, "thaw", game, house.shell()),
        "retry": lambda tx: console.mend(tx, "retry-message", number, house.shell()),
        "drop": lambda tx: console.mend(tx, "drop-message", number, house.shell()),
    }
    assert house.store.write_now(acts[how])
    assert running(house, game).status == "running"
    assert due(house, game) == before + 50 * HOUR
    assert due(house, game) - house.clock() == HOUR  # an hour was left, an hour is left


async def test_freezing_again_and_again_wins_nothing(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    game, who, before = await seated(house)
    lost = 0
    for _ in range(4):
        house.clock.pass_(hours=5)
        number = await frozen(house, monkeypatch, game, who)
        house.clock.pass_(hours=7)
        lost += 7 * HOUR
        assert house.store.write_now(
            lambda tx, number=number: console.mend(tx, "drop-message", number, house.shell())
        )
        await house.settle()
        assert due(house, game) == before + lost
    assert due(house, game) - house.clock() == 4 * HOUR
    house.clock.pass_(hours=4, seconds=1)
    await house.referee.scheduler.ring()
    assert running(house, game).move_no > 0


async def test_a_game_that_cannot_be_loaded_freezes_itself_and_no_other(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, who, _ = await seated(house)
    other = await table(house, ["telegram:cy", "telegram:dan"])
    house.referee.states._kept.clear()
    with monkeypatch.context() as patch:
        patch.setattr(rules, "load", broken)
        await house.say(who, f"#{game} gold")
    assert running(house, game).status == "frozen"
    assert running(house, other).status == "running"


def test_what_breaks_within_names_its_game_and_refusals_pass() -> None:
    with pytest.raises(GameBroke) as found, playing(7), playing(8):
        raise KeyError("x")
    assert broken_game(found.value) == 8
    with pytest.raises(rules.Refusal), playing(7):
        raise rules.Refusal("no-game")
    assert broken_game(KeyError("x")) == 0
    assert broken_game(rules.StateError("damaged", game=5)) == 5
    assert broken_game(None) == 0


@pytest.mark.parametrize(
    "text",
    [
        "rules " + "#1 " * 50,
        "(" * 200,
        "gold; " * 40,
        "ask me if " + "gold > 3 and " * 14,
        "when King: " + "gold; " * 30,
        "build temple or " * 12,
        "prefer " + "King or " * 20,
        "new " + "with bots " * 40,
        "new cast " + "thief, " * 60,
        "say " + "(" * 900,
        "admin look #1 because " + "(" * 150,
        "not " * 60,
        "if if if if " * 10,
        '"' * 200,
        "league " + '"a" ' * 60,
        "[" * 200,
    ],
)
@pytest.mark.parametrize("language", ["en", "pt_BR"])
def test_nothing_recurses_on_what_was_typed(text: str, language: str) -> None:
    state = rules.new_game(
        rules.Setup(edition="deluxe", players=("Ana", "Bea"), options={}), b"\1" * 32
    ).state
    reading = Reading(language, names=("Ana", "Bea"), numbers=False, view=rules.view(state, 0))
    read_intent(text, Reading(language), private=True)  # whatever is loaded once
    read_plan(text, reading)
    depth = len(inspect.stack(0))
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(depth + 45)
    try:
        plan_head.__wrapped__(text, True, language, ())
        read_intent(text, Reading(language), private=True)
        read_plan(text, reading)
    finally:
        sys.setrecursionlimit(limit)


async def test_nothing_but_messages_and_buttons_reaches_a_handler(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a wire reports that nobody typed stops no clock either when it breaks us."""
    game, who, before = await seated(house)
    monkeypatch.setattr(dispatch.channel_events, "reported", broken)
    channel, _, address = who.partition(":")
    for what in (What.BLOCKED, What.REACHABLE, What.BOUNCED):
        await house.bring(Inbound(channel, f"{what}", address, what, at_ms=house.clock()))
    assert running(house, game).status == "running"
    assert due(house, game) == before


async def test_coming_late_to_ones_terminal_wins_no_second_day_at_every_turn(house: House) -> None:
    """The one who plays at a terminal stays away until just before the deadline, turn after turn."""
    people = ["terminal:ana", "telegram:bea"]
    game = await table(house, people, hours=FLAT_WAITING)
    wire = house.wires["terminal"]
    won = []
    for _ in range(4):
        while asked(house, game) != 0:
            wire.fate = lambda _: Receipt(Fate.LATER, retry_ms=1000)
            await house.say(people[1], legal(house, game)[0])
        begun = house.clock()
        house.clock.pass_(hours=20)
        wire.fate = None
        await house.settle()
        won.append((due(house, game) - begun) / HOUR)
        while asked(house, game) == 0:
            await house.say(people[0], legal(house, game)[0])
    assert won[0] == 24 + 12  # once a game, as for anybody whom nothing reaches
    assert won[1:] == [24, 24, 24]


FLAT_WAITING = f"{FLAT} unreachable 12h"


async def test_blocking_and_unblocking_wins_its_allowance_once(house: House) -> None:
    people = ["telegram:ana", "telegram:bea"]
    game = await table(house, people, hours=FLAT_WAITING)
    who = people[asked(house, game)]
    before = due(house, game)
    channel, _, address = who.partition(":")
    for _ in range(5):
        await house.bring(Inbound(channel, f"b{house.clock()}", address, What.BLOCKED, at_ms=house.clock()))
        house.clock.pass_(hours=2)
        await house.bring(Inbound(channel, f"r{house.clock()}", address, What.REACHABLE, at_ms=house.clock()))
        await house.say(who, "status")
        house.clock.pass_(seconds=120)
    assert due(house, game) - before <= 12 * HOUR
    assert due(house, game) - before <= 2 * HOUR + 1000  # the first time alone counted
