"""How a channel writes bold or a paragraph, put into the places where a layout asks for it.

`{{ c.b(x) }}` calls a macro of the channel's file. Where such a macro only writes words of its own around
what it is given, these words are put there when the layout is compiled: a letter calls a hundred of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from jinja2 import nodes

#: what layouts call the channel's macros by
_CALLED = "c"


class Piece(NamedTuple):
    """A macro that only writes: words, numbers of its arguments, and None where the body of a call stands."""

    arguments: int
    written: tuple[str | int | None, ...]


def pieces(channel: nodes.Template, marks: Mapping[str, str]) -> dict[str, Piece]:
    """Those of a channel's file.  `marks`: its names for breaks."""
    return {
        one.name: found for one in channel.find_all(nodes.Macro) if (found := _piece(one, marks)) is not None
    }


def _piece(macro: nodes.Macro, marks: Mapping[str, str]) -> Piece | None:
    names = [one.name for one in macro.args]
    written: list[str | int | None] = []
    for part in macro.body:
        if not isinstance(part, nodes.Output):
            return None
        for one in part.nodes:
            if isinstance(one, nodes.TemplateData):
                written.append(one.data)
            elif isinstance(one, nodes.Name) and one.name in names:
                written.append(names.index(one.name))
            elif isinstance(one, nodes.Name) and one.name in marks:
                written.append(marks[one.name])
            elif isinstance(one, nodes.Call) and one.node == nodes.Name("caller", "load") and not one.args:
                written.append(None)
            else:
                return None
    # in their order, each once: else what is given would be asked for otherwise than by the macro
    given = [one for one in written if isinstance(one, int)]
    if macro.defaults or given != list(range(len(names))) or written.count(None) > 1:
        return None
    return Piece(len(names), tuple(written))


class PieceInliner:
    """Puts the pieces of a channel into a layout."""

    def __init__(self, environment: Any, known: Mapping[str, Piece]) -> None:
        self._environment, self._known = environment, known

    def place(self, node: nodes.Node) -> None:
        """In everything below a node, which is changed."""
        for field in node.fields:
            value = getattr(node, field, None)
            if isinstance(value, nodes.Node):
                self.place(value)
            elif isinstance(value, list):
                for one in value:
                    if isinstance(one, nodes.Node):
                        self.place(one)
                if any(isinstance(one, nodes.Output | nodes.CallBlock) for one in value):
                    value[:] = [made for one in value for made in self._instead(one)]

    def _instead(self, node: Any) -> list[Any]:
        if isinstance(node, nodes.Output):
            node.nodes[:] = [made for one in node.nodes for made in self._written(one)]
        elif isinstance(node, nodes.CallBlock) and not node.args:
            piece = self._named(node.call)
            if piece is not None and None in piece.written:
                at = piece.written.index(None)
                before, after = piece.written[:at], piece.written[at + 1 :]
                body = nodes.Scope(node.body, lineno=node.lineno)
                return [self._output(before, node), body, self._output(after, node)]
        return [node]

    def _written(self, node: nodes.Expr) -> list[nodes.Expr]:
        piece = self._named(node)
        if piece is None or None in piece.written:
            return [node]
        assert isinstance(node, nodes.Call)
        return [
            nodes.TemplateData(one, lineno=node.lineno) if isinstance(one, str) else node.args[one]
            for one in piece.written
            if one is not None
        ]

    def _named(self, node: nodes.Node) -> Piece | None:
        if not (
            isinstance(node, nodes.Call)
            and isinstance(node.node, nodes.Getattr)
            and node.node.node == nodes.Name(_CALLED, "load")
            and not (node.kwargs or node.dyn_args or node.dyn_kwargs)
        ):
            return None
        piece = self._known.get(node.node.attr)
        return piece if piece is not None and piece.arguments == len(node.args) else None

    def _output(self, written: tuple[str | int | None, ...], node: nodes.CallBlock) -> nodes.Output:
        said = [
            nodes.TemplateData(one, lineno=node.lineno) if isinstance(one, str) else node.call.args[one]
            for one in written
            if one is not None
        ]
        return nodes.Output(said, lineno=node.lineno, environment=self._environment)
