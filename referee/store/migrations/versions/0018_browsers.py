"""What a browser calls itself in which somebody is signed in.

Revision 0018, after 0017.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Of those signed in before it is not known."""
    with op.batch_alter_table("web_session") as batch:
        batch.add_column(sa.Column("browser", sa.String(), nullable=False, server_default=""))


def downgrade() -> None:
    """Nobody is signed out by that."""
    with op.batch_alter_table("web_session") as batch:
        batch.drop_column("browser")
