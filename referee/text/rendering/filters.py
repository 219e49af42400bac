"""What templates can say about cards, players, lists and times: the filters of one language."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from ..lexicon import Lexicon
from ..reading.open_question import OpenQuestion, texts
from ..valuing import shown
from . import cards as known
from . import times
from .grammar import card_name, grammar
from .typed import example, filter_typed, planned, typed

#: the words of a phrase file that filters look up: table -> key -> text
Tables = Callable[[str, str], str | None]


Filters = dict[str, Callable[..., Any]]

#: filter -> the kind of names that the lexicon has for it
_KINDS = {
    "kind": "types",
    "edition": "editions",
    "preset": "lists",
    "channel": "channels",
    "verb": "verbs",
    "command": "commands",
}
#: filter -> the table of phrases that it looks up
_TABLES = {
    "question": "questions",
    "waits": "waits",
    "status": "statuses",
    "menu": "menus",
    "talk_mode": "talk_modes",
    "ring": "rings",
    "alert_title": "alert_titles",
    "letter_kind": "letter_kinds",
    "logged": "logged",
    "logged_fact": "logged_facts",
    "setup_place": "setup_places",
}


def filters(lex: Lexicon, tables: Tables) -> Filters:
    """The filters by the names that templates use.  They take and return plain text;
    escaping is done where text goes into markup."""
    players = _players(lex)
    return {
        **grammar(lex, players["who"]),
        **players,
        **_cards(lex),
        **_lists(lex),
        **_orders(lex),
        **_names(lex),
        **_looked_up(tables),
        **_settings(lex),
        **_numbers(lex),
        **_times(lex),
    }


def _players(lex: Lexicon) -> Filters:
    """What a seat is called; the reader's own is "you"."""
    words = lex.table("language")

    @pass_context
    def who(context: Context, seat: Any) -> str:
        if _is_seat(seat):
            if seat == context.get("me_seat"):
                return str(words.get("you", "you"))
            names = context.get("names") or ()
            return str(names[seat]) if 0 <= seat < len(names) else f"{seat + 1}"
        return str(seat)

    @pass_context
    def upper_who(context: Context, seat: Any) -> str:
        said = who(context, seat)
        return said[:1].upper() + said[1:] if _is_seat(seat) and seat == context.get("me_seat") else said

    @pass_context
    def whose(context: Context, seat: Any) -> str:
        if _is_seat(seat) and seat == context.get("me_seat"):
            return str(words.get("your", "your"))
        return str(words.get("possessive", "{}'s")).replace("{}", who(context, seat))

    @pass_context
    def upper_whose(context: Context, seat: Any) -> str:
        said = whose(context, seat)
        return said[:1].upper() + said[1:] if _is_seat(seat) and seat == context.get("me_seat") else said

    @pass_context
    def if_me(context: Context, seat: Any, mine: str, other: str) -> str:
        """`mine` where the seat is the reader's, else `other` with the name for "{}"."""
        return (
            mine
            if _is_seat(seat) and seat == context.get("me_seat")
            else other.replace("{}", who(context, seat))
        )

    @pass_context
    def target(context: Context, named: Any) -> str:
        """A character or a player that was named."""
        return who(context, named) if _is_seat(named) else card_name(lex, str(named))

    return {
        "who": who,
        "Who": upper_who,
        "whose": whose,
        "Whose": upper_whose,
        "if_me": if_me,
        "target": target,
    }


def _cards(lex: Lexicon) -> Filters:
    """What a card is called, what it is and what it does."""

    def card(name: Any) -> str:
        """A card's name, also where a district is followed by "beautified"."""
        return card_name(lex, str(name))

    @pass_context
    def rank(context: Context, name: Any, edition: str = "") -> str:
        return str(known.card(str(name), edition or _edition(context)).get("rank", ""))

    @pass_context
    def type_of(context: Context, name: Any) -> str:
        return str(known.card(str(name), _edition(context)).get("type", ""))

    @pass_context
    def line(context: Context, name: Any, edition: str = "") -> str:
        """What a card does, in one line of a list: as that edition has it, or that of the letter's game."""
        return known.line(lex, str(name), edition or _edition(context))

    return {
        "card": card,
        "short": lambda name: lex.short(str(name)),
        "source": card,
        "line": line,
        "rank": rank,
        "type": type_of,
        "stacked": lambda names, edition="": known.stacked(names, edition),
        "sheets": lambda name, edition="": known.sheets(lex, str(name), edition),
        "editions_of": lambda name: list(known.editions_of(str(name))),
    }


def _lists(lex: Lexicon) -> Filters:
    """Several things with "and" or "or" between the last two."""
    words = lex.table("language")

    def joined(items: Sequence[Any], word: str) -> Any:
        texts = list(items)
        if any(isinstance(t, Markup) for t in texts):
            texts = [escape(t) for t in texts]
        if len(texts) < 2:
            return texts[0] if texts else ""
        if len(texts) == 2:
            return texts[0] + f" {word} " + texts[1]
        return texts[0].__class__(", ").join(texts[:-1]) + f" {word} " + texts[-1]

    def all_of(items: Sequence[Any]) -> Any:
        return joined([x if isinstance(x, str) else str(x) for x in items], str(words.get("and", "and")))

    def either(items: Sequence[Any] | str) -> Any:
        several = [items] if isinstance(items, str) else [x if isinstance(x, str) else str(x) for x in items]
        return joined(several, str(words.get("or", "or")))

    return {
        "all_of": all_of,
        "either": either,
        "cards": lambda names: all_of([card_name(lex, str(n)) for n in names]),
        "cards_either": lambda names: either([card_name(lex, str(n)) for n in names]),
        "tags": lambda games: [f"#{g}" if str(g).isdigit() else str(g) for g in games],
    }


def _orders(lex: Lexicon) -> Filters:
    """Orders and plans as a person types them."""
    words = lex.table("language")
    opening, _, closing = str(words.get("quoted", "“{}”")).partition("{}")

    def quoted(said: Any) -> str:
        """What a person may type, in the language's quotation marks: plain text, too, shows what belongs to
        it.
        """
        quotation = f"{opening}{said}{closing}"
        return Markup(quotation) if isinstance(said, Markup) else quotation  # noqa: S704 - our own marks

    def form(pattern: str) -> str:
        """A pattern of an order as a person reads it: "build <district>"."""
        pattern = typed(lex, pattern)
        for slot, word in words.get("slots", {}).items():
            pattern = pattern.replace(f"<{slot}>+", f"‹{word}, …›").replace(f"<{slot}>", f"‹{word}›")
        return pattern

    def an_order(ask: Mapping[str, Any], verb: str, seats: Sequence[Mapping[str, Any]]) -> str:
        """The first order of a verb that answers a question; "" where none does."""
        names = [str(seat["name"]) for seat in seats]
        found = [offered for offered in OpenQuestion(ask).options if offered.verb == verb]
        return typed(lex, texts(found[:1], names)[0], names) if found else ""

    return {
        "an_order": an_order,
        "typed": filter_typed(lex),
        "planned": filter_typed(lex, planned),
        "example": lambda said: example(lex, str(said)),
        "forms": lambda patterns: [form(p) for p in patterns],
        "quoted": quoted,
    }


def _names(lex: Lexicon) -> Filters:
    """What the lexicon calls things."""

    def named(kind: str) -> Callable[[Any], str]:
        return lambda key: lex.name(kind, str(key))

    def bot(said: Any) -> str:
        """A bot's level, and its manner where it has one: "strong, thrifty"."""
        level, _, manner = str(said).partition(" ")
        return lex.name("bots", level) + (f", {lex.name('manners', manner)}" if manner else "")

    def bots(seats: Sequence[Mapping[str, Any]]) -> str:
        """Those of the seats where a bot sits: "Otto (strong, thrifty), Nell (gentle)"."""
        return ", ".join(f"{one['name']} ({bot(one['bot'])})" for one in seats if one["bot"])

    return {"bot": bot, "bots": bots, **{filter_: named(kind) for filter_, kind in _KINDS.items()}}


def _looked_up(tables: Tables) -> Filters:
    """What the phrases say for a key; "other" for one that they don't know."""

    def looked_up(table: str) -> Callable[[Any], str]:
        return lambda key: tables(table, str(key)) or tables(table, "other") or str(key)

    return {filter_: looked_up(table) for filter_, table in _TABLES.items()}


def _settings(lex: Lexicon) -> Filters:
    """What can be asked for and set, by the words that are typed for it."""
    language = lex.language

    def topic(key: Any) -> str:
        others = () if language == "en" else lex.table("topics").get(str(key), ())
        return next(iter(others), str(key))

    def setting(key: Any) -> str:
        """What a league's setting is called: the first word that this language has for it."""
        others = () if language == "en" else lex.table("league_settings").get(str(key), ())
        return str(others[0]) if others else str(key)

    return {
        "topic": topic,
        "setting": setting,
        "setting_value": lambda value, key: shown(lex, str(key), str(value)),
    }


def _numbers(lex: Lexicon) -> Filters:
    """Numbers, and words that agree with them."""
    language = lex.language
    words = lex.table("language")

    def counted(number: int, one: str, other: str, few: str = "", many: str = "") -> str:
        form = str(words["zero"]) if number == 0 and "zero" in words else times.plural(number, language)
        word = {"one": one, "few": few or other, "many": many or other}.get(form, other)
        return f"{number} {word}"

    return {
        "n": counted,
        "decimal": lambda number: str(number).replace(".", times.decimal_sign(language)),
        "kilobytes": lambda count: str(max(1, round(int(count) / 1024))),
    }


def _times(lex: Lexicon) -> Filters:
    """Moments, spans and places of the clock."""
    language = lex.language
    formats = lex.table("formats")
    return {
        "when": lambda ms, zone: times.when(ms, zone, language, str(formats.get("when", "EEE d MMM HH:mm"))),
        "iso": times.iso,
        "left": lambda ms: times.left(ms, language),
        "span": lambda hours: times.span(hours, language, lex),
        "city": lambda zone: times.city(zone, language),
        "weekdays": lambda days: times.weekdays(str(days), language),
    }


def _edition(context: Context) -> str:
    """The edition that the letter or the sentence speaks of, "" where it is none."""
    game = context.get("game")
    return str(context.get("edition") or (game["edition"] if isinstance(game, Mapping) else ""))


def _is_seat(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def facts_of(context: Mapping[str, Any]) -> dict[str, Any]:
    """What phrases see of a letter's context: the players' names and the reader's seat."""
    me = context.get("me")
    return {"names": context.get("names") or (), "me_seat": None if me is None else me["seat"]}
