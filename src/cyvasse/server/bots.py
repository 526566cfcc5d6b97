"""The engine off the event loop: a few worker processes think, and a bot always moves.

A worker is a program of its own (``botworker.py``), not a forked or spawned copy of the server: it
knows nothing but the library, can be killed alone, and ends when the server is gone.  It speaks UGI
(docs/ugi.md), as other engines do.  Each worker has one task here that starts it, hands it
questions, first come, first served, and replaces it when it dies, falls silent or talks nonsense.
Nothing here can therefore wait for a worker for ever.

Nothing is logged that tells of a board.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import re
import secrets
import sys
from collections import deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from cyvasse import Action, Color, CyvasseError, Game, Position, RuleSet, Setup, choose_setup
from cyvasse.server.questions import Question

log = logging.getLogger("cyvasse.server.bots")

# Only the installed package is imported, whatever lies in the folder that the server started in;
# that it runs uncompiled, and which rule sets are left out, the server has already said.
COMMAND = [sys.executable, "-P"]
COMMAND += ["-W", "ignore:cyvasse runs uncompiled", "-W", "ignore:the rule set"]
COMMAND += ["-m", "cyvasse.server.botworker"]

# The handshake.  Nobody here reads what a search tells, but every line of it would take time.
GREETING = "ugi\nsetoption name Minimal value true\nisready\n"
# What a worker may say beside an answer.  An error must be told without a word about the board.
CHATTER = {"id", "option", "ugiok", "info"}
FAILURE = re.compile(
    r"info string error: (?:[a-z ]+ has failed: )?([\w<>.]+ in [\w<>.]+, line \d+)"
)

ATTEMPTS = 2
# Shares of the deadline: for what this process does itself in the end, and for a late worker.
RESERVE = 0.1
GRACE = 0.1
# Of the time that a crowd of questions has, some is lost between them.
CROWD = 0.75
LEAST_THINKING = 0.005
HASTY_NODES = 200
STARTING = 30.0
# A worker that did not live for so long is not replaced at once.
SHORT_LIFE = 1.0
LONGEST_PAUSE = 5.0


class Bots:
    """Answers for many games at once, each within ``deadline`` seconds.

    >>> async def answer():
    ...     bots = Bots()
    ...     await bots.start()
    ...     game = Game.from_position(rule_set("nine-tile").random_position(seed=1))
    ...     action = await bots.choose(game, level=3)
    ...     await bots.close()
    ...     return game.position.is_legal(action)
    >>> from cyvasse import rule_set
    >>> asyncio.run(answer())
    True
    """

    def __init__(self, workers: int = 1, *, deadline: float = 20.0) -> None:
        if type(workers) is not int or workers < 1:
            raise CyvasseError(f"workers is {workers!r}, not a number from 1 on")
        if not (math.isfinite(deadline) and deadline > 0):
            raise CyvasseError(f"deadline is {deadline!r}, not a number of seconds")
        self.workers = workers
        self.deadline = deadline
        self._line: deque[_Asked] = deque()
        self._arrived = asyncio.Event()
        self._open: set[_Asked] = set()
        self._tasks: list[asyncio.Task[None]] = []
        self._living: set[_Worker] = set()
        self._thread = ThreadPoolExecutor(1, "bots")
        self._closed = False

    @property
    def waiting(self) -> int:
        """How many questions wait or are being thought about."""
        return len(self._open)

    @property
    def processes(self) -> list[int]:
        """The process ids of the workers that live now."""
        return sorted(worker.process.pid for worker in self._living)

    @property
    def ready(self) -> int:
        """How many workers are ready to think, or think."""
        return sum(worker.ready for worker in self._living)

    async def start(self) -> None:
        """Start the workers; questions may be asked at once."""
        if self._closed:
            raise RuntimeError("these bots are closed; make new ones")
        if not self._tasks:
            self._tasks = [asyncio.create_task(self._tend()) for _ in range(self.workers)]

    async def close(self) -> None:
        """End all workers.  Questions that are still open fail with a RuntimeError."""
        self._closed = True
        tasks, self._tasks = self._tasks, []
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for worker in list(self._living):  # whose task was cancelled while it was being ended
            await worker.end()
            self._living.discard(worker)
        for asked in self._open:
            if not asked.answer.done():
                asked.answer.set_exception(RuntimeError("the bots were closed"))
        self._thread.shutdown(wait=False)

    async def choose(self, game: Game, level: int, *, seconds: float | None = None) -> Action:
        """The bot's action in a game, as the game stands now.

        ``seconds`` may only shorten its thinking, where its clock is short.
        """
        self._check_running()
        wish = None if seconds is None else max(0.0, seconds)
        question = Question.about(game, level, wish)
        loop = asyncio.get_running_loop()
        ends = loop.time() + self.deadline * (1 - RESERVE)
        asked = _Asked(question, game.position, ends, loop.create_future())
        self._open.add(asked)
        self._line.append(asked)
        self._arrived.set()
        try:
            return await self._answered(asked) or await self._make_do(asked)
        finally:
            self._open.discard(asked)

    async def setup(self, rules: RuleSet | str, color: Color) -> Setup:
        """A setup for a bot, drawn so that nobody can foresee it."""
        self._check_running()
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, choose_setup, rules, color)

    def _check_running(self) -> None:
        if not self._tasks:
            raise RuntimeError("the bots are not running: start() comes first, close() last")

    async def _answered(self, asked: _Asked) -> Action | None:
        """What a worker answers in time, if one does."""
        try:
            async with asyncio.timeout_at(asked.ends):
                return await asked.answer
        except TimeoutError:
            log.warning("no worker answered in time (%d questions are open)", self.waiting)
            return None
        finally:
            with contextlib.suppress(ValueError):
                self._line.remove(asked)

    async def _make_do(self, asked: _Asked) -> Action:
        """Choose here, with a glance in a thread or, if even that fails, by lot."""
        question = asked.question._replace(seconds=self.deadline * RESERVE / 4)
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(self.deadline * RESERVE / 2):
                action = await loop.run_in_executor(self._thread, question.think, HASTY_NODES)
            if asked.position.is_legal(action):
                return action
            log.error("the engine chose an action that is not legal")
        except Exception as error:
            log.error("the engine did not choose an action: %s", type(error).__name__)
        return secrets.choice(asked.position.legal_actions())

    # --- workers ----------------------------------------------------------------------------------

    async def _tend(self) -> None:
        """Keep one worker alive and busy until cancelled."""
        loop = asyncio.get_running_loop()
        pause = 0.0
        while True:
            began = loop.time()
            try:
                await self._employ()
            except _WorkerError as error:
                log.warning("a worker is replaced: %s", error)
            except OSError as error:
                log.error("a worker could not be started: %s", error)
            except Exception:
                log.exception("a worker is replaced")
            hasty = loop.time() - began < SHORT_LIFE
            pause = min(LONGEST_PAUSE, max(0.1, 2 * pause)) if hasty else 0.0
            await asyncio.sleep(pause)

    async def _employ(self) -> None:
        """Give questions to a new worker until an error tells why it has to go."""
        starting = asyncio.create_task(_start_worker())
        try:
            worker = await asyncio.shield(starting)
        except asyncio.CancelledError:
            with contextlib.suppress(OSError):  # half started it could not be ended
                await (await starting).end()
            raise
        self._living.add(worker)
        try:
            worker.say(GREETING)
            await worker.hear("readyok", STARTING)
            worker.ready = True
            while True:
                await self._ask(worker, await self._next(worker))
        finally:
            await worker.end()
            self._living.discard(worker)

    async def _next(self, worker: _Worker) -> _Asked:
        """The first in the line, as soon as there is one."""
        while not worker.heard.done():
            while self._line:
                asked = self._line.popleft()
                if not asked.answer.done():
                    return asked
            self._arrived.clear()
            arrival = asyncio.create_task(self._arrived.wait())
            try:
                await asyncio.wait({arrival, worker.heard}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                arrival.cancel()
        raise _WorkerError("it died or spoke unasked")

    async def _ask(self, worker: _Worker, asked: _Asked) -> None:
        """Let a worker answer; what it fails to answer is asked again, or answered by None."""
        asked.attempts += 1
        try:
            seconds = self._thinking_time(asked)
            worker.say(asked.question._replace(seconds=seconds).commands())
            action = asked.legal(await worker.hear("bestmove", seconds + self.deadline * GRACE))
        except Exception:
            if asked.answer.done():
                pass
            elif asked.attempts < ATTEMPTS:
                self._line.appendleft(asked)
                self._arrived.set()
            else:
                asked.answer.set_result(None)
            raise
        if not asked.answer.done():  # else nobody waits for it any more
            asked.answer.set_result(action)

    def _thinking_time(self, asked: _Asked) -> float:
        now = asyncio.get_running_loop().time()
        # Half of the time stays for finding out that the worker is late, and for asking again.
        seconds = (asked.ends - now) / (ATTEMPTS - asked.attempts + 1) / 2
        behind = [other.ends - now for other in self._line]
        seconds = max(LEAST_THINKING, min(seconds, share(behind, self.workers)))
        wish = asked.question.seconds
        return seconds if wish is None else min(seconds, wish)


def share(behind: Sequence[float], workers: int) -> float:
    """How long each question may be thought about so that those behind it are answered in time.

    ``behind`` is the time left for each of them, the first in the line first.

    >>> share([], workers=1)
    inf
    >>> share([10.0, 10.0, 10.0, 10.0], workers=1)
    1.5
    >>> share([10.0, 10.0, 10.0, 10.0], workers=2)
    2.5
    """
    times = (left / (1 + place / workers) for place, left in enumerate(behind, 1))
    return CROWD * min(times, default=math.inf)


@dataclass(eq=False)
class _Asked:
    """A question in the line or in a worker's hands."""

    question: Question
    position: Position
    ends: float
    """When workers must have answered, by the clock of the event loop."""
    answer: asyncio.Future[Action | None]
    """Done or cancelled, nobody needs to think about it; None if no worker could answer."""
    attempts: int = 0

    def legal(self, answer: str) -> Action:
        """The action that a worker's answer names."""
        with contextlib.suppress(CyvasseError):
            action = Action.parse(answer.partition(" ")[0], self.position.board)
            if self.position.is_legal(action):
                return action
        raise _WorkerError("its answer is not a legal action")


class _WorkerError(Exception):
    """Why a worker has to go."""


async def _start_worker() -> _Worker:
    process = await asyncio.create_subprocess_exec(
        *COMMAND,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        start_new_session=True,  # out of reach of the terminal's Ctrl-C
    )
    return _Worker(process)


class _Worker:
    """A process that thinks.  ``heard`` is done when it has said something, or has died."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.process = process
        self.ready = False
        self._questions = process.stdin
        self._answers = process.stdout
        self.heard = asyncio.create_task(self._answers.readline())

    def say(self, commands: str) -> None:
        """Send some lines; they need not have been read yet."""
        try:
            self._questions.write(commands.encode())
        except RuntimeError:  # uvloop tells at once that the other end is closed
            raise _WorkerError("it died") from None

    async def hear(self, word: str, seconds: float) -> str:
        """What follows this word on the line that begins with it, within so many seconds."""
        loop = asyncio.get_running_loop()
        ends = loop.time() + seconds
        while True:
            await asyncio.wait({self.heard}, timeout=ends - loop.time())
            if not self.heard.done():
                raise _WorkerError("it did not answer in time")
            line = self._line()
            first, _, rest = line.partition(" ")
            if first == word:
                return rest
            if line.startswith("info string error"):
                failure = FAILURE.fullmatch(line)
                raise _WorkerError(f"it failed with {failure[1]:.80}" if failure else "it failed")
            if first not in CHATTER:
                raise _WorkerError("it does not speak UGI")
            if loop.time() > ends:
                raise _WorkerError("it did not answer in time")

    def _line(self) -> str:
        """What was heard; the next line is listened for."""
        try:
            line = self.heard.result()
        except ValueError:
            raise _WorkerError("a line of it is too long") from None
        except OSError:
            raise _WorkerError("it died") from None
        if not line:
            raise _WorkerError("it died")
        self.heard = asyncio.create_task(self._answers.readline())
        return line.decode(errors="replace").rstrip("\r\n")

    async def end(self) -> None:
        """Kill it and wait until it is gone."""
        self.ready = False
        if self._answers.at_eof():  # it is dying: a signal would take its end away from asyncio
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(1):
                    await self.process.wait()
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        self.heard.cancel()
        await asyncio.gather(self.heard, return_exceptions=True)
        with contextlib.suppress(OSError):
            while await self._answers.read(1 << 16):
                pass  # asyncio does not call a process ended while its pipe is full
        await self.process.wait()
