"""Links, cookies and sessions that must not open somebody's own pages: used, old, replaced, guessed, planted,
ended, or none of ours.
"""

from __future__ import annotations

import asyncio

from adapters.web.client_limits import MOST as MOST_WRONG
from referee.service.people import web_sessions
from referee.store import Outbox, WebSession
from tests.service.playing import asked, legal, running, state, table
from tests.service.web.running_site import ANA, BEA, FRESH, PEOPLE, Inn, inbox


async def test_a_link_that_was_used_or_is_too_old_or_was_replaced_opens_nothing(inn: Inn) -> None:
    await table(inn.house, PEOPLE)
    used = await inn.link(ANA)
    await inn.guest().post(used, {})
    old = await inn.link(ANA)
    inn.house.clock.pass_(seconds=web_sessions.LINK_MS / 1000)
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


async def test_a_line_end_behind_a_key_is_no_key_and_gets_into_no_header(inn: Inn) -> None:
    game, guest = await table(inn.house, PEOPLE), await inn.signed_in(ANA)
    form = await guest.form(f"/me/{game}")
    status, _, headers = await guest.post(f"/me/{game}?key=ABCDEFGH%0A", {**form, "order": "hand"})
    assert status == 303
    assert "key=" not in headers["Location"]


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


async def test_what_was_written_by_somebody_who_signed_out_meanwhile_is_not_done(inn: Inn) -> None:
    """It lay in the inbox when the machine went down; when it is read, nobody is signed in there."""
    from referee.ports import Inbound
    from referee.service.core.unit_of_work import UnitOfWork
    from referee.service.inbound import dispatch

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
            lambda tx, one=one: dispatch.handle(
                UnitOfWork(
                    tx,
                    house.clock(),
                    house.referee.outbox_worker._words,
                    house.settings,
                    house.referee.states,
                ),
                1,
                one,
            )
        )  # type: ignore[misc]  # mypy does not know a lambda's default
    assert running(house, game).move_no == 0
    assert house.store.read_now(lambda tx: tx.count(Outbox)) == letters
    assert state(house, game).number


class Named:
    """A channel with an address of its own."""

    def __init__(self, name: str, address: str, link: str) -> None:
        self.name, self.found = name, (address, link)

    def contact(self) -> tuple[str, str]:
        return self.found


async def test_anyone_who_is_not_signed_in_reads_where_to_write(inn: Inn) -> None:
    pages = inn.house.referee.own_pages
    pages._reachable = [
        Named("telegram", "@citadels_bot", "https://t.me/citadels_bot"),
        Named("mail", "play@game.test", "mailto:play@game.test?body=web"),
    ]
    status, text, _ = await inn.guest().get("/me")
    assert status == 403
    assert '<li>Telegram: <a href="https://t.me/citadels_bot">@citadels_bot</a></li>' in text
    assert '<a href="mailto:play@game.test?body=web">play@game.test</a>' in text
    pages._reachable = [Named("telegram", "", "")]  # its name is not known yet
    assert "t.me" not in (await inn.guest().get("/me"))[1]
