"""Several threads may read letters of one kind in the first moment after a start."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from referee.service.runtime import referee, struct_types
from tests.house.files import ROOT

#: every class of ours is read by four threads at once, for the first time in this process
READ = """
import sys, threading
import msgspec
import referee.service.runtime.referee
from referee.service.runtime import struct_types

if sys.argv[1] == "prepared":
    struct_types.prepare_types()
kinds = [kind for kind in {*struct_types._below(msgspec.Struct)} if kind.__module__.startswith("referee.")]
sys.setswitchinterval(1e-6)
gates = [threading.Barrier(4) for _ in kinds]

def read():
    for kind, gate in zip(kinds, gates):
        gate.wait()
        try:
            msgspec.convert(dict.fromkeys(kind.__struct_fields__), kind)
        except msgspec.ValidationError:
            pass

threads = [threading.Thread(target=read) for _ in range(4)]
for one in threads:
    one.start()
for one in threads:
    one.join()
print(len(kinds))
"""


def test_threads_may_read_what_nobody_has_read_before() -> None:
    """Unprepared, more than half of such processes die of a segmentation fault."""
    for _ in range(3):
        done = subprocess.run(
            [sys.executable, "-c", READ, "prepared"], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert int(done.stdout) > 100


def test_what_serves_prepares_them_before_anything_else(monkeypatch: pytest.MonkeyPatch) -> None:
    class PreparedError(Exception):
        pass

    def prepare() -> None:
        raise PreparedError

    monkeypatch.setattr(referee, "prepare_types", prepare)
    monkeypatch.setattr(referee, "warm", lambda words: None)
    serves: Callable[..., Any] = referee.Referee
    with pytest.raises(PreparedError):
        serves(None, None, (), clock_ms=lambda: 0)


def test_those_of_letters_and_of_messages_are_among_them(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    monkeypatch.setattr(struct_types.msgspec.json, "Decoder", lambda kind: seen.append(kind.__name__))
    struct_types.prepare_types()
    assert {"Letter", "Inbound", "PromptFacts", "LobbyFacts", "TableTime"} <= {*seen}
