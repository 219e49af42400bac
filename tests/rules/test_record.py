"""A record is a text that a person can read, that plays back, and that can't lie."""

from __future__ import annotations

from random import Random

import pytest

from referee.rules import Move, Setup, asks, chance, dump, new_game, play
from referee.rules.facts import Seat
from referee.rules.flow.table import random_move
from referee.rules.model import State
from referee.rules.record import Record, RecordError, closed, of_game, read, replay, verify, write
from referee.rules.rulings import today

SEED = chance.counted(11)
ODD = ("Ana", "# round 1", "seed", 'Bea: "pick" King', "destroy Ana", "Zoë O’Neill", "💥")


def played(setup: Setup, words: tuple[str, ...], number: int, orders: int = 10_000) -> tuple[Record, State]:
    """The record of a random game, broken off after so many orders."""
    state = new_game(setup, chance.mix(SEED, words)).state
    rng = Random(number)
    given: list[tuple[Seat, Move]] = []
    while state.stack and len(given) < orders:
        seat, move = asks(state)[0].seat, random_move(state, rng)
        given.append((seat, move))
        state = play(state, seat, move).state
    return of_game(setup, SEED, words, given), state


@pytest.mark.parametrize("players", range(2, 8))
def test_there_and_back_with_the_oddest_names(players: int) -> None:
    words = ("rain\u2028", "", '"', "#", "", "ä", "\n")[:players]
    for number in range(4):
        record, state = played(Setup("classic", ODD[:players]), words, number)
        text = write(record)
        assert write(read(text)) == text
        found = verify(text)
        assert (found.finished, found.replayed, found.rounds) == (True, True, state.round)
        assert found.outcome is not None
        assert dump(found.outcome.state) == dump(state)
        assert found.outcome.events[-1].name == "game_over"


@pytest.mark.parametrize("number", range(4))
def test_a_name_that_ends_as_the_score_of_another_is_not_taken_for_it(number: int) -> None:
    """A second Ana is called Ana 2 at a table, and the first may have 2 points; or one is called Ana 12."""
    words, names = ("",) * 4, ("Ana", "Bea", "Cy", "Dan")
    ended = played(Setup("classic", names), words, number)[1].result
    assert ended is not None
    names = ("Ana", f"Ana {ended['scores'][0]['score']}", "Cy", "Dan")
    text = write(played(Setup("classic", names), words, number)[0])
    assert verify(text).finished
    assert write(read(text)) == text


def test_it_reads_like_this() -> None:
    text = write(played(Setup("classic", ("Ana", "seed"), crown=1), ("rain", ""), 3)[0])
    lines = text.split("\n")
    assert lines[:12] == [
        "citadels record 2",
        "edition: classic",
        "options: {}",
        "cast: []",
        "uniques: []",
        'players: ["Ana", "seed"]',
        "crown: 1",
        f"seed hash: {chance.commit(SEED)}",
        'words: ["rain", ""]',
        f"rulings: {list(today())}",
        "",
        "# round 1",
    ]
    assert lines[12].startswith('"seed": pick ')
    assert "# round 2" in lines
    assert f"seed: {SEED.hex()}" in lines
    assert any(line.startswith("winner: ") for line in lines)


def test_a_game_that_goes_on_hides_its_seed() -> None:
    record, _ = played(Setup("classic", ODD[:4]), (), 1, orders=40)
    assert record.seed is None
    assert SEED.hex() not in write(record)
    found = verify(write(record))
    assert (found.finished, found.replayed, found.outcome) == (False, False, None)
    with pytest.raises(RecordError, match="seed"):
        replay(record)


def test_answers_with_one_choice_are_not_written() -> None:
    for number in range(60):
        record, state = played(Setup("classic", ODD[:4]), (), number)
        if len(record.entries) < state.number - 1:
            outcome = replay(read(write(record)))
            assert dump(outcome.state) == dump(state)
            return
    pytest.fail("no game in which two like cards were drawn")


def whole() -> list[str]:
    """The lines of a record, without those of its chain."""
    setup = Setup("classic", ("Ana", "Bea", "Cy", "Dan"), crown=0, rulings=())
    text = write(played(setup, (), 5)[0])
    return text[: text.index("\nlinks: ")].split("\n")


def chained(lines: list[str]) -> str:
    """What somebody makes of changed lines who reckons the chain anew; what hands alone change is found by it
    (tests/attacks).
    """
    return closed(lines) if lines[0] == "citadels record 2" else "\n".join(lines)


@pytest.mark.parametrize(
    ("line", "becomes", "told"),
    [
        (1, "citadels record 9", "citadels record 2"),
        (2, "edition: galactic", "unknown-edition"),
        (3, "options: {", "not JSON"),
        (3, 'options: {"max_city": 8}', "unknown-option"),
        (6, "players: Ana", "not JSON"),
        (6, "players: [1]", "[1]"),
        (6, "crown: 0", "players"),
        (7, "crown: first", "not JSON"),
        (7, 'crown: "Ana"', "a seat"),
        (8, "seed hash: 12", "64 hexadecimal"),
        (8, "seed hash: " + "0" * 64, chance.commit(SEED)),
        (9, 'words: ["rain"]', "one for each player"),
        (12, "Ana: pick Emperor", "unknown-card"),
        (12, "Zoe: pick King", "one of Ana, Bea, Cy, Dan"),
        (12, "Ana: gold", "wrong-question"),
        (12, "Bea: pick King", "not-asked"),
        (12, "# nothing", "Ana: one of pick"),
    ],
)
def test_what_does_not_hold_is_found(line: int, becomes: str, told: str) -> None:
    lines = whole()
    lines[line - 1] = becomes
    with pytest.raises(RecordError) as error:
        verify(chained(lines))
    assert told in str(error.value)
    if becomes != "# nothing":
        assert error.value.line in (line, 2)


def changed(begins: str, becomes: str) -> str:
    lines = whole()
    place = next(n for n, line in enumerate(lines) if line.startswith(begins))
    lines[place] = becomes
    return chained(lines)


@pytest.mark.parametrize(
    ("begins", "becomes", "told"),
    [
        ("result: ", "result: standstill", "result: city"),
        ("result: ", "", "result"),
        (
            "score: Ana",
            "score: Ana 99 = districts 99, all_types 0, first_complete 0, complete 0, unique 0",
            "the score of Ana",
        ),
        ("score: Ana", "score: Ana 99", "name score = "),
        ("score: Ana", "score: Zoe 99", "a player's name"),
        ("score: Ana", "", "the score of Ana"),
        ("winner: ", "", "the winner"),
        ("winner: ", "winner: Ana and some more", "nothing behind it"),
        ("seed: ", "", "shows its seed"),
        ("seed: ", "seed: 00", "hash"),
        ("seed: ", "seed: zz", "seed:"),
        ("seed: ", "weather: fine", "result:, score:"),
    ],
)
def test_a_false_ending_is_found(begins: str, becomes: str, told: str) -> None:
    with pytest.raises(RecordError) as error:
        verify(changed(begins, becomes))
    assert told in str(error.value)


def test_an_order_too_many_or_too_few() -> None:
    lines = whole()
    end = next(n for n, line in enumerate(lines) if line.startswith("result"))
    with pytest.raises(RecordError, match="the game is over"):
        verify(chained([*lines[: end - 1], "Ana: gold", *lines[end:]]))
    with pytest.raises(RecordError, match="not over"):
        verify(chained([*lines[: end - 2], *lines[end:]]))
    assert verify(chained(lines).replace("\n", "\r\n")).replayed
