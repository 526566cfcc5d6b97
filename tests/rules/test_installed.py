"""Rule sets of other packages: found by their entry point, and left out in words if broken.

Each test installs small packages into a folder of its own and asks a fresh interpreter.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.plugins import HOP, install


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """What a Python says that finds the packages of the folder."""
    paths = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": paths, "PYTHONWARNINGS": "default"}
    return subprocess.run(
        [sys.executable, *words],
        env=environment,
        cwd=folder,
        text=True,
        capture_output=True,
        timeout=300,
        check=False,
    )


def told(folder: Path, code: str) -> Any:
    """What a piece of code tells as JSON by ``tell``."""
    done = run(folder, "-c", f"import json\ntell = lambda it: print(json.dumps(it))\n{code}")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_rule_set_is_found(tmp_path: Path) -> None:
    install(tmp_path, "cyvasse_hop", HOP, {"hop": "cyvasse_hop:HOP"})
    code = """
import cyvasse, pickle, sys
before = "cyvasse_hop" in sys.modules
cyvasse.rule_set("croft")
unasked = "cyvasse_hop" in sys.modules
ids = [rules.id for rules in cyvasse.rule_sets()]
position = cyvasse.rule_set("hop").random_position(seed=1)
same = cyvasse.parse_position(position.text()) == position
tell([before, unasked, ids, same, list(cyvasse.left_out())])
"""
    before, unasked, ids, same, left_out = told(tmp_path, code)
    assert not before
    assert not unasked  # nothing is looked for until it is needed
    assert ids[-1] == "hop"
    assert len(ids) == len(set(ids)) == 5
    assert same
    assert left_out == []


def test_other_processes_find_it_too(tmp_path: Path) -> None:
    """Positions and actions are sent to processes that have not asked for any rule set yet."""
    install(tmp_path, "cyvasse_hop", HOP, {"hop": "cyvasse_hop:HOP"})
    code = """
import cyvasse, pickle, subprocess, sys
position = cyvasse.rule_set("hop").random_position(seed=1)
things = pickle.dumps([position.legal_actions()[0], position])
reader = "import pickle, sys; one, two = pickle.load(sys.stdin.buffer); print(one, two.text())"
done = subprocess.run([sys.executable, "-c", reader], input=things, capture_output=True, check=True)
tell([done.stdout.decode().strip(), f"{position.legal_actions()[0]} {position.text()}"])
"""
    heard, said = told(tmp_path, code)
    assert heard == said


def test_one_that_registers_itself_is_the_same(tmp_path: Path) -> None:
    module = f"{HOP}\nimport cyvasse\ncyvasse.register(HOP)\n"
    install(tmp_path, "cyvasse_hop", module, {"hop": "cyvasse_hop:HOP"})
    code = "import cyvasse; tell([[r.id for r in cyvasse.rule_sets()], list(cyvasse.left_out())])"
    ids, left_out = told(tmp_path, code)
    assert ids.count("hop") == 1
    assert left_out == []


OWN = f"{HOP}\nfrom dataclasses import replace\n"
INCOMPLETE = f"""{OWN}
class Half(PlainPosition):
    actions = HopPosition.actions
RULES = replace(HOP, position_type=Half)
"""
GROUNDLESS = f"""{OWN}
class Hole(HopScene):
    def ground(self, square):
        return {{}}[square]
RULES = replace(HOP, scene_type=Hole)
"""
STUCK = f"""{OWN}
class Stuck(HopPosition):
    def actions(self):
        return ["a1-a9"]
RULES = replace(HOP, position_type=Stuck)
"""
TAKEN = """
from dataclasses import replace
from cyvasse import rule_set
RULES = replace(rule_set("croft"), title="Mine")
"""
BROKEN = {
    "missing": ("import nothing", "No module named 'nothing' (broken.py, line 1)"),
    "nameless": ("", "AttributeError: module 'broken' has no attribute 'RULES'"),
    "raising": ("\nraise OSError('no disk')", "OSError: no disk (broken.py, line 2)"),
    "leaving": ("raise SystemExit(3)", "SystemExit: 3 (broken.py, line 1)"),
    "silent": ("raise BaseException", "BaseException (broken.py, line 1)"),
    "wrong": ("RULES = 42", "broken:RULES is 42, not a RuleSet"),
    "taken": (TAKEN, "there is already a rule set 'croft'"),
    "incomplete": (INCOMPLETE, "Half lacks act and ended, which every PlainPosition writes"),
    "groundless": (GROUNDLESS, "KeyError: 'a1' (broken.py, line "),
    "stuck": (STUCK, "hop: Stuck.actions lists 'a1-a9': no square 'a9' on the hop board"),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_one_is_left_out_and_the_rest_works(tmp_path: Path, fault: str) -> None:
    module, why = BROKEN[fault]
    install(tmp_path, "broken", module, {fault: "broken:RULES"})
    install(tmp_path, "sound", HOP, {"sound": "sound:HOP"})
    code = """
import cyvasse, warnings
with warnings.catch_warnings(record=True) as heard:
    warnings.simplefilter("always")
    ids = [rules.id for rules in cyvasse.rule_sets()]
    cyvasse.rule_sets()
warned = [[w.category.__name__, str(w.message)] for w in heard
          if not issubclass(w.category, cyvasse.UncompiledWarning)]
tell([ids, warned, dict(cyvasse.left_out())])
"""
    ids, warned, left_out = told(tmp_path, code)
    assert len(ids) == 5
    assert ids[-1] == "hop"
    sentence = left_out[fault]
    assert sentence.startswith(f"the rule set {fault} of broken 1.0 is left out: ")
    assert why in sentence
    assert "\n" not in sentence
    assert warned == [["LeftOutWarning", sentence]]


def test_the_command_names_what_was_left_out(tmp_path: Path) -> None:
    install(tmp_path, "broken", "import no_such_module", {"own": "broken:RULES"})
    install(tmp_path, "cyvasse_hop", HOP, {"hop": "cyvasse_hop:HOP"})
    listed = run(tmp_path, "-m", "cyvasse", "rulesets")
    assert listed.returncode == 0
    assert listed.stdout.splitlines()[-1].split() == ["hop", "Hop", "The", "tests", "25", "squares"]
    why = "the rule set own of broken 1.0 is left out: ModuleNotFoundError: No module named"
    assert f"cyvasse: {why} 'no_such_module'" in listed.stderr
    asked = run(tmp_path, "-m", "cyvasse", "show", "own")
    assert asked.returncode == 2
    assert why in asked.stderr
    shown = run(tmp_path, "-m", "cyvasse", "show", "hop", "--seed", "1")
    assert shown.returncode == 0
    assert "White to act." in shown.stdout


def test_warnings_that_are_errors_leave_everything_usable(tmp_path: Path) -> None:
    install(tmp_path, "broken", "RULES = 42", {"own": "broken:RULES"})
    install(tmp_path, "cyvasse_hop", HOP, {"hop": "cyvasse_hop:HOP"})
    code = """
import cyvasse, warnings
warnings.simplefilter("error", cyvasse.LeftOutWarning)
try:
    cyvasse.rule_sets()
except cyvasse.LeftOutWarning as warning:
    said = str(warning)
tell([said, [rules.id for rules in cyvasse.rule_sets()][-1]])
"""
    assert told(tmp_path, code) == [
        "the rule set own of broken 1.0 is left out: broken:RULES is 42, not a RuleSet",
        "hop",
    ]


def test_bots_of_the_server_know_it(tmp_path: Path) -> None:
    """They think in processes of their own."""
    install(tmp_path, "cyvasse_hop", HOP, {"hop": "cyvasse_hop:HOP"})
    code = """
import asyncio, cyvasse
from cyvasse.server.bots import Bots

async def answer():
    bots = Bots()
    made_do = []
    bots._make_do = lambda asked: made_do.append(asked)
    await bots.start()
    game = cyvasse.Game.from_position(cyvasse.rule_set("hop").random_position(seed=1))
    action = await bots.choose(game, level=2)
    await bots.close()
    return game.position.is_legal(action), len(made_do)

tell(asyncio.run(answer()))
"""
    assert told(tmp_path, code) == [True, 0]


def test_matches_are_played_by_it(tmp_path: Path) -> None:
    install(tmp_path, "cyvasse_hop", HOP, {"hop": "cyvasse_hop:HOP"})
    words = ("match", "hop", "level:1", "random", "--games", "2", "--jobs", "2", "--json")
    done = run(tmp_path, "-m", "cyvasse", *words)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["games"] == 2
