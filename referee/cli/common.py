"""What several commands share: reading the configuration, opening the store, ending with a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, TypeVar

import typer

from referee.cli.foreign import cause, causes
from referee.cli.say import help_, language, meant, say

if TYPE_CHECKING:
    from referee.config import ConfigError, Configuration, Fault
    from referee.service.core.unit_of_work import Shell
    from referee.store import Store, Tx

T = TypeVar("T")

ConfigOption = Annotated[
    Path | None, typer.Option("--config", "-c", help=help_("config"), envvar="REFEREE_CONFIG")
]

#: a longer number is no row's: no database keeps it
LARGEST_NUMBER = 10**12
#: exit codes: something is wrong with what was asked about · with how it was asked
BAD, USAGE = 1, 2


def end(exit_code: int, sentence_code: str, /, **facts: Any) -> NoReturn:
    """Say why on standard error, and leave."""
    typer.echo(say(sentence_code, **facts), err=True)
    raise typer.Exit(exit_code)


def write_csv(csv: Path, text: str) -> None:
    """Write what was found to a file, or end the command with a sentence that says why not."""
    try:
        csv.write_text(text, encoding="utf-8")
    except OSError as no:
        end(USAGE, "pace.unwritable", file=csv, why=cause(no.strerror or no))


def configured(path: Path | None, *, with_channels: bool = True) -> Configuration:
    """The configuration, its oddities told; ends with exit code 2 when it can't be used."""
    from referee.config import ConfigError, load

    try:
        config = load(path, with_channels=with_channels)
    except ConfigError as error:
        for sentence in fault_sentences(error):
            typer.echo(sentence, err=True)
        raise typer.Exit(USAGE) from None
    for fault in config.warnings:
        typer.echo(say(f"config.{fault.code}", where=fault.where, key=fault.key, **_told(fault)), err=True)
    return config


def _told(fault: Fault) -> dict[str, Any]:
    """A fault's facts, the setting explained in the language of the shell."""
    return {
        **causes(fault.facts),
        **({"meant": meant(fault.key, str(fault.facts["meant"]))} if "meant" in fault.facts else {}),
    }


def fault_sentences(error: ConfigError) -> list[str]:
    """One sentence for each fault."""
    return [
        say(f"config.{fault.code}", where=fault.where, key=fault.key, **_told(fault))
        + (" " + say("config.nearest", nearest=fault.facts["nearest"]) if fault.facts.get("nearest") else "")
        for fault in error.faults
    ]


@contextmanager
def opened(url: str, *, who: str = "", **how: bool) -> Iterator[Store]:
    """The store, closed at the end; one that can't be opened, or fails later, ends with exit code 1 and a
    reason.

    `who`: see `Store.open`.
    """
    from referee.store import (
        MissingDatabase,
        NewerDatabase,
        Store,
        StoreBusy,
        StoreFull,
        WrongDatabase,
        shown,
    )

    where, served = shown(url), url.startswith("postgresql")
    try:
        if url.startswith("sqlite:///") and not (how.get("guest") or how.get("read_only")):
            Path(url.removeprefix("sqlite:///")).expanduser().parent.mkdir(
                parents=True, exist_ok=True, mode=0o700
            )
        store = Store.open(url, who=who, **how)
    except NewerDatabase as error:
        end(BAD, "store.newer", url=where, why=cause(error))
    except MissingDatabase as error:
        end(BAD, "store.server" if served else "store.missing", url=where, why=cause(error))
    except WrongDatabase as error:
        end(BAD, "store.wrong", url=where, why=cause(error))
    except StoreBusy as error:
        end(BAD, "store.busy", url=where, why=cause(error))
    except StoreFull as error:
        end(BAD, "store.server" if served else "store.unusable", url=where, why=cause(error.strerror))
    except (OSError, ValueError) as error:
        end(BAD, "store.server" if served else "store.unusable", url=where, why=cause(error))
    try:
        yield store
    except StoreFull as error:
        end(BAD, "store.not-done", url=where, why=cause(error.strerror))
    finally:
        store.close_now()


def looked_up(path: Path | None, job: Callable[[Tx], T]) -> T:
    """What a job reads from the store, also while the referee runs."""
    with opened(configured(path).store.url, read_only=True) as store:
        return store.read_now(job)


def changed(path: Path | None, job: Callable[[Tx], T]) -> T:
    """What a job changes in the store, also while the referee runs."""
    with opened(configured(path).store.url, guest=True) as store:
        return store.write_now(job)


def acted(path: Path | None, job: Callable[[Tx, Shell], T]) -> T:
    """`changed`, where what is done follows from how the house is configured."""
    config = configured(path)
    here = shell(config)
    with opened(config.store.url, guest=True) as store:
        there = here._replace(now_ms=hour(store))
        return store.write_now(lambda tx: job(tx, there))


def hour(store: Store) -> int:
    """UTC now, in milliseconds, by the database's clock: on a server that goes for all machines."""
    return store.read_now(lambda tx: tx.clock_ms())


def shell(config: Configuration) -> Shell:
    """What is done on the databases from here: the installation, the hour, the language of the shell."""
    from referee.main import clock_ms, house_settings, own_templates
    from referee.service.core.unit_of_work import Shell
    from referee.text import Words

    words = Words(own_templates(config))
    return Shell(words, house_settings(config, words), clock_ms(), language())
