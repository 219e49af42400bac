"""`referee games` where there are many tables."""

from __future__ import annotations

from pathlib import Path

from referee.store import Game, Person, Store, Tx
from tests.cli.conftest import Run


def test_a_long_list_of_tables_has_pages(run: Run, tmp_path: Path) -> None:
    """However many tables there are, those shown are the last ones, and it says how to see the others."""
    shop = tmp_path / "shop.toml"
    shop.write_text(f'[store]\nurl = "sqlite:///{tmp_path}/shop.db"\n')

    def fill(tx: Tx) -> None:
        who = tx.add(Person, name="Ana")
        for number in range(1, 112):
            tx.add(Game, creator_id=who, status="over" if number % 2 else "lobby")

    store = Store.open(f"sqlite:///{tmp_path}/shop.db")
    store.write_now(fill)
    store.close_now()

    def told(*words: object) -> tuple[list[int], list[str]]:
        lines = run("games", *words, "-c", shop).output.splitlines()
        rows = [line for line in lines if line.startswith("#")]
        return [int(line[1:].split()[0]) for line in rows], lines[len(rows) :]

    assert told() == (
        list(range(62, 112)),
        ["111 tables", "Those before them: --page 2; all of them: --all"],
    )
    assert told("--page", 3) == (list(range(1, 12)), ["111 tables"])
    assert told("--page", 4) == ([], ["111 tables"])
    assert told("--all") == (list(range(1, 112)), ["111 tables"])
    assert told("--status", "lobby", "--page", 2) == ([2, 4, 6, 8, 10], ["55 tables"])
    assert run("games", "--page", 0, "-c", shop).exit_code == 2
