"""A letter's picture in a mail: inside the page, with its words, and the text whole without it."""

from __future__ import annotations

import email
import email.policy
import random
from email.message import EmailMessage
from email.mime.image import MIMEImage

import pytest

from adapters.mail.addresses import Addresses
from adapters.mail.composing import compose
from adapters.mail.reading import Delivery, Reader
from adapters.mail.settings import Settings
from referee.ports import Attachment, Letter, Picture

SETTINGS = Settings(address="ref@example.org", smtp_host="localhost", imap_host="localhost")
DATA = b"\x89PNG\r\n\x1a\n" + bytes(range(256))
PAGE = '<!DOCTYPE html><html><body><div style="max-width:600px"><p>Hello</p></div></body></html>'


def made(**other: object) -> email.message.EmailMessage:
    letter = Letter(
        id="7",
        channel="mail",
        address="ann@example.org",
        text="Hello",
        subject="x",
        token="abc",
        ref="g17",
        **{
            "picture": Picture("citadels-17.png", "image/png", DATA, 'Ann "<b>" & co', 630, 900),
            "markup": PAGE,
            **other,
        },
    )  # type: ignore[arg-type]  # any field may be given
    return email.message_from_bytes(
        compose(letter, "ann@example.org", SETTINGS, 1_700_000_000_000).data, policy=email.policy.default
    )  # type: ignore[return-value]  # the default policy makes them


def test_a_picture_stands_inside_the_page() -> None:
    mail = made()
    assert [part.get_content_type() for part in mail.walk()] == [
        "multipart/alternative",
        "text/plain",
        "multipart/related",
        "text/html",
        "image/png",
    ]
    text, page, picture = (part for part in mail.walk() if not part.is_multipart())
    assert text.get_content().strip() == "Hello"
    assert picture.get_content() == DATA
    assert picture.get_content_disposition() == "inline"
    name = str(picture["Content-ID"]).strip("<>")
    shown = page.get_content()
    assert f'src="cid:{name}"' in shown
    assert 'alt="Ann &quot;&lt;b&gt;&quot; &amp; co"' in shown
    assert shown.index("<p>Hello</p>") < shown.index("<img") < shown.index("</div></body>")


def test_files_come_after_it_and_the_same_letter_is_the_same_mail() -> None:
    mail = made(attachments=(Attachment("a.csv", "text/csv; charset=utf-8", b"1,2\r\n"),))
    assert mail.get_content_type() == "multipart/mixed"
    assert [part.get_filename() for part in mail.iter_attachments()] == ["a.csv"]
    assert [str(part["Content-ID"]) for part in made().walk()] == [
        str(part["Content-ID"]) for part in made().walk()
    ]


def test_without_a_page_there_is_no_picture() -> None:
    mail = made(markup="")
    assert [part.get_content_type() for part in mail.walk()] == ["text/plain"]


def answered(letter: email.message.EmailMessage, **shown: str) -> EmailMessage:
    """An answer as programs write it that quote the page with what it shows."""
    text, page, picture = (part for part in letter.walk() if not part.is_multipart())
    answer = EmailMessage()
    answer["From"], answer["To"], answer["Subject"], answer["In-Reply-To"] = (
        "ann@example.org",
        str(letter["Reply-To"]),
        "Re: x",
        str(letter["Message-ID"]),
    )
    answer.set_content(
        f"build market\n\nOn Sat, 21 Nov 2026 at 10:00, the referee <ref@example.org> "
        f"wrote:\n> {text.get_content().strip()}\n"
    )
    answer.add_alternative(
        f"<div>build market</div><blockquote>{page.get_content()}</blockquote>", subtype="html"
    )
    if shown:
        answer.make_mixed()
        answer.attach(MIMEImage(picture.get_content(), "png", **{"name": "citadels-17.png"}))
        for name, value in shown.items():
            list(answer.iter_parts())[-1][name.replace("_", "-")] = value
    else:
        related = list(answer.iter_parts())[-1]
        assert isinstance(related, EmailMessage)
        related.add_related(
            picture.get_content(),
            "image",
            "png",
            cid=str(picture["Content-ID"]),
            disposition="inline",
            filename="citadels-17.png",
        )
    return answer


# quoted as it was; put beside the words, without its Content-ID; as a file
@pytest.mark.parametrize(
    "shown",
    [
        {},
        {"Content_Disposition": 'inline; filename="citadels-17.png"'},
        {"Content_Disposition": 'attachment; filename="citadels-17.png"'},
    ],
)
def test_an_answer_that_brings_the_picture_back_is_read_and_nothing_is_said_of_files(
    shown: dict[str, str],
) -> None:
    picture = Picture(
        "citadels-17.png", "image/png", random.Random(7).randbytes(200_000), "the table", 630, 900
    )  # 200 kB: as large as they may be
    whole = answered(made(picture=picture), **shown).as_bytes(policy=email.policy.SMTP)
    assert 256_000 < len(whole) < SETTINGS.max_bytes
    inbound = Reader(Addresses(SETTINGS.address)).read(Delivery(whole, 0, len(whole)))
    assert inbound.text.strip() == "build market"
    assert "attachments" not in inbound.facts


def test_a_file_of_one_s_own_is_told_of() -> None:
    answer = answered(made())
    answer.add_attachment(b"x", "application", "pdf", filename="citadels-17.pdf")
    data = answer.as_bytes(policy=email.policy.SMTP)
    assert Reader(Addresses(SETTINGS.address)).read(Delivery(data, 0, len(data))).facts["attachments"] == 1
