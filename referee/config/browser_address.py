"""An address as browsers say it: what they send as the origin of a form is compared with it, letter by
letter.
"""

from __future__ import annotations

import unicodedata
from urllib.parse import quote, urlsplit

_PORTS = {"http": 80, "https": 443}
#: what may stand in a path as it is; "%" begins what was written that way before
_PATH = "/%!$&'()*+,;=:@~"


def as_browsers_say_it(url: str) -> str:
    """The same address: its host in small letters and as xn--… where it has others, no port that goes
    without saying, no slash at the end.

    Raises ValueError for what is no host or port.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise ValueError("host:port, with a port up to 65535") from None
    name = parts.hostname or ""
    host = f"[{name}]" if ":" in name else ".".join(map(_label, name.split(".")))
    told = "" if port in (None, _PORTS[parts.scheme]) else f":{port}"
    return f"{parts.scheme}://{host}{told}{quote(parts.path, safe=_PATH).rstrip('/')}"


def _label(label: str) -> str:
    """A part of a name.  Not Python's "idna", which takes ß for ss: that may be somebody else's name."""
    if label.isascii():
        return label
    return f"xn--{unicodedata.normalize('NFKC', label).encode('punycode').decode()}"
