"""`referee health`: whether the referee of this configuration is alive, for a container's health check and
for scripts.
"""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.common import BAD, ConfigOption, configured, end, opened
from referee.cli.foreign import cause
from referee.cli.say import help_, say

if TYPE_CHECKING:
    from referee.config import Configuration

#: how long the referee may take to answer (seconds); the store itself is given five
_PATIENCE_S = 10.0
#: this many sweeps may be left out, and it may be so late (seconds), before nobody seems to be there
_SWEEPS, _LATE_S = 3, 60.0
#: what a listener on every address is asked at
_NEAR = {"0.0.0.0": "127.0.0.1", "[::]": "[::1]"}  # noqa: S104 - nothing listens here


def health(
    config: ConfigOption = None,
    ready: Annotated[bool, typer.Option("--ready", help=help_("health.ready"))] = False,
) -> None:
    """Exit code 0 where it is alive (with --ready: and nothing stands still), else 1."""
    decided = configured(config, with_channels=False)
    if decided.web.listen:
        _asked(decided, ready)
    elif ready:
        end(BAD, "health.no-pages", path=decided.path)
    else:
        _heartbeat(decided)


def _asked(decided: Configuration, ready: bool) -> None:
    """By its web pages: this very process answers."""
    import http.client

    host, _, port = decided.web.listen.rpartition(":")
    where = f"{_NEAR.get(host, host)}:{port}"
    token = decided.web.metrics_token.get_secret_value()
    try:
        with closing(http.client.HTTPConnection(where, timeout=_PATIENCE_S)) as line:
            line.request(
                "GET",
                "/readyz" if ready else "/healthz",
                headers={"Authorization": f"Bearer {token}"} if token else {},
            )
            with line.getresponse() as answer:
                said = answer.read(10_000).decode(errors="replace").split("\n")
    except (OSError, http.client.HTTPException) as error:
        end(BAD, "health.nobody", where=where, why=cause(str(error) or type(error).__name__))
    if answer.status == 200:
        typer.echo(say("health.ready" if ready else "health.alive", where=where))
    elif ready and said[0] == "not ready":
        end(BAD, "health.not-ready", where=where, what=", ".join(one for one in said[1:] if one) or "?")
    else:
        end(BAD, "health.broken", where=where, status=answer.status)


def _heartbeat(decided: Configuration) -> None:
    """By the sign of life in the database: some process that shares it."""
    from referee.main import clock_ms
    from referee.store import Heartbeat, shown

    with opened(decided.store.url, read_only=True) as store:
        last = store.read_now(lambda tx: tx.get(Heartbeat, "referee"))
    url = shown(decided.store.url)
    if last is None:
        end(BAD, "health.never", url=url)
    seconds = max(0, clock_ms() - last.at_ms) // 1000
    if seconds > max(_LATE_S, _SWEEPS * decided.referee.sweep_seconds):
        end(BAD, "health.silent", url=url, seconds=seconds)
    typer.echo(say("health.beats", url=url, seconds=seconds))
