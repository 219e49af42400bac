"""Compile the rules with mypyc; see `prepare` for how they are made ready.

The extension modules lie beside the sources in the wheel, where Python prefers them; an interpreter
for which they were not built does not see them and runs the sources.
"""

from __future__ import annotations

import sys
from contextlib import chdir
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from prepare import prepare

#: what is asked seldom, or reads and writes files: it stays interpreted
INTERPRETED = frozenset({"scenario", "record", "lists", "codec", "notation", "audit", "__init__"})
SETTINGS = "[mypy]\nexplicit_package_bases = true\nnamespace_packages = true\nmypy_path = .\n"


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
        modules: list[Any] = mypycify(
            ["--config-file", "mypy.ini", *files], opt_level="3", group_name="referee_rules"
        )
    if sys.platform == "linux":
        for module in modules:  # calls of the interpreter without a detour through a table of jumps
            module.extra_compile_args.append("-fno-plt")
    return modules


def build(target: Path) -> list[Path]:
    """Compile into that directory; the extension modules, from it on."""
    from setuptools import Distribution

    modules = generated(target)
    with chdir(target):
        distribution = Distribution({"name": "referee-rules", "ext_modules": modules, "packages": []})
        command = distribution.get_command_obj("build_ext")
        command.inplace = True
        command.ensure_finalized()
        command.run()
    return sorted(
        path.relative_to(target)
        for kind in ("*.so", "*.pyd")
        for path in target.rglob(kind)
        if "build" not in path.relative_to(target).parts
    )
