"""How many letters strangers had, and what came from an address and moved nothing.

Revision 0016, after 0015.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """A table and a column, empty."""
    op.create_table(
        "allowance",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("since_ms", sa.Integer(), nullable=False),
        sa.Column("until_ms", sa.Integer(), nullable=False),
        sa.Column("used", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_allowance")),
    )
    with op.batch_alter_table("address") as batch:
        batch.add_column(sa.Column("dialogue", sa.String(), nullable=False, server_default=""))


def downgrade() -> None:
    """Everybody is answered again."""
    with op.batch_alter_table("address") as batch:
        batch.drop_column("dialogue")
    op.drop_table("allowance")
