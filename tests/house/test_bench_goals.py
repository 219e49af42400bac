"""What the benches say beside their figures: the goal, and how it was lately (bench/_goals.py)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench import _goals
from bench._goals import Figure, Sheet, lines, told


def earlier(name: str, *values: float, machine: float = 1.0) -> list[dict[str, object]]:
    return [{"machine": machine, "figures": {name: value}} for value in values]


@pytest.mark.parametrize(
    ("figure", "met"),
    [
        (Figure("ratio", 0.55, "x", least=0.55), True),
        (Figure("ratio", 0.54, "x", least=0.55), False),
        (Figure("time", 25.0, "ms", most=25), True),
        (Figure("time", 25.1, "ms", most=25), False),
    ],
)
def test_a_goal_is_met_or_missed(figure: Figure, met: bool) -> None:
    assert figure.met is met
    assert ("MISSED" in told(figure, 1.0, [])) is not met
    assert figure.goal in told(figure, 1.0, [])


def test_what_has_no_goal_is_not_judged() -> None:
    line = told(Figure("rate", 3.0, "/s"), 1.0, earlier("rate", 900, 900))
    assert "goal" not in line
    assert "WORSE" not in line
    assert "lately 900" in line


def test_a_slow_change_is_said() -> None:
    ratios = earlier("ratio", 0.8, 0.81, 0.79, 0.8, 0.8)
    assert "WORSE" in told(Figure("ratio", 0.6, "x", least=0.55), 1.0, ratios)
    assert "WORSE" not in told(Figure("ratio", 0.75, "x", least=0.55), 1.0, ratios)
    assert "WORSE" in told(Figure("time", 12.0, "ms", most=25), 1.0, earlier("time", 10))


def test_a_slower_machine_is_no_slower_program() -> None:
    was = earlier("time", 10, machine=2.0)
    assert "WORSE" not in told(Figure("time", 20.0, "ms", most=25), 1.0, was)
    assert "lately 20" in told(Figure("time", 20.0, "ms", most=25), 1.0, was)
    assert "WORSE" in told(Figure("time", 20.0, "ms", most=25), 2.0, was)
    rates = earlier("rate", 1000, machine=2.0)
    assert "WORSE" not in told(Figure("rate", 500, "/s", least=300), 1.0, rates)
    assert "WORSE" in told(Figure("rate", 500, "/s", least=300), 2.0, rates)


def test_a_run_is_one_line_of_the_history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCH_HISTORY", "1")
    for value in (0.5, 0.625):
        with Sheet("some", tmp_path) as sheet:
            sheet.say("a ratio", value, least=0.5)
            sheet.say("a time", 3.0, "ms")
    kept = lines(tmp_path / "some.jsonl")
    assert [line["figures"] for line in kept] == [
        {"a ratio": 0.5, "a time": 3.0},
        {"a ratio": 0.625, "a time": 3.0},
    ]
    assert kept[0]["goals"] == {"a ratio": "goal ≥ 0.5 x"}
    assert all(line["machine"] > 0 for line in kept)


def test_a_run_that_broke_or_was_only_a_look_leaves_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BENCH_HISTORY", raising=False)
    with Sheet("some", tmp_path) as sheet:
        sheet.say("a ratio", 0.5)
    monkeypatch.setenv("BENCH_HISTORY", "1")
    with pytest.raises(ZeroDivisionError), Sheet("some", tmp_path) as sheet:
        sheet.say("a ratio", 1 / 0)
    assert not list(tmp_path.iterdir())


def test_the_history_that_is_kept_can_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    kept = [*(Path(_goals.ROOT) / "bench" / "history").glob("*.jsonl")]
    for file in kept:
        for line in file.read_text().splitlines():
            assert {"date", "commit", "machine", "figures", "goals"} == {*json.loads(line)}, file
    _goals.main()
    assert len(capsys.readouterr().out.splitlines()) >= len(kept)


def test_every_bench_leaves_a_line() -> None:
    """Under its own name; what only others use has no main, and the training of bots keeps a curve."""
    said = {
        file.stem: f'Sheet("{file.stem}")' in text
        for file in (Path(_goals.ROOT) / "bench").glob("[a-z]*.py")
        if '__name__ == "__main__"' in (text := file.read_text())
    }
    assert [name for name, leaves in said.items() if not leaves] == ["train_bots"]
