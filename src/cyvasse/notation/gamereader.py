"""Read one game: its tags, then its turns, every action checked.

A turn that is written as it should be is read quickly.  Whatever is not goes a slower way, word by
word, which finds out what is wrong and where; both take exactly the same games.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import cast

from cyvasse.actions import Action, known_action
from cyvasse.errors import CyvasseError, NotationError
from cyvasse.game import Game
from cyvasse.notation.gamelines import GameLines, check_characters
from cyvasse.notation.gamewords import RESERVED, RESULTS, fits_on_a_line, note
from cyvasse.notation.positions import parse_position
from cyvasse.notation.scanner import Turns, scan_tags, scan_turns
from cyvasse.notation.setups import parse_setup
from cyvasse.rules import rule_set
from cyvasse.rules.base import Position
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.terms import BLACK, WHITE, Color, End, Setup, in_words

_TAG_LINE = re.compile(r'\[([A-Za-z][A-Za-z0-9_]*) "((?:[^"\\]|\\["\\])*)"\]')
_TOKEN = re.compile(r"\s+|\{[^{}]*\}|[^\s{}]+", re.DOTALL)
_NUMBER = re.compile(r"[0-9]+\.")

# Texts of setups that were read before: the same come again and again.
_MOST_SETUPS = 1 << 9
_MOST_STARTS = 1 << 9
_LONGEST_SETUPS = 1 << 11
_Start = tuple[dict[Color, Setup], Position]


class GameReader:
    """One game: its tags, then its turns."""

    def __init__(self, game_lines: GameLines) -> None:
        if game_lines.problem:
            raise game_lines.problem
        self.first = game_lines.first
        self.tags: dict[str, tuple[str, int]] = {}
        self.remarks: dict[int, list[str]] = {}
        lines = game_lines.lines
        at = 0
        tags = scan_tags(lines, game_lines.first)
        if tags is not None:
            self.tags = tags
            at = len(tags)
        if not all(map(str.isascii, lines)):
            check_characters(game_lines.first, lines)
        while at < len(lines) and (lines[at].startswith("[") or not lines[at].strip()):
            if lines[at].startswith("["):
                self._tag(game_lines.first + at, lines[at])
            at += 1
        while len(lines) > at and not lines[-1].strip():
            lines.pop()
        self.body_line = game_lines.first + at
        """The number of the first line of the turns."""
        self.body = "\n".join(lines[at:])
        self.last = max(game_lines.first + len(lines) - 1, game_lines.first)

    def game(self) -> Game:
        """The game, checked; NotationError says where it is wrong."""
        game = self._begin()
        place = self._quick_turns(game)
        if place is None:
            if game.screen_lifted:
                game = self._begin()
            self.remarks.clear()
            place = self._turns(game)
        game.comments.update({at: " ".join(said) for at, said in self.remarks.items()})
        self._finish(game, *place)
        return game

    def _tag(self, number: int, line: str) -> None:
        match = _TAG_LINE.fullmatch(line.rstrip())
        if not match:
            raise NotationError(
                'a tag looks like [Name "value"], with \\" and \\\\ inside the value', number, 1
            )
        name, value = match.groups()
        if name in self.tags:
            raise NotationError(f"the tag {name} is given twice", number, 2)
        if "\\" in value:
            value = re.sub(r'\\(["\\])', r"\1", value)
        if not fits_on_a_line(value):
            raise NotationError(f"the tag {name} holds a control character", number, 1)
        self.tags[name] = value, number

    def _value(self, name: str) -> str | None:
        return self.tags[name][0] if name in self.tags else None

    def _need(self, name: str) -> str:
        if not self.tags:
            raise NotationError(
                'a game begins with tags such as [Rules "nine-tile"], but there is none',
                self.first,
                1,
            )
        if name not in self.tags:
            raise NotationError(f"the tag {name} is missing", self.first, 1)
        return self.tags[name][0]

    def _fail(self, name: str, error: Exception) -> NotationError:
        return NotationError(f"the tag {name}: {error}", self.tags[name][1], 1)

    def _switch(self, name: str) -> bool:
        value = "on" if name not in self.tags else self._need(name)
        if value not in ("on", "off"):
            raise self._fail(name, ValueError(f"{value!r:.20} is neither on nor off"))
        return value == "on"

    def _begin(self) -> Game:
        self._need("Rules")
        free = {name: value for name, (value, _) in self.tags.items() if name not in RESERVED}
        switches = {"repetition": self._switch("Repetition"), "quiet": self._switch("Quiet")}
        setups = [tag for tag in ("WhiteSetup", "BlackSetup", "First") if tag in self.tags]
        name = "Rules"
        try:
            rules = rule_set(self._need("Rules"))
            if "Position" in self.tags:
                name = "Position"
                if setups:
                    raise NotationError(f"it stands instead of {in_words(setups)}")
                position = parse_position(self._need(name))
                if position.rules is not rules:
                    raise NotationError(f"this is a position of {position.rules.id}")
                return Game.from_position(position, tags=free, **switches)
            if not setups:
                return Game(rules, tags=free, **switches)
            known = self._known_start(rules)
            if known is not None:
                both, start = known
                return Game.from_setups(both, start, tags=free, **switches)
            game = Game(rules, tags=free, **switches)
            for color in Color:
                name = f"{color.title}Setup"
                game.submit(color, parse_setup(self._need(name)))
            name = "First"
            game.lift_screen(Color.parse(self._need(name)))
        except CyvasseError as error:
            if isinstance(error, NotationError) and error.line is not None:
                raise
            raise self._fail(name, error) from None
        return game

    def _known_start(self, rules: RuleSet) -> _Start | None:
        """Legal setups and the position they give; None if anything about them is unusual."""
        white, black, first = map(self._value, ("WhiteSetup", "BlackSetup", "First"))
        if white is None or black is None or first is None:
            return None
        if len(white) + len(black) > _LONGEST_SETUPS:
            return None
        try:
            return _start(rules, white, black, first)
        except CyvasseError:
            return None

    def _quick_turns(self, game: Game) -> tuple[str, int, int] | None:
        """Play all turns; None, with the game in between, if anything about them is unusual."""
        try:
            turns = scan_turns(self.body, game.rules.board)
            if turns is None:
                return None
            if turns.actions:
                self._play(game, turns)
            for ply, remark in turns.remarks:
                self._remark(ply, remark)
        except CyvasseError:
            return None
        line = self.body_line + self.body.count("\n", 0, turns.at)
        return turns.result, line, turns.at - self.body.rfind("\n", 0, turns.at)

    def _play(self, game: Game, turns: Turns) -> None:
        """Play turns that were only read; any error if one of them is wrong."""
        ends: list[int] = []
        played = 0
        for ply, noted in turns.notes:
            ends += game.play_on(turns.actions[played:ply])
            if note(game.rules, game.effects()) != noted:
                raise NotationError(f"action {ply} does not bring {noted:.60}")
            played = ply
        if played < len(turns.actions):
            ends += game.play_on(turns.actions[played:])
        if ends != (turns.ends[:-1] if game.in_turn else turns.ends):
            raise NotationError("the turns end elsewhere")

    def _words(self) -> Iterator[tuple[str, int, int]]:
        """The words and comments of the turns with line and column."""
        text = self.body
        at = 0
        line = self.body_line
        start = 0
        while at < len(text):
            match = _TOKEN.match(text, at)
            if match is None:
                brace = text[at]
                missing = "never closed" if brace == "{" else "never opened"
                raise NotationError(f"a comment is {missing}", line, at - start + 1)
            token = match.group()
            if not token.isspace():
                yield token, line, at - start + 1
            if "\n" in token:
                line += token.count("\n")
                start = at + token.rindex("\n") + 1
            at = match.end()

    def _turns(self, game: Game) -> tuple[str, int, int]:
        """Play all turns; the result at their end with its place."""
        expected = 1
        wants_turn = False
        result: tuple[str, int, int] | None = None
        for word, line, column in self._words():
            try:
                if result is not None:
                    raise NotationError(f"{word!r:.40} stands after the result")
                if word.startswith("{"):
                    self._remark(game.ply, word)
                elif word in RESULTS and not wants_turn:
                    result = word, line, column
                elif wants_turn:
                    self._turn(game, word, line, column)
                    wants_turn = False
                elif _NUMBER.fullmatch(word):
                    if word != f"{expected}.":
                        raise NotationError(f"turn {expected} should come here, not {word:.20}")
                    expected += 1
                    wants_turn = True
                else:
                    raise NotationError(f"{word!r:.40} is neither a turn's number nor a result")
            except CyvasseError as error:
                if isinstance(error, NotationError) and error.line is not None:
                    raise
                raise NotationError(str(error), line, column) from None
        if wants_turn:
            raise NotationError(f"turn {expected - 1} is missing after its number", self.last, 1)
        if result is None:
            raise NotationError(
                f"the turns do not end with a result: {', '.join(RESULTS)}", self.last, 1
            )
        return result

    def _remark(self, ply: int, word: str) -> None:
        remark = " ".join(word.strip("{}").split())
        if not fits_on_a_line(remark):
            raise NotationError("the comment holds a control character")
        if remark:
            self.remarks.setdefault(ply, []).append(remark)

    def _turn(self, game: Game, word: str, line: int, column: int) -> None:
        for i, text in enumerate(word.split(",")):
            try:
                play_written(game, text, begins=not i)
            except CyvasseError as error:
                raise NotationError(str(error), line, column) from None
            column += len(text) + 1

    def _finish(self, game: Game, result: str, line: int, column: int) -> None:
        if self._value("Result") not in (None, result):
            raise self._fail("Result", ValueError(f"the turns end with {result}"))
        end = self._value("End")
        try:
            settle(game, result, end)
        except NotationError as error:
            raise NotationError(error.message, line, column) from None
        try:
            check_end(game, end)
        except NotationError as error:
            raise self._fail("End", error) from None


def play_written(game: Game, text: str, *, begins: bool) -> None:
    """Play an action as a file writes it; what it says in parentheses must be true.

    ``begins`` says that a turn begins with it in the file.
    """
    if begins and game.in_turn and game.ply:
        raise NotationError("the turn before this one is not finished")
    if not begins and not game.in_turn:
        raise NotationError(f"the turn was over before {text[:40]!r}")
    action, noted, _ = text.partition("(")
    game.play(Action.parse(action, game.rules.board))
    expected = note(game.rules, game.effects())
    if noted and text != action + expected:
        wrong = text[len(action) :]
        raise NotationError(f"with {action} comes {expected or 'nothing'}, not {wrong:.60}")


def settle(game: Game, result: str, end: str | None) -> None:
    """End a game that was not decided on the board; the result must be right."""
    if game.outcome() is None and result != "*":
        _end(game, result, end)
    outcome = game.outcome()
    expected = outcome.result if outcome else "*"
    if expected != result:
        raise NotationError(f"the game says {expected}, not {result}")


def check_end(game: Game, end: str | None) -> None:
    """How a file says that its game ended must be right too, if it says it."""
    outcome = game.outcome()
    if end is not None and (outcome is None or end != outcome.end):
        actual = outcome.end if outcome else "it goes on"
        raise NotationError(f"{end!r:.40} is not how the game stands: {actual}")


def _end(game: Game, result: str, end: str | None) -> None:
    loser = {"1-0": Color.BLACK, "0-1": Color.WHITE}.get(result)
    if end == End.RESIGNATION and loser is not None:
        game.resign(loser)
    elif end == End.TIME and loser is not None:
        game.lose_on_time(loser)
    elif end == End.AGREEMENT and loser is None:
        game.agree_draw()
    else:
        ways = (End.AGREEMENT,) if loser is None else (End.RESIGNATION, End.TIME)
        found = "is missing" if end is None else f"says {end!r:.40}"
        raise NotationError(
            f"the board does not decide {result}: then the tag End is "
            f"{in_words([str(way) for way in ways], 'or')}, but it {found}"
        )


@lru_cache(_MOST_SETUPS)
def _legal_setup(text: str) -> Setup | None:
    """The setup of a text, or None if it breaks the rules."""
    setup = parse_setup(text)
    return None if rule_set(setup.rule_set).setups.problems(setup) else setup


@lru_cache(_MOST_STARTS)
def _start(rules: RuleSet, white: str, black: str, first: str) -> _Start | None:
    """The setups of two texts and the position they give; None if one of them is not legal."""
    setups = {WHITE: _legal_setup(white), BLACK: _legal_setup(black)}
    for color, setup in setups.items():
        if setup is None or setup.color is not color or setup.rule_set != rules.id:
            return None
    legal = cast(dict[Color, Setup], setups)
    return legal, rules.setups.lifted(legal[WHITE], legal[BLACK], Color.parse(first))


def forget() -> None:
    """Drop what was kept of setups and actions, to measure how long reading takes without it."""
    _legal_setup.cache_clear()
    _start.cache_clear()
    known_action.cache_clear()
