"""S4 at the desk: a costly message is refused quickly and in words, and a room where nobody spoke to us hears
nothing of it.
"""

from __future__ import annotations

import threading
from typing import Any

import pytest

from referee.service.plans import filing
from referee.text import Reading
from referee.text.reading.limits import MESSAGE
from tests.attacks.test_message_budget import LIMIT_MS, warm
from tests.service.playing import FLAT, asked, legal, running, table
from tests.service.rig import House

__all__ = ["warm"]

ANA, BEA = "telegram:ana", "telegram:bea"


async def writer_ms(
    house: House, monkeypatch: pytest.MonkeyPatch, who: str, text: str, **more: Any
) -> tuple[float, list[str]]:
    """What handling a message cost in all, and what it was answered."""
    spent: list[float] = []
    monkeypatch.setattr(
        house.referee.reception.admission.gate, "spent", lambda one, ms, now: spent.append(ms)
    )
    before = len(house.letters((more.get("place") and f"telegram:{more['place']}") or who))
    await house.say(who, text, **more)
    told = house.letters((more.get("place") and f"telegram:{more['place']}") or who)[before:]
    return max(spent, default=0.0), [letter.text for letter in told]


@pytest.mark.parametrize(
    "first", ["rules ", "help ", "cast ", "regras ", "ajuda ", "new ", "zone ", "league ", "gold; ", ""]
)
async def test_the_desk_refuses_it_quickly_and_in_words(
    house: House, monkeypatch: pytest.MonkeyPatch, first: str
) -> None:
    for number, unit in enumerate(
        ("ﷺ", "#1 ", "a ")
    ):  # each from somebody else: who says nothing readable again and again is not answered
        who = f"telegram:p{number}"
        await house.say(who, "help")
        for length in (190, 4_000, 30_000):
            spent, told = await writer_ms(house, monkeypatch, who, first + unit * (length // len(unit)))
            assert spent < 2 * LIMIT_MS, (unit, length, spent)
            assert told, (first, unit, length)
            assert len(told[-1]) < 4_000
    assert house.store.read_now(lambda tx: tx.inbox_new(10)) == []


async def test_it_says_so_in_both_languages(house: House) -> None:
    await house.say(ANA, "help")
    await house.say(ANA, "rules " + "ﷺ" * 4_000)
    assert "at most 60 words" in house.last(ANA).text
    await house.say(ANA, "language pt-br")
    await house.say(ANA, "regras " + "ﷺ" * 4_000)
    assert "no máximo 60 palavras" in house.last(ANA).text
    await house.say(ANA, "x" * (MESSAGE + 1))
    assert str(MESSAGE) in house.last(ANA).text


async def test_chatter_in_a_room_is_silent_and_looks_nothing_up(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await table(house, [ANA, BEA])
    await house.say(ANA, "/watch", place="-5")
    monkeypatch.setattr(
        "referee.service.inbound.dispatch.identify_speaker", lambda *_: pytest.fail("chatter was looked at")
    )
    before = len(house.wires["telegram"].sent)
    for text in ("rules " + "ﷺ" * 4_000, "gold " * 100, "#1 " * 1_000):
        await house.say(ANA, text, place="-5")
    assert len(house.wires["telegram"].sent) == before
    assert running(house, game).status == "running"


async def test_a_command_in_a_room_is_answered_there(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    await house.say(ANA, "/rules thief", place="-5")
    spent, told = await writer_ms(house, monkeypatch, ANA, "/rules " + "ﷺ" * 4_000, place="-5")
    assert spent < 2 * LIMIT_MS
    assert "at most 60 words" in told[-1]
    _, told = await writer_ms(house, monkeypatch, ANA, "/poll " + "ﷺ" * 4_000, place="-5")
    assert told == []  # another program's


async def test_a_long_plan_is_read_before_the_writer_is_entered(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await table(house, [ANA, BEA], hours=FLAT)
    inside: list[str] = []
    read = filing.read_plan

    def seen(text: str, reading: Reading) -> Any:
        inside.append(threading.current_thread().name)
        return read(text, reading)

    monkeypatch.setattr(filing, "read_plan", seen)
    writers: list[str] = []
    house.store.write_now(lambda tx: writers.append(threading.current_thread().name))
    who = [ANA, BEA][asked(house, game)]
    await house.say(
        who,
        "\n".join(
            [
                "when King: gold; build dearest; end",
                "when Merchant: gold; income; build cheapest; end",
                "prefer King, Merchant, Bishop",
            ]
        ),
    )
    assert len(inside) == 1
    assert inside[0] not in writers
    assert "King" in house.last(who).text


async def test_a_plan_that_takes_too_long_is_refused_in_words_and_costs_no_time(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await table(house, [ANA, BEA], hours=FLAT)
    who = [ANA, BEA][asked(house, game)]
    before = running(house, game).snapshot
    spent, told = await writer_ms(
        house, monkeypatch, who, "when King: gold\n" + "\n".join(["build temple or " * 11] * 60)
    )
    assert spent < 3 * LIMIT_MS
    assert told
    assert running(house, game).snapshot == before
    await house.say(who, legal(house, game)[0])
    assert running(house, game).snapshot != before
