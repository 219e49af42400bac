"""Writing a plan by taps: from page to page, each tap a word, until its lines are there.

    walk = Walk()                        the first page, nothing written
    entries(walk, ground)                what may be tapped there, each with where it leads
    onward(walk, words, ground)          the walk after a tap; None for one that is not (or no longer) offered
    filing(walk, stays)                  the lines as they would be typed, for one round or to stay

Nothing is decided here about what a plan may say: the lines go to the same reader as typed ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..rules.seams import TYPES
from ..rules.shapes import LISTS, Shape
from .cards import musts, powers_of, rank
from .model import Order, value, worded
from .notation import words_of
from .questions import QUESTIONS, WITH_COST

View = Mapping[str, Any]
#: how many characters an order names; other lists end when their writer says so
_COUNTS = {"threaten": 2, "warrant": 3}
#: what may befall somebody, as it is typed, with the order that does it
_BEFALLS = (("robbed", "rob"), ("bewitched", "bewitch"), ("threatened", "threaten"), ("warranted", "warrant"))
_LISTS = {"prefer": "prefer", "discard": "prefer to discard"}
_MOST_STEPS = 12
_VALUES = {"dearest": ("menu-dearest", "menu-dearest-of"), "cheapest": ("menu-cheapest", "menu-cheapest-of")}


class Walk(NamedTuple):
    """`lines`: what has been written, (what it is for, the line); `listed`: the words or steps of the line
    that is being written; `who`: the character of a script, "" for all others; `verb`: the pattern of the
    order that is being chosen; `args`: what of it is chosen, or the districts of a build.
    """

    page: str = "top"
    lines: tuple[tuple[str, str], ...] = ()
    listed: tuple[str, ...] = ()
    who: str = ""
    verb: str = ""
    args: tuple[Any, ...] = ()


class Ground(NamedTuple):
    """What may be named at this table, by the view of one seat: `faceup` are the characters out of play this
    round (they come last), `cities` are the names of the districts by seat, `questions` those of `QUESTIONS`
    that can come up, `withdraws`: whether anything is filed, `lists`: whether preference lists may be.
    """

    edition: str
    names: tuple[str, ...]
    me: int
    cast: tuple[str, ...]
    mine: tuple[str, ...]
    faceup: tuple[str, ...]
    hand: tuple[str, ...]
    cities: tuple[tuple[str, ...], ...]
    questions: tuple[str, ...]
    withdraws: bool = False
    lists: bool = True


class Entry(NamedTuple):
    """What may be tapped: the `words` of it, where it leads (None: to filing `words`), and its label: the
    code of a sentence or, without one, `label` or the words themselves.
    """

    words: str
    to: Walk | None
    code: str = ""
    label: str = ""


def ground(view: View, cast: Sequence[str], uniques: Iterable[str], withdraws: bool) -> Ground:
    """What the seat of this view may name, in a game with these characters and unique districts."""
    cities = tuple(
        tuple(dict.fromkeys(str(one["name"]) for one in player["city"])) for player in view["players"]
    )
    there = {*cast, *uniques, *(name for city in cities for name in city)}
    asked = tuple(name for name, question in QUESTIONS.items() if not question.card or question.card in there)
    return Ground(
        view["edition"],
        tuple(str(p["name"]) for p in view["players"]),
        view["you"],
        tuple(cast),
        tuple(view["characters"]),
        tuple(view["faceup"]),
        tuple(dict.fromkeys(view["hand"])),
        cities,
        asked,
        withdraws,
    )


def dumped(walk: Walk) -> dict[str, Any]:
    """As JSON."""
    return walk._asdict()


def loaded(data: Mapping[str, Any]) -> Walk:
    """From what `dumped` made."""
    return Walk(
        data["page"],
        tuple((str(key), str(line)) for key, line in data["lines"]),
        tuple(data["listed"]),
        data["who"],
        data["verb"],
        tuple(tuple(arg) if isinstance(arg, list) else arg for arg in data["args"]),
    )


def filing(walk: Walk, stays: bool) -> str:
    """What has been written, to be filed until it is withdrawn or for one round."""
    long = ("prefer", "discard", "when", "otherwise")
    out = []
    for key, line in walk.lines:
        lasting = key.split(" ")[0] not in long
        out.append(line if lasting == stays else f"{'always' if stays else 'this round'} {line}")
    return "\n".join(out)


def so_far(walk: Walk) -> str:
    """The line that is being written, as far as it goes; "" for none."""
    if walk.page in _LISTS and walk.listed:
        return f"{_LISTS[walk.page]} {', '.join(walk.listed)}"
    if walk.page == "asks" and walk.listed:
        return _asking(walk.listed)
    if walk.page in ("script", "build", "power"):
        chosen = [f"{_built(walk.args)} …"] if walk.page == "build" and walk.args else []
        return f"{_head(walk.who)}: {'; '.join((*walk.listed, *chosen))}".rstrip()
    return ""


def entries(walk: Walk, table: Ground) -> tuple[Entry, ...]:
    """What may be tapped on the page of a walk; the words of each are its own there."""
    return tuple(_PAGES[walk.page](walk, table))


def onward(walk: Walk, words: str, table: Ground) -> Walk | None:
    """Where a tap leads; None for what is not offered there."""
    return next((one.to for one in entries(walk, table) if one.words == words), None)


# -- the pages
# -------------------------------------------------------------------------------------------------------


def _top(walk: Walk, table: Ground) -> Iterator[Entry]:
    if walk.lines:
        yield Entry(filing(walk, False), None, "menu-file-once")
        yield Entry(filing(walk, True), None, "menu-file-always")
    if table.lists:
        yield Entry("prefer", _at(walk, "prefer"), "menu-prefer")
    if table.lists and len(table.names) == 2:
        yield Entry("discard", _at(walk, "discard"), "menu-discard")
    yield Entry("turn", _at(walk, "who"), "menu-turn")
    yield Entry("answers", _at(walk, "answers"), "menu-answers")
    yield Entry("ask", _at(walk, "asks"), "menu-asks")
    if walk.lines:
        yield Entry("drop", walk._replace(lines=walk.lines[:-1]), "menu-drop")
    elif table.withdraws:
        yield Entry("cancel plan", None, "menu-withdraw")
    yield Entry("close", Walk("closed"), "menu-close")


def _list(walk: Walk, table: Ground) -> Iterator[Entry]:
    for name in sorted(table.cast, key=lambda name: name in table.faceup):
        if name not in walk.listed:
            yield Entry(name, walk._replace(listed=(*walk.listed, name)))
    line = so_far(walk) or _LISTS[walk.page]
    if walk.listed:
        yield Entry("done", _noted(walk, walk.page, line), "menu-list-done")
    yield Entry("any", _noted(walk, walk.page, f"{line}{',' if walk.listed else ''} any"), "menu-list-any")
    yield _back(walk)


def _who(walk: Walk, table: Ground) -> Iterator[Entry]:
    for name in sorted(table.cast, key=lambda name: (name not in table.mine, name in table.faceup)):
        yield Entry(
            name, _at(walk, "script")._replace(who=name), label="" if name not in table.mine else f"{name} *"
        )
    yield Entry("others", _at(walk, "script"), "menu-others")
    yield _back(walk)


def _script(walk: Walk, table: Ground) -> Iterator[Entry]:
    given = {step.removeprefix("try ").split(" ")[0] for step in walk.listed}
    sure = {step.split(" ")[0] for step in walk.listed}
    gathered = bool(given & {"gold", "cards"})
    if len(walk.listed) < _MOST_STEPS:
        if not gathered:
            yield Entry("gold", _step(walk, "gold"), "menu-gold")
            yield Entry("cards", _step(walk, "cards", "keep dearest"), "menu-cards")
        else:
            yield Entry("build", walk._replace(page="build"), "menu-build")
        for shape in _orders(walk.who, table.edition):
            if shape.verb not in given:
                chosen = _further(walk._replace(page="power", verb=shape.text), (), table)
                yield Entry(shape.text, chosen, label=_named(shape))
    left = [verb for verb in musts(table.edition, walk.who) if verb not in sure] if walk.who else []
    if gathered and not left:
        yield Entry(
            "end",
            _noted(walk, _script_key(walk.who), f"{_head(walk.who)}: {'; '.join((*walk.listed, 'end'))}"),
            "menu-end",
        )
    if walk.listed:
        yield Entry(
            "stop",
            _noted(walk, _script_key(walk.who), f"{_head(walk.who)}: {'; '.join(walk.listed)}"),
            "menu-stop",
        )
    yield _back(walk)


def _build(walk: Walk, table: Ground) -> Iterator[Entry]:
    line = _built(walk.args)
    if walk.args:
        yield Entry("else nothing", _step(walk, f"try {line}"), "menu-else-nothing")
        yield Entry("else ask", _step(walk, line), "menu-else-ask")
    for word, (code, _) in _VALUES.items():
        yield Entry(
            word, _step(walk, f"try {line} or build {word}" if walk.args else f"try build {word}"), code
        )
    for name in table.hand:
        if name not in walk.args and len(walk.args) < 5:
            yield Entry(name, walk._replace(args=(*walk.args, name)))
    yield _back(walk)


def _power(walk: Walk, table: Ground) -> Iterator[Entry]:
    shape = Shape(walk.verb)
    part = shape.parts[min(len(walk.args), len(shape.parts) - 1)]
    chosen: tuple[Any, ...] = ()
    before = walk.args
    if walk.args and part in LISTS and isinstance(walk.args[-1], tuple):
        before, chosen = walk.args[:-1], walk.args[-1]
        part = shape.parts[len(before)]
    if chosen:
        yield Entry("done", _given(walk, walk.args, table), "menu-done")
    if part == "<P>":
        for seat, name in enumerate(table.names):
            if seat != table.me:
                yield Entry(f"player {seat + 1}", _further(walk, (*walk.args, seat), table), label=name)
        yield _back(walk)
        return
    if part in ("<D>", "<B>") and not any(map(value, walk.args)):
        for word, (_, code) in _VALUES.items():
            yield Entry(word, _further(walk, (*walk.args, worded(word)), table), code)
    for name in _choice(walk, part, table):
        if part in LISTS:
            if name not in chosen:
                listed = (*chosen, name)
                full = len(listed) == _COUNTS.get(shape.verb, 0)
                yield Entry(
                    name,
                    _given(walk, (*before, listed), table) if full else walk._replace(args=(*before, listed)),
                )
        else:
            yield Entry(name, _further(walk, (*walk.args, name), table))
    yield _back(walk)


def _answers(walk: Walk, table: Ground) -> Iterator[Entry]:
    for name in table.questions:
        yield Entry(name, walk._replace(page="answer", who=name), f"asked-{name}")
    yield _back(walk)


def _answer(walk: Walk, table: Ground) -> Iterator[Entry]:
    question = walk.who
    for line in _possible(question, table):
        yield Entry(line, _noted(walk, question, line))
    yield Entry("back", _at(walk, "answers"), "menu-back")


def _possible(question: str, table: Ground) -> Iterator[str]:
    """The standing answers that are offered to a question."""
    verb, no = QUESTIONS[question].yes[0], QUESTIONS[question].no
    if question == "emperor":
        yield from (
            f"{words_of(Order('crown', (seat,)), table.names)} always"
            for seat in range(len(table.names))
            if seat != table.me
        )
        yield "crown ask me"
    elif question == "keep":
        yield from ("keep dearest always", "keep cheapest always", "keep dearest ask me")
    elif question == "hospital":
        yield from (
            "hospital gold always",
            "hospital cards always",
            "hospital gold never",
            "hospital gold ask me",
        )
    elif question == "theater":
        yield from ("exchange never", "exchange ask me")
    else:
        yield f"{verb} always"
        if question in WITH_COST:
            yield from (
                f"{verb} if cost {'<=' if question == 'threat' else '>='} {n}"
                for n in ((1, 2, 3) if question == "threat" else (3, 4, 5))
            )
        if no:
            yield f"{verb} never"
        yield f"{verb} ask me"


def _asks(walk: Walk, table: Ground) -> Iterator[Entry]:
    verbs = {shape.verb for name in table.cast for shape in powers_of(name, table.edition)}
    offers = [event for event, verb in _BEFALLS if verb in verbs]
    offers += [
        "my hand changed",
        "I have the crown",
        *(f"{name} has the crown" for seat, name in enumerate(table.names) if seat != table.me),
    ]
    for one in offers:
        if one not in walk.listed:
            yield Entry(one, walk._replace(listed=(*walk.listed, one)))
    if walk.listed:
        yield Entry("done", _noted(walk, "ask", _asking(walk.listed)), "menu-done")
    yield _back(walk)


def _closed(walk: Walk, table: Ground) -> Iterator[Entry]:
    yield from ()


_PAGES = {
    "top": _top,
    "prefer": _list,
    "discard": _list,
    "who": _who,
    "script": _script,
    "build": _build,
    "power": _power,
    "answers": _answers,
    "answer": _answer,
    "asks": _asks,
    "closed": _closed,
}
PAGES = tuple(_PAGES)


# -- pieces
# ----------------------------------------------------------------------------------------------------------


def _at(walk: Walk, page: str) -> Walk:
    """Another page, nothing begun there."""
    return Walk(page, walk.lines)


def _back(walk: Walk) -> Entry:
    """One tap taken back, or the page before."""
    if walk.page in ("build", "power"):
        to = (
            walk._replace(args=(), page="build")
            if walk.page == "build" and walk.args
            else walk._replace(page="script", verb="", args=())
        )
    elif walk.page == "script" and walk.listed:
        to = walk._replace(
            listed=walk.listed[:-2] if walk.listed[-1].startswith("keep ") else walk.listed[:-1]
        )
    elif walk.listed:
        to = walk._replace(listed=walk.listed[:-1])
    else:
        to = _at(walk, "who" if walk.page == "script" else "top")
    return Entry("back", to, "menu-back")


def _noted(walk: Walk, key: str, line: str) -> Walk:
    """The first page again, with that line in place of the one for the same."""
    return Walk("top", (*(one for one in walk.lines if one[0] != key), (key, line)))


def _step(walk: Walk, *steps: str) -> Walk:
    return walk._replace(page="script", listed=(*walk.listed, *steps), verb="", args=())


def _further(walk: Walk, args: tuple[Any, ...], table: Ground) -> Walk:
    """So much of an order is chosen: the words of its pattern go by themselves, and at its end it is a
    step.
    """
    parts = Shape(walk.verb).parts
    while len(args) < len(parts) and not parts[len(args)].startswith("<"):
        args = (*args, parts[len(args)])
    return walk._replace(args=args) if len(args) < len(parts) else _given(walk, args, table)


def _given(walk: Walk, args: tuple[Any, ...], table: Ground) -> Walk:
    """The order as a step: left out where it is not possible, unless the turn can't be ended without it."""
    verb = Shape(walk.verb).verb
    text = words_of(Order(verb, args), table.names)
    return _step(walk, text if verb in musts(table.edition, walk.who) else f"try {text}")


def _built(names: Iterable[str]) -> str:
    """ "build" before each: some districts are called like an order."""
    return " or ".join(f"build {name}" for name in names)


def _orders(character: str, edition: str) -> list[Shape]:
    """The orders of a character's own that can be tapped together; where something must be taken with one,
    not the one that takes nothing.
    """
    shapes = powers_of(character, edition)
    bare = {
        one.text
        for one in shapes
        for other in shapes
        if one.verb in musts(edition, character) and other.text.startswith(f"{one.text} ")
    }
    return [one for one in shapes if "<n>" not in one.parts and one.text not in bare]


def _choice(walk: Walk, part: str, table: Ground) -> Sequence[str]:
    """The cards that may stand there."""
    if part in ("<C>", "<C>+"):
        mine = rank(table.edition, walk.who)
        return [name for name in table.cast if rank(table.edition, name) > mine]
    if part == "<T>":
        return TYPES
    if part in ("<B>", "<B>+"):
        whose = next((arg for arg in reversed(walk.args) if isinstance(arg, int)), table.me)
        return table.cities[whose]
    return table.hand


def _named(shape: Shape) -> str:
    """An order on a button: its verb with what follows it, "…" for what is to be chosen."""
    parts = ["…" if part.startswith("<") else part for part in shape.parts]
    return " ".join([shape.verb, *parts])


def _head(who: str) -> str:
    return f"when {who}" if who else "otherwise"


def _script_key(who: str) -> str:
    return _head(who)


def _asking(listed: Sequence[str]) -> str:
    return f"ask me if {' or '.join(listed)}"
