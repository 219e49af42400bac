"""Web Push: notices for browsers that asked for them (RFC 8030), encrypted for each (RFC 8291) and signed by
the house (VAPID, RFC 8292).

It sends and never receives: what it carries is a notice beside a letter, and nobody can answer it. Where to,
and with which keys, stands in a letter's facts; the push services are whichever browsers named.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from referee.ports import Adapter

from .adapter import PushAdapter
from .identification import Identification, new_key, public_key
from .outside import Outside

__all__ = ["build", "new_key", "public_key"]


def build(key: str, base_url: str, clock_ms: Callable[[], int], *, networks: Sequence[str] = ()) -> Adapter:
    """The adapter, not yet started.  `key` is the house's secret (`new_key`), `base_url` what push services
    are told of who sends, `networks` those besides the public Internet in which a push service may be.
    """
    return PushAdapter(Identification(key, base_url), Outside(networks), clock_ms)
