"""What only a few tests need is not loaded when files are collected."""

from __future__ import annotations

import inspect
from typing import Any, cast

import pytest

from tests.servers.lazily import Lazily


def test_looking_at_it_loads_nothing() -> None:
    """As pytest looks at every name of a file; only a module that is there can be loaded."""
    one = Lazily("no_such_module")
    assert getattr(one, "_mock_name", None) is None
    assert inspect.unwrap(cast(Any, one)) is one
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        _ = one.Bot
