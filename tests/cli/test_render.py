"""``cyvasse render``: positions and games as pictures."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

import cyvasse
from cyvasse.draw import bare_svg, board_svg
from tests.cli import command
from tests.tiers import missing

needs_pixels = pytest.mark.skipif(
    find_spec("resvg_py") is None, reason="the base install draws SVG alone"
)


def run(*words: str, text: str = "", code: int = 0) -> str:
    return command.run("render", *words, text=text, code=code)


@pytest.fixture
def game(tmp_path: Path) -> tuple[Path, cyvasse.Game]:
    game = cyvasse.Game.from_position(cyvasse.rule_set("nine-tile").random_position(seed=2))
    while len(game.turns()) < 5 or game.in_turn:
        game.play(game.legal_actions()[0])
    path = tmp_path / "game.txt"
    path.write_text(cyvasse.write_game(game) + "\n" + cyvasse.write_game(game), encoding="utf-8")
    return path, game


@pytest.mark.parametrize("rules", cyvasse.rule_sets(), ids=lambda rules: rules.id)
def test_positions(rules: cyvasse.RuleSet, tmp_path: Path) -> None:
    position = rules.random_position(seed=1)
    out = tmp_path / "board.svg"
    run(position.text(), "-o", str(out))
    assert out.read_text(encoding="utf-8") == board_svg(position, size=640)
    assert run(position.text(), "-o", "-") == board_svg(position, size=640)


@needs_pixels
@pytest.mark.parametrize("rules", cyvasse.rule_sets(), ids=lambda rules: rules.id)
def test_pixels(rules: cyvasse.RuleSet, tmp_path: Path) -> None:
    from PIL import Image

    position = rules.random_position(seed=1)
    picture = tmp_path / "board.png"
    run(position.text(), "-o", str(picture), "--size", "200", "--theme", "dark")
    with Image.open(picture) as image:
        assert image.width == 200
        assert len(image.convert("RGB").getcolors(1 << 24) or []) > 20  # something is drawn


def test_a_game_is_drawn_at_its_last_turn(game: tuple[Path, cyvasse.Game], tmp_path: Path) -> None:
    path, played = game
    out = tmp_path / "last.svg"
    run(str(path), "-o", str(out))
    last = played.actions[-1]
    assert out.read_text(encoding="utf-8") == board_svg(played.position, last=last, size=640)
    run(str(path), "-o", str(out), "--turn", "0", "--game", "2")
    assert out.read_text(encoding="utf-8") == board_svg(played.start, size=640)
    assert "has 5 turns" in run(str(path), "-o", str(out), "--turn", "6", code=2)
    assert "there is no game 3" in run(str(path), "-o", str(out), "--game", "3", code=2)


@needs_pixels
def test_a_game_moves(game: tuple[Path, cyvasse.Game], tmp_path: Path) -> None:
    from PIL import Image

    path, played = game
    out = tmp_path / "game.gif"
    run(str(path), "-o", str(out), "--size", "160", "--seconds", "0.5")
    with Image.open(out) as image:
        assert image.n_frames == 1 + len(played.turns())  # type: ignore[attr-defined]
        assert image.info["duration"] == 500
        image.seek(image.n_frames - 1)  # type: ignore[attr-defined]
        assert image.info["duration"] == 3000


def test_marks_arrows_and_styles(tmp_path: Path) -> None:
    position = cyvasse.rule_set("nine-tile").random_position(seed=1)
    text, out = position.text(), tmp_path / "board.svg"
    words = ["--mark", "e5", "--mark", "e6=dot", "--arrow", "f4-f5", "--style", "hexagons"]
    run(text, "-o", str(out), *words, "--bottom", "black", "--no-coordinates")
    assert out.read_text(encoding="utf-8") == board_svg(
        position,
        marks={"e5": "ring", "e6": "dot"},
        arrows=[("f4", "f5")],
        style="hexagons",
        bottom="black",
        coordinates=False,
        size=640,
    )
    action = next(action for action in position.legal_actions() if action.kind == "move")
    assert action.origin is not None
    run(text, "-o", str(out), "--select", action.origin)
    reach = {
        each.target: "dot"
        for each in position.legal_actions()
        if each.origin == action.origin and each.kind == "move" and each.target
    }
    drawn = board_svg(position, marks={action.origin: "selected", **reach}, size=640)
    assert out.read_text(encoding="utf-8") == drawn


def test_bad_input(tmp_path: Path) -> None:
    out = str(tmp_path / "board.png")
    position = cyvasse.rule_set("croft").random_position(seed=1).text()
    for words, told in (
        ((position, "-o", "board.jpg"), "end it in .svg"),
        (("nothing", "-o", out), "nothing"),
        ((position, "-o", out, "--mark", "z99"), "z99"),
        ((position, "-o", out, "--mark", "e4=star"), "star"),
        ((position, "-o", out, "--arrow", "e4"), "arrow"),
        ((position, "-o", out, "--select", "z99"), "z99"),
        ((position, "-o", out, "--style", "round"), "round"),
        ((position, "-o", out, "--theme", "pink"), "pink"),
        ((position, "-o", out, "--bottom", "green"), "green"),
        ((position, "-o", out, "--turn", "1"), "game file"),
    ):
        assert told in run(*words, code=2)
    assert not Path(out).exists()
    bad = tmp_path / "bad.txt"
    bad.write_bytes(b"\xff\xfe\0")
    run(str(bad), "-o", out, code=2)
    bad.write_text('[Rules "croft"]\n\n1. a1-a99\n', encoding="utf-8")
    assert "line" in run(str(bad), "-o", out, code=2)


def test_notebooks_show_boards() -> None:
    position = cyvasse.rule_set("croft").random_position(seed=1)
    assert position._repr_svg_() == board_svg(position, size=480)
    game = cyvasse.Game(cyvasse.rule_set("croft"))
    assert game._repr_svg_() is None
    game = cyvasse.Game.from_position(position)
    assert game._repr_svg_() == board_svg(position, size=480)
    game.play(game.legal_actions()[0])
    assert game._repr_svg_() == board_svg(game.position, last=game.actions[0], size=480)


@pytest.mark.parametrize("rules", cyvasse.rule_sets(), ids=lambda rules: rules.id)
def test_a_bare_board(rules: cyvasse.RuleSet) -> None:
    svg = run(rules.id, "--empty", "-o", "-", "--size", "300", "--mark", rules.board.squares[0])
    assert svg == bare_svg(rules, size=300, marks={rules.board.squares[0]: "ring"})
    assert "the bare board" in svg
    assert "White:" not in svg
    assert "--seed" in run(rules.id, "--empty", "--seed", "1", "-o", "-", code=2)
    assert "alone" in run(rules.id, "w", "--empty", "-o", "-", code=2)
    assert "nothing" in run("nothing", "--empty", "-o", "-", code=2)


@needs_pixels
def test_pixels_have_letters_and_a_margin(tmp_path: Path) -> None:
    from PIL import Image

    def drawn(*words: str) -> Image.Image:
        run("croft", "--empty", "-o", str(tmp_path / "board.png"), *words)
        with Image.open(tmp_path / "board.png") as image:
            return image.convert("RGBA")

    image = drawn()
    edge = [image.getpixel((x, y)) for x in (0, 1) for y in range(image.height)]
    assert {pixel[3] for pixel in edge if isinstance(pixel, tuple)} == {0}
    if not any(Path("/usr/share/fonts").rglob("DejaVuSans.ttf")):
        missing("the font DejaVu Sans is not installed")
    # The middle of the frame below the board has nothing but the letters of the columns.
    top = image.height - 26
    frame = image.crop((60, top, image.width - 60, top + 12))
    assert len(frame.getcolors() or []) > 10
