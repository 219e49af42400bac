"""Whether somebody else receives with our bot's token.

Telegram answers one question for updates at a time: a new one ends the one before it with 409. Two who ask
with one token cut each other off for ever, and each gets some of what people write. After a process took over
from another that is normal for some seconds; where it lasts, one of the two must stand down. Anyone who had
the bot to itself before is more patient, so that it is the newcomer.
"""

from __future__ import annotations

import random

#: how long it may last, for a newcomer and for who was alone before; how long one must have been alone for
#: that; seconds
PATIENCE_S, OLD_PATIENCE_S, ALONE_S = 30.0, 90.0, 60.0
#: anyone who stood down looks again after so long; two who stood down together do so at different moments
LOOK_S = (180.0, 300.0)
#: for so long nobody must have cut us off: longer than one like us pauses after it was cut off itself
QUIET_S = 35.0
#: two that lie further apart have nothing to do with each other (a question lasts 50 s at most)
_APART_S = 120.0


class OtherPollers:
    """Moments are seconds of a steady clock."""

    def __init__(
        self,
        patience_s: float = PATIENCE_S,
        old_patience_s: float = OLD_PATIENCE_S,
        *,
        alone_s: float = ALONE_S,
        look_s: tuple[float, float] = LOOK_S,
        quiet_s: float = QUIET_S,
    ) -> None:
        self._patience_s, self._old_patience_s, self._alone_s, self._look_s = (
            patience_s,
            old_patience_s,
            alone_s,
            look_s,
        )
        self.quiet_s = quiet_s
        self._quiet_since: float | None = None
        self._first = self._last = 0.0
        self._old = False

    def heard(self, now: float) -> None:
        """A question was answered."""
        if self._quiet_since is None:
            self._quiet_since = now

    def cut_off(self, now: float) -> bool:
        """A question was cut off by somebody else's: whether it has lasted for too long."""
        if not self._first or now - self._last > _APART_S:
            self._first = now
            self._old = self.undisturbed(now)
        self._last = now
        return now - self._first >= (self._old_patience_s if self._old else self._patience_s)

    def undisturbed(self, now: float) -> bool:
        """Whether nobody has cut us off for so long that nobody else can be there."""
        return self._quiet_since is not None and now - max(self._quiet_since, self._last) > self._alone_s

    def alone(self, now: float) -> None:
        """Nobody else asks any more: as if we had just begun."""
        self._first = self._last = 0.0
        self._quiet_since = now

    def again_s(self) -> float:
        """When to look again, seconds from now."""
        return random.uniform(*self._look_s)
