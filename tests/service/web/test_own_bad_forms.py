"""Forms that must not do anything on somebody's own pages, or not again: from elsewhere, forged, old, sent
twice, or no forms at all.
"""

from __future__ import annotations

import asyncio

from referee.store import Journal
from tests.service.playing import asked, legal, running, table, told, turn_to
from tests.service.web.running_site import ANA, FRESH, PEOPLE, Inn, at_turn, inbox

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


async def test_an_old_page_takes_back_the_order_that_it_meant_or_none(inn: Inn) -> None:
    """Its button had taken back what was done since, in another tab or in chat."""
    house = inn.house
    game = await table(house, PEOPLE)
    while not any(one.startswith("build ") for one in legal(house, game)):
        orders = legal(house, game)
        await house.say(PEOPLE[asked(house, game)], "gold" if "gold" in orders else orders[0])
    who = PEOPLE[asked(house, game)]
    guest = await inn.signed_in(who)
    form = await guest.form(f"/me/{game}")
    await house.say(who, next(one for one in legal(house, game) if one.startswith("build ")))
    moves = running(house, game).move_no
    page = await guest.send(f"/me/{game}", form, order="undo")
    assert "to an earlier question; nothing was done" in page
    assert (running(house, game).move_no, told(house, game).count("undone")) == (moves, 0)
    page = await guest.write(f"/me/{game}", "undo")
    assert "Taken back:" in page
    assert told(house, game).count("undone") == 1
