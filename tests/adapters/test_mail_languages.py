"""The languages that a mail's headers tell: of its words, else of its program."""

from __future__ import annotations

from email import message_from_bytes

import pytest

from adapters.mail.envelope import wanted_languages


@pytest.mark.parametrize(
    ("headers", "found"),
    [
        ("Content-Language: pt-BR", "pt-BR"),
        ("Content-Language: pt-BR\nAccept-Language: en-US, pt-BR;q=0.8", "pt-BR, en-US"),
        ("Accept-Language: pt-BR, en-US", "pt-BR, en-US"),
        ("Content-Language: de, en", "de, en"),
        ("Subject: hello", ""),
        ("Content-Language: ", ""),
        ("Content-Language: =?utf-8?q?pt?=", ""),
        ("Content-Language: ../../etc", ""),
        ("Content-Language: p\u00fct", ""),
        ("Accept-Language: *;q=0.1", ""),
        ("content-language: PT-br", "PT-br"),
        ("Accept-Language: en;q=0.3, pt-BR;q=0.9, de;q=0", "pt-BR, en"),
        ("Accept-Language: fr, pt;q=x, en;q=0.1", "fr, en, pt"),
        ("Accept-Language: pt ; q=1.000 , en", "pt, en"),
        ("Content-Language: de\nAccept-Language: pt;q=1, de;q=0", "de, pt"),
        ("Accept-Language: pt;level=1", "pt"),
        ("Accept-Language: ;;,,;q=,q=1", ""),
    ],
)
def test_what_headers_tell(headers: str, found: str) -> None:
    assert wanted_languages(message_from_bytes(f"{headers}\n\nouro\n".encode())) == found


def test_a_header_without_end() -> None:
    assert (
        len(
            wanted_languages(
                message_from_bytes(b"Accept-Language: " + b"aa, bb, cc, dd, ee, ff, " * 5000 + b"\n\nouro\n")
            )
        )
        <= 80
    )
