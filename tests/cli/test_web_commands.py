"""The board in a browser for somebody at a terminal: `referee play --web`, and the link of `referee web`."""

from __future__ import annotations

import os
import subprocess
import sys
import urllib.error
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from referee.main import clock_ms
from referee.service.people import web_sessions
from referee.store import Address, Game, Person, Seat, Store, WebLink
from tests.cli.conftest import Run

BASE = "https://citadels.example.org"


@pytest.fixture
def config(home: Path) -> Path:
    """A house with pages, where Ana sits at table 1 at the terminal, and by no other channel."""
    path = home / "referee.toml"
    path.write_text(
        f'[store]\nurl = "sqlite:///{home / "r.db"}"\n[terminal]\n'
        f'[web]\nlisten = "127.0.0.1:8080"\nbase_url = "{BASE}"\n'
    )
    store = Store.open(f"sqlite:///{home / 'r.db'}")

    def people(tx: Any) -> None:
        ana = tx.add(Person, name="Ana", created_ms=1)
        tx.add(Address, person_id=ana, channel="terminal", address="ana", state="green")
        tx.add(Address, person_id=ana, channel="telegram", address="17", state="green")

    store.write_now(people)
    store.close_now()
    return path


def opens(home: Path, link: str) -> web_sessions.SignedIn | None:
    """What the link that was printed does."""
    assert link.startswith(f"{BASE}/me/in/")
    with_store = Store.open(f"sqlite:///{home / 'r.db'}")
    try:
        token = link.rpartition("/")[2]
        return with_store.write_now(lambda tx: web_sessions.sign_in(tx, token, "", clock_ms()))
    finally:
        with_store.close_now()


def test_the_link_of_a_terminal_player_signs_in_once(run: Run, config: Path, home: Path) -> None:
    done = run("web", "ana", "--config", config)
    assert done.exit_code == 0, done.stderr
    (link,) = done.stdout.split()
    assert "30 minutes and once, for ana" in done.stderr
    assert opens(home, link) is not None
    assert opens(home, link) is None


def test_a_newer_link_takes_the_place_of_an_older(run: Run, config: Path, home: Path) -> None:
    older, newer = (run("web", "terminal:ana", "-c", config).stdout.strip() for _ in range(2))
    assert opens(home, older) is None
    assert opens(home, newer) is not None


def test_it_leads_to_a_table_of_theirs_only(run: Run, config: Path, home: Path) -> None:
    store = Store.open(f"sqlite:///{home / 'r.db'}")

    def seated(tx: Any) -> int:
        ana = tx.whose("terminal", "ana")[0].id
        facts = {"edition": "classic", "status": "lobby", "creator_id": ana, "settings": "{}"}
        game = tx.add(Game, **facts, seed="", seed_hash="", created_ms=1)
        tx.add(Seat, game_id=game, no=0, person_id=ana, name="Ana")
        return int(game)

    game = store.write_now(seated)
    store.close_now()
    done = run("web", "ana", "--table", game, "-c", config)
    found = opens(home, done.stdout.strip())
    assert found is not None
    assert found.game == game
    done = run("web", "ana", "--table", game + 1, "-c", config)
    assert done.exit_code == 1
    assert f"no seat at table {game + 1}" in done.stderr


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["nobody"], 1, "Nobody called nobody has sat at this terminal"),
        (["telegram:17"], 2, "writes web to the referee there"),
        (["mail:ana@x.test"], 2, "writes web to the referee there"),
        (["ana@x.test"], 2, "writes web to the referee there"),
        (["ana", "--table", "0"], 2, "--table"),
        (["ana", "--table", "x"], 2, "--table"),
    ],
)
def test_what_it_can_not_do_is_said_and_nothing_is_made(
    run: Run, config: Path, home: Path, words: list[str], code: int, told: str
) -> None:
    done = run("web", *words, "-c", config)
    assert (done.exit_code, done.stdout) == (code, "")
    assert told in done.stderr
    store = Store.open(f"sqlite:///{home / 'r.db'}")
    assert store.read_now(lambda tx: tx.count(WebLink)) == 0
    store.close_now()


def test_without_pages_there_is_no_link(run: Run, config: Path) -> None:
    config.write_text(config.read_text().partition("[web]")[0])
    done = run("web", "ana", "-c", config)
    assert done.exit_code == 1
    assert "There are no pages" in done.stderr


def test_it_is_said_in_portuguese(run: Run, config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "pt_BR.UTF-8")
    assert "uma vez só, para ana" in run("web", "ana", "-c", config).stderr


def test_play_with_pages_shows_the_board_in_a_browser(home: Path) -> None:
    environ = {**os.environ, "PYTHONWARNINGS": "error", "LC_ALL": "C.UTF-8"}
    words = ["play", "--web", "--pipe", "--bots", "1", "--name", "Ana", "--store", str(home / "p.db")]
    with subprocess.Popen(
        [sys.executable, "-m", "referee", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env=environ,
        cwd=home,
    ) as playing:
        assert playing.stdin is not None
        assert playing.stdout is not None
        link = next(word for line in playing.stdout for word in line.split() if "/me/in/" in word)
        base = "{0.scheme}://{0.netloc}".format(urlsplit(link))
        assert base.startswith("http://127.0.0.1:")
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        with browser.open(link, timeout=60) as page:
            assert "Sign in as Ana?" in page.read().decode()
        press = urllib.request.Request(link, data=b"", headers={"Origin": base})
        with browser.open(press, timeout=60) as page:
            assert "Table #1" in page.read().decode()
        playing.stdin.close()
        rest = playing.stdout.read()
        assert playing.wait(60) == 0, rest
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(base, timeout=5)
