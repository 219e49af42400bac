"""`learn`: the guided game, tried by somebody who does only what the last letter says, on every channel and
in every language.
"""

from __future__ import annotations

import json
import re

import pytest

from referee.ports import Fate, Letter, Receipt
from referee.service.teaching import lesson_state, lessons
from referee.store import Game, Outbox, Person, Seat
from referee.text import Words
from tests.seeds import covering
from tests.service.playing import asked, greet, legal, running, state, table
from tests.service.rig import House
from tests.service.teaching.test_lessons import opening

CHANNELS = ("telegram:ana", "matrix:@ana:hs", "mail:ana@x.test", "terminal:ana")
LANGUAGES = {"en": "learn", "pt_BR": "aprender"}
WORDS = Words(strict=True)


@pytest.fixture(autouse=True)
def markups(house: House) -> None:
    for name, wire in house.wires.items():
        wire.markup = name


async def begin(house: House, who: str, language: str = "en") -> int:
    await greet(house, who)
    if language != "en":
        await house.say(who, f"language {language}")
    await house.say(who, LANGUAGES[language])
    return max(g.id or 0 for g in house.store.read_now(lambda tx: tx.all(Game)))


def memory(house: House, game: int) -> str:
    return house.store.read_now(lambda tx: tx.all(Seat, game_id=game, order="no"))[0].lessons


def times(text: str, name: str, language: str = "en") -> int:
    """How often a text says a lesson."""
    return " ".join(text.split()).count(opening(name, language))


def suggestion(letter: Letter, channel: str, language: str) -> str:
    """What the letter itself says to type or tap: the button on top, or the order it gives as an example."""
    example = re.search(
        {
            "en": r"(?:or type an order|or an order) \(“([^”]+)”\)",
            "pt_BR": r"(?:ou escreva uma jogada|ou com uma jogada|uma jogada) \(“([^”]+)”\)",
        }[language],
        letter.text,
    )
    assert example, letter.text
    return example[1]


@pytest.mark.parametrize(("who", "language"), covering(CHANNELS, list(LANGUAGES)))
async def test_a_naive_player_reaches_the_end(house: House, who: str, language: str) -> None:
    """Anyone who knows nothing takes, of what the letter offers, the last entry that is no way out, else the
    first; and types its example.
    """
    game = await begin(house, who, language)
    channel = who.partition(":")[0]
    steps = 0
    while running(house, game).status == "running":
        before, last = running(house, game).move_no, house.last(who)
        builds = [b for row in last.buttons for b in row if b.order.startswith("build ")]
        if builds:  # every lesson says that districts are points
            await (
                house.press(who, builds[-1].key)
                if channel == "telegram"
                else house.say(who, str(builds[-1].number))
            )
        elif channel == "telegram":
            await house.press(who, last.buttons[0][0].key)
        else:
            await house.say(who, suggestion(last, channel, language))
        assert running(house, game).move_no > before, house.last(who).text
        steps += 1
        assert steps < 400
    end = house.last(who)
    head = WORDS.phrase("lessons.head-next", language)
    assert head in end.text
    assert head in re.sub(r"<[^>]+>", "", end.markup or head)
    had = lesson_state.had(memory(house, game))
    assert {"goal", "draft", "gather", "calling"} <= had
    every = "\n".join(letter.text for letter in house.letters(who))
    for name in had:
        assert times(every, name, language) >= 1, name


async def test_each_lesson_comes_once(house: House) -> None:
    game = await begin(house, "terminal:ana")
    for _ in range(60):
        if running(house, game).status == "running":
            await house.say("terminal:ana", legal(house, game)[0])
    every = "\n".join(letter.text for letter in house.letters("terminal:ana"))
    for one in lessons.LESSONS:
        assert times(every, one.name) == (one.name in lesson_state.had(memory(house, game))), one.name


async def test_the_deal_is_sealed_like_any_other(house: House) -> None:
    game = running(house, await begin(house, "telegram:ana"))
    other = running(house, await begin(house, "telegram:bea"))
    assert len(game.seed_hash) == 64
    assert game.seed != other.seed
    assert [
        (s.bot, bool(s.person_id))
        for s in house.store.read_now(lambda tx: tx.all(Seat, game_id=game.id, order="no"))
    ] == [("", True), ("gentle", False), ("gentle", False), ("gentle", False)]


@pytest.mark.parametrize(
    "nonsense", ["what do I do?", "build Castle of Dreams", "999", "hmm", "kill me", "🙂", "build"]
)
async def test_nonsense_is_told_the_next_thing_to_try(house: House, nonsense: str) -> None:
    game = await begin(house, "terminal:ana")
    letters, moves = len(house.letters("terminal:ana")), running(house, game).move_no
    await house.say("terminal:ana", nonsense)
    told = house.letters("terminal:ana")[letters:]
    assert len(told) == 1
    assert "pick" in told[0].text or "“" in told[0].text
    assert running(house, game).move_no == moves


@pytest.mark.parametrize("language", LANGUAGES)
async def test_learn_in_the_middle_of_it_loses_nothing(house: House, language: str) -> None:
    game = await begin(house, "telegram:ana", language)
    await house.press("telegram:ana", house.last("telegram:ana").buttons[0][0].key)
    had = memory(house, game)
    assert await begin(house, "telegram:ana", language) == game
    said, asked = house.letters("telegram:ana")[-2:]
    assert f"#{game}" in said.text
    assert asked.buttons
    assert lesson_state.had(memory(house, game)) == lesson_state.had(had)
    assert (
        sum(
            times(asked.text, name, language)
            for _, name in lesson_state.told_with(had, running(house, game).question)
        )
        > 0
    )
    assert running(house, game).status == "running"


@pytest.mark.parametrize("word", ["leave", "abandon", "abandon #1"])
async def test_a_guided_game_may_be_left_at_any_time(house: House, word: str) -> None:
    game = await begin(house, "terminal:ana")
    await house.say("terminal:ana", "1")
    await house.say("terminal:ana", word)
    assert running(house, game).status == "abandoned"
    assert "“learn”" in house.last("terminal:ana").text
    assert await begin(house, "terminal:ana") == game + 1


async def test_no_deadline_is_shown_where_nobody_is_in_a_hurry(house: House) -> None:
    game = await begin(house, "terminal:ana")
    for words in ("status", "hand", "games", "hints off", "1", "hand"):
        await house.say("terminal:ana", words)
        assert "UTC" not in house.last("terminal:ana").text, words
        assert "14 days" not in house.last("terminal:ana").text, words
    house.clock.pass_(hours=24 * 7 + 1)
    await house.referee.scheduler.ring()
    await house.settle()
    said = house.last("terminal:ana").text
    assert "no hurry" in said
    assert "UTC" not in said
    assert running(house, game).status == "running"


async def test_learn_new_begins_anew(house: House) -> None:
    first = await begin(house, "telegram:ana")
    await house.say("telegram:ana", "learn new")
    second = first + 1
    assert first != second
    assert running(house, first).status == "abandoned"
    assert running(house, second).status == "running"
    assert "first game" in house.last("telegram:ana").text


async def test_lessons_are_skipped_and_brought_back(house: House) -> None:
    game = await begin(house, "terminal:ana")
    await house.say("terminal:ana", "skip lessons")
    assert "hints on" in house.last("terminal:ana").text
    had = lesson_state.had(memory(house, game))
    await house.say("terminal:ana", "1")
    assert "Lesson:" not in house.last("terminal:ana").text
    assert lesson_state.mode_of(memory(house, game)) == lesson_state.OFF
    await house.say("terminal:ana", "hints")
    assert "explain nothing" in house.last("terminal:ana").text
    await house.say("terminal:ana", "hints on")
    await house.say("terminal:ana", "1")
    assert "Lesson:" in house.last("terminal:ana").text
    assert had < lesson_state.had(memory(house, game))


@pytest.mark.parametrize("text", ["hints maybe", "skip lessons please now", "learn chess", "learn klingon"])
async def test_hints_that_are_no_such_wish_change_nothing(house: House, text: str) -> None:
    game = await begin(house, "terminal:ana")
    before = memory(house, game)
    await house.say("terminal:ana", text)
    assert "“" in house.last("terminal:ana").text
    assert memory(house, game) == before
    assert house.store.read_now(lambda tx: tx.all(Person))[0].hints == ""
    assert len(house.store.read_now(lambda tx: tx.all(Game))) == 1


async def test_a_group_is_told_to_ask_in_private(house: House) -> None:
    await house.say("telegram:ana", "/learn", place="-5")
    said = house.last("telegram:-5")
    assert "in private" in said.text
    assert said.buttons[0][0].link.endswith("start=learn")
    assert not house.store.read_now(lambda tx: tx.all(Game))
    await house.say("telegram:ana", "/start learn")
    assert "Lesson:" in house.last("telegram:ana").text


async def test_a_learner_who_vanishes_is_reminded_once_and_then_the_table_is_put_away(house: House) -> None:
    game = await begin(house, "telegram:ana")
    letters = len(house.letters("telegram:ana"))
    for _ in range(20):
        house.clock.pass_(hours=24)
        await house.referee.scheduler.ring()
        await house.settle()
    assert running(house, game).status == "abandoned"
    assert len(house.letters("telegram:ana")) == letters + 1
    assert not house.store.read_now(lambda tx: tx.all(Outbox, state="queued"))
    await house.say("telegram:ana", "1")
    assert "“" in house.last("telegram:ana").text


async def test_the_guided_game_is_nobody_elses(house: House) -> None:
    game = await begin(house, "telegram:ana")
    assert json.loads(running(house, game).settings)["entry"] == "invite"
    await house.say("telegram:bea", f"join #{game}")
    assert len([s for s in house.store.read_now(lambda tx: tx.all(Seat, game_id=game)) if s.person_id]) == 1


@pytest.mark.parametrize("level", ["gentle", "steady"])
async def test_a_newcomers_real_game_has_hints_for_two_rounds(house: House, level: str) -> None:
    who = "terminal:ana"
    await house.say(who, f"new classic 3 with 2 {level} bots")
    await house.say(who, "ready")
    hints: dict[int, int] = {}
    while running(house, 1).status == "running" and running(house, 1).round < 4:
        letters = len(house.letters(who))
        await house.say(who, legal(house, 1)[0])
        for letter in house.letters(who)[letters:]:
            assert letter.text.count("Hint:") <= 1
        number = running(house, 1).round
        hints[number] = hints.get(number, 0) + sum("Hint:" in x.text for x in house.letters(who)[letters:])
    assert any("Hint:" in x.text for x in house.letters(who))
    assert hints.pop(1) > 1
    assert hints.pop(2) > 0
    assert not any(hints.values())
    assert not any("Lesson:" in x.text for x in house.letters(who))


async def test_hints_fit_other_editions(house: House) -> None:
    who = "terminal:ana"
    await house.say(who, "new deluxe cunning agents 4 with 3 bots")
    await house.say(who, "ready")
    first = next(x.text for x in house.letters(who) if "Hint:" in x.text)
    assert "the lowest first" in first
    assert "Merchant (more gold)" not in first


async def test_hints_are_for_those_who_never_finished_a_real_game(house: House) -> None:
    """What the guided game has explained is not explained again; what is new is."""
    who = "terminal:ana"
    game = await begin(house, who)
    for _ in range(400):
        if running(house, game).status != "running":
            break
        await house.say(who, legal(house, game)[-1])
    assert running(house, game).status == "over"
    known = lesson_state.had(memory(house, game))
    letters = len(house.letters(who))
    await house.say(who, "new deluxe cunning agents 4 with 3 bots")
    await house.say(who, "ready")
    real = game + 1
    while running(house, real).round < 3:
        await house.say(who, legal(house, real)[0])
    told = lesson_state.had(memory(house, real)) - known
    assert told
    said = "\n".join(x.text for x in house.letters(who)[letters:])
    hints = said.count("Hint:")
    assert hints == len(told)
    assert "Lesson:" not in said
    await play_on(house, who, real)
    await house.say(who, "new classic 3 with 2 bots")
    await house.say(who, "ready")
    assert "Hint:" not in house.last(who).text


async def test_hints_are_not_for_those_who_want_none(house: House) -> None:
    await house.say("terminal:bea", "hints off")
    await house.say("terminal:bea", "new classic 3 with 2 bots")
    await house.say("terminal:bea", "ready")
    assert "Hint:" not in house.last("terminal:bea").text


async def play_on(house: House, who: str, game: int) -> None:
    """To the end, somehow."""
    for _ in range(600):
        if running(house, game).status != "running":
            return
        await house.say(
            who, next((one for one in legal(house, game) if one.startswith("build")), legal(house, game)[-1])
        )
    raise AssertionError("the game never ends")


async def test_a_lesson_that_did_not_go_out_is_told_again(house: House) -> None:
    wire = house.wires["terminal"]
    wire.fate = lambda letter: Receipt(Fate.LATER, retry_ms=60_000)
    game = await begin(house, "terminal:ana")
    assert memory(house, game) == lesson_state.LEARN
    wire.fate = None
    house.clock.pass_(seconds=120)
    await house.settle()
    assert "Welcome to your first game" in house.last("terminal:ana").text
    assert "goal" in lesson_state.had(memory(house, game))


async def test_whoever_was_killed_is_told_why_they_had_no_turn(house: House) -> None:
    """Whom they had picked was told to them in an earlier letter than the murder."""
    people, victim, game = ["terminal:ana", "telegram:bea", "matrix:cy", "terminal:dan"], -1, 0

    async def on(order: str) -> None:
        names = [
            seat.name.casefold()
            for seat in house.store.read_now(lambda tx: tx.all(Seat, game_id=game, order="no"))
        ]
        await house.say(next(who for who in people if who.endswith(names[asked(house, game)])), order)

    while victim < 0:  # until there is a table at which somebody may pick the Assassin
        game = await table(house, people)
        assert game < 9
        while running(house, game).round == 1:
            orders, players = legal(house, game), state(house, game).players
            order = "pick Assassin" if "pick Assassin" in orders else orders[0]
            if order.startswith("kill "):
                victim = next(
                    n for n, player in enumerate(players) if n != asked(house, game) and player.characters
                )
                order = f"kill {players[victim].characters[0]}"
            await on(order)
    while asked(house, game) != victim:
        await on(legal(house, game)[0])
    taught = house.store.read_now(lambda tx: tx.one(Seat, game_id=game, no=victim))
    assert taught is not None
    assert "you-killed" in lesson_state.had(taught.lessons)
    assert (
        "You were killed"
        in house.last(next(who for who in people if who.endswith(taught.name.casefold()))).text
    )


async def test_at_a_table_of_two_languages_each_reads_hints_of_their_own(house: House) -> None:
    ana, bia, room = "telegram:ana", "matrix:@bia:hs", "telegram:-9"
    await house.say(bia, "language pt-br")
    await house.say(ana, "/new deluxe random 3 players with 1 bot", place="-9")
    await house.say(bia, "entrar #1")
    await house.say(ana, "ready #1")
    await house.say(bia, "pronto #1")
    while running(house, 1).round < 3:
        await house.say(ana if asked(house, 1) == 0 else bia, legal(house, 1)[-1])
    english, portuguese = ("\n".join(x.text for x in house.letters(who)) for who in (ana, bia))
    assert english.count("Hint:") > 3
    assert portuguese.count("Dica:") > 3
    assert "Dica:" not in english
    assert "Hint:" not in portuguese
    assert not [x.text for x in house.letters(room) if "Hint:" in x.text or "Dica:" in x.text]


async def test_learn_where_no_game_more_is_allowed(house: House) -> None:
    """Nothing is lost by asking; and the guided game may always be begun anew."""
    who = "terminal:ana"
    for _ in range(house.settings.games_per_person - 1):
        await house.say(who, "new classic 3")
    game = await begin(house, who)
    assert running(house, game).status == "running"
    await house.say(who, "learn new")
    assert running(house, game).status == "abandoned"
    assert running(house, game + 1).status == "running"
    await house.say(who, f"leave #{game + 1}")
    await house.say(who, "new classic 3")
    await house.say(who, "learn")
    assert "“games”" in house.last(who).text
    assert not [g for g in house.store.read_now(lambda tx: tx.all(Game)) if g.status == "running"]
