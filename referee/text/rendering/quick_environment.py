"""Jinja's environment for facts that are dicts and pieces that are macros, as all of ours are.

The short cuts give what Jinja gives, and take a third off a letter (`bench.text`).
"""

from __future__ import annotations

from typing import Any

from jinja2 import Environment, Template, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.runtime import Context, Macro
from markupsafe import Markup

from . import quick_runtime

#: `facts.items()` stays the method, whatever keys a dict has
_METHODS = frozenset(name for name in dir(dict) if not name.startswith("__"))
#: stands in each template's code behind what is imported of Jinja, and goes before it
_INSTEAD = f"from {quick_runtime.__name__} import {', '.join(quick_runtime.__all__)}\n"


class QuickContext(Context):
    """What a template is given."""

    @classmethod
    def light(cls, template: Template, parent: dict[str, Any], eval_ctx: nodes.EvalContext) -> QuickContext:
        """Of a template without blocks, with all that it may name, in the usual way of escaping."""
        made = cls.__new__(cls)
        made.parent, made.vars, made.eval_ctx = parent, {}, eval_ctx
        made.environment, made.name = template.environment, template.name
        made.exported_vars, made.globals_keys, made.blocks = set(), set(), {}
        return made

    def get(self, key: str, default: Any = None) -> Any:
        """A variable by its name."""
        return self.vars[key] if key in self.vars else self.parent.get(key, default)

    # as Jinja has it: `self` may be a keyword of a macro
    def call(__self, __obj: Any, *args: Any, **kwargs: Any) -> Any:
        """A macro takes no context, so nobody need look whether it wants one; and where it is given just what
        it takes, its arguments need not be sorted.
        """
        if __obj.__class__ is not Macro:
            return super().call(__obj, *args, **kwargs)
        kwargs.pop("_block_vars", None)
        kwargs.pop("_loop_vars", None)
        if len(args) == __obj._argument_count and not __obj.catch_kwargs and not __obj.catch_varargs:
            if not kwargs and not __obj.caller:
                said = __obj._func(*args)
                return Markup(said) if __self.eval_ctx.autoescape else said  # noqa: S704 - escaped by its own template
            if __obj.caller and len(kwargs) == 1 and "caller" in kwargs and not __obj.explicit_caller:
                said = __obj._func(*args, kwargs["caller"])
                return Markup(said) if __self.eval_ctx.autoescape else said  # noqa: S704 - as above
        return __obj(__self.eval_ctx, *args, **kwargs)


class _QuickCode(CodeGenerator):
    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:
        """`facts.name`: a dict's key is looked up where it is wanted, all else by the environment."""
        if node.attr in _METHODS:
            return super().visit_Getattr(node, frame)
        key = repr(node.attr)
        self.write(f"(of[{key}] if (of := ")
        self.visit(node.node, frame)
        self.write(f").__class__ is dict and {key} in of else environment.getattr(of, {key}))")
        return None

    def visit_Output(self, node: nodes.Output, frame: Frame) -> None:
        """Where a condition does not hold and nothing else is to be said, nothing is made to say it."""
        for n, child in enumerate(node.nodes):
            if isinstance(child, nodes.CondExpr) and child.expr2 is None:
                node.nodes[n] = nodes.CondExpr(child.test, child.expr1, nodes.Const(""), lineno=child.lineno)
        super().visit_Output(node, frame)


class QuickEnvironment(Environment):
    """`facts.name` of a dict looks for the key before the attribute."""

    context_class = QuickContext
    code_generator_class = _QuickCode

    def _generate(
        self, source: nodes.Template, name: str | None, filename: str | None, defer_init: bool = False
    ) -> str:
        """The code of a template, with our names before Jinja's."""
        imported, line, rest = super()._generate(source, name, filename, defer_init).partition("\n")
        return f"{imported}{line}{_INSTEAD}{rest}"

    def getattr(self, obj: Any, attribute: str) -> Any:
        """An item or an attribute; undefined where there is neither."""
        if obj.__class__ is dict and attribute not in _METHODS:
            # asked first: most that comes here was looked up already, and is not there
            return obj[attribute] if attribute in obj else self.undefined(obj=obj, name=attribute)
        try:
            return getattr(obj, attribute)
        except AttributeError:
            return super().getattr(obj, attribute)
