"""Who may see a table on the web is a column with an index: a list of thousands is counted, not read.

Revision 0019, after 0018.
"""

from __future__ import annotations

import json

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

_game = sa.table(
    "game",
    sa.column("id", sa.Integer),
    sa.column("settings", sa.String),
    sa.column("page", sa.String),
)


def upgrade() -> None:
    """The column, as the settings of each table have it."""
    op.add_column("game", sa.Column("page", sa.String(), nullable=False, server_default="public"))
    conn = op.get_bind()
    for number, settings in conn.execute(sa.select(_game.c.id, _game.c.settings)).fetchall():
        page = _page(settings)
        if page != "public":
            conn.execute(_game.update().where(_game.c.id == number).values(page=page))
    listed = sa.text("archived_ms = 0")
    op.create_index(
        "ix_game_page", "game", ["page", "status", "id"], sqlite_where=listed, postgresql_where=listed
    )


def downgrade() -> None:
    """Without it; the settings never lost what they said, but for what was said since."""
    op.drop_index("ix_game_page", "game")
    op.drop_column("game", "page")


def _page(settings: str) -> str:
    """As it was worked out before: what was said, else by who may join."""
    try:
        said = json.loads(settings)
    except ValueError:  # a game that can't be read is set aside by the desk
        return "watched"
    if said.get("pages") in ("public", "private"):
        return str(said["pages"])
    return "public" if said.get("entry", "open") == "open" else "watched"
