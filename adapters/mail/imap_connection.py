"""One connection to the mailbox.  Every call has a time-out; its errors are in `ImapConnection.TROUBLE`."""

from __future__ import annotations

import contextlib
import imaplib
import re
import select
import socket
import ssl
import time
from datetime import UTC, datetime, timedelta
from types import TracebackType
from typing import TYPE_CHECKING, ClassVar

from .mime import HEAD
from .reading import Delivery
from .settings import Settings

if TYPE_CHECKING:
    from imap_tools import BaseMailBox

_SIZE, _UID = re.compile(rb"\bRFC822\.SIZE (\d{1,19})"), re.compile(rb"\bUID (\d{1,19})")


class LoginRefused(Exception):
    """The server knows us not: an admin must mend the login."""


class ImapProtocolError(Exception):
    """The server said what no IMAP server says."""


class ImapConnection:
    """An open, logged-in connection with the folder selected."""

    TROUBLE: ClassVar[tuple[type[Exception], ...]] = (OSError, imaplib.IMAP4.error, ImapProtocolError)

    def __init__(self, settings: Settings) -> None:
        from imap_tools import (
            ImapToolsError,
            MailBox,
            MailboxLoginError,
            MailBoxStartTls,
            MailBoxUnencrypted,
        )

        host, port, timeout = settings.imap_host, settings.imap_port, settings.timeout_seconds
        self._errors = ImapToolsError
        trust = (
            ssl.create_default_context(cafile=settings.ca_file or None)
            if settings.imap_security != "none"
            else None
        )
        self._box: BaseMailBox
        if settings.imap_security == "tls":
            self._box = MailBox(host, port, timeout, ssl_context=trust)
        elif settings.imap_security == "starttls":
            self._box = MailBoxStartTls(host, port, timeout, ssl_context=trust)
        else:
            self._box = MailBoxUnencrypted(host, port, timeout)
        try:
            try:
                user, password = settings.login()
                # LOGIN knows ASCII alone (RFC 9051 6.2.3)
                log_in = self._box.login if (user + password).isascii() else self._box.login_utf8
                log_in(user, password, initial_folder=None)
            except (imaplib.IMAP4.error, MailboxLoginError) as refused:
                if isinstance(refused, imaplib.IMAP4.abort):
                    raise
                raise LoginRefused(type(refused).__name__) from refused
            try:
                self._box.folder.set(settings.folder)
            except ImapToolsError as refused:
                raise ImapProtocolError(f"no folder {settings.folder}") from refused
            self.uidvalidity = self._number("UIDVALIDITY")
            # what imaplib remembers is from before the login, when some servers say less
            _, able = self._box.client.capability()
            self._idles = b"IDLE" in b" ".join(able).upper().split()
        except BaseException:
            self.cut()
            raise

    def __enter__(self) -> ImapConnection:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            with contextlib.suppress(*self.TROUBLE):
                self._box.client.sock.settimeout(0.5)  # a farewell is not worth waiting for
                self._box.client.logout()
        self.cut()

    def cut(self) -> None:
        """Close the socket; may be called from another thread to end whatever this one waits for."""
        with contextlib.suppress(OSError):
            self._box.client.sock.shutdown(socket.SHUT_RDWR)
        with contextlib.suppress(*self.TROUBLE):
            self._box.client.shutdown()

    def uids_after(self, last: int) -> list[int]:
        """UIDs greater than `last`, ascending."""
        # "n:*" always holds the newest message, even when its UID is below n
        return [uid for uid in self._search(f"UID {last + 1}:*") if uid > last]

    def uids_since(self, days: int | None, now_ms: int) -> list[int]:
        """UIDs of mails that arrived in the last `days` (None: all), ascending."""
        if days is None:
            return self._search("ALL")
        # SINCE knows days only, in the server's zone
        day = datetime.fromtimestamp(now_ms / 1000, UTC) - timedelta(days=days + 1)
        return self._search(f"SINCE {day.day}-{_MONTHS[day.month - 1]}-{day.year}")

    def fetch(self, uids: list[int], max_bytes: int) -> list[Delivery]:
        """The mails that are still there, in order; of those above `max_bytes` only the header, as far as it
        is read.
        """
        sizes: dict[int, int] = {}
        for item in self._fetch(uids, "(UID RFC822.SIZE)"):
            line = item[0] if isinstance(item, tuple) else item
            if (uid := _UID.search(line)) and (size := _SIZE.search(line)):
                sizes[int(uid[1])] = int(size[1])
        small = [uid for uid in uids if sizes.get(uid, max_bytes + 1) <= max_bytes]
        large = [uid for uid in uids if uid in sizes and uid not in small]
        found_mails = {
            **self._deliveries(small, "BODY.PEEK[]", sizes, whole=True),
            **self._deliveries(large, f"BODY.PEEK[HEADER]<0.{HEAD}>", sizes, whole=False),
        }
        return [found_mails[uid] for uid in uids if uid in found_mails]

    def ref(self, uid: int) -> str:
        """Where a mail can be had again."""
        return f"uid {self.uidvalidity}:{uid}"

    def mark(self, uids: list[int], folder: str) -> None:
        """Read, or moved to `folder` (made if need be)."""
        names = [str(uid) for uid in uids]
        try:
            if not folder:
                self._box.flag(names, "\\Seen", True)
                return
            if not self._box.folder.exists(folder):
                self._box.folder.create(folder)
            self._box.move(names, folder)
        except self._errors as refused:
            raise ImapProtocolError("mark") from refused

    def idle(self, wake: socket.socket, seconds: float) -> None:
        """Wait until something happens, `wake` becomes readable, or time is up; then make sure that the
        server still answers.
        """
        client = self._box.client
        if not self._idles:
            select.select(
                [wake], [], [], min(seconds, 30.0)
            )  # a server without IDLE is asked every half minute
        else:
            try:
                self._box.idle.start()  # type: ignore[no-untyped-call]  # imap-tools' own gap
                ready = select.poll()
                ready.register(client.sock.fileno(), select.POLLIN)
                ready.register(wake.fileno(), select.POLLIN)
                ready.poll(seconds * 1000)
                self._box.idle.stop()  # type: ignore[no-untyped-call]  # as above
            except self._errors as refused:
                raise ImapProtocolError("idle") from refused
        status, _ = client.noop()
        if status != "OK":
            raise ImapProtocolError("noop")

    def _search(self, criteria: str) -> list[int]:
        status, found = self._box.client.uid("SEARCH", criteria)
        if status != "OK":
            raise ImapProtocolError("search")
        return sorted(int(uid) for uid in b" ".join(one for one in found if one).split())

    def _fetch(self, uids: list[int], parts: str) -> list[bytes | tuple[bytes, bytes]]:
        if not uids:
            return []
        status, items = self._box.client.uid("FETCH", ",".join(map(str, uids)), parts)
        if status != "OK":
            raise ImapProtocolError("fetch")
        return [item for item in items if item]

    def _deliveries(
        self, uids: list[int], part: str, sizes: dict[int, int], *, whole: bool
    ) -> dict[int, Delivery]:
        mails: dict[int, Delivery] = {}
        items = self._fetch(uids, f"(UID INTERNALDATE {part})")
        for i, item in enumerate(items):
            if not isinstance(item, tuple):
                continue
            # what the server says after the mail's bytes may hold the UID as well
            after = items[i + 1] if i + 1 < len(items) and isinstance(items[i + 1], bytes) else b""
            about = item[0] + (after if isinstance(after, bytes) else b"")
            found = _UID.search(about)
            when = imaplib.Internaldate2tuple(about)
            if found:
                uid = int(found.group(1))
                mails[uid] = Delivery(
                    item[1], _moment(when), sizes.get(uid, len(item[1])), whole, ref=self.ref(uid)
                )
        return mails

    def _number(self, name: str) -> int:
        _, values = self._box.client.response(name)
        try:
            return int(values[0])
        except (TypeError, ValueError, IndexError) as strange:
            raise ImapProtocolError(name) from strange


def _moment(when: time.struct_time | None) -> int:
    """UTC milliseconds, 0 for an hour that there is not."""
    try:
        return round(time.mktime(when) * 1000) if when else 0
    except (OverflowError, ValueError):
        return 0


_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
