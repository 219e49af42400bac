"""A fresh installation for each test; and which of these tests are played on PostgreSQL, too."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Iterator
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest

from referee.service.pictures import letter_pictures
from referee.service.tables import lobby
from tests import books
from tests.seeds import share
from tests.service.rig import Clock, House
from tests.short import shorten

HERE = Path(__file__).parent
#: what may differ with the database: shared books, claims and channels, restarts, what is due when, journals
#: that are gone back over, rows of other versions; of the others one of sixteen is played there (all of them
#: in `make soak`)
ON_BOTH = frozenset(
    f"{room}/test_{name}.py"
    for room, names in {
        "accounts": "deletion",
        "deadlines": "hold",
        "decisions": "acts_laws",
        "inbound": "message_laws several_tables",
        "league": "due late_starts random_seasons season",
        "outbound": "channel_leases outbox_worker token_used_twice",
        "plans": "records",
        "play": "freeze rewind undo",
        "runtime": "full_disk stopping",
        "schedule": "backlog scheduler shared_clock",
        "tables": "regather",
        "time": "misses",
        "upkeep": "after_restore audit newer_rows packing retention",
    }.items()
    for name in names.split()
)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if books.ON_POSTGRES:
        ours = [item for item in items if HERE in item.path.parents]
        others = [item for item in ours if item.path.relative_to(HERE).as_posix() not in ON_BOTH]
        chosen = set(share(share(item.nodeid for item in others)))
        left = [item for item in others if item.nodeid not in chosen]
        config.hook.pytest_deselected(items=left)
        gone = {item.nodeid for item in left}
        items[:] = [item for item in items if item.nodeid not in gone]


@pytest.fixture(autouse=True)
def the_same_games_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The seeds of a test's tables are its first, second, third …: a test that passes passes always."""
    numbers = count(1)
    monkeypatch.setattr(
        lobby,
        "secrets",
        SimpleNamespace(
            token_bytes=lambda size: hashlib.sha256(f"table {next(numbers)}".encode()).digest()[:size]
        ),
    )


@pytest.fixture(autouse=True)
def short_games(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A city is complete with a few districts: whole games are most of the work of these tests, and few are
    about their length. Those say `@pytest.mark.whole_games`; in `make soak` all games have their own length.
    """
    if not request.node.get_closest_marker("whole_games"):
        shorten(monkeypatch.setattr)


@pytest.fixture(autouse=True)
def books_of_its_own() -> Iterator[None]:
    yield
    books.forget()


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    one = await House(tmp_path / "referee.db").open()
    yield one
    await one.close()


@pytest.fixture
async def pictured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[House]:
    """One whose letters have pictures, whatever is installed."""
    monkeypatch.setattr(letter_pictures, "there", lambda: True)
    one = await House(tmp_path / "pictured.db", pictures=True).open()
    yield one
    await one.close()


@pytest.fixture
async def ruled(tmp_path: Path) -> AsyncIterator[House]:
    """A house with two admins who don't play."""
    one = await House(tmp_path / "referee.db", admins=(("matrix", "@root:hs"), ("terminal", "alan"))).open()
    for admin in ("matrix:@root:hs", "terminal:alan"):
        await one.say(admin, "hello")
    yield one
    await one.close()


@pytest.fixture
async def watched(tmp_path: Path) -> AsyncIterator[House]:
    """A house that holds its clocks when nearly everybody misses."""
    one = await House(tmp_path / "referee.db", Clock(), breaker=True, admins=(("matrix", "@root:hs"),)).open()
    yield one
    await one.close()
