"""Attack D6: a record with another legal order in it, an order left out, another winner.

Whatever is done to a record must be found: by the chain where somebody changed it by hand, by the house's
signature where somebody reckoned the chain anew, by the head that every player got in their last letter.
"""

from __future__ import annotations

import base64
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from typer.testing import CliRunner

from referee.cli.app import app
from referee.rules import Move, Refusal, Setup, asks, chance, legal, new_game, play
from referee.rules.facts import Seat
from referee.rules.flow.table import random_move
from referee.rules.record import RecordError, closed, of_game, read, signed, verify, write
from referee.service.core.unit_of_work import StateCache
from referee.service.play import signature as play_signature
from referee.service.play.records import record_text
from referee.service.web.site.page_cache import PageContext
from referee.service.web.site.table import table_page_facts
from tests.seeds import ALL
from tests.service.playing import asked, table, to_the_end
from tests.service.playing import legal as legal_now
from tests.service.rig import House

SEED = chance.counted(3)
RUN = CliRunner()
OURS, THEIRS = (Ed25519PrivateKey.from_private_bytes(bytes([n]) * 32) for n in (1, 2))


def under(text: str, key: Ed25519PrivateKey) -> str:
    head = verify_head(text)
    public = "ed25519 " + base64.b64encode(key.public_key().public_bytes_raw()).decode()
    return signed(
        text, public, base64.b64encode(key.sign(b"citadels record head " + bytes.fromhex(head))).decode()
    )


def verify_head(text: str) -> str:
    return re.findall(r"^head: ([0-9a-f]{64})$", text, re.MULTILINE)[-1]


@cache
def orders(words: tuple[str, ...] = ("rain", "")) -> tuple[tuple[Seat, Move], ...]:
    state = new_game(Setup("classic", ("Ana", "Bea")), chance.mix(SEED, words)).state
    rng, given = Random(8), []
    while state.stack:
        seat, move = asks(state)[0].seat, random_move(state, rng)
        given.append((seat, move))
        state = play(state, seat, move).state
    return tuple(given)


@cache
def honest() -> str:
    return under(
        write(
            of_game(Setup("classic", ("Ana", "Bea")), SEED, ("rain", ""), orders()),
            ["looked at: all, by root: a bug"],
        ),
        OURS,
    )


def body(text: str) -> list[str]:
    """The lines that the chain is of."""
    lines = text.split("\n")
    return lines[: next(n for n, line in enumerate(lines) if line.startswith("links: "))]


def public(key: Ed25519PrivateKey) -> str:
    return base64.b64encode(key.public_key().public_bytes_raw()).decode()


def told(text: str, path: Path, *given: str) -> tuple[int, str]:
    """What `referee record verify` says of a text."""
    path.write_text(text, encoding="utf-8")
    result = RUN.invoke(app, ["record", "verify", str(path), *given])
    return result.exit_code, result.output


def another_game(at: int) -> str | None:
    """The same game with another legal order at that place, played on to its end by the same orders where
    they are still legal: with its own score and winner, a record that replays without a fault. None where
    there was no other order.
    """
    rng = Random(at)
    state = new_game(Setup("classic", ("Ana", "Bea")), chance.mix(SEED, ("rain", ""))).state
    given: list[tuple[Seat, Move]] = []
    for place, (seat, move) in enumerate(orders()):
        if place >= at or asks(state)[0].seat != seat:
            break
        given.append((seat, move))
        state = play(state, seat, move).state
    others = [move for move in legal(state, asks(state)[0].seat) if move != orders()[at][1]]
    if not others:
        return None
    given.append((asks(state)[0].seat, others[0]))
    state = play(state, *given[-1]).state
    for wanted in orders()[at + 1 :]:
        try:
            state = play(state, *wanted).state
            given.append(wanted)
        except Refusal:
            break
        if not state.stack:
            break
    while state.stack:
        seat, move = asks(state)[0].seat, random_move(state, rng)
        given.append((seat, move))
        state = play(state, seat, move).state
    return write(of_game(Setup("classic", ("Ana", "Bea")), SEED, ("rain", ""), given))


def test_a_file_of_any_size_is_not_read(tmp_path: Path) -> None:
    code, said = told(honest() + "\n" * 4_000_000, tmp_path / "r.txt")
    assert code == 2
    assert "too large for a game record: at most 4000000 bytes" in said


def test_the_honest_record_holds(tmp_path: Path) -> None:
    code, said = told(honest(), tmp_path / "r.txt", "--key", public(OURS), "--head", verify_head(honest()))
    assert code == 0, said
    assert "Signed by the house whose key you gave." in said
    code, said = told(honest(), tmp_path / "r.txt")
    assert code == 0
    assert public(OURS) in said
    assert verify_head(honest()) in said
    assert (
        told(honest().replace("\n", "\r\n"), tmp_path / "r.txt", "--key", f"ed25519 {public(OURS)}")[0] == 0
    ), "mails bring other ends of lines"
    assert (
        told(
            "\n".join(line for line in honest().split("\n") if line),
            tmp_path / "r.txt",
            "--key",
            public(OURS),
        )[0]
        == 0
    ), "and lose empty lines"
    assert write(read(write(read(honest())))) == write(read(honest()))


def test_every_line_left_out_doubled_changed_or_moved_is_found() -> None:
    lines = honest().rstrip("\n").split("\n")
    said = [n for n, line in enumerate(lines) if line.strip() and not line.startswith(("key:", "signature:"))]
    chained = len([n for n in said if n < len(body(honest()))])
    found = 0
    for place, n in enumerate(said):
        wrong = {
            "left out": [*lines[:n], *lines[n + 1 :]],
            "doubled": [*lines[:n], lines[n], *lines[n:]],
            "changed": [*lines[:n], lines[n][:-1] + ("x" if lines[n][-1] != "x" else "y"), *lines[n + 1 :]],
        }
        other = next((m for m in said if m > n and lines[m] != lines[n]), None)
        if other is not None and not (
            lines[n].startswith("links") and lines[other].startswith("links") and lines[n] == lines[other]
        ):
            moved = list(lines)
            moved[n], moved[other] = moved[other], moved[n]
            wrong["moved"] = moved
        for what, text in wrong.items():
            with pytest.raises(RecordError) as error:
                verify("\n".join(text))
            if 0 < place < chained - 1 and what in ("changed", "doubled", "left out"):
                right = n + 1 if what == "changed" else n + 2 if what == "doubled" else said[place + 1]
                assert error.value.line in (right, n + 1), (what, n + 1, error.value)
            found += 1
    assert found > 4 * chained - 10


def test_an_added_line_is_found_and_empty_ones_say_nothing() -> None:
    lines = honest().split("\n")
    for n in range(1, len(lines) - 1):
        for extra in ("# round 1", "# a remark", "Ana: gold", "head: " + "0" * 64):
            with pytest.raises(RecordError):
                verify("\n".join([*lines[:n], extra, *lines[n:]]))
        if n % 40 == 1:
            assert verify("\n".join([*lines[:n], "", *lines[n:]])).replayed


def test_a_record_cut_anywhere_is_found(tmp_path: Path) -> None:
    lines = honest().rstrip("\n").split("\n")
    for n in range(len(lines)):
        text = "\n".join(lines[:n])
        if lines[n - 1].startswith("head: "):  # unsigned, then: whole, and nobody stands for it
            assert told(text, tmp_path / "r.txt", "--key", public(OURS))[0] == 1
            assert "Nobody has signed it" in told(text, tmp_path / "r.txt")[1]
            continue
        with pytest.raises(RecordError):
            verify(text)


def test_another_legal_order_another_winner_with_the_chain_reckoned_anew(tmp_path: Path) -> None:
    """Anyone who reckons the chain anew has no signature of the house."""
    ending = honest()[honest().index("key: ") :]
    winners = set()
    tried = 0
    for at in range(0, len(orders()), 17 if ALL else 51):
        text = another_game(at)
        if text is None:
            continue
        tried += 1
        winners.add(re.search(r"winner: (\w+)", text)[1])
        assert verify(text).replayed, "a legal game: only the signature can tell"
        code, said = told(text, tmp_path / "r.txt", "--key", public(OURS))
        assert (code, "not signed by the house key that you gave, nor by any" in said) == (1, True)
        assert told(text + ending, tmp_path / "r.txt")[0] == 1, "the house's signature of another record"
        theirs = under(text, THEIRS)
        code, said = told(theirs, tmp_path / "r.txt", "--key", public(OURS))
        assert (code, public(THEIRS) in said) == (1, True)
        assert told(theirs, tmp_path / "r.txt", "--head", verify_head(honest()))[0] == 1
        # the honest chain under the other orders: found at the line
        with pytest.raises(RecordError):
            verify("\n".join([*body(text), *honest().split("\n")[len(body(honest())) :]]))
    assert tried >= (7 if ALL else 3)
    assert len(winners) == 2


@pytest.mark.parametrize(
    "change",
    [
        lambda r: replace(r, words=("", "rain")),
        lambda r: replace(r, seed_hash="0" * 64),
        lambda r: replace(r, setup=replace(r.setup, players=("Ana", "Eve"))),
        lambda r: replace(r, entries=r.entries[:-1]),
        lambda r: replace(r, result={**r.result, "winners": [1 - r.result["winners"][0]]}),
        lambda r: replace(r, seed=None),
        lambda r: replace(r, seed=None, result=None, entries=r.entries[:20]),
    ],
)
def test_other_facts_with_the_chain_reckoned_anew(change: object, tmp_path: Path) -> None:
    assert callable(change)
    text = write(change(read(honest())))
    for forged in (text, text + honest()[honest().index("key: ") :], under(text, THEIRS)):
        assert told(forged, tmp_path / "r.txt", "--key", public(OURS))[0] == 1
        assert told(forged, tmp_path / "r.txt", "--head", verify_head(honest()))[0] == 1


def test_every_bit_of_a_signature_counts(tmp_path: Path) -> None:
    head, _, signature = honest().rstrip().rpartition("signature: ")
    raw = base64.b64decode(signature)
    for bit in range(0, 512, 37):
        other = bytearray(raw)
        other[bit // 8] ^= 1 << bit % 8
        assert told(f"{head}signature: {base64.b64encode(other).decode()}\n", tmp_path / "r.txt")[0] == 1
    # the same bytes written with other unused bits
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    twin = signature[:85] + alphabet[alphabet.index(signature[85]) ^ 1] + "=="
    assert base64.b64decode(twin) == raw
    assert told(f"{head}signature: {twin}\n", tmp_path / "r.txt")[0] == 1


def test_a_record_without_a_chain_says_so(tmp_path: Path) -> None:
    """As they were written before; and what somebody makes of a new one who takes its chain away."""
    old = "\n".join(["citadels record 1", *body(honest())[1:]])
    assert verify(old).replayed
    assert verify(old).closing is None
    code, said = told(old, tmp_path / "r.txt")
    assert (code, "It has no chain" in said) == (0, True)
    assert told(old, tmp_path / "r.txt", "--key", public(OURS))[0] == 1
    assert told(old, tmp_path / "r.txt", "--head", "0" * 64)[0] == 1
    with pytest.raises(RecordError):
        verify("\n".join(["citadels record 2", *body(honest())[1:]]))


@pytest.mark.parametrize(
    "given",
    [("--key", "x"), ("--key", "ed25519"), ("--key", "A" * 43 + "é"), ("--head", "12"), ("--head", "g" * 64)],
)
def test_what_is_no_key_and_no_head_is_said(given: tuple[str, str], tmp_path: Path) -> None:
    code, said = told(honest(), tmp_path / "r.txt", *given)
    assert code == 2
    assert "That is no" in said


def test_names_that_look_like_the_chain() -> None:
    for name in ("links", "head", "key", "signature", "Head"):
        text = write(of_game(Setup("classic", (name, "Bea")), SEED, ("rain", ""), orders()))
        assert verify(text).replayed
        assert write(read(text)) == text
    assert verify(closed(["citadels record 2", *body(honest())[1:]])).closing


async def test_the_head_is_in_each_last_letter_on_the_page_and_in_the_record(house: House) -> None:
    people = ["telegram:ana", "mail:cy@x.test"]
    game = await table(house, people)
    assert not any("head" in letter.text for who in people for letter in house.letters(who)), (
        "while it is played a head would be a riddle of the hidden orders"
    )
    await to_the_end(house, game, people)
    text = house.store.read_now(lambda tx: record_text(tx, game))
    head, key = verify_head(text), house.store.read_now(play_signature.public_key)
    closing = verify(text).closing
    assert closing is not None
    assert play_signature.genuine(closing)
    assert (closing.head, closing.key) == (head, key)
    for who in people:
        over = next(letter for letter in reversed(house.letters(who)) if house.row(letter).kind == "over")
        assert head in over.text
        assert key in over.text
    states = StateCache(4)
    page = house.store.read_now(
        lambda tx: table_page_facts(
            PageContext(
                tx, house.clock(), house.referee.outbox_worker._words, "en", states, house.settings, ""
            ),
            {"game": str(game), "key": ""},
        )
    )
    assert page is not None
    assert page["proof"] == {"head": head, "key": key, "fingerprint": play_signature.fingerprint(key)}


async def test_a_running_game_has_the_head_so_far(house: House) -> None:
    people = ["telegram:ana", "telegram:bea"]
    game = await table(house, people)
    for _ in range(12):
        await house.say(people[asked(house, game)], legal_now(house, game)[0])
    text = house.store.read_now(lambda tx: record_text(tx, game))
    found = verify(text)
    assert not found.finished
    assert found.closing is not None
    assert play_signature.genuine(found.closing)
