"""Run by alembic: the steps, on the connection it was given, in one transaction."""

from __future__ import annotations

from alembic import context

from referee.store.migrations.engine import check_references
from referee.store.schema import all_tables

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=all_tables(),
    render_as_batch=True,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
    check_references(connection)
