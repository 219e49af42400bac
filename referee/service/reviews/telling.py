"""The worst turns of a review, in the words of buttons, and the tables that their player saw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, Protocol

import msgspec

from referee import rules
from referee.store import Game, GameReview, Tx
from referee.text import Words
from referee.text.rendering import pictures

from ..core.composing import Drawing
from ..core.unit_of_work import StateCache
from . import findings
from .past import decisions


class Reader(Protocol):
    """Who reads, as a letter's context or a page's says it."""

    @property
    def words(self) -> Words: ...
    @property
    def states(self) -> StateCache: ...
    @property
    def now_ms(self) -> int: ...
    @property
    def language(self) -> str: ...


class Told(NamedTuple):
    """`turns`: each {round, picking, before, after (of a hundred games), answers [{given, better}], link};
    `views`: of each, what its player saw then; `cast`: the game's characters by rank; `judged`: how many
    decisions were.
    """

    turns: Sequence[Mapping[str, Any]]
    views: Sequence[Mapping[str, Any]]
    cast: Sequence[str]
    judged: int


def told(reader: Reader, tx: Tx, game: Game, row: GameReview, page: str) -> Told:
    """`page`: the address of the replay, whose steps are linked; "" for none."""
    known = findings.read(row)
    made = {one.no: one for one in decisions(tx, reader.states, reader.now_ms, game, row.seat)}
    turns, views = [], []
    cast: Sequence[str] = ()
    for turn in findings.worst(known.costs, made):
        answers = []
        for cost in turn.costs:
            one = made[cost.no]
            state = rules.load(msgspec.json.decode(one.position))
            view = rules.view(state, row.seat)
            words = partial(reader.words.label, language=reader.language, view=view)
            answers.append({"given": words(one.move), "better": words(cost.best.move)})
            if cost == turn.costs[0]:
                views.append(view)
                cast = tuple(rules.rulebook(state).characters)
        first = made[turn.costs[0].no]
        turns.append(
            {
                "round": first.round,
                "picking": first.picking,
                "before": turn.before,
                "after": turn.after,
                "answers": answers,
                "link": f"{page}/step/{first.step}" if page else "",
            }
        )
    return Told(turns, views, cast, known.judged)


def drawings(reader: Reader, game: Game, found: Told) -> tuple[Drawing, ...]:
    """What the player saw then, the tables of all turns in one picture."""

    def drawn(theme: str) -> pictures.Picture:
        words, language, tag = reader.words, reader.language, f"#{game.id}"
        return pictures.stacked(
            [
                pictures.seat_picture(words, language, theme, view, tag, cast=found.cast)
                for view in found.views
            ]
        )

    return (drawn,) if found.views else ()
