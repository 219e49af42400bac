"""A real mail server for tests: Postfix, Dovecot (with Sieve) and OpenDKIM on 127.0.0.1, started by hand.

    mail = Mail(directory).start()          # about half a second
    mail.person(), mail.referee()           # fresh accounts, never used twice
    ...
    mail.stop()

Needs root (the servers give it up themselves) and the Debian packages named in `PACKAGES`; `why_not()` says
what is missing. Without them the pip-only peers remain: `submission_peer` (aiosmtpd) to send to, and for the
way in `pymap` by IMAP or the adapter's own LMTP. In tests take `shared(request.config)`: one stack a process,
stopped with pytest.
"""

from __future__ import annotations

import atexit
import contextlib
import grp
import imaplib
import itertools
import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.servers import mail_config
from tests.servers.mail_config import World
from tests.servers.ports import free_ports

PACKAGES = ("postfix", "dovecot-imapd", "dovecot-lmtpd", "dovecot-sieve", "opendkim", "opendkim-tools")
DOMAIN = "game.test"
#: in the shared stack: a domain whose server is `ports.remote[ELSEWHERE]`, for a test's own peer
ELSEWHERE = "players.test"
#: … and one that Postfix hands over by LMTP at `home`/handed.sock
HANDED = "handed.test"
_MASTER = "/usr/lib/postfix/sbin/master"
_ACCOUNTS = 400
_QUEUES = {"maildrop": 0o1730, "public": 0o2710}  # the others 0700; as /usr/share/postfix/postfix-files says
_QUEUE_NAMES = (
    "active",
    "bounce",
    "corrupt",
    "defer",
    "deferred",
    "flush",
    "hold",
    "incoming",
    "private",
    "saved",
    "trace",
    "maildrop",
    "public",
)


def why_not() -> str | None:
    """Why the real mail server can't be started here, or None if it can."""
    if os.geteuid() != 0:
        return "Postfix, Dovecot and OpenDKIM are left out: they need root"
    programs = {
        "postfix": _MASTER,
        "dovecot": "dovecot",
        "opendkim": "opendkim",
        "opendkim-tools": "opendkim-genkey",
    }
    missing = [name for name, program in programs.items() if shutil.which(program) is None]
    return (
        f"Postfix, Dovecot and OpenDKIM are left out: not installed: {', '.join(missing)}"
        if missing
        else None
    )


def needed() -> None:
    """Skips the test, saying what is left out, if the stack can't be started and CI is not set; with CI set
    that is an error.
    """
    reason = why_not()
    if reason and not os.environ.get("CI"):
        pytest.skip(reason)
    assert reason is None, reason


def _dovecot_version() -> tuple[int, ...]:
    told = subprocess.run(["dovecot", "--version"], check=True, capture_output=True, text=True).stdout
    return tuple(int(part) for part in told.split()[0].split(".") if part.isdecimal())


@dataclass(frozen=True)
class Account:
    """A mailbox of the world and its password."""

    address: str
    password: str


@contextlib.contextmanager
def logged_in(port: int, account: Account) -> Iterator[imaplib.IMAP4]:
    """A line to an IMAP server on loopback. It is closed, too, where the server goes meanwhile: imaplib's own
    `with` leaves it open then.
    """
    box = imaplib.IMAP4("127.0.0.1", port, timeout=10)
    try:
        box.login(account.address, account.password)
        yield box
        box.logout()
    finally:
        with contextlib.suppress(OSError):  # closed already
            box.shutdown()


class Mail:
    """The stack.  `remote` maps other domains to the port of the SMTP server that answers for them; `handed`
    maps domains to where they are handed over by LMTP ("inet:127.0.0.1:PORT" or "unix:PATH")."""

    def __init__(
        self,
        home: Path | str,
        *,
        dkim: bool = True,
        remote: dict[str, int] | None = None,
        handed: dict[str, str] | None = None,
    ) -> None:
        self.home = Path(home).resolve()
        smtp, submission, submissions, inject, lmtp, imap, imaps = free_ports(7)
        self._sockets = Path(
            tempfile.mkdtemp(prefix="citadels-sockets-")
        )  # short: a socket's path has 108 bytes at most
        self.ports = World(
            self.home,
            DOMAIN,
            smtp,
            submission,
            submissions,
            inject,
            lmtp,
            imap,
            imaps,
            str(self._sockets / "login"),
            str(self._sockets / "milter"),
            remote=remote or {},
            handed=handed or {},
            dkim=dkim,
        )
        self.certificate = self.home / "cert.pem"
        self._children: list[subprocess.Popen[bytes]] = []
        self._accounts = {
            f"{kind}{n}": f"pw-{kind}{n}" for kind in ("player", "referee") for n in range(_ACCOUNTS)
        }
        self._next = {kind: itertools.count() for kind in ("player", "referee")}

    def start(self, seconds: float = 20.0) -> Mail:
        """Raises RuntimeError with the logs if a server does not come up; leaves nothing running then."""
        try:
            self._write()
            self._start(seconds)
        except BaseException:
            self.stop()
            raise
        return self

    def stop(self) -> None:
        """Ends every server that was started here."""
        for one in self._children:
            if one.poll() is None:  # opendkim takes five seconds to see SIGTERM, and has nothing to save
                one.send_signal(signal.SIGKILL if "unshare" in str(one.args) else signal.SIGTERM)
        end = time.monotonic() + 1.5  # Dovecot waits for its sessions; nobody needs them any more
        for one in reversed(self._children):
            try:
                one.wait(max(0.1, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                os.killpg(one.pid, signal.SIGKILL)
                one.wait()
        self._children.clear()
        shutil.rmtree(self._sockets, ignore_errors=True)

    def person(self) -> Account:
        """An account nobody used yet."""
        return self._account("player")

    def referee(self) -> Account:
        """Likewise, for an adapter."""
        return self._account("referee")

    def sieve(self, account: Account, script: str) -> None:
        """Give the account a Sieve script (compiled by Dovecot at the next delivery)."""
        home = self.home / "homes" / account.address.partition("@")[0]
        (home / "sieve").mkdir(parents=True, exist_ok=True)
        (home / ".dovecot.sieve").write_text(script)
        owner = pwd.getpwnam("mail")
        for one in (home, home / "sieve", home / ".dovecot.sieve"):
            os.chown(one, owner.pw_uid, owner.pw_gid)

    def maildir(self, account: Account) -> Path:
        """Where its mails lie."""
        return self.home / "homes" / account.address.partition("@")[0] / "Maildir"

    def log(self) -> str:
        """What the servers said."""
        return "".join(p.read_text(errors="replace") for p in sorted(self.home.glob("*.log")))

    def signing_key(self) -> bytes:
        """The private key of the domain's DKIM selector t1."""
        return (self.home / "dkim" / "t1.private").read_bytes()

    def _account(self, kind: str) -> Account:
        name = f"{kind}{next(self._next[kind])}"
        return Account(f"{name}@{DOMAIN}", self._accounts[name])

    # -- files

    def _write(self) -> None:
        home, world = self.home, self.ports
        home.mkdir(parents=True, exist_ok=True)
        home.chmod(0o755)  # temporary directories are 0700 and the servers run as other users
        self._sockets.mkdir(exist_ok=True)
        self._sockets.chmod(0o755)
        self._certificate()
        for name in ("dovecot/run", "dovecot/state", "homes", "postfix", "postfix-data", "spool/pid"):
            (home / name).mkdir(parents=True, exist_ok=True)
        mail_user, postfix = pwd.getpwnam("mail"), pwd.getpwnam("postfix").pw_uid
        os.chown(home / "homes", mail_user.pw_uid, mail_user.pw_gid)
        users = home / "users"
        users.write_text(
            "".join(f"{name}@{DOMAIN}:{{PLAIN}}{word}::::::\n" for name, word in self._accounts.items())
        )
        users.chmod(0o640)
        os.chown(users, 0, grp.getgrnam("dovecot").gr_gid)
        (home / "dovecot.conf").write_text(mail_config.dovecot(world, _dovecot_version()))
        os.chown(home / "postfix-data", postfix, -1)
        settings = home / "postfix"
        (settings / "main.cf").write_text(mail_config.main_cf(world))
        (settings / "master.cf").write_text(mail_config.master_cf(world))
        (settings / "transport").write_text(mail_config.transport(world))
        (settings / "mailboxes").write_text("".join(f"{name}@{DOMAIN} x\n" for name in self._accounts))
        (settings / "senders").write_text(
            "".join(f"{name}@{DOMAIN} {name}@{DOMAIN}\n" for name in self._accounts)
        )
        hour_ago = time.time() - 3600
        for one in settings.iterdir():  # Postfix sleeps until its files are older than a second or two
            os.utime(one, (hour_ago, hour_ago))
        drop = grp.getgrnam("postdrop").gr_gid
        for name in _QUEUE_NAMES:  # what `postfix check` makes in two seconds
            queue = home / "spool" / name
            queue.mkdir(exist_ok=True)
            os.chown(queue, postfix, drop if name in _QUEUES else 0)
            queue.chmod(_QUEUES.get(name, 0o700))
        if world.dkim:
            self._write_dkim()

    def _certificate(self) -> None:
        subprocess.run(
            [
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:prime256v1",
                "-nodes",
                "-days",
                "30",
                "-keyout",
                str(self.home / "key.pem"),
                "-out",
                str(self.certificate),
                "-subj",
                f"/CN=mx.{DOMAIN}",
                "-addext",
                f"subjectAltName=DNS:mx.{DOMAIN},DNS:localhost,IP:127.0.0.1",
            ],
            check=True,
            capture_output=True,
        )

    def _write_dkim(self) -> None:
        keys = self.home / "dkim"
        keys.mkdir(exist_ok=True)
        subprocess.run(
            ["opendkim-genkey", "-b", "2048", "-d", DOMAIN, "-s", "t1", "-D", str(keys)],
            check=True,
            capture_output=True,
        )
        record = "".join(re.findall(r'"([^"]*)"', (keys / "t1.txt").read_text()))
        (keys / "public").write_text(f"t1._domainkey.{DOMAIN} {record}\n")
        owner = pwd.getpwnam("opendkim")
        for one in (keys, *keys.iterdir()):
            os.chown(one, owner.pw_uid, owner.pw_gid)
        os.chown(self._sockets, owner.pw_uid, owner.pw_gid)
        (self.home / "opendkim.conf").write_text(mail_config.opendkim(self.ports))

    # -- processes

    def _start(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        started: list[tuple[subprocess.Popen[bytes], tuple[int | str, ...]]] = [
            (self._run("dovecot", "-F", "-c", self.home / "dovecot.conf"), (self.ports.imap, self.ports.lmtp))
        ]
        if self.ports.dkim:
            # OpenDKIM refuses keys below a world-writable directory such as /tmp: it gets a private one on
            # its own /mnt
            home = self.home
            script = (
                f"mount -t tmpfs -o mode=755 tmpfs /mnt && cp "
                f"-p {home}/opendkim.conf {home}/dkim/t1.private {home}/dkim/public /mnt"
                " && chown root /mnt/opendkim.conf && exec opendkim -f -x /mnt/opendkim.conf"
            )
            started.append((self._run("unshare", "-m", "sh", "-c", script), (self.ports.milter,)))
        started.append(
            (
                self._run(_MASTER, "-c", self.home / "postfix", "-d"),
                (self.ports.smtp, self.ports.submission, self.ports.inject),
            )
        )
        for child, ports in started:
            for port in ports:
                self._await(child, port, end)

    def _run(self, *command: Any) -> subprocess.Popen[bytes]:
        words = [str(one) for one in command]
        if shutil.which("setpriv"):  # a test process that is killed takes its servers with it
            words = ["setpriv", "--pdeathsig", "TERM", *words]
        with open(self.home / "output.log", "ab") as output:
            child = subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self._children.append(child)
        return child

    def _await(self, child: subprocess.Popen[bytes], where: int | str, end: float) -> None:
        while True:
            try:
                with socket.socket(socket.AF_INET if isinstance(where, int) else socket.AF_UNIX) as line:
                    line.settimeout(3)
                    line.connect(("127.0.0.1", where) if isinstance(where, int) else where)
                    if where == self.ports.milter or line.recv(100):  # a milter waits to be spoken to
                        return
            except OSError:
                pass
            if child.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"{child.args!r} did not come up:\n{self.log()[-3000:]}")
            time.sleep(0.02)


_shared: list[Mail] = []


def shared(config: pytest.Config) -> Mail:
    """The one stack of this process, started when first asked for, or `needed`'s skip or error."""
    needed()
    if not _shared:
        home = Path(tempfile.mkdtemp(prefix="citadels-mail-"))
        mail = Mail(
            home, remote={ELSEWHERE: free_ports(1)[0]}, handed={HANDED: f"unix:{home}/handed.sock"}
        ).start()
        _shared.append(mail)

        def end() -> None:
            mail.stop()
            shutil.rmtree(home, ignore_errors=True)

        config.add_cleanup(end)
        atexit.register(mail.stop)
    return _shared[0]
