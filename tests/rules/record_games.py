"""Records the games of `recordings/`: curious players, who prefer what no game has shown yet.

    python -m tests.rules.record_games

To be run when a card has been added or a rule has changed: of all that `coverage.demanded` asks for, new
records show what none of those that are there shows, as few as it finds.  Those that are there are never
written again: they prove that old games still play back.  Read the new ones before you commit them.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

from referee.rules import Move, Setup, chance, dull, new_game, play
from referee.rules.editions import EDITIONS
from referee.rules.flow.table import random_move
from referee.rules.model import State
from referee.rules.record import of_game, write
from tests.rules.coverage import demanded, shown, shown_after, shown_by, shown_in_the_end, singles
from tests.rules.laws import NAMES, any_setup

FOLDER = Path(__file__).parent / "recordings"
MOST = 700  # games tried before it is given up
CURIOUS = 0.9
FEW = 12  # so few left: it is worth to look at what an order leads to


def main(folder: Path = FOLDER) -> None:
    """Append to the records of that folder what they lack."""
    folder.mkdir(exist_ok=True)
    old = sorted(folder.glob("*.txt"))
    missing = demanded().difference(*(shown(path.read_text()) for path in old))
    everything, kept = set(missing), {}
    for number in range(MOST) if missing else ():
        rng = Random(f"recording {number}")
        setup = _setup(missing, rng)
        text, shows = played(setup, number, rng, missing)
        if shows & missing:
            kept[number] = (text, shows & everything)
            missing -= shows
            print(f"game {number}: {setup.edition}, {len(setup.players)} players; {len(missing)} left")
        if not missing:
            break
    for item in sorted(missing):
        print(f"never shown: {item}")
    for place, number in enumerate(_few(kept, everything - missing), len(old) + 1):
        with folder.joinpath(f"game_{place:02}.txt").open("x") as file:
            file.write(kept[number][0])


def _setup(missing: set[str], rng: Random) -> Setup:
    """A table at which something that is missing may happen."""
    editions = sorted({item.split(":")[0] for item in missing} & set(EDITIONS)) or sorted(EDITIONS)
    name = rng.choice(editions)
    players = rng.randint(EDITIONS[name].least, EDITIONS[name].most)
    if name == "classic":
        return Setup(name, NAMES[:players])
    wanted = [item for item in missing if item.startswith(f"{name}:")]
    tries = [any_setup(name, players, rng) for _ in range(12)]
    return max(
        tries, key=lambda s: sum(any(card in item for item in wanted) for card in (*s.cast, *s.uniques))
    )


def played(setup: Setup, number: int, rng: Random, missing: set[str]) -> tuple[str, set[str]]:
    """One game: its record, and what it shows."""
    seed = chance.counted(number)
    outcome = new_game(setup, seed)
    shows, orders = shown_after(setup.edition, outcome.events), []
    still = rng.random() < 0.1 and {"ending standstill", "ending win shared"} & missing
    while outcome.asks:
        state, seat = outcome.state, outcome.asks[0].seat
        move = dull(state, seat) if still else _move(state, rng, missing - shows)
        shows |= shown_by(state, move)
        orders.append((seat, move))
        outcome = play(state, seat, move)
        shows |= shown_after(setup.edition, outcome.events)
    return write(of_game(setup, seed, (), orders)), shows | shown_in_the_end(outcome.state)


def _move(state: State, rng: Random, missing: set[str]) -> Move:
    options = singles(state.stack[-1].options(state))
    new = [m for m in options if shown_by(state, m) & missing]
    if new and rng.random() < CURIOUS:
        return rng.choice(new)
    if 0 < len(missing) < FEW:
        for move in rng.sample(options, min(len(options), 12)):
            news = play(state, state.stack[-1].asked(state), move).events
            if shown_after(state.setup.edition, news) & missing:
                return move
    builds = [m for m in options if m.verb == "build"]
    if builds and rng.random() < 0.5:
        return rng.choice(builds)
    useful = [m for m in options if m.verb != "end"]
    if useful and len(options) > 1 and rng.random() < 0.5:
        return rng.choice(useful)
    return random_move(state, rng)


def _few(kept: dict[int, tuple[str, set[str]]], needed: set[str]) -> list[int]:
    """Games that together show what is needed, the richest first."""
    out: list[int] = []
    left = set(needed)
    while left:
        best = max(kept, key=lambda n: len(kept[n][1] & left))
        out.append(best)
        left -= kept[best][1]
    return out


if __name__ == "__main__":
    main()
