"""What other rooms do when time is given back."""

from __future__ import annotations

from ..core.hooks import Poll
from ..core.unit_of_work import Sitting

#: since that moment (ms) we were not to be believed, and what waits is to wait so much longer; how many
#: moments moved
given_back: Poll[[Sitting, int], int] = Poll("given back")
