"""The steps of the schema, for alembic."""
