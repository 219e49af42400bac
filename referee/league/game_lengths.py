"""Written by `make lengths`."""

from collections.abc import Mapping

LENGTHS: Mapping[tuple[str, int, str, str], tuple[float, float, float, int]] = {}
