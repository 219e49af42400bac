"""The browsers in which somebody is signed in: named and listed on their page and by word, ended one by one,
all others, or all; and nobody ends another's.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.web.browser_names import browser_of
from referee.store import WebSession
from tests.service.playing import table
from tests.service.web.running_site import Guest, Inn, lodging
from tests.service.web.site import text_of

ANA, BEA = "telegram:ana", "matrix:bea"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0"
PHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.1 Mobile/15E148 Safari/604.1"
)


@pytest.fixture
async def inn(tmp_path: Path) -> AsyncIterator[Inn]:
    async with lodging(tmp_path) as one:
        await table(one.house, [ANA, BEA])
        yield one


async def signed_in(inn: Inn, who: str, agent: str = "") -> Guest:
    """A browser that calls itself so, in which this person is signed in."""
    guest = inn.guest()
    guest.session.headers["User-Agent"] = agent
    status, _, _ = await guest.post(await inn.link(who), {})
    assert status == 303
    return guest


async def states(*guests: Guest) -> list[int]:
    """Which of them are signed in (200), which not (403)."""
    return [(await guest.get("/me"))[0] for guest in guests]


def numbers(page: str) -> list[str]:
    """What the buttons beside the browsers stand for, in their order."""
    return re.findall(r'name="which" value="(\d+)"', page)


async def test_the_page_lists_them_and_says_which_is_this_one(inn: Inn) -> None:
    old = await signed_in(inn, ANA, FIREFOX)
    inn.house.clock.pass_(hours=5)
    new = await signed_in(inn, ANA, PHONE)
    shown = text_of(await new.page("/me")).split("Signed in here", 1)[1]
    first, second = shown.split("Safari, iPhone", 1)
    assert "Firefox, Linux Since" in first
    assert "last used" in first
    assert "this one" not in first
    assert second.startswith(" this one Since")
    assert "used within the last hour" in second
    assert "this one" in text_of(await old.page("/me")).split("Safari, iPhone", 1)[0]
    page = await new.page("/me")
    assert all(row.token_hash not in page for row in inn.house.store.read_now(lambda tx: tx.all(WebSession)))


async def test_one_is_ended_by_its_button_and_the_others_stay(inn: Inn) -> None:
    guests = [await signed_in(inn, ANA, FIREFOX) for _ in range(3)]
    page = await guests[2].page("/me")
    status, _, headers = await guests[2].post(
        "/me/out", {**await guests[2].form("/me"), "which": numbers(page)[0]}
    )
    assert (status, headers["Location"]) == (303, "/me#signed-in")
    assert "Set-Cookie" not in headers
    assert await states(*guests) == [403, 200, 200]
    # this one, by its own button
    status, text, headers = await guests[2].post(
        "/me/out", {**await guests[2].form("/me"), "which": numbers(page)[2]}
    )
    assert status == 200
    assert "You are signed out in this browser" in text
    assert "Max-Age=0" in headers["Set-Cookie"]
    assert await states(*guests) == [403, 200, 403]


async def test_all_others_are_ended_and_no_link_opens_anything(inn: Inn) -> None:
    bea = await signed_in(inn, BEA)
    guests = [await signed_in(inn, ANA) for _ in range(3)]
    link = await inn.link(ANA)
    assert "Sign out all others" in await guests[1].page("/me")
    status, _, _ = await guests[1].post("/me/out", {**await guests[1].form("/me"), "which": "others"})
    assert status == 303
    assert await states(*guests, bea) == [403, 200, 403, 200]
    assert (await inn.guest().get(link))[0] == 404
    assert "Sign out all others" not in await guests[1].page("/me")


@pytest.mark.parametrize("which", ["0", "999999999", "9" * 4000, "-1", "<b>", "١", "other", "bea"])
async def test_nobody_ends_anothers_and_nonsense_ends_nothing(inn: Inn, which: str) -> None:
    ana, bea = await signed_in(inn, ANA), await signed_in(inn, BEA)
    (number,) = numbers(await bea.page("/me"))
    form = {**await ana.form("/me"), "which": number if which == "bea" else which}
    assert (await ana.post("/me/out", form))[0] == 303
    assert await states(ana, bea) == [200, 200]


async def test_a_form_of_another_browser_ends_nothing(inn: Inn) -> None:
    ana, other = await signed_in(inn, ANA), await signed_in(inn, ANA)
    form = {**await ana.form("/me"), "which": "others"}
    assert (await other.post("/me/out", form))[0] == 403
    assert (await ana.post("/me/out", form, headers={"Origin": "https://evil.example"}))[0] == 403
    assert await states(ana, other) == [200, 200]


async def test_they_are_listed_and_ended_by_words(inn: Inn) -> None:
    guests = [await signed_in(inn, ANA, agent) for agent in (FIREFOX, PHONE, "curl/8")]
    await inn.house.say(ANA, "web sessions")
    told = inn.house.last(ANA).text
    assert re.search(
        r"1: Firefox, Linux, since .*2: Safari, iPhone, since .*3: Unknown browser, since", told, re.DOTALL
    )
    await inn.house.say(ANA, "web off 4")
    assert "no browser number 4: 3 browsers are signed in" in inn.house.last(ANA).text
    await inn.house.say(ANA, "web off 2")
    assert "signed out in Safari, iPhone" in inn.house.last(ANA).text
    assert "2 browsers are still signed in" in inn.house.last(ANA).text
    assert await states(*guests) == [200, 403, 200]
    await inn.house.say(ANA, "web off")
    assert await states(*guests) == [403, 403, 403]
    await inn.house.say(ANA, "web sessions")
    assert "signed in nowhere" in inn.house.last(ANA).text
    await inn.house.say(ANA, "web off 1")
    assert "signed in nowhere" in inn.house.last(ANA).text


async def test_on_the_page_the_words_know_which_browser_is_this_one(inn: Inn) -> None:
    await signed_in(inn, ANA, FIREFOX)
    here = await signed_in(inn, ANA, PHONE)
    told = text_of(await here.write("/me", "web sessions"))
    assert "2: Safari, iPhone (this one), since" in told
    assert "1: Firefox, Linux, since" in told


async def test_in_portuguese(inn: Inn) -> None:
    house = inn.house
    await house.say(ANA, "language pt-br")
    guest = await signed_in(inn, ANA, FIREFOX)
    await signed_in(inn, ANA, "")
    assert "Onde você entrou" in await guest.page("/me")
    await house.say(ANA, "web sessões")
    assert "1: Firefox, Linux, desde" in house.last(ANA).text
    assert "2: Navegador desconhecido, desde" in house.last(ANA).text
    await house.say(ANA, "web sair 2")
    assert "Você saiu de um navegador desconhecido" in house.last(ANA).text
    assert "Continua aberto em 1 navegador" in house.last(ANA).text


async def test_in_a_group_nothing_is_listed_or_ended(inn: Inn) -> None:
    guest = await signed_in(inn, ANA)
    for words in ("/web sessions", "/web off 1"):
        await inn.house.say(ANA, words, place="group")
        assert "in private" in inn.house.last("telegram:group").text
    assert await states(guest) == [200]


async def test_one_that_has_run_out_is_neither_listed_nor_counted(inn: Inn) -> None:
    await signed_in(inn, ANA, FIREFOX)
    inn.house.clock.pass_(hours=31 * 24)
    guest = await signed_in(inn, ANA, PHONE)
    assert len(numbers(await guest.page("/me"))) == 1
    await inn.house.say(ANA, "web sessions")
    assert "1: Safari, iPhone" in inn.house.last(ANA).text


class Asked:
    """A request, as far as its browser's name goes."""

    def __init__(self, said: str | None) -> None:
        self.headers = {} if said is None else {"User-Agent": said}


@pytest.mark.parametrize(
    ("said", "called"),
    [
        (FIREFOX, "Firefox, Linux"),
        (PHONE, "Safari, iPhone"),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
            "Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0",
            "Edge, Windows",
        ),
        (
            "Mozilla/5.0 (Linux; Android 15; Pixel 9 Build/AP4A; wv) AppleWebKit/537.36 (KHTML, like Gecko) "
            "Version/4.0 Chrome/141.0.0.0 Mobile Safari/537.36 Telegram-Android/12.1 (Google Pixel 9)",
            "Telegram, Android",
        ),
        (
            "Mozilla/5.0 (iPad; CPU OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
            "CriOS/141.0.7390.41 Mobile/15E148 Safari/604.1",
            "Chrome, iPad",
        ),
        (
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) "
            "Version/18.1 Safari/605.1.15",
            "Safari, macOS",
        ),
        ("Mozilla/5.0 (X11; OpenBSD amd64)", "BSD"),
        ("curl/8.11", ""),
        ("", ""),
        (None, ""),
        ("x" * 100_000 + "Firefox/1", ""),
    ],
)
def test_what_a_browser_is_called(said: str | None, called: str) -> None:
    assert browser_of(Asked(said)) == called  # type: ignore[arg-type]  # its headers are all that is asked for
