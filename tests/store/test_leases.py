"""Leases: one has it, and another when it is over."""

from __future__ import annotations

import time
from functools import partial

from referee.store import Store
from referee.store.leases import holders, leave, take


def test_one_has_it_until_it_is_over_or_given_back(store: Store) -> None:
    def asks(name: str, who: str, for_ms: int = 60_000) -> bool:
        return store.write_now(partial(take, name=name, holder=who, for_ms=for_ms))

    assert asks("channel mail", "a")
    assert asks("channel mail", "a")  # renewed
    assert not asks("channel mail", "b")
    assert asks("channel matrix", "b", 30)
    assert store.read_now(holders)["channel mail"] == "a"
    time.sleep(0.05)
    assert "channel matrix" not in store.read_now(holders)
    assert asks("channel matrix", "a")
    store.write_now(lambda tx: leave(tx, "b", "channel mail", "channel matrix"))  # none of theirs
    assert store.read_now(holders) == {"channel mail": "a", "channel matrix": "a"}
    store.write_now(lambda tx: leave(tx, "a", "channel mail"))
    assert asks("channel mail", "b")


def test_of_many_who_ask_at_once_one_has_it(store: Store) -> None:
    import threading

    had: list[str] = []

    def ask(who: str) -> None:
        if store.write_now(partial(take, name="clock", holder=who, for_ms=60_000)):
            had.append(who)

    threads = [threading.Thread(target=ask, args=(str(n),)) for n in range(6)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(had) == 1
