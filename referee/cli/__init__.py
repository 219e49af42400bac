"""The command line: for the admin who sets the referee up and looks after it, and for anyone who sits at it.

Commands import what they need when they run, so that `referee --help` is quick.
"""

from __future__ import annotations

import gc


def main() -> None:
    """The entry point `referee`."""
    # to look for garbage after every 700 objects costs an eighth of a start: what is loaded stays
    gc.set_threshold(100_000, 20, 20)
    from referee.cli.app import app

    app()
