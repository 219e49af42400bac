"""Houses with an open door; the same games each time."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from tests.service.conftest import the_same_games_each_time
from tests.service.web.browser import browsing
from tests.service.web.running_site import Inn, lodging
from tests.service.web.site import Standing, standing

__all__ = ["the_same_games_each_time"]


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Standing]:
    async with standing(tmp_path) as one:
        yield one


@pytest.fixture
async def site_with_links(tmp_path: Path) -> AsyncIterator[Standing]:
    async with standing(tmp_path, base_url="http://play.test") as one:
        yield one


@pytest.fixture
async def inn(tmp_path: Path) -> AsyncIterator[Inn]:
    async with lodging(tmp_path) as one:
        yield one


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """The one browser of this process: its start costs as much as fifteen pages. Each window of it
    (`surfing`) begins with nothing.
    """
    async with browsing() as one:
        yield one
