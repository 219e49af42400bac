"""A referee process that is ready to be born: everything imported, the letters' layouts compiled, nothing
begun.

    python -m tests.e2e.zygote COMMAND CONFIG LOG

COMMAND is `referee`, or `tests.short` for short games. Each line on standard input forks one child that runs
`referee serve` as the command does, from reading the configuration on; its process number goes to standard
output, and its exit code when it has ended. A thousand restarts cost a thousand starts of Python otherwise.
The end of standard input ends this process; its child is killed by then.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path

#: what is imported only when it is needed, and would be needed by every child
_LATE = (
    "referee.main",
    "referee.service",
    "telegram.request",
    "adapters.telegram.bot_connection",
    "nio",
    "imap_tools",
    "aiosmtplib",
    "sqlalchemy.dialects.sqlite",
    "referee.store.migrations.engine",
    "apscheduler.schedulers.asyncio",
    "apscheduler.triggers.date",
)


def main(command: str, config: str, log: str) -> None:
    import referee.main
    import referee.service  # noqa: F401 - likewise
    from referee import kept
    from referee.cli.serving import serve
    from referee.config import channels, load
    from referee.config.places import cache_directory
    from referee.service.inbound.read_ahead import warm
    from referee.text import KINDS, LETTERS, Words
    from tests.short import shorten

    if command == "tests.short":
        shorten()
    kept.keep_in(cache_directory())  # as a command does: four of us compile the layouts once
    for each in _LATE:
        import_module(each)
    decided = load(Path(config))
    words = Words()
    warm(words)
    for each in KINDS.keys() & {"text", *decided.channels}:
        for letter in LETTERS:
            words._house("en", each).letter(letter)
    for name, settings in decided.channels.items():
        channels.module(name).build(settings, lambda: 0)
    for _ in sys.stdin:
        child = os.fork()
        if child == 0:
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            told = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            os.dup2(told, 1)
            os.dup2(told, 2)
            try:
                serve(Path(config))
            finally:
                os._exit(0)
        print(child, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
