"""Who answers for somebody who doesn't: the dullest answer and the caretaker harm nobody and do nobody's
work; a bot only where the table was opened with one.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from referee import rules
from referee.bots import caretaker
from referee.bots.caretaker import LEASH
from referee.rules import lists
from referee.service.deadlines import clock_state
from referee.store import Journal
from tests.service.playing import asked, running, table
from tests.service.rig import House

#: what is done to others, or to what is theirs
HARM = frozenset(
    {
        "kill",
        "bewitch",
        "warrant",
        "confiscate",
        "rob",
        "spy",
        "threaten",
        "reveal",
        "swap",
        "peek",
        "take",
        "see",
        "tithe",
        "destroy",
        "seize",
        "exchange",
    }
)
#: what would be better than to say nothing
GAIN = frozenset(
    {
        "build",
        "income",
        "bonus",
        "draw",
        "favor",
        "collect",
        "redraw",
        "laboratory",
        "smithy",
        "museum",
        "armory",
        "sail",
        "study",
        "beautify",
        "finish",
        "buy",
    }
)
#: what happens to others
HURT = frozenset(
    {
        "killed",
        "named_robbed",
        "bewitched",
        "warrants",
        "confiscated",
        "spied",
        "threats",
        "threat_shown",
        "swapped",
        "destroyed",
        "seized",
        "exchanged",
        "theater",
        "peeked",
        "took_card",
        "tithe",
    }
)
WAYS = [
    ("classic", 4),
    ("classic", 7),
    ("original", 5),
    ("original", 2),
    ("deluxe", 4),
    ("deluxe", 6),
    ("deluxe", 8),
]


def begun(edition: str, players: int, seed: int) -> Any:
    """A game with cards by chance, so that all of them come up in time."""
    own = bytes([seed]) * 32
    drawn = lists.choose(edition, players, lists.Choice(named="random" if edition == "deluxe" else ""), own)
    return rules.new_game(
        rules.Setup(edition, tuple(f"P{n}" for n in range(players)), cast=drawn.cast, uniques=drawn.uniques),
        own,
    ).state


def free_of_harm(state: Any, ask: rules.Ask, move: rules.Move) -> str:
    """What is wrong with an answer in somebody's place; "" for nothing.  What must be done must be done."""
    verbs = {one.verb for one in ask.moves} | {one.verb for one in ask.families}
    if move.verb in HARM and verbs != {move.verb}:
        return f"{move} though there were {sorted(verbs)}"
    return ""


@pytest.mark.parametrize(("edition", "players"), WAYS)
def test_neither_the_dullest_answer_nor_the_caretaker_harms_anybody(edition: str, players: int) -> None:
    questions: Counter[str] = Counter()
    for seed in range(4):
        dice = random.Random(f"{edition} {players} {seed}")
        state = begun(edition, players, seed)
        absent = set(dice.sample(range(players), max(1, players // 2)))
        for _ in range(3_000):
            waiting = rules.asks(state)
            if not waiting:
                break
            ask = waiting[0]
            questions[ask.kind] += 1
            dull = rules.dull(state, ask.seat)
            assert not free_of_harm(state, ask, dull)
            assert dull.verb not in GAIN, f"{dull} for {ask.kind}"
            if ask.seat not in absent:
                moves = [*ask.moves] or [dull]
                state = rules.play(state, ask.seat, dice.choice(moves)).state
                continue
            own = caretaker.choose(rules.view(state, ask.seat))
            assert own is None or own.verb in LEASH | {"keep"}
            assert own is None or ask.kind in ("turn", "keep")
            outcome = rules.play(state, ask.seat, own or dull)
            forced = (own or dull).verb in HARM
            hurt = {event.name for event in outcome.events if event.facts.get("seat") == ask.seat} & HURT
            assert forced or not hurt, f"{own or dull} led to {hurt}"
            state = outcome.state
    assert questions["turn"] > 50
    assert questions["pick"] > 20


def test_each_question_says_beside_its_card_what_is_dullest() -> None:
    from referee.rules.model import Frame

    def all_of(kind: type) -> set[type]:
        return {kind, *(deeper for one in kind.__subclasses__() for deeper in all_of(one))}

    asking = [
        one for one in all_of(Frame) if "asks" in vars(one) or "orders" in vars(one) or "ask" in vars(one)
    ]
    for frame in asking:
        if not frame.__module__.startswith("referee.rules.") or frame is Frame:
            continue
        owner = next(base for base in frame.__mro__ if "dull" in vars(base))
        assert owner is not Frame or not getattr(frame, "code", ""), (
            f"{frame.__module__}.{frame.__name__} leaves its dull answer to nobody"
        )


PEOPLE = ["telegram:ana", "matrix:@bea:hs"]


@pytest.mark.parametrize(
    ("words", "told"), [("live standin bot", True), ("live standin either", True), ("live", False)]
)
async def test_a_bot_plays_only_where_the_table_was_opened_with_one_and_says_so(
    house: House, words: str, told: bool
) -> None:
    await house.say(PEOPLE[0], f"new classic 3 seats {words}")
    assert ("a bot plays for them" in house.last(PEOPLE[0]).text) == told
    game = await table(house, PEOPLE, hours=words)
    rule = clock_state.policy_of(running(house, game))
    gone = asked(house, game)
    for line in (f"policy #{game} standin bot", f"#{game} standin bot", f"standin bot #{game}"):
        await house.say(PEOPLE[gone], line)
    assert clock_state.policy_of(running(house, game)) == rule, "the table agreed to something else"
    for _ in range(60):
        if running(house, game).status != "running":
            break
        house.clock.pass_(hours=0.5)
        await house.referee.scheduler.ring()
    await house.settle()
    by = {one.by for one in house.store.read_now(lambda tx: tx.all(Journal, game_id=game))}
    assert by <= {"clock", "standin" if told else "caretaker"}
    assert len(by) == 2
