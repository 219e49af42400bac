"""The adapters that are installed, found by entry point; their settings are one section each."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Protocol, cast

from pydantic import BaseModel, Field, create_model

from referee.ports import Adapter

GROUP = "referee.adapters"


class AdapterModule(Protocol):
    """What a package behind an entry point offers."""

    Settings: type[BaseModel]

    def build(self, settings: Any, clock_ms: Callable[[], int]) -> Adapter:
        """The adapter for these settings, not yet started."""


def installed() -> dict[str, EntryPoint]:
    """The adapters by the name of their channel."""
    return {point.name: point for point in sorted(entry_points(group=GROUP), key=lambda one: one.name)}


def module(name: str) -> AdapterModule:
    """The package of that channel; raises KeyError when none is installed."""
    return cast(AdapterModule, installed()[name].load())


def section(settings: type[BaseModel]) -> type[BaseModel]:
    """The settings with `enabled`, by which a channel is turned off without losing its section."""
    if "enabled" in settings.model_fields:
        return settings
    switch = Field(
        True, strict=False, description="false turns this channel off without losing its settings."
    )
    return create_model(settings.__name__, __base__=settings, enabled=(bool, switch))
