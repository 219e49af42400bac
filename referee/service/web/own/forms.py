"""What proves that a form is ours: a token in it that is made for one browser and one showing of a page.

It tells when the page was made, so that the answers since then can be shown, and it names what is sent with
it, so that the same form sent twice acts once. Nobody can make one who does not know the installation's
secret and the browser's own.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from typing import NamedTuple

from referee.ports import Visitor

_FORM = re.compile(r"^(?P<at>[0-9]{1,15})\.(?P<nonce>[A-Za-z0-9_-]{16})\.(?P<mac>[0-9a-f]{40})$")


_SENT = re.compile(r"^(?P<at>[0-9]{1,15})[.](?P<nonce>[A-Za-z0-9_-]{16})[.](?P<content>[0-9a-f]{16})$")


class ReturnedForm(NamedTuple):
    """A form that came back: when its page was made, and its own name."""

    at_ms: int
    nonce: str


class SubmittedForm(NamedTuple):
    """Something that was sent: when the page was made on which it stood, and its name, which is the same for
    the same words on the same page.
    """

    at_ms: int
    name: str

    def key(self, visitor: Visitor) -> str:
        """What the inbox knows it by."""
        return f"{visitor.session}.{self.name}"


def sent(form: ReturnedForm, content: str) -> SubmittedForm:
    """What is sent with a form."""
    return SubmittedForm(
        form.at_ms, f"{form.at_ms}.{form.nonce}.{hashlib.sha256(content.encode()).hexdigest()[:16]}"
    )


def sent_before(name: str) -> SubmittedForm | None:
    """The same by its name, out of an address; None for what is no such name."""
    found = _SENT.match(name)
    return None if found is None else SubmittedForm(int(found["at"]), name)


def token(key: bytes, visitor: Visitor, now_ms: int) -> str:
    """The token of a form that is shown now."""
    head = f"{now_ms}.{secrets.token_urlsafe(12)}"
    return f"{head}.{_mac(key, visitor, head)}"


def open_form(key: bytes, visitor: Visitor, text: str) -> ReturnedForm | None:
    """The form that a token belongs to; None for one that was not made for this browser."""
    found = _FORM.match(text)
    if found is None or not hmac.compare_digest(
        found["mac"], _mac(key, visitor, f"{found['at']}.{found['nonce']}")
    ):
        return None
    return ReturnedForm(int(found["at"]), found["nonce"])


def _mac(key: bytes, visitor: Visitor, head: str) -> str:
    return hmac.new(key, f"form {visitor.session} {visitor.key} {head}".encode(), hashlib.sha256).hexdigest()[
        :40
    ]
