"""Indexes for several processes at one book: whose turn a message is, and the letters of one channel.

Revision 0012, after 0011.
"""

from __future__ import annotations

import json

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

_inbox = sa.table(
    "inbox",
    sa.column("id", sa.Integer),
    sa.column("channel", sa.String),
    sa.column("body", sa.LargeBinary),
    sa.column("state", sa.String),
    sa.column("lane", sa.String),
)


def upgrade() -> None:
    op.add_column("inbox", sa.Column("lane", sa.String(), nullable=False, server_default=""))
    conn = op.get_bind()
    for number, channel, body in conn.execute(
        sa.select(_inbox.c.id, _inbox.c.channel, _inbox.c.body).where(_inbox.c.state == "new")
    ).fetchall():
        conn.execute(_inbox.update().where(_inbox.c.id == number).values(lane=f"{channel} {_address(body)}"))
    new = sa.text("state = 'new' AND lane <> ''")
    op.create_index("ix_inbox_lane", "inbox", ["lane", "id"], sqlite_where=new, postgresql_where=new)
    queued = sa.text("state = 'queued' AND channel <> ''")
    op.create_index(
        "ix_outbox_channel",
        "outbox",
        ["channel", "not_before_ms", "id"],
        sqlite_where=queued,
        postgresql_where=queued,
    )


def downgrade() -> None:
    op.drop_index("ix_outbox_channel", "outbox")
    op.drop_index("ix_inbox_lane", "inbox")
    op.drop_column("inbox", "lane")


def _address(body: bytes) -> str:
    """Of the sender, as the body of a message that waits has it."""
    try:
        return str(json.loads(bytes(body))["address"])
    # a message that can't be read is set aside by the desk, whatever its lane
    except (
        ValueError,
        KeyError,
        TypeError,
    ):
        return ""
