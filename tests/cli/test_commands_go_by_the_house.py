"""What a command does beside a running referee goes by how the house is configured."""

from __future__ import annotations

import time
from functools import partialmethod
from pathlib import Path

import pytest

from referee import main
from referee.cli.common import shell
from referee.config import load
from referee.service.core.unit_of_work import Shell, StateCache, UnitOfWork
from referee.service.play import freeze
from referee.store import Address, Outbox, Seat, Store, Tx
from tests import books
from tests.cli.conftest import Run
from tests.service import playing
from tests.service.rig import House

ANA, BEA = "terminal:ana", "terminal:bea"


@pytest.mark.parametrize("act", ["thaw", "pause"])
async def test_letters_go_to_channels_that_are_on(run: Run, tmp_path: Path, act: str) -> None:
    house = await House(tmp_path / "book.db").open()
    game = await playing.table(house, [ANA, BEA])

    def play_in_telegram(tx: Tx) -> None:
        for person in tx.column(Address, "person_id", channel="terminal"):
            facts = {"channel": "telegram", "address": f"{person}", "state": "green", "proven_ms": 1}
            tx.add(Address, person_id=person, seen_ms=house.clock() + 1, **facts)
        tx.change(Seat, {"game_id": game}, channel="telegram")

    await house.store.write(play_in_telegram)
    if act == "thaw":
        await house.store.write(lambda tx: freeze.freeze(house.referee.context.uow(tx), game))
    await house.settle()
    await house.close()
    config = tmp_path / "r.toml"
    config.write_text(f"[store]\nurl = 'sqlite:///{tmp_path}/book.db'\n[terminal]\n")
    assert run("games", f"--{act}", game, "-c", config).exit_code == 0
    store = Store.open(f"sqlite:///{tmp_path}/book.db")
    queued = store.read_now(lambda tx: tx.all(Outbox, state="queued"))
    store.close_now()
    assert {row.channel for row in queued} == {"terminal"}


def test_a_command_knows_how_bots_play_here_and_the_language(tmp_path: Path) -> None:
    config = tmp_path / "r.toml"
    config.write_text(
        f"[store]\nurl = 'sqlite:///{tmp_path}/book.db'\n[terminal]\n[referee]\nlanguage = 'pt_BR'\n"
        "[bots]\nstand_in = 'gentle'\npause_minutes = 30\n"
    )
    settings = shell(load(config)).settings
    assert (settings.bots.stand_in, settings.bots.pause_minutes) == ("gentle", 30)
    assert settings.language == "pt_BR"


@pytest.mark.parametrize(
    "words", [("games", "--thaw", 1), ("admin", "block", "telegram:5"), ("league", "say", "new Rio")]
)
def test_on_a_server_the_hour_is_the_databases(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[object, ...]
) -> None:
    """A command on a machine whose clock is a day behind would set deadlines that are over already."""
    servers = pytest.importorskip("tests.servers.postgres", reason="no psycopg", exc_type=ImportError)
    if servers.missing():
        pytest.skip(servers.missing())  # the server that is missing, by its name
    url = books.address(tmp_path / "book", postgres=True)
    store = Store.open(url)
    now = time.time_ns() // 1_000_000
    monkeypatch.setattr(main, "clock_ms", lambda: now - 86_400_000)
    config, seen = tmp_path / "r.toml", list[int]()
    config.write_text(f"[store]\nurl = '{url}'\n[terminal]\n")
    monkeypatch.setattr(Shell, "uow", partialmethod(_told, seen))
    run(*words, "-c", config)
    store.close_now()
    books.forget()
    assert seen
    assert all(abs(one - now) < 600_000 for one in seen)


def _told(self: Shell, seen: list[int], tx: Tx) -> UnitOfWork:
    seen.append(self.now_ms)
    return UnitOfWork(tx, self.now_ms, self.words, self.settings, StateCache())
