"""Sets of squares, and where a board leads from them, as C: each constant, table, function once.

A relation between squares, such as that of neighbours, takes a set to another by a shift for every
distance between two squares that it relates; boards with holes and links need nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from grl.logic.grid import DIRECTIONS, Grid

FEW_OFFSETS = 16
"""A relation with more distances between squares is a table of sets."""
Pairs = tuple[tuple[int, int], ...]
"""Squares with those that they are related to."""


class Relations:
    """Writes what stands before the functions of terms; they are written to the same blocks."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self.blocks: dict[str, str] = {}
        """What is written so far, by name; a block rests on those before it."""
        self._known: dict[tuple[str, object], str] = {}
        self._counts: Counter[str] = Counter()

    # What is interned -------------------------------------------------------------------------

    def constant(self, squares: Iterable[int]) -> str:
        """The name of a set of squares."""
        value = self._literal(squares)
        return self.interned("squares", value, lambda n: f"static UNUSED const Set {n} = {value};")

    def table(self, numbers: Sequence[int]) -> str:
        """The name of an array of ``i16``."""
        values = ", ".join(map(str, numbers)) or "0"
        return self.interned(
            "table", values, lambda n: f"static UNUSED const i16 {n}[] = {{{values}}};"
        )

    def sets(self, several: Iterable[Iterable[int]]) -> str:
        """The name of an array of sets of squares."""
        values = ", ".join(map(self._literal, several)) or self._literal(())
        return self.interned(
            "sets", values, lambda n: f"static UNUSED const Set {n}[] = {{{values}}};"
        )

    def relation(self, tables: Sequence[Sequence[int]], squares: str) -> str:
        """The squares to which tables take those of a set, given as an expression.

        A table has an entry for every square; what is no square of the board leads nowhere.
        """
        size = self.grid.size
        pairs = {
            (source, int(target))
            for table in tables
            for source, target in enumerate(table[:size])
            if 0 <= target < size
        }
        return f"{self.image(tuple(sorted(pairs)))}({squares})"

    def image(self, pairs: Pairs) -> str:
        """The name of the function that takes a set to where pairs take its squares."""

        def written(name: str) -> str:
            if len(_offsets(pairs)) <= FEW_OFFSETS:
                return function(f"Set {name}(Set a)", [], union(self._shifts(pairs)))
            body = [f"SET_EACH(s, a) found = set_or(found, {self._leading(pairs)}[s]);"]
            return function(f"Set {name}(Set a)", ["Set found = NO_SQUARE;", *body])

        return self.interned("image", pairs, written)

    def crowd(self, pairs: Pairs, number: int) -> str:
        """The name of the function for where pairs take so many squares of a set, or more."""

        def written(name: str) -> str:
            shifts = self._shifts(pairs)
            most = max(Counter(target for _, target in pairs).values(), default=0)
            if number > most:
                body = ["Set found = NO_SQUARE;"]
            elif len(shifts) <= FEW_OFFSETS:
                body = ["Set x;", *(f"Set some_{k} = NO_SQUARE;" for k in range(1, number + 1))]
                for shift in shifts:
                    body.append(f"x = {shift};")
                    body += [
                        f"some_{k} = set_or(some_{k}, set_and(some_{k - 1}, x));"
                        for k in range(number, 1, -1)
                    ]
                    body.append("some_1 = set_or(some_1, x);")
                body.append(f"Set found = some_{number};")
            else:
                sources = self._leading(converse(pairs))
                body = [
                    "Set found = NO_SQUARE;",
                    f"for (int s = 0; s < {self.grid.size}; s++)",
                    f"  if (set_count(set_and(a, {sources}[s])) >= {number})",
                    "    found = set_with(found, s);",
                ]
            return function(f"Set {name}(Set a)", body)

        return self.interned("crowd", (pairs, number), written)

    def group(self, pairs: Pairs) -> str:
        """The name of the function for what pairs reach from a set within another."""

        def written(name: str) -> str:
            image = self.image(pairs)
            body = [
                "Set found = a = set_and(a, within);",
                "while (set_any(a)) {",
                f"  a = set_less(set_and({image}(a), within), found);",
                "  found = set_or(found, a);",
                "}",
            ]
            return function(f"Set {name}(Set a, Set within)", body)

        return self.interned("group", pairs, written)

    def heads(self, pairs: Pairs) -> str:
        """The name of the function for the first square of each group of a set."""
        return self._of_groups("heads", pairs, "found = set_with(found, set_first(a));")

    def largest(self, pairs: Pairs) -> str:
        """The name of the function for the largest group of a set, of equal ones the first."""
        return self._of_groups(
            "largest", pairs, "if (set_count(found) < set_count(one)) found = one;"
        )

    def _of_groups(self, kind: str, pairs: Pairs, each: str) -> str:
        """The name of a function that looks at each group `one` of what is left of a set, `a`."""

        def written(name: str) -> str:
            body = [
                "const Set all = a;",
                "Set found = NO_SQUARE;",
                "while (set_any(a)) {",
                f"  const Set one = set_and({self.group(pairs)}(set_of(set_first(a)), all), a);",
                f"  {each}",
                "  a = set_less(a, one);",
                "}",
            ]
            return function(f"Set {name}(Set a)", body)

        return self.interned(kind, pairs, written)

    def lined(self, direction: int, number: int, *, ends: bool = False) -> str:
        """The name of the function for the squares of a set in lines of `number` or more of them.

        With `ends` these are only squares at which such lines begin. Lines lead back the same way.
        """

        def written(name: str) -> str:
            if not self._has_lines(direction, number):
                return function(f"Set {name}(Set a)", [], "NO_SQUARE")
            pairs = self.line_pairs(direction)
            back, on = self.image(converse(pairs)), self.image(pairs)
            body = [" ".join(["Set x = a;", *[f"x = set_and(a, {back}(x));"] * (number - 1)])]
            if ends:
                return function(f"Set {name}(Set a)", body, "x")
            further = [f"x = {on}(x); found = set_or(found, x);"] * (number - 1)
            return function(f"Set {name}(Set a)", [*body, " ".join(["Set found = x;", *further])])

        return self.interned("lined", (direction, number, ends), written)

    def completing(self, direction: int, number: int) -> str:
        """The name of the function for the squares that would stand in lines of `number` or more if
        each alone joined a set, along a direction and back."""

        def written(name: str) -> str:
            if not self._has_lines(direction, number):
                return function(f"Set {name}(Set a)", [], "NO_SQUARE")
            pairs = self.line_pairs(direction)
            back, on = self.image(converse(pairs)), self.image(pairs)
            body = [f"const Set ahead_1 = {back}(a), behind_1 = {on}(a);"]
            for k in range(2, number):
                body.append(
                    f"const Set ahead_{k} = {back}(set_and(a, ahead_{k - 1})), "
                    f"behind_{k} = {on}(set_and(a, behind_{k - 1}));"
                )
            last = number - 1
            both = [f"set_and(behind_{k}, ahead_{last - k})" for k in range(1, last)]
            found = union([f"ahead_{last}", f"behind_{last}", *both])
            return function(f"Set {name}(Set a)", body, found)

        return self.interned("completing", (direction, number), written)

    def toward(self) -> str:
        """The name of the function for the squares that lie from some as others from others."""
        board = self.grid.geometry.board
        width, inside = board.width, f"x >= 0 && x < {board.width} && y >= 0 && y < {board.height}"
        body = [
            "Set found = NO_SQUARE;",
            "SET_EACH(s, starts) SET_EACH(t, ends) {",
            f"  int dx = t % {width} - s % {width}, dy = t / {width} - s / {width};",
            "  int n = dx < 0 ? -dx : dx, m = dy < 0 ? -dy : dy, rest;",
            "  for (; m; n = m, m = rest) rest = n % m;",
            "  if (n) dx /= n, dy /= n;",
            f"  if (n) SET_EACH(o, a) for (int x = o % {width} + dx, y = o / {width} + dy;",
            f"    {inside}; x += dx, y += dy) found = set_with(found, y * {width} + x);",
            "}",
        ]
        found = f"set_and(found, {self.constant(board.squares)})"
        head = "Set {}(Set a, Set starts, Set ends)".format
        return self.interned("toward", (), lambda name: function(head(name), body, found))

    def ways(self) -> None:
        """Make the functions for steps along lines known, those of ``ways.h``."""
        if "ways" not in self.blocks:
            lines = [self.line_pairs(d) for d in range(len(DIRECTIONS))]
            self._steps("way_ahead", lines)
            self._steps("way_behind", [converse(each) for each in lines])
            longest = ", ".join(map(str, self.grid.longest))
            closed = ", ".join(map(self.constant, self.grid.closed))
            self.blocks["way_lengths"] = (
                f"static UNUSED const int WAY_LONGEST[] = {{{longest}}};\n"
                f"static UNUSED const Set WAY_CLOSED[] = {{{closed}}};\n"
            )
            self.blocks["ways"] = Path(__file__).with_name("ways.h").read_text(encoding="utf-8")

    def near_pairs(self, nearness: str) -> Pairs:
        """The squares with their neighbours."""
        near = enumerate(self.grid.geometry.near[nearness])
        return tuple(sorted((s, int(t)) for s, targets in near for t in targets))

    def line_pairs(self, direction: int) -> Pairs:
        """The squares with the next ones in a direction."""
        ahead = enumerate(self.grid.ahead[direction].tolist())
        return tuple((s, t) for s, t in ahead if t < self.grid.size)

    def _has_lines(self, direction: int, number: int) -> bool:
        """Whether so many squares stand in a line somewhere."""
        pairs = self.line_pairs(direction)
        ends: set[int] = set(self.grid.geometry.board.squares)
        for _ in range(number - 1):
            ends = {t for s, t in pairs if s in ends}
        return bool(ends)

    def brinks(self) -> list[list[int]]:
        """By direction the squares with none next."""
        squares = self.grid.geometry.board.squares
        last = (self.grid.ahead == self.grid.size).tolist()
        return [[int(s) for s in squares if each[s]] for each in last]

    @cached_property
    def mirrored(self) -> bool:
        """Whether every line leads back the same way."""
        return all(
            {(t, s) for s, t in self.line_pairs(d)} == set(self.line_pairs(d + 4)) for d in range(4)
        )

    def known(self, kind: str, key: object) -> bool:
        """Whether something is written already, or being written."""
        return (kind, key) in self._known

    def interned(self, kind: str, key: object, written: Callable[[str], str]) -> str:
        """The name of what `written` gives for this name, the first time."""
        known = self._known.get((kind, key))
        if known is None:
            self._counts[kind] += 1
            known = self._known[kind, key] = f"{kind}_{self._counts[kind]}"
            text = written(known)
            self.blocks[known] = text
        return known

    def _steps(self, name: str, lines: Sequence[Pairs]) -> None:
        """Note the function for steps in a direction, the lines being given for each of them."""
        shifts = [_offsets(pairs) for pairs in lines]
        most = max(map(len, shifts))
        body = ["Set found = NO_SQUARE;"]
        if most > FEW_OFFSETS:
            table = self.sets(each for pairs in lines for each in _targets(pairs, self.grid.size))
            body += [f"SET_EACH(s, a) found = set_or(found, {table}[d * {self.grid.size} + s]);"]
        elif most:
            filled = [[*each.items(), *[(0, ())] * (most - len(each))] for each in shifts]
            by = self.table([by for each in filled for by, _ in each])
            masks = self.sets(squares for each in filled for _, squares in each)
            body += [
                f"for (int i = {most} * d; i < {most} * (d + 1); i++) {{",
                f"  const Set x = set_and(a, {masks}[i]);",
                f"  const int by = {by}[i];",
                "  found = set_or(found, by < 0 ? set_down(x, -by) : set_up(x, by));",
                "}",
            ]
        self.blocks[name] = function(f"Set {name}(int d, Set a)", body)

    def _shifts(self, pairs: Pairs) -> list[str]:
        """The sets that make up the image of a set ``a``, each at one distance."""
        return [
            f"set_{'up' if by >= 0 else 'down'}(set_and(a, {self.constant(squares)}), {abs(by)})"
            for by, squares in _offsets(pairs).items()
        ]

    def _leading(self, pairs: Pairs) -> str:
        """The name of an array: for every square where pairs take it."""
        return self.sets(_targets(pairs, self.grid.size))

    def _literal(self, squares: Iterable[int]) -> str:
        return written(squares, self.grid.size)


def written(squares: Iterable[int], size: int) -> str:
    """A set of squares as an initialiser in C."""
    bits = sum(1 << square for square in set(squares))
    words = (bits >> at & (2**64 - 1) for at in range(0, size, 64))
    return f"SET({', '.join(f'{word:#x}ULL' for word in words)})"


def function(head: str, body: Sequence[str], found: str = "found") -> str:
    """A function that gives what is found, its body as lines."""
    if not body:
        return f"static UNUSED {head} {{ return {found}; }}"
    inner = "\n".join(f"  {line}" for line in [*body, f"return {found};"])
    return f"static UNUSED {head} {{\n{inner}\n}}"


def union(sets: Sequence[str]) -> str:
    """The union of sets that are given as expressions."""
    found = sets[0] if sets else "NO_SQUARE"
    for each in sets[1:]:
        found = f"set_or({found}, {each})"
    return found


def shifted(squares: str, by: int) -> str:
    """A set with every square's number grown by so much."""
    return squares if by == 0 else f"set_{'up' if by > 0 else 'down'}({squares}, {abs(by)})"


def converse(pairs: Pairs) -> Pairs:
    """The squares that a relation leads to, with those that it leads there."""
    return tuple(sorted((b, a) for a, b in pairs))


def _offsets(pairs: Pairs) -> Mapping[int, Sequence[int]]:
    """By the distance between two squares those from which pairs lead so far."""
    found: dict[int, list[int]] = {}
    for source, target in pairs:
        found.setdefault(target - source, []).append(source)
    return dict(sorted(found.items()))


def _targets(pairs: Pairs, size: int) -> list[list[int]]:
    """For every square where pairs lead from it."""
    found: list[list[int]] = [[] for _ in range(size)]
    for source, target in pairs:
        found[source].append(target)
    return found
