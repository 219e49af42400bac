"""What others say on the command line, in the language of the shell: the libraries that read arguments and
settings speak English only.

Their sentences stand in admin.toml under [foreign], in English as they are said, and translated: one that is
found there is said in the admin's language; any other is quoted as it is. English is never touched.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from string import Formatter
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.exceptions import TyperException

from .say import language, say, sentences

_TABLE = "foreign."
#: facts that are sentences of others themselves
_WITHIN = frozenset({"why"})
#: what other facts than words look like
_SHAPES = {"file": "'[^']*'", "tool": r"[\w.-]+", "number": r"-?\d[\d.e+-]*"}
#: what a machine said after a sentence of ours, or the file it is about
_FOLLOWED = (" (", ": /")
#: no sentence of a library is longer: what is, holds somebody's file, and is quoted
_LONGEST = 2000


def translated(said: str) -> str:
    """The same in the shell's language, as far as it is known."""
    if language() == "en" or len(said) > _LONGEST:
        return said
    for code, pattern in _patterns():
        found = pattern.fullmatch(said.strip())
        if found is not None:
            return say(
                code,
                **{
                    name: translated(text) if name in _WITHIN else text
                    for name, text in found.groupdict().items()
                },
            )
    told = said.strip()
    ends = sorted(
        place
        for sign in _FOLLOWED
        if (place := told.find(sign, 1)) > 0 and (sign != " (" or told.endswith(")"))
    )
    return translated(told[: ends[0]]) + told[ends[0] :] if ends else said


def cause(said: object) -> str:
    """Why something could not be done, as a library or the system says it: translated, and what is not known
    quoted.
    """
    told = translated(str(said))
    return told if language() == "en" or told != str(said) or " " not in told else f"“{told}”"


def causes(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts of a sentence, with what others said among them."""
    return {name: cause(fact) if name in ("why", "detail") else fact for name, fact in facts.items()}


@cache
def _patterns() -> Sequence[tuple[str, re.Pattern[str]]]:
    """Those of the English table, the longest first: what is more exact goes before."""
    table = {code: sentence for code, sentence in sentences("en").items() if code.startswith(_TABLE)}
    return [
        (code, re.compile("".join(_pieces(table[code])), re.DOTALL))
        for code in sorted(table, key=lambda code: -len(table[code]))
    ]


def _pieces(sentence: str) -> Iterator[str]:
    """Words that stand as they are, and what is filled in between.

    What may be anything ends where the words after it come first, and is never tried again (an atomic group):
    with two such places, every way to part a text would be.
    """
    text, *places = [(text, name) for text, name, *_ in Formatter().parse(sentence)] + [("", None)]
    yield re.escape(text[0])
    anything = [name for _, name in (text, *places) if name and name not in _SHAPES]
    for (_, name), (after, _) in pairwise((text, *places)):
        if name in _SHAPES:
            yield rf"(?P<{name}>{_SHAPES[name]}){re.escape(after)}"
        elif name and name != anything[-1]:
            yield rf"(?>(?P<{name}>.+?){re.escape(after)})"
        else:
            yield (rf"(?P<{name}>.+)" if name else "") + re.escape(after)


class Heard:
    """A command whose help, and whose complaints about what was typed, are in the shell's language."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """The page of help, its headings and the notes beside options translated."""
        page: Any = super()
        if language() == "en":
            page.format_help(ctx, formatter)
            return
        options: Any = [one for one in self.params if getattr(one, "help", None)]  # type: ignore[attr-defined]  # of the class it is mixed into
        said = [one.help for one in options]
        try:
            for one in options:  # before lines are broken
                one.help = _headed(one.help)
            page.format_help(ctx, formatter)
        finally:
            for one, words in zip(options, said, strict=True):
                one.help = words
        formatter.buffer[:] = [_headed(piece) for piece in formatter.buffer]

    def main(self, *args: Any, standalone_mode: bool = True, **more: Any) -> Any:
        """Run it; in English, and when somebody else tells the errors, as ever."""
        whole: Any = super()
        if not standalone_mode or language() == "en":
            return whole.main(*args, standalone_mode=standalone_mode, **more)
        try:
            code = whole.main(*args, standalone_mode=False, **more)
        except TyperException as error:
            _complain(error)
            code = error.exit_code
        except typer.Abort:
            typer.echo(translated("Aborted!"), err=True)
            code = 1
        sys.exit(code if isinstance(code, int) else 0)


class Command(Heard, TyperCommand):
    """A command of ours."""


class Group(Heard, TyperGroup):
    """A group of them."""


def _complain(error: TyperException) -> None:
    context: Any = getattr(error, "ctx", None)
    if type(error).__name__ == "NoArgsIsHelpError":  # it says nothing but the page of help
        typer.echo(error.format_message(), err=True)
        return
    if context is not None:
        typer.echo(_headed(context.get_usage()), err=True)
        typer.echo(
            say("usage.try", command=f"{context.command_path} {context.help_option_names[0]}") + "\n",
            err=True,
        )
    typer.echo(say("usage.error", why=translated(error.format_message())), err=True)


def _headed(text: str) -> str:
    """Words of a page of help that are the library's."""
    for code, sentence in sentences("en").items():
        if code.startswith("headings."):
            text = text.replace(sentence, say(code))
    return text
