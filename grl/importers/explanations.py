"""Every turn that explains what differs between two boards, within bounds.

A piece of the mover went from where it is gone to where one arrived: in single steps along a line
(each square read as it lies: empty, own, another's), in one leap, or over pieces that are gone,
each taken as it is passed. What it became follows, and what appeared may have been thrown by it,
along a free line or in one leap. The rest differs in later segments, as
`grl.importers.differences` writes them. Which of these it was one pair of boards can't say:
`grl.importers.choosing` decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import gcd

from grl.board import EMPTY, HOLE, Equipment, Player, Square
from grl.errors import GrlError
from grl.importers.differences import Differences, Shown, Unsayable
from grl.turn import Mismatch, Turn, carry_out, compile_turn

MOST_WAYS = 16
"""Pairs of squares between which the piece that moved may have gone."""
MOST_CHAINS = 24
"""Ways over the pieces taken, of one piece."""
MOST_STEPS = 4_000
"""How far such ways are followed."""
AROUND = tuple((x, y) for y in (-1, 0, 1) for x in (-1, 0, 1) if x or y)

Step = tuple[int, int]


@dataclass(frozen=True)
class Explainer:
    """Finds the turns of games with some `equipment`."""

    equipment: Equipment

    @cached_property
    def _owners(self) -> dict[str, str | None]:
        return {key: piece.player for key, piece in self.equipment.pieces.items()}

    @cached_property
    def _differences(self) -> Differences:
        return Differences(self.equipment.board.width, self._owners, {})

    @cached_property
    def around(self) -> list[Sequence[tuple[Step, Square]]]:
        """For each square the squares next to it with the steps that lead there."""
        board = self.equipment.board
        if board.links is None:
            return [
                [(d, t) for d in AROUND if (t := board.step(Square(s), *d)) is not None]
                for s in range(board.size)
            ]
        return [
            [(self.step_between(s, end), end) for start, end in sorted(board.links) if start == s]
            for s in range(board.size)
        ]

    def step_between(self, start: int, end: int) -> Step:
        width = self.equipment.board.width
        return end % width - start % width, end // width - start // width

    def turns(self, before: str, after: str, mover: Player) -> tuple[str, ...]:
        """The turns of `mover` that lead from one board to the other, the likeliest form first.

        At least one is there wherever anything but pieces that nobody has met changes.
        """
        if before == after:
            return ("pass",)
        found = dict.fromkeys(self._spelled(_Case(self, before, after, mover)))
        return tuple(text for text in found if self._leads(text, before, after, mover))

    def _leads(self, text: str, before: str, after: str, mover: Player) -> bool:
        """Whether a turn, carried out, leads from one board to the other."""
        equipment = self.equipment
        cells = list(before)
        try:
            program = compile_turn(Turn.parse(text), equipment.board)
            carry_out(program, cells, equipment.views[mover], set(), {}, equipment.pieces)
        except (GrlError, Mismatch):
            return False
        return "".join(cells) == after

    def _spelled(self, case: _Case) -> Iterator[str]:
        for start, end in case.ways():
            for letters, taken in case.paths(start, end):
                yield from self._finished(case, start, end, letters, taken)
        yield self._rest(case.before, case)

    def _finished(
        self, case: _Case, start: int, end: int, letters: str, taken: frozenset[int]
    ) -> Iterator[str]:
        """The turns that begin with a way from `start` to `end`."""
        now = list(case.before)
        key, new = now[start], case.after[end]
        now[start] = EMPTY
        for square in taken:
            now[square] = EMPTY
        if not case.own(new):
            return
        text = f"{case.name(start)}{letters}" + (f" (0 0 a {new})" if new != key else "")
        now[end] = new
        left = [s for s in case.changed if now[s] != case.after[s]]
        if not left:
            yield text
            return
        for square in left:
            thrown = case.after[square]
            if now[square] == EMPTY and not case.own(thrown):
                for more in case.throws(now, end, square):
                    then = [*now]
                    then[square] = thrown
                    rest = self._rest("".join(then), case)
                    yield f"{text} (0 0 a {thrown}){more}" + (f"; {rest}" if rest else "")
        yield f"{text}; {self._rest(''.join(now), case)}"

    def _rest(self, now: str, case: _Case) -> str:
        """What still differs, as segments in one fixed form; empty where nothing does."""
        if now == case.after:
            return ""
        here, there = (
            Shown(tuple(self.equipment.board.rows(cells)), case.mover, {})
            for cells in (now, case.after)
        )
        try:
            return self._differences.turn(here, there)
        except Unsayable:
            return ""


class _Case:
    """Two boards, seen by the one who moved."""

    def __init__(self, by: Explainer, before: str, after: str, mover: Player) -> None:
        board = by.equipment.board
        self.before, self.after, self.mover = before, after, mover
        self.board, self.around, self._measure = board, by.around, by.step_between
        self.view: Mapping[str, str] = by.equipment.views[mover]
        self.changed = [s for s in board.squares if before[s] != after[s]]
        self.gone = frozenset(s for s in self.changed if after[s] == EMPTY)

    def own(self, key: str) -> bool:
        return self.view.get(key) == "w"

    def name(self, square: int) -> str:
        return self.board.names[square]

    def ways(self) -> Sequence[tuple[Square, Square]]:
        """From where to where the piece that moved may have gone."""
        left = [s for s in self.changed if self.own(self.before[s])]
        came = [s for s in self.changed if self.own(self.after[s])]
        if not left and not came:
            # It came back to where it was.
            own = (s for s in self.board.squares if self.own(self.before[s]))
            return [(s, s) for s in own if self._near_gone(s)][:MOST_WAYS]
        same = [(s, t) for s in left for t in came if s != t]
        return sorted(same, key=lambda way: self.before[way[0]] != self.after[way[1]])[:MOST_WAYS]

    def _near_gone(self, start: int) -> bool:
        return any(square in self.gone for _, square in self.around[start])

    def paths(self, start: int, end: int) -> Iterator[tuple[str, frozenset[int]]]:
        """Letters that lead from `start` to `end`, and the pieces they take on the way."""
        cells = [*self.before]
        cells[start] = EMPTY
        none: frozenset[int] = frozenset()
        if self.gone - {start}:
            yield from self._chains(cells, start, end, self.gone - {start})
        if start == end:
            return
        line = self.line(cells, start, end)
        if line is not None:
            yield line, none
        leap = self.leap(cells, start, end)
        if leap != line:
            yield leap, none
        for bent in self._bent(cells, start, end):
            yield bent, none

    def _bent(self, cells: Sequence[str], start: int, end: int) -> Iterator[str]:
        """Single steps over empty squares, first straight and then aslant or the other way."""
        dx, dy = self._measure(start, end)
        if self.board.links is not None or not dx or not dy or abs(dx) == abs(dy):
            return
        aslant = min(abs(dx), abs(dy))
        x, y = dx // abs(dx), dy // abs(dy)
        straight = (x, 0) if abs(dx) > aslant else (0, y)
        first = [straight] * (max(abs(dx), abs(dy)) - aslant), [(x, y)] * aslant
        for steps in (first[0] + first[1], first[1] + first[0]):
            here, letters, ons = start, "", ""
            for step in steps:
                here += self._square_step(*step)
                ons += self.view.get(cells[here], HOLE)
                letters += f" ({step[0]} {step[1]} {ons[-1]})"
            if set(ons[:-1]) == {"e"}:
                yield letters

    def line(self, cells: Sequence[str], start: int, end: int) -> str | None:
        """Single steps along a line; None where there is no such line."""
        dx, dy = self._measure(start, end)
        number = gcd(dx, dy)
        if self.board.links is not None and number > 1:
            number = 1
        stride = self._square_step(dx // number, dy // number)
        here, letters = start, ""
        for _ in range(number):
            here += stride
            if cells[here] == HOLE:
                return None
            letters += f" ({dx // number} {dy // number} {self.view[cells[here]]})"
        linked = self.board.links is None or (Square(start), Square(end)) in self.board.links
        return letters if linked else None

    def _square_step(self, dx: int, dy: int) -> int:
        return dy * self.board.width + dx

    def leap(self, cells: Sequence[str], start: int, end: int) -> str:
        """One step however far; a flight where no link leads there."""
        on = self.view[cells[end]]
        dx, dy = self._measure(start, end)
        if self.board.links is None or (Square(start), Square(end)) in self.board.links:
            return f" ({dx} {dy} {on})"
        return f" (@{self.name(end)} {on})"

    def throws(self, cells: Sequence[str], start: int, end: int) -> Iterator[str]:
        """How something goes from `start` to the empty square `end`."""
        line = self.line(cells, start, end)
        if line is not None and line.count(" e)") == line.count("("):
            yield line
        leap = self.leap(cells, start, end)
        if leap != line:
            yield leap

    def _chains(
        self, cells: list[str], start: int, end: int, gone: frozenset[int]
    ) -> Iterator[tuple[str, frozenset[int]]]:
        """Ways over all pieces that are `gone`: to each along a free line, and on over it.

        Past a single one the way may bend at once, as where it lay beside.
        """
        found = steps = 0
        todo: list[tuple[int, str, frozenset[int]]] = [(start, "", gone)]
        while todo and found < MOST_CHAINS and steps < MOST_STEPS:
            here, letters, left = todo.pop()
            steps += 1
            if not left:
                if here == end:
                    found += 1
                    yield letters, gone
                continue
            for step, first in reversed(self.around[here]):
                square: Square | None = first
                way = letters
                while square is not None and self._free(cells, square, left):
                    way += f" ({step[0]} {step[1]} e)"
                    square = self.board.step(square, *step)
                if square is None or square not in left:
                    continue
                on = self.view[cells[square]]
                way += f" ({step[0]} {step[1]} {on}) (0 0 d)"
                todo += self._landings(cells, square, step, way, left - {square}, end)

    def _landings(
        self,
        cells: list[str],
        over: int,
        step: Step,
        letters: str,
        left: frozenset[int],
        end: int,
    ) -> Iterator[tuple[int, str, frozenset[int]]]:
        """Where a way goes on after a piece was taken."""
        if not left:
            for other, square in self.around[over]:
                if square == end and other != step and self._free(cells, square, left):
                    yield square, f"{letters} ({other[0]} {other[1]} e)", left
        landing = self.board.step(Square(over), *step)
        while landing is not None and self._free(cells, landing, left):
            letters += f" ({step[0]} {step[1]} e)"
            yield landing, letters, left
            landing = self.board.step(landing, *step)

    def _free(self, cells: Sequence[str], square: int, left: frozenset[int]) -> bool:
        """Whether nothing lies on a square when all but the pieces `left` are taken."""
        return cells[square] == EMPTY or (square in self.gone and square not in left)
