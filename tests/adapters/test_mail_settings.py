"""What an admin may write, and what a gateway's word is worth."""

from __future__ import annotations

import email
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from adapters import mail as channel
from adapters.mail.addresses import Addresses
from adapters.mail.authenticity import vouched_by
from referee.ports import Letter
from tests.servers import mail
from tests.servers.mail_rig import rigged

GOOD: dict[str, Any] = {
    "address": "referee@game.test",
    "password": "secret-horse",
    "smtp_host": "mx.game.test",
    "imap_host": "mx.game.test",
}
OURS = Addresses("Referee@Game.test")


def test_defaults_are_encrypted_and_gentle() -> None:
    one = channel.Settings.model_validate(GOOD)
    assert (one.smtp_security, one.imap_security) == ("starttls", "tls")
    assert one.login() == ("referee@game.test", "secret-horse")
    assert one.submission_login() == ("referee@game.test", "secret-horse")
    assert "secret-horse" not in repr(one)


def test_numbers_may_come_as_text_from_the_environment() -> None:
    one = channel.Settings.model_validate({**GOOD, "smtp_port": "465", "idle_seconds": "30"})
    assert (one.smtp_port, one.idle_seconds) == (465, 30.0)


@pytest.mark.parametrize(
    "wrong",
    [
        {"adress": "x"},
        {"address": "referee"},
        {"address": "referee+x@game.test"},
        {"imap_host": ""},
        {"smtp_port": 0},
        {"smtp_port": 99999},
        {"smtp_security": "ssl"},
        {"idle_seconds": 0},
        {"idle_seconds": 4000},
        {"receive": "pop3"},
        {"receive": "lmtp"},
        {"receive": "lmtp", "lmtp_port": 24, "lmtp_socket": "/run/x"},
        {"per_minute": 0},
        {"password": 7},
        {"smtp_login": "perhaps"},
    ],
)
def test_typos_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError) as refused:
        channel.Settings.model_validate({**GOOD, **wrong})
    assert "secret-horse" not in str(refused.value)


def test_every_setting_is_described() -> None:
    assert len(channel.Settings.model_fields) > 20
    assert all(one.description for one in channel.Settings.model_fields.values())


def test_building_loads_no_heavy_library() -> None:
    script = (
        "import sys, adapters.mail as m; m.Settings.model_validate({'address': 'a@b.test', 'smtp_host': "
        "'x', 'imap_host': 'x'});"
        "sys.exit(sum(name in sys.modules for name in ('aiosmtplib', 'imap_tools', 'aiosmtpd')))"
    )
    assert (
        subprocess.run([sys.executable, "-c", script], check=False, cwd=Path(__file__).parents[2]).returncode
        == 0
    )


@pytest.mark.parametrize("token", ["", "abcdefgh2345", "ABCDEFGH2345"])
def test_addresses_carry_a_token_there_and_back(token: str) -> None:
    letter = Letter(id="41", channel="mail", text="x", token=token)
    for address in (OURS.bounce(letter), OURS.bounce(letter).upper()):
        tag = OURS.tag_of(address)
        assert tag is not None
        assert (tag.token, tag.letter, tag.bounce) == (token.lower(), "41", True)
    tag = OURS.tag_of_message_id(OURS.message_id(letter))
    assert tag is not None
    assert (tag.token, tag.letter) == (token.lower(), "41")
    reply = OURS.tag_of(OURS.reply(token))
    assert (reply.token if reply else "") == token.lower()


@pytest.mark.parametrize(
    "address",
    [
        "",
        "referee",
        "referee@else.test",
        "ref@game.test",
        "refereex+abcdefgh@game.test",
        "referee+@game.test",
        "referee+a/b@game.test",
        "referee+" + "a" * 100 + "@game.test",
        "x@y@game.test",
    ],
)
def test_addresses_that_carry_nothing(address: str) -> None:
    assert OURS.tag_of(address) is None


def test_no_local_part_is_too_long() -> None:
    letter = Letter(id="4" * 40, channel="mail", text="x", token="a" * 40)
    assert len(OURS.bounce(letter).partition("@")[0]) <= 64
    strange = Letter(id="a b\r\n", channel="mail", text="x")
    assert OURS.message_id(strange).isprintable()
    assert " " not in OURS.message_id(strange)


@pytest.mark.parametrize(
    ("results", "word"),
    [
        ("mx.test; dkim=pass header.d=players.example", "dkim"),
        ('MX.Test 1; dkim=pass (2048-bit; key) reason="a;b" header.d=Players.Example header.i=@x', "dkim"),
        ("mx.test; dkim=fail header.d=players.example; dkim=pass header.d=players.example", "dkim"),
        ("mx.test; dkim=pass header.d=example.org", ""),
        ("mx.test; dkim=pass header.d=mail.players.example", ""),
        ("mx.test; dkim=pass header.d=example", ""),
        ("mx.test; dkim=pass", ""),
        ("mx.test; dkim=fail header.d=players.example", ""),
        ("mx.test; dkim=passable header.d=players.example", ""),
        ("mx.test; spf=pass smtp.mailfrom=players.example", ""),
        ("mx.test; dmarc=pass header.from=players.example", "dmarc"),
        ("mx.test; dmarc=pass header.from=other.example", ""),
        ("mx.test; dkim=none (dkim=pass header.d=players.example)", ""),
        ('mx.test; dkim=none reason="; dkim=pass header.d=players.example"', ""),
        ("other.test; dkim=pass header.d=players.example", ""),
        ("mx.test.evil; dkim=pass header.d=players.example", ""),
        ("mx.test; none\r\nAuthentication-Results: mx.test; dkim=pass header.d=players.example", ""),
        ("other.test; none\r\nAuthentication-Results: mx.test; dkim=pass header.d=players.example", "dkim"),
        ("((((", ""),
        ("", ""),
        (";;;=;", ""),
    ],
)
def test_what_a_gateway_vouches_for(results: str, word: str) -> None:
    mail = email.message_from_string(
        f"Authentication-Results: {results}\r\nFrom: ann@players.example\r\n\r\n"
    )
    assert vouched_by(mail, "ann@players.example", "mx.test") == word
    assert vouched_by(mail, "ann@players.example", "") == ""


def test_a_signer_vouches_for_its_subdomains() -> None:
    mail = email.message_from_string(
        "Authentication-Results: mx.test; dkim=pass header.d=players.example\r\n\r\n"
    )
    assert vouched_by(mail, "ann@home.players.example", "mx.test") == "dkim"
    assert vouched_by(mail, "ann@evilplayers.example", "mx.test") == ""
    assert vouched_by(mail, "", "mx.test") == ""


@pytest.mark.parametrize("given", ["senha-ção-5", "senha-são-5"])
async def test_a_password_may_hold_any_letter(request: pytest.FixtureRequest, given: str) -> None:
    """IMAP's LOGIN takes ASCII alone; from what the library raised then, neither a round of the mailbox nor
    the doctor came back with a word for the admin.
    """
    rig = await rigged(mail.shared(request.config))
    users = rig.server.home / "users"
    line = f"{rig.account.address}:{{PLAIN}}"
    before = users.read_text()
    users.write_text(before.replace(line + rig.account.password, f"{line}senha-ção-5"))
    try:
        rig.more["password"] = given
        findings = [finding.code for finding in await rig.adapter().check()]
    finally:
        users.write_text(before)
        await rig.close()
    right = given == "senha-ção-5"
    assert findings == (["mail-smtp", "mail-imap"] if right else ["mail-smtp-refused", "mail-imap-refused"])
