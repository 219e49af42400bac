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


def loud(size: int) -> bytes:
    print("not a picture", flush=True)
    return b"x" * size


def deadly() -> bytes:
    os.kill(os.getpid(), signal.SIGKILL)
    return b""


def wrong() -> bytes:
    raise ValueError("no picture")


def refused(_: int) -> int:
    """What `os.nice` is where a unit's list of system calls leaves out setpriority."""
    raise PermissionError(1, "Operation not permitted")


def fragile(svg: str, *zoom: float) -> bytes:
    """A process that dies over one picture and draws any other."""
    return deadly() if "deadly" in svg else whose()


def fontless(svg: str, *zoom: float) -> bytes:
    """A process on a machine where a font is missing."""
    from referee import png

    png.FONTS = (png.FONTS[0].with_name("gone.ttf"), png.FONTS[1])
    return png.png(svg, *zoom)


def stuck(svg: str, zoom: float = 1.0) -> bytes:
    """A picture that is never done."""
    time.sleep(60)
    return b""
