"""`referee backup`, `restore`, `store audit`, `rehearse`: as typed, with one clear line for whatever goes
wrong.
"""

from __future__ import annotations

import ast
import os
import re
import time
from pathlib import Path

import pytest

from referee.cli.say import sentences
from referee.doctor import database
from referee.store import Game, Heartbeat, Person, Store, Tx
from referee.store.backups import BackupFolder
from referee.store.errors import StoreFull
from tests.cli.conftest import Run

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def no_priorities(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else every later test of this process would stand back."""
    monkeypatch.setattr(os, "setpriority", lambda *words: None)


def test_whatever_goes_wrong_has_its_sentence() -> None:
    """Codes that are put together are found by no tool."""
    known = sentences()
    wrong = {
        f"{what}.{code}"
        for what in ("backup", "restore", "audit", "rehearse")
        for code in ("nothing", "busy", "disk", "failed")
    }
    for room, call, chapter, place in (
        ("store/backups", "BadBackup", "restore", 0),
        ("service/upkeep", "Flaw", "audit", 1),
    ):
        for path in [*(ROOT / "referee" / room).glob("*.py"), ROOT / "referee/store/postgres/scratch.py"]:
            for one in ast.walk(ast.parse(path.read_text())):
                if (
                    isinstance(one, ast.Call)
                    and isinstance(one.func, ast.Name)
                    and one.func.id == call
                    and len(one.args) > place
                ):
                    wrong |= {
                        f"{chapter}.{text.value}"
                        for text in ast.walk(one.args[place])
                        if isinstance(text, ast.Constant)
                    }
                if (
                    isinstance(one, ast.Yield)
                    and chapter == "audit"
                    and isinstance(one.value, ast.Tuple)
                    and isinstance(one.value.elts[0], ast.Constant)
                ):
                    wrong.add(f"audit.{one.value.elts[0].value}")
    assert len(wrong) > 40
    assert not {code for code in wrong if code not in known}


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """Of a house with one game, that nobody has begun."""
    path = tmp_path / "r.toml"
    path.write_text(
        f"[store]\nurl = 'sqlite:///{tmp_path}/r.db'\n[backup]\ndirectory = '{tmp_path}/kept'\nkeep = 2\n"
    )
    store = Store.open(f"sqlite:///{tmp_path}/r.db")
    store.write_now(
        lambda tx: tx.add(
            Game,
            creator_id=tx.add(Person, name="Ann"),
            settings='{"seats": 4, "hours": 24, "options": {}, "entry": "open"}',
        )
    )
    store.close_now()
    return path


def one(folder: Path) -> Path:
    return BackupFolder(folder / "kept").kept()[0].path


def broken(tx: Tx) -> None:
    """A running game without a position."""
    tx.set(Game, 1, status="running", snapshot=b"{", asked="0")


def test_a_backup_is_made_proven_and_noted(run: Run, config: Path, tmp_path: Path) -> None:
    told = run("backup", "-c", config)
    assert told.exit_code == 0, told.output
    assert "live games: 1;" in told.output
    assert "Live games: 1, all of them sound." in told.output
    assert one(tmp_path).stat().st_mode & 0o077 == 0
    store = Store.open(f"sqlite:///{tmp_path}/r.db", read_only=True)
    row = store.read_now(lambda tx: tx.get(Heartbeat, "backup"))
    store.close_now()
    assert row is not None


def test_old_ones_go_and_a_file_of_one_s_own_stays_alone(
    run: Run, config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1_790_000_000_000]
    monkeypatch.setattr("referee.main.clock_ms", lambda: now[0])
    said = []
    for _ in range(4):
        said.append(run("backup", "--no-verify", "-c", config).output)
        now[0] += 60_000
    assert "Nobody has tried it" in said[0]
    assert [text.count("thrown away") for text in said] == [0, 0, 1, 1]
    assert len(BackupFolder(tmp_path / "kept").kept()) == 2
    told = run("backup", tmp_path / "mine.db", "-c", config)
    assert told.exit_code == 0, told.output
    assert (tmp_path / "mine.db.json").exists()
    assert run("backup", tmp_path / "mine.db", "--no-verify", "-c", config).exit_code == 0, "a backup"
    # the database was replaced by its copy: a referee that served went on writing into a file without a name
    (tmp_path / "notes.db").write_text("mine")
    for name in ("r.db", "notes.db"):
        before = (tmp_path / name).stat().st_ino
        told = run("backup", tmp_path / name, "--no-verify", "-c", config)
        assert (told.exit_code, "is no backup" in told.stderr) == (1, True)
        assert (tmp_path / name).stat().st_ino == before
    assert len(BackupFolder(tmp_path / "kept").kept()) == 2


def test_a_backup_with_flaws_is_kept_and_told(run: Run, config: Path, tmp_path: Path) -> None:
    store = Store.open(f"sqlite:///{tmp_path}/r.db")
    store.write_now(broken)
    store.close_now()
    told = run("backup", "-c", config)
    assert told.exit_code == 1
    assert "game 1: its position can't be loaded" in told.output
    assert "counts as unproven" in told.output
    assert one(tmp_path).exists()
    assert run("store", "audit", "-c", config).exit_code == 1
    told = run("restore", one(tmp_path), "--aside", "-c", config)
    assert told.exit_code == 1
    assert "--flawed" in told.output
    assert run("restore", one(tmp_path), "--aside", "--flawed", "-c", config).exit_code == 0


def test_restore_refuses_takes_and_says_what_is_next(run: Run, config: Path, tmp_path: Path) -> None:
    run("backup", "-c", config)
    told = run("restore", one(tmp_path), "-c", config)
    assert told.exit_code == 1
    assert "--aside" in told.output
    told = run("restore", one(tmp_path), "--aside", "-c", config)
    assert told.exit_code == 0, told.output
    assert "r.aside-" in told.output
    assert "Start the referee" in told.output
    told = run("restore", one(tmp_path), "--to", f"sqlite:///{tmp_path}/other/new.db", "-c", config)
    assert told.exit_code == 0, told.output
    assert "What was there" not in told.output
    assert run("store", "audit", "-c", config).output.strip() == "Live games: 1, all of them sound."


def test_what_is_no_backup_is_refused_in_one_line(run: Run, config: Path, tmp_path: Path) -> None:
    run("backup", "-c", config)
    file = one(tmp_path)
    whole = file.read_bytes()
    cases = {
        "torn": lambda: file.write_bytes(whole[:5000]),
        "checksum": lambda: file.write_bytes(whole[:-1] + b"\x07"),
        "There is no backup": file.unlink,
    }
    for words, harm in cases.items():
        harm()
        told = run("restore", file, "--aside", "-c", config)
        assert (told.exit_code, len(told.output.strip().splitlines())) == (1, 1)
        assert words in told.output
    (tmp_path / "plain.db").write_bytes(whole)
    assert "should lie beside it" in run("restore", tmp_path / "plain.db", "-c", config).output
    assert run("restore", tmp_path / "plain.db", "--to", "ftp://x/y", "-c", config).exit_code in (1, 2)


def test_a_referee_that_runs_keeps_its_database(run: Run, config: Path, tmp_path: Path) -> None:
    run("backup", "-c", config)
    store = Store.open(f"sqlite:///{tmp_path}/r.db")
    told = run("restore", one(tmp_path), "--aside", "-c", config)
    again = run("backup", "-c", config)
    store.close_now()
    assert told.exit_code == 1
    assert "another referee" in told.output
    assert again.exit_code == 0


def test_nothing_there_and_two_at_once(run: Run, config: Path, tmp_path: Path) -> None:
    with BackupFolder(tmp_path / "kept").held():
        told = run("backup", "-c", config)
    assert (told.exit_code, "another backup is being made" in told.output) == (1, True)
    (tmp_path / "r.db").unlink()
    told = run("backup", "-c", config)
    assert (told.exit_code, "There is nothing to back up" in told.output) == (1, True)
    told = run("store", "audit", "-c", config)
    assert (told.exit_code, "nothing to look through" in told.output) == (1, True)
    told = run("rehearse", "-c", config)
    assert (told.exit_code, "nothing to try this on" in told.output) == (1, True)


def test_a_backup_that_there_is_no_room_to_try_is_one_all_the_same(
    run: Run, config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*words: object, **more: object) -> None:
        raise StoreFull(28, "no room")

    monkeypatch.setattr("referee.service.upkeep.take_backup.proven", full)
    told = run("backup", "-c", config)
    assert told.exit_code == 1
    assert "could not be tried: no room" in told.output
    monkeypatch.undo()
    assert one(tmp_path).exists()


def test_a_rehearsal_says_how_it_went(run: Run, config: Path, tmp_path: Path) -> None:
    told = run("rehearse", "-c", config)
    assert told.exit_code == 0, told.output
    assert "Nothing stands against the upgrade" in told.output
    run("backup", "-c", config)
    assert run("rehearse", one(tmp_path), "--all", "-c", config).exit_code == 0
    store = Store.open(f"sqlite:///{tmp_path}/r.db")
    store.write_now(broken)
    store.close_now()
    told = run("rehearse", "-c", config)
    assert told.exit_code == 1
    assert "Don't upgrade yet: live games that would have trouble: 1 of 1" in told.output


def test_the_doctor_asks_for_backups(run: Run, config: Path, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/r.db"

    def level(code: str) -> str:
        return next((found.level for found in database.database(url) if found.code == code), "")

    assert level("backup-none") == "warn"
    run("backup", "-c", config)
    assert (level("backup-none"), level("backup")) == ("", "ok")
    store = Store.open(url)
    store.write_now(
        lambda tx: tx.put(Heartbeat, name="backup", at_ms=time.time_ns() // 1_000_000 - 4 * 86_400_000)
    )
    store.close_now()
    assert level("backup-old") == "warn"


def test_it_all_speaks_the_language_of_the_shell(
    run: Run, config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "pt_BR.UTF-8")
    made = run("backup", "-c", config)
    assert made.exit_code == 0, made.output
    assert "partidas em andamento: 1;" in made.output
    assert "Partidas em ordem: 1" in made.output
    assert "Partidas em andamento: 1, todas em ordem." in run("store", "audit", "-c", config).output
    tried = run("rehearse", one(tmp_path), "-c", config)
    assert "Nada impede a atualização." in tried.output
    refused = run("restore", one(tmp_path), "-c", config)
    assert refused.exit_code == 1
    assert "Nada foi restaurado" in refused.stderr
    assert "o último bom foi feito há 0 h" in run("doctor", "-c", config).output
    done = run("restore", one(tmp_path), "--aside", "-c", config)
    assert "O banco de dados sqlite:///" in done.output
    assert "as mesas (1) ficam sabendo" in done.output
    store = Store.open(f"sqlite:///{tmp_path}/r.db")
    store.write_now(broken)
    store.close_now()
    flawed = run("store", "audit", "-c", config)
    assert flawed.exit_code == 1
    assert "partida 1: não dá para carregar a posição" in flawed.output
    assert "1 de 1 partidas em andamento têm defeitos" in flawed.stderr
    for said in (made, tried, done, flawed):
        assert not re.search(r"\b(the|were|live|games|database|nothing)\b", said.output)
