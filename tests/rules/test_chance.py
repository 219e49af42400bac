"""Chance can be computed again by anybody who has the seed and the page of its definition."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter

import pytest

from referee.rules import chance


def test_the_definition_done_by_hand() -> None:
    block = hmac.new(b"seed", b"characters/3#0", hashlib.sha256).digest()
    rest = int.from_bytes(block, "big")
    pile = list("abcdefgh")
    for last in range(7, 0, -1):
        rest, place = divmod(rest, last + 1)
        pile[last], pile[place] = pile[place], pile[last]
    assert chance.shuffled(b"seed", "abcdefgh", "characters", 3) == pile


def test_a_long_shuffle_takes_as_many_blocks_as_it_needs() -> None:
    blocks = [hmac.new(b"seed", f"deck#{k}".encode(), hashlib.sha256).digest() for k in (0, 1)]
    assert chance.number(b"seed", 390, "deck") == int.from_bytes(b"".join(blocks), "big")
    assert sorted(chance.shuffled(b"seed", range(68), "deck")) == list(range(68))


def test_purposes_do_not_disturb_each_other() -> None:
    assert chance.shuffled(b"s", range(30), "deck") == chance.shuffled(b"s", range(30), "deck")
    drawn = {chance.number(b"s", 64, *p) for p in (("a",), ("b",), ("a", 1), ("a", 2), ("a1",))}
    assert len(drawn) == 5


def test_every_place_is_as_likely() -> None:
    firsts = Counter(chance.shuffled(chance.counted(n), range(8), "x")[0] for n in range(4000))
    assert set(firsts) == set(range(8))
    assert max(abs(n - 500) for n in firsts.values()) < 100
    assert {chance.below(chance.counted(n), 7, "crown") for n in range(100)} == set(range(7))


def test_the_hash_binds_and_words_stir() -> None:
    assert chance.commit(b"abc") == hashlib.sha256(b"abc").hexdigest()
    assert chance.mix(b"abc", ()) == chance.mix(b"abc", ("", "")) == b"abc"
    stirred = [chance.mix(b"abc", words) for words in (("ab", "c"), ("a", "bc"), ("", "abc"), ("c", "ab"))]
    assert len(set(stirred)) == 4
    assert all(len(seed) == 32 for seed in stirred)


@pytest.mark.parametrize("length", [0, 1, 32, 63, 64, 65, 200])
def test_a_block_is_an_hmac_whatever_the_seed_s_length(length: int) -> None:
    seed = bytes(range(length))
    block = hmac.digest(seed, b"deck/7#0", "sha256")
    assert chance.number(seed, 256, "deck", 7).to_bytes(32, "big") == block
