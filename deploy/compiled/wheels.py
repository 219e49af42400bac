"""`make wheels`: one wheel with compiled rules for each CPython, and the plain one, into dist/wheels.

    python deploy/compiled/wheels.py [--all] [3.11 3.12 …]

Each is built by that very interpreter, with the locked tools, and proved by it: it plays games with the
compiled rules of its wheel and with the plain ones, and both must end alike.  An interpreter that this
machine lacks is named and left out; with `--all` that is an error.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
OUT = ROOT / "dist" / "wheels"
TOOLS = ROOT / "build" / "wheels"
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
#: a CPython of that version that can compile against itself
FIT = """
import pathlib, sys, sysconfig
fit = sys.implementation.name == "cpython" and "%d.%d" % sys.version_info[:2] == sys.argv[1]
sys.exit(not (fit and (pathlib.Path(sysconfig.get_path("include")) / "Python.h").exists()))
"""
#: plays games with the rules that it finds first, and says which they were and how the games ended
GAMES = """
import hashlib, json, sys
from random import Random
from referee.rules import Setup, dump, model
from referee.rules.chance import counted
from referee.rules.flow.table import lay_out, play_out, settle
from referee.rules.game import rulebook
ends = hashlib.sha256()
for number in range(60):
    setup = Setup(("classic", "deluxe", "original")[number % 3], ("Ana", "Bea", "Cy", "Dan"))
    g = lay_out(rulebook(setup), setup, counted(number))
    g.events = None
    settle(g)
    play_out(g, Random(number))
    ends.update(json.dumps(dump(g), sort_keys=True).encode())
print("plain" if model.__file__.endswith(".py") else "compiled", ends.hexdigest())
"""


def candidates(version: str) -> Iterator[str]:
    """Programs that may be that Python: this one, on the path, of pyenv, of uv."""
    yield sys.executable
    if found := shutil.which(f"python{version}"):
        yield found
    for root, below in (
        (os.environ.get("PYENV_ROOT", "~/.pyenv"), f"versions/{version}.*/bin/python{version}"),
        ("~/.local/share/uv/python", f"cpython-{version}.*/bin/python{version}"),
    ):
        yield from map(str, sorted(Path(root).expanduser().glob(below), reverse=True))


def interpreter(version: str) -> str | None:
    for one in candidates(version):
        try:
            if subprocess.run([one, "-c", FIT, version], capture_output=True).returncode == 0:
                return one
        except OSError:
            continue
    return None


def run(*words: str, **environment: str) -> str:
    """What it printed; SystemExit with all it said where it failed."""
    done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, env={**os.environ, **environment})
    if done.returncode:
        raise SystemExit(f"{' '.join(words)}\n{done.stdout}{done.stderr}")
    return done.stdout


def with_tools(version: str, python: str) -> str:
    """An environment of that Python with what builds, as locked; its interpreter."""
    place, locked = TOOLS / version, ROOT / "deploy" / "compiled" / "requirements.txt"
    made, wanted = place / "locked", locked.read_text() + python
    if not made.exists() or made.read_text() != wanted:
        shutil.rmtree(place, ignore_errors=True)
        run(python, "-m", "venv", str(place))
        tools = str(place / "bin" / "python")
        run(
            tools,
            "-m",
            "pip",
            "install",
            "-q",
            "--disable-pip-version-check",
            "--require-hashes",
            "-r",
            str(locked),
        )
        made.write_text(wanted)
    return str(place / "bin" / "python")


def built(python: str, into: Path, *, compiled: bool) -> Path:
    with TemporaryDirectory() as folder:
        run(
            python,
            "-m",
            "hatchling",
            "build",
            "-t",
            "wheel",
            "-d",
            folder,
            HATCH_BUILD_HOOK_ENABLE_CUSTOM="true" if compiled else "false",
        )
        (wheel,) = Path(folder).glob("*.whl")
        into.mkdir(parents=True, exist_ok=True)
        return Path(shutil.move(wheel, into / wheel.name))


def proved(python: str, wheel: Path, kind: str) -> str:
    """How games end with the rules of that wheel; SystemExit where these are not of that kind."""
    with TemporaryDirectory() as folder:
        zipfile.ZipFile(wheel).extractall(folder)
        found, ends = run(python, "-P", "-c", GAMES, PYTHONPATH=folder).split()
    if found != kind:
        raise SystemExit(f"{wheel.name}: its rules are {found}, not {kind}")
    return ends


def main() -> None:
    parser = argparse.ArgumentParser("make wheels ARGS=…")
    parser.add_argument("versions", nargs="*", default=VERSIONS)
    parser.add_argument("--all", action="store_true", help="an interpreter that is not here is an error")
    said = parser.parse_args()
    missing: list[str] = []
    plain: Path | None = None
    for version in said.versions:
        python = interpreter(version)
        if python is None:
            missing.append(version)
            continue
        tools = with_tools(version, python)
        plain = plain or built(tools, OUT, compiled=False)
        wheel = built(tools, OUT, compiled=True)
        if proved(tools, wheel, "compiled") != proved(tools, plain, "plain"):
            raise SystemExit(f"{wheel.name}: games end otherwise than with the plain rules")
        print(f"{wheel.name}  by {python}", flush=True)
    if plain is not None:
        print(f"{plain.name}  for any Python from 3.11 on")
    for version in missing:
        print(
            f"No CPython {version} with its headers here: no compiled wheel for it (the plain one serves). "
            f"Looked on the path, in pyenv and in uv; for instance `uv python install {version}` brings one.",
            file=sys.stderr,
        )
    if plain is None or (missing and said.all):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
