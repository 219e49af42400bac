"""A database's address, for people to read."""

from __future__ import annotations

import re

_SECRETS = (re.compile(r"(?<=://)([^:/?#]*):.*(?=@)"), re.compile(r"([?&]password)=[^&]*"))


def shown(url: str) -> str:
    """Without its password."""
    user, asked = _SECRETS
    return asked.sub(r"\1=***", user.sub(r"\1:***", url))
