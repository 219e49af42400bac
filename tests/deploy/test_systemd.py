"""The systemd units: verified and judged by systemd's own tools, and run as they say, as far as a machine on
which no systemd runs can.
"""

from __future__ import annotations

import configparser
import http.client
import os
import re
import shlex
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest

from tests.deploy import image
from tests.deploy.image import Container
from tests.deploy.tools import ROOT
from tests.servers.ports import free_ports

UNITS = ROOT / "deploy" / "systemd"
SERVICES = sorted(one.name for one in UNITS.glob("*.service"))
LONG = ["referee.service", "referee-work@.service"]
#: memory that was written is never run: what MemoryDenyWriteExecute= does, by the kernel's own means
GUARDED = (
    "import ctypes, os, sys; assert ctypes.CDLL(None).prctl(65, 1, 0, 0, 0) == 0; os.execv(sys.argv[1], "
    "sys.argv[1:])"
)


def settings(name: str) -> dict[str, list[str]]:
    """What stands under [Service], each as often as it does."""
    found: dict[str, list[str]] = {}
    for line in (UNITS / name).read_text().partition("[Service]")[2].partition("[Install]")[0].splitlines():
        if line and not line.startswith("#"):
            key, _, value = line.partition("=")
            found.setdefault(key, []).append(value)
    return found


@cache
def allowed(filters: tuple[str, ...]) -> frozenset[str]:
    """The system calls that remain, as systemd knows its groups."""
    groups: dict[str, list[str]] = {}
    for line in subprocess.run(
        ["systemd-analyze", "syscall-filter", "--no-pager"], capture_output=True, text=True, check=True
    ).stdout.splitlines():
        if line.startswith("@"):
            groups[line.strip()] = []
        elif groups and line.strip() and not line.strip().startswith("#"):
            groups[list(groups)[-1]].append(line.strip())

    def calls(name: str) -> set[str]:
        return {call for one in groups[name] for call in calls(one)} if name.startswith("@") else {name}

    left: set[str] = set()
    for line in filters:
        named = {call for name in line.lstrip("~").split() for call in calls(name)}
        left = left - named if line.startswith("~") else left | named
    return frozenset(left)


@pytest.fixture(scope="module")
def opt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return image.shared(tmp_path_factory)


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as ear:
        ear.bind(f"\0citadels-systemd-{os.getpid()}")
        ear.settimeout(90)
        yield ear


def test_systemd_can_read_them(tmp_path: Path) -> None:
    for one in UNITS.glob("referee*.*"):
        if one.suffix in (".service", ".timer"):
            (tmp_path / one.name).write_text(one.read_text().replace("/opt/referee/bin/referee", "/bin/true"))
    for folder in UNITS.glob("*.d"):
        (tmp_path / folder.name).mkdir()
        for one in folder.iterdir():
            (tmp_path / folder.name / one.name).write_text(one.read_text())
    units = sorted(str(one) for one in tmp_path.iterdir() if one.is_file())
    assert len(units) == 4
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *units], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", SERVICES)
def test_systemd_finds_them_well_shut(name: str) -> None:
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--no-pager", "--threshold=20", UNITS / name],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stdout
    score = re.search(r"exposure level for \S+: ([\d.]+)", done.stdout)
    assert score
    assert float(score[1]) <= 1.5


def test_users_and_folders_are_made_as_they_say(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    for program, options, file in (
        ("systemd-sysusers", [], "sysusers.conf"),
        ("systemd-tmpfiles", ["--create"], "tmpfiles.conf"),
    ):
        done = subprocess.run(
            [program, f"--root={tmp_path}", *options, UNITS / file],
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr
    assert re.search(
        r"^referee:x:\d+:\d+:Citadels referee:/var/lib/referee:",
        (tmp_path / "etc" / "passwd").read_text(),
        re.MULTILINE,
    )
    for folder in ("etc/referee/secrets", "var/backups/referee"):
        assert (tmp_path / folder).stat().st_mode & 0o777 == 0o700


def test_what_is_loaded_is_a_secret_of_ours() -> None:
    from referee.config import channels
    from referee.config.model import StoreSettings, WebSettings

    sections = {
        "store": StoreSettings,
        "web": WebSettings,
        **{name: channels.section(channels.module(name).Settings) for name in channels.installed()},
    }
    lines = [
        line
        for one in UNITS.glob("*.d/*.conf")
        for line in one.read_text().splitlines()
        if line.startswith("LoadCredential=")
    ]
    assert len(lines) >= 5
    for line in lines:
        name, path = line.removeprefix("LoadCredential=").split(":")
        section, key = name.split("__")
        assert key in sections[section].model_fields
        assert path == f"/etc/referee/secrets/{name}"


def test_what_root_types_has_the_user_the_configuration_and_every_secret(tmp_path: Path) -> None:
    """With other ones it would look at another database, and restore to another place."""
    tools, secrets = tmp_path / "bin", tmp_path / "secrets"
    (secrets / "a folder").mkdir(parents=True)
    tools.mkdir()
    (tools / "systemd-run").write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    (tools / "systemd-run").chmod(0o755)
    for name in ("telegram__token", "store__url"):
        (secrets / name).write_text("hunter2")
    done = subprocess.run(
        [UNITS / "referee.sh", "league", "new", "Winter Cup", "--zone", "UTC"],
        env={"PATH": f"{tools}:/usr/bin:/bin", "REFEREE_SECRETS": str(secrets), "LANG": "pt_BR.UTF-8"},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    told = done.stdout.splitlines()
    unit = settings("referee.service")
    begins = told.index("/opt/referee/bin/referee")
    assert told[begins:] == ["/opt/referee/bin/referee", "league", "new", "Winter Cup", "--zone", "UTC"]
    assert {f"--uid={unit['User'][0]}", f"--gid={unit['Group'][0]}", "--setenv=LANG=pt_BR.UTF-8"} <= {*told}
    assert f"--working-directory={unit['WorkingDirectory'][0]}" in told
    assert f"--property=UMask={unit['UMask'][0]}" in told
    for variable in unit["Environment"][0].split():
        assert f"--setenv={variable}" in told
    assert sorted(one for one in told[:begins] if "LoadCredential" in one) == [
        f"--property=LoadCredential={name}:{secrets / name}" for name in ("store__url", "telegram__token")
    ]


def test_the_night_has_its_backup() -> None:
    timer = configparser.ConfigParser(interpolation=None)
    timer.optionxform = str  # type: ignore[assignment,method-assign]  # keys keep their capitals
    timer.read(UNITS / "referee-backup.timer")
    assert timer["Timer"]["Persistent"] == "true", "a night in which the machine slept is made up for"
    done = subprocess.run(
        ["systemd-analyze", "calendar", timer["Timer"]["OnCalendar"]],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert settings("referee-backup.service")["Type"] == ["oneshot"]
    assert not any("@resources" in one for one in settings("referee-backup.service")["SystemCallFilter"]), (
        "it makes itself nicer"
    )


@pytest.mark.parametrize("name", LONG)
def test_threads_may_share_a_processor_and_processes_that_draw_or_think_stand_back(name: str) -> None:
    left = allowed(tuple(settings(name)["SystemCallFilter"]))
    assert left >= {"setpriority", "sched_setscheduler", "sched_setaffinity"}
    assert "setrlimit" not in left, "the other resources stay shut"
    assert settings(name)["RestrictRealtime"] == ["true"]


@pytest.mark.parametrize("name", LONG)
def test_they_are_begun_anew_unless_that_helps_nobody(name: str) -> None:
    found = settings(name)
    assert found["Type"] == ["notify"]
    assert found["Restart"] == ["on-failure"]
    assert found["RestartPreventExitStatus"] == ["2"]
    assert "StartLimitIntervalSec=0" in (UNITS / name).read_text().splitlines(), (
        "a database that is away at the start comes back some time"
    )


def started(
    opt: Path,
    home: Path,
    service: str,
    config: str,
    secrets: dict[str, str],
    ear: socket.socket,
    *before: str,
) -> subprocess.Popen[bytes]:
    """The unit's command with its environment, folders and credentials."""
    found = settings(service)
    environment = dict(pair.split("=", 1) for line in found["Environment"] for pair in shlex.split(line))
    environment |= {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": "/var/lib/referee",
        "CREDENTIALS_DIRECTORY": "/run/secrets",
        "NOTIFY_SOCKET": "@" + ear.getsockname()[1:].decode(),
        "WATCHDOG_USEC": "2000000",
    }
    container = Container(opt, home, config, secrets)
    with (home / "log").open("wb") as log:
        return subprocess.Popen(
            container.words(*before, *shlex.split(found["ExecStart"][0]), environment=environment),
            stdout=log,
            stderr=log,
        )


def asked(port: int, path: str, **headers: str) -> str:
    """A page that is there."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as line:
        line.request("GET", path, headers=headers)
        with line.getresponse() as answer:
            assert answer.status == 200
            return answer.read().decode()


def inside(process: subprocess.Popen[bytes]) -> int:
    """The referee's own process below bubblewrap and whatever stands between."""
    found = process.pid
    while children := Path(f"/proc/{found}/task/{found}/children").read_text().split():
        found = int(children[0])
    return found


def test_it_tells_systemd_and_needs_no_more_than_the_unit_lets_it(
    opt: Path, tmp_path: Path, listener: socket.socket
) -> None:
    (port,) = free_ports(1)
    config = (
        f'[store]\nurl = "sqlite:////var/lib/referee/referee.db"\n[terminal]\nsocket = '
        f'"/run/referee/t.sock"\n[web]\nlisten = "127.0.0.1:{port}"\n'
    )
    token = "a-token-of-the-credentials"
    process = started(
        opt,
        tmp_path,
        "referee.service",
        config,
        {"web__metrics_token": token},
        listener,
        "strace",
        "-f",
        "-qq",
        "-o",
        "/var/lib/referee/calls",
        "/opt/referee/bin/python",
        "-c",
        GUARDED,
    )
    try:
        assert listener.recv(1000) == b"READY=1\nSTATUS=serving terminal"
        assert listener.recv(1000) == b"WATCHDOG=1"
        assert "citadels_loops_running 1.0" in asked(
            port, "/metrics", Authorization=f"Bearer {token}", Via="1.1 proxy"
        )
        assert "<h1" in asked(port, "/")
        os.kill(inside(process), signal.SIGTERM)
        heard = b""
        while heard != b"STOPPING=1":
            heard = listener.recv(1000)
        assert process.wait(90) == 0, (tmp_path / "log").read_text()
    finally:
        process.kill()
        process.wait()
    calls = set(re.findall(r"^\d+ +(\w+)\(", (tmp_path / "data" / "calls").read_text(), re.MULTILINE))
    assert {"openat", "epoll_wait", "sendto"} <= calls
    assert calls - allowed(tuple(settings("referee.service")["SystemCallFilter"])) == set()


def test_a_configuration_that_can_not_be_used_is_not_tried_again(
    opt: Path, tmp_path: Path, listener: socket.socket
) -> None:
    for number, (service, config) in enumerate(
        (
            ("referee.service", "[telegram]\n"),
            ("referee-work@.service", '[store]\nurl = "sqlite:////var/lib/referee/r.db"\n'),
        )
    ):
        process = started(opt, tmp_path / str(number), service, config, {}, listener)
        assert str(process.wait(90)) in settings(service)["RestartPreventExitStatus"]
    listener.setblocking(False)
    with pytest.raises(BlockingIOError):
        listener.recv(1000)


def test_the_backup_is_made_within_what_its_unit_may_write(opt: Path, tmp_path: Path) -> None:
    container = Container(
        opt,
        tmp_path,
        (
            '[store]\nurl = "sqlite:////var/lib/referee/r.db"\n[backup]\ndirectory = '
            '"/var/backups/referee"\n[telegram]\n'
        ),
    )
    found = settings("referee-backup.service")
    command = shlex.split(found["ExecStart"][0])
    made = subprocess.run(
        container.words(
            "/opt/referee/bin/python",
            "-c",
            "from referee.store import Store; Store.open('sqlite:////var/lib/referee/r.db').close_now()",
        )
    )
    assert made.returncode == 0
    assert found["ReadWritePaths"] == ["-/var/backups/referee"]
    done = subprocess.run(
        container.words("strace", "-f", "-qq", "-o", "/var/lib/referee/calls", *command),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert len(list((tmp_path / "backups").iterdir())) >= 2
    calls = set(re.findall(r"^\d+ +(\w+)\(", (tmp_path / "data" / "calls").read_text(), re.MULTILINE))
    assert calls - allowed(tuple(found["SystemCallFilter"])) == set()
    assert time.time() - (tmp_path / "data" / "r.db").stat().st_mtime < 300
