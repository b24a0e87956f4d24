"""Amounts: how many pieces are on the board or in hand, and how large areas are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from grl.board import EMPTY, Player
from grl.logic.english import amounts, counted
from grl.logic.grid import Bools
from grl.model import Feature
from grl.rules.features.cases import PositionCase, Setting
from grl.rules.templates import sorts
from grl.rules.templates.template import RELATED, Phrases, PositionTest, Template, compared
from grl.rules.templates.writers import Definitions, English, Source

WHERE: Final = {
    "board": "on the board",
    "hand": "in hand",
    "all": "on the board or in hand",
    "area": "on the board, empty squares that they alone enclose included",
}
ZONE: Final = sorts.words("zone", *WHERE)


def _amount(zone: str, what: str) -> Callable[[PositionCase], int]:
    if zone == "board":
        return lambda case: case.bits(what).bit_count()
    if zone == "hand":
        return lambda case: case.hand(what)
    if zone == "area":
        return lambda case: _area(case, what).bit_count()
    return lambda case: case.bits(what).bit_count() + case.hand(what)


def _area(case: PositionCase, what: str) -> int:
    """The squares that hold `what`, and the connected empty ones with nothing else beside them.

    Neighbours are those along ranks and files, or along links where the board has them.
    """
    setting = case.setting
    near = setting.near["links" if "links" in setting.near else "orthogonal"]
    own, empty = case.bits(what), case.bits(EMPTY)
    others = sum(1 << (setting.size - 1 - s) for s in setting.board.squares) & ~(own | empty)
    reached = setting.spread(own, own | empty, near) & empty
    spoiled = setting.spread(others, others | empty, near) & empty
    return own | (reached & ~spoiled)


def _columns(
    setting: Setting,
    cases: Sequence[PositionCase],
    features: Sequence[Feature],
) -> Bools:
    """Each amount is taken of a position once."""
    known: dict[tuple[str, str], NDArray[np.int64]] = {}

    def amounts_of(zone: str, what: str) -> NDArray[np.int64]:
        if (zone, what) not in known:
            one = _amount(zone, what)
            known[zone, what] = np.array([one(case) for case in cases], dtype=np.int64)
        return known[zone, what]

    found = np.empty((len(cases), len(features)), dtype=np.bool_)
    for column, (name, zone, what, op, other) in enumerate(features):
        left, right = amounts_of(zone, what), other if name == "count" else amounts_of(zone, other)
        found[:, column] = left < right if op == "<" else left == right
    return found


# In ASP ------------------------------------------------------------------------------------------


def _total(asp: Definitions, zone: str, what: str) -> str:
    """The predicate ``…(W,N)``: N of `what` are on the board, in hand, or both."""
    name = f"{asp.names.what(what)}_{'on' if zone == 'board' else 'in'}_{zone}"
    if asp.known(name):
        return name
    if zone == "board":
        return asp.tally(name, "W", "position(W)", asp.on(what, "W", "S"))
    if zone == "hand":
        return _in_hand(asp, name, what)
    if zone == "area":
        return asp.tally(name, "W", "position(W)", _area_of(asp, what))
    board, hand = _total(asp, "board", what), _total(asp, "hand", what)
    return asp.define(
        name, "", f"{name}(W,N) :- {board}(W,B), {hand}(W,H), {_plus(asp, 'B', 'H', 'N')}."
    )


def _area_of(asp: Definitions, what: str) -> str:
    """The literal: `what` lies on S, or S is empty and such squares alone enclose it."""
    near = asp.near("links" if asp.setting.board.links is not None else "orthogonal")
    thing = asp.names.what(what)
    there = asp.on(what, "W", "S")
    asp.define(
        f"{thing}_area",
        f"{thing}_area: squares that hold it, and empty ones that it alone encloses.",
        f"""
        {thing}_reaches(W,S) :- {there}.
        {thing}_reaches(W,T) :- {thing}_reaches(W,S), {near}(S,T), cell(W,T,empty).
        {thing}_lacks(W,S) :- cell(W,S,C), C != empty, not {there}.
        {thing}_lacks(W,T) :- {thing}_lacks(W,S), {near}(S,T), cell(W,T,empty).
        {thing}_area(W,S) :- {thing}_reaches(W,S), not {thing}_lacks(W,S).
        """,
    )
    return f"{thing}_area(W,S)"


def _in_hand(asp: Definitions, name: str, what: str) -> str:
    pieces = asp.setting.equipment.pieces
    summed = ""
    match = [False for _ in asp.stock]
    if what[0] == "=":
        summed = f"K,P : hand(W,P,{asp.names.cell(what[1])},K)"
        match = [key == what[1] for _, key in asp.stock]
    elif what[0].isdigit():
        seat = f"mover(W,M), seat(M,{what[0]},P)"
        summed = f"K,P,C : {seat}, hand(W,P,C,K), piece(C,_,{asp.names.kind(what[2:])})"
        match = [what[2:] in ("", pieces[key].type) for _, key in asp.stock]
    if not any(match):
        return asp.define(name, "", f"{name}(W,0) :- position(W).")
    if not asp.chains:
        return asp.define(name, "", f"{name}(W,N) :- position(W), N = #sum{{{summed}}}.")
    return _hand_chain(asp, name, what, [s for s, m in zip(asp.stock, match, strict=True) if m])


def _hand_chain(asp: Definitions, name: str, what: str, stock: Sequence[tuple[Player, str]]) -> str:
    rules = []
    for number, (player, key) in enumerate(stock):
        owner = asp.names.player[player]
        hand = f"hand(W,{owner},{asp.names.cell(key)}"
        seat = f", mover(W,M), seat(M,{what[0]},{owner})" if what[0].isdigit() else ""
        head, has = f"{name}_upto(W,{number}", f"{name}_has(W,{number})"
        rules.append(f"{has} :- {hand},N){seat}.")
        if not number:
            rules.append(f"{head},N) :- position(W), {hand},N){seat}.")
            rules.append(f"{head},0) :- position(W), not {has}.")
            continue
        before, sum_ = f"{name}_upto(W,{number - 1}", _plus(asp, "A", "B", "N")
        rules.append(f"{head},N) :- {before},A), {hand},B){seat}, {sum_}.")
        rules.append(f"{head},N) :- {before},N), not {has}.")
    rules.append(f"{name}(W,N) :- {name}_upto(W,{len(stock) - 1},N).")
    return asp.define(name, "", "\n".join(rules))


def _plus(asp: Definitions, one: str, other: str, result: str) -> str:
    """The literal: `result` is the sum."""
    asp.define("plus", "", "plus(A,B,A+B) :- number(A), number(B), number(A+B).")
    asp.numbers()
    return f"plus({one},{other},{result})"


# In C --------------------------------------------------------------------------------------------


def _amount_code(c: Source, zone: str, what: str) -> str:
    if zone == "hand":
        return f"{_hand_code(c, what)}(c)"
    if zone == "area":
        return f"set_count({_area_code(c)}({c.on(what)}, c->ground.empty))"
    on_board = f"set_count({c.on(what)})"
    return on_board if zone == "board" else f"({on_board} + {_hand_code(c, what)}(c))"


def _hand_code(c: Source, what: str) -> str:
    """The name of a function that counts the pieces in hand."""
    pieces, players = c.setting.equipment.pieces, len(c.players)

    def held(me: int) -> tuple[tuple[int, int], ...]:
        """Whose hands are counted where a seat looks, and which kinds in them."""
        if what[0] == "=":
            return tuple((owner, kind) for owner in range(players) for kind in c.kinds(what)[me])
        owner = (me + int(what[0])) % players if what[0].isdigit() else None
        fitting = [i for i, key in enumerate(c.keys) if what[2:] in ("", pieces[key].type)]
        return tuple((owner, kind) for kind in fitting) if owner is not None else ()

    by_seat = [held(me) for me in range(players)]

    def write(name: str) -> str:
        lines = [f"static int {name}(Case *c) {{", "  int n = 0;", "#if HANDS"]
        if any(by_seat):
            lines.append("  const i16 (*hand)[KEYS] = c->state->hand;")
        for some in dict.fromkeys(filter(None, by_seat)):
            same = [f"{c.me} == {me}" for me in range(players) if by_seat[me] == some]
            added = [
                f"  if (hand[{owner}][{kind}] > 0) n += hand[{owner}][{kind}];"
                for owner, kind in some
            ]
            everyone = len(same) == players
            lines += added if everyone else [f"  if ({' || '.join(same)}) {{", *added, "  }"]
        return "\n".join([*lines, "#endif", "  (void)c;", "  return n;", "}"])

    return c.named(what, "in_hand", write)


def _area_code(c: Source) -> str:
    """The name of a function: a set with the empty squares connected to it and to nothing else."""
    near = c.setting.near
    spread = c.spread("links" if "links" in near else "orthogonal")
    board = c.board()
    return c.named(
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


def _effort(zone: str, *_: object) -> int:
    return 4 if zone == "area" else 1


# The templates -----------------------------------------------------------------------------------


def _count_phrases(say: English, zone: str, what: str, op: str, number: int) -> Phrases:
    one = op == "=" and number == 1
    verb, things, where = ("is" if one else "are"), say.many(what, 1 if one else None), WHERE[zone]
    if one:
        things = things.removeprefix("one ")
    if op == "=":
        exactly = f"exactly {counted(number)}" if number else "no"
        other = f"there {verb} not {exactly} {things}" if number else f"there are {things}"
        return f"there {verb} {exactly} {things} {where}", f"{other} {where}"
    few, many = amounts(op, number)
    return f"there are {few} {things} {where}", f"there are {many} {things} {where}"


COUNT = Template(
    "count",
    (ZONE, sorts.WHAT, sorts.COMPARISON, sorts.NUMBER),
    evaluate=lambda setting, zone, what, op, number: compared(_amount(zone, what), op, number),
    columns=_columns,
    phrases=_count_phrases,
    rules=lambda asp, name, zone, what, op, number: (
        f"{name}(W) :- {_total(asp, zone, what)}(W,N), N {op} {number}."
    ),
    code=lambda c, zone, what, op, number: (
        f"return {_amount_code(c, zone, what)} {c.signs[op]} {number};"
    ),
    effort=_effort,
)
"""How many of `what` are on the board, in hand, or both (zone ``all``), or how large their area."""


def _compare(setting: Setting, zone: str, one: str, op: str, other: str) -> PositionTest:
    compare, left, right = RELATED[op], _amount(zone, one), _amount(zone, other)
    return lambda case: compare(left(case), right(case))


def _compare_phrases(say: English, zone: str, one: str, op: str, other: str) -> Phrases:
    left, right, where = say.many(one), say.many(other), WHERE[zone]
    if op == "=":
        return (
            f"there are as many {left} as {right} {where}",
            f"there are not as many {left} as {right} {where}",
        )
    return (
        f"there are fewer {left} than {right} {where}",
        f"there are at least as many {left} as {right} {where}",
    )


COMPARE = Template(
    "compare",
    (ZONE, sorts.WHAT, sorts.COMPARISON, sorts.WHAT),
    evaluate=_compare,
    columns=_columns,
    phrases=_compare_phrases,
    rules=lambda asp, name, zone, one, op, other: (
        f"{name}(W) :- {_total(asp, zone, one)}(W,N), {_total(asp, zone, other)}(W,M), N {op} M."
    ),
    code=lambda c, zone, one, op, other: (
        f"return {_amount_code(c, zone, one)} {c.signs[op]} {_amount_code(c, zone, other)};"
    ),
    effort=_effort,
)
"""Whether there are as many of `one` as of `other`, or fewer."""
OF_POSITIONS = (COUNT, COMPARE)
