"""What the HTTP library may write into the log about those who call: nothing of what strangers send.

A request that can't be read (an address of nine thousand signs, nonsense instead of HTTP) would be told with
its beginning, which may be a secret, and with a page of our own code each time that somebody likes to send
it.
"""

from __future__ import annotations

import logging

#: where the library makes what it raises for a request and for what comes with one
_UNREADABLE = ("aiohttp.http_exceptions", "aiohttp.web_protocol")


class _Readable(logging.Filter):
    """Leaves out what is told of requests that could not be read."""

    def filter(self, record: logging.LogRecord) -> bool:
        broken = record.exc_info[1] if record.exc_info else None
        # known by where they are made, so that nothing is loaded for it
        return type(broken).__module__ not in _UNREADABLE


def silent(name: str) -> logging.Logger:
    """The library's log for a door of ours."""
    log = logging.getLogger(name)
    if not log.filters:
        log.addFilter(_Readable())
    return log
