"""``cyvasse serve``: run the place where Cyvasse is played."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from cyvasse.errors import CyvasseError


def serve(
    port: Annotated[
        int, typer.Option(envvar="CYVASSE_PORT", min=1, max=65535, help="Where to listen.")
    ] = 8000,
    data: Annotated[
        str,
        typer.Option(
            envvar="CYVASSE_DATA",
            metavar="FOLDER",
            help="Where everything is kept; made if it is not there.",
        ),
    ] = "cyvasse-data",
    host: Annotated[
        str,
        typer.Option(
            envvar="CYVASSE_HOST",
            help="The address to listen on; 0.0.0.0 lets other machines connect.",
        ),
    ] = "127.0.0.1",
    database: Annotated[
        str,
        typer.Option(
            envvar="CYVASSE_DATABASE",
            metavar="URL",
            help="postgresql://user:password@host/name instead of SQLite in the folder.",
        ),
    ] = "",
    workers: Annotated[
        int,
        typer.Option(
            envvar="CYVASSE_WORKERS", min=1, max=64, help="Processes; several need PostgreSQL."
        ),
    ] = 1,
    channels: Annotated[
        str,
        typer.Option(
            envvar="CYVASSE_CHANNELS",
            metavar="WAY",
            help="How workers call each other: memory, postgresql or redis://host. "
            "If left out: postgresql with PostgreSQL, memory with SQLite.",
        ),
    ] = "",
    bots: Annotated[
        int,
        typer.Option(
            envvar="CYVASSE_BOTS",
            min=1,
            max=64,
            help="How many bots may think at the same time, for each worker.",
        ),
    ] = 1,
    origins: Annotated[
        str,
        typer.Option(
            envvar="CYVASSE_ORIGINS",
            metavar="URLS",
            help="Further addresses that browsers use for this server, such as "
            "https://play.example.org, separated by commas.",
        ),
    ] = "",
    proxies: Annotated[
        str,
        typer.Option(
            envvar="CYVASSE_PROXIES",
            metavar="ADDRESSES",
            help="Reverse proxies that are believed about the client's address.",
        ),
    ] = "",
    secure: Annotated[
        bool,
        typer.Option(
            envvar="CYVASSE_SECURE", help="Send cookies by HTTPS only; for use behind a proxy."
        ),
    ] = False,
    limits: Annotated[
        float,
        typer.Option(
            envvar="CYVASSE_LIMITS", min=0, help="Multiply the rate limits; 0 switches them off."
        ),
    ] = 1.0,
    open_page: Annotated[
        bool, typer.Option("--open", help="Open the page in the browser.")
    ] = False,
    log_level: Annotated[
        str,
        typer.Option(
            envvar="CYVASSE_LOG_LEVEL", help="debug, info, warning or error; JSON lines on stderr."
        ),
    ] = "info",
) -> None:
    """Run the server: play in the browser, live or by correspondence, with people or bots.

    Everything is kept in one folder.  It listens on this machine only unless --host says
    otherwise.  CYVASSE_SECRET (32 characters or more) signs the cookies; without it a secret is
    made once and kept in the folder.
    """
    try:
        from cyvasse.server.run import run
        from cyvasse.server.settings import Settings
    except ImportError as error:
        raise CyvasseError(
            f"the server's packages are missing ({error.name}): pip install 'cyvasse[server]'"
        ) from None
    if log_level not in ("debug", "info", "warning", "error"):
        raise CyvasseError(f"log level is {log_level!r}; it may be debug, info, warning or error")
    settings = Settings(
        host=host,
        port=port,
        data=data,
        database=database,
        channels=channels,
        workers=workers,
        bots=bots,
        origins=origins,
        proxies=proxies,
        secure=secure,
        limits=limits,
        log_level=log_level,
    ).checked()
    os.environ.update(settings.environment())
    run(settings, open_page=open_page)
