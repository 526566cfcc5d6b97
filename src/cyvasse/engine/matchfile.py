"""The games of a match in a file that grows pair by pair, so that a long match can be resumed.

It is an ordinary file of games, in the order of the pairs.  What was being written when a run broke
off, half a game or half a pair, is dropped.
"""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from cyvasse.errors import CyvasseError, NotationError
from cyvasse.game import Game
from cyvasse.notation import read_game
from cyvasse.rules.terms import WHITE

_BEGINS = re.compile(rb'^\[Rules "', re.MULTILINE)


def fingerprint(game: Game) -> str:
    """A short text that is the same for games with the same start and actions, whoever plays."""
    played = " ".join([game.start.text(), *map(str, game.actions)])
    return hashlib.sha256(played.encode()).hexdigest()[:16]


class MatchFile:
    """A match's file.  ``tags_of(pair, game)`` tells how its games are labelled.

    A file that holds anything else is refused and stays as it is.
    """

    def __init__(
        self, path: Path, rules_id: str, tags_of: Callable[[int, int], dict[str, str]]
    ) -> None:
        self.path = path
        self.pairs: list[tuple[tuple[float, float], tuple[str, str]]] = []
        """What the first player got in each pair that the file holds, and its games' prints."""
        self._rules_id = rules_id
        self._tags_of = tags_of
        self._size = 0  # in bytes, up to the end of the last whole pair
        self._read()

    def append(self, texts: Sequence[str]) -> None:
        """Write a pair behind the last whole one, so that it is safe if the next one breaks off."""
        data = "".join(f"{text}\n" for text in texts).encode()
        with self.path.open("r+b") as file:
            file.truncate(self._size)
            file.seek(self._size)
            file.write(data)
        self._size += len(data)

    def _read(self) -> None:
        self.path.touch()  # a place where nothing can be written is better told before playing
        data = self.path.read_bytes()
        half: tuple[float, str] | None = None
        for number, (game, end) in enumerate(self._games(data)):
            pair, which = number // 2 + 1, number % 2 + 1
            self._check(game, pair, which)
            points, print_ = self._points(game, which), fingerprint(game)
            if half is None:
                half = points, print_
            else:
                self.pairs.append(((half[0], points), (half[1], print_)))
                self._size = end
                half = None

    def _games(self, data: bytes) -> Iterator[tuple[Game, int]]:
        """The whole games with the places where they end."""
        begins = [match.start() for match in _BEGINS.finditer(data)]
        if data[: begins[0] if begins else None].strip() and not self._could_be_ours(data):
            raise self._refusal("does not begin with a game")
        for number, (begin, end) in enumerate(itertools.pairwise([*begins, len(data)]), 1):
            part = data[begin:end]
            try:
                # The empty line comes last: without it the game may be cut in the middle of a word.
                if not part.endswith(b"\n\n"):
                    raise NotationError("the game breaks off")
                game = read_game(part.decode())
            except (NotationError, UnicodeDecodeError) as error:
                if end == len(data) and self._could_be_ours(part):
                    return
                raise self._refusal(f"has an error in its game {number}: {error}") from None
            yield game, end

    def _could_be_ours(self, part: bytes) -> bool:
        """Whether something that breaks off is a game of this match as far as it goes."""
        event = self._tags_of(1, 1)["Event"]
        head = f'[Rules "{self._rules_id}"]\n[Event "{event}"]\n'.encode()
        return part.startswith(head) or head.startswith(part)

    def _check(self, game: Game, pair: int, which: int) -> None:
        expected = {"Rules": self._rules_id, **self._tags_of(pair, which)}
        found = {"Rules": game.rules.id, **game.tags}
        for name, value in expected.items():
            if found.get(name) != value:
                if name == "Fingerprints":
                    raise self._refusal("was played with other weights or levels")
                raise self._refusal(
                    f"is of another match: {name} is {found.get(name, 'missing')!r:.60} there "
                    f"in game {2 * pair + which - 2}, and {value!r:.60} here"
                )

    def _points(self, game: Game, which: int) -> float:
        outcome = game.outcome()
        if outcome is None:
            raise self._refusal("holds an unfinished game")
        if outcome.winner is None:
            return 0.5
        return float((outcome.winner is WHITE) == (which == 1))

    def _refusal(self, why: str) -> CyvasseError:
        return CyvasseError(f"{self.path} {why}; give the match a file of its own")
