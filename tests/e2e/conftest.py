"""The servers of these tests, and installations that leave nothing running."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import books
from tests.e2e.installation import Installation
from tests.servers import mail as mail_servers
from tests.servers.botapi import BotApi
from tests.servers.mail import Mail
from tests.servers.synapse import synapse as synapse  # the fixture, found by its name
from tests.short import shorten

House = Callable[..., Installation]
Leaving = contextlib.AsyncExitStack


@pytest.fixture(autouse=True)
def short_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here as in the processes of an installation: games are read and played again here."""
    shorten(monkeypatch.setattr)


@pytest.fixture
def telegram() -> Iterator[BotApi]:
    """A Bot API server in a thread of its own, without flood control."""
    api = BotApi(flood=False).start_thread()
    yield api
    api.stop_thread()


@pytest.fixture
def mail(request: pytest.FixtureRequest) -> Mail:
    """The one mail stack of this process."""
    return mail_servers.shared(request.config)


@pytest.fixture
def house(request: pytest.FixtureRequest) -> Iterator[House]:
    """`house(telegram=…, synapse=…, mail=…)` makes an installation on the real disk; its process is ended
    after the test.
    """
    home = Path(tempfile.mkdtemp(prefix="referee-e2e-"))  # short: a socket's path has at most 107 bytes
    made: list[Installation] = []

    def make(**channels: Any) -> Installation:
        one = Installation(home, **channels)
        made.append(one)
        return one

    yield make
    for one in made:
        one.close()
    shutil.rmtree(home, ignore_errors=True)


@pytest.fixture
async def people() -> AsyncIterator[Leaving]:
    """Anyone who is put onto this stack leaves after the test."""
    async with Leaving() as stack:
        yield stack


@pytest.fixture
def home() -> Iterator[Path]:
    """A folder for an installation."""
    folder = Path(tempfile.mkdtemp(prefix="referee-e2e-"))  # short: a socket's path has at most 107 bytes
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    """A fresh book on PostgreSQL."""
    yield books.address(tmp_path / "book.db", postgres=True)
    books.forget()
