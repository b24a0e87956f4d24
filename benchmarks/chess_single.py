"""Chess learned from records that name the turn played alone: how far it is from the rules.

    make bench PART="chess-single --games 100,300,1000 --seeds 1"

For every number of games: random games, or with `--strong` games of a player who searches, without
a word on which other turns are legal; the model learned from them; and by kind the turns that it
lacks and those that it has too many, of fresh random games. With `--rare` there are also as many
short records of single moves, from positions drawn around rare turns. `--picture` draws the rows
as a curve.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log10
from pathlib import Path
from random import Random

from chess_learning import GRL, played_well
from chess_oracle import board_of
from chess_records import ROOT, WORK

import grl
from grl.board import Position
from grl.games import Game, load
from grl.turn import Effect, Turn, play

PICTURE = ROOT / "docs" / "images" / "chess-single-moves.svg"
PLIES = 200
SIDE = 8
LEFT, WIDE, TOP, HIGH = 90, 420, 40, 260
KINDS = ("castling", "in passing", "promotion", "king left in check", "double step", "others")
COLOURS = ("#1b6ca8", "#c8641b", "#2a8a4a", "#b0268a", "#777777", "#222222")


@dataclass(frozen=True)
class Distance:
    """What a model gets wrong, by kind, of the positions looked at."""

    games: int
    positions: int
    legal: Mapping[str, int]
    missing: Mapping[str, int]
    surplus: Mapping[str, int]
    seconds: float

    def lines(self) -> Iterator[str]:
        """A line for each kind with any turns."""
        yield (
            f"{self.games:,} games, {self.seconds:.0f} s of processor: "
            f"{self.positions:,} positions, {sum(self.legal.values()):,} turns, "
            f"{sum(self.missing.values()):,} missing, {sum(self.surplus.values()):,} surplus"
        )
        for kind in KINDS:
            if self.legal[kind] or self.surplus[kind]:
                yield (
                    f"  {kind}: {self.legal[kind]:,} legal, {self.missing[kind]:,} missing, "
                    f"{self.surplus[kind]:,} surplus"
                )


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
    rows = []
    for number in map(int, asked.games.split(",")):
        model, seconds = _learned(number, asked.seed, asked.rare, strong=asked.strong)
        rows.append(_distance(model, number, asked.positions, seconds))
        print("\n".join(rows[-1].lines()), flush=True)
        if asked.rules:
            subprocess.run([*GRL, "rules", str(model)], check=True)
    if asked.picture:
        PICTURE.write_text(picture(rows), encoding="utf-8")
    return 0


def _learned(number: int, seed: int, rare: int, *, strong: bool) -> tuple[Path, float]:
    name = f"chess-single-{'strong' if strong else 'random'}-{number}-{seed}"
    records, model = [WORK / f"{name}.jsonl.gz"], WORK / f"{name}-{rare}.grl.json"
    generate = ["traces", "generate", "chess", "--seed", str(seed)]
    inputs = [[*generate, "-n", str(number), "--max-plies", str(PLIES)]]
    if strong:
        inputs = [["import", "pgn", str(played_well(number, seed))]]
    if rare:
        inputs.append([*generate, "-n", str(rare), "--rare", "1"])
        records.append(WORK / f"chess-single-rare-{rare}-{seed}.jsonl.gz")
    for words, path in zip(inputs, records, strict=True):
        subprocess.run([*GRL, *words, "-o", str(path)], check=True, capture_output=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    command = [*GRL, "learn", *map(str, records), "-o", str(model)]
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"learned in {time.perf_counter() - began:.0f} s", file=sys.stderr)
    most = after.ru_maxrss / 1024
    print(f"{most:,.0f} MiB", file=sys.stderr)
    return model, seconds


def _distance(model: Path, games: int, number: int, seconds: float) -> Distance:
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
    return Distance(games, number, legal, missing, surplus, seconds)


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


def picture(rows: Sequence[Distance]) -> str:
    """Wrong turns of a thousand positions by kind, over games; both axes are logarithmic."""
    highest = max(10.0, *(_rate(row, kind) for row in rows for kind in KINDS))
    top = 1 + int(log10(highest))

    def place(games: int, rate: float) -> tuple[float, float]:
        fewest, most = log10(rows[0].games), log10(max(rows[-1].games, rows[0].games + 1))
        up = max(0.0, log10(max(rate, 0.1)) + 1) / (top + 1)
        return LEFT + WIDE * (log10(games) - fewest) / (most - fewest), TOP + HIGH * (1 - up)

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDE + 170}" '
        f'height="{TOP + HIGH + 50}" font-family="sans-serif" font-size="11">',
        "<title>Chess from single moves: wrong turns of a thousand positions</title>",
        '<rect width="100%" height="100%" fill="white"/>',
        '<text x="12" y="20" font-size="14">Wrong turns of a thousand positions</text>',
    ]
    for power in range(-1, top + 1):
        _, y = place(rows[0].games, 10.0**power)
        text = f"{10**power:,}" if power >= 0 else "0.1 or none"
        lines += [
            f'<line x1="{LEFT}" x2="{LEFT + WIDE}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>',
            f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{text}</text>',
        ]
    for row in rows:
        x, _ = place(row.games, 1)
        below = f'<text x="{x:.1f}" y="{TOP + HIGH + 20}" text-anchor="middle">'
        lines.append(f"{below}{row.games:,} games</text>")
    for number, (kind, colour) in enumerate(zip(KINDS, COLOURS, strict=True)):
        points = [place(row.games, _rate(row, kind)) for row in rows]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        y = TOP + 12 + 18 * number
        lines += [
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>',
            *(f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{colour}"/>' for a, b in points),
            f'<circle cx="{LEFT + WIDE + 20}" cy="{y}" r="4" fill="{colour}"/>',
            f'<text x="{LEFT + WIDE + 30}" y="{y + 4}">{kind}</text>',
        ]
    return "\n".join([*lines, "</svg>", ""])


def _rate(row: Distance, kind: str) -> float:
    return 1_000 * (row.missing[kind] + row.surplus[kind]) / row.positions
