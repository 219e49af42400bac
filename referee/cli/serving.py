"""`referee serve`: all channels in one process, until a signal; on a shared database those that no other
process has open. `referee work`: the same without channels.
"""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from typing import TYPE_CHECKING

import typer

from referee.cli.common import BAD, USAGE, ConfigOption, configured, end, opened
from referee.cli.foreign import cause
from referee.cli.say import say

if TYPE_CHECKING:
    from referee.config import Configuration


def serve(config: ConfigOption = None) -> None:
    """Serve."""
    decided = configured(config)
    if not decided.channels:
        end(USAGE, "serve.no-channel", path=decided.path)
    _run(decided, "serve")


def work(config: ConfigOption = None) -> None:
    """Work."""
    decided = configured(config, with_channels=False)
    if not decided.store.url.startswith("postgresql+"):
        from referee.store import shown

        end(USAGE, "work.alone", url=shown(decided.store.url), path=decided.path)
    _run(decided, "work")


def _run(decided: Configuration, name: str) -> None:
    from referee import log, main
    from referee.service import NoChannel

    if decided.referee.templates is not None:
        _words_that_work(decided)
    log.begin(decided.referee.log, decided.referee.log_level, decided.secrets())
    with ExitStack() as stack:
        store = stack.enter_context(opened(decided.store.url, who=name))
        lent = (
            None
            if not store.shared
            else stack.enter_context(opened(decided.store.url, who=f"{name} leases", guest=True))
        )
        try:
            asyncio.run(main.serve(store, decided, lent=lent))
        except main.NoWebServer as error:
            end(BAD, "serve.no-door", why=cause(error))
        except NoChannel as error:
            end(BAD, "serve.channel-shut", why=cause(error))
        except OSError as error:
            # once it serves, a full disk is told and waited for; at the start it is the end
            end(BAD, "store.unusable", url=store.name, why=cause(error))


def _words_that_work(config: Configuration) -> None:
    """An admin's own templates that can't be used are told before anybody plays, not in the middle of a
    game.
    """
    from referee.doctor import words

    bad = [one for one in words.templates(config) if one.level == "bad"]
    for one in bad:
        typer.echo(say(f"doctor.{one.code}", **one.facts), err=True)
    if bad:
        raise typer.Exit(USAGE)
