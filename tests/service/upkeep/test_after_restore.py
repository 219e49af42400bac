"""A book that was restored from yesterday: nothing of the day that it does not know is played twice, or taken
for something else.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from referee.ports import Inbound
from referee.service import ServiceSettings
from referee.service.upkeep.restore import RestoreResult, restored
from referee.service.upkeep.take_backup import kept
from referee.service.upkeep.workers import audited
from referee.store import (
    Alert,
    Game,
    GameEvent,
    Heartbeat,
    Inbox,
    Journal,
    Meta,
    OfficeLog,
    Outbox,
    Person,
    WebSession,
)
from tests.service.playing import asked, legal, running, state, table, to_the_end
from tests.service.rig import House

PEOPLE = ["telegram:ana", "matrix:bo", "mail:cy@x.test"]


async def played(house: House, number: int, orders: int, seed: int = 3) -> None:
    dice = random.Random(seed)
    for _ in range(orders):
        await house.say(PEOPLE[asked(house, number)], dice.choice(legal(house, number)))


def put_back(house: House, backup: Path) -> RestoreResult:
    """Restore into the place of a house that is closed."""
    return restored(backup, house.store.url, house.clock, house.settings, aside=True, workers=1)


async def again(house: House) -> House:
    """The same house, started anew; what it was sent before is forgotten by the wires."""
    other = House(house.path, house.clock)
    other.settings = house.settings
    await other.open()
    other._n = house._n
    await other.settle()
    return other


async def lost_a_day(tmp_path: Path, later: Callable[[House, int], object]) -> tuple[House, int]:
    """A table of three, backed up in the middle; then `later` happens, and the book is restored: the house
    now, the game.
    """
    house = await House(tmp_path / "r.db", admins=(("telegram", "root"),)).open()
    number = await table(house, PEOPLE)
    await played(house, number, 20)
    backup = kept(house.store.url, tmp_path / "kept", house.clock, workers=1)
    assert backup.audit is not None
    assert backup.audit == (1, [])
    house.clock.pass_(hours=5)
    done = later(house, number)
    if done is not None:
        await done  # type: ignore[misc]  # a coroutine, or nothing
    await house.close()
    house.clock.pass_(hours=1)
    put_back(house, backup.path)
    return await again(house), number


async def test_everybody_is_told_and_the_game_goes_on(tmp_path: Path) -> None:
    house, number = await lost_a_day(tmp_path, lambda house, number: played(house, number, 9, seed=5))
    for who in PEOPLE:
        told = house.last(who).text
        assert "restored from a copy of 2026-09-21 14:13 UTC" in " ".join(told.split())
        assert "districts yet" in told or "(1 of" in told or "(2 of" in told  # the table as it is
    asking = house.last(PEOPLE[asked(house, number)])
    assert asking.buttons
    assert house.store.read_now(lambda tx: tx.count(GameEvent, game_id=number, name="book_restored")) == 1
    assert "restored from a backup" in next(
        one.text for one in house.letters("telegram:root") if "restored" in one.text
    )
    assert house.store.read_now(
        lambda tx: (tx.count(Alert, code="restored"), tx.count(OfficeLog, act="restore"))
    ) == (1, 1)
    assert audited(house.store.url, house.clock(), 1) == (1, [])
    await to_the_end(house, number, PEOPLE)
    assert running(house, number).status == "over"
    await house.close()


async def test_everybody_is_told_in_their_own_language(tmp_path: Path) -> None:
    house = await House(tmp_path / "r.db", admins=(("telegram", "root"),), language="pt_BR").open()
    await table(house, PEOPLE)
    await house.say(PEOPLE[0], "language en")
    await house.say(PEOPLE[1], "language pt-br")
    await house.say(PEOPLE[0], "new classic 5")
    gathers = max(house.store.read_now(lambda tx: tx.column(Game, "id")))
    await house.say(PEOPLE[1], f"entrar #{gathers}")
    backup = kept(house.store.url, tmp_path / "kept", house.clock, workers=1)
    house.clock.pass_(hours=6)
    await house.close()
    put_back(house, backup.path)
    other = await again(house)
    told = {
        who: [" ".join(one.text.split()) for one in other.letters(who)]
        for who in (*PEOPLE[:2], "telegram:root")
    }
    assert any(
        "The referee's book was lost and restored from a copy of 2026-09-21" in one for one in told[PEOPLE[0]]
    )
    assert any(f"#{gathers}: what I wrote down after" in one for one in told[PEOPLE[0]])
    assert any(
        "As anotações do árbitro se perderam e foram restauradas de uma cópia de 2026-09-21" in one
        for one in told[PEOPLE[1]]
    )
    assert any(
        f"#{gathers}: o que anotei depois de" in one and f"mesa #{gathers}" in one for one in told[PEOPLE[1]]
    )
    assert any(
        "O banco de dados foi restaurado de um backup de 2026-09-21" in one for one in told["telegram:root"]
    )
    assert not any("restored" in one for one in told[PEOPLE[1]])
    for name in PEOPLE[:2]:  # by Matrix, which may tell again what came long ago
        channel, _, address = name.partition(":")
        await other.bring(
            Inbound(
                channel=channel,
                key=f"old-{channel}",
                address=address,
                text="gold",
                name="X",
                at_ms=other.clock() - 600_000,
                vouched=True,
            )
        )
    assert "So nothing was done." in " ".join(other.last(PEOPLE[0]).text.split())
    assert "Por isso nada foi feito." in " ".join(other.last(PEOPLE[1]).text.split())
    await other.close()


async def test_a_button_of_the_lost_day_presses_nothing(tmp_path: Path) -> None:
    """Its letter's number is given again without the gap, to a letter that offers something else."""
    keys: list[tuple[str, str]] = []

    async def later(house: House, number: int) -> None:
        await played(house, number, 9, seed=5)
        keys.extend(
            (who, one.key)
            for who in PEOPLE
            for letter in house.letters(who)
            for row in letter.buttons
            for one in row
        )

    house, number = await lost_a_day(tmp_path, later)
    moves = house.store.read_now(lambda tx: tx.count(Journal, game_id=number))
    snapshot = running(house, number).snapshot
    assert len(keys) > 60
    for who, key in keys[-60:]:
        if not who.startswith("mail"):
            await house.press(who, key)
    assert house.store.read_now(lambda tx: tx.count(Journal, game_id=number)) == moves
    assert running(house, number).snapshot == snapshot
    await house.close()


async def test_no_number_comes_again(tmp_path: Path) -> None:
    seen: dict[str, int] = {}

    async def later(house: House, number: int) -> None:
        await played(house, number, 9, seed=5)
        seen["letter"] = max(house.store.read_now(lambda tx: tx.column(Outbox, "id")))
        seen["question"] = running(house, number).question

    house, number = await lost_a_day(tmp_path, later)
    fresh = house.store.read_now(lambda tx: tx.column(Outbox, "id", game_id=number, order="-id", limit=1))[0]
    assert fresh > seen["letter"] + 1_000_000
    assert running(house, number).question == state(house, number).number > seen["question"] + 1000
    await house.close()


async def test_a_mail_that_answers_a_lost_letter_moves_nothing_and_is_asked(tmp_path: Path) -> None:
    tokens: list[str] = []

    async def later(house: House, number: int) -> None:
        await played(house, number, 9, seed=5)
        tokens.append(house.last(PEOPLE[2]).token)

    house, number = await lost_a_day(tmp_path, later)
    before = running(house, number).snapshot
    await house.say(PEOPLE[2], legal(house, number)[0], token=tokens[0])
    assert running(house, number).snapshot == before
    await house.close()


async def test_what_was_written_before_and_comes_only_now_is_not_acted_upon(tmp_path: Path) -> None:
    """Matrix tells again whatever came after the bookmark, and a mailbox keeps its mails: orders of the lost
    day must not be played now.
    """
    house, number = await lost_a_day(tmp_path, lambda house, number: None)
    seat = asked(house, number)
    who, order = PEOPLE[seat], legal(house, number)[0]
    before, now = running(house, number).snapshot, house.clock()
    channel, _, address = who.partition(":")
    token = house.last(who).token if channel == "mail" else ""
    for n in range(3):
        await house.bring(
            Inbound(
                channel=channel,
                key=f"old{n}",
                address=address,
                text=order,
                name="X",
                at_ms=now - 600_000 + n,
                token=token,
                vouched=channel != "mail",
            )
        )
    assert running(house, number).snapshot == before
    assert house.store.read_now(lambda tx: tx.count(Inbox, state="refused")) == 3
    said = [one.text for one in house.letters(who) if "nothing was done" in " ".join(one.text.split())]
    assert len(said) == 1  # once, not for each
    await house.say(who, order)
    assert running(house, number).snapshot != before
    await house.close()


async def test_by_mail_only_somebody_who_is_known_is_told(tmp_path: Path) -> None:
    """Anybody can write a mail in a stranger's name: no letter to an address that never wrote."""
    house, number = await lost_a_day(tmp_path, lambda house, number: None)
    before = running(house, number).snapshot
    house.referee.reception.admission.gate._settings = ServiceSettings(
        messages_per_minute=60, messages_per_hour=600
    )
    for n, address in enumerate(("cy@x.test", "cy@x.test", "stranger@y.test")):
        await house.bring(
            Inbound(
                channel="mail",
                key=f"old{n}",
                address=address,
                text="gold",
                at_ms=house.clock() - 600_000 + n,
                token="x" * 24,
                vouched=False,
            )
        )
    assert [
        sum("nothing was done" in " ".join(one.text.split()) for one in house.letters(f"mail:{address}"))
        for address in ("cy@x.test", "stranger@y.test")
    ] == [1, 0]
    assert running(house, number).snapshot == before
    await house.close()


async def test_letters_that_waited_never_leave(tmp_path: Path) -> None:
    house = await House(tmp_path / "r.db").open()
    await table(house, PEOPLE)
    house.store.write_now(
        lambda tx: [
            tx.add(
                Outbox,
                channel="telegram",
                address="ana",
                kind="notice",
                state=state,
                not_before_ms=house.clock() + 1,
                data='{"notices": [{"code": "empty", "facts": {}}]}',
                created_ms=house.clock(),
            )
            for state in ("queued", "sending")
        ]
    )
    backup = kept(house.store.url, tmp_path / "kept", house.clock, workers=1)
    await house.close()
    done = put_back(house, backup.path)
    assert done.aftermath is not None
    assert done.aftermath.letters == 2
    house.clock.pass_(hours=1)
    other = await again(house)
    assert not [one for one in other.wires["telegram"].sent if "book" not in one.text]
    assert other.store.read_now(lambda tx: tx.count(Outbox, state="unknown")) == 2
    await other.close()


async def test_nobody_stays_signed_in_and_the_missing_time_is_nobody_s(tmp_path: Path) -> None:
    house = await House(tmp_path / "r.db").open()
    number = await table(house, PEOPLE)
    person = house.store.read_now(lambda tx: tx.column(Person, "id", limit=1))[0]
    house.store.write_now(
        lambda tx: tx.add(WebSession, person_id=person, token_hash="f" * 64, expires_ms=house.clock() + 10**9)
    )
    backup = kept(house.store.url, tmp_path / "kept", house.clock, workers=1)
    await house.close()
    house.clock.pass_(hours=40)  # longer than anybody has for an answer
    put_back(house, backup.path)
    other = await again(house)
    await other.referee.scheduler.ring()
    await other.settle()
    assert other.store.read_now(
        lambda tx: (tx.count(WebSession), tx.count(Journal, game_id=number, by="clock"))
    ) == (0, 0)
    await other.close()


async def test_tables_that_gather_are_told_too_and_frozen_ones_stay_frozen(tmp_path: Path) -> None:
    house = await House(tmp_path / "r.db").open()
    number = await table(house, PEOPLE)
    await house.say(PEOPLE[0], "new classic 3 players")
    house.store.write_now(lambda tx: tx.set(Game, number, status="frozen"))
    backup = kept(house.store.url, tmp_path / "kept", house.clock, workers=1)
    await house.close()
    put_back(house, backup.path)
    other = await again(house)
    assert running(other, number).status == "frozen"
    assert any(
        "go on from a copy of that time" in " ".join(one.text.split()) for one in other.letters(PEOPLE[0])
    )
    await other.close()


async def test_the_book_knows_when_it_was_last_proven(tmp_path: Path) -> None:
    house = await House(tmp_path / "r.db").open()
    untried = kept(house.store.url, tmp_path / "kept", house.clock, verify=False)
    assert (untried.audit, untried.noted) == (None, False)
    assert house.store.read_now(lambda tx: tx.get(Heartbeat, "backup")) is None
    house.clock.pass_(hours=1)
    assert kept(house.store.url, tmp_path / "kept", house.clock, workers=1).noted
    row = house.store.read_now(lambda tx: tx.get(Heartbeat, "backup"))
    assert row is not None
    assert row.at_ms == house.clock()
    assert house.store.read_now(lambda tx: tx.get(Meta, "restored")) is None
    await house.close()
