"""Turns as plans: sequences of actions whose squares are numbered in the order they occur.

LOCM only asks which arguments of a plan are the same object, so plans that differ in nothing but
the squares' names are one pattern with a count. Tens of thousands of turns become a few dozen
patterns, and patterns from two shards add up.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from grl.board import EMPTY, Equipment, Player, Square, parse_square_name
from grl.locm.actions import Action, Pending, advance, flush
from grl.sgrl.evidence import Decision
from grl.turn import REMOVE_LETTER, Kind, Segment, Turn, carry_out, compile_turn, hand_of

_UNTOLD_REMOVAL = re.compile(r"\(\S+ (?:\S+ )?(?:e|d|[ar] .)\) \(0 0 d\)")
"""A removal after a letter that is no step onto a piece: the word doesn't tell what is removed."""

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
        self._known: dict[tuple[str, str], Plan] = {}

    def write(self, decision: Decision, text: str) -> tuple[PlanKey, Plan] | None:
        """The plan of a turn and whose it is; None for a pass."""
        if text == "pass":
            return None
        name, _, rest = text.partition(" ")
        holds = decision.cells[self.equipment.board.square(name)]
        key = decision.mover, holds
        word = (text if "@" in text else rest, holds)
        plan = self._known.get(word)
        if plan is None:
            turn = Turn.parse(text)
            plan = self._plan(decision, turn, self._origins(decision, turn))
            if len(turn.segments) == 1 and not _UNTOLD_REMOVAL.search(text):
                self._known[word] = plan
        return key, plan

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
        segment = turn.segments[at]
        so_far = segment.letters[:letters]
        targets = segment.targets[: sum(letter.fly for letter in so_far)]
        prefix = Turn((*turn.segments[:at], Segment(segment.origin, so_far, targets)))
        program = compile_turn(prefix, self.equipment.board)[:-1]
        cells = list(decision.cells)
        hand = hand_of(decision.stock, decision.mover)
        view = self.equipment.views[decision.mover]
        carry_out(program, cells, view, set(), hand, self.equipment.pieces)
        return cells[program[-1].square]

    def _plan(self, decision: Decision, turn: Turn, origins: list[str]) -> Plan:
        """The pattern of `turn`; a square is known by its file and rank until it is numbered."""
        numbers: dict[tuple[int, int], Square] = {}

        def number(place: tuple[int, int]) -> Square:
            return numbers.setdefault(place, Square(len(numbers)))

        actions: list[Action] = []
        for at, (segment, holds) in enumerate(zip(turn.segments, origins, strict=True)):
            place = parse_square_name(segment.origin)
            assert place is not None
            held = "" if holds == EMPTY or segment.letters[0] == REMOVE_LETTER else holds
            targets = iter(segment.targets)
            pending: Pending | None = None
            for i, letter in enumerate(segment.letters):
                source = place
                if letter.fly:
                    flown = parse_square_name(next(targets))
                    assert flown is not None
                    place = flown
                else:
                    place = place[0] + letter.dx, place[1] + letter.dy
                under = holds
                if i > 0 and letter == REMOVE_LETTER and pending is None:
                    under = self._under(decision, turn, at, i)
                done, pending = advance(
                    self.equipment, pending, letter, held, number(source), number(place), under
                )
                actions += done
                if letter.kind is Kind.APPEAR:
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
