"""A process from which referees are born: everything imported, the letters' layouts compiled, nothing begun.

    python -m tests.e2e.zygote COMMAND LISTENER

COMMAND is `referee`, or `tests.short` for short games; LISTENER the number of a listening socket. Anyone who
connects there has a process that is forked from this one. Each line to it, ["serve", CONFIG, LOG] or
["work", …], forks a referee that does what the command does, from reading the configuration on. The answers
are its process number, and its exit code when it has ended. A thousand restarts cost a thousand starts of
Python otherwise.

The end of standard input ends this process, the end of a connection the one behind it; the referees are
killed by then.
"""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path

#: what is imported only when it is needed, and would be needed by every child
_LATE = (
    "referee.main",
    "referee.service",
    "telegram.request",
    "adapters.telegram.adapter",
    "adapters.telegram.bot_connection",
    "adapters.terminal.server",
    "nio",
    "imap_tools",
    "aiosmtplib",
    "sqlalchemy.dialects.sqlite",
    "referee.store.migrations.engine",
    "apscheduler.schedulers.asyncio",
    "apscheduler.triggers.date",
)
#: … where it is installed
_PERHAPS = ("psycopg", "sqlalchemy.dialects.postgresql.psycopg")


def main(command: str, listener: int) -> None:
    _made_ready(command)
    signal.signal(signal.SIGCHLD, _reap)
    with socket.socket(fileno=listener) as door:
        while sys.stdin not in select.select([sys.stdin, door], [], [])[0]:
            line, _ = door.accept()
            if os.fork() == 0:
                door.close()
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                try:
                    _fork_for(line)
                finally:
                    os._exit(0)
            line.close()


def _made_ready(command: str) -> None:
    import referee.main
    import referee.service  # noqa: F401 - likewise
    from referee import kept
    from referee.config.places import cache_directory
    from referee.service.inbound.read_ahead import warm
    from referee.text import KINDS, LETTERS, Words
    from tests.short import shorten

    if command == "tests.short":
        shorten()
    kept.keep_in(cache_directory())  # as a command does: four of us compile the layouts once
    for each in _LATE:
        import_module(each)
    for each in _PERHAPS:
        with suppress(ImportError):
            import_module(each)
    words = Words()
    warm(words)
    for each in KINDS.keys() & {"text", "telegram", "terminal"}:
        for letter in LETTERS:
            words._house("en", each).letter(letter)


def _reap(*_: object) -> None:
    """Of one that ended behind a connection nothing is wanted but that its work is counted as ours."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _fork_for(line: socket.socket) -> None:
    from referee.cli.serving import serve, work

    said = line.makefile("rw")
    for asked in said:
        name, config, log = json.loads(asked)
        child = os.fork()
        if child == 0:
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            told = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            os.dup2(told, 1)
            os.dup2(told, 2)
            line.close()
            try:
                {"serve": serve, "work": work}[name](Path(config))
            finally:
                os._exit(0)
        print(child, file=said, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), file=said, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
