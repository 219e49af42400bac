"""The command line: for the admin who sets the referee up and looks after it, and for anyone who sits at it.

Commands import what they need when they run, so that `referee --help` is quick.
"""

from __future__ import annotations

import errno
import gc
import os
import sys
from contextlib import suppress
from typing import NoReturn


def main() -> None:
    """The entry point `referee`."""
    # what is loaded stays: nothing of it is garbage, and to look for some costs a tenth of a start; what
    # serves looks for it from then on (`referee.main.settled_in`)
    gc.set_threshold(1_000_000, 20, 20)
    # pydantic would look through all that is installed for plugins, of which we want none
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    from referee import kept
    from referee.cli import legible
    from referee.cli.app import app, narrowed
    from referee.config.places import cache_directory

    legible.everywhere()
    kept.keep_in(cache_directory())
    narrowed(app, sys.argv[1:2])
    try:
        app()
    except OSError as error:
        if error.filename is not None or error.errno not in (
            errno.ENOSPC,
            errno.EDQUOT,
            errno.EFBIG,
            errno.EIO,
        ):
            raise
        _unprinted(error)


def _unprinted(error: OSError) -> NoReturn:
    """Say that the answer could not be written where it was to go, and leave."""
    import typer

    from referee.cli.common import BAD
    from referee.cli.foreign import cause
    from referee.cli.say import say

    # Python would try once more at the end, and complain
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    with suppress(OSError):  # that is on the same disk, perhaps
        typer.echo(say("usage.unprinted", why=cause(error.strerror)), err=True)
    sys.exit(BAD)
