"""What the admin decided: one TOML file, the environment, and a directory of secrets.

A later one wins: file, then secrets, then environment.  `load` reads them, `sample`
writes a commented file.  What is named here is loaded when it is asked for: who only makes a
configuration (`referee play`) need not know how one is read.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from referee.config.faults import ConfigError, Fault
    from referee.config.loading import load
    from referee.config.model import (
        BackupSettings,
        BotsSettings,
        Configuration,
        RefereeSettings,
        StoreSettings,
        WebSettings,
    )
    from referee.config.sample import sample

__all__ = [
    "BackupSettings",
    "BotsSettings",
    "ConfigError",
    "Configuration",
    "Fault",
    "RefereeSettings",
    "StoreSettings",
    "WebSettings",
    "load",
    "sample",
]

_IN = {
    "faults": ("ConfigError", "Fault"),
    "loading": ("load",),
    "model": (
        "BackupSettings",
        "BotsSettings",
        "Configuration",
        "RefereeSettings",
        "StoreSettings",
        "WebSettings",
    ),
    "sample": ("sample",),
}


def __getattr__(name: str) -> Any:
    for module, names in _IN.items():
        if name in names:
            found = getattr(import_module(f"referee.config.{module}"), name)
            globals()[name] = found
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
