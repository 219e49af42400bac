"""Pictures: where they are wished, can they be drawn?

Nothing here keeps the referee from serving: letters go without them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from referee import png
from referee.ports import Finding

if TYPE_CHECKING:
    from referee.config import Configuration

#: channels whose letters show pictures
SHOWING = ("telegram", "matrix", "mail")
_SAMPLE = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><text x="2" y="15" '
    'font-family="DejaVu Sans">A</text></svg>'
)


def pictures(config: Configuration) -> Iterator[Finding]:
    """One finding, or one for each font that is missing; none where no letter would show a picture."""
    if not config.referee.pictures or not any(name in config.channels for name in SHOWING):
        return
    missing = [font for font in png.FONTS if not font.is_file()]
    for font in missing:
        yield Finding("warn", "picture-font", {"path": str(font)})
    if not png.there():
        yield Finding("warn", "picture-extra", {})
    elif not missing:
        try:
            png.png(_SAMPLE)
        except Exception as error:  # whatever a library does that was built for another machine
            yield Finding("warn", "picture-broken", {"why": f"{type(error).__name__}: {error}"})
        else:
            yield Finding("ok", "pictures", {})
