"""Letters that come back in the forms of servers that write no report, and mails that only look like it.

The samples are ours, in the shape of their programs: only the lines by which a form is known are theirs.
"""

from __future__ import annotations

import pytest

from adapters.mail.addresses import Addresses
from adapters.mail.automatic_mail import bounce
from adapters.mail.mime import parsed
from adapters.mail.reading import Delivery, Reader
from referee.ports import Inbound, Letter, What

TOKEN = "abcdefgh2345"
OURS = Addresses("referee@game.test")
LETTER = Letter(id="k7m", channel="mail", address="gone@players.example", text="Your turn.", token=TOKEN)
VERP = OURS.bounce(LETTER)
ID = OURS.message_id(LETTER)
HEAD = (
    f"Return-Path: <{VERP}>\nFrom: Citadels <referee@game.test>\nTo: gone@players.example\nSubject: "
    f"[#550 ] your turn\nMessage-ID: {ID}"
)


def read(body: str, *headers: str, to: str = VERP) -> Inbound:
    raw = "\r\n".join(
        [*headers, f"To: {to}", "Message-ID: <b1@mx.example>", "", *body.splitlines(), ""]
    ).encode()
    return Reader(OURS).read(Delivery(raw, 0, len(raw)))


QMAIL = f"""Hi. This is the qmail-send program at mx.example.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<gone@players.example>:
Nobody is called so here.

--- Below this line is a copy of the message.

{HEAD}

Your turn.
"""
EXCHANGE = """Ihre Nachricht hat einige oder alle Empfänger nicht erreicht.

      Betreff: Du bist dran
      Gesendet am: 20.11.2026 19:41

Folgende Empfänger waren nicht zu erreichen:

      gone@players.example am 20.11.2026 19:42
            Das Postfach gibt es nicht.{code}
"""
EXIM = f"""This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address failed:

  gone@players.example
    host mx.players.example: 550 no such mailbox

------ This is a copy of the message, including all the headers. ------

{HEAD}
"""
LOTUS = """Your message

  Subject: [#17] your turn

was not delivered to:

  gone@players.example

because:

  User gone is not listed (5.1.1)
"""
NULL, DAEMON = "Return-Path: <>", "From: Mail Delivery <MAILER-DAEMON@mx.example>"
FORMS = {
    "qmail": (QMAIL, (NULL, DAEMON), True, ""),
    "qmail, codes in it": (
        QMAIL.replace("called so here.", "called so here. (#5.1.1)"),
        (NULL, DAEMON),
        True,
        "5.1.1",
    ),
    "German Exchange": (
        EXCHANGE.format(code=""),
        (NULL, "From: Systemadministrator <postmaster@players.example>"),
        False,
        "",
    ),
    "German Exchange, with a code": (
        EXCHANGE.format(code="\n            <mx.players.example #5.1.1 SMTP; 550 5.1.1>"),
        (NULL, "From: System <postmaster@players.example>"),
        True,
        "5.1.1",
    ),
    "German Exchange that tells no sender": (
        EXCHANGE.format(code=""),
        ("From: Systemadministrator <sysadm@players.example>",),
        False,
        "",
    ),
    "Exim": (
        EXIM,
        (NULL, DAEMON, "X-Failed-Recipients: gone@players.example", "Auto-Submitted: auto-replied"),
        True,
        "",
    ),
    "Exim, its header lost": (EXIM, (NULL, DAEMON), True, ""),
    "Lotus": (LOTUS, (NULL, "From: Router <router@players.example>"), True, "5.1.1"),
    "full for now": (f"The mailbox is full, 452 4.2.2 come again\n\n{HEAD}", (NULL, DAEMON), False, "4.2.2"),
    "nothing but the letter": (f"{HEAD}\n\nYour turn.", (NULL, DAEMON), False, ""),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_letter_that_came_back_in_words(form: str) -> None:
    body, headers, lasting, status = FORMS[form]
    got = read(body, *headers)
    assert got.what is What.BOUNCED
    assert (got.facts["letter"], got.token) == ("k7m", TOKEN)
    assert (got.facts["permanent"], got.facts["failed"], got.facts["status"]) == (lasting, True, status)
    assert got.text == ""


@pytest.mark.parametrize(
    "form", [one for one in FORMS if "copy" in FORMS[one][0] or "Message-ID" in FORMS[one][0]]
)
def test_the_letter_itself_names_it_where_the_envelope_was_lost(form: str) -> None:
    body, headers, lasting, _ = FORMS[form]
    got = read(body, *headers, to="referee@game.test")
    assert got.what is What.BOUNCED
    assert (got.token, got.facts["permanent"]) == (TOKEN, lasting)


@pytest.mark.parametrize("kind", ["message/rfc822", "text/rfc822-headers"])
def test_a_returned_letter_beside_words_nobody_foresaw(kind: str) -> None:
    body = (
        f"--b\nContent-Type: text/plain; charset=utf-8\n\nТакого здесь "
        f"нет.\n--b\nContent-Type: {kind}\n\n{HEAD}\n\n--b--"
    )
    got = read(
        body,
        NULL,
        DAEMON,
        "MIME-Version: 1.0",
        "Content-Type: multipart/mixed; boundary=b",
        to="referee@game.test",
    )
    assert got.what is What.BOUNCED
    assert (got.token, got.facts["permanent"]) == (TOKEN, False)


@pytest.mark.parametrize(
    "headers",
    [
        (NULL,),
        (DAEMON,),
        ("From: Ann <ann@players.example>",),
        ("From: Ann <ann@players.example>", "Auto-Submitted: auto-replied"),
        ("From: Ann <ann@players.example>", "Subject: Out of office"),
    ],
)
def test_what_comes_to_an_envelope_is_no_persons_word(headers: tuple[str, ...]) -> None:
    """No mail program shows that address: whatever answers there answers by itself, and brings nothing
    back.
    """
    got = read("I am out of office.\ngold", *headers)
    assert got.what is What.AUTO_REPLY


@pytest.mark.parametrize("body", [QMAIL, EXCHANGE.format(code=" 550 5.1.1"), EXIM, LOTUS, HEAD])
def test_the_same_words_by_a_person_are_a_persons(body: str) -> None:
    """Somebody forwards what they got, and asks: no address is closed for that."""
    got = read(
        body, "Return-Path: <ann@players.example>", "From: Ann <ann@players.example>", to="referee@game.test"
    )
    assert got.what is What.MESSAGE


@pytest.mark.parametrize(
    "body",
    [
        body.replace(ID, "<k7m.zzzz@elsewhere.test>").replace(VERP, "someone@elsewhere.test")
        for body in (QMAIL, EXIM, LOTUS, EXCHANGE.format(code=" 5.1.1"))
    ],
)
def test_without_anything_of_ours_it_is_on_record_and_closes_nothing(body: str) -> None:
    got = read(body, NULL, DAEMON, to="referee@game.test")
    assert got.what is What.AUTO_REPLY
    assert not got.token


def test_numbers_in_the_letter_itself_are_no_codes() -> None:
    got = read(f"Sorry.\n\n{HEAD}\n\nGame 550 is over, 5.1.1 points", NULL, DAEMON)
    assert (got.what, got.facts["permanent"]) == (What.BOUNCED, False)


def test_our_domain_ten_thousand_times_costs_nothing() -> None:
    mail = parsed((f"{NULL}\nTo: {VERP}\n\n" + "a" * 200 + "@game.test " * 10_000).encode())
    assert bounce(mail, [], OURS) is None
