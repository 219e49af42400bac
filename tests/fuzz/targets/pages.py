"""What a browser sends: addresses, queries, forms, cookies and headers."""

from __future__ import annotations

from contextlib import suppress
from urllib.parse import urlencode

from aiohttp import web
from aiohttp.test_utils import make_mocked_request

from adapters.push.encryption import WrongKeys, encrypted
from adapters.push.outside import Forbidden, Outside
from adapters.web import guard, player_pages
from adapters.web.client_limits import ClientLimits
from adapters.web.form_checks import from_ours
from adapters.web.sign_in import cookie_of
from referee.ports import Visitor, subscription_of
from referee.service.web.own import forms
from tests.fuzz import corpora, mutating
from tests.fuzz.running import Target

VISITOR = Visitor(1, 2, "key", "Ann", "en")
#: a browser that wants to be told (its keys are those of RFC 8291's example)
_BROWSER = {
    "endpoint": "https://push.example:443/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV",
    "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    "auth": "BTBZMqHH6r4Tts7J_aSIgg",
}


def _header(said: str) -> str:
    return (
        said.replace("\r", " ")
        .replace("\n", " ")
        .encode("utf-8", "replace")
        .decode("utf-8", "surrogateescape")
        .replace("\0", "")
    )


def _request(said: str) -> None:
    """An address with a query, and headers: each is cut from the text."""
    path, _, rest = said.partition("?")
    query, _, header = rest.partition(" ")
    address = (
        "/" + "".join(c for c in f"{path}?{query}" if c.isascii() and c.isprintable() and c != " ")[:8000]
    )
    try:
        request = make_mocked_request(
            "GET",
            address,
            headers={
                "Accept-Language": _header(header)[:8000],
                "Cookie": f"citadels={_header(header)[:300]}; lang={_header(path)[:300]}",
                "X-Forwarded-For": _header(query)[:8000],
                "Origin": _header(header)[:300],
            },
        )
    except ValueError:
        return  # no address at all: refused before anything of ours sees it
    since, question, way = player_pages.asked(request)
    assert len(since) <= 80
    assert 0 <= question < 10**9
    assert len(player_pages.key_of(request)) <= 17
    assert all(0 <= one < 1000 for one in way)
    assert len(guard.language_of(request)) <= 500
    cookie_of(request)
    from_ours(request, "https://x")
    callers = ClientLimits(lambda: 0, proxied=True)
    callers.wrong(request)
    assert len(callers.who(request)) <= 64


def _form(said: bytes) -> None:
    try:
        fields = player_pages.fields_of(said.decode("utf-8", "replace"))
    except ValueError:
        return  # answered with a page: more fields than a form of ours has
    assert player_pages.number(fields.get("question", ""), 9) < 10**9
    form = forms.open_form(b"key", VISITOR, fields.get("form", ""))
    assert form is None or form.at_ms < 10**15
    before = forms.sent_before(fields.get("order", ""))
    assert before is None or before.at_ms < 10**15
    wanted = subscription_of(fields)
    if wanted is not None:  # what the channel of notices does with it, up to the call itself
        with suppress(Forbidden, WrongKeys):
            Outside().check(wanted.endpoint)
            encrypted(b"x", wanted.p256dh, wanted.auth)
    "\n".join(f"{k}{v}" for k, v in fields.items()).encode("utf-8")


def _addresses() -> tuple[str, ...]:
    return (
        *(
            one.lstrip("/")
            for one in corpora.literals("service/web/test_*.py", "adapters/test_web.py")
            if one.startswith("/")
        ),
        "me/17?way=1.2.3&q=12&since=x pt-br,en;q=0.5",
        "t/17?lang=pt-br&way=1 en-GB,en;q=0.9,*;q=0.1",
        "me?since=1790000000000.AAAAAAAAAAAAAAAA.0123456789abcdef de",
    )


def _forms() -> tuple[bytes, ...]:
    token = forms.token(b"key", VISITOR, 1_790_000_000_000)
    return (
        f"form={token}&order=gold&question=12&key=k-1".encode(),
        f"form={token}&{urlencode(_BROWSER)}".encode(),
        b"order=build+market%3B+end&form=x&question=%D9%A3",
        b"order=%F0%9F%8E%B2&key=&form=1790000000000.AAAAAAAAAAAAAAAA." + b"0" * 40,
    )


TARGETS = (
    Target("address", mutating.text, _addresses, _request, 550, (web.HTTPException,)),
    Target("form", mutating.raw, _forms, _form, 550),
)
