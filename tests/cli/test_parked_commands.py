"""`referee inbox parked`: listed, shown, retried and dropped, also while the referee runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import Result

from referee.ports import Inbound, unread
from referee.service.inbound.crashes import CrashGuard
from referee.service.inbound.parking import Parking
from referee.store import Inbox, Store
from tests.cli.conftest import Run

AT = 1_790_000_000_000
MAIL = b"From: ann@players.example\nMessage-ID: <1@x>\n\ngold\n"


@pytest.fixture
def parking(tmp_path: Path) -> Parking:
    Store.open(f"sqlite:///{tmp_path}/r.db").close_now()
    (tmp_path / "r.toml").write_text(
        f"[store]\nurl = 'sqlite:///{tmp_path}/r.db'\n[mail]\naddress = 'referee@game.test'\nsmtp_host = "
        f"'127.0.0.1'\nreceive = 'lmtp'\nlmtp_socket = '{tmp_path}/l'\n"
        "[matrix]\nhomeserver = 'http://127.0.0.1:1'\nuser = '@r:x'\naccess_token = 'x'\n"
    )
    return Parking(tmp_path / "r.db.parked")


@pytest.fixture
def say(run: Run, tmp_path: Path) -> Run:
    def command(*words: object, input: str | None = None) -> Result:
        return run("inbox", "parked", *words, "-c", tmp_path / "r.toml", input=input)

    return command


def inbox(tmp_path: Path) -> list[Inbox]:
    store = Store.open(f"sqlite:///{tmp_path}/r.db", read_only=True)
    try:
        return store.read_now(lambda tx: tx.all(Inbox, order="id"))
    finally:
        store.close_now()


def test_an_empty_list_and_a_name_that_is_none(say: Run, parking: Parking) -> None:
    assert "0 parked" in say().output
    for word in ("show", "retry", "drop"):
        done = say(word, "0123456789")
        assert done.exit_code == 1
        assert "0123456789" in done.output


def test_listed_shown_and_dropped(say: Run, parking: Parking) -> None:
    parking.park(
        unread("mail", b"\x1b[2JSubject: x\n" + b"y" * 50_000, ref="uid 1:7", reason="mail cpu"), "", AT
    )
    [one] = parking.all()
    assert one.id in say().output
    assert "mail cpu" in say().output
    shown = say("show", one.id).output
    assert "50015 bytes" in shown
    assert "uid 1:7" in shown
    assert "\x1b" not in shown
    assert "16384" in shown
    assert say("drop", one.id).exit_code == 0
    assert "0 parked" in say().output


def test_a_mail_is_read_again_from_its_bytes(say: Run, parking: Parking, tmp_path: Path) -> None:
    parking.park(unread("mail", MAIL, ref="", reason="mail cpu"), "", AT)
    [one] = parking.all()
    done = say("retry", one.id)
    assert done.exit_code == 0, done.output
    assert [row.state for row in inbox(tmp_path)] == ["new"]
    assert b"gold" in inbox(tmp_path)[0].body
    assert not parking.all()
    parking.park(unread("mail", MAIL, ref="", reason="mail cpu"), "", AT)
    again = say("retry", parking.all()[0].id)
    assert again.exit_code == 1
    assert "already" in again.output


def test_what_is_not_to_be_had_again_says_why(say: Run, parking: Parking, tmp_path: Path) -> None:
    parking.park(unread("mail", MAIL * 1000, ref="", reason="mail cpu"), "", AT)
    parking.park(unread("matrix", b"{}", ref="$1", reason="event"), "", AT + 1)
    parking.park(Inbound("matrix", "k", "@\ud800:x"), "address", AT + 2)
    said = [say("retry", one.id) for one in parking.all()]
    assert [done.exit_code for done in said] == [1, 1, 1]
    assert "not to be had" in said[0].output
    assert "does not say again" in said[1].output
    assert "address" in said[2].output
    assert len(parking.all()) == 3
    assert not inbox(tmp_path)


def test_a_message_that_processes_died_of_is_tried_once_more(
    say: Run, parking: Parking, tmp_path: Path
) -> None:
    store = Store.open(f"sqlite:///{tmp_path}/r.db", guest=True)
    number = store.write_now(
        lambda tx: tx.add(Inbox, channel="mail", key="k", body=b"{}", at_ms=1, state="parked")
    )
    store.close_now()
    parking.park(Inbound("mail", "k", "ann@players.example"), "died", AT, kind="row", ref=f"inbox {number}")
    assert say("retry", parking.all()[0].id).exit_code == 0
    assert [row.state for row in inbox(tmp_path)] == ["new"]
    crashes = CrashGuard(parking.folder)
    crashes._counts = {"mail k": (2.0, 0.0)}
    assert not crashes.fatal("mail", "k")
    assert not crashes._counts


def test_in_portuguese_too(say: Run, parking: Parking, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "pt_BR.UTF-8")
    assert "guardados à parte: 0" in say().output
