"""What the admin decided: one TOML file, the environment, and a directory of secrets.

A later one wins: file, then secrets, then environment.  `load` reads them, `sample`
writes a commented file.
"""

from __future__ import annotations

from referee.config.faults import ConfigError, Fault
from referee.config.loading import load
from referee.config.model import (
    BackupSettings,
    Configuration,
    RefereeSettings,
    StoreSettings,
    WebSettings,
)
from referee.config.sample import sample

__all__ = [
    "BackupSettings",
    "ConfigError",
    "Configuration",
    "Fault",
    "RefereeSettings",
    "StoreSettings",
    "WebSettings",
    "load",
    "sample",
]
