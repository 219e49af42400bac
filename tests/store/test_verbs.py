"""The verbs of a transaction, on a real file."""

from __future__ import annotations

from typing import Any

import pytest

from referee.store import (
    Address,
    Bookmark,
    Deadline,
    Game,
    GameEvent,
    Heartbeat,
    Inbox,
    Journal,
    Meta,
    Outbox,
    Person,
    Seat,
    Store,
    StoreConflict,
    Tx,
)


def deadlines(store: Store, game: int, count: int = 5) -> None:
    store.write_now(
        lambda tx: [
            tx.add(Deadline, game_id=game, seat=n % 2, question=1, kind="answer", due_ms=100 * n)
            for n in range(1, count + 1)
        ]
    )


def test_add_fills_in_the_class_s_defaults_and_numbers_the_row(store: Store) -> None:
    first = store.write_now(lambda tx: tx.add(Person, name="Ann"))
    second = store.write_now(lambda tx: tx.add(Person, name="Bo", language="pt_BR"))
    assert second == first + 1
    ann = store.read_now(lambda tx: tx.get(Person, first))
    assert ann is not None
    assert (ann.id, ann.name, ann.language, ann.zone, ann.prefer, ann.admin) == (
        first,
        "Ann",
        "en",
        "UTC",
        "",
        0,
    )


def test_a_row_is_read_only(store: Store) -> None:
    number = store.write_now(lambda tx: tx.add(Person, name="Ann"))
    ann = store.read_now(lambda tx: tx.get(Person, number))
    with pytest.raises(AttributeError):
        ann.name = "Bo"  # type: ignore[union-attr]  # the point of the test


def test_a_row_that_is_printed_tells_nothing_but_its_key(store: Store, game: int) -> None:
    store.write_now(lambda tx: tx.set(Game, game, seed="secret", snapshot=b"hidden"))
    store.write_now(lambda tx: tx.put(Bookmark, channel="mail", name="uid", value="v"))
    rows = store.read_now(lambda tx: (tx.get(Game, game), tx.one(Bookmark), tx.seats_of(1, ["running"])))
    assert repr(rows) == f"(<game {game}>, <bookmark mail uid>, [])"


def test_what_is_written_comes_back_as_it_was(store: Store) -> None:
    name = "Zoë 🏰 'quoted' \"twice\" \x00 end\n{{ 7*7 }} <b>"
    body = bytes(range(256))
    big = 2**63 - 1
    number = store.write_now(lambda tx: tx.add(Inbox, channel=name, key="k", body=body, at_ms=big))
    row = store.read_now(lambda tx: tx.get(Inbox, number))
    assert row is not None
    assert (row.channel, row.body, row.at_ms) == (name, body, big)


def test_a_column_named_like_a_word_of_sql_is_only_a_column(store: Store, game: int) -> None:
    store.write_now(
        lambda tx: tx.add(
            Journal, game_id=game, no=1, seat=0, question=1, order="take 2", by="person", at_ms=1
        )
    )
    assert store.read_now(lambda tx: tx.one(Journal, order="take 2", by="person")) is not None
    assert store.write_now(lambda tx: tx.change(Journal, {"order": "take 2"}, order="take 1", undone=1)) == 1


def test_add_new_tells_what_was_there_already(store: Store) -> None:
    def arrive(tx: Tx) -> int | None:
        return tx.add_new(Inbox, channel="mail", key="<a@b>", body=b"x", at_ms=1)

    first = store.write_now(arrive)
    assert first is not None
    assert store.write_now(arrive) is None
    assert store.read_now(lambda tx: tx.count(Inbox)) == 1


def test_add_new_of_a_second_queued_letter_of_one_name_is_refused_until_the_first_is_gone(
    store: Store,
) -> None:
    first = store.write_now(lambda tx: tx.add_new(Outbox, channel="mail", kind="prompt", collapse="g1s0"))
    assert first is not None
    assert (
        store.write_now(lambda tx: tx.add_new(Outbox, channel="mail", kind="prompt", collapse="g1s0")) is None
    )
    store.write_now(lambda tx: tx.set(Outbox, first, state="sent"))
    assert (
        store.write_now(lambda tx: tx.add_new(Outbox, channel="mail", kind="prompt", collapse="g1s0"))
        is not None
    )


def test_add_new_still_refuses_a_reference_to_nothing(store: Store) -> None:
    with pytest.raises(StoreConflict):
        store.write_now(lambda tx: tx.add_new(Address, person_id=99, channel="mail", address="a"))


def test_put_adds_or_replaces_by_key(store: Store) -> None:
    def job(tx: Tx) -> None:
        tx.put(Bookmark, channel="matrix", name="since", value="s1")
        tx.put(Bookmark, channel="matrix", name="since", value="s2")
        tx.put(Bookmark, channel="matrix", name="filter", value="f")
        tx.put(Heartbeat, name="serve", at_ms=1)
        tx.put(Heartbeat, name="serve", at_ms=2)
        tx.put(Meta, name="secret", value="x")

    store.write_now(job)
    assert [b.value for b in store.read_now(lambda tx: tx.all(Bookmark, order="name"))] == ["f", "s2"]
    beat = store.read_now(lambda tx: tx.get(Heartbeat, "serve"))
    assert beat is not None
    assert beat.at_ms == 2


def test_put_leaves_columns_it_was_not_told_about(store: Store) -> None:
    number = store.write_now(lambda tx: tx.add(Person, name="Ann", language="pt_BR"))
    store.write_now(lambda tx: tx.put(Person, id=number, name="Anna"))
    anna = store.read_now(lambda tx: tx.get(Person, number))
    assert anna is not None
    assert (anna.name, anna.language) == ("Anna", "pt_BR")


def test_put_needs_the_whole_key(store: Store) -> None:
    with pytest.raises(TypeError, match="channel, name"):
        store.write_now(lambda tx: tx.put(Bookmark, channel="matrix", value="x"))


def test_all_filters_orders_limits_and_goes_on_after(store: Store, game: int) -> None:
    deadlines(store, game)

    def numbers(**asked: Any) -> list[int | None]:
        return [d.id for d in store.read_now(lambda tx: tx.all(Deadline, **asked))]

    assert numbers(order="id") == [1, 2, 3, 4, 5]
    assert numbers(order="-id", limit=2) == [5, 4]
    assert numbers(order="seat,-due_ms") == [4, 2, 5, 3, 1]
    assert numbers(seat=1, order="id") == [1, 3, 5]
    assert numbers(seat=1, after={"id": 1}, order="id") == [3, 5]
    assert numbers(due_ms=(100, 300, 500), order="id", after={"id": 1}, limit=1) == [3]
    assert numbers(due_ms={200}) == [2]
    assert numbers(due_ms=()) == []
    assert numbers(due_ms=(), seat=1) == []


def test_none_means_null(store: Store, game: int) -> None:
    person = store.write_now(lambda tx: tx.add(Person, name="Bo"))
    store.write_now(
        lambda tx: (
            tx.add(Seat, game_id=game, no=0, name="Bot", bot="greedy"),
            tx.add(Seat, game_id=game, no=1, name="Bo", person_id=person),
        )
    )
    assert [s.no for s in store.read_now(lambda tx: tx.all(Seat, game_id=game, person_id=None))] == [0]
    store.write_now(lambda tx: tx.change(Seat, {"game_id": game, "person_id": person}, person_id=None))
    assert store.read_now(lambda tx: tx.count(Seat, person_id=None)) == 2


def test_one_is_the_first_by_key_and_none_when_nothing_matches(store: Store, game: int) -> None:
    deadlines(store, game)
    found = store.read_now(lambda tx: tx.one(Deadline, seat=0))
    assert found is not None
    assert found.id == 2
    assert store.read_now(lambda tx: tx.one(Deadline, seat=7)) is None
    assert store.read_now(lambda tx: tx.get(Deadline, None)) is None


def test_column_leaves_the_heavy_ones_behind(store: Store, game: int) -> None:
    store.write_now(lambda tx: tx.set(Game, game, snapshot=b"x" * 5000))
    assert store.read_now(lambda tx: tx.column(Game, "id", status="running")) == [game]


def test_change_is_a_compare_and_set(store: Store, game: int) -> None:
    deadlines(store, game, 1)
    claim = {"id": 1, "done_ms": 0}
    assert store.write_now(lambda tx: tx.change(Deadline, claim, done_ms=5)) == 1
    assert store.write_now(lambda tx: tx.change(Deadline, claim, done_ms=6)) == 0


def test_set_says_whether_there_was_such_a_row(store: Store, game: int) -> None:
    assert store.write_now(lambda tx: tx.set(Game, game, status="over"))
    assert not store.write_now(lambda tx: tx.set(Game, 99, status="over"))
    assert not store.write_now(lambda tx: tx.set(Game, None, status="lobby"))
    assert store.read_now(lambda tx: tx.column(Game, "status")) == ["over"]


def test_drop_says_how_many(store: Store, game: int) -> None:
    deadlines(store, game)
    assert store.write_now(lambda tx: tx.drop(Deadline, seat=1)) == 3
    assert store.write_now(lambda tx: tx.drop(Deadline, seat=1)) == 0
    assert store.read_now(lambda tx: tx.count(Deadline)) == 2


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"name": 7}, "name holds str, not int"),
        ({"name": "Ann", "admin": "yes"}, "admin holds int, not str"),
        ({"name": "Ann", "colour": "red"}, "no column colour"),
        ({"language": "en"}, "nothing said for name"),
        ({"name": None}, "name holds str, not NoneType"),
        ({"name": b"Ann"}, "name holds str, not bytes"),
    ],
)
def test_what_does_not_fit_is_refused_before_it_reaches_the_file(
    store: Store, values: dict[str, object], words: str
) -> None:
    with pytest.raises(TypeError, match=words):
        store.write_now(lambda tx: tx.add(Person, **values))
    assert store.read_now(lambda tx: tx.count(Person)) == 0


@pytest.mark.parametrize("values", [{"name": "\ud800"}, {"name": "Ann", "admin": 2**70}])
def test_what_no_file_can_hold_is_the_job_s_error(store: Store, values: dict[str, object]) -> None:
    with pytest.raises((UnicodeEncodeError, OverflowError)):
        store.write_now(lambda tx: tx.add(Person, **values))
    assert store.write_now(lambda tx: tx.add(Person, name="Bo")) == 1


def test_questions_and_changes_are_checked_like_rows(store: Store, game: int) -> None:
    with pytest.raises(TypeError, match="no column colour"):
        store.read_now(lambda tx: tx.all(Game, colour=None))
    with pytest.raises(TypeError, match="status holds str, not int"):
        store.read_now(lambda tx: tx.count(Game, status=(1, 2)))
    with pytest.raises(TypeError, match="round holds int, not str"):
        store.write_now(lambda tx: tx.set(Game, game, round="3"))
    with pytest.raises(TypeError, match="2 columns"):
        store.read_now(lambda tx: tx.get(Bookmark, "matrix"))


def test_a_broken_rule_of_the_tables_is_a_conflict(store: Store, game: int) -> None:
    with pytest.raises(StoreConflict, match="FOREIGN KEY"):
        store.write_now(lambda tx: tx.add(Seat, game_id=99, no=0, name="Ann"))
    store.write_now(lambda tx: tx.add(Seat, game_id=game, no=0, name="Ann"))
    with pytest.raises(StoreConflict, match="UNIQUE"):
        store.write_now(lambda tx: tx.add(Seat, game_id=game, no=0, name="Bo"))


def test_several_rows_at_once_are_as_if_added_one_by_one(store: Store, game: int) -> None:
    def job(tx: Tx) -> None:
        tx.add_all(
            GameEvent,
            [
                {
                    "game_id": game,
                    "no": n,
                    "to_seat": n % 2 or None,
                    "name": "built",
                    "facts": "{}",
                    "at_ms": 5,
                }
                for n in range(3)
            ],
        )
        tx.add_all(GameEvent, [])

    store.write_now(job)
    assert [(e.no, e.to_seat, e.at_ms) for e in store.read_now(lambda tx: tx.all(GameEvent, order="id"))] == [
        (0, None, 5),
        (1, 1, 5),
        (2, None, 5),
    ]
    with pytest.raises(StoreConflict, match="UNIQUE"):
        store.write_now(job)
    with pytest.raises(TypeError, match="nothing said for"):
        store.write_now(lambda tx: tx.add_all(Person, [{"name": "Ann"}, {"language": "en"}]))
    with pytest.raises(TypeError, match="some of these rows"):
        store.write_now(lambda tx: tx.add_all(Person, [{"name": "Ann", "id": 7}, {"name": "Bo"}]))
    with pytest.raises(TypeError, match="would change something"):
        store.read_now(lambda tx: tx.add_all(Person, [{"name": "Ann"}]))


def test_several_rows_are_changed_each_to_its_own_values(store: Store) -> None:
    def job(tx: Tx) -> int:
        tx.add_all(Person, [{"name": name} for name in ("Ann", "Bo", "Cy")])
        return tx.set_all(
            Person,
            {
                1: {"name": "Anna", "admin": 1},
                3: {"name": "Cyd", "admin": 2},
                9: {"name": "nobody", "admin": 3},
            },
        )

    assert store.write_now(job) == 2
    assert [(p.name, p.admin) for p in store.read_now(lambda tx: tx.all(Person, order="id"))] == [
        ("Anna", 1),
        ("Bo", 0),
        ("Cyd", 2),
    ]
    assert store.write_now(lambda tx: tx.set_all(Person, {})) == 0
    with pytest.raises(TypeError, match="the same columns"):
        store.write_now(lambda tx: tx.set_all(Person, {1: {"name": "A"}, 2: {"admin": 1}}))
    with pytest.raises(TypeError, match="admin holds int"):
        store.write_now(lambda tx: tx.set_all(Person, {1: {"admin": "1"}}))


def test_shapes_stay_few(store: Store, game: int) -> None:
    """Values never become part of a statement, and lists are padded: the cache can't grow with use."""
    from referee.store.connection import _STATEMENTS

    def ask(size: int) -> None:
        store.read_now(lambda tx: tx.all(Deadline, id=tuple(range(size)), seat=size, limit=size))

    ask(33)
    before = len(_STATEMENTS._made)
    for size in range(34, 65):
        ask(size)
    assert len(_STATEMENTS._made) == before
