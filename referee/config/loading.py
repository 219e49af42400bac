"""Putting the three places together, and saying exactly what is wrong with them."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, ConfigDict, ValidationError, create_model
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings

from referee.config import channels, sources
from referee.config.faults import ConfigError, Fault
from referee.config.model import (
    BackupSettings,
    BotsSettings,
    Configuration,
    RefereeSettings,
    StoreSettings,
    WebSettings,
)
from referee.config.places import config_file, secrets_directory
from referee.config.sources import Tree

Where = tuple[str, ...]
#: what pydantic says in words of Python, or of regular expressions: what it must look like stands in the
#: description
_IN_OUR_WORDS = {
    "string_pattern_mismatch": "not of the form that it must have",
    "tuple_type": 'a list in brackets, as ["a", "b"]',
    "list_type": 'a list in brackets, as ["a", "b"]',
    "path_type": "a path in quotes",
}
#: what is shorter is no secret, and stands in any sentence
_SECRET_LEAST = 4


def load(
    named: Path | None = None, environ: Mapping[str, str] = os.environ, *, with_channels: bool = True
) -> Configuration:
    """The configuration; raises `ConfigError` with every fault found.

    Without channels their sections are not looked at, whatever they lack.

    A file that was named but is not there is a fault; the platform's default may be missing.
    """
    path = config_file(named, environ)
    if not sources.there(path) and (named is not None or environ.get("REFEREE_CONFIG")):
        raise ConfigError(Fault("no-file", str(path)))
    secrets = secrets_directory(path, environ)
    tables = sources.toml(path)
    fields = _sections(tables, secrets, environ, with_channels)
    model = create_model("Everything", __config__=ConfigDict(extra="forbid"), **fields)
    readable = create_model("Readable", __base__=BaseSettings, **fields)
    from_secrets = sources.secret_files(readable, secrets)
    from_environ = sources.environment(readable, environ)
    origin = _Origin(path, secrets, from_secrets, from_environ)
    try:
        # what comes from variables and files is text: "8448" must do where a number is meant
        everything = model.model_validate(sources.merged(tables, from_secrets, from_environ), strict=False)
    except ValidationError as error:
        raise ConfigError(*(_fault(one, model, origin) for one in error.errors(include_url=False))) from None
    found = {name: getattr(everything, name) for name in model.model_fields}
    on = {
        name: value
        for name, value in found.items()
        if with_channels
        and name not in ("store", "referee", "web", "backup", "bots")
        and value is not None
        and value.enabled
    }
    return Configuration(
        path,
        secrets,
        found["store"],
        found["referee"],
        on,
        tuple(_odd(model, secrets, environ)),
        found["web"],
        found["backup"],
        found["bots"],
    )


def _sections(tables: Tree, secrets: Path, environ: Mapping[str, str], with_channels: bool) -> dict[str, Any]:
    """The fields of the whole.  Channels that nobody mentions are not even imported."""
    mentioned = set(tables) | {where[0] for _, where in sources.named(environ)}
    mentioned |= {where[0] for _, where in sources.filed(secrets)}
    fields: dict[str, Any] = {
        "store": (StoreSettings, StoreSettings()),
        "referee": (RefereeSettings, RefereeSettings()),
        "web": (WebSettings, WebSettings()),
        "backup": (BackupSettings, BackupSettings()),
        "bots": (BotsSettings, BotsSettings()),
    }
    for name in channels.installed():
        fields[name] = (
            (Any, None)
            if not with_channels
            else (channels.section(channels.module(name).Settings) | None, None)
            if name in mentioned
            else (None, None)
        )
    return fields


@dataclass(frozen=True, slots=True)
class _Origin:
    """Which of the three places a value came from."""

    path: Path
    secrets: Path
    from_secrets: Tree
    from_environ: Tree

    def where(self, keys: Where) -> str:
        if _holds(self.from_environ, keys):
            return sources.PREFIX + "__".join(keys).upper()
        if _holds(self.from_secrets, keys):
            return str(self.secrets / "__".join(keys))
        line = sources.line_of(self.path, keys)
        return f"{self.path}:{line}" if line else str(self.path)


def _holds(tree: object, keys: Where) -> bool:
    for key in keys:
        if not isinstance(tree, Mapping) or key not in tree:
            return False
        tree = tree[key]
    return True


def _fault(error: Any, model: type[BaseModel], origin: _Origin) -> Fault:
    """One of pydantic's findings in our words, without the value where that may be secret."""
    keys: Where = tuple(str(part) for part in error["loc"])
    table, field = _field(model, keys)
    key, where = ".".join(keys), origin.where(keys)
    error = error | {"msg": _IN_OUR_WORDS.get(error["type"], error["msg"])}
    if error["type"] == "extra_forbidden":
        return Fault(
            "unknown-key",
            where,
            key,
            {"nearest": nearest(keys[-1], table.model_fields), "known": sorted(table.model_fields)},
        )
    if error["type"] == "missing":
        variable = sources.PREFIX + "__".join(keys).upper()
        return Fault(
            "missing", where, key, {"variable": variable, "secret": "__".join(keys), "meant": _meant(field)}
        )
    value, message = error.get("input"), str(error["msg"]).removeprefix("Value error, ")
    if field is not None and not _secret(field) and isinstance(value, list):
        return Fault("wrong", where, key, {"why": message, "meant": _meant(field)})
    if field is None or _secret(field) or not isinstance(value, str | int | float | bool):
        return Fault("wrong", where, key, {"why": _without(message, value), "meant": _meant(field)})
    return Fault("wrong-value", where, key, {"value": value, "why": message, "meant": _meant(field)})


def _field(model: type[BaseModel], keys: Where) -> tuple[type[BaseModel], FieldInfo | None]:
    """The innermost table on that path, and the field in it if there is such a one."""
    field: FieldInfo | None = None
    for key in keys:
        if key not in model.model_fields:
            return model, field if key.isdigit() else None
        field = model.model_fields[key]
        inner = [
            one
            for one in (field.annotation, *get_args(field.annotation))
            if isinstance(one, type) and issubclass(one, BaseModel)
        ]
        if inner and key != keys[-1]:
            model = inner[0]
    return model, field


def _secret(field: FieldInfo) -> bool:
    """The address of the database may hold a password, also where it is no address at all."""
    return "SecretStr" in str(field.annotation) or field is StoreSettings.model_fields["url"]


def _meant(field: FieldInfo | None) -> str:
    return (field.description or "") if field is not None else ""


def _without(message: str, value: object) -> str:
    """A message that does not repeat the value it is about, nor anything inside of it."""
    inside = (
        value.values()
        if isinstance(value, Mapping)
        else value
        if isinstance(value, list | tuple)
        else (value,)
    )
    for one in inside:
        if isinstance(one, str) and len(one) >= _SECRET_LEAST:
            message = message.replace(one, "***")
    return message


def nearest(word: str, known: Iterable[str]) -> str:
    """The most similar of the known words, or ""."""
    return next(iter(difflib.get_close_matches(word, sorted(known), n=1, cutoff=0.5)), "")


def _odd(model: type[BaseModel], secrets: Path, environ: Mapping[str, str]) -> Iterator[Fault]:
    """Variables and secret files that look meant for us and are not read."""
    for code, found in (
        ("unknown-variable", sources.named(environ)),
        ("unknown-secret", sources.filed(secrets)),
    ):
        for name, where in found:
            if where[0] not in model.model_fields or len(where) < 2:
                yield Fault(code, name, ".".join(where), {"nearest": nearest(where[0], model.model_fields)})
