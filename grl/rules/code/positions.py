"""Features of positions in C: each is a function of a case.

What they mean stands in `grl.rules.features.positions` and `grl.rules.features.past`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from grl.board import EMPTY
from grl.errors import NotCompiled
from grl.logic.ops.counts import no_code
from grl.model import Feature
from grl.rules.code.source import Source
from grl.rules.features.terms import SUMS, TERM_TEMPLATES, more_of, terms_in

OPERATORS: Final = {"=": "==", "<": "<"}
ME: Final = "c->ground.me"
PIECES: Final = "c->ground.pieces"

Writer = Callable[..., str]
"""From a source and a feature's arguments to the body of its function."""


def holds(source: Source, what: str) -> str:
    """The squares of a case that hold `what`."""
    return "c->ground.empty" if what == EMPTY else source.holding(what, PIECES, ME)


def _count(source: Source, zone: str, what: str, op: str, number: int) -> str:
    return f"return {amount(source, zone, what)} {OPERATORS[op]} {number};"


def _compare(source: Source, zone: str, one: str, op: str, other: str) -> str:
    return f"return {amount(source, zone, one)} {OPERATORS[op]} {amount(source, zone, other)};"


def amount(source: Source, zone: str, what: str) -> str:
    """How many of `what` there are, or how large their area is."""
    if zone == "hand":
        return f"{held(source, what)}(c)"
    if zone == "area":
        return f"set_count({area(source)}({holds(source, what)}, c->ground.empty))"
    on_board = f"set_count({holds(source, what)})"
    return on_board if zone == "board" else f"({on_board} + {held(source, what)}(c))"


def held(source: Source, what: str) -> str:
    """The name of a function that counts the pieces in hand."""
    kinds = source.kinds(what)
    if what[0] == "=":
        seats = [list(range(len(source.players)))] * len(source.players)
    elif what[0].isdigit():
        seats = [[(me + int(what[0])) % len(source.players)] for me in range(len(source.players))]
        pieces = source.setting.equipment.pieces
        fitting = [i for i, key in enumerate(source.keys) if what[2:] in ("", pieces[key].type)]
        kinds = [fitting] * len(source.players)
    else:
        seats = [[]] * len(source.players)
    pairs = [
        [(owner, kind) for owner in seats[me] for kind in kinds[me]]
        for me in range(len(source.players))
    ]

    def write(name: str) -> str:
        lines = [f"static int {name}(Case *c) {{", "  int n = 0;", "#if HANDS"]
        if any(pairs):
            lines.append("  const i16 (*hand)[KEYS] = c->state->hand;")
        for me, some in enumerate(pairs):
            if some and (me == 0 or pairs[me - 1] != some):
                same = [m for m in range(len(pairs)) if pairs[m] == some]
                if len(same) < len(pairs):
                    lines.append(f"  if ({' || '.join(f'{ME} == {m}' for m in same)}) {{")
                lines += [
                    f"  if (hand[{owner}][{kind}] > 0) n += hand[{owner}][{kind}];"
                    for owner, kind in some
                ]
                if len(same) < len(pairs):
                    lines.append("  }")
        return "\n".join([*lines, "#endif", "  (void)c;", "  return n;", "}"])

    return source.named(what, "in_hand", write)


def area(source: Source) -> str:
    """The name of a function: a set with the empty squares connected to it and to nothing else."""
    near = source.setting.near
    spread = source.spread("links" if "links" in near else "orthogonal")
    board = source.board()
    return source.named(
        None,
        "area",
        lambda name: (
            f"static Set {name}(Set own, Set empty) {{\n"
            f"  Set others = set_less(set_less({board}, own), empty);\n"
            f"  Set reached = set_and({spread}(own, set_or(own, empty)), empty);\n"
            f"  Set spoiled = set_and({spread}(others, set_or(others, empty)), empty);\n"
            "  return set_or(own, set_less(reached, spoiled));\n"
            "}"
        ),
    )


def _held(
    source: Source, seat: int, squares: tuple[tuple[int, int], ...], what: str, least: int
) -> str:
    setting = source.setting
    regions = []
    for player in source.players:
        seen = setting.relative[setting.seat(player, seat)]
        regions.append([s for s in setting.board.squares if seen[s] in squares])
    region = source.squares(regions, ME)
    return f"return set_count(set_and({holds(source, what)}, {region})) >= {least};"


def _filled(source: Source, seat: int, cells: tuple[tuple[int, int, str], ...]) -> str:
    setting = source.setting
    tests = []
    for what in sorted({what for _, _, what in cells}):
        wanted = {(x, y) for x, y, w in cells if w == what}
        regions = []
        for player in source.players:
            seen = setting.relative[setting.seat(player, seat)]
            regions.append([s for s in setting.board.squares if seen[s] in wanted])
        region = source.squares(regions, ME)
        tests.append(f"!set_any(set_less({region}, {holds(source, what)}))")
    return f"return {' && '.join(tests) or 1};"


def _pattern(source: Source, cells: tuple[tuple[int, int, str], ...]) -> str:
    return f"return set_any({source.anchors(cells, PIECES, ME)});"


def _group(source: Source, what: str, adjacency: str) -> str:
    spread = source.spread(adjacency)
    near = source.setting.near[adjacency]
    mutual = all(
        near[target] >> (source.setting.size - 1 - square) & 1
        for square, mask in enumerate(near)
        for target in source.setting.members(mask)
    )
    lines = [f"Set all = {holds(source, what)}, rest = all;", "if (!set_any(all)) return 0;"]
    if not mutual:  # from which square chains begin then makes a difference: from the last one
        lines.append("while (set_any(set_rest(rest))) rest = set_rest(rest);")
    lines.append(f"return set_same({spread}(set_of(set_first(rest)), all), all);")
    return "\n  ".join(lines)


def _stuck(source: Source, seat: int) -> str:
    source.asks_stuck = True
    return (
        f"if (!c->stuck[{seat}]) "
        f"c->stuck[{seat}] = (u8)(1 + is_stuck(c->space, c->state, {seat}, c->before ? 1 : 2));\n"
        f"  return c->stuck[{seat}] == 2;"
    )


def _mover(source: Source, player: str) -> str:
    return f"return {ME} == {[*map(str, source.players)].index(player)};"


def _passed(source: Source) -> str:  # noqa: ARG001
    return "return !c->before && c->state->passes;"


def _came(source: Source, dx: int, dy: int) -> str:
    source.back = max(source.back, 1)
    start, end = "last[0]", "last[1]"
    return (
        "const i16 *last = c->ground.last;\n"
        "  int x, y;\n"
        "  if (last[0] == NONE || last[1] == NONE) return 0;\n"
        f"  x = {source.file(ME, end)} - {source.file(ME, start)};\n"
        f"  y = {source.rank(ME, end)} - {source.rank(ME, start)};\n"
        f"  return (x < 0 ? -x : x) == {dx} && y == {dy};"
    )


def _attacked(source: Source, what: str, seat: int) -> str:
    source.asks_threats = True
    return (
        f"Set pieces = {holds(source, what)};\n"
        "  return set_any(pieces) && "
        f"set_any(set_and(pieces, threats(c->space, c->state, {seat})));"
    )


def _reached(source: Source, what: str, seat: int) -> str:
    source.asks_reached = True
    return (
        f"Set pieces = {holds(source, what)};\n"
        f"  return set_any(pieces) && reached_by(c->space, c->state, {seat}, pieces);"
    )


def _times(source: Source, scope: str, op: str, number: int) -> str:
    source.trail = True
    same = "same_board" if scope == "board" else "same_position"
    most = number - 1 if op == "<" else number
    return (
        "const State *past = c->before ? c->before : c->state->up;\n"
        "  int n = 0;\n"
        f"  for (; past && n <= {most}; past = past->up) n += {same}(past, c->state);\n"
        f"  return n {OPERATORS[op]} {number};"
    )


def _again(source: Source, number: int) -> str:
    if number < 1:
        raise NotCompiled(f"again {number}", expected="at least a ply ago")
    source.trail = True
    return (
        "const State *past = c->before ? c->before : c->state->up;\n"
        f"  for (int k = 1; past && k < {number}; k++) past = past->up;\n"
        "  return past && same_board(past, c->state);"
    )


def _passes(source: Source, number: int) -> str:  # noqa: ARG001
    return f"return c->state->passes >= {number};"


def _since(source: Source, event: str, op: str, number: int) -> str:
    at = source.events.setdefault(event, len(source.events))
    return f"return c->state->since[{at}] {OPERATORS[op]} {number};"


def term_test(source: Source, name: str, feature: Feature) -> str:
    """Whether a term denotes any square, or so many, over `g` and `t`."""
    one, *others = terms_in(feature)
    source.know([one, *others])
    if name in SUMS:
        no_code()
    if name == "some":
        return f"({source.code.some(one)})"
    sizes = [f"set_count({source.code.define(term)}(g, t))" for term in (one, *others)]
    less = f" - {more_of(feature)}" if more_of(feature) else ""
    return f"{sizes[0]} {OPERATORS[feature[3]]} {sizes[1] + less if others else feature[4]}"


def _term(name: str) -> Writer:
    def write(source: Source, when: str, *arguments: object) -> str:
        if when != "now":
            raise NotCompiled(f"{name} of a position", found=repr(when), expected="'now'")
        test = term_test(source, name, (name, when, *arguments))
        return (
            "Ground *g = &c->ground;\n"
            "  const Squares *t = 0;\n"
            "  (void)g, (void)t;\n"
            f"  return {test};"
        )

    return write


POSITIONS: Final[Mapping[str, Writer]] = {
    "count": _count,
    "compare": _compare,
    "held": _held,
    "filled": _filled,
    "pattern": _pattern,
    "group": _group,
    "stuck": _stuck,
    "mover": _mover,
    "passed": _passed,
    "came": _came,
    "attacked": _attacked,
    "reached": _reached,
    **{name: _term(name) for name in sorted(TERM_TEMPLATES)},
    "times": _times,
    "again": _again,
    "passes": _passes,
    "since": _since,
}
PRICES: Final[Mapping[str, int]] = {
    **{"pattern": 2, "group": 4, "times": 6, "reached": 7, "attacked": 8, "stuck": 9},
    **dict.fromkeys(TERM_TEMPLATES, 3),
}
"""What a feature costs to ask, where that is more than 1; a body's cheap literals come first."""


def position(source: Source, feature: Feature) -> str:
    """The name of the C function of a feature of positions: ``int NAME(Case *c)``.

    Raises `NotCompiled` where there can be none.
    """
    if feature[0] not in POSITIONS:
        raise NotCompiled(f"{feature[0]} can't be written in C", expected="a feature of positions")

    def write(name: str) -> str:
        body = POSITIONS[feature[0]](source, *feature[1:])
        return f"static int {name}(Case *c) {{\n  (void)c;\n  {body}\n}}"

    return source.named(feature, "position", write)


def price(feature: Feature) -> int:
    """What a feature of positions costs to ask."""
    if feature[0] in ("count", "compare") and feature[1] == "area":
        return 4
    return PRICES.get(feature[0], 1)
