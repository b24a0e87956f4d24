"""Chess learned from records that name the turn played alone: how far it is from the rules.

    make bench PART="chess-single --games 100,300,1000 --seeds 1"

For every number of games: random games, or with `--strong` games of a player who searches, both
written as PGN by the package chess and imported without a word on which other turns are legal; the
model learned from them; and by kind the turns that it lacks and those that it has too many, of
fresh random games. With `--rare` there are also as many short records of single moves, from
positions drawn around rare turns. Rows are kept, and `--picture` draws those that were made so far
without such records as a curve.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from random import Random

from chess_learning import GRL, played_well
from chess_oracle import board_of
from chess_records import ROOT, WORK, write_random_pgn
from chess_single_picture import Distance, picture

import grl
from grl.board import Position
from grl.games import Game, load
from grl.turn import Effect, Turn, play

PICTURE = ROOT / "docs" / "images" / "chess-single-moves.svg"
PLIES = 200
SIDE = 8
ROWS = WORK / "chess-single.jsonl"
"""The rows of all runs, of which the picture is drawn."""


def main(words: list[str]) -> int:
    """Print a line for each figure."""
    parser = argparse.ArgumentParser(prog="make bench PART=chess-single", description=__doc__)
    parser.add_argument("--games", default="100,300,1000", help="how many, with commas")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--positions", type=int, default=3_000, help="fresh ones to compare on")
    parser.add_argument("--rare", type=int, default=0, help="short records around rare turns")
    parser.add_argument("--strong", action="store_true", help="games of a player who searches")
    parser.add_argument("--picture", action="store_true", help="draw the rows")
    parser.add_argument("--rules", action="store_true", help="print what was learned")
    asked = parser.parse_args(words)
    WORK.mkdir(parents=True, exist_ok=True)
    players = "strong" if asked.strong else "random"
    for number in map(int, filter(None, asked.games.split(","))):
        model, seconds, mib = _learned(players, number, asked.seed, asked.rare)
        legal, missing, surplus = _distance(model, asked.positions)
        row = Distance(
            players, number, asked.rare, asked.seed, asked.positions,
            legal, missing, surplus, seconds, mib,
        )  # fmt: skip
        print("\n".join(row.lines()), flush=True)
        _keep(row)
        if asked.rules:
            subprocess.run([*GRL, "rules", str(model)], check=True)
    if asked.picture:
        rows = [row for row in _kept() if not row.rare and row.seed == asked.seed]
        PICTURE.write_text(picture(rows), encoding="utf-8")
    return 0


def _kept() -> list[Distance]:
    """The rows of all runs so far, the latest of each sort."""
    lines = ROWS.read_text(encoding="utf-8").splitlines() if ROWS.exists() else []
    rows = [Distance(**json.loads(line)) for line in lines]
    return list({row.key: row for row in rows}.values())


def _keep(row: Distance) -> None:
    with ROWS.open("a", encoding="utf-8") as file:
        print(json.dumps(asdict(row)), file=file)


def _learned(players: str, number: int, seed: int, rare: int) -> tuple[Path, float, float]:
    """The model, the seconds of processor that it took, and the most memory of a process."""
    name = f"chess-single-{players}-{number}-{seed}"
    records, model = [WORK / f"{name}.jsonl.gz"], WORK / f"{name}-{rare}.grl.json"
    if players == "strong":
        games = played_well(number, seed)
    else:
        games = WORK / f"{name}.pgn"
        write_random_pgn(games, number, seed, PLIES)
    inputs = [["import", "pgn", str(games)]]
    if rare:
        generate = ["traces", "generate", "chess", "--seed", str(seed)]
        inputs.append([*generate, "-n", str(rare), "--rare", "1"])
        records.append(WORK / f"chess-single-rare-{rare}-{seed}.jsonl.gz")
    for words, path in zip(inputs, records, strict=True):
        subprocess.run([*GRL, *words, "-o", str(path)], check=True, capture_output=True)
    command = [*GRL, "learn", *map(str, records), "-o", str(model)]
    seconds, mib = used(command)
    return model, seconds, mib


def used(command: Sequence[str]) -> tuple[float, float]:
    """Run a command: the seconds of processor that it took, and the MiB of its largest process."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def _distance(model: Path, number: int) -> tuple[dict[str, int], dict[str, int], dict[str, int]]:
    """The legal turns of fresh positions by kind, those that are missing, and those surplus."""
    rulebook, game = grl.load(model), load("chess")
    legal: Counter[str] = Counter()
    missing: Counter[str] = Counter()
    surplus: Counter[str] = Counter()
    for position in _met(game, number, Random(2_000)):
        right = _effects(position, game.legal(position))
        ours = _effects(position, map(str, rulebook.legal(position)))
        parts = right.keys(), right.keys() - ours.keys(), ours.keys() - right.keys()
        for effects, counts in zip(parts, (legal, missing, surplus), strict=True):
            counts.update(_kind(position, {**right, **ours}[effect]) for effect in effects)
    return dict(legal), dict(missing), dict(surplus)


def _effects(position: Position, texts: Iterable[str]) -> dict[Effect, Turn]:
    turns = map(Turn.parse, texts)
    return {turn.effect(position): turn for turn in turns}


def _met(game: Game, number: int, chance: Random) -> Iterator[Position]:
    """Positions of random games from the start on."""
    position, ply = game.initial, 0
    for _ in range(number):
        yield position
        position, ply = game.play(position, chance.choice(game.legal(position))), ply + 1
        if ply == PLIES or game.is_terminal(position):
            position, ply = game.initial, 0


def _kind(position: Position, turn: Turn) -> str:
    """What a turn is about, legal or not."""
    if len(turn.segments) > 1:
        return "castling"
    before, after = position.cells, play(position, turn)
    changed = [at for at, cell in enumerate(before) if after.cells[at] != cell]
    start = turn.start(position.board)
    if len(changed) > 2:
        return "in passing"
    board = board_of(after)
    king = board.king(not board.turn)
    if king is not None and board.is_attacked_by(board.turn, king):
        return "king left in check"
    ends = [at for at in changed if at != start]
    if start is None or before[start] not in "Pp" or not ends:
        return "others"
    if before[start] != after.cells[ends[0]] or ends[0] // SIDE in (0, SIDE - 1):
        return "promotion"
    return "double step" if abs(ends[0] - start) == 2 * SIDE else "others"
