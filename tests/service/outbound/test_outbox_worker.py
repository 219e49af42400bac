"""The outbox: every letter has a fate, none speaks of a question that is gone."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from referee import rules
from referee.ports import Fate, Letter, Receipt
from referee.service.admin import repair
from referee.service.core import outbox
from referee.service.core.composing import ComposeContext
from referee.service.core.unit_of_work import StateCache, UnitOfWork
from referee.service.outbound import receipts, wording
from referee.service.outbound.compose import FinishedLetter, compose
from referee.store import Address, Alert, Game, Outbox, Seat, Tx
from referee.text import Words
from tests.service.joining import joined
from tests.service.playing import asked, legal, running, state, table, turn_to
from tests.service.rig import Clock, House

PEOPLE = ["telegram:ana", "matrix:@bea:hs"]


def rows(house: House, **equals: object) -> list[Outbox]:
    return house.store.read_now(lambda tx: tx.all(Outbox, order="id", **equals))


async def test_later_letters_are_worded_anew_and_collapse(house: House) -> None:
    game = await table(house, PEOPLE)
    wire = house.wires["telegram"]
    wire.fate = lambda letter: Receipt(Fate.LATER, retry_ms=60_000)
    await turn_to(house, game, PEOPLE, 0)
    waiting = [r for r in rows(house, channel="telegram", state="queued") if r.kind == "prompt"]
    assert len(waiting) == 1
    assert waiting[0].letter == ""
    sent = len(wire.sent)
    wire.fate = None
    await house.settle()
    assert len(wire.sent) == sent, "not before its time"
    house.clock.pass_(seconds=61)
    await house.settle()
    assert len(wire.sent) > sent
    assert wire.sent[-1].buttons


async def test_no_letter_for_a_question_that_is_gone(house: House) -> None:
    game = await table(house, PEOPLE)
    first = asked(house, game)
    other = 1 - first
    wire = house.wires[PEOPLE[other].partition(":")[0]]
    wire.wait_ms = 1  # the channel is not ready: nothing leaves
    sent = len(wire.sent)
    await house.say(PEOPLE[first], legal(house, game)[0])
    assert asked(house, game) == other
    question = running(house, game).question
    house.clock.pass_(hours=25)
    await house.referee.scheduler.ring()
    assert running(house, game).question != question
    wire.wait_ms = 0
    await house.settle()
    for letter in wire.sent[sent:]:
        for row in letter.buttons:
            for button in row:
                assert button.order == "plan" or running(house, game).asked == str(other), button


async def test_an_unknown_fate_on_a_wire_without_memory_repeats_a_prompt_once(house: House) -> None:
    game = await table(house, PEOPLE)
    wire = house.wires["telegram"]
    while asked(house, game) == 0:
        await house.say(PEOPLE[0], legal(house, game)[0])
    wire.fate = lambda letter: Receipt(Fate.UNKNOWN, detail="no answer")
    await turn_to(house, game, PEOPLE, 0)
    assert any(r.kind == "prompt" for r in rows(house, channel="telegram", state="unknown"))
    sent = len([x for x in wire.sent if x.buttons])
    for _ in range(5):
        house.clock.pass_(seconds=61)
        await house.settle()
    assert len([x for x in wire.sent if x.buttons]) == sent + 1


async def test_an_unknown_fate_on_a_wire_with_memory_repeats_the_same_words(house: House) -> None:
    game = await table(house, PEOPLE)
    wire = house.wires["matrix"]
    while asked(house, game) == 1:
        await house.say(PEOPLE[1], legal(house, game)[0])
    wire.fate = lambda letter: Receipt(Fate.UNKNOWN, detail="no answer")
    await turn_to(house, game, PEOPLE, 1)
    first = [x for x in wire.sent if x.buttons][-1]
    wire.fate = None
    for _ in range(4):
        house.clock.pass_(seconds=15)
        await house.settle()
    again = [x for x in wire.sent if x.id == first.id]
    assert len(again) == 2
    assert again[0] == again[1]


async def test_no_letter_is_lost_while_a_server_refuses_our_credentials(house: House) -> None:
    game = await table(house, PEOPLE)
    wire = house.wires["telegram"]
    while asked(house, game) == 0:
        await house.say(PEOPLE[0], legal(house, game)[0])
    wire.fate = lambda letter: Receipt(Fate.FAILED, reason="unauthorised", detail="401")
    await turn_to(house, game, PEOPLE, 0)
    for _ in range(20):  # longer than any letter is tried
        house.clock.pass_(seconds=61)
        await house.settle()
    wire.fate, sent = None, len(wire.sent)
    house.clock.pass_(seconds=61)
    await house.settle()
    assert wire.sent[sent:][-1].buttons, "the question comes as soon as the credentials are right"
    assert {one.state for one in rows(house, channel="telegram", kind="prompt")} == {"sent"}


async def test_who_reads_of_refused_credentials_where_they_are_refused_is_told_once(tmp_path: Path) -> None:
    house = await House(
        tmp_path / "r.db", Clock(), admins=(("telegram", "root"), ("terminal", "alan"))
    ).open()
    await house.say("telegram:root", "help")
    house.wires["telegram"].fate = lambda letter: Receipt(Fate.FAILED, reason="unauthorised", detail="401")
    for _ in range(3):
        await house.say("telegram:root", "help")
        house.clock.pass_(seconds=61)
    assert len(house.store.read_now(lambda tx: tx.all(Alert, code="channel-unauthorised"))) == 1
    assert "refuses our credentials" in house.last("terminal:alan").text
    house.wires["telegram"].fate = None
    house.clock.pass_(seconds=61)
    await house.settle()
    assert [one.kind for one in rows(house, state="sent", channel="telegram", kind="alert")] == ["alert"]
    await house.close()


async def test_a_blocked_channel_hands_over_to_the_next(house: House) -> None:
    game = await table(house, PEOPLE)
    await joined(house, "telegram:ana", "mail:ana@x.test")
    await house.say("telegram:ana", "prefer telegram")
    house.wires["telegram"].fate = lambda letter: Receipt(Fate.FAILED, reason="blocked")
    mails = len(house.letters("mail:ana@x.test"))
    await turn_to(house, game, PEOPLE, 0)
    await house.settle()
    assert len(house.letters("mail:ana@x.test")) > mails
    assert (
        house.store.read_now(lambda tx: tx.one(Address, channel="telegram", address="ana")).state == "blocked"
    )


async def test_half_sent_letters_after_a_crash(tmp_path: Path) -> None:
    clock = Clock()
    house = await House(tmp_path / "r.db", clock).open()
    await table(house, PEOPLE)
    before = {name: len(w.sent) for name, w in house.wires.items()}

    def half(tx: Tx) -> None:
        for row in tx.all(Outbox, state="sent"):
            if row.kind == "prompt":
                tx.set(Outbox, row.id, state="sending")

    await house.store.write(half)
    assert rows(house, state="sending")
    await house.close()
    again = await House(tmp_path / "r.db", clock).open()
    again.wires["matrix"].sent, again.wires["telegram"].sent = [], []
    await again.settle()
    assert not rows(again, state="sending")
    for letter in again.wires["matrix"].sent:
        assert letter in house.wires["matrix"].sent, "word for word"
    assert not [x for x in again.wires["telegram"].sent if x in house.wires["telegram"].sent]
    assert before
    await again.close()


async def test_the_living_table_message_is_edited(house: House) -> None:
    await house.say("telegram:ana", "/new classic 2 seats", place="-100")
    first = house.last("telegram:-100")
    await house.say("telegram:bea", "/join", place="-100")
    tables = [x for x in house.letters("telegram:-100") if x.edits]
    assert tables
    assert (
        tables[-1].edits
        == house.wires["telegram"].sent[[x.id for x in house.wires["telegram"].sent].index(first.id)].edits
        or tables[-1].edits
    )
    assert first.pin or any(x.pin for x in house.letters("telegram:-100"))


async def test_a_letter_that_is_wanted_again_while_it_is_worded_is_worded_anew(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await house.say("telegram:ana", "/new classic 2 seats", place="-100")
    worded: list[str] = []

    def given_up(tx: Tx) -> None:
        tx.change(Game, {"id": 1}, status="abandoned")
        game = tx.get(Game, 1)
        assert game is not None
        outbox.to_rooms(UnitOfWork(tx, house.clock(), Words(()), house.settings, StateCache()), game)

    def slowly(composing: ComposeContext, row: Outbox) -> FinishedLetter | None:
        made = compose(composing, row)
        if row.kind == "table" and "table" not in worded:
            house.store.write_now(given_up)  # meanwhile
        worded.append(row.kind)
        return made

    monkeypatch.setattr(wording, "compose", slowly)
    await house.say("telegram:bea", "/join", place="-100")
    assert worded.count("table") == 2
    assert "given up" in house.last("telegram:-100").text


async def test_what_was_told_is_not_told_again(house: House) -> None:
    game = await table(house, PEOPLE)
    for _ in range(10):
        await house.say(PEOPLE[asked(house, game)], legal(house, game)[0])
    for no in (0, 1):
        seat = house.store.read_now(lambda tx, no=no: tx.one(Seat, game_id=game, no=no))
        assert seat is not None
        assert seat.told > 0
    assert isinstance(house.last("telegram:ana"), Letter)


async def test_a_tap_is_answered_in_the_message_that_bore_the_button(house: House) -> None:
    """…and that message keeps the news of the turn, so that nothing is lost by rewriting it."""
    game = await table(house, ["telegram:ana"], bots=1)
    while rules.asks(state(house, game))[0].kind != "turn":
        await house.say("telegram:ana", legal(house, game)[0])
    await house.say("telegram:ana", "status")
    asked_in = house.last("telegram:ana")
    assert not asked_in.edits
    await house.press("telegram:ana", house.key("telegram:ana", "gold"))
    answered = house.last("telegram:ana")
    assert answered.edits
    await house.press("telegram:ana", house.key("telegram:ana", "end"))
    final = (
        house.last("telegram:ana") if house.last("telegram:ana").edits else house.letters("telegram:ana")[-2]
    )
    assert final.edits == answered.edits
    assert "took 2 gold" in final.text


async def test_a_letter_that_can_not_leave_expires(house: House) -> None:
    game = await table(house, PEOPLE)
    house.wires["telegram"].fate = lambda letter: Receipt(Fate.LATER, detail="the line is down")
    house.wires["matrix"].fate = lambda letter: Receipt(Fate.UNKNOWN, detail="no answer")
    for who in PEOPLE:
        await house.say(who, "rules thief")
    cards = [r for r in rows(house, kind="card") if r.state in ("queued", "unknown")]
    assert {r.channel for r in cards} == {"telegram", "matrix"}
    house.clock.pass_(hours=24 * 7 + 1)
    for wire in house.wires.values():
        wire.fate = None
    sent = {name: len(wire.sent) for name, wire in house.wires.items()}
    await house.settle()
    after = {r.channel: (r.state, r.error) for r in rows(house, kind="card")}
    assert after == {
        "telegram": ("dropped", "expired"),
        "matrix": ("unknown", "expired"),
    }  # the latter may have arrived
    assert not [
        x
        for name, wire in house.wires.items()
        for x in wire.sent[sent[name] :]
        if x.ref == f"g{game}" and "Thief" in x.subject
    ]


async def test_letters_to_a_channel_that_is_off_hold_up_nobody(house: House) -> None:
    def left_over(tx: Tx) -> None:
        for _ in range(150):
            tx.add(
                Outbox,
                channel="pigeon",
                address="p",
                kind="notice",
                data='{"notices": []}',
                created_ms=1,
                expires_ms=house.clock() + 60_000,
            )

    house.store.write_now(left_over)
    await house.say("telegram:ana", "rules thief")
    await house.settle()
    assert "Thief" in house.last("telegram:ana").text
    house.clock.pass_(hours=1)
    for _ in range(2):  # a hundred at a time
        await house.settle()
    assert {r.state for r in rows(house, channel="pigeon")} == {"dropped"}


async def test_frozen_words_whose_question_has_gone_stay_where_they_are(tmp_path: Path) -> None:
    """Crash while sending; meanwhile (an order that had arrived before) the question was answered."""
    clock = Clock()
    house = await House(tmp_path / "r.db", clock).open()
    game = await table(house, PEOPLE)
    await turn_to(house, game, PEOPLE, 1)
    prompt = next(r for r in reversed(rows(house, channel="matrix", state="sent")) if r.kind == "prompt")
    await house.store.write(lambda tx: tx.set(Outbox, prompt.id, state="sending"))
    while asked(house, game) == 1:
        await house.say(PEOPLE[1], legal(house, game)[0])
    await house.close()
    again = await House(tmp_path / "r.db", clock).open()
    await again.settle()
    assert prompt.id not in [again.number(letter) for letter in again.wires["matrix"].sent]
    assert next(iter(rows(again, id=prompt.id))).state == "dropped"
    await again.close()


async def test_a_crowd_that_must_wait_does_not_hide_the_others(house: House) -> None:
    house.wires["terminal"].wait_ms = 2_000
    game = await table(house, PEOPLE)

    def crowd(tx: Tx) -> None:
        for n in range(150):
            tx.add(
                Outbox,
                channel="terminal",
                address=f"nobody{n}",
                kind="notice",
                data='{"notices": [{"code": "empty", "facts": {}}]}',
            )

    await house.store.write(crowd)
    sent = len(house.wires["telegram"].sent)
    await house.say("telegram:ana", f"status #{game}")
    assert len(house.wires["telegram"].sent) > sent


async def test_a_late_fate_of_a_try_before_an_admin_sent_it_again_is_not_its_own(house: House) -> None:
    """A process hung with the letter in hand: it was settled as unknown, and sent again."""
    fails = receipts.ChannelHealth(resting=False, shared=False, again=False)

    def late(tx: Tx) -> Outbox | None:
        uow = house.referee.context.uow(tx)
        number = tx.add(Outbox, kind="notice", channel="telegram", address="1", data="{}", letter="")
        first = tx.get(Outbox, number)
        assert first is not None
        tx.set(Outbox, number, state="unknown", tries=1)
        assert repair.retry_letter(uow, number)
        again = tx.get(Outbox, number)
        assert again is not None
        tx.set(Outbox, number, state="sending", tries=again.tries + 1)
        receipts.record(uow, first, Receipt(Fate.FAILED, reason="gone"), fails)
        return tx.get(Outbox, number)

    row = house.store.write_now(late)
    assert row is not None
    assert row.state == "sending"


async def test_a_letter_that_was_sent_again_is_given_up_after_as_many_tries_as_before(house: House) -> None:
    rests = receipts.ChannelHealth(resting=False, shared=False, again=False)

    def tries(tx: Tx) -> int:
        uow, count = house.referee.context.uow(tx), 0
        number = tx.add(Outbox, kind="notice", channel="telegram", address="1", data="{}", letter="")
        for _ in range(2):
            while (row := tx.get(Outbox, number)) is not None and row.state == "queued":
                tx.set(Outbox, number, state="sending", tries=row.tries + 1)
                receipts.record(uow, row, Receipt(Fate.LATER), rests)
                count += 1
            assert repair.retry_letter(uow, number)
        return count

    assert house.store.write_now(tries) == 2 * receipts._PATIENCE


async def test_a_letter_that_can_not_even_be_set_aside_is_told_and_does_not_spin(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await house.say(PEOPLE[0], "hello")
    tried = []

    async def unmade(*given: object) -> None:
        tried.append(given)
        raise RuntimeError("a bug of ours")

    def breaks(*given: object) -> None:
        raise ValueError("and another one")

    monkeypatch.setattr(wording.Wording, "letter", unmade)
    monkeypatch.setattr(receipts, "broken", breaks)
    row = rows(house, channel="telegram")[-1]
    await house.store.write(lambda tx: tx.set(Outbox, row.id, state="queued", not_before_ms=0, expires_ms=0))
    for _ in range(5):
        await house.referee.outbox_worker.round()
        await asyncio.sleep(0.05)
    assert len(tried) == 1
    assert f"letter {row.id} could not be set aside" in caplog.text
