"""Leagues on somebody's own pages: taking part by a tap, running one by forms, each act shown before it is
done.
"""

from __future__ import annotations

import html
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from referee.service.league import roles
from referee.service.league.web import forms, office
from referee.store import Entry, OfficeLog, Outbox, Season, SeasonRound
from referee.text import Words
from tests.service.league import seasons
from tests.service.web.running_site import Guest, Inn, lodging
from tests.service.web.site import text_of

#: an admin of the house, who founds the league; a director, and somebody who is nothing there
BOSS, DIRECTOR, CY = "telegram:boss", "telegram:dora", "telegram:cy"
OFFICE = "/me/l/1/office"


@pytest.fixture
async def inn(tmp_path: Path) -> AsyncIterator[Inn]:
    async with lodging(tmp_path, admins=(("telegram", "boss"),)) as one:
        for who in (BOSS, DIRECTOR, CY):
            await one.house.say(who, "hello")
        await one.house.say(BOSS, "league new Winter Cup")
        await one.house.say(BOSS, "league role dora director")
        yield one


async def previewed(guest: Guest, order: str, path: str = OFFICE) -> str:
    """The page that says what would come of it."""
    form = await guest.form(path)
    status, text, _ = await guest.post(f"{path}/preview", {**form, "order": order})
    assert status == 200, text
    return text


async def test_an_act_is_shown_with_who_is_told_before_it_is_done(inn: Inn) -> None:
    guest = await inn.signed_in(DIRECTOR)
    await inn.house.say(CY, "hello")
    before = inn.house.store.read_now(lambda tx: (tx.count(Season), tx.count(Outbox), tx.count(OfficeLog)))
    page = await previewed(guest, "league #1 open rounds 3 days 14")
    assert "This would happen" in page
    assert "open for sign-up" in text_of(page)
    assert "told at once: " in text_of(page)
    assert "Boss and Dora" in text_of(page)
    after = inn.house.store.read_now(lambda tx: (tx.count(Season), tx.count(Outbox), tx.count(OfficeLog)))
    assert after == before
    done = await guest.send(OFFICE, await guest.form(OFFICE), order="league #1 open rounds 3 days 14")
    assert "Season 1" in text_of(done) or "season 1" in text_of(done)
    assert inn.house.store.read_now(lambda tx: tx.count(Season)) == 1


async def test_what_cant_be_done_says_why_and_offers_nothing(inn: Inn) -> None:
    guest = await inn.signed_in(DIRECTOR)
    page = await previewed(guest, "league #1 draw")
    assert "can&#39;t be done" in page or "can't be done" in page
    assert "has no season" in text_of(page)
    assert "Do it" not in text_of(page)
    assert "gibberish" in text_of(await previewed(guest, "league #1 gibberish"))


async def test_two_keys_are_said_before_and_turned_on_the_page(inn: Inn) -> None:
    await inn.house.say(DIRECTOR, "league open rounds 3 days 14")
    guest = await inn.signed_in(DIRECTOR)
    page = await previewed(guest, "league #1 void season because nobody came")
    assert "takes two keys" in text_of(page)
    assert "Propose it" in text_of(page)
    await guest.send(OFFICE, await guest.form(OFFICE), order="league #1 void season because nobody came")
    assert "Take it back" in text_of(await guest.page(OFFICE))
    await inn.house.say(BOSS, "league role boss owner")
    other = await inn.signed_in(BOSS)
    shown = await other.page(OFFICE)
    assert "Agree: do it" in text_of(shown)
    await other.send(
        OFFICE, await other.form(OFFICE), order=re.findall(r'value="(league #1 second \d+)"', shown)[0]
    )
    assert inn.house.store.read_now(lambda tx: tx.one(Season, id=1)).state == "void"


async def test_nobody_tries_acts_who_has_no_part_in_running_the_league(inn: Inn) -> None:
    """What would be told, to whom and in which rooms, is for those who run it: else a late sign-up that is
    only tried names its rooms to anybody.
    """
    for who in ("telegram:dan", "telegram:eve", "telegram:flo"):
        await inn.house.say(who, "hello")
    await inn.house.say(DIRECTOR, "league open rounds 3")
    for who in ("telegram:dan", "telegram:eve", "telegram:flo", BOSS):
        await inn.house.say(who, "league join")
    await inn.house.say(DIRECTOR, "/league room here", place="-77")
    await inn.house.say(DIRECTOR, "league start")
    inn.house.clock.pass_(hours=0.1)
    await inn.house.referee.scheduler.ring()
    await inn.house.settle()
    for who in (CY, "telegram:dan"):
        guest = await inn.signed_in(who)
        form = await guest.form("/me/l/1")
        for act in ("join", "leave", "alternate", "people"):
            status, text, _ = await guest.post(f"{OFFICE}/preview", {**form, "order": f"league #1 {act}"})
            assert "-77" not in text, (who, act)
            assert (status, "can't be done" in html.unescape(text)) in ((403, False), (200, True)), (who, act)


async def test_a_long_list_of_people_stands_on_the_page_once(
    inn: Inn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stood in each form: with hundreds of people hardly any phone could open the page."""
    await inn.house.say(DIRECTOR, "league open rounds 3 days 14")
    for who in (BOSS, CY):
        await inn.house.say(who, "league join")
    guest = await inn.signed_in(DIRECTOR)
    option = '<option value="&#34;Cy&#34;">Cy</option>'
    page = await guest.page(OFFICE)
    assert page.count(option) > 3
    monkeypatch.setattr(office, "LIST_MOST", 1)
    page = await guest.page(OFFICE)
    assert page.count(option) == 1
    assert page.count('list="person-list"') > 3


async def test_the_office_is_nobody_elses_page(inn: Inn) -> None:
    guest = await inn.signed_in(CY)
    assert (await guest.get(OFFICE))[0] == 404
    assert (await guest.get("/me/l/9/office"))[0] == 404
    form = await guest.form("/me/l/1")
    _, text, _ = await guest.post(f"{OFFICE}/preview", {**form, "order": "league #1 open"})
    assert "needs a director" in text_of(text) or "That needs" in text_of(text)
    assert (await guest.post(f"{OFFICE}/preview", {"form": "x", "order": "league #1 open"}))[0] == 403
    assert (await guest.post(f"{OFFICE}/preview", form, headers={"Origin": "http://evil.test"}))[0] == 403


async def test_nothing_that_is_no_act_of_a_league_is_tried(inn: Inn) -> None:
    guest = await inn.signed_in(DIRECTOR)
    form = await guest.form(OFFICE)
    for order in ("", "new classic", "delete my account", "league"):
        status, text, _ = await guest.post(f"{OFFICE}/preview", {**form, "order": order})
        assert status in (200, 403), (order, text)
        assert "Do it" not in text or order == "league"


async def test_somebody_joins_and_leaves_by_a_tap(inn: Inn) -> None:
    await inn.house.say(DIRECTOR, "league open rounds 3 days 14")
    guest = await inn.signed_in(CY)
    page = await guest.page("/me/l/1")
    assert "You are not in this season" in text_of(page)
    assert "league #1 join" in page
    assert "Dora (director)" in text_of(page)
    after = await guest.send("/me/l/1", await guest.form("/me/l/1"), order="league #1 join")
    assert "You: signed up" in text_of(after)
    assert inn.house.store.read_now(lambda tx: tx.count(Entry)) == 1
    assert "Winter Cup" in text_of(await guest.page("/me/l"))
    after = await guest.send("/me/l/1", await guest.form("/me/l/1"), order="league #1 leave")
    assert "You: has left" in text_of(after)


async def test_a_table_that_will_not_finish_in_time_is_shown(inn: Inn) -> None:
    house = inn.house
    for who in ("bea", "dan", "eve"):
        await house.say(f"telegram:{who}", "hello")
    await house.say(DIRECTOR, "league open rounds 1 days 28 sizes 4")
    for who in ("cy", "bea", "dan", "eve"):
        await house.say(f"telegram:{who}", "league join")
    await house.say(DIRECTOR, "league start")
    await house.referee.scheduler.ring()
    await house.settle()
    (table,) = seasons.tables(house, "gathering")
    seasons.ready(house, table)
    office = await inn.signed_in(DIRECTOR)
    assert "not finish in time" not in await office.page(OFFICE)
    # nobody plays for three weeks: what is left is as much as before, the time is not
    row = house.store.read_now(lambda tx: tx.one(SeasonRound, season_id=table.season_id, no=1))
    house.store.write_now(lambda tx: tx.set(SeasonRound, row.id, ends_ms=house.clock() + 3 * 86_400_000))
    shown = text_of(await office.page(OFFICE))
    assert "Table 1, round 1 : about" in shown or "Table 1, round 1: about" in shown
    assert "at the usual pace; it is ruled" in shown


async def test_what_a_place_at_ones_table_would_mean(inn: Inn) -> None:
    house = inn.house
    people = ("cy", "bea", "dan", "eve", "flo", "gil", "hal", "ida")
    for who in people:
        await house.say(f"telegram:{who}", "hello")
    await house.say(DIRECTOR, "league open rounds 2 days 60 sizes 4 early yes")
    for who in people:
        await house.say(f"telegram:{who}", "league join")
    await house.say(DIRECTOR, "league start")
    house.clock.pass_(hours=0.1)
    await house.referee.scheduler.ring()
    await house.settle()
    seasons.play_round(house)
    house.clock.pass_(hours=0.1)
    await house.referee.scheduler.ring()
    await house.settle()
    for table in seasons.tables(house, "gathering"):
        seasons.ready(house, table)
    assert seasons.tables(house, "playing", round_no=2)
    shown = text_of(await (await inn.signed_in(CY)).page("/me/l/1"))
    assert "You are in place " in shown
    assert len(re.findall(r"Place \d there: you (?:stay|would be) in place \d", shown)) == 4


async def test_a_report_is_read_and_seen_to_on_the_page(inn: Inn) -> None:
    await inn.house.say(DIRECTOR, "league open rounds 3 days 28")
    guest, office = await inn.signed_in(CY), await inn.signed_in(DIRECTOR)
    await guest.send("/me/l/1", await guest.form("/me/l/1"), order="league #1 join")
    said = "league #1 report Nobody answers <b>me</b>"
    await guest.send("/me/l/1", await guest.form("/me/l/1"), order=said)
    shown = await office.page(OFFICE)
    assert "Cy" in text_of(shown)
    assert "Nobody answers &lt;b&gt;me&lt;/b&gt;" in shown
    number = re.findall(r'value="(league #1 handled \d+)"', shown)[0]
    form = {**await office.form(OFFICE), "order": number, "order-because": "I asked them"}
    status, _, _ = await office.post(OFFICE, form)
    assert status == 303
    assert "Nobody answers" not in await office.page(OFFICE)
    assert "I asked them" in inn.house.last(CY).text


async def test_a_league_that_is_not_public_is_there_for_its_people_alone(inn: Inn) -> None:
    await inn.house.say(DIRECTOR, "league set public no")
    stranger, director = await inn.signed_in(CY), await inn.signed_in(DIRECTOR)
    assert (await stranger.get("/me/l/1"))[0] == 404
    assert "Winter Cup" not in await stranger.page("/me/l")
    assert "Winter Cup" in text_of(await director.page("/me/l"))


async def test_who_played_in_it_before_finds_it_though_it_is_not_public(inn: Inn) -> None:
    """Its page was there for them, but their list of leagues did not lead to it, nor to its new season."""
    await inn.house.say(DIRECTOR, "league set public no")
    await inn.house.say(DIRECTOR, "league open rounds 3 days 14")
    await inn.house.say(CY, "league join")
    await inn.house.say(DIRECTOR, "league void season because nobody came")
    await inn.house.say(BOSS, "league second 1")
    await inn.house.say(DIRECTOR, "league open rounds 3 days 14")
    guest = await inn.signed_in(CY)
    assert "Winter Cup" in text_of(await guest.page("/me/l"))
    assert "league #1 join" in html.unescape(await guest.page("/me/l/1"))


def test_every_act_of_the_office_has_a_form_with_a_label() -> None:
    acts = {act for act, role in roles.MAY.items() if role}
    known = [form for group in forms.FORMS.values() for form in group]
    assert len(known) > 15
    assert {form.act for form in known} | forms.ELSEWHERE == acts
    words = Words()
    for language in ("en", "pt_BR"):
        for form in known:
            assert words.phrase(f"league_forms.{form.label}", language)
