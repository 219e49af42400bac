"""A blank book is copied: to bring one up through all versions costs as much as half a game."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from referee.pace import house
from referee.store import Store
from referee.store.connection import path_of
from tests import books


@pytest.fixture(autouse=True, scope="package")
def blank_books() -> Iterator[None]:
    def opened(url: str, **how: Any) -> Store:
        books.fresh(path_of(url))
        return Store.open(url, **how)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(house, "Store", SimpleNamespace(open=opened))
        yield
