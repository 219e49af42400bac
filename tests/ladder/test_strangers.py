"""A stranger's file takes part, and can't break the ladder whatever it does."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from referee.ladder import LadderError, Result, contest_of, csv_text, run, standings
from referee.ladder.contest import Contest, deals
from referee.ladder.entrants import Entrant, entrant
from referee.ladder.table import PATIENT, play_game
from referee.rules import Move, State
from referee.search import PLAYERS, Sight

HEAD = """
import os, sys, time
from referee.rules import Move

class Mine:
    def choose(self, sight, rng):
"""
FIRST = """
        verb, args = next(iter(sight.view["ask"]["moves"]), ("gold", []))
        return Move(verb, tuple(args))
"""


def written(folder: Path, body: str, head: str = HEAD) -> str:
    file = folder / "bot.py"
    file.write_text(head + body, encoding="utf-8")
    return f"{file}:Mine"


def played(said: str, games: int = 2, patience: float | None = None) -> tuple[Contest, list[Result]]:
    contest = contest_of((said, "greedy"), games, players="2", patience=patience)
    return contest, run(contest)


def lost(results: Sequence[Result], who: int) -> list[str]:
    return [loss.kind for one in results for loss in one.lost if one.order[loss.seat] == who]


def test_a_class_in_a_file_plays(tmp_path: Path) -> None:
    contest, results = played(written(tmp_path, FIRST), 20)
    rows = standings(contest, results)
    assert [row.who for row in rows] == ["greedy", contest.seats[0]]
    assert all(row.seats == 20 and row.answers > 200 for row in rows)


@pytest.mark.parametrize(
    ("body", "kind", "why"),
    [
        ("        return Move('build', ('Moon Base',))", "refused", "Moon Base"),
        ("        return None", "refused", "None"),
        ("        return Move(['gold'], {})", "refused", "gold"),
        ("        return 1 / 0", "failed", "ZeroDivisionError: division by zero"),
        ("        sys.exit(0)", "failed", "SystemExit: 0"),
        ("        raise KeyboardInterrupt", "failed", "KeyboardInterrupt"),
        ("        raise ValueError('\\x1b[31m\\n' + 'x' * 9999)", "failed", "ValueError:  [31m xxx"),
        ("        return self.choose(sight, rng)", "failed", "RecursionError"),
        ("        return bytearray(8 << 30)", "failed", "MemoryError"),
        ("        class Odd:\n            __str__ = None\n        return Odd()", "refused", "TypeError: Odd"),
        ("        return ('gold', ())", "refused", "tuple"),
    ],
)
def test_an_answer_that_is_none_is_lost_and_told(tmp_path: Path, body: str, kind: str, why: str) -> None:
    contest, results = played(written(tmp_path, body))
    mine = next(row for row in standings(contest, results) if row.who != "greedy")
    assert set(mine.lost) == {kind}
    assert mine.lost[kind] == mine.answers > 20
    assert why in mine.why
    assert mine.why.isprintable()
    assert len(mine.why) < 300
    assert lost(results, 1) == []


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("        try:\n            time.sleep(600)\n        except BaseException: pass", "slow"),
        ("        os._exit(0)", "died"),
        ("        os.kill(os.getpid(), 9)", "died"),
        ("        sys.stdout.write('x' * 100_000); os.close(3); os._exit(1)", "died"),
    ],
)
def test_a_process_that_hangs_or_ends_costs_three_answers_a_game(
    tmp_path: Path, body: str, kind: str
) -> None:
    contest, results = played(written(tmp_path, body), patience=1.0)
    assert len(results) == 2
    assert lost(results, 0) == [kind] * PATIENT * 2
    assert lost(results, 1) == []
    assert standings(contest, results)[0].who == "greedy"


def test_a_process_that_ends_now_and_then_plays_the_same_game(tmp_path: Path) -> None:
    """The game is played anew to where it ended, and comes out alike, however many share the games."""
    body = "        if rng.random() < 0.02: os._exit(0)" + FIRST
    said = written(tmp_path, body)
    contest = contest_of((said, "greedy"), 6, players="2")
    one, two = run(contest, 1), run(contest, 2)
    assert csv_text(contest, one) == csv_text(contest, two)
    assert {"died"} == {*lost(one, 0)}


def test_what_prints_is_no_line_of_the_table(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    played(written(tmp_path, "        os.write(1, b'loud'); print('noise')" + FIRST))
    told = capfd.readouterr()
    assert "noise" in told.err
    assert "loud" in told.err
    assert told.out == ""


class Looker:
    """A player that looks behind its sight."""

    seen: list[tuple[list[int], object]]

    def choose(self, sight: Sight, rng: Random) -> Move:
        state: State = sight._state
        self.seen.append((list(state.deck), dict(sight.view)))
        return PLAYERS["greedy"].choose(sight, rng)


def test_nothing_lies_behind_what_a_stranger_is_handed() -> None:
    """The same game, by a player who is handed the table itself and by one who is not: each sees the same,
    and only one finds the deck."""
    (deal, *_) = deals(Contest(("a", "b"), 4, players=(2,)))
    seen: list[list[tuple[list[int], object]]] = []
    for ours in (True, False):
        looker = type("Mine", (Looker,), {"seen": []})
        other = Entrant(lambda: PLAYERS["greedy"], ours=True)
        play_game(deal, 0, [Entrant(looker, ours=ours), other], {}, array("q", [0, 0]))
        seen.append(looker.seen)
    real, blind = seen
    assert [view for _, view in real] == [view for _, view in blind]
    assert len(real) > 20
    assert not [
        deck for (deck, _), (other, _) in zip(real, blind, strict=True) if deck == other and len(deck) > 9
    ]


def test_each_game_is_begun_with_a_player_of_its_own(tmp_path: Path) -> None:
    head = HEAD.replace("    def choose", "    asked = 0\n    def choose")
    body = "        self.asked += 1\n        assert self.asked < 150" + FIRST
    _, results = played(written(tmp_path, body, head), 12)
    assert lost(results, 0) == []


@pytest.mark.parametrize(
    ("head", "said", "code"),
    [
        (HEAD, "{}", "no-level"),
        (HEAD, "{}:", "no-path"),
        (HEAD, ":Mine", "no-path"),
        (HEAD, "{}:Mine()", "no-path"),
        (HEAD, "{}:Other", "no-class"),
        ("", "{}:Other", "no-classes"),
        (HEAD, "{}x.py:Mine", "no-file"),
        (HEAD, "no.such:Mine", "no-module"),
        (HEAD, "..:Mine", "broken"),
        ("import no_such_module_here\n" + HEAD, "{}:Mine", "broken"),
        ("raise SystemExit\n" + HEAD, "{}:Mine", "broken"),
        ("def :\n", "{}:Mine", "broken"),
        ("class Mine:\n    def choose(self, view): ", "{}:Mine", "no-choose"),
        ("class Mine:\n    def pick(self): ", "{}:Mine", "no-choose"),
        ("class Mine:\n    def __init__(self, how): ", "{}:Mine", "no-beginning"),
    ],
)
def test_what_cannot_take_part_is_told(tmp_path: Path, head: str, said: str, code: str) -> None:
    body = "        return None" if head.startswith(("class", "def", "import", "raise", "\n")) else ""
    written(tmp_path, body, head)
    with pytest.raises(LadderError) as no:
        entrant(said.format(tmp_path / "bot.py"))
    assert no.value.code == code
