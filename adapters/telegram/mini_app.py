"""What Telegram tells a Mini App of who opened it (`initData`), checked by Telegram's rule.

core.telegram.org/bots/webapps, "Validating data received via the Mini App": all fields but `hash`, sorted, a
line each, signed by HMAC-SHA256 with a key that only Telegram and the bot's owner can make.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from urllib.parse import parse_qsl

from referee import wirejson
from referee.ports import VerifiedAccount

#: it is some 600 signs long, with ten fields
_LONGEST, _FIELDS = 4096, 40
_HASH, _SECONDS = re.compile(r"[0-9a-f]{64}"), re.compile(r"[0-9]{1,11}")


def verified(token: str, data: str) -> VerifiedAccount | None:
    """Who opened it, when Telegram said so to the bot of this token; None for what it did not say."""
    if len(data) > _LONGEST:
        return None
    try:
        pairs = parse_qsl(
            data, keep_blank_values=True, strict_parsing=True, errors="strict", max_num_fields=_FIELDS
        )
        said = "\n".join(f"{name}={value}" for name, value in sorted(pairs) if name != "hash").encode()
    except ValueError:
        return None
    fields = dict(pairs)
    proof, at = fields.get("hash", ""), fields.get("auth_date", "")
    if len(fields) != len(pairs) or not _HASH.fullmatch(proof):
        return None
    key = hmac.digest(b"WebAppData", token.encode(), hashlib.sha256)
    if not hmac.compare_digest(hmac.digest(key, said, hashlib.sha256).hex(), proof):
        return None
    number = _user(fields.get("user", ""))
    if number is None or not _SECONDS.fullmatch(at):
        return None
    return VerifiedAccount(str(number), int(at) * 1000, proof)


def _user(said: str) -> int | None:
    """The number of the account; an app that was opened for a whole chat has none."""
    try:
        user = wirejson.loads(said)
    except ValueError:
        return None
    number = user.get("id") if isinstance(user, dict) else None
    return number if type(number) is int and number > 0 else None
