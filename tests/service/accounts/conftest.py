"""Two processes of one house, for what is done to an account in both at once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.store import Store
from tests import books


@pytest.fixture
def two(tmp_path: Path) -> Iterator[tuple[Store, Store]]:
    """Two processes at one book."""
    url = books.address(tmp_path / "shared", postgres=True)
    one = Store.open(url)
    other = Store.open(url, guest=True)
    yield one, other
    other.close_now()
    one.close_now()
