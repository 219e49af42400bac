"""The clocks of questions after an outage."""

from __future__ import annotations

from ..core.due import GIVEN_BACK, SET_BACK
from . import rows

GIVEN_BACK.add("clocks", rows.all_given_back, __name__)
SET_BACK.add("clocks", rows.taken_back, __name__)
