"""The import contracts hold, and each of them notices when it is broken."""

from __future__ import annotations

import configparser
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.files import ROOT

#: contract -> a line that breaks it, and the room that gets it
BREACHES = {
    "rules-are-pure": ("import time", "referee/rules/acts.py"),
    "flow-names-no-card": ("from referee.rules.cards.characters import thief", "referee/rules/flow/call.py"),
    "cards-apart": (
        "from referee.rules.cards.characters import thief",
        "referee/rules/cards/characters/warlord.py",
    ),
    "adapters-know-ports": ("from referee.rules import play", "adapters/terminal/protocol.py"),
    "adapters-apart": ("from adapters.mail import build", "adapters/terminal/protocol.py"),
    "only-the-store-speaks-sql": ("import sqlite3", "referee/service/inbound/dispatch.py"),
    "policy-is-pure": ("import time", "referee/policy/clock.py"),
    "league-is-pure": ("import time", "referee/league/seating.py"),
    "rendering-sees-no-state": ("from referee.rules.model import State", "referee/text/rendering/words.py"),
    "search-sees-no-service": ("from referee.store import Seat", "referee/search/sight.py"),
    "bots-see-no-state": ("from referee.rules.model import State", "referee/bots/greedy.py"),
    "plans-see-no-state": ("from referee.rules.game import legal", "referee/plans/running.py"),
    "layers": ("from referee.service import Referee", "referee/store/tx.py"),
    "rooms": ("from referee.service.talk import mutes", "referee/service/tables/lobby.py"),
    "core-names-no-room": ("from referee.service.talk import mutes", "referee/service/core/hooks.py"),
    "league-downwards": (
        "from referee.service.league.office import rulings",
        "referee/service/league/scores/results.py",
    ),
    "nobody-names-the-league": ("from referee.service.league import hooks", "referee/service/play/moves.py"),
}


def contracts() -> list[str]:
    ini = configparser.ConfigParser()
    ini.read(ROOT / ".importlinter")
    return [name.rpartition(":")[2] for name in ini.sections() if ":contract:" in name]


def kept(home: Path, *names: str) -> bool:
    """Whether those contracts (all, if none is named) hold in that copy of the house."""
    code = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    chosen = [word for name in names for word in ("--contract", name)]
    done = subprocess.run(
        [sys.executable, "-c", code, "--no-cache", "--config", str(ROOT / ".importlinter"), *chosen],
        cwd=home,
        text=True,
        capture_output=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": str(home)},
    )
    assert "Contracts:" in done.stdout, done.stdout + done.stderr
    return done.returncode == 0


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("house")
    for name in ("referee", "adapters"):
        shutil.copytree(ROOT / name, home / name, ignore=shutil.ignore_patterns("__pycache__"))
    return home


def test_all_contracts_hold(copy: Path) -> None:
    assert sorted(contracts()) == sorted(BREACHES)
    assert kept(copy)


#: in one process, as it takes longer to start than to look: breaks one contract after the other, and says at
#: the end which of them were kept nevertheless
BREAKING = """
import json, sys
from pathlib import Path
from importlinter.cli import lint_imports

def kept(name):
    return lint_imports(config_filename=sys.argv[1], limit_to_contracts=(name,), no_cache=True) == 0

found = {}
for name, (line, room) in json.loads(sys.argv[2]).items():
    path = Path(room)
    before = path.read_text(encoding="utf-8")
    path.write_text(f"{before}\\n{line}\\n", encoding="utf-8")
    found[name] = kept(name)
    path.write_text(before, encoding="utf-8")
print()
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def broken(copy: Path) -> dict[str, bool]:
    """Whether each contract is kept while its line stands in that copy of the house."""
    done = subprocess.run(
        [sys.executable, "-c", BREAKING, str(ROOT / ".importlinter"), json.dumps(BREACHES)],
        cwd=copy,
        text=True,
        capture_output=True,
        timeout=240,
        env={**os.environ, "PYTHONPATH": str(copy)},
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    assert done.stdout.count("Contracts:") == len(BREACHES), done.stdout[-2000:]
    found: dict[str, bool] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.mark.parametrize("contract", BREACHES)
def test_a_breach_is_noticed(broken: dict[str, bool], contract: str) -> None:
    assert broken[contract] is False
