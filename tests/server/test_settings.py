"""Settings from the environment, and those that do not fit together."""

from __future__ import annotations

from pathlib import Path

import pytest

from cyvasse.errors import CyvasseError
from cyvasse.server.settings import Settings, secret

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
    for name in SAMPLE.__struct_fields__:
        assert getattr(SAMPLE, name) != getattr(defaults, name), f"{name} is not in the sample"
    assert Settings.from_environment(SAMPLE.environment()) == SAMPLE
    assert Settings.from_environment(defaults.environment()) == defaults


def test_empty_variables_count_as_not_given() -> None:
    assert Settings.from_environment({"CYVASSE_PORT": "", "OTHER": "x"}) == Settings()


@pytest.mark.parametrize(
    ("name", "value"), [("PORT", "http"), ("WORKERS", "many"), ("LIMITS", "x"), ("SECURE", "maybe")]
)
def test_what_cannot_be_read_is_refused(name: str, value: str) -> None:
    with pytest.raises(CyvasseError, match="environment"):
        Settings.from_environment({f"CYVASSE_{name}": value})


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (Settings(workers=2), "PostgreSQL"),
        (Settings(port=0), "port"),
        (Settings(port=65536), "port"),
    ],
)
def test_what_does_not_fit_together_is_refused(settings: Settings, words: str) -> None:
    with pytest.raises(CyvasseError, match=words):
        settings.checked()


def test_the_secret_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CYVASSE_SECRET", raising=False)
    first = secret(tmp_path)
    assert len(first) >= 32
    assert secret(tmp_path) == first
    assert (tmp_path / "secret.key").stat().st_mode & 0o777 == 0o600


def test_the_secret_may_be_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CYVASSE_SECRET", "x" * 32)
    assert secret(tmp_path) == b"x" * 32
    assert not (tmp_path / "secret.key").exists()
    monkeypatch.setenv("CYVASSE_SECRET", "x" * 31)
    with pytest.raises(CyvasseError, match="32"):
        secret(tmp_path)
