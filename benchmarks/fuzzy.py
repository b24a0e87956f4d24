"""Latches and fuzzy goals: the figures of the book beside ours, what they take, and what they win.

Genesereth and Thielscher, General Game Playing, chapter 16. A node is a state that a search makes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import grl
from grl.board import Position
from grl.engine.engine import Engine
from grl.export.program import asp_program
from grl.players.distances import turns_away
from grl.players.formulas import Logic, grounded_formulas
from grl.players.fuzzy import BOOK, Fuzzy
from grl.players.fuzzycode import Compiled
from grl.players.goals import goals_of
from grl.players.interface import Budget
from grl.players.latches import Latches, base_propositions, latches
from grl.players.swift import Swift
from grl.rulebook import Rulebook

ROOT = Path(__file__).resolve().parent.parent
BOOKS = ROOT / "tests" / "players"
Figures = Iterator[tuple[str, str, str]]
FIGURE = frozenset({"cell(1,1,x)", "cell(3,3,x)", "cell(1,2,o)"})
ATOMS = {
    "diagonal(x)": "0.081919",
    "line(x)": "0.116296",
    "line(o)": "0.023797",
    "goal(white,100)": "0.113529",
    "goal(white,50)": "0.862674",
}
GAMES = 400
OPENING = 4
"""Random plies with which a game begins; each opening is played by both sides."""
LONGEST = 400
LATCHED = ("tic-tac-toe", "connect-four", "breakthrough")
MATCHES = (
    ("connect-four", "fuzzy", "none", (300, 1000, 3000)),
    ("connect-four", "latches", "fuzzy", (300, 1000, 3000)),
    ("breakthrough", "fuzzy", "none", (1000,)),
    ("breakthrough", "distances", "none", (1000,)),
    ("breakthrough", "distances", "fuzzy", (1000,)),
    ("checkers", "fuzzy", "none", (300, 1000)),
)


def rows() -> Figures:
    """What is published, latches, the time for a state, and matches."""
    yield from _book()
    models = {name: _learned(name) for name in ("tic-tac-toe", "connect-four", "breakthrough")}
    yield from _learned_figures(models["tic-tac-toe"])
    found: dict[str, Latches] = {}
    yield from _latches(models, found)
    models["checkers"] = _learned("checkers")
    yield from _speed(models, found)
    for name, first, second, budgets in MATCHES:
        players = _players(models[name], found.get(name))
        for nodes in budgets:
            score = _match(models[name].engine(), players[first], players[second], nodes)
            yield f"{name}, {nodes:,} nodes, {first} against {second}", f"{score:.3f}", ""


def _learned(name: str) -> Rulebook:
    return grl.learn(sorted((ROOT / "traces" / name).glob("all-moves.jsonl*")))


def _book() -> Figures:
    """The chapter's own description of tic-tac-toe, and its 15-puzzle."""
    text = (BOOKS / "tic_tac_toe.lp").read_text(encoding="utf-8")
    base = "".join(f"base({one}). " for one in base_propositions(text)[0])
    circuit, atoms = grounded_formulas(text + base, ("line", "diagonal", "goal"))

    def truths(state: frozenset[str]) -> dict[str, float]:
        values = BOOK.truths(circuit, {name: BOOK.atom(name in state) for name in circuit.fluents})
        return {atom: values[root] for atom, root in atoms.items()}

    found = truths(FIGURE)
    for atom, published in ATOMS.items():
        yield f"figure 16.3, {atom}", f"{found[atom]:.6f}", published
    value = 100 * BOOK.either([found["goal(white,100)"], found["goal(white,50)"] / 2])
    yield "figure 16.3, white's value", f"{value:.6f}", "49.589684"
    for square, place in (("centre", "2,2"), ("corner", "1,1"), ("edge", "1,2")):
        opened = truths(frozenset({f"cell({place},x)"}))
        value = 100 * BOOK.either([opened["goal(white,100)"], opened["goal(white,50)"] / 2])
        yield f"figure 16.4, white opens on {square}", f"{value:.6f}", "centre > corner > edge"
    for square, place in (("corner", "1,1"), ("edge", "1,2")):
        reply = truths(frozenset({"cell(2,2,x)", f"cell({place},o)"}))["goal(black,100)"]
        yield f"centre, then a reply on {square}, goal(black,100)", f"{reply:.6f}", ""
    for right in (15, 14, 7):
        degrees = [BOOK.atom(tile < right) for tile in range(15)]
        plain, theta = BOOK.both(degrees), Logic(theta=0.6).both(degrees)
        published = "0.20589 without" if right == 15 else ""
        what = f"15-puzzle, {right} tiles right, without θ and with 0.6"
        yield what, f"{plain:.5g}, {theta:.5g}", published


def _learned_figures(rules: Rulebook) -> Figures:
    """The same on a learned model."""
    judged = Fuzzy(goals_of(rules.model))
    position = rules.position(["..x", "o..", "x.."], "o")
    truths, (x, o) = judged.truths(position), rules.model.equipment.players
    for player, other, published in ((x, o, "0.116296"), (o, x, "0.023797")):
        value = truths[judged.goals.endings[0, other]]
        yield f"learned, figure 16.3, line of {player}", f"{value:.6f}", published
    value = 100 * judged.values(position)[0]
    yield "learned, figure 16.3, value of x", f"{value:.6f}", "49.589684"
    for turn in ("b2", "a1", "b1"):
        opened = rules.play(rules.initial, f"{turn} (0 0 a x)")
        value = 100 * judged.values(opened)[0]
        yield f"learned, figure 16.4, {turn}", f"{value:.6f}", "centre > corner > edge"


def _latches(models: dict[str, Rulebook], found: dict[str, Latches]) -> Figures:
    programs = {
        "tic-tac-toe, the book's": ((BOOKS / "tic_tac_toe.lp").read_text(), "18 and 9"),
        "Buttons and Lights, the book's": (
            (BOOKS / "buttons_and_lights.lp").read_text(),
            "step(1) negative; not p, q, r",
        ),
    }
    for name in LATCHED:
        programs[name] = (asp_program(models[name].model), "18 and 9" if name[0] == "t" else "")
    for name, (program, published) in programs.items():
        began = time.perf_counter()
        one = found[name] = latches(program)
        seconds = time.perf_counter() - began
        inhibited = sum(map(len, one.inhibits.values()))
        said = f"{len(one.positive)} positive, {len(one.negative)} negative, {inhibited} inhibited"
        yield f"latches of {name}", f"{said}, {seconds:.1f} s", published


def _players(rules: Rulebook, found: Latches | None) -> dict[str, Swift]:
    """Searching players with and without evaluations."""
    evaluations = {
        "fuzzy": _compiled(rules),
        "distances": _compiled(rules, distances=True),
        "latches": _compiled(rules, found=found),
    }
    players = {name: Swift(entries=1 << 14, evaluation=one) for name, one in evaluations.items()}
    return players | {"none": Swift(entries=1 << 14)}


def _compiled(rules: Rulebook, found: Latches | None = None, distances: bool = False) -> Compiled:
    engine = rules.engine()
    away = turns_away(rules.model) if distances else None
    return Compiled(Fuzzy(goals_of(rules.model), BOOK, found, away, _counted(engine)), engine)


def _counted(engine: Engine) -> Callable[[Position], int]:
    return lambda position: engine.state(position).count()


def _speed(models: dict[str, Rulebook], found: dict[str, Latches]) -> Figures:
    for name, rules in models.items():
        compiled = _compiled(rules, found.get(name), distances=True)
        states = list(_states(rules.engine(), 40))
        compiled(states[0], 0)
        spent = []
        for judged, times in ((compiled.fuzzy, 1), (compiled, 20)):
            began = time.perf_counter()
            for state in states * times:
                judged(state, 0)
            spent.append((time.perf_counter() - began) / times / len(states) * 1e6)
        yield f"{name}, a state judged", f"Python {spent[0]:.0f} µs, C {spent[1]:.1f} µs", ""


def _states(engine: Engine, most: int) -> Iterator[Any]:
    chance, state = Random(1), engine.initial
    for _ in range(most):
        state = engine.initial if state.over else state
        yield state
        state = state.play(chance.randrange(state.count()))


def _match(engine: Engine, first: Swift, second: Swift, nodes: int) -> float:
    """The share of points of the first player, a draw being half of one."""
    points = 0.0
    for number in range(GAMES // 2):
        points += _played(engine, (first, second), nodes, number)
        points += 1 - _played(engine, (second, first), nodes, number)
    return points / GAMES


def _played(engine: Engine, seats: tuple[Swift, Swift], nodes: int, seed: int) -> float:
    """The points of whoever has the first seat; a game that goes on too long is drawn."""
    state: Any = engine.initial
    chance = Random(seed)
    for ply in range(LONGEST):
        if state.over:
            goals = state.goals()
            return float(goals.get(engine.equipment.players[0], 50) / 100)
        if ply < OPENING:
            state = state.play(chance.randrange(state.count()))
        else:
            answer = seats[state.mover].choose(engine, state, Budget(nodes=nodes), seed)
            state = state.play(answer.number)
    return 0.5
