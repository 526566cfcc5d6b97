"""The rule sets as a client needs them: boards to draw, pieces, setups, and why not."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal

import msgspec
from litestar import Router
from litestar.params import Parameter
from msgspec import Meta

from cyvasse.boards import Board
from cyvasse.engine import LEVELS, choose_setup
from cyvasse.errors import CyvasseError
from cyvasse.explain import explain
from cyvasse.notation import parse_position, parse_setup, write_setup
from cyvasse.notation.documents import (
    scenery_document,
    setup_document,
    setup_scenery,
    state_document,
)
from cyvasse.notation.forms import PositionDocument, Scenery, SetupDocument, SetupScenery
from cyvasse.rules import rule_set, rule_sets
from cyvasse.rules.base import Position
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.terms import QUIET_TURNS, Color, Setup
from cyvasse.rules.tools import tool_document
from cyvasse.rulespage import RulesPage, rules_page
from cyvasse.server.drafts import places, setup_from
from cyvasse.server.events import Seat, word
from cyvasse.server.openapi import Tool
from cyvasse.server.problems import Illegal, Place, Unknown
from cyvasse.server.routes.common import RuleSetId, making, reading

PositionText = Annotated[
    str, Parameter(max_length=4000, description="A position's text, as docs/formats.md has it.")
]
SquareName = Annotated[str, Parameter(max_length=20, description="Such as e4.")]


class RuleSetLine(msgspec.Struct, frozen=True):
    """A rule set in a list."""

    id: str
    title: str
    author: str
    summary: str
    squares: int
    hexagons: bool
    """Whether its squares are drawn as hexagons."""
    turns: int | None
    """How many turns bots take for a game, the median; null where nobody has measured it."""
    difficulty: int
    """How hard it is to learn, from 1 to 4; 0 where nobody has said."""
    levels: int
    quiet_turns: int
    """After how many turns without progress a game is drawn (P3)."""


class SquareShape(msgspec.Struct, frozen=True):
    """A square and where its middle is, in widths of a square; y goes up from White."""

    name: str
    x: float
    y: float
    ground: str
    home: Seat | None


class BoardStyle(msgspec.Struct, frozen=True):
    """One way to draw the board."""

    name: str
    outline: list[tuple[float, float]]
    squares: list[SquareShape]


class PieceKind(msgspec.Struct, frozen=True):
    """A kind of piece."""

    name: str
    title: str
    letter: str
    count: int
    about: str
    facts: list[str]
    """Its numbers, a few words each: tier, rank, armour."""


class BothTools(msgspec.Struct, frozen=True):
    """What each player's setups are arranged with beyond pieces, as rules/tools.py has it."""

    white: list[Tool]
    black: list[Tool]


class LayerKind(msgspec.Struct, frozen=True):
    """Something that can be shown on every board of a rule set, on demand."""

    name: str
    title: str
    about: str


class RuleSetPage(msgspec.Struct, frozen=True):
    """A rule set with all that is needed to draw its boards and set it up."""

    id: str
    title: str
    author: str
    summary: str
    first_player: Seat | None
    pieces: list[PieceKind]
    terrain: dict[str, str]
    looks: dict[str, str]
    """For grounds that have no look of their own, the ground that they look like."""
    styles: list[BoardStyle]
    setups: dict[str, SetupDocument]
    """Good setups by name, for White; ``turned`` of the setup route gives Black's."""
    characters: dict[str, str]
    """What some of these setups are like, in a sentence."""
    tools: BothTools
    layers: list[LayerKind]
    """What can be shown on demand; ``layers`` of a game has the numbers and lines."""
    coach: dict[str, list[str]]
    """What a newcomer may try, by situation: ``begin``, ``danger``, ``take``, ``quiet``."""
    levels: int
    """How many levels its bots have."""


class SetupToCheck(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A setup to be looked at: a document, or its text as docs/formats.md has it."""

    setup: dict[str, Any] | Annotated[str, Meta(max_length=4000)]
    color: Seat = "white"


class ThingToPlace(SetupToCheck, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Something that is about to be put down in a setup."""

    thing: Annotated[str, Meta(max_length=40)]
    """A type of piece, or the field of a tool of the kind ``marks``."""


class Checked(msgspec.Struct, frozen=True):
    """Everything that is wrong with a setup; nothing if it is legal.  And how it looks."""

    setup: SetupDocument
    text: str | None
    """None while something lies outside the own half."""
    problems: list[Place]
    scenery: SetupScenery


class Because(msgspec.Struct, frozen=True):
    """Why something is legal or not, and which rule says so."""

    legal: bool
    sentence: str
    rule: str


class Sight(msgspec.Struct, frozen=True):
    """Numbers beside pieces and lines between them; the rule set's page says what they mean."""

    name: str
    values: dict[str, str]
    lines: list[tuple[str, str]]
    told: dict[str, str]
    """The values in a few words."""


class PositionPage(msgspec.Struct, frozen=True):
    """A position as a client shows it."""

    rule_set: str
    text: str
    position: PositionDocument
    scenery: Scenery
    turn: Seat
    legal_actions: list[str]
    outcome: str | None
    layers: list[Sight]


@reading("/rules")
async def all_rules() -> list[RuleSetLine]:
    """The rule sets, those that are learnt easily first."""
    return rule_set_lines()


@reading("/rules/{rule_set:str}")
async def one_rule_set(rule_set: RuleSetId) -> RuleSetPage:
    """A rule set with its board and its setups."""
    return rule_set_page(_rules(rule_set).id)


@reading("/rules/{rule_set:str}/page")
async def one_rules_page(rule_set: RuleSetId) -> RulesPage:
    """The rules page that a rule set brings along, as HTML; our own come with the web page."""
    return made_page(_rules(rule_set).id)


@making("/rules/{rule_set:str}/check", status_code=200)
async def check_setup(rule_set: RuleSetId, data: SetupToCheck) -> Checked:
    """What is wrong with a setup.  Nothing is kept."""
    rules = _rules(rule_set)
    setup = _setup(rules, data)
    try:
        text = write_setup(setup)
    except CyvasseError:
        text = None
    return Checked(
        setup_document(rules, setup), text, places(rules, setup), setup_scenery(rules, setup)
    )


@making("/rules/{rule_set:str}/places", status_code=200)
async def places_of(rule_set: RuleSetId, data: ThingToPlace) -> list[str]:
    """Where a piece or a mark may stand in the end, however the rest is arranged."""
    rules = _rules(rule_set)
    setup = _setup(rules, data)
    try:
        return list(rules.setups.places(setup, data.thing))
    except CyvasseError as error:
        raise Illegal(str(error)) from None


@making("/rules/{rule_set:str}/turned", status_code=200)
async def turned_setup(rule_set: RuleSetId, data: SetupToCheck) -> SetupDocument:
    """The same setup for the other player."""
    rules = _rules(rule_set)
    setup = _setup(rules, data)
    return setup_document(rules, rules.turned_setup(setup))


@reading("/rules/{rule_set:str}/setup")
async def some_setup(
    rule_set: RuleSetId, color: Seat = "white", kind: Literal["good", "random"] = "good"
) -> SetupDocument:
    """A setup that can be played at once: a good one, or one at random."""
    rules = _rules(rule_set)
    setup = choose_setup(rules, color) if kind == "good" else rules.random_setup(color)
    return setup_document(rules, setup)


def sights(position: Position) -> list[Sight]:
    """What can be shown on a board on demand."""
    return [
        Sight(layer.name, dict(layer.values), list(layer.lines), dict(layer.told))
        for layer in position.layers()
    ]


@reading("/position")
async def look_at(text: PositionText) -> PositionPage:
    """What can be done in a position, and what there is to know about it."""
    position = read_position(text)
    outcome = position.outcome()
    state = position.state()
    return PositionPage(
        position.rules.id,
        position.text(),
        state_document(position.rules, state),
        scenery_document(position.rules, state),
        word(position.turn),
        [str(action) for action in position.legal_actions()],
        str(outcome) if outcome else None,
        sights(position),
    )


@reading("/explain")
async def explained(text: PositionText, origin: SquareName, target: SquareName) -> list[Because]:
    """Why a piece may go to a square, or not."""
    try:
        reasons = explain(read_position(text), origin, target)
    except CyvasseError as error:
        raise Illegal(str(error)) from None
    return [Because(*reason) for reason in reasons]


@cache
def rule_set_lines() -> list[RuleSetLine]:
    """All rule sets in a list, easy ones first; those that nobody has judged come last."""
    return [
        RuleSetLine(
            rules.id,
            rules.title,
            rules.author,
            rules.summary,
            len(rules.board),
            rules.board.styles[0] == "hexagons",
            rules.turns,
            rules.difficulty,
            len(LEVELS),
            QUIET_TURNS,
        )
        for rules in sorted(rule_sets(), key=lambda rules: rules.difficulty or 5)
    ]


@cache
def rule_set_page(id: str) -> RuleSetPage:
    """A rule set that there is, with all that is needed to draw its boards and set it up."""
    rules = rule_set(id)
    return RuleSetPage(
        rules.id,
        rules.title,
        rules.author,
        rules.summary,
        None if rules.first_player is None else word(rules.first_player),
        [
            PieceKind(kind.name, kind.title, kind.letter, kind.count, kind.about, list(kind.facts))
            for kind in rules.piece_types
        ],
        dict(rules.terrain_letters),
        {
            ground: rules.scene.look(ground)
            for ground in (*rules.scene.usual.values(), *rules.terrain_letters)
            if rules.scene.look(ground) != ground
        },
        [_style(rules, rules.board, style) for style in rules.board.styles],
        {
            name: setup_document(rules, setup)
            for name, setup in rules.named_setups(Color.WHITE).items()
        },
        dict(rules.characters),
        BothTools(
            *([tool_document(tool) for tool in rules.setups.tools_for(color)] for color in Color)
        ),
        [
            LayerKind(layer.name, layer.title, layer.about)
            for layer in rules.random_position(seed=0).layers()
        ],
        {situation: list(sentences) for situation, sentences in rules.coach.items()},
        len(LEVELS),
    )


@cache
def made_page(id: str) -> RulesPage:
    """The rules page of a rule set that there is."""
    rules = rule_set(id)
    if not rules.page:
        raise Unknown(f"{rules.title} brings no rules page along.")
    return rules_page(rules.page)


def read_position(text: str) -> Position:
    """The position that a text describes; Illegal in words if none."""
    try:
        return parse_position(text)
    except CyvasseError as error:
        raise Illegal(str(error)) from None


def _rules(id: str) -> RuleSet:
    try:
        return rule_set(id)
    except CyvasseError as error:
        raise Unknown(str(error)) from None


def _setup(rules: RuleSet, data: SetupToCheck) -> Setup:
    document = data.setup
    if isinstance(document, str):
        try:
            setup = parse_setup(document)
        except CyvasseError as error:
            raise Illegal(str(error)) from None
        if setup.rule_set != rules.id:
            raise Illegal(f"This is a setup for {setup.rule_set}, not for {rules.id}.")
        return setup_from(rules, setup_document(rules, setup), Color.parse(data.color))
    return setup_from(rules, document, Color.parse(data.color))


def _style(rules: RuleSet, board: Board, style: str) -> BoardStyle:
    homes = {at: word(color) for color in Color for at in rules.home(color)}
    return BoardStyle(
        style,
        [(round(x, 4), round(y, 4)) for x, y in board.outline(style)],
        [
            SquareShape(
                name,
                round(board.centre(name, style)[0], 4),
                round(board.centre(name, style)[1], 4),
                rules.ground(name),
                homes.get(name),
            )
            for name in board.squares
        ],
    )


router = Router(
    "/",
    tags=["rules"],
    route_handlers=[
        all_rules,
        one_rule_set,
        one_rules_page,
        check_setup,
        places_of,
        turned_setup,
        some_setup,
        look_at,
        explained,
    ],
)
