"""How soon the page can be used on a phone: the first screen, and a link to a game.

    python benchmarks/page.py [--runs 7] [--json]

A real server, a Chromium without a cache, 390 x 844 pixels, a processor four times slower than this
machine's, and a line like Lighthouse's mobile profile: 150 ms there and back, 1.6 Mbit/s down,
750 kbit/s up.  Chromium's own throttling knows neither the handshake of a connection nor
websockets, so the line is a proxy of ours, through which everything goes: a new connection costs
a round trip before its first byte.  Without HTTPS; that would cost one or two round trips more.

Other work on the machine slows the browser but not the line.  How much of a core a busy loop got
beside each run is printed too: figures mean something if that was nearly all.

*visible* is when "Play now", or the board, stands on the screen; *usable* is when the page has
reacted to a tap on it.  Both are counted from the beginning of the navigation.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gzip
import json
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Browser, sync_playwright

import cyvasse
from cyvasse.notation.documents import setup_document
from cyvasse.server.page import FOLDER

ROUND_TRIP = 0.150
DOWN = 1_600_000 / 8
UP = 750_000 / 8
SLOWER = 4
PHONE = {"width": 390, "height": 844}
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
CHUNK = 1460  # a packet

# Looks in every frame whether the thing to tap is there, taps it, and looks for the effect.  What a
# script taps does not end what the browser counts as the largest paint.
WATCH = """([wanted, effect]) => {
    const seen = window.seen = {};
    const shown = (found) => found && found.checkVisibility() ? found : null;
    const tap = (element) => {
        const {x, y, width, height} = element.getBoundingClientRect();
        const at = {bubbles: true, clientX: x + width / 2, clientY: y + height / 2, pointerId: 1};
        for (const kind of ['pointerdown', 'pointerup']) {
            element.dispatchEvent(new PointerEvent(kind, at));
        }
        element.dispatchEvent(new MouseEvent('click', at));
    };
    Element.prototype.setPointerCapture = () => {};  // there is no finger to hold on to
    const look = () => {
        const found = shown(document.querySelector(wanted));
        if (found && !seen.visible) {
            seen.visible = performance.now();
            tap(found);
        } else if (seen.visible && shown(document.querySelector(effect))) {
            seen.usable = performance.now();
            return;
        }
        requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) seen.largest = entry.startTime;
    }).observe({type: 'largest-contentful-paint', buffered: true});
    // The game that "Play now" begins is not part of the first view.
    const ask = window.fetch;
    window.fetch = (...words) =>
        words[1]?.method === 'POST' ? new Promise(() => {}) : ask(...words);
}"""
WAIT = """(name) => new Promise((done) => {
    const look = () => (window.seen[name] ? done() : requestAnimationFrame(look));
    look();
})"""


# --- a slow line ----------------------------------------------------------------------------------


class Line:
    """One direction of the line: what comes in goes out later, as fast as the line allows."""

    def __init__(self, bytes_a_second: float) -> None:
        self._rate = bytes_a_second
        self._free_at = 0.0

    def due(self, size: int) -> float:
        """When so many bytes have arrived at the other end; all connections share the line."""
        self._free_at = max(self._free_at, time.monotonic()) + size / self._rate
        return self._free_at + ROUND_TRIP / 2


class Proxy:
    """Everything between the phone and the server."""

    def __init__(self, server: int) -> None:
        self._server = server
        self._up, self._down = Line(UP), Line(DOWN)
        self._connections: set[asyncio.Task[None] | None] = set()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()))
        self.port = 0

    def __enter__(self) -> Proxy:
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._over = asyncio.Event()
        listening = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        self.port = listening.sockets[0].getsockname()[1]
        self._ready.set()
        await self._over.wait()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        opened = time.monotonic() + ROUND_TRIP
        connection = asyncio.current_task()
        self._connections.add(connection)  # or it may vanish in the middle
        from_server, to_server = await asyncio.open_connection("127.0.0.1", self._server)
        with contextlib.suppress(asyncio.CancelledError):  # the measurement is over
            await asyncio.gather(
                self._carry(reader, to_server, self._up, opened),
                self._carry(from_server, writer, self._down, opened),
            )
        self._connections.discard(connection)

    async def _carry(
        self,
        source: asyncio.StreamReader,
        target: asyncio.StreamWriter,
        line: Line,
        opened: float,
    ) -> None:
        """Carry one direction: reading goes on while what was read is still under way."""
        under_way: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

        async def deliver() -> None:
            while True:
                due, packet = await under_way.get()
                await asyncio.sleep(due - time.monotonic())
                if not packet:
                    target.close()
                    return
                target.write(packet)

        delivering = asyncio.create_task(deliver())
        with contextlib.suppress(ConnectionError):
            await asyncio.sleep(opened - time.monotonic())
            while packet := await source.read(CHUNK):
                under_way.put_nowait((line.due(len(packet)), packet))
            under_way.put_nowait((line.due(0), b""))
            await delivering
        delivering.cancel()


# --- the server -----------------------------------------------------------------------------------


@contextlib.contextmanager
def served(folder: Path) -> Iterator[int]:
    """A server for a while; its port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    words = ["-m", "cyvasse", "serve", "--port", str(port), "--data", str(folder)]
    words += ["--limits", "0", "--log-level", "warning"]
    process = subprocess.Popen(
        [sys.executable, *words], start_new_session=True, stdout=subprocess.DEVNULL
    )
    try:
        for _ in range(300):
            with contextlib.suppress(httpx.HTTPError):
                if httpx.get(f"http://127.0.0.1:{port}/healthz").status_code == 200:
                    break
            time.sleep(0.1)
        yield port
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(30)


def game_to_play(port: int) -> tuple[str, str, str]:
    """A game in which it is our turn: its id, our cookie, and a square with a piece to tap."""
    api = f"http://127.0.0.1:{port}/api/"
    rules = cyvasse.rule_set("nine-tile")
    with httpx.Client(base_url=api) as white, httpx.Client(base_url=api) as black:
        white.get("me")
        black.get("me")
        body = {"rule_set": rules.id, "opponent": {"kind": "friend"}, "color": "white"}
        created = white.post("games", json={**body, "first": "white"}).json()
        game = str(created["game"])
        black.post(f"games/{game}/join", json={"invitation": created["invitation"]})
        for color, person in (("white", white), ("black", black)):
            setup = setup_document(rules, next(iter(rules.named_setups(color).values())))
            person.post(f"games/{game}/commands", json={"do": "submit", "setup": setup})
        actions = white.get(f"games/{game}").json()["view"]["legal_actions"]
        return game, str(white.cookies["cyvasse"]), str(actions[0]).split("-")[0]


# --- what is measured -----------------------------------------------------------------------------


def look(
    browser: Browser, port: int, path: str, cookie: str, wanted: str, effect: str
) -> dict[str, Any]:
    """Open an address on a phone that was never there before."""
    context = browser.new_context(
        viewport=PHONE,  # type: ignore[arg-type]
        device_scale_factor=2,
        has_touch=True,
        is_mobile=True,
    )
    if cookie:
        url = f"http://127.0.0.1:{port}"
        context.add_cookies([{"name": "cyvasse", "value": cookie, "url": url}])
    page = context.new_page()
    page.add_init_script(f"({WATCH})({json.dumps([wanted, effect])})")
    devtools = context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    kinds: dict[str, str] = {}
    sizes: Counter[str] = Counter()
    requests: Counter[str] = Counter()

    def answered(event: dict[str, Any]) -> None:
        kinds[event["requestId"]] = event["type"]

    def finished(event: dict[str, Any]) -> None:
        kind = kinds.get(event["requestId"], "Other")
        sizes[kind] += event["encodedDataLength"]
        requests[kind] += 1

    devtools.on("Network.responseReceived", answered)
    devtools.on("Network.loadingFinished", finished)
    page.goto(f"http://127.0.0.1:{port}{path}", wait_until="commit")
    page.evaluate(WAIT, "visible")
    soon = {"requests": requests.total(), "bytes": sizes.total()}
    page.evaluate(WAIT, "usable")
    page.evaluate(WAIT, "largest")
    page.wait_for_load_state("networkidle")
    seen = page.evaluate("window.seen")
    context.close()
    return {
        **seen,
        "until_visible": soon,
        "in_all": {"requests": requests.total(), "bytes": sizes.total()},
        "bytes_by_kind": dict(sizes),
    }


def share() -> float:
    """How much of a core there is for whoever wants it, as a part of one."""
    start, used = time.perf_counter(), time.process_time()
    while time.perf_counter() < start + 0.1:
        pass
    return (time.process_time() - used) / (time.perf_counter() - start)


def bundle() -> dict[str, int]:
    """The sizes of the built page's files, gzipped; pictures and rules pages are counted apart."""
    found: Counter[str] = Counter()
    for file in [*FOLDER.glob("index.html"), *FOLDER.glob("assets/*"), *FOLDER.glob("*.svg")]:
        if file.suffix in (".js", ".css", ".html", ".svg", ".json"):
            found[file.suffix[1:]] += len(gzip.compress(file.read_bytes(), mtime=0))
    return dict(found)


def middle(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """Medians, and the slowest run."""
    found: dict[str, Any] = {
        name: round(statistics.median(run[name] for run in runs))
        for name in ("visible", "usable", "largest")
    }
    found["slowest"] = round(max(run["usable"] for run in runs))
    sizes = ("until_visible", "in_all", "bytes_by_kind")
    return found | {name: runs[-1][name] for name in sizes}


def measure(count: int) -> dict[str, Any]:
    """All figures."""
    program = next(path for name in BROWSERS if (path := shutil.which(name)))
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder)) as port,
        Proxy(port) as line,
    ):
        game, cookie, square = game_to_play(port)
        pages = {
            "home": ("/", "", ".button.accent", ".button.accent:disabled"),
            "game": (f"/game/{game}", cookie, f'[data-square="{square}"]', ".board .selected"),
        }
        runs: dict[str, list[dict[str, Any]]] = {name: [] for name in pages}
        shares: list[float] = []
        with sync_playwright() as playwright:
            # Without a window a page is not in front, and would have to wait for everything else.
            flags = ["--no-sandbox", "--disable-background-networking", "--disable-gpu"]
            flags += [
                "--disable-renderer-backgrounding",
                "--disable-backgrounding-occluded-windows",
            ]
            browser = playwright.chromium.launch(executable_path=program, args=flags)
            for _ in range(count + 1):
                for name, words in pages.items():
                    shares.append(share())
                    runs[name].append(look(browser, line.port, *words))
            browser.close()
    # The first run warms up what is not the page: the server's caches, Chromium's processes.
    found = {name: middle(each[1:]) for name, each in runs.items()}
    core = round(statistics.median(shares), 2)
    return {**found, "bundle": bundle(), "share_of_a_core": core}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    found = measure(arguments.runs)
    if arguments.json:
        print(json.dumps(found, indent=1))
        return
    for name in ("home", "game"):
        figures = found[name]
        print(
            f"{name}: visible {figures['visible']} ms, usable {figures['usable']} ms "
            f"(slowest {figures['slowest']}), largest paint {figures['largest']} ms"
        )
        for when in ("until_visible", "in_all"):
            print(f"  {when.replace('_', ' ')}: {figures[when]}")
        print(f"  bytes by kind: {figures['bytes_by_kind']}")
    print(f"gzipped: {found['bundle']}")
    print(f"share of a core: {found['share_of_a_core']}")


if __name__ == "__main__":
    main()
