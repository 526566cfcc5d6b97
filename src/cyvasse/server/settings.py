"""How a server is told what to do: flags, or the environment variables behind them."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

import msgspec

from cyvasse.errors import CyvasseError

PREFIX = "CYVASSE_"


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that can be set.  Each is also CYVASSE_ and its name in capitals."""

    host: str = "127.0.0.1"
    port: int = 8000
    data: str = "cyvasse-data"
    """The folder for the database and the server's secret."""
    database: str = ""
    """PostgreSQL's address; empty for SQLite in the folder."""
    channels: str = ""
    """How workers call each other: memory, postgresql or redis://…; empty for what fits."""
    workers: int = 1
    bots: int = 1
    """How many bots of a worker may think at the same time."""
    origins: str = ""
    """Other addresses under which browsers reach this server, separated by commas."""
    proxies: str = ""
    """Addresses of reverse proxies whose word about the client's address is believed."""
    secure: bool = False
    """Whether browsers reach the server by HTTPS only; cookies are then sent by HTTPS only."""
    limits: float = 1.0
    """Rate limits are multiplied by this; 0 switches them off."""
    log_level: str = "info"

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Self:
        """The settings in the environment.

        >>> Settings.from_environment({"CYVASSE_PORT": "80"}).port
        80
        """
        found = {
            name: environment[PREFIX + name.upper()]
            for name in cls.__struct_fields__
            if environment.get(PREFIX + name.upper())
        }
        try:
            return msgspec.convert(found, cls, strict=False)
        except msgspec.ValidationError as error:
            raise CyvasseError(f"a setting in the environment cannot be read: {error}") from None

    def environment(self) -> dict[str, str]:
        """These settings as environment variables, for worker processes."""
        return {PREFIX + name.upper(): str(value) for name, value in _items(self)}

    @property
    def folder(self) -> Path:
        """The data folder."""
        return Path(self.data)

    @property
    def database_url(self) -> str:
        """The address of the database."""
        return self.database or f"sqlite:///{(self.folder / 'cyvasse.sqlite').absolute()}"

    def checked(self) -> Self:
        """The same settings; CyvasseError in words if they do not fit together."""
        if self.workers > 1 and not self.database:
            raise CyvasseError(
                "several workers need PostgreSQL: SQLite has one writer. "
                "Give --database postgresql://user@host/name, or use one worker"
            )
        if not 1 <= self.port <= 65535:
            raise CyvasseError(f"port is {self.port}, not a number from 1 to 65535")
        return self


def _items(settings: Settings) -> list[tuple[str, Any]]:
    return [(name, getattr(settings, name)) for name in settings.__struct_fields__]


def secret(folder: Path) -> bytes:
    """The key that signs cookies: from the environment, or made once and kept in the folder."""
    given = os.environ.get(PREFIX + "SECRET", "")
    if given:
        if len(given) < 32:
            raise CyvasseError("CYVASSE_SECRET is too short; 32 characters at least")
        return given.encode()
    file = folder / "secret.key"
    try:
        with open(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as new:
            new.write(secrets.token_urlsafe(32))
    except FileExistsError:
        pass
    return file.read_bytes()
