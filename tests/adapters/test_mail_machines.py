"""Machines that answer: bounces, vacation notices, lists, and our own letters sent round in a circle.

First what real Postfix and Sieve write, then the headers of others.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from adapters.mail.addresses import Addresses
from adapters.mail.reading import Delivery, Reader
from referee.ports import Adapter, Fate, Inbound, Letter, What
from tests.adapters.conformance import until
from tests.servers import mail
from tests.servers.mail_rig import MailRig, rigged
from tests.servers.submission_peer import Peer

TOKEN = "abcdefgh2345"
VACATION = 'require ["vacation"];\nvacation :subject "Away" "gold; I am in Lisbon until 5.1.1 o\'clock";\n'


@pytest.fixture
async def rig(request: pytest.FixtureRequest) -> AsyncIterator[MailRig]:
    rig = await rigged(mail.shared(request.config))
    yield rig
    await rig.close()


@pytest.fixture
async def elsewhere(rig: MailRig) -> AsyncIterator[Peer]:
    """The server of another domain."""
    peer = await Peer(port=rig.server.ports.remote[mail.ELSEWHERE]).start()
    yield peer
    await peer.stop()


async def sent(one: Adapter, address: str) -> None:
    receipt = await one.send(Letter(id="41", channel="mail", address=address, text="Your turn.", token=TOKEN))
    assert receipt.fate is Fate.SENT, receipt


async def test_an_unknown_user_elsewhere_bounces(rig: MailRig, elsewhere: Peer) -> None:
    elsewhere.say["RCPT"] = ["550 5.1.1 nobody of that name"]
    one = rig.adapter()
    await one.start(rig.desk)
    await sent(one, f"gone@{mail.ELSEWHERE}")
    [back] = await until(lambda: rig.desk.said(What.BOUNCED))
    await one.stop()
    assert back.facts["letter"] == "41"
    assert back.facts["permanent"] is True
    assert back.facts["status"] == "5.1.1"
    assert back.facts["address"] == f"gone@{mail.ELSEWHERE}"
    assert "nobody of that name" in back.facts["reason"]
    assert back.token == TOKEN
    assert back.text == ""
    assert not rig.desk.said()


async def test_a_greylisting_server_gets_the_letter_in_the_end(rig: MailRig, elsewhere: Peer) -> None:
    elsewhere.say["RCPT"] = ["450 4.2.0 greylisted, come again"]
    one = rig.adapter()
    await one.start(rig.desk)
    await sent(one, f"ann@{mail.ELSEWHERE}")
    try:
        await until(lambda: elsewhere.taken)
    except AssertionError as never:  # Postfix keeps the letter, and only its log knows why
        raise AssertionError(rig.server.log()[-5000:]) from never
    await one.stop()
    assert elsewhere.taken[0].mail["Message-ID"] == f"<41.{TOKEN}@{mail.DOMAIN}>"
    assert not rig.desk.inbox  # no bounce for what was only late


async def test_our_letters_raise_no_vacation_notice(rig: MailRig) -> None:
    rig.server.sieve(rig.friend.account, VACATION)
    one = rig.adapter()
    await one.start(rig.desk)
    await sent(one, rig.person)
    await until(rig.mails)
    await rig.say("I am here")  # comes after any notice would have
    await until(lambda: rig.desk.said())
    await one.stop()
    assert not rig.desk.said(What.AUTO_REPLY)
    assert not rig.desk.said(What.BOUNCED)


async def test_a_vacation_notice_is_known_and_never_acted_upon(rig: MailRig) -> None:
    rig.server.sieve(rig.friend.account, VACATION)
    one = rig.adapter()
    await one.start(rig.desk)
    # a letter that lost its Auto-Submitted on the way: only then does Sieve answer
    owner = type(rig.friend)(rig.server, rig.account)
    mail_id = await asyncio.to_thread(owner.write, rig.person, "Your turn.")
    [notice] = await until(lambda: rig.desk.said(What.AUTO_REPLY))
    await one.stop()
    assert notice.address == rig.person
    assert notice.thread == mail_id
    assert notice.facts["machine"] == "auto-submitted"
    assert not rig.desk.said()


def read(*headers: str, body: str = "gold", to: str = "referee@game.test") -> Inbound:
    fields = list(headers)
    if not any(one.lower().startswith("from:") for one in fields):
        fields.append("From: Ann <ann@players.example>")
    raw = "\r\n".join([*fields, f"To: {to}", "Message-ID: <m@players.example>", "", body, ""]).encode()
    return Reader(Addresses("referee@game.test")).read(Delivery(raw, 0, len(raw)))


@pytest.mark.parametrize(
    ("header", "machine"),
    [
        ("Auto-Submitted: auto-replied (vacation)", "auto-submitted"),
        ("Auto-Submitted: Auto-Generated; x=y", "auto-submitted"),
        ("Precedence: bulk", "precedence"),
        ("Precedence: AUTO_REPLY", "precedence"),
        ("X-Autoreply: yes", "autoreply"),
        ("X-Autorespond: away", "autoreply"),
        ("X-Auto-Response-Suppress: All", "suppress"),
        ("List-Id: <players.example>", "list"),
        ("Return-Path: <>", "null-sender"),
        ("From: MAILER-DAEMON@players.example", "daemon"),
        ("From: Postmaster <postmaster@players.example>", "daemon"),
        ("X-Citadels-Referee: other@referee.example", "loop"),
        ("From: referee+abcdefgh2345@GAME.test", "loop"),
        ("From: referee@game.test", "loop"),
        ("Content-Type: multipart/report; report-type=disposition-notification; boundary=b", "report"),
    ],
)
def test_headers_of_machines(header: str, machine: str) -> None:
    got = read(header)
    assert got.what is What.AUTO_REPLY
    assert got.facts["machine"] == machine


@pytest.mark.parametrize(
    "header",
    [
        "Auto-Submitted: no",
        "Auto-Submitted: No (a person)",
        "Precedence: first-class",
        "Return-Path: <ann@players.example>",
        "X-Auto-Response-Suppress: DR, RN, NRN, OOF",
        "Subject: Out of office",
        "Subject: Undelivered Mail Returned to Sender",
        "From: referee@players.example",
        "From: robo+referee@game.test",
    ],
)
def test_headers_of_people(header: str) -> None:
    assert read(header).what is What.MESSAGE


@pytest.mark.parametrize("answered", ["In-Reply-To", "References"])
def test_a_companys_footer_makes_no_newsletter_of_a_players_answer(answered: str) -> None:
    footer = "List-Unsubscribe: <mailto:out@players.example>"
    assert read(footer).what is What.AUTO_REPLY
    assert read(footer, f"{answered}: <news.1@players.example>").what is What.AUTO_REPLY
    assert read(footer, f"{answered}: <41.{TOKEN}@game.test>").what is What.MESSAGE
    assert read(footer, "List-Id: x", f"{answered}: <41.{TOKEN}@game.test>").what is What.AUTO_REPLY


@pytest.mark.parametrize(
    ("domain", "known"),
    [
        ("bücher.example", "xn--bcher-kva.example"),
        ("BÜCHER.example", "xn--bcher-kva.example"),
        ("xn--bcher-kva.example", "xn--bcher-kva.example"),
        ("straße.example", "xn--strae-oqa.example"),  # "strasse" is somebody else
    ],
)
def test_who_writes_from_a_domain_with_accents_is_known_and_can_be_answered(domain: str, known: str) -> None:
    got = read(f"From: Ann <ann@{domain}>")
    assert (got.what, got.address) == (What.MESSAGE, f"ann@{known}")


@pytest.mark.parametrize("domain", ["bü..example", "ü" * 70, "é." * 2000 + "example"])
def test_what_is_no_domain_is_nobodys(domain: str) -> None:
    assert read(f"From: Ann <ann@{domain}>").what is What.AUTO_REPLY


def test_a_vacation_notice_to_the_bounce_address_is_no_bounce() -> None:
    got = read(
        "Auto-Submitted: auto-replied (vacation)",
        "Return-Path: <>",
        body="back at 5.1.1",
        to=f"referee+bounce.41.{TOKEN}@game.test",
    )
    assert got.what is What.AUTO_REPLY
    assert got.token == TOKEN


def test_a_bounce_without_a_report_is_told_by_its_address_and_code() -> None:
    got = read(
        "Return-Path: <>",
        "From: MAILER-DAEMON@old.example",
        body="I could not deliver it: 550 5.7.1 refused",
        to="referee+bounce.41@game.test",
    )
    assert got.what is What.BOUNCED
    assert got.facts["letter"] == "41"
    assert (got.facts["permanent"], got.facts["unwanted"]) == (False, True), "the address may be right"
    assert got.facts["status"] == "5.7.1"
    exim = read(
        "From: Mail Delivery System <Mailer-Daemon@exim.example>",
        "X-Failed-Recipients: ANN@players.example",
        "Auto-Submitted: auto-replied",
        to=f"referee+bounce.41.{TOKEN}@game.test",
    )
    assert exim.what is What.BOUNCED
    assert exim.facts["permanent"] is True
    assert exim.facts["address"] == "ann@players.example"


def report(action: str, status: str) -> Inbound:
    body = (
        "--b\r\nContent-Type: text/plain\r\n\r\nSorry.\r\n--b\r\nContent-Type: "
        "message/delivery-status\r\n\r\nReporting-MTA: dns; mx.x\r\n\r\n"
        f"Final-Recipient: rfc822; "
        f"Ann@players.example\r\nAction: {action}\r\nStatus: {status}\r\nDiagnostic-Code: "
        f"smtp; {status} because\r\n"
        f"\r\n--b\r\nContent-Type: text/rfc822-headers\r\n\r\nFrom: x\r\nMessage-ID: "
        f"<41.{TOKEN}@game.test>\r\n--b--"
    )
    return read(
        "Content-Type: multipart/report; report-type=delivery-status; boundary=b",
        "Auto-Submitted: auto-replied",
        "From: MAILER-DAEMON@mx.x",
        body=body,
    )


@pytest.mark.parametrize(
    ("action", "status", "permanent", "unwanted"),
    [
        ("failed", "5.1.1", True, False),
        ("delayed", "4.4.1", False, False),
        ("failed", "4.4.7", False, False),
        ("failed", "5.7.26", False, True),
        ("failed", "5.1.8", False, True),
        ("failed", "5.4.5", False, True),
        ("failed", "5.3.4", False, True),
        ("failed", "5.7.13", True, False),
        ("delayed", "5.7.1", False, False),
    ],
)
def test_reports_name_the_letter_by_its_headers(
    action: str, status: str, permanent: bool, unwanted: bool
) -> None:
    got = report(action, status)
    assert got.what is What.BOUNCED
    assert (got.facts["letter"], got.facts["permanent"], got.facts["status"]) == ("41", permanent, status)
    assert got.facts["unwanted"] is unwanted, "a policy or a size says nothing of the address"
    assert got.facts["address"] == "ann@players.example"
    assert got.token == TOKEN


@pytest.mark.parametrize("action", ["delivered", "relayed", "expanded", ""])
def test_a_report_that_all_is_well_is_no_bounce(action: str) -> None:
    assert report(action, "2.0.0").what is What.AUTO_REPLY


@pytest.mark.parametrize(
    "sender",
    [
        "From: a@x.example, b@x.example",
        "From: nobody",
        "From: a@x.example\r\nFrom: b@x.example",
        "From:",
        "From: <a b@x.example>",
        'From: "a@x.example" <>',
    ],
)
def test_a_sender_that_is_not_one_person_is_nobody(sender: str) -> None:
    got = read(*sender.split("\r\n"))
    assert got.what is What.AUTO_REPLY
    assert got.facts["malformed"] == "from"
    assert got.address == ""
