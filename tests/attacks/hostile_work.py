"""What a worker process is asked by somebody who wants it to hang, to eat the machine, or to break."""

from __future__ import annotations

import os
import re
import signal
import time


def work(question: bytes) -> bytes:
    match question:
        case b"whose":
            return str(os.getpid()).encode()
        case b"pattern":  # holds the interpreter for ever: nothing written in Python would be heard
            re.match(r"(a|a)*$", "a" * 60 + "b")
        case b"hungry":
            return bytes(len(bytearray(1 << 34)))
        case b"crumbs":
            kept = []
            while True:
                kept.append(bytearray(1 << 20))
        case b"asleep":
            time.sleep(60)
        case b"gone":
            os.kill(os.getpid(), signal.SIGKILL)
        case b"wrong":
            raise ValueError("no answer")
        case b"large":
            return b"x" * 2_000_000
        case b"environment":
            return repr(dict(os.environ)).encode()
    return question


def serve() -> None:
    from referee.isolated import inside

    inside.serve(work, cpu_s=0.3, memory=64 << 20)
