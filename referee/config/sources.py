"""Reading the three places, each as it is, so that a fault can say where it came from."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    NestedSecretsSettingsSource,
    SecretsSettingsSource,
)
from pydantic_settings.exceptions import SettingsError

from referee.config.faults import ConfigError, Fault

PREFIX = "REFEREE_"
#: variables that say where to look rather than what to do
OURS = frozenset({"REFEREE_CONFIG", "REFEREE_SECRETS"})

Tree = dict[str, Any]


def toml(path: Path) -> Tree:
    """The file's tables; {} when there is none."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except UnicodeDecodeError as error:
        raise ConfigError(Fault("not-utf8", str(path), facts={"at": error.start})) from error
    except tomllib.TOMLDecodeError as error:
        # the message tells line and column and, in no case, a value
        raise ConfigError(Fault("not-toml", str(path), facts={"why": str(error)})) from error
    except OSError as error:
        raise ConfigError(Fault("unreadable", str(path), facts={"why": error.strerror})) from error


def there(path: Path) -> bool:
    """Whether a file is there; a fault where that can't be seen."""
    try:
        return path.exists()
    except OSError as error:
        raise ConfigError(Fault("unreadable", str(path), facts={"why": error.strerror})) from error


class _Environment(EnvSettingsSource):
    """The variables given, rather than always this process's own."""

    def __init__(self, model: type[BaseSettings], environ: Mapping[str, str]) -> None:
        self._environ = environ
        super().__init__(model, case_sensitive=False, env_prefix=PREFIX, env_nested_delimiter="__")

    def _load_env_vars(self) -> Mapping[str, str | None]:
        return {name.lower(): value for name, value in self._environ.items()}


def environment(model: type[BaseSettings], environ: Mapping[str, str]) -> Tree:
    """What REFEREE_SECTION__KEY variables say."""
    try:
        return _Environment(model, environ)()
    except SettingsError as error:
        raise ConfigError(Fault("not-json", f"{PREFIX}{_field_of(error).upper()}…")) from error


def secret_files(model: type[BaseSettings], directory: Path) -> Tree:
    """What the files `section__key` in that directory say."""
    try:
        return NestedSecretsSettingsSource(
            SecretsSettingsSource(model, secrets_dir=directory),
            secrets_dir=directory,
            secrets_dir_missing="ok",
            secrets_prefix="",
            secrets_nested_delimiter="__",
        )()
    except (SettingsError, OSError, UnicodeDecodeError) as error:
        whole = Fault("unreadable", str(directory), facts={"why": type(error).__name__})
        # none of them from the error: it holds the bytes of a secret
        raise ConfigError(*(list(_unreadable(directory)) or [whole])) from None


def _unreadable(directory: Path) -> Iterator[Fault]:
    """The files of the secrets directory that can't be read: the error of all of them names none."""
    for name, _ in filed(directory):
        try:
            if Path(name).is_file():
                Path(name).read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            yield Fault("not-utf8", name, facts={"at": error.start})
        except OSError as error:
            yield Fault("unreadable", name, facts={"why": error.strerror})


def _field_of(error: SettingsError) -> str:
    found = re.search(r'field "([^"]+)"', str(error))
    return found.group(1) if found else ""


def merged(*trees: Mapping[str, Any]) -> Tree:
    """One tree; where two say something, the later one is right."""
    result: Tree = {}
    for tree in trees:
        for key, value in tree.items():
            old = result.get(key)
            both = isinstance(old, Mapping) and isinstance(value, Mapping)
            result[key] = merged(old, value) if both else value  # type: ignore[arg-type]  # `both` says they are mappings
    return result


def named(environ: Mapping[str, str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The variables that are meant for us, with the path each names."""
    for name in sorted(environ):
        if name.upper().startswith(PREFIX) and name.upper() not in OURS:
            yield name, tuple(name[len(PREFIX) :].lower().split("__"))


def filed(directory: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The files of the secrets directory, with the path each names; a fault where it may not be read."""
    try:
        files = sorted(directory.iterdir()) if directory.is_dir() else []
    except OSError as error:
        raise ConfigError(Fault("unreadable", str(directory), facts={"why": error.strerror})) from error
    for one in files:
        if not one.name.startswith("."):
            yield str(one), tuple(one.name.lower().split("__"))


def line_of(path: Path, where: tuple[str, ...]) -> int:
    """The line in a TOML file at which that key, or else its table, is set; 0 if it is not found."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError:
        return 0
    table, best = "", 0
    for number, line in enumerate(lines, 1):
        if header := re.match(r"\s*+\[++([^\]]++)\]", line):
            table = header.group(1).replace('"', "").replace(" ", "").strip()
            if where[: len(table.split("."))] == tuple(table.split(".")):
                best = number
        elif (key := re.match(r'\s*"?([\w-]+)"?\s*[=.]', line)) and (
            (*(table.split(".") if table else ()), key.group(1)) == where
        ):
            return number
    return best
