"""``cyvasse serve``: run the place where Cyvasse is played."""

from __future__ import annotations

import inspect
import os
from typing import Annotated, Any

import typer

from cyvasse.errors import CyvasseError
from cyvasse.server.settings import SETTINGS, Setting, Settings


def serve(*, open_page: bool, **given: Any) -> None:
    """Run the server: play in the browser, live or by correspondence, with people or bots.

    Everything is kept in one folder.  It listens on this machine only unless --host says
    otherwise.  CYVASSE_SECRET (32 characters or more) signs the cookies; without it a secret is
    made once and kept in the folder.
    """
    try:
        from cyvasse.server.run import run
    except ImportError as error:
        raise CyvasseError(
            f"the server's packages are missing ({error.name}): pip install 'cyvasse[server]'"
        ) from None
    settings = Settings(**given).checked()
    os.environ.update(settings.environment())
    run(settings, open_page=open_page)


def _parameter(name: str, usual: Any, type: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=usual, annotation=type)


def _option(setting: Setting) -> inspect.Parameter:
    about = setting.about
    option = typer.Option(
        envvar=setting.variable,
        metavar=about.metavar,
        min=about.least,
        max=about.most,
        help=about.sentence.replace("`", ""),
    )
    return _parameter(setting.name, setting.usual, Annotated[setting.type, option])


# Typer reads the options from the signature; each setting is one.
OPEN = Annotated[bool, typer.Option("--open", help="Open the page in the browser.")]
serve.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
    [*map(_option, SETTINGS), _parameter("open_page", False, OPEN)]
)
