"""One's own pages as an app, in a real browser: the worker is there for them alone, keeps the last table for
when there is no line and forgets it with the session, and shows what it is pushed.

Chromium's own push service is Google's; so here the browser is handed a push as its service would hand it
(DevTools), and what the house sends is opened in test_push_notices.py.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, CDPSession, Page

from adapters.push import new_key, public_key
from referee.store import WebSession
from tests.servers.push_service import UserAgent
from tests.service.playing import asked, legal, table
from tests.service.web.browser import PHONE, Surf, browsing, surfing
from tests.service.web.running_site import ANA, PEOPLE, Inn, lodging

#: one browser serves all files, in the one loop of their session (conftest.py)
pytestmark = pytest.mark.asyncio(loop_scope="session")
KEY = new_key()
#: a browser that asked under another key once, and is or is not let ask anew
SERVICE = """(() => {
  const [keys, lets] = [%s, %s];
  const held = (name, key) => ({
    endpoint: `https://push.test/${name}`,
    options: { applicationServerKey: key },
    toJSON() { return { keys }; },
    async unsubscribe() { sessionStorage.held = ""; },
  });
  const plain = (key) => atob(key.replace(/-/g, "+").replace(/_/g, "/"));
  const bytes = (key) => Uint8Array.from(plain(key), (one) => one.charCodeAt(0)).buffer;
  window.asked = [];
  sessionStorage.held ??= "of-the-old-key";
  PushManager.prototype.getSubscription = async () => {
    const { held: name, renewed } = sessionStorage;
    return name ? held(name, renewed ? bytes(renewed) : new Uint8Array(65).buffer) : null;
  };
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
    if (!lets) throw new Error("no leave");
    window.asked.push(applicationServerKey);
    sessionStorage.renewed = applicationServerKey;
    sessionStorage.held = "of-the-new-key";
    return held("of-the-new-key");
  };
})()"""


@pytest_asyncio.fixture(loop_scope="session")
async def inn(tmp_path: Path) -> AsyncIterator[Inn]:
    async with lodging(tmp_path, push_key=public_key(KEY), push=KEY) as one:
        yield one


async def signed_in(inn: Inn, surf: Surf, who: str) -> Page:
    """In the browser, by the link and its button."""
    await surf.page.goto(inn.url + await inn.link(who))
    await surf.page.get_by_role("button").first.click()
    await surf.page.wait_for_url("**/me")
    await until(surf.page, "async () => (await navigator.serviceWorker.ready).active.state === 'activated'")
    return surf.page


async def until(page: Page, ask: str, arg: Any = None, polls: int = 1000) -> Any:
    """What an asynchronous function answers in the page, as soon as that is something."""
    for _ in range(polls):
        found = await page.evaluate(ask, arg)
        if found:
            return found
        await asyncio.sleep(0.02)
    raise AssertionError(f"never: {ask}")


async def kept(page: Page) -> dict[str, list[str]]:
    """The paths in each of the worker's caches."""
    found: dict[str, list[str]] = await page.evaluate(
        """async () => {
          const said = {};
          for (const name of await caches.keys())
            said[name] = (await (await caches.open(name)).keys()).map((one) => new URL(one.url).pathname);
          return said;
        }"""
    )
    return found


async def until_kept(page: Page, path: str) -> None:
    await until(
        page,
        """async (path) => Boolean(await (await caches.open("page")).match(path))
          && (await (await caches.open("files")).keys()).length > 3""",
        path,
    )


async def pushed(context: BrowserContext, page: Page, said: dict[str, Any]) -> None:
    """What a push service hands to the browser."""
    tools: CDPSession = await context.new_cdp_session(page)
    found: list[str] = []
    tools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: found.extend(one["registrationId"] for one in event["registrations"]),
    )
    await tools.send("ServiceWorker.enable")
    while not found:
        await page.wait_for_timeout(20)
    await tools.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": page.url.partition("/me")[0], "registrationId": found[0], "data": json.dumps(said)},
    )


async def shown(page: Page, count: int = 1, polls: int = 1000) -> list[dict[str, Any]]:
    """The notices that the browser shows, once there are so many."""
    found: list[dict[str, Any]] = await until(
        page,
        """async (count) => {
          const all = await (await navigator.serviceWorker.ready).getNotifications();
          const said = all.map(
            ({ title, tag, data, silent, renotify }) => ({ title, tag, data, silent, renotify })
          );
          return said.length >= count && said;
        }""",
        count,
        polls,
    )
    return found


async def first_shown(context: BrowserContext, page: Page, said: dict[str, Any]) -> list[dict[str, Any]]:
    """The same of the first push: DevTools loses one where the registration is not on the disk yet."""
    for _ in range(20):
        await pushed(context, page, said)
        with suppress(AssertionError):
            return await shown(page, polls=50)
    raise AssertionError("never shown")


async def test_the_last_table_is_there_without_a_line_until_signing_out(inn: Inn, browser: Browser) -> None:
    game = await table(inn.house, PEOPLE)
    other = await table(inn.house, PEOPLE)
    async with surfing(browser, PHONE) as surf:
        page = await signed_in(inn, surf, ANA)
        scope = await page.evaluate("navigator.serviceWorker.ready.then((one) => one.scope)")
        assert scope == f"{inn.url}/me"
        await page.goto(f"{inn.url}/me/{other}")
        await until_kept(page, f"/me/{other}")
        await page.goto(f"{inn.url}/me/{game}")
        await until_kept(page, f"/me/{game}")
        found = await kept(page)
        assert found["page"] == [f"/me/{game}"]  # one page, and no other
        assert all(path.startswith("/static/") for path in found["files"])
        assert not await page.locator("[data-offline]").is_visible()

        await surf.context.set_offline(True)
        await page.goto(f"{inn.url}/me/{game}")
        assert await page.locator("[data-offline]").is_visible()
        assert await page.locator("section.board").is_visible()
        ground = await page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert ground != "rgba(0, 0, 0, 0)"  # its style came along
        await page.goto(f"{inn.url}/me")
        assert await page.get_by_role("heading", level=1).inner_text() == f"Table #{game}"
        await surf.context.set_offline(False)

        await page.goto(f"{inn.url}/me")
        await page.get_by_role("button", name="Sign out everywhere").click()
        await page.get_by_role("heading", name="You are signed out").wait_for()
        assert await kept(page) == {}
        assert surf.strangers == []


async def test_a_session_that_ended_elsewhere_leaves_nothing_behind(inn: Inn, browser: Browser) -> None:
    game = await table(inn.house, PEOPLE)
    async with surfing(browser, PHONE) as surf:
        page = await signed_in(inn, surf, ANA)
        await page.goto(f"{inn.url}/me/{game}")
        await until_kept(page, f"/me/{game}")
        await inn.house.say(ANA, "web off")
        await page.goto(f"{inn.url}/me")
        await until(page, "async () => (await caches.keys()).length === 0")


async def test_what_is_pushed_is_shown_and_leads_to_the_table(inn: Inn) -> None:
    game = await table(inn.house, PEOPLE)
    async with browsing(whole=True) as browser, surfing(browser, PHONE) as surf:
        await surf.context.grant_permissions(["notifications"], origin=inn.url)
        page = await signed_in(inn, surf, ANA)
        said = {"text": f"Game #{game}: it is your turn.", "tag": f"g{game}", "at": f"/me/{game}"}
        assert await first_shown(surf.context, page, {**said, "silent": False}) == [
            {
                "title": said["text"],
                "tag": said["tag"],
                "data": said["at"],
                "silent": False,
                "renotify": True,  # the next one rings, though this one was never taken away
            }
        ]
        await pushed(surf.context, page, {**said, "text": "Again", "silent": True})  # the same table: one
        while (await shown(page))[0]["title"] != "Again":
            await asyncio.sleep(0.02)
        assert [(one["silent"], one["renotify"]) for one in await shown(page)] == [(True, False)]
        await page.goto(f"{inn.url}/me/{game}")
        await pushed(surf.context, page, {**said, "tag": "seen"})  # they look at it just now
        await pushed(surf.context, page, {"text": "x", "tag": "t", "at": "https://elsewhere.test/"})
        strange = [one for one in await shown(page, 2) if one["tag"] == "t"]
        assert strange[0]["data"] == "/me"  # it leads nowhere else
        assert not any(one["tag"] == "seen" for one in await shown(page))


async def test_the_button_shows_where_a_browser_can_be_told(inn: Inn, browser: Browser) -> None:
    await table(inn.house, PEOPLE)
    async with surfing(browser, PHONE) as surf:
        page = await signed_in(inn, surf, ANA)
        button = page.get_by_role("button", name="Tell me when it is my turn")
        assert await button.is_visible()
        await button.click()  # nobody gives leave: the page says so, and nothing is sent
        await page.get_by_text("This browser allows no notices from here.").wait_for()
        assert surf.strangers == []
    async with surfing(browser, PHONE, java_script_enabled=False) as surf:
        await surf.page.goto(inn.url + await inn.link(ANA))
        await surf.page.get_by_role("button").first.click()
        assert not await surf.page.get_by_role("button", name="Tell me when it is my turn").is_visible()


@pytest.mark.parametrize("lets", [True, False])
async def test_a_house_with_another_key_tells_its_browsers_all_the_same(
    inn: Inn, browser: Browser, lets: bool
) -> None:
    """The page said that this browser is told; its push service refused everything that we sent there."""
    await table(inn.house, PEOPLE)
    store, keys = inn.house.store, UserAgent().keys

    def told() -> list[str]:
        return [one.push for one in store.read_now(lambda tx: tx.all(WebSession))]

    async with surfing(browser, PHONE) as surf:
        page = await signed_in(inn, surf, ANA)
        push = {"endpoint": "https://push.test/of-the-old-key", **keys}
        store.write_now(lambda tx: tx.change(WebSession, {"push": ""}, push=json.dumps(push)))
        await page.add_init_script(SERVICE % (json.dumps(keys), json.dumps(lets)))
        await page.reload()
        if lets:
            assert await until(page, "async () => window.asked[0]", polls=250) == public_key(KEY)
            for _ in range(250):
                if "of-the-new-key" in "".join(told()):
                    break
                await asyncio.sleep(0.02)
            assert [json.loads(one)["endpoint"] for one in told()] == ["https://push.test/of-the-new-key"]
            await page.reload()
            await page.get_by_text("This browser is told when it is your turn.").wait_for()
        else:
            await page.get_by_role("button", name="Tell me when it is my turn").wait_for()
            assert told() == [""]


async def test_a_page_that_is_kept_is_the_newest_that_was_seen(inn: Inn, browser: Browser) -> None:
    game = await table(inn.house, PEOPLE)
    async with surfing(browser, PHONE) as surf:
        page = await signed_in(inn, surf, ANA)
        await page.goto(f"{inn.url}/me/{game}")
        await until_kept(page, f"/me/{game}")
        before = await page.evaluate(f"caches.match('/me/{game}').then((one) => one.text())")
        await inn.house.say(PEOPLE[asked(inn.house, game)], legal(inn.house, game)[0])
        await until(
            page,
            "async ([path, before]) => (await (await caches.match(path)).text()) !== before",
            [f"/me/{game}", before],
        )
