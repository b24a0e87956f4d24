"""The squares on which players' first segments end, in C: what `grl.engine.ends` finds, as text.

Hands are sets. Stages come after those that lead to them, and those that lead to themselves, as
slides do, are gone through until no hand comes to a further square.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grl.board import EMPTY, Square
from grl.engine.ends import ALWAYS, MAYBE, Offset, Stage, Way, open_starts, stages_of
from grl.engine.graph import Graph
from grl.logic.code import Code
from grl.model import Model
from grl.rules.code.source import shifted
from grl.turn import Letter

MOST_WAYS = 2_000
"""Of a player with more ways between stages a walk says all."""


class Reach:
    """Writes ``ends_in``: whether first segments of a player may end in a set of squares."""

    def __init__(
        self, model: Model, graphs: Sequence[Graph], letters: Sequence[Letter], code: Code
    ) -> None:
        equipment = model.equipment
        hands = bool(equipment.stocked) or any(letter.reserves for letter in letters)
        whole = not (model.effects and hands)
        self._lying = _Lying(sorted(equipment.pieces))
        self._code = code
        self._stages = [
            stages_of(graph, equipment, letters, hands=hands, whole=whole) for graph in graphs
        ]
        self._open = [open_starts(stages) for stages in self._stages]
        for seat, stages in enumerate(self._stages):
            if sum(len(stage.ways) for stage in stages) > MOST_WAYS:
                every = {key for stage in stages for key in stage.starts}
                self._open[seat], self._stages[seat] = tuple(sorted(every)), ()

    @property
    def doubts(self) -> bool:
        """Whether a walk may have to say where segments end."""
        return any(self._open)

    def text(self) -> Iterator[str]:
        """The functions ``ends_in`` and ``open_origins``, which engine.h declares."""
        for seat, stages in enumerate(self._stages):
            yield f"static int ends_in_{seat}(const Set *pieces, Set wanted) {{"
            yield "  (void)pieces; (void)wanted;"
            if stages:
                yield from _Writer(self._code, self._lying, stages).lines()
            yield f"  return {'NONE' if self._open[seat] and not stages else 0};\n}}"
        yield "static int ends_in(const Set *pieces, int seat, Set wanted) {\n  switch (seat) {"
        for seat in range(len(self._stages)):
            yield f"  case {seat}: return ends_in_{seat}(pieces, wanted);"
        yield "  }\n  return 0;\n}"
        yield "static UNUSED Set open_origins(const Set *pieces, int seat) {"
        yield "  (void)pieces;\n  switch (seat) {"
        for seat, keys in enumerate(self._open):
            yield f"  case {seat}: return {self._lying.of(keys)};"
        yield "  }\n  return NO_SQUARE;\n}"


class _Lying:
    """Expressions for the squares that hold contents."""

    def __init__(self, pieces: Sequence[str]) -> None:
        self._numbers = {key: number for number, key in enumerate(pieces)}

    def of(self, keys: Sequence[str]) -> str:
        return _joined(
            ["empty_of(pieces)" if k == EMPTY else f"pieces[{self._numbers[k]}]" for k in keys]
        )


def _joined(sets: Sequence[str]) -> str:
    """The union of sets, as an expression."""
    found = "NO_SQUARE"
    for each in sets:
        found = each if found == "NO_SQUARE" else f"set_or({found}, {each})"
    return found


def circles(before: Sequence[Sequence[int]]) -> list[list[int]]:
    """Numbers with those that lead to one another, each such part after what leads to it.

    `before` has for every number those that lead to it.
    """
    after: list[list[int]] = [[] for _ in before]
    for target, sources in enumerate(before):
        for source in sources:
            after[source].append(target)
    met: set[int] = set()
    left = [each for start in range(len(after)) for each in _from(start, after, met)]
    met.clear()
    return [sorted(part) for start in left[::-1] if (part := _from(start, before, met))]


def _from(start: int, following: Sequence[Sequence[int]], met: set[int]) -> list[int]:
    """What is not met yet and can be come to, in the order in which a search leaves it."""
    found: list[int] = []
    waiting = [(start, False)]
    while waiting:
        number, left = waiting.pop()
        if left:
            found.append(number)
        elif number not in met:
            met.add(number)
            waiting.append((number, True))
            waiting += [(each, False) for each in following[number]]
    return found


class _Writer:
    """Writes the stages of one player, in the order in which hands come to them."""

    def __init__(self, code: Code, lying: _Lying, stages: Sequence[Stage]) -> None:
        self.code, self.lying, self.stages = code, lying, stages
        self.board = code.equipment.board
        self._fits: dict[Way, str] = {}
        self._into: list[list[tuple[int, Way]]] = [[] for _ in stages]
        for number, stage in enumerate(stages):
            for way, target in stage.ways:
                if way.by is None or self._targets(way.by):
                    self._into[target].append((number, way))

    def lines(self) -> Iterator[str]:
        """All but the end, where no segment ends in the set."""
        before = [[source for source, _ in into] for into in self._into]
        body = [line for members in circles(before) for line in self._part(members)]
        yield "  Set sure = NO_SQUARE, maybe = NO_SQUARE;"
        yield from (f"  const Set {name} = {self._fitting(w)};" for w, name in self._fits.items())
        yield from (f"  {line}" for line in body)
        yield "  if (set_any(set_and(sure, wanted))) return 1;"
        yield "  if (set_any(set_and(maybe, wanted))) return NONE;"

    def _part(self, members: Sequence[int]) -> Iterator[str]:
        """The hands in some stages, which lead to one another where they are several."""
        inner = [
            (number, source, way)
            for number in members
            for source, way in self._into[number]
            if source in members
        ]
        for number in members:
            outer = [(s, way) for s, way in self._into[number] if s not in members]
            starts = self.stages[number].starts
            sets = [self.lying.of(starts)] if starts else []
            yield f"Set at_{number} = {_joined([*sets, *self._moved(outer)])};"
        if inner and len(members) == 1:
            [number] = members
            further = _joined(list(self._moved([(source, way) for _, source, way in inner], "now")))
            if len(inner) > 1:
                further = f"set_less({further}, at_{number})"
            yield f"for (Set now = at_{number}; set_any(now);) {{"
            yield f"  now = {further};\n    at_{number} = set_or(at_{number}, now);\n  }}"
        elif inner:
            yield "for (int more = 1; more;) {\n    more = 0;"
            for number, source, way in inner:
                [further] = self._moved([(source, way)])
                yield f"  if (set_any(set_less({further}, at_{number}))) {{"
                yield f"    at_{number} = set_or(at_{number}, {further}); more = 1;\n    }}"
            yield "}"
        for number in members:
            ends = {ALWAYS: "sure", MAYBE: "maybe"}.get(self.stages[number].ends)
            if ends is not None:
                yield f"{ends} = set_or({ends}, at_{number});"

    def _moved(self, ways: Sequence[tuple[int, Way]], hands: str = "") -> Iterator[str]:
        """Where ways lead the hands of stages, or others; those of one way together."""
        sources: dict[Way, list[str]] = {}
        for source, way in ways:
            sources.setdefault(way, []).append(hands or f"at_{source}")
        for way, sets in sources.items():
            found = _joined(sets)
            if way.fly:
                found = f"flown({found})"
            elif way.by is not None:
                found = shifted(found, self._distance(way.by))
            stays = way.by is None and not way.fly and way.keys is None
            yield found if stays else f"set_and({found}, {self._fits_of(way)})"

    def _distance(self, by: Offset) -> int:
        return by[0] + by[1] * self.board.width

    def _targets(self, by: Offset) -> list[Square]:
        found = (self.board.step(square, *by) for square in self.board.squares)
        return [square for square in found if square is not None]

    def _bent(self, by: Offset) -> bool:
        """Whether numbers lead from some square to another one than the step does."""
        squares = set(self.board.squares)
        return any(
            square + self._distance(by) in squares and self.board.step(square, *by) is None
            for square in squares
        )

    def _fits_of(self, way: Way) -> str:
        """The name of the set of squares to which a way may lead."""
        by = way.by if way.by is not None and self._bent(way.by) else None
        return self._fits.setdefault(Way(by, False, way.keys), f"fits_{len(self._fits)}")

    def _fitting(self, way: Way) -> str:
        found = "board_squares" if way.keys is None else self.lying.of(way.keys)
        if way.by is None:
            return found
        return f"set_and({found}, {self.code.constant(self._targets(way.by))})"
