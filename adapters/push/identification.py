"""Who sends: a push service takes notices for a browser from the house to which the browser gave its leave,
and from nobody else (VAPID, RFC 8292).
"""

from __future__ import annotations

import json
from collections import OrderedDict
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

from .encryption import b64, point, unb64

#: for how long a token is good, and after how long another one is made, seconds
_GOOD_S, _USED_S = 12 * 3600, 6 * 3600
#: tokens of this many push services are kept
_KEPT = 64
_BYTES = 32


def new_key() -> str:
    """A new secret for a house, as its configuration keeps it."""
    numbers = ec.generate_private_key(ec.SECP256R1()).private_numbers()
    return b64(numbers.private_value.to_bytes(_BYTES, "big"))


def public_key(key: str) -> str:
    """What browsers are told of it.  Raises ValueError for what is no key."""
    return b64(point(_private(key).public_key()))


def _private(key: str) -> ec.EllipticCurvePrivateKey:
    raw = unb64(key)
    if len(raw) != _BYTES:
        raise ValueError("32 bytes in base64, for addresses")
    return ec.derive_private_key(int.from_bytes(raw, "big"), ec.SECP256R1())


class Identification:
    """The house's key, and the tokens that it has signed lately."""

    def __init__(self, key: str, base_url: str) -> None:
        self._key, self._public = _private(key), public_key(key)
        self._contact = base_url if base_url.startswith("https:") else ""
        self._tokens: OrderedDict[str, tuple[int, str]] = OrderedDict()

    def header(self, endpoint: str, now_s: int) -> str:
        """What goes into `Authorization` for the push service of that address."""
        parts = urlsplit(endpoint)
        service = f"{parts.scheme}://{parts.netloc}"
        made, token = self._tokens.get(service, (0, ""))
        if not token or abs(now_s - made) > _USED_S:
            token = self._signed(service, now_s + _GOOD_S)
            self._tokens[service] = now_s, token
        self._tokens.move_to_end(service)
        while len(self._tokens) > _KEPT:
            self._tokens.popitem(last=False)
        return f"vapid t={token}, k={self._public}"

    def _signed(self, service: str, until_s: int) -> str:
        """A JSON Web Token, ES256."""
        claims = {"aud": service, "exp": until_s, **({"sub": self._contact} if self._contact else {})}
        said = ".".join(b64(json.dumps(one).encode()) for one in ({"typ": "JWT", "alg": "ES256"}, claims))
        r, s = decode_dss_signature(self._key.sign(said.encode(), ec.ECDSA(hashes.SHA256())))
        return f"{said}.{b64(r.to_bytes(_BYTES, 'big') + s.to_bytes(_BYTES, 'big'))}"
