"""What is wrong with a configuration: where, which key, what would be right; never a secret's value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Fault:
    """`code` names the sentence in templates/en/admin.toml under [config]; `where` is a file
    with its line, or the name of an environment variable; `key` is dotted."""

    code: str
    where: str
    key: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)


class ConfigError(Exception):
    """A configuration that can't be used, with everything found wrong at once."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__("; ".join(f"{fault.where}: {fault.key}: {fault.code}" for fault in faults))
        self.faults = faults
