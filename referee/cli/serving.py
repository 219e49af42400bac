"""`referee serve`: all channels in one process, until a signal."""
from __future__ import annotations

import asyncio

from referee.cli.common import BAD, USAGE, ConfigOption, configured, end, opened


def serve(config: ConfigOption = None) -> None:
    """Serve."""
    from referee import log, main

    decided = configured(config)
    if not decided.channels:
        end(USAGE, "serve.no-channel", path=decided.path)
    log.begin(decided.referee.log, decided.referee.log_level, decided.secrets())
    with opened(decided.store.url) as store:
        try:
            asyncio.run(main.serve(store, decided))
        except OSError as error:                # once it serves, a full disk is told and waited for; at the start it is the end
            end(BAD, "store.unusable", url=decided.store.url, why=str(error))
