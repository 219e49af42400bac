"""What a channel writes around its words is put into the layouts; what is written stays the same."""

from __future__ import annotations

import pytest

from referee.text.rendering.layouts import Layouts
from referee.text.rendering.pieces import PieceInliner, pieces

CHANNEL = """
{% macro b(x) %}<b>{{ x }}</b>{% endmacro %}
{% macro p() %}{{ par }}{{ caller() }}!{% endmacro %}
{% macro twice(x) %}{{ x }}{{ x }}{% endmacro %}
{% macro turned(x, y) %}{{ y }}{{ x }}{% endmacro %}
{% macro items(lines) %}{% for x in lines %}- {{ x }}{% endfor %}{% endmacro %}
{% macro link(href, label) %}<a href="{{ href }}">{{ label }}</a>{% endmacro %}
"""
LAYOUTS = (
    "{{ c.b(name) }} and {{ c.b('<' ~ name) }}",
    "{% call c.p() %}{% set name = 'other' %}{{ c.b(name) }}{% endcall %}{{ name }}",
    "{% for one in (1, 2) %}{% call c.p() %}{{ loop.index }}{{ c.b(one) }}{% endcall %}{% endfor %}",
    "{{ c.twice(name) }}{{ c.turned(1, name) }}{{ c.items([name, 2]) }}{{ c.link(name, c.b(name)) }}",
    "{% set kept = c.b(name) %}{{ kept }}{{ kept|length }}",
)


def environment(*, escaped: bool) -> Layouts:
    made = Layouts({}, autoescape=escaped)
    made.globals["par"] = "\x01"
    made.globals["c"] = made.from_string(CHANNEL).module
    return made


@pytest.mark.parametrize("escaped", [True, False])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_layout_writes_what_the_macros_wrote(layout: str, escaped: bool) -> None:
    plain, quick = environment(escaped=escaped), environment(escaped=escaped)
    quick.pieces = pieces(quick.parse(CHANNEL), {"par": "\x01"})
    assert set(quick.pieces) == {"b", "p", "link"}
    facts = {"name": "Ana & <Bea>"}
    assert quick.from_string(layout).render(facts) == plain.from_string(layout).render(facts)


def test_nothing_is_called_where_a_piece_stands() -> None:
    made = environment(escaped=True)
    tree = made.parse(LAYOUTS[0])
    PieceInliner(made, pieces(made.parse(CHANNEL), {})).place(tree)
    assert "context.call" not in str(made.compile(tree, raw=True))
