"""A person with a mail program: reads an inbox as one would, and replies as mail programs do.

Blocking (smtplib, imaplib): from asyncio use `asyncio.to_thread`.
"""

from __future__ import annotations

import email
import email.policy
import html
import re
import smtplib
import ssl
from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import formataddr, formatdate, make_msgid, parseaddr
from typing import Literal
from urllib.parse import parse_qs, unquote, urlsplit

from tests.servers.mail import Account, Mail, logged_in

_HREF = re.compile(r'href="(mailto:[^"]+)"', re.IGNORECASE)


Where = Literal["above", "below", "markers"]


@dataclass(frozen=True)
class Link:
    """A mailto link: what the mail program would open."""

    to: str
    subject: str
    body: str


@dataclass(frozen=True)
class Read:
    """One mail, as its reader sees it."""

    mail: EmailMessage

    @property
    def text(self) -> str:
        part = self.mail.get_body(("plain",))
        return "" if part is None else part.get_content().replace("\r\n", "\n")

    @property
    def page(self) -> str:
        part = self.mail.get_body(("html",))
        return "" if part is None else part.get_content().replace("\r\n", "\n")

    @property
    def message_id(self) -> str:
        return str(self.mail["Message-ID"])

    @property
    def links(self) -> list[Link]:
        """The one-tap answers of the HTML part."""
        return [mailto(html.unescape(href)) for href in _HREF.findall(self.page)]


def mailto(url: str) -> Link:
    """RFC 6068.  A plus stays a plus in the address; in the fields it must not stand for a space."""
    parts = urlsplit(url)
    fields = parse_qs(parts.query.replace("+", "%2B"))
    return Link(unquote(parts.path), fields.get("subject", [""])[0], fields.get("body", [""])[0])


class Correspondent:
    """One account of a `Mail`."""

    def __init__(self, server: Mail, account: Account | None = None, name: str = "") -> None:
        self.server = server
        self.account = account or server.person()
        self.address = self.account.address
        self.name = name
        self._trust = ssl.create_default_context(cafile=str(server.certificate))

    def inbox(self, folder: str = "INBOX") -> list[Read]:
        """Every mail there, oldest first; a second copy of a Message-ID is not shown, as big mail
        services do it."""
        with logged_in(self.server.ports.imap, self.account) as box:
            box.select(folder, readonly=True)
            found = box.search(None, "ALL")[1][0].split()
            raw = [box.fetch(n.decode(), "(BODY.PEEK[])")[1][0] for n in found]
        mails = [
            email.message_from_bytes(one[1], _class=EmailMessage, policy=email.policy.default)
            for one in raw
            if isinstance(one, tuple)
        ]
        return list({one.message_id: one for one in reversed([Read(mail) for mail in mails])}.values())[::-1]

    def count(self, folder: str = "INBOX") -> int:
        """How many copies there are, doubles included."""
        with logged_in(self.server.ports.imap, self.account) as box:
            status, found = box.select(folder, readonly=True)
            return int(found[0] or 0) if status == "OK" else 0

    def write(self, to: str, text: str, *, subject: str = "", headers: dict[str, str] | None = None) -> str:
        """A fresh mail in plain text through submission; returns its Message-ID."""
        mail = self._mail(to, subject, headers)
        mail.set_content(text)
        self.submit(mail)
        return str(mail["Message-ID"])

    def reply(self, to: Read, text: str, *, where: Where = "above", upper: bool = False) -> str:
        """Answer a mail, the whole of it quoted: "above" as Gmail does, "below" as Thunderbird does, or typed
        between the letter's "markers". `upper` writes the address in capitals, as careless programs do.
        """
        original = to.mail
        address = parseaddr(str(original["Reply-To"] or original["From"]))[1]
        mail = self._mail(
            address.upper() if upper else address,
            "Re: " + str(original["Subject"]),
            {
                "In-Reply-To": to.message_id,
                "References": f"{original['References'] or ''} {to.message_id}".strip(),
            },
        )
        quoted = ["> " + line if line else ">" for line in to.text.splitlines()]
        intro = f"On Fri, Nov 20, 2026 at 7:41 PM Referee <{address}>\nwrote:\n"
        if where == "markers":
            first = next(n for n, line in enumerate(quoted) if re.match(r"> =====\[[^\[]", line))
            body = "\n".join([intro, *quoted[: first + 1], text, *quoted[first + 1 :]])
        elif where == "below":
            body = "\n".join([intro, *quoted, "", text, "", "-- ", self.name])
        else:
            body = "\n".join([text, "", intro, *quoted])
        mail.set_content(body + "\n")
        self.submit(mail)
        return str(mail["Message-ID"])

    def follow(self, link: Link) -> str:
        """Tap a one-tap answer and send what opens."""
        return self.write(link.to, link.body, subject=link.subject)

    def submit(self, mail: EmailMessage) -> None:
        """Through submission, with a login."""
        with smtplib.SMTP("127.0.0.1", self.server.ports.submission, timeout=10) as smtp:
            smtp.starttls(context=self._trust)
            smtp.login(self.address, self.account.password)
            smtp.send_message(mail, from_addr=self.address)

    def deliver(self, raw: bytes, to: str, *, sender: str | None = None, port: int = 0) -> None:
        """As another server would: port 25, any envelope, exactly these bytes."""
        with smtplib.SMTP("127.0.0.1", port or self.server.ports.smtp, timeout=10) as smtp:
            smtp.sendmail(self.address if sender is None else sender, [to], raw)

    def _mail(self, to: str, subject: str, headers: dict[str, str] | None) -> EmailMessage:
        mail = EmailMessage()
        mail["From"] = formataddr((self.name, self.address))
        mail["To"] = to
        mail["Subject"] = subject
        mail["Date"] = formatdate()
        mail["Message-ID"] = make_msgid(domain="players.example")
        for key, value in (headers or {}).items():
            mail[key] = value
        return mail
