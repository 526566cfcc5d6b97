"""Until the screen is lifted nothing about a setup reaches anyone but its owner.

The same game is played twice with different setups behind the screen.  Whatever others receive
from the real server, over HTTP and websockets, in answers, headers, refusals and lists, must be the
same.
"""

from __future__ import annotations

import ast
import asyncio
import contextlib
import gc
import importlib
import io
import json
import logging
import pkgutil
import random
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from litestar.handlers import HTTPRouteHandler
from sqlalchemy import insert
from sqlalchemy.exc import IntegrityError

import cyvasse
from cyvasse import Color, RuleSet, choose_setup
from cyvasse.notation import write_setup
from cyvasse.notation.documents import setup_document
from cyvasse.notation.forms import SetupDocument
from cyvasse.server import routes
from cyvasse.server.app import create_app
from cyvasse.server.contest import Agreement, Contest, Occupant
from cyvasse.server.database import Database
from cyvasse.server.database import tables as t
from cyvasse.server.logs import JsonLines
from cyvasse.server.people import GONE
from cyvasse.server.settings import Settings
from tests.server.harness import Person, Refused, Server, serving, setup_of
from tests.server.onlookers import PAGE_FILES, UNLISTED, Case, Onlooker, asks
from tests.strategies import IDS

rule_sets = pytest.mark.parametrize("rule_set", IDS)
SEEDS = (1, 2_000)


class Secrets:
    """What one player does behind the screen: everything here depends on the seed."""

    def __init__(self, rules: RuleSet, seat: str, seed: int) -> None:
        chance = random.Random(seed)
        self.rules = rules
        self.chance = chance
        self.setups = [rules.random_setup(seat, chance) for _ in range(3)]
        self.drafts = [rules.random_setup(seat, chance) for _ in range(1 + seed % 3)]
        self.problems: list[str] = []

    def document(self, number: int) -> SetupDocument:
        return setup_document(self.rules, self.setups[number])

    def save_drafts(self, owner: Person, game: str, seat: str) -> None:
        """Save drafts, nobody knows how many, finished or not."""
        for draft in self.drafts:
            document = setup_document(self.rules, draft)
            document["pieces"] = document["pieces"][self.chance.randint(0, 3) :]
            owner.put(f"games/{game}/drafts/{seat}", {"setup": document})
            owner.get(f"games/{game}/drafts/{seat}")

    def submit_nonsense(self, owner: Person, game: str, **more: Any) -> None:
        """Submit illegal setups, nobody knows how many."""
        for draft in self.drafts:
            document = setup_document(self.rules, draft)
            document["pieces"] = document["pieces"][self.chance.randint(1, 4) :]
            with pytest.raises(Refused) as refusal:
                owner.do(game, "submit", setup=document, **more)
            self.problems += [each["text"] for each in refusal.value.problem["problems"]]

    def needles(self) -> Iterator[str]:
        """Texts that would give something away."""
        for setup in self.setups + self.drafts:
            yield write_setup(setup)
            yield from write_setup(setup).split()[2:3]
            for square, kind in setup.pieces.items():
                yield json.dumps({"type": kind, "at": square})
                yield json.dumps({"type": kind, "at": square}, separators=(",", ":"))
        yield from self.problems


class Table:
    """A game with everyone around it."""

    def __init__(self, server: Server, rule_set: str, hidden: str, seed: int) -> None:
        self.server = server
        self.rules = cyvasse.rule_set(rule_set)
        self.hidden, self.other = hidden, str(Color.parse(hidden).other)
        self.secrets = Secrets(self.rules, hidden, seed)
        self.owner, self.opponent, spectator = (server.person() for _ in range(3))
        self.onlookers = {
            "opponent": Onlooker(server, self.opponent),
            "spectator": Onlooker(server, spectator),
            "stranger": Onlooker(server, None),
        }
        self.words = {
            self.owner.name: "OWNER",
            self.opponent.name: "OPPONENT",
            spectator.name: "SPECTATOR",
        }
        self.game = ""
        self.joined = False
        self.over = False

    def create(self, opponent: dict[str, Any], **more: Any) -> dict[str, Any]:
        """Let the owner of the secret begin a game."""
        more = {"color": self.hidden, "first": "white", **more}
        created: dict[str, Any] = self.owner.create(self.rules.id, opponent, **more)
        self.sit_down(created["game"])
        return created

    def sit_down(self, game: str) -> None:
        """Look at this game from now on."""
        self.game = game
        self.words[game] = "GAME"
        for onlooker in self.onlookers.values():
            onlooker.words = self.words

    def join(self, invitation: str | None = None) -> None:
        self.opponent.post(f"games/{self.game}/join", {"invitation": invitation})
        self.joined = True

    def meet(self) -> None:
        """Begin a game between the two."""
        self.join(self.create({"kind": "friend"})["invitation"])

    def submit(self, number: int) -> None:
        """Let the owner be ready with one of the secrets."""
        self.owner.do(self.game, "submit", setup=self.secrets.document(number))

    def answer(self) -> None:
        """Let the opponent be ready, always with the same setup."""
        self.opponent.submit(self.game, self.other, 5)

    def case(self, who: str, **more: Any) -> Case:
        plays = (self.other,) if who == "opponent" and self.joined else ()
        return Case(
            self.game,
            self.rules.id,
            self.hidden,
            plays,
            joinable=not self.joined,
            over=self.over,
        )._replace(**more)

    def look(self, **how: Any) -> None:
        for who, onlooker in self.onlookers.items():
            onlooker.look(self.case(who), **how)

    def listen(self) -> None:
        for onlooker in self.onlookers.values():
            onlooker.listen(self.game)

    def hear_number(self, number: int) -> None:
        for onlooker in self.onlookers.values():
            if onlooker.ear is not None:
                onlooker.hear_number(number)

    def reconnect(self) -> None:
        number = self.owner.see(self.game)["number"]
        for who, onlooker in self.onlookers.items():
            onlooker.reconnect(self.case(who), number)

    def notes(self) -> dict[str, list[str]]:
        """What everyone has noted."""
        for onlooker in self.onlookers.values():
            if onlooker.ear is not None:
                onlooker.end()
        return {who: list(onlooker.notes) for who, onlooker in self.onlookers.items()}

    def close(self) -> None:
        for onlooker in self.onlookers.values():
            onlooker.close()


@pytest.fixture
def table(server: Server) -> Iterator[Callable[..., Table]]:
    """Sets tables, and clears them afterwards."""
    tables: list[Table] = []

    def set_table(rule_set: str, seed: int, hidden: str = "white") -> Table:
        tables.append(Table(server, rule_set, hidden, seed))
        return tables[-1]

    yield set_table
    for each in tables:
        each.close()


def assert_same(first: dict[str, list[str]], second: dict[str, list[str]]) -> None:
    """Two stories that nobody can tell apart."""
    assert first.keys() == second.keys()
    for who in first:
        for one, other in zip(first[who], second[who], strict=False):
            assert one == other, f"the {who} sees a difference"
        assert len(first[who]) == len(second[who])


def lines(log: str) -> set[str]:
    """The different lines of a log, apart from times and ports."""
    found = set()
    for line in log.splitlines():
        entry = json.loads(line)
        entry.pop("at")
        entry.pop("milliseconds", None)
        entry["message"] = re.sub(r"127\.0\.0\.1:\d+", "CLIENT", entry["message"])
        found.add(json.dumps(entry, sort_keys=True))
    return found


def assert_tells_nothing(text: str, secrets: Secrets) -> None:
    """No setup is in a text: no square, nothing that was wrong with one, no text of one."""
    for needle in secrets.needles():
        assert needle not in text
    words = set(re.findall(r"\w+", text))
    assert not words & set(secrets.rules.board.squares)


# --- all routes -----------------------------------------------------------------------------------


def test_every_route_is_asked(server: Server) -> None:
    schema = server.person().get("openapi.json")
    routes = {
        f"{method.upper()} {path}" for path, item in schema["paths"].items() for method in item
    }
    case = Case("game", "nine-tile", "white")
    assert set(asks(case)) == routes, "the routes, and `asks` in onlookers.py"
    seen = asks(case._replace(plays=("black",))), asks(case)
    assert all(any(table[route] for table in seen) for route in routes)


@pytest.mark.filterwarnings("ignore::litestar.exceptions.LitestarDeprecationWarning")
def test_no_route_hides_from_the_schema(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cyvasse.server.logs.set_up", lambda level: None)

    async def paths() -> set[str]:
        app = create_app(Settings(data=str(tmp_path)))
        listed = {re.sub(r"(?<=\{)(\w+)(?=\})", r"\1:str", path) for path in _schema_paths(app)}
        return {route.path for route in app.routes} - listed

    assert asyncio.run(paths()) - PAGE_FILES == UNLISTED


@pytest.mark.filterwarnings("ignore::litestar.exceptions.LitestarDeprecationWarning")
def test_no_handler_is_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each stands in the list at the end of its module."""
    monkeypatch.setattr("cyvasse.server.logs.set_up", lambda level: None)

    async def listed() -> set[Any]:
        app = create_app(Settings(data=str(tmp_path)))
        return {each.fn for route in app.routes for each in getattr(route, "route_handlers", ())}

    modules = [
        importlib.import_module(found.name)
        for found in pkgutil.iter_modules(routes.__path__, f"{routes.__name__}.")
    ]
    written = {
        each.fn
        for module in modules
        for each in vars(module).values()
        if isinstance(each, HTTPRouteHandler)
    }
    assert len(written) > 20
    forgotten = {f"{each.__module__}.{each.__name__}" for each in written - asyncio.run(listed())}
    assert forgotten == set(), "in no list of route_handlers"


def _schema_paths(app: Any) -> list[str]:
    return list(app.openapi_schema.paths)


# --- two people -----------------------------------------------------------------------------------


def story(table: Table) -> dict[str, list[str]]:
    """All that can happen behind a screen: what the others have noted of it."""
    owner, secrets, hidden = table.owner, table.secrets, table.hidden
    table.create({"kind": "anyone"}, setup_seconds=3600)
    game = table.game
    table.listen()
    secrets.save_drafts(owner, game, hidden)
    table.look(reading=True)
    table.join()
    table.hear_number(1)
    secrets.save_drafts(owner, game, hidden)
    secrets.submit_nonsense(owner, game)
    owner.put(f"me/setups/{table.rules.id}/mine", {"setup": secrets.document(2)})
    table.look(reading=True)
    table.submit(0)
    table.hear_number(2)
    table.look(reading=True)
    for person in (owner, table.opponent):
        person.post(f"games/{game}/chat", {"text": "well met"})
        ear = table.onlookers["opponent"].ear
        assert ear is not None
        ear.wait_for("chat")
    table.submit(1)
    table.hear_number(3)
    owner.do(game, "withdraw")
    table.hear_number(4)
    secrets.save_drafts(owner, game, hidden)
    secrets.submit_nonsense(owner, game)
    table.answer()
    table.hear_number(5)
    table.look(reading=True)
    table.opponent.do(game, "withdraw")
    table.hear_number(6)
    table.submit(2)
    table.hear_number(7)
    table.reconnect()
    table.look()
    return table.notes()


@rule_sets
def test_the_same_for_every_setup(
    server: Server, table: Callable[..., Table], rule_set: str
) -> None:
    hidden = "white" if IDS.index(rule_set) % 2 else "black"
    stories, logs = [], []
    tables = [table(rule_set, seed, hidden) for seed in SEEDS]
    for each in tables:
        begin = server.log.stat().st_size
        stories.append(story(each))
        log = server.log.read_bytes()[begin:].decode()
        logs.append(lines(log))
        for line in logs[-1]:
            assert_tells_nothing(line, each.secrets)
        assert_tells_nothing(httpx.get(f"{server.url}/metrics", verify=False).text, each.secrets)
        # The owner has all of it.
        assert each.owner.see(each.game)["view"]["setups"] == {hidden: each.secrets.document(2)}
        assert each.owner.get("me/export")["games"][0]["view"]["setups"].keys() == {hidden}
        file = each.owner.http.get(f"games/{each.game}/file").text
        assert_tells_nothing(file, each.secrets)
    first, second = (each.secrets for each in tables)
    assert len(first.drafts) != len(second.drafts)
    assert first.problems != second.problems
    assert_same(*stories)
    requests = [{line for line in log if '"message": "request"' in line} for log in logs]
    assert requests[0] == requests[1] != set()
    # The same comparison tells the setups apart as soon as the screen is lifted.
    for each in tables:
        each.answer()
        each.hear_number(9)
        for onlooker in each.onlookers.values():
            onlooker.notes.clear()
            assert onlooker.ear is not None
            # Whoever had signed in meanwhile has come back and got a snapshot instead.
            onlooker.ear.frames = [each for each in onlooker.ear.frames if '"setups"' in each][-1:]
            onlooker.look(each.case("spectator"), reading=True)
    lifted = [each.notes() for each in tables]
    shown = ("/api/games/{game} ", "/file ", "/position ", "/board.svg ", '"setups"')
    for who in lifted[0]:
        different = [a for a, b in zip(lifted[0][who], lifted[1][who], strict=True) if a != b]
        for route in shown:
            assert any(route in note.split("\n")[0] for note in different), (who, route)
    with pytest.raises(AssertionError, match="sees a difference"):
        assert_same(*lifted)


# --- games that end behind the screen -------------------------------------------------------------


def abort_by_owner(table: Table) -> None:
    table.owner.do(table.game, "abort")


def abort_by_opponent(table: Table) -> None:
    table.opponent.do(table.game, "abort")


def owner_leaves(table: Table) -> None:
    table.words[GONE] = "OWNER"  # some hear the name before it is forgotten, some after
    table.owner.delete("me")


def opponent_leaves(table: Table) -> None:
    table.words[GONE] = "OPPONENT"
    table.opponent.delete("me")


@pytest.mark.parametrize(
    ("end", "rule_set"),
    list(zip([abort_by_owner, abort_by_opponent, owner_leaves, opponent_leaves], IDS, strict=True)),
)
def test_an_aborted_game_keeps_its_secrets(
    table: Callable[..., Table], end: Callable[[Table], None], rule_set: str
) -> None:
    stories = []
    for seed in SEEDS:
        each = table(rule_set, seed)
        each.meet()
        each.listen()
        each.secrets.save_drafts(each.owner, each.game, each.hidden)
        each.submit(0)
        each.hear_number(2)
        if end is opponent_leaves:  # whoever leaves is cut off, sooner or later
            each.onlookers["opponent"].go_deaf()
        end(each)
        each.over = True
        each.hear_number(3)
        each.reconnect()
        each.look(reading=True)
        stories.append(each.notes())
        if end is owner_leaves:
            assert each.owner.see(each.game)["view"]["setups"] == {}
        else:
            own = {each.hidden: each.secrets.document(0)}
            assert each.owner.see(each.game)["view"]["setups"] == own
    assert_same(*stories)


class Expiring:
    """Games whose time for setting up runs out while other tests are at work."""

    def __init__(self, server: Server) -> None:
        self.games: dict[str, list[Table]] = {"ready": [], "draft": [], "nonsense": []}
        for number, (kind, same) in enumerate(self.games.items()):
            for seed in SEEDS:
                each = Table(server, IDS[number], "white", seed)
                same.append(each)
                created = each.create({"kind": "friend"}, setup_seconds=10)
                each.join(created["invitation"])
                document = each.secrets.document(0)
                if kind == "nonsense":
                    document["pieces"] = document["pieces"][1:]
                each.owner.put(f"games/{each.game}/drafts/white", {"setup": document})
                if kind == "ready":
                    each.submit(0)
                each.listen()


@pytest.fixture(scope="module")
def expiring(server: Server) -> Iterator[Expiring]:
    games = Expiring(server)
    yield games
    for same in games.games.values():
        for each in same:
            each.close()


def test_games_begin_to_expire(expiring: Expiring) -> None:
    for kind, same in expiring.games.items():
        for each in same:
            ready = {"white": kind == "ready", "black": False}
            assert each.owner.see(each.game)["standing"]["ready"] == ready


# --- a bot ----------------------------------------------------------------------------------------


@rule_sets
def test_a_bot_keeps_its_secret(table: Callable[..., Table], rule_set: str) -> None:
    stories: list[dict[str, list[str]]] = []
    bots: set[str] = set()
    while len(stories) < 2 or len(bots) < 2:
        assert len(stories) < 20, "the bot always has the same setup"
        # The human is the onlooker; the bot's is the hidden setup.
        each = table(rule_set, 1, "black")
        created = each.opponent.create(rule_set, {"kind": "bot", "level": 1}, first="white")
        each.sit_down(created["game"])
        each.joined = True
        if len(stories) < 2:
            each.listen()
            each.opponent.put(
                f"games/{each.game}/drafts/white", {"setup": setup_of(each.rules, "white", 3)}
            )
            each.look(reading=True)
            each.onlookers["opponent"].look(each.case("opponent"))
            each.reconnect()
        stories.append(each.notes())
        each.answer()
        bots.add(json.dumps(each.opponent.see(each.game)["view"]["setups"]["black"]))
    assert_same(*stories[:2])


# --- one screen -----------------------------------------------------------------------------------


@rule_sets
def test_one_screen_has_a_curtain(table: Callable[..., Table], rule_set: str) -> None:
    hidden = "black" if IDS.index(rule_set) % 2 else "white"
    stories = []
    for seed in SEEDS:
        each = table(rule_set, seed, hidden)
        created = each.opponent.create(rule_set, {"kind": "same_screen"}, first="white")
        each.sit_down(created["game"])
        each.joined = True
        me, game = each.opponent, each.game
        each.listen()
        each.secrets.save_drafts(me, game, hidden)
        each.secrets.submit_nonsense(me, game, seat=hidden)
        me.do(game, "submit", setup=each.secrets.document(0), seat=hidden)
        each.hear_number(1)
        case = each.case("opponent", plays=("white", "black"))
        for onlooker in each.onlookers.values():
            if onlooker.person is me:
                onlooker.look(case)
            else:
                onlooker.look(each.case("spectator"), reading=True)
            onlooker.reconnect(case, 1)
        stories.append(each.notes())
        each.opponent.submit(game, each.other, 5, seat=each.other)
        assert me.see(game)["view"]["setups"][hidden] == each.secrets.document(0)
    assert_same(*stories)


def test_one_screen_keeps_its_curtain_when_somebody_signs_in(server: Server) -> None:
    rules = cyvasse.rule_set("nine-tile")
    account, guest = server.person(), server.person()
    name = f"a-{guest.name.replace(' ', '')}"[:20]
    credentials = {"name": name, "password": "a good password"}
    account.post("me/account", credentials)
    game = guest.create("nine-tile", {"kind": "same_screen"})["game"]
    guest.put(f"games/{game}/drafts/white", {"setup": setup_of(rules, "white", 2)})
    guest.submit(game, "white", 2, seat="white")
    guest.post("session", credentials)
    seen = guest.see(game)
    assert seen["you"] == ["white", "black"]
    assert seen["view"]["setups"] == {}
    assert guest.get("me/export")["games"][0]["view"]["setups"] == {}
    with pytest.raises(Refused):
        guest.get(f"games/{game}/drafts/white")
    guest.submit(game, "black", 3, seat="black")
    assert guest.see(game)["standing"]["status"] == "playing"


# --- once more ------------------------------------------------------------------------------------


def test_a_rematch_begins_behind_a_new_screen(table: Callable[..., Table]) -> None:
    stories = []
    for seed in SEEDS:
        each = table("croft", seed, "black")
        created = each.owner.create("croft", color="white", first="white")
        first = created["game"]
        each.words[first] = "FIRST"
        each.opponent.post(f"games/{first}/join", {"invitation": created["invitation"]})
        each.owner.submit(first, "white", 8)
        each.opponent.submit(first, "black", 9)
        each.owner.do(first, "resign")
        each.owner.do(first, "rematch")
        each.opponent.do(first, "rematch")
        each.sit_down(each.owner.see(first)["standing"]["rematch"])
        each.joined = True
        each.listen()
        each.look(reading=True)
        each.secrets.save_drafts(each.owner, each.game, "black")
        each.submit(0)
        each.hear_number(1)
        each.look(reading=True)
        each.reconnect()
        stories.append(each.notes())
    assert_same(*stories)


def test_a_rematch_with_a_bot_begins_behind_a_new_screen(table: Callable[..., Table]) -> None:
    stories = []
    for _ in range(2):
        each = table("mikelepage", 1, "white")
        created = each.opponent.create("mikelepage", {"kind": "bot", "level": 1}, first="white")
        each.words[created["game"]] = "FIRST"
        each.opponent.do(created["game"], "abort")
        each.opponent.do(created["game"], "rematch")
        each.sit_down(each.opponent.see(created["game"])["standing"]["rematch"])
        each.joined = True
        each.listen()
        each.look(reading=True)
        each.reconnect()
        stories.append(each.notes())
    assert_same(*stories)


# --- chance ---------------------------------------------------------------------------------------


def seeded(draw: Callable[[], Any]) -> list[str]:
    random.seed(1)
    return [str(draw()) for _ in range(40)]


@rule_sets
def test_bots_draw_their_setups_from_secrets(rule_set: str) -> None:
    rules = cyvasse.rule_set(rule_set)
    assert seeded(random.random) == seeded(random.random)
    for color in Color:
        draw = partial(choose_setup, rules, color)
        first, second = (seeded(draw) for _ in range(2))
        assert first != second


def test_the_lot_comes_from_secrets() -> None:
    players = {color: Occupant(color.title, color.title) for color in Color}

    def lot() -> str:
        contest = Contest("game", Agreement("nine-tile", first="lot"), players, 0)
        lifted = contest.setup_over(
            {color: contest.game.rules.random_setup(color, seed=1) for color in Color}
        )
        return str(lifted[-1])

    assert len(set(seeded(lot))) == 2
    assert seeded(lot) != seeded(lot)


def test_the_server_has_no_other_chance() -> None:
    package = Path(cyvasse.__file__).parent / "server"
    for module in package.rglob("*.py"):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            assert "random" not in names, module


# --- logs -----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_most_talkative_log_tells_nothing(tmp_path: Path) -> None:
    with serving(tmp_path, "--log-level", "debug") as server:
        each = Table(server, "nine-tile", "white", 1)
        with contextlib.closing(each):
            each.meet()
            each.secrets.save_drafts(each.owner, each.game, "white")
            each.secrets.submit_nonsense(each.owner, each.game)
            with each.owner.socket() as socket:
                socket.watch(each.game)
                short = {"do": "submit", "setup": {"pieces": [{"type": "king", "at": "e1"}]}}
                socket.ask("do", game=each.game, command=short)
                done = socket.do(each.game, "submit", setup=each.secrets.document(0))
                assert done["type"] == "done"
        server.stop()
        log = server.log.read_text()
        cookie = each.owner.http.cookies["cyvasse"]
    entries = [line for line in log.splitlines() if line.startswith("{")]
    assert any('"level": "info"' in line for line in entries)
    for line in lines("\n".join(entries)):
        assert_tells_nothing(line, each.secrets)
    for link in (each.game, cookie):
        assert link not in log


def test_a_failed_task_is_logged_without_what_it_was_about() -> None:
    async def fail() -> None:
        raise ValueError("a dragon on e4")

    async def forget() -> None:
        task = asyncio.create_task(fail())
        await asyncio.wait({task})
        del task
        gc.collect()

    heard = io.StringIO()
    handler = logging.StreamHandler(heard)
    handler.setFormatter(JsonLines())
    logger = logging.getLogger("asyncio")
    logger.addHandler(handler)
    try:
        asyncio.run(forget())
    finally:
        logger.removeHandler(handler)
    entry = json.loads(heard.getvalue())
    assert entry["message"] == "Task exception was never retrieved"
    assert entry["error"] == "ValueError"
    assert "dragon" not in heard.getvalue()


def test_errors_of_the_database_hold_no_setup(tmp_path: Path) -> None:
    async def fail() -> str:
        database = Database(f"sqlite:///{tmp_path}/cyvasse.sqlite")
        try:
            await database.upgrade()
            row = {"game_id": "none", "number": 1, "at": 0, "event": "a dragon on e4"}
            async with database.read() as connection:
                with pytest.raises(IntegrityError) as error:
                    await connection.execute(insert(t.events).values(row))
            return str(error.value)
        finally:
            await database.close()

    told = asyncio.run(fail())
    assert "INSERT INTO events" in told
    assert "dragon" not in told


# --- when the time is over ------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["ready", "draft", "nonsense"])
def test_when_the_time_is_over_secrets_are_kept(expiring: Expiring, kind: str) -> None:
    same = expiring.games[kind]
    late = "White and Black were" if kind == "nonsense" else "Black was"
    reason = f"{late} not ready when the time for setting up was over."
    for each in same:
        number = 3 if kind == "ready" else 2
        each.hear_number(number)
        each.over = True
        assert each.opponent.see(each.game)["standing"]["aborted"] == reason
        each.reconnect()
        each.look(reading=True)
        own = {"white": each.secrets.document(0)} if kind == "ready" else {}
        assert each.owner.see(each.game)["view"]["setups"] == own
    assert_same(*(each.notes() for each in same))
