"""What a push plays of the random seeds, and what is named: the tests that come first, those that are played
on PostgreSQL, the capability of one that fails.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tests import conftest, seeds
from tests.house.files import ROOT, python
from tests.service.conftest import ON_BOTH


def test_four_quarters_are_everything_and_none_overlaps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seeds, "ALL", False)
    for number in (1, 3, 4, 10, 24, 116):
        found = []
        for part in range(seeds.PARTS):
            monkeypatch.setattr(seeds, "PART", part)
            found += seeds.share(range(number))
        assert sorted(found) == list(range(number))


def test_a_quarter_has_each_kind_where_kinds_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seeds, "ALL", False)
    for kinds in (2, 3, 4, 6):
        assert {seed % kinds for seed in seeds.share(range(40))} == set(range(kinds))


def test_a_soak_plays_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seeds, "ALL", True)
    assert seeds.share(range(9)) == list(range(9))
    assert seeds.some(400) == 400


def test_no_long_run_is_left_out_of_a_soak(
    monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config
) -> None:
    """By no conftest: each is asked about the tests of all folders."""
    implementations = pytestconfig.hook.pytest_collection_modifyitems.get_hookimpls()
    ours = [one.function for one in implementations if one.plugin_name.endswith("conftest.py")]
    assert conftest.pytest_collection_modifyitems in ours
    as_a_soak_says: Any = SimpleNamespace(option=SimpleNamespace(markexpr=""))
    for soak in (True, False):
        monkeypatch.setattr(seeds, "ALL", soak)
        marks: list[pytest.MarkDecorator] = []
        long: Any = SimpleNamespace(
            nodeid="tests/rules/test_laws.py::test_laws_at_length",
            get_closest_marker=lambda name: name == "soak",
            add_marker=marks.append,
        )
        for hook in ours:
            hook(config=as_a_soak_says, items=[long])
        assert [one.name for one in marks] == ([] if soak else ["skip"])


def test_a_covering_has_each_value_and_another_quarter_other_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    factors = ("abc", (1, 2), (True,), "wxyz")
    monkeypatch.setattr(seeds, "ALL", False)
    pairs = set()
    for part in range(seeds.PARTS):
        monkeypatch.setattr(seeds, "PART", part)
        found = seeds.covering(*factors)
        assert len(found) == 4
        assert [set(values) for values in zip(*found, strict=True)] == [set(values) for values in factors]
        pairs |= {one[:2] for one in found}
    assert len(pairs) == 6
    monkeypatch.setattr(seeds, "ALL", True)
    assert len(seeds.covering(*factors)) == 3 * 2 * 1 * 4


def test_what_comes_first_is_there() -> None:
    files = [str(one.relative_to(ROOT)) for one in python("tests")]
    assert len(files) > 300
    for start in conftest.WAITING + conftest.RECKONING:
        file, _, test = start.partition("::")
        found = [one for one in files if one.startswith(file)]
        assert found, start
        assert not test or f"def {test}(" in (ROOT / found[0]).read_text(encoding="utf-8"), start


def test_what_is_played_on_both_databases_is_there() -> None:
    service = ROOT / "tests" / "service"
    assert {one.relative_to(service).as_posix() for one in python("tests/service")} >= ON_BOTH


def test_one_that_fails_names_its_capability() -> None:
    found = [one for one in python("tests") if one.name.startswith("test_")]
    assert len(found) > 300
    assert not [one for one in found if not conftest.capability(one).partition(" – ")[2]]
    votes = conftest.capability(ROOT / "tests" / "service" / "decisions" / "test_votes.py")
    assert votes.startswith("decisions – A table votes"), votes
    assert conftest.capability(ROOT / "tests" / "rules" / "test_laws.py").startswith("rules – The laws over")
