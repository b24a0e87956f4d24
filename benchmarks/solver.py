"""Connect-Four solved on a learned model: the paper's test sets, and Pons's beside bitbully.

The general player searches the compiled model; the bit board is the one that the model's rules lead
to. bitbully is no dependency: its times stand in the last table where ``build/bitbully-venv`` holds
it, which ``--install`` makes.

    python benchmarks/solver.py --install --seconds 10
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine import install
from engine_models import learned

from grl.engine.engine import Engine, State
from grl.players.dropline import BitBoard, Form, form_of_engine
from grl.players.interface import Answer, Budget, plies_to_end
from grl.players.swift import Swift

HERE = Path(__file__).resolve().parent
DATA = HERE.parent.parent / "shared" / "data" / "connect4"
"""Where the test sets are; CONNECT4_DATA names another folder."""
ENVIRONMENT = HERE.parent / "build" / "bitbully-venv"
BITBULLY = "bitbully==0.0.79"
SETS = ("30_07", "20_07", "30_14", "20_14")
PONS = ("Test_L3_R1", "Test_L2_R1", "Test_L1_R1")
SECONDS = 10.0
ROUNDS = 3
ENTRIES = 1 << 22
WIN = 86
"""What the test sets call a win at once."""

Row = tuple[int, float, float, int, int, int]
"""Open, mean and longest time, mean and largest number of nodes, nodes a second."""


@dataclass(frozen=True)
class Table:
    """A table of the paper, and the same search of ours."""

    number: int
    title: str
    player: Swift
    paper: Mapping[str, Row]


TABLES = (
    Table(
        1,
        "negamax",
        Swift(prune=False, order=False, table=False, deepen=False, zero_window=False),
        {
            "30_07": (2, 0.253901, 9.589689, 28_040, 1_051_029, 110_008),
            "20_07": (30, 0, 0, 0, 0, 0),
            "30_14": (1, 0.719904, 8.746326, 67_918, 832_406, 96_602),
            "20_14": (30, 0, 0, 0, 0, 0),
        },
    ),
    Table(
        2,
        "alpha-beta",
        Swift(order=False, table=False, deepen=False, zero_window=False),
        {
            "30_07": (0, 0.031056, 0.809639, 2_909, 73_283, 90_247),
            "20_07": (27, 6.843755, 9.205496, 560_175, 824_355, 86_068),
            "30_14": (0, 0.058018, 0.635897, 4_228, 46_229, 79_448),
            "20_14": (29, 2.546612, 2.546612, 202_736, 202_736, 79_610),
        },
    ),
    Table(
        3,
        "ordered, with a table and iterative deepening",
        Swift(zero_window=False),
        {
            "30_07": (1, 0.095417, 2.011071, 197, 146_619, 38_598),
            "20_07": (7, 0.108103, 2.660797, 278, 216_104, 52_110),
            "30_14": (1, 0.222108, 5.05804, 6_886, 323_909, 52_655),
            "20_14": (4, 0.921285, 6.190709, 61_932, 468_116, 67_406),
        },
    ),
    Table(
        4,
        "ordered, with a table and MTD(f)",
        Swift(deepen=False),
        {
            "30_07": (0, 0.13946, 3.717605, 1_519, 246_017, 45_682),
            "20_07": (30, 0, 0, 0, 0, 0),
            "30_14": (0, 0.183881, 0.819843, 4_072, 50_014, 39_368),
            "20_14": (28, 8.018537, 8.018537, 670_090, 670_090, 81_651),
        },
    ),
    Table(
        5,
        "ordered, with a table, iterative deepening and MTD(f)",
        Swift(),
        {
            "30_07": (1, 0.095708, 4.261424, 377, 339_069, 55_753),
            "20_07": (8, 0.118574, 4.366139, 660, 335_230, 59_456),
            "30_14": (1, 0.415391, 9.557776, 20_226, 664_495, 61_041),
            "20_14": (6, 2.968389, 9.57551, 209_221, 643_107, 71_115),
        },
    ),
)
"""As the paper prints them, measured on another machine and in another language."""


@dataclass(frozen=True)
class Case:
    """A position of a test set, by the files of its stones, with what the file says of it."""

    place: str
    moves: tuple[int, ...]
    value: int

    def board(self, form: Form) -> bytes:
        """Its squares as the player to move sees them."""
        cells, heights = bytearray(form.width * form.height), [0] * form.width
        for ply, file in enumerate(self.moves):
            cells[heights[file] * form.width + file] = 1 + (len(self.moves) - ply) % 2
            heights[file] += 1
        return bytes(cells)

    def state(self, engine: Engine) -> State:
        """Its state, which the model's own turns lead to."""
        state, board = engine.initial, engine.equipment.board
        for file in self.moves:
            files = [board.square(turn.partition(" ")[0]) % board.width for turn in state.turns()]
            state = state.play(files.index(file))
        return state


def cases(folder: Path, name: str) -> list[Case]:
    """A test set of the paper's: ``width height line value moves``."""
    lines = (folder / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    rows = [tuple(map(int, line.split())) for line in lines]
    return [Case(f"{name}:{at}", row[4:], row[3]) for at, row in enumerate(rows, start=1)]


def pons(folder: Path, name: str) -> list[Case]:
    """A test set of Pons's: moves, files from 1, and a score."""
    lines = (folder / name).read_text(encoding="utf-8").splitlines()
    rows = [line.split() for line in lines]
    return [
        Case(f"{name}:{at}", tuple(int(file) - 1 for file in moves), int(score))
        for at, (moves, score) in enumerate(rows, start=1)
    ]


def as_there(plies: int | None, won: bool, empty: int) -> int:
    """A result in the numbers of the paper's test sets: a draw is how many squares are empty."""
    if plies is None:
        return empty
    return WIN - plies if won else plies - WIN


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="solver.py", description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for each position")
    parser.add_argument("--tables", default="1,2,3,4,5", help="of the paper, some of them")
    parser.add_argument("--install", action="store_true", help="make bitbully's environment")
    chosen = parser.parse_args(arguments)
    if chosen.install:
        install(ENVIRONMENT, BITBULLY)
    folder = Path(os.environ.get("CONNECT4_DATA", DATA))
    if not folder.is_dir():
        print(f"there is no folder {folder}", file=sys.stderr)
        return 1
    engine = learned("connect-four")[0].engine()
    form = form_of_engine(engine)
    if form is None:
        print("the learned model has no compiled form of a drop-and-line game", file=sys.stderr)
        return 1
    Swift().choose(engine, engine.initial, Budget(depth=1))  # compiles the search
    wanted = set(map(int, chosen.tables.split(",")))
    sets = {name: cases(folder, name) for name in SETS}
    for table in TABLES:
        if table.number in wanted:
            _searched(table, engine, sets, chosen.seconds)
    _on_bits(form, engine, sets)
    _beside_bitbully(form, {name: pons(folder, name) for name in PONS})
    return 0


def _searched(table: Table, engine: Engine, sets: Mapping[str, list[Case]], seconds: float) -> None:
    print(f"Table {table.number}: {table.title}, at most {seconds:g} s a position")
    print(f"  {'set':<7}{'right':>6}{'over':>5}{'open':>5}{'s, mean':>11}{'s, most':>11}"
          f"{'nodes, mean':>13}{'nodes, most':>13}{'nodes/s':>13}")  # fmt: skip
    for name, positions in sets.items():
        found: list[Answer] = []
        right = over = 0
        for case in positions:
            state = case.state(engine)
            if state.over:
                over += 1
                continue
            answer = table.player.choose(engine, state, Budget(seconds=seconds))
            if not answer.proven:
                continue
            found.append(answer)
            plies, empty = plies_to_end(answer.value), state.cells.count(".")
            right += as_there(plies, answer.value > 0, empty) == case.value
        number = len(positions) - over - len(found)
        print(_row(name, f"{right:>6}{over:>5}", _figures(found, number)))
        print(_row("", f"{'paper':>11}", table.paper[name]), flush=True)


def _figures(found: Sequence[Answer], number: int) -> Row:
    if not found:
        return number, 0, 0, 0, 0, 0
    times, nodes = [each.seconds for each in found], [each.nodes for each in found]
    rate = round(sum(nodes) / sum(times))
    mean = round(statistics.mean(nodes))
    return number, statistics.mean(times), max(times), mean, max(nodes), rate


def _row(name: str, before: str, row: Row) -> str:
    number, mean, most, nodes, largest, rate = row
    return (
        f"  {name:<7}{before}{number:>5}{mean:>11.6f}{most:>11.6f}"
        f"{nodes:>13,}{largest:>13,}{rate:>13,}"
    )


def _on_bits(form: Form, engine: Engine, sets: Mapping[str, list[Case]]) -> None:
    """The same positions on the bit board, those too that hold a line from the beginning."""
    bits = BitBoard(form, ENTRIES)
    began = time.perf_counter()
    agree, lined = 0, 0
    positions = [case for each in sets.values() for case in each]
    for case in positions:
        cells = case.board(form)
        score = bits.score(cells)
        assert score is not None
        lined += bool(bits.lined(cells))
        value = as_there(bits.plies(cells, score), score > 0, cells.count(0))
        agree += value == case.value
        if value != case.value:
            shown = Swift().choose(engine, case.state(engine), Budget())
            said = f"the file says {case.value}, the bit board {value}"
            print(f"{case.place}: {said}; {'; '.join(shown.line)}")
    seconds = time.perf_counter() - began
    print(
        f"Bit board: {agree} of {len(positions)} as in the files, in {seconds:.3f} s; "
        f"{lined} hold a line already, and only later ones count there"
    )


def _beside_bitbully(form: Form, sets: Mapping[str, list[Case]]) -> None:
    """Times of the bit board and of bitbully in alternation, the median of each."""
    ours: dict[str, list[float]] = {name: [] for name in sets}
    theirs: dict[str, list[float]] = {name: [] for name in sets}
    right, nodes = dict.fromkeys(sets, 0), dict.fromkeys(sets, 0)
    for _ in range(ROUNDS):
        for name, positions in sets.items():
            bits = BitBoard(form, ENTRIES)
            boards = [case.board(form) for case in positions]
            began = time.perf_counter()
            scores = [bits.score(board) for board in boards]
            ours[name].append(time.perf_counter() - began)
            pairs = zip(scores, positions, strict=True)
            right[name] = sum(score == case.value for score, case in pairs)
            nodes[name] = bits.nodes
        for name, figures in _bitbully(sets).items():
            theirs[name].append(figures["seconds"])
    for name, positions in sets.items():
        own = statistics.median(ours[name])
        line = (
            f"{name}: {right[name]} of {len(positions)} right, {own:.4f} s, {nodes[name]:,} nodes"
        )
        if theirs[name]:
            other = statistics.median(theirs[name])
            line += f"; {BITBULLY} {other:.4f} s, ratio {own / other:.2f}"
        print(line)
    if not all(theirs.values()):
        print('bitbully is not installed: make bench PART="solver --install"')


def _bitbully(sets: Mapping[str, list[Case]]) -> Mapping[str, Any]:
    """What `bitbully_driver.py` prints; nothing without bitbully."""
    python = ENVIRONMENT / "bin" / "python"
    if not any(ENVIRONMENT.glob("lib/*/site-packages/bitbully")):
        return {}
    asked = {name: [case.moves for case in positions] for name, positions in sets.items()}
    done = subprocess.run(
        [str(python), str(HERE / "bitbully_driver.py")],
        input=json.dumps(asked) + "\n", check=True, capture_output=True, text=True,
    )  # fmt: skip
    answer: Mapping[str, Any] = json.loads(done.stdout)
    return answer


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
