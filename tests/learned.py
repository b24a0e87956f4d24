"""Rulebooks learned from generated records, each made once in a run of the tests."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from made_once import made_once

import grl
from grl import games
from grl.board import Position
from grl.generate import generate
from grl.model import Model
from grl.rulebook import Rulebook
from grl.traces import header_dict, write_traces

EXTERNAL = Path(__file__).parents[2] / "shared" / "data" / "traces"

ENOUGH = {
    "breakthrough:width=6,height=6": 2,
    "checkers": 20,
    "amazons:width=6,height=6": 3,
    "peg-solitaire": 10,
    "connect-four": 3,
    "tic-tac-toe": 3,
}
"""Games with as many plays, all moves known, as they are learned from exactly."""


def name_of(spec: str) -> str:
    return spec.partition(":")[0]


def record(spec: str, path: Path, n: int, *, all_moves: bool = True, seed: int = 1) -> Path:
    """A trace file of `n` random games."""
    path.write_bytes(_recorded(spec, n, all_moves, seed))
    return path


@cache
def _recorded(spec: str, n: int, all_moves: bool, seed: int) -> bytes:
    def write() -> bytes:
        game = games.load(spec)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "games.jsonl"
            write_traces(path, header_dict(game), generate(game, n, all_moves=all_moves, seed=seed))
            return path.read_bytes()

    return made_once(f"records of {n} games of {spec}, all {all_moves}, seed {seed}", write)


def all_binding(model: Model) -> Model:
    """The same with all machines and ties in force, whether records speak for them or not."""
    machines = (
        replace(each, binding=True, ties=(*each.ties, *each.idle_ties), idle_ties=())
        for each in model.machines
    )
    return replace(model, machines=tuple(machines))


@cache
def learned(spec: str, n: int | None = None) -> Rulebook:
    """What is learned of a game from `n` random games of which all moves are known."""
    return _learned(spec, ENOUGH[spec] if n is None else n, rules=True)


@cache
def learned_movements(spec: str, n: int | None = None) -> Rulebook:
    """The same without rules."""
    return _learned(spec, ENOUGH[spec] if n is None else n, rules=False)


def _learned(spec: str, n: int, *, rules: bool) -> Rulebook:
    def learn() -> Rulebook:
        with tempfile.TemporaryDirectory() as folder:
            return grl.learn([record(spec, Path(folder) / "games.jsonl", n)], rules=rules)

    return made_once(f"{n} games of {spec}, rules {rules}", learn)


@cache
def learned_from(name: str) -> Rulebook:
    """The movements learned from one of the files that independent engines wrote."""
    path = external(name)
    return made_once(f"the file {path}", lambda: grl.learn([path], rules=False))


def external(name: str) -> Path:
    """The path of such a file; the test is skipped where it is missing."""
    path = EXTERNAL / name
    if not path.exists():
        pytest.skip(f"no file {path}: it lies outside the repository")
    return path


def random_positions(spec: str, n: int, seed: int) -> Iterator[Position]:
    """Positions of random games in which somebody is to move, `n` of them or fewer."""
    game = games.load(spec)
    path = Path(tempfile.mkdtemp()) / "games.jsonl"
    record(spec, path, 1 + n // 10, all_moves=False, seed=seed)
    found: dict[object, Position] = {}
    for play in grl.Traces.open(path):
        found |= {ply.position.outcome: ply.position for ply in play.plies}
    path.unlink()
    path.parent.rmdir()
    chosen = list(found.values())
    step = max(1, len(chosen) // n)
    for position in chosen[::step][:n]:
        assert position.equipment.pieces == game.equipment.pieces
        yield position
