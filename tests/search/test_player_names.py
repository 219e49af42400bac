"""A player is found by its level, and by its level and a manner."""

from __future__ import annotations

from random import Random

import pytest

from referee.rules import Move, Setup, asks, new_game
from referee.rules.chance import counted
from referee.search import MANNERS, PLAYERS, Player, Sight, player


class Adjusted:
    """A player that tells how it was adjusted."""

    def __init__(self, effort: float | None = None, manner: str = "") -> None:
        self.effort, self.manner = effort, manner

    def choose(self, sight: Sight, rng: Random) -> Move:
        raise AssertionError

    def adjusted(self, effort: float | None, manner: str) -> Player:
        return Adjusted(effort, manner)


def test_each_level_plays_with_each_manner() -> None:
    state = new_game(Setup("classic", ("Ana", "Bea", "Cy", "Dan")), counted(1)).state
    (ask,) = asks(state)
    for name in PLAYERS:
        for one in (name, *(f"{name} {manner}" for manner in MANNERS)):
            assert player(one, 0.001).choose(Sight(state, ask.seat), Random(1)) in ask.moves


def test_manner_and_effort_are_handed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PLAYERS, "strong", Adjusted())  # type: ignore[arg-type]  # it is a dict
    found = player("strong thrifty", 0.5)
    assert isinstance(found, Adjusted)
    assert (found.effort, found.manner) == (0.5, "thrifty")
    found = player("strong")
    assert isinstance(found, Adjusted)
    assert (found.effort, found.manner) == (None, "")


@pytest.mark.parametrize("name", ["", "clever", "greedy lazy", "greedy bold bold", "Greedy", "bold"])
def test_another_name_is_nobodys(name: str) -> None:
    with pytest.raises(KeyError):
        player(name)
