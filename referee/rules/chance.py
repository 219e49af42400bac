"""Chance that anybody can check afterwards.

Before the first card is dealt the table publishes ``commit(seed)``.  Players may add
words while they gather; ``mix`` stirs them into the seed that the game then uses.  When
the game is over the seed is shown, and every shuffle can be computed again.

A number depends on the seed and on its purpose only ("deck"; "characters", round 3),
never on how many numbers were drawn before: one more draw in one card moves nothing else.

Definition.  Block ``k`` of a purpose is ``HMAC-SHA-256(key=seed, msg=p1/p2/…#k)``, the
purpose's words and numbers joined by "/" in UTF-8.  The blocks 0, 1, … are read as one
big-endian number of at least 64 bits more than the choice needs, so that no outcome is
favoured by more than one part in 2**64.  A shuffle of n things takes ``divmod(number, n)``,
``divmod(rest, n - 1)`` … and swaps the last, the last but one … with the remainder's place.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import factorial
from typing import Any, TypeVar

T = TypeVar("T")
#: HMAC's own: bytes that one block of SHA-256 takes, and what its two halves stir into the key
BLOCK = 64
INNER, OUTER = bytes([byte ^ 0x36 for byte in range(256)]), bytes([byte ^ 0x5C for byte in range(256)])


def commit(seed: bytes) -> str:
    """The hash to publish before the game: SHA-256 of the seed, in hex."""
    return hashlib.sha256(seed).hexdigest()


def counted(number: int) -> bytes:
    """A seed for tests and drawn positions, from a plain number.  Anybody can guess it."""
    return hashlib.sha256(f"counted seed {number}".encode()).digest()


def mix(seed: bytes, words: Sequence[str]) -> bytes:
    """The seed of the game: the secret one with the players' words, in seat order.

    Each word is preceded by its length in bytes (four, big-endian), so that no two
    different lists of words are the same message.  Without words the seed stays as it is.
    """
    if not any(words):
        return seed
    spoken = b"".join(len(raw).to_bytes(4, "big") + raw for raw in (w.encode() for w in words))
    return hmac.digest(seed, b"words:" + spoken, "sha256")


def number(seed: bytes, bits: int, *purpose: str | int) -> int:
    """A whole number of at least `bits` bits, the same for ever for this seed and purpose."""
    return _number(seed, bits, _label(purpose))


def _label(purpose: tuple[str | int, ...]) -> str:
    return "/".join([str(word) for word in purpose])


def _number(seed: bytes, bits: int, label: str) -> int:
    raw = _block(seed, f"{label}#0".encode())
    for k in range(1, (bits + 255) // 256):
        raw += _block(seed, f"{label}#{k}".encode())
    return int.from_bytes(raw, "big")


def _block(seed: bytes, message: bytes) -> bytes:
    """HMAC-SHA-256, at a third of the cost of `hmac.digest`: what depends on the seed alone is kept."""
    begun, ending = _keyed(seed)
    inner, outer = begun.copy(), ending.copy()
    inner.update(message)
    outer.update(inner.digest())
    digest: bytes = outer.digest()
    return digest


@lru_cache(maxsize=64)
def _keyed(seed: bytes) -> tuple[Any, Any]:
    """Both halves of HMAC with that key, before any message."""
    key = hashlib.sha256(seed).digest() if len(seed) > BLOCK else seed
    key = key.ljust(BLOCK, b"\0")
    return hashlib.sha256(key.translate(INNER)), hashlib.sha256(key.translate(OUTER))


def below(seed: bytes, limit: int, *purpose: str | int) -> int:
    """A number from 0 to `limit` - 1."""
    return _number(seed, limit.bit_length() + 64, _label(purpose)) % limit


@lru_cache(maxsize=256)
def _orders(count: int) -> tuple[int, int]:
    """The number of orders of `count` things, and of the bits that a choice among them takes."""
    orders = factorial(count)
    return orders, orders.bit_length() + 64


def shuffled(seed: bytes, items: Iterable[T], *purpose: str | int) -> list[T]:
    """The items in an order decided by seed and purpose."""
    pile = list(items)
    orders, bits = _orders(len(pile))
    rest = _number(seed, bits, _label(purpose)) % orders  # the remainders stay the same, the number is short
    for left in range(len(pile), 1, -1):
        rest, place = divmod(rest, left)
        pile[left - 1], pile[place] = pile[place], pile[left - 1]
    return pile
