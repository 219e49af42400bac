"""The real Postfix and OpenDKIM, with the lines of deploy/samples/mail laid over the test's own world.

Nothing of the samples is changed but paths and ports of this machine; the domain is the samples' own.
"""

from __future__ import annotations

import os
import pwd
import re
import subprocess
import time
from pathlib import Path

from tests.deploy.tools import DEPLOY
from tests.servers.mail import Mail

SAMPLES = DEPLOY / "samples" / "mail"
DOMAIN = "play.example.org"
#: another domain, whose server signs, too
PLAYERS = "players.test"


def swapped(text: str, *pairs: tuple[str, str]) -> str:
    """The text with each of these in another place; each must be there."""
    for theirs, ours in pairs:
        assert theirs in text, theirs
        text = text.replace(theirs, ours)
    return text


class SampledMail(Mail):
    """`socket` is where the referee listens for LMTP."""

    def __init__(self, home: Path, **how: object) -> None:
        super().__init__(home, **how)  # type: ignore[arg-type]  # as Mail takes them
        self.socket = self._sockets / "lmtp.sock"

    def _write(self) -> None:
        super()._write()
        settings = self.home / "postfix"
        recipients, transport = settings / "referee_recipients", settings / "referee_transport"
        recipients.write_text((SAMPLES / "postfix-recipients").read_text())
        transport.write_text(
            swapped((SAMPLES / "postfix-transport").read_text(), ("/run/referee/lmtp.sock", str(self.socket)))
        )
        sample = swapped(
            (SAMPLES / "postfix-main.cf").read_text(),
            ("/etc/postfix/referee_recipients", str(recipients)),
            ("/etc/postfix/referee_transport", f"{transport}, texthash:{settings / 'transport'}"),
            ("unix:opendkim/opendkim.sock", f"unix:{self.ports.milter}"),
            ("minimal_backoff_time = 120s", "minimal_backoff_time = 1s"),
            ("maximal_backoff_time = 1800s", "maximal_backoff_time = 2s"),
        )
        # they take the place of lines of the same name: each process warns of a second one, and so many
        # warnings at once are more than postlogd, which warns as well, finds room for before it reads any
        names = "|".join(re.findall(r"(?m)^(\w+) =", sample))
        main = settings / "main.cf"
        main.write_text(re.sub(rf"(?m)^({names}) =.*\n", "", main.read_text()) + sample)
        hour_ago = time.time() - 3600
        for one in settings.iterdir():
            os.utime(one, (hour_ago, hour_ago))

    def _write_dkim(self) -> None:
        super()._write_dkim()
        keys = self.home / "dkim"
        for domain, selector in ((DOMAIN, "referee"), (PLAYERS, "p")):
            subprocess.run(
                ["opendkim-genkey", "-b", "2048", "-d", domain, "-s", selector, "-D", keys],
                check=True,
                capture_output=True,
            )
        (keys / "public").write_text(
            f"referee._domainkey.{DOMAIN} {self.record()}\np._domainkey.{PLAYERS} {self.record('p')}\n"
        )
        (keys / "referee.private").replace(keys / "t1.private")
        owner = pwd.getpwnam("opendkim")
        for one in keys.iterdir():
            os.chown(one, owner.pw_uid, owner.pw_gid)
        text = swapped(
            (SAMPLES / "opendkim.conf").read_text(),
            ("Syslog yes", "Syslog no\nTestPublicKeys /mnt/public"),
            ("Socket local:/var/spool/postfix/opendkim/opendkim.sock", f"Socket local:{self.ports.milter}"),
            ("KeyFile /etc/dkimkeys/referee.private", "KeyFile /mnt/t1.private"),
        )
        (self.home / "opendkim.conf").write_text(text)

    def record(self, selector: str = "referee") -> str:
        """What the domain's name server says of the key."""
        return "".join(re.findall(r'"([^"]*)"', (self.home / "dkim" / f"{selector}.txt").read_text()))
