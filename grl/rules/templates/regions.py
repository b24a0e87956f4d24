"""Squares and what they hold: regions, patterns, groups, and patterns that a turn completes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from grl.board import Player, Square
from grl.logic.english import joined
from grl.logic.relations import shifted
from grl.rules.features.cases import PositionCase, Setting, TurnCase
from grl.rules.templates import sorts
from grl.rules.templates.template import Phrases, PositionTest, Template, TurnTest
from grl.rules.templates.writers import Definitions, English, Source

Cell = tuple[int, int, str]
Place = tuple[int, int]


def _region(c: Source, seat: int, places: Iterable[Place]) -> str:
    """In C the squares at these places as the player at a seat sees them."""
    wanted = frozenset(places)
    regions = []
    for player in c.players:
        seen = c.setting.relative[c.setting.seat(player, seat)]
        regions.append([s for s in c.setting.board.squares if seen[s] in wanted])
    return c.squares(regions, c.me)


def _held(
    setting: Setting, seat: int, squares: tuple[Place, ...], what: str, least: int
) -> PositionTest:
    regions = {
        player: setting.region(setting.seat(player, seat), lambda x, y: (x, y) in squares)
        for player in setting.equipment.players
    }
    return lambda case: (case.bits(what) & regions[case.to_move]).bit_count() >= least


def _held_phrases(
    say: English, seat: int, cells: tuple[Place, ...], what: str, least: int
) -> Phrases:
    squares = joined([f"({x}, {y})" for x, y in cells])
    seen = f"on {squares} as {say.seat(seat)} sees the board"
    if least == 1:
        return f"{seen} there is {say.thing(what)}", f"{seen} there is not {say.thing(what)}"
    there = f"{seen} there are"
    things = say.things(what, least)
    return f"{there} {things} or more", f"{there} fewer than {things}"


def _held_rules(
    asp: Definitions, name: str, seat: int, cells: tuple[Place, ...], what: str, least: int
) -> str:
    asp.seen()
    there = "\n".join(
        f"{name}_there(W,S) :- {asp.on(what, 'W', 'S')}, mover(W,M), seat(M,{seat},P), "
        f"seen(P,S,{x},{y})."
        for x, y in cells
    )
    asp.define(f"{name}_there", "", there)
    number = asp.tally(f"{name}_number", "W", "position(W)", f"{name}_there(W,S)")
    return f"{name}(W) :- {number}(W,N), {least - 1} < N."


def _held_code(c: Source, seat: int, squares: tuple[Place, ...], what: str, least: int) -> str:
    region = _region(c, seat, squares)
    return f"return set_count(set_and({c.on(what)}, {region})) >= {least};"


HELD = Template(
    "held",
    (sorts.SEAT, sorts.SQUARES, sorts.CONTENT, sorts.LEAST),
    evaluate=_held,
    phrases=_held_phrases,
    rules=_held_rules,
    code=_held_code,
)
"""Whether so many of these squares, as the player at `seat` sees them, hold `what`."""


def _filled(setting: Setting, seat: int, cells: tuple[Cell, ...]) -> PositionTest:
    whats = dict.fromkeys(what for _, _, what in cells)

    def region(player: Player, what: str) -> int:
        return setting.region(setting.seat(player, seat), lambda x, y: (x, y, what) in cells)

    masks = {p: [(what, region(p, what)) for what in whats] for p in setting.equipment.players}
    return lambda case: all(case.bits(what) & mask == mask for what, mask in masks[case.to_move])


def _filled_phrases(say: English, seat: int, cells: tuple[Cell, ...]) -> Phrases:
    parts = [f"file {x} rank {y} {say.holding(what)[0]}" for x, y, what in cells]
    seen = f"as {say.seat(seat)} sees the board"
    return f"{seen}, {joined(parts)}", f"it is not so that, {seen}, {joined(parts)}"


def _filled_rules(asp: Definitions, name: str, seat: int, cells: tuple[Cell, ...]) -> str:
    asp.seen()
    rules = [f"{name}(W) :- position(W), not {name}_not(W)."]
    rules += [
        f"{name}_not(W) :- mover(W,M), seat(M,{seat},P), seen(P,S,{x},{y}), "
        f"not {asp.on(what, 'W', 'S')}."
        for x, y, what in cells
    ]
    return "\n".join(rules)


def _filled_code(c: Source, seat: int, cells: tuple[Cell, ...]) -> str:
    tests = []
    for what in sorted({what for _, _, what in cells}):
        region = _region(c, seat, [(x, y) for x, y, w in cells if w == what])
        tests.append(f"!set_any(set_less({region}, {c.on(what)}))")
    return f"return {' && '.join(tests) or 1};"


FILLED = Template(
    "filled",
    (sorts.SEAT, sorts.CELLS),
    evaluate=_filled,
    phrases=_filled_phrases,
    rules=_filled_rules,
    code=_filled_code,
)
"""Whether these cells, by file and rank as the player at `seat` sees them, hold all that."""

# Patterns: what is (dx, dy) from one and the same square, in displacements of the board -----------


def _laid(
    setting: Setting, cells: tuple[Cell, ...]
) -> Iterator[tuple[tuple[Square, ...], list[tuple[str, int]]]]:
    """Every place of a pattern on the board: its squares, and the set of those for each content."""
    whats = sorted({what for _, _, what in cells})
    for squares in setting.places(tuple((dx, dy) for dx, dy, _ in cells)):
        named = list(zip(squares, cells, strict=True))
        yield (
            squares,
            [(what, setting.mask(s for s, (_, _, w) in named if w == what)) for what in whats],
        )


def _pattern(setting: Setting, cells: tuple[Cell, ...]) -> PositionTest:
    whats = sorted({what for _, _, what in cells})
    places = [held for _, held in _laid(setting, cells)]

    def test(case: PositionCase) -> bool:
        bits = {what: case.bits(what) for what in whats}
        return any(all(bits[what] & mask == mask for what, mask in place) for place in places)

    if len(whats) > 1:
        return test
    only, masks = whats[0], [place[0][1] for place in places]

    def test_one(case: PositionCase) -> bool:
        bits = case.bits(only)
        return any(bits & mask == mask for mask in masks)

    return test_one


def _pattern_phrases(say: English, cells: tuple[Cell, ...]) -> Phrases:
    if len({what for _, _, what in cells}) == 1:
        places = joined([f"({dx}, {dy})" for dx, dy, _ in cells])
        shape = f"{say.things(cells[0][2])} fill the pattern {places}"
    else:
        shape = f"the pattern {_placed(say, cells)} lies"
    return f"{shape} somewhere", f"{shape} nowhere"


def _placed(say: English, cells: Sequence[Cell]) -> str:
    return joined([f"{say.thing(what)} on ({dx}, {dy})" for dx, dy, what in cells])


def _pattern_rules(asp: Definitions, name: str, cells: tuple[Cell, ...]) -> str:
    body = []
    for number, (dx, dy, what) in enumerate(cells):
        square = "S" if (dx, dy) == (0, 0) else f"S{number}"
        if square != "S":
            body.append(f"{asp.away(dx, dy)}(S,{dx},{dy},{square})")
        body.append(asp.on(what, "W", square))
    return f"{name}(W) :- position(W), square(S,_,_), {', '.join(body)}."


PATTERN = Template(
    "pattern",
    (sorts.CELLS,),
    evaluate=_pattern,
    phrases=_pattern_phrases,
    rules=_pattern_rules,
    code=lambda c, cells: f"return set_any({c.anchors(cells, c.pieces, c.me)});",
    effort=2,
)
"""Whether a pattern lies somewhere on the board."""


def _formed(setting: Setting, role: str, cells: tuple[Cell, ...]) -> TurnTest:
    whats = sorted({what for _, _, what in cells})
    through: dict[int, list[list[tuple[str, int]]]] = {}
    for squares, held in _laid(setting, cells):
        for square in squares:
            through.setdefault(square, []).append(held)

    def test(case: TurnCase) -> bool:
        square = case.square(role)
        if square is None or square not in through:
            return False
        mover, left = case.before.to_move, case.candidate.cells
        bits = {what: int(left.translate(setting.table(mover, what)), 2) for what in whats}
        return any(
            all(bits[what] & mask == mask for what, mask in held) for held in through[square]
        )

    return test


def _formed_phrases(say: English, role: str, cells: tuple[Cell, ...]) -> Phrases:
    if len({what for _, _, what in cells}) == 1:
        places = joined([f"({dx}, {dy})" for dx, dy, _ in cells])
        shape = f"the pattern {places} of {say.things(cells[0][2])}"
    else:
        shape = f"the pattern {_placed(say, cells)}"
    square = say.role(role)
    return f"{square} completes {shape}", f"{square} doesn't complete {shape}"


def _formed_rules(asp: Definitions, name: str, role: str, cells: tuple[Cell, ...]) -> str:
    """A rule for each place that the square can have in the pattern."""
    rules = []
    for here, (x, y, _) in enumerate(cells):
        body = []
        for number, (dx, dy, what) in enumerate(cells):
            there = "S" if number == here else f"S{number}"
            if there != "S":
                body.append(f"{asp.away(dx - x, dy - y)}(S,{dx - x},{dy - y},{there})")
            body.append(asp.left(what, "W", "T", there))
        rules.append(f"{name}(W,T) :- {asp.role(role)}, {', '.join(body)}.")
    return "\n".join(rules)


def _formed_code(c: Source, role: str, cells: tuple[Cell, ...]) -> str:
    lines = [
        f"Set from, all = NO_SQUARE; int square = {c.role(role)};",
        "if (square == NONE) return 0;",
        f"from = {c.anchors(cells, c.after, c.mover)};",
        "if (!set_any(from)) return 0;",
    ]
    for by in sorted({c.distance(dx, dy) for dx, dy, _ in cells}):
        if abs(by) < c.setting.size:
            lines.append(f"all = set_or(all, {shifted('from', by)});")
    return "\n  ".join([*lines, "return set_has(all, square);"])


FORMED = Template(
    "formed",
    (sorts.ROLE, sorts.CELLS),
    evaluate=_formed,
    phrases=_formed_phrases,
    rules=_formed_rules,
    code=_formed_code,
    effort=4,
)
"""Whether a square of the turn is in a pattern that lies there after it."""

OF_POSITIONS = (HELD, FILLED, PATTERN)
OF_TURNS = (FORMED,)
