"""How fast files of games are read and checked, beside python-chess reading PGN in the same run.

    python benchmarks/files.py [--json] [--rounds 7]

Each round reads, in CPU time, PGN games of random moves with ``chess.pgn.read_game`` and for each
rule set

    corpus   tests/data/corpus, whose setups hardly ever come twice;
    match    a thousand games with setups from the bot's pool, as a match of bots leaves them;
    stream   the same as the next thousand games of a long file.

Before the first two everything is forgotten that was kept of setups and actions.  The medians of
the rounds are reported, and the ratios of actions a second to moves a second.
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import random
import statistics
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import chess
import chess.pgn

import cyvasse
from cyvasse import Color, Game, RuleSet
from cyvasse.notation import gamereader

CORPUS = Path(__file__).parent.parent / "tests" / "data" / "corpus"
SEED = 7
CHESS_PLIES = 80
POOLED = 1000
SHORTEST = 0.1


def pgn(games: int) -> tuple[str, int]:
    """Chess games of random moves, and how many moves they have."""
    chance = random.Random(SEED)
    texts, moves = [], 0
    for _ in range(games):
        board = chess.Board()
        while not board.is_game_over() and board.ply() < CHESS_PLIES:
            board.push(chance.choice(list(board.legal_moves)))
        game = chess.pgn.Game.from_board(board)
        game.headers["White"] = game.headers["Black"] = "random"
        texts.append(str(game))
        moves += board.ply()
    return "\n\n".join(texts) + "\n", moves


def read_pgn(text: str) -> None:
    stream = io.StringIO(text)
    while chess.pgn.read_game(stream):
        pass


def corpus(rules: RuleSet) -> str:
    return gzip.decompress((CORPUS / f"{rules.id}.txt.gz").read_bytes()).decode()


def pooled(rules: RuleSet) -> str:
    """Games as long as those of the corpus, of random actions after setups from the pool."""
    chance = random.Random(SEED)
    texts = []
    models = list(cyvasse.read_games(corpus(rules)))
    for number in range(POOLED):
        model = models[number % len(models)]
        game = Game(rules)
        for color in Color:
            setup = cyvasse.choose_setup(rules, color, seed=chance.getrandbits(32))
            game.submit(color, setup)
        game.lift_screen(rules.first_player or chance.choice(list(Color)))
        while (game.ply < model.ply or game.in_turn) and game.outcome() is None:
            game.play(chance.choice(game.legal_actions()))
        if game.outcome() is None:
            game.agree_draw()
        texts.append(str(game))
    return "\n".join(texts)


def read(text: str, afresh: bool) -> None:
    if afresh:
        gamereader.forget()
    for _ in cyvasse.read_games(text):
        pass


def actions_in(text: str) -> int:
    return sum(game.ply for game in cyvasse.read_games(text))


def rate(work: Callable[[], object], moves: int) -> float:
    """Moves a second of CPU time; short work is done again and again."""
    start = time.process_time()
    done = 0
    while (spent := time.process_time() - start) < SHORTEST:
        work()
        done += 1
    return done * moves / spent


def measure(rounds: int, games: int) -> dict[str, Any]:
    chess_text, chess_moves = pgn(games)
    texts: dict[str, str] = {}
    for rules in cyvasse.rule_sets():
        texts[f"{rules.id}, corpus"] = corpus(rules)
        texts[f"{rules.id}, match"] = texts[f"{rules.id}, stream"] = pooled(rules)
    actions = {name: actions_in(text) for name, text in texts.items()}
    samples: dict[str, list[float]] = {"python-chess": [], **{name: [] for name in texts}}
    for _ in range(rounds):
        samples["python-chess"].append(rate(lambda: read_pgn(chess_text), chess_moves))
        for name, text in texts.items():
            work = partial(read, text, not name.endswith("stream"))
            samples[name].append(rate(work, actions[name]))
    medians = {name: statistics.median(found) for name, found in samples.items()}
    reference = medians.pop("python-chess")
    return {
        "python-chess": {"moves_per_second": round(reference)},
        **{
            name: {
                "actions_per_second": round(value),
                "ratio": round(value / reference, 1),
                "actions": actions[name],
            }
            for name, value in medians.items()
        },
        "compiled": cyvasse.COMPILED,
        "rounds": rounds,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--games", type=int, default=60, help="of chess")
    options = parser.parse_args()
    result = measure(options.rounds, options.games)
    if options.json:
        print(json.dumps(result))
        return
    print(f"{'':26}{'actions/s':>12}{'ratio':>8}{'actions':>10}")
    print(f"{'python-chess':26}{result['python-chess']['moves_per_second']:>12,}{1:>8}")
    for name, row in result.items():
        if isinstance(row, dict) and "ratio" in row:
            print(
                f"{name:26}{row['actions_per_second']:>12,}{row['ratio']:>8}{row['actions']:>10,}"
            )


if __name__ == "__main__":
    main()
