"""Rule sets of other packages: whatever is installed with an entry point ``cyvasse.rule_sets``.

    [project.entry-points."cyvasse.rule_sets"]
    hop = "cyvasse_hop:RULES"

The value is a ``RuleSet``.  Each is tried out when it is found: one that is broken is left out with
a sentence that says why, and nothing else suffers from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from traceback import extract_tb
from typing import TYPE_CHECKING

from cyvasse.errors import ContractError, CyvasseError
from cyvasse.rules.contract import check_contract
from cyvasse.rules.ruleset import RuleSet
from cyvasse.rules.terms import Color
from cyvasse.rules.tools import Marks, fields_of

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "cyvasse.rule_sets"
_LONGEST = 300  # letters of a reason


def find_installed(register: Callable[[RuleSet], None]) -> Iterator[tuple[str, str]]:
    """Register every rule set that is installed; names and reasons of those that are left out."""
    # Takes a while, and most programs know which rule set they want.
    from importlib.metadata import entry_points

    for entry in sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value)):
        try:
            _take(entry, register)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # whatever somebody else's module may raise
            yield (
                entry.name,
                f"the rule set {entry.name}{_origin(entry)} is left out: {_words(error)}",
            )


def _take(entry: EntryPoint, register: Callable[[RuleSet], None]) -> None:
    rules = entry.load()
    if not isinstance(rules, RuleSet):
        raise ContractError(f"{entry.value} is {rules!r:.60}, not a RuleSet")
    check_contract(rules)
    _try_out(rules)
    register(rules)


def _try_out(rules: RuleSet) -> None:
    """Ask what everybody will ask, so that nobody is the first."""
    for color in Color:
        rules.home(color)
        rules.named_setups(color)
        rules.setups.tools_for(color)
    position = rules.random_position(seed=1)
    position.legal_actions()
    position.scene()
    rules.evaluation().worth(position)
    breaches = list(_disagreements(rules))
    if breaches:
        raise ContractError(f"{rules.id} does not keep the contract: {'; '.join(breaches)}")


def _disagreements(rules: RuleSet) -> Iterator[str]:
    """What one aspect of a rule set needs of another, so that it may not be left out."""
    setups, scene = rules.setups_type.__name__, rules.scene_type.__name__
    tools = rules.setups.tools_for(Color.WHITE)
    laid = {name for tool in tools for name in fields_of(tool)}
    for field in rules.setup_fields:
        if field.name not in laid:
            yield f"{setups}.tools has nothing to lay the field {field.name!r} of a setup with"
    seen = rules.scene.of_setup(rules.random_setup(Color.WHITE, seed=1))
    shown = {feature.kind for feature in seen.features}
    for tool in tools:
        if isinstance(tool, Marks) and tool.drawing not in shown:
            yield f"{scene}.features shows no {tool.drawing!r}, which {setups}.tools lays"


def _origin(entry: EntryPoint) -> str:
    return "" if entry.dist is None else f" of {entry.dist.name} {entry.dist.version}"


def _words(error: BaseException) -> str:
    """One line about an error, whatever it is, and where it came from."""
    try:
        text = " ".join(str(error).split())
    except Exception:
        text = ""
    if isinstance(error, CyvasseError):
        return text
    what = f"{type(error).__name__}: {text:.{_LONGEST}}".removesuffix(": ")
    places = [place for place in extract_tb(error.__traceback__) if place.filename[0] != "<"]
    last = places[-1]
    return f"{what} ({Path(last.filename).name}, line {last.lineno})"
