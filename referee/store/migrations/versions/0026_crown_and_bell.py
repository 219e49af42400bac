"""Rulings 54 and 55 come with it: nothing in the tables changes.

Revision 0026, after 0025. A step of its own all the same: a referee of before, which does not know under
which rulings games are dealt from now on, refuses to start on this book instead of stopping at one game after
the other.
"""

from __future__ import annotations

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Games of before keep the rules they were dealt under."""


def downgrade() -> None:
    """Games that were dealt since can't be read by a referee of before."""
