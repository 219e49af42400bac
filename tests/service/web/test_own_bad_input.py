"""What must not work on somebody's own pages, whatever is sent there: seats of others, too much, words
that are code, ways to other sites, and what goes wrong with us.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from adapters.web.form_checks import MOST
from referee.store import Seat
from tests.service.playing import asked, legal, running, table
from tests.service.web.running_site import ANA, PEOPLE, Inn, at_turn, inbox


async def test_a_seat_that_one_does_not_hold(inn: Inn) -> None:
    house = inn.house
    game = await table(house, PEOPLE)
    await house.say("terminal:cy", "hello")
    cy = await inn.signed_in("terminal:cy")
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
        if status == 303:  # what was answered is read among their own tables, whatever number it was
            status, _, away = await cy.get(headers["Location"])
            assert (status, away["Location"].partition("?")[0]) == (303, "/me")
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
    assert [form["form"], form["question"]] == re.findall(r'type="hidden" name="\w+" value="([^"]+)"', text)
    assert f">{order}</textarea>" in text  # to be sent once more, as it was
    inn.house.clock.pass_(seconds=61)
    assert (await guest.post(f"/me/{game}", {**form, "order": order}))[0] == 303
    assert running(inn.house, game).move_no > 0


async def test_words_that_come_too_late_can_be_copied(inn: Inn) -> None:
    """Somebody wrote for an hour, and signed out, or in anew, in another tab meanwhile."""
    game, guest, _ = await at_turn(inn)
    path, words = f"/me/{game}", "say a long <b>story</b>"
    form = await guest.form(path)
    await guest.post(await inn.link(PEOPLE[asked(inn.house, game)]), {})
    for shown in ("Nothing was done", "nobody is signed in"):
        status, text, _ = await guest.post(path, {**form, "order": words})
        assert status == 403
        assert shown in text
        assert " readonly>say a long &lt;b&gt;story&lt;/b&gt;</textarea>" in text
        guest.session.cookie_jar.clear()
    status, text, _ = await guest.post(
        path, {**form, "order": words}, headers={"Origin": "https://evil.example"}
    )
    assert (status, "story" in text) == (403, False)  # nothing that another site says is repeated
    assert inbox(inn) == 0


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
        left = re.sub(
            r'<script src="/static/(live|app)-[0-9a-f]+\.js"( data-root="")? defer></script>', "", page
        )
        left = re.sub(
            r'<img class="phone" src="/me/\d+/seat\.svg\?[\w.=&;-]*" width="360" '
            r'loading="lazy" alt="[^"<>]*">',
            "",
            left,
        )
        left = re.sub(
            r'<svg aria-hidden="true"><use href="/static/emblems-[0-9a-f]+\.svg#[a-z-]+"/></svg>', "", left
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
    assert f">{order}</textarea>" in text
    assert form["form"] in text
    monkeypatch.undo()
    assert (await guest.post(f"/me/{game}", {**form, "order": order}))[0] == 303
    assert running(inn.house, game).move_no > 0


async def test_a_full_disk_hides_no_table_and_is_no_traceback(
    inn: Inn, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """What was seen last, and when, can't be noted then: one's own cards were a page that says that something
    broke.
    """
    from referee.store import StoreFull

    game, guest, order = await at_turn(inn)
    await guest.page(f"/me/{game}")
    await inn.house.say(PEOPLE[asked(inn.house, game)], order)
    inn.house.clock.pass_(hours=2)  # since it was noted that this browser is in use
    link = await inn.link(ANA)

    async def full(*_: Any, **__: Any) -> None:
        raise StoreFull("no room")

    monkeypatch.setattr(inn.house.referee.own_pages._store, "write", full)
    for path in (f"/me/{game}", "/me"):
        assert (await guest.get(path))[0] == 200
    status, text, _ = await inn.guest().post(link, {})
    assert (status, "try again" in text) == (503, True)
    assert not [one for one in caplog.records if one.exc_info]
    monkeypatch.undo()
    assert (await inn.guest().post(link, {}))[0] == 303


async def test_a_page_shows_no_answers_to_what_another_tab_sent(inn: Inn) -> None:
    """A refusal at another table had put an order that was done into the box again, as if it was refused."""
    games = [await table(inn.house, PEOPLE) for _ in range(2)]
    seat = asked(inn.house, games[0])
    guest = await inn.signed_in(PEOPLE[seat])
    order = legal(inn.house, games[0])[0]
    form = await guest.form(f"/me/{games[0]}")
    status, _, headers = await guest.post(f"/me/{games[0]}", {**form, "order": order})
    assert status == 303
    first = headers["Location"]
    inn.house.clock.pass_(seconds=5)
    assert "no order at all</textarea>" in await guest.write(f"/me/{games[1]}", "no order at all")
    page = await guest.page(first)
    assert "Done:" in page
    assert order in page.partition("</section>")[0]
    assert "no order at all" not in page
    assert f"{order}</textarea>" not in page
    assert "no order at all" in await guest.write("/me", "no order at all")
    assert "Done:" not in await guest.write(f"/me/{games[0]}", "help orders")
