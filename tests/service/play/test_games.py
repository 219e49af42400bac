"""From the first word to the final score, through the desk."""

from __future__ import annotations

import pytest

from referee import rules
from referee.rules import record
from referee.service.play import records
from referee.store import Deadline, GameEvent, Journal
from tests.service.joining import joined
from tests.service.playing import asked, at_random, legal, running, state, table
from tests.service.rig import House

PEOPLE = ["telegram:ana", "matrix:@bea:hs", "mail:cy@x.test", "terminal:dan"]


@pytest.mark.whole_games
async def test_a_whole_game_across_four_channels_and_its_record(house: House) -> None:
    game = await table(house, PEOPLE)
    typed = await at_random(house, game, PEOPLE)
    assert typed > 50
    assert running(house, game).status == "over"
    for who in PEOPLE:
        assert "seed" in house.last(who).text.lower()
    text = house.store.read_now(lambda tx: records.record_text(tx, game))
    verified = record.verify(text)
    assert verified.finished
    assert verified.replayed
    for who in PEOPLE:
        await house.say(who, f"record #{game}")
        letter = house.last(who).text
        assert record.verify(letter[letter.index("citadels record") :]).replayed
    house.wires["telegram"].markup = "telegram"
    for place in (None, "-5"):
        await house.say("telegram:ana", f"/record #{game}", place=place)
        brought = house.last(f"telegram:{place or 'ana'}")
        (file,) = brought.attachments
        assert record.verify(file.data.decode()).replayed
        assert file.name in brought.text
        assert len(brought.text) < 500


@pytest.mark.parametrize("bots", [1, 3, 6])
async def test_one_person_against_bots(house: House, bots: int) -> None:
    game = await table(house, ["telegram:ana"], bots=bots)
    await at_random(house, game, ["telegram:ana"] * (bots + 1), seed=bots)
    assert running(house, game).status == "over"
    assert record.verify(house.store.read_now(lambda tx: records.record_text(tx, game))).replayed


async def test_the_journal_replays_to_the_snapshot(house: House) -> None:
    game = await table(house, PEOPLE[:3])
    people = PEOPLE[:3]
    for _ in range(40):
        await house.say(people[asked(house, game)], legal(house, game)[0])
    text = house.store.read_now(lambda tx: records.record_text(tx, game))
    assert "Ana" in text
    moves = house.store.read_now(lambda tx: tx.all(Journal, game_id=game, undone=0))
    assert len(moves) >= 40


async def test_undo_until_something_is_revealed(house: House) -> None:
    game = await table(house, ["telegram:ana"], bots=1)
    while rules.asks(state(house, game))[0].kind != "turn":
        await house.say("telegram:ana", legal(house, game)[0])
    before = state(house, game)
    await house.say("telegram:ana", "gold")
    assert rules.dump(state(house, game)) != rules.dump(before)
    await house.say("telegram:ana", "undo")
    assert rules.dump(rules.asked_anew(state(house, game), before.number)) == rules.dump(before)
    await house.say("telegram:ana", "undo")
    assert rules.dump(rules.asked_anew(state(house, game), before.number)) == rules.dump(before)
    assert "taken back" in house.last("telegram:ana").text
    await house.say("telegram:ana", "cards")
    after = rules.dump(state(house, game))
    await house.say("telegram:ana", "undo")
    assert rules.dump(state(house, game)) == after
    text = house.store.read_now(lambda tx: records.record_text(tx, game))
    assert text.count(": gold") == sum(
        1
        for m in house.store.read_now(lambda tx: tx.all(Journal, game_id=game, undone=0))
        if m.order == "gold"
    )


async def test_several_orders_in_one_message_stop_at_the_first_refusal(house: House) -> None:
    game = await table(house, ["telegram:ana"], bots=1)
    while rules.asks(state(house, game))[0].kind != "turn":
        await house.say("telegram:ana", legal(house, game)[0])
    moves = len(house.store.read_now(lambda tx: tx.all(Journal, game_id=game)))
    await house.say("telegram:ana", "gold; gold; end")
    assert len(house.store.read_now(lambda tx: tx.all(Journal, game_id=game))) == moves + 1
    said = house.last("telegram:ana").text
    assert "gold" in said
    assert "end" in said


async def test_an_unreadable_order_empties_the_whole_message(house: House) -> None:
    game = await table(house, ["telegram:ana"], bots=1)
    while rules.asks(state(house, game))[0].kind != "turn":
        await house.say("telegram:ana", legal(house, game)[0])
    before = rules.dump(state(house, game))
    await house.say("telegram:ana", "gold; bilt Markett; end")
    assert rules.dump(state(house, game)) == before
    assert "bilt Markett" in house.last("telegram:ana").text


async def test_secrets_stay_with_their_seats(house: House) -> None:
    """Nobody is ever sent a private event of another seat, nor a card of another hand."""
    house_people = PEOPLE
    game = await table(house, house_people)
    await at_random(house, game, house_people, seed=5)
    private = [
        e for e in house.store.read_now(lambda tx: tx.all(GameEvent, game_id=game)) if e.to_seat is not None
    ]
    assert private
    await house.say(PEOPLE[0], "status")
    chosen = [e for e in private if e.name == "chose"]
    assert chosen
    seats_told: dict[str, set[int]] = {}
    for no, who in enumerate(house_people):
        for letter in house.letters(who):
            seats_told.setdefault(letter.text, set()).add(no)
    assert all(len(v) == 1 for text, v in seats_told.items() if "Your hand" in text)


async def test_answers_come_from_any_linked_channel_and_the_echo_goes_to_all(house: House) -> None:
    game = await table(house, ["telegram:ana"], bots=1)
    await joined(house, "telegram:ana", "matrix:@ana:hs")
    await house.say("matrix:@ana:hs", "status")
    assert "Your hand" in house.last("matrix:@ana:hs").text
    before = len(house.letters("telegram:ana"))
    await house.say("matrix:@ana:hs", legal(house, game)[0])
    assert len(house.letters("telegram:ana")) > before
    await house.say("telegram:bob", "hello")
    assert asked(house, game) == 0
    await house.say("telegram:bob", "status")
    assert "Your hand" not in house.last("telegram:bob").text


async def test_a_player_sits_at_several_tables(house: House) -> None:
    one = await table(house, ["telegram:ana"], bots=1)
    two = await table(house, ["telegram:ana"], bots=1)
    await house.say("telegram:ana", "gold")
    assert "#" in house.last("telegram:ana").text
    before = running(house, two).move_no
    await house.say("telegram:ana", f"#{two} {legal(house, two)[0]}")
    assert running(house, two).move_no > before
    assert running(house, one).move_no >= 0
    await house.say("telegram:ana", "games")
    said = house.last("telegram:ana").text
    assert f"#{one}" in said
    assert f"#{two}" in said


@pytest.mark.parametrize("language", ["en", "pt_BR"])
async def test_who_asks_for_the_table_reads_until_when_they_wait(house: House, language: str) -> None:
    """A room and any stranger are told it."""
    people = ["telegram:ana", "telegram:bea"]
    game = await table(house, people)
    plays, waits = (people[abs(asked(house, game) - no)] for no in (0, 1))
    due = house.store.read_now(lambda tx: tx.one(Deadline, game_id=game, kind="answer", done_ms=0))
    words, left_ms = house.referee.outbox_worker._words, due.due_ms - house.clock()
    until = words.phrase("lines.due", language, due_ms=due.due_ms, zone="UTC", left_ms=left_ms)
    await house.say(waits, f"language {language}")
    await house.say(waits, f"status #{game}")
    assert f"{until}." in house.last(waits).text
    await house.say(plays, f"pause #{game}")
    await house.say(waits, f"vote yes #{game}")
    await house.say(waits, f"status #{game}")
    assert until.split()[0] not in house.last(waits).text.split()  # no clock runs


async def test_who_looks_at_their_hand_reads_until_when_they_wait(house: House) -> None:
    people = ["telegram:ana", "telegram:bea"]
    game = await table(house, people)
    waits = people[1 - asked(house, game)]
    due = house.store.read_now(lambda tx: tx.one(Deadline, game_id=game, kind="answer", done_ms=0))
    words, left_ms = house.referee.outbox_worker._words, due.due_ms - house.clock()
    until = words.phrase("lines.due", "en", due_ms=due.due_ms, zone="UTC", left_ms=left_ms)
    await house.say(waits, "hand")
    assert f"{until}." in house.last(waits).text
