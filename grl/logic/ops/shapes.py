"""What several squares hold together: patterns anywhere on the board, and cells that are named."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

import numpy as np

from grl.logic.asp import Atom, Writer
from grl.logic.code import Body
from grl.logic.english import Speech, joined
from grl.logic.ops.places import CELL, lies
from grl.logic.ops.sets import EITHER, WITHOUT
from grl.logic.relations import union
from grl.logic.rows import Rows, Values
from grl.logic.terms import Cells, Operator, Places, Sort, Term, make, parts_of


def _away(cells: Cells) -> list[tuple[int, int]]:
    """How far cells are from the first of them."""
    x, y, _ = cells[0]
    return [(dx - x, dy - y) for dx, dy, _ in cells]


def images(cells: Cells) -> list[Cells]:
    """A pattern in its eight turnings and mirror images, as far as they differ, in order.

    The first cell of each is at (0, 0).
    """
    found = set()
    for turn in range(8):
        cells = tuple((-y, x, what) for x, y, what in cells)
        seen = sorted((-x if turn > 3 else x, y, what) for x, y, what in cells)
        x0, y0, _ = seen[0]
        found.add(tuple((x - x0, y - y0, what) for x, y, what in seen))
    return sorted(found)


def _pattern(rows: Rows, *patterns: Cells) -> Values:
    found: Values | None = None
    for cells in patterns:
        places = np.array(rows.grid.geometry.places(_away(cells)), dtype=np.intp)
        columns = list(zip(places.reshape(-1, len(cells)).T, cells, strict=True))
        held = [rows.holding(what)[:, 0, squares] for squares, (_, _, what) in columns]
        lying = reduce(np.logical_and, held)
        if found is None:
            found = np.zeros((len(lying), 1, rows.grid.size), dtype=np.bool_)
        for squares, _ in columns:
            found[:, 0, squares] |= lying
    assert found is not None
    return found


def _pattern_code(c: Body, *patterns: Cells) -> str:
    def moved(squares: str, dx: int, dy: int) -> str:
        table = c.code.grid.shifted(dx, dy).tolist()
        return c.code.relation([table], squares) if dx or dy else squares

    found = []
    for cells in patterns:
        away = list(zip(_away(cells), cells, strict=True))
        held = [moved(c.holding(what), -dx, -dy) for (dx, dy), (_, _, what) in away]
        first = c.named("Set", reduce(lambda one, other: f"set_and({one}, {other})", held))
        found += [moved(first, dx, dy) for (dx, dy), _ in away]
    return union(found)


def _pattern_rules(asp: Writer, head: Atom, *patterns: Cells) -> str:
    whats = list(dict.fromkeys(what for cells in patterns for _, _, what in cells))
    held = [f"{head.name}_{number}({head.row}," for number in range(len(whats))]
    rules = [f"{name}S) :- {asp.world.holds('S', w)}." for name, w in zip(held, whats, strict=True)]
    for cells in patterns:
        body = []
        for number, ((dx, dy), (_, _, what)) in enumerate(zip(_away(cells), cells, strict=True)):
            if number:
                body.append(asp.world.shifted("board", dx, dy, "S0", f"S{number}"))
            body.append(f"{held[whats.index(what)]}S{number})")
        rules += [f"{head(f'S{number}')} :- {', '.join(body)}." for number in range(len(cells))]
    return "\n".join(rules)


def _pattern_name(say: Speech, cells: Cells) -> str:
    if len({what for _, _, what in cells}) == 1:
        places = joined([f"({dx}, {dy})" for dx, dy, _ in cells])
        return f"the pattern {places} of {say.things(cells[0][2])}"
    return f"the pattern {joined([f'{say.thing(what)} on ({dx}, {dy})' for dx, dy, what in cells])}"


def _figure_name(say: Speech, cells: Cells) -> str:
    return f"{_pattern_name(say, cells)}, turned or mirrored in any way,"


Named = Callable[[Speech, Cells], str]
Said = Callable[[Speech, Cells], tuple[str, str]]


def _within(name: Named) -> Said:
    return lambda say, cells: (f"in {name(say, cells)}", f"not in {name(say, cells)}")


def _completed(name: Named) -> Said:
    return lambda say, cells: (
        f"completes {name(say, cells)}",
        f"doesn't complete {name(say, cells)}",
    )


def _present(name: Named) -> Said:
    return lambda say, cells: (
        f"{name(say, cells)} lies somewhere",
        f"{name(say, cells)} lies nowhere",
    )


PATTERN = Operator(
    "pattern",
    (Sort.CELLS,),
    evaluate=_pattern,
    clause=_within(_pattern_name),
    states=_completed(_pattern_name),
    present=_present(_pattern_name),
    rules=_pattern_rules,
    code=_pattern_code,
)
"""The squares of all places of a pattern: what lies so far from one and the same square."""
FIGURE = Operator(
    "figure",
    (Sort.CELLS,),
    evaluate=lambda rows, cells: _pattern(rows, *images(cells)),
    clause=_within(_figure_name),
    states=_completed(_figure_name),
    present=_present(_figure_name),
    rules=lambda asp, head, cells: _pattern_rules(asp, head, *images(cells)),
    code=lambda c, cells: _pattern_code(c, *images(cells)),
)
"""The same of a pattern in all its turnings and mirror images."""


def _region(rows: Rows, seat: int, places: Places) -> Values:
    files, ranks = rows.numbered(seat, "file"), rows.numbered(seat, "rank")
    found: Values = reduce(np.logical_or, [(files == x) & (ranks == y) for x, y in places])
    found[:, :, list(rows.grid.geometry.board.holes)] = False
    return found


def _region_code(c: Body, seat: int, places: Places) -> str:
    players, grid = c.code.equipment.players, c.code.grid
    each = []
    for me in range(len(players)):
        player = players[(me + seat) % len(players)]
        seen = zip(
            *(grid.numbers(player, scale).tolist() for scale in ("file", "rank")), strict=True
        )
        within = [place in places for place in seen]
        each.append(c.code.constant(s for s in grid.geometry.board.squares if within[s]))
    return c.code.by_seat(each)


def _region_rules(asp: Writer, head: Atom, seat: int, places: Places) -> str:
    at = ((asp.world.numbered(seat, "S", "file", str(x)), y) for x, y in places)
    return "\n".join(
        f"{head('S')} :- {asp.world.given(head.row)}, {file}, "
        f"{asp.world.numbered(seat, 'S', 'rank', str(y))}."
        for file, y in at
    )


def _region_clause(say: Speech, seat: int, places: Places) -> tuple[str, str]:
    where = joined([f"({x}, {y})" for x, y in places])
    seen = f"on {where} as {say.seat(seat)} sees the board"
    return seen, f"not {seen}"


REGION = Operator(
    "region",
    (Sort.SEAT, Sort.PLACES),
    evaluate=_region,
    clause=_region_clause,
    rules=_region_rules,
    code=_region_code,
    seen=True,
)
"""Squares that are named by file and rank."""


OPERATORS = (PATTERN, FIGURE, REGION)
NAMING = (REGION, CELL)
"""The operators that name single squares, as a player sees them or as the board has them."""


def named(places: Places, seat: int | None) -> Term:
    """The squares on files and ranks as the player at a seat sees them, or for None as the board
    has them."""
    if seat is not None:
        return make(REGION, seat, places)
    if len(places) == 1:
        return make(CELL, *places[0])
    half = len(places) // 2
    return make(EITHER, named(places[:half], None), named(places[half:], None))


def places_in(term: Term) -> tuple[Places, int | None] | None:
    """What `named` makes a term of; None where the term is none of these."""
    if term.operator is REGION:
        seat, places = term.arguments
        assert isinstance(seat, int)
        assert isinstance(places, tuple)
        return places, seat
    parts = list(parts_of(term))
    if any(part.operator is not CELL for part in parts):
        return None
    return tuple(sorted(part.data[1:] for part in parts)), None


def lacking(seat: int | None, cells: Cells) -> Term:
    """The squares, named by file and rank, that don't hold what is said of each."""
    whats = dict.fromkeys(what for _, _, what in cells)
    regions = {
        what: named(tuple((x, y) for x, y, each in cells if each == what), seat) for what in whats
    }
    parts = [make(WITHOUT, region, lies(what)) for what, region in regions.items()]
    return reduce(lambda one, other: make(EITHER, one, other), parts)
