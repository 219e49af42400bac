"""What Telegram tells a Mini App (`initData`), made by the documented rule, and the address that it opens."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any
from urllib.parse import quote, urlencode


def init_data(token: str, user: Any, at_s: int, **more: str) -> str:
    """Signed for the bot of this token: `user` is JSON's object, or its text as it stands."""
    fields = {
        "query_id": "AAHdF6IQAAAAAN0XohDhrOrc",
        "user": user if isinstance(user, str) else json.dumps(user, separators=(",", ":")),
        "auth_date": str(at_s),
        "signature": "6fbdaab833d39f54518bd5c3eb3f511d",
        **more,
    }
    said = "\n".join(f"{name}={fields[name]}" for name in sorted(fields))
    secret = hmac.new(b"WebAppData", token.encode(), hashlib.sha256).digest()
    proof = hmac.new(secret, said.encode(), hashlib.sha256).hexdigest()
    return urlencode({**fields, "hash": proof})


def opened(url: str, data: str, platform: str = "android") -> str:
    """The address with which a client opens the page."""
    return f"{url}#tgWebAppData={quote(data, safe='')}&tgWebAppVersion=9.1&tgWebAppPlatform={platform}"
