"""What waits for one address, or for one room, is found by an index of its own, however much waits for all
others of its channel.

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
    """One more index over the letters that are queued."""
    queued = sa.text("state = 'queued' AND channel <> ''")
    op.create_index(
        "ix_outbox_chat",
        "outbox",
        ["channel", "address", "place", "not_before_ms", "id"],
        sqlite_where=queued,
        postgresql_where=queued,
    )


def downgrade() -> None:
    """Without it."""
    op.drop_index("ix_outbox_chat", "outbox")
