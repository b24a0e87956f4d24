"""Features of turns in C: each is a function of a list and a turn's number.

What they mean stands in `grl.rules.features.turns` and `grl.rules.features.turn_squares`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from grl.board import EMPTY
from grl.errors import NotCompiled
from grl.model import Feature
from grl.rules.code import positions
from grl.rules.code.positions import OPERATORS, Writer, term_test
from grl.rules.code.source import Source, shifted
from grl.rules.features.levels import asks
from grl.rules.features.terms import TERM_TEMPLATES

ME: Final = "l->before.ground.me"
BEFORE: Final = "l->before.ground.pieces"
AFTER: Final = "l->turns[i].after.pieces"
START: Final = "l->turns[i].squares.start[0]"
END: Final = "l->turns[i].squares.end[0]"
LETTERS: Final = {
    **{on: f"IS_{on.upper()}" for on in "ewpndar"},
    "fly": "IS_FLY",
}
MOST_KINDS = 64
"""Kinds of pieces that the bits of a turn have room for."""


def role(name: str) -> str:
    """The square of turn `i` that plays a role."""
    squares = "l->turns[i].squares"
    if name[-1].isdigit():
        return f"{squares}.{name[:-1]}[{int(name[-1]) - 1}]"
    return f"{squares}.{name}"


def taken(source: Source, what: str) -> str:
    """By how many `what` has become fewer."""
    before, after = (source.holding(what, pieces, ME) for pieces in (BEFORE, AFTER))
    return f"set_count({before}) - set_count({after})"


def _moves(source: Source, what: str) -> str:
    there = "l->before.ground.empty" if what == EMPTY else source.holding(what, BEFORE, ME)
    return f"return {START} != NONE && set_has({there}, {START});"


def _takes(source: Source, what: str) -> str:
    return f"return {taken(source, what)} > 0;"


def _named(source: Source, where: str, what: str) -> str:
    if len(source.keys) > MOST_KINDS:
        raise NotCompiled(
            "more kinds of pieces than a turn has room for",
            found=str(len(source.keys)),
            expected=f"at most {MOST_KINDS}",
        )
    masks = [sum(1 << kind for kind in kinds) for kinds in source.kinds(what)]
    if len(set(masks)) == 1:
        return f"return (l->turns[i].{where} & {masks[0]:#x}ULL) != 0;"
    table = source.named(
        tuple(masks),
        "kinds",
        lambda name: f"static const u64 {name}[] = {{{', '.join(f'{m:#x}ULL' for m in masks)}}};",
    )
    return f"return (l->turns[i].{where} & {table}[{ME}]) != 0;"


def _letter(source: Source, kind: str) -> str:  # noqa: ARG001
    return f"return (l->turns[i].letters & {LETTERS[kind]}) != 0;"


def _opens(source: Source, kind: str) -> str:  # noqa: ARG001
    return f"return l->turns[i].opens == {LETTERS[kind]};"


def _segments(source: Source, op: str, number: int) -> str:  # noqa: ARG001
    return f"return l->turns[i].segments {OPERATORS[op]} {number};"


def _steps(source: Source, op: str, number: int) -> str:  # noqa: ARG001
    return f"return l->turns[i].steps {OPERATORS[op]} {number};"


def _heading(source: Source, way: str) -> str:
    if way in ("inward", "outward"):
        width = source.setting.board.width
        relative = source.setting.relative
        away = [[abs(2 * x - width - 1) for x, _ in relative[p]] for p in source.players]
        one, other = (source.numbers(away, ME, at) for at in (START, END))
        relation = ">" if way == "inward" else "<"
    else:
        one, other = (source.rank(ME, at) for at in (END, START))
        relation = {"ahead": ">", "behind": "<", "level": "=="}[way]
    return f"return {START} != NONE && {one} {relation} {other};"


def _shift(source: Source, dx: int, dy: int) -> str:
    return (
        "int x, y;\n"
        f"  if ({START} == NONE) return 0;\n"
        f"  x = {source.file(ME, END)} - {source.file(ME, START)};\n"
        f"  y = {source.rank(ME, END)} - {source.rank(ME, START)};\n"
        f"  return (x < 0 ? -x : x) == {dx} && y == {dy};"
    )


def _term(name: str) -> Writer:
    def write(source: Source, when: str, *arguments: object) -> str:
        if when not in ("before", "after"):
            raise NotCompiled(f"{name} of a turn", found=repr(when), expected="before or after")
        test = term_test(source, name, (name, when, *arguments))
        ground = "&l->before.ground" if when == "before" else "seen_after(l, i)"
        return (
            f"Ground *g = {ground};\n"
            "  const Squares *t = &l->turns[i].squares;\n"
            "  (void)g, (void)t;\n"
            f"  return {test};"
        )

    return write


def _exposed(source: Source, name: str) -> str:
    source.asks_threats = True
    square = role(name)
    return (
        f"return {square} != NONE && set_has(threats(l->space, left_by(l, i)->state, 0), {square});"
    )


def _formed(source: Source, name: str, cells: tuple[tuple[int, int, str], ...]) -> str:
    lines = [
        f"Set from, all = NO_SQUARE; int square = {role(name)};",
        "if (square == NONE) return 0;",
        f"from = {source.anchors(cells, AFTER, ME)};",
        "if (!set_any(from)) return 0;",
    ]
    for by in sorted({source.distance(dx, dy) for dx, dy, _ in cells}):
        if abs(by) < source.setting.size:
            lines.append(f"all = set_or(all, {shifted('from', by)});")
    return "\n  ".join([*lines, "return set_has(all, square);"])


def _echo(source: Source, sense: str) -> str:
    source.back = max(source.back, 1)
    width = source.setting.board.width
    sign = ">" if sense == "same" else "<"
    return (
        "const i16 *last = l->before.ground.last;\n"
        f"  int one = {START}, other = {END}, x, y, to_x, to_y;\n"
        "  if (one == NONE || other == NONE || one == other) return 0;\n"
        "  if (last[0] == NONE || last[1] == NONE || last[0] == last[1]) return 0;\n"
        f"  x = other % {width} - one % {width}, y = other / {width} - one / {width};\n"
        f"  to_x = last[1] % {width} - last[0] % {width};\n"
        f"  to_y = last[1] / {width} - last[0] / {width};\n"
        f"  return x * to_y == y * to_x && x * to_x + y * to_y {sign} 0;"
    )


def _before(source: Source, feature: Feature) -> str:
    return f"return {positions.position(source, feature)}(&l->before);"


def _after(source: Source, feature: Feature) -> str:
    return f"return {positions.position(source, feature)}(left_by(l, i));"


def _midway(source: Source, feature: Feature) -> str:
    source.midway = True
    test = positions.position(source, feature)
    return (
        "start_midway(l, i);\n"
        f"  for (Case *c; (c = next_midway(l));) if ({test}(c)) return 1;\n"
        "  return 0;"
    )


def _and(source: Source, feature: Feature, second: Feature) -> str:
    ordered = sorted((feature, second), key=price)
    return f"return {' && '.join(f'{turn(source, each)}(l, i)' for each in ordered)};"


def _otherwise(source: Source, given: str, named: str, pairs: tuple[tuple[str, str], ...]) -> str:
    tests = [(turn(source, (given, one)), turn(source, (named, other))) for one, other in pairs]
    return f"return {' || '.join(f'({a}(l, i) && !{b}(l, i))' for a, b in tests) or '0'};"


TURNS: Final[Mapping[str, Writer]] = {
    "moves": _moves,
    "takes": _takes,
    "appears": lambda source, what: _named(source, "appears", what),
    "keeps": lambda source, what: _named(source, "keeps", what),
    "letter": _letter,
    "opens": _opens,
    "segments": _segments,
    "steps": _steps,
    "heading": _heading,
    "shift": _shift,
    **{name: _term(name) for name in sorted(TERM_TEMPLATES)},
    "exposed": _exposed,
    "formed": _formed,
    "echo": _echo,
    "before": _before,
    "after": _after,
    "midway": _midway,
    "and": _and,
    "otherwise": _otherwise,
}
FIELDS: Final = frozenset({"appears", "keeps", "letter", "opens", "segments", "steps"})
"""What can be read from a turn at once."""


def turn(source: Source, feature: Feature) -> str:
    """The name of the C function of a feature of turns: ``int NAME(List *l, int i)``.

    Raises `NotCompiled` where there can be none; relations have columns instead.
    """
    if feature[0] not in TURNS:
        raise NotCompiled(f"{feature[0]} can't be written in C", expected="a feature of turns")

    def write(name: str) -> str:
        body = TURNS[feature[0]](source, *feature[1:])
        return f"static int {name}(List *l, int i) {{\n  (void)l, (void)i;\n  {body}\n}}"

    return source.named(feature, "turn", write)


def price(feature: Feature) -> int:
    """What a feature of turns costs to ask; 0 where it is read from the turn."""
    name = feature[0]
    if name in FIELDS:
        return 0
    if asks(feature):
        return 100
    if name == "before":
        return positions.price(feature[1])
    if name in ("after", "midway"):
        return (3 if name == "after" else 5) + positions.price(feature[1])
    if name == "and":
        return price(feature[1]) + price(feature[2])
    if name == "otherwise":
        return sum(price((feature[1], one)) for one, _ in feature[3])
    if name in TERM_TEMPLATES:
        return 3 if feature[1] == "before" else 4
    return {"exposed": 9, "formed": 4, "takes": 2}.get(name, 1)
