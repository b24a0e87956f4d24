"""Chess: deep perft counts, how fast games are made and imported, and a second opinion on turns.

    make bench PART="chess --seconds 120"

The package chess (extra pgn) judges the turns and writes the records that are imported.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

from grl.board import Position, make_position
from grl.games import Game, load
from grl.generate import generate
from grl.importers import PgnImports
from grl.traces import header_dict, write_traces

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "bench"
TABLES = ROOT / "games" / "chess" / "perft.json"
PLIES = 200
GAMES = 1_000
RARE_PLIES = 10


def main(words: list[str]) -> int:
    """Print a line for each figure."""
    parser = argparse.ArgumentParser(prog="make bench PART=chess", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="for the comparison of turns")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=5_000_000, help="the largest perft counted")
    parser.add_argument("--games", type=int, default=GAMES, help="how many are made and imported")
    parser.add_argument("--pgn", type=Path, help="a file to import instead of random games")
    asked = parser.parse_args(words)
    WORK.mkdir(parents=True, exist_ok=True)
    wrong = 0
    for line, good in _perft(asked.most):
        print(line, flush=True)
        wrong += not good
    print(_generated(asked.games, all_moves=True), flush=True)
    print(_generated(asked.games, all_moves=True, rare=1.0), flush=True)
    records = asked.pgn or _records(asked.games, asked.seed)
    for all_moves in (False, True):
        print(_imported(records, all_moves), flush=True)
    for spec in ("chess", "chess:drops=1"):
        line, differences = _compared(spec, asked.seconds / 2, asked.seed)
        print(line, flush=True)
        wrong += differences
    return int(wrong > 0)


def _perft(most: int) -> Iterator[tuple[str, bool]]:
    game = load("chess")

    def count(position: Mapping[str, Any] | None, depth: int) -> int:
        start = game.initial if position is None else make_position(game.equipment, **position)
        return game.perft(start, depth)

    return counted(count, most)


def counted(
    perft: Callable[[Mapping[str, Any] | None, int], int], most: int
) -> Iterator[tuple[str, bool]]:
    """A line for each of the published tables, and whether a perft agrees; it counts up to `most`.

    The perft is given a position as plain data, None for the initial one, and a depth.
    """
    for table in json.loads(TABLES.read_text(encoding="utf-8"))["tables"]:
        depth, count = max((d, n) for d, n in enumerate(table["counts"], 1) if n <= most)
        began = time.perf_counter()
        found = perft(table.get("position"), depth)
        seconds = time.perf_counter() - began
        verdict = "as published" if found == count else f"published {count:,}"
        where = table["provenance"].partition(", ")[2].partition(", ")[2]
        yield f"perft {depth} of {where}: {found:,} in {seconds:.1f} s, {verdict}", found == count


def _generated(number: int, *, all_moves: bool, rare: float = 0.0) -> str:
    game = load("chess")
    path = WORK / "chess.jsonl.gz"
    began = time.perf_counter()
    plays = generate(game, number, all_moves=all_moves, seed=1, max_plies=PLIES, rare=rare)
    write_traces(path, header_dict(game), plays)
    seconds = time.perf_counter() - began
    kind = "short games around rare turns" if rare else f"random games of up to {PLIES} plies"
    return f"{number:,} {kind} with all turns: {number / seconds:.0f} games/s"


def _records(number: int, seed: int) -> Path:
    path = WORK / "chess.pgn"
    write_random_pgn(path, number, seed, 80)
    return path


def write_random_pgn(path: Path, number: int, seed: int, plies: int) -> None:
    """Random games of up to so many plies, all of it by the package chess."""
    import chess
    import chess.pgn

    chance = Random(seed)
    with path.open("w", encoding="utf-8") as file:
        for _ in range(number):
            board = chess.Board()
            while not board.is_game_over() and len(board.move_stack) < plies:
                board.push(chance.choice(list(board.legal_moves)))
            print(chess.pgn.Game.from_board(board), end="\n\n", file=file)


def _imported(path: Path, all_moves: bool) -> str:
    imports = PgnImports([path], load("chess"), all_moves=all_moves)
    began = time.perf_counter()
    for _ in imports:
        pass
    seconds = time.perf_counter() - began
    return (
        f"{path.name}{' with all turns' if all_moves else ''}: {imports.read:,} games read, "
        f"{imports.kept:,} kept, {dict(imports.reasons)}, {imports.plies:,} plies, "
        f"{imports.read / seconds:.0f} games/s"
    )


def _compared(spec: str, seconds: float, seed: int) -> tuple[str, int]:
    """Legal turns and endings against the package chess, in random games and rare positions."""
    from chess_oracle import board_of, ending_of, our_effects, their_effects

    game, chance = load(spec), Random(seed)
    until = time.perf_counter() + seconds
    positions = differences = turns_met = number = 0
    while time.perf_counter() < until:
        number += 1
        for position in _met(game, chance, often=number % 4 > 0):
            board, turns = board_of(position), game.legal(position)
            ours = our_effects(game, position, turns)
            same = ours == their_effects(board) and len(ours) == len(turns)
            ending = None if turns else game.ending(position)
            positions += 1
            turns_met += len(turns)
            if not same or ending != ending_of(board):
                differences += 1
                print(f"  differs: {board.fen()}")
    line = f"{spec}: {positions:,} positions, {turns_met:,} turns, {differences} differences"
    return line, differences


def _met(game: Game, chance: Random, *, often: bool) -> Iterator[Position]:
    """The positions of a random game, or of a short one around a rare turn."""
    position = game.rare(chance) if often else game.initial
    for _ in range(RARE_PLIES if often else PLIES):
        if position is None:
            return
        yield position
        turns = game.legal(position)
        if not turns:
            return
        position = game.play(position, chance.choice(turns))
