"""Forgetting what was said long ago: the words go, whatever the game needs stays, and nothing that waits is
touched.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from referee.config.model import StoreSettings
from referee.ports import Inbound, What
from referee.rules.record import verify
from referee.service.admin import repair
from referee.service.core.unit_of_work import json_text
from referee.service.inbound.parking import Parking
from referee.service.play.records import record_text
from referee.service.upkeep import retention
from referee.store import Address, Inbox, Journal, Outbox
from tests.service.playing import asked, legal, running, table
from tests.service.rig import House

PEOPLE = ["telegram:ana", "telegram:bea"]


async def tidy(house: House, days: float) -> int:
    """So many times it was looked until nothing was left."""
    times = 1
    while await house.store.write(
        partial(retention.tidy, before_ms=house.clock() - round(days * 86_400_000))
    ):
        times += 1
    return times


async def moves(house: House, game: int, count: int) -> None:
    for _ in range(count):
        who = PEOPLE[asked(house, game)]
        await house.say(who, legal(house, game)[0])


async def test_words_go_and_the_game_goes_on(house: House) -> None:
    game = await table(house, PEOPLE)
    old = house.last(PEOPLE[asked(house, game)])
    button = old.buttons[0][0]
    await moves(house, game, 6)
    before = running(house, game)
    said = house.store.read_now(lambda tx: tx.all(Inbox, order="id"))
    house.clock.pass_(hours=3 * 24)
    who = PEOPLE[asked(house, game)]
    await house.say(who, "status")  # young: it stays
    await tidy(house, 2)
    letters = house.store.read_now(lambda tx: tx.all(Outbox, order="id"))
    messages = house.store.read_now(lambda tx: tx.all(Inbox, order="id"))
    gone = [row for row in letters if row.created_ms < house.clock() - 2 * 86_400_000]
    assert len(gone) > 10
    assert all(row.letter == "" and row.data == "{}" for row in gone)
    assert [row.letter for row in letters if row not in gone and row.state == "sent"]
    assert [row.key for row in messages[:-1]] == [row.key for row in said]
    assert all(PEOPLE[0].partition(":")[2].encode() not in row.body for row in messages[:-1])
    assert b"status" in messages[-1].body
    assert running(house, game) == before
    await house.press(PEOPLE[0], button.key)  # a button of a letter whose words are gone
    assert running(house, game) == before
    assert "earlier question" in house.last(PEOPLE[0]).text
    await house.say(PEOPLE[0], "gold", key=said[-1].key)  # a message that came before comes again
    assert running(house, game) == before
    await moves(house, game, 6)
    assert house.store.read_now(lambda tx: tx.count(Journal, game_id=game)) == 12
    verify(house.store.read_now(lambda tx: record_text(tx, game)))


async def test_what_waits_keeps_its_words_however_old(house: House) -> None:
    game = await table(house, PEOPLE)

    def wait(tx: retention.Tx) -> tuple[int, int]:
        letter = tx.all(Outbox, order="-id", limit=1)[0]
        tx.set(Outbox, letter.id, state="queued", not_before_ms=1 << 60)
        message = tx.all(Inbox, order="-id", limit=1)[0]
        tx.set(Inbox, message.id, state="shunted")
        return int(letter.id or 0), int(message.id or 0)

    letter, message = await house.store.write(wait)
    words, body = house.store.read_now(lambda tx: (tx.one(Outbox, id=letter), tx.one(Inbox, id=message)))
    house.clock.pass_(hours=24 * 365)
    await tidy(house, 30)
    assert house.store.read_now(lambda tx: (tx.one(Outbox, id=letter), tx.one(Inbox, id=message))) == (
        words,
        body,
    )
    assert running(house, game).status == "running"


async def test_much_is_forgotten_in_small_pieces_and_each_row_is_looked_at_once(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "MOST", 4)
    game = await table(house, PEOPLE)
    await moves(house, game, 4)
    house.clock.pass_(hours=24 * 10)
    count = house.store.read_now(lambda tx: max(tx.count(Outbox), tx.count(Inbox)))
    assert await tidy(house, 5) == count // 4 + 1
    assert await tidy(house, 5) == 1
    assert house.store.read_now(lambda tx: tx.count(Outbox, letter="")) == house.store.read_now(
        lambda tx: tx.count(Outbox)
    )


async def test_nothing_is_forgotten_unless_the_admin_says_so(house: House, tmp_path: Path) -> None:
    await table(house, PEOPLE)
    house.clock.pass_(hours=24 * 1000)
    await house.referee.scheduler.tidy()
    assert house.store.read_now(lambda tx: tx.count(Outbox, letter="", state="sent")) == 0
    other = await House(tmp_path / "other.db", words_days=30).open()
    await table(other, PEOPLE)
    await other.referee.scheduler.tidy()
    assert other.store.read_now(lambda tx: tx.count(Outbox, letter="", state="sent")) == 0
    before = other.store.read_now(lambda tx: (tx.count(Outbox), tx.count(Inbox)))
    assert min(before) > 3
    other.clock.pass_(hours=24 * 31)
    await other.referee.scheduler.tidy()
    # but for the last of all, whose number must not be given again
    assert other.store.read_now(lambda tx: (tx.count(Outbox), tx.count(Inbox))) == (1, 1)
    await other.close()


async def test_what_opens_nothing_any_more_goes_whole_and_the_game_goes_on(house: House) -> None:
    """Thirty days after: the rows go, what waits stays, and no number is given twice."""
    game = await table(house, PEOPLE)
    await moves(house, game, 4)
    old = house.last(PEOPLE[asked(house, game)])
    waits = await house.store.write(lambda tx: tx.all(Outbox, order="-id", limit=3)[-1].id)
    await house.store.write(lambda tx: tx.set(Outbox, waits, state="queued", not_before_ms=1 << 60))
    last = house.store.read_now(
        lambda tx: [tx.column(t, "id", order="-id", limit=1)[0] for t in (Outbox, Inbox)]
    )
    house.clock.pass_(hours=24 * 40)
    before = running(house, game)
    while await house.store.write(partial(retention.drop, before_ms=house.clock() - 30 * 86_400_000)):
        pass
    assert house.store.read_now(lambda tx: tx.column(Outbox, "id", order="id")) == [waits, last[0]]
    assert house.store.read_now(lambda tx: tx.column(Inbox, "id")) == [last[1]]
    assert running(house, game) == before
    await house.press(PEOPLE[asked(house, game)], old.buttons[0][0].key)  # answered, and nothing is done
    assert running(house, game).move_no == before.move_no
    await moves(house, game, 4)
    assert running(house, game).move_no == before.move_no + 4
    fresh = house.store.read_now(lambda tx: [tx.column(t, "id", order="id")[-1] for t in (Outbox, Inbox)])
    assert fresh[0] > last[0]
    assert fresh[1] > last[1]


async def test_what_could_not_be_read_is_forgotten_with_the_words(tmp_path: Path) -> None:
    """By default of the configuration, too: thirty days."""
    house = await House(tmp_path / "referee.db", words_days=StoreSettings().words_days).open()
    folder = house.settings.parking
    assert folder is not None
    parked = Parking(folder)
    odd = Inbound("telegram", "k1", "ana", text="what is this?", what=What.MESSAGE)
    parked.park(odd, "StrangeError", house.clock())
    number = house.store.write_now(
        lambda tx: tx.add(
            Inbox, channel="mail", key="k2", body=json_text(odd).encode(), at_ms=house.clock(), state="parked"
        )
    )
    house.clock.pass_(hours=24 * 29)
    parked.park(replace(odd, key="k3"), "StrangeError", house.clock())
    await house.referee.scheduler.tidy()
    assert len(parked.all()) == 2
    house.store.write_now(
        lambda tx: tx.add(Inbox, channel="mail", key="k4", body=b"{}", at_ms=house.clock(), state="done")
    )
    house.clock.pass_(hours=24 * 2)
    await house.referee.scheduler.tidy()
    assert [one.key for one in parked.all()] == ["k3"]
    assert house.store.read_now(lambda tx: tx.get(Inbox, number)) is None
    await house.close()


async def test_a_message_without_words_is_not_put_back(house: House) -> None:
    await house.say(PEOPLE[0], "hello")
    [row] = house.store.read_now(lambda tx: tx.all(Inbox))
    house.store.write_now(lambda tx: tx.set(Inbox, row.id, state="dropped"))
    house.clock.pass_(hours=3 * 24)
    await tidy(house, 2)
    uow = house.referee.context.uow
    assert not house.store.write_now(lambda tx: repair.retry(uow(tx), row.id))
    await house.settle()
    assert house.store.read_now(lambda tx: tx.count(Address)) == 1  # nobody is met at no address


async def test_a_letter_to_somebody_who_is_gone_is_not_sent_again(house: House) -> None:
    await house.say(PEOPLE[0], "hello")
    row = house.store.read_now(lambda tx: tx.all(Outbox, order="id"))[0]
    house.store.write_now(lambda tx: tx.set(Outbox, row.id, state="failed", address=""))  # as erasure does
    uow = house.referee.context.uow
    assert not house.store.write_now(lambda tx: repair.retry_letter(uow(tx), row.id))
    house.store.write_now(lambda tx: tx.set(Outbox, row.id, person_id=None, place="!room:hs"))
    assert house.store.write_now(lambda tx: repair.retry_letter(uow(tx), row.id))  # a room has no address


@pytest.mark.parametrize("rows", [3, 4, 8, 9])
async def test_no_number_is_given_again_however_many_rows_go_at_once(
    house: House, monkeypatch: pytest.MonkeyPatch, rows: int
) -> None:
    """As after a month in which the referee stood still."""
    monkeypatch.setattr(retention, "MOST", 4)
    for number in range(rows):
        await house.store.write(
            lambda tx, n=number: (
                tx.add(Outbox, channel="telegram", kind="none", state="sent", created_ms=1),
                tx.add(Inbox, channel="telegram", key=str(n), body=b"{}", state="done", at_ms=1),
            )
        )
    last = house.store.read_now(lambda tx: [tx.column(t, "id", order="id") for t in (Outbox, Inbox)])
    while await house.store.write(partial(retention.drop, before_ms=house.clock())):
        pass
    left = house.store.read_now(lambda tx: [tx.column(t, "id", order="id") for t in (Outbox, Inbox)])
    assert left == [one[-1:] for one in last]
