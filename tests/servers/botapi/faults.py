"""What can go wrong on the line, on order of a test.

A fault is planned for the next calls of a method.  It strikes before the thing is done or after it
(the answer is lost), as an error of the gateway, a cut connection, or silence.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Fault:
    """`how` is error, page (of a web server on the way), drop or hang; `after` says whether the call is
    carried out first; `status` is that of the error (429 asks for a second); `skip` calls go well before
    it strikes.
    """

    method: str
    how: str = "error"
    after: bool = False
    status: int = 502
    times: int = 1
    skip: int = 0
    struck: int = 0


@dataclass
class Faults:
    planned: list[Fault] = field(default_factory=list)

    def plan(
        self,
        method: str = "*",
        how: str = "error",
        *,
        after: bool = False,
        status: int = 502,
        times: int = 1,
        skip: int = 0,
    ) -> Fault:
        """Plan a fault for `times` calls, after `skip` more, of `method` (``*``: any but getUpdates)."""
        assert how in ("error", "page", "drop", "hang"), how
        fault = Fault(method.lower(), how, after, status, times, skip)
        self.planned.append(fault)
        return fault

    def next(self, method: str) -> Fault | None:
        for fault in self.planned:
            if fault.struck < fault.times and (
                fault.method == method or (fault.method == "*" and method != "getupdates")
            ):
                if fault.skip:
                    fault.skip -= 1
                    continue
                fault.struck += 1
                return fault
        return None
