"""Whoever writes a rule set is told what is missing, by name, when it is registered."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any, ClassVar

import pytest

import cyvasse
from cyvasse import Color, Position, RuleSet, Setup
from cyvasse.boards import SQUARE_STEPS, Board, square_board
from cyvasse.errors import ContractError, CyvasseError
from cyvasse.rules import register
from cyvasse.rules.contract import ASPECTS, check_contract
from cyvasse.rules.evaluation import Evaluation
from cyvasse.rules.scene import Scene
from cyvasse.rules.setups import Setups
from cyvasse.rules.terms import Field, Flag, Problem, State

RULES = cyvasse.rule_set("croft")
king = RULES.piece_type("king")
uneven = Board("uneven", [(0, 0), (1, 0), (0, 1)], SQUARE_STEPS, ["squares"])


def refusal(**parts: Any) -> str:
    """What is said about a rule set that is right but for these parts."""
    with pytest.raises(ContractError) as caught:
        register(replace(RULES, **{"id": "own", **parts}))
    assert "own" not in [rules.id for rules in cyvasse.rule_sets()]
    return str(caught.value)


class NoProblems(Setups):
    """Lacks ``problems``: the word is misspelt."""

    def home(self, color: Color) -> tuple[str, ...]:
        return ()

    def probelms(self, setup: Setup) -> list[Problem]:
        return []

    def drawn(self, color: Color, chance: random.Random) -> Setup:
        return Setup("own", color, {})

    def changed(self, setup: Setup, chance: random.Random) -> Setup:
        return setup

    def white(self) -> dict[str, Setup]:
        return {}

    def start_state(self, white: Setup, black: Setup, first: Color) -> State:
        return State({})


class Misspelt(type(RULES.scene)):  # type: ignore[misc]
    """Has everything it must have, and a word that nobody would ever ask for."""

    def feature(self, state: State) -> tuple[()]:
        return ()


class Groundless(Scene):
    pass


class Empty(Position):
    pass


class Written(Position):
    """Compiled, the search cannot see what is written in Python."""

    def generate(self, out: object) -> None: ...

    def make(self, code: int) -> None: ...

    def unmake(self) -> None: ...


class Unmeasured(Evaluation):
    pass


@pytest.mark.parametrize("rules", cyvasse.rule_sets(), ids=lambda rules: rules.id)
def test_ours_keep_the_contract(rules: RuleSet) -> None:
    check_contract(rules)


def test_what_is_missing_is_named() -> None:
    assert refusal(setups_type=NoProblems) == (
        "own does not keep the contract: "
        "NoProblems lacks problems, which every Setups writes; "
        "NoProblems.probelms is unknown to Setups; problems may be meant"
    )
    assert refusal(scene_type=Groundless) == (
        "own does not keep the contract: Groundless lacks ground, which every Scene writes"
    )


def test_what_is_misspelt_is_named() -> None:
    assert refusal(scene_type=Misspelt) == (
        "own does not keep the contract: "
        "Misspelt.feature is unknown to Scene; features may be meant"
    )


def test_sentences_that_cannot_be_said_are_named() -> None:
    class Talkative(Groundless):
        sentences: ClassVar[Any] = {"hopped": "{whose piece} hops.", "ran": 7, "left": "{color's."}

    assert refusal(scene_type=Talkative).count("not a text with places in braces") == 3


def test_the_inner_face_is_looked_at_too() -> None:
    assert refusal(position_type=Empty).endswith(
        "Empty lacks generate, make, unmake, state and copy, which every Position writes"
    )
    assert refusal(evaluation_type=Unmeasured).endswith(
        "Unmeasured lacks features, measure and gain, which every Evaluation writes"
    )
    unseen = "generate, make, unmake, " if cyvasse.COMPILED else ""
    assert f"Written lacks {unseen}state and copy" in refusal(position_type=Written)


def test_each_aspect_is_of_its_kind() -> None:
    told = refusal(setups_type=type(RULES.scene), reasons=None)
    assert "CroftScene" in told
    assert "is no Setups" in told
    assert "its reasons are None, not a function" in told


def test_all_breaches_are_told_at_once() -> None:
    told = refusal(setups_type=NoProblems, scene_type=Groundless)
    assert "problems" in told
    assert "ground" in told


def test_no_second_rule_set_or_board_of_a_name() -> None:
    with pytest.raises(ContractError, match="already a rule set 'croft'"):
        register(RULES)
    with pytest.raises(CyvasseError, match="already a board 'croft'"):
        register(replace(RULES, id="own", board=square_board("croft", 10, 10)))
    assert "own" not in [rules.id for rules in cyvasse.rule_sets()]


def test_the_list_of_hooks_is_what_the_base_classes_ask_for() -> None:
    for aspect in ASPECTS:
        if aspect.base in (Setups, Scene):
            assert aspect.base.__abstractmethods__ == set(aspect.needed)
        seen = {hook for hook in (*aspect.needed, *aspect.optional) if hasattr(aspect.base, hook)}
        unseen = {*aspect.needed, *aspect.optional} - seen
        inner = {"generate", "generate_captures", "generate_like", "make", "unmake"}
        assert unseen <= (inner | {"measure", "gain"} if cyvasse.COMPILED else set())
    assert sum(len(aspect.needed) + len(aspect.optional) for aspect in ASPECTS) <= 30


@pytest.mark.parametrize(
    ("part", "value", "words"),
    [
        ("id", "../croft", "its id is '../croft', not a word of small letters, digits and -"),
        ("id", "Own Rules", "its id is 'Own Rules'"),
        ("id", 7, "its id is 7"),
        ("id", "own-" * 12 + "own", "its id is"),
        ("title", "", "its title is '', not a text"),
        ("author", None, "its author is None"),
        ("summary", " ", "its summary is ' '"),
        ("page", b"# Own", "its page is b'# Own', not a text"),
        ("first_player", "white", "its first_player is 'white', not a Color or None"),
        ("difficulty", 5, "its difficulty is 5"),
        ("turns", "many", "its turns are 'many'"),
        ("coach", ["Castle!"], "its coach is ['Castle!'], not a mapping"),
        ("coach", {"hungry": ("Eat.",)}, "its coach speaks of 'hungry', not of one of begin"),
        ("coach", {"danger_king": "Run."}, "its coach says 'Run.', not a tuple of sentences"),
        ("coach", {"take": "Take it."}, "its coach says 'Take it.', not a tuple of sentences"),
        ("board", None, "its board is None, not a Board"),
        ("board", square_board("wide", 27, 2), "27 columns"),
        ("board", square_board("large", 12, 11), "132 squares"),
        ("board", uneven, "its board is another one when it is turned"),
        ("piece_types", [], "its piece_types are [], not a tuple of PieceType"),
        ("piece_types", (king, king), "the name 'king' of a piece is not a word of its own"),
        ("piece_types", (replace(king, name="The King"),), "the name 'The King'"),
        (
            "piece_types",
            (replace(king, letter="Q"),),
            "king has the letter 'Q', not one of its own",
        ),
        ("piece_types", (replace(king, letter="KR"),), "king has the letter 'KR'"),
        ("piece_types", (king, replace(king, name="queen")), "queen has the letter 'K'"),
        ("piece_types", (replace(king, count=0),), "the count of king is 0"),
        ("terrain_letters", {"marsh": "M"}, "its ground 'marsh' has the letter 'M'"),
        ("terrain_letters", {"marsh": "m", "moor": "m"}, "its ground 'moor' has the letter 'm'"),
        ("looks", {"marsh": "lava"}, "its ground 'marsh' looks like 'lava', not like one of open"),
        ("looks", ["marsh"], "its looks are ['marsh'], not a mapping"),
        ("characters", {"wall": None}, "its characters are {'wall': None}, not a mapping of texts"),
        ("state_fields", [], "its state_fields are [], not a tuple of Field"),
        ("state_fields", (Field("passed", Flag(), ""),), "the name 'passed' in its state_fields"),
        ("setup_fields", (Field("a b", Flag(), ""),), "the name 'a b' in its setup_fields"),
    ],
)
def test_data_that_nothing_could_be_done_with(part: str, value: object, words: str) -> None:
    assert words in refusal(**{"id": "own", part: value})


def test_only_rule_sets_are_registered() -> None:
    with pytest.raises(ContractError, match="'own' is not a RuleSet"):
        register("own")  # type: ignore[arg-type]
