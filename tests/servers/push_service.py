"""A browser's push service on loopback, and the browser behind it: what is handed over is opened by the rules
(RFC 8291, RFC 8188, RFC 8292) with the browser's own keys, by no code of ours.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

from aiohttp import web
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

LOOPBACK = ("127.0.0.0/8",)


def b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _expanded(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    """HKDF with SHA-256, of one block (RFC 5869)."""
    drawn = hmac.digest(salt, secret, hashlib.sha256)
    return hmac.digest(drawn, info + b"\x01", hashlib.sha256)[:length]


class UserAgent:
    """A browser's keys, as it makes them when it subscribes."""

    def __init__(self, private: str = "", auth: str = "") -> None:
        number = int.from_bytes(unb64(private), "big") if private else 0
        curve = ec.SECP256R1()
        self._key = ec.derive_private_key(number, curve) if number else ec.generate_private_key(curve)
        self._auth = unb64(auth) if auth else os.urandom(16)
        self._point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.keys = {"p256dh": b64(self._point), "auth": b64(self._auth)}

    def opened(self, body: bytes) -> bytes:
        """What a request's body says.  Raises InvalidTag for one that was not made for this browser."""
        salt, length = body[:16], body[20]
        theirs, sealed = body[21 : 21 + length], body[21 + length :]
        assert len(sealed) <= int.from_bytes(body[16:20], "big")
        sender = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs)
        shared = self._key.exchange(ec.ECDH(), sender)
        seed = _expanded(self._auth, shared, b"WebPush: info\x00" + self._point + theirs, 32)
        key = _expanded(salt, seed, b"Content-Encoding: aes128gcm\x00", 16)
        nonce = _expanded(salt, seed, b"Content-Encoding: nonce\x00", 12)
        plain = AESGCM(key).decrypt(nonce, sealed, None).rstrip(b"\x00")
        assert plain.endswith(b"\x02")
        return plain[:-1]


class Handed(NamedTuple):
    """One request: where, with which headers, what was in it."""

    path: str
    headers: Any
    body: bytes

    def claims(self, key: str) -> dict[str, Any]:
        """What its token says; raises InvalidSignature where the house with that key did not sign it."""
        scheme, _, rest = self.headers["Authorization"].partition(" ")
        said = dict(part.strip().split("=", 1) for part in rest.split(","))
        assert (scheme, said["k"]) == ("vapid", key)
        head, claims, signature = said["t"].split(".")
        raw = unb64(signature)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), unb64(key)).verify(
            encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big")),
            f"{head}.{claims}".encode(),
            ec.ECDSA(hashes.SHA256()),
        )
        assert json.loads(unb64(head)) == {"typ": "JWT", "alg": "ES256"}
        found: dict[str, Any] = json.loads(unb64(claims))
        return found


class PushService:
    """Answers with `status` and `headers`; `handed` is what came."""

    def __init__(self) -> None:
        self.handed: list[Handed] = []
        self.status, self.headers = 201, dict[str, str]()
        self.url = ""

    async def take(self, request: web.Request) -> web.Response:
        self.handed.append(Handed(request.path, request.headers.copy(), await request.read()))
        return web.Response(status=self.status, headers=self.headers)


@asynccontextmanager
async def push_service() -> AsyncIterator[PushService]:
    """One that listens."""
    service = PushService()
    app = web.Application()
    app.router.add_route("*", "/{rest:.*}", service.take)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    service.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield service
    finally:
        await runner.cleanup()
