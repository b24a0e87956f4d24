"""How long the learner of answer set programs takes for four in a row, and for a noisy task.

The tasks are those that the Connect-Four study calls the hardest: all four directions at once,
from full boards of 7 by 6 cells, with nothing given but the cells.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from random import Random

from las_families import FAMILIES

from grl.las import Limits, parse, solve

Board = dict[tuple[int, int], int]
DIRECTIONS = {"horz": (1, 0), "vert": (0, 1), "dia1": (1, 1), "dia2": (1, -1)}

TESTS = Path(__file__).resolve().parent.parent / "tests"
KINDS = ("observed", "recursive", "choice", "ordered", "rich")
PATIENCE = 120.0
"""Seconds for a task of a family."""
STUDY = "Boschloo 2025: almost 24 h with 14 examples"
FOUR = "said to take ILASP 2i 1,043 s; required: 5 s"


def las() -> Iterator[tuple[str, str, str]]:
    """Line-of-four in four directions, and rules under five per cent of noise."""
    for number, heads, bound in (
        (4, False, FOUR),
        (4, True, FOUR),
        (15, False, ""),
        (15, True, ""),
    ):
        reference = bound or f"{STUDY}; required: 30 s"
        wanted: list[str | None] = [*DIRECTIONS] * (1 if number == 4 else 2)
        wanted += [None] * (number - len(wanted))
        text = line_task(_boards(1, wanted), heads)
        kind = "four heads" if heads else "line/1"
        yield f"{kind}, {number} boards, 5 body literals", _timed(text, 5), reference
    yield from _study()
    successors = " ".join(f"succ({n},{n + 1})." for n in range(1, 7))
    lines = line_task(_boards(1, [*DIRECTIONS]), False).splitlines()
    lines = [line for line in lines if not line.startswith(("#modeb", "#maxv"))]
    lines += [successors, "#maxv(6).", "#modeb(4,cell(var(x),var(y),var(p)),(positive))."]
    lines += [f"#modeb(3,succ(var({axis}),var({axis})),(positive))." for axis in "xy"]
    what = "line/1 by a successor relation, 6 variables, 7 literals"
    yield what, _timed("\n".join(lines), 7), ""
    yield "noise, 100 examples, 5 % of labels flipped", _timed(_noisy(), 4), ""
    yield from _families()
    yield "300 random tasks, all layers, and all hypotheses tried", _agreeing(300), ""


def _study() -> Iterator[tuple[str, str, str]]:
    """The single rules of the Connect-Four study, whose costs are those of the rules it prints."""
    sys.path.insert(0, str(TESTS))
    study = import_module("las.study")
    tasks = {name: (one.task, one.body, one.cost) for name, one in study.studies().items()}
    for name, (text, body, cost) in {**tasks, "preferences": (study.PREFERENCES, 3, 7)}.items():
        began = time.process_time()
        outcome = solve(parse(text, limits=Limits(body=body)), time_limit=PATIENCE)
        proven = "" if outcome.proven else ", not proven optimal"
        figure = f"{time.process_time() - began:.2f} s of processor, cost {outcome.cost}{proven}"
        yield f"study, {name}", figure, f"ILASP 2i: cost {cost}, less than 20 s"


def _families() -> Iterator[tuple[str, str, str]]:
    for name, (write, grows, limits, steps) in FAMILIES.items():
        for step in steps:
            task = parse(write(*step), limits=limits)
            began = time.process_time()
            outcome = solve(task, time_limit=PATIENCE, quick=True)
            figure = f"{time.process_time() - began:.1f} s of processor, cost {outcome.cost}"
            if not outcome.proven:
                figure += f", not proven optimal, at least {outcome.bound}"
            yield f"{name}: {grows} {', '.join(map(str, step))}", figure, ""


def _agreeing(number: int) -> str:
    """Small random tasks whose optimum all layers find that trying all hypotheses finds."""
    sys.path.insert(0, str(TESTS))
    layers = import_module("las.test_layers_agree")
    for at in range(number):
        layers.agree(
            layers.drawn(("observed", "recursive", "choice", "ordered", "rich")[at % 5], 1000 + at)
        )
    return f"{number} agree"


def _timed(text: str, body: int) -> str:
    began = time.perf_counter()
    outcome = solve(parse(text, limits=Limits(body=body, rule=body + 1)), time_limit=300)
    seconds = time.perf_counter() - began
    rules = len(outcome.rules or ())
    proven = "optimal" if outcome.proven else "not proven optimal"
    return f"{seconds:.1f} s, {rules} rules, {proven}"


def _boards(seed: int, wanted: Sequence[str | None]) -> list[Board]:
    """For each wanted direction a board of random play with a line in it; None has no line."""
    rnd = Random(seed)
    found: list[Board] = []
    while len(found) < len(wanted):
        board = _play(rnd)
        want = wanted[len(found)]
        seen = _lines(board, 1) | _lines(board, 2)
        if seen == ({want} if want else set()):
            found.append(board)
    return found


def _play(rnd: Random) -> Board:
    board = {(x, y): 0 for x in range(1, 8) for y in range(1, 7)}
    player = 1
    for _ in range(rnd.randint(12, 36)):
        x = rnd.choice([x for x in range(1, 8) if board[x, 6] == 0])
        board[x, min(y for y in range(1, 7) if board[x, y] == 0)] = player
        if _lines(board, player):
            break
        player = 3 - player
    return board


def _begins(board: Board, square: tuple[int, int], step: tuple[int, int], player: int) -> bool:
    (x, y), (dx, dy) = square, step
    return all(board.get((x + i * dx, y + i * dy)) == player for i in range(4))


def _lines(board: Board, player: int) -> set[str]:
    return {
        name
        for name, step in DIRECTIONS.items()
        if any(_begins(board, square, step, player) for square in board)
    }


def line_task(boards: Sequence[Board], heads: bool) -> str:
    """One task for all directions: a head for each of them, or line/1 for all."""
    text = ["role(1). role(2).", "#maxv(3).", "#modeb(1,role(var(p)),(positive))."]
    for board in boards:
        holds: list[str] = []
        fails: list[str] = []
        for player in (1, 2):
            if not heads:
                (holds if _lines(board, player) else fails).append(f"line({player})")
            for name, step in DIRECTIONS.items() if heads else ():
                for x, y in board:
                    side = holds if _begins(board, (x, y), step, player) else fails
                    side.append(f"{name}({x},{y},{player})")
        cells = " ".join(f"cell({x},{y},{disc})." for (x, y), disc in board.items())
        text.append(f"#pos({{{','.join(holds)}}},{{{','.join(fails)}}},{{{cells}}}).")
    names = [f"{name}(var(x),var(y),var(p))" for name in DIRECTIONS] if heads else ["line(var(p))"]
    text += [f"#modeh({name})." for name in names]
    for dx in range(4):
        for dy in range(-3, 4):
            at = f"var(x){dx:+d}" if dx else "var(x)", f"var(y){dy:+d}" if dy else "var(y)"
            text.append(f"#modeb(1,cell({','.join(at)},var(p)),(positive)).")
    return "\n".join(text)


def _noisy() -> str:
    rnd = Random(1)
    text = ["d(1..3).", "#modeh(t(var(d))).", "#modeb(1,d(var(d)),(positive)).", "#maxv(2)."]
    text += ["#modeb(2,r(var(d),var(d))).", *(f"#modeb(1,f{j})." for j in range(6))]
    for i in range(100):
        facts = {j for j in range(6) if rnd.random() < 0.5}
        pairs = {(a, b) for a in (1, 2, 3) for b in (1, 2, 3) if rnd.random() < 0.4}
        flip = i % 20 == 7
        holds: list[str] = []
        fails: list[str] = []
        for x in (1, 2, 3):
            true = (0 in facts and any(a == x for a, _ in pairs)) or (
                1 in facts and 2 not in facts and (x, x) not in pairs
            )
            (holds if true != (flip and x == 2) else fails).append(f"t({x})")
        context = " ".join(
            [*(f"f{j}." for j in facts), *(f"r({a},{b})." for a, b in sorted(pairs))]
        )
        text.append(f"#pos(e{i}@10,{{{','.join(holds)}}},{{{','.join(fails)}}},{{{context}}}).")
    return "\n".join(text)
