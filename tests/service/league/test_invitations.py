"""A season for invited people, and what is asked of those who join."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.service.league import lookup
from referee.service.league.entry import entry_questions
from referee.service.league.personal_data import of_leagues
from referee.store import Entry, OfficeLog, Person
from referee.text import Words
from tests.service.league.seasons import do, season
from tests.service.league.talking import BEA, BOSS, CY, DAN, house_of, told
from tests.service.rig import House


async def invited(path: Path, settings: str = "entry invited") -> House:
    """A season with these settings that is open to sign up; everybody has said hello."""
    house = await house_of(path)
    for who in (BOSS, BEA, CY, DAN):
        await house.say(who, "hello")
    await told(house, BOSS, "league new Winter Cup")
    assert "open for sign-up" in await told(house, BOSS, f"league open {settings}")
    return house


def names(house: House) -> list[str]:
    """Who is in the season."""
    rows = house.store.read_now(lambda tx: tx.all(Entry, state=("signed", "waiting"), order="id"))
    return [do(house, lambda one, row=row: lookup.name_of(one, row.person_id)) for row in rows]


async def test_who_was_invited_by_name_joins_and_nobody_else(tmp_path: Path) -> None:
    house = await invited(tmp_path / "i.db")
    assert "takes those who were invited" in await told(house, BEA, "league join")
    assert "takes those who were invited" in await told(house, BEA, "league alternate")
    assert "Bea is invited" in await told(house, BOSS, "league invite Bea")
    await house.settle()
    letter = house.last(BEA)
    assert "invites you to season 1" in letter.text
    await house.say(BEA, letter.buttons[0][0].order)
    assert names(house) == ["Bea"]
    assert "invited to Winter Cup already" in await told(house, BOSS, "league invite Bea")
    await told(house, BOSS, "league invite Cy")
    said = await told(house, BOSS, "league invitations")
    assert "Invited and not in it: Cy." in said
    assert "Invited and in it: Bea." in said
    assert "not invited to season 1" in await told(house, BOSS, "league revoke Cy")
    assert "takes those who were invited" in await told(house, CY, "league join")
    assert "not invited" in await told(house, BOSS, "league revoke Dan")
    await house.close()


async def test_a_code_lets_its_holder_in_until_it_is_revoked(tmp_path: Path) -> None:
    house = await invited(tmp_path / "i.db")
    said = await told(house, BOSS, "league invite link")
    code = said.split(" code ")[1].split("”")[0]
    assert len(code) == 16
    assert code in await told(house, BOSS, "league invite link"), "the same one"
    assert "opens nothing" in await told(house, BEA, f"league join code {'A' * 16}")
    assert "signed up" in await told(house, BEA, f"league join Winter Cup code {code.lower()}")
    await house.say(CY, f"start league_1_{code}")
    assert names(house) == ["Bea", "Cy"]
    await told(house, BOSS, "league revoke link")
    assert "opens nothing" in await told(house, DAN, f"league join code {code}")
    assert "no code" in await told(house, BOSS, "league revoke link")
    assert names(house) == ["Bea", "Cy"], "who has joined stays in"
    lines = house.store.read_now(lambda tx: tx.all(OfficeLog))
    assert not any(code in one.facts for one in lines), "who reads the log can't join by it"
    await house.close()


async def test_an_official_lets_in_whom_they_like(tmp_path: Path) -> None:
    house = await invited(tmp_path / "i.db", 'entry invited questions "Why?"')
    assert "Bea is in season 1" in await told(house, BOSS, "league admit Bea")
    assert names(house) == ["Bea"]
    await house.close()


QUESTIONS = 'questions "Have you played before?" "Since when, at what time of day?"'


async def test_questions_are_asked_answered_and_read_by_officials_alone(tmp_path: Path) -> None:
    house = await invited(tmp_path / "q.db", QUESTIONS)
    asks = await told(house, BEA, "league join")
    assert "1. Have you played before? 2. Since when, at what time of day?" in asks
    assert 'answers "…" "…"' in asks
    assert names(house) == []
    assert "1. Have you" in await told(house, BEA, 'league join answers "Yes"'), "one is missing"
    said = await told(house, BEA, 'league join Winter Cup answers "Yes, <twice>" "In 2019; evenings"')
    assert "signed up" in said
    assert "waiting" not in said
    await told(house, CY, "league alternate answers No; Never")
    assert names(house) == ["Bea", "Cy"]
    found = do(house, lambda one: entry_questions.listing(one, season(house)))
    assert [[answer for _, answer in one.answers] for one in found] == [
        ["Yes, <twice>", "In 2019; evenings"],
        ["No", "Never"],
    ]
    page = await told(house, BOSS, "league answers")
    assert "Have you played before? – Yes, <twice>" in page
    for said in ("answers", "people", "player Bea", "export json", "standings", "settings"):
        assert "twice" not in await told(house, DAN, f"league {said}")
    lines = house.store.read_now(lambda tx: tx.all(OfficeLog))
    assert not any("twice" in one.facts for one in lines)
    await house.close()


async def test_answers_go_with_an_export_and_with_the_account(tmp_path: Path) -> None:
    house = await invited(tmp_path / "q.db", 'questions "Why?"')
    await told(house, BEA, "league join answers For fun")
    await told(house, CY, "league join answers For glory")
    bea = house.store.read_now(lambda tx: tx.one(Person, name="Bea"))
    (mine,) = house.store.read_now(lambda tx: of_leagues(tx, bea.id))["seasons"]
    assert mine["answers"] == [{"question": "Why?", "answer": "For fun"}]
    await house.say(BEA, "delete my account")
    await house.say(BEA, house.last(BEA).buttons[0][0].order)
    facts = house.store.read_now(lambda tx: tx.column(Entry, "facts", order="id"))
    assert "For fun" not in facts[0]
    assert "For glory" in facts[1]
    await house.close()


@pytest.mark.parametrize(
    "settings",
    ['questions "1" "2" "3" "4"', f'questions "{"x" * 121}"', 'questions ""'],
)
async def test_questions_are_bounded(tmp_path: Path, settings: str) -> None:
    house = await house_of(tmp_path / "q.db")
    await told(house, BOSS, "league new Winter Cup")
    assert "3 questions at most" in await told(house, BOSS, f"league set {settings}")
    assert "is now “none”" in await told(house, BOSS, "league set questions none")
    await house.close()


async def test_questions_are_told_as_they_can_be_typed(tmp_path: Path) -> None:
    house = await house_of(tmp_path / "q.db")
    await told(house, BOSS, "league new Winter Cup")
    await told(house, BOSS, f"league set {QUESTIONS} rounds 3")
    assert QUESTIONS in await told(house, BOSS, "league settings")
    await told(house, BOSS, "language pt-br")
    assert '"Have you played before?"' in await told(house, BOSS, "liga configurações")
    assert Words is not None
    await house.close()
