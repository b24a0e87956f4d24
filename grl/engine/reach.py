"""The squares on which players' first segments end, in C: what `grl.engine.ends` finds, as text.

Hands are sets. Stages come after those that lead to them, and those that lead to themselves, as
slides do, are gone through until no hand comes to a further square.

Where a turn changes squares the answer stays, unless it changes one that hands come upon and one
from which they would go on to the end: both are sets of the position before (`Nearby` in
setwise.h), found forwards and backwards, so that few turns of a position are looked at one by one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from grl.board import EMPTY, Square
from grl.engine.ends import ALWAYS, MAYBE, Offset, Stage, Way, leading_to, open_starts, stages_of
from grl.engine.graph import Graph
from grl.logic.code import Code
from grl.logic.relations import shifted, union
from grl.model import Model
from grl.turn import Letter

MOST_WAYS = 2_000
"""Of a player with more ways between stages a walk says all."""


class Reach:
    """Writes ``ends_in``: whether first segments of a player may end in a set of squares."""

    def __init__(
        self,
        model: Model,
        graphs: Sequence[Graph],
        letters: Sequence[Letter],
        code: Code,
        *,
        hands: bool,
    ) -> None:
        equipment = model.equipment
        whole = not (model.effects and hands)
        self._lying = _Lying(sorted(equipment.pieces))
        self._code = code
        self._watched: dict[int, bool] = {}
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

    def watched(self, seat: int, put: Collection[str]) -> str:
        """The function that finds what a turn would have to change for the answer to be another,
        if it leaves nothing but `put` on squares; nothing where that isn't known."""
        if not self._stages[seat]:
            return ""
        begins = any(key in put for stage in self._stages[seat] for key in stage.starts)
        self._watched[seat] = self._watched.get(seat, False) or begins
        return f"nearby_{seat}"

    def text(self) -> Iterator[str]:
        """The functions ``ends_in`` and ``open_origins``, which engine.h declares, and those of
        which `watched` was asked."""
        for seat, stages in enumerate(self._stages):
            writer = _Writer(self._code, self._lying, stages)
            if stages:
                yield from writer.leading(seat)
            yield f"static FAST int ends_in_{seat}(const Set *pieces, Set wanted) {{"
            yield "  (void)pieces; (void)wanted;"
            if stages:
                yield from writer.lines(seat)
            yield f"  return {'NONE' if self._open[seat] and not stages else 0};\n}}"
            if seat in self._watched:
                yield f"static FAST void nearby_{seat}(const Set *pieces, Set wanted, Nearby *n) {{"
                yield "  (void)pieces;"
                yield from writer.watching(seat, self._watched[seat])
                yield "}"
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
        return union(
            ["empty_of(pieces)" if k == EMPTY else f"pieces[{self._numbers[k]}]" for k in keys]
        )


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


class _Direction(NamedTuple):
    """Forwards from where hands begin, or backwards from where they end.

    Stages are numbered; `into` has for each the others from which sets come to it, and by which
    ways, `begun` the expressions of the sets that it begins with, `name` what its set is called.
    """

    name: str
    into: Sequence[Sequence[tuple[int, Way]]]
    begun: Sequence[Sequence[str]]
    back: bool


class _Writer:
    """Writes the stages of one player, in the order in which hands come to them."""

    def __init__(self, code: Code, lying: _Lying, stages: Sequence[Stage]) -> None:
        self.code, self.lying, self.stages = code, lying, stages
        self.board = code.equipment.board
        self._fits: dict[Way, str] = {}
        ways = [
            (number, way, target)
            for number, stage in enumerate(stages)
            for way, target in stage.ways
            if way.by is None or self._targets(way.by)
        ]
        there: list[list[tuple[int, Way]]] = [[] for _ in stages]
        back: list[list[tuple[int, Way]]] = [[] for _ in stages]
        for number, way, target in ways:
            there[target].append((number, way))
            back[number].append((target, way))
        self._flies = any(way.fly for _, way, _ in ways)
        starts = [[lying.of(stage.starts)] if stage.starts else [] for stage in stages]
        wanted = {ALWAYS: ["sure"], MAYBE: ["maybe"]}
        ends = [wanted.get(stage.ends, []) for stage in stages]
        self._there = _Direction("at", there, starts, back=False)
        self._back = _Direction("led", back, ends, back=True)

    def leading(self, seat: int) -> Iterator[str]:
        """A function: from which squares stages lead to such ends, and to such as are possible."""
        takes = "const Set *pieces, Set sure, Set maybe, Set *led"
        yield f"static FAST void leading_{seat}({takes}) {{"
        yield "  (void)pieces; (void)sure; (void)maybe;"
        yield from self._fitted(self._gone_through(self._back))
        yield f"  {' '.join(f'led[{n}] = led_{n};' for n in range(len(self.stages)))}\n}}"

    def lines(self, seat: int) -> Iterator[str]:
        """All but the end, where no segment ends in the set: asked from there, as few squares are
        wanted, unless there are flights, which lead to nowhere from where they begin."""
        if self._flies:
            yield from self._fitted(self._ending())
            yield "  if (set_any(set_and(sure, wanted))) return 1;"
            yield "  if (set_any(set_and(maybe, wanted))) return NONE;"
            return
        yield f"  Set led[{len(self.stages)}];"
        yield f"  leading_{seat}(pieces, wanted, NO_SQUARE, led);"
        begun = [(n, stage.starts) for n, stage in enumerate(self.stages) if stage.starts]
        met = [f"set_and(led[{number}], {self.lying.of(starts)})" for number, starts in begun]
        yield f"  if (set_any({union(met)})) return 1;"
        doubtful = _Writer(self.code, self.lying, leading_to(self.stages, (MAYBE,)))
        if doubtful.stages:
            yield from doubtful._fitted(doubtful._ending())
            yield "  if (set_any(set_and(maybe, wanted))) return NONE;"

    def watching(self, seat: int, begins: bool) -> Iterator[str]:
        """Whether segments end in the set now, and the squares which that hangs on; where hands may
        begin on squares that were changed, all are come upon."""
        yield from self._fitted(self._ending())
        yield f"  Set led[{len(self.stages)}];\n  leading_{seat}(pieces, wanted, wanted, led);"
        ways = [(source, way) for into in self._there.into for source, way in into]
        hands: dict[Offset, dict[str, None]] = {}
        for source, way in ways:
            if way.by is not None:
                hands.setdefault(way.by, {})[f"at_{source}"] = None
        come = [
            f"set_and({shifted(union(list(sets)), self._distance(by))}, "
            f"{self.code.constant(self._targets(by))})"
            for by, sets in hands.items()
        ]
        begun = [each for some in self._there.begun for each in some]
        everywhere = begins or self._flies
        led = [f"led[{number}]" for number in range(len(self.stages))]
        yield "  n->now = set_any(set_and(sure, wanted));"
        yield "  n->wanted = set_any(set_and(maybe, wanted)) ? board_squares : wanted;"
        yield f"  n->met = {'board_squares' if everywhere else union([*begun, *come])};"
        yield f"  n->led = {union(led)};"

    def _fitted(self, body: Iterable[str]) -> Iterator[str]:
        """Lines, and before them the sets of squares to which the ways of these may lead."""
        self._fits.clear()
        body = list(body)
        if self._fits:
            yield f"  const Set fits[] = {{{', '.join(map(self._fitting, self._fits))}}};"
        yield from body

    def _ending(self) -> Iterator[str]:
        """All squares to which hands come, and those where segments end."""
        yield from self._gone_through(self._there)
        for ends, name in ((ALWAYS, "sure"), (MAYBE, "maybe")):
            met = [f"at_{n}" for n, stage in enumerate(self.stages) if stage.ends == ends]
            yield f"  const Set {name} = {union(met)};"

    def _gone_through(self, go: _Direction) -> Iterator[str]:
        for members in circles([[other for other, _ in into] for into in go.into]):
            yield from (f"  {line}" for line in self._part(go, members))

    def _part(self, go: _Direction, members: Sequence[int]) -> Iterator[str]:
        """The sets of some stages, which lead to one another where they are several."""
        name = go.name
        inner = [
            (number, other, way)
            for number in members
            for other, way in go.into[number]
            if other in members
        ]
        for number in members:
            outer = [(n, way) for n, way in go.into[number] if n not in members]
            sets = union([*go.begun[number], *self._moved(go, outer)])
            if len(members) == len(inner) == 1 and (by := inner[0][2].by) is not None:
                over, far = self._fits_of(inner[0][2]), self._distance(by)
                over, far = (shifted(over, -far), -far) if go.back else (over, far)
                yield f"const Set {name}_{number} = slid({sets}, {over}, {far});"
                return
            yield f"Set {name}_{number} = {sets};"
        if inner and len(members) == 1:
            [number] = members
            ways = [(other, way) for _, other, way in inner]
            further = union(list(self._moved(go, ways, "now")))
            if len(inner) > 1:
                further = f"set_less({further}, {name}_{number})"
            yield f"SLIDE({name}_{number}, {further})"
        elif inner:
            yield "for (int more = 1; more;) {\n    more = 0;"
            for number, other, way in inner:
                [further] = self._moved(go, [(other, way)])
                yield f"  if (set_any(set_less({further}, {name}_{number}))) {{"
                yield f"    {name}_{number} = set_or({name}_{number}, {further}); more = 1;\n    }}"
            yield "}"

    def _moved(
        self, go: _Direction, ways: Sequence[tuple[int, Way]], hands: str = ""
    ) -> Iterator[str]:
        """Where ways lead the hands of stages, or others; those of one way together."""
        others: dict[Way, list[str]] = {}
        for other, way in ways:
            others.setdefault(way, []).append(hands or f"{go.name}_{other}")
        for way, sets in others.items():
            found = union(sets)
            stays = way.by is None and not way.fly and way.keys is None
            if go.back and not stays:
                found = f"set_and({found}, {self._fits_of(way)})"
            if way.fly:
                found = f"{'flown_from' if go.back else 'flown'}({found})"
            elif way.by is not None:
                distance = self._distance(way.by)
                found = shifted(found, -distance if go.back else distance)
            yield found if stays or go.back else f"set_and({found}, {self._fits_of(way)})"

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
        return self._fits.setdefault(Way(by, False, way.keys), f"fits[{len(self._fits)}]")

    def _fitting(self, way: Way) -> str:
        found = "board_squares" if way.keys is None else self.lying.of(way.keys)
        if way.by is None:
            return found
        return f"set_and({found}, {self.code.constant(self._targets(way.by))})"
