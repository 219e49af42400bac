"""What those are written who have proved nothing: little, and never a word of what they wrote.

Anybody can put any address into a mail's From, so a letter that answers such a mail may go to somebody who
never wrote. Of each mailbox, each domain and each channel only that many letters go out in so long a time,
no matter who asks for them, and nothing of the mail goes with them. What is counted stands in the database,
under digests; a mail that brings no letter writes nothing here.

Where the receiving mail server says that it checked the sender (`Inbound.facts["sender"]`: pass or fail),
that counts: anyone who passed writes from where they say, anyone who failed gets nothing.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from referee.ports import Inbound
from referee.store import Address, Allowance

from ..core.alerts import alert
from ..core.settings import ServiceSettings
from ..core.unit_of_work import UnitOfWork

_MINUTE_MS, _HOUR_MS, _DAY_MS = 60_000, 3_600_000, 86_400_000
#: one letter to a mailbox in so long; where its server vouches for the sender a few
_MAILBOX_MS, _CHECKED = 30 * _DAY_MS, 3
#: letters a day to mailboxes that differ by a number or by what stands behind a dash: they may be one
#: person's
_FAMILY = 3
#: letters a day to a domain from which nobody writes who is known, and to one from which somebody does
_DOMAIN, _KNOWN_DOMAIN = 3, 30
#: a stranger whom nobody vouches for counts as this many newcomers; this many an hour are answered in any
#: case
_WEIGHT, _LEAST = 60, 5
#: for so long a domain from which somebody wrote who is known stays known
_KNOWN_MS = 400 * _DAY_MS
#: somebody who is known is asked whether it was them: once in so long, so often a day, and so often until
#: they answer such a letter
_ASKED_MS, _ASKED, _UNANSWERED = 10 * _MINUTE_MS, 3, 5
#: mails in the names of all who are known count as this many newcomers each
_ASKED_WEIGHT = 10
#: no address is longer
_LONGEST = 320
#: names of rows that are dropped at a time when their time is over, more than are added
_TIDY = 10


class StrangerLimit(NamedTuple):
    """How many letters may go in a time, by name.  What was counted before `after_ms` counts no more."""

    name: str
    most: int
    span_ms: int
    after_ms: int = 0


class MailboxKey(NamedTuple):
    """Where a mail to an address arrives: `name` the same for all addresses that are likely one mailbox's,
    `family` for those that may be, `domain` as it was bought.
    """

    name: str
    family: str
    domain: str


def mailbox(address: str) -> MailboxKey:
    """Capitals don't matter, nor dots, nor what stands behind a plus: some servers don't tell them apart."""
    local, _, domain = unicodedata.normalize("NFKC", address[-_LONGEST:]).casefold().strip().rpartition("@")
    if not domain.isascii():
        with suppress(UnicodeError):  # else no name that a mail could go to: counted as it stands
            domain = domain.encode("idna").decode("ascii")
    local = local.partition("+")[0].replace(".", "") or local
    family = re.split("[-=_]", local, maxsplit=1)[0].rstrip("0123456789") or local
    bought = registered(domain)
    return MailboxKey(f"{local}@{domain}", f"{family}@{bought}", bought)


def registered(domain: str) -> str:
    """example.org of mail.example.org, example.co.uk of mail.example.co.uk: near enough without the list of
    all registries.
    """
    labels = domain.strip(".").split(".")
    short = len(labels) > 2 and len(labels[-1]) == 2 and len(labels[-2]) <= 3
    return ".".join(labels[-3 if short else -2 :])


def greeted(uow: UnitOfWork, came: Inbound, address: str) -> bool:
    """Whether a letter may go to a mailbox that nobody is known by; it is counted."""
    where, channel, settings = mailbox(address), came.channel, uow.settings
    verdict = came.facts.get("sender")
    if verdict == "fail":
        return False
    if verdict == "pass":
        limits = [
            StrangerLimit(_key("mailbox", channel, where.name), _CHECKED, _MAILBOX_MS),
            *_crowd(settings, channel, "checked", 1),
        ]
        return _taken(uow, limits) is None
    known = _key("known", channel, where.domain)
    limits = [
        StrangerLimit(_key("mailbox", channel, where.name), 1, _MAILBOX_MS),
        StrangerLimit(_key("family", channel, where.family), _FAMILY, _DAY_MS),
        StrangerLimit(_key("domain", channel, where.domain), _DOMAIN, _DAY_MS),
        *_crowd(settings, channel, "unchecked", _WEIGHT),
    ]
    full = _taken(uow, limits, {limits[2].name: (known, _KNOWN_DOMAIN)})
    if (
        len(limits) > 3
        and full == limits[3]
        and _taken(uow, [StrangerLimit(_key("told", channel), 1, _DAY_MS)]) is None
    ):
        alert(uow, "strangers", channel=channel, count=limits[3].most)
    return full is None


def may_ask_owner(uow: UnitOfWork, came: Inbound, at: Address) -> bool:
    """Whether somebody who is known may be asked, at that address of theirs, if a mail in their name was
    theirs; it is counted.
    """
    if came.facts.get("sender") == "fail":
        return False
    name = mailbox(at.address).name
    return (
        _taken(
            uow,
            [
                StrangerLimit(_key("asked now", at.channel, name), 1, _ASKED_MS),
                StrangerLimit(_key("asked today", at.channel, name), _ASKED, _DAY_MS),
                StrangerLimit(_key("asked", at.channel, name), _UNANSWERED, _MAILBOX_MS, at.seen_ms),
                *_crowd(uow.settings, at.channel, "asked all", _ASKED_WEIGHT),
            ],
        )
        is None
    )


def proven(uow: UnitOfWork, channel: str, address: str) -> None:
    """Somebody new has answered a letter that went to this address: strangers from the same domain are less
    strange.
    """
    uow.tx.put(
        Allowance,
        name=_key("known", channel, mailbox(address).domain),
        since_ms=uow.now_ms,
        until_ms=uow.now_ms + _KNOWN_MS,
        used=0,
    )


def forget(uow: UnitOfWork, channel: str, address: str) -> None:
    """Somebody has deleted their account: in that mailbox they are a stranger, who may be greeted."""
    uow.tx.drop(Allowance, name=_key("mailbox", channel, mailbox(address).name))


def _crowd(settings: ServiceSettings, channel: str, kind: str, weight: int) -> list[StrangerLimit]:
    """What all strangers of a channel have together, where that is counted at all."""
    most = settings.newcomers_per_hour if settings.messages_per_minute else 0
    return [StrangerLimit(_key(kind, channel), max(_LEAST, most // weight), _HOUR_MS)] if most else []


def _taken(
    uow: UnitOfWork, limits: Sequence[StrangerLimit], more: dict[str, tuple[str, int]] | None = None
) -> StrangerLimit | None:
    """Count one letter under each of these names, and return None; or return the first of them that is full,
    and count nothing. `more`: of a name, the row that must be there for another number to hold. Anyone who
    else counts at the same moment wins.
    """
    tx, now, more = uow.tx, uow.now_ms, more or {}
    rows = {
        row.name: row
        for row in tx.all(
            Allowance, name=(*(one.name for one in limits), *(known for known, _ in more.values()))
        )
    }
    for one in limits:
        row = rows.get(one.name)
        known, most = more.get(one.name, ("", 0))
        if (
            row is not None
            and row.until_ms > now
            and row.since_ms >= one.after_ms
            and row.used >= (most if known in rows else one.most)
        ):
            return one
    for one in sorted(limits):
        row = rows.get(one.name)
        fresh = row is None or row.until_ms <= now or row.since_ms < one.after_ms
        values = (
            {"since_ms": now, "until_ms": now + one.span_ms, "used": 1}
            if row is None or fresh
            else {"used": row.used + 1}
        )
        if row is None:
            if tx.add_new(Allowance, name=one.name, **values) is None:
                return one
        elif not tx.change(
            Allowance, {"name": one.name, "since_ms": row.since_ms, "used": row.used}, **values
        ):
            return one
    over = [
        row.name
        for row in tx.all(Allowance, order="until_ms", limit=_TIDY)
        if row.until_ms <= now and row.name not in rows
    ]
    if over:
        tx.drop(Allowance, name=tuple(over))
    return None


def _key(*parts: str) -> str:
    whole = chr(0).join(parts).encode("utf-8", "backslashreplace")
    return f"{parts[0]} {hashlib.blake2s(whole, digest_size=12).hexdigest()}"
