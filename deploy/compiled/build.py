"""Compile the rules with mypyc; see `prepare` for how they are made ready.

The extension modules lie beside the sources in the wheel, where Python prefers them; an interpreter
for which they were not built does not see them and runs the sources.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from contextlib import chdir
from copy import copy
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from prepare import prepare

#: what is asked seldom, or reads and writes files: it stays interpreted
INTERPRETED = frozenset({"scenario", "record", "lists", "codec", "notation", "audit", "__init__"})
GROUP = "referee_rules"
SETTINGS = "[mypy]\nexplicit_package_bases = true\nnamespace_packages = true\nmypy_path = .\n"
#: for gcc and clang: the interpreter is called without a table of jumps; what is compiled here is called
#: directly, as nothing may take its place; no debugger's tables, which take half of the time and of the file
LINUX = ("-fno-plt", "-fno-semantic-interposition", "-fvisibility=hidden", "-g0")
GAMES = Path(__file__).with_name("games.py")


def compiled(place: Path) -> bool:
    return not INTERPRETED & {*place.with_suffix("").parts}


def generated(target: Path) -> list[Any]:
    """Write the copy into that directory, and the C of what is compiled; setuptools' extensions.

    SystemExit, with what mypyc says, where it does not take the rules."""
    try:
        from mypyc.build import mypycify
    except ImportError as error:
        raise SystemExit(f"To compile the rules takes mypy, setuptools and a C compiler: {error}") from error
    target.mkdir(parents=True, exist_ok=True)
    files = [str(place) for place in prepare(target) if compiled(place)]
    with chdir(target):
        Path("mypy.ini").write_text(SETTINGS)
        modules: list[Any] = mypycify(["--config-file", "mypy.ini", *files], opt_level="3", group_name=GROUP)
    if sys.platform == "linux":
        for module in modules:
            module.extra_compile_args += LINUX
    return modules


def by_gcc() -> bool:
    """Whether what compiles here is gcc, under any name: others take a profile in ways of their own."""
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()
    try:
        said = subprocess.run([*compiler, "--version"], capture_output=True, text=True, check=False).stdout
    except OSError:
        return False
    return "Free Software Foundation" in said


def play_games(target: Path) -> None:
    """With the rules in that directory. SystemExit, with what they said, where they can't."""
    (target / "referee" / "__init__.py").touch()  # else a `referee` that is installed would come first
    done = subprocess.run(
        [sys.executable, "-P", str(GAMES)],
        env={**os.environ, "PYTHONPATH": str(target)},
        cwd=target,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(
            f"With the rules as they were first compiled no games could be played.\n{done.stderr}"
        )


def compile_all(modules: list[Any], target: Path, *flags: str) -> None:
    """Each of the modules beside its source; that which holds all the code with these flags more."""
    from setuptools import Distribution

    modules = [copy(module) for module in modules]
    (whole,) = [module for module in modules if module.name == f"{GROUP}__mypyc"]
    whole.extra_compile_args = [*whole.extra_compile_args, *flags]
    whole.extra_link_args = [*whole.extra_link_args, *flags]
    with chdir(target):
        distribution = Distribution({"name": "referee-rules", "ext_modules": modules, "packages": []})
        command = distribution.get_command_obj("build_ext")
        command.inplace, command.parallel = True, os.cpu_count()
        command.ensure_finalized()
        command.run()


def build(target: Path) -> list[Path]:
    """Compile into that directory; the extension modules, from it on.

    gcc compiles twice. Between the two, games are played with what it made first, so that it knows which
    branches are taken (profile-guided optimization, as CPython itself is built)."""
    modules = generated(target)
    if sys.platform == "linux" and by_gcc():
        compile_all(modules, target, "-fprofile-generate")
        play_games(target)
        for made in target.rglob(f"{GROUP}__mypyc*.so"):
            made.unlink()
        use = ("-fprofile-use", "-fprofile-correction", "-Werror=missing-profile")
        compile_all(modules, target, *use)
    else:
        compile_all(modules, target)
    return sorted(
        path.relative_to(target)
        for kind in ("*.so", "*.pyd")
        for path in target.rglob(kind)
        if "build" not in path.relative_to(target).parts
    )
