"""What leaves the installation with a letter and may come back with an answer: names of outbox rows that only
the installation can read.

A name is the row's number, an option's number and eight zero bytes, enciphered as one block of AES-256 under
a key of its own for each purpose, in base32 without capitals, so that mail programs may change its case.
Anyone who holds names learns neither how many letters were written between them nor which came first; none
can be made without the installation's secret (the zero bytes tell), and none made for one purpose serves
another. The same row always has the same names, so that a letter sent again is known as the same.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import secrets
from functools import lru_cache

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from referee.ids import LetterId
from referee.store import Meta, Tx

_MAC_BYTES = 10
_ZEROS = bytes(8)
_BLOCK = 16
_REPLY, _BUTTON, _STOP, _WIRE = b"reply", b"button", b"unsubscribe", b"wire"


def secret(tx: Tx) -> bytes:
    """The secret of this installation, made when it is first asked for."""
    row = tx.get(Meta, "secret")
    if row is not None:
        return bytes.fromhex(row.value)
    fresh = secrets.token_bytes(32)
    tx.put(Meta, name="secret", value=fresh.hex())
    return fresh


def known(tx: Tx) -> bytes:
    """The same where nothing may be written: before it was ever asked for, one by which nobody can have
    signed anything.
    """
    row = tx.get(Meta, "secret")
    return secrets.token_bytes(32) if row is None else bytes.fromhex(row.value)


def token(key: bytes, letter: LetterId) -> str:
    """What an answer to outbox row `letter` brings back, 26 characters of ``[a-z2-7]``."""
    return _enciphered(key, _REPLY, letter)


def letter_of(key: bytes, text: str) -> LetterId | None:
    """The outbox row that a reply token names, or None for anything we did not make."""
    found = _deciphered(key, _REPLY, text)
    return _signed(key, b"letter", text) if found is None else found[0]


def wire(key: bytes, letter: LetterId) -> str:
    """What a wire knows outbox row `letter` by (`Letter.id`), the same at every retry.

    It is good for no answer: only to say what became of the letter.
    """
    return _enciphered(key, _WIRE, letter)


def wire_of(key: bytes, text: str) -> LetterId | None:
    """The outbox row that a wire speaks of, or None for anything we did not make."""
    found = _deciphered(key, _WIRE, text)
    return None if found is None else found[0]


def unsubscribe(key: bytes, letter: LetterId) -> str:
    """What stands in the link that ends letters like outbox row `letter`: it can do nothing else, so it may
    stand in an address.
    """
    return _enciphered(key, _STOP, letter)


def unsubscribing(key: bytes, text: str) -> LetterId | None:
    """The outbox row of such a link, or None for anything we did not make."""
    found = _deciphered(key, _STOP, text)
    return _signed(key, b"unsubscribe", text) if found is None else found[0]


def button(key: bytes, letter: LetterId, option: int) -> str:
    """The opaque key of the `option`-th button of outbox row `letter`, 26 characters of ``[a-z2-7]``."""
    return _enciphered(key, _BUTTON, letter, option)


def button_of(key: bytes, text: str) -> tuple[LetterId, int] | None:
    """(outbox row, option) of a pressed button, or None for anything we did not make."""
    found = _deciphered(key, _BUTTON, text)
    if found is not None:
        return found
    head, dash, tail = text.partition("-")
    if not dash or not tail.isascii() or not tail.isdigit() or len(tail) > 4:
        return None
    row = _signed(key, b"letter", head)
    return None if row is None else (row, int(tail))


@lru_cache(maxsize=64)
def _cipher(key: bytes, purpose: bytes) -> Cipher[modes.ECB]:
    # one block only ever stands alone here, so there is nothing to chain
    return Cipher(algorithms.AES(hmac.digest(key, b"names " + purpose, hashlib.sha256)), modes.ECB())  # noqa: S305  # a single block


def _enciphered(key: bytes, purpose: bytes, letter: LetterId, option: int = 0) -> str:
    block = letter.to_bytes(6, "big") + option.to_bytes(2, "big") + _ZEROS
    return _written(_cipher(key, purpose).encryptor().update(block))


def _deciphered(key: bytes, purpose: bytes, text: str) -> tuple[LetterId, int] | None:
    raw = _raw(text, _BLOCK)
    if raw is None:
        return None
    block = _cipher(key, purpose).decryptor().update(raw)
    if not hmac.compare_digest(block[8:], _ZEROS):
        return None
    return LetterId(int.from_bytes(block[:6], "big")), int.from_bytes(block[6:8], "big")


def _signed(key: bytes, purpose: bytes, text: str) -> LetterId | None:
    """The row that a name of the older kind tells (the number in clear with a signature over it): it stands
    in letters that were sent before names were enciphered.
    """
    raw = _raw(text, 5 + _MAC_BYTES)
    if raw is None or not hmac.compare_digest(
        hmac.digest(key, purpose + raw[:5], hashlib.sha256)[:_MAC_BYTES], raw[5:]
    ):
        return None
    return LetterId(int.from_bytes(raw[:5], "big"))


def _written(raw: bytes) -> str:
    return base64.b32encode(raw).decode().rstrip("=").lower()


def _raw(text: str, size: int) -> bytes | None:
    """The bytes of a name of that size; None for what is not written as we write it, save for capitals and
    blanks around it.
    """
    name = text.strip().lower()
    if len(name) != (size * 8 + 4) // 5:  # before anything is read: it may be of any length
        return None
    try:
        raw = base64.b32decode(name.upper().encode("ascii") + b"=" * (-len(name) % 8))
    except (binascii.Error, ValueError):
        return None
    return raw if _written(raw) == name else None


def link_code() -> tuple[str, str]:
    """A code that a person can type, and the hash under which it is kept."""
    code = base64.b32encode(secrets.token_bytes(5)).decode()
    return code, code_hash(code)


def code_hash(code: str) -> str:
    """How a link code is stored; capitals and blanks do not matter."""
    return hashlib.sha256(b"link" + code.replace("-", "").replace(" ", "").upper().encode()).hexdigest()
