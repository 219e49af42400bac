"""News of a league: in its rooms and to its people, as each wants to hear of it."""

from __future__ import annotations

from typing import Any

import pytest

from referee.service.core.unit_of_work import StateCache, UnitOfWork
from referee.service.league.announcements import NEWS, announce
from referee.service.league.entry import sign_up
from referee.store import Entry, League, LeagueRole, LeagueRoom, Outbox, Person, Room, Season, Tx
from referee.text import Words
from tests.service.league import seasons
from tests.service.playing import greet
from tests.service.rig import House

ROUND = {"season": 1, "round": 2, "rounds": 5, "tables": 3, "ends_ms": 1_791_000_000_000}


def uow(house: House, tx: Tx) -> UnitOfWork:
    return UnitOfWork(tx, house.clock(), Words(()), house.settings, StateCache())


async def league(house: House, *people: str, name: str = "Winter Cup", role: str = "") -> int:
    """A league with a season in which these people are; `role`: one more, who directs it."""
    for who in (*people, *([role] if role else [])):
        await greet(house, who)
        await house.say(who, "help")

    def made(tx: Tx) -> int:
        league_id = tx.add(League, name=name, key=name.casefold())
        season = tx.add(Season, league_id=league_id, no=1)
        for n, who in enumerate(people):
            tx.add(Entry, season_id=season, person_id=person(tx, who), state="playing", division=1 + n % 2)
        if role:
            tx.add(LeagueRole, league_id=league_id, person_id=person(tx, role), role="director")
        return league_id

    return await house.store.write(made)


def person(tx: Tx, who: str) -> int:
    channel, _, address = who.partition(":")
    known = tx.whose(channel, address)
    assert known is not None
    return int(known[0].id or 0)


async def tell(house: House, league_id: int, code: str, to: Any = "all", **facts: Any) -> int:
    def job(tx: Tx) -> int:
        row = tx.get(League, league_id)
        assert row is not None
        return announce(uow(house, tx), row, code, facts, to)

    count = await house.store.write(job)
    await house.settle()
    return count


def news(house: House, who: str) -> list[str]:
    return [x.text for x in house.letters(who) if "Winter Cup" in x.text]


async def test_rooms_people_and_directors_are_told(house: House) -> None:
    cup = await league(house, "telegram:ana", "matrix:bea", role="telegram:dir")

    def room(tx: Tx) -> None:
        tx.add(
            LeagueRoom, league_id=cup, room_id=tx.add(Room, channel="telegram", place="-100", name="League")
        )
        tx.add(
            LeagueRoom, league_id=cup, room_id=tx.add(Room, channel="telegram", place="-200", state="closed")
        )

    await house.store.write(room)
    assert await tell(house, cup, "league-round", **ROUND) == 4
    for who in ("telegram:ana", "matrix:bea", "telegram:dir", "telegram:-100"):
        assert "round 2 of 5 is open at 3 tables" in news(house, who)[-1]
    assert not news(house, "telegram:-200")


async def test_one_division_is_told_and_nobody_else(house: House) -> None:
    cup = await league(house, "telegram:ana", "telegram:bea", role="telegram:dir")
    assert await tell(house, cup, "league-round-over", "division 2", season=1, round=1, rounds=5) == 1
    assert news(house, "telegram:bea")
    assert not news(house, "telegram:ana")
    assert not news(house, "telegram:dir")


async def test_whoever_left_hears_nothing_more(house: House) -> None:
    cup = await league(house, "telegram:ana", "telegram:bea")
    await house.store.write(
        lambda tx: tx.change(Entry, {"person_id": person(tx, "telegram:bea")}, state="withdrawn")
    )
    assert await tell(house, cup, "league-round", **ROUND) == 1
    assert not news(house, "telegram:bea")


@pytest.mark.parametrize(
    ("level", "about", "told"),
    [
        ("turns", False, True),
        ("urgent", False, False),
        ("urgent", True, True),
        ("off", False, False),
        ("off", True, False),
    ],
)
async def test_levels_of_notices_hold(house: House, level: str, about: bool, told: bool) -> None:
    cup = await league(house, "telegram:ana")
    await house.say("telegram:ana", f"notify {level}")
    ana = await house.store.read(lambda tx: person(tx, "telegram:ana"))
    await tell(house, cup, "league-bye", [ana] if about else "all", season=1, round=2)
    assert bool(news(house, "telegram:ana")) is told


async def test_quiet_hours_keep_it_and_then_all_of_it_comes_in_one_letter(house: House) -> None:
    cup = await league(house, "telegram:ana")
    await house.say("telegram:ana", "zone Europe/Lisbon")
    await house.say("telegram:ana", "quiet 14-22")
    before = len(house.letters("telegram:ana"))
    await tell(house, cup, "league-round", **ROUND)
    house.clock.pass_(hours=0.1)
    await tell(house, cup, "league-waits", round=2, table=7, names=["Bea"])
    assert len(house.letters("telegram:ana")) == before
    house.clock.pass_(hours=8)
    await house.settle()
    [text] = [x.text for x in house.letters("telegram:ana")[before:]]
    assert "round 2 of 5" in text
    assert "table 7 still waits for Bea" in text


async def test_what_is_about_somebody_is_not_lost_with_what_is_not(house: House) -> None:
    cup = await league(house, "telegram:ana")
    for words in ("zone Europe/Lisbon", "quiet 14-22", "notify urgent"):
        await house.say("telegram:ana", words)
    ana = await house.store.read(lambda tx: person(tx, "telegram:ana"))
    await tell(house, cup, "league-penalty", [ana], name="Ana", points="2")
    house.clock.pass_(hours=0.1)
    await tell(house, cup, "league-round", **ROUND)
    assert not news(house, "telegram:ana")
    house.clock.pass_(hours=8)
    await house.settle()
    assert "Ana loses 2 points" in news(house, "telegram:ana")[-1]


async def test_a_digest_without_any_game_tells_the_news(house: House) -> None:
    cup = await league(house, "telegram:ana")
    await house.say("telegram:ana", "zone Europe/Lisbon")
    await house.say("telegram:ana", "quiet 14-22 digest")
    before = len(house.letters("telegram:ana"))
    await tell(house, cup, "league-round", **ROUND)
    house.clock.pass_(hours=8)
    await house.settle()
    assert ["round 2 of 5" in x.text for x in house.letters("telegram:ana")[before:]] == [True]


async def test_a_reason_of_any_table_goes_with_it(house: House) -> None:
    cup = await league(house, "telegram:ana")
    ana = await house.store.read(lambda tx: person(tx, "telegram:ana"))
    await tell(
        house,
        cup,
        "league-unseatable",
        [ana],
        season=1,
        because={"code": "too-few-to-seat", "facts": {"people": 3, "least": 4}},
    )
    assert news(house, "telegram:ana")[-1].count("\n\n") == 1


async def test_names_and_words_are_text(house: House) -> None:
    cup = await league(house, "mail:ana@x.test", name="<b>Winter Cup</b>'); DROP TABLE league;--")
    house.wires["mail"].markup = "mail"
    ana = await house.store.read(lambda tx: person(tx, "mail:ana@x.test"))
    await tell(house, cup, "league-said", [ana], text="<script>alert(1)</script> {{ 7*7 }}", by="Bea")
    letter = house.last("mail:ana@x.test")
    assert "<script>" not in letter.markup
    assert "&lt;script&gt;" in letter.markup
    assert "{{ 7*7 }}" in letter.text


@pytest.mark.parametrize("code", ["league-nonsense", "league-round"])
async def test_what_cannot_be_worded_is_not_announced(house: House, code: str) -> None:
    cup = await league(house, "telegram:ana")
    with pytest.raises(ValueError, match=code):
        await tell(house, cup, code, season=1)
    assert house.store.read_now(lambda tx: tx.count(Outbox, kind="league_news")) == 0


SAMPLES: dict[str, Any] = {
    "names": ["Ana", "Bea"],
    "points": "1.5",
    "name": "Ana",
    "out": "Ana",
    "into": "Bea",
    "text": "Hello.",
    "why": "why",
    "winners": ["Ana"],
    "up": ["Ana"],
    "down": ["Bea"],
    "game": 17,
    "again": True,
    "divisions": 2,
    "by": "Cy",
    "new_table": 9,
}


@pytest.mark.parametrize("code", NEWS)
def test_every_piece_of_news_has_its_sentence(code: str) -> None:
    words = Words(strict=True)
    facts = {name: SAMPLES.get(name, 1_791_000_000_000 if name.endswith("_ms") else 3) for name in NEWS[code]}
    for more in (
        {},
        {
            **SAMPLES,
            "because": 1,
            "round": 2,
            "next_ms": 1,
            "closes_ms": 1,
            "starts_ms": 1,
            "until_ms": 1,
            "ends_ms": 1,
        },
    ):
        said = words.phrase(code, "en", **{**more, **facts, "league": "Winter Cup", "zone": "UTC"})
        assert "Winter Cup" in said
        assert said.endswith((".", "tables."))
    assert words.codes("en", "league_news") == set(NEWS)


@pytest.mark.parametrize(
    ("points", "said"),
    [
        ("1", "loses 1 point."),
        ("1.5", "loses 1.5 points."),
        ("-1", "gets 1 point back."),
        ("-2", "gets 2 points back."),
    ],
)
def test_points_are_taken_and_given_back(points: str, said: str) -> None:
    assert (
        Words(strict=True).phrase("league-penalty", "en", league="Cup", zone="UTC", name="Ana", points=points)
        == f"Cup: Ana {said}"
    )


def test_reasons_of_the_office_are_worded_and_those_of_people_are_theirs() -> None:
    facts = {"league": "Cup", "zone": "UTC", "name": "Ana", "points": "2"}
    words = Words(strict=True)
    assert words.phrase("league-penalty", "en", **facts, cause="no show").endswith(
        "(not there when the table was to begin)."
    )
    assert words.phrase("league-penalty", "en", **facts, why="was <rude>").endswith("(was <rude>).")


async def test_the_dead_and_the_unknown_are_left_out(house: House) -> None:
    cup = await league(house, "telegram:ana")
    assert await tell(house, cup, "league-bye", [999], season=1, round=1) == 0
    assert house.store.read_now(lambda tx: tx.count(Person)) == 1


async def test_hundreds_are_told_with_as_few_questions_as_a_few(house: House) -> None:
    """Each of 600 people cost five of them, and where the database is far away all others waited for two
    seconds whenever something was announced.
    """
    the = seasons.league(house)
    seasons.do(house, lambda one: sign_up.open_season(one, the, 0, 0))
    seasons.joined(house, seasons.people(house, 60))
    with seasons.questions() as asked:
        for text in ("first", "second"):  # the second goes with the first
            told = seasons.do(house, lambda one, text=text: announce(one, the, "league-said", {"text": text}))
            assert told == 60
    assert len(asked) < 30
    await house.settle()
    for number in range(1, 61):
        (letter,) = [one.text for one in house.letters(f"terminal:p{number}") if "first" in one.text]
        assert "second" in letter
