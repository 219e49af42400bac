"""The wheel: what an admin installs works without the source beside it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import sysconfig
import threading
import venv
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.house.files import ROOT

LOOK = """
import pathlib, sys
import referee
from importlib.util import find_spec
from referee.config import channels
from referee.store import Game, Store
from referee.text import Words
from referee.text.folders import shipped
assert pathlib.Path(referee.__file__).is_relative_to(sys.prefix), referee.__file__
assert shipped().is_relative_to(sys.prefix), shipped()
assert find_spec("adapters") is None
assert {channels.module(name).__name__ for name in channels.installed()} == {
    f"referee.adapters.{name}" for name in ("mail", "matrix", "telegram", "terminal")}
for path in (pathlib.Path(referee.__file__).parent / "adapters").rglob("*.py"):
    __import__(".".join(path.relative_to(pathlib.Path(referee.__file__).parents[1]).with_suffix("").parts))
assert "adapters" not in sys.modules
store = Store.open("sqlite:///" + sys.argv[1])
assert store.read_now(lambda tx: tx.count(Game)) == 0
store.close_now()
from referee.png import FONTS, there
from referee.text.rendering.pictures.metrics import width
assert all(font.is_file() and font.is_relative_to(sys.prefix) for font in FONTS), FONTS
assert width("iii", 11) < width("WWW", 11)
Words()
assert there() is (sys.argv[2] == "resvg")
print("it works")
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built with the build tools of the lock, without a network."""
    out = tmp_path_factory.mktemp("wheel")
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = out.glob("*.whl")
    return built


def test_what_is_in_the_wheel(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    top = {name.split("/")[0] for name in names}
    brought = next(one for one in top if one.endswith(".data"))
    assert {one for one in top if not one.endswith(".dist-info")} == {"referee", brought}
    assert "referee/adapters/telegram/adapter.py" in names
    assert f"{brought}/data/share/man/man1/referee.1" in names
    assert f"{brought}/data/share/bash-completion/completions/referee" in names
    assert "referee/_templates/en/lexicon.toml" in names
    assert "referee/_templates/channels/text.j2" in names
    assert any(name.startswith("referee/store/migrations/versions/") for name in names)
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)
    for drawn in (
        "_templates/pictures/table.svg.j2",
        "_templates/en/pictures.toml",
        "_templates/pt_BR/lessons.toml",
        "fonts/DejaVuSansCondensed-Bold.ttf",
        "fonts/LICENSE.txt",
    ):
        assert f"referee/{drawn}" in names
    assert not [name for name in names if "__pycache__" in name or "/test" in name.lower()]


def test_it_works_where_it_is_installed(wheel: Path, tmp_path: Path) -> None:
    home = tmp_path / "fresh"
    venv.create(home, with_pip=False, symlinks=True)
    python = home / "bin" / "python"
    site = Path(sysconfig.get_path("purelib", vars={"base": str(home), "platbase": str(home)}))
    # the dependencies are borrowed from here, and only those: no .pth of an editable install is followed
    ours = Path(sysconfig.get_path("purelib"))
    (site / "borrowed.pth").write_text(f"{ours}\n")
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "--python",
            str(python),
            "install",
            "-q",
            "--no-deps",
            "--no-index",
            "--ignore-installed",
            "--disable-pip-version-check",
            str(wheel),
        ],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    resvg = "resvg" if find_spec("resvg_py") else "none"
    looked = subprocess.run(
        [python, "-c", LOOK, tmp_path / "r.db", resvg],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=tmp_path,
    )
    assert looked.stdout == "it works\n", looked.stderr
    told = subprocess.run(
        [home / "bin" / "referee", "version"], capture_output=True, text=True, timeout=60, cwd=tmp_path
    )
    assert str(site) in told.stdout, told.stderr
    begun = subprocess.run(
        [
            home / "bin" / "referee",
            "play",
            "--pipe",
            "--bots",
            "1",
            "--name",
            "Ana",
            "--store",
            tmp_path / "p.db",
        ],
        input="",
        capture_output=True,
        text=True,
        timeout=120,
        cwd=tmp_path,
        env={**os.environ, "LC_ALL": "C.UTF-8", "HOME": str(tmp_path), "PYTHONWARNINGS": "error"},
    )
    assert begun.returncode == 0, begun.stderr
    assert "Your hand:" in begun.stdout
    it_is_set_up_and_serves(home / "bin" / "referee", tmp_path / "house")


def it_is_set_up_and_serves(program: Path, place: Path) -> None:
    """With notices in browsers, too: `init` makes their key, and `serve` has them."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        listen = f"127.0.0.1:{free.getsockname()[1]}"
    settings = {
        **{name: value for name, value in os.environ.items() if not name.startswith("XDG_")},
        "HOME": str(place),
        "LC_ALL": "C.UTF-8",
        "REFEREE_CONFIG": str(place / "referee.toml"),
        "REFEREE_WEB__LISTEN": listen,
    }
    pages = "https://citadels.example.org"
    made = subprocess.run(
        [program, "init", "--channel", "terminal", "--web", pages],
        capture_output=True,
        text=True,
        timeout=60,
        env=settings,
    )
    assert made.returncode == 0, made.stderr
    assert (place / "secrets" / "web__push_key").read_text()
    process = subprocess.Popen(
        [program, "serve"], stderr=subprocess.STDOUT, stdout=subprocess.PIPE, text=True, env=settings
    )
    late = threading.Timer(60, process.kill)
    late.start()
    assert process.stdout is not None
    said = ""
    while "serving" not in said and (line := process.stdout.readline()):
        said += line
    process.terminate()
    said += process.communicate()[0]
    late.cancel()
    assert "push" in said, said
    assert pages in said, said
    assert process.returncode == 0, said
