"""Insert a row, or change the one that has the same key: both databases can, each in its words."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection


async def upsert(
    connection: AsyncConnection, table: Table, values: dict[str, Any], *, keep: bool = False
) -> None:
    """Insert a row; one with the same key is changed, or kept as it is."""
    dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
    statement = dialect.insert(table).values(values)
    keys = [column.name for column in table.primary_key]
    others = {name: statement.excluded[name] for name in values if name not in keys}
    if keep or not others:
        await connection.execute(statement.on_conflict_do_nothing(index_elements=keys))
    else:
        await connection.execute(statement.on_conflict_do_update(index_elements=keys, set_=others))
