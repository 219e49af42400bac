"""The least of MTAs: hands mails over by LMTP and tells the answers.  Standard library only."""

from __future__ import annotations

import asyncio
import smtplib

MAIL = "From: {sender}\r\nTo: {to}\r\nMessage-ID: <{n}@players.example>\r\n\r\n{body}\r\n"


class Mta:
    """`where`: path of a unix socket, or a port of 127.0.0.1."""

    def __init__(self, where: str | int) -> None:
        self.where = where

    async def hand(self, body: str, *to: str, n: int = 1, sender: str = "ann@players.example") -> list[int]:
        """One mail; the answers, one for each recipient.  Raises OSError when nobody listens."""
        return await asyncio.to_thread(self._hand, body, to, n, sender)

    def _hand(self, body: str, to: tuple[str, ...], n: int, sender: str) -> list[int]:
        host, port = (self.where, 0) if isinstance(self.where, str) else ("127.0.0.1", self.where)
        with smtplib.LMTP(host, port, local_hostname="mta.test") as line:
            line.ehlo()
            line.mail(sender)
            codes = [line.rcpt(one)[0] for one in to]
            line.putcmd("data")
            assert line.getreply()[0] == 354
            mail = MAIL.format(n=n, to=to[0], body=body, sender=sender or "MAILER-DAEMON@players.example")
            line.send(mail.replace("\r\n.", "\r\n..").encode() + b".\r\n")
            return [line.getreply()[0] if code == 250 else code for code in codes]
