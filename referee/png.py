"""SVG as PNG by resvg (the extra `pictures`).  It holds the interpreter while it draws, a tenth of a second and more: only for processes of
their own, which need nothing else of the referee."""
from __future__ import annotations

from importlib.util import find_spec


def there() -> bool:
    """Whether resvg-py is installed."""
    return find_spec("resvg_py") is not None


def png(svg: str) -> bytes:
    """The picture, at one and a half times its size.  Raises ImportError without resvg-py, ValueError for what is no SVG."""
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=svg, font_family="DejaVu Sans", zoom=1.5))
