"""`referee serve`: all channels in one process, until a signal."""
from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import typer

from referee.cli.common import BAD, USAGE, ConfigOption, configured, end, opened
from referee.cli.say import say

if TYPE_CHECKING:
    from referee.config import Configuration


def serve(config: ConfigOption = None) -> None:
    """Serve."""
    from referee import log, main

    decided = configured(config)
    if not decided.channels:
        end(USAGE, "serve.no-channel", path=decided.path)
    if decided.referee.templates is not None:
        _words_that_work(decided)
    log.begin(decided.referee.log, decided.referee.log_level, decided.secrets())
    with opened(decided.store.url) as store:
        try:
            asyncio.run(main.serve(store, decided))
        except main.NoDoor as error:
            end(BAD, "serve.no-door", why=str(error))
        except OSError as error:                # once it serves, a full disk is told and waited for; at the start it is the end
            end(BAD, "store.unusable", url=store.name, why=str(error))


def _words_that_work(config: Configuration) -> None:
    """An admin's own templates that can't be used are told before anybody plays, not in the middle of a game."""
    from referee.doctor import words

    bad = [one for one in words.templates(config) if one.level == "bad"]
    for one in bad:
        typer.echo(say(f"doctor.{one.code}", **one.facts), err=True)
    if bad:
        raise typer.Exit(USAGE)
