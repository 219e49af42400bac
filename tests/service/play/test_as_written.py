"""Orders as people write them, played at a table: several in one line, labels of buttons, two answers."""

from __future__ import annotations

import pytest

from referee import rules
from referee.rules.facts import Move
from referee.rules.notation import order_text
from referee.service.play import moves
from referee.store import Journal, Seat
from referee.text import Words
from tests.service.playing import asked, legal, running, state, table
from tests.service.rig import House
from tests.text.editions import random_game

PEOPLE = ["telegram:ana", "terminal:cy"]
WORDS = Words(strict=True)


async def at_a_turn(house: House, language: str = "en") -> tuple[int, str]:
    """A game in which the first of PEOPLE may take gold or draw cards, and build then; (game, address)."""
    game = await table(house, PEOPLE)
    for _ in range(400):
        seat, orders = asked(house, game), legal(house, game)
        if seat == 0 and {"gold", "cards"} <= set(orders) and buildable(house, game):
            if language != "en":
                await house.say(PEOPLE[0], f"language {language}")
            return game, PEOPLE[0]
        await house.say(PEOPLE[seat], "gold" if "gold" in orders else orders[0])
    raise AssertionError("nobody can ever build")


def buildable(house: House, game: int) -> str:
    """A district that may be built after gold was taken, "" for none."""
    then = rules.play(state(house, game), 0, Move("gold"))
    return next((str(m.args[0]) for m in then.asks[0].moves if m.verb == "build" and len(m.args) == 1), "")


def journal(house: House, game: int) -> list[str]:
    return [j.order for j in house.store.read_now(lambda tx: tx.all(Journal, game_id=game, order="no"))]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "gold, build {}, end!"),
        ("en", "Ok gold 👍, then build {}, and then end!"),
        ("en", "I take gold and build {} and end!"),
        ("en", "1. gold\n2. build {}\n3. end!"),
        ("en", "gold,\nbuild {},\nend!"),
        ("pt-br", "ouro, construir {}, fim!"),
        ("pt-br", "eu pego ouro, depois construir {}, e depois fim!"),
    ],
)
async def test_several_orders_in_one_message(house: House, language: str, said: str) -> None:
    game, who = await at_a_turn(house, language)
    before, card = journal(house, game), buildable(house, game)
    await house.say(who, said.format(card))
    assert journal(house, game)[len(before) :][:3] == ["gold", f"build {card}", "end"]


@pytest.mark.parametrize(
    "said", ["gold, cards", "cards, gold", "cards and gold", "gold then cards", "2 gold, 2 cards"]
)
async def test_two_answers_to_one_question_are_asked_back(house: House, said: str) -> None:
    """Nothing is done, not even what could not be taken back: no card is seen."""
    game, who = await at_a_turn(house)
    before = running(house, game).snapshot
    await house.say(who, said)
    assert running(house, game).snapshot == before
    told = house.last(who).text
    assert "read in two ways" in told
    assert "gold" in told.split("Which one:")[1][:60]
    assert "cards" in told.split("Which one:")[1][:60]


@pytest.mark.parametrize(
    "said", ["1 and 3", "1, 2", "one and two", "gold or cards", "gold, whatever", "gold, help"]
)
async def test_what_is_not_certain_is_not_played(house: House, said: str) -> None:
    game, who = await at_a_turn(house)
    before = running(house, game).snapshot
    await house.say(who, said)
    assert running(house, game).snapshot == before


@pytest.mark.parametrize("typo", ["keep zzz", "keep", "zzz"])
async def test_a_typing_error_is_no_look_at_the_deck_in_one_line_either(house: House, typo: str) -> None:
    game, who = await at_a_turn(house)
    before, hidden = journal(house, game), rules.play(state(house, game), 0, Move("cards"))
    await house.say(who, f"cards, {typo}")
    drawn = {str(card) for m in hidden.asks[0].moves for card in m.args[0]}
    if journal(house, game) == before:
        asked_now = {str(card) for order in legal(house, game) for card in drawn if card in order}
        assert not [card for card in drawn - asked_now if f"keep {card}" in house.last(who).text]
    else:
        assert journal(house, game) == [*before, "cards"]


@pytest.mark.parametrize("language", ["en", "pt-br"])
async def test_what_stands_on_a_button_can_be_typed(house: House, language: str) -> None:
    """Whatever is shown, all the way through a game: what is played is what was shown."""
    game, _ = await at_a_turn(house, language)
    await house.say(PEOPLE[1], f"language {language}")
    for _ in range(60):
        if running(house, game).status != "running":
            return
        seat, now = asked(house, game), state(house, game)
        view = rules.view(now, seat)
        shown = WORDS.shown(view["ask"], view, language)
        known = [(label, entry) for label, entry in shown if isinstance(entry, Move)]
        label, move = known[len(journal(house, game)) % len(known)]
        before = journal(house, game)
        await house.say(PEOPLE[seat], label)
        order = order_text(move, [player["name"] for player in view["players"]])
        assert order in journal(house, game)[len(before) :], (label, house.last(PEOPLE[seat]).text)


@pytest.mark.parametrize(("yes", "table"), [("buy", ("original", 6)), ("reveal", ("deluxe", 5))])
def test_yes_and_no_in_one_line_are_asked_back(yes: str, table: tuple[str, int]) -> None:
    """Such an answer ends the asking, so that the first of two would stand for good."""
    edition, players = table
    state, seat = next(
        (moment.state, moment.ask.seat)
        for number in range(60)
        for moment in random_game(edition, players, number)
        if moment.ask is not None and {move.verb for move in moment.ask.moves} == {yes, "pass"}
    )
    seats = [Seat(game_id=1, no=no, name=name) for no, name in enumerate(state.setup.players)]
    for said in (f"{yes}, no", f"no, {yes}", f"no and {yes}", f"{yes}, pass"):
        done = moves.attempt(state, seats, seat, [said], moves.Hearing())
        assert not done.steps
        assert done.trouble is not None
        assert done.trouble.code == "ambiguous"
    assert moves.attempt(state, seats, seat, ["no"], moves.Hearing()).steps[0].order == "pass"
