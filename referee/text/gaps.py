"""What a language's folder lacks beside the English one.  For translators, and for the tests.

A language is complete when it has every sentence with the same facts in it, every verb, command
and topic, words for every card that English explains, and every plural form its grammar knows.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Formatter
from typing import Any, NamedTuple

from babel import Locale
from jinja2 import Environment, TemplateSyntaxError, meta, nodes

from .folders import language_folders
from .lexicon import lexicon
from .rendering.filters import filters

#: lexicon tables whose every key must be there
_TABLES = (
    "words",
    "verbs",
    "types",
    "commands",
    "channels",
    "editions",
    "lists",
    "bots",
    "manners",
    "topics",
    "leagues",
    "characters",
    "districts",
)
#: what an entry says to a reader (its name and other spellings are each language's own affair)
_SAID = frozenset({"text", "more", "line", "usage", "rulings", "plain"})
#: so long a text, equal to the English one, has not been translated
_WORTH = 16
#: the reader's seat: a language whose verbs don't need it may leave it out; and what is no fact, but a way to
#: write one
_READER = frozenset({"me", "me_seat", "say", "c", "lexicon"})
#: the file whose sentences are no templates
_PLAIN = "admin.toml"
#: filter `n`: which argument gives which plural form
_FORMS = ("one", "other", "few", "many")


class TranslationGap(NamedTuple):
    """`where` a file, `what` a key in it, `why`: missing, facts, plural, untranslated, broken."""

    where: str
    what: str
    why: str


def gaps(language: str, own: tuple[Path, ...] = ()) -> list[TranslationGap]:
    """Everything that is missing or wrong, in the order of the files."""
    ours, theirs = _read("en", ()), _read(language, own)
    return [*_lexicon(ours.lexicon, theirs.lexicon), *_sentences(ours, theirs, language, own)]


class _Language(NamedTuple):
    lexicon: Mapping[str, Any]
    sentences: Mapping[tuple[str, str], str]  # (file, key) -> template


def _read(language: str, own: tuple[Path, ...]) -> _Language:
    lexicon: dict[str, Any] = {}
    sentences: dict[tuple[str, str], str] = {}
    for folder in reversed(language_folders(language, own)):
        for path in sorted(folder.rglob("*.toml")):
            name = path.relative_to(folder).as_posix()
            if name == "lexicon.toml":
                for table, entries in tomllib.loads(path.read_text(encoding="utf-8")).items():
                    lexicon.setdefault(table, {}).update(entries)
                    sentences.update(_of_cards(table, entries))
            else:
                tables = tomllib.loads(path.read_text(encoding="utf-8"))
                sentences.update(
                    {
                        (name, f"{t}.{k}"): s
                        for t, es in tables.items()
                        if isinstance(es, Mapping)
                        for k, s in es.items()
                        if isinstance(s, str)
                    }
                )
    return _Language(lexicon, sentences)


def _of_cards(kind: str, entries: Mapping[str, Any]) -> Iterator[tuple[tuple[str, str], str]]:
    """The sentences of cards, which stand in their entries."""
    for card, entry in entries.items() if kind in ("characters", "districts") else ():
        for table, said in entry.get("says", {}).items():
            for code, text in said.items():
                if isinstance(text, str):
                    yield ("lexicon.toml", f"{kind}.{card}.says.{table}.{code}"), text


def _lexicon(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> Iterator[TranslationGap]:
    for table in _TABLES:
        for key, entry in ours[table].items():
            other = theirs.get(table, {}).get(key)
            if other is None:
                yield TranslationGap("lexicon.toml", f"{table}.{key}", "missing")
                continue
            if isinstance(entry, Mapping):
                yield from _entry(f"{table}.{key}", entry, other, ours != theirs)


def _entry(where: str, entry: Mapping[str, Any], other: Any, foreign: bool) -> Iterator[TranslationGap]:
    """What an entry, and its tables for editions, say and the other language's doesn't."""
    for part, said in entry.items():
        if part == "says" or (part not in _SAID and not isinstance(said, Mapping)):
            continue  # sentences are compared as such
        if not isinstance(other, Mapping) or part not in other:
            yield TranslationGap("lexicon.toml", f"{where}.{part}", "missing")
        elif isinstance(said, Mapping):
            yield from _entry(f"{where}.{part}", said, other[part], foreign)
        elif part in ("text", "plain") and foreign and _unchanged(said, other[part]):
            yield TranslationGap("lexicon.toml", f"{where}.{part}", "untranslated")


def _unchanged(english: str, other: str) -> bool:
    return english == other and len(english) > _WORTH


def _sentences(
    ours: _Language, theirs: _Language, language: str, own: tuple[Path, ...]
) -> Iterator[TranslationGap]:
    environment = Environment(autoescape=True)
    environment.filters.update(filters(lexicon(language, own), lambda table, code: None))
    tags = Locale.parse(language).plural_form.tags
    for (where, what), english in ours.sentences.items():
        other = theirs.sentences.get((where, what))
        if other is None:
            yield TranslationGap(where, what, "missing")
            continue
        if where == _PLAIN:
            yield from _plain(what, english, other, language)
            continue
        same = language != "en" and _unchanged(english, other)
        if "{" not in english + other:  # nothing is filled in, nothing depends on anything
            if same and any(sign.isalpha() for sign in other):
                yield TranslationGap(where, what, "untranslated")
            continue
        try:
            tree = environment.parse(other)
            facts = _facts(tree)
        except TemplateSyntaxError:
            yield TranslationGap(where, what, "broken")
            continue
        if english != other and _facts(environment.parse(english)) != facts:
            yield TranslationGap(where, what, "facts")
        if any(not tags <= _given(call) for call in tree.find_all(nodes.Filter) if call.name == "n"):
            yield TranslationGap(where, what, "plural")
        if same and _words(tree):
            yield TranslationGap(where, what, "untranslated")


def _plain(what: str, english: str, other: str, language: str) -> Iterator[TranslationGap]:
    """A sentence of the command line, which is filled in by `str.format`."""
    try:
        (_, wanted), (words, facts) = _formatted(english), _formatted(other)
    except ValueError:
        yield TranslationGap(_PLAIN, what, "broken")
        return
    if facts != wanted:
        yield TranslationGap(_PLAIN, what, "facts")
    if language != "en" and _unchanged(english, other) and any(sign.isalpha() for sign in words):
        yield TranslationGap(_PLAIN, what, "untranslated")


def _formatted(sentence: str) -> tuple[str, set[str]]:
    """Its own words, and what is filled in."""
    pieces = list(Formatter().parse(sentence))
    return "".join(text for text, *_ in pieces), {name for _, name, _, _ in pieces if name}


def _facts(tree: nodes.Template) -> set[str]:
    return {str(name) for name in meta.find_undeclared_variables(tree)} - _READER


def _words(tree: nodes.Template) -> bool:
    """Whether a template has words of its own, beside what it is told."""
    said = [str(data.data) for data in tree.find_all(nodes.TemplateData)]
    counted = [
        str(form.value)
        for call in tree.find_all(nodes.Filter)
        if call.name == "n"
        for form in call.args
        if isinstance(form, nodes.Const)
    ]
    return any(sign.isalpha() for text in (*said, *counted) for sign in text)


def _given(call: nodes.Filter) -> set[str]:
    named = {str(word.key) for word in call.kwargs}
    return {*_FORMS[: len(call.args)], *named, "other"}
