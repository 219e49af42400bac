"""Layouts: how a letter or a page is laid out, once for all languages, with the sentences of one language.

A layout names its sentences, `{{ words("lobby.subject") }}` or `c.b(words("lobby.seats"))`; what they say
stands in `<language>/sentences/*.toml`. A sentence is put into its place when the layout is compiled. So it
knows what is known there (also the rows of a loop), is escaped as if it had been written there, and costs
nothing later.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import CodeType
from typing import Any

from jinja2 import TemplateSyntaxError, nodes

from ... import kept
from ..folders import language_folders
from ..meter import unmetered
from .pieces import Piece, PieceInliner
from .quick_environment import QuickEnvironment

#: what a layout calls to name a sentence
NAMING = "words"
#: a source and how it is compiled -> its code
Made = dict[tuple[Any, ...], CodeType | str]
#: what a sentence may be made of; it takes no other template in and defines nothing
_MADE_OF = (nodes.Output, nodes.If, nodes.For)


@lru_cache(maxsize=32)
@unmetered
def sentences(language: str, own: tuple[Path, ...] = ()) -> Mapping[str, str]:
    """The sentences of layouts in a language, "lobby.subject" -> its text; an admin's before the shipped
    ones, and in English what the language lacks.
    """
    found = dict(sentences("en", own)) if language != "en" else {}
    for folder in reversed(language_folders(language, own)):
        for path in sorted((folder / "sentences").glob("*.toml")):
            for table, entries in kept.toml(path).items():
                if isinstance(entries, Mapping):
                    found |= {f"{table}.{code}": str(text) for code, text in entries.items()}
    return found


class Layouts(QuickEnvironment):
    """An environment of Jinja whose templates name sentences of `said`.

    `made`: what is compiled already, shared by environments of one language, whose code is the same where
    they escape alike. A sentence that is not there, or is made of anything that a sentence may not have, is a
    jinja2.TemplateSyntaxError of the layout.
    """

    def __init__(self, said: Mapping[str, str], made: Made | None = None, **options: Any) -> None:
        super().__init__(**options)
        self.said, self._made = said, {} if made is None else made
        #: the pieces of the channel that it writes for, and which channel that is
        self.pieces: Mapping[str, Piece] = {}
        self.channel = ""

    def compile(  # type: ignore[override]  # Jinja has a form for each value of `raw`
        self,
        source: str | nodes.Template,
        name: str | None = None,
        filename: str | None = None,
        raw: bool = False,
        defer_init: bool = False,
    ) -> CodeType | str:
        """The code of a layout with its sentences in their places."""
        key = (source, name, filename, bool(self.autoescape), raw, defer_init, self.channel)
        if key not in self._made:
            tree = self.parse(source, name, filename) if isinstance(source, str) else source
            _SentenceInliner(self, name, filename).place(tree)
            if self.pieces:
                PieceInliner(self, self.pieces).place(tree)
            made = super().compile(tree, name, filename, raw, defer_init)  # type: ignore[call-overload]  # `raw`, as above
            self._made[key] = made
        return self._made[key]


class _SentenceInliner:
    """Puts sentences into the places where a layout names them."""

    def __init__(self, environment: Layouts, name: str | None, filename: str | None) -> None:
        self._environment, self._name, self._filename = environment, name, filename

    def place(self, node: nodes.Node) -> None:
        """In everything below a node, which is changed."""
        for field in node.fields:  # quicker than jinja2.visitor, which looks for a method for each node
            value = getattr(node, field, None)
            if isinstance(value, nodes.Node):
                setattr(node, field, self._placed(value))
            elif isinstance(value, list):
                value[:] = [one for item in value for one in self._listed(item)]

    def _listed(self, item: Any) -> list[Any]:
        if isinstance(item, nodes.Output):
            return self._written(item)
        return [self._placed(item) if isinstance(item, nodes.Node) else item]

    def _placed(self, node: nodes.Node) -> nodes.Node:
        """A sentence within an expression is a value, escaped where it is written out."""
        code = _named(node)
        if code is not None:
            return _value(self._sentence(code, node.lineno), code, node.lineno)
        self.place(node)
        return node

    def _written(self, node: nodes.Output) -> list[nodes.Node]:
        """What is written out: a sentence of its own may have conditions and loops."""
        out: list[nodes.Node] = []
        for child in node.nodes:
            code = _named(child)
            put = [self._output(self._placed(child))] if code is None else self._sentence(code, node.lineno)
            for one in put:
                if isinstance(one, nodes.Output) and out and isinstance(out[-1], nodes.Output):
                    out[-1].nodes += one.nodes  # written out in one go
                else:
                    out.append(one)
        return out

    def _sentence(self, code: str, line: int) -> list[nodes.Node]:
        text = self._environment.said.get(code)
        if text is None:
            raise TemplateSyntaxError(f"no sentence {code}", line, self._name, self._filename)
        if "{" not in text:
            return [self._output(nodes.TemplateData(text, lineno=line))]
        tree = self._environment.parse(text, code)
        for strange in tree.find_all(nodes.Stmt) if "{%" in text else ():
            if not isinstance(strange, _MADE_OF):
                raise TemplateSyntaxError(f"no place for this in sentence {code}", strange.lineno, code)
        return list(tree.body)

    def _output(self, said: nodes.Node) -> nodes.Output:
        return nodes.Output([said], lineno=said.lineno, environment=self._environment)


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
