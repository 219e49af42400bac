"""The pictures of the app on a phone: our icon on its ground, small enough to be cut into any shape.

`python -m tests.service.web.app_icons` writes them anew.
"""

from __future__ import annotations

import re
from pathlib import Path

from referee.png import png

WEB = Path(__file__).resolve().parents[3] / "templates" / "web"
SIZES = (192, 512)


def drawn(size: int) -> bytes:
    """The icon as PNG, so many pixels wide and high."""
    icon = (WEB / "icon.svg").read_text(encoding="utf-8")
    shape = re.search(r"<path[^>]*/>", icon)
    assert shape is not None
    ground = '<rect width="32" height="32" fill="#f6f3ec"/>'
    return png(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="32" height="32">'
        f'{ground}<g transform="translate(5.6 4.3) scale(.65)">{shape.group()}</g></svg>',
        size / 32,
    )


if __name__ == "__main__":
    for one in SIZES:
        (WEB / f"app-{one}.png").write_bytes(drawn(one))
