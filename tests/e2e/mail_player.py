"""A person with a mail program: reads the newest letter, replies above the quotation, sometimes taps a
link.
"""

from __future__ import annotations

import asyncio
import email
import email.policy
import imaplib
import random
from email.message import EmailMessage

from tests.e2e.brain import Answer
from tests.e2e.sight import Shown, now_ms, options
from tests.servers.correspondent import Correspondent, Read
from tests.servers.mail import Mail

_SIGNATURE = "\n\n-- \nSent by hand, from the island\n"


class Doubling(Correspondent):
    """Hands some mails over twice, as a program does that did not get the server's answer.

    `sent` are the Message-IDs.
    """

    def __init__(self, server: Mail, name: str, twice: float = 0.15) -> None:
        super().__init__(server, name=name)
        self.twice = twice
        self.sent: list[str] = []
        self.doubled = 0
        self._dice = random.Random(name)

    def submit(self, mail: EmailMessage) -> None:
        super().submit(mail)
        self.sent.append(str(mail["Message-ID"]))
        if self._dice.random() < self.twice:
            super().submit(mail)
            self.doubled += 1


class MailPlayer:
    """See `tests.e2e.playing.Player`."""

    channel = "mail"

    def __init__(self, mail: Mail, referee: str, name: str) -> None:
        self.name = name
        self.tag = ""
        self.referee = referee
        self.pen = Doubling(mail, name=name)
        self.letters: list[Shown] = []
        self._box: imaplib.IMAP4 | None = None
        self._ids: set[str] = set()
        self._uid = 0

    async def start(self) -> None:
        """A stranger's mail is believed only after the known address has answered a letter."""
        self._box = await asyncio.to_thread(self._open)
        await asyncio.to_thread(self.pen.write, self.referee, "hello", subject="hello")

    async def stop(self) -> None:
        if self._box is not None:
            await asyncio.to_thread(self._box.logout)

    async def screen(self) -> list[Shown]:
        await asyncio.to_thread(self._fetch)
        return self.letters

    async def say(self, text: str) -> None:
        """In reply to the newest letter: its token speaks for us."""
        newest = self.letters[-1].source
        assert isinstance(newest, Read)
        await asyncio.to_thread(self.pen.reply, newest, text + _SIGNATURE)

    async def answer(self, letter: Shown, answer: Answer) -> None:
        mail = letter.source
        assert isinstance(mail, Read)
        links = [one for one in mail.links if one.body]
        if not answer.words and answer.number <= len(links):
            await asyncio.to_thread(self.pen.follow, links[answer.number - 1])
        else:
            await asyncio.to_thread(
                self.pen.reply,
                mail,
                f"{self.tag}{answer.words or answer.number}{_SIGNATURE}",
                upper=answer.number == 2,
            )

    def _open(self) -> imaplib.IMAP4:
        box = imaplib.IMAP4("127.0.0.1", self.pen.server.ports.imap, timeout=10)
        box.login(self.pen.address, self.pen.account.password)
        box.select("INBOX", readonly=True)
        return box

    def _fetch(self) -> None:
        """What came since: a second copy of a Message-ID is not shown."""
        assert self._box is not None
        self._box.noop()
        for uid in self._box.uid("SEARCH", f"UID {self._uid + 1}:*")[1][0].split():
            if int(uid) <= self._uid:  # "n:*" always names the last one
                continue
            self._uid = int(uid)
            raw = next(
                one[1]
                for one in self._box.uid("FETCH", uid.decode(), "(BODY.PEEK[])")[1]
                if isinstance(one, tuple)
            )
            mail = email.message_from_bytes(raw, _class=EmailMessage, policy=email.policy.default)
            read = Read(mail)
            if read.message_id not in self._ids:
                self._ids.add(read.message_id)
                self.letters.append(
                    Shown(read.message_id, read.text, options(read.text), source=read, at_ms=now_ms())
                )
