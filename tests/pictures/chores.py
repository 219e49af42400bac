"""What a process that draws is given to do; a module that it reads quickly."""
from __future__ import annotations

import os
import signal
import time


def whose(word: str = "") -> bytes:
    return f"{os.getpid()}{word}".encode()


def slow() -> bytes:
    time.sleep(60)
    return b""


def deadly() -> bytes:
    os.kill(os.getpid(), signal.SIGKILL)
    return b""


def wrong() -> bytes:
    raise ValueError("no picture")


def refused(_: int) -> int:
    """What `os.nice` is where a unit's list of system calls leaves out setpriority."""
    raise PermissionError(1, "Operation not permitted")


def stuck(svg: str, zoom: float = 1.0) -> bytes:
    """A picture that is never done."""
    time.sleep(60)
    return b""
