"""A message for one browser, which nobody between can read: RFC 8291, in the coding aes128gcm of RFC 8188."""

from __future__ import annotations

import base64
import os

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

#: the size of a record, and to how many bytes every message is filled up: its length tells nothing
RECORD, FILLED = 4096, 1024
#: how the last record ends, before what fills it up
_LAST = b"\x02"


class WrongKeys(ValueError):
    """The browser's keys are none."""


def b64(data: bytes) -> str:
    """Base64 for addresses and headers, without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(text: str) -> bytes:
    """What it stands for.  Raises ValueError."""
    return base64.urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))


def point(key: ec.EllipticCurvePublicKey) -> bytes:
    """A public key as it travels: 65 bytes."""
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def encrypted(
    message: bytes,
    p256dh: str,
    auth: str,
    *,
    ours: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """The body of the request.  `p256dh` and `auth` are the browser's keys; `ours` and `salt` are new each
    time unless a test says which.  Raises WrongKeys, and ValueError for a message that is too long.
    """
    if len(message) >= FILLED:
        raise ValueError(f"a message has at most {FILLED - 1} bytes")
    try:
        theirs_point, secret = unb64(p256dh), unb64(auth)
        theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs_point)
    except ValueError as wrong:
        raise WrongKeys(str(wrong)) from wrong
    ours = ours or ec.generate_private_key(ec.SECP256R1())
    salt = os.urandom(16) if salt is None else salt
    mine = point(ours.public_key())
    shared = ours.exchange(ec.ECDH(), theirs)
    seed = _derived(shared, secret, b"WebPush: info\0" + theirs_point + mine, 32)
    key = _derived(seed, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(seed, salt, b"Content-Encoding: nonce\0", 12)
    filled = (message + _LAST).ljust(FILLED + 1, b"\0")
    head = salt + RECORD.to_bytes(4, "big") + bytes([len(mine)]) + mine
    return head + AESGCM(key).encrypt(nonce, filled, None)


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)
