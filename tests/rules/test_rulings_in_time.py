"""Rulings that were made later: new games are dealt under them, others keep their rules, and those that a
ruling comes to say so in their records.
"""

from __future__ import annotations

import json
from random import Random

import pytest

from referee.rules import (
    Move,
    Setup,
    StateError,
    asks,
    chance,
    dump,
    legal,
    load,
    new_game,
    play,
    ruled,
    rulings,
)
from referee.rules.facts import Seat
from referee.rules.flow.table import random_move
from referee.rules.model import State
from referee.rules.record import Record, RecordError, Ruled, of_game, read, verify, write
from referee.store.migrate import revisions
from tests.rules import laws
from tests.rules.invented.made_rulings import POORER, RICHER, make
from tests.rules.tampering import rechained

NAMES = ("Ana", "ruling", "rulings", "Dan")
SEED = chance.counted(5)
#: the real ones, which the made ones follow
REAL = rulings.today()


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> None:
    make(monkeypatch)


def in_turn(setup: Setup) -> State:
    """The first turn of a game."""
    state = new_game(setup, SEED).state
    while asks(state)[0].kind != "turn":
        state = play(state, asks(state)[0].seat, asks(state)[0].moves[0]).state
    return state


def takes(state: State) -> int:
    """How much gold the person who is asked takes."""
    seat = asks(state)[0].seat
    return play(state, seat, Move("gold")).state.players[seat].gold - state.players[seat].gold


def test_the_list_is_in_order_and_dated() -> None:
    numbers = [one.number for one in rulings.RULINGS]
    assert numbers == list(range(rulings.FIRST + 1, rulings.FIRST + 1 + len(numbers)))
    assert all(len(one.since) == 10 for one in rulings.RULINGS)
    assert [
        one.number for one in rulings.RULINGS if one.book not in revisions() or one.book <= "0013"
    ] == [], "a ruling has a step of the store: docs/engineers/changing.md"


@pytest.mark.usefixtures("made")
def test_a_new_game_is_dealt_under_all_and_an_older_one_keeps_its_own() -> None:
    new, old = in_turn(Setup("classic", NAMES)), in_turn(Setup("classic", NAMES, rulings=()))
    assert (new.setup.rulings, old.setup.rulings) == ((*REAL, 946, 947), ())
    assert (takes(new), takes(old)) == (3, 2)
    assert Move("cards") in legal(old, asks(old)[0].seat)
    assert Move("cards") not in legal(new, asks(new)[0].seat)
    assert (new.holds(946), old.holds(946), old.holds(45)) == (True, False, True)
    for state in (new, old):
        assert dump(load(json.loads(json.dumps(dump(state))))) == dump(state)
        assert load(dump(state)).setup == state.setup


@pytest.mark.usefixtures("made")
def test_a_ruling_comes_to_a_running_game_from_its_open_question_on() -> None:
    old = in_turn(Setup("classic", NAMES, rulings=()))
    before = json.dumps(dump(old))
    later = ruled(old, 947).state
    assert json.dumps(dump(old)) == before, "the game that was there is left alone"
    assert Move("cards") not in legal(later, asks(later)[0].seat)
    assert takes(later) == 2, "the other ruling is for new games"
    assert later.number == old.number + 1, "what is asked otherwise is asked anew"
    assert ruled(later, 947).state is later
    unconcerned = ruled(old, 946).state
    assert (unconcerned.number, unconcerned.rulings) == (old.number, (946,))
    assert later.setup.rulings == ()


@pytest.mark.usefixtures("made")
def test_a_game_that_is_over_stays_as_it_ended() -> None:
    over = list(laws.moments(3, 4, Random(4), Setup("classic", NAMES[:3], rulings=())))[-1]
    assert over.result is not None
    assert ruled(over, 947).state is over


@pytest.mark.parametrize("where", ["rulings", "setup"])
def test_a_game_under_a_ruling_that_is_not_known_is_from_a_newer_referee(where: str) -> None:
    written = dump(laws.table(4, 1))
    (written if where == "rulings" else written["setup"])["rulings"] = [
        rulings.FIRST + len(rulings.RULINGS) + 1
    ]
    with pytest.raises(StateError) as error:
        load(written)
    assert error.value.code == "newer"
    assert error.value.facts["ruling"] > rulings.FIRST


def unwritten(state: State) -> bool:
    """Whether the open question is one that is asked for secrecy's sake only, and stands in no record."""
    (ask,) = asks(state)
    return state.stack[-1].hushed and len(ask.moves) == 1 and not ask.families and ask.moves[0].verb != "end"


def played(number: int, came_after: int, *, secretly: bool = False) -> tuple[Record, State]:
    """The record of a random game of before, to which ruling 947 came after so many orders; `secretly`: at
    the next question that is not written.
    """
    rng = Random(number)
    setup = Setup("deluxe", NAMES, cast=laws.any_setup("deluxe", 4, rng).cast, rulings=())
    state = new_game(setup, chance.mix(SEED, ())).state
    given: list[tuple[Seat, Move] | Ruled] = []
    while state.stack:
        if len(given) >= came_after and not state.holds(947) and (not secretly or unwritten(state)):
            given.append(Ruled(947))
            state = ruled(state, 947).state
        seat, move = asks(state)[0].seat, random_move(state, rng)
        given.append((seat, move))
        state = play(state, seat, move).state
    return of_game(setup, SEED, ("",) * 4, given), state


@pytest.mark.usefixtures("made")
def test_a_record_says_where_a_ruling_came_and_holds() -> None:
    secretly = 0
    for number in range(40):
        record, state = played(number, 3 + 2 * number, secretly=number % 2 == 1)
        text = write(record)
        assert ("ruling: 947 from question" in text) == state.holds(947)
        assert write(read(text)) == text
        found = verify(text)
        assert found.finished
        assert found.outcome is not None
        assert dump(found.outcome.state)["result"] == dump(state)["result"]
        assert found.outcome.state.rulings == state.rulings
        secretly += number % 2 == 1 and state.holds(947)
    assert secretly > 2, "some came at a question that stands in no record"


@pytest.mark.usefixtures("made")
def test_a_record_of_a_game_dealt_under_them_says_so() -> None:
    state = new_game(Setup("classic", NAMES), chance.mix(SEED, ())).state
    given: list[tuple[Seat, Move]] = []
    rng = Random(1)
    while state.stack:
        given.append((asks(state)[0].seat, random_move(state, rng)))
        state = play(state, *given[-1]).state
    text = write(of_game(Setup("classic", NAMES), SEED, ("",) * 4, given))
    line = f"rulings: {json.dumps([*REAL, 946, 947])}\n"
    assert f"\n{line}" in text
    assert verify(text).replayed
    with pytest.raises(RecordError):
        verify(text.replace(line, ""))


def cut(text: str, line: str, instead: str) -> str:
    """The text with the line that begins so replaced."""
    return "\n".join(
        instead if one.startswith(line) else one
        for one in text.split("\n")
        if instead or not one.startswith(line)
    )


@pytest.mark.usefixtures("made")
@pytest.mark.parametrize(
    ("line", "instead", "words"),
    [
        ("ruling: 947", "", "refused"),
        ("ruling: 947", "ruling: 947 from question 9", "can't have come there"),
        ("ruling: 947", "ruling: 947", "ruling"),
        ("ruling: 947", "ruling: 45 from question 22", "not known"),
        ("ruling: 947", "ruling: 99 from question 22", "newer referee"),
        ("edition: ", "edition: classic\nruling: 947 from question 1", "options"),
        ("winner: ", "ruling: 947 from question 999", "result:"),
        ("words: ", 'words: []\nrulings: ["x"]', "in order"),
        ("words: ", "words: []\nrulings: [947, 946]", "in order"),
        ("words: ", "words: []\nrulings: [99]", "newer referee"),
        ("words: ", "words: []\nrulings: [947]", "cards is refused"),
    ],
)
def test_a_record_that_lies_about_its_rulings_is_found_out(line: str, instead: str, words: str) -> None:
    record, _ = played(3, 20)
    text = write(record)
    assert verify(text).replayed
    with pytest.raises(RecordError) as error:
        verify(rechained(cut(text, line, instead)))
    assert words in str(error.value)


def test_made_rulings_are_those_that_the_tests_speak_of() -> None:
    assert (RICHER.running, POORER.running) == (False, True)
