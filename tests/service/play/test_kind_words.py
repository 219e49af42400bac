"""Thanks, greetings and laughter to a referee who waits for an order: no move, and no scolding."""

from __future__ import annotations

import pytest

from referee.rules.facts import Move
from referee.text import NotUnderstood, Reading, read_intent, read_order
from referee.text.lexicon import lexicon
from referee.text.reading.courtesy import is_courtesy
from tests.service.playing import asked, legal, lines, table
from tests.service.rig import House

PEOPLE = ["telegram:ana", "telegram:bea", "telegram:carl"]
KIND = [
    ("en", "thanks"),
    ("en", "gg"),
    ("en", "Ok, thanks Bea 👍"),
    ("en", "hi all!"),
    ("en", "👍"),
    ("en", ";)"),
    ("en", "sorry"),
    ("en", "hold on"),
    ("pt-br", "obrigado"),
    ("pt-br", "Valeu, Bea!"),
    ("pt-br", "oi gente, boa sorte"),
    ("pt-br", "kkkkkkkkk"),
]


@pytest.mark.parametrize(("language", "said"), KIND)
async def test_who_is_asked_hears_that_the_question_is_open(house: House, language: str, said: str) -> None:
    game = await table(house, PEOPLE)
    who = PEOPLE[asked(house, game)]
    await house.say(who, f"language {language}")
    before = len(lines(house, game))
    await house.say(who, said)
    answer = house.last(who)
    still = "table still waits for you" if language == "en" else "mesa continua esperando você"
    assert still in answer.text
    assert "Not done" not in answer.text
    assert "Não deu" not in answer.text
    assert answer.buttons, "and it is asked again"
    assert len(lines(house, game)) == before


@pytest.mark.parametrize(("language", "said"), KIND)
async def test_who_waits_hears_that_nothing_is_asked(house: House, language: str, said: str) -> None:
    game = await table(house, PEOPLE)
    who = PEOPLE[asked(house, game) - 1]
    await house.say(who, f"language {language}")
    await house.say(who, said)
    nothing = "Nothing is asked of you" if language == "en" else "nada está sendo perguntado a você"
    assert nothing in house.last(who).text


async def test_beside_an_order_nothing_of_it_is_lost(house: House) -> None:
    game = await table(house, PEOPLE)
    who = PEOPLE[asked(house, game)]
    await house.say(who, "gg; pick")
    assert "Not done:" in house.last(who).text
    await house.say(who, "pick Nobody\nThanks, Ana")
    assert "Not done:" in house.last(who).text
    assert "Thanks" not in house.last(who).text, "it is no order that was not done"
    await house.say(who, "thanks Bea; I am late")
    answer = house.last(who).text
    assert "could not read this as an order" in answer
    assert "> thanks Bea" in answer


async def test_kind_words_below_an_order_are_no_fault(house: House) -> None:
    game = await table(house, PEOPLE)
    who = PEOPLE[asked(house, game)]
    await house.say(who, f"{legal(house, game)[0]}\n\ngg Bea and all")
    assert "Done: pick" in house.last(who).text
    assert "Not done" not in house.last(who).text
    assert len(lines(house, game)) == 1


@pytest.mark.parametrize("said", ["sorry", "my bad", "hold on"])
async def test_what_may_take_back_an_order_beside_it_is_not_left_out(house: House, said: str) -> None:
    game = await table(house, PEOPLE)
    while "gold" not in legal(house, game):
        await house.say(PEOPLE[asked(house, game)], legal(house, game)[0])
    who, before = PEOPLE[asked(house, game)], len(lines(house, game))
    await house.say(who, f"gold; {said}")
    assert "Not done" in house.last(who).text
    assert len(lines(house, game)) == before


@pytest.mark.parametrize(
    "said", ["ok no", "thanks, no", "sorry, not gold", "Ana", "Bea Ana", "!!", "x" * 500]
)
def test_what_may_mean_more_is_not_only_kind(said: str) -> None:
    assert not is_courtesy(said, Reading("en", ("Ana", "Bea")))


def test_in_a_room_the_referee_is_thanked_in_peace() -> None:
    heard = read_intent("@referee thanks!", Reading("en"), private=False, addressed=True)
    assert not isinstance(heard, NotUnderstood)
    assert heard.kind == "chatter"


@pytest.mark.parametrize("language", ["en", "pt_BR"])
def test_no_kind_word_is_an_order(language: str) -> None:
    passing = {"kind": "graveyard", "moves": [["buy", []], ["pass", []]], "families": []}
    for said in lexicon(language).courtesies("pleasantries"):
        got = read_order(said, Reading(language, ("Ana", "Bea"), passing))
        assert isinstance(got, NotUnderstood), said
        assert got.code == "courtesy", said
        assert not any(
            said in lexicon(language).spellings("verbs", one) for one in lexicon(language).keys("verbs")
        )


def test_a_player_may_be_called_like_a_kind_word() -> None:
    asks = {"kind": "emperor", "moves": [["crown", [1]], ["crown", [2]]], "families": []}
    assert read_order("Massa", Reading("pt_BR", ("Ana", "Massa", "Bea"), asks)) == Move("crown", (1,))
