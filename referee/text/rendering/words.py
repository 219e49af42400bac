"""All that the referee says, in every language and for every channel.

words = Words()                                    or Words([admin's folder, …])
words.letter("prompt", "en", "telegram", context)  -> Rendered(subject, text, markup)
words.phrase("too-poor", "en", price=5, gold=2)    -> one plain sentence
words.label(option, "en", view)                    -> what stands on a button
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from jinja2 import UndefinedError
from markupsafe import Markup

from ... import kept
from ...rules.facts import Move
from ...rules.notation import order_text
from ..folders import languages, nearest
from ..folding import fold
from ..lexicon import Lexicon, lexicon
from ..reading.open_question import OpenQuestion, Option, options
from ..reading.sheet import Entry
from .contents import LETTERS
from .environments import KINDS, LanguageEnvironment
from .finishing import unmarked
from .labels import label_of, label_of_line
from .layouts import Made
from .news import paragraphs
from .phrases import SPOKEN, PhraseBook
from .preparing import cleaned, prepared
from .typed import planned

log = logging.getLogger(__name__)
#: of a question with more orders than this only those are compared with what was typed that are listed
_SHOWN = 150
_WORD = re.compile(r"\w+")
#: one that is no part of an address or a link
_PLAIN_WORD = re.compile(r"(?<![\w@.:/])\w+(?![\w@:/])")


#: kinds that are sent in their markup alone: their text is the same words without it, and not worded anew
_ALONE = frozenset({"telegram"})


class Rendered(NamedTuple):
    """A letter in words.  `text` is complete by itself; `markup` says the same in the channel's own
    markup, "" for the kind "text".  `subject` is one line of plain text."""

    subject: str
    text: str
    markup: str


class _Read:
    """What was read and compiled of some folders: books by language, environments by language and kind, and
    the code of layouts by language.
    """

    def __init__(self) -> None:
        self.books: dict[str, PhraseBook] = {}
        self.houses: dict[tuple[str, str], LanguageEnvironment] = {}
        self.made: dict[str, Made] = {}


#: of the shipped folder, which does not change: compiled once for a process, however many Words there are
_SHIPPED = _Read()


class Words:
    """The referee's voice.  `own` are an admin's template folders, each looked into before the
    shipped one.  `strict`: raise for a code without a sentence instead of saying it plainly
    (tests); in service an unworded code must not stop a game."""

    def __init__(self, folders: Sequence[Path] = (), *, strict: bool = False) -> None:
        self.own = tuple(Path(folder) for folder in folders)
        self.strict = strict
        self._read = _Read() if self.own else _SHIPPED
        self._known = languages(self.own)
        self._shipped: Words | None = None

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages there are."""
        return self._known

    def language(self, wanted: str) -> str:
        """The language to speak to somebody whose client asks for `wanted` ("pt-BR", "" …)."""
        return wanted if wanted in self._known else nearest(wanted, self._known)

    def ordinary(self, texts: Iterable[str]) -> set[str]:
        """Those of some texts all of whose words the referee itself says or reads, in any language: of
        sentences those that are written small, as those with a capital may be somebody's name.
        """
        words = {
            one: {word.casefold() for word in _WORD.findall(one) if not word.isdecimal()} for one in texts
        }
        strange = set().union(*words.values())
        for language in self._known:
            for said in _strings(self._book(language).tables):
                if found := [word for word in strange if word in said]:
                    strange.difference_update(set(found).intersection(_PLAIN_WORD.findall(said)))
            for name in _names(self.lexicon(language)):
                if any(word in name for word in strange):
                    strange.difference_update(_WORD.findall(name))
        return {one for one, its in words.items() if not its & strange}

    def lexicon(self, language: str) -> Lexicon:
        """The names of a language."""
        return lexicon(self.language(language), self.own)

    def letter(self, kind: str, language: str, markup: str, context: Mapping[str, Any]) -> Rendered:
        """A letter of `LETTERS` for a channel of `KINDS`.

        Raises KeyError for an unknown kind of letter or markup, jinja2.UndefinedError when the context lacks
        something.
        """
        if kind not in LETTERS or markup not in KINDS:
            raise KeyError(kind if kind not in LETTERS else markup)
        try:
            return self._letter(kind, self.language(language), markup, context)
        except Exception:  # an admin's template may go wrong in any way; a game must not stop for it
            if not self.own or self.strict:
                raise
            log.exception(
                "the letter %s could not be written with the words of %s: the shipped ones are used",
                kind,
                ", ".join(map(str, self.own)),
            )
            self._shipped = self._shipped or Words()
            return self._shipped.letter(kind, language, markup, context)

    def _letter(self, kind: str, language: str, markup: str, context: Mapping[str, Any]) -> Rendered:
        book = self._book(language)
        brief = frozenset(book.tables.get("brief", {}).get("left_out", ()))
        full = prepared(
            kind, language, context, lambda table, code, facts: self._say(language, table, code, facts), brief
        )
        full["mail"], full["short"] = markup == "mail", markup in ("telegram", "web")
        # what stands on a screen already is not said again
        full["scrolls"] = full["channel"] == "terminal" and markup in ("terminal", "text")
        plain = self._house(language, "text")
        template = plain.letter(kind)
        if "body" not in template.blocks:
            raise LookupError(f"the template of {kind} has no block called body")
        subject = _tagged(" ".join(plain.block(template, "subject", full).split()), full["game"])
        if markup == "text":
            return Rendered(subject, plain.block(template, "body", full), "")
        house = self._house(language, markup)
        body = house.block(house.letter(kind), "body", full)
        if markup in _ALONE and body:
            return Rendered(subject, unmarked(body), body)
        text = plain.block(template, "body", full)
        if markup == "mail":  # what stands above the first line of a quoted letter is an answer
            above = self._say(language, "lines", "orders_above", {})
            text = f"{plain.finish(str(plain.macros.top_marker(above)))}\n\n{text}"
            marked = Markup(f"{house.macros.top_marker(above)}{body}")  # noqa: S704 - escaped by its own templates
            body = str(house.macros.page(language, subject, marked))
        return Rendered(subject, text, body)

    def page(self, name: str, language: str, facts: Mapping[str, Any]) -> str:
        """A page of Markdown that is no letter, `<name>.j2` of the language's folder, ending with a line
        break.
        """
        house = self._house(self.language(language), "text")
        return house.block(house.environment.get_template(f"words/{name}.j2"), "body", dict(facts)) + "\n"

    def phrase(self, code: str, language: str = "en", /, **facts: Any) -> str:
        """One sentence of refusals, setup, troubles, notices or buttons; plain text.
        ``"events.built"`` takes one from a table of its own."""
        facts = {"names": (), "me_seat": None, "me": None, **cleaned(facts)}
        return self._say(self.language(language), "", code, facts)

    def event(
        self, name: str, facts: Mapping[str, Any], language: str, names: Sequence[str], me: int | None = None
    ) -> str:
        """What happened, in one line, as seat `me` (None: everybody) reads it; "" for what needs no
        telling.
        """
        full = {"names": cleaned(names), "me_seat": me, "me": me, **cleaned(facts)}
        return " ".join(self._say(self.language(language), "events", name, full).split())

    def news(
        self, events: Sequence[tuple[str, Mapping[str, Any]]], language: str, names: Sequence[str], me: int
    ) -> list[str]:
        """What happened (name, facts), as seat `me` reads it where there is little room: a paragraph each."""
        brief = self._book(self.language(language)).tables.get("brief", {}).get("left_out", ())
        lines = [
            (name, self.event(name, facts, language, names, me))
            for name, facts in events
            if name not in brief
        ]
        return paragraphs((name, line) for name, line in lines if line)

    def label(
        self, option: Option | Move | str, language: str = "en", view: Mapping[str, Any] | None = None
    ) -> str:
        """What stands on the button of an option, at most 60 letters.  With the view it can name prices;
        a canonical order as text is only capitalised."""
        language = self.language(language)
        book = self._book(language)
        return label_of(option, view, lambda table, code, facts: book.say(table, code, facts), book.raw)

    def label_of_plan(self, line: str, language: str, names: Sequence[str]) -> str:
        """What stands on the button of a line of a plan, or of a part of one, at a table of these players."""
        lex = self.lexicon(language)
        return (
            self.label(line, language)
            if line in lex.keys("verbs")
            else label_of_line(planned(lex, line, tuple(cleaned(names))))
        )

    def offers(
        self,
        ask: Mapping[str, Any] | None,
        view: Mapping[str, Any],
        language: str = "en",
        path: tuple[Any, ...] = (),
        subject: str = "",
    ) -> list[dict[str, Any]]:
        """The numbered answers as letters show them, of the whole question or after a step of it: {n, order,
        label, note, mailto, leads}, where it is one choice of cards also {cards, least, most}. `leads`: to
        more entries, of which `example` is one order.
        """
        language, out = self.language(language), []
        explained: set[str] = set()
        names = cleaned([player["name"] for player in view["players"]])
        for one in options(ask, view, path):
            row = {
                "n": one.n,
                "order": one.order_text,
                "label": self.label(one, language, view),
                "leads": one.move is None,
                "mailto": self.mailto(one.order_text, f"{subject} {one.order_text}".strip()),
            }
            if one.step is not None:
                row["example"] = order_text(one.step.example, names)
            if one.move is not None:
                facts = {
                    "names": names,
                    "me_seat": view.get("you"),
                    "me": view.get("you"),
                    "edition": view["edition"],
                    "a": cleaned(one.move.args),
                }
                row["note"] = self._say(language, "notes", one.move.verb, facts)
            elif one.family is not None and not path:
                row["note"] = self._say(language, "choices", one.family.verb, {})
            elif one.step is not None and not path and one.step.pattern not in explained:
                explained.add(one.step.pattern)
                row["note"] = self._say(
                    language,
                    "lines",
                    "step",
                    {"form": one.step.pattern, "example": order_text(one.step.example, names)},
                )
            if one.family is not None:
                row |= {"cards": list(one.family.cards), "least": one.family.least, "most": one.family.most}
            out.append(row)
        return out

    def shown(
        self,
        ask: Mapping[str, Any] | None,
        view: Mapping[str, Any],
        language: str = "en",
        path: tuple[Any, ...] = (),
    ) -> list[tuple[str, Entry]]:
        """The label of each option of a question and of each order that its steps lead to, with what it
        stands for; of a question of hundreds only what is listed, there and at the place of a step.
        """
        listed = [*options(ask, view), *(options(ask, view, path) if path else ())]
        found = {one.move or one.step: one for one in listed if one.move or one.step}
        if ask and len(ask["moves"]) <= _SHOWN:
            names = [player["name"] for player in view["players"]]
            for move in OpenQuestion(ask).moves:
                found.setdefault(move, Option(0, move, order_text(move, names)))
        return [(self.label(one, language, view), entry) for entry, one in found.items()]

    def mailto(self, order: str, subject: str = "") -> str:
        """The link that answers a mail with one order.  `{reply_to}` is filled in by the mail adapter."""
        head = f"subject={quote(subject, safe='')}&" if subject else ""
        return f"mailto:{{reply_to}}?{head}body={quote(order, safe='')}"

    def commands(self, language: str = "en") -> list[tuple[str, str]]:
        """The commands that a channel offers while people type, each with what it does in one line: in the
        language's own word where it has a single one, of plain letters as such channels want it.
        """
        lex, places = self.lexicon(language), {}
        for name, entry in self.lexicon("en").table("commands").items():
            if "offered" in entry:  # its place: more than a dozen are no menu any more, and `help` tells all
                places[name] = entry["offered"]
        offered = sorted(places, key=lambda name: places[name])
        return [(_one_word(lex, name), str(lex.entry("commands", name)["text"])[:256]) for name in offered]

    def codes(self, language: str = "en", table: str | None = None) -> frozenset[str]:
        """The codes that `phrase` knows, or those of one table ("events", "labels", "alerts" …)."""
        book = self._book(self.language(language))
        tables = SPOKEN if table is None else (table,)
        return frozenset(code for name in tables for code in book.codes(name))

    def _say(self, language: str, table: str, code: str, facts: Mapping[str, Any]) -> str:
        book = self._book(language)
        if not table:  # a code may name its table
            table, _, code = code.rpartition(".")
        where = table or book.where(code) or ""
        if table in ("notes", "choices") and book.raw(table, code) is None:
            return ""
        if table == "alerts" and book.raw(table, code) is None and not self.strict:
            return book.say(table, "other", {**facts, "code": code})
        try:
            return book.say(where, code, facts)
        except (KeyError, UndefinedError):
            if self.strict:
                raise
            # a sentence that is missing is our fault, but the game must go on: say the code itself
            log.exception("no sentence for %s.%s", where, code)
            return book.say("notices", "unknown", {"code": code})

    def _book(self, language: str) -> PhraseBook:
        books = self._read.books
        if language not in books:
            books[language] = PhraseBook(lexicon(language, self.own), self.own)
        return books[language]

    def _house(self, language: str, kind: str) -> LanguageEnvironment:
        if kind not in KINDS:
            raise KeyError(kind)
        houses = self._read.houses
        if (language, kind) not in houses:
            book = self._book(language)
            made = self._read.made.setdefault(language, {})
            place = None if self.own else kept.folder("layouts")  # where code is kept for the next start
            house = LanguageEnvironment(kind, lexicon(language, self.own), book.raw, self.own, made, place)
            house.share(lambda table, code, **facts: book.say(table, code, facts))
            houses[language, kind] = house
        return houses[language, kind]


def _tagged(subject: str, game: Mapping[str, Any] | None) -> str:
    """A subject that names the table which the letter is about, if it is about one."""
    tag = "" if game is None else f"[{game['tag']}]"
    return subject if not subject or tag in subject else f"{tag} {subject}"


def _strings(values: Any) -> Iterator[str]:
    """All sentences of a table of tables."""
    if isinstance(values, str):
        yield values
    elif isinstance(values, Mapping):
        for one in values.values():
            yield from _strings(one)


def _names(lex: Lexicon) -> Iterator[str]:
    """All that has a name in a language, written small: cards, orders, commands, and what stands for them."""
    for kind in lex.data:
        for key in lex.keys(kind):
            for one in lex.spellings(kind, key):
                yield one.casefold()


def _one_word(lex: Lexicon, command: str) -> str:
    """What a command is called, as one word of a-z; its English name where the language has none."""
    if "name" not in lex.entry("commands", command):
        return command
    folded = (fold(said) for said in lex.spellings("commands", command) if said != command)
    return next((word for word in folded if word.isascii() and word.isalpha()), command)
