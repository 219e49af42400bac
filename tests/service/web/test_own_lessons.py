"""The first game on one's own page: what explains the open question stands above its answers, and is told
once.
"""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from referee import rules
from referee.service.teaching import lesson_state, lessons
from referee.store import Game, Seat
from referee.text import Words
from tests.service.playing import asked, legal, running, state, table
from tests.service.teaching.test_lessons import opening
from tests.service.web.running_site import Guest, Inn, lodging
from tests.service.web.site import text_of

WORDS = Words(strict=True)
ANA = "telegram:ana"
LANGUAGES = {"en": "learn", "pt_BR": "aprender"}


async def learner(inn: Inn, language: str = "en") -> tuple[Guest, int]:
    """Somebody who asks for a first game on the page of their tables."""
    await inn.house.say(ANA, "hello")
    if language != "en":
        await inn.house.say(ANA, f"language {language}")
    guest = await inn.signed_in(ANA)
    assert 'value="learn"' in await guest.page("/me")
    page = await guest.write("/me", LANGUAGES[language])
    game = max(int(one.id or 0) for one in inn.house.store.read_now(lambda tx: tx.all(Game)))
    assert f'action="/me/{game}"' in page, "it leads to the game at once"
    return guest, game


def seat(inn: Inn, game: int) -> Seat:
    return inn.house.store.read_now(lambda tx: tx.all(Seat, game_id=game, order="no"))[0]


def explained(page: str, language: str = "en") -> set[str]:
    """The lessons that stand on a page, each before what it explains."""
    flat = " ".join(unescape(page).split())
    found = {one.name for one in lessons.LESSONS if opening(one.name, language) in flat}
    if found and 'class="answers' in page:
        assert page.index('id="lesson"') < page.index('class="answers')
    return found


@pytest.mark.parametrize("language", LANGUAGES)
async def test_somebody_who_only_presses_what_the_page_offers_reaches_the_end(
    tmp_path: Path, language: str
) -> None:
    async with lodging(tmp_path) as inn:
        guest, game = await learner(inn, language)
        told: set[str] = set()
        await inn.house.settle()  # the first question is told in chat, too, and may still be on its way
        before = len(inn.house.letters(ANA))
        for _ in range(400):
            if running(inn.house, game).status != "running":
                break
            page, moves = await guest.page(f"/me/{game}"), running(inn.house, game).move_no
            told |= explained(page, language)
            offered = [
                unescape(one)
                for one in re.findall(r'name="order" value="([^"]+)"', page)
                if one not in ("skip lessons", "plan")
            ]
            order = next((one for one in offered if one.startswith("build ")), offered[0])
            inn.house.clock.pass_(seconds=30)
            page = await guest.write(f"/me/{game}", order)
            assert running(inn.house, game).move_no > moves, order
        page = await guest.page(f"/me/{game}")
        assert WORDS.phrase("lessons.head-next", language) in unescape(page)
        assert 'href="/me/new"' in page
        assert 'value="learn"' in page
        assert told == lesson_state.had(seat(inn, game).lessons)
        assert {"goal", "draft", "gather", "calling", "build"} <= told
        rest = [one.text for one in inn.house.letters(ANA)[before:]]  # the end alone is told in chat, too
        assert len(rest) <= 1
        assert not [text for text in rest if WORDS.phrase("lessons.head-next", language) not in text]


async def test_what_explains_a_question_stays_as_long_as_it_is_open(tmp_path: Path) -> None:
    async with lodging(tmp_path) as inn:
        guest, game = await learner(inn)
        first = explained(await guest.page(f"/me/{game}"))
        assert first == {"goal", "draft"}
        assert explained(await guest.page(f"/me/{game}")) == first
        page = await guest.write(f"/me/{game}", "build Castle of Dreams")
        assert explained(page) == first
        inn.house.clock.pass_(seconds=30)
        page = await guest.write(f"/me/{game}", legal(inn.house, game)[0])
        assert not explained(page) & first


async def test_lessons_are_skipped_and_brought_back_in_the_box(tmp_path: Path) -> None:
    async with lodging(tmp_path) as inn:
        guest, game = await learner(inn)
        page = await guest.write(f"/me/{game}", "skip lessons")
        assert "hints on" in page
        assert not explained(page)
        inn.house.clock.pass_(seconds=30)
        page = await guest.write(f"/me/{game}", "hints on")
        assert "goal" in explained(page)
        inn.house.clock.pass_(seconds=30)
        assert not explained(await guest.write(f"/me/{game}", "hints off"))
        assert "14 days" not in page
        assert "Your time" not in page


async def test_a_page_alone_teaches_each_thing_once(tmp_path: Path) -> None:
    """A real game of somebody who wants no letters: what the page has explained is not explained again."""
    async with lodging(tmp_path) as inn:
        game = await table(inn.house, [ANA, "telegram:bea"])
        await inn.house.say(ANA, "notify off")
        inn.house.store.write_now(lambda tx: tx.set(Seat, seat(inn, game).id, lessons=lesson_state.HINTS))
        guest = await inn.signed_in(ANA)
        often: dict[str, set[int]] = {}
        for _ in range(60):
            now = running(inn.house, game)
            if now.round > 2:
                break
            if asked(inn.house, game) == 0:
                inn.house.clock.pass_(seconds=30)
                hints = explained(await guest.page(f"/me/{game}"))
                assert len(hints) <= 1
                for name in hints:
                    often.setdefault(name, set()).add(now.question)
                await guest.write(f"/me/{game}", legal(inn.house, game)[0])
            else:
                await inn.house.say("telegram:bea", legal(inn.house, game)[0])
        assert {"draft", "discard"} <= set(often)
        assert all(len(questions) == 1 for questions in often.values()), often


@pytest.mark.parametrize(
    ("language", "won", "example"),
    [("en", "You win after", "pick "), ("pt_BR", "Você venceu após", "escolher ")],
)
async def test_the_page_speaks_of_its_reader(tmp_path: Path, language: str, won: str, example: str) -> None:
    async with lodging(tmp_path) as inn:
        guest, game = await learner(inn, language)
        assert f": {example}" in await guest.page(f"/me/{game}")
        now = state(inn.house, game)
        view = {
            **rules.view(now, 0),
            "result": {
                "reason": "city",
                "winners": [0],
                "scores": [{"seat": n, "points": {"districts": 9 - n}, "score": 9 - n} for n in range(4)],
            },
        }
        visitor = await inn.house.referee.own_pages.visitor(next(iter(guest.session.cookie_jar)).value)
        assert visitor is not None
        found = await inn.house.referee.own_pages.seat(visitor, game, "", 0, [])
        assert found is not None
        page = inn.house.referee.pages.page(
            "seat",
            language,
            **{**found, "view": view, "ask": None, "game": {**found["game"], "status": "over"}},
        )
        assert won in " ".join(unescape(text_of(page)).split())
        assert 'value="learn"' in page
