"""Whether somebody wants to be taught, and what a seat has been told.

Revision 0015, after 0014.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table, column in (("person", "hints"), ("seat", "lessons")):
        with op.batch_alter_table(table, schema=None) as batch_op:
            batch_op.add_column(sa.Column(column, sa.String(), nullable=False, server_default=""))


def downgrade() -> None:
    for table, column in (("seat", "lessons"), ("person", "hints")):
        with op.batch_alter_table(table, schema=None) as batch_op:
            batch_op.drop_column(column)
