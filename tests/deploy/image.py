"""The container file carried out without a container engine: its own RUN and COPY lines, its own entry point,
in bubblewrap.

What stands in for the base image is this machine, read-only. `built()` runs the stage that builds;
`Container` starts what the last stage says, as its user, with its environment and its read-only root.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import sha256
from pathlib import Path

import pytest

from tests import seeds
from tests.deploy.tools import DEPLOY, ROOT, needed

CONTAINERFILE = DEPLOY / "container" / "Containerfile"
#: what was built once (goes with .venv, and when its requirements change)
LAYERS = ROOT / ".venv" / ".layers"
#: not shown to what runs inside: what a container has its own of, and what is put there for it
_OWN = {"dev", "proc", "tmp", "run", "var", "src", "home", "srv", "mnt", "media", "opt", "etc"}
#: … and what programs need of /etc
_ETC = (
    "passwd",
    "group",
    "hosts",
    "resolv.conf",
    "nsswitch.conf",
    "ssl",
    "ld.so.cache",
    "alternatives",
    "fonts",
    "localtime",
    "pip.conf",
)


@dataclass
class Stage:
    """One FROM and what follows it."""

    base: str
    name: str = ""
    steps: list[tuple[str, str]] = field(default_factory=list)
    #: what is given for its ARGs
    arguments: dict[str, str] = field(default_factory=dict)

    def of(self, word: str) -> list[str]:
        """What stands behind every such instruction."""
        return [text for one, text in self.steps if one == word]

    def only(self, word: str) -> str:
        (text,) = self.of(word)
        return text

    @property
    def environment(self) -> dict[str, str]:
        return dict(pair.split("=", 1) for text in self.of("ENV") for pair in shlex.split(text))


@cache
def stages() -> tuple[Stage, ...]:
    """The container file, read."""
    text = re.sub(r"(?m)^\s*#.*\n", "", CONTAINERFILE.read_text())
    text = re.sub(r"\\\n", " ", text)
    found: list[Stage] = []
    for line in filter(str.strip, text.splitlines()):
        word, rest = line.split(maxsplit=1)
        if word == "FROM":
            base, _, name = rest.partition(" AS ")
            found.append(Stage(base, name.strip()))
        elif found:
            found[-1].steps.append((word, re.sub(r"\s+", " ", rest).strip()))
    return tuple(found)


def _view(*, given: Mapping[str, Path], kept: Mapping[str, Path], root: str) -> list[str]:
    """bubblewrap's words: this machine read-only, in it the folders `given` (read-only) and `kept` (to be
    written); `root` is "--remount-ro" where nothing else may be written but /tmp and /run/referee.
    """
    words = ["bwrap", "--die-with-parent", "--unshare-pid", "--unshare-ipc", "--as-pid-1", "--tmpfs", "/"]
    for one in sorted(Path("/").iterdir()):
        if one.name not in _OWN:
            words += (
                ["--symlink", os.readlink(one), str(one)]
                if one.is_symlink()
                else ["--ro-bind", str(one), str(one)]
            )
    for one in (*(Path("/etc") / name for name in _ETC), *sorted(Path("/opt").iterdir())):
        if one.exists() and one.name != "referee":
            words += ["--ro-bind", str(one), str(one)]
    words += ["--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--tmpfs", "/run/referee"]
    for how, folders in (("--ro-bind", given), ("--bind", kept)):
        for place, source in folders.items():
            words += [how, str(source), place]
    return [*words, root, "/"]


def built(home: Path) -> Path:
    """/opt/referee as the first stage makes it.

    What its first RUN makes is kept as a builder keeps a layer, under a name made of all that goes into it:
    the locked requirements are installed anew when they change, and in long runs, which compile the rules.
    """
    needed("bwrap")
    stage = replace(stages()[0], arguments={"COMPILED": "true" if seeds.ALL else "false"})
    source, opt, python = home / "src", home / "opt", home / "bin"
    for one in (source, python):
        one.mkdir()
    (python / "python").symlink_to(os.path.realpath(sys.executable))
    given = sha256(
        f"{sys.version} {os.path.realpath(sys.executable)} {sorted(stage.environment.items())}".encode()
    )
    layer: Path | None = None
    for word, text in stage.steps:
        given.update(f"{word} {text}\n".encode())
        if word == "COPY":
            *what, to = text.split()
            for one in what:
                there = source / to if len(what) == 1 and to != "./" else source / Path(one).name
                copy = shutil.copytree if (ROOT / one).is_dir() else shutil.copy
                copy(ROOT / one, there)
                if layer is None:
                    given.update((ROOT / one).read_bytes())
        elif word == "RUN" and layer is None:
            layer = LAYERS / given.hexdigest()
            if seeds.ALL or not layer.is_dir():
                _carried_out(stage, text, python=python, source=source, opt=_made(opt))
                _keep(opt, layer)
            else:
                _copied(layer, opt)
        elif word == "RUN":
            _carried_out(stage, text, python=python, source=source, opt=opt)
    return opt


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def _carried_out(stage: Stage, text: str, *, python: Path, source: Path, opt: Path) -> None:
    """One RUN of the stage that builds."""
    words = [
        *_view(given={"/base": python}, kept={"/src": source, "/opt/referee": opt}, root="--dir"),
        "--chdir",
        stage.only("WORKDIR"),
        "--setenv",
        "PATH",
        f"/base:{os.environ['PATH']}",
        "sh",
        "-ec",
        text,
    ]
    done = subprocess.run(
        words,
        capture_output=True,
        text=True,
        timeout=900,
        env={**os.environ, **stage.arguments, **stage.environment, "PIP_NO_CACHE_DIR": ""},
    )
    assert done.returncode == 0, f"{text}\n{done.stdout}{done.stderr}"


def _keep(opt: Path, layer: Path) -> None:
    """Whole or not at all: another run may look for it meanwhile."""
    LAYERS.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=LAYERS) as folder:
        _copied(opt, Path(folder) / "layer")
        with suppress(OSError):  # another was faster
            (Path(folder) / "layer").rename(layer)


def _copied(folder: Path, to: Path) -> None:
    """As links where that can be: what installs and removes packages writes no file in its place."""

    def link(one: str, other: str) -> None:
        try:
            os.link(one, other)
        except OSError:  # on another disk
            shutil.copy2(one, other)

    shutil.copytree(folder, to, symlinks=True, copy_function=link)


_shared: list[Path] = []


def shared(factory: pytest.TempPathFactory) -> Path:
    """The one of this process, built when first asked for."""
    if not _shared:
        _shared.append(built(factory.mktemp("image")))
    return _shared[0]


class Container:
    """What the last stage says, run from /opt/referee; `config`, `secrets` are given to it, `data` is its
    volume.
    """

    def __init__(self, opt: Path, home: Path, config: str, secrets: Mapping[str, str] | None = None) -> None:
        self.stage, self.home = stages()[-1], home
        self.data, given, etc, backups = (home / name for name in ("data", "secrets", "etc", "backups"))
        for one in (self.data, given, etc, backups):
            one.mkdir(parents=True, exist_ok=True)
        (etc / "referee.toml").write_text(config)
        for name, value in (secrets or {}).items():
            (given / name).write_text(value)
        self._view = _view(
            given={
                "/opt/referee": opt,
                "/base": opt.parent / "bin",
                "/etc/referee": etc,
                "/run/secrets": given,
            },
            kept={"/var/lib/referee": self.data, "/var/backups/referee": backups},
            root="--remount-ro",
        )

    def words(self, *command: str, environment: Mapping[str, str] | None = None) -> list[str]:
        """The command line for bubblewrap: as that user and group, without any capability; the stage's
        environment unless another is given.
        """
        user, _, group = self.stage.only("USER").partition(":")
        return [
            *self._view,
            "--unshare-user",
            "--uid",
            user,
            "--gid",
            group,
            "--cap-drop",
            "ALL",
            "--chdir",
            self.stage.only("WORKDIR"),
            "--clearenv",
            *(
                word
                for name, value in (self.stage.environment if environment is None else environment).items()
                for word in ("--setenv", name, value)
            ),
            "--",
            *command,
        ]

    def command(self, *words: str) -> list[str]:
        """ENTRYPOINT with CMD, or with these words instead."""
        return self.words(
            *json.loads(self.stage.only("ENTRYPOINT")), *(words or json.loads(self.stage.only("CMD")))
        )

    def health(self) -> list[str]:
        """The health check's own command."""
        return self.words(*json.loads(self.stage.only("HEALTHCHECK").partition(" CMD ")[2]))
