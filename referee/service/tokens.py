"""What comes back with an answer: the secret that names the letter it answers.

A token is made of the outbox row's number and a signature over it, in base32 without
capitals, so that mail programs may change its case.  A button's key is a token with the option's
number behind it.  Neither says anything about the game, and neither can be made without the
installation's secret.
"""
from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import secrets

from referee.store import Meta, Tx

_MAC_BYTES = 10


def secret(tx: Tx) -> bytes:
    """The secret of this installation, made when it is first asked for."""
    row = tx.get(Meta, "secret")
    if row is not None:
        return bytes.fromhex(row.value)
    fresh = secrets.token_bytes(32)
    tx.put(Meta, name="secret", value=fresh.hex())
    return fresh


def known(tx: Tx) -> bytes:
    """The same where nothing may be written: before it was ever asked for, one by which nobody can have signed anything."""
    row = tx.get(Meta, "secret")
    return secrets.token_bytes(32) if row is None else bytes.fromhex(row.value)


def token(key: bytes, letter: int) -> str:
    """The token of outbox row `letter`, 24 characters of ``[a-z2-7]``."""
    number = letter.to_bytes(5, "big")
    mac = hmac.digest(key, b"letter" + number, hashlib.sha256)[:_MAC_BYTES]
    return base64.b32encode(number + mac).decode().lower()


def letter_of(key: bytes, text: str) -> int | None:
    """The outbox row that a token names, or None for anything we did not sign."""
    try:
        raw = base64.b32decode(text.strip().upper().encode("ascii"))
    except (binascii.Error, ValueError):
        return None
    if len(raw) != 5 + _MAC_BYTES:
        return None
    mac = hmac.digest(key, b"letter" + raw[:5], hashlib.sha256)[:_MAC_BYTES]
    return int.from_bytes(raw[:5], "big") if hmac.compare_digest(mac, raw[5:]) else None


def unsubscribe(key: bytes, letter: int) -> str:
    """What stands in the link that ends letters like outbox row `letter`: it can do nothing else, so it may stand in an address."""
    number = letter.to_bytes(5, "big")
    return base64.b32encode(number + _ending(key, number)).decode().lower()


def unsubscribing(key: bytes, text: str) -> int | None:
    """The outbox row of such a link, or None for anything we did not sign."""
    try:
        raw = base64.b32decode(text.strip().upper().encode("ascii"))
    except (binascii.Error, ValueError):
        return None
    if len(raw) != 5 + _MAC_BYTES or not hmac.compare_digest(_ending(key, raw[:5]), raw[5:]):
        return None
    return int.from_bytes(raw[:5], "big")


def _ending(key: bytes, number: bytes) -> bytes:
    return hmac.digest(key, b"unsubscribe" + number, hashlib.sha256)[:_MAC_BYTES]


def button(key: bytes, letter: int, option: int) -> str:
    """The opaque key of the `option`-th button of outbox row `letter`, at most 40 characters."""
    return f"{token(key, letter)}-{option}"


def button_of(key: bytes, text: str) -> tuple[int, int] | None:
    """(outbox row, option) of a pressed button, or None for anything we did not make."""
    head, dash, tail = text.partition("-")
    if not dash or not tail.isascii() or not tail.isdigit() or len(tail) > 4:
        return None
    row = letter_of(key, head)
    return None if row is None else (row, int(tail))


def link_code() -> tuple[str, str]:
    """A code that a person can type, and the hash under which it is kept."""
    code = base64.b32encode(secrets.token_bytes(5)).decode()
    return code, code_hash(code)


def code_hash(code: str) -> str:
    """How a link code is stored; capitals and blanks do not matter."""
    return hashlib.sha256(b"link" + code.replace("-", "").replace(" ", "").upper().encode()).hexdigest()
