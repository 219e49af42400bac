"""Layouts: how a letter or a page is laid out, once for all languages, with the sentences of one language.

A layout names its sentences, `{{ words("lobby.subject") }}` or `c.b(words("lobby.seats"))`; what they say
stands in `<language>/sentences/*.toml`. A sentence is put into its place when the layout is compiled. So it
knows what is known there (also the rows of a loop), is escaped as if it had been written there, and costs
nothing later.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import CodeType
from typing import Any

from jinja2 import Environment, TemplateSyntaxError, nodes
from jinja2.visitor import NodeTransformer

from ..folders import language_folders
from ..meter import unmetered

#: what a layout calls to name a sentence
NAMING = "words"
#: what a sentence may be made of; it takes no other template in and defines nothing
_MADE_OF = (nodes.Output, nodes.If, nodes.For)


@lru_cache(maxsize=32)
@unmetered
def sentences(language: str, own: tuple[Path, ...] = ()) -> Mapping[str, str]:
    """The sentences of layouts in a language, "lobby.subject" -> its text; an admin's before the shipped
    ones, and in English what the language lacks.
    """
    found: dict[str, str] = {}
    for one in dict.fromkeys(("en", language)):
        for folder in reversed(language_folders(one, own)):
            for path in sorted((folder / "sentences").glob("*.toml")):
                tables = tomllib.loads(path.read_text(encoding="utf-8"))
                for table, entries in tables.items():
                    if isinstance(entries, Mapping):
                        found |= {f"{table}.{code}": str(text) for code, text in entries.items()}
    return found


class Layouts(Environment):
    """An environment of Jinja whose templates name sentences of `said`.

    A sentence that is not there, or is made of anything that a sentence may not have, is a
    jinja2.TemplateSyntaxError of the layout.
    """

    def __init__(self, said: Mapping[str, str], **options: Any) -> None:
        super().__init__(**options)
        self.said = said

    def compile(  # type: ignore[override]  # Jinja has a form for each value of `raw`
        self,
        source: str | nodes.Template,
        name: str | None = None,
        filename: str | None = None,
        raw: bool = False,
        defer_init: bool = False,
    ) -> CodeType | str:
        """The code of a layout with its sentences in their places."""
        tree = self.parse(source, name, filename) if isinstance(source, str) else source
        laid = _Placing(self, name, filename).visit(tree)
        made: CodeType | str = super().compile(laid, name, filename, raw, defer_init)  # type: ignore[call-overload]  # its overloads are by literals
        return made


class _Placing(NodeTransformer):
    """Puts sentences into the places where a layout names them."""

    def __init__(self, environment: Layouts, name: str | None, filename: str | None) -> None:
        self._environment, self._name, self._filename = environment, name, filename

    def visit_Output(self, node: nodes.Output) -> list[nodes.Node]:
        """What is written out: a sentence of its own may have conditions and loops."""
        out: list[nodes.Node] = []
        for child in node.nodes:
            code = _named(child)
            put = [nodes.Output([self.visit(child)])] if code is None else self._sentence(code, child.lineno)
            for one in put:
                if isinstance(one, nodes.Output) and out and isinstance(out[-1], nodes.Output):
                    out[-1].nodes += one.nodes  # written out in one go
                else:
                    out.append(one)
        for one in out:
            one.set_lineno(node.lineno).set_environment(self._environment)
        return out

    def visit_Call(self, node: nodes.Call) -> nodes.Node:
        """A sentence within an expression: a value, escaped where it is written out."""
        code = _named(node)
        if code is None:
            return self.generic_visit(node)
        return _value(self._sentence(code, node.lineno), code, node.lineno).set_environment(self._environment)

    def _sentence(self, code: str, line: int) -> list[nodes.Node]:
        text = self._environment.said.get(code)
        if text is None:
            raise TemplateSyntaxError(f"no sentence {code}", line, self._name, self._filename)
        body = self._environment.parse(text, code).body
        for strange in nodes.Template(body).find_all(nodes.Stmt):
            if not isinstance(strange, _MADE_OF):
                raise TemplateSyntaxError(f"no place for this in sentence {code}", strange.lineno, code)
        return list(body)


def _named(node: nodes.Node) -> str | None:
    """Which sentence a call names; None for anything else."""
    if not isinstance(node, nodes.Call) or not isinstance(node.node, nodes.Name) or node.node.name != NAMING:
        return None
    match node.args:
        case [nodes.Const(value=str() as code)]:
            return code
    raise TemplateSyntaxError("a layout names a sentence by its name in quotes", node.lineno)


def _value(body: list[nodes.Node], code: str, line: int) -> nodes.Expr:
    """A sentence as a value: its pieces one after the other, a condition as a choice."""
    pieces: list[nodes.Expr] = []
    for node in body:
        if isinstance(node, nodes.Output):
            pieces += [
                nodes.Const(one.data) if isinstance(one, nodes.TemplateData) else one for one in node.nodes
            ]
        elif isinstance(node, nodes.If):
            otherwise = _value(node.else_, code, line)
            for one in reversed(node.elif_):
                otherwise = nodes.CondExpr(one.test, _value(one.body, code, line), otherwise)
            pieces.append(nodes.CondExpr(node.test, _value(node.body, code, line), otherwise))
        else:
            raise TemplateSyntaxError(f"no place for a loop in sentence {code}", line, code)
    said = pieces[0] if len(pieces) == 1 else nodes.Concat(pieces) if pieces else nodes.Const("")
    said.set_lineno(line)
    return said
