"""The mailbox, watched by one thread: fetch what is new, wait for more, notice when the line is dead.

imap-tools' IDLE reports a broken line as "nothing new" (measured), so every IDLE is short and followed by a
NOOP that must be answered in time. After any trouble the thread connects afresh and fetches by UID from where
the bookmarks stand; they are written together with the mails. A mail is marked or moved only when it is on
disk.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import logging
import socket
import threading
import time
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from referee.ports import Inbound, Reception, bring, unread

from .imap_connection import ImapConnection, LoginRefused
from .reader_process import MailReaderProcess
from .settings import Settings

log = logging.getLogger(__name__)
_BACKOFF_MAX = 60.0
_REFUSED_WAIT = 60.0  # a wrong password gets no better by asking often, and providers lock accounts
_BATCH = 20  # mails in one transaction
_FIRST_PAUSE = 1.0  # seconds of the IDLE after something came
#: fetching one mail, over a line that is in order until then, is tried this often and for this many seconds:
#: a server may be short of breath for minutes, and refuse every mail
_ATTEMPTS, _ATTEMPTS_S = 5, 180.0
#: a mailbox that counts anew is read again from that many days ago: of what is older the inbox knows no more
#: whether it has had it, and no letter is as old that it could answer
_KNOWN_DAYS = 30

T = TypeVar("T")


class _ReceptionFailed(Exception):
    """The reception could not write, or is gone."""


class Mailbox:
    """Start it with a reception; it hands over batches until it is stopped."""

    def __init__(self, settings: Settings, apart: MailReaderProcess, clock_ms: Callable[[], int]) -> None:
        self._settings = settings
        self._apart = apart
        self._clock_ms = clock_ms
        self._stopping = threading.Event()
        self._bell, self._ear = socket.socketpair()  # closing the bell wakes the thread out of an IDLE
        self._thread: threading.Thread | None = None
        self._line: ImapConnection | None = None
        self.answering = False
        #: which mail could not be fetched, how often in a row, and since when
        self._failed: tuple[str, int, float] = ("", 0, 0.0)

    def start(self, reception: Reception) -> None:
        """Returns at once; must be called on the event loop that `reception` lives in."""
        self._thread = threading.Thread(
            target=self._run, args=(reception, asyncio.get_running_loop()), name="mailbox", daemon=True
        )
        self._thread.start()

    async def stop(self) -> None:
        """Ends the thread within 1.5 s; one that a server holds for longer is a daemon and dies with its
        socket.
        """
        self._stopping.set()
        self._bell.close()
        if self._thread is None:
            self._ear.close()
            return
        await asyncio.to_thread(self._thread.join, 0.7)
        line = self._line
        if self._thread.is_alive() and line is not None:
            line.cut()
            await asyncio.to_thread(self._thread.join, 0.8)
        self.answering = False

    def _run(self, reception: Reception, loop: asyncio.AbstractEventLoop) -> None:
        desk = _ThreadReception(reception, loop, self._stopping)
        wait = self._settings.backoff_seconds
        while not self._stopping.is_set():
            try:
                with ImapConnection(self._settings) as line:
                    self._line = line
                    self._watch(line, desk)
            except LoginRefused as refused:
                log.error("the mailbox refuses our login: %s", refused)
                wait = max(wait, _REFUSED_WAIT)
            except ImapConnection.TROUBLE as broken:
                if self.answering and not self._failed[0]:
                    wait = self._settings.backoff_seconds  # it worked till now: begin small
                if not self._stopping.is_set():
                    log.warning("mailbox line: %s", type(broken).__name__)
            except _ReceptionFailed as full:
                log.error("mails stay in the mailbox, nothing can be written: %s", full)
            except Exception:  # the server's words and strangers' mails meet here: this thread must not end
                log.exception("a round of the mailbox failed and is tried again")
            finally:
                self._line = None
                self.answering = False
            self._stopping.wait(wait)
            wait = min(wait * 2, _BACKOFF_MAX)
        self._ear.close()

    def _watch(self, line: ImapConnection, desk: _ThreadReception) -> None:
        last, days = self._bookmarked(line, desk)
        pause = _FIRST_PAUSE
        while not self._stopping.is_set():
            new = line.uids_after(last) if last is not None else line.uids_since(days, self._clock_ms())
            self.answering = True
            left = new
            while left:
                last = self._take(line, desk, left[:_BATCH])
                left = [uid for uid in left if uid > last]
            # a mail that came while we fetched may be told before the IDLE begins: look again soon, then ever
            # less often
            pause = _FIRST_PAUSE if new else min(pause * 2, self._settings.idle_seconds)
            if not self._stopping.is_set():
                line.idle(self._ear, min(pause, self._settings.idle_seconds))

    def _take(self, line: ImapConnection, desk: _ThreadReception, uids: list[int]) -> int:
        """One batch: fetch, hand over, and only then mark.  Returns the last UID taken."""
        batch, uids = self._fetched(line, desk, uids)
        desk.call(
            bring(
                desk.reception,
                batch,
                channel=self._apart.reader.channel,
                cursor={"uidvalidity": str(line.uidvalidity), "uid": str(uids[-1])},
            )
        )
        line.mark(uids, self._settings.processed_folder)
        return uids[-1]

    def _fetched(
        self, line: ImapConnection, desk: _ThreadReception, uids: list[int]
    ) -> tuple[list[Inbound], list[int]]:
        """What the first of these mails say, and which they are: all of them, but one alone where fetching
        failed before. A mail that can't be fetched however often is not waited for: it is parked.
        """
        name, tries, since = self._failed
        if line.ref(uids[0]) == name:
            if tries >= _ATTEMPTS and time.monotonic() - since >= _ATTEMPTS_S:
                log.error("a mail can't be fetched and is passed over: %s", name)
                self._failed = "", 0, 0.0
                return [
                    unread(
                        self._apart.reader.channel,
                        b"",
                        ref=name,
                        reason="mail cannot be fetched",
                        at_ms=self._clock_ms(),
                    )
                ], uids[:1]
            uids = uids[:1]
        try:
            found = line.fetch(uids, self._settings.max_bytes)
        except Exception:  # whatever the server and the library make of a mail: counted, and raised again
            again = line.ref(uids[0]) == name
            self._failed = line.ref(uids[0]), tries + 1 if again else 1, since if again else time.monotonic()
            raise
        batch = [desk.call(self._apart.read(one)) for one in found]
        self._failed = "", 0, 0.0
        return batch, uids

    def _bookmarked(self, line: ImapConnection, desk: _ThreadReception) -> tuple[int | None, int]:
        """The last UID on disk; None where there is none yet, or the mailbox counts anew, and from how many
        days ago it is read then: the inbox knows those it has.
        """
        known = desk.call(desk.reception.bookmark(self._apart.reader.channel, "uidvalidity"))
        last = desk.call(desk.reception.bookmark(self._apart.reader.channel, "uid"))
        if not known or not last:
            return None, self._settings.first_look_days
        if known != str(line.uidvalidity):
            log.warning("the mailbox has a new UIDVALIDITY: reading it again")
            return None, max(_KNOWN_DAYS, self._settings.first_look_days)
        return int(last), 0


class _ThreadReception:
    """The reception, seen from the thread."""

    def __init__(
        self, reception: Reception, loop: asyncio.AbstractEventLoop, stopping: threading.Event
    ) -> None:
        self.reception = reception
        self._loop = loop
        self._stopping = stopping

    def call(self, job: Coroutine[Any, Any, T]) -> T:
        """Run it on the loop and wait; _NotTaken if it fails or we are stopped while waiting."""
        try:
            future = asyncio.run_coroutine_threadsafe(job, self._loop)
        except RuntimeError as gone:  # the loop is closed
            job.close()
            raise _ReceptionFailed("the loop is closed") from gone
        while True:
            try:
                return future.result(0.3)
            except concurrent.futures.TimeoutError as late:
                if future.done():  # the job's own time-out, not our polling
                    raise _ReceptionFailed("timed out") from late
                if self._stopping.is_set():
                    future.cancel()
                    raise _ReceptionFailed("stopping") from late
            except concurrent.futures.CancelledError as cancelled:
                raise _ReceptionFailed("cancelled") from cancelled
            except Exception as broken:
                # whatever keeps the inbox worker from writing, the mails must stay where they are
                raise _ReceptionFailed(type(broken).__name__) from broken
