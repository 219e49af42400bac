"""A language that nobody speaks, made of the English one: [Ýóúŕ ĥáñď~~].

It shows what a language could not change.

    python -m referee.text.pseudo FOLDER          writes FOLDER/en_001; with `templates = "FOLDER"` it is
      there: `language en-001`

Every sentence that stands by itself has brackets around it and is a third longer: one without its closing
bracket is clipped somewhere. A word without accents comes from the code or a layout, where no translator can
reach it. Reading drops accents, so whatever such a letter suggests to type is understood.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment

from .folders import shipped

LANGUAGE = "en_001"
#: letter -> the same with a mark that is no part of it
_MARKED = dict(zip("abcdefghijklmnoprstuvwxyz", "áḃçďéḟğĥíĵķĺṁñóṗŕšťúṽŵẍýž", strict=True))
#: what stands for something else and stays as it is: markup, entities, places to fill in, addresses
_JINJA = Environment(autoescape=True)
_KEPT = re.compile(r"<[^<>]*>|&#?\w+;|\{(?:[^{}]|\{[^{}]*\})*\}|(?<!\w)\w++://\S+|%[.\d]*[a-z]")
#: a sentence that stands within a condition from end to end
_ALL_IF = re.compile(r"\s*\{%-?\s*if\b.*endif\s*-?%\}\s*$", re.DOTALL)
#: calls in a template whose words name something, and operators after which a word does
_NAMING = frozenset(
    {
        "say",
        "default",
        "replace",
        "selectattr",
        "map",
        "sort",
        "startswith",
        "endswith",
        "split",
        "get",
        "truncate",
        "groupby",
        "rejectattr",
        "select",
        "reject",
        "sum",
        "dictsort",
        "attr",
        "entry",
        "keys",
        "table",
        "in",
    }
)
_COMPARED = frozenset({"==", "!=", "in", "subscript", ".", "is", "and", "not"})
_ADDRESS = re.compile(r"/\S*$")
#: words of the language of templates itself
_WORDS = frozenset({"in", "if", "else", "and", "or", "not", "elif", "set"})
#: entries of the lexicon that are read by people, not typed
_SHOWN = frozenset(
    {
        "name",
        "short",
        "text",
        "more",
        "line",
        "plain",
        "usage",
        "daily",
        "and",
        "or",
        "you",
        "your",
        "possessive",
    }
)


def accented(text: str) -> str:
    """The same with a mark on every letter that has one; what stands for something else stays."""
    out, place = [], 0
    for kept in _KEPT.finditer(text):
        out += [_marked(text[place : kept.start()]), kept.group()]
        place = kept.end()
    return "".join((*out, _marked(text[place:])))


def _marked(text: str) -> str:
    return "".join(_MARKED.get(c, _MARKED[c.lower()].upper() if c.lower() in _MARKED else c) for c in text)


def sentence(text: str, key: str = "") -> str:
    """A sentence of a TOML file: accented, in brackets, and longer.

    The frame of a mail's order form keeps its shape.
    """
    if not any(c.isalpha() for c in text):
        return text
    if _ALL_IF.match(text) or key.startswith(
        "orders_"
    ):  # it may say nothing at all, and then it must not be there
        return template(text)
    longer = "~" * (sum(len(said) for _, kind, said in _JINJA.lex(text) if kind == "data") // 3 + 1)
    return f"[{template(text)}{longer}]"


def _sentences(value: Any, key: str, said: Callable[[str, str], str] = sentence) -> Any:
    if isinstance(value, Mapping):
        return {name: _sentences(one, name, said) for name, one in value.items()}
    return said(value, key) if isinstance(value, str) else value


def template(source: str) -> str:
    """A Jinja template with its words accented, its logic as it was."""
    return "".join(_tokens(source))


def _tokens(source: str) -> Iterator[str]:
    before, calls, statement = "", [""], ""
    tokens = [(str(kind), str(value)) for _, kind, value in Environment(autoescape=True).lex(source)]
    for place, (kind, value) in enumerate(tokens):
        said = value
        if kind in ("variable_begin", "block_begin"):
            statement = ""
        elif kind == "name":
            statement = statement or value
        if kind == "data":
            yield accented(value)
            before = ""
            continue
        if kind == "string" and _told(
            value[1:-1],
            before,
            calls,
            next((one for of, one in tokens[place + 1 :] if of != "whitespace"), ""),
        ):
            said = value[0] + accented(value[1:-1]) + value[-1]
        elif value == "(":
            calls.append(before if before.isidentifier() else "")
        elif value in (")", "]") and len(calls) > 1:
            calls.pop()
        elif value == "[":
            calls.append("[")
        yield said
        if value == "[" and (
            before in (")", "]")
            or (before == "in" and statement != "for")
            or (before.isidentifier() and before not in _WORDS)
        ):
            value = "subscript"
        before = (
            before if kind == "whitespace" else "" if kind in ("variable_begin", "block_begin") else value
        )


def _told(text: str, before: str, calls: list[str], after: str) -> bool:
    """Whether a word in quotes is for people, by what stands around it and in which call it is.

    Addresses and keys of a table are not; of a row in a list, ("running", "Being played"), only the last word
    is.
    """
    if _ADDRESS.match(text) or after == ":" or (calls[-2:] == ["[", ""] and after != ")"):
        return False
    return (
        before not in _COMPARED
        and calls[-1] not in _NAMING
        and before not in ("block", "include", "import", "from", "extends")
    )


def lexicon_of(data: Mapping[str, Any]) -> dict[str, Any]:
    """The English lexicon with what is shown accented; every card has a name of its own."""
    out = {table: _entry(entries) for table, entries in data.items()}
    for kind in (
        "characters",
        "districts",
        "types",
        "verbs",
        "commands",
        "leagues",
        "editions",
        "lists",
        "bots",
        "manners",
    ):
        for key, entry in out[kind].items():
            if isinstance(entry, Mapping):
                out[kind][key] = {"name": accented(key), **entry}
    return out


def _entry(value: Any, key: str = "") -> Any:
    if key == "says":
        return _sentences(value, key)
    if isinstance(value, Mapping):
        return {name: accented(one) if key == "slots" else _entry(one, name) for name, one in value.items()}
    if key == "rulings":
        return [accented(one) for one in value]
    return accented(value) if key in _SHOWN and isinstance(value, str) else value


def toml(data: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[str]:
    """A table as lines of TOML, its own values before the tables in it."""
    plain = {key: value for key, value in data.items() if not isinstance(value, Mapping)}
    if path:
        yield f"[{'.'.join(json.dumps(part, ensure_ascii=False) for part in path)}]"
    for key, value in plain.items():
        yield f"{json.dumps(key, ensure_ascii=False)} = {json.dumps(value, ensure_ascii=False)}"
    for key, value in data.items():
        if isinstance(value, Mapping):
            yield from toml(value, (*path, key))


def write(folder: Path) -> Path:
    """Write the whole language into `folder`/en_001; what was there of it is replaced."""
    english, out = shipped() / "en", folder / LANGUAGE
    for path in sorted(english.rglob("*.toml")):
        target = out / path.relative_to(english)
        target.parent.mkdir(parents=True, exist_ok=True)
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        if path.name == "lexicon.toml":
            data = lexicon_of(data)
        elif path.parent == english:
            data = _sentences(data, "")
        else:  # pieces of a layout, which may be an order to type: no brackets
            data = _sentences(data, "", lambda text, key: template(text))
        text = "\n".join(toml(data)) + "\n"
        target.write_text(unicodedata.normalize("NFC", text), encoding="utf-8")
    return out


if __name__ == "__main__":
    write(Path(sys.argv[1]))
