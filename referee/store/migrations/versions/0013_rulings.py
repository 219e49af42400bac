"""Games know the rulings that hold in them (schema 3 of a saved game): nothing in the tables changes.

Revision 0013, after 0012. A step of its own all the same: a referee of before, which could not read what is
written from now on, refuses to start on this book instead of stopping at one game after the other.
"""

from __future__ import annotations

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Games of before are raised when they are read."""


def downgrade() -> None:
    """Games that were written since can't be read by a referee of before."""
