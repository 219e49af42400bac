"""On PostgreSQL, too, each daily question is served by its index: none looks through a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from referee.store import Store, Tx
from tests import books
from tests.store.test_named import PLANS

pytest.importorskip("tests.servers.postgres", reason="psycopg is not installed", exc_type=ImportError)


@pytest.fixture
def on_postgres(tmp_path: Path) -> Iterator[Store]:
    from tests.servers.postgres import missing

    if missing():
        pytest.skip(missing())
    store = Store.open(books.address(tmp_path / "book.db", postgres=True))
    yield store
    store.close_now()
    books.forget()


INDEX = {
    "dedupe": "uq_inbox_channel_key",
    "events": "uq_game_event_game_id_no",
}  # PostgreSQL names what SQLite numbers
#: both serve what asks for a channel alone, and the planner takes either while there are few rows
ALIKE = {"ix_outbox_channel": ("ix_outbox_channel", "ix_outbox_chat")}


@pytest.mark.parametrize("what", PLANS)
def test_no_daily_question_looks_through_a_table(on_postgres: Store, what: str) -> None:
    """PostgreSQL's own plan for what the verb really says."""
    ask, index = PLANS[what]
    plans = on_postgres.write_now(lambda tx: explained(tx, ask))
    assert len(plans) == 1
    named = INDEX.get(what, index).partition(" (")[0]  # SQLite's plan also tells the columns
    assert any(one in plans[0] for one in ALIKE.get(named, (named,)))
    assert "Seq Scan" not in plans[0]


def explained(tx: Tx, ask: Callable[[Tx], object]) -> list[str]:
    found: list[str] = []
    said = tx._said  # type: ignore[attr-defined]  # over the shoulder

    def listening(prepared, values):  # type: ignore[no-untyped-def]  # the same signature
        plan = tx._voice.rows(said(prepared._replace(sql=f"EXPLAIN {prepared.sql}"), values))  # type: ignore[attr-defined]  # as above
        found.append("\n".join(line for (line,) in plan))
        return said(prepared, values)

    tx._said = listening  # type: ignore[attr-defined]  # as above
    try:
        ask(tx)
    finally:
        del tx._said  # type: ignore[attr-defined]  # as above
    return found
