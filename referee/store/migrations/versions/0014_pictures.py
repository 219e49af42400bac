"""Whether pictures are wanted: by a person, in a room ("": yes, "dark", "off").

Revision 0014, after 0013.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """One column of either."""
    for table in ("person", "room"):
        with op.batch_alter_table(table) as batch:
            batch.add_column(sa.Column("pictures", sa.String(), nullable=False, server_default=""))


def downgrade() -> None:
    """Everybody gets pictures again."""
    for table in ("person", "room"):
        with op.batch_alter_table(table) as batch:
            batch.drop_column("pictures")
