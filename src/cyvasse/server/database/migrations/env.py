"""Runs the migrations on the connection that ``Database.upgrade`` hands over."""

from alembic import context

from cyvasse.server.database.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite cannot change a table in place
)
with context.begin_transaction():
    context.run_migrations()
