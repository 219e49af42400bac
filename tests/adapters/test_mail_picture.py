"""A letter's picture in a mail: inside the page, with its words, and the text whole without it."""
from __future__ import annotations

import email
import email.policy

from adapters.mail.composing import compose
from adapters.mail.settings import Settings
from referee.ports import Attachment, Letter, Picture

SETTINGS = Settings(address="ref@example.org", smtp_host="localhost", imap_host="localhost")
DATA = b"\x89PNG\r\n\x1a\n" + bytes(range(256))
PAGE = '<!DOCTYPE html><html><body><div style="max-width:600px"><p>Hello</p></div></body></html>'


def made(**other: object) -> email.message.EmailMessage:
    letter = Letter(id="7", channel="mail", address="ann@example.org", text="Hello", subject="x", token="abc", ref="g17",
                    picture=Picture("citadels-17.png", "image/png", DATA, 'Ann "<b>" & co', 630, 900), **{"markup": PAGE, **other})  # type: ignore[arg-type]  # any field may be given
    return email.message_from_bytes(compose(letter, "ann@example.org", SETTINGS, 1_700_000_000_000).data, policy=email.policy.default)  # type: ignore[return-value]  # the default policy makes them


def test_a_picture_stands_inside_the_page() -> None:
    mail = made()
    assert [part.get_content_type() for part in mail.walk()] == ["multipart/alternative", "text/plain", "multipart/related", "text/html", "image/png"]
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
    assert [str(part["Content-ID"]) for part in made().walk()] == [str(part["Content-ID"]) for part in made().walk()]


def test_without_a_page_there_is_no_picture() -> None:
    mail = made(markup="")
    assert [part.get_content_type() for part in mail.walk()] == ["text/plain"]
