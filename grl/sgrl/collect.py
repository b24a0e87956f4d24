"""From evidence to offer trees: every decision's turns cut into words and laid on the board."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise

import numpy as np

from grl.board import EMPTY, Equipment, Player, Square, Stock
from grl.model import AutomatonKey, Role
from grl.sgrl.evidence import Decision, Evidence
from grl.sgrl.offers import Geometry, Indices, OfferTree, Scene
from grl.sgrl.words import END, NEXT, Word, cut, cut_text, prefix_turn
from grl.turn import Letter, Program, Segment, Turn, carry_out, compile_turn, hand_of, stock_with

FLIGHT_OFFERS = 5_000
"""Offers looked at where a piece flies: each stands for as many places as the board has squares."""

SceneKey = tuple[Player, Role, str]


@dataclass
class _Stage:
    """The rows of a scene to be, and what was seen at which row and square."""

    cells: list[str] = field(default_factory=list)
    stocks: list[Stock] = field(default_factory=list)
    weights: list[int] = field(default_factory=list)
    complete: list[bool] = field(default_factory=list)
    sightings: dict[tuple[str, Word], dict[tuple[int, Square], int]] = field(default_factory=dict)

    def row(self, cells: str, stock: Stock, complete: bool) -> int:
        self.cells.append(cells)
        self.stocks.append(stock)
        self.weights.append(0)
        self.complete.append(complete)
        return len(self.cells) - 1

    def see(self, holds: str, word: Word, row: int, square: Square, count: int) -> None:
        places = self.sightings.setdefault((holds, word), {})
        places[row, square] = places.get((row, square), 0) + count


class _Collector:
    """Cuts turns into words, one decision after the other."""

    def __init__(self, equipment: Equipment) -> None:
        self.equipment = equipment
        self.stages: dict[SceneKey, _Stage] = {}
        self.rows: dict[tuple[object, ...], int] = {}
        self.programs: dict[tuple[str, tuple[Letter, ...]], Program] = {}

    def stage(self, mover: Player, role: Role, piece: str = "") -> _Stage:
        return self.stages.setdefault((mover, role, piece), _Stage())

    def decision(self, decision: Decision, turns: list[tuple[str, int]]) -> None:
        """Add one decision with the turns known of it."""
        stage = self.stage(decision.mover, Role.FIRST)
        row = stage.row(decision.cells, decision.stock, decision.complete)
        self.rows.clear()
        for text, count in turns:
            stage.weights[row] += count
            if "; " in text:
                self._segments(decision, row, Turn.parse(text), count)
            elif text != "pass":
                name, _, rest = text.partition(" ")
                square = self.equipment.board.square(name)
                letters, words = cut_text(rest)
                stage.see(decision.cells[square], words[0], row, square, count)
                if len(words) > 1:
                    self._appeared(decision, (), name, letters, words, count)

    def _segments(self, decision: Decision, row: int, turn: Turn, count: int) -> None:
        """A turn of several segments: each starts on the board that the earlier ones left."""
        for i, segment in enumerate(turn.segments):
            done = turn.segments[:i]
            square = self.equipment.board.square(segment.origin)
            words = cut(segment.letters, END if i == len(turn.segments) - 1 else NEXT)
            if i == 0:
                stage = self.stage(decision.mover, Role.FIRST)
                stage.see(decision.cells[square], words[0], row, square, count)
            else:
                stage = self.stage(decision.mover, Role.LATER)
                at = self._row(stage, decision, done, partial(self._after, decision, done))
                stage.weights[at] += count
                stage.see(stage.cells[at][square], words[0], at, square, count)
            if len(words) > 1:
                self._appeared(decision, done, segment.origin, segment.letters, words, count)

    def _appeared(
        self,
        decision: Decision,
        done: tuple[Segment, ...],
        origin: str,
        letters: tuple[Letter, ...],
        words: tuple[Word, ...],
        count: int,
    ) -> None:
        """The words after each ``a``, offered where the piece has appeared."""
        length = 0
        for before, word in pairwise(words):
            length += len(before)
            prefix = letters[:length]
            piece = before[-1].piece
            stage = self.stage(decision.mover, Role.APPEARED, piece)
            key = (done, origin, prefix)
            at = self._row(stage, decision, (piece, *key), partial(self._before, decision, *key))
            stage.weights[at] += count
            stage.see(piece, word, at, self._hand_square(origin, prefix), count)

    def _row(
        self,
        stage: _Stage,
        decision: Decision,
        key: tuple[object, ...],
        board: Callable[[], tuple[str, Stock]],
    ) -> int:
        row = self.rows.get(key)
        if row is None:
            row = stage.row(*board(), decision.complete)
            self.rows[key] = row
        return row

    def _hand_square(self, origin: str, letters: tuple[Letter, ...]) -> Square:
        return self._program(origin, letters)[-1].square

    def _program(self, origin: str, letters: tuple[Letter, ...]) -> Program:
        key = origin, letters
        program = self.programs.get(key)
        if program is None:
            program = compile_turn(prefix_turn((), origin, letters), self.equipment.board)
            self.programs[key] = program
        return program

    def _before(
        self,
        decision: Decision,
        done: tuple[Segment, ...],
        origin: str,
        letters: tuple[Letter, ...],
    ) -> tuple[str, Stock]:
        """The board under a piece that has just appeared at the end of `letters`, and the stock."""
        cells, stock = decision.cells, decision.stock
        if done:
            cells, stock = self._after(decision, done)
        return self._carried(decision.mover, cells, stock, self._program(origin, letters)[:-1])

    def _after(self, decision: Decision, done: tuple[Segment, ...]) -> tuple[str, Stock]:
        """The board and the stock after whole segments."""
        program = compile_turn(Turn(done), self.equipment.board)
        return self._carried(decision.mover, decision.cells, decision.stock, program)

    def _carried(
        self, mover: Player, cells: str, stock: Stock, program: Program
    ) -> tuple[str, Stock]:
        board = list(cells)
        hand = hand_of(stock, mover)
        view = self.equipment.views[mover]
        carry_out(program, board, view, set(), hand, self.equipment.pieces)
        return "".join(board), stock_with(stock, mover, hand) if hand else stock


def collect(evidence: Evidence, equipment: Equipment) -> dict[AutomatonKey, OfferTree]:
    """The offer trees of all automata that `evidence` speaks of, calibrated."""
    collector = _Collector(equipment)
    for decision, turns in evidence.sorted():
        collector.decision(decision, turns)
    geometry = Geometry(equipment.board)
    trees: dict[AutomatonKey, OfferTree] = {}
    for (mover, role, _), stage in sorted(collector.stages.items()):
        scene = Scene(
            equipment,
            geometry,
            mover,
            stage.cells,
            stage.stocks,
            stage.weights,
            stage.complete,
        )
        for holds in sorted({holds for holds, _ in stage.sightings}):
            trees[AutomatonKey(mover, holds, role)] = _tree(scene, stage, holds, role)
        scene.calibrate()
    return trees


def words_of(
    decision: Decision, text: str, equipment: Equipment
) -> list[tuple[AutomatonKey, Word]]:
    """The words of one known turn with the automata that they belong to."""
    if text == "pass":
        return []
    if "; " not in text:
        name, _, rest = text.partition(" ")
        words = cut_text(rest)[1]
        holds = decision.cells[equipment.board.square(name)]
        pairs = [(AutomatonKey(decision.mover, holds, Role.FIRST), words[0])]
        for before, word in pairwise(words):
            key = AutomatonKey(decision.mover, before[-1].piece, Role.APPEARED)
            pairs.append((key, word))
        return pairs
    collector = _Collector(equipment)
    collector.decision(decision, [(text, 1)])
    return [
        (AutomatonKey(mover, holds, role), word)
        for (mover, role, _), stage in collector.stages.items()
        for holds, word in stage.sightings
    ]


def _tree(scene: Scene, stage: _Stage, holds: str, role: Role) -> OfferTree:
    """The tree of one automaton with its sightings."""
    seen = {word: places for (piece, word), places in stage.sightings.items() if piece == holds}
    if role is Role.APPEARED:
        places = sorted({place for where in seen.values() for place in where})
        rows = np.array([row for row, _ in places], dtype=np.int32)
        squares = np.array([square for _, square in places], dtype=np.int32)
    else:
        rows, squares = scene.holding(holds)
    if len(rows) > FLIGHT_OFFERS and any(letter.fly for word in seen for letter in word):
        rows, squares = _thinned(rows, squares, [min(places) for places in seen.values()])
    tree = OfferTree(scene, rows, squares, lifted=role is not Role.APPEARED and holds != EMPTY)
    size = scene.codes.shape[1]
    offers = np.full(len(stage.cells) * size, -1, dtype=np.int32)
    offers[rows.astype(np.int64) * size + squares] = np.arange(len(rows), dtype=np.int32)
    for word in sorted(seen):
        where = sorted(seen[word].items())
        at = np.array([row * size + square for (row, square), _ in where], dtype=np.int64)
        counts = np.array([count for _, count in where], dtype=np.float64)
        kept = offers[at] >= 0
        tree.add_sightings(word, offers[at][kept], counts[kept])
    return tree


def _thinned(
    rows: Indices, squares: Indices, wanted: list[tuple[int, Square]]
) -> tuple[Indices, Indices]:
    """Evenly chosen offers, and with them the `wanted` places, so that no word goes unseen."""
    step = -(-len(rows) // FLIGHT_OFFERS)
    places = set(zip(rows[::step].tolist(), squares[::step].tolist(), strict=True)) | set(wanted)
    chosen = np.array(sorted(places), dtype=np.int32)
    return chosen[:, 0], chosen[:, 1]
