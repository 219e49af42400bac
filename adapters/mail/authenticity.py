"""What the receiving MTA found out about a sender: RFC 8601, as far as it is needed.

Only the topmost `Authentication-Results` of the one name the admin trusts is believed; anybody can
write the others.  That the MTA removes forged ones of its own name is the admin's to see to.
"""
from __future__ import annotations

import re
from email.message import Message

from .envelope import fields

_PASS = re.compile(r"^(dkim|dmarc)\s*=\s*pass\b", re.IGNORECASE)
_PROPERTY = re.compile(r'\b(header\.(?:d|from))\s*=\s*"?([^\s";]+)"?', re.IGNORECASE)


def vouched_by(mail: Message, address: str, authserv_id: str) -> str:
    """"dmarc" or "dkim" if the trusted server vouches for `address`, else ""."""
    if not authserv_id:
        return ""
    domain = address.rpartition("@")[2].lower()
    for value in fields(mail, "Authentication-Results"):
        name, *results = _without_comments(value).split(";")
        if (name.split() or [""])[0].lower() != authserv_id.lower():
            continue
        for result in results:
            found = _PASS.match(result.strip())
            if found is None:
                continue
            method = found.group(1).lower()
            properties = {key.lower(): what.lower() for key, what in _PROPERTY.findall(result)}
            signer = properties.get("header.d" if method == "dkim" else "header.from", "")
            if _aligned(signer, domain, exactly=method == "dmarc"):
                return method
        return ""   # topmost only
    return ""


def _aligned(signer: str, domain: str, *, exactly: bool) -> bool:
    """DKIM may sign for its subdomains; a parent with no dot (a whole country) never counts."""
    if not domain or signer == domain:
        return bool(domain)
    return not exactly and "." in signer and domain.endswith("." + signer)


def _without_comments(value: str) -> str:
    """Comments nest, and may hold semicolons; quoted strings are kept but lose their semicolons."""
    kept: list[str] = []
    depth, quoted, escaped = 0, False, False
    for c in value:
        if escaped:
            escaped = False
            c = " "
        elif c == "\\":
            escaped = True
            continue
        elif c == '"' and not depth:
            quoted = not quoted
        elif c == "(" and not quoted:
            depth += 1
        elif c == ")" and not quoted and depth:
            depth -= 1
            continue
        if not depth:
            kept.append(" " if quoted and c != '"' else c)
    return "".join(kept)
