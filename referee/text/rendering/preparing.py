"""A letter's context made ready for its template: strangers' words cleaned, events and troubles worded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..folding import clean
from ..reading.courtesy import is_courtesy
from ..reading.terms import Reading
from .cards import card
from .contents import ALWAYS, LETTERS
from .news import paragraphs

#: keys whose text is ours and must reach the template as it is
_OURS = frozenset({"mailto", "bot_link", "key", "understood"})
#: keys whose text is one line however long: a plan may do nothing that its echo leaves out
_WHOLE = frozenset({"steps", "news", "speech"})
_SPECIAL = _OURS | _WHOLE | {"record"}
#: kinds of values in which no text is
_PLAIN = frozenset({int, bool, type(None)})
#: the longest line of a stranger that a letter shows (signs)
_MOST = 200

Say = Callable[[str, str, Mapping[str, Any]], str]


def cleaned(value: Any, key: str = "") -> Any:
    """The same value, every text in it one safe line (see `folding.clean`)."""
    kind = value.__class__
    if kind in _PLAIN:  # half of a letter's facts
        return value
    if kind is str and key not in _SPECIAL:
        return clean(value, _MOST)
    if kind is dict:  # the plain kinds first: asking for the abstract ones is slow
        return {k: v if v.__class__ in _PLAIN else cleaned(v, str(k)) for k, v in value.items()}
    if kind is list:
        return [v if v.__class__ in _PLAIN else cleaned(v, key) for v in value]
    if isinstance(value, str):
        if (
            key == "record"
            # must stay what it was; where a word can hold the placeholder it is JSON, which has another way
            # to write it
        ):
            return value.replace("{reply_to}", "\\u007breply_to}")
        return value if key in _OURS else clean(value, 0 if key in _WHOLE else _MOST)
    if isinstance(value, list | tuple):
        return [v if v.__class__ in _PLAIN else cleaned(v, key) for v in value]
    if isinstance(value, Mapping):
        return {k: cleaned(v, str(k)) for k, v in value.items()}
    return value


def prepared(
    kind: str, language: str, raw: Mapping[str, Any], say: Say, brief: frozenset[str]
) -> dict[str, Any]:
    """The whole context of a letter.

    Adds `names` (by seat), `happened` and `happened_briefly` (paragraphs), `latest` (sentences), `went_wrong`
    (a line), `left_ms`, and `line` in each notice. `say(table, code, facts)` makes the sentences; `brief`
    names the events that short letters leave out.
    """
    strangers = cleaned({key: value for key, value in raw.items() if key != "view"})
    context: dict[str, Any] = {**ALWAYS, **LETTERS[kind], **strangers, "language": language}
    view = raw.get("view")
    if view:
        view = _seen(context, view)
    me = None if context["me"] is None else context["me"]["seat"]
    context["me_seat"] = me
    # in a room a command begins with a sign; Matrix clients keep "/" for themselves
    context["room_sign"] = "!" if context["channel"] == "matrix" else "/"
    context["sign"] = context["room_sign"] if context["room"] else ""
    edition = view["edition"] if view else (context["game"] or {}).get("edition", "")
    base = {"names": context["names"], "me_seat": me, "me": me, "edition": edition}
    base |= {"sign": context["sign"], "room_sign": context["room_sign"], "zone": context["zone"]}
    told = _told(context, base, say)
    context["happened"] = paragraphs(told)
    context["happened_briefly"] = paragraphs((name, line) for name, line in told if name not in brief)
    context["latest"] = [line for name, line in told if name not in brief]
    trouble = context.get("trouble")
    context["went_wrong"] = say("", trouble["code"], {**base, **trouble.get("facts", {})}) if trouble else ""
    if trouble:
        context["trouble"] = _trouble(trouble, Reading(language, context["names"]))
    if "notices" in context:
        context["notices"] = _notices(context, base, say)
    if context.get("options") and isinstance(context["options"], list):
        context["options"] = [
            {"mailto": "", "key": "", "note": "", "leads": False, "example": o["order"], **o}
            for o in context["options"]
        ]
    if context.get("due_ms") is not None:
        context["left_ms"] = context["due_ms"] - context["now_ms"]
    if kind == "alert":
        context["line_"] = say(
            "alerts", context["code"], {**context["facts"], "facts": _listed(context["facts"])}
        )
    return context


def _seen(context: dict[str, Any], view: Mapping[str, Any]) -> Mapping[str, Any]:
    """Put a view into a context, with who is who by it and the hand; the view as it is there."""
    # made by the rules: only the players' names in it are strangers' words
    players = [{**player, "name": clean(player["name"], _MOST)} for player in view["players"]]
    view = context["view"] = {**view, "players": players}
    if not context["names"]:
        context["names"] = [player["name"] for player in players]
    if context["me"] is None and view.get("you") is not None:
        context["me"] = {"seat": view["you"], "name": context["names"][view["you"]]}
    context["hand"] = [card(name, view["edition"]) for name in view.get("hand") or ()]
    return view


def _told(context: Mapping[str, Any], base: Mapping[str, Any], say: Say) -> list[tuple[str, str]]:
    """The events that have a sentence, each with it."""
    events = context.get("events") or ()
    lines = [(e["name"], say("events", e["name"], {**base, **e["facts"]})) for e in events]
    if any("at_ms" in e for e in events):  # a page of history tells when something was decided
        lines = [
            (
                name,
                say("lines", "dated", {"line": line, "at_ms": e["at_ms"], "zone": context["zone"]})
                if line and "at_ms" in e
                else line,
            )
            for e, (name, line) in zip(events, lines, strict=True)
        ]
    return [(name, _sentence(line)) for name, line in lines if line]


def _notices(context: Mapping[str, Any], base: Mapping[str, Any], say: Say) -> list[dict[str, Any]]:
    """The notices of a letter, or the one that it is about, each with its line."""
    spoken = context["notices"] or (
        [{"code": context["code"], "facts": context["facts"]}] if context["code"] else []
    )
    return [
        {
            "line": say("", n["code"], {**base, **n.get("facts", {})}),
            "suggestions": _suggested(n),
            "quote": n.get("facts", {}).get("quote") or "",
        }
        for n in spoken
    ]


def _sentence(line: str) -> str:
    """One line of what happened; a name at its start keeps its own spelling."""
    return " ".join(line.split())


def _trouble(trouble: Mapping[str, Any], reading: Reading) -> dict[str, Any]:
    """A trouble with all its keys, saying nothing twice: orders that the sentence names, or the quoted
    one. Thanks below an order that failed are nothing that was not done.
    """
    quote = trouble.get("quote", "")
    suggestions = () if trouble.get("facts", {}).get("candidates") else trouble.get("suggestions", ())
    return {
        **trouble,
        "quote": quote,
        "suggestions": suggestions,
        "not_done": [o for o in trouble.get("not_done", ()) if o != quote and not is_courtesy(o, reading)],
    }


def _suggested(notice: Mapping[str, Any]) -> list[str]:
    """Nearest orders or names that came with a notice, unless the sentence itself has them."""
    facts = notice.get("facts", {})
    return [] if facts.get("near") or facts.get("candidates") else list(facts.get("suggestions") or ())


def _listed(facts: Mapping[str, Any]) -> str:
    return ", ".join(f"{key} {value}" for key, value in facts.items())
