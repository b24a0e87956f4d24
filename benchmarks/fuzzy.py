"""Latches and fuzzy goals: the figures of the book beside ours and what they take.

Genesereth and Thielscher, General Game Playing, chapter 16.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import grl
from grl.board import Position
from grl.engine.engine import Engine
from grl.export.program import asp_program
from grl.games import load
from grl.generate import generate
from grl.players.changes import movement_latches
from grl.players.distances import turns_away
from grl.players.formulas import Logic, grounded_formulas
from grl.players.fuzzy import BOOK, Fuzzy
from grl.players.fuzzycode import Compiled
from grl.players.goals import goals_of
from grl.players.latches import Latches, base_propositions, latches
from grl.rulebook import Rulebook
from grl.traces import header_dict, write_traces

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
BUTTONS = 100
"""Games from which Buttons and Lights is learned."""
LATCHED = ("tic-tac-toe", "connect-four", "breakthrough")


def rows() -> Figures:
    """What is published, latches, and the time for a state; `arena` has what evaluations win."""
    yield from _book()
    models = {name: _learned(name) for name in ("tic-tac-toe", "connect-four", "breakthrough")}
    yield from _learned_figures(models["tic-tac-toe"])
    found: dict[str, Latches] = {}
    yield from _latches(models, found)
    models["checkers"] = _learned("checkers")
    yield from _movement_latches(models | {"Buttons and Lights": _buttons()})
    yield from _speed(models, found)


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


def _buttons() -> Rulebook:
    """Buttons and Lights, learned from random games."""
    game = load("buttons-and-lights")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.jsonl"
        write_traces(path, header_dict(game), generate(game, BUTTONS, all_moves=True, seed=1))
        return grl.learn([path])


def _movement_latches(models: dict[str, Rulebook]) -> Figures:
    for name, rules in models.items():
        began = time.perf_counter()
        found = movement_latches(rules.model)
        seconds = time.perf_counter() - began
        kinds = [sum("empty" in one for one in each) for each in (found.positive, found.negative)]
        said = ", ".join(
            f"{len(each)} {kind}, {empty} of them that a square is empty"
            for kind, each, empty in zip(
                ("positive", "negative"), (found.positive, found.negative), kinds, strict=True
            )
        )
        yield f"latches by automata of {name}", f"{said}, {seconds:.2f} s", ""


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
