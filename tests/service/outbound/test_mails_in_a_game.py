"""How many mails a game by e-mail costs: what need not be answered waits for what must be, a turn is shown
once, and a whole turn in one mail is offered to anyone who gives one order at a time.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from referee.store import Outbox
from tests.service.mail_games import MailGame
from tests.service.playing import asked, legal, rows, table, turn_to
from tests.service.rig import House

ANA, BEA = "mail:ana@x.test", "mail:bea@x.test"
PEOPLE = [ANA, "telegram:bea"]
#: in a game of five by mail, for an average player
MAILS, BYTES = 30, 1_500_000


class Blank:
    """Instead of a process that draws: there is a picture, and it shows nothing."""

    async def run(self, work: Any, *given: Any, patience: float | None = None) -> bytes:
        return b"\x89PNG"

    def close(self) -> None:
        """Nothing is open."""


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    one = await House(tmp_path / "referee.db", pictures=True).open()
    one.wires["mail"].markup = "mail"
    one.referee.outbox_worker._renderer._worker = Blank()  # type: ignore[assignment]  # stands for a process
    yield one
    await one.close()


@pytest.mark.whole_games
async def test_an_average_player_gets_thirty_mails_at_most_in_a_game(tmp_path: Path) -> None:
    game = MailGame(tmp_path / "referee.db", 3, ["average"], others=4, pictures=4)
    await game.play()
    (who,) = game.styles
    mails, size = game.post(who).total
    assert game.rounds >= 7, "too short a game to be a measure"
    assert mails <= MAILS, game.post(who)
    assert size <= BYTES, game.post(who)
    fates = Counter(row.state for row in rows(game.house, Outbox))
    assert fates["failed"] == fates["queued"] == 0, "something was never told"
    await game.house.close()


async def gathering(house: House, game: int, seat: int) -> None:
    """Play until this seat begins its turn."""
    for _ in range(200):
        if asked(house, game) == seat and "gold" in legal(house, game):
            return
        who = asked(house, game)
        orders = legal(house, game)
        await house.say(PEOPLE[who], "end" if "end" in orders else orders[0])
    raise AssertionError("never")


async def test_within_a_turn_there_is_no_picture(house: House) -> None:
    game = await table(house, PEOPLE)
    await gathering(house, game, 0)
    assert house.last(ANA).picture is not None
    house.clock.pass_(seconds=60)
    await house.say(ANA, "gold")
    again = house.last(ANA)
    assert "Done: gold" in again.text
    assert asked(house, game) == 0
    assert again.picture is None
    assert "Your cards" in again.text, "the text says all of it"
    await house.say(ANA, "nonsense")
    assert house.last(ANA).picture is None, "the same question"
    await house.say(ANA, "status")
    assert house.last(ANA).picture is not None, "asked for"


async def test_a_confirmation_waits_for_the_next_question(house: House) -> None:
    game = await table(house, PEOPLE)
    await gathering(house, game, 0)
    assert "confirmed with your next question" in house.last(ANA).text
    before = len(house.letters(ANA))
    await house.say(ANA, "gold; end")
    assert asked(house, game) == 1
    assert len(house.letters(ANA)) == before
    await turn_to(house, game, PEOPLE, 0)
    (letter,) = house.letters(ANA)[before:]
    assert "Done: gold; end" in letter.text
    assert letter.picture is not None


async def test_it_leaves_by_itself_where_no_question_comes_for_a_day(house: House) -> None:
    game = await table(house, PEOPLE, hours="30d no bank no quiet no nights no vacation remind 25%")
    await gathering(house, game, 0)
    before = len(house.letters(ANA))
    await house.say(ANA, "gold; end")
    house.clock.pass_(hours=23)
    await house.settle()
    assert len(house.letters(ANA)) == before
    house.clock.pass_(hours=2)
    await house.settle()
    (letter,) = house.letters(ANA)[before:]
    assert "Done: gold; end" in letter.text
    assert letter.picture is None


@pytest.mark.parametrize("said", ["notify all", "notify urgent", "notify off"])
async def test_who_wants_all_or_no_questions_is_answered_at_once(house: House, said: str) -> None:
    game = await table(house, PEOPLE)
    await house.say(ANA, said)
    await gathering(house, game, 0)
    before = len(house.letters(ANA))
    await house.say(ANA, "gold; end")
    assert "Done: gold; end" in house.letters(ANA)[before].text


async def test_what_went_wrong_is_told_at_once(house: House) -> None:
    game = await table(house, PEOPLE)
    await gathering(house, game, 0)
    before = len(house.letters(ANA))
    await house.say(ANA, "gold\nend\nbuild everything")
    assert len(house.letters(ANA)) > before


@pytest.mark.parametrize(
    ("language", "told"), [("en", "a whole turn fits"), ("pt-br", "o turno inteiro cabe")]
)
async def test_several_orders_at_once_are_offered_once(house: House, language: str, told: str) -> None:
    game = await table(house, PEOPLE)
    await house.say(ANA, f"language {language}")
    gather, end = ("gold", "end") if language == "en" else ("ouro", "encerrar")
    for _ in range(4):  # four turns, one order at a time
        await gathering(house, game, 0)
        await house.say(ANA, gather)
        await house.say(ANA, end)
    hints = [flat for one in house.letters(ANA) if told in (flat := " ".join(one.text.split()))]
    assert len(hints) == 1
    await gathering(house, game, 0)
    example = re.search(rf"{gather}(; [^;.]+)?; {end}", hints[0].split(told)[1])
    assert example, hints[0]
    await house.say(ANA, example[0] if example[1] is None else f"{gather}; {end}")
    assert asked(house, game) != 0, "it can be played"


async def test_nobody_is_told_who_gives_several_orders_at_once(house: House) -> None:
    game = await table(house, PEOPLE)
    for _ in range(5):
        await gathering(house, game, 0)
        await house.say(ANA, "gold; end")
    assert not any("a whole turn fits" in " ".join(one.text.split()) for one in house.letters(ANA))
