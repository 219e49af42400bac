"""Browsers that are told when it is their player's turn.

Revision 0021, after 0020.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """No browser has asked for it yet."""
    with op.batch_alter_table("web_session") as batch:
        batch.add_column(sa.Column("push", sa.String(), nullable=False, server_default=""))


def downgrade() -> None:
    """No browser is told any more."""
    with op.batch_alter_table("web_session") as batch:
        batch.drop_column("push")
