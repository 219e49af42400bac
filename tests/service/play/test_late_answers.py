"""What an answer to an older letter means, by mail above all, where it may be days under way: words are
meant for the table as it is, a number for the letter that shows it, and nothing is done twice.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from referee.ids import GameId
from referee.service.admin import console
from referee.service.play import freeze
from referee.store import Game
from tests.service.joining import joined
from tests.service.playing import asked, legal, ring, running, table, turn_to
from tests.service.rig import House

ANA = "mail:ana@x.test"
PEOPLE = [ANA, "telegram:bea"]
AWAY_MS = 400 * 86_400_000


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    one = await House(tmp_path / "referee.db").open()
    yield one
    await one.close()


def told(house: House, who: str = ANA) -> str:
    return " ".join(house.last(who).text.split())


async def to_turn(house: House, game: int, token: str = "") -> str:
    """Play until Ana begins her turn; the token of her newest letter then."""
    for _ in range(200):
        if asked(house, game) == 0 and "gold" in legal(house, game):
            return house.last(ANA).token
        who, orders = PEOPLE[asked(house, game)], legal(house, game)
        words = "end" if "end" in orders else orders[0]
        await house.say(who, words, token=token if who == ANA else "")
    raise AssertionError("never")


async def test_within_a_turn_words_may_answer_the_letter_that_began_it(house: House) -> None:
    game = await table(house, PEOPLE)
    began = await to_turn(house, game)
    await house.say(ANA, "gold", token=began)
    assert asked(house, game) == 0
    await house.say(ANA, "1", token=began)
    assert "earlier question" in told(house), "a number belongs to its letter"
    assert asked(house, game) == 0
    await house.say(ANA, "end", token=began)
    assert asked(house, game) == 1


async def test_so_they_may_after_a_pause_in_its_midst(house: House) -> None:
    game = await table(house, PEOPLE)
    began = await to_turn(house, game)
    house.clock.pass_(hours=1)
    await house.say(ANA, "gold", token=began)
    for word in ("pause", "resume"):
        await house.say(ANA, f"{word} #{game}")
        await house.say(PEOPLE[1], f"vote yes #{game}")
    await house.say(ANA, "end", token=began)
    assert asked(house, game) == 1, told(house)


async def test_and_after_the_table_stood_still(house: House) -> None:
    game = await table(house, PEOPLE)
    began = await to_turn(house, game)
    house.clock.pass_(hours=1)
    await house.say(ANA, "gold", token=began)
    house.store.write_now(lambda tx: freeze.freeze(house.referee.context.uow(tx), GameId(game)))
    house.clock.pass_(hours=1)
    assert house.store.write_now(lambda tx: console.mend(tx, "thaw", game, house.shell()))
    await house.settle()
    await house.say(ANA, "end", token=began)
    assert asked(house, game) == 1, told(house)


async def test_the_same_words_below_the_same_letter_are_done_once(house: House) -> None:
    """Its outgoing mail stands still, so she writes again: no turn is played by it that she does not know."""
    game = await table(house, PEOPLE)
    began = await to_turn(house, game)
    house.wires["mail"].wait_ms = AWAY_MS
    await house.say(ANA, "gold\nend", token=began)
    assert asked(house, game) == 1
    await to_turn(house, game, token=began)  # other words are heard: nothing newer has reached her
    before = running(house, game).move_no
    await house.say(ANA, "Gold\n  end", token=began)
    assert running(house, game).move_no == before
    house.wires["mail"].wait_ms = 0
    house.clock.pass_(seconds=60)
    await house.settle()
    assert "Done: gold; end" in told(house), "what was held back comes along"
    assert "is not done again. Here is what is asked now" in told(house)
    await house.say(ANA, "gold")
    assert running(house, game).move_no == before + 1


async def test_after_a_newer_question_words_below_an_older_letter_are_asked_back_once(house: House) -> None:
    game = await table(house, PEOPLE)
    old = await to_turn(house, game)
    await house.say(ANA, "gold\nend")
    await to_turn(house, game)
    before = running(house, game).move_no
    await house.say(ANA, "gold; build everything", token=old)
    assert running(house, game).move_no == before
    assert "earlier question; nothing was done. Here is what is asked now" in told(house)
    assert "Your cards" in told(house) or "Your hand" in told(house)
    await house.say(ANA, "gold", token=old)
    assert running(house, game).move_no == before + 1, "who was told is heard below any letter"


async def test_what_the_clock_answered_is_not_answered_by_a_late_mail(house: House) -> None:
    game = await table(house, PEOPLE, hours="24h no bank no quiet no nights no vacation no restart")
    old = await to_turn(house, game)
    house.wires["mail"].wait_ms = AWAY_MS
    house.clock.pass_(hours=25)
    await ring(house)
    while not (asked(house, game) == 0 and "gold" in legal(house, game)):
        if asked(house, game) == 0:
            house.clock.pass_(hours=25)
            await ring(house)
        else:
            await house.say(PEOPLE[1], legal(house, game)[0])
    before = running(house, game).move_no
    await house.say(ANA, "gold", token=old)
    assert running(house, game).move_no == before, "it may have been meant for the turn that passed"


async def test_where_nothing_is_asked_it_is_said_so_and_what_was_held_back_comes_along(house: House) -> None:
    game = await table(house, PEOPLE)
    old = await to_turn(house, game)
    await house.say(ANA, "gold; end")
    assert asked(house, game) == 1
    before = len(house.letters(ANA))
    await house.say(ANA, "2", token=old)
    (letter,) = house.letters(ANA)[before:]
    text = " ".join(letter.text.split())
    assert "Done: gold; end" in text
    assert "nothing was done. You are asked nothing now" in text
    await house.say(ANA, "build everything")
    assert "not your turn" in told(house)


async def held(house: House) -> tuple[int, int]:
    """A game with a confirmation that waits; how many letters Ana has had."""
    game = await table(house, PEOPLE)
    await to_turn(house, game)
    before = len(house.letters(ANA))
    await house.say(ANA, "gold; end")
    assert len(house.letters(ANA)) == before
    return game, before


@pytest.mark.parametrize("said", ["help", "undo", "rules thief", "nonsense of all kinds", "notify off"])
async def test_it_comes_as_soon_as_its_player_writes(house: House, said: str) -> None:
    _, before = await held(house)
    await house.say(ANA, said)
    first, *_ = house.letters(ANA)[before:]
    assert "Done: gold; end" in first.text


async def test_it_comes_before_another_letter_about_the_table(house: House) -> None:
    _, before = await held(house)
    await house.say(PEOPLE[1], "say good luck")
    house.clock.pass_(hours=1)
    await house.settle()
    first, second = house.letters(ANA)[before:]
    assert "Done: gold; end" in first.text
    assert "good luck" in second.text


async def test_it_is_told_of_a_table_that_was_given_up(house: House) -> None:
    game, before = await held(house)
    house.store.write_now(lambda tx: tx.set(Game, game, status="abandoned"))
    house.clock.pass_(hours=25)
    await house.settle()
    assert "Done: gold; end" in house.letters(ANA)[before].text


async def test_one_with_another_channel_is_answered_at_once(house: House) -> None:
    game = await table(house, PEOPLE)
    await joined(house, ANA, "terminal:ana")
    await turn_to(house, game, PEOPLE, 1)
    await turn_to(house, game, PEOPLE, 0)
    before = len(house.letters(ANA))
    await house.say(ANA, legal(house, game)[0])
    assert "Done:" in house.letters(ANA)[before].text
