"""An IMAP server that needs no root: pymap, from the locked requirements, in a process of its own on
127.0.0.1.

    box = Pymap(directory).start()      # about half a second
    box.append(raw)                     # a mail arrives
    box.stop()

It knows one user, keeps everything in memory, and takes no mail by itself: anyone who stands for the MTA
appends. It has IDLE, MOVE and UIDPLUS, but no NOTIFY, no CONDSTORE and, started like this, no TLS.
"""

from __future__ import annotations

import contextlib
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

from tests.servers.mail import Account, logged_in
from tests.servers.ports import free_ports

#: the console script's own words; by the interpreter, so that it is found wherever the environment lies.
#: It compares passwords as they are: half a million rounds of a hash for a login are most of what it does
_COMMAND = (
    sys.executable,
    "-c",
    "from pysasl.hashing import Cleartext; from pymap import config; config.BuiltinHash = Cleartext; "
    "from pymap.main import main; main()",
)


class Pymap:
    """One server with one mailbox."""

    def __init__(self, home: Path, account: Account | None = None) -> None:
        self.account = account or Account("referee@game.test", "pw-referee")
        self.port = free_ports(1)[0]
        self._log = home / "pymap.log"
        self._child: subprocess.Popen[bytes] | None = None

    def start(self, seconds: float = 20.0) -> Pymap:
        """Raises RuntimeError with its log if it does not come up; leaves nothing running then."""
        words = [
            *_COMMAND,
            "--host",
            "127.0.0.1",
            "--port",
            str(self.port),
            "--no-tls",
            "dict",
            "--demo-user",
            self.account.address,
            "--demo-password",
            self.account.password,
        ]
        if shutil.which("setpriv"):  # a test process that is killed takes its servers with it
            words = ["setpriv", "--pdeathsig", "KILL", *words]
        with open(self._log, "wb") as output:
            self._child = subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            self._await(self._child, time.monotonic() + seconds)
        except BaseException:
            self.stop()
            raise
        return self

    def stop(self) -> None:
        """It has nothing to save, and on SIGTERM it would wait for its sessions."""
        if self._child is not None:
            self._child.kill()
            self._child.wait()
            self._child = None

    def append(self, raw: bytes) -> None:
        """A mail arrives (blocking)."""
        with logged_in(self.port, self.account) as box:
            status, said = box.append("INBOX", "", "", raw)
            assert status == "OK", said

    def _await(self, child: subprocess.Popen[bytes], end: float) -> None:
        while True:
            with (
                contextlib.suppress(OSError),
                socket.create_connection(("127.0.0.1", self.port), timeout=3) as line,
            ):
                if line.recv(100).startswith(b"* OK"):
                    return
            if child.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"pymap did not come up:\n{self._log.read_text(errors='replace')[-3000:]}")
            time.sleep(0.02)
