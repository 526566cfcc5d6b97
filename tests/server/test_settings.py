"""Settings from the environment, and those that do not fit together."""

from __future__ import annotations

import asyncio
import dataclasses
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import pytest
from typer.main import get_command
from typer.testing import CliRunner

import cyvasse
from cyvasse.cli.main import app
from cyvasse.errors import CyvasseError
from cyvasse.server.routes.system import Imprint, about
from cyvasse.server.settings import SETTINGS, Settings, secret

SAMPLE = Settings(
    host="0.0.0.0",
    port=81,
    data="there",
    database="postgresql://a@b/c",
    channels="redis://localhost",
    workers=3,
    bots=2,
    origins="https://play.example.org",
    proxies="10.0.0.1",
    secure=True,
    limits=0.5,
    contact="host@example.org",
    log_level="debug",
)


def test_the_defaults_are_for_one_machine() -> None:
    settings = Settings().checked()
    assert settings.host == "127.0.0.1"
    assert settings.workers == 1
    assert settings.database_url.startswith("sqlite:////")
    assert settings.database_url.endswith("/cyvasse-data/cyvasse.sqlite")


def test_workers_get_the_settings_through_the_environment() -> None:
    defaults = Settings()
    for setting in SETTINGS:
        assert getattr(SAMPLE, setting.name) != setting.usual, (
            f"{setting.name} is not in the sample"
        )
    assert Settings.from_environment(SAMPLE.environment()) == SAMPLE
    assert Settings.from_environment(defaults.environment()) == defaults


def test_empty_variables_count_as_not_given() -> None:
    assert Settings.from_environment({"CYVASSE_PORT": "", "OTHER": "x"}) == Settings()


@pytest.mark.parametrize(
    ("name", "value"),
    [("PORT", "http"), ("PORT", "80.5"), ("WORKERS", "many"), ("LIMITS", "x"), ("SECURE", "maybe")],
)
def test_what_cannot_be_read_is_refused(name: str, value: str) -> None:
    with pytest.raises(CyvasseError, match=f"environment.* CYVASSE_{name} is '{value}', not "):
        Settings.from_environment({f"CYVASSE_{name}": value})


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (Settings(workers=2), "PostgreSQL"),
        (Settings(port=0), "port"),
        (Settings(port=65536), "port is 65536, not a number from 1 to 65535"),
        (Settings(workers=0), "workers is 0, not a number from 1 to 64"),
        (Settings(bots=65), "bots is 65"),
        (Settings(limits=-1), "limits is -1, not a number from 0 on"),
        (Settings(limits=float("nan")), "limits is nan"),
        (
            Settings(log_level="loud"),
            "log level is 'loud'; it may be debug, info, warning or error",
        ),
    ],
)
def test_what_does_not_fit_together_is_refused(settings: Settings, words: str) -> None:
    with pytest.raises(CyvasseError, match=words):
        settings.checked()


def test_each_setting_is_an_option_with_a_variable() -> None:
    options = {option.name: option for option in get_command(app).commands["serve"].params}  # type: ignore[attr-defined]
    assert set(options) - {"open_page"} == {setting.name for setting in SETTINGS}
    for setting in SETTINGS:
        option = options[setting.name]
        assert option.opts == [setting.flag]
        assert option.envvar == setting.variable == f"CYVASSE_{setting.name.upper()}"
        assert option.default == setting.usual


def test_options_and_variables_are_read_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command reads them for the first process, ``from_environment`` for the others."""
    run = pytest.importorskip("cyvasse.server.run")
    told: list[Settings] = []
    monkeypatch.setattr(run, "run", lambda settings, open_page: told.append(settings))
    for variable, value in SAMPLE.environment().items():
        monkeypatch.setenv(variable, value)
    assert CliRunner().invoke(app, ["serve"]).exit_code == 0
    assert CliRunner().invoke(app, ["serve", "--port", "82", "--no-secure"]).exit_code == 0
    assert told == [SAMPLE, dataclasses.replace(SAMPLE, port=82, secure=False)]


@pytest.mark.parametrize("word", ["1", "true", "T", "yes", "on", "0", "False", "no", "off"])
def test_yes_and_no(word: str) -> None:
    """As the command line understands them."""
    secure = Settings.from_environment({"CYVASSE_SECURE": word}).secure
    assert secure is click.BOOL.convert(word, None, None)


def test_the_secret_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CYVASSE_SECRET", raising=False)
    first = secret(tmp_path)
    assert len(first) >= 32
    assert secret(tmp_path) == first
    assert (tmp_path / "secret.key").stat().st_mode & 0o777 == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["secret.key"]


def test_who_makes_the_secret_at_the_same_time_gets_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CYVASSE_SECRET", raising=False)
    for round in range(20):
        folder = tmp_path / str(round)
        folder.mkdir()
        barrier = threading.Barrier(8)

        def make(folder: Path = folder, barrier: threading.Barrier = barrier) -> bytes:
            barrier.wait()
            return secret(folder)

        with ThreadPoolExecutor(8) as threads:
            made = [each.result() for each in [threads.submit(make) for _ in range(8)]]
        assert set(made) == {(folder / "secret.key").read_bytes()}
        assert [file.name for file in folder.iterdir()] == ["secret.key"]


def test_a_secret_that_somebody_wrote_is_taken_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CYVASSE_SECRET", raising=False)
    file = tmp_path / "secret.key"
    for text in ("x" * 32, "x" * 32 + "\n", "base64 in\r\ntwo lines of some length", "ä" * 32):
        file.write_bytes(text.encode())
        file.chmod(0o600)
        assert secret(tmp_path) == text.encode()


def test_the_secret_may_be_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CYVASSE_SECRET", "x" * 32)
    assert secret(tmp_path) == b"x" * 32
    assert not (tmp_path / "secret.key").exists()
    for given in ("x" * 31, "x" * 31 + " ", " " * 40, "\x01" * 40, "\udcff" * 40):
        monkeypatch.setenv("CYVASSE_SECRET", given)
        with pytest.raises(CyvasseError, match=r"^CYVASSE_SECRET .*; give a new one"):
            secret(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_visitors_are_told_whom_to_ask() -> None:
    service: Any = SimpleNamespace(settings=SAMPLE)

    async def asked() -> Any:
        return await about.fn(service=service)

    assert asyncio.run(asked()) == Imprint(cyvasse.__version__, "host@example.org")
