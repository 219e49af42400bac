"""What is run before a change is taken (`.ci/run`): what is red, what is tried once more, and how it ends."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.files import ROOT

TESTS = """
import os

def test_good(): pass

{tests}
"""
#: fails beside others, as on a busy machine
CROWDED = "def test_crowded_{n}(): assert os.environ['WORKERS'] == '0'"
BROKEN = "def test_broken(): assert False"
#: without xdist, which would take ten times as long to start: that they know how many they are is enough
MAKEFILE = """
WORKERS ?= 2
ARGS ?=
.venv/.test:
collected:
lint:
\t@echo told by lint; {lint}
fuzz:
\t@{fuzz}
test:
\t@WORKERS=$(WORKERS) {python} -m pytest -q $(ARGS) all
test-postgres:
\t@WORKERS=$(WORKERS) {python} -m pytest -q $(ARGS) books
"""


def ran(
    home: Path, *tests: str, books: tuple[str, ...] = (), lint: str = "true", fuzz: str = "true"
) -> subprocess.CompletedProcess[str]:
    """The real script in a project of its own, which has these tests besides a good one."""
    (home / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", home / ".ci" / "run")
    for name in ("prepare", "uv"):
        (home / ".ci" / name).write_text("#!/bin/sh\n")
        (home / ".ci" / name).chmod(0o755)
    (home / "Makefile").write_text(MAKEFILE.format(python=sys.executable, lint=lint, fuzz=fuzz))
    (home / "pytest.ini").write_text("[pytest]\naddopts = -ra\n")
    for folder, made in (("all", tests), ("books", books)):
        (home / folder).mkdir()
        (home / folder / f"test_{folder}.py").write_text(TESTS.format(tests="\n".join(made)))
    bare = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTEST_", "MAKE", "MFLAGS", "WORKERS", "ARGS"))
    }
    bare["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    return subprocess.run(
        [home / ".ci" / "run"], capture_output=True, text=True, check=False, timeout=300, env=bare
    )


def last(done: subprocess.CompletedProcess[str]) -> str:
    return done.stdout.rstrip().splitlines()[-1]


def test_all_is_well(tmp_path: Path) -> None:
    done = ran(tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert last(done).startswith("1 passed")
    assert "told by lint" in done.stdout
    assert "alone" not in done.stdout


def test_who_fails_only_in_a_crowd_is_named_and_counts_as_passed(tmp_path: Path) -> None:
    done = ran(tmp_path, *(CROWDED.format(n=n) for n in range(5)), books=(CROWDED.format(n="book"),))
    assert done.returncode == 0, done.stdout + done.stderr
    for name in (
        *(f"all/test_all.py::test_crowded_{n}" for n in range(5)),
        "books/test_books.py::test_crowded_book",
    ):
        assert f"passed only when alone: {name}\n" in done.stdout
    assert last(done).startswith("5 failed, 1 passed"), "the count is that of the first run"


def test_a_crowd_of_failures_is_no_busy_machine(tmp_path: Path) -> None:
    done = ran(tmp_path, *(CROWDED.format(n=n) for n in range(6)))
    assert done.returncode == 1
    assert "alone" not in done.stdout
    assert last(done).startswith("6 failed, 1 passed")


@pytest.mark.parametrize("where", ["all", "books"])
def test_who_fails_again_is_red(tmp_path: Path, where: str) -> None:
    fault = (BROKEN, CROWDED.format(n=1))
    done = ran(tmp_path, *(fault if where == "all" else ()), books=fault if where == "books" else ())
    assert done.returncode == 1
    assert "passed only when alone" not in done.stdout
    assert "\na test failed" in done.stdout
    assert last(done).startswith("2 failed, 1 passed" if where == "all" else "1 passed")


def test_a_run_that_broke_off_is_red(tmp_path: Path) -> None:
    done = ran(tmp_path, "import nothing_of_that_name")
    assert done.returncode == 1
    assert "alone" not in done.stdout
    assert last(done).startswith("1 error")


def test_nothing_that_ran_is_red(tmp_path: Path) -> None:
    done = ran(tmp_path, "import os; os._exit(3)")
    assert done.returncode == 1


@pytest.mark.parametrize(("broken", "told"), [("lint", "lint failed"), ("fuzz", "fuzzing found something")])
def test_what_runs_beside_is_red_too(tmp_path: Path, broken: str, told: str) -> None:
    done = ran(tmp_path, **{broken: "false"})
    assert done.returncode == 1
    assert f"\n{told}\n" in done.stdout
    assert last(done).startswith("1 passed")


@pytest.mark.parametrize(
    ("candidates", "chosen"),
    [
        ("new old", "new"),
        ("old new", "new"),
        ("missing new old", "new"),
        ("missing old", "old"),  # whose version is told then
    ],
)
def test_the_first_python_that_will_do_is_taken(tmp_path: Path, candidates: str, chosen: str) -> None:
    (tmp_path / "new").symlink_to(sys.executable)
    (tmp_path / "old").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "old").chmod(0o755)
    asked = [ROOT / ".ci" / "python", *(tmp_path / one for one in candidates.split())]
    done = subprocess.run(asked, capture_output=True, text=True, check=True)
    assert done.stdout == f"{tmp_path / chosen}\n"


def test_a_python_is_found_here() -> None:
    found = subprocess.run([ROOT / ".ci" / "python"], capture_output=True, text=True, check=True)
    make = ["make", "-C", ROOT, "--no-print-directory", "-s", "--eval", "told:; @echo $(PYTHON)", "told"]
    told = subprocess.run(make, capture_output=True, text=True, check=True, env={"PATH": os.environ["PATH"]})
    assert told.stdout == found.stdout
    subprocess.run([found.stdout.strip(), "-c", "import ensurepip"], check=True)


#: programs that say that they were asked
ASKED = "#!/bin/sh\necho $(basename $0) $* >> {log}\nexit {code}\n"


@pytest.mark.parametrize(
    ("uv", "asked"),
    [
        (None, ["python -m pip"]),
        (0, ["uv pip"]),
        (1, ["uv pip", "python -m pip"]),  # it can't reach what pip is told of
    ],
)
def test_who_installs(tmp_path: Path, uv: int | None, asked: list[str]) -> None:
    log = tmp_path / "log"
    for name, code in (("python", 0), ("uv", uv)):
        if code is not None:
            (tmp_path / name).write_text(ASKED.format(log=log, code=code))
            (tmp_path / name).chmod(0o755)
    subprocess.run(
        [ROOT / ".ci" / "install", tmp_path / "python", "locked.txt"],
        check=True,
        env={"PATH": f"{tmp_path}:/usr/bin:/bin"},
    )
    said = log.read_text().splitlines()
    assert [line.split(" install")[0] for line in said] == asked
    assert all(line.endswith("--require-hashes -r locked.txt") for line in said)
