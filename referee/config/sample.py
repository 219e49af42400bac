"""A configuration to begin with: every setting, commented, out of the settings' own descriptions."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, get_args

from pydantic import BaseModel, SecretStr
from pydantic.fields import FieldInfo

from referee.config import channels
from referee.config.model import BackupSettings, BotsSettings, RefereeSettings, StoreSettings, WebSettings

WIDTH = 100
#: the sections that every configuration has
SECTIONS: Mapping[str, type[BaseModel]] = {
    "store": StoreSettings,
    "referee": RefereeSettings,
    "web": WebSettings,
    "backup": BackupSettings,
    "bots": BotsSettings,
}


def sample(
    *,
    head: str,
    channel: str,
    required: str,
    secret: str,
    meant: Callable[[str, str], str] = lambda key, english: english,
    chosen: Mapping[str, Mapping[str, Any]] = MappingProxyType({}),
) -> str:
    """The file's text.

    The sentences come from templates: `head` opens the file, `channel` goes before each channel's section
    ({name}), `required` marks a setting without which the channel can't be on, `secret` says where a secret
    may be put instead ({variable}, {file}), `meant` what a setting ("web.listen") is, whose own description
    is English.  `chosen` are settings by section that are not as by default; a channel's section among them
    is on, and what it does not know is written as it is.
    """
    lines = [*_comment(head), ""]
    listed = partial(_settings, required=required, secret=secret, meant=meant)
    for name, model in SECTIONS.items():
        lines += [f"[{name}]", *listed(model, (name,), off="", chosen=chosen.get(name, {}))]
    for name in channels.installed():
        off = "" if name in chosen else "# "
        lines += [*_comment(channel.format(name=name)), f"{off}[{name}]"]
        whole = channels.section(channels.module(name).Settings)
        lines += listed(whole, (name,), off=off, chosen=chosen.get(name, {}))
    for name in chosen.keys() - SECTIONS.keys() - channels.installed().keys():
        lines += [f"[{name}]", *(f"{key} = {literal(value)}" for key, value in chosen[name].items())]
    return "\n".join(lines)


def _comment(text: str) -> list[str]:
    return [
        f"# {line}".rstrip()
        for part in text.strip().splitlines()
        for line in textwrap.wrap(part, WIDTH) or [""]
    ]


def _settings(
    model: type[BaseModel],
    path: tuple[str, ...],
    required: str,
    secret: str,
    meant: Callable[[str, str], str],
    off: str,
    chosen: Mapping[str, Any],
) -> Iterator[str]:
    yield from (f"{key} = {literal(value)}" for key, value in chosen.items() if key not in model.model_fields)
    tables: list[tuple[str, type[BaseModel]]] = []
    for key, field in model.model_fields.items():
        inner = _table(field)
        if inner is not None:
            tables.append((key, inner))
            continue
        yield from _comment(meant(".".join((*path, key)), field.description or key))
        if "SecretStr" in str(field.annotation):
            full = (*path, key)
            yield from _comment(
                secret.format(variable="REFEREE_" + "__".join(full).upper(), file="__".join(full))
            )
        if field.is_required():
            yield from _comment(required)
        if key in chosen:
            yield f"{key} = {literal(chosen[key])}"
        elif field.is_required():
            yield f'# {key} = ""'
        else:
            yield f"# {key} = {literal(field.get_default(call_default_factory=True))}".rstrip()
        yield ""
    for key, inner in tables:
        yield from _comment(meant(".".join((*path, key)), model.model_fields[key].description or ""))
        yield f"{off}[{'.'.join((*path, key))}]"
        yield from _settings(inner, (*path, key), required, secret, meant, off, {})


def _table(field: FieldInfo) -> type[BaseModel] | None:
    kinds = (field.annotation, *get_args(field.annotation))
    return next((one for one in kinds if isinstance(one, type) and issubclass(one, BaseModel)), None)


def literal(value: Any) -> str:
    """A default as TOML writes it; None, for which it has no word, is left blank."""
    match value:
        case None:
            return ""
        case SecretStr():
            return '""'
        case bool():
            return "true" if value else "false"
        case Enum():
            return literal(value.value)
        case int() | float():
            return repr(value)
        case str() | Path():
            return json.dumps(str(value), ensure_ascii=False)
        case list() | tuple() | set() | frozenset():
            return f"[{', '.join(literal(one) for one in value)}]"
        case _:
            return json.dumps(str(value))
