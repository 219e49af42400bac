"""What the HTTP library may write into the log: nothing of what strangers send.

A request that can't be read (an address of nine thousand signs, nonsense instead of HTTP) would be told with
its beginning, which may be a secret, and with a page of our own code each time that somebody likes to send
it.
"""

from __future__ import annotations

import logging

from aiohttp.http_exceptions import HttpProcessingError


class _Readable(logging.Filter):
    """Leaves out what is told of requests that could not be read."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not (record.exc_info and isinstance(record.exc_info[1], HttpProcessingError))


def silent() -> logging.Logger:
    """The library's log for our door."""
    log = logging.getLogger("adapters.web.wire")
    if not log.filters:
        log.addFilter(_Readable())
    return log
