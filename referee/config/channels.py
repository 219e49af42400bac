"""The adapters that are installed, found by entry point; their settings are one section each.

`adapters` is also the name of somebody else's package. So where the referee is installed, its own lie inside
it, as `referee.adapters`; in a clone of the repository they lie beside it. They import each other relatively,
and the referee finds them here.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol, cast

from pydantic import BaseModel, Field, create_model

if TYPE_CHECKING:
    from referee.ports import Adapter

GROUP = "referee.adapters"
_BESIDE, _INSIDE = "adapters", "referee.adapters"
#: the package of our own adapters
OURS = _INSIDE if find_spec(_INSIDE) is not None else _BESIDE


class AdapterModule(Protocol):
    """What a package behind an entry point offers."""

    Settings: type[BaseModel]

    def build(self, settings: Any, clock_ms: Callable[[], int]) -> Adapter:
        """The adapter for these settings, not yet started."""


def installed() -> dict[str, EntryPoint]:
    """The adapters by the name of their channel."""
    points = sorted(entry_points(group=GROUP), key=lambda one: one.name)
    return {point.name: _found(point) for point in points}


def own(module: str) -> Any:
    """A module of our own adapters: "web", "terminal.screen"."""
    return import_module(f"{OURS}.{module}")


def _found(point: EntryPoint) -> EntryPoint:
    """The entry point where the package is: those of our own are declared as they lie in a clone."""
    package, dot, rest = point.value.partition(".")
    return EntryPoint(point.name, f"{OURS}{dot}{rest}", point.group) if package == _BESIDE else point


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
