"""A fresh installation for each test, and the same games each time."""
from __future__ import annotations

from tests.service.conftest import books_of_its_own, house, the_same_games_each_time

__all__ = ["books_of_its_own", "house", "the_same_games_each_time"]
