"""A PostgreSQL of the tests' own: Debian's programs, on a private port, as durable as a real one; a database
for each test from a template.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import zlib
from pathlib import Path

import psycopg

BIN = next(
    iter(sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), Path("/usr/lib/postgresql/15/bin")
)
INIT = ("-U", "referee", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")
BLANK = "blank"
#: where the files of a new server are kept for the next one
KEPT = Path(__file__).parents[2] / ".venv" / ".cache" / "tests"
#: where files are memory, on Linux; and how many bytes must be free there
MEMORY, ROOM = Path("/dev/shm"), 2 << 30


def missing() -> str:
    """Why there can be none here, "" when there can; with CI set it is an error that there can't, which the
    tests then meet.
    """
    return (
        ""
        if (BIN / "initdb").exists() or os.environ.get("CI")
        else "left out: no PostgreSQL here (Debian: postgresql-15)"
    )


def _folder(durable: bool) -> Path:
    """A new one: on the disk, or in memory where that has room."""
    roomy = not durable and MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM
    return Path(tempfile.mkdtemp(prefix="referee-pg-", dir=MEMORY if roomy else None))


def _answer(conn: psycopg.Connection, sql: str) -> list[tuple[object, ...]]:
    found = conn.execute(sql)
    return found.fetchall() if found.description else []


class Postgres:
    """One server.

    `stop(SIGQUIT)` is a crash; `start` after it recovers. `durable` off: it waits for no disk, and leaves out
    what only a database needs that grows old.
    """

    def __init__(self, *, durable: bool = True) -> None:
        self._durable = durable
        self.folder = _folder(durable)
        self._numbers = itertools.count()
        self._process: subprocess.Popen[bytes] | None = None
        self._admin: psycopg.Connection | None = None
        self._as: dict[str, object] = {"cwd": self.folder}
        if os.getuid() == 0:  # it refuses to run as root; a folder of mkdtemp's is closed to others
            owner = pwd.getpwnam("postgres")
            os.chown(self.folder, owner.pw_uid, owner.pw_gid)
            self._as |= {"user": "postgres", "group": "postgres", "extra_groups": []}
        self.folder.chmod(0o755)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        try:
            self._make()
            self.start()
        except BaseException:
            self.end()
            raise

    def _make(self) -> None:
        """Its files: made by initdb once, and copied from then on, which takes a tenth of the time."""
        key = zlib.crc32(repr((BIN, INIT, os.getuid())).encode())  # only who made them may read them
        data, kept = self.folder / "data", KEPT / f"postgres-{key}"
        if kept.exists():
            subprocess.run(["cp", "-a", kept, data], check=True)
            return
        subprocess.run(
            [BIN / "initdb", "-D", data, *INIT],
            check=True,
            capture_output=True,
            env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"},
            **self._as,
        )  # type: ignore[call-overload]  # who it runs as
        KEPT.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=KEPT) as beside:
            subprocess.run(["cp", "-a", data, f"{beside}/data"], check=True)
            with contextlib.suppress(OSError):  # another worker was first
                Path(beside, "data").rename(kept)

    def start(self) -> None:
        """Returns when it takes connections."""
        options = {
            "listen_addresses": "127.0.0.1",
            "port": self.port,
            "unix_socket_directories": self.folder,
            "max_connections": 60,
            "shared_buffers": "32MB",
            "log_min_messages": "warning",
            "max_pred_locks_per_transaction": 256,
        }
        if not self._durable:
            options |= dict.fromkeys(
                ("fsync", "full_page_writes", "synchronous_commit", "autovacuum", "jit"), "off"
            )
            options |= {"wal_level": "minimal", "max_wal_senders": 0, "checkpoint_timeout": "1h"}
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [
                    BIN / "postgres",
                    "-D",
                    self.folder / "data",
                    *(x for k, v in options.items() for x in ("-c", f"{k}={v}")),
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                **self._as,
            )  # type: ignore[call-overload]  # who it runs as
        pid = self.folder / "data" / "postmaster.pid"
        for _ in range(3000):
            if self._process.poll() is not None:
                raise RuntimeError((self.folder / "log").read_text()[-2000:])
            if pid.exists() and pid.read_text().rstrip().endswith("ready"):
                return
            time.sleep(0.01)
        raise TimeoutError("PostgreSQL did not start")

    @property
    def pid(self) -> int:
        """Of the process that all its others come from."""
        return self._process.pid if self._process is not None else 0

    def stop(self, how: int = signal.SIGINT) -> None:
        """Fast, or (SIGQUIT) as a crash."""
        if self._admin is not None:
            self._admin.close()
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(30)
            self._process = None

    def end(self) -> None:
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)

    def url(self, base: str) -> str:
        """What `Store.open` takes."""
        return f"postgresql+psycopg://referee@127.0.0.1:{self.port}/{base}"

    def ask(self, sql: str, base: str = "postgres") -> list[tuple[object, ...]]:
        """As the administrator of the server."""
        if base != "postgres":
            with self._connected(base) as conn:
                return _answer(conn, sql)
        if self._admin is None or self._admin.closed:  # it costs a third of making a database
            self._admin = self._connected(base)
        return _answer(self._admin, sql)

    def _connected(self, base: str) -> psycopg.Connection:
        return psycopg.connect(f"host=127.0.0.1 port={self.port} user=referee dbname={base}", autocommit=True)

    def empty(self, template: str = "template1") -> str:
        """The name of a new database."""
        name = f"t{next(self._numbers)}"
        self.ask(
            f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY"
        )  # half the time of the usual one, where nobody waits for a disk
        return name

    def book(self) -> str:
        """The name of a new database at the last step; migrated once, then copied."""
        if not self.ask(f"SELECT 1 FROM pg_database WHERE datname = '{BLANK}'"):
            from referee.store import Store

            self.ask(f"CREATE DATABASE {BLANK}")
            Store.open(self.url(BLANK)).close_now()
        return self.empty(BLANK)

    def drop(self, base: str) -> None:
        self.ask(f"DROP DATABASE IF EXISTS {base} WITH (FORCE)")
