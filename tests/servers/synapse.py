"""A real Matrix homeserver on loopback, and a person with a client of their own.

`Synapse` writes a configuration that never talks to anybody else, starts the server as a
child process and stops it again, also when its own start fails.  `Person` speaks the plain
client-server API with aiohttp and nothing of matrix-nio, so that what the adapter sends is
read by somebody who shares none of its code.

    def test_something(synapse):            # from tests.servers.synapse import synapse
        ann = Person.register(synapse, "ann")
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import secrets
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from tests.servers.ports import free_ports
from tests.servers.synapse_person import Person

__all__ = ["Person", "Synapse", "synapse", "why_not"]

REPO = Path(__file__).resolve().parents[2]
SECRET = "only for tests"
SERVER_NAME = "hs.test"
#: the server dies with the test process even if that is killed outright (on Linux; elsewhere it is only
#: stopped politely)
_CHILD = """
import ctypes, runpy, sys
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(1, 15)
runpy.run_module("synapse.app.homeserver", run_name="__main__", alter_sys=True)
"""


def interpreter() -> Path:
    """The Python that has Synapse: SYNAPSE_PYTHON, else the repository's own venv for it."""
    return Path(os.environ.get("SYNAPSE_PYTHON") or REPO / ".venv-synapse" / "bin" / "python")


def why_not() -> str | None:
    """Why no real homeserver can be started here, or None if one can."""
    if not interpreter().exists():
        return "no Matrix homeserver: Synapse is not installed (make .venv-synapse, or set SYNAPSE_PYTHON)"
    return None


def scratch() -> Path:
    """A new directory in memory where there is such a place: Synapse writes twice as fast there."""
    shm = Path("/dev/shm")
    return Path(tempfile.mkdtemp(prefix="synapse-", dir=shm if os.access(shm, os.W_OK) else None))


class Synapse:
    """One homeserver.  `base` is its address; `register` makes accounts; `limits` False (the default)
    lifts every rate limit, True keeps what a new installation has."""

    def __init__(self, directory: Path | None = None, *, port: int = 0, limits: bool = False) -> None:
        self.directory = directory or scratch()
        self.own_directory = directory is None
        self.port = port or free_ports(1)[0]
        self.base = f"http://127.0.0.1:{self.port}"
        self.name = SERVER_NAME
        self.limits = limits
        self.child: subprocess.Popen[bytes] | None = None

    def start(self, seconds: float = 60) -> Synapse:
        """Start and wait until it answers; what was started is stopped again if it does not."""
        write_configuration(self.directory, self.port, limits=self.limits)
        try:
            self._start(seconds)
        except BaseException:
            self.stop()
            raise
        return self

    def _start(self, seconds: float) -> None:
        with (self.directory / "stdout.log").open("ab") as log:
            self.child = subprocess.Popen(
                [interpreter(), "-c", _CHILD, "-c", self.directory / "homeserver.yaml"],
                cwd=self.directory,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        end = time.monotonic() + seconds
        while not self.answers():
            if self.child.poll() is not None:
                raise RuntimeError("Synapse died: " + (self.directory / "stdout.log").read_text()[-2000:])
            if time.monotonic() > end:
                raise TimeoutError("Synapse did not answer")
            time.sleep(0.05)

    def answers(self) -> bool:
        try:
            with urllib.request.urlopen(self.base + "/health", timeout=2) as answer:
                return bool(answer.read() == b"OK")
        except OSError:
            return False

    def halt(self) -> None:
        """Stop the process and keep the data, as before a restart."""
        if self.child is not None and self.child.poll() is None:
            self.child.terminate()
            try:
                self.child.wait(10)
            except subprocess.TimeoutExpired:
                self.child.kill()
                self.child.wait()
        self.child = None

    def stop(self) -> None:
        """Stop the process; a directory that was made here goes with it."""
        self.halt()
        if self.own_directory:
            shutil.rmtree(self.directory, ignore_errors=True)

    def call(
        self, method: str, path: str, body: dict[str, Any] | None = None, token: str = ""
    ) -> dict[str, Any]:
        """One request of the client or admin API, blocking."""
        request = urllib.request.Request(
            self.base + path,
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={
                "Content-Type": "application/json",
                **({"Authorization": f"Bearer {token}"} if token else {}),
            },
        )
        with urllib.request.urlopen(request, timeout=20) as answer:
            got: dict[str, Any] = json.loads(answer.read() or b"{}")
            return got

    def register(self, user: str, password: str = "", *, device: str = "", admin: bool = False) -> str:
        """Make the account `@user:hs.test` (password: "pw-" and the name) and log in; the access token."""
        password = password or f"pw-{user}"
        nonce = self.call("GET", "/_synapse/admin/v1/register")["nonce"]
        words = [nonce.encode(), user.encode(), password.encode(), b"admin" if admin else b"notadmin"]
        mac = hmac.new(SECRET.encode(), b"\0".join(words), hashlib.sha1).hexdigest()
        made = self.call(
            "POST",
            "/_synapse/admin/v1/register",
            {
                "nonce": nonce,
                "username": user,
                "password": password,
                "admin": admin,
                "mac": mac,
                "displayname": user.title(),
            },
        )
        if not device:
            return str(made["access_token"])
        return self.log_in(user, password, device=device)

    def log_in(self, user: str, password: str = "", *, device: str = "") -> str:
        """A new access token, of that device if one is named."""
        return str(
            self.call(
                "POST",
                "/_matrix/client/v3/login",
                {
                    "type": "m.login.password",
                    "identifier": {"type": "m.id.user", "user": user},
                    "password": password or f"pw-{user}",
                    **({"device_id": device} if device else {}),
                },
            )["access_token"]
        )

    def user(self, name: str) -> str:
        return f"@{name}:{self.name}"


def write_configuration(directory: Path, port: int, *, limits: bool) -> None:
    """homeserver.yaml (JSON is YAML), the log's configuration and the signing key."""
    directory.mkdir(parents=True, exist_ok=True)
    key = directory / "signing.key"
    if not key.exists():
        key.write_text(
            "ed25519 a_test " + base64.b64encode(secrets.token_bytes(32)).rstrip(b"=").decode() + "\n"
        )
    many = {"per_second": 10000, "burst_count": 10000}
    lifted = {
        "rc_message": many,
        "rc_registration": many,
        "rc_admin_redaction": many,
        "rc_joins_per_room": many,
        "rc_login": {"address": many, "account": many, "failed_attempts": many},
        "rc_joins": {"local": many, "remote": many},
        "rc_room_creation": many,
        "rc_key_requests": many,
        "rc_invites": {"per_room": many, "per_user": many, "per_issuer": many},
        "rc_presence": {"per_user": many},
        "rc_third_party_invite": many,
        "rc_3pid_validation": many,
    }
    configuration = {
        "server_name": SERVER_NAME,
        "public_baseurl": f"http://127.0.0.1:{port}/",
        "pid_file": str(directory / "hs.pid"),
        "listeners": [
            {
                "bind_addresses": ["127.0.0.1"],
                "port": port,
                "tls": False,
                "type": "http",
                "x_forwarded": False,
                "resources": [{"names": ["client"], "compress": False}],
            }
        ],
        "database": {"name": "sqlite3", "args": {"database": str(directory / "hs.db")}},
        "media_store_path": str(directory / "media"),
        "dynamic_thumbnails": True,  # made when somebody asks for one, not six of each picture
        "signing_key_path": str(key),
        "log_config": str(directory / "log.yaml"),
        "registration_shared_secret": SECRET,
        "macaroon_secret_key": "m" * 32,
        "form_secret": "f" * 32,
        "report_stats": False,
        "trusted_key_servers": [],
        "suppress_key_server_warning": True,
        "federation_domain_whitelist": [],
        "enable_registration": False,
        "bcrypt_rounds": 4,
        "url_preview_enabled": False,
        "presence": {"enabled": False},
        # what nobody asks for here, an eighth of its work
        "stats": {"enabled": False},
        "enable_search": False,
        "push": {"enabled": False},
        **({} if limits else lifted),
    }
    (directory / "homeserver.yaml").write_text(json.dumps(configuration, indent=1))
    (directory / "log.yaml").write_text(
        json.dumps(
            {
                "version": 1,
                "disable_existing_loggers": False,
                "root": {"level": "WARNING", "handlers": ["file"]},
                "handlers": {"file": {"class": "logging.FileHandler", "filename": str(directory / "hs.log")}},
            }
        )
    )


_running: list[Synapse] = []


def shared() -> Synapse:
    """The one homeserver of this process, started for the first who asks."""
    if not _running:
        _running.append(Synapse().start())
    return _running[0]


def end() -> None:
    """Nobody needs it any more: it goes. One that only waits costs a twentieth of a processor."""
    while _running:
        _running.pop().stop()


@pytest.fixture(scope="module")
def synapse() -> Synapse:
    """A homeserver without limits.

    Import this name into a test module to use it; modules that follow each other share one, which goes with
    the first test of a module that knows none (tests/conftest.py).
    """
    missing = why_not()
    if missing and not os.environ.get("CI"):
        pytest.skip(missing)
    assert missing is None, missing
    return shared()
