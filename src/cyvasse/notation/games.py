"""Game files: tags, setups, numbered turns, comments and a result, one or many games in a text.

    [Rules "nine-tile"]
    [First "white"]
    [WhiteSetup "nine-tile white …"]
    [BlackSetup "nine-tile black …"]
    [Result "1-0"]
    [End "king captured"]

    1. e4-e5,end 2. f6-f5,end {a quiet start} 3. d3xd5 1-0

Every turn has its own number; the actions of a turn are joined by commas.  What an action brought
about by itself follows it in parentheses: ``d9xf8(promoted_at_end:f8=king)``.  docs/formats.md
has the whole grammar.
"""

from __future__ import annotations

import io
import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import TextIO

from cyvasse.actions import Action
from cyvasse.errors import CyvasseError, NotationError
from cyvasse.game import Game
from cyvasse.notation.positions import parse_position
from cyvasse.notation.setups import parse_setup, write_setup
from cyvasse.rules import rule_set
from cyvasse.rules.base import RuleSet
from cyvasse.rules.terms import Color, End, Event, in_words

_WIDTH = 100
_RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
# Tags that the game itself decides; all others are free words and kept as they are.
_RESERVED = (
    "Rules",
    "First",
    "WhiteSetup",
    "BlackSetup",
    "Position",
    "Repetition",
    "Quiet",
    "Result",
    "End",
)
_TAG_LINE = re.compile(r'\[([A-Za-z][A-Za-z0-9_]*) "((?:[^"\\]|\\["\\])*)"\]')
_TAG_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_TOKEN = re.compile(r"\s+|\{[^{}]*\}|[^\s{}]+", re.DOTALL)
_NUMBER = re.compile(r"[0-9]+\.")
# Control characters, halves of characters, line and paragraph separators.
_NOT_IN_LINES = ("Cc", "Cs", "Zl", "Zp")


def write_game(game: Game) -> str:
    """The file of a game: everything that it takes to read it back."""
    if not isinstance(game, Game):
        raise NotationError(f"{game!r:.40} is not a game")
    for name in game.tags:
        if name in _RESERVED:
            raise NotationError(f"the tag {name} is the game's own and cannot be given by hand")
    outcome = game.outcome()
    result = outcome.result if outcome else "*"
    tags = {"Rules": game.rules.id, **game.tags}
    if game.screen_lifted:
        tags |= _beginning(game)
    tags |= {"Repetition": "off"} if not game.repetition else {}
    tags |= {"Quiet": "off"} if not game.quiet else {}
    tags["Result"] = result
    if outcome:
        tags["End"] = str(outcome.end)
    lines = [_write_tag(name, value) for name, value in tags.items()]
    return "\n".join([*lines, "", *_wrapped([*_write_turns(game), result]), ""])


def read_game(source: str | TextIO) -> Game:
    """The one game in a text or an open file; errors tell line and column of what is wrong."""
    chapters = list(_chapters(_lines(source)))
    if not chapters:
        raise NotationError("there is no game in this text", 1, 1)
    if len(chapters) > 1:
        raise NotationError(
            "a second game begins here; read_games reads them all", chapters[1][0][0], 1
        )
    return _Reader(chapters[0]).game()


def read_games(source: str | TextIO) -> Iterator[Game]:
    """The games of a text or an open file, one after another, each checked action by action."""
    for chapter in _chapters(_lines(source)):
        yield _Reader(chapter).game()


# --- writing --------------------------------------------------------------------------------------


def _beginning(game: Game) -> dict[str, str]:
    setups = {color: game.setup(color) for color in Color}
    if None in setups.values():
        return {"Position": game.start.text()}
    written = {
        f"{color.title}Setup": write_setup(setup) for color, setup in setups.items() if setup
    }
    return {"First": str(game.start.turn), **written}


def _write_tag(name: str, value: str) -> str:
    if not isinstance(name, str) or not _TAG_NAME.fullmatch(name):
        raise NotationError(
            f"{name!r:.40} cannot be the name of a tag: a letter, then letters, digits and _"
        )
    if not isinstance(value, str) or not _fits_on_a_line(value):
        raise NotationError(f"the tag {name} holds something that does not fit on a line")
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def _fits_on_a_line(text: str) -> bool:
    """No control characters, line ends or halves of characters; names in any script do."""
    return not any(unicodedata.category(character) in _NOT_IN_LINES for character in text)


def _write_turns(game: Game) -> Iterator[str]:
    for at, remark in game.comments.items():
        if not isinstance(remark, str) or at not in range(game.ply + 1):
            raise NotationError(f"the comment {remark!r:.40} at {at!r:.20} fits nowhere")
    yield from _comment(game, range(1))
    played = 0
    for number, turn in enumerate(game.turns(), 1):
        actions = [
            f"{action}{_write_events(game.rules, events)}"
            for action, events in zip(turn.actions, turn.events, strict=True)
        ]
        yield f"{number}. {','.join(actions)}"
        # A comment inside a turn would tear it apart: it follows the turn instead.
        yield from _comment(game, range(played + 1, played + len(turn.actions) + 1))
        played += len(turn.actions)


def _write_events(rules: RuleSet, events: Iterable[Event]) -> str:
    """What happened by itself with an action, in parentheses; nothing if nothing did."""
    notes = []
    for event in events:
        if event.kind in rules.noted_events:
            where = f":{event.square}" if event.square else ""
            notes.append(event.kind + where + (f"={event.piece}" if event.piece else ""))
    return f"({';'.join(notes)})" if notes else ""


def _wrapped(units: Iterable[str]) -> Iterator[str]:
    """Lines of at most _WIDTH characters; a turn stays beside its number."""
    line = ""
    for unit in units:
        if line and len(line) + 1 + len(unit) > _WIDTH:
            yield line
            line = unit
        else:
            line = f"{line} {unit}" if line else unit
    yield line


def _comment(game: Game, after: range) -> Iterator[str]:
    """The remarks that follow any of these numbers of actions, as one comment."""
    remark = " ".join(" ".join(game.comments.get(at, "") for at in after).split())
    if "{" in remark or "}" in remark:
        raise NotationError("a comment cannot contain { or }")
    if not _fits_on_a_line(remark):
        raise NotationError(f"the comment {remark!r:.40} has a character that cannot be written")
    if remark:
        yield "{" + remark + "}"


# --- reading --------------------------------------------------------------------------------------

_Line = tuple[int, str]


def _lines(source: str | TextIO) -> Iterator[str]:
    if not isinstance(source, str) and not hasattr(source, "read"):
        raise NotationError(f"a game file is a text, not {source!r:.40}")
    number = 0
    try:
        for number, line in enumerate(io.StringIO(source) if isinstance(source, str) else source):
            if not isinstance(line, str):
                raise NotationError("a game file is opened as text, not as bytes")
            yield line.removeprefix("\ufeff") if number == 0 else line
    except UnicodeDecodeError as error:
        raise NotationError(f"this is no UTF-8: {error.reason}", number + 1, 1) from None


def _chapters(lines: Iterable[str]) -> Iterator[list[_Line]]:
    """Cut a file into games: a tag after something other than a tag begins the next one."""
    chapter: list[_Line] = []
    in_tags = True
    in_comment = False
    for number, line in enumerate(lines, 1):
        line = line.rstrip("\r\n")
        is_tag = line.startswith("[") and not in_comment
        if is_tag and not in_tags:
            yield chapter
            chapter = []
        if is_tag:
            in_tags = True
        elif line.strip():
            in_tags = False
            in_comment = _still_open(line, in_comment)
        chapter.append((number, line))
    if any(line.strip() for _, line in chapter):
        yield chapter


def _still_open(line: str, in_comment: bool) -> bool:
    for character in line:
        if character == "{":
            in_comment = True
        elif character == "}":
            in_comment = False
    return in_comment


class _Reader:
    """One game: its tags, then its turns."""

    def __init__(self, lines: list[_Line]) -> None:
        self.tags: dict[str, tuple[str, int]] = {}
        body: list[_Line] = []
        for number, line in lines:
            if line.startswith("[") and not body:
                self._tag(number, line)
            elif line.strip() or body:
                body.append((number, line))
        while body and not body[-1][1].strip():
            body.pop()
        self.body = body
        self.first = next((number for number, line in lines if line.strip()), lines[0][0])
        self.last = body[-1][0] if body else lines[-1][0]
        self.remarks: dict[int, list[str]] = {}

    def game(self) -> Game:
        game = self._begin()
        result, line, column = self._turns(game)
        game.comments.update({at: " ".join(said) for at, said in self.remarks.items()})
        self._finish(game, result, line, column)
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
        value = re.sub(r'\\(["\\])', r"\1", value)
        if not _fits_on_a_line(value):
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
        free = {name: value for name, (value, _) in self.tags.items() if name not in _RESERVED}
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
            game = Game(rules, tags=free, **switches)
            if not setups:
                return game
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

    def _words(self) -> Iterator[tuple[str, int, int]]:
        """The words and comments of the turns with line and column."""
        text = "\n".join(line for _, line in self.body)
        at = 0
        line = self.body[0][0] if self.body else self.last
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
                    self._remark(game, word)
                elif word in _RESULTS and not wants_turn:
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
                f"the turns do not end with a result: {', '.join(_RESULTS)}", self.last, 1
            )
        return result

    def _remark(self, game: Game, word: str) -> None:
        remark = " ".join(word.strip("{}").split())
        if not _fits_on_a_line(remark):
            raise NotationError("the comment holds a control character")
        if remark:
            self.remarks.setdefault(game.ply, []).append(remark)

    def _turn(self, game: Game, word: str, line: int, column: int) -> None:
        if game.in_turn and game.ply:
            raise NotationError("the turn before this one is not finished")
        color = game.turn
        for i, text in enumerate(word.split(",")):
            try:
                if i and (game.turn != color or not game.in_turn):
                    raise NotationError(f"the turn was over before {text[:40]!r}")
                action, note, _ = text.partition("(")
                game.play(Action.parse(action, game.rules.board))
                events = _write_events(game.rules, game.events())
                if note and text != action + events:
                    told = events or "nothing"
                    wrong = text[len(action) :]
                    raise NotationError(f"with {action} comes {told}, not {wrong:.60}")
            except CyvasseError as error:
                raise NotationError(str(error), line, column) from None
            column += len(text) + 1

    def _finish(self, game: Game, result: str, line: int, column: int) -> None:
        if self._value("Result") not in (None, result):
            raise self._fail("Result", ValueError(f"the turns end with {result}"))
        outcome = game.outcome()
        end = self._value("End")
        if outcome is None and result != "*":
            try:
                _settle(game, result, end)
            except NotationError as error:
                raise NotationError(error.message, line, column) from None
            outcome = game.outcome()
        expected = outcome.result if outcome else "*"
        if expected != result:
            raise NotationError(f"the game says {expected}, not {result}", line, column)
        if end is not None and (outcome is None or end != outcome.end):
            actual = outcome.end if outcome else "it goes on"
            raise self._fail("End", ValueError(f"{end!r:.40} is not how the game stands: {actual}"))


def _settle(game: Game, result: str, end: str | None) -> None:
    """End a game that was not decided on the board."""
    loser = {"1-0": Color.BLACK, "0-1": Color.WHITE}.get(result)
    if end == End.RESIGNATION and loser is not None:
        game.resign(loser)
    elif end == End.TIME and loser is not None:
        game.lose_on_time(loser)
    elif end == End.AGREEMENT and loser is None:
        game.agree_draw()
    else:
        ways = (End.AGREEMENT,) if loser is None else (End.RESIGNATION, End.TIME)
        told = "is missing" if end is None else f"says {end!r:.40}"
        raise NotationError(
            f"the board does not decide {result}: then the tag End is "
            f"{in_words([str(way) for way in ways], 'or')}, but it {told}"
        )
