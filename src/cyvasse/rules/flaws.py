"""What can be wrong with the data of a rule set: names, letters, the board, the fields.

Texts, documents, files and C all rely on it, so that nothing of this gets past registration.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from string import Formatter

from cyvasse.actions import LETTERS, SQUARE
from cyvasse.boards import Board
from cyvasse.rules.ruleset import SITUATIONS, RuleSet
from cyvasse.rules.scene import GROUNDS
from cyvasse.rules.sentences import Template
from cyvasse.rules.terms import Color, Field, PieceType

_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_PLACE = re.compile(r"((any|the) [a-z]+|(color|other)('s)?|[a-z]+)")
_LONGEST_ID = 40
_WIDEST, _HIGHEST = 26, 99  # squares are named by one letter and up to two digits


def flaws(rules: RuleSet) -> Iterator[str]:
    """What is wrong with what never changes in a rule set, a few words for each."""
    if not _fits(_ID, rules.id) or len(rules.id) > _LONGEST_ID:
        yield f"its id is {rules.id!r:.60}, not a word of small letters, digits and -"
    for name in ("title", "author", "summary"):
        if not isinstance(getattr(rules, name), str) or not getattr(rules, name).strip():
            yield f"its {name} is {getattr(rules, name)!r:.40}, not a text"
    if not isinstance(rules.page, str):
        yield f"its page is {rules.page!r:.40}, not a text"
    if rules.first_player is not None and not isinstance(rules.first_player, Color):
        yield f"its first_player is {rules.first_player!r:.40}, not a Color or None"
    if type(rules.difficulty) is not int or not 0 <= rules.difficulty <= 4:
        yield f"its difficulty is {rules.difficulty!r:.40}, not a number from 0 to 4"
    if rules.turns is not None and (type(rules.turns) is not int or rules.turns < 1):
        yield f"its turns are {rules.turns!r:.40}, not a number or None"
    if not _are_texts(rules.characters):
        yield f"its characters are {rules.characters!r:.40}, not a mapping of texts"
    yield from _board(rules.board)
    yield from _types(rules.piece_types)
    yield from _letters(rules.terrain_letters)
    yield from _looks(rules.looks)
    yield from _sentences(rules.scene_type)
    yield from _coach(rules.coach)
    for name in ("state_fields", "setup_fields"):
        yield from _fields(name, getattr(rules, name))


def _are_texts(texts: object) -> bool:
    return isinstance(texts, Mapping) and all(
        isinstance(text, str) for pair in texts.items() for text in pair
    )


def _board(board: object) -> Iterator[str]:
    if not isinstance(board, Board):
        yield f"its board is {board!r:.40}, not a Board"
        return
    if len(board) > SQUARE + 1 or board.width > _WIDEST or board.height > _HIGHEST:
        yield (
            f"its board has {len(board)} squares in {board.width} columns and {board.height} rows; "
            f"there is room for {SQUARE + 1}, {_WIDEST} and {_HIGHEST}"
        )
    turned = {(board.width - 1 - x, board.height - 1 - y) for x, y in board.coordinates}
    if turned != set(board.coordinates):
        yield "its board is another one when it is turned by 180°"


def _types(types: object) -> Iterator[str]:
    if not isinstance(types, tuple) or not all(isinstance(kind, PieceType) for kind in types):
        yield f"its piece_types are {types!r:.40}, not a tuple of PieceType"
        return
    letters = [kind.letter for kind in types]
    for kind in types:
        if not _fits(_NAME, kind.name) or [each.name for each in types].count(kind.name) > 1:
            yield f"the name {kind.name!r:.40} of a piece is not a word of its own in small letters"
        if kind.letter not in list(LETTERS) or letters.count(kind.letter) > 1:
            known = ", ".join(LETTERS)
            yield f"{kind.name} has the letter {kind.letter!r:.40}, not one of its own of {known}"
        if type(kind.count) is not int or kind.count < 1:
            yield f"the count of {kind.name} is {kind.count!r:.40}, not a number from 1"


def _letters(letters: object) -> Iterator[str]:
    if not isinstance(letters, Mapping):
        yield f"its terrain_letters are {letters!r:.40}, not a mapping"
        return
    for ground, letter in letters.items():
        single = isinstance(letter, str) and len(letter) == 1 and "a" <= letter <= "z"
        if not _fits(_NAME, ground) or not single or list(letters.values()).count(letter) > 1:
            yield f"its ground {ground!r:.40} has the letter {letter!r:.40}, not one of its own"


def _looks(looks: object) -> Iterator[str]:
    if not isinstance(looks, Mapping):
        yield f"its looks are {looks!r:.40}, not a mapping"
        return
    for ground, look in looks.items():
        if look not in list(GROUNDS):
            known = ", ".join(GROUNDS)
            yield f"its ground {ground!r:.40} looks like {look!r:.40}, not like one of {known}"


def _sentences(scene: object) -> Iterator[str]:
    known = getattr(scene, "sentences", {})
    if not isinstance(known, Mapping):
        yield f"its sentences are {known!r:.40}, not a mapping"
        return
    for name, template in known.items():
        texts = template if isinstance(template, Template) else (template,)
        if not _fits(_NAME, name) or not all(map(_is_template, texts)):
            yield f"its sentence {name!r:.40} is {template!r:.60}, not a text with places in braces"


def _is_template(text: object) -> bool:
    try:
        return isinstance(text, str) and all(
            place is None or _fits(_PLACE, place) for _, place, *_ in Formatter().parse(text)
        )
    except ValueError:
        return False


def _coach(coach: object) -> Iterator[str]:
    if not isinstance(coach, Mapping):
        yield f"its coach is {coach!r:.40}, not a mapping"
        return
    for situation, sentences in coach.items():
        if situation not in list(SITUATIONS) and not str(situation).startswith("danger_"):
            known = ", ".join(SITUATIONS)
            yield f"its coach speaks of {situation!r:.40}, not of one of {known}"
        texts = isinstance(sentences, tuple) and all(isinstance(each, str) for each in sentences)
        if not texts or not all(each.strip() for each in sentences):
            yield f"its coach says {sentences!r:.40}, not a tuple of sentences"


def _fields(name: str, fields: object) -> Iterator[str]:
    if not isinstance(fields, tuple) or not all(isinstance(field, Field) for field in fields):
        yield f"its {name} are {fields!r:.40}, not a tuple of Field"
        return
    names = [field.name for field in fields]
    for field in fields:
        taken = names.count(field.name) > 1 or field.name in ("passed", "drawn")
        if not _fits(_NAME, field.name) or taken:
            yield f"the name {field.name!r:.40} in its {name} is not a word of its own"


def _fits(pattern: re.Pattern[str], text: object) -> bool:
    return isinstance(text, str) and pattern.fullmatch(text) is not None
