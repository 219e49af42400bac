"""A game as JSON and back, at any decision, across versions of this program.

``dump`` gives JSON values with a schema number.  ``load`` raises an old one step by step
(`STEPS`: schema -> the function that makes the next one of it) and refuses one that is
newer than this program.  Frames are stored under their `code`; a code that was renamed
stays readable through `ALIASES`.  A state knows its cards by name, so that a later edition
may reorder its lists: what lies on a table keeps its number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Any

from .editions import rulebook
from .facts import SetupError
from .model import Frame, Player, State
from .rulings import unknown
from .setup import Setup

if TYPE_CHECKING:
    from .seams import District

SCHEMA = 3


def _richer_frames(data: dict[str, Any]) -> dict[str, Any]:
    """1 -> 2: a turn knows that only its end may follow, a loss whether rank 8 did it."""
    new = {"turn": {"last": False}, "loss": {"raid": True}}
    return {
        **data,
        "schema": 2,
        "stack": [[code, {**slots, **new.get(code, {})}] for code, slots in data["stack"]],
    }


def _under_rulings(data: dict[str, Any]) -> dict[str, Any]:
    """2 -> 3: a game knows the rulings it was dealt under, and those that hold; until then there were only
    the first.
    """
    return {**data, "schema": 3, "setup": {**data["setup"], "rulings": []}, "rulings": []}


#: schema -> the function that turns a dump of that schema into one of the next
STEPS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {1: _richer_frames, 2: _under_rulings}
#: former code of a frame -> its code today
ALIASES: dict[str, str] = {}

PLAYER = ("gold", "hand", "city", "characters", "revealed")
PLAIN = (
    "deck",
    "bank",
    "crown",
    "round",
    "phase",
    "called",
    "faceup",
    "facedown",
    "completed",
    "goal",
    "quiet",
    "round_drawer",
    "game_drawer",
    "number",
    "result",
    "rulings",
)
#: no game has more cards: a damaged number of copies must not fill the memory
MOST_CARDS = 400
ATOMS = frozenset({int, str, bool, type(None)})
LISTS = frozenset({"deck", "hand", "city"})  # mutable; every other sequence is a tuple


class StateError(Exception):
    """A dump that this program can't read.

    `code`: newer (than this program: a schema, or a ruling) | unknown-frame | damaged.
    """

    def __init__(self, code: str, **facts: Any) -> None:
        super().__init__(code, facts)
        self.code, self.facts = code, facts


def dump(state: State, *, shared: bool = False) -> dict[str, Any]:
    """The state as JSON values.  It holds every secret of the game, the seed included.

    `shared`: for an encoder that writes it down on the spot: lists and tuples are the state's own, not
    copied.
    """
    setup = state.setup
    listed = _as_it_is if shared else _listed
    return {
        "schema": SCHEMA,
        "setup": {
            "edition": setup.edition,
            "players": list(setup.players),
            "options": dict(setup.options),
            "cast": list(setup.cast),
            "uniques": list(setup.uniques),
            "crown": setup.crown,
            "rulings": list(setup.rulings),
        },
        "seed": state.seed.hex(),
        "cards": [list(run) for run in _runs(state.cards)],
        "players": [{key: listed(key, getattr(p, key)) for key in PLAYER} for p in state.players],
        **{key: listed(key, getattr(state, key)) for key in PLAIN},
        "stack": [
            [
                f.code,
                {slot: getattr(f, slot) if shared else frozen(getattr(f, slot), list) for slot in f.held},
            ]
            for f in state.stack
        ],
    }


@lru_cache(maxsize=64)
def _runs(cards: tuple[District, ...]) -> tuple[tuple[str, int], ...]:
    """The deck before it was shuffled, (name, copies); all games of one setup have the same."""
    return tuple((name, len(list(same))) for name, same in groupby(d.name for d in cards))


def load(data: Mapping[str, Any]) -> State:
    """The state of a dump.  Raises StateError."""
    try:
        return _build(_raised(dict(data)))
    except (
        KeyError,
        IndexError,
        TypeError,
        AttributeError,
        ValueError,
        OverflowError,
        RecursionError,
        SetupError,
    ) as error:
        raise StateError("damaged", what=f"{type(error).__name__}: {error}"[:400]) from error


def _raised(data: dict[str, Any]) -> dict[str, Any]:
    schema = data.get("schema")
    if type(schema) is not int:
        raise StateError("damaged", what="no schema number")
    if schema > SCHEMA:
        raise StateError("newer", schema=schema, known=SCHEMA)
    for number in range(schema, SCHEMA):
        data = STEPS[number](data)
    return data


def _build(data: dict[str, Any]) -> State:
    raw = data["setup"]
    setup = Setup(
        raw["edition"],
        tuple(raw["players"]),
        dict(raw["options"]),
        tuple(raw["cast"]),
        tuple(raw["uniques"]),
        raw["crown"],
        tuple(raw["rulings"]),
    )
    strangers = unknown((*setup.rulings, *data["rulings"]))
    if strangers:
        raise StateError("newer", ruling=strangers[0])
    rules = rulebook(setup)
    strange = frozenset(name for name, _ in data["cards"]) - {d.name for d in rules.in_play}
    if strange:
        rules = rulebook(setup, strange)
    if sum(count for _, count in data["cards"]) > MOST_CARDS:
        raise ValueError("more cards than any game has")
    cards = tuple(rules.districts[name] for name, count in data["cards"] for _ in range(count))
    state = State(rules, setup, bytes.fromhex(data["seed"]), cards)
    for key in PLAIN:
        setattr(state, key, _thawed(key, data[key]))
    for seat, row in zip(range(len(state.players)), data["players"], strict=True):
        _fill(state.own(seat), row)
    for code, slots in data["stack"]:
        state.stack.append(_frame(code, slots))
    return state


def _fill(player: Player, row: Mapping[str, Any]) -> None:
    for key in PLAYER:
        setattr(player, key, _thawed(key, row[key]))


def _frame(code: str, slots: Mapping[str, Any]) -> Frame:
    kind = Frame.registry.get(ALIASES.get(code, code))
    if kind is None:
        raise StateError("unknown-frame", frame=code)
    frame = kind.__new__(kind)
    for slot in kind.held:
        setattr(frame, slot, frozen(slots[slot], tuple))
    return frame


def _listed(key: str, value: Any) -> Any:
    return value[:] if key in LISTS else frozen(value, list)


def _as_it_is(key: str, value: Any) -> Any:
    return value


def _thawed(key: str, value: Any) -> Any:
    return list(value) if key in LISTS else frozen(value, tuple)


def frozen(value: Any, sequence: Callable[[Any], Any]) -> Any:
    """The same value with every list or tuple as `sequence`; nothing is shared with it."""
    if value.__class__ in ATOMS:  # nearly everything is
        return value
    if isinstance(value, list | tuple):
        return sequence([frozen(v, sequence) for v in value])
    if isinstance(value, dict):
        return {key: frozen(v, sequence) for key, v in value.items()}
    return value
