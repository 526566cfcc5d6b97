"""A real Chromium, and a server with the built page."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from cyvasse.server.page import INDEX
from tests.server.harness import PATIENCE, Server, serving
from tests.tiers import missing

expect.set_options(timeout=PATIENCE * 1000)

NAMES = ("chromium", "chromium-browser", "google-chrome")


# For these tests alone: Playwright runs a loop of asyncio, and others want to start their own.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Debian's Chromium without a window."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None:
        missing("Chromium is not installed (Debian: apt install chromium)")
    with sync_playwright() as playwright:
        # As root it refuses its sandbox; there is no network to talk to in the background.
        flags = ["--no-sandbox", "--disable-background-networking", "--disable-gpu"]
        browser = playwright.chromium.launch(executable_path=found, args=flags)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that shows the page."""
    if not INDEX.is_file():
        missing("the page is not built (make page)")
    folder: Path = tmp_path_factory.mktemp("web")
    with serving(folder) as running:
        yield running
        running.stop()  # politely: what it ran counts for the coverage
