"""docs/engineers/adding-a-card.md, followed for two cards that no edition has: the Toll Gate, a district that
interrupts, and the Almoner, a character with a rule for the selection.

They are planted into a copy of the house, where another process plays them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from referee.rules import codec
from tests.invented.planting import ROWS, changed, copied, plant, prints
from tests.snapshots import take

#: the most files that are written by hand for a card, its words in two languages among them
MOST = 6
PYTEST = ("-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider")


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Mapping[str, set[str]]]:
    """A copy of the house with both cards, and what was written for each."""
    root = copied(tmp_path_factory.mktemp("planted"))
    files, before = {}, prints(root)
    for name in ROWS:
        plant(root, name)
        after = prints(root)
        files[name], before = changed(before, after), after
    return root, files


def run(root: Path, *words: str) -> str:
    """What a program says that runs in that copy."""
    # what the first of them compiles the others read, beside the copy
    compiled = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": f"{root}.compiled"}
    place = {**os.environ, "PYTHONPATH": str(root), **compiled}
    done = subprocess.run([sys.executable, *words], cwd=root, env=place, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


@pytest.fixture(scope="module")
def played(written: tuple[Path, Mapping[str, set[str]]]) -> dict[str, Any]:
    root, _ = written
    found: dict[str, Any] = json.loads(run(root, "-m", "tests.invented.playing"))
    assert Path(found["place"]).is_relative_to(root), "the copy is what plays"
    return found


def test_a_card_takes_six_files_at_most(written: tuple[Path, Mapping[str, set[str]]]) -> None:
    _, files = written
    for name, row in ROWS.items():
        assert files[name] == {
            f"referee/rules/cards/{row.room}/{name}.py",
            "referee/rules/editions/deluxe.py",
            f"tests/rules/scenarios/{row.room}/{name}.yaml",
            "templates/en/lexicon.toml",
            "templates/pt_BR/lexicon.toml",
        }
        assert len(files[name]) <= MOST


def test_their_scenarios_hold_and_games_keep_the_laws(played: dict[str, Any]) -> None:
    assert played["scenarios"] == []
    assert played["laws"] > 20
    assert played["faceup"] == []


def test_bots_play_them_to_the_end(played: dict[str, Any]) -> None:
    seen = played["seen"]
    assert seen["finished"] == played["games"]
    assert min(seen[one] for one in ("levy", "levied", "alms", "alms_given", "endowed")) > 0


def test_orders_are_read_in_two_languages(played: dict[str, Any]) -> None:
    levy, alms = "Move(verb='levy', args=())", "Move(verb='alms', args=(SEAT,))"
    assert len(played["typed"]) == 8
    for line, found in played["typed"].items():
        assert found == (alms if "{}" in line else levy), line


def test_plans_answer_the_interrupt(played: dict[str, Any]) -> None:
    planned = played["planned"]
    assert (planned["levy always"], planned["levy if gold < 99"], planned["pedagiar sempre"]) == ("levy",) * 3
    assert planned["levy never"] == "pass"
    assert planned["levy ask me"] == "plan-standing"
    assert "toll-gate" in planned["asked"]
    assert planned["offered"] == ["levy always", "levy never", "levy ask me", "back"]
    assert "levy always" in planned["simulated"]


@pytest.mark.parametrize(
    ("letter", "said"),
    [
        (
            "en: levy",
            ["Now: the Toll Gate: levy or pass", "Lesson: Somebody built a dear district", "1. Levy 1 gold"],
        ),
        (
            "pt_BR: levy",
            ["Agora: o Pedágio: pedagiar ou passar", "Lição: Alguém construiu", "1. Cobrar 1 de ouro"],
        ),
        ("en: alms", ["You are: Almoner", "Lesson: As the Almoner", "Alms to Bea"]),
        ("pt_BR: alms", ["Seu personagem: Esmoler", "Lição: Como Esmoler", "Esmola para Bea"]),
    ],
)
def test_letters_ask_in_two_languages(played: dict[str, Any], letter: str, said: list[str]) -> None:
    text = played["letters"][letter]
    assert [one for one in said if one not in text] == [], text


def test_their_words_are_whole_in_both_languages(played: dict[str, Any]) -> None:
    assert played["gaps"] == []
    assert played["sentences"]["en: levied"] == "Ana took 1 gold of toll from Bea."
    assert played["sentences"]["pt_BR: levied"] == "Ana cobrou 1 de ouro de pedágio de Bea."
    assert len(set(played["sentences"].values())) == 8
    for name in ("toll-gate", "as-almoner", "you-given"):
        assert name in played["lessons"]
        assert all(name in taught for taught in played["taught"].values())


def test_what_was_recorded_before_stays_and_new_records_come_after_it(
    written: tuple[Path, Mapping[str, set[str]]],
) -> None:
    root, _ = written
    folder = root / "tests" / "rules" / "recordings"
    before = {path.name: path.read_bytes() for path in folder.glob("*.txt")}
    assert len(before) > 20
    said = run(root, "-m", "tests.rules.record_games")
    assert "never shown" not in said
    after = {path.name: path.read_bytes() for path in folder.glob("*.txt")}
    new = set(after) - set(before)
    assert new
    assert {name: after[name] for name in before} == before
    assert min(new) > max(before)
    assert any(b"levy" in after[name] for name in new)
    assert any(b"Almoner" in after[name] for name in new)
    run(root, *PYTEST, "tests/rules/test_recordings.py")


def test_what_was_saved_before_stays_and_new_positions_come_after_it(
    written: tuple[Path, Mapping[str, set[str]]],
) -> None:
    root, _ = written
    register = "tests/snapshots/test_register.py"
    run(root, *PYTEST, register)
    path = root / "tests" / "snapshots" / "positions" / f"schema-{codec.SCHEMA}.jsonl.gz"
    before = take.read(path)
    run(root, "-c", "from tests.snapshots import take; take.main(take.FOLDER, 60)")
    after = take.read(path)
    assert len(before) > 50
    assert after[: len(before)] == before
    assert "deluxe: toll-gate, asks" in {kind for line in after[len(before) :] for kind in line["kinds"]}
    saved = "tests/snapshots/test_saved_positions.py"
    run(root, *PYTEST, register, saved, "-k", "test_register or no_kind or stand_in_all")


def test_a_second_card_of_the_name_is_refused_at_start(
    written: tuple[Path, Mapping[str, set[str]]], tmp_path: Path
) -> None:
    _, _ = written
    root = copied(tmp_path)
    plant(root, "toll_gate")
    card = root / "referee/rules/cards/districts/toll_gate.py"
    card.write_text(card.read_text(encoding="utf-8").replace('"Toll Gate", 4', '"Park", 4'), encoding="utf-8")
    place = {**os.environ, "PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", "import referee.rules"], cwd=root, env=place, capture_output=True, text=True
    )
    assert done.returncode != 0
    assert "two cards are called 'Park'" in done.stderr
    assert "referee/rules/cards/districts/park.py" in done.stderr
    assert "referee/rules/cards/districts/toll_gate.py" in done.stderr
