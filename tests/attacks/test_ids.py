"""Attack D1: reading the numbers in one's own letters.

Whatever names a letter outside the house (Message-ID, envelope sender, reply address, Matrix transaction,
button, link) must tell neither how many letters were written in between nor which was first: else it shows
who has filed a plan and when a nameless word was written.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import itertools
import random
import re
from email import message_from_bytes
from pathlib import Path

import pytest

from adapters.mail.composing import compose
from adapters.mail.settings import Settings
from adapters.matrix.writing import transaction
from referee.ports import Fate, Letter, Receipt
from referee.service.core import tokens
from referee.service.core.unit_of_work import StateCache
from referee.service.web.site.page_cache import PageContext
from referee.service.web.site.table import table_page_facts
from referee.store import Game, GameEvent, Meta, Outbox, Tx
from tests.service.playing import FLAT, asked, greet, legal, running, table, to_the_end
from tests.service.rig import House

PEOPLE = ["telegram:ana", "matrix:@bea:hs", "mail:cy@x.test", "terminal:dan"]
NAME = re.compile(r"[a-z2-7]{26}")
KEY = b"k" * 32


async def housed(path: Path) -> House:
    house = await House(path / "r.db", base_url="https://play.test").open()
    house.store.write_now(lambda tx: tx.set(Meta, "secret", value=KEY.hex()))
    house.referee.outbox_worker._key = KEY
    return house


def names(letter: Letter) -> list[str]:
    """Every name that goes out with a letter."""
    links = [
        str(letter.facts[name]).rpartition("/")[2] for name in ("unsubscribe",) if letter.facts.get(name)
    ]
    return [letter.id, letter.token, *links, *(b.key for row in letter.buttons for b in row if b.key)]


def ordered(found: list[int]) -> float:
    """How often the later one of two is the greater: 0.5 for what has no order, 1 for what counts."""
    pairs = list(itertools.combinations(found, 2))
    return sum(a < b for a, b in pairs) / len(pairs)


async def test_no_name_that_leaves_counts_anything(tmp_path: Path) -> None:
    house = await housed(tmp_path)
    try:
        game = await table(house, PEOPLE)
        await to_the_end(house, game, PEOPLE, most=3000)
        for who in PEOPLE:
            letters = house.letters(who)
            for kind in ("id", "token"):
                found = [getattr(letter, kind) for letter in letters]
                assert len(set(found)) == len(found) >= 30
                assert all(NAME.fullmatch(one) for one in found), [
                    one for one in found if not NAME.fullmatch(one)
                ][:3]
                assert (
                    0.35
                    < ordered([int.from_bytes(base64.b32decode(one.upper() + "======")) for one in found])
                    < 0.65
                )
                # nothing in common beyond chance: a number in clear would be the same zeros in front, or
                # behind
                assert len({one[:2] for one in found}) > len(found) / 3
                assert len({one[-4:-1] for one in found}) > len(found) / 3
            everything = [one for letter in letters for one in names(letter)]
            assert all(NAME.fullmatch(one) for one in everything)
            assert len(everything) == len(set(everything))
    finally:
        await house.close()


def test_a_mail_carries_no_number_of_the_house() -> None:
    settings = Settings(
        address="referee@play.test", display_name="Referee", smtp_host="localhost", imap_host="localhost"
    )
    sizes = set()
    for row in (71, 72, 123_456_789):
        letter = Letter(
            id=tokens.wire(KEY, row),
            channel="mail",
            address="cy@x.test",
            subject="#3",
            text="Hello.",
            token=tokens.token(KEY, row),
            ref="g3",
        )
        parcel = compose(letter, "cy@x.test", settings, 0)
        mail = message_from_bytes(parcel.data)
        shown = "\n".join([parcel.sender, *(f"{name}: {value}" for name, value in mail.items())])
        assert re.fullmatch(r"<[a-z2-7]{26}\.[a-z2-7]{26}@play\.test>", mail["Message-ID"])
        assert not re.search(rf"\b{row}\b", shown), shown
        sizes.add(len(parcel.data))
        assert transaction(letter) == transaction(letter)
    assert len(sizes) == 1


@pytest.mark.parametrize("row", [1, 2, 2**39, 2**48 - 1])
def test_each_name_serves_one_purpose_and_none_can_be_made(row: int) -> None:
    made = {
        "reply": tokens.token(KEY, row),
        "wire": tokens.wire(KEY, row),
        "stop": tokens.unsubscribe(KEY, row),
        "button": tokens.button(KEY, row, 0),
    }
    assert len(set(made.values())) == 4
    read = {
        "reply": tokens.letter_of,
        "wire": tokens.wire_of,
        "stop": tokens.unsubscribing,
        "button": tokens.button_of,
    }
    for name, purpose in itertools.product(made, read):
        assert (read[purpose](KEY, made[name]) is not None) == (name == purpose), (
            f"{name} taken for {purpose}"
        )
        assert read[purpose](b"another house", made[name]) is None
    raw = base64.b32decode(made["reply"].upper() + "======")
    for bit in range(128):
        forged = (int.from_bytes(raw) ^ (1 << bit)).to_bytes(16)
        assert tokens.letter_of(KEY, base64.b32encode(forged).decode().rstrip("=").lower()) is None
    assert tokens.button_of(KEY, tokens.button(KEY, row, 65_535)) == (row, 65_535)
    assert tokens.letter_of(KEY, f"  {made['reply'].upper()}\n") == row, "mail programs change the case"


def test_what_is_no_name_is_read_without_a_fault() -> None:
    dice = random.Random(5)
    for n in range(3000):
        text = "".join(
            dice.choice("abcxyz234567=-. é\x00٣")
            for _ in range(dice.choice([0, 1, 23, 24, 25, 26, 27, 40, 10_000 if n % 500 == 0 else 3]))
        )
        for read in (tokens.letter_of, tokens.wire_of, tokens.unsubscribing, tokens.button_of):
            assert read(KEY, text) is None


def test_names_of_letters_that_were_sent_before_are_still_read() -> None:
    """What version 0.1 made: the number in clear, and ten bytes of a signature."""

    def old(purpose: bytes, row: int) -> str:
        number = row.to_bytes(5, "big")
        return (
            base64.b32encode(number + hmac.digest(KEY, purpose + number, hashlib.sha256)[:10])
            .decode()
            .lower()
        )

    for row in (1, 77, 2**39):
        assert tokens.letter_of(KEY, old(b"letter", row)) == row
        assert tokens.button_of(KEY, old(b"letter", row) + "-12") == (row, 12)
        assert tokens.unsubscribing(KEY, old(b"unsubscribe", row)) == row
        assert tokens.letter_of(KEY, old(b"unsubscribe", row)) is None
        assert tokens.letter_of(b"another house", old(b"letter", row)) is None


@pytest.mark.parametrize("who", ["matrix:@bea:hs", "mail:cy@x.test"])
async def test_a_letter_sent_again_has_the_same_names(tmp_path: Path, who: str) -> None:
    house = await housed(tmp_path)
    try:
        people = ["telegram:ana", who]
        await greet(house, who)
        game = await table(house, people, hours=FLAT)
        wire = house.wires[who.partition(":")[0]]
        before = len(wire.sent)
        wire.fate = lambda letter: Receipt(Fate.UNKNOWN)
        while asked(house, game) == 0 or len(wire.sent) == before:
            await house.say(people[asked(house, game)], legal(house, game)[0])
        for _ in range(3):
            house.clock.pass_(seconds=30)
            await house.settle()
        again = [
            letter for letter in wire.sent[before:] if house.number(letter) == house.number(wire.sent[before])
        ]
        assert len(again) >= 3
        assert len({(letter.id, letter.token, transaction(letter)) for letter in again}) == 1
        number = house.number(again[0])
        assert house.store.read_now(lambda tx: tx.get(Outbox, number)) is not None
    finally:
        await house.close()


async def test_a_page_counts_no_event_that_was_for_another_seat(tmp_path: Path) -> None:
    """Pages had the number of the table's last event in the addresses of their pictures, events for single
    seats counted with it.
    """
    house = await housed(tmp_path)
    try:
        game = await table(house, PEOPLE)
        for _ in range(14):
            await house.say(PEOPLE[asked(house, game)], legal(house, game)[0])
        states = StateCache(4)

        def page() -> dict[str, object]:
            look = house.store.read_now(
                lambda tx: table_page_facts(
                    PageContext(
                        tx,
                        house.clock(),
                        house.referee.outbox_worker._words,
                        "en",
                        states,
                        house.settings,
                        "",
                    ),
                    {"game": str(game), "key": ""},
                )
            )
            assert look is not None
            return look

        before = page()
        number = running(house, game).event_no

        def secretly(tx: Tx) -> None:
            for n in range(1, 31):
                tx.add(
                    GameEvent,
                    game_id=game,
                    no=number + n,
                    to_seat=2,
                    name="drew",
                    facts="{}",
                    at_ms=house.clock(),
                )
            tx.set(Game, game, event_no=number + 30)

        house.store.write_now(secretly)
        after = page()
        assert before["latest"]
        assert {name: (was, after[name]) for name, was in before.items() if after[name] != was} == {}
    finally:
        await house.close()
