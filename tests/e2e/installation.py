"""One installation of the referee as an admin has it: a configuration file, a database, a process.

The process is the real command (`referee serve`), started, stopped and killed from outside; what is known of
it is its log and its database, opened read-only. Its games are short, but in `make soak` (`tests.short`).
"""

from __future__ import annotations

import asyncio
import atexit
import itertools
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TextIO, TypeVar

from referee.store import Store, Tx
from tests.servers.botapi import BotApi
from tests.servers.mail import Mail
from tests.servers.synapse import Synapse
from tests.short import COMMAND

REPO = Path(__file__).resolve().parents[2]
T = TypeVar("T")


def environment() -> dict[str, str]:
    """Ours, without what configures a referee.

    Compiled modules are kept: without them a start takes three times as long.
    """
    left_out = ("PYTHONDONTWRITEBYTECODE",)
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("REFEREE_") and name not in left_out
    }


@cache
def _fork_server() -> Path:
    """The folder of the one zygote of this process, begun for the first who asks; it goes with us."""
    home = Path(tempfile.mkdtemp(prefix="referee-zygote-"))
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(str(home / "door"))
        door.listen(16)
        words = [sys.executable, "-m", "tests.e2e.zygote", COMMAND, str(door.fileno())]
        server = subprocess.Popen(
            words, cwd=REPO, env=environment(), stdin=subprocess.PIPE, pass_fds=[door.fileno()]
        )

    def end() -> None:
        server.communicate(timeout=15)
        shutil.rmtree(home, ignore_errors=True)

    atexit.register(end)
    return home


class Installation:
    """`home` is a fresh directory.  The terminal is always on; the other channels by what is given.

    `socket` is where terminals attach, `address` maps channels to the referee's own address there. `url` is
    another book than a file of its own. `pictures` off: letters are words alone, which is half the work.
    """

    def __init__(
        self,
        home: Path,
        *,
        telegram: BotApi | None = None,
        synapse: Synapse | None = None,
        mail: Mail | None = None,
        url: str = "",
        admins: Sequence[str] = (),
        pictures: bool = True,
    ) -> None:
        self.home = home
        self.command = "serve"
        self.socket = home / "t.sock"
        self.url = url or f"sqlite:///{home / 'referee.db'}"
        self.config = home / "referee.toml"
        self.log = home / "log.jsonl"
        self.address: dict[str, str] = {}
        self.kills = 0
        self.process: subprocess.Popen[bytes] | None = None
        self.zygote: TextIO | None = None
        self.child = 0  # the process that the zygote bore last
        self.begun: list[int] = []  # wall milliseconds at which a process was started
        self._read = 0
        sections: dict[str, dict[str, Any]] = {
            "store": {"url": self.url},
            "referee": {
                "log": "json",
                "messages_per_minute": 0,
                "admins": list(admins),
                "pictures": pictures,
            },
            "terminal": {"socket": str(self.socket)},
            "bots": {"pause_minutes": 0},  # the clock of these tests is the real one
        }
        if telegram is not None:
            self.address["telegram"] = telegram.username
            sections["telegram"] = {
                "token": telegram.token,
                "base_url": telegram.url,
                "poll_s": 5,
                "chat_per_second": 1000,
                "group_per_minute": 100_000,
                "overall_per_second": 1000,
            }
        if synapse is not None:
            name = f"referee{os.urandom(4).hex()}"
            token = synapse.register(name, device="REFEREE")
            self.address["matrix"] = synapse.user(name)
            sections["matrix"] = {
                "homeserver": synapse.base,
                "user": synapse.user(name),
                "access_token": token,
                "rate": 0,
                "timeout_s": 10.0,
                "poll_s": 5.0,
            }
        if mail is not None:
            account = mail.referee()
            self.address["mail"] = account.address
            sections["mail"] = {
                "address": account.address,
                "password": account.password,
                "ca_file": str(mail.certificate),
                "gap_seconds": 0.0,
                "per_minute": 100_000,
                "smtp_host": "127.0.0.1",
                "smtp_port": mail.ports.submission,
                "imap_host": "127.0.0.1",
                "imap_port": mail.ports.imap,
                "imap_security": "none",
                "backoff_seconds": 0.05,
                "idle_seconds": 5.0,
                "timeout_seconds": 10.0,
            }
        self.config.write_text(
            "".join(
                f"[{name}]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in table.items())
                for name, table in sections.items()
            )
        )

    def warm(self) -> None:
        """From now on processes are born of one that has imported everything (`tests.e2e.zygote`)."""
        if self.zygote is None:
            line = socket.socket(socket.AF_UNIX)
            line.connect(str(_fork_server() / "door"))
            with line:
                self.zygote = line.makefile("rw")

    def spawn(self) -> None:
        """Start the process and don't wait."""
        assert self.process is None
        assert not self.child
        self._read = self.log.stat().st_size if self.log.exists() else 0
        self.begun.append(time.time_ns() // 1_000_000)
        if self.zygote is not None:
            self.child = int(self._bid())
            return
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", COMMAND, self.command, "--config", str(self.config)],
                cwd=REPO,
                env=environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    async def serving(self, seconds: float = 30) -> float:
        """Wait until it serves; how long that took, in seconds."""
        begun = time.monotonic()
        while not any(line.get("what") == "serving" for line in self.told()):
            assert self.process is None or self.process.poll() is None, f"the referee ended: {self.tail()}"
            assert time.monotonic() - begun < seconds, f"the referee does not serve: {self.tail()}"
            await asyncio.sleep(0.01)
        return time.monotonic() - begun

    async def start(self) -> float:
        self.spawn()
        return await self.serving()

    def kill(self) -> None:
        """SIGKILL: nothing is finished, nothing is closed."""
        self.kills += 1
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """SIGTERM, and wait; the exit code."""
        return self._end(signal.SIGTERM)

    def _end(self, number: signal.Signals) -> int:
        if self.child:
            child, self.child = self.child, 0
            try:
                os.kill(child, number)
            except ProcessLookupError:
                raise AssertionError(f"the referee ended ({self._told().strip()}): {self.tail()}") from None
            return int(self._told())
        process, self.process = self.process, None
        if process is None:
            return 0
        process.send_signal(number)
        try:
            return process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise AssertionError(f"the referee does not stop: {self.tail()}") from None

    def close(self) -> None:
        """Leave nothing running."""
        if self.child:
            self.kill()
        if self.process is not None:
            self.kill()
        if self.zygote is not None:
            self.zygote.close()
            self.zygote = None

    def _bid(self) -> str:
        assert self.zygote is not None
        self.zygote.write(json.dumps([self.command, str(self.config), str(self.log)]) + "\n")
        self.zygote.flush()
        return self._told()

    def _told(self) -> str:
        assert self.zygote is not None
        return self.zygote.readline()

    def told(self, *, whole: bool = False) -> list[dict[str, Any]]:
        """The log lines of the newest process, or of all; a line that is no JSON (a traceback of the
        interpreter) is told as {"raw": …}.
        """
        if not self.log.exists():
            return []
        with self.log.open("rb") as log:
            log.seek(0 if whole else self._read)
            raw = log.read().decode(errors="replace").splitlines()
        found = []
        for line in raw:
            try:
                found.append(json.loads(line))
            except ValueError:
                found.append({"raw": line, "level": "raw"})
        return found

    def complaints(self) -> list[Any]:
        """Log lines of all processes that tell of a fault, and tracebacks, each whole."""
        found: list[Any] = []
        lines = self.told(whole=True)
        for number, line in enumerate(lines):
            if line["level"] in ("error", "critical"):
                found.append(line)
            elif "Traceback" in line.get("raw", ""):
                found.append(
                    "\n".join(
                        one["raw"]
                        for one in itertools.takewhile(lambda one: one["level"] == "raw", lines[number:])
                    )
                )
        return found

    def tail(self) -> str:
        return self.log.read_text(errors="replace")[-3000:] if self.log.exists() else "(no log)"

    def look(self, job: Callable[[Tx], T]) -> T:
        """What a job reads from the database, also while the referee runs."""
        store = Store.open(self.url, read_only=True)
        try:
            return store.read_now(job)
        finally:
            store.close_now()
