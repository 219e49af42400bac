"""The gate: who is not listened to, and who writes more than anybody could mean.

Everything arrives here first and is weighed in memory: nobody who plays pays a statement for it, and a
restart forgets it. What is not let through is written down as refused and moves nothing. Counted are
messages, their bytes, and the processor's time that they cost. From a blocked address nobody hears of it.
Anyone who writes too much is told once, at once; then there is silence until they may again, and they are
told what was left out (admission.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from referee.ids import PersonId
from referee.ports import Inbound, What

from ..core import outbox
from ..core.settings import ServiceSettings
from ..core.token_bucket import BYTES, MESSAGES, MILLISECONDS, TokenBucket
from ..people import strangers
from .unaddressed import UnaddressedLimiter

#: why something is refused, as the inbox keeps it
BLOCKED, TOO_MANY, NEWCOMERS, OLD = (
    "blocked",
    "too many messages",
    "too many newcomers",
    "written before the book was restored",
)
UNADDRESSED = "too much that is said to nobody here"
_MINUTE_MS, _HOUR_MS = 60_000, 3_600_000
#: strangers may write a quarter of what those may who are known, and never less than this a minute
_STRANGERS_SHARE, _STRANGERS_LEAST = 4, 5
#: how long what is known of an address holds: of a stranger's, and of one that belongs to somebody
_STRANGE_MS, _KNOWN_MS = 60_000, 3_600_000
#: once emptied, a bucket must be a quarter full again
_REOPEN = 4
#: no account is closed for longer: the debt of an hour's bucket, and that quarter
_LONGEST_MS = _HOUR_MS + _HOUR_MS // _REOPEN
#: this many of the words that were left out are quoted, and so long
_QUOTES, _QUOTED = 5, 40
#: no token of ours is longer, and no domain
_TOKEN, _DOMAIN = 200, 253
#: this many addresses are kept in mind
_ROOM = 20_000
#: how old the list of blocked addresses may get: the command line changes it, too
LIST_MS = 3_000
#: under this name the database keeps when it was restored (see `upkeep.aftermath`); for so long what was
#: written before still comes in
RESTORED, _LATE_MS = "restored", 7 * 86_400_000


class LimiterVerdict(NamedTuple):
    """Why something is not let through, and whether its sender is told now, with how it began; `keep` off: it
    is not even written down.
    """

    why: str
    tell: bool = False
    minutes: int = 0
    person_id: PersonId | None = None
    quote: str = ""  # how it began, where its sender is who they say
    keep: bool = True


@dataclass(slots=True)
class SenderQuota:
    """What somebody may still write, and what was left out since they wrote too much (`until_ms`: as long as
    that lasts, 0: they did not).
    """

    buckets: list[TokenBucket]
    person_id: PersonId | None = None
    until_ms: int = 0
    missed: int = 0
    quotes: list[str] = field(default_factory=list)
    last: Inbound | None = None


class AddressOwner(NamedTuple):
    """Whose an address is (None: a stranger's), looked up when."""

    person_id: PersonId | None
    at_ms: int


class LimiterLookup(NamedTuple):
    """What was looked up: the blocked addresses, whose each address is (None: a stranger's), to which address
    the letter of a token went, when the database was restored (0: never), from which addresses what came is
    theirs by their mail server's word, and by the key of what tells of it which letter of ours came back.
    """

    blocked: frozenset[tuple[str, str]]
    senders: dict[tuple[str, str], PersonId | None]
    answers: dict[str, str]
    restored_ms: int = 0
    checked: frozenset[tuple[str, str]] = frozenset()
    returned: Mapping[str, str] = {}


class DroppedMessages(NamedTuple):
    """What was not acted upon of somebody's, the last of it, and a few words of the first."""

    last: Inbound
    person_id: PersonId | None
    missed: int
    quotes: list[str]


class RateLimiter:
    """One for each reception; not for several threads."""

    def __init__(self, settings: ServiceSettings) -> None:
        self._settings = settings
        self._blocked: frozenset[tuple[str, str]] = frozenset()
        self._senders: dict[tuple[str, str], AddressOwner] = {}
        self._accounts: dict[tuple[str, str], SenderQuota] = {}
        self._closed: dict[tuple[str, str], SenderQuota] = {}
        self._newcomers: dict[tuple[str, bool, str], TokenBucket] = {}  # channel, checked, server ("": all)
        self._turned_away = self._told_ms = 0
        self._restored_ms = 0
        self._told_old: set[tuple[str, str]] = set()
        self._answers: dict[str, str] = {}  # a mail's token -> the address to which its letter went
        self._returned: Mapping[str, str] = {}  # of what was looked up last
        self.unaddressed = UnaddressedLimiter()
        #: when the list of blocked addresses was read; None: not yet
        self.read_ms: int | None = None

    def strangers(self, batch: Sequence[Inbound], now_ms: int) -> list[Inbound]:
        """What must be looked up: whose an address is, what a mail answers.

        On the usual way there is nothing.
        """
        if not self._settings.messages_per_minute:
            return []
        return [
            one
            for one in batch
            if one.what is What.BOUNCED
            or (
                _counts(one)
                and (self._unknown(one, now_ms) or (one.token and one.token not in self._answers))
            )
        ]

    def learn(self, found: LimiterLookup, now_ms: int) -> None:
        """What `look_up` found."""
        self._blocked, self._restored_ms, self.read_ms = found.blocked, found.restored_ms, now_ms
        self._returned = found.returned
        # never all at once: who is in the batch that is weighed next was not looked up again, and would be
        # turned away as a newcomer
        _halve(self._senders, len(found.senders))
        _halve(self._answers, len(found.answers))
        if len(self._accounts) > _ROOM:
            self._accounts = dict(self._closed)
        self._answers |= {token: address for token, address in found.answers.items() if len(token) <= _TOKEN}
        for where, person_id in found.senders.items():
            # else `weigh` turns them away
            if (
                person_id is not None
                or where in self._senders
                or self._room_for_one(*where, where in found.checked, now_ms)
            ):
                self._senders.pop(where, None)  # the one that was looked up last stands last
                self._senders[where] = AddressOwner(person_id, now_ms)

    def _room_for_one(self, channel: str, address: str, checked: bool, now_ms: int) -> bool:
        """Whether another unknown sender may turn up in a channel: a crowd in one keeps nobody out of the
        others, nor a crowd of one server's users those of others, nor one of mails that anybody may have
        written those whose servers vouch for them (`checked`).
        """
        most = self._settings.newcomers_per_hour
        if not most:
            return True
        if len(self._newcomers) > _ROOM:
            self._newcomers.clear()
        domain = (
            address.rpartition("@")[2] if channel == "mail" else address.partition(":")[2].partition(":")[0]
        )
        server = strangers.registered(domain[-_DOMAIN:])
        limits = [((channel, checked, server), max(1, most // 2)), ((channel, checked, ""), most)]
        return all(
            self._newcomers.setdefault(name, TokenBucket(size, _HOUR_MS, size, now_ms)).take(now_ms)
            for name, size in (limits if server else limits[1:])
        )

    def _unknown(self, one: Inbound, now_ms: int) -> bool:
        sender = self._senders.get((one.channel, one.address))
        return sender is None or not 0 <= now_ms - sender.at_ms <= (
            _STRANGE_MS if sender.person_id is None else _KNOWN_MS
        )

    def weigh(self, one: Inbound, now_ms: int) -> LimiterVerdict | None:
        """None: it is let through.  Of what is refused so much is kept; who is told finds it in the inbox."""
        found = self._weighed(one, now_ms)
        if found is None or found.tell or not found.keep or self.unaddressed.keeps(one.channel, now_ms):
            return found
        return found._replace(keep=False)

    def _weighed(self, one: Inbound, now_ms: int) -> LimiterVerdict | None:
        if self._blocked and one.what in _SPOKEN and self._shut(one.channel, one.address.casefold()):
            return LimiterVerdict(BLOCKED)
        if (
            0 < one.at_ms < self._restored_ms
            and one.what in _SPOKEN
            and now_ms - self._restored_ms < _LATE_MS
        ):
            return self._old(one)
        if not self._settings.messages_per_minute:
            return None
        if not _counts(one):
            return self._unaddressed(one, now_ms)
        sender = self._senders.get((one.channel, one.address))
        # a crowd of forged mails keeps nobody out who answers a letter
        if sender is None and by_mail(one) and self._proven(one):
            sender = AddressOwner(None, now_ms)
        if sender is None:
            self._turned_away += 1
            return LimiterVerdict(NEWCOMERS)
        if one.what is What.REACHABLE:
            return self._unaddressed(one, now_ms)
        where, strange = self._whose(one, sender)
        account = self._accounts.get(where)
        if account is None:
            account = self._accounts[where] = SenderQuota(
                self._buckets(now_ms, strange=strange), None if strange else sender.person_id
            )
        if _closed(account, now_ms):
            return self._left_out(account, one)
        if _take(account, one, now_ms):
            return None
        return self._close(where, account, one, now_ms, strange=strange)

    def _unaddressed(self, one: Inbound, now_ms: int) -> LimiterVerdict | None:
        """`weigh` for what is said to nobody here."""
        letter = self._returned.get(one.key, "")
        heard = one.channel in outbox.UNCOUNTED or self.unaddressed.fits(one, now_ms, letter)
        return None if heard else LimiterVerdict(UNADDRESSED, keep=False)

    def _close(
        self, where: tuple[str, str], account: SenderQuota, one: Inbound, now_ms: int, *, strange: bool
    ) -> LimiterVerdict:
        """Listen to nothing more of theirs until every bucket is a quarter full again."""
        waits = [
            round(bucket.span_ms * (1 / _REOPEN - bucket.left / bucket.most))
            for bucket in account.buckets
            if bucket.left < 1
        ]
        account.until_ms = now_ms + max([*waits, 1000])
        self._closed[where] = account
        # no letter to an address that never wrote: anybody may have written that
        backscatter = strange and by_mail(one)
        minutes = max(1, -(-(account.until_ms - now_ms) // _MINUTE_MS))
        return self._left_out(account, one)._replace(tell=not backscatter, minutes=minutes)

    def _proven(self, one: Inbound) -> bool:
        """Whether it is from whom it says: chat servers vouch for that, a mail answers a letter to that very
        address.
        """
        return not by_mail(one) or self._answers.get(one.token) == one.address.casefold()

    def _whose(self, one: Inbound, sender: AddressOwner) -> tuple[tuple[str, str], bool]:
        """Under whose name it is counted, and whether that is a stranger's.

        A stranger who answers a letter is counted apart from mails that anybody may have written.
        """
        if sender.person_id is not None and self._proven(one):
            return ("person", str(sender.person_id)), False
        answers = by_mail(one) and self._proven(one)
        return ("answers" if answers else one.channel, one.address), True

    def spent(self, one: Inbound, milliseconds: float, now_ms: int) -> None:
        """A message that was let through was handled, and cost so much of the processor's time."""
        sender = self._senders.get((one.channel, one.address))
        account = None if sender is None else self._accounts.get(self._whose(one, sender)[0])
        for bucket in () if account is None else account.buckets:
            if bucket.unit == MILLISECONDS:
                bucket.take(now_ms, milliseconds)

    def _old(self, one: Inbound) -> LimiterVerdict:
        """Somebody wrote it to a database that is no more: they know of moves that this one does not.

        Told once; by mail only somebody who is known.
        """
        where = (one.channel, one.address)
        sender = self._senders.get(where)
        person_id = None if sender is None else sender.person_id
        tell = (
            _counts(one)
            and where not in self._told_old
            and len(self._told_old) < _ROOM
            and (person_id is not None or not by_mail(one))
        )
        if len(self._told_old) < _ROOM:
            self._told_old.add(where)
        return LimiterVerdict(
            OLD, tell=tell, person_id=person_id, quote=_begins(one) if self._proven(one) else ""
        )

    def reopened(self, now_ms: int) -> list[DroppedMessages]:
        """Those who may write again, and what was left out; once each."""
        found = []
        for where in [one for one, account in self._closed.items() if not _closed(account, now_ms)]:
            account = self._closed.pop(where)
            if account.last is not None:
                found.append(DroppedMessages(account.last, account.person_id, account.missed, account.quotes))
            account.until_ms, account.missed, account.quotes, account.last = 0, 0, [], None
        return found

    def turned_away(self, now_ms: int) -> int:
        """How many messages of unknown senders were refused since this was last told; at most once an hour, 0
        between.
        """
        if not self._turned_away or 0 <= now_ms - self._told_ms < _HOUR_MS:
            return 0
        count, self._turned_away, self._told_ms = self._turned_away, 0, now_ms
        return count

    def _left_out(self, account: SenderQuota, one: Inbound) -> LimiterVerdict:
        account.missed += 1
        before = account.last
        if before is None or before.place or not one.place:  # of private words nothing is told in a room
            if before is not None and one.place and before.place != one.place:
                account.quotes.clear()  # nor in one room of what was said in another
            facts = {"auth": one.facts["auth"]} if "auth" in one.facts else {}
            account.last = replace(one, text="", facts=facts)  # who and where, no more
        quote = _begins(one) if self._proven(one) else ""
        if len(account.quotes) < _QUOTES and quote:
            account.quotes.append(quote)
        return LimiterVerdict(TOO_MANY, person_id=account.person_id, quote=quote)

    def _buckets(self, now_ms: int, *, strange: bool) -> list[TokenBucket]:
        found, limits = [], self._settings
        for unit, most, span_ms in (
            (MESSAGES, limits.messages_per_minute, _MINUTE_MS),
            (MESSAGES, limits.messages_per_hour, _HOUR_MS),
            (BYTES, limits.kilobytes_per_minute * 1000, _MINUTE_MS),
            (BYTES, limits.kilobytes_per_hour * 1000, _HOUR_MS),
            (MILLISECONDS, limits.processor_ms_per_minute, _MINUTE_MS),
            (MILLISECONDS, limits.processor_ms_per_hour, _HOUR_MS),
        ):
            if most:
                allowed = max(_STRANGERS_LEAST, most // _STRANGERS_SHARE) if strange else most
                found.append(TokenBucket(allowed, span_ms, allowed, now_ms, unit))
        return found

    def _shut(self, channel: str, address: str) -> bool:
        return (channel, address) in self._blocked or (
            channel == "mail" and (channel, "*@" + address.rpartition("@")[2]) in self._blocked
        )


_SPOKEN = (What.MESSAGE, What.BUTTON, What.REACHABLE)


def _halve(known: dict[Any, Any], more: int) -> None:
    """Forget the half that was looked up the longest ago, where that many more find no room."""
    if len(known) + more > _ROOM:
        for one in list(known)[: -(-len(known) // 2)]:
            del known[one]


def _begins(one: Inbound) -> str:
    return " ".join(one.text[: 10 * _QUOTED].split())[:_QUOTED]


def _closed(account: SenderQuota, now_ms: int) -> bool:
    """Whether nothing of theirs is listened to: for longer than ever only where the clock was set back."""
    return 0 < account.until_ms - now_ms <= _LONGEST_MS


def _take(account: SenderQuota, one: Inbound, now_ms: int) -> bool:
    """Whether they may still write that; each of their buckets counts it."""
    costs = {MESSAGES: 1, BYTES: _size(one), MILLISECONDS: 0}
    took = [bucket.take(now_ms, costs[bucket.unit]) for bucket in account.buckets]
    return all(took)


def _size(one: Inbound) -> int:
    """Its words in bytes."""
    return len(one.text.encode(errors="replace")) + len(one.payload)


def by_mail(one: Inbound) -> bool:
    """Whether it came as a mail, which anybody may have written."""
    return bool(one.token) or not one.vouched or bool(one.facts.get("auth"))


def _counts(one: Inbound) -> bool:
    """Whether it is said to the referee: what people say to each other in a room is theirs."""
    if one.what not in _SPOKEN or one.channel in outbox.UNCOUNTED:
        return False
    return (
        one.place is None
        or one.what is What.BUTTON
        or bool(one.facts.get("mentioned"))
        or one.text.lstrip()[:1] in ("/", "!")
    )
