"""Whether pictures are wanted, by a person and in a room ("": yes, "dark", "off"); whether somebody wants to
be taught, and what a seat has been told.

Revision 0014, after 0013.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

_NEW = {"person": ("pictures", "hints"), "room": ("pictures",), "seat": ("lessons",)}


def upgrade() -> None:
    """Four columns, empty."""
    for table, columns in _NEW.items():
        with op.batch_alter_table(table) as batch:
            for column in columns:
                batch.add_column(sa.Column(column, sa.String(), nullable=False, server_default=""))


def downgrade() -> None:
    """Everybody gets pictures again, and is taught from the beginning."""
    for table, columns in _NEW.items():
        with op.batch_alter_table(table) as batch:
            for column in reversed(columns):
                batch.drop_column(column)
