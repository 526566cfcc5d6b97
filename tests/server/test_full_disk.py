"""A disk that is full, at every step of a first start and while games are played."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count, takewhile
from pathlib import Path
from typing import Any

import httpx
import pytest

from cyvasse.server.service import prepare
from cyvasse.server.settings import Settings, secret
from tests.server.conftest import arguments
from tests.server.disks import Disk, Start, small_disk
from tests.server.harness import (
    Person,
    Refused,
    Server,
    actions_in,
    free_port,
    friends,
    get,
    to_move,
    until,
)
from tests.server.test_nothing_lost import stored_events
from tests.server.test_secret import assert_refused, assert_unforged
from tests.server.test_workers import on_both, play_across


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    with small_disk(tmp_path / "disk") as mounted:
        yield mounted


def started_on(disk: Disk, port: int, *arguments: str) -> Start:
    """A start that finds only so much room as the disk has."""
    return Start("--data", str(disk.folder), "--port", str(port), *arguments, limit=disk.limit)


@contextlib.contextmanager
def served_from(disk: Disk, log: Path, *arguments: str) -> Iterator[Server]:
    """A server that keeps everything but its log on the disk."""
    server = Server(disk.folder, *arguments)
    server.log = log
    server.environment = {"CYVASSE_SECRET": ""}
    try:
        yield server
    finally:
        server.close()


# --- a first start --------------------------------------------------------------------------------


def refused_for_room(disk: Disk, port: int, **room: int) -> bool:
    """Whether a first start with so much room is refused; with more room there is a next one."""
    disk.leave()
    disk.empty()
    disk.leave(**room)
    with started_on(disk, port) as start:
        if start.serves:
            return False
        assert_refused(start)
    disk.leave()
    disk.folder.mkdir(exist_ok=True)
    assert len(secret(disk.folder)) >= 32
    asyncio.run(prepare(Settings(data=str(disk.folder))))
    assert [file.name for file in disk.folder.iterdir() if file.name.startswith(".")] == []
    return True


def test_a_first_start_where_the_disk_fills_at_every_step(
    disk: Disk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CYVASSE_SECRET", raising=False)
    port = free_port()
    steps = takewhile(lambda pages: refused_for_room(disk, port, pages=pages), count())
    assert len(list(steps)) > 2  # for the key, the tables, and the first time of the pulse
    if disk.counts_names:
        steps = takewhile(lambda n: refused_for_room(disk, port, names=n), count())
        assert len(list(steps)) > 5  # for the folder, the lock, the key, its link, the database

    # The last one served without room for anything more, and was killed.
    disk.leave()
    with served_from(disk, tmp_path / "log") as server:
        server.start()
        assert_unforged(server)
        friends(server)


def metrics(port: int) -> str:
    """The numbers of a server; nothing while it does not listen yet."""
    try:
        return get(f"http://127.0.0.1:{port}/metrics").text
    except httpx.ConnectError:
        return ""


def test_a_first_start_without_room_beside_postgresql(
    disk: Disk, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """The key needs room; the numbers for Prometheus may go without."""
    disk.folder.mkdir()
    more = arguments("postgresql", request)
    port = free_port()
    disk.leave(0)
    with started_on(disk, port, *more) as first:
        assert_refused(first)
    disk.leave(1)
    with started_on(disk, port, *more) as second:
        assert second.serves, second.said
        assert "cyvasse_sockets" in until(partial(metrics, port), "it answers")
        assert "no room for metrics" in second.said
    disk.leave()
    with served_from(disk, tmp_path / "log", *more) as server:
        server.start()
        assert_unforged(server)
        white, black, game = friends(server, "gameofcyvasse", repetition=False)
        at_one, at_other = on_both(white, black)
        with at_one, at_other:
            disk.leave(0)
            play_across(at_one, at_other, game)
            for path in ("lobby", "me/games", "rules/croft", "openapi.json"):
                white.get(path)  # what was not counted before
            metrics(server.port)
            assert [each.ask("ping")["type"] for each in (at_one, at_other)] == ["pong"] * 2


# --- while games are played -----------------------------------------------------------------------


class Company:
    """Two people who play and talk, noting what they were promised."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.white, self.black, self.game = friends(server, "gameofcyvasse", repetition=False)
        self.actions: list[str] = []
        self.remarks: list[str] = []
        self.games: list[str] = [self.game]
        self.refusals: list[dict[str, Any]] = []

    def play(self) -> None:
        mover, action = self.next()
        mover.do(self.game, "play", action=action, ply=len(self.actions))
        self.actions.append(action)

    def play_over_socket(self) -> None:
        mover, action = self.next()
        with mover.socket() as socket:
            answer = socket.do(self.game, "play", action=action, ply=len(self.actions))
        if answer["type"] == "problem":
            raise Refused(answer["problem"])
        self.actions.append(action)

    def next(self) -> tuple[Person, str]:
        """Who is to act, and what."""
        view = self.white.see(self.game)["view"]
        return self.white if to_move(view) == "white" else self.black, view["legal_actions"][-1]

    def say(self) -> None:
        text = f"Remark {len(self.remarks)}"
        self.white.post(f"games/{self.game}/chat", {"text": text})
        self.remarks.append(text)

    def begin(self) -> None:
        self.games.append(self.white.create()["game"])

    def do_until_refused(self, deed: Callable[[], None]) -> None:
        for _ in range(400):
            try:
                deed()
            except Refused as refused:
                self.refusals.append(refused.problem)
                return
        raise AssertionError("the disk was never full")

    def check(self) -> None:
        """What was promised is there, and nothing that was refused."""
        assert actions_in(self.white.see(self.game)["view"]) == self.actions
        said = self.white.get(f"games/{self.game}/chat")["remarks"]
        assert [remark["text"] for remark in said] == self.remarks
        listed = self.white.get("me/games", size=100)["games"]
        assert {each["game"] for each in listed} == set(self.games)
        events = stored_events(self.server, self.game)
        assert [number for number, _ in events] == list(range(1, len(events) + 1))


def test_a_disk_that_fills_while_games_are_played(disk: Disk, tmp_path: Path) -> None:
    with served_from(disk, tmp_path / "log") as server:
        server.start()
        assert server.process is not None
        process = server.process.pid
        company = Company(server)
        deeds = (company.play, company.play_over_socket, company.say, company.begin)
        for pages, deed in enumerate(deeds * 2):
            disk.leave(pages, process=process)
            company.do_until_refused(deed)
            company.check()
            disk.leave(process=process)
            for each in deeds:  # at once, by the same server
                each()
        disk.leave(0, process=process)
        company.do_until_refused(company.play)
        server.kill()
        for problem in company.refusals:
            assert (problem["status"], problem["type"]) == (503, "busy")
            assert "database cannot do that at the moment" in problem["detail"]

        with Start(
            "--data", str(disk.folder), "--port", str(server.port), limit=disk.limit
        ) as full:
            assert_refused(full)
        disk.leave()
        server.start()
        assert_unforged(server)
        company.check()
        for each in deeds:
            each()
