"""What known servers send by themselves: letters that come back, and notices that nobody wrote.

The forms and where they are known from: tests/adapters/mail_machines.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from adapters.mail.addresses import Addresses
from adapters.mail.reading import Delivery, Reader
from referee.ports import Inbound, Letter, What

OURS = Addresses("referee@game.test")
TOKEN = "abcdefgh2345"
LETTER = Letter(id="k7m", channel="mail", address="gone@players.example", text="Your turn.", token=TOKEN)


def table(name: str) -> dict[str, str]:
    return tomllib.loads(
        (Path(__file__).parent / "mail_machines" / f"{name}.toml").read_text(encoding="utf-8")
    )


BOUNCES, NOTICES = table("bounces"), table("notices")


def came(form: str, to: str) -> Inbound:
    filled = (
        form.replace("{to}", "gone@players.example")
        .replace("{envelope}", OURS.bounce(LETTER))
        .replace("{id}", OURS.message_id(LETTER))
    )
    raw = f"Delivered-To: {to}\nTo: <{to}>\nMessage-ID: <b1@mx.example>\n{filled.lstrip()}".encode()
    return Reader(OURS).read(Delivery(raw, 0, len(raw)))


def test_there_are_enough_of_them() -> None:
    assert len(BOUNCES) >= 20
    assert len(NOTICES) >= 20


@pytest.mark.parametrize("server", BOUNCES)
def test_a_letter_that_came_back_is_known(server: str) -> None:
    got = came(BOUNCES[server], OURS.bounce(LETTER))
    assert got.what is What.BOUNCED
    assert (got.facts["letter"], got.token, got.text) == ("k7m", TOKEN, "")
    assert got.facts["failed"] is (server != "Postfix, delayed")


@pytest.mark.parametrize("server", BOUNCES)
def test_it_closes_nothing_where_nothing_of_ours_came_back(server: str) -> None:
    """Anybody can write that mail."""
    got = came(BOUNCES[server].replace("{id}", "<x@elsewhere.example>"), "referee@game.test")
    assert not got.token
    assert not got.facts.get("letter")
    assert got.what is not What.MESSAGE


@pytest.mark.parametrize("program", NOTICES)
@pytest.mark.parametrize("to", [OURS.reply(TOKEN), OURS.bounce(LETTER)], ids=["reply", "envelope"])
def test_a_notice_is_nobodys_word_and_brings_nothing_back(program: str, to: str) -> None:
    assert came(NOTICES[program], to).what is What.AUTO_REPLY
