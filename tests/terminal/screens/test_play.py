"""Games on the screen, played by keys and by mouse."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.errors import NoWidget

import cyvasse
from cyvasse.terminal.choose import Choices
from cyvasse.terminal.keeping import kept_games, open_file
from cyvasse.terminal.screens.dialogs import Pick, Tell
from cyvasse.terminal.screens.start import StartScreen
from tests.events import EVENTS
from tests.tiers import one_of

from .player import Player, order, sitting

IDS = [rules.id for rules in cyvasse.rule_sets()]
LONGEST = 250


def play(folder: Path, script: Callable[[Player], Awaitable[None]], **words: object) -> None:
    async def run() -> None:
        rules = str(words.pop("rules", "nine-tile"))
        size = words.pop("size", (80, 24))
        assert isinstance(size, tuple)
        async with sitting(folder, order(rules, **words), size=size) as player:
            await script(player)

    asyncio.run(run())


async def whole_game(player: Player, mouse: bool) -> None:
    """Against the weakest bot, as a stronger one would play."""
    mind = cyvasse.Engine(4, seed=5)
    for _ in range(LONGEST):
        await player.wait_for_bot()
        if player.game.outcome():
            break
        await player.act(mind.choose(player.game), mouse)
    outcome = player.game.outcome()
    assert outcome is not None
    await player.pilot.pause()
    assert player.lines()[0].strip().startswith(str(outcome))
    path = player.app.keeper.path
    assert path is not None
    assert open_file(path).table.game.outcome() == outcome


@pytest.mark.slow
@pytest.mark.parametrize("rules", one_of(IDS, "gameofcyvasse"))
def test_a_whole_game_by_keys(tmp_path: Path, rules: str) -> None:
    play(tmp_path, lambda player: whole_game(player, mouse=False), rules=rules, seed=2)


@pytest.mark.parametrize("rules", one_of(IDS, "mikelepage"))
def test_a_whole_game_by_mouse(tmp_path: Path, rules: str) -> None:
    play(tmp_path, lambda player: whole_game(player, mouse=True), rules=rules, seed=3)


@pytest.mark.parametrize("rules", IDS)
def test_two_at_one_keyboard_in_a_narrow_window(tmp_path: Path, rules: str) -> None:
    async def script(player: Player) -> None:
        chance = random.Random(1)
        for _ in range(12):
            assert player.app.seated.bot_to_act is None
            await player.act(chance.choice(player.game.legal_actions()))
        assert len({turn.color for turn in player.game.turns()}) == 2

    play(tmp_path, script, rules=rules, level=None, size=(40, 12))


def test_targets_and_reasons(tmp_path: Path) -> None:
    async def script(player: Player) -> None:
        choices = Choices.of(player.game.position)
        source = next(iter(choices.sources))
        targets = choices.targets(source)
        await player.tap(source)
        signs = player.playing._signs()
        assert "chosen" in signs[source]
        assert {at for at, names in signs.items() if names & {"move", "take", "shot"}} == set(
            targets
        )
        wrong = next(
            at
            for at in player.game.rules.board.squares
            if at not in targets and at not in choices.sources
        )
        await player.tap(wrong)
        assert player.sees(cyvasse.why(player.game.position, source, wrong)[:40])
        assert player.playing.chosen == source
        await player.press("escape")
        assert player.playing.chosen is None
        other = next(
            at for at, man in player.game.position.pieces().items() if man.color is cyvasse.BLACK
        )
        await player.tap(other)
        assert player.sees("is Black's, and it is White's turn.")

    play(tmp_path, script, level=None)


def test_undo_takes_back_a_turn_and_an_unfinished_one(tmp_path: Path) -> None:
    async def script(player: Player) -> None:
        start = player.game.position.hash
        await player.press("u")
        assert player.sees("You have not played anything yet")
        for _ in range(3):
            await player.act(player.game.legal_actions()[0])
            await player.wait_for_bot()
        while not player.game.in_turn:  # a turn that may go on
            turn = player.game.turns()
            action = next(
                (each for each in player.game.legal_actions() if goes_on(player.game, each)), None
            )
            if action is None:
                await player.act(player.game.legal_actions()[0])
                await player.wait_for_bot()
                continue
            await player.act(action)
            assert len(player.game.turns()) == len(turn) + 1
        assert "again" in player.lines()[0]
        await player.press("u")
        assert not player.game.in_turn
        assert player.sees("1 action taken back.")
        for _ in range(60):
            if not player.game.ply:
                break
            await player.press("u")
        assert player.game.position.hash == start
        await player.wait_for_bot()
        assert player.game.ply == 0

    play(tmp_path, script)


def goes_on(game: cyvasse.Game, action: cyvasse.Action) -> bool:
    position = game.position
    position.play(action)
    return position.in_turn and position.outcome() is None


def test_undo_while_the_bot_thinks(tmp_path: Path) -> None:
    async def script(player: Player) -> None:
        await player.pilot.press("a")
        await player.pilot.pause()
        action = str(player.game.legal_actions()[0])
        await player.pilot.press(*[c if c != "-" else "minus" for c in action], "enter", "u")
        await player.pilot.pause(0.05)
        assert player.game.ply == 0
        assert player.app.seated.bot_to_act is None

    play(tmp_path, script, level=8)


def test_the_bot_begins_and_can_be_hurried(tmp_path: Path) -> None:
    async def script(player: Player) -> None:
        await player.press("escape")
        await player.wait_for_bot()
        assert player.game.turns()[0].color is cyvasse.WHITE
        assert player.view.bottom is cyvasse.BLACK
        last = player.game.turns()[-1].actions[-1]
        assert last.target is not None
        assert "last" in player.playing._signs()[last.target]

    play(tmp_path, script, color=cyvasse.BLACK, level=7)


def test_hint(tmp_path: Path) -> None:
    async def script(player: Player) -> None:
        await player.press("h")
        await player.wait_until("Hint: Look at your ")
        advice = player.playing.advice
        assert advice is not None
        assert advice[0].origin is not None
        marked = [at for at, names in player.playing._signs().items() if "hint" in names]
        assert marked == [advice[0].origin]
        await player.press("h")
        await player.wait_until("; score ")
        hinted = player.playing.hinted
        assert hinted == advice[0]
        assert hinted in player.game.legal_actions()
        assert hinted.target is not None
        assert "hint" in player.playing._signs()[hinted.target]

    play(tmp_path, script)


def test_no_hint_between_two_people(tmp_path: Path) -> None:
    async def script(player: Player) -> None:
        await player.press("h")
        await player.wait_until("Hints are for games against a bot")
        assert player.playing.advice is None

    play(tmp_path, script, level=None)


def test_playing_on_while_a_hint_is_thought_about(tmp_path: Path) -> None:
    async def script(player: Player) -> None:
        await player.press("h")
        await player.act(player.game.legal_actions()[0])
        await player.wait_for_bot()
        assert len(player.game.turns()) == 2

    play(tmp_path, script, rules="gameofcyvasse")


def test_king_in_danger(tmp_path: Path) -> None:
    text = "nine-tile 6k1/9/10/11/12/7r3/7K2/9/8 - w - 0"
    position = cyvasse.parse_position(text)
    king = next(at for at, man in position.pieces().items() if man == (cyvasse.WHITE, "king"))
    assert [danger.squares for danger in position.dangers()] == [(king,)]
    file = tmp_path / "own" / "threat.cyvasse"
    file.parent.mkdir()
    file.write_text(cyvasse.write_game(cyvasse.Game.from_position(position)))

    async def run() -> None:
        async with sitting(tmp_path, kept=open_file(file)) as player:
            assert player.sees(f"White's King on {king} can be taken by")
            assert player.sees("!K!")

    asyncio.run(run())


def test_what_gives_something_away_is_asked_about(tmp_path: Path) -> None:
    (event,) = (each for each in EVENTS if each["event"] == "own piece captured")
    position = cyvasse.parse_position(event["position"])
    file = tmp_path / "own" / "risk.cyvasse"
    file.parent.mkdir()
    file.write_text(cyvasse.write_game(cyvasse.Game.from_position(position)))

    async def run() -> None:
        async with sitting(tmp_path, kept=open_file(file), questions=True) as player:
            for answer, ply in (("escape", 0), ("enter", 1)):
                player.playing._play(event["actions"][0])
                await player.wait_until("Play it all the same?")
                assert player.sees("This strikes White's own Heavy Horse on d4.")
                await player.press(answer)
                assert player.game.ply == ply
            assert player.sees(event["told"][0]["text"])

    asyncio.run(run())


def test_save_and_resume(tmp_path: Path) -> None:
    file = tmp_path / "mine" / "a game.cyvasse"

    async def script(player: Player) -> None:
        await player.act(player.game.legal_actions()[3])
        await player.wait_for_bot()
        await player.press("s")
        await player.type(str(file))
        await player.wait_until("Saved in")
        saved = open_file(file).table
        assert saved.game.actions == player.game.actions
        assert saved.bots == {cyvasse.BLACK: 1}
        await player.act(player.game.legal_actions()[0])
        await player.wait_for_bot()

    play(tmp_path / "games", script)
    before = file.read_text()

    async def again() -> None:
        async with sitting(tmp_path / "games", kept=open_file(file)) as player:
            assert player.game.ply > 0
            await player.act(player.game.legal_actions()[0])
            await player.wait_for_bot()

    asyncio.run(again())
    assert file.read_text() == before
    games = kept_games(tmp_path / "games")
    assert len(games) == 2
    assert all(kept.table.bots == {cyvasse.BLACK: 1} for kept in games)


def test_quitting_keeps_the_game_and_the_first_screen_offers_it(tmp_path: Path) -> None:
    async def script(player: Player) -> None:
        await player.act(player.game.legal_actions()[0])
        await player.pilot.press("q")
        await player.pilot.pause()
        assert not player.app.is_running

    play(tmp_path, script, level=10, rules="gameofcyvasse")

    async def again() -> None:
        async with sitting(tmp_path) as player:
            assert isinstance(player.app.screen, StartScreen)
            assert player.sees("Go on: The Rules of Cyvasse, bot level 10, turn 1")
            await player.press(*["down"] * 5, "enter")
            assert player.game.ply >= 1
            await player.wait_for_bot()
            assert len(player.game.turns()) == 2

    asyncio.run(again())


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")

    async def script(player: Player) -> None:
        assert player.sees("The game is not being kept: cannot write")
        await player.act(player.game.legal_actions()[0])
        await player.press("s")
        await player.type(str(blocked / "game"))
        await player.wait_until("cannot write")

    play(blocked / "games", script, level=None, size=(200, 60))


def test_resign_and_draw(tmp_path: Path) -> None:
    async def resign(player: Player) -> None:
        await player.press("x")
        assert isinstance(player.app.screen, Pick)
        await player.press("down", "enter")
        assert player.game.outcome() is None
        await player.press("x", "enter")
        assert str(player.game.outcome()) == "Black wins: resignation"
        assert player.sees("Black wins: resignation")
        await player.press("u", "x", "d", "e", "h", "a", "enter")
        assert str(player.game.outcome()) == "Black wins: resignation"

    async def draw(player: Player) -> None:
        await player.press("d")
        assert player.sees("Black: a draw is offered.")
        await player.press("enter")
        assert str(player.game.outcome()) == "Draw: draw agreed"

    async def offer(player: Player) -> None:
        await player.press("d")
        for _ in range(500):
            if player.playing.thought is None:
                break
            await player.pilot.pause(0.01)
        assert player.game.outcome() or player.sees("The offer of a draw is declined.")

    play(tmp_path, resign)
    play(tmp_path, draw, level=None)
    play(tmp_path, offer)


def test_typed_actions_and_flip(tmp_path: Path) -> None:
    async def script(player: Player) -> None:
        action = str(player.game.legal_actions()[0])
        await player.press("a")
        await player.type("z9-z8")
        assert player.sees("z9")
        assert player.game.ply == 0
        await player.press("a")
        await player.type(action)
        assert str(player.game.actions[0]) == action
        top = player.view.grid.rows[0]
        await player.press("f")
        assert player.view.grid.rows[-1] == top[::-1]
        assert player.view.bottom is cyvasse.BLACK

    play(tmp_path, script, level=None)


def test_info_and_help_and_themes(tmp_path: Path) -> None:
    async def script(player: Player) -> None:
        action = player.game.legal_actions()[0]
        await player.act(action)
        await player.press("i")
        assert isinstance(player.app.screen, Tell)
        assert player.sees(f"1. White {action}")
        await player.press("escape", "question_mark")
        assert player.sees("take back the last turn")
        await player.press("escape", "y")
        assert player.app.theme == "light"
        await player.press("n")
        assert isinstance(player.app.screen, StartScreen)

    play(tmp_path, script, rules="croft", level=None, size=(60, 20))


GARBAGE = [
    *"abcdefghijklmoprstuvwxyz0123456789",
    *("tab", "shift+tab", "home", "end", "pageup", "pagedown", "insert", "delete", "backspace"),
    *("f1", "f5", "f12", "ctrl+a", "ctrl+p", "ctrl+z", "ctrl+l", "left_square_bracket", "minus"),
    *("escape", "enter", "space", "up", "down", "left", "right", "ä", "界", "question_mark"),
]


@pytest.mark.slow
@pytest.mark.parametrize("rules", one_of(IDS, "croft"))
@pytest.mark.parametrize("stage", ["good", None], ids=["play", "setup"])
def test_garbage_never_crashes(tmp_path: Path, rules: str, stage: str | None) -> None:
    async def script(player: Player) -> None:
        chance = random.Random(7)
        for number in range(100):
            if not player.app.is_running:  # a click on Quit, which is no crash
                assert number > 10
                break
            await player.pilot.press(chance.choice(GARBAGE))
            if chance.random() < 0.1:
                await player.pilot.resize_terminal(chance.randint(2, 120), chance.randint(2, 50))
            if chance.random() < 0.1:
                offset = (
                    chance.randrange(player.app.size.width),
                    chance.randrange(player.app.size.height),
                )
                # A window that has just changed may have nothing there yet.
                with contextlib.suppress(NoWidget):
                    await player.pilot.click(offset=offset)
        assert player.app.return_code in (None, 0)

    play(tmp_path, script, rules=rules, setup=stage)


def test_pastes_never_crash(tmp_path: Path) -> None:
    from textual import events

    async def script(player: Player) -> None:
        for text in ("e4-e5\n", "\x1b[31m" * 50, "[bold]x[/nope]", "\0", "q" * 10_000):
            player.app.screen.post_message(events.Paste(text))
            await player.press("a")
            player.app.screen.query_one("Input").post_message(events.Paste(text))
            await player.pilot.pause()
            await player.press("enter")
        assert player.game.ply in (0, 1)
        assert player.app.is_running

    play(tmp_path, script, level=None)
