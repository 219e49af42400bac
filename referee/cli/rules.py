"""`referee rules`: play scenario files; list the cards of an edition."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from referee.cli.common import BAD, USAGE, end
from referee.cli.foreign import cause
from referee.cli.say import help_, say
from referee.cli.say import language as spoken

if TYPE_CHECKING:
    from referee.rules.scenario import Result


def check(
    files: Annotated[list[Path], typer.Argument(help=help_("rules.files"), show_default=False)],
) -> None:
    """Play scenarios; 0 when all passed, 1 when not, 2 for a file that does not fit the page."""
    passed = failed = refused = 0
    for file in files:
        for result in _played(_loaded(file), str(file)):
            if isinstance(result, str):
                typer.echo(say("rules.refused", why=result), err=True)
                refused += 1
                continue
            passed, failed = passed + result.ok, failed + (not result.ok)
            typer.echo(
                say("rules.ok", name=result.name)
                if result.ok
                else say("rules.fail", name=result.name, why=result.why)
            )
    typer.echo(say("rules.total", passed=passed, failed=failed))
    if refused or failed:
        raise typer.Exit(USAGE if refused else BAD)


def _played(data: Any, source: str) -> Iterator[Result | str]:
    """The results, or why it is refused: the whole file, or only the scenarios of an edition that is not
    built.
    """
    from referee.rules.scenario import ScenarioError
    from referee.rules.scenario import check as play_all

    try:
        yield from play_all(data, source)
    except ScenarioError as error:
        if error.code == "unknown-edition" and len(data) > 1:
            for one in data:
                yield from _played([one], source)
        else:
            yield str(error)


def _loaded(file: Path) -> Any:
    """What the file says, in plain lists and mappings; a large one, or one that would grow, is refused."""
    from referee.cli.yamlfile import LARGEST, YamlFault, parsed

    try:
        with file.open("rb") as opened:
            raw = opened.read(LARGEST + 1)
        if len(raw) > LARGEST:
            end(USAGE, "rules.too-large", file=file, most=LARGEST)
        return parsed(raw.decode("utf-8-sig"))
    except FileNotFoundError:
        end(USAGE, "rules.no-file", file=file)
    except OSError as error:
        end(USAGE, "rules.unreadable", file=file, why=cause(error.strerror))
    except YamlFault as fault:
        end(
            USAGE,
            f"rules.{fault.code}",
            file=file,
            **{**fault.facts, **({"why": cause(fault.facts["why"])} if "why" in fault.facts else {})},
        )
    except UnicodeDecodeError as error:
        end(USAGE, "rules.not-yaml", file=file, why=cause(" ".join(str(error).split())))


def cards(
    edition: Annotated[str, typer.Option("--edition", "-e", help=help_("rules.edition"))] = "classic",
    language: Annotated[str, typer.Option("--lang", help=help_("rules.lang"))] = "",
) -> None:
    """List an edition's characters by rank and its districts by type, each with what it does in one line."""
    from referee.rules import EDITIONS
    from referee.text import Words, lexicon
    from referee.text.folders import languages
    from referee.text.rendering import cards as known

    language = language or spoken()
    if edition not in EDITIONS:
        end(USAGE, "rules.no-edition", edition=edition, known=sorted(EDITIONS))
    if language not in languages():
        end(USAGE, "rules.no-language", language=language, known=languages())
    words, cards = lexicon(language), known.printed(edition)
    wide = max(len(words.card(name)) for name in cards)
    kinds = max(len(words.name("types", kind)) for kind in words.keys("types"))

    def told(name: str) -> dict[str, Any]:
        about = cards[name]
        facts = {
            "kind": words.name("types", str(about["type"])),
            "cost": about.get("cost") or "-",
            "rank": about.get("rank"),
            "copies": about.get("copies"),
            "line": known.line(words, name, edition),
        }
        return {"name": words.card(name), "wide": wide, "kinds": kinds, **facts}

    for name in known.by_rank(edition):
        typer.echo(say("rules.character", **told(name)).rstrip())
    typer.echo()
    for name in known.by_type(edition):
        typer.echo(say("rules.district", **told(name)).rstrip())
    typer.echo()
    for line in ("head", "one", "two", "three", "four", "five"):
        typer.echo(Words().phrase(f"turn.{line}", language))
