"""Run by alembic: the steps, on the connection it was given, in one transaction."""

from __future__ import annotations

from typing import Any, Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext
from sqlmodel import AutoString, SQLModel

from referee.store.migrations.engine import check_references


def plain(kind: str, thing: Any, _: AutogenContext) -> str | Literal[False]:
    """In a draft a column of words is sa.String(): SQLModel's own name for it would need an import of inner
    modules.
    """
    return "sa.String()" if kind == "type" and isinstance(thing, AutoString) else False


connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=SQLModel.metadata,
    render_as_batch=True,
    render_item=plain,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
    check_references(connection)
