"""Games with every card, for the compiler to watch: which branches of the compiled rules are taken, and how
often.

    python games.py

It plays with the `referee.rules` that it finds first, which must be compiled. Random legal games of all
editions and numbers of players, each with a cast and unique districts drawn by lot, are played twice: in
place as a search plays them, and through the door with what is looked at between two orders.
"""

from __future__ import annotations

from random import Random

from referee.rules import EDITIONS, Setup, SetupError, another, model, new_game, play, view
from referee.rules.chance import counted
from referee.rules.flow.table import lay_out, play_out, random_move, settle
from referee.rules.game import rulebook
from referee.rules.lists import RANDOM, Choice, choose

#: some seconds, and every card a hundred times or more
TABLES = 2000
#: one question in so many is looked at
LOOKED_AT = 7
NAMES = tuple("ABCDEFGH")


def drawn(number: int) -> Setup | None:
    """The table of that number; None where its edition is not for that many players."""
    edition = [*EDITIONS][number % len(EDITIONS)]
    players = 2 + number // len(EDITIONS) % 7
    nine = True if number % 2 else None  # else seldom: many tables may have a ninth character, few must
    try:
        cards = choose(edition, players, Choice(RANDOM, nine=nine), counted(number))
        setup = Setup(edition, NAMES[:players], cast=cards.cast, uniques=cards.uniques)
        rulebook(setup)
    except SetupError:
        return None
    return setup


def in_place(setup: Setup, number: int) -> None:
    g = lay_out(rulebook(setup), setup, counted(number))
    g.events = None
    settle(g)
    play_out(g, Random(number))


def through_the_door(setup: Setup, number: int) -> None:
    g, rng, orders = new_game(setup, counted(number)).state, Random(number), 0
    while g.stack:
        seat = g.stack[-1].asked(g)
        assert seat is not None, "a settled state asks somebody"
        if orders % LOOKED_AT == 0:
            view(g, seat)
            another(g, seat, rng)
        g = play(g, seat, random_move(g, rng)).state
        orders += 1


def main() -> None:
    if str(model.__file__).endswith(".py"):
        raise SystemExit(f"These rules are not compiled: {model.__file__}")
    for number in range(TABLES):
        setup = drawn(number)
        if setup is not None:
            in_place(setup, number)
            through_the_door(setup, number)


if __name__ == "__main__":
    main()
