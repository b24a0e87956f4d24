"""The turns that learned models generate, with LOCM switched on and off, for every reference game.

Two things order a turn: LOCM's machines and ties, and the roles of the automata, which say what
begins a turn, what follows and after which words it ends. The automata of the GRL paper have no
roles. With both switched off segments follow one another as they like.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from castling import Castling

import grl
from grl.board import Position
from grl.compare import fresh_positions
from grl.errors import SearchError
from grl.games import Game, load
from grl.generate import generate
from grl.locm.machines import SQUARE, Transition, square_sequences
from grl.locm.plans import Plan, PlanWriter
from grl.model import Machine, Model
from grl.moves.search import Searcher
from grl.sgrl.evidence import Decision
from grl.traces import header_dict, write_traces
from grl.turn import Turn

WORK = Path(__file__).resolve().parent.parent / "build" / "bench" / "generator"
POSITIONS = 50

Row = tuple[str, str, str]
Shape = tuple[tuple[str, str], ...]

GAMES: tuple[tuple[str, int, int | None], ...] = (
    ("amazons:width=6,height=6", 3, None),
    ("asalto", 10, None),
    ("breakthrough", 50, None),
    ("checker-bt", 50, None),
    ("checker-bt:capturing=1", 50, None),
    ("checkers", 50, None),
    ("checkers:continuing=1", 50, None),
    ("chess-bt", 20, 200),
    ("connect-four", 50, None),
    ("eight-puzzle", 50, 100),
    ("fifteen-puzzle", 2, 100),
    ("five-field-kono", 50, 150),
    ("graph-game", 50, 50),
    ("nine-mens-morris", 50, 200),
    ("nine-mens-morris:flying=1", 50, 200),
    ("peg-solitaire", 50, None),
    ("tic-tac-toe", 50, None),
)
"""The game, how many plays are learned from, and after how many plies they break off."""

SETTINGS: tuple[tuple[str, bool, bool], ...] = (
    ("neither", False, False),
    ("machines", True, False),
    ("roles", False, True),
    ("both", True, True),
)
"""Name, whether LOCM is on, whether roles are."""


@dataclass
class Counts:
    """What a model generates on some positions, by setting.

    `disordered` are generated turns whose segments begin, one after the other, on such squares and
    in such ways as those of no legal turn; `missing` are legal turns that were not generated;
    `exceeded` the settings in which a search was given up. `refused` counts the turns of the last
    setting that the machines of squares, which the search doesn't consult, would refuse.
    """

    legal: int = 0
    generated: Counter[str] = field(default_factory=Counter)
    disordered: Counter[str] = field(default_factory=Counter)
    missing: Counter[str] = field(default_factory=Counter)
    exceeded: set[str] = field(default_factory=set)
    refused: int = 0


def rows() -> Iterator[Row]:
    """A line for each game: turns legal and generated, and of those how many out of order."""
    names = "".join(f"{name:>19}" for name, *_ in SETTINGS)
    yield f"{POSITIONS} fresh positions", f"{'legal':>5}{names}", "(in an order no legal turn has)"
    games = [(spec, load(spec), n, plies) for spec, n, plies in GAMES]
    for name, game, n, plies in [*games, ("castling", Castling(), 200, None)]:
        counts = measure(game, learned(name, game, n, plies))
        notes = [f"{n} missing with {setting}" for setting, n in counts.missing.items() if n]
        if counts.refused:
            notes.append(f"{counts.refused} refused by machines of squares")
        yield name, _cells(counts), "; ".join(notes)


def _cells(counts: Counts) -> str:
    cells = [f"{counts.legal:>5,}"]
    for setting, *_ in SETTINGS:
        text = f"{counts.generated[setting]:,}"
        if counts.disordered[setting]:
            text += f" ({counts.disordered[setting]:,})"
        cells.append(f"{'given up' if setting in counts.exceeded else text:>19}")
    return "".join(cells)


def learned(name: str, game: Game, n: int, plies: int | None = None) -> Model:
    """The model of `n` random games with all legal turns, broken off after `plies`."""
    WORK.mkdir(parents=True, exist_ok=True)
    path = WORK / f"{name.replace(':', '-')}.jsonl"
    plays = generate(game, n, all_moves=True, seed=1, max_plies=plies)
    write_traces(path, header_dict(game), plays)
    return grl.learn(path).model


def measure(game: Game, model: Model, positions: int = POSITIONS, seed: int = 0) -> Counts:
    """What `model` generates on fresh positions of `game`, in every setting."""
    counts = Counts()
    searchers = {n: Searcher(model, locm=locm, roles=roles) for n, locm, roles in SETTINGS}
    met = [
        (replace(position, equipment=model.equipment), [Turn.parse(text) for text in texts])
        for position, texts in fresh_positions(game, positions, seed)
        if texts
    ]
    shapes = {_shape(position, turn) for position, legal in met for turn in legal}
    for position, legal in met:
        expected = {turn.effect(position) for turn in legal}
        counts.legal += len(expected)
        turns: list[Turn] = []
        for name, searcher in searchers.items():
            try:
                turns = searcher.turns(position)
            except SearchError:
                counts.exceeded.add(name)
                continue
            counts.generated[name] += len(turns)
            counts.disordered[name] += sum(_shape(position, t) not in shapes for t in turns)
            counts.missing[name] += len(expected - {t.effect(position) for t in turns})
        counts.refused += _refused(model, position, turns)
    return counts


def _shape(position: Position, turn: Turn) -> Shape:
    """For each segment what lies on its square before the turn, and how it begins."""
    return tuple(
        (
            position.cells[position.board.square(segment.origin)],
            "step" if segment.letters[0].moves else segment.letters[0].on,
        )
        for segment in turn.segments
    )


def _refused(model: Model, position: Position, turns: list[Turn]) -> int:
    """How many of `turns` have a square that the machine of squares doesn't allow."""
    squares = {(m.mover, m.piece): m for m in model.machines if m.sort == SQUARE}
    writer = PlanWriter(model.equipment)
    decision = Decision(position.to_move, position.cells, position.stock, True)
    written = [plan for turn in turns if (plan := writer.write(decision, str(turn)))]
    return sum(not _allowed(squares[key], plan) for key, plan in written)


def _allowed(machine: Machine, plan: Plan) -> bool:
    """Whether every square of a plan goes through what `machine` allows."""
    return all(_runs(machine, sequence) for sequence in square_sequences(Counter([plan])))


def _runs(machine: Machine, sequence: tuple[Transition, ...]) -> bool:
    ends = {(action, at): (s, t) for s, action, at, t in machine.transitions}
    states = machine.initial
    for transition in sequence:
        if transition not in ends or ends[transition][0] not in states:
            return False
        states = frozenset([ends[transition][1]])
    return bool(states & machine.final)
