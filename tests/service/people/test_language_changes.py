"""Languages at their edges: ones that there are not, spelled in any way, changed while a game is on, and two
in one message.
"""

from __future__ import annotations

import pytest

from adapters import mail, telegram
from referee.main import worded
from referee.ports import Inbound, What
from referee.store import Journal, Room
from referee.text import Words
from tests.service.playing import asked, legal, running, table
from tests.service.rig import House
from tests.service.talking import language

ANA, BEA, CY = "telegram:ana", "matrix:@bea:hs", "terminal:cy"
PEOPLE = [ANA, BEA]
HALL = "!hall:hs"


def played(house: House, game: int) -> int:
    return house.store.read_now(lambda tx: tx.count(Journal, game_id=game))


@pytest.mark.parametrize(
    "spelled",
    [
        "pt",
        "PT",
        "pt_br",
        "pt-BR",
        "PT-BR",
        "Pt_Br",
        "pt br",
        "português",
        "PORTUGUÊS",
        "portugues",
        "português do brasil",
        "brasileiro",
        "Português (Brasil)",
        "pt-PT",
        "portuguese",
    ],
)
async def test_it_is_spelled_in_any_way(house: House, spelled: str) -> None:
    await house.say(CY, f"language {spelled}")
    assert (
        "falo Português (Brasil) com você" in house.last(CY).text
        or "em Português (Brasil)" in house.last(CY).text
    )
    assert language(house, "Cy") == "pt_BR"
    await house.say(CY, "idioma inglês")
    assert language(house, "Cy") == "en"


@pytest.mark.parametrize(
    ("now", "said"),
    [
        ("en", "I don't speak “xx”. I speak English: en and Português (Brasil): pt-br."),
        ("pt", "Não falo “xx”. Eu falo English: en e Português (Brasil): pt-br."),
    ],
)
async def test_one_that_there_is_not_is_told_in_the_present_one(house: House, now: str, said: str) -> None:
    await house.say(CY, f"language {now}")
    for word in ("language", "idioma"):
        await house.say(CY, f"{word} xx")
        assert said in house.last(CY).text
    assert language(house, "Cy") == {"pt": "pt_BR"}.get(now, now)


async def test_where_no_wire_tells_it_a_room_does(house: House) -> None:
    """Matrix knows no language of anybody: anyone who is heard first in a Portuguese room is spoken to in
    Portuguese, also when they use the English words that all languages know; and in an English room the
    person who uses Portuguese ones.
    """
    await house.say(BEA, "idioma pt-br")
    await house.bring(
        Inbound(
            channel="matrix",
            key="in",
            address="@bea:hs",
            what=What.INVITED,
            place=HALL,
            name="Bea",
            at_ms=house.clock(),
        )
    )
    room = house.store.read_now(lambda tx: tx.one(Room, place=HALL))
    assert room is not None
    assert room.language == "pt_BR"
    for who, said, found in (
        ("matrix:@gil:hs", "!entrar #99", "pt_BR"),
        ("matrix:@hal:hs", "!join #99", "pt_BR"),
        ("matrix:@ida:hs", "!web", "pt_BR"),
    ):
        await house.say(who, said, place=HALL)
        assert language(house, who[len("matrix:@") : -len(":hs")]) == found, said
    await house.say("matrix:@kim:hs", "!entrar #99", place="!other:hs")
    assert language(house, "kim") == "pt_BR"
    await house.say("matrix:@jon:hs", "web")
    assert language(house, "jon") == "en"  # in private: the house's


async def test_changing_it_while_a_game_is_on(house: House) -> None:
    """What is asked is asked again in the new one, the living message follows, and what was offered before
    still works.
    """
    for name, wire in house.wires.items():
        wire.markup = "text" if name == "terminal" else name
    game = await table(house, PEOPLE)
    while asked(house, game) != 0:
        await house.say(BEA, legal(house, game)[0])
    old = house.last(ANA)
    assert "Now:" in old.text
    await house.say(ANA, "idioma português")
    assert "Português" in house.last(ANA).text
    await house.say(ANA, "mesa")
    assert "Agora:" in house.last(ANA).text
    assert "Now:" not in house.last(ANA).text
    before = played(house, game)
    first = next(button for row in old.buttons for button in row if button.order in legal(house, game))
    await house.press(ANA, first.key)  # an English button
    assert played(house, game) == before + 1
    assert "Feito:" in house.last(ANA).text
    while asked(house, game) != 0:
        await house.say(BEA, legal(house, game)[0])
    await house.say(ANA, "language en")
    before = played(house, game)
    await house.say(ANA, "1")  # the number that a Portuguese letter gave
    assert played(house, game) == before + 1
    assert "Done:" in house.last(ANA).text
    assert running(house, game).status == "running"


async def test_a_room_changes_while_its_message_lives(house: House) -> None:
    house.wires["telegram"].markup = "telegram"
    game = await table(house, PEOPLE)
    await house.bring(
        Inbound(
            channel="telegram",
            key="in",
            address="ana",
            what=What.INVITED,
            place="-7",
            name="Ana",
            at_ms=house.clock(),
        )
    )
    await house.say(ANA, f"/watch #{game}", place="-7")

    async def alive() -> str:
        await house.say(PEOPLE[asked(house, game)], legal(house, game)[0])
        return next(one for one in reversed(house.letters("telegram:-7")) if "#1, " in one.text).text

    assert "Round 1" in await alive()
    await house.say(ANA, "/idioma pt-br", place="-7")
    assert "Rodada 1" in await alive()
    assert language(house, "Ana") == "en"


def test_a_channel_s_own_words_are_the_house_s_unless_the_admin_has_set_some() -> None:
    account = {
        "address": "referee@x.test",
        "user": "referee",
        "password": "x",
        "smtp_host": "x.test",
        "imap_host": "x.test",
    }
    for house, sender in (
        ("en", "Citadels referee"),
        ("pt-br", "Árbitro de Citadels"),
        ("xx", "Citadels referee"),
    ):
        made = worded(mail.Settings.model_validate(account), Words(), house)
        assert getattr(made, "display_name") == sender  # noqa: B009 - of the channel's own class
    ours = mail.Settings.model_validate({**account, "display_name": "Citadels referee"})
    assert worded(ours, Words(), "pt_BR") is ours
    offered = worded(telegram.Settings.model_validate({"token": "123456789:" + "A" * 35}), Words(), "pt_BR")
    assert {"entrar", "mesa"} <= {name for name, _ in getattr(offered, "commands")}  # noqa: B009 - the same


async def test_two_languages_in_one_message(house: House) -> None:
    game = await table(house, [CY, ANA])
    await house.say(CY, "idioma pt-br")
    who = {0: CY, 1: ANA}
    for _ in range(60):
        if asked(house, game) == 0 and {"gold", "end"} & set(legal(house, game)):
            break
        await house.say(who[asked(house, game)], legal(house, game)[0])
    before = played(house, game)
    await house.say(CY, "gold; encerrar" if "gold" in legal(house, game) else "encerrar; the end")
    assert played(house, game) >= before + 1
    assert "Feito:" in house.last(CY).text or "Feito:" in house.letters(CY)[-2].text
    before = played(house, game)
    await house.say(CY, "construir batata; end")
    assert played(house, game) == before
    assert "batata" in house.last(CY).text
