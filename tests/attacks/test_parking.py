"""Whatever an adapter brings: the good is written down, the rest is cleaned or parked, and the bookmark moves
on.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from referee.ports import HEAD_BYTES, Inbound, What, unread
from referee.service.inbound import crashes as crashes_module
from referee.service.inbound.crashes import CrashGuard, pardon
from referee.service.inbound.parking import Parking, message
from referee.store import Inbox, StoreFull
from tests.house.files import ROOT
from tests.service.rig import House


def one(**more: Any) -> Inbound:
    return Inbound(
        **{
            "channel": "matrix",
            "key": "$poison",
            "address": "@eve:x",
            "text": "status",
            "at_ms": 1_790_000_000_000,
            "name": "Eve",
            **more,
        }
    )


CLEANED: dict[str, dict[str, Any]] = {
    "a half character": {"text": "gold \ud800"},
    "a NUL": {"text": "go\0ld"},
    "controls": {"text": "\x07\x1b[2Jgold\x9b"},
    "noncharacters": {"text": "\ufdd0\uffff\U0010ffff"},
    "an hour of 2**63": {"at_ms": 2**63},
    "an hour of 2**900": {"at_ms": 2**900},
    "a negative hour": {"at_ms": -1},
    "an hour that is a float": {"at_ms": 1.5e12},
    "an hour that is no number": {"at_ms": float("nan")},
    "an endless hour": {"at_ms": float("inf")},
    "an hour in words": {"at_ms": "yesterday"},
    "an hour that is true": {"at_ms": True},
    "a megabyte": {"text": "x" * 1_000_000},
    "a name without end": {"name": "N" * 100_000},
    "a name that turns round": {"name": "Ann\u202e\nBob\ud800"},
    "a thread without end": {"thread": "t" * 100_000},
    "a token of half characters": {"token": "\udc00" * 9},
    "a payload without end": {"payload": "p" * 10_000},
    "a key without end": {"key": "$" + "k" * 100_000},
    "a key of half characters": {"key": "$\ud800"},
    "a key with a NUL": {"key": "$a\0b"},
    "an empty key": {"key": ""},
    "facts that go deep": {"facts": json.loads('{"a":' * 60 + "1" + "}" * 60)},
    "facts without end": {"facts": {str(n): "x" * 1000 for n in range(5000)}},
    "facts with a NUL": {"facts": {"a\0": "\ud800", "n": 2**70, "f": float("nan"), "o": b"bytes"}},
    "words that are a number": {"text": 17},
    "a name that is a list": {"name": ["x"]},
    "a language without end": {"language": "pt" * 5000},
    "a message id of half characters": {"message_id": "\ud800"},
}
PARKED: dict[str, dict[str, Any]] = {
    "an address of half characters": {"address": "@\ud800:x"},
    "an address with a NUL": {"address": "@a\0:x"},
    "an address without end": {"address": "@" + "a" * 10_000},
    "an address that is none": {"address": None},
    "a room with a line end": {"place": "!a\n:x"},
    "a room that is a number": {"place": 17},
}


@pytest.mark.parametrize("alone", [True, False], ids=["alone", "in-a-batch"])
async def test_poison_between_two_good_messages(house: House, alone: bool) -> None:
    for n, name in enumerate([*CLEANED, *PARKED]):
        poison = one(**{"key": f"$poison{n}", **{**CLEANED, **PARKED}[name]})
        batch = [
            one(key=f"$a{n}", address="@ann:x", text="games"),
            poison,
            one(key=f"$b{n}", address="@bob:x", text="games"),
        ]
        before = house.store.read_now(lambda tx: tx.count(Inbox)), len(house.referee.reception.parking.all())
        for some in [[x] for x in batch] if alone else [batch]:
            await house.referee.reception.receive(some, channel="matrix", cursor={"since": f"s{n}"})
        while await house.referee.reception.worker.round():
            pass
        rows = house.store.read_now(lambda tx: tx.all(Inbox, order="id"))
        parked = house.referee.reception.parking.all()
        assert (len(rows) - before[0], len(parked) - before[1]) == ((2, 1) if name in PARKED else (3, 0)), (
            name
        )
        assert {f"$a{n}", f"$b{n}"} < {row.key for row in rows}, name
        assert {row.state for row in rows} == {"done"}, name
        assert await house.referee.reception.bookmark("matrix", "since") == f"s{n}"
        assert all(0 < row.at_ms <= house.clock() + 3_600_000 for row in rows), name
    await house.settle()
    assert all(house.letters(f"matrix:@{who}:x") for who in ("ann", "bob"))


async def test_two_keys_that_had_to_be_cut_are_still_two(house: House) -> None:
    for key in ("k" * 5000 + "1", "k" * 5000 + "2", "\ud800", "\ud801"):
        await house.referee.reception.receive([one(key=key)], channel="matrix")
        await house.referee.reception.receive([one(key=key)], channel="matrix")
    assert len(house.store.read_now(lambda tx: tx.all(Inbox))) == 4


async def test_what_the_store_will_not_have_is_parked_and_the_others_are_written(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever it may be that nobody thought of."""
    real = house.referee.reception._add

    def add(tx: Any, came: Inbound, *args: Any, **more: Any) -> Any:
        if came.text == "poison":
            raise OverflowError("Python int too large to convert to SQLite INTEGER")
        return real(tx, came, *args, **more)

    monkeypatch.setattr(house.referee.reception, "_add", add)
    await house.referee.reception.receive(
        [one(key="$1"), one(text="poison"), one(key="$2")], channel="matrix", cursor={"since": "s2"}
    )
    assert [row.key for row in house.store.read_now(lambda tx: tx.all(Inbox, order="id"))] == ["$1", "$2"]
    assert await house.referee.reception.bookmark("matrix", "since") == "s2"
    [parked] = house.referee.reception.parking.all()
    assert (parked.kind, parked.reason, parked.key) == ("message", "OverflowError", "$poison")
    assert message(parked) == one(text="poison")


async def test_a_store_that_takes_nothing_parks_nothing(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def write(job: Any) -> Any:
        raise LookupError("no such table")

    await house.referee.reception.admission.refresh()
    monkeypatch.setattr(house.store, "write", write)
    with pytest.raises(LookupError):
        await house.referee.reception.receive(
            [one(key="$1"), one(key="$2")], channel="matrix", cursor={"since": "s2"}
        )
    assert not house.referee.reception.parking.all()

    async def full(job: Any) -> Any:
        raise StoreFull(28, "the disk is full")

    monkeypatch.setattr(house.store, "write", full)
    with pytest.raises(OSError, match="full"):
        await house.referee.reception.receive(
            [one(key="$1"), one(key="$2")], channel="matrix", cursor={"since": "s2"}
        )
    assert not house.referee.reception.parking.all()


async def test_an_admin_is_told_once_however_many_are_parked(tmp_path: Path) -> None:
    house = await House(tmp_path / "told.db", admins=(("telegram", "1"),)).open()
    for n in range(50):
        await house.referee.reception.receive(
            [unread("mail", b"poison %d" % n, ref=f"uid 1:{n}", reason="mail cpu", at_ms=house.clock())],
            channel="mail",
            cursor={"uid": str(n)},
        )
        await house.settle()
    assert await house.referee.reception.bookmark("mail", "uid") == "49"
    told = [letter.text for letter in house.letters("telegram:1") if "inbox parked" in letter.text]
    assert len(told) == 1
    house.clock.pass_(hours=2)
    await house.settle()
    told = [letter.text for letter in house.letters("telegram:1") if "inbox parked" in letter.text]
    assert len(told) == 2
    assert "49" in told[1]
    assert "citadels_parked_total" in await house.referee.monitor.figures()
    assert not house.store.read_now(lambda tx: tx.all(Inbox, channel="mail"))
    await house.close()


def test_the_folder_is_bounded_and_what_comes_again_lies_there_once(tmp_path: Path) -> None:
    parking = Parking(tmp_path / "parked", files=10, bytes_=150_000)
    for n in range(100):
        parking.park(unread("mail", bytes([n]) * 50_000, ref=f"uid 1:{n}", reason="mail cpu"), "", 1000 + n)
        parking.park(unread("mail", bytes([n]) * 50_000, ref=f"uid 1:{n}", reason="mail cpu"), "", 2000 + n)
    found = parking.all()
    assert 1 <= len(found) <= 10
    assert found[-1].ref == "uid 1:99"
    assert (found[-1].size, len(found[-1].head), found[-1].whole) == (50_000, HEAD_BYTES, False)
    assert sum(path.stat().st_size for path in (tmp_path / "parked").iterdir()) <= 150_000
    assert all(path.stat().st_mode & 0o077 == 0 for path in (tmp_path / "parked").iterdir())
    assert parking.drop(found[0].id)
    assert parking.get(found[0].id) is None


async def test_a_folder_that_cannot_be_written_stops_no_channel(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    house = await House(tmp_path / "full.db", parking=tmp_path / "file").open()
    await house.referee.reception.receive(
        [unread("mail", b"x", ref="", reason="r"), one(channel="mail", key="1")],
        channel="mail",
        cursor={"uid": "7"},
    )
    assert await house.referee.reception.bookmark("mail", "uid") == "7"
    await house.close()


DIES = """
import asyncio, os, signal, sys, traceback
from pathlib import Path
from referee.service.inbound import crashes, dispatch
from tests.service.rig import House
from tests.attacks.test_parking import one

crashes._weight = lambda begun: 1.0                   # as if it had hung for a minute
real = dispatch.handle

def deadly(uow, number, came):
    if came.text == "deadly":
        os.kill(os.getpid(), signal.SIGKILL)
    real(uow, number, came)

dispatch.handle = deadly

async def main(how):
    house = await House(Path(sys.argv[1])).open()
    house.referee.reception.crashes.begin()
    if how == "written":  # another message before it waits: it is only written down
        batch = [one(key="$1"), one(key="$written", text="deadly"), one(key="$2", address="@bob:x")]
        await house.referee.reception.receive(batch, channel="matrix", cursor={"since": "s2"})
    else:
        await house.referee.reception.receive([one(text="deadly")], channel="matrix", cursor={"since": "s2"})
    await house.settle()
    house.referee.reception.crashes.end()
    await house.close()

# a process for each, forked from one that has loaded all and begun nothing: loading was most of their work
for how in sys.argv[2:]:
    child = os.fork()
    if not child:
        try:
            asyncio.run(main(how))
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


def test_what_a_process_died_of_twice_is_parked_unread(tmp_path: Path) -> None:
    book = tmp_path / "dies.db"
    # from the third on the first one is parked, and the other one waits in the inbox
    ways = ("at once", "at once", "written", "written", "at once")
    ended = subprocess.run(
        [sys.executable, "-c", DIES, book, *ways],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "REFEREE_TEST_STORE": ""},
        timeout=120,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert [int(one) for one in ended.stdout.split()] == [-signal.SIGKILL] * 4 + [0]
    found = Parking(tmp_path / "dies.db.parked").all()
    assert {(parked.kind, parked.key) for parked in found} == {("row", "$poison"), ("row", "$written")}


def test_a_death_by_chance_says_little_and_a_good_end_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "noted"
    monkeypatch.setattr(crashes_module, "_born", time.time)

    def died(age: float) -> None:
        """A process that had a message in hand is gone, and another one stands in its place after so long."""
        (folder / "in-hand.1").write_bytes(f"{time.time() - age:.3f} mail key\n".encode().ljust(256, b"\0"))

    def after() -> bool:
        one = CrashGuard(folder)
        one.begin()
        fatal = one.fatal("mail", "key")
        one.end()
        return fatal

    assert not after()
    died(0.1)
    assert not after()
    died(0.1)
    assert not after()  # killed at random, twice: that may be
    died(70)
    assert after()
    died(70)
    assert after()
    pardon(folder, "mail", "key")
    assert not after()  # an admin lets it be tried once more
    assert not after()
    died(70)
    living = CrashGuard(folder)
    living.begin()
    with living.during("mail", "read key") as may:
        assert may
    assert living._counts  # it can be read: that says nothing of its handling
    living.leave(living.enter("mail", "key"), "mail", "key")
    assert not living._counts  # it went well this time
    slot = living.enter("mail", "other")
    other = CrashGuard(folder)  # a second process beside a living one leaves its notes alone
    monkeypatch.setattr(crashes_module.os, "getpid", lambda: 7)
    other.begin()
    assert not other._counts
    assert slot >= 0


def test_processes_of_one_number_share_a_folder(tmp_path: Path) -> None:
    """In containers each is the only process, and has the number of the other one."""
    code = (
        "import os, sys; from pathlib import Path; from referee.service.inbound.crashes import CrashGuard\n"
        "os.getpid = lambda: 7\n"
        "one, other = (CrashGuard(Path(sys.argv[1])) for _ in range(2))\n"
        "one.begin(); other.begin()\n"
        "for guard in (one, other):\n"
        "    with guard.during('mail', 'key') as may: assert may\n"
        "assert one.enter('mail', 'key') >= 0 and other.enter('mail', 'key') >= 0\n"
        "other.end(); os._exit(0)"
    )
    done = subprocess.run([sys.executable, "-c", code, tmp_path], check=False, timeout=60)
    assert done.returncode == 0
    after = CrashGuard(tmp_path)
    after.begin()
    assert list(after._counts) == ["mail key"]  # of the one that did not end well


def test_a_process_stands_there_from_its_birth_on() -> None:
    """However long it takes it to come to look: a busy machine makes nobody's message deadly."""
    told = subprocess.run(
        [
            sys.executable,
            "-c",
            (
                "import time; time.sleep(0.5); from referee.service.inbound import crashes; "
                "print(time.time() - crashes._born())"
            ),
        ],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert 0.5 <= float(told.stdout) < 60


def test_noting_what_is_in_hand_costs_next_to_nothing(tmp_path: Path) -> None:
    noted = CrashGuard(tmp_path)
    noted.begin()
    began = time.process_time()
    for n in range(20_000):
        noted.leave(noted.enter("telegram", str(n)), "telegram", str(n))
    assert (time.process_time() - began) / 20_000 < 20e-6
    noted.end()
    assert not list(tmp_path.glob("in-hand*"))


def test_a_message_that_is_unread_names_what_it_was() -> None:
    came = unread("mail", b"x" * 20_000, ref="uid 1:2", reason="mail cpu", size=50_000)
    assert came.what is What.UNREAD
    assert not came.facts["whole"]
    assert unread("mail", b"x", ref="a", reason="r").key != unread("mail", b"x", ref="b", reason="r").key


def test_what_another_process_died_of_is_not_forgotten_by_this_one(tmp_path: Path) -> None:
    """The processes of one house share the file."""
    file, now = tmp_path / "crashes.json", time.time()
    file.write_text(json.dumps({"mail harmless": [0.2, now]}))
    guard = CrashGuard(tmp_path)
    guard.begin()
    file.write_text(json.dumps({"mail harmless": [0.2, now], "mail deadly": [2.0, now]}))
    with guard.during("mail", "harmless") as may:
        assert may
    assert json.loads(file.read_text()) == {"mail deadly": [2.0, now]}
    with guard.during("mail", "deadly") as may:
        assert not may
    guard.end()
