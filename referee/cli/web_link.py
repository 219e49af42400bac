"""`referee web`: the link that signs the player of this machine's terminal in on the web.

Of a terminal only: anyone who may open its socket may take any name there. For everybody else a link comes by
letter, where they write `web`; an admin who could make one would see hidden cards, and nobody would be told.
"""

from __future__ import annotations

import getpass
from typing import Annotated

import typer

from referee.cli.common import BAD, LARGEST_NUMBER, USAGE, ConfigOption, configured, end, hour, opened
from referee.cli.say import help_, say
from referee.ids import GameId

_CHANNEL = "terminal"


def web(
    name: Annotated[str, typer.Argument(help=help_("web.name"))] = "",
    table: Annotated[
        int | None, typer.Option("--table", min=1, max=LARGEST_NUMBER, help=help_("web.table"))
    ] = None,
    config: ConfigOption = None,
) -> None:
    """Make a link and say it."""
    channel, _, address = (name or getpass.getuser()).rpartition(":")
    if channel not in ("", _CHANNEL) or "@" in address:
        end(USAGE, "web.only-terminal", who=name)
    settings = configured(config)
    if not settings.web.links:
        end(BAD, "web.no-pages")

    from referee.service.people import web_sessions
    from referee.store import Seat

    with opened(settings.store.url, guest=True) as store:
        known = store.read_now(lambda tx: tx.whose(_CHANNEL, address))
        if known is None:
            end(BAD, "web.unknown", name=address)
        person, game = known[0].id, GameId(table or 0)
        if table and store.read_now(lambda tx: tx.one(Seat, game_id=game, person_id=person)) is None:
            end(BAD, "web.no-seat", name=address, number=table)
        now = hour(store)
        token = store.write_now(lambda tx: web_sessions.new_link(tx, person, game, now))
    typer.echo(f"{settings.web.links}/me/in/{token}")
    typer.echo(say("web.good-for", minutes=web_sessions.LINK_MS // 60_000, name=address), err=True)
