"""Turns as plans: sequences of actions whose squares are numbered in the order they occur.

LOCM only asks which arguments of a plan are the same object, so plans that differ in nothing but
the squares' names are one pattern with a count. Tens of thousands of turns become a few dozen
patterns, and patterns from two shards add up.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import chain
from operator import itemgetter

from grl.board import EMPTY, Equipment, Player, Square
from grl.locm.actions import Action, Pending, advance, flush
from grl.sgrl.evidence import Decision
from grl.turn import Turn, carry_out, compile_turn, compile_until, hand_of

_NAMELESS_REMOVAL = re.compile(r"\(\S+ (?:\S+ )?(?:e|d|[ar] .)\) \(0 0 d\)")
"""A removal after a letter that is no step onto a piece: the word doesn't say what is removed."""

Plan = tuple[Action, ...]
PlanKey = tuple[Player, str]


@dataclass
class Plans:
    """Patterns of plans with their counts, by mover and by what the turn's origin holds."""

    patterns: dict[PlanKey, Counter[Plan]] = field(default_factory=dict)

    def observe(self, key: PlanKey, plan: Plan, count: int = 1) -> None:
        """Add a plan."""
        patterns = self.patterns.get(key)
        if patterns is None:
            patterns = self.patterns[key] = Counter()
        patterns[plan] += count

    def merge(self, other: Plans) -> None:
        """Add the plans of another shard."""
        for key, patterns in other.patterns.items():
            self.patterns.setdefault(key, Counter()).update(patterns)


class PlanWriter:
    """Writes turns as plans; remembers words that it has already written."""

    def __init__(self, equipment: Equipment) -> None:
        self.equipment = equipment
        self._known: dict[tuple[str, object], Plan] = {}
        self._visited: dict[str, Callable[[str], object]] = {}

    def write(self, decision: Decision, text: str) -> tuple[PlanKey, Plan] | None:
        """The plan of a turn and whose it is; None for a pass."""
        if text == "pass":
            return None
        name, _, rest = text.partition(" ")
        holds = decision.cells[self.equipment.board.square(name)]
        key = decision.mover, holds
        word: tuple[str, object] = (text if "@" in text else rest, holds)
        if word not in self._known:
            turn = Turn.parse(text)
            if len(turn.segments) > 1 or _NAMELESS_REMOVAL.search(text):
                word = text, self._contents(turn, text)(decision.cells)
            if word not in self._known:
                plan = self._plan(decision, turn, self._origins(decision, turn))
                self._known[word] = plan
        return key, self._known[word]

    def _contents(self, turn: Turn, text: str) -> Callable[[str], object]:
        """What takes from a board all that it says of a turn: the contents of its squares."""
        if text not in self._visited:
            board = self.equipment.board
            paths = (segment.path(board) for segment in turn.segments)
            self._visited[text] = itemgetter(*sorted(set(chain.from_iterable(paths))))
        return self._visited[text]

    def _origins(self, decision: Decision, turn: Turn) -> list[str]:
        """What each segment's origin square holds when its turn comes."""
        board = self.equipment.board
        cells = list(decision.cells)
        hand = hand_of(decision.stock, decision.mover)
        view = self.equipment.views[decision.mover]
        origins = []
        for segment in turn.segments:
            origins.append(cells[board.square(segment.origin)])
            program = compile_turn(Turn((segment,)), board)
            carry_out(program, cells, view, set(), hand, self.equipment.pieces)
        return origins

    def _under(self, decision: Decision, turn: Turn, at: int, letters: int) -> str:
        """What lies under the hand before the letter number `letters` of segment number `at`."""
        program = compile_until(turn, at, letters, self.equipment.board)
        cells = list(decision.cells)
        hand = hand_of(decision.stock, decision.mover)
        view = self.equipment.views[decision.mover]
        carry_out(program, cells, view, set(), hand, self.equipment.pieces)
        return cells[program[-1].square]

    def _plan(self, decision: Decision, turn: Turn, origins: list[str]) -> Plan:
        """The pattern of `turn`, where each segment's origin square holds what `origins` says."""
        actions: list[Action] = []
        for at, (segment, holds) in enumerate(zip(turn.segments, origins, strict=True)):
            path = segment.path(self.equipment.board)
            held = holds if segment.lifts and holds != EMPTY else ""
            pending: Pending | None = None
            for i, letter in enumerate(segment.letters):
                under = holds
                if i > 0 and letter.removes and pending is None:
                    under = self._under(decision, turn, at, i)
                done, pending = advance(
                    self.equipment, pending, letter, held, path[i], path[i + 1], under
                )
                actions += done
                if letter.appears:
                    held = letter.piece
            actions += flush(self.equipment, pending)
        return renumbered(actions)


def renumbered(actions: list[Action]) -> Plan:
    """The same plan with its squares numbered from 0 in the order they occur as arguments."""
    numbers: dict[Square, Square] = {}
    return tuple(
        Action(name, tuple(numbers.setdefault(s, Square(len(numbers))) for s in args))
        for name, args in actions
    )
