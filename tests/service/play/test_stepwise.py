"""A big question is answered step by step, by buttons and by numbers, on every channel."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from referee import rules
from referee.service.play import moves
from referee.store import Journal, Outbox
from tests.service.playing import asked, legal, running, state, table
from tests.service.rig import House


async def magician(house: House, people: list[str]) -> tuple[int, int]:
    """A game in which somebody is asked whether to redraw cards; its number and the seat."""
    game = await table(house, people, command="new classic")
    for _ in range(400):
        seat = asked(house, game)
        if any(f.verb == "redraw" and len(f.cards) > 2 for f in rules.asks(state(house, game))[0].families):
            return game, seat
        orders = legal(house, game)
        await house.say(
            people[seat],
            "pick Magician" if "pick Magician" in orders else "cards" if "cards" in orders else orders[-1],
        )
    raise AssertionError("nobody was the Magician")


def journal(house: House, game: int) -> list[str]:
    return [j.order for j in house.store.read_now(lambda tx: tx.all(Journal, game_id=game, order="no"))]


@pytest.mark.parametrize("channel", ["telegram", "matrix", "terminal"])
async def test_cards_by_buttons(house: House, channel: str) -> None:
    people = [f"{channel}:{name}" for name in ("ana", "bea")]
    game, seat = await magician(house, people)
    who = people[seat]
    await house.say(who, "status")
    before = journal(house, game)
    cards = next(f for f in rules.asks(state(house, game))[0].families if f.verb == "redraw").cards
    await house.press(who, house.key(who, "redraw …"))
    shown = house.last(who)
    assert "So far: redraw …" in shown.text
    assert bool(shown.edits) == (channel == "telegram")
    assert ("Round" in shown.text) == (channel == "telegram")
    await house.press(who, house.key(who, f"redraw {cards[0]}, …"))
    assert f"So far: redraw {cards[0]}, …" in house.last(who).text
    assert journal(house, game) == before
    await house.press(who, house.key(who, f"redraw {cards[0]}"))
    assert journal(house, game) == [*before, f"redraw {cards[0]}"]
    assert "So far" not in house.last(who).text


async def test_a_number_means_what_its_letter_showed_though_another_version_had_ordered_it_otherwise(
    house: House,
) -> None:
    people = ["terminal:ana", "telegram:bea"]
    game = await table(house, people)
    who = people[asked(house, game)]
    row = house.store.read_now(lambda tx: tx.all(Outbox, kind="prompt", order="-id", limit=1))[0]
    worded = json.loads(row.letter)
    picks = [one for line in worded["buttons"] for one in line if one["order"].startswith("pick ")]
    assert len(picks) > 1
    orders = [one["order"] for one in picks]
    for one, order in zip(picks, reversed(orders), strict=True):
        one["order"] = order  # as an older version of the referee might have listed them
    house.store.write_now(lambda tx: tx.set(Outbox, row.id, letter=json.dumps(worded)))
    await house.say(who, "1")
    assert journal(house, game)[-1:] == orders[-1:]


async def test_cards_by_numbers_and_back(house: House) -> None:
    people = ["terminal:ana", "mail:bea@x.test"]
    game, seat = await magician(house, people)
    who = people[seat]
    await house.say(who, "status")
    before = journal(house, game)

    def number(order: str) -> str:
        shown = [x for x in house.letters(who) if x.buttons][-1]
        return {b.order: str(b.number) for row in shown.buttons for b in row}[order]

    cards = next(f for f in rules.asks(state(house, game))[0].families if f.verb == "redraw").cards
    await house.say(who, number("redraw …"))
    assert "So far: redraw …" in house.last(who).text
    await house.say(who, number(f"redraw {cards[1]}, …"))
    await house.say(who, number("…"))
    assert "So far" not in house.last(who).text
    assert "redraw …" in [b.order for row in house.last(who).buttons for b in row]
    await house.say(who, "99")
    assert "no option 99" in house.last(who).text
    await house.say(who, number("redraw …"))
    await house.say(who, number(f"redraw {cards[1]}, …"))
    assert journal(house, game) == before
    await house.say(who, f"{number(f'redraw {cards[1]}')}; status")
    assert journal(house, game) == before  # a command stands alone
    await house.say(who, number(f"redraw {cards[1]}"))
    assert journal(house, game) == [*before, f"redraw {cards[1]}"]


async def test_typing_the_whole_order_works_at_any_place(house: House) -> None:
    people = ["telegram:ana", "telegram:bea"]
    game, seat = await magician(house, people)
    who = people[seat]
    await house.say(who, "status")
    await house.press(who, house.key(who, "redraw …"))
    await house.say(who, "gold")
    assert journal(house, game)[-1] == "gold"
    await house.say(who, "redraw … and then some")
    assert "Not done" in house.last(who).text
    await house.say(who, "redraw …")
    assert "So far: redraw …" in house.last(who).text


async def test_words_that_answer_a_step_may_be_what_stands_on_its_buttons(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a question of hundreds the labels behind a step are known by its place only."""
    people = [f"mail:{name}@x.test" for name in ("ana", "bea")]
    game, seat = await magician(house, people)
    who, heard = people[seat], []
    attempt = moves.attempt

    def listening(*given: Any, **more: Any) -> moves.OrderAttempt:
        heard.append(given[4].path)
        return attempt(*given, **more)

    monkeypatch.setattr(moves, "attempt", listening)
    await house.say(who, "status")
    await house.say(who, "redraw …")
    assert "So far: redraw …" in house.last(who).text
    await house.say(who, "gold")
    assert heard == [("redraw <D>+",)]
    assert journal(house, game)[-1] == "gold"


@pytest.mark.whole_games
@pytest.mark.parametrize(
    ("channel", "command", "seed"),
    [
        ("telegram", "new random nine", 1),
        ("matrix", "new cunning agents with Diplomat, Cardinal, Magician", 2),
        ("terminal", "new original random", 3),
    ],
)
async def test_whole_games_by_buttons_alone(
    house: House, monkeypatch: pytest.MonkeyPatch, channel: str, command: str, seed: int
) -> None:
    """Whatever is asked, pressing buttons is enough; whatever a button says, it does."""
    monkeypatch.setattr("referee.service.tables.lobby.secrets.token_bytes", lambda n: bytes([seed]) * n)
    people = [f"{channel}:{name}" for name in ("ana", "bea", "cy", "dan")]
    game = await table(house, people, command=command)
    dice = random.Random(seed)
    steps = 0
    for _ in range(900):
        if running(house, game).status != "running":
            break
        who = people[asked(house, game)]
        shown = [x for x in house.letters(who) if x.buttons][-1]
        buttons = [b for row in shown.buttons for b in row]
        if channel != "telegram":
            assert all(f"{b.number}. {b.label}" in shown.text for b in buttons)
        assert len(buttons) <= 30
        busy = [b for b in buttons if b.order not in ("end", "…", "plan")] or buttons
        chosen = dice.choice(busy)
        before = journal(house, game)
        await house.press(who, chosen.key)
        if "…" in chosen.order:
            steps += 1
            assert journal(house, game) == before
        else:
            assert journal(house, game)[len(before)] == chosen.order
    else:
        assert running(house, game).round > 4
    assert steps > 3
