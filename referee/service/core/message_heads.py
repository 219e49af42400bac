"""What is kept of a message that nobody will act upon: its head, how long it was, and a hash of the whole.

A refused message moves nothing, and the person who sends such messages must not fill the disk with them. One
that is no longer than a head is kept as it is, and can still be put back; of a longer one the head and the
hash say what it was.
"""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from referee.ports import Inbound

#: so long a message is kept as it is, in bytes of the inbox; and this many signs of a longer one
WHOLE, HEAD = 1024, 200
_NAMED = 40
#: facts of a message that only its head is left of
CUT, HASH = "cut_from", "sha256"


def kept(body: bytes) -> bytes:
    """An inbox row's body (JSON) as it is kept: itself, or at most `WHOLE` bytes of it.

    What can't be read as a message becomes an empty one with the same hash."""
    if len(body) <= WHOLE:
        return body
    facts: dict[str, Any] = {CUT: len(body), HASH: hashlib.sha256(body).hexdigest()}
    try:
        one = msgspec.json.decode(body, type=Inbound)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return msgspec.json.encode(Inbound("", "", "", facts=facts))
    signs = HEAD
    while True:  # a sign may be one byte, four, or six where JSON escapes it
        head = msgspec.json.encode(
            Inbound(
                one.channel[:_NAMED],
                one.key[:signs],
                one.address[:signs],
                one.what,
                text=one.text[:signs],
                vouched=one.vouched,
                at_ms=one.at_ms,
                place=None if one.place is None else one.place[:signs],
                facts=facts,
            )
        )
        if len(head) <= WHOLE:
            return head
        signs //= 2


def is_cut(body: bytes) -> bool:
    """Whether only the head of a message is left, or not even that: its words were forgotten, or the one who
    wrote it deleted their account.

    A message itself can't say so: no wire brings these facts, nor a message from nowhere.
    """
    if len(body) > WHOLE:
        return False
    try:
        came = msgspec.json.decode(body, type=Inbound)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False
    return not came.address or (CUT in came.facts and HASH in came.facts)
