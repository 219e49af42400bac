"""What the receiving server found out about a sender, and what our answers to strangers say of themselves."""

from __future__ import annotations

import email

import pytest

from adapters.mail.addresses import Addresses
from adapters.mail.composing import compose
from adapters.mail.reading import Delivery, Reader
from adapters.mail.settings import Settings
from referee.ports import Letter

SETTINGS = Settings(address="referee@game.test", smtp_host="127.0.0.1", imap_host="127.0.0.1")


def found(*results: str, trusted: str = "mx.game.test", name: str = "mx.game.test") -> str:
    header = f"Authentication-Results: {name}; " + ";\r\n ".join(results)
    raw = (
        f"{header}\r\nFrom: Ann <ann@players.example>\r\nTo: referee@game.test\r\nMessage-ID: "
        f"<m@x>\r\n\r\ngold\r\n"
    ).encode()
    return str(
        Reader(Addresses("referee@game.test"), trusted)
        .read(Delivery(raw, 0, len(raw)))
        .facts.get("sender", "")
    )


@pytest.mark.parametrize(
    ("results", "verdict"),
    [
        (["dkim=pass header.d=players.example"], "pass"),
        (["spf=pass smtp.mailfrom=bounces@players.example"], "pass"),
        (["spf=pass smtp.mailfrom=players.example"], "pass"),
        (["spf=pass smtp.mailfrom=x@evil.example"], ""),
        (["dmarc=pass header.from=players.example"], "pass"),
        (
            [
                "dmarc=fail (p=reject) header.from=players.example",
                "spf=pass smtp.mailfrom=x@evil.example",
                "dkim=pass header.d=evil.example",
            ],
            "fail",
        ),
        (["dmarc=fail"], "fail"),
        (["spf=fail smtp.mailfrom=x@players.example"], "fail"),
        (["spf=hardfail smtp.mailfrom=x@evil.example"], "fail"),
        (["dkim=fail header.d=players.example"], "fail"),
        (["dkim=fail header.d=list.example"], ""),
        (["spf=softfail smtp.mailfrom=x@players.example", "dkim=none"], ""),
        (["spf=neutral smtp.mailfrom=x@players.example", "dkim=temperror header.d=players.example"], ""),
        (["spf=fail smtp.mailfrom=x@forwarder.example", "dkim=pass header.d=players.example"], "pass"),
        (["dkim=fail header.d=players.example", "spf=pass smtp.mailfrom=ann@players.example"], "pass"),
        (["none"], ""),
        (["dkim=fail (spf=pass smtp.mailfrom=players.example) header.d=players.example"], "fail"),
    ],
)
def test_what_a_trusted_server_found(results: list[str], verdict: str) -> None:
    assert found(*results) == verdict


def test_nobody_else_is_asked() -> None:
    assert found("dkim=pass header.d=players.example", name="mx.evil.example") == ""
    assert found("dmarc=fail", trusted="") == ""


@pytest.mark.parametrize(
    ("letter", "submitted", "precedence"),
    [
        ({}, "auto-generated", None),
        ({"answers": "<m@players.example>"}, "auto-generated", None),
        ({"facts": {"stranger": True}}, "auto-replied", "bulk"),
    ],
)
def test_what_a_letter_says_of_itself(
    letter: dict[str, object], submitted: str, precedence: str | None
) -> None:
    one = Letter(
        **{
            "id": "k7m",
            "channel": "mail",
            "text": "Welcome",
            "address": "ann@players.example",
            "token": "abcdefgh2345",
            **letter,
        }
    )  # type: ignore[arg-type]  # as named
    mail = email.message_from_bytes(compose(one, "ann@players.example", SETTINGS, 0).data)
    assert (mail["Auto-Submitted"], mail["Precedence"]) == (submitted, precedence)
    assert mail["X-Auto-Response-Suppress"] == "All"
