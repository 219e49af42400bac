"""What `referee init` asks, or takes from its options: the channels, what each of them needs, and the address
of the pages.
"""

from __future__ import annotations

import re
import shutil
import socket
import tempfile
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import typer
from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from referee.cli.common import USAGE, end, fault_sentences
from referee.cli.say import meant, say
from referee.config import ConfigError, Fault, channels, load, sample
from referee.config.sample import SECTIONS

#: section -> setting -> what was typed
Values = dict[str, dict[str, str]]

_SETTING = re.compile(r"([a-z0-9_-]+)\.([a-z0-9_]+)=(.*)", re.DOTALL)
#: where the pages listen unless that is taken
_PORTS = range(8080, 8100)


def from_options(named: Iterable[str], settings: Iterable[str], web: str) -> Values:
    """What the options say.  Ends with exit code 2 where one of them says nothing."""
    values = _pages(web)
    for name in named:
        if name not in channels.installed():
            end(USAGE, "init.no-channel", channel=name, known=list(channels.installed()))
        values.setdefault(name, {})
    for setting in settings:
        found = _SETTING.fullmatch(setting)
        if found is None:
            end(USAGE, "init.no-setting", setting=setting.partition("=")[0])
        values.setdefault(found[1], {})[found[2]] = found[3]
    return values


def from_answers() -> Values:
    """What a person answers, asked until it is a configuration that can be used."""
    known = list(channels.installed())
    typer.echo(_folded(say("init.hello")))
    while True:
        named = re.findall(r"[^\s,;]+", _prompt(say("init.channels", known=known)).lower())
        strange = [name for name in named if name not in known]
        if not strange:
            break
        typer.echo(say("init.no-channel", channel=strange[0], known=known))
    values: Values = {name: {} for name in named}
    for name in named:
        _ask(values, name)
    values |= _pages(_prompt(say("init.web")))
    while faults := found_wrong(values):
        for sentence in fault_sentences(ConfigError(*faults)):
            typer.echo("\n" + _folded(sentence))
        for key in dict.fromkeys(fault.key for fault in faults):
            section, _, setting = key.partition(".")
            _ask(values, section, setting)
    return values


def found_wrong(values: Values, path: Path | None = None) -> list[Fault]:
    """The faults of a configuration with these values, told of the file that it will be."""
    with tempfile.TemporaryDirectory() as folder:
        trial = Path(folder) / "referee.toml"
        trial.write_text(text_of(values), encoding="utf-8")
        (trial.parent / "secrets").mkdir()
        for name, secret in secrets_of(values).items():
            (trial.parent / "secrets" / name).write_text(secret, encoding="utf-8")
        try:
            load(trial, {})
        except ConfigError as error:
            return [replace(fault, where=str(path or say("init.answer"))) for fault in error.faults]
    return []


def text_of(values: Values) -> str:
    """The file: every setting with its meaning, those that were chosen set; secrets are not in it."""
    chosen: dict[str, dict[str, Any]] = {
        section: {
            key: _typed(field, settings[key])
            for key, field in _fields(section).items()
            if key in settings and not _secret(field)
        }
        | {key: typed for key, typed in settings.items() if key not in _fields(section)}
        for section, settings in values.items()
    }
    return sample(
        head=say("sample.head"),
        channel=say("sample.channel", name="{name}"),
        required=say("sample.required"),
        secret=say("sample.secret", variable="{variable}", file="{file}"),
        meant=meant,
        chosen=chosen,
    )


def secrets_of(values: Values) -> dict[str, str]:
    """The secrets by the name of their file."""
    return {
        f"{section}__{key}": settings[key]
        for section, settings in values.items()
        for key, field in _fields(section).items()
        if key in settings and _secret(field)
    }


def _ask(values: Values, section: str, setting: str = "") -> None:
    """One setting, or all that a section needs."""
    fields = _fields(section)
    for key in [setting] if setting in fields else list(_needed(section)):
        said = meant(f"{section}.{key}", fields[key].description or key)
        typed = _prompt(f"{section}.{key} – {said}", hidden=_secret(fields[key]))
        values.setdefault(section, {}).pop(key, None)
        if typed:
            values[section][key] = typed


def _prompt(question: str, *, hidden: bool = False) -> str:
    typer.echo("\n" + _folded(question))
    return str(
        typer.prompt(">", default="", show_default=False, prompt_suffix=" ", hide_input=hidden)
    ).strip()


def _folded(text: str) -> str:
    return textwrap.fill(text, min(shutil.get_terminal_size().columns, 100), break_on_hyphens=False)


def _pages(web: str) -> Values:
    return {"web": {"listen": f"127.0.0.1:{_free_port()}"} | ({"base_url": web} if web else {})}


def _free_port() -> int:
    for port in _PORTS:
        with socket.socket() as trial:
            try:
                trial.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    return _PORTS[0]


def _fields(section: str) -> dict[str, FieldInfo]:
    model: type[BaseModel] | None = SECTIONS.get(section)
    if model is None and section in channels.installed():
        model = channels.module(section).Settings
    return dict(model.model_fields) if model is not None else {}


def _needed(section: str) -> Iterator[str]:
    """What a channel can't be on without: settings without a default, and those that its adapter marks."""
    for key, field in _fields(section).items():
        if field.is_required() or (field.json_schema_extra == {"asked": True}):
            yield key


def _secret(field: FieldInfo) -> bool:
    return "SecretStr" in str(field.annotation)


def _typed(field: FieldInfo, text: str) -> Any:
    """What was typed, as the setting's own type; as text where it does not fit: reading finds the fault."""
    try:
        return TypeAdapter[Any](field.annotation).validate_strings(text)
    except ValidationError:
        return text
