"""The container file: linted, and carried out as far as a machine without a container engine can
(tests.deploy.image).
"""

from __future__ import annotations

import fnmatch
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from referee.store import MissingDatabase, Store
from tests.deploy import image
from tests.deploy.image import Container
from tests.deploy.tools import DEPLOY, ROOT
from tests.servers import postgres
from tests.servers.botapi import BotApi
from tests.servers.ports import free_ports

TOKEN = "123456789:AAabcdefghijklmnopqrstuvwxyz012345"


@pytest.fixture(scope="module")
def opt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the first stage makes: the locked requirements and the referee."""
    return image.shared(tmp_path_factory)


@contextmanager
def running(container: Container, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    """The entry point at work; ended however the test ends."""
    with (container.home / "log").open("wb") as log:
        process = subprocess.Popen(container.command(*words), stdout=log, stderr=log)
    try:
        yield process
    finally:
        process.kill()  # bubblewrap's --die-with-parent takes what is inside with it
        process.wait()


def healthy(
    container: Container,
    process: subprocess.Popen[bytes],
    seconds: float = 30,
    asked: list[str] | None = None,
) -> str:
    """Wait until the health check passes, or another one that is `asked`; what it says.

    It is a start of Python each time, so nobody asks before the referee says that it serves.
    """
    end = time.monotonic() + seconds
    log = container.home / "log"
    while '"serving"' not in log.read_text():
        assert process.poll() is None, log.read_text()
        assert time.monotonic() < end, log.read_text()
        time.sleep(0.02)
    while True:
        done = subprocess.run(asked or container.health(), capture_output=True, text=True, timeout=30)
        if done.returncode == 0:
            return done.stdout
        assert process.poll() is None, (container.home / "log").read_text()
        assert time.monotonic() < end, done.stderr + (container.home / "log").read_text()
        time.sleep(0.1)


def stopped(process: subprocess.Popen[bytes], number: signal.Signals) -> int:
    """Send it to the referee inside, which is process 1 there, as an engine does; its exit code."""
    (inside,) = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    os.kill(int(inside), number)
    return process.wait(20)


def test_hadolint_finds_nothing() -> None:
    done = subprocess.run(
        [Path(sys.executable).parent / "hadolint", image.CONTAINERFILE],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_it_promises() -> None:
    first, last = image.stages()
    tag = re.search(r"ARG PYTHON=(\S+)", image.CONTAINERFILE.read_text())
    assert tag
    assert re.fullmatch(r"3\.\d+-slim-\w+", tag[1]), "a base that stays what it is"
    assert {first.base, last.base} == {"docker.io/library/python:${PYTHON}"}
    assert re.fullmatch(r"[1-9]\d{3,}:[1-9]\d{3,}", last.only("USER")), (
        "numbers: an engine can see that it is not root"
    )
    assert signal.Signals[last.only("STOPSIGNAL")] is signal.SIGTERM
    labels = dict(pair.split("=", 1) for pair in shlex.split(last.only("LABEL")))
    assert {"title", "description", "licenses", "base.name"} <= {
        name.removeprefix("org.opencontainers.image.") for name in labels
    }
    assert not any("ADD" in dict(stage.steps) for stage in (first, last))
    assert "--require-hashes" in " ".join(first.of("RUN"))


def test_the_builder_is_given_only_what_is_copied() -> None:
    """No secret, no database and no .git gets into a layer, whatever lies about."""
    lets = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
    copied = [one for text in image.stages()[0].of("COPY") for one in text.split()[:-1]]
    assert sorted(lets) == sorted(copied)
    assert "*" in (ROOT / ".dockerignore").read_text().splitlines()
    assert not [one for one in copied if fnmatch.fnmatch(one, "*secret*") or one in (".", "deploy")]


def test_the_lock_is_no_other_than_what_is_tested() -> None:
    def pins(path: str) -> dict[str, str]:
        return dict(
            line.split(" ")[0].split("==")
            for line in (ROOT / path).read_text().splitlines()
            if "==" in line and not line.startswith(" ")
        )

    ours, tested = pins("deploy/container/requirements.txt"), pins(".ci/requirements.txt")
    assert {"psycopg-binary", "aiosmtpd", "resvg-py", "vodozemac"} <= set(ours)
    assert {name: version for name, version in ours.items() if tested.get(name) != version} == {}


def test_it_serves_with_a_read_only_root_and_without_any_right(opt: Path, tmp_path: Path) -> None:
    (port,) = free_ports(1)
    container = Container(
        opt, tmp_path, f'[referee]\nlog = "json"\n[terminal]\n[web]\nlisten = "127.0.0.1:{port}"\n'
    )
    sick = subprocess.run(container.health(), capture_output=True, text=True, timeout=30)
    assert sick.returncode == 1
    assert "No referee answers" in sick.stderr
    with running(container) as process:
        assert "is alive" in healthy(container, process)
        assert stopped(process, signal.SIGTERM) == 0
    assert '"what": "stopped"' in (tmp_path / "log").read_text()
    (book,) = container.data.rglob("referee.db")
    store = Store.open(f"sqlite:///{book}", read_only=True)  # the volume keeps it
    store.close_now()


def test_nothing_else_can_be_written(opt: Path, tmp_path: Path) -> None:
    container = Container(opt, tmp_path, "[terminal]\n")
    tried = (
        "id -u; grep CapEff /proc/self/status; for one in / /etc/referee /opt/referee /run /run/secrets "
        "/usr /var /var/lib/referee /var/backups/referee /run/referee /tmp; do "
        "touch $one/.try 2>/dev/null && echo $one; done"
    )
    done = subprocess.run(container.words("sh", "-c", tried), capture_output=True, text=True, timeout=30)
    assert done.stdout.split("\n")[:-1] == [
        "10001",
        "CapEff:\t0000000000000000",
        "/var/lib/referee",
        "/var/backups/referee",
        "/run/referee",
        "/tmp",
    ]


def test_a_secret_is_a_file_and_is_not_told(opt: Path, tmp_path: Path) -> None:
    container = Container(
        opt, tmp_path, '[telegram]\nbase_url = "http://127.0.0.1:9"\n', {"telegram__token": TOKEN}
    )
    done = subprocess.run(container.command("doctor"), capture_output=True, text=True, timeout=60)
    assert "telegram" in done.stdout
    assert "configuration: /etc/referee/referee.toml" in done.stdout
    assert TOKEN not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("config", "says"),
    [
        ("", "/etc/referee/referee.toml"),
        ("[telegram]\ntokn = 1\n", "tokn"),
        ('[store]\nurl = "sqlite:////etc/referee/r.db"\n[terminal]\n', "/etc/referee/r.db"),
    ],
)
def test_what_is_wrong_is_said_and_ends_it(opt: Path, tmp_path: Path, config: str, says: str) -> None:
    container = Container(opt, tmp_path, config)
    done = subprocess.run(container.command(), capture_output=True, text=True, timeout=60)
    assert done.returncode in (1, 2)
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    with pytest.raises(MissingDatabase):
        Store.open(f"sqlite:///{container.data}/referee.db", read_only=True)


def test_the_extras_are_in_it(opt: Path, tmp_path: Path) -> None:
    container = Container(opt, tmp_path, "[terminal]\n")
    look = (
        "import psycopg, aiosmtpd, resvg_py, vodozemac; from importlib.util import find_spec; "
        "print([one for one in ('pip', 'hatchling', 'pytest') if find_spec(one)])"
    )
    done = subprocess.run(container.words("python", "-c", look), capture_output=True, text=True, timeout=60)
    assert done.stdout == "[]\n", done.stderr


def test_several_processes_at_one_database(opt: Path, tmp_path: Path) -> None:
    """The processes of workers.yaml, with its configuration and secrets, at a real PostgreSQL and a Bot API
    of the tests' own.
    """
    if why := postgres.missing():
        pytest.skip(why)
    api, server = BotApi(), postgres.Postgres(durable=False)
    api.start_thread()
    try:
        base = server.empty()
        secrets = {"store__url": server.url(base), "web__metrics_token": "0123456789abcdef"}
        ports = free_ports(3)
        sample = (DEPLOY / "compose" / "workers.toml").read_text()
        made = []
        for words, port in zip(("serve", "serve", "work"), ports, strict=True):
            config = sample.replace("0.0.0.0:8080", f"0.0.0.0:{port}").replace(
                "[telegram]\n", f'[telegram]\nbase_url = "{api.url}"\n'
            )
            assert config.count(str(port)) == config.count(api.url) == 1
            given = secrets if words == "work" else {**secrets, "telegram__token": api.token}
            made.append((words, Container(opt, tmp_path / str(port), config, given)))
        with ExitStack() as stack:
            processes = [stack.enter_context(running(container, words)) for words, container in made]
            for (_, container), process in zip(made, processes, strict=True):
                # who waits for a channel is as well as who has it
                healthy(container, process, 60, container.command("health", "--ready"))
            backup = subprocess.run(made[2][1].command("backup"), capture_output=True, text=True, timeout=120)
            assert backup.returncode == 0, backup.stderr
            assert [stopped(process, signal.SIGTERM) for process in processes] == [0, 0, 0]
        assert list((made[2][1].home / "backups").iterdir())
        logs = [(container.home / "log").read_text() for _, container in made]
        assert not [log for log in logs if "pass-word" in log or api.token in log or "Traceback" in log]
    finally:
        api.stop_thread()
        server.end()
