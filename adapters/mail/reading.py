"""From the bytes of a mail to an `Inbound`: pure, and never raises for what a mail may hold."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from email.message import Message
from typing import Any

from referee.ports import Inbound, What

from . import automatic_mail
from .addresses import PLAIN_ADDRESS, Addresses, AddressTag, in_ascii
from .answer import answer
from .authenticity import checked, vouched_by
from .body import LONGEST, attachments, body_text
from .envelope import field, fields, people, wanted_languages, wire_ids, words
from .mime import parsed

log = logging.getLogger(__name__)
#: what a mail to the address of an unsubscribe button says, whatever stands in it
UNSUBSCRIBE = "unsubscribe"
#: where the address a mail was delivered to is found, the most reliable first
_DELIVERED = ("Delivered-To", "X-Original-To", "Envelope-To", "X-Envelope-To", "To", "Cc")


@dataclass(frozen=True, slots=True)
class Delivery:
    """How a mail came.  `size` in bytes; `whole` is False when only its header was taken because it is too
    large; `recipients` are the envelope's, if known; `ref` says where it can be had again ("" nowhere)."""

    raw: bytes
    at_ms: int
    size: int
    whole: bool = True
    recipients: tuple[str, ...] = ()
    ref: str = ""


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads mails for one mailbox."""

    addresses: Addresses
    authserv_id: str = ""
    channel: str = "mail"

    def read(self, delivery: Delivery) -> Inbound:
        """One mail."""
        try:
            return self._read(delivery)
        except Exception as broken:  # a mail nobody foresaw must not stop those behind it: it is parked
            log.warning("unreadable mail of %d bytes: %s", delivery.size, type(broken).__name__)
            return Inbound(
                self.channel,
                "raw:" + hashlib.sha256(delivery.raw).hexdigest(),
                "",
                what=What.AUTO_REPLY,
                vouched=False,
                at_ms=delivery.at_ms,
                facts={"malformed": "unreadable", "why": type(broken).__name__},
            )

    def _read(self, delivery: Delivery) -> Inbound:
        mail = parsed(delivery.raw)
        tags = self._tags(mail, delivery.recipients)
        senders = people(mail, "From")
        name, address = senders[0] if len(senders) == 1 else ("", "")
        address = in_ascii(address)
        what, facts = What.MESSAGE, dict[str, Any]()
        back = automatic_mail.bounce(mail, tags, self.addresses)
        machine = automatic_mail.why_automatic(mail, self.addresses, tags)
        if back is not None:
            what, facts = What.BOUNCED, {k: v for k, v in back.items() if k != "token"}
        elif machine:
            what, facts = What.AUTO_REPLY, {"machine": machine}
        elif len(senders) != 1 or len(fields(mail, "From")) != 1 or not PLAIN_ADDRESS.fullmatch(address):
            # nobody who could be known, or answered
            what, facts, name, address = What.AUTO_REPLY, {"malformed": "from"}, "", ""
        stop = next((tag for tag in tags if tag.stop), None)
        if stop is not None and what is What.AUTO_REPLY and address:
            what, facts = What.MESSAGE, {}  # some mail programs press their button as a machine would
        auth = vouched_by(mail, address, self.authserv_id)
        if auth:
            facts["auth"] = auth
        if sender := checked(mail, address, self.authserv_id):
            facts["sender"] = sender
        facts["subject"] = words(field(mail, "Subject"))
        text = ""
        if stop is not None and what is What.MESSAGE:
            text = UNSUBSCRIBE
        elif not delivery.whole:
            facts["too_large"] = delivery.size
        elif what is not What.BOUNCED:
            text = self._answer(mail, name, facts)
            if count := attachments(mail):
                facts["attachments"] = count
            if not text:
                facts["empty"] = True
        answered = wire_ids(field(mail, "In-Reply-To")) or wire_ids(field(mail, "References"))[-1:]
        return Inbound(
            self.channel,
            _key(mail, delivery),
            address,
            what=what,
            text=text,
            thread=answered[0] if answered else "",
            message_id=next(iter(wire_ids(field(mail, "Message-ID"))), ""),
            token=back["token"]
            if back
            else stop.token
            if stop is not None
            else next((tag.token for tag in tags if tag.token), ""),
            name=name,
            language=wanted_languages(mail),
            vouched=bool(auth),
            at_ms=delivery.at_ms,
            facts=facts,
        )

    def _answer(self, mail: Message, name: str, facts: dict[str, Any]) -> str:
        """The person's words; what of them was left is put among the facts."""
        ours = [self.addresses.mailbox.lower()]
        ours += [who.lower() for who, one in people(mail, "To") if who and self.addresses.is_ours(one)]
        found = answer(body_text(mail)[:LONGEST], ours, _called(name))
        facts |= {key: said for key, said in (("left", found.left), ("behind", found.behind)) if said}
        return found.words

    def _tags(self, mail: Message, recipients: Sequence[str]) -> list[AddressTag]:
        """What came back with the mail, the most reliable first: envelope, delivery fields, To and Cc, and
        the Message-IDs it answers."""
        found = [self.addresses.tag_of(one) for one in recipients]
        for name in _DELIVERED:
            found += [self.addresses.tag_of(one) for _, one in people(mail, name)]
        for name in ("In-Reply-To", "References"):
            found += [self.addresses.tag_of_message_id(one) for one in reversed(wire_ids(field(mail, name)))]
        return [tag for tag in found if tag is not None]


def _called(name: str) -> list[str]:
    """What somebody of that name signs with."""
    parts = name.replace(",", " ").split()
    return [name, *parts, *([f"{parts[0]} {parts[-1][0]}"] if len(parts) > 1 else [])] if name else []


def _key(mail: Message, delivery: Delivery) -> str:
    """The same mail fetched or delivered twice has the same key, whatever was written above it on the way."""
    wire_id = next(iter(wire_ids(field(mail, "Message-ID"))), "")
    head, _, body = delivery.raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    stuff = body.rstrip() if delivery.whole else b"too large"
    if not wire_id:
        own = [field(mail, name) for name in ("From", "To", "Cc", "Date", "Subject", "In-Reply-To")]
        stuff = "\0".join(own).encode() + (stuff if any(own) else head + stuff)
    return f"{wire_id or 'no-id'}:{hashlib.sha256(stuff).hexdigest()[:32]}"
