"""The files, the installation and the clock of the machine."""

from __future__ import annotations

import stat
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import referee
from referee.config import channels
from referee.ports import Finding
from referee.store import shown

if TYPE_CHECKING:
    from referee.config import Configuration

#: a clock that shows less than this (2026-01-01) was never set
NOT_BEFORE_S = 1_767_225_600


def configuration(config: Configuration) -> Iterator[Finding]:
    """Whether there is a file, whether strangers can read it, and what in it is odd."""
    if not config.path.exists():
        yield Finding("warn", "config-none", {"path": str(config.path)})
    else:
        yield Finding("ok", "config-read", {"path": str(config.path)})
    for path in (config.path, *(config.secrets_path.glob("*") if config.secrets_path.is_dir() else ())):
        if path.is_file() and path.stat().st_mode & _closed(path, config):
            yield Finding("warn", "config-open", {"path": str(path)})
    for fault in config.warnings:
        yield Finding("warn", fault.code, {"where": fault.where, "key": fault.key, **fault.facts})
    if not config.channels:
        yield Finding("bad", "no-channel", {"path": str(config.path)})
    if not config.referee.admins:
        yield Finding("warn", "no-admin", {"path": str(config.path)})
    for channel, _ in config.referee.admin_addresses():
        if channel not in config.channels:
            yield Finding("warn", "admin-channel", {"channel": channel})


def _closed(path: Path, config: Configuration) -> int:
    """What nobody else may do with a file: read one with a secret in it, write any.

    A configuration whose secrets lie elsewhere may be read: closed by root it would be closed to the referee.
    """
    if path == config.path:
        text, url = path.read_text(encoding="utf-8"), config.store.url
        if not any(secret in text for secret in config.secrets()) and (shown(url) == url or url not in text):
            return stat.S_IWOTH
    return stat.S_IROTH | stat.S_IWOTH


def installation() -> Iterator[Finding]:
    """`adapters` is also the name of somebody else's package: whose is imported in a clone?"""
    ours = Path(referee.__file__).parent
    theirs = Path(str(import_module(channels.OURS).__file__)).parent.parent
    if theirs in (ours, ours.parent):
        yield Finding("ok", "adapters-ours", {"path": str(ours)})
    else:
        yield Finding("bad", "adapters-strange", {"path": str(theirs), "ours": str(ours)})


def clock(now_s: float | None = None) -> Iterator[Finding]:
    """Deadlines are moments of UTC: a clock that was never set would end games."""
    now = time.time() if now_s is None else now_s
    shown = time.strftime("%Y-%m-%d %H:%M:%SZ", time.gmtime(now))
    yield Finding(
        "bad" if now < NOT_BEFORE_S else "ok",
        "clock-unset" if now < NOT_BEFORE_S else "clock",
        {"now": shown},
    )
