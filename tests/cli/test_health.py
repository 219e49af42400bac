"""`referee health`: alive, ready, or what is wrong, by the web pages or by the sign of life in the
database.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from referee.main import clock_ms
from referee.store import Heartbeat, Store
from tests.cli.conftest import Run


@contextmanager
def answering(status: int, text: str) -> Iterator[tuple[int, list[tuple[str, str | None]]]]:
    """Somebody who answers everything like this; what they were asked for, and with which words of
    introduction.
    """
    asked: list[tuple[str, str | None]] = []

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append((self.path, self.headers["Authorization"]))
            self.send_response(status)
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, format: str, *args: Any) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Answers) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server.server_port, asked
        server.shutdown()
        thread.join()


def config(folder: Path, listen: str = "", more: str = "") -> Path:
    path = folder / "r.toml"
    path.write_text(
        f'[store]\nurl = "sqlite:///{folder}/r.db"\n[terminal]\n[web]\nlisten = "{listen}"\n{more}'
    )
    return path


@pytest.mark.parametrize(
    ("status", "text", "words", "code", "says"),
    [
        (200, "ok\n", [], 0, "is alive."),
        (503, "broken\n", [], 1, "is broken"),
        (200, "ready\n", ["--ready"], 0, "nothing stands still"),
        (503, "not ready\nchannel mail\nfrozen\n", ["--ready"], 1, "channel mail, frozen."),
        (503, "not ready\n", ["--ready"], 1, "not all is as it should be"),
        (502, "Bad gateway", ["--ready"], 1, "status 502"),
    ],
)
def test_it_says_what_the_pages_say(
    run: Run, tmp_path: Path, status: int, text: str, words: list[str], code: int, says: str
) -> None:
    with answering(status, text) as (port, asked):
        told = run(
            "health",
            *words,
            "-c",
            config(tmp_path, f"0.0.0.0:{port}", 'metrics_token = "0123456789abcdef"\n'),
        )
    assert told.exit_code == code
    assert says in told.output
    assert asked == [("/readyz" if words else "/healthz", "Bearer 0123456789abcdef")]


def test_nobody_listens(run: Run, tmp_path: Path) -> None:
    told = run("health", "-c", config(tmp_path, "127.0.0.1:1"))
    assert told.exit_code == 1
    assert "No referee answers at 127.0.0.1:1" in told.output


@pytest.mark.parametrize(
    ("ago_ms", "code", "says"),
    [(None, 1, "none ever served"), (5_000, 0, "is 5 s old."), (600_000, 1, "none seems to run")],
)
def test_without_pages_the_sign_of_life_counts(
    run: Run, tmp_path: Path, ago_ms: int | None, code: int, says: str
) -> None:
    store = Store.open(f"sqlite:///{tmp_path}/r.db")
    if ago_ms is not None:
        store.write_now(lambda tx: tx.put(Heartbeat, name="referee", at_ms=clock_ms() - ago_ms))
    store.close_now()
    told = run("health", "-c", config(tmp_path))
    assert (told.exit_code, says in told.output) == (code, True), told.output


def test_without_pages_nobody_can_say_whether_all_is_well(run: Run, tmp_path: Path) -> None:
    told = run("health", "--ready", "-c", config(tmp_path))
    assert told.exit_code == 1
    assert "set listen in [web]" in told.output


def test_no_database_at_all(run: Run, tmp_path: Path) -> None:
    told = run("health", "-c", config(tmp_path))
    assert told.exit_code == 1
    assert not (tmp_path / "r.db").exists()


def test_it_needs_no_secret_of_a_channel(run: Run, tmp_path: Path) -> None:
    told = run("health", "-c", config(tmp_path, "127.0.0.1:1", "[telegram]\n"))
    assert "No referee answers" in told.output
