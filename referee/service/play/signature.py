"""The installation's signature under the records of its games (Ed25519).

The key is made from the installation's secret, so a backup holds it and nothing more has to be kept. Anyone
who has the database can sign: the signature says that the installation wrote a record, not that the person
who keeps the installation is honest.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from functools import lru_cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from referee.rules import record
from referee.store import Meta, Tx

#: what public keys begin with where they are shown
_KIND = "ed25519"


def public_key(tx: Tx) -> str:
    """The installation's public key, "ed25519 " and base64; "" where the referee has never run yet."""
    found = _key(tx)
    return "" if found is None else _shown(found)


def fingerprint(key: str) -> str:
    """A public key in few digits, to be compared by eye or read aloud: eight groups of four hexadecimal
    digits.
    """
    digits = hashlib.sha256(base64.b64decode(key.removeprefix(f"{_KIND} "))).hexdigest()
    return " ".join(digits[at : at + 4] for at in range(0, 32, 4))


def signed(tx: Tx, text: str) -> str:
    """A record (`record.write`) with the installation's signature under it; as it is where the referee has
    never run yet.
    """
    key = _key(tx)
    if key is None:
        return text
    closing = record.Closing(text.rstrip().rpartition("head: ")[2])
    return record.signed(text, _shown(key), base64.b64encode(key.sign(closing.message)).decode())


def genuine(closing: record.Closing) -> bool:
    """Whether the signature under a record is that of the key beside it."""
    name, raw = closing.key.removeprefix(f"{_KIND} "), base64.b64decode(closing.signature)
    if (
        base64.b64encode(raw).decode() != closing.signature
        or base64.b64encode(base64.b64decode(name)).decode() != name
    ):
        return False  # the same bytes, written otherwise: not as we write it
    try:
        Ed25519PublicKey.from_public_bytes(base64.b64decode(name)).verify(raw, closing.message)
    except InvalidSignature:
        return False
    return True


def key_given(text: str) -> str | None:
    """A public key as somebody typed it, with or without what it begins with; None for anything else."""
    name = text.strip().removeprefix(_KIND).strip()
    try:
        raw = base64.b64decode(name, validate=True)
    except ValueError:
        return None
    return f"{_KIND} {name}" if len(raw) == 32 else None


def _key(tx: Tx) -> Ed25519PrivateKey | None:
    row = tx.get(Meta, "secret")
    return None if row is None else _made(bytes.fromhex(row.value))


@lru_cache(maxsize=8)
def _made(secret: bytes) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(hmac.digest(secret, b"signs records", hashlib.sha256))


def _shown(key: Ed25519PrivateKey) -> str:
    return f"{_KIND} {base64.b64encode(key.public_key().public_bytes_raw()).decode()}"
