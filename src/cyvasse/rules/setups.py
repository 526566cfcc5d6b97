"""Setups, an aspect of every rule set: what belongs where before the screen lifts.

A rule set says what a setup may be made of, what is wrong with one, in words, draws setups at
random and knows a few good ones by name.  What is the same everywhere (checking names and shapes,
turning a setup for the other player) is written here once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING

from cyvasse.errors import CyvasseError, SetupError, StateError
from cyvasse.rules.terms import (
    WHITE,
    Color,
    Piece,
    Problem,
    Setup,
    State,
    check_fields,
    exchanged,
    filled_fields,
    turn_fields,
)
from cyvasse.rules.tools import Marks, Reserve, Tool, turned_tool

if TYPE_CHECKING:
    from cyvasse.rules.base import Position
    from cyvasse.rules.ruleset import RuleSet


class CheckedState(State):
    """A state that two legal setups have given just now, so that nothing is left to check."""


class Setups(ABC):
    """How setups of one rule set are arranged, checked, drawn and brought to the board."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.board = rules.board

    # --- each rule set writes these ---------------------------------------------------------------

    @abstractmethod
    def home(self, color: Color) -> tuple[str, ...]:
        """The squares behind a player's screen."""

    @abstractmethod
    def problems(self, setup: Setup) -> list[Problem]:
        """Everything that is wrong with a setup, in words; empty for a legal one.

        Squares, piece types and shapes of fields are already checked, nothing else is.
        """

    @abstractmethod
    def drawn(self, color: Color, chance: Random) -> Setup:
        """A legal setup drawn at random; every legal setup can come up."""

    @abstractmethod
    def changed(self, setup: Setup, chance: Random) -> Setup:
        """A legal setup with one small change drawn at random.

        The result may be illegal or the same: ``varied`` draws again.  Small changes one after the
        other must lead from every legal setup to every other one.
        """

    @abstractmethod
    def white(self) -> Mapping[str, Setup]:
        """Good setups by name, arranged for White."""

    @abstractmethod
    def start_state(self, white: Setup, black: Setup, first: Color) -> State:
        """The state when the screen is lifted over two legal setups.

        Its terrain and the fields that it mentions are in canonical form.
        """

    # --- and these where there is something to gain -----------------------------------------------

    def tools(self) -> Sequence[Tool]:
        """What White's setups are arranged with beyond pieces, in the order of an editor."""
        return ()

    def lifted(self, white: Setup, black: Setup, first: Color) -> Position:
        """The first position of two setups that ``checked`` has returned.

        Nothing is checked again: nobody else may have held them since.  A rule set that can do
        without a state in between makes reading many games faster.
        """
        state = self.start_state(white, black, first)
        fields = {**self._unset, **state.fields}
        return self.rules.position(CheckedState(state.pieces, state.terrain, first, fields=fields))

    # --- the same for all -------------------------------------------------------------------------

    def check(self, setup: Setup) -> list[Problem]:
        """Every problem of a setup in words; an empty list means that it is legal."""
        return self._judged(setup)[1]

    def checked(self, setup: Setup, color: Color | str | None = None) -> Setup:
        """The setup in canonical form; SetupError listing all problems if it is not legal."""
        tidy, problems = self._judged(setup)
        owner = None if color is None else Color.parse(color)
        claimed = setup.color if isinstance(setup, Setup) else None
        if owner is not None and isinstance(claimed, Color) and claimed is not owner:
            problems.insert(0, Problem(f"This is a setup for {claimed}, not for {owner}."))
        if problems:
            listed = " ".join(problem.text for problem in problems)
            whose = "The" if owner is None else f"{owner.title}'s"
            raise SetupError(f"{whose} setup is not legal: {listed}", problems)
        return tidy

    def canonical(self, setup: Setup) -> Setup:
        """The setup with sorted squares and every field present; it may still be illegal."""
        problems = self._misfits(setup)
        if problems:
            listed = " ".join(problem.text for problem in problems)
            raise StateError(f"This setup cannot be: {listed}")
        return self._tidied(setup)

    def turned(self, setup: Setup) -> Setup:
        """The same setup for the other player."""
        setup = self.canonical(setup)
        turn = self.board.turned
        return self.canonical(
            Setup(
                self.rules.id,
                setup.color.other,
                {turn(square): name for square, name in setup.pieces.items()},
                {turn(square): ground for square, ground in setup.terrain.items()},
                turn_fields(self.rules.setup_fields, setup.fields, self.board),
            )
        )

    def named(self, color: Color | str = WHITE) -> dict[str, Setup]:
        """Good setups by name, for the player who asks."""
        setups = {name: self.canonical(setup) for name, setup in self.white().items()}
        if Color.parse(color) is WHITE:
            return setups
        return {name: self.turned(setup) for name, setup in setups.items()}

    def random(self, color: Color | str, seed: int | Random | None = None) -> Setup:
        """A legal setup drawn at random, the same one for the same seed."""
        return self.canonical(self.drawn(Color.parse(color), chance_of(seed)))

    def varied(self, setup: Setup, seed: int | Random | None = None) -> Setup:
        """A legal setup of the same player that differs a little from this legal one.

        >>> import cyvasse
        >>> rules = cyvasse.rule_set("nine-tile")
        >>> setup = rules.random_setup("white", seed=1)
        >>> rules.varied_setup(setup, seed=1) == setup
        False
        """
        chance = chance_of(seed)
        setup = self.checked(setup)
        while True:
            changed, problems = self._judged(self.changed(setup, chance))
            if not problems and changed != setup:
                return changed

    def places(self, setup: Setup, thing: str) -> tuple[str, ...]:
        """The squares of the own half where a thing may stand in the end, on the ground as laid.

        The thing is a type of piece, or the field of ``Marks``.  What else stands somewhere is
        left out, for it can still be moved: a square is a place if ``problems`` finds nothing wrong
        there once the thing stands on it alone.

        >>> import cyvasse
        >>> rules = cyvasse.rule_set("nine-tile")
        >>> rules.setups.places(rules.random_setup("white", seed=1), "king")
        ('f2',)
        """
        bare, laid = self._laid_alone(self.canonical(setup), thing)
        known = set(self.problems(bare))
        return tuple(
            at
            for at in self.home(setup.color)
            if not any(
                at in problem.squares for problem in self.problems(laid(at)) if problem not in known
            )
        )

    def tools_for(self, color: Color) -> tuple[Tool, ...]:
        """What a player's setups are arranged with beyond pieces.

        >>> import cyvasse
        >>> rules = cyvasse.rule_set("croft")
        >>> [(tool.field, tool.count) for tool in rules.setups.tools_for(WHITE)]
        [('mountains', 3), ('keep', 1)]
        """
        tools = tuple(self.tools())
        if color is WHITE:
            return tools
        return tuple(turned_tool(tool, self.board.turned) for tool in tools)

    # --- what rule sets need for theirs -----------------------------------------------------------

    def men_of(self, setup: Setup) -> dict[str, Piece]:
        """The pieces of a setup on their squares."""
        men = self._men[setup.color]
        return {at: men[name] for at, name in setup.pieces.items()}

    def title_of(self, name: str) -> str:
        """A piece type as players read it."""
        return self.rules.piece_type(name).title

    def stands(self, name: str, square: str) -> str:
        """A piece and its verb: ``The Spears on c4 are``."""
        kind = self.rules.piece_type(name)
        return f"The {kind.title} on {square} {kind.does('be')}"

    def exchanged(self, setup: Setup, chance: Random) -> Setup:
        """One piece goes to another square of the own half; what stands there takes its place."""
        origin = chance.choice(sorted(setup.pieces))
        target = chance.choice(self.home(setup.color))
        return setup.with_pieces(exchanged(setup.pieces, origin, target))

    def _laid_alone(self, setup: Setup, thing: str) -> tuple[Setup, Callable[[str], Setup]]:
        """A setup without what can still be moved, and the same with one thing on a square."""
        fields = dict(setup.fields)
        marks = None
        for tool in self.tools():
            match tool:
                case Marks() if tool.field == thing:
                    marks = tool
                    fields[thing] = None if tool.single else []
                case Reserve() if tool.piece == thing:
                    fields[tool.field] = False
        if marks is None:
            self.rules.piece_type(thing)
        bare = replace(setup, pieces={}, fields=fields)

        def laid(at: str) -> Setup:
            if marks is None:
                return bare.with_pieces({at: thing})
            return replace(bare, fields={**fields, thing: at if marks.single else [at]})

        return bare, laid

    @cached_property
    def _men(self) -> dict[Color, dict[str, Piece]]:
        names = [kind.name for kind in self.rules.piece_types]
        return {color: {name: Piece(color, name) for name in names} for color in Color}

    @cached_property
    def _unset(self) -> dict[str, object]:
        """The fields of states at their defaults.  Positions copy what they keep."""
        return filled_fields(self.rules.state_fields, {})

    def _judged(self, setup: Setup) -> tuple[Setup, list[Problem]]:
        """The setup, in canonical form if it has one, and all its problems."""
        problems = self._misfits(setup)
        if problems:
            return setup, problems
        tidy = self._tidied(setup)
        return tidy, self.problems(tidy)

    def _tidied(self, setup: Setup) -> Setup:
        """A setup that has no misfits, in canonical form."""
        return Setup(
            self.rules.id,
            setup.color,
            dict(sorted(setup.pieces.items())),
            self.rules.checked_terrain(setup.terrain),
            check_fields(self.rules.setup_fields, setup.fields, self.board, "a setup"),
        )

    def _misfits(self, setup: Setup) -> list[Problem]:
        """What keeps a setup from being one at all: names that this rule set does not know."""
        rules = self.rules
        if not isinstance(setup, Setup):
            return [Problem(f"{setup!r:.40} is not a setup.")]
        if setup.rule_set != rules.id:
            return [Problem(f"This is a setup for {setup.rule_set}, not for {rules.id}.")]
        for name in ("pieces", "terrain", "fields"):
            if not isinstance(getattr(setup, name), Mapping):
                return [Problem(f"Its {name} are no mapping but {getattr(setup, name)!r:.40}.")]
        problems = []
        if not isinstance(setup.color, Color):
            problems.append(Problem(f"Its owner is {setup.color!r:.40}, not a Color."))
        problems += self._strange_pieces(setup.pieces)
        problems += self._strange_grounds(setup.terrain)
        try:
            check_fields(rules.setup_fields, setup.fields, self.board, "a setup")
        except StateError as error:
            problems.append(self._misfit(error))
        return problems

    def _strange_pieces(self, pieces: Mapping[str, str]) -> list[Problem]:
        if self._known(pieces):  # as nearly always
            return []
        problems = []
        for square, name in pieces.items():
            for check, word in ((self.rules.check_square, square), (self.rules.piece_type, name)):
                try:
                    check(word)
                except CyvasseError as error:
                    problems.append(self._misfit(error, square))
        return problems

    def _strange_grounds(self, terrain: Mapping[str, str]) -> list[Problem]:
        if self._can_lie(terrain):
            return []
        problems = []
        for square, ground in terrain.items():
            try:
                self.rules.checked_terrain({square: ground})
            except StateError as error:
                problems.append(self._misfit(error, square))
        return problems

    def _can_lie(self, terrain: Mapping[str, str]) -> bool:
        try:
            self.rules.checked_terrain(terrain)
        except StateError:
            return False
        return True

    def _known(self, pieces: Mapping[str, str]) -> bool:
        """Whether all squares and types have names that the rule set knows."""
        types = self.rules.types
        try:
            return self.board.numbers.keys() >= pieces.keys() and all(
                name in types for name in pieces.values()
            )
        except TypeError:  # what cannot be looked up is no name
            return False

    def _misfit(self, error: CyvasseError, square: str | None = None) -> Problem:
        text = str(error)
        if text.split()[0] not in self.board:
            text = text[0].upper() + text[1:]
        return Problem(f"{text}.", (square,) if square is not None and square in self.board else ())


def chance_of(seed: int | Random | None) -> Random:
    """The source of chance that a seed stands for."""
    return seed if isinstance(seed, Random) else Random(seed)
