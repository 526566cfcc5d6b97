"""Tables, their files, and what pointing at squares means."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import cyvasse
from cyvasse.terminal.arrange import Kit, Thing, empty, mirrored, moved, thing_at
from cyvasse.terminal.bench import Bench
from cyvasse.terminal.choose import Choices, in_plain_words, pointed
from cyvasse.terminal.grid import SIZES, Grid, fitting
from cyvasse.terminal.keeping import (
    Keeper,
    kept_games,
    open_file,
    read_table,
    seal,
    unseal,
    write_table,
)
from cyvasse.terminal.looks import text_board
from cyvasse.terminal.orders import Order, wanted_setup
from cyvasse.terminal.table import Table, where_to_look

ALL = pytest.mark.parametrize("rules", cyvasse.rule_sets(), ids=lambda rules: rules.id)
WHITE, BLACK = cyvasse.WHITE, cyvasse.BLACK


def begun(rules: cyvasse.RuleSet, bots: dict[cyvasse.Color, int] | None = None) -> Table:
    table = Table.new(rules, bots, first=WHITE, seed=1)
    for color in table.persons:
        table.submit(color, table.good_setup(color))
    return table


@ALL
def test_undo_takes_back_whole_turns(rules: cyvasse.RuleSet) -> None:
    table = begun(rules)
    chance = random.Random(1)
    hashes = [table.game.position.hash]
    while len(table.game.turns()) < 6 and not table.game.outcome():
        table.game.play(chance.choice(table.game.legal_actions()))
        if not table.game.in_turn:
            hashes.append(table.game.position.hash)
    if table.game.in_turn:
        table.undo()
        assert table.game.position.hash == hashes[-1]
    for before in reversed(hashes[:-1]):
        table.undo()
        assert table.game.position.hash == before
    with pytest.raises(cyvasse.NothingToUndoError):
        table.undo()


@ALL
def test_undo_against_a_bot_goes_back_to_the_person(rules: cyvasse.RuleSet) -> None:
    table = begun(rules, {WHITE: 1})
    while table.bot_to_act is not None:
        table.game.play(table.engine().choose(table.game))
    opening = table.game.ply
    with pytest.raises(cyvasse.NothingToUndoError):
        table.undo()
    while table.bot_to_act is None:
        table.game.play(table.game.legal_actions()[0])
    while table.bot_to_act is not None:
        table.game.play(table.engine().choose(table.game))
    table.undo()
    assert table.game.ply == opening
    assert table.bot_to_act is None


def test_two_bots_and_levels_that_are_not() -> None:
    with pytest.raises(cyvasse.CyvasseError, match="one player must be a person"):
        Table.new("croft", {WHITE: 1, BLACK: 1})
    with pytest.raises(cyvasse.CyvasseError, match="levels are 1 to 10"):
        Table.new("croft", {WHITE: 11})


@ALL
def test_files_bring_back_the_table(rules: cyvasse.RuleSet) -> None:
    table = begun(rules, {BLACK: 3})
    table.game.play(table.game.legal_actions()[0])
    text = write_table(table, {})
    again, submitted = read_table(text)
    assert again.game.actions == table.game.actions
    assert (again.bots, submitted) == ({BLACK: 3}, {})
    assert write_table(again, {}) == text
    assert "WhiteBot" not in table.game.tags


def test_a_level_of_before_keeps_its_limits() -> None:
    """A number alone is of the eight levels that there were; those of the ten say so."""
    table = begun(cyvasse.rule_set("nine-tile"), {BLACK: 3})
    text = write_table(table, {})
    assert '[BlackBot "3/10"]' in text
    old = text.replace("3/10", "3")
    again, _ = read_table(old)
    assert again.bots == {BLACK: -3}
    assert again.name(BLACK) == "Black (bot, former level 3)"
    assert write_table(again, {}) == old
    for wrong in ("11/10", "0/10", "9", "-3", "3/8"):
        with pytest.raises(cyvasse.CyvasseError, match="not a level such as 3/10"):
            read_table(text.replace("3/10", wrong))


def test_the_first_half_of_a_hint_names_the_piece() -> None:
    position = cyvasse.parse_position("nine-tile 6k1/6L2/10/11/12/11/10/9/7K - w - 0")
    action = cyvasse.Action.parse("g8xg9", position.board)
    assert where_to_look(position, action) == "Look at your Light Horse on g8."
    end = cyvasse.Action.parse("end", position.board)
    assert where_to_look(position, end) is None


@ALL
def test_hidden_setups_are_sealed(rules: cyvasse.RuleSet, tmp_path: Path) -> None:
    table = Table.new(rules, seed=1)
    keeper = Keeper(tmp_path)
    secret = rules.random_setup(WHITE, 5)
    keeper.submit(table, WHITE, secret)
    table.drafts[BLACK] = rules.random_setup(BLACK, 6)
    keeper.keep(table)
    assert keeper.path is not None
    text = keeper.path.read_text()
    written = cyvasse.write_setup(secret)
    assert not any(part in text for part in written.split()[2:] if len(part) > 3)
    assert keeper.path.stat().st_mode & 0o077 == 0
    (kept,) = kept_games(tmp_path)
    assert kept.submitted == {WHITE: secret}
    assert kept.table.drafts == table.drafts
    assert kept.table.to_set_up() is BLACK
    # The same setup looks different each time: nobody can compare.
    assert write_table(table, keeper.submitted) != text


def test_envelopes_that_were_damaged() -> None:
    envelope = seal("croft white 10/10/10/10/10 - -")
    for wrong in ("", "x", envelope[:-4], envelope[4:], "A" + envelope[1:], "ä" * 40, "=" * 8):
        if wrong != envelope:
            with pytest.raises(cyvasse.NotationError):
                unseal(wrong)


@ALL
def test_truncated_files_are_refused_in_words(rules: cyvasse.RuleSet, tmp_path: Path) -> None:
    table = begun(rules, {BLACK: 2})
    for _ in range(4):
        table.game.play(table.game.legal_actions()[0])
    text = write_table(table, {})
    file = tmp_path / "cut.cyvasse"
    for length in range(0, len(text) - 3, 7):
        file.write_text(text[:length])
        with pytest.raises(cyvasse.CyvasseError, match=r"cut\.cyvasse"):
            open_file(file)
    assert kept_games(tmp_path) == []


@pytest.mark.parametrize(
    "tag", ['[WhiteBot "99"]', '[WhiteBot ""]', '[WhiteSealed "zz"]', '[Begins "green"]']
)
def test_tags_that_make_no_sense(tag: str, tmp_path: Path) -> None:
    file = tmp_path / "game"
    file.write_text(f'[Rules "croft"]\n{tag}\n[Result "*"]\n\n*\n')
    with pytest.raises(cyvasse.CyvasseError):
        open_file(file)


def test_setups_that_are_wished_for(tmp_path: Path) -> None:
    table = Order(cyvasse.rule_set("croft"), seed=3).table()
    rules = table.rules
    assert wanted_setup(table, BLACK, "pyke") == rules.named_setups("black")["pyke"]
    assert rules.check_setup(wanted_setup(table, WHITE, "random")) == []
    file = tmp_path / "setup"
    file.write_text(cyvasse.write_setup(rules.named_setups("white")["pyke"]) + "\n")
    assert wanted_setup(table, BLACK, str(file)) == rules.named_setups("black")["pyke"]
    with pytest.raises(cyvasse.CyvasseError, match="or a file"):
        wanted_setup(table, WHITE, "nonsense")
    with pytest.raises(cyvasse.CyvasseError, match="no such file"):
        wanted_setup(table, WHITE, str(tmp_path))


@ALL
def test_every_action_can_be_pointed_out(rules: cyvasse.RuleSet) -> None:
    chance = random.Random(2)
    for seed in range(4):
        position = rules.random_position(seed)
        for _ in range(40):
            legal = position.legal_actions()
            if not legal:
                break
            choices = Choices.of(position)
            found = set(choices.others)
            for square in choices.squares:
                found |= set(choices.meanings(None, square))
            for source in choices.sources:
                for square, kind in choices.targets(source).items():
                    assert kind in ("move", "take", "shot")
                    found |= set(choices.meanings(source, square))
            assert found == set(legal)
            assert all(in_plain_words(rules, action) for action in legal)
            assert all(
                action in choices.others or pointed(action) in rules.board for action in legal
            )
            position.play(chance.choice(legal))


@ALL
def test_grids(rules: cyvasse.RuleSet) -> None:
    for bottom in cyvasse.Color:
        for squares in (rules.board.squares, rules.home(bottom)):
            for size in SIZES:
                grid = Grid(rules.board, squares, size, bottom)
                taken = set()
                for square in squares:
                    x, y = grid.place(square)
                    for dx in range(size.width):
                        for dy in range(size.height):
                            assert grid.at(x + dx, y + dy) == square
                            taken.add((x + dx, y + dy))
                    assert x + size.width <= grid.width
                    assert y + size.height <= grid.height
                assert len(taken) == len(squares) * size.width * size.height
                assert all(0 <= x < grid.width and y < grid.height for x, y, _ in grid.labels)
    own = rules.home(WHITE)[0]
    grid = fitting(rules.board, rules.board.squares, BLACK, 80, 24)
    assert grid.place(own)[1] < grid.height // 2 + 1


@ALL
def test_mirrors_and_moves(rules: cyvasse.RuleSet) -> None:
    for color in cyvasse.Color:
        kit = Kit.of(rules, color)
        for seed in range(5):
            setup = rules.random_setup(color, seed)
            once = mirrored(kit, setup)
            assert once is not None
            assert mirrored(kit, once) == setup
            one, other = random.Random(seed).sample(sorted(setup.pieces), 2)
            assert moved(kit, moved(kit, setup, one, other), one, other) == setup
        assert rules.check_setup(empty(kit))


@ALL
def test_nothing_is_doubled_on_the_bench(rules: cyvasse.RuleSet) -> None:
    chance = random.Random(3)
    for color in cyvasse.Color:
        bench = Bench(rules, color)
        squares = rules.board.squares
        for _ in range(400):
            match chance.randrange(8):
                case 0:
                    bench.next_layer()
                case 1 | 2:
                    bench.pick(chance.choice(bench.items()).thing)
                case 3:
                    bench.take_off(chance.choice(squares))
                case 4:
                    bench.undo()
                case _:
                    bench.tap(chance.choice(squares))
            bench.problems()
            bench.seen()
            assert set(bench.setup.pieces) <= bench.kit.home
            for kind in rules.piece_types:
                on = [at for at, name in bench.setup.pieces.items() if name == kind.name]
                assert len(on) <= kind.count
            for item in bench.items():
                assert item.left >= 0 or item.thing.kind == "brush"
            for square in bench.setup.pieces:
                thing = thing_at(bench.kit, bench.setup, square)
                assert thing == Thing("piece", bench.setup.pieces[square])


@ALL
def test_text_boards_show_every_piece(rules: cyvasse.RuleSet) -> None:
    position = rules.random_position(4, actions=6)
    for bottom in cyvasse.Color:
        text = text_board(position.scene(), rules.board.squares, bottom)
        letters = sorted(c for line in text.splitlines() for c in line[9:] if c.isalpha())
        wanted = sorted(
            rules.piece_type(man.type).letter
            if man.color is WHITE
            else rules.piece_type(man.type).letter.lower()
            for man in position.pieces().values()
        )
        marks = [c for c in letters if c in "noz"]
        assert [c for c in letters if c not in "noz"] == wanted, marks
