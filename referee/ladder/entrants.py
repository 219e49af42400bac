"""Who plays: a level by its name, or a class of somebody else's by its path."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from ..search import PLAYERS, Player, player
from .faults import LadderError, told


class Entrant(NamedTuple):
    """`begin()` gives the player for one seat of one game. `ours`: one of the levels, whose code is trusted
    with the table itself.
    """

    begin: Callable[[], Player]
    ours: bool


def entrant(said: str, effort: float | None = None) -> Entrant:
    """`steady`, `strong thrifty`, `package.module:Class`, `folder/bot.py:Class`. `effort`: seconds of
    processor time that a level which searches may think about an answer.

    Raises LadderError. Somebody else's file is run by that.
    """
    path, colon, name = said.rpartition(":")
    if not colon:
        try:
            one = player(said, effort)
        except KeyError:
            raise LadderError("no-level", said=said, known=[*PLAYERS]) from None
        return Entrant(lambda: one, ours=True)
    if not path or not name.isidentifier():
        raise LadderError("no-path", said=said)
    module = _module(said, path)
    found = getattr(module, name, None)
    if not callable(found):
        fitting = _fitting(module)
        raise LadderError(
            "no-class" if fitting else "no-classes", said=said, name=name, file=path, known=fitting
        )
    _check(said, found)
    return Entrant(found, ours=False)


def _module(said: str, path: str) -> ModuleType:
    """The module at that path, loaded once a process."""
    file = Path(path)
    try:
        if file.suffix != ".py":
            _findable(Path.cwd())
            return importlib.import_module(path)
        if not file.is_file():
            raise LadderError("no-file", said=said, file=path)
        name = f"entrant_{file.resolve().as_posix().encode().hex()}"
        if name in sys.modules:
            return sys.modules[name]
        _findable(file.resolve().parent)
        spec = importlib.util.spec_from_file_location(name, file)
        assert spec is not None
        assert spec.loader is not None
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    except LadderError:
        raise
    except ModuleNotFoundError as no:
        code = "no-module" if path.startswith(str(no.name)) else "broken"
        raise LadderError(code, said=said, file=path, why=_why(no)) from no
    except BaseException as no:  # a stranger's file may raise anything, SystemExit too
        sys.modules.pop(f"entrant_{file.resolve().as_posix().encode().hex()}", None)
        raise LadderError("broken", said=said, file=path, why=_why(no)) from no
    return module


def _findable(folder: Path) -> None:
    """Let modules of that folder be imported, where no other has their name."""
    if str(folder) not in sys.path:
        sys.path.append(str(folder))


def _why(no: BaseException) -> str:
    return f"{type(no).__name__}: {told(no)}"


def _fitting(module: ModuleType) -> list[str]:
    """The classes of a module that can play."""
    return [
        name
        for name, one in vars(module).items()
        if inspect.isclass(one) and callable(getattr(one, "choose", None)) and one is not Player
    ]


def _check(said: str, found: Callable[[], Any]) -> None:
    """Raises LadderError where what stands there gives no player."""
    try:
        one = found()
        plays = callable(getattr(one, "choose", None))
    except BaseException as no:  # the constructor is a stranger's
        raise LadderError("no-beginning", said=said, why=_why(no)) from no
    if not plays:
        raise LadderError("no-choose", said=said)
    try:
        inspect.signature(one.choose).bind(None, None)
    except TypeError as no:
        raise LadderError("no-choose", said=said) from no
    except ValueError:  # it is not written in Python: tried when it is asked
        pass
