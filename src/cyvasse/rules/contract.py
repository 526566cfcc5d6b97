"""The contract at a glance: what each aspect of a rule set writes, and whether one has written it.

It is checked when a rule set is registered.  Compiled, Python cannot see the inner face of Position
and Evaluation; these two modules tell for themselves what is missing there.  Rule sets in plain
Python write the methods of ``plain.py`` in place of it.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from typing import NamedTuple

from cyvasse.errors import ContractError
from cyvasse.rules import base, evaluation
from cyvasse.rules.base import Position
from cyvasse.rules.evaluation import Evaluation
from cyvasse.rules.flaws import flaws
from cyvasse.rules.plain import PlainEvaluation, PlainPosition
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.scene import Scene
from cyvasse.rules.setups import Setups
from cyvasse.rules.terms import in_words

_ALIKE = 0.75  # from here on a name is taken for a misspelt one


class Aspect(NamedTuple):
    """One of the four: the base class, what must be written, and what may be."""

    base: type
    needed: tuple[str, ...]
    optional: tuple[str, ...]


ASPECTS = (
    Aspect(
        Position,
        ("generate", "make", "unmake", "state", "copy"),
        ("generate_captures", "generate_like", "quiet_at_turn_end", "ending", "effects"),
    ),
    Aspect(
        Setups,
        ("home", "problems", "drawn", "changed", "white", "start_state"),
        ("tools", "lifted"),
    ),
    Aspect(
        Scene,
        ("ground",),
        (
            *("features", "setup_features", "stores", "layers", "sentences"),
            *("warnings", "defeat", "cause"),
        ),
    ),
    Aspect(Evaluation, ("features", "measure", "gain"), ()),
)
PLAIN = (
    Aspect(PlainPosition, ("actions", "act", "ended"), ("goes_on",)),
    Aspect(PlainEvaluation, ("features", "amounts", "prize"), ()),
)
_INNER = (
    *("generate", "generate_captures", "generate_like", "make", "unmake"),
    *("measure", "gain"),
)


def check_contract(rules: RuleSet) -> None:
    """ContractError that names everything a rule set lacks, has misspelt or has wrong."""
    breaches = [*flaws(rules), *_breaches(rules)] or [*_strangers(rules)]
    if breaches:
        raise ContractError(f"{rules.id} does not keep the contract: {'; '.join(breaches)}")


def _breaches(rules: RuleSet) -> Iterator[str]:
    kinds = (rules.position_type, rules.setups_type, rules.scene_type, rules.evaluation_type)
    for aspect, kind in zip(ASPECTS, kinds, strict=True):
        name = aspect.base.__name__
        if not _is_a(kind, aspect.base):
            yield f"{kind!r} is no {name}"
        else:
            yield from _breaches_of(kind, aspect)
    if not callable(rules.reasons):
        yield f"its reasons are {rules.reasons!r}, not a function"


def _strangers(rules: RuleSet) -> Iterator[str]:
    """Compiled, an evaluation reads the memory of the positions that it was written for."""
    position, evaluation = rules.position_type, rules.evaluation_type
    if _package(evaluation) not in (__package__, _package(position)):
        yield f"{evaluation.__name__} does not know what a {position.__name__} is made of"


def _package(kind: type) -> str:
    """Where the inner face of a class comes from: one of our rule sets, or this package."""
    modules = [each.__module__ for each in kind.__mro__]
    return next(name.rpartition(".")[0] for name in modules if name.startswith(f"{__package__}."))


def _is_a(kind: object, base: type) -> bool:
    return isinstance(kind, type) and issubclass(kind, base)


def _breaches_of(kind: type, aspect: Aspect) -> Iterator[str]:
    plain = next((plain for plain in PLAIN if issubclass(plain.base, aspect.base)), aspect)
    if issubclass(kind, plain.base):
        aspect = plain
    name = aspect.base.__name__
    unwritten = _unwritten(kind, aspect)
    missing = [hook for hook in aspect.needed if hook in unwritten]
    if missing:
        yield f"{kind.__name__} lacks {in_words(missing)}, which every {name} writes"
    for word, hook in _misspelt(kind, aspect):
        yield f"{kind.__name__}.{word} is unknown to {name}; {hook} may be meant"
    for hook in _never_called(kind, aspect):
        words = f"plain Python writes {in_words(plain.needed)} of {plain.base.__name__}"
        yield f"{kind.__name__}.{hook} is never called: {words}"


def _unwritten(kind: type, aspect: Aspect) -> set[str]:
    """What a class has as its base class has it."""
    seen = {
        hook
        for hook in aspect.needed
        if hasattr(aspect.base, hook) and getattr(kind, hook) is getattr(aspect.base, hook)
    }
    if aspect in PLAIN:
        return seen
    if issubclass(kind, Position):
        return seen.union(base.unwritten(kind))
    if issubclass(kind, Evaluation):
        return seen.union(evaluation.unwritten(kind))
    return seen


def _misspelt(kind: type, aspect: Aspect) -> Iterator[tuple[str, str]]:
    """Public names of a class that its base class does not know, beside the hooks they resemble."""
    hooks = (*aspect.needed, *aspect.optional)
    known = {*dir(aspect.base), *hooks}
    for name in dir(kind):
        if not name.startswith("_") and name not in known:
            for hook in difflib.get_close_matches(name, hooks, 1, _ALIKE):
                yield name, hook


def _never_called(kind: type, aspect: Aspect) -> Iterator[str]:
    """What a class writes in Python of the inner face, where only C is called."""
    own = [each for each in kind.__mro__ if each not in aspect.base.__mro__]
    for name in _INNER:
        inner = aspect in PLAIN or not hasattr(aspect.base, name)
        if inner and any(name in vars(each) for each in own):
            yield name
