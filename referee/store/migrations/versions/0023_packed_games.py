"""What was played at tables that have been over for a while, packed.

Revision 0023, after 0022.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing is packed yet: the referee does that little by little while it serves."""
    op.add_column("game", sa.Column("packed_ms", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("seat", sa.Column("packed", sa.Integer(), nullable=False, server_default="0"))
    here = sa.text("packed = 0")
    op.create_index("ix_seat_now", "seat", ["person_id"], sqlite_where=here, postgresql_where=here)
    _listed_by("status", "id", "page")
    waiting = sa.text("ended_ms <> 0 AND packed_ms = 0")
    op.create_index("ix_game_ended", "game", ["ended_ms"], sqlite_where=waiting, postgresql_where=waiting)
    op.create_table(
        "packed_game",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_packed_game_game_id")),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_packed_game")),
    )


def downgrade() -> None:
    """What was packed stands in rows again."""
    _unpacked()
    op.drop_table("packed_game")
    _listed_by("page", "status", "id")
    op.drop_index("ix_game_ended", "game")
    op.drop_column("game", "packed_ms")
    op.drop_index("ix_seat_now", "seat")
    op.drop_column("seat", "packed")


def _listed_by(*columns: str) -> None:
    """The index of the list of tables anew."""
    listed = sa.text("archived_ms = 0")
    op.drop_index("ix_game_page", "game")
    op.create_index("ix_game_page", "game", list(columns), sqlite_where=listed, postgresql_where=listed)


def _unpacked() -> None:
    from referee.store.packed_games import PACKED
    from referee.store.packed_rows import opened
    from referee.store.table_layouts import sheet_of

    connection = op.get_bind()
    numbers = connection.execute(sa.text("SELECT game_id FROM packed_game ORDER BY game_id")).scalars().all()
    one = sa.text("SELECT data FROM packed_game WHERE game_id = :game")
    for game in numbers:
        data = bytes(connection.execute(one, {"game": game}).scalar_one())
        for table, rows in opened(data, PACKED, game_id=game).items():
            sheet = sheet_of(table)
            values = [dict(zip(sheet.columns[1:], row[1:], strict=True)) for row in rows]
            if values:
                connection.execute(sa.insert(sheet.table), values)
