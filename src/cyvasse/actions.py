"""Actions: what a player can do in one step, as a small integer inside and an object outside.

The kinds and their texts stand in one table, so that reading and writing cannot disagree.  A kind
may be used by any rule set; which of them a rule set uses is its own affair.

>>> import cyvasse
>>> action = Action.parse("e4xf6-g7", cyvasse.rule_set("nine-tile").board)
>>> action.kind, action.origin, action.victim, action.target
('capture_landing', 'e4', 'f6', 'g7')
>>> str(action)
'e4xf6-g7'
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache

try:
    import cython
except ImportError:
    from cyvasse import _uncompiled as cython

from cyvasse.boards import Board
from cyvasse.errors import NotationError

# Letters of the piece types, shared by all rule sets: the place in this string is the number of
# the type inside an action, which has room for these.  X is the crossbow, so that C can be the
# catapult.  The last four are for pieces that only other people's rule sets have.
LETTERS = "KRSXLHECTDWAGMP"

# An action is kind | origin << ORIGIN | target << TARGET | victim << VICTIM | piece << PIECE, in
# 30 bits: 5 for the kind, 7 for each square, 4 for the piece.  ``target`` is where the acting piece
# ends (for a shot: what it hits), ``victim`` the square that is struck.
if not cython.compiled:
    MOVE = 1
    CAPTURE = 2
    CAPTURE_LANDING = 3
    CAPTURE_TWO = 4
    SHOOT = 5
    SIEGE = 6
    SWAP = 7
    JUMP = 8
    DROP = 9
    BRING_OUT = 10
    PROMOTE = 11
    CORNER = 12
    END = 13
    PASS = 14

    # Where the parts begin, and what is left of the number when they are cut out.
    ORIGIN = 5
    TARGET = 12
    VICTIM = 19
    PIECE = 26
    KIND = 31
    SQUARE = 127

    NO_SQUARE = 255
    STRIKES = 32  # beside a kind in _SIGNS

KINDS: Mapping[int, tuple[str, str]] = {
    MOVE: ("move", "{origin}-{target}"),
    CAPTURE: ("capture", "{origin}x{target}"),
    CAPTURE_LANDING: ("capture_landing", "{origin}x{victim}-{target}"),
    CAPTURE_TWO: ("capture_two", "{origin}x{victim}x{target}"),
    SHOOT: ("shoot", "{origin}*{target}"),
    SIEGE: ("siege", "{origin}-{target}*{victim}"),
    SWAP: ("swap", "{origin}~{target}"),
    JUMP: ("jump", "{origin}^{target}"),
    DROP: ("drop", "{piece}@{target}"),
    BRING_OUT: ("bring_out", "out@{target}"),
    PROMOTE: ("promote", "{target}={piece}"),
    CORNER: ("corner", "corner@{target}"),
    END: ("end", "end"),
    PASS: ("pass", "pass"),
}
# Kinds that strike the square where they end; the victim need not be written twice.
_STRIKES_TARGET = frozenset({CAPTURE, SHOOT})

# Where the squares stand that a kind strikes.  Where it ends on the victim both are the same.
_STRUCK = {
    kind: [VICTIM] * ("{victim}" in template or kind in _STRIKES_TARGET)
    + [TARGET] * (kind == CAPTURE_TWO)
    for kind, (_, template) in KINDS.items()
}

_NUMBERS = {name: kind for kind, (name, _) in KINDS.items()}
_SQUARE = r"[a-z][0-9]{1,2}"
_PART = re.compile(r"\{(\w+)\}")


def _pattern(template: str) -> re.Pattern[str]:
    pattern = ""
    for i, part in enumerate(_PART.split(template)):  # literals and names in turn
        if i % 2:
            pattern += f"(?P<{part}>{'[a-z]' if part == 'piece' else _SQUARE})"
        else:
            pattern += re.escape(part)
    return re.compile(pattern, re.ASCII)


# Where the letter of a piece stands, to find one that no piece has.
_PATTERNS = {
    kind: _pattern(template) for kind, (_, template) in KINDS.items() if "{piece}" in template
}
_PLACES = {"origin": ORIGIN, "target": TARGET, "victim": VICTIM}
_SQUARES = re.compile(f"({_SQUARE})", re.ASCII)


def _squares_of(template: str) -> list[tuple[int, int]]:
    """Where in the integer each square of a text goes; origin, target and victim in this order."""
    return sorted((_PLACES[part], at) for at, part in enumerate(_PART.findall(template)))


def encode(kind: int, origin: int = 0, target: int = 0, victim: int = 0, piece: int = 0) -> int:
    """The integer of an action; squares and pieces by their numbers."""
    return kind | origin << ORIGIN | target << TARGET | victim << VICTIM | piece << PIECE


def _forms() -> Iterator[tuple[tuple[str, ...], tuple[int, list[tuple[int, int]]]]]:
    for kind, (_, template) in KINDS.items():
        for piece, letter in enumerate(LETTERS if "{piece}" in template else "-"):
            text = template.replace("{piece}", letter.lower())
            yield tuple(_PART.split(text)[::2]), (encode(kind, piece=piece), _squares_of(text))


def _signs() -> Iterator[int]:
    """For each sign the kind that writes it between two squares, or 0."""
    kinds = {template: kind for kind, (_, template) in KINDS.items()}
    for sign in map(chr, range(128)):
        kind = kinds.get(f"{{origin}}{sign}{{target}}", 0)
        yield kind | (STRIKES if kind in _STRIKES_TARGET else 0)


_SIGNS = bytes(_signs())

# The integer without squares and the places of the squares, by what stands between them in texts.
_FORMS = dict(_forms())


@lru_cache(maxsize=1 << 16)
def _struck(code: int, board: Board) -> tuple[str, ...]:
    return tuple([board.squares[code >> place & SQUARE] for place in _STRUCK[code & KIND]])


def _canonical(code: int) -> int:
    """The code without what its kind does not use."""
    kind = code & KIND
    template = KINDS[kind][1]
    origin = code >> ORIGIN & SQUARE if "{origin}" in template else 0
    target = code >> TARGET & SQUARE if "{target}" in template else 0
    victim = code >> VICTIM & SQUARE if "{victim}" in template else 0
    piece = code >> PIECE if "{piece}" in template and code >> PIECE < len(LETTERS) else 0
    return encode(kind, origin, target, target if kind in _STRIKES_TARGET else victim, piece)


# What texts do not say: the square on which the acting piece stands before and after an action in
# which it does not move, and the letter of a piece that comes from beside the board unnamed.
STANDS: Mapping[int, str] = {SHOOT: "origin", PROMOTE: "target"}
BRINGS: Mapping[int, str] = {BRING_OUT: "D"}

# Texts that were written before: a server writes the same ones again and again.
_MOST_TEXTS = 1 << 17
_texts: defaultdict[str, dict[int, str]] = defaultdict(dict)


class Action:
    """One legal step, as ``Position.legal_actions`` lists it.  Immutable, hashable, compact."""

    code: int
    board: Board

    def __init__(self, code: int, board: Board) -> None:
        """From the integer form; most callers get actions from a position or from ``parse``."""
        if not isinstance(board, Board):
            raise NotationError(f"an action belongs to a board, not to {board!r:.40}")
        if type(code) is not int or code < 0 or code >> 30 or code & KIND not in KINDS:
            raise NotationError(f"{code!r:.40} is not the number of an action")
        squares = [code >> place & SQUARE for place in (ORIGIN, TARGET, VICTIM)]
        if max(squares) >= len(board):
            raise NotationError(f"action {code} names a square that the {board.name} board lacks")
        if code != _canonical(code):
            raise NotationError(f"action {code} has parts that its kind does not know")
        self.code = code
        self.board = board

    @staticmethod
    def parse(text: str, board: Board) -> Action:
        """Read the canonical text of an action; whether it is legal only a position can tell."""
        if not isinstance(text, str):
            raise NotationError(f"an action is a text such as 'e4-f5', not {text!r:.40}")
        if not isinstance(board, Board):
            raise NotationError(f"an action belongs to a board, not to {board!r:.40}")
        return known_action(str.__str__(text), board)  # without what a subclass may add

    @property
    def kind(self) -> str:
        """What is done: ``move``, ``capture``, ``end`` …"""
        return KINDS[self.code & KIND][0]

    @property
    def origin(self) -> str | None:
        """The square of the acting piece, if the action has one."""
        return self._square("{origin}", ORIGIN)

    @property
    def target(self) -> str | None:
        """Where the acting piece ends, or what a shot hits."""
        return self._square("{target}", TARGET)

    @property
    def victim(self) -> str | None:
        """The square that is struck, if this kind of action strikes one."""
        if self.code & KIND in _STRIKES_TARGET:
            return self.target
        return self._square("{victim}", VICTIM)

    @property
    def struck(self) -> tuple[str, ...]:
        """All squares that are struck, in order; the Catapult may strike two."""
        return _struck(self.code, self.board)

    @property
    def piece(self) -> str | None:
        """The letter of the piece that is dropped or promoted to."""
        if "{piece}" not in KINDS[self.code & KIND][1]:
            return None
        return LETTERS[self.code >> PIECE & 15]

    def turned(self) -> Action:
        """The same action on the board turned by 180°."""
        parts = {
            name: self.board.turned(square)
            for name in ("origin", "target", "victim")
            if (square := getattr(self, name)) is not None
        }
        if self.piece:
            parts["piece"] = self.piece.lower()
        return _from_parts(self.code & KIND, parts, self.board)

    def _square(self, part: str, shift: int) -> str | None:
        if part not in KINDS[self.code & KIND][1]:
            return None
        return self.board.squares[self.code >> shift & SQUARE]

    def __str__(self) -> str:
        return action_text(self.code, self.board)

    def __repr__(self) -> str:
        return f"<Action {self}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Action):
            return NotImplemented
        return self.code == other.code and self.board is other.board

    def __hash__(self) -> int:
        return hash(self.code)

    def __reduce__(self) -> tuple[type[Action], tuple[int, Board]]:
        return Action, (self.code, self.board)


def known_texts(board: Board) -> dict[int, str]:
    """The texts that were written before, by the numbers of the actions."""
    return _texts[board.name]


def action_text(code: int, board: Board) -> str:
    """The text of an action that a position has generated."""
    texts = known_texts(board)
    text = texts.get(code)
    if text is None:
        if len(texts) >= _MOST_TEXTS:
            texts.clear()
        text = texts[code] = _write(make_action(code, board))
    return text


def _write(action: Action) -> str:
    piece = action.piece
    return KINDS[action.code & KIND][1].format(
        origin=action.origin,
        target=action.target,
        victim=action.victim,
        piece=piece and piece.lower(),
    )


def from_square_to_square(text: str, at: int, size: int, squares: bytes) -> int:
    """The number of the action that begins there, and above 32 bits where its text ends.

    -1 if it is none of the kinds that are two squares with a sign between them, as most are.
    """
    first = _named_square(text, at, size, squares)
    at = first >> 8
    if first < 0 or at == size or ord(text[at]) > 127:
        return -1
    kind = _SIGNS[ord(text[at])]
    second = _named_square(text, at + 1, size, squares)
    if not kind or second < 0:
        return -1
    target = second & 255
    code = second >> 8
    code = code << 32 | (kind & KIND) | (first & 255) << ORIGIN | target << TARGET
    return code | target << VICTIM if kind & STRIKES else code


def _named_square(text: str, at: int, size: int, squares: bytes) -> int:
    """The number of the square that is named there, and above 8 bits where its name ends; or -1."""
    if size - at < 2:
        return -1
    column = ord(text[at]) - 97
    row = ord(text[at + 1]) - 48
    at += 2
    if column < 0 or column > 25 or row < 1 or row > 9:
        return -1
    if at < size and "0" <= text[at] <= "9":
        row = 10 * row + ord(text[at]) - 48
        at += 1
    square = squares[100 * column + row]
    return -1 if square == NO_SQUARE else square | at << 8


@cache
def squares_by_place(board: Board) -> bytes:
    """The number of the square in each column and row up to z99, or NO_SQUARE."""
    places = bytearray([NO_SQUARE] * 2600)
    for name, number in board.numbers.items():
        places[100 * (ord(name[0]) - 97) + int(name[1:])] = number
    return bytes(places)


def _read_action(text: str, board: Board) -> Action:
    size = len(text)
    found = from_square_to_square(text, 0, size, squares_by_place(board))
    if found >= 0 and found >> 32 == size:
        return make_action(found & 0xFFFFFFFF, board)
    parts = _SQUARES.split(text)  # what stands between the squares, and the squares, in turn
    form = _FORMS.get(tuple(parts[::2]))
    if form is not None:
        code, places = form
        for place, at in places:
            code |= board.index(parts[2 * at + 1]) << place
        if code & KIND in _STRIKES_TARGET:
            code |= (code >> TARGET & SQUARE) << VICTIM
        return make_action(code, board)
    for kind, pattern in _PATTERNS.items():
        match = pattern.fullmatch(text)
        if match:
            return _from_parts(kind, match.groupdict(), board)
    raise NotationError(f"{_short(text)} is not an action; an action looks like e4-f5 or e4xf6")


# Texts that were read before: the same come again and again.
known_action = lru_cache(maxsize=1 << 14)(_read_action)


def make_action(code: int, board: Board) -> Action:
    """An action from a code that a position has generated: nothing needs checking."""
    action = Action.__new__(Action)
    action.code = code
    action.board = board
    return action


def _from_parts(kind: int, parts: dict[str, str], board: Board) -> Action:
    origin, target, victim = (
        board.index(parts[name]) if parts.get(name) else 0
        for name in ("origin", "target", "victim")
    )
    if kind in _STRIKES_TARGET:
        victim = target
    letter = parts.get("piece", "k").upper()
    if letter not in LETTERS:
        raise NotationError(f"no piece has the letter {letter.lower()!r}")
    return Action(encode(kind, origin, target, victim, LETTERS.index(letter)), board)


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:37] + "...")
