"""A real browser: Debian's Chromium, driven by playwright, in a thread of its own event loop's making. Where
there is none the tests say so.

Chromium is there twice: as people have it, and without what surrounds a page (its "headless shell"), which
shows the same for two thirds of the work. Only notices need the whole of it.
"""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Browser, BrowserContext, Page, async_playwright

#: what keeps Chromium quiet, the same everywhere, and at home
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--font-render-hinting=none",
    "--force-color-profile=srgb",
    # a new frame for each page that is gone to, a quarter of what going there costs; and a process for a page
    # that perhaps comes next, a seventh of all that a browser does here
    "--disable-features=RenderDocument,SpareRendererForSitePerProcess",
)
PHONE, DESKTOP = (320, 640), (1200, 900)


class Surf(NamedTuple):
    """One page in one window, and what it complained about or asked of others."""

    page: Page
    context: BrowserContext
    complaints: list[str]
    strangers: list[str]


@asynccontextmanager
async def browsing(*, whole: bool = False) -> AsyncIterator[Browser]:
    """A browser, until it is closed; the `whole` one, or its shell where that is here."""
    names = (
        ("chromium", "chromium-browser")
        if whole
        else ("chromium-headless-shell", "chromium", "chromium-browser")
    )
    path = next(filter(None, map(shutil.which, names)), None)
    if path is None:
        pytest.skip("there is no Chromium here (apt-get install chromium)")
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=path, headless=True, args=list(FLAGS))
        try:
            yield browser
        finally:
            await browser.close()


@asynccontextmanager
async def surfing(
    browser: Browser, size: tuple[int, int] = DESKTOP, *, dark: bool = False, **context: Any
) -> AsyncIterator[Surf]:
    """A window of that size; everything that its pages write to the console or ask of another host is
    kept.
    """
    window = await browser.new_context(
        viewport={"width": size[0], "height": size[1]}, color_scheme="dark" if dark else "light", **context
    )
    page = await window.new_page()
    surf = Surf(page, window, [], [])
    page.on(
        "console",
        lambda message: (
            surf.complaints.append(message.text) if message.type in ("error", "warning") else None
        ),
    )
    page.on("pageerror", lambda error: surf.complaints.append(str(error)))
    page.on(
        "request",
        lambda asked: (
            surf.strangers.append(asked.url) if urlsplit(asked.url).hostname != "127.0.0.1" else None
        ),
    )
    try:
        yield surf
    finally:
        await window.close()


async def overflow(page: Page) -> int:
    """By how many pixels the page is wider than its window."""
    wider: int = await page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    return wider
