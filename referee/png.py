"""SVG as PNG in few colours by resvg and Pillow (the extra `pictures`), with our own fonts and nothing else:
no font of the machine, no file that a picture names. Drawing holds the interpreter: only for processes of
their own, which need nothing else of the referee.
"""

from __future__ import annotations

import io
import pickle
import re
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import cast

from referee.isolated import inside

#: what drawing one picture may take: seconds of processor time, bytes of memory beyond what the process
#: begins with
PICTURE_S, PICTURE_BYTES = 20.0, 1 << 30

#: this many colours are kept; the effort of compressing: beyond 6 it costs seven times as much for 7 % less
COLOURS, EFFORT = 64, 6
#: no drawing of ours has as many
_MANY = 1 << 16

#: DejaVu Sans Condensed, its licence beside it
FONTS = tuple(
    Path(__file__).with_name("fonts") / name
    for name in ("DejaVuSansCondensed.ttf", "DejaVuSansCondensed-Bold.ttf")
)
#: what could make resvg read something that is not in the picture itself; none of our templates has any of it
_OUTSIDE = re.compile(
    (
        r"<\s*(?:\w+:)?(?:image|feimage|script|style|use|foreignobject)\b|<!(?:doctype|entity)|"
        r"<[^<>]*(?:\bhref\s*=|\burl\s*\((?!#)|@import)"
    ),
    re.IGNORECASE,
)


@lru_cache(maxsize=1)
def there() -> bool:
    """Whether resvg-py and Pillow are installed, as it was when first asked: each letter asks, and looking
    takes as long as wording it.
    """
    return all(map(find_spec, ("resvg_py", "PIL")))


def png(svg: str, zoom: float = 1.5) -> bytes:
    """The picture, at `zoom` times its size, in few colours.

    Raises ImportError without resvg-py and Pillow, ValueError for what is no SVG and for one that names
    anything outside itself, FileNotFoundError without our fonts (resvg would leave words out silently).
    """
    import resvg_py

    if _OUTSIDE.search(svg):
        raise ValueError("the picture names something outside itself")
    for font in FONTS:
        if not font.is_file():
            raise FileNotFoundError(font)
    return few_colours(
        bytes(
            resvg_py.svg_to_bytes(
                svg_string=svg,
                zoom=zoom,
                font_files=[str(font) for font in FONTS],
                skip_system_fonts=True,
                font_family="DejaVu Sans",
                sans_serif_family="DejaVu Sans",
            )
        )
    )


def few_colours(picture: bytes) -> bytes:
    """The same picture with a palette: a third of its bytes. Unchanged where it shines through.

    A drawing has some flat colours, and more only where its letters and edges are smoothed. The most frequent
    ones show all of it, to the eye.
    """
    from PIL import Image

    drawn = Image.open(io.BytesIO(picture))
    if "A" in drawn.getbands() and drawn.getchannel("A").getextrema() != (255, 255):
        return picture
    opaque = drawn.convert("RGB")
    found = opaque.getcolors(_MANY)
    if found is None:
        return picture
    often = sorted(cast(list[tuple[int, tuple[int, int, int]]], found), reverse=True)[:COLOURS]
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for _, colour in often for part in colour])
    file = io.BytesIO()
    opaque.quantize(palette=palette, dither=Image.Dither.NONE).save(file, "PNG", compress_level=EFFORT)
    return file.getvalue()


def serve() -> None:
    """Draw for another process until it is gone: each picture wanted comes on standard input, made goes to
    standard output. Here, because a process that is begun reads no more of the referee than it needs.
    """
    inside.serve(_done, cpu_s=PICTURE_S, memory=PICTURE_BYTES)


def _done(asked: bytes) -> bytes:
    try:
        work, given = pickle.loads(asked)  # noqa: S301 - by the process that began this one
        return pickle.dumps((work(*given), None))
    except Exception as trouble:  # whatever it is, it is the other's to tell
        return pickle.dumps((b"", trouble))
