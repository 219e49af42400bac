"""Words that are for one person, or seem to be: told to that one alone, or asked about, never to all."""

from __future__ import annotations

import pytest

from referee.store import Outbox
from tests.service.playing import asked, legal
from tests.service.rig import House
from tests.service.talking import ANA, BEA, CY, PEOPLE, heard, trio


async def test_a_colon_ends_a_name_with_which_another_begins(house: House) -> None:
    await house.say(CY, "name Bea Maria")
    await trio(house)
    await house.say(ANA, "tell Bea: Maria is not to know")
    assert heard(house, BEA, "Maria is not to know") == 1
    assert heard(house, CY, "is not to know") == 0


@pytest.mark.parametrize(
    "words",
    [
        "say to Bea: I am the King",
        "say To the Bea I am the King",
        "say only to Bea I am the King",
        "say just Bea: I am the King",
        "dizer só para a Bea: sou o rei",
        "dizer só pra Bea que sou o rei",
        "dizer com a Bea: sou o rei",
        "whisper to Bea: I am the King",
        "dizer para Bea que sou o rei",
        "dizer pra a Bea: sou o rei",
        "dizer à Bea que sou o rei",
        "dizer a Bea: sou o rei",
        "sussurrar ao Bea: sou o rei",
    ],
)
async def test_words_to_one_person_are_not_told_to_everybody(house: House, words: str) -> None:
    await trio(house, "talk anonymous")
    if words.startswith(("dizer", "sussurrar")):
        await house.say(ANA, "language pt-br")
    await house.say(ANA, words)
    house.clock.pass_(hours=1)
    await house.settle()
    assert not house.store.read_now(lambda tx: tx.count(Outbox, kind="talk"))
    answer = house.last(ANA).text
    assert "tell Bea …" in answer or "recado Bea …" in answer


@pytest.mark.parametrize(
    "words",
    [
        "say to be honest, I pass",
        "say only the King can win",
        "say for Bea that was bad",
        "say Bea: well done",
        "say to Ana from Ana",
        "dizer a Bea joga bem",
    ],
)
async def test_words_to_everybody_still_are(house: House, words: str) -> None:
    await trio(house)
    if words.startswith("dizer"):
        await house.say(ANA, "language pt-br")
    await house.say(ANA, words)
    assert heard(house, BEA, words.split(" ", 1)[1]) == 1
    assert heard(house, CY, words.split(" ", 1)[1]) == 1


@pytest.mark.parametrize(
    "words",
    [
        "falar com Bea: foge",
        "falar com a Bea: foge",
        "contar para a Bea foge",
        "recado para a Bea: foge",
        "falar só com a Bea foge",
    ],
)
async def test_to_one_alone_as_said_in_portuguese(house: House, words: str) -> None:
    await trio(house)
    await house.say(ANA, "language pt-br")
    await house.say(ANA, words)
    assert heard(house, BEA, "foge") == 1
    assert heard(house, CY, "foge") == 0


async def test_to_one_alone(house: House) -> None:
    await trio(house)
    await house.say(ANA, "tell Bea: trust me")
    assert "to you alone" in house.last(BEA).text
    assert heard(house, BEA, "trust me") == 1
    assert heard(house, CY, "trust me") == 0
    assert "Said to Bea alone" in house.last(ANA).text


@pytest.mark.parametrize(
    "words", ["whisper to Ana: I am the King", "whisper Ana I am the King", "whisper: Ana, I am the King"]
)
async def test_what_may_be_meant_for_one_is_not_whispered_to_all(house: House, words: str) -> None:
    await trio(house, "talk anonymous")
    await house.say(BEA, words)
    assert "For Ana alone: “tell Ana …”" in house.last(BEA).text
    assert not house.store.read_now(lambda tx: tx.all(Outbox, kind="talk"))
    for more in ("whisper to be or not", "whisper is Ana the King?", "whisper Bea it was"):
        await house.say(BEA, more)
        assert "It goes to everybody" in house.last(BEA).text
    await house.say(CY, "language pt")
    await house.say(CY, "sussurrar para a Ana oi")
    assert "Só para Ana: “recado Ana …”" in house.last(CY).text


async def test_an_order_below_what_is_said_is_told_to_nobody(house: House) -> None:
    """“say good luck”, and below it “pick King”: everybody read it, and it was not picked."""
    game = await trio(house, "talk anonymous")
    me, pick = PEOPLE[asked(house, game)], legal(house, game)[0]
    other = next(one for one in ("Ana", "Bea", "Cy") if one.lower() not in me)
    for command in ("say", f"tell {other}", "whisper"):
        await house.say(me, f"Hi!\n{command} good luck\n\n{pick}\n")
        assert f"“{command.split()[0]}” must stand alone" in house.last(me).text
    await house.say(PEOPLE[asked(house, game) - 1], "say mine for later:\nkill King")
    await house.say(me, "say this is for table 1\n#2 say I am the King")
    assert "“#2 say I am the King” must stand alone" in house.last(me).text
    assert not house.store.read_now(lambda tx: tx.all(Outbox, kind="talk"))
    assert legal(house, game)[0] == pick
    await house.say(me, "say good luck\nwe are waiting for me\nend of story")
    assert house.store.read_now(lambda tx: tx.all(Outbox, kind="talk"))
