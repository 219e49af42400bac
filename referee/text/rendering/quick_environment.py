"""Jinja's environment for facts that are dicts and pieces that are macros, as all of ours are.

Both short cuts give what Jinja gives, and take a tenth off a letter (`bench.text`).
"""

from __future__ import annotations

from typing import Any

from jinja2 import Environment
from jinja2.runtime import Context, Macro

#: `facts.items()` stays the method, whatever keys a dict has
_METHODS = frozenset(name for name in dir(dict) if not name.startswith("__"))


class _QuickContext(Context):
    # as Jinja has it: `self` may be a keyword of a macro
    def call(__self, __obj: Any, *args: Any, **kwargs: Any) -> Any:
        """A macro takes no context, so nobody need look whether it wants one."""
        if __obj.__class__ is not Macro:
            return super().call(__obj, *args, **kwargs)
        kwargs.pop("_block_vars", None)
        kwargs.pop("_loop_vars", None)
        return __obj(__self.eval_ctx, *args, **kwargs)


class QuickEnvironment(Environment):
    """`facts.name` of a dict looks for the key before the attribute."""

    context_class = _QuickContext

    def getattr(self, obj: Any, attribute: str) -> Any:
        """An item or an attribute; undefined where there is neither."""
        if obj.__class__ is dict and attribute not in _METHODS:
            try:
                return obj[attribute]
            except KeyError:
                return self.undefined(obj=obj, name=attribute)
        return super().getattr(obj, attribute)
