"""Languages: who is spoken to in which, how that is changed, and a table at which two are spoken."""

from __future__ import annotations

import asyncio
import dataclasses
import random

import pytest

from referee import rules
from referee.ports import Inbound, What
from referee.store import Person, Room, StoreFull
from referee.text import Reading, commands_elsewhere, lexicon
from referee.text.rendering.typed import typed as word_by_word
from tests.service.playing import asked, legal, running, table
from tests.service.rig import House
from tests.service.talking import language

GROUP = "-7"


@pytest.fixture(autouse=True)
def markups(house: House) -> None:
    for name, wire in house.wires.items():
        wire.markup = "text" if name == "terminal" else name


async def met(
    house: House,
    who: str,
    language: str,
    text: str = "/start",
    place: str | None = None,
    what: What = What.MESSAGE,
) -> str:
    """Somebody says something on a wire that tells a language; what they are answered."""
    channel, _, address = who.partition(":")
    await house.bring(
        Inbound(
            channel=channel,
            key=f"{who} {text} {house.clock()} {len(house.letters(who))}",
            address=address,
            what=what,
            text=text,
            place=place,
            name=address.split("@")[0].capitalize(),
            language=language,
            vouched=channel != "mail",
            at_ms=house.clock(),
        )
    )
    return house.last(f"{channel}:{place}" if place else who).text


async def test_the_wire_tells_the_language(house: House) -> None:
    for n, (code, spoken) in enumerate(
        [
            ("pt-br", "pt_BR"),
            ("pt", "pt_BR"),
            ("pt-PT", "pt_BR"),
            ("en-GB", "en"),
            ("de", "en"),
            ("", "en"),
            ("de, pt-BR, en", "pt_BR"),
            ("x" * 300, "en"),
            ("\u202ept", "pt_BR"),
        ]
    ):
        said = await met(house, f"telegram:ana{n}", code)
        assert language(house, f"Ana{n}") == spoken, code
        assert ("Boas-vindas" in said) == (spoken == "pt_BR")


async def test_a_mail_tells_it_in_its_headers(house: House) -> None:
    assert "responda a esta mensagem" in await met(house, "mail:ana@x.test", "pt-BR", "oi")
    await house.say(
        "mail:ana@x.test", "xyzzy"
    )  # who answers a letter is somebody from then on; the answer's own headers tell nothing
    assert "pt_BR" in {one.language for one in house.store.read_now(lambda tx: tx.all(Person))}


async def test_a_language_known_by_its_first_command(house: House) -> None:
    assert "O que você pode escrever" in await met(house, "matrix:@ana:hs.test", "", "ajuda")
    assert "What you can write" in await met(house, "matrix:@bea:hs.test", "", "help")
    said = await met(house, "mail:cy@x.test", "", "nova mesa clássica 5")
    assert "responda a esta mensagem com" in said


async def test_a_house_of_another_language(house: House) -> None:
    settings = dataclasses.replace(house.settings, language="pt_BR")
    house.referee.reception.worker._context = dataclasses.replace(house.referee.context, settings=settings)
    assert "Boas-vindas" in await met(house, "telegram:ana", "de")
    assert "Welcome" in await met(house, "telegram:bea", "en")


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        ("full", "O disco está cheio"),
        ("away", "O servidor do banco de dados não responde"),
        ("busy", "O banco de dados não me deixa gravar"),
    ],
)
async def test_its_admin_is_told_in_it_that_nothing_can_be_written(
    house: House, reason: str, said: str
) -> None:
    alarm = house.referee.outbox_worker._alarm
    alarm._settings = dataclasses.replace(alarm._settings, language="pt_BR", admins=(("telegram", "root"),))
    why = StoreFull("no")
    why.reason = reason
    alarm.disk_full(why)
    async with asyncio.timeout(5):
        while not house.letters("telegram:root"):
            await asyncio.sleep(0)
    assert said in house.last("telegram:root").text


async def test_changing_it(house: House) -> None:
    await met(house, "telegram:ana", "en")
    for said, answered in (
        ("language pt-br", "em Português (Brasil)"),
        ("idioma inglês", "in English"),
        ("language Português", "em Português (Brasil)"),
        ("language en", "in English"),
        ("Language: brazilian portuguese", "em Português (Brasil)"),
        ("idioma EN_us", "in English"),
    ):
        await house.say("telegram:ana", said)
        assert answered in house.last("telegram:ana").text, said
    await house.say("telegram:ana", "language")
    assert (
        "I write to you in English. To change that: “language” and one of English: "
        "en or Português (Brasil): pt-br."
    ) in house.last("telegram:ana").text
    assert language(house, "Ana") == "en"


async def test_a_language_that_does_not_exist(house: House) -> None:
    await met(house, "telegram:ana", "pt-br")
    for wanted in (
        "klingon",
        "de",
        "xx-YY",
        "pt br en",
        "<b>pt</b>",
        "\U0001f600",
        "en/../pt_BR",
        "pt_BR/lexicon.toml",
        "x" * 300,
    ):
        await house.say("telegram:ana", f"idioma {wanted}")
        said = house.last("telegram:ana").text
        assert (
            "Eu falo English: en e Português (Brasil): pt-br." in said
            or "Escrevo para você em Português" in said
        ), (wanted, said)
        assert language(house, "Ana") == "pt_BR"


async def test_a_room_has_its_own(house: House) -> None:
    """It begins in that of the person who invited; people read it there, and their own in private."""
    assert "Abra uma mesa abaixo" in await met(house, "telegram:ana", "pt-br", "", GROUP, What.INVITED)
    await met(house, "telegram:bea", "en", "/start")
    await house.say("telegram:bea", "/who", place=GROUP)
    assert "Não há ninguém sentado aqui." in house.last(f"telegram:{GROUP}").text
    await house.say("telegram:bea", "/language en", place=GROUP)  # no table is on: anybody may
    assert "In this room I speak English" in house.last(f"telegram:{GROUP}").text
    await met(house, "telegram:ana", "pt-br", "/start")
    await house.say("telegram:ana", "/nova mesa clássica 3", place=GROUP)
    assert (
        "A table is gathering" in house.last(f"telegram:{GROUP}").subject
        or "seats taken" in house.last(f"telegram:{GROUP}").text
    )
    await house.say("telegram:bea", "/language pt-br", place=GROUP)
    assert "only whoever opened it" in house.last(f"telegram:{GROUP}").text
    await house.say("telegram:ana", "/idioma português", place=GROUP)
    assert "falo Português (Brasil) nesta sala" in house.last(f"telegram:{GROUP}").text
    room = house.store.read_now(lambda tx: tx.one(Room, place=GROUP))
    assert room is not None
    assert room.language == "pt_BR"
    assert language(house, "Bea") == "en"  # what is said of a room changes nobody's own
    await house.say(
        "telegram:bea", "/entrar #1", place=GROUP
    )  # the room's words, by somebody who reads English
    assert "You have a seat at table #1" in house.last("telegram:bea").text
    await house.say("telegram:bea", "alguém quer jogar mesa hoje?", place=GROUP)  # talk stays talk
    await house.say("telegram:bea", "mesa", place=GROUP)
    assert "You have a seat" in house.last("telegram:bea").text


async def test_a_table_of_two_languages(house: House) -> None:
    await met(house, "telegram:ana", "pt-br")
    await met(house, "telegram:bea", "en")
    game = await table(house, ["telegram:ana", "telegram:bea"])
    words = {
        "telegram:ana": ("Rodada 1", "Agora:", "escolha um personagem"),
        "telegram:bea": ("Round 1", "Now:", "pick a character"),
    }
    others = {"telegram:ana": words["telegram:bea"], "telegram:bea": words["telegram:ana"]}
    seen: set[str] = set()
    rng = random.Random(4)
    for _ in range(14):
        seat = asked(house, game)
        who = ("telegram:ana", "telegram:bea")[seat]
        letter = house.last(who)
        assert all(word not in letter.text + letter.subject for word in others[who])
        seen |= {word for word in words[who] if word in letter.text}
        order = rng.choice(legal(house, game))
        await house.say(who, typed(order) if who == "telegram:ana" else order)
        echo = word_by_word(lexicon("pt_BR"), order, ("Ana", "Bea")) if who == "telegram:ana" else order
        # each reads what was understood in words they could write
        assert echo in house.last(who).text, (
            order,
            house.last(who).text,
        )
    assert seen == {*words["telegram:ana"], *words["telegram:bea"]}
    assert running(house, game).status == "running"


def typed(order: str) -> str:
    """An order in Portuguese words, here and there with an English one left."""
    verb, _, rest = order.partition(" ")
    return word_by_word(lexicon("pt_BR"), verb) + (
        f" {rest}" if len(rest) % 2 else word_by_word(lexicon("pt_BR"), f"x {rest}")[1:] if rest else ""
    )


async def test_what_goes_wrong_is_told_in_ones_own_language(house: House) -> None:
    await met(house, "telegram:ana", "pt-br")
    await met(house, "telegram:bea", "en")
    game = await table(house, ["telegram:ana", "telegram:bea"])
    seat = asked(house, game)
    me, other = ("telegram:ana", "telegram:bea") if seat == 0 else ("telegram:bea", "telegram:ana")
    for who in (me, other):
        await house.say(who, "destroy Zebra")
        said = house.last(who).text
        assert ("Não deu:" in said) == (who == "telegram:ana"), said
        assert ("Not done:" in said) == (who == "telegram:bea"), said
    assert rules.asks(house.referee.states.of(running(house, game)))[0].seat == seat


def test_what_no_wish_costs() -> None:
    """An ordinary order is not read a second time."""
    for language_ in ("en", "pt_BR"):
        for text in ("gold", "build Market", "ouro", "1", "; end", "", "kill King; gold"):
            assert commands_elsewhere(text, Reading(language_)) == () or (language_, text) in {("en", "ouro")}
    assert commands_elsewhere("ajuda", Reading("en")) == ("pt_BR",)
    assert commands_elsewhere("#17 /relógio@refbot", Reading("en")) == ("pt_BR",)
