"""Bots that always move: whatever happens to their workers, each question has a legal answer."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import secrets
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

import cyvasse
from cyvasse import Action, Color, CyvasseError, Engine, Game, GameOverError, RuleSet, ScreenError
from cyvasse.server import bots as module
from cyvasse.server.bots import Bots, share
from cyvasse.server.questions import Question

each_rule_set = pytest.mark.parametrize("rules", cyvasse.rule_sets(), ids=lambda rules: rules.id)
BEST = 8 if cyvasse.COMPILED else 6
MANY = 40 if cyvasse.COMPILED else 4

# White has a Dragon too many; Black is better off with a draw.
AHEAD = "nine-tile 8/4k4/10/11/12/11/10/4K4/D7 - w - 0"
BACK_AND_FORTH = ["h2-i2", "e8-f8", "i2-h2", "f8-e8"]

# Workers that are not what they should be.
READY = """
import sys, time
for line in sys.stdin:
    if line == "isready\\n":
        print("readyok", flush=True)
        break
"""
ASKED = (
    READY
    + """
for line in sys.stdin:
    if line.startswith("position"):
        played = line.split()[-1]
    if line.startswith("go"):
"""
)
DIES_AT_ONCE = "raise SystemExit(3)"
DIES_WHEN_ASKED = ASKED + "        break"
SILENT = READY + "time.sleep(600)"
FAILS = ASKED + "        print('info string error: ValueError in choose, line 7', flush=True)"
BREAKS = (
    ASKED
    + """
        print("info string error: the search has failed: KeyError in make, line 9", flush=True)
        print("bestmove", played, flush=True)
"""
)
TELLS = ASKED + "        print('info string error: no', played, 'here', flush=True)"
ILLEGAL = ASKED + "        print('bestmove', played, flush=True)"
MALFORMED = ASKED + "        print('bestmove z99-z100', flush=True)"
EMPTY = ASKED + "        print('bestmove', flush=True)"
OVER = ASKED + "        print('bestmove (none)', flush=True)"
HUGE = ASKED + "        print('bestmove', 'e4' * 10_000, flush=True)"
BINARY = ASKED + "        sys.stdout.buffer.write(bytes(range(255, 0, -1))); sys.stdout.flush()"
NONSENSE = ASKED + "        print('e4-e5', flush=True)"
LONG_LINES = ASKED + "        print('info string', 'x' * 100_000, flush=True)"
TALKATIVE = ASKED + "        while True: print('info depth 1', flush=True)"
NOISY = READY + "sys.stdout.write('\\n' * 10_000_000)"
NEVER_READY = "import time; time.sleep(600)"


def a_game(rules: RuleSet | str = "nine-tile", seed: int = 1) -> Game:
    rules = cyvasse.rule_set(rules)
    return Game.from_position(rules.random_position(seed, actions=seed % 7))


@contextlib.asynccontextmanager
async def running(workers: int = 1, deadline: float = 60.0) -> AsyncIterator[Bots]:
    """Bots that are closed in the end."""
    bots = Bots(workers, deadline=deadline)
    await bots.start()
    try:
        yield bots
    finally:
        await bots.close()


async def until(happened: Callable[[], object]) -> None:
    async with asyncio.timeout(60):
        while not happened():
            await asyncio.sleep(0.01)


async def all_ready(bots: Bots) -> list[int]:
    """The workers' processes once all of them wait for questions."""
    await until(lambda: bots.ready == bots.workers)
    return bots.processes


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def stop(pid: int) -> None:
    os.kill(pid, signal.SIGSTOP)


def disguise(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    """Let workers be another program."""
    monkeypatch.setattr(module, "COMMAND", [sys.executable, "-c", program])


async def in_hand(bots: Bots) -> None:
    """Wait until no question is in the line: a worker has the last one."""
    await until(lambda: bots.waiting and not bots._line)


# --- answers --------------------------------------------------------------------------------------


@each_rule_set
def test_answers_are_those_of_the_engine(rules: RuleSet) -> None:
    levels = [1, 2, 3, 4, 5, 6, BEST] if cyvasse.COMPILED else [3, BEST]
    games = [a_game(rules, seed) for seed in range(len(levels))]

    async def scenario() -> list[Action]:
        async with running(2) as bots:
            asked = zip(games, levels, strict=True)
            return await asyncio.gather(*(bots.choose(game, level) for game, level in asked))

    answers = asyncio.run(scenario())
    for game, level, answer in zip(games, levels, answers, strict=True):
        assert game.position.is_legal(answer)
        if level >= 6:
            assert answer == Engine(level).choose(game)


def test_repetition_is_known() -> None:
    games = [
        Game.from_position(cyvasse.parse_position(AHEAD), repetition=holds)
        for holds in (True, False)
    ]
    for game in games:
        for text in (BACK_AND_FORTH * 2)[:-1]:
            game.play(text)
    games.append(Game.from_position(games[0].position))  # without the past

    async def scenario() -> list[Action]:
        async with running() as bots:
            return [await bots.choose(game, 6) for game in games]

    answers = asyncio.run(scenario())
    assert str(answers[0]) == "f8-e8"
    assert answers[1] == answers[2] != answers[0]
    assert answers == [Engine(6).choose(game) for game in games]


def test_an_answer_is_for_the_game_as_it_was_asked() -> None:
    game = a_game()
    before = game.copy()

    async def scenario() -> Action:
        async with running() as bots:
            task = asyncio.create_task(bots.choose(game, 6))
            await until(lambda: bots.waiting)
            game.play(game.legal_actions()[0])
            return await task

    assert asyncio.run(scenario()) == Engine(6).choose(before)


def test_seconds_shorten_the_thinking(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = told_seconds(monkeypatch, [None, 0.25, 0, -3, 1e9])
    assert 1 < seconds[0] < 30
    assert seconds[1:4] == [0.25, 0, 0]
    assert 1 < seconds[4] < 30


def test_works_with_uvloop() -> None:
    uvloop = pytest.importorskip("uvloop")

    async def scenario() -> None:
        async with running(2) as bots:
            pids = await all_ready(bots)
            os.kill(pids[0], signal.SIGKILL)
            game = a_game()
            assert await bots.choose(game, 6) == Engine(6).choose(game)
            await bots.close()
            assert not any(is_alive(pid) for pid in pids)

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(scenario())


# --- misfortunes ----------------------------------------------------------------------------------


def test_a_worker_killed_while_thinking_is_replaced() -> None:
    games = [a_game(seed=seed) for seed in range(3)]
    answered: list[Game] = []

    async def ask(bots: Bots, game: Game) -> None:
        assert await bots.choose(game, BEST) == Engine(BEST).choose(game)
        answered.append(game)

    async def scenario() -> None:
        async with running() as bots:
            (pid,) = await all_ready(bots)
            stop(pid)  # so that it cannot answer before it dies
            tasks = [asyncio.create_task(ask(bots, game)) for game in games]
            await until(lambda: bots.waiting == 3 and len(bots._line) == 2)
            os.kill(pid, signal.SIGKILL)
            await asyncio.gather(*tasks)
            assert pid not in bots.processes

    asyncio.run(scenario())
    assert answered == games  # the first has not lost its place


def test_a_stopped_worker_is_replaced() -> None:
    async def scenario() -> None:
        game = a_game()
        async with running(deadline=6) as bots:
            (pid,) = await all_ready(bots)
            stop(pid)
            assert game.position.is_legal(await bots.choose(game, 5, seconds=0.1))
            await until(lambda: not is_alive(pid))

    asyncio.run(scenario())


def test_a_worker_that_dies_idle_is_replaced() -> None:
    async def scenario() -> None:
        async with running(2) as bots:
            pids = await all_ready(bots)
            os.kill(pids[0], signal.SIGKILL)
            await until(lambda: pids[0] not in bots.processes and bots.ready == 2)
            assert pids[1] in bots.processes

    asyncio.run(scenario())


def test_the_death_of_one_leaves_the_questions_of_others(caplog: pytest.LogCaptureFixture) -> None:
    async def scenario() -> None:
        games = [a_game(seed=seed) for seed in range(4)]
        async with running(2) as bots:
            first, second = await all_ready(bots)
            stop(first)
            stop(second)
            tasks = [asyncio.create_task(bots.choose(game, 6)) for game in games]
            await until(lambda: len(bots._line) == len(games) - 2)
            os.kill(first, signal.SIGKILL)
            await until(lambda: first not in bots.processes)
            os.kill(second, signal.SIGCONT)
            answers = await asyncio.gather(*tasks)
            assert second in bots.processes
        assert answers == [Engine(6).choose(game) for game in games]

    asyncio.run(scenario())
    assert [record.getMessage() for record in caplog.records] == ["a worker is replaced: it died"]


@pytest.mark.parametrize(
    ("program", "deadline", "reason"),
    [
        (DIES_AT_ONCE, 1.0, "it died"),
        (DIES_WHEN_ASKED, 20.0, "it died"),
        (SILENT, 6.0, "it did not answer in time"),
        (FAILS, 20.0, "it failed with ValueError in choose, line 7"),
        (BREAKS, 20.0, "it failed with KeyError in make, line 9"),
        (TELLS, 20.0, "it failed"),
        (ILLEGAL, 20.0, "its answer is not a legal action"),
        (MALFORMED, 20.0, "its answer is not a legal action"),
        (EMPTY, 20.0, "its answer is not a legal action"),
        (OVER, 20.0, "its answer is not a legal action"),
        (HUGE, 20.0, "its answer is not a legal action"),
        (BINARY, 20.0, "it does not speak UGI"),
        (NONSENSE, 20.0, "it does not speak UGI"),
        (LONG_LINES, 20.0, "a line of it is too long"),
        (TALKATIVE, 6.0, "it did not answer in time"),
        (NOISY, 1.0, "it died or spoke unasked"),
        (NEVER_READY, 0.5, "no worker answered in time"),
    ],
)
def test_without_any_good_worker_a_bot_still_moves(
    program: str,
    deadline: float,
    reason: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    disguise(monkeypatch, program)
    game = Game.from_position(cyvasse.parse_position(AHEAD))
    game.play("h2-i2")  # which is not legal again

    async def scenario() -> None:
        async with running(deadline=deadline) as bots:
            assert game.position.is_legal(await bots.choose(game, 5, seconds=0.1))
            assert bots.waiting == 0
            await until(lambda: reason in caplog.text)
            pids = bots.processes
        assert not any(is_alive(pid) for pid in pids)

    asyncio.run(scenario())
    assert game.position.text().split()[1] not in caplog.text
    assert "h2-i2" not in caplog.text


def test_a_program_that_is_not_there(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(module, "COMMAND", ["/no/such/program"])
    game = a_game()

    async def scenario() -> Action:
        async with running(deadline=0.5) as bots:
            return await bots.choose(game, 6)

    assert game.position.is_legal(asyncio.run(scenario()))
    assert "could not be started" in caplog.text


def test_when_even_the_engine_fails_the_lot_decides(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(question: Question, nodes: int | None = None) -> Action:
        raise ZeroDivisionError(question.start.text())

    disguise(monkeypatch, DIES_WHEN_ASKED)
    monkeypatch.setattr(Question, "think", broken)
    game = a_game()

    async def scenario() -> Action:
        async with running() as bots:
            return await bots.choose(game, 6)

    assert game.position.is_legal(asyncio.run(scenario()))
    assert "the engine did not choose an action: ZeroDivisionError" in caplog.text
    assert game.position.text().split()[1] not in caplog.text


def test_workers_that_die_at_once_are_not_started_over_and_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pauses: list[float] = []
    enough = asyncio.Event()

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 8:
            enough.set()
            await asyncio.Event().wait()

    async def scenario() -> None:
        async with running():
            await enough.wait()

    monkeypatch.setattr(module, "COMMAND", ["/no/such/program"])
    monkeypatch.setattr(asyncio, "sleep", sleep)
    asyncio.run(scenario())
    assert pauses == [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0]


# --- many questions -------------------------------------------------------------------------------


def test_a_cancelled_question_does_not_poison_the_worker() -> None:
    async def scenario() -> None:
        async with running() as bots:
            (pid,) = await all_ready(bots)
            stop(pid)
            in_work, in_line = (
                asyncio.create_task(bots.choose(a_game(seed=seed), 6)) for seed in (1, 2)
            )
            await until(lambda: bots.waiting == 2 and len(bots._line) == 1)
            for task in (in_work, in_line):
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
            assert bots.waiting == len(bots._line) == 0
            os.kill(pid, signal.SIGCONT)
            for seed in (3, 4):
                game = a_game(seed=seed)
                assert await bots.choose(game, 6) == Engine(6).choose(game)
            assert bots.processes == [pid]

    asyncio.run(scenario())


def test_first_come_first_served() -> None:
    order: list[int] = []

    async def ask(bots: Bots, number: int) -> None:
        await bots.choose(a_game(seed=number), 3 + number % 3)
        order.append(number)

    async def scenario() -> None:
        async with running() as bots:
            tasks = []
            for number in range(MANY):
                tasks.append(asyncio.create_task(ask(bots, number)))
            await until(lambda: bots.waiting == MANY)
            await asyncio.gather(*tasks)
            assert bots.waiting == 0

    asyncio.run(scenario())
    assert order == list(range(MANY))


def told_seconds(
    monkeypatch: pytest.MonkeyPatch, wishes: list[float | None], at_once: bool = False
) -> list[float]:
    """The seconds that a worker is told for questions with these wishes."""
    seconds: list[float] = []
    original = Question.commands

    def commands(question: Question) -> str:
        assert question.seconds is not None
        seconds.append(question.seconds)
        return original(question)

    async def scenario() -> None:
        async with running() as bots:
            await all_ready(bots)
            seconds.clear()
            asked = [bots.choose(a_game(), 3, seconds=wish) for wish in wishes]
            if at_once:
                await asyncio.gather(*asked)
            else:
                for question in asked:
                    await question

    monkeypatch.setattr(Question, "commands", commands)
    asyncio.run(scenario())
    return seconds


def test_a_crowd_shortens_the_thinking(monkeypatch: pytest.MonkeyPatch) -> None:
    crowd = MANY
    seconds = told_seconds(monkeypatch, [None] * crowd, at_once=True)
    for place, told in enumerate(seconds):
        assert 0 < told <= 60 / (crowd - place)
    assert seconds[0] > 30 / crowd  # no less than needed
    assert seconds[-1] > seconds[0]


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("crowd", [2, 10, 300])
def test_the_last_of_a_crowd_has_time_left(workers: int, crowd: int) -> None:
    """Simulated: whoever thinks as long as he may, and asks again at once, leaves enough."""
    deadline, lost = 18.0, 0.005
    line = [deadline] * crowd  # when each has to be answered
    free = [0.0] * workers
    for number in range(3 * crowd):
        now = min(free)
        ends = line.pop(0)
        thinking = min((ends - now) / 2, share([other - now for other in line], workers))
        assert thinking > deadline / crowd * workers / 5
        done = now + thinking + lost
        assert done <= ends
        free[free.index(now)] = done
        if number % 2:
            line.append(done + deadline)
        if not line:
            break


# --- setups ---------------------------------------------------------------------------------------


@each_rule_set
def test_setups_are_legal_and_drawn_from_secrets(
    rules: RuleSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[random.Random] = []

    class Recorded(secrets.SystemRandom):
        def __init__(self) -> None:
            drawn.append(self)

    monkeypatch.setattr(secrets, "SystemRandom", Recorded)

    async def scenario() -> None:
        async with running() as bots:
            for color in Color:
                assert rules.check_setup(await bots.setup(rules, color)) == []
                assert rules.check_setup(await bots.setup(rules.id, color)) == []
                rules.checked_setup(await bots.setup(rules, color), color)

    asyncio.run(scenario())
    assert len(drawn) == 6


# --- beginning and end ----------------------------------------------------------------------------


def test_what_cannot_be_asked() -> None:
    over = a_game()
    over.resign("white")

    async def scenario() -> None:
        bots = Bots()
        with pytest.raises(RuntimeError, match="start"):
            await bots.choose(a_game(), 6)
        await bots.start()
        with pytest.raises(CyvasseError, match="levels are 1 to 10"):
            await bots.choose(a_game(), 11)
        with pytest.raises(GameOverError):
            await bots.choose(over, 6)
        with pytest.raises(ScreenError):
            await bots.choose(Game("croft"), 6)
        assert bots.waiting == 0
        await bots.close()
        with pytest.raises(RuntimeError, match="start"):
            await bots.setup("croft", cyvasse.WHITE)
        with pytest.raises(RuntimeError, match="closed"):
            await bots.start()

    asyncio.run(scenario())
    for workers, deadline in ((0, 1.0), (True, 1.0), (1, 0.0), (1, float("nan"))):
        with pytest.raises(CyvasseError, match="is "):
            Bots(workers, deadline=deadline)


def test_close_leaves_nobody() -> None:
    async def scenario() -> None:
        bots = Bots(2, deadline=60)
        await bots.start()
        await bots.start()  # changes nothing
        pids = await all_ready(bots)
        assert len(pids) == 2
        stop(pids[0])
        stop(pids[1])
        task = asyncio.create_task(bots.choose(a_game(), 6))
        await in_hand(bots)
        await bots.close()
        await bots.close()
        assert not any(is_alive(pid) for pid in pids)
        assert bots.processes == []
        with pytest.raises(RuntimeError, match="closed"):
            await task
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(scenario())


@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
def test_close_while_workers_are_starting(loop: str) -> None:
    async def scenario(patience: float) -> None:
        bots = Bots(2)
        await bots.start()
        await asyncio.sleep(patience)
        await bots.close()

    def children() -> set[str]:
        return set(Path(f"/proc/self/task/{os.getpid()}/children").read_text().split())

    factory = pytest.importorskip(loop).new_event_loop
    before = children()  # servers of other tests
    for patience in (0, 0.001, 0.005, 0.02):
        with asyncio.Runner(loop_factory=factory) as runner:
            runner.run(scenario(patience))
        assert not any(is_alive(int(pid)) for pid in children() - before)


SERVER = """
import asyncio, json
from cyvasse import Game, rule_set
from cyvasse.server.bots import Bots

async def main():
    bots = Bots(2)
    await bots.start()
    try:
        await bots.choose(Game.from_position(rule_set("nine-tile").random_position(seed=1)), 1)
        print(json.dumps(bots.processes), flush=True)
        await asyncio.sleep(600)
    finally:
        await bots.close()

try:
    asyncio.run(main())
except KeyboardInterrupt:
    print("bye")
"""


@pytest.mark.parametrize(
    ("end", "code", "said"), [(signal.SIGKILL, -signal.SIGKILL, b""), (signal.SIGINT, 0, b"bye\n")]
)
def test_workers_end_with_the_server(end: signal.Signals, code: int, said: bytes) -> None:
    """SIGKILL hits the server alone, Ctrl-C the whole group."""
    with subprocess.Popen(
        [*module.COMMAND[:-2], "-c", SERVER],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as server:
        assert server.stdout is not None
        pids = json.loads(server.stdout.readline())
        groups = [os.getpgid(pid) for pid in pids]
        if end is signal.SIGINT:
            os.killpg(server.pid, end)
        else:
            server.send_signal(end)
        assert server.communicate(timeout=60) == (said, b"")
        assert server.returncode == code
    assert len(groups) == 2
    assert server.pid not in groups
    asyncio.run(until(lambda: not any(is_alive(pid) for pid in pids)))


def test_workers_step_back() -> None:
    async def scenario() -> None:
        async with running() as bots:
            (pid,) = await all_ready(bots)
            niceness = [os.getpriority(os.PRIO_PROCESS, process) for process in (0, pid)]
            assert niceness[0] < niceness[1] or niceness[0] >= 19

    asyncio.run(scenario())


def test_an_interrupted_worker_goes_on() -> None:
    async def scenario() -> None:
        async with running() as bots:
            pids = await all_ready(bots)
            os.kill(pids[0], signal.SIGINT)
            await bots.choose(a_game(), 6)
            assert bots.processes == pids

    asyncio.run(scenario())


def test_workers_know_nothing_of_the_server() -> None:
    program = "import sys, cyvasse.server.botworker; print(*sorted(sys.modules))"
    # Whoever measures coverage loads more.
    plain = {name: value for name, value in os.environ.items() if "COVERAGE" not in name}
    told = subprocess.run(
        [*module.COMMAND[:-2], "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env=plain,
    )
    loaded = told.stdout.split()
    assert "cyvasse.server.botworker" in loaded
    strangers = {"asyncio", "litestar", "multiprocessing", "sqlalchemy", "cyvasse.server.bots"}
    assert not strangers & set(loaded)
