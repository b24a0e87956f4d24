"""Turns as plans: sequences of actions whose squares are numbered in the order they occur.

LOCM only asks which arguments of a plan are the same object, so plans that differ in nothing but
the squares' names are one pattern with a count. Tens of thousands of turns become a few dozen
patterns, and patterns from two shards add up.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from grl.board import EMPTY, Equipment, Player, Square, parse_square_name
from grl.locm.actions import Action, Pending, advance, flush
from grl.sgrl.evidence import Decision
from grl.turn import REMOVE_LETTER, Turn, carry_out, compile_turn, hand_of

Plan = tuple[Action, ...]
PlanKey = tuple[Player, str]


@dataclass
class Plans:
    """Patterns of plans with their counts, by mover and by what the turn's origin holds."""

    patterns: dict[PlanKey, Counter[Plan]] = field(default_factory=dict)

    def observe(self, key: PlanKey, plan: Plan, count: int = 1) -> None:
        """Add a plan."""
        self.patterns.setdefault(key, Counter())[plan] += count

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
        if ";" in text:
            turn = Turn.parse(text)
            return key, self._plan(turn, self._origins(decision, turn))
        word = (text if "@" in text else rest, holds)
        plan = self._known.get(word)
        if plan is None:
            plan = self._known[word] = self._plan(Turn.parse(text), [holds])
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

    def _plan(self, turn: Turn, origins: list[str]) -> Plan:
        """The pattern of `turn`; a square is known by its file and rank until it is numbered."""
        numbers: dict[tuple[int, int], Square] = {}

        def number(place: tuple[int, int]) -> Square:
            return numbers.setdefault(place, Square(len(numbers)))

        actions: list[Action] = []
        for segment, holds in zip(turn.segments, origins, strict=True):
            place = parse_square_name(segment.origin)
            assert place is not None
            held = "" if holds == EMPTY or segment.letters[0] == REMOVE_LETTER else holds
            targets = iter(segment.targets)
            pending: Pending | None = None
            for letter in segment.letters:
                source = place
                if letter.fly:
                    flown = parse_square_name(next(targets))
                    assert flown is not None
                    place = flown
                else:
                    place = place[0] + letter.dx, place[1] + letter.dy
                done, pending = advance(
                    self.equipment, pending, letter, held, number(source), number(place), holds
                )
                actions += done
                if letter.on == "a":
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
