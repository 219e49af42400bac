"""What the receiving MTA found out about a sender: RFC 8601, as far as it is needed.

Only the topmost `Authentication-Results` of the one name the admin trusts is believed; anybody can
write the others.  That the MTA removes forged ones of its own name is the admin's to see to.
"""

from __future__ import annotations

import re
from email.message import Message
from typing import NamedTuple

from .envelope import fields

_RESULT = re.compile(r"^(dkim|dmarc|spf)\s*=\s*([a-z]+)\b", re.IGNORECASE)
_PROPERTY = re.compile(r'\b(header\.(?:d|from)|smtp\.mailfrom)\s*=\s*"?([^\s";]+)"?', re.IGNORECASE)
#: what names the domain that a method speaks of
_NAMED = {"dkim": "header.d", "dmarc": "header.from", "spf": "smtp.mailfrom"}


class AuthResult(NamedTuple):
    """What one method found: "pass", "fail", "softfail", "none" …; `named` is the domain that it looked at,
    "" where that is not told.
    """

    method: str
    found: str
    named: str


def vouched_by(mail: Message, address: str, authserv_id: str) -> str:
    """ "dmarc" or "dkim" if the trusted server vouches for `address`, else ""."""
    domain = address.rpartition("@")[2].lower()
    for one in _results(mail, authserv_id):
        if (
            one.method != "spf"
            and one.found == "pass"
            and _aligned(one.named, domain, exactly=one.method == "dmarc")
        ):
            return one.method
    return ""


def checked(mail: Message, address: str, authserv_id: str) -> str:
    """ "pass" where the trusted server found that a mail comes from the domain of `address`, "fail" where it
    found that it does not, "" where it can't tell. What passes one way has passed: a mail that is sent on
    fails SPF, one to which a list has added lines fails DKIM. The domain of the envelope may be refuted
    without being that of `address`: anyone who forges one is believed nothing.
    """
    domain = address.rpartition("@")[2].lower()
    results = _results(mail, authserv_id)
    ours = [one for one in results if _aligned(one.named, domain, exactly=one.method == "dmarc")]
    if any(one.found == "pass" for one in ours):
        return "pass"
    refuted = any(
        one.found in ("fail", "hardfail")
        for one in (*ours, *(other for other in results if other.method != "dkim"))
    )
    return "fail" if refuted else ""


def _results(mail: Message, authserv_id: str) -> list[AuthResult]:
    """What the topmost header of the trusted server says."""
    for value in fields(mail, "Authentication-Results") if authserv_id else ():
        name, *results = _without_comments(value).split(";")
        if (name.split() or [""])[0].lower() != authserv_id.lower():
            continue
        found = []
        for result in results:
            told = _RESULT.match(result.strip())
            if told is not None:
                method = told.group(1).lower()
                properties = {key.lower(): what.lower() for key, what in _PROPERTY.findall(result)}
                found.append(
                    AuthResult(
                        method, told.group(2).lower(), properties.get(_NAMED[method], "").rpartition("@")[2]
                    )
                )
        return found  # topmost only
    return []


def _aligned(signer: str, domain: str, *, exactly: bool) -> bool:
    """DKIM may sign for its subdomains; a parent with no dot (a whole country) never counts."""
    if not domain or not signer or signer == domain:
        return bool(domain and signer)
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
