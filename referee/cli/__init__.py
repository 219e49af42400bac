"""The command line: for the admin who sets the referee up and looks after it, and for anyone who sits at it.

Commands import what they need when they run, so that `referee --help` is quick.
"""

from __future__ import annotations


def main() -> None:
    """The entry point `referee`."""
    from referee.cli.app import app

    app()
