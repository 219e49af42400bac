"""A browser that wants to be told: where its push service takes notices for it, and its keys, as a script on
a page gave them (W3C's Push API). All of it is anybody's word.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from urllib.parse import urlsplit

#: the longest address that is kept; those of today's push services have some 200 signs
LONGEST = 1000
_POINT, _SECRET = 65, 16


@dataclass(frozen=True, slots=True)
class PushSubscription:
    """`p256dh` is the browser's public key, `auth` a secret that it shares with us, both as it wrote them."""

    endpoint: str
    p256dh: str
    auth: str

    def fields(self) -> dict[str, str]:
        """The same by name."""
        return asdict(self)


def subscription_of(said: Mapping[str, str]) -> PushSubscription | None:
    """What a page said; None where it can't be one.  What may be called is `adapters.push`'s to know."""
    endpoint, p256dh, auth = (said.get(name, "") for name in ("endpoint", "p256dh", "auth"))
    if not (0 < len(endpoint) <= LONGEST and endpoint.isascii() and endpoint.isprintable()):
        return None
    try:
        parts = urlsplit(endpoint)
        known = parts.scheme in ("https", "http") and bool(parts.hostname) and parts.username is None
        _ = parts.port
    except ValueError:
        return None
    point = _bytes(p256dh)
    whole = known and " " not in endpoint and len(point) == _POINT and point[0] == 4
    return PushSubscription(endpoint, p256dh, auth) if whole and len(_bytes(auth)) == _SECRET else None


def _bytes(text: str) -> bytes:
    """What base64 for addresses stands for, b"" for what is none."""
    if len(text) > 2 * _POINT or not text.isascii():
        return b""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except ValueError:
        return b""
