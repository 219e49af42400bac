"""What must not work on somebody's own pages: links and forms of others, forged or old ones, too much, and
words that are code.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from adapters.web.callers import MOST as MOST_WRONG
from adapters.web.proof import MOST
from referee.service import webkeys
from referee.store import Inbox, Journal, Outbox, Seat, WebSession
from tests.service.play import asked, legal, running, state, table, turn_to
from tests.web.lodging import Guest, Inn, lodging

ANA, BEA, CY = "telegram:ana", "matrix:bea", "terminal:cy"
PEOPLE = [ANA, BEA]
FRESH = {"form": "1790000000000.AAAAAAAAAAAAAAAA." + "0" * 40}


@pytest.fixture
async def inn(tmp_path: Path) -> AsyncIterator[Inn]:
    async with lodging(tmp_path) as one:
        yield one


def inbox(inn: Inn) -> int:
    return inn.house.store.read_now(lambda tx: tx.count(Inbox, channel="web"))


async def at_turn(inn: Inn, people: list[str] = PEOPLE) -> tuple[int, Guest, str]:
    """A table, and the browser and the next order of whoever is asked."""
    game = await table(inn.house, people)
    return game, await inn.signed_in(people[asked(inn.house, game)]), legal(inn.house, game)[0]


async def test_a_link_that_was_used_or_is_too_old_or_was_replaced_opens_nothing(inn: Inn) -> None:
    await table(inn.house, PEOPLE)
    used = await inn.link(ANA)
    await inn.guest().post(used, {})
    old = await inn.link(ANA)
    inn.house.clock.pass_(seconds=webkeys.LINK_MS / 1000)
    replaced = await inn.link(ANA)
    last = await inn.link(ANA)
    sessions = inn.house.store.read_now(lambda tx: tx.count(WebSession))
    for path in (used, old, replaced, "/me/in/" + "A" * 43):
        for status, text, headers in (await inn.guest().get(path), await inn.guest().post(path, {})):
            assert status == 404
            assert "Write <code>web</code> to the referee" in text
            assert "Set-Cookie" not in headers
    assert inn.house.store.read_now(lambda tx: tx.count(WebSession)) == sessions
    assert (await inn.guest().get(last))[0] == 200


async def test_a_link_that_two_press_at_once_lets_one_in(inn: Inn) -> None:
    await table(inn.house, PEOPLE)
    path = await inn.link(ANA)
    answers = await asyncio.gather(*(inn.guest().post(path, {}) for _ in range(5)))
    assert sorted(status for status, _, _ in answers) == [303, 404, 404, 404, 404]
    assert inn.house.store.read_now(lambda tx: tx.count(WebSession)) == 1


async def test_a_link_used_by_another_says_whose_it_is_and_signs_the_other_out(inn: Inn) -> None:
    """Who is signed in as Bea and follows Ana's link is Ana from then on, and is told so before."""
    game = await table(inn.house, PEOPLE)
    guest = await inn.signed_in(BEA)
    before = next(iter(guest.session.cookie_jar)).value
    path = await inn.link(ANA)
    assert "Sign in as Ana?" in await guest.page(path)
    await guest.post(path, {})
    assert "You are Ana" in await guest.page(f"/me/{game}")
    other = inn.guest()
    assert (await other.get("/me", Cookie=f"citadels={before}"))[0] == 403


async def test_a_secret_that_was_put_into_a_browser_is_not_kept(inn: Inn) -> None:
    await table(inn.house, PEOPLE)
    planted = "P" * 43
    status, _, headers = await inn.guest().post(
        await inn.link(ANA), {}, headers={"Origin": inn.url, "Cookie": f"citadels={planted}"}
    )
    assert status == 303
    assert planted not in headers["Set-Cookie"]
    assert (await inn.guest().get("/me", Cookie=f"citadels={planted}"))[0] == 403


async def test_a_cookie_that_is_none_of_ours_shows_nothing(inn: Inn) -> None:
    game, guest = await table(inn.house, PEOPLE), inn.guest()
    for cookie in ("", "x", "A" * 43, "A" * 4000, "citadels", "../../etc/passwd", "' OR 1=1 --", '"; Path=/'):
        for path in ("/me", f"/me/{game}", f"/me/{game}/events"):
            status, text, _ = await guest.get(path, Cookie=f"citadels={cookie}")
            assert status == 403
            assert "Your cards" not in text
        status, _, _ = await guest.post(
            f"/me/{game}",
            {**FRESH, "order": "gold"},
            headers={"Origin": inn.url, "Cookie": f"citadels={cookie}"},
        )
        assert status == 403
    assert inbox(inn) == 0


async def test_whoever_guesses_links_hears_that_it_is_too_much_and_a_right_one_still_opens(inn: Inn) -> None:
    await table(inn.house, PEOPLE)
    good = await inn.link(ANA)
    guest = inn.guest()
    for n in range(MOST_WRONG):
        assert (await guest.get(f"/me/in/{n:043d}"))[0] == 404
    assert (await guest.get(f"/me/in/{'x' * 43}"))[0] == 429
    assert (await guest.post(f"/me/in/{'x' * 43}", {}))[0] == 429
    assert inn.house.store.read_now(lambda tx: tx.count(WebSession)) == 0
    assert ((await guest.get(good))[0], (await guest.post(good, {}))[0]) == (200, 303)


ELSEWHERE: list[dict[str, str]] = [
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://127.0.0.1"},
    {},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "none"},
    {"Origin": "OURS", "Sec-Fetch-Site": "cross-site"},
    {"Origin": "https://evil.example", "Sec-Fetch-Site": "same-origin"},
    {"Referer": "OURS/me"},
]


async def test_a_form_from_elsewhere_does_nothing(inn: Inn) -> None:
    game, guest, order = await at_turn(inn)
    form, link = await guest.form(f"/me/{game}"), await inn.link(ANA)
    for headers in ELSEWHERE:
        sent = {name: value.replace("OURS", inn.url) for name, value in headers.items()}
        for path in (f"/me/{game}", "/me", "/me/out"):
            status, text, _ = await guest.post(path, {**form, "order": order}, headers=sent)
            assert status == 403
            assert "Nothing was done" in text
            assert f"at {inn.url} only" in text
        assert (await guest.post(link, {}, headers=sent))[0] == 403
    assert (await guest.get(link))[0] == 200  # not used up
    assert (await guest.get("/me"))[0] == 200  # not signed out
    assert (inbox(inn), running(inn.house, game).move_no) == (0, 0)


async def test_a_browser_that_tells_only_the_one_or_the_other_is_heard(inn: Inn) -> None:
    for headers in (
        {"Origin": inn.url},
        {"Sec-Fetch-Site": "same-origin"},
        {"Origin": inn.url, "Sec-Fetch-Site": "same-origin"},
    ):
        game, guest, order = await at_turn(inn)
        status, _, _ = await guest.post(
            f"/me/{game}", {**await guest.form(f"/me/{game}"), "order": order}, headers=headers
        )
        assert status == 303
        assert running(inn.house, game).move_no > 0


async def test_a_form_that_was_not_made_for_this_browser_does_nothing(inn: Inn) -> None:
    game, guest, order = await at_turn(inn)
    path = f"/me/{game}"
    mine = (await guest.form(path))["form"]
    other = (await (await inn.signed_in(PEOPLE[1 - asked(inn.house, game)])).form(path))["form"]
    again = (await (await inn.signed_in(PEOPLE[asked(inn.house, game)])).form(path))[
        "form"
    ]  # the same person elsewhere
    at, nonce, mac = mine.split(".")
    forged = [
        other,
        again,
        "",
        "x",
        f"{at}.{nonce}.{'0' * 40}",
        f"{int(at) + 1}.{nonce}.{mac}",
        f"{at}.{nonce[::-1]}.{mac}",
        mine.upper(),
        mine + "0",
        f"{at}.{nonce}",
        FRESH["form"],
    ]
    for form in forged:
        for address in (path, "/me/out"):
            status, text, _ = await guest.post(address, {"form": form, "order": order})
            assert status == 403, form
            assert "Nothing was done" in text
    assert (await guest.post(path, {"order": order}))[0] == 403
    assert (inbox(inn), running(inn.house, game).move_no) == (0, 0)
    assert (await guest.get("/me"))[0] == 200


async def test_a_form_from_before_one_signed_in_anew_does_nothing(inn: Inn) -> None:
    game, guest, order = await at_turn(inn)
    form = await guest.form(f"/me/{game}")
    await guest.post(await inn.link(PEOPLE[asked(inn.house, game)]), {})
    assert (await guest.post(f"/me/{game}", {**form, "order": order}))[0] == 403
    assert running(inn.house, game).move_no == 0


async def test_a_form_that_is_sent_twice_acts_once(inn: Inn) -> None:
    game, guest, order = await at_turn(inn)
    path = f"/me/{game}"
    form = await guest.form(path)
    places = {
        headers["Location"]
        for _, _, headers in await asyncio.gather(
            *(guest.post(path, {**form, "order": order}) for _ in range(3))
        )
    }
    assert len(places) == 1
    assert f"<code>{order}</code>" in await guest.page(places.pop())
    assert inn.house.store.read_now(lambda tx: tx.count(Journal, game_id=game, by="person")) == 1
    assert inbox(inn) == 1


async def test_the_same_page_may_send_two_different_things(inn: Inn) -> None:
    game, guest, order = await at_turn(inn)
    form = await guest.form(f"/me/{game}")
    await guest.send(f"/me/{game}", form, order="say first")
    await guest.send(f"/me/{game}", form, order=order)
    assert inbox(inn) == 2
    assert running(inn.house, game).move_no > 0


async def test_a_page_that_is_older_than_the_question_says_what_changed(inn: Inn) -> None:
    house = inn.house
    game, guest, order = await at_turn(inn)
    seat, path = asked(house, game), f"/me/{game}"
    old = await guest.form(path)
    await turn_to(house, game, PEOPLE, 1 - seat)
    await turn_to(house, game, PEOPLE, seat)
    before = running(house, game)
    for late in dict.fromkeys([order, legal(house, game)[0], "1"]):
        page = await guest.send(path, old, order=late)
        assert "Your answer was to an earlier question; nothing was done." in page
    assert running(house, game).move_no == before.move_no
    page = await guest.send(path, await guest.form(path), order=legal(house, game)[0])
    assert "earlier question" not in page.split('class="note answer"')[1].split("Done:")[0] or "Done:" in page
    assert running(house, game).move_no > before.move_no


async def test_a_seat_that_one_does_not_hold(inn: Inn) -> None:
    house = inn.house
    game = await table(house, PEOPLE)
    await house.say(CY, "hello")
    cy = await inn.signed_in(CY)
    form, moves = await cy.form("/me"), running(house, game).move_no
    assert (await cy.get(f"/me/{game}"))[0] == 404
    assert (await cy.get("/me/99999"))[1] == (await cy.get(f"/me/{game}"))[1], (
        "a table that is there is not told from one that is not"
    )
    for path in (f"/me/{game}", "/me/99999", "/me/0", "/me/1234567890", "/me/-1", "/me/x"):
        assert (await cy.get(path))[0] == 404
        status, _, headers = await cy.post(
            path, {**form, "order": legal(house, game)[0], "question": str(running(house, game).question)}
        )
        assert status in (303, 404)
        if status == 303:
            assert (await cy.get(headers["Location"]))[0] == 404
    page = await cy.write("/me", f"#{game} {legal(house, game)[0]}")
    assert f"You have no seat in #{game}" in page or "no seat" in page
    assert running(house, game).move_no == moves
    assert (await cy.get(f"/me/{game}/events"))[0] == 404


async def test_not_ones_turn(inn: Inn) -> None:
    house = inn.house
    game = await table(house, PEOPLE)
    guest = await inn.signed_in(PEOPLE[1 - asked(house, game)])
    page = await guest.write(f"/me/{game}", legal(house, game)[0])
    assert "Not done:" in page
    assert running(house, game).move_no == 0


async def test_too_much_at_once(inn: Inn) -> None:
    game, guest, order = await at_turn(inn)
    form = await guest.form(f"/me/{game}")
    status, text, _ = await guest.post(f"/me/{game}", {**form, "order": f"{order}\n" + "x" * 100_000})
    assert status == 413
    assert "longer than I read at once" in text
    assert (inbox(inn), running(inn.house, game).move_no) == (0, 0)
    for much in ("gold\n" * 6_000, "x" * 50_000):
        assert 'class="note answer"' in await guest.write(f"/me/{game}", much)
    assert running(inn.house, game).move_no == 0


async def test_much_too_often(inn: Inn) -> None:
    game, guest, order = await at_turn(inn)
    form = await guest.form(f"/me/{game}")
    for _ in range(MOST):
        assert (await guest.post(f"/me/{game}", {**form, "order": "help"}))[0] == 303
    status, text, _ = await guest.post(f"/me/{game}", {**form, "order": order})
    assert status == 429
    assert "was not done" in text
    assert running(inn.house, game).move_no == 0
    inn.house.clock.pass_(seconds=61)
    assert (await guest.post(f"/me/{game}", {**form, "order": order}))[0] == 303
    assert running(inn.house, game).move_no > 0


async def test_what_is_no_form_does_nothing(inn: Inn) -> None:
    game, guest, _ = await at_turn(inn)
    for body in (
        b"",
        b"\xff\xfe\x00",
        b"form=%ff%fe&order=%00",
        b"order=gold",
        b"[]",
        b"form=" + b"a" * 60_000,
        b"a=b&" * 1000,
    ):
        for kind in (
            "application/x-www-form-urlencoded",
            "application/x-www-form-urlencoded; charset=utf-99",
            "application/json",
            "multipart/form-data; boundary=x",
            "x",
        ):
            assert (await guest.post(f"/me/{game}", body, headers={"Origin": inn.url, "Content-Type": kind}))[
                0
            ] == 403, (body[:40], kind)
    assert (inbox(inn), running(inn.house, game).move_no) == (0, 0)


async def test_a_question_number_that_is_none(inn: Inn) -> None:
    """Without a number the answer counts for what is asked now, as in chat; with one that is not the open
    question's it does not.
    """
    for question, late in (
        ("99999999", True),
        ("", False),
        ("-1", False),
        ("x", False),
        ("9" * 40, False),
        ("1 OR 1=1", False),
    ):
        game, guest, order = await at_turn(inn)
        page = await guest.send(
            f"/me/{game}", {**await guest.form(f"/me/{game}"), "question": question}, order=order
        )
        assert ("earlier question" in page) == late
        assert (running(inn.house, game).move_no == 0) == late
        inn.house.clock.pass_(seconds=60)


async def test_a_button_that_is_none_of_ours(inn: Inn) -> None:
    game, guest, _ = await at_turn(inn)
    for key in ("x", "aaaaaaaaaaaaaaaaaaaaaaaa-1", "-1", "A" * 40):
        page = await guest.send(f"/me/{game}", await guest.form(f"/me/{game}"), key=key)
        assert "belongs to an earlier question" in page
        inn.house.clock.pass_(seconds=1)
    assert running(inn.house, game).move_no == 0


async def test_a_button_of_another_persons_letter(inn: Inn) -> None:
    house = inn.house
    game = await table(house, PEOPLE)
    seat = asked(house, game)
    key = house.key(PEOPLE[seat], legal(house, game)[0])
    guest = await inn.signed_in(PEOPLE[1 - seat])
    page = await guest.send(f"/me/{game}", await guest.form(f"/me/{game}"), key=key)
    assert 'class="note answer"' in page
    assert running(house, game).move_no == 0


async def test_names_and_words_are_text(inn: Inn) -> None:
    house = inn.house
    bad = ["telegram:<script>alert(1)</script>", "telegram:{{ 7*7 }}{% raw %}"]
    game = await table(house, bad)
    for seat, name in enumerate(
        ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>']
    ):  # what no name can be any more, should it ever have been one
        house.store.write_now(
            lambda tx, seat=seat, name=name: tx.change(Seat, {"game_id": game, "no": seat}, name=name)
        )  # type: ignore[misc]  # mypy does not know a lambda's default
    guest = await inn.signed_in(bad[asked(house, game)])
    pages = [await guest.page("/me"), await guest.page(f"/me/{game}")]
    for words in (
        "<script>alert(2)</script>",
        "say <img src=x onerror=alert(3)>",
        "tell <b>x</b> <i>",
        "name <script>alert(4)</script>",
        "rules <script>",
        "prefer <script>",
        "when <svg onload=alert(5)>: gold",
        "join #<script>",
        "{{ 7*7 }}",
        "</textarea><script>alert(6)</script>",
        'link "><script>',
    ):
        house.clock.pass_(seconds=60)
        pages.append(await guest.write(f"/me/{game}", words))
        pages.append(await guest.write("/me", words))
    pages.append(await (inn.guest()).page(await inn.link(bad[0])))
    for page in pages:
        left = re.sub(r'<script src="/static/live-[0-9a-f]+\.js" defer></script>', "", page)
        left = re.sub(
            r'<img class="phone" src="/me/\d+/seat\.svg\?[\w.=&;-]*" width="360" '
            r'loading="lazy" alt="[^"<>]*">',
            "",
            left,
        )
        for tag in ("<script", "<img", "<svg", "<i>", "<b>", "onerror=alert(3)>"):
            assert tag not in left, tag
        assert not re.search(r"\b49\b", left)


async def test_everything_of_ones_own_leaves_with_headers_that_keep_it_close(inn: Inn) -> None:
    game, guest, _ = await at_turn(inn)
    link = await inn.link(ANA)
    for path in ("/me", f"/me/{game}", link, "/me/99", "/me/in/" + "A" * 43):
        _, text, headers = await guest.get(path)
        assert headers["Cache-Control"] == "no-store"
        assert headers["Referrer-Policy"] == "same-origin"
        assert headers["X-Frame-Options"] == "DENY"
        policy = headers["Content-Security-Policy"]
        for rule in (
            "default-src 'none'",
            "frame-ancestors 'none'",
            "form-action 'self'",
            "base-uri 'none'",
            "script-src 'self'",
        ):
            assert rule in policy
        assert "unsafe" not in policy
        for strange in ("http://", "https://", 'href="//', "style=", "onclick", "javascript:"):
            assert strange not in text
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS"):
        async with guest.session.request(method, f"/me/{game}", headers={"Origin": inn.url}) as answer:
            assert answer.status == 405


async def test_nothing_leads_to_another_site(inn: Inn) -> None:
    game, guest, _ = await at_turn(inn)
    for path in (
        "/me?next=https://evil.example",
        "/me?since=https://evil.example",
        f"/me/{game}?since=//evil.example&way=//evil.example",
    ):
        assert "evil" not in await guest.page(path)
    for path in ("/me//evil.example", "/me/%2f%2fevil.example", "/me/..//evil.example"):
        status, text, headers = await inn.guest().get(path)
        assert status in (403, 404)
        assert "Location" not in headers
        assert 'href="//' not in text
    status, _, headers = await guest.post(
        "/me?next=https://evil.example",
        {**await guest.form("/me"), "order": "help", "next": "https://evil.example"},
    )
    assert (status, headers["Location"].partition("?")[0]) == (303, "/me")


async def test_answers_of_others_are_not_shown(inn: Inn) -> None:
    """The name of what one person sent, in another's address."""
    game, guest, _ = await at_turn(inn)
    path = f"/me/{game}"
    _, _, headers = await guest.post(path, {**await guest.form(path), "order": "pikc the secret King"})
    assert ">pikc the secret King</textarea>" in await guest.page(headers["Location"])
    other = await inn.signed_in(PEOPLE[1 - asked(inn.house, game)])
    assert "the secret" not in await other.page(headers["Location"])


async def test_a_full_disk_is_said(inn: Inn, monkeypatch: pytest.MonkeyPatch) -> None:
    from referee.store import StoreFull

    game, guest, order = await at_turn(inn)
    form = await guest.form(f"/me/{game}")

    async def full(*_: Any, **__: Any) -> None:
        raise StoreFull("no room")

    monkeypatch.setattr(inn.house.referee.reception, "receive", full)
    status, text, _ = await guest.post(f"/me/{game}", {**form, "order": order})
    assert status == 503
    assert "try again later" in text
    monkeypatch.undo()
    assert (await guest.post(f"/me/{game}", {**form, "order": order}))[0] == 303
    assert running(inn.house, game).move_no > 0


async def test_what_was_written_by_somebody_who_signed_out_meanwhile_is_not_done(inn: Inn) -> None:
    """It lay in the inbox when the machine went down; when it is read, nobody is signed in there."""
    from referee.ports import Inbound
    from referee.service import desk
    from referee.service.sitting import Sitting

    house = inn.house
    game = await table(house, PEOPLE)
    seat = asked(house, game)
    await inn.signed_in(PEOPLE[seat])
    session = house.store.read_now(lambda tx: tx.all(WebSession))[0]
    came = Inbound(
        channel="web",
        key="1",
        address=str(session.person_id),
        text=legal(house, game)[0],
        facts={"session": session.id, "game": game, "question": running(house, game).question},
    )
    stolen = Inbound(
        channel="web", key="2", address=str(session.person_id + 1), text=came.text, facts=came.facts
    )
    bare = Inbound(channel="web", key="3", address=str(session.person_id), text=came.text)
    await house.say(PEOPLE[seat], "web off")
    letters = house.store.read_now(lambda tx: tx.count(Outbox))
    for one in (came, stolen, bare):
        house.store.write_now(
            lambda tx, one=one: desk.handle(
                Sitting(tx, house.clock(), house.referee.post._words, house.settings, house.referee.states),
                1,
                one,
            )
        )  # type: ignore[misc]  # mypy does not know a lambda's default
    assert running(house, game).move_no == 0
    assert house.store.read_now(lambda tx: tx.count(Outbox)) == letters
    assert state(house, game).number
