"""SVG as PNG by resvg (the extra `pictures`), with our own fonts and nothing else: no font of the machine, no file that a picture names.
It holds the interpreter while it draws: only for processes of their own, which need nothing else of the referee."""
from __future__ import annotations

import multiprocessing
import os
import re
import signal
import threading
from contextlib import suppress
from importlib.util import find_spec
from multiprocessing import connection
from pathlib import Path

#: DejaVu Sans Condensed, its licence beside it
FONTS = tuple(Path(__file__).with_name("fonts") / name for name in ("DejaVuSansCondensed.ttf", "DejaVuSansCondensed-Bold.ttf"))
#: what could make resvg read something that is not in the picture itself; none of our templates has any of it
_OUTSIDE = re.compile(r"<\s*(?:\w+:)?(?:image|feimage|script|style|use|foreignobject)\b|<!(?:doctype|entity)|<[^<>]*(?:\bhref\s*=|\burl\s*\((?!#)|@import)", re.IGNORECASE)


def there() -> bool:
    """Whether resvg-py is installed."""
    return find_spec("resvg_py") is not None


def png(svg: str, zoom: float = 1.5) -> bytes:
    """The picture, at `zoom` times its size.  Raises ImportError without resvg-py, ValueError for what is no SVG and for one that names
    anything outside itself, FileNotFoundError without our fonts (resvg would leave the words out without a word)."""
    import resvg_py

    if _OUTSIDE.search(svg):
        raise ValueError("the picture names something outside itself")
    for font in FONTS:
        if not font.is_file():
            raise FileNotFoundError(font)
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, zoom=zoom, font_files=[str(font) for font in FONTS], skip_system_fonts=True,
                                       font_family="DejaVu Sans", sans_serif_family="DejaVu Sans"))


def begin() -> None:
    """In a process that draws for another: Ctrl-C is the other's affair, its own work comes after the other's, and it ends when the other is
    gone.  Here, because a process that is begun reads no more of the referee than it needs."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(OSError):                           # a unit's list of system calls may forbid it: it draws as well without
        os.nice(5)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_leave_with, args=(parent.sentinel,), daemon=True).start()


def _leave_with(sentinel: int) -> None:
    connection.wait([sentinel])
    os._exit(0)
