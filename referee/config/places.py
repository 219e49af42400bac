"""Where the configuration, its secrets and the data are when nobody says otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import platformdirs

APP = "citadels-referee"


def config_file(named: Path | None, environ: Mapping[str, str]) -> Path:
    """The file named on the command line, else by REFEREE_CONFIG, else the platform's place."""
    if named is not None:
        return named.expanduser()
    if environ.get("REFEREE_CONFIG"):
        return Path(environ["REFEREE_CONFIG"]).expanduser()
    return platformdirs.user_config_path(APP) / "referee.toml"


def secrets_directory(config: Path, environ: Mapping[str, str]) -> Path:
    """REFEREE_SECRETS, else systemd's credentials, else `secrets` beside the file."""
    for name in ("REFEREE_SECRETS", "CREDENTIALS_DIRECTORY"):
        if environ.get(name):
            return Path(environ[name]).expanduser()
    return config.parent / "secrets"


def data_directory() -> Path:
    """Where databases are kept; not made here."""
    return platformdirs.user_data_path(APP)


def cache_directory() -> Path:
    """Where is kept what only saves time; not made here."""
    return platformdirs.user_cache_path(APP)


def sqlite_url(path: Path) -> str:
    """The address of a SQLite file for `referee.store`."""
    return f"sqlite:///{path}"
