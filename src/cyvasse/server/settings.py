"""How a server is told what to do: one list, and the key that signs its cookies.

The options of ``cyvasse serve``, the environment variables behind them and the table in
docs/server.md follow from ``Settings``.  Only the standard library is needed here, so that the
command can tell its options where the server's packages are missing.
"""

from __future__ import annotations

import dataclasses
import os
import secrets
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NamedTuple, Self, get_type_hints

from cyvasse.errors import CyvasseError
from cyvasse.wholefiles import write_whole

PREFIX = "CYVASSE_"
SHORTEST_KEY = 32
LOG_LEVELS = ("debug", "info", "warning", "error")
# The words that the command line understands too.
YES = ("1", "true", "t", "yes", "y", "on")
NO = ("0", "false", "f", "no", "n", "off")


def _either(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"


class About(NamedTuple):
    """What a setting is for, and what it may be."""

    sentence: str
    """For people, with code in `backticks`."""
    metavar: str | None = None
    """What stands for the value in help texts, where its type does not tell."""
    least: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Everything that can be set."""

    port: Annotated[int, About("Where to listen.", least=1, most=65535)] = 8000
    host: Annotated[
        str, About("The address to listen on; `0.0.0.0` lets other machines connect.")
    ] = "127.0.0.1"
    data: Annotated[
        str,
        About(
            "Where everything is kept, the key that signs cookies too; made if it is not there.",
            "FOLDER",
        ),
    ] = "cyvasse-data"
    database: Annotated[
        str, About("`postgresql://user:password@host/name` instead of SQLite in the folder.", "URL")
    ] = ""
    workers: Annotated[int, About("Processes; several need PostgreSQL.", least=1, most=64)] = 1
    channels: Annotated[
        str,
        About(
            "How workers call each other: `memory`, `postgresql` or `redis://host`. "
            "If left out: `postgresql` with PostgreSQL, `memory` with SQLite.",
            "WAY",
        ),
    ] = ""
    bots: Annotated[
        int, About("How many bots may think at the same time, for each worker.", least=1, most=64)
    ] = 1
    origins: Annotated[
        str,
        About(
            "Further addresses that browsers use for this server, such as "
            "`https://play.example.org`, separated by commas.",
            "URLS",
        ),
    ] = ""
    proxies: Annotated[
        str, About("Reverse proxies that are believed about the client's address.", "ADDRESSES")
    ] = ""
    secure: Annotated[bool, About("Send cookies by HTTPS only; for use behind a proxy.")] = False
    limits: Annotated[float, About("Multiply the rate limits; 0 switches them off.", least=0)] = 1.0
    contact: Annotated[
        str,
        About(
            "How to reach whoever runs this server, a mail or web address or a few words; "
            "shown to visitors.",
            "WORDS",
        ),
    ] = ""
    log_level: Annotated[
        str, About(f"{_either(LOG_LEVELS)}; JSON lines on stderr.", choices=LOG_LEVELS)
    ] = "info"

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Self:
        """The settings in the environment.

        >>> Settings.from_environment({"CYVASSE_PORT": "80"}).port
        80
        """
        return cls(
            **{
                setting.name: setting.read(environment[setting.variable])
                for setting in SETTINGS
                if environment.get(setting.variable)
            }
        )

    def environment(self) -> dict[str, str]:
        """These settings as environment variables, for worker processes."""
        return {setting.variable: str(getattr(self, setting.name)) for setting in SETTINGS}

    @property
    def folder(self) -> Path:
        """The data folder."""
        return Path(self.data)

    @property
    def database_url(self) -> str:
        """The address of the database."""
        return self.database or f"sqlite:///{(self.folder / 'cyvasse.sqlite').absolute()}"

    def checked(self) -> Self:
        """The same settings; CyvasseError in words if one cannot be, or they do not fit."""
        for setting in SETTINGS:
            setting.check(getattr(self, setting.name))
        if self.workers > 1 and not self.database:
            raise CyvasseError(
                "several workers need PostgreSQL: SQLite has one writer. "
                "Give --database postgresql://user@host/name, or use one worker"
            )
        return self


class Setting(NamedTuple):
    """One of the settings, as command lines, the environment and documents know it."""

    name: str
    type: type
    usual: Any
    about: About

    @property
    def flag(self) -> str:
        return "--" + self.name.replace("_", "-")

    @property
    def variable(self) -> str:
        return PREFIX + self.name.upper()

    def read(self, text: str) -> Any:
        """The value that an environment variable gives."""
        try:
            if self.type is not bool:
                return self.type(text)
            if text.lower() in (*YES, *NO):
                return text.lower() in YES
        except ValueError:
            pass
        kinds = {int: "a whole number", float: "a number", bool: "true or false"}
        raise CyvasseError(
            f"a setting in the environment cannot be read: {self.variable} is {text!r:.40}, "
            f"not {kinds[self.type]}"
        )

    def check(self, value: Any) -> None:
        """CyvasseError in words for a value that is out of bounds."""
        name = self.name.replace("_", " ")
        _, _, least, most, choices = self.about
        if choices and value not in choices:
            raise CyvasseError(f"{name} is {value!r}; it may be {_either(choices)}")
        inside = (least is None or value >= least) and (most is None or value <= most)
        if not inside:
            wanted = f"from {least} on" if most is None else f"from {least} to {most}"
            raise CyvasseError(f"{name} is {value}, not a number {wanted}")


def _listed() -> tuple[Setting, ...]:
    hints = get_type_hints(Settings, include_extras=True)
    return tuple(
        Setting(field.name, hint.__origin__, field.default, *hint.__metadata__)
        for field in dataclasses.fields(Settings)
        for hint in [hints[field.name]]
    )


SETTINGS = _listed()


# --- the key that signs cookies -------------------------------------------------------------------


def secret(folder: Path) -> bytes:
    """The key that signs cookies: from the environment, or made once and kept in the folder.

    CyvasseError for one that anybody could guess or read: with it they could be anybody here.
    """
    given = os.environ.get(PREFIX + "SECRET", "")
    if given:
        return _checked(given.encode(errors="surrogateescape"), PREFIX + "SECRET", "give a new one")
    file = folder / "secret.key"
    if not os.path.lexists(file):
        _make_key(file)
    return _checked(
        _read_key(file),
        str(file),
        "put back the one from your backup, or remove it: a new one is made at the next start, "
        "with which everybody signs in again and guests are new guests",
    )


def _make_key(file: Path) -> None:
    try:
        write_whole(file, secrets.token_urlsafe(32), private=True, fresh=True)
    except FileExistsError:
        pass  # another server has made one at the same time
    except OSError as error:
        raise CyvasseError(
            f"cannot keep a new key in {file}: {error.strerror}; make room for it and let the "
            "server write there, give another folder with --data, or set CYVASSE_SECRET"
        ) from None


def _read_key(file: Path) -> bytes:
    try:
        if not file.is_file():
            raise CyvasseError(f"{file} is no file; remove it, and a key is made at the next start")
        with file.open("rb") as opened:
            mode = stat.S_IMODE(os.fstat(opened.fileno()).st_mode)
            key = opened.read()
    except OSError as error:
        raise CyvasseError(
            f"cannot read the key in {file}: {error.strerror}; "
            "it must belong to the user that runs the server"
        ) from None
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise CyvasseError(
            f"{file} is open to others (its mode is {mode:o}), who could make cookies for anybody; "
            f"say chmod 600 {file}, or remove it if they may have read it: a new one is made"
        )
    return key


def _checked(key: bytes, where: str, advice: str) -> bytes:
    """The key as it is, so that old cookies stay good, if it can be one."""
    try:
        text = key.decode().strip()
    except UnicodeDecodeError:
        text = "\0"
    if not all(letter.isprintable() or letter.isspace() for letter in text):
        raise CyvasseError(f"{where} is not text, as a key is; {advice}")
    if len(text) < SHORTEST_KEY:
        raise CyvasseError(
            f"{where} has {len(text)} characters, too few for a key: {SHORTEST_KEY} at least; "
            f"{advice}"
        )
    return key
