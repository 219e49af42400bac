"""What a table knows of its clocks, and the quiet hours of a person.

Revision 0002, after 0001. A table that runs already learns of its clocks when they next change; its deadlines
stand.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("game", schema=None) as batch_op:
        batch_op.add_column(sa.Column("clocks", sa.String(), nullable=False, server_default="{}"))
    with op.batch_alter_table("person", schema=None) as batch_op:
        batch_op.add_column(sa.Column("quiet", sa.String(), nullable=False, server_default=""))
    with op.batch_alter_table("deadline", schema=None) as batch_op:
        batch_op.create_index("ix_deadline_kind", ["kind", "done_ms"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("deadline", schema=None) as batch_op:
        batch_op.drop_index("ix_deadline_kind")
    with op.batch_alter_table("person", schema=None) as batch_op:
        batch_op.drop_column("quiet")
    with op.batch_alter_table("game", schema=None) as batch_op:
        batch_op.drop_column("clocks")
