"""The engine protocol: the Universal Game Interface, which is UCI for any game of two players.

Commands and replies are lines of text.  docs/ugi.md tells what they are here.

>>> serve(["query p1turn", "isready", "quit"], print)
response true
readyok
"""

from __future__ import annotations

import contextlib
import itertools
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from cyvasse.actions import Action
from cyvasse.engine.analysis import Analysis, Line
from cyvasse.engine.levels import FORMER, LEVELS
from cyvasse.engine.player import MOST_MEGABYTES, MOST_THREADS, Engine
from cyvasse.engine.starts import draw_start
from cyvasse.engine.weights import tuned_weights
from cyvasse.errors import CyvasseError
from cyvasse.game import Game
from cyvasse.notation import parse_position
from cyvasse.rules import rule_set, rule_sets
from cyvasse.rules.base import Position
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.terms import BLACK, WHITE, Color, Setup, in_words

NAME = "cyvasse"
AUTHOR = "The Cyvasse authors"

NAMED = "named"
_DEFAULT_MEGABYTES = 16
_OPTIONS = ("RuleSet", "Setups", "Level", "Threads", "Hash", "Repetition", "Quiet", "Minimal")
_UCI_WORDS = {"wtime": "p1time", "btime": "p2time", "winc": "p1inc", "binc": "p2inc"}
_NUMBERS = {"movetime", "nodes", "depth", "movestogo", *_UCI_WORDS.values()}
_MUCH = 10**15  # no limit that anybody means is larger
_TURNS_LEFT = 30  # that the clock must still last for, where nobody says
_LATENESS = 0.02  # seconds between the engine's answer and the clock's


def error_text(error: Exception) -> str:
    """How an error is told: what is wrong with a command, or what has broken."""
    return str(error) if isinstance(error, CyvasseError) else repr(error)


def serve(
    lines: Iterable[str],
    write: Callable[[str], None],
    describe: Callable[[Exception], str] = error_text,
) -> None:
    """Obey line after line until ``quit`` or the last one; ``write`` takes each reply.

    ``describe`` says how errors are told, where that is to be less than they know.
    """
    session = Session(write, describe)
    try:
        for line in lines:
            if not session.obey(line):
                break
    finally:
        session.stop()


def starting_position(rules: RuleSet, setups: str = NAMED) -> Position:
    """What ``startpos`` means: the rule set's first player, or White, begins with these setups.

    ``named`` is the first named setup for both, ``NAME`` another one for both, ``NAME/NAME`` one
    for White and one for Black; ``random:SEED`` draws legal ones, ``pool:SEED`` good ones.
    """
    white, black = _draw(rules, setups) if ":" in setups else _by_name(rules, setups)
    return rules.start(white, black, rules.first_player or WHITE)


class SearchLimits(NamedTuple):
    """When a search has to end."""

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    infinite: bool = False


class Session:
    """One conversation: its options, its position, and the search that may be going on."""

    def __init__(
        self, write: Callable[[str], None], describe: Callable[[Exception], str] = error_text
    ) -> None:
        self._write = write
        self._describe = describe
        self._writing = threading.Lock()
        self._rules = rule_sets()[0]
        self._setups = NAMED
        self._level = 0
        self._threads = 1
        self._megabytes = _DEFAULT_MEGABYTES
        self._repetition = True
        self._quiet = True
        self._minimal = False
        self._engine: _ReportingEngine | None = None
        self._game: Game | None = None  # at startpos
        self._search: threading.Thread | None = None
        self._ended = threading.Event()
        self._commands: dict[str, Callable[[list[str]], None]] = {
            "ugi": lambda _: self._introduce("ugiok"),
            "uci": lambda _: self._introduce("uciok"),
            "isready": lambda _: self._get_ready(),
            "setoption": self._set_option,
            "uginewgame": lambda _: self._new_game(),
            "ucinewgame": lambda _: self._new_game(),
            "position": self._set_position,
            "go": self._go,
            "stop": lambda _: self.stop(),
            "query": self._answer,
        }

    def obey(self, line: str) -> bool:
        """Carry out one line; False if it was ``quit``.  What is not known is ignored."""
        words = line.split()
        while words and words[0] != "quit" and words[0] not in self._commands:
            del words[0]
        if words[:1] == ["quit"]:
            return False
        if words:
            try:
                self._commands[words[0]](words[1:])
            except OSError:
                raise  # nobody listens any more
            except Exception as error:
                self._report(words[0], error)
        return True

    def stop(self) -> None:
        """End the search, if there is one, and wait for its ``bestmove``."""
        if self._search is None:
            return
        self._ended.set()
        while self._search.is_alive():
            # More than once: a search that is only just beginning does not hear the first call.
            if self._engine is not None:
                self._engine.stop()
            self._search.join(0.005)
        self._search = None

    def _say(self, text: str) -> None:
        with self._writing:
            self._write(text)

    def _complain(self, text: str) -> None:
        self._say(f"info string error: {' '.join(text.split())}")

    def _report(self, what: str, error: Exception) -> None:
        """Tell of an error: a rule that was broken, or, since rule sets are programs, a bug."""
        text = self._describe(error)
        self._complain(text if isinstance(error, CyvasseError) else f"{what} has failed: {text}")

    # --- commands ---------------------------------------------------------------------------------

    def _introduce(self, last: str) -> None:
        from cyvasse import __version__

        ids = [rules.id for rules in rule_sets()]
        self._say(f"id name {NAME} {__version__}")
        self._say(f"id author {AUTHOR}")
        self._say(f"option name RuleSet type combo default {ids[0]} var {' var '.join(ids)}")
        self._say(f"option name Setups type string default {NAMED}")
        self._say(f"option name Level type spin default 0 min 0 max {max(LEVELS)}")
        self._say(f"option name Threads type spin default 1 min 1 max {MOST_THREADS}")
        self._say(
            f"option name Hash type spin default {_DEFAULT_MEGABYTES} min 1 max {MOST_MEGABYTES}"
        )
        self._say("option name Repetition type check default true")
        self._say("option name Quiet type check default true")
        self._say("option name Minimal type check default false")
        self._say(last)

    def _get_ready(self) -> None:
        self._ready_engine()
        for rules in rule_sets():
            tuned_weights(rules)  # so that no search has to wait for them
        self._say("readyok")

    def _new_game(self) -> None:
        self.stop()
        self._engine = None
        self._game = None

    def _set_option(self, words: list[str]) -> None:
        if words[:1] != ["name"]:
            raise CyvasseError("an option is set by: setoption name NAME value VALUE")
        end = words.index("value") if "value" in words else len(words)
        name, value = " ".join(words[1:end]), " ".join(words[end + 1 :])
        self.stop()
        match name.lower():
            case "ruleset":
                self._choose_rules(rule_set(value))
            case "setups":
                self._begin(self._rules, value)
            case "level":
                level = "0" if value.lower() == "none" else value
                self._level = _option_number("Level", level, min(FORMER), max(LEVELS))
            case "threads":
                self._threads = _option_number("Threads", value, 1, MOST_THREADS)
            case "hash":
                self._megabytes = _option_number("Hash", value, 1, MOST_MEGABYTES)
            case "repetition":
                self._repetition = _option_check("Repetition", value)
            case "quiet":
                self._quiet = _option_check("Quiet", value)
            case "minimal":
                self._minimal = _option_check("Minimal", value)
            case _:
                known = in_words(_OPTIONS)
                raise CyvasseError(f"no option {name[:40]!r}; there are {known}")
        self._engine = None

    def _choose_rules(self, rules: RuleSet) -> None:
        try:
            self._begin(rules, self._setups)
        except CyvasseError as error:
            self._begin(rules, NAMED)
            raise CyvasseError(f"{error}; Setups is {NAMED} again") from error

    def _begin(self, rules: RuleSet, setups: str) -> None:
        self._game = self._game_from(starting_position(rules, setups))
        self._rules, self._setups = rules, setups

    def _game_from(self, position: Position) -> Game:
        return Game.from_position(position, repetition=self._repetition, quiet=self._quiet)

    def _now(self) -> Game:
        if self._game is None:
            self._game = self._game_from(starting_position(self._rules, self._setups))
        return self._game

    def _set_position(self, words: list[str]) -> None:
        end = words.index("moves") if "moves" in words else len(words)
        try:
            game = self._game_from(self._described(words[:end]))
            _play(game, words[end + 1 :])
        except CyvasseError as error:
            raise CyvasseError(f"{error}; the last position stays") from error
        self._game = game

    def _described(self, words: list[str]) -> Position:
        if words == ["startpos"]:
            return starting_position(self._rules, self._setups)
        if words[:1] == ["fen"]:
            return parse_position(" ".join(words[1:]))
        raise CyvasseError("a position is given by: position startpos, or: position fen TEXT")

    def _answer(self, words: list[str]) -> None:
        game = self._now()
        outcome = game.outcome()
        results = {WHITE: "p1win", BLACK: "p2win", None: "draw"}
        answers = {
            "p1turn": "true" if game.turn is WHITE else "false",
            "gameover": "false" if outcome is None else "true",
            "result": "none" if outcome is None else results[outcome.winner],
        }
        for word in words[:1]:
            if word in answers:
                self._say(f"response {answers[word]}")

    # --- searching --------------------------------------------------------------------------------

    def _go(self, words: list[str]) -> None:
        self.stop()
        game = self._now()
        outcome = game.outcome()
        if outcome is not None:
            self._say(f"info string the game is over: {outcome}")
            self._say("bestmove (none)")
            return
        limits = self._limits(words, game.turn)
        self._ended = threading.Event()
        self._search = threading.Thread(
            target=self._think,
            args=(self._ready_engine(), game, limits, self._ended),
            daemon=True,
        )
        self._search.start()

    def _limits(self, words: Sequence[str], turn: Color) -> SearchLimits:
        """What the words after ``go`` ask for; a number that is none is told and left out."""
        numbers: dict[str, int] = {}
        for word, value in itertools.pairwise([*words, ""]):
            name = _UCI_WORDS.get(word, word)
            if name in _NUMBERS:
                try:
                    numbers[name] = _number(word, value)
                except CyvasseError as error:
                    self._report("go", error)
        player = "p1" if turn is WHITE else "p2"
        milliseconds = numbers.get("movetime")
        seconds = None if milliseconds is None else max(milliseconds, 0) / 1000
        if seconds is None and f"{player}time" in numbers:
            seconds = time_share(
                numbers[f"{player}time"] / 1000,
                numbers.get(f"{player}inc", 0) / 1000,
                numbers.get("movestogo"),
            )
        return SearchLimits(
            max(1, min(numbers["depth"], 1 << 30)) if "depth" in numbers else None,
            max(1, numbers["nodes"]) if "nodes" in numbers else None,
            seconds,
            "infinite" in words,
        )

    def _ready_engine(self) -> _ReportingEngine:
        """The engine that the options describe, made when it is first needed."""
        if self._engine is None:
            try:
                self._engine = self._make_engine()
            except MemoryError:
                self._complain(f"no memory for {self._megabytes} MB; Hash is 1 again")
                self._megabytes = 1
                self._engine = self._make_engine()
        return self._engine

    def _make_engine(self) -> _ReportingEngine:
        return _ReportingEngine(
            self._report_analysis, self._level or None, self._threads, self._megabytes
        )

    def _think(
        self, engine: _ReportingEngine, game: Game, limits: SearchLimits, ended: threading.Event
    ) -> None:
        """Search in a thread of its own; whatever happens there is an answer."""
        best: Action | str = "(none)"
        # Where nobody listens any more, the thread that reads finds out by itself.
        with contextlib.suppress(OSError):
            try:
                best = game.legal_actions()[0]
                if limits.infinite and engine.level is None:
                    for analysis in engine.analyse(game):
                        best = analysis.best
                else:
                    best = engine.choose(
                        game, depth=limits.depth, nodes=limits.nodes, seconds=limits.seconds
                    )
            except OSError:
                raise
            except Exception as error:
                self._report("the search", error)
            if limits.infinite:
                ended.wait()
            self._say(f"bestmove {best}")

    def _report_analysis(self, analysis: Analysis) -> None:
        if self._minimal:
            return
        milliseconds = round(analysis.seconds * 1000)
        speed = round(analysis.nodes / max(analysis.seconds, 1e-6))
        several = len(analysis.lines) > 1
        for number, line in enumerate(analysis.lines, 1):
            self._say(
                f"info depth {analysis.depth} {f'multipv {number} ' if several else ''}"
                f"score {_score(line)} nodes {analysis.nodes} nps {speed} time {milliseconds} "
                f"pv {' '.join(str(action) for action in line.actions)}"
            )


class _ReportingEngine(Engine):
    """An engine that reports what it finds while it chooses."""

    def __init__(
        self,
        on_analysis: Callable[[Analysis], None],
        level: int | None,
        threads: int,
        megabytes: int,
    ) -> None:
        super().__init__(level, threads=threads, megabytes=megabytes)
        self._on_analysis = on_analysis

    def analyse(
        self,
        position: Position | Game,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        seconds: float | None = None,
        lines: int = 1,
    ) -> Iterator[Analysis]:
        for analysis in super().analyse(
            position, depth=depth, nodes=nodes, seconds=seconds, lines=lines
        ):
            self._on_analysis(analysis)
            yield analysis


def time_share(left: float, increment: float, moves_to_go: int | None = None) -> float:
    """How many seconds of those on the clock to spend on one action.

    >>> time_share(60, 0), time_share(60, 2), time_share(60, 0, moves_to_go=2)
    (2.0, 3.5, 30.0)
    """
    share = left / max(1, min(moves_to_go or _TURNS_LEFT, _TURNS_LEFT)) + increment * 0.75
    return max(0.0, min(share, left - _LATENESS))


def _score(line: Line) -> str:
    return f"cp {line.score}" if line.wins_in is None else f"mate {line.wins_in}"


def _play(game: Game, texts: Sequence[str]) -> None:
    """Play what stands after ``moves``; an error tells which of them it is about."""
    actions: list[Action] = []
    unread: CyvasseError | None = None
    try:
        for text in texts:
            actions.append(Action.parse(text, game.rules.board))
    except CyvasseError as error:
        unread = error
    try:
        game.play_on(actions)
        if unread is not None:
            raise unread
    except CyvasseError as error:
        text = texts[game.ply]
        where = "" if text in str(error) else f"{text[:40]}: "
        raise CyvasseError(f"move {game.ply + 1}: {where}{error}") from error


def _by_name(rules: RuleSet, names: str) -> Iterator[Setup]:
    chosen = names.split("/")
    if len(chosen) > 2:
        raise CyvasseError(f"{names!r:.60} names more than two setups")
    for color, name in zip(Color, chosen * 2 if len(chosen) == 1 else chosen, strict=True):
        known = rules.named_setups(color)
        if name != NAMED and name not in known:
            raise CyvasseError(
                f"{rules.id} has no setup {name!r:.40}; there are {', '.join(known)}, "
                "random:SEED and pool:SEED"
            )
        yield next(iter(known.values())) if name == NAMED else known[name]


def _draw(rules: RuleSet, setups: str) -> Iterable[Setup]:
    source, _, seed = setups.partition(":")
    if source not in ("random", "pool"):
        raise CyvasseError(f"setups are drawn by random:SEED or pool:SEED, not by {source!r:.40}")
    start = draw_start(rules, source, _number("the seed of the setups", seed))
    return start.setups[WHITE], start.setups[BLACK]


def _number(name: str, text: str) -> int:
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal()):
        raise CyvasseError(f"{name} is {text[:20]!r}, which is no whole number")
    sign = -1 if text.startswith("-") else 1
    return sign * (_MUCH if len(digits) > 15 else int(digits))


def _option_number(name: str, text: str, least: int, most: int) -> int:
    number = _number(name, text)
    if not least <= number <= most:
        raise CyvasseError(f"{name} is {number}, not a number from {least} to {most}")
    return number


def _option_check(name: str, text: str) -> bool:
    values = {"true": True, "false": False}
    if text.lower() not in values:
        raise CyvasseError(f"{name} is {text[:20]!r}, neither true nor false")
    return values[text.lower()]
