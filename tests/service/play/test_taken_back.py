"""“Kill the Thief, no, the King”: an order that is taken back in the same message is not played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from referee import rules
from referee.rules.notation import order_text
from referee.service.play import moves
from referee.store import Seat
from referee.text import split
from tests.text.editions import random_game


def at(edition: str, players: int, verbs: set[str], kind: str = "") -> tuple[Any, list[Seat], int, Any]:
    """A moment of a random game in which somebody is asked with these verbs."""
    state, ask = next(
        (moment.state, moment.ask)
        for number in range(60)
        for moment in random_game(edition, players, number)
        if moment.ask is not None
        and verbs <= {one.verb for one in (*moment.ask.moves, *moment.ask.families)}
        and kind in ("", moment.ask.kind)
    )
    seats = [Seat(game_id=1, no=no, name=name) for no, name in enumerate(state.setup.players)]
    return state, seats, ask.seat, ask


def attempt(found: tuple[Any, list[Seat], int, Any], said: str, language: str = "en") -> moves.OrderAttempt:
    state, seats, seat, _ = found
    chunks = split(said, [one.name for one in seats])
    assert isinstance(chunks, Sequence)
    return moves.attempt(state, seats, seat, chunks, moves.Hearing(language))


def first(ask: Any, verb: str, found: tuple[Any, list[Seat], int, Any]) -> str:
    move = next(one for one in ask.moves if one.verb == verb)
    return order_text(move, [one.name for one in found[1]])


@pytest.mark.parametrize(
    ("said", "language"),
    [
        ("{}, no, kill Bishop", "en"),
        ("{}; no; kill Bishop", "en"),
        ("{}. No, wait. kill Bishop", "en"),
        ("{}\nno", "en"),
        ("{}; gold; no", "en"),
        ("cards; no", "en"),
        ("{}; não", "pt_BR"),
        ("{}; não, espera", "pt_BR"),
    ],
)
def test_nothing_is_done_where_a_later_word_may_take_it_back(said: str, language: str) -> None:
    found = at("classic", 4, {"kill", "gold", "cards"})
    done = attempt(found, said.format(first(found[3], "kill", found)), language)
    assert not done.steps
    assert done.trouble is not None
    assert done.trouble.code == "taken-back"


@pytest.mark.parametrize(("yes", "table"), [("buy", ("original", 6)), ("reveal", ("deluxe", 5))])
def test_an_answer_that_ends_the_asking_is_no_exception(yes: str, table: tuple[str, int]) -> None:
    """It was played, since nobody was asked any more when the “no” was read."""
    found = at(*table, {yes, "pass"})
    done = attempt(found, f"{yes}; no")
    assert not done.steps
    assert done.trouble is not None
    assert done.trouble.code == "taken-back"
    assert [step.order for step in attempt(found, "no").steps][:1] == ["pass"]


def test_what_was_revealed_stays_done() -> None:
    """Else whether “keep” was refused would tell, for nothing, what was drawn."""
    found = at("classic", 4, {"cards", "gold"}, "turn")
    seen = rules.play(found[0], found[2], next(one for one in found[3].moves if one.verb == "cards"))
    keep = order_text(seen.asks[0].moves[0], ())
    assert [step.order for step in attempt(found, f"cards; {keep}; no").steps][:2] == ["cards", keep]


def test_the_power_of_the_magician_told_whole_gathers_nothing_unasked() -> None:
    """“Discard the Prison and draw” discarded, and then gathered cards, too."""
    found = at("classic", 4, {"redraw", "cards"})
    family = next(one for one in found[3].families if one.verb == "redraw")
    done = attempt(found, f"discard {family.cards[0]} and draw")
    assert not done.steps
    assert done.trouble is not None
    both = [f"redraw {family.cards[0]}", f"redraw {family.cards[0]}; cards"]
    assert list(done.trouble.facts["candidates"]) == both
    assert len(attempt(found, both[1]).steps) == 2


def test_the_seer_gives_back_to_several_in_one_line() -> None:
    """Two cards for two players are no two answers to one question."""
    state, ask, names = next(
        (moment.state, moment.ask, moment.names)
        for number in range(40)
        for moment in random_game("deluxe", 5, number)
        if moment.ask is not None and moment.ask.kind == "seer"
        if len({move.args[-1] for move in moment.ask.moves}) > 1
    )
    one = ask.moves[0]
    two = next(move for move in ask.moves if move.args[-1] != one.args[-1] and move.args[0] != one.args[0])
    said = [order_text(move, names) for move in (one, two)]
    seats = [Seat(game_id=1, no=no, name=name) for no, name in enumerate(names)]
    done = moves.attempt(state, seats, ask.seat, [", ".join(said)], moves.Hearing())
    assert [step.order for step in done.steps][:2] == said
