"""Notices for browsers: encrypted and signed as the RFCs say, handed to push services and to nobody else."""

from __future__ import annotations

import base64
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec

from adapters.push import build, new_key, public_key
from adapters.push.adapter import BURST, EACH_MS, PushLimits
from adapters.push.encryption import FILLED, WrongKeys, encrypted
from adapters.push.outside import Forbidden, Outside
from referee.ports import Adapter, Fate, Letter, subscription_of
from tests.servers.push_service import LOOPBACK, PushService, UserAgent, push_service, unb64

KEY, NOW = new_key(), 1_790_000_000_000
BASE = "https://play.test"


@pytest.fixture
async def service() -> AsyncIterator[PushService]:
    async with push_service() as one:
        yield one


@pytest.fixture
async def channel() -> AsyncIterator[Adapter]:
    adapter = build(KEY, BASE, lambda: NOW, networks=LOOPBACK)
    yield adapter
    await adapter.stop()


def notice(endpoint: str, browser: UserAgent, text: str = "Game #17: it is your turn.") -> Letter:
    facts = {"endpoint": endpoint, "at": "/me/17", **browser.keys}
    return Letter("l1", "push", text, address="5", subject="Your turn", ref="g17", facts=facts)


def test_a_message_is_encrypted_as_the_example_of_rfc_8291() -> None:
    browser = UserAgent("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94", "BTBZMqHH6r4Tts7J_aSIgg")
    ours = int.from_bytes(unb64("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"), "big")
    said = b"When I grow up, I want to be a watermelon"
    made = encrypted(
        said,
        **browser.keys,
        ours=ec.derive_private_key(ours, ec.SECP256R1()),
        salt=unb64("DGv6ra1nlYgDCS1FRnbzlw"),
    )
    example = unb64(
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w"
        "EqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
    length = 21 + 65 + len(said) + 1  # after that the example ends, and we fill up
    assert made[:length] == example[:length]
    assert browser.opened(example) == browser.opened(made) == said


def test_every_message_is_as_long_as_every_other() -> None:
    browser = UserAgent()
    lengths = {len(encrypted(b"x" * n, **browser.keys)) for n in (0, 1, 100, FILLED - 1)}
    assert len(lengths) == 1
    with pytest.raises(ValueError, match="at most"):
        encrypted(b"x" * FILLED, **browser.keys)
    with pytest.raises(InvalidTag):
        UserAgent().opened(encrypted(b"x", **browser.keys))


@pytest.mark.parametrize("wrong", ["", "x", "AAAA", "B" * 87, "é" * 87])
def test_what_is_no_key_is_refused(wrong: str) -> None:
    with pytest.raises(WrongKeys):
        encrypted(b"x", wrong, UserAgent().keys["auth"])


async def test_a_notice_is_handed_over_signed_and_sealed(service: PushService, channel: Adapter) -> None:
    browser = UserAgent()
    receipt = await channel.send(notice(f"{service.url}/push/abc", browser))
    assert receipt.fate is Fate.SENT
    (came,) = service.handed
    claims = came.claims(public_key(KEY))
    assert (claims["aud"], claims["sub"]) == (service.url, BASE)
    assert 0 < claims["exp"] - NOW // 1000 <= 24 * 3600  # RFC 8292: a day at most
    assert (came.headers["Content-Encoding"], came.path) == ("aes128gcm", "/push/abc")
    assert int(came.headers["TTL"]) > 0
    assert json.loads(browser.opened(came.body)) == {
        "text": "Game #17: it is your turn.",
        "at": "/me/17",
        "tag": "g17",
        "silent": False,
    }
    assert len(came.headers["Topic"]) == 32  # the push service is told no number
    head, _, _ = came.headers["Authorization"].rpartition(".")
    forged = came._replace(headers={"Authorization": f"{head}.{'A' * 86}, k={public_key(KEY)}"})
    with pytest.raises(InvalidSignature):
        forged.claims(public_key(KEY))


@pytest.mark.parametrize(
    ("status", "headers", "fate", "retry_ms"),
    [
        (200, {}, Fate.SENT, 0),
        (404, {}, Fate.FAILED, 0),
        (410, {}, Fate.FAILED, 0),
        (400, {}, Fate.FAILED, 0),
        (403, {}, Fate.FAILED, 0),
        (401, {}, Fate.LATER, 0),  # our own token: by a clock that is wrong no browser is lost
        (429, {"Retry-After": "7"}, Fate.LATER, 7000),
        (429, {"Retry-After": "99999999"}, Fate.LATER, 3_600_000),
        (503, {"Retry-After": "Fri, 31 Dec 1999 23:59:59 GMT"}, Fate.LATER, 0),
        (500, {}, Fate.LATER, 0),
    ],
)
async def test_what_push_services_answer(
    service: PushService,
    channel: Adapter,
    status: int,
    headers: dict[str, str],
    fate: Fate,
    retry_ms: int,
) -> None:
    service.status, service.headers = status, headers
    receipt = await channel.send(notice(f"{service.url}/x", UserAgent()))
    assert (receipt.fate, receipt.retry_ms) == (fate, retry_ms)
    assert receipt.whole in (False, None)
    assert receipt.whole is False or fate is not Fate.LATER  # one browser's trouble is not the channel's
    assert receipt.reason != "unauthorised"  # nor the admin's


async def test_nothing_is_followed(service: PushService, channel: Adapter) -> None:
    service.status, service.headers = 307, {"Location": "/elsewhere"}
    assert (await channel.send(notice(f"{service.url}/x", UserAgent()))).fate is Fate.FAILED
    assert [one.path for one in service.handed] == ["/x"]


async def test_a_push_service_that_is_away_is_tried_again(channel: Adapter) -> None:
    receipt = await channel.send(notice("http://127.0.0.1:9/x", UserAgent()))
    assert (receipt.fate, receipt.whole) == (Fate.LATER, False)


INSIDE = (
    "https://127.0.0.1/x",
    "https://10.0.0.7/x",
    "https://192.168.1.1/x",
    "https://169.254.169.254/latest/meta-data",
    "https://100.64.0.1/x",
    "https://0.0.0.0/x",
    "https://224.0.0.1/x",
    "https://[::1]/x",
    "https://[::ffff:127.0.0.1]/x",
    "https://[fe80::1]/x",
    "https://[fd00::1]/x",
    "https://[fec0::1]/x",
    "https://[64:ff9b::7f00:1]/x",
    "https://[2002:7f00:1::]/x",
)


@pytest.mark.parametrize("address", INSIDE)
async def test_no_browser_makes_us_knock_at_our_own_doors(address: str) -> None:
    with pytest.raises(Forbidden):
        Outside().check(address)
    receipt = await build(KEY, BASE, lambda: NOW).send(notice(address, UserAgent()))
    assert (receipt.fate, receipt.reason) == (Fate.FAILED, "rejected")


@pytest.mark.parametrize("host", ["localhost", "2130706433", "127.1", "0x7f000001"])
async def test_nor_does_a_name_that_leads_there(host: str) -> None:
    adapter = build(KEY, BASE, lambda: NOW)
    receipt = await adapter.send(notice(f"https://{host}/x", UserAgent()))
    await adapter.stop()
    assert (receipt.fate, receipt.reason) == (Fate.FAILED, "rejected")


@pytest.mark.parametrize("host", ["2130706433", "127.1", "0177.0.0.1", "127.0.0.01", "0", "2852039166"])
def test_a_number_that_is_oddly_written_is_refused_whatever_aiohttp_makes_of_it(host: str) -> None:
    with pytest.raises(Forbidden):
        Outside(("10.0.0.0/8",)).check(f"https://{host}/x")


@pytest.mark.parametrize(
    "address",
    [
        "http://push.example/x",
        "https://push.example:22/x",
        "https://user:word@push.example/x",
        "ftp://push.example/x",
        "https:///x",
        "https://push.example:99999/x",
        "",
    ],
)
def test_only_https_on_its_own_port_is_called(address: str) -> None:
    with pytest.raises(Forbidden):
        Outside().check(address)


def test_what_is_on_the_internet_is_called() -> None:
    for address in ("https://fcm.googleapis.com/fcm/send/x", "https://8.8.8.8/x", "https://[2606:4700::1]/x"):
        Outside().check(address)
    assert Outside().allows("8.8.8.8")
    assert not Outside().allows("10.1.2.3")
    assert Outside(("10.0.0.0/8",)).allows("10.1.2.3")


def test_one_browser_is_told_only_so_often() -> None:
    limits = PushLimits()
    one, other = (Letter("l", "push", "", address=str(n)) for n in (1, 2))
    assert [limits.delay_ms(one, NOW) for _ in range(BURST)] == [0] * BURST
    assert limits.delay_ms(one, NOW) == EACH_MS
    assert limits.delay_ms(other, NOW) == 0
    assert limits.delay_ms(one, NOW + EACH_MS) == 0
    assert limits.delay_ms(one, NOW + EACH_MS) == EACH_MS
    assert limits.delay_ms(one, NOW - 10 * EACH_MS) <= EACH_MS  # a clock that was set back stops nobody


def test_what_a_page_says_of_its_browser_is_looked_at_first() -> None:
    good = {"endpoint": "https://push.example/a", **UserAgent().keys}
    assert subscription_of(good) is not None
    point = base64.urlsafe_b64encode(b"\x02" + b"x" * 64).decode()
    wrong: list[dict[str, Any]] = [
        {"endpoint": ""},
        {"endpoint": "https://push.example/" + "x" * 1000},
        {"endpoint": "https://push.example/\n"},
        {"endpoint": "https://push.example/a b"},
        {"endpoint": "javascript:alert(1)"},
        {"endpoint": "https://[x/"},
        {"endpoint": "https://u@push.example/"},
        {"endpoint": "https://push.example/é"},
        {"auth": "AAAA"},
        {"auth": "A" * 5000},
        {"p256dh": point},
        {"p256dh": "?" * 87},
        {"p256dh": ""},
    ]
    for one in wrong:
        assert subscription_of({**good, **one}) is None, one
    assert subscription_of({}) is None
