"""deploy/samples/mail on the real Postfix and OpenDKIM: letters go out signed, answers and bounces come back
to the referee.
"""

from __future__ import annotations

import asyncio
import re
import smtplib
import subprocess
from collections.abc import AsyncIterator, Iterator

import dkim
import pytest

from adapters import mail as channel
from referee.config import load
from referee.ports import Adapter, Fate, Letter, What
from tests.adapters.conformance import Desk, until
from tests.deploy.sampled_mail import DOMAIN, PLAYERS, SAMPLES, SampledMail
from tests.servers import mail
from tests.servers.mail_rig import wall_ms
from tests.servers.ports import free_ports
from tests.servers.submission_peer import Peer, Taken

TOKEN = "abcdefgh2345"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SampledMail]:
    mail.needed()
    (port,) = free_ports(1)
    server = SampledMail(tmp_path_factory.mktemp("sampled"), remote={PLAYERS: port})
    for one in (server.home, *server.home.parents[:3]):
        one.chmod(one.stat().st_mode | 0o055)  # pytest's folders are for nobody else
    server.start()
    yield server
    server.stop()


@pytest.fixture
async def players(server: SampledMail) -> AsyncIterator[Peer]:
    """The server of the players' domain."""
    peer = await Peer(port=server.ports.remote[PLAYERS]).start()
    yield peer
    await peer.stop()


@pytest.fixture
async def at_work(server: SampledMail) -> AsyncIterator[tuple[Adapter, Desk]]:
    """The mail channel with the sample's settings, but for where the servers are."""
    settings = (
        load(SAMPLES / "mail.toml", {})
        .channels["mail"]
        .model_copy(update={"lmtp_socket": str(server.socket), "smtp_port": server.ports.smtp})
    )
    adapter, desk = channel.build(settings, wall_ms), Desk()  # type: ignore[arg-type]  # they are mail's
    await adapter.start(desk)
    yield adapter, desk
    await adapter.stop()


async def sent(adapter: Adapter, players: Peer, number: str = "41") -> Taken:
    receipt = await adapter.send(
        Letter(
            id=number,
            channel="mail",
            address=f"ann@{PLAYERS}",
            text="Your turn.",
            subject="#17",
            token=TOKEN,
            ref="g17",
        )
    )
    assert receipt.fate is Fate.SENT, receipt
    return (await until(lambda: players.taken))[-1]


def from_outside(server: SampledMail, sender: str, to: str, raw: bytes) -> None:
    """Another server delivers, from another address than this machine's own."""
    with smtplib.SMTP("127.0.0.1", server.ports.smtp, source_address=("127.0.0.2", 0)) as line:
        line.sendmail(sender, [to], raw)


def test_postfix_takes_the_lines(server: SampledMail) -> None:
    done = subprocess.run(
        ["postconf", "-c", server.home / "postfix", "-n"], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0
    assert "unused parameter" not in done.stderr
    names = re.findall(r"^(\w+) =", (SAMPLES / "postfix-main.cf").read_text(), re.MULTILINE)
    assert len(names) >= 9
    assert set(names) <= set(re.findall(r"^(\w+) =", done.stdout, re.MULTILINE))


async def test_letters_go_out_signed_and_in_line_with_spf(
    server: SampledMail, players: Peer, at_work: tuple[Adapter, Desk]
) -> None:
    taken = await sent(at_work[0], players)
    record = server.record().encode()
    assert dkim.verify(
        taken.raw,
        dnsfunc=lambda name, timeout=5: record if name == f"referee._domainkey.{DOMAIN}.".encode() else b"",
    )
    signature = re.sub(r"\s", "", str(taken.mail["DKIM-Signature"]))
    assert f"d={DOMAIN};" in signature
    signed = re.search(r";h=([^;]+);", signature)
    assert signed
    assert {"from", "to", "subject", "message-id", "list-unsubscribe"} <= set(signed[1].lower().split(":"))
    assert taken.sender.endswith(f"@{DOMAIN}"), "DMARC: the envelope is of the same domain"
    assert re.fullmatch(rf"referee\+bounce\.41\.{TOKEN}@{DOMAIN}", taken.sender)


@pytest.mark.parametrize("signs", [True, False])
async def test_an_answer_comes_back_and_its_signature_is_told(
    server: SampledMail, players: Peer, at_work: tuple[Adapter, Desk], signs: bool
) -> None:
    adapter, desk = at_work
    letter = (await sent(adapter, players)).mail
    (address,) = re.findall(r"[\w.+-]+@[\w.-]+", str(letter["Reply-To"]))
    assert "+" in address
    answer = (
        f"From: ann@{PLAYERS}\r\nTo: {address}\r\nSubject: Re: #17\r\nMessage-ID: <{signs}@{PLAYERS}>\r\n"
        f"In-Reply-To: {letter['Message-ID']}\r\nAuthentication-Results: mx.{DOMAIN}; "
        f"dkim=pass header.d={PLAYERS}\r\n\r\ngold\r\n"
    ).encode()
    if signs:
        answer = (
            dkim.sign(answer, b"p", PLAYERS.encode(), (server.home / "dkim" / "p.private").read_bytes())
            + answer
        )
    await asyncio.to_thread(from_outside, server, f"ann@{PLAYERS}", address, answer)
    (said,) = await until(lambda: desk.said())
    assert (said.text, said.address, said.token) == ("gold", f"ann@{PLAYERS}", TOKEN)
    assert said.vouched is signs, (
        "a header that somebody wrote themselves is taken off, what OpenDKIM says is believed"
    )


async def test_who_does_not_exist_is_told_to_the_referee_by_the_letters_own_address(
    server: SampledMail, players: Peer, at_work: tuple[Adapter, Desk]
) -> None:
    adapter, desk = at_work
    players.say["RCPT"] = ["550 5.1.1 nobody of that name"]
    receipt = await adapter.send(
        Letter(id="42", channel="mail", address=f"gone@{PLAYERS}", text="Your turn.", token=TOKEN)
    )
    assert receipt.fate is Fate.SENT
    (back,) = await until(lambda: desk.said(What.BOUNCED))
    assert (back.facts["letter"], back.facts["permanent"], back.facts["status"]) == ("42", True, "5.1.1")


async def test_nobody_else_sends_through_it_or_writes_to_others_there(server: SampledMail) -> None:
    for to, code in ((f"ann@{PLAYERS}", 554), (f"nobody@{DOMAIN}", 550)):
        with pytest.raises(smtplib.SMTPRecipientsRefused) as refused:
            await asyncio.to_thread(from_outside, server, "spam@spam.test", to, b"Subject: x\r\n\r\nx\r\n")
        assert refused.value.recipients[to][0] == code


async def test_what_arrives_while_the_referee_is_away_waits(server: SampledMail) -> None:
    heads = f"From: ann@{PLAYERS}\r\nTo: referee@{DOMAIN}\r\nMessage-ID: <late@{PLAYERS}>\r\n"
    raw = f"{heads}\r\nhelp\r\n".encode()
    await asyncio.to_thread(from_outside, server, f"ann@{PLAYERS}", f"referee@{DOMAIN}", raw)
    settings = (
        load(SAMPLES / "mail.toml", {})
        .channels["mail"]
        .model_copy(update={"lmtp_socket": str(server.socket), "smtp_port": server.ports.smtp})
    )
    adapter, desk = channel.build(settings, wall_ms), Desk()  # type: ignore[arg-type]  # they are mail's
    await adapter.start(desk)
    try:
        (said,) = await until(lambda: desk.said())
    finally:
        await adapter.stop()
    assert said.text == "help"


def test_the_records_of_the_domain_are_of_the_form_that_others_read(server: SampledMail) -> None:
    zone = re.sub(r";[^\n\"]*\n(?=[^\"]*(?:\"[^\"]*\"[^\"]*)*$)", "\n", (SAMPLES / "dns.zone").read_text())
    texts = [
        "".join(re.findall(r'"([^"]*)"', one)) for one in re.findall(r"IN TXT (\([^)]*\)|\"[^\n]*)", zone)
    ]
    spf, key, dmarc = texts
    assert re.fullmatch(r"v=spf1 (\S+ )+-all", spf)
    assert key.split("p=")[0] == server.record().split("p=")[0], "as opendkim-genkey writes it"
    tags = dict(part.strip().split("=", 1) for part in dmarc.split(";"))
    assert (tags["v"], tags["p"] in ("none", "quarantine", "reject")) == ("DMARC1", True)
