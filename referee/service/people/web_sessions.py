"""Keys to one's own pages on the web: a link that lets somebody in once, and the browsers in which they are
signed in.

What opens anything is random, and only its SHA-256 is kept. Looking at a link does nothing (programs that
check mail look at links, too): the button on its page does.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from typing import NamedTuple

from referee.ids import AddressId, GameId, LetterId, PersonId, QuestionNo, SessionId
from referee.ports import AppEntry, Inbound, VerifiedAccount
from referee.states import AddressState
from referee.store import Address, Blocked, Outbox, Person, Tx, WebLink, WebSession

from ..core import outbox
from ..core.unit_of_work import UnitOfWork

#: so long a link is good for, and so long a browser stays signed in after it was last used
LINK_MS, SESSION_MS = 30 * 60_000, 30 * 86_400_000
#: what a channel vouches for is believed for so long, and for so long before by our clock
APP_MS, _AHEAD_MS = 10 * 60_000, 60_000
#: what a unit of work says when somebody signs out everywhere, and who (see live.py)
SIGNED_OUT = "signed out "
#: how often it is written down that a browser was used
_NOTED_MS = 3_600_000
#: this many browsers may be signed in as one person; the one unused for longest goes
_MOST = 8


class SignedIn(NamedTuple):
    """What signing in gives: the secret for the browser to keep, and the table that the link leads to (0:
    none).
    """

    cookie: str
    game: GameId


def fingerprint(what: str, secret: str) -> str:
    """How a secret is kept; `what`: link or session, so that one can't pass for the other."""
    return hashlib.sha256(f"web {what} {secret}".encode()).hexdigest()


def new_link(tx: Tx, person_id: PersonId, game_id: GameId, now_ms: int) -> str:
    """A new link for somebody, and no older one is any good: its secret, which is told nowhere else."""
    token = secrets.token_urlsafe(32)
    _drop_links(tx, person_id, now_ms)
    tx.add(
        WebLink,
        person_id=person_id,
        token_hash=fingerprint("link", token),
        game_id=game_id,
        expires_ms=now_ms + LINK_MS,
    )
    return token


def link_of(tx: Tx, token: str, now_ms: int) -> WebLink | None:
    """A link that still lets somebody in."""
    row = tx.one(WebLink, token_hash=fingerprint("link", token))
    return row if row is not None and not row.used_ms and row.expires_ms > now_ms else None


def sign_in(tx: Tx, token: str, cookie: str, now_ms: int, browser: str = "") -> SignedIn | None:
    """Use a link; None for one that is used up.  `cookie`, `browser`: see `begin`."""
    row = link_of(tx, token, now_ms)
    if row is None or not tx.change(WebLink, {"id": row.id, "used_ms": 0}, used_ms=now_ms):
        return None
    return SignedIn(begin(tx, row.person_id, cookie, now_ms, browser), row.game_id)


def begin(tx: Tx, person_id: PersonId, cookie: str, now_ms: int, browser: str) -> str:
    """Somebody is signed in from now on: the new secret for their browser, which calls itself `browser`.

    A person signed in there before (`cookie`) is not any more; the browser gets a new secret in any
    case, so that nobody can have put one there that they know.
    """
    _drop(tx, tx.all(WebSession, token_hash=fingerprint("session", cookie)))
    old = tx.all(WebSession, person_id=person_id, order="-seen_ms")
    _drop(tx, [*old[_MOST - 1 :], *(one for one in old[: _MOST - 1] if one.expires_ms <= now_ms)])
    fresh = secrets.token_urlsafe(32)
    tx.add(
        WebSession,
        person_id=person_id,
        token_hash=fingerprint("session", fresh),
        made_ms=now_ms,
        seen_ms=now_ms,
        expires_ms=now_ms + SESSION_MS,
        browser=browser,
    )
    return fresh


def enter_app(
    tx: Tx, channel: str, account: VerifiedAccount, cookie: str, now_ms: int, browser: str
) -> AppEntry:
    """Sign somebody in for whom their channel vouches: not long ago, and once; a browser in which they are
    signed in already stays so.
    """
    known = tx.whose(channel, account.address)
    if known is None or tx.one(Blocked, channel=channel, address=account.address) is not None:
        return AppEntry("unknown")
    person, held = known[0].id, session_of(tx, cookie, now_ms)
    if held is not None and held.person_id == person:
        return AppEntry()
    if not -_AHEAD_MS <= now_ms - account.at_ms <= APP_MS:
        return AppEntry("stale")
    proof = fingerprint("app", f"{channel} {account.mark}")
    if tx.one(WebLink, token_hash=proof) is not None:
        return AppEntry("used")
    _drop_links(tx, person, now_ms, unused=False)
    tx.add(
        WebLink,
        person_id=person,
        token_hash=proof,
        expires_ms=account.at_ms + APP_MS,
        used_ms=now_ms,
    )
    return AppEntry(cookie=begin(tx, person, cookie, now_ms, browser))


def session_of(tx: Tx, cookie: str, now_ms: int) -> WebSession | None:
    """The browser that keeps this secret, while it is signed in."""
    row = tx.one(WebSession, token_hash=fingerprint("session", cookie)) if cookie else None
    return row if row is not None and row.expires_ms > now_ms else None


def idle(row: WebSession, now_ms: int) -> bool:
    """Whether it should be noted that this browser is in use."""
    return now_ms - row.seen_ms > _NOTED_MS


def used(tx: Tx, session_id: SessionId, now_ms: int) -> None:
    """A browser is in use: it stays signed in for another while."""
    tx.set(WebSession, session_id, seen_ms=now_ms, expires_ms=now_ms + SESSION_MS)


def lately_used(row: WebSession, now_ms: int) -> bool:
    """Whether it may be in use this very moment: it is written down only now and then."""
    return now_ms - row.seen_ms <= _NOTED_MS


def sessions_of(tx: Tx, person_id: PersonId, now_ms: int) -> list[WebSession]:
    """The browsers in which somebody is signed in, the oldest first: the number that people give one is its
    place here.
    """
    return [row for row in tx.all(WebSession, person_id=person_id, order="id") if row.expires_ms > now_ms]


def end_one(tx: Tx, person_id: PersonId, session_id: SessionId) -> WebSession | None:
    """Sign somebody out in one browser: which it was; None where they are not signed in by that."""
    row = tx.one(WebSession, id=session_id, person_id=person_id)
    _drop(tx, [] if row is None else [row])
    return row


def end_others(tx: Tx, person_id: PersonId, kept: SessionId) -> None:
    """Sign somebody out in all browsers but one, and no link lets anybody in."""
    _drop(tx, [row for row in tx.all(WebSession, person_id=person_id) if row.id != kept])
    tx.drop(WebLink, person_id=person_id, used_ms=0)


def end(tx: Tx, person_id: PersonId) -> int:
    """Nobody is signed in as this person any more, and no link lets anybody in.

    How many browsers that ended.
    """
    rows = tx.all(WebSession, person_id=person_id)
    _drop(tx, rows)
    tx.drop(WebLink, person_id=person_id, used_ms=0)
    return len(rows)


def end_some(tx: Tx, person_id: PersonId, mine: SessionId, which: str) -> bool:
    """Sign somebody out: "others", the browser of that number, or "" everywhere. Whether `mine` stays."""
    if which == "others":
        end_others(tx, person_id, mine)
        return True
    if not which:
        end(tx, person_id)
        return False
    number = SessionId(int(which)) if which.isdecimal() else mine
    end_one(tx, person_id, number)
    return number != mine


def parted(tx: Tx, person_id: PersonId, since_ms: int) -> None:
    """Who shared their accounts shares them no more: whatever browser was signed in as this person since then
    is not any more.
    """
    _drop(tx, [row for row in tx.all(WebSession, person_id=person_id) if row.made_ms >= since_ms])
    tx.drop(WebLink, person_id=person_id, used_ms=0)


def _drop_links(tx: Tx, person_id: PersonId, now_ms: int, *, unused: bool = True) -> None:
    """Those that have run out, and those that nobody used; a used one is known until then, so that nothing
    opens twice.
    """
    for row in tx.all(WebLink, person_id=person_id):
        if row.expires_ms <= now_ms or (unused and not row.used_ms):
            tx.drop(WebLink, id=row.id)


def _drop(tx: Tx, rows: Iterable[WebSession]) -> None:
    """The one place where a browser is signed out."""
    for row in rows:
        tx.drop(WebSession, id=row.id)


def holder(uow: UnitOfWork, came: Inbound) -> tuple[Person, Address, Outbox | None] | None:
    """Who wrote something on their own page: the person signed in there.  None where they are not any more.

    There is no row for their address: nothing can be written to a page that nobody looks at, so it never is
    one's best address. What they answer is the page, which shows a table and asks its question as a letter
    would.
    """
    session = uow.tx.get(WebSession, SessionId(int(came.facts.get("session") or 0)))
    if session is None or session.expires_ms <= uow.now_ms or came.address != str(session.person_id):
        return None
    person = uow.tx.get(Person, session.person_id)
    if person is None:
        return None
    game = came.facts.get("game")
    page = (
        None
        if game is None
        else Outbox(
            id=LetterId(0),
            channel=outbox.WEB,
            address=came.address,
            person_id=person.id,
            game_id=GameId(int(game)),
            kind="prompt",
            question=QuestionNo(int(came.facts.get("question") or 0)),
        )
    )
    return person, page_of(uow, session.person_id), page


def page_of(uow: UnitOfWork, person_id: PersonId) -> Address:
    """Where somebody's own pages find what is written to them."""
    return Address(
        id=AddressId(0),
        person_id=person_id,
        channel=outbox.WEB,
        address=str(person_id),
        state=AddressState.GREEN,
        proven_ms=uow.now_ms,
        seen_ms=uow.now_ms,
    )
