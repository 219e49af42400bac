"""What holds for every test: long runs and most random seeds only when asked for, and who runs beside whom.

The unit that goes to one worker is a test with all its rows. A file whose fixtures are dear (a server, a
built image, whatever is made once a module) is one unit, and a group of such files that need the same dear
thing is one, too. In tests/e2e each test is a unit: their servers start in a second or two, what they wait
for takes minutes.

(xdist's own way, the mark `xdist_group` with --dist loadgroup, does nothing under pytest 9.2: pytest-xdist
issue 1386.)
"""

from __future__ import annotations

import ast
import gc
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from typer import testing
from typer.main import get_command

from referee import kept
from referee.store import migrate
from tests import books, seeds

# the command line speaks the language of the shell: here always English
os.environ["LC_ALL"] = "C.UTF-8"
ROOT = Path(__file__).resolve().parents[1]
# layouts are compiled by one worker and read by the others, and by the next run: 5 seconds of each
kept.keep_in(ROOT / ".venv" / ".cache" / "tests")
SYNAPSE = "tests.servers.synapse"
#: what a file or its folder's conftest says -> the group of files that stay together
GROUPS = {
    SYNAPSE: "synapse",
    "tests.servers.mail": "mail",
    "tests.servers import mail": "mail",
    "image.shared(": "image",
    # every Python file of the house read and parsed once
    "python, shown": "house",
    "tests.attacks.patterns": "house",
    # a library that takes seconds to import
    "aiogram": "aiogram",
    # what inputs are made of, once for each kind
    "tests.fuzz.targets": "fuzz",
    # games of every edition, played and looked through once
    "tests.text.editions": "editions",
}
#: what a file says that makes something once for all its tests
DEAR = ('scope="module"',)
#: what mostly waits, and what mostly reckons: each with what takes longest first, so that nobody waits for
#: it in the end; how an id begins. Those with a homeserver follow one another, so that it is started once
WAITING = (
    "tests/e2e/test_kill.py::test_one_game_on_every_channel",
    "tests/e2e/test_the_table.py",
    "tests/e2e/test_matrix",
    "tests/adapters/test_matrix",
    "tests/e2e/test_kill_several.py",
    "tests/e2e/test_kill.py",
    "tests/service/outbound/test_token_used_twice.py",
    "tests/service/outbound/test_channel_leases.py",
    "tests/ladder/test_strangers.py",
    "tests/cli/test_play.py",
    "tests/deploy/test_container.py",
    "tests/deploy/test_systemd.py",
    "tests/adapters/test_mail",
    "tests/e2e/",
    "tests/deploy/",
    "tests/adapters/",
    "tests/store/test_postgres",
    "tests/store/test_differences.py",
    "tests/store/test_backups.py",
)
RECKONING = (
    "tests/service/web/test_game_browser.py",
    "tests/service/web/test_shown_browser.py",
    "tests/house/test_ids.py",
    "tests/text/test_editions.py",
    "tests/sim/",
)


def pytest_sessionstart(session: pytest.Session) -> None:
    terminal = session.config.pluginmanager.get_plugin("terminalreporter")
    if terminal is not None:  # not in a worker
        terminal.write_line(seeds.told())


def pytest_configure(config: pytest.Config) -> None:
    """Workers that mostly reckon keep to one processor each, with what they start: threads that hand work
    over to each other take a sixth less (referee/processors.py). Those that mostly wait run where there is
    room.
    """
    worker = getattr(config, "workerinput", {"workerid": "gw1"})["workerid"]
    if hasattr(os, "sched_setaffinity") and not _mostly_waits(worker):
        given = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {given[int(worker.removeprefix("gw")) // 2 % len(given)]})


def _mostly_waits(worker: str) -> bool:
    """Every other worker takes those tests that mostly wait, as long as there are any."""
    return int(worker.removeprefix("gw")) % 2 == 1


def pytest_runtest_setup(item: pytest.Item) -> None:
    """A homeserver goes as soon as nobody talks to it: those who do come one after the other."""
    if not speaks_matrix(item.nodeid.partition("::")[0]):
        end_homeserver()


@pytest.fixture(autouse=True, scope="session")
def made_once() -> Iterator[None]:
    """What a process of ours makes once is made once for all tests of this process: a new book is a copy of a
    blank one, and the command with all of its own is made of their functions once.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(migrate, "_alembic", books.copied)
        patch.setattr(testing, "_get_command", cache(get_command))
        yield


def pytest_sessionfinish() -> None:
    """A server that a test started goes with the session."""
    end_homeserver()
    books.end()
    # pytest looks through all that is left for garbage, five times: once is enough
    gc.collect()
    gc.freeze()


def end_homeserver() -> None:
    if synapse := sys.modules.get(SYNAPSE):
        synapse.end()


@cache
def speaks_matrix(file: str) -> bool:
    """Whether the tests of that file may ask for a homeserver."""
    return SYNAPSE in "".join(_texts(ROOT / file))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """What failed, as capabilities: anyone who changed one reads which others it broke."""
    stats = terminalreporter.stats
    broken = {
        report.nodeid.partition("::")[0] for kind in ("failed", "error") for report in stats.get(kind, ())
    }
    if broken:
        terminalreporter.section("capabilities that are broken")
    for file in sorted(one for one in broken if (ROOT / one).is_file()):
        terminalreporter.write_line(f"{file}: {capability(ROOT / file)}")


def capability(path: Path) -> str:
    """The capability that a file of tests is about, and what it says of itself.

    In tests/service that is the room in whose folder it lies. Elsewhere it is the rooms that it names, the
    first one most, or else its folder.
    """
    text = path.read_text(encoding="utf-8")
    rooms = Counter(re.findall(r"referee\.service\.(\w+)", text))
    named = [room for room, _ in rooms.most_common() if room not in ("core", "runtime")]
    if path.is_relative_to(ROOT / "tests" / "service"):
        named = [path.parent.name]
    try:
        said = " ".join((ast.get_docstring(ast.parse(text)) or "").split("\n\n")[0].split())
    except SyntaxError:
        said = "cannot be read"
    return f"{', '.join(named) or path.parent.name} – {said}"


def pytest_collection(session: pytest.Session) -> None:
    """Thousands of tests are made and none goes: nothing to look for."""
    gc.disable()


def pytest_collection_finish(session: pytest.Session) -> None:
    """What stays until the end is not looked at again and again, and garbage no oftener than where we serve:
    Python's own way, after every 700 objects, costs tests that play whole games a twentieth of their work.
    """
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("soak") and not seeds.ALL and "soak" not in config.option.markexpr:
            item.add_marker(pytest.mark.skip(reason="a long run: make soak"))
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: rank(item.nodeid))


def rank(test: str) -> int:
    """Its place among those that come first."""
    first = WAITING + RECKONING
    return next((place for place, start in enumerate(first) if test.startswith(start)), len(first))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    from xdist.scheduler import LoadScopeScheduling

    class ByUnit(LoadScopeScheduling):
        """Units as above, in the order in which they were collected: every other worker takes those that
        mostly wait, as long as there are any, and the first, the third … those that reckon.
        """

        def _split_scope(self, nodeid: str) -> str:
            return unit_of(nodeid)

        def _reschedule(self, node: Any) -> None:
            # where several workers died, the first new one is ready before the others have collected
            if node in self.registered_collections:
                super()._reschedule(node)

        def _assign_work_unit(self, node: Any) -> None:
            scope = self._next(waiting=_mostly_waits(node.gateway.id))
            unit = self.assigned_work[node][scope] = self.workqueue.pop(scope)
            node.send_runtest_some([places(self)[test] for test, done in unit.items() if not done])

        def _next(self, *, waiting: bool) -> str:
            """The first of that kind, or else the first."""
            alike = (one for one, unit in self.workqueue.items() if waits(next(iter(unit))) == waiting)
            return next(alike, next(iter(self.workqueue)))

    @cache
    def places(scheduler: ByUnit) -> dict[str, int]:
        """Where each test stands: looked for in a list, 14,000 of them take ten seconds."""
        return {test: place for place, test in enumerate(scheduler.collection)}

    config.option.loadscopereorder = False
    return ByUnit(config, log)


@cache
def waits(test: str) -> bool:
    """Whether the test with that id mostly waits."""
    return test.startswith(WAITING)


@cache
def unit_of(test: str) -> str:
    """The name of the unit to which the test with that id belongs."""
    file = test.partition("::")[0]
    return _whole(file) or test.partition("[")[0]


@cache
def _whole(file: str) -> str:
    """What that file is a unit with: its group, itself, or "" where each of its tests is one."""
    if file.startswith("tests/e2e/"):
        return ""
    text = "".join(_texts(ROOT / file))
    group = "+".join(sorted({group for said, group in GROUPS.items() if said in text}))
    return group or (file if any(said in text for said in DEAR) else "")


def _texts(path: Path) -> Iterator[str]:
    for one in (path, path.parent / "conftest.py"):
        if one.is_file() and one != ROOT / "tests" / "conftest.py":
            yield one.read_text(encoding="utf-8")
