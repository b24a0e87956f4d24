"""Amounts in hand: how many pieces players have there, or there and on the board together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from grl.board import Player
from grl.logic.contents import held_of
from grl.logic.english import amounts, counted
from grl.logic.grid import Bools
from grl.model import Feature
from grl.rules.features.cases import PositionCase, Setting
from grl.rules.templates import sorts
from grl.rules.templates.template import RELATED, Phrases, PositionTest, Template, compared
from grl.rules.templates.writers import Definitions, English, Source

WHERE: Final = {"hand": "in hand", "all": "on the board or in hand"}
ZONE: Final = sorts.words("zone", *WHERE)


def _amount(zone: str, content: str) -> Callable[[PositionCase], int]:
    if zone == "hand":
        return lambda case: case.hand(content)
    return lambda case: case.bits(content).bit_count() + case.hand(content)


def _columns(
    setting: Setting,
    cases: Sequence[PositionCase],
    features: Sequence[Feature],
) -> Bools:
    """Each amount is taken of a position once."""
    known: dict[tuple[str, str], NDArray[np.int64]] = {}

    def amounts_of(zone: str, content: str) -> NDArray[np.int64]:
        if (zone, content) not in known:
            one = _amount(zone, content)
            known[zone, content] = np.array([one(case) for case in cases], dtype=np.int64)
        return known[zone, content]

    found = np.empty((len(cases), len(features)), dtype=np.bool_)
    for column, (name, zone, one, op, other) in enumerate(features):
        left, right = amounts_of(zone, one), other if name == "count" else amounts_of(zone, other)
        found[:, column] = left < right if op == "<" else left == right
    return found


# In ASP ------------------------------------------------------------------------------------------


def _total(asp: Definitions, zone: str, content: str) -> str:
    """The predicate ``…(W,N)``: N of a content are in hand, or in hand and on the board."""
    name = f"{asp.names.content(content)}_in_{zone}"
    if asp.known(name):
        return name
    if zone == "hand":
        return _in_hand(asp, name, content)
    thing = asp.names.content(content)
    board = asp.tally(f"{thing}_on_board", "W", "position(W)", asp.on(content, "W", "S"))
    hand = _total(asp, "hand", content)
    return asp.define(
        name, "", f"{name}(W,N) :- {board}(W,B), {hand}(W,H), {_plus(asp, 'B', 'H', 'N')}."
    )


def _in_hand(asp: Definitions, name: str, content: str) -> str:
    """What is counted are facts: whose hands, and which pieces, in the eyes of who moves."""
    equipment = asp.setting.equipment
    facts, stock = [], []
    for player, key in asp.stock:
        movers = [m for m in equipment.players if held_of(equipment, m, content)(player, key)]
        stock += [(player, key)] if movers else []
        held = f"{asp.names.player[player]},{asp.names.cell(key)}"
        facts += [f"{name}_counts({asp.names.player[mover]},{held})." for mover in movers]
    if not stock:
        return asp.define(name, "", f"{name}(W,0) :- position(W).")
    asp.define(f"{name}_counts", "", " ".join(facts))
    if asp.chains:
        return _hand_chain(asp, name, stock)
    summed = f"K,P,C : mover(W,M), {name}_counts(M,P,C), hand(W,P,C,K)"
    return asp.define(name, "", f"{name}(W,N) :- position(W), N = #sum{{{summed}}}.")


def _hand_chain(asp: Definitions, name: str, stock: Sequence[tuple[Player, str]]) -> str:
    rules = []
    for number, (player, key) in enumerate(stock):
        held = f"{asp.names.player[player]},{asp.names.cell(key)}"
        hand = f"mover(W,M), {name}_counts(M,{held}), hand(W,{held}"
        head, has = f"{name}_upto(W,{number}", f"{name}_has(W,{number})"
        rules.append(f"{has} :- {hand},N).")
        if not number:
            rules.append(f"{head},N) :- position(W), {hand},N).")
            rules.append(f"{head},0) :- position(W), not {has}.")
            continue
        before, sum_ = f"{name}_upto(W,{number - 1}", _plus(asp, "A", "B", "N")
        rules.append(f"{head},N) :- {before},A), {hand},B), {sum_}.")
        rules.append(f"{head},N) :- {before},N), not {has}.")
    rules.append(f"{name}(W,N) :- {name}_upto(W,{len(stock) - 1},N).")
    return asp.define(name, "", "\n".join(rules))


def _plus(asp: Definitions, one: str, other: str, result: str) -> str:
    """The literal: `result` is the sum."""
    asp.define("plus", "", "plus(A,B,A+B) :- number(A), number(B), number(A+B).")
    asp.numbers()
    return f"plus({one},{other},{result})"


# In C --------------------------------------------------------------------------------------------


def _amount_code(c: Source, zone: str, content: str) -> str:
    hand = f"{_hand_code(c, content)}(c)"
    return hand if zone == "hand" else f"(set_count({c.on(content)}) + {hand})"


def _hand_code(c: Source, content: str) -> str:
    """The name of a function that counts the pieces in hand."""

    def held(looks: Player) -> tuple[tuple[int, int], ...]:
        """Whose hands are counted where a player looks, and which kinds in them."""
        counts = held_of(c.setting.equipment, looks, content)
        return tuple(
            (owner, kind)
            for owner, player in enumerate(c.players)
            for kind, key in enumerate(c.keys)
            if counts(player, key)
        )

    by_seat = [held(player) for player in c.players]

    def write(name: str) -> str:
        lines = [f"static int {name}(Case *c) {{", "  int n = 0;", "#if HANDS"]
        if any(by_seat):
            lines.append("  const i16 (*hand)[KEYS] = c->state->hand;")
        for some in dict.fromkeys(filter(None, by_seat)):
            same = [f"{c.me} == {me}" for me, each in enumerate(by_seat) if each == some]
            added = [
                f"  if (hand[{owner}][{kind}] > 0) n += hand[{owner}][{kind}];"
                for owner, kind in some
            ]
            everyone = len(same) == len(by_seat)
            lines += added if everyone else [f"  if ({' || '.join(same)}) {{", *added, "  }"]
        return "\n".join([*lines, "#endif", "  (void)c;", "  return n;", "}"])

    return c.named(content, "in_hand", write)


# The templates -----------------------------------------------------------------------------------


def _count_phrases(say: English, zone: str, content: str, op: str, number: int) -> Phrases:
    things, where = say.things(content, 1 if number == 1 and op == "=" else None), WHERE[zone]
    if op == "=" and number == 1:
        one = things.removeprefix("one ")
        return f"there is exactly one {one} {where}", f"there is not exactly one {one} {where}"
    if op == "=":
        exactly = f"exactly {counted(number)}" if number else "no"
        other = f"there are not {exactly} {things}" if number else f"there are {things}"
        return f"there are {exactly} {things} {where}", f"{other} {where}"
    few, many = amounts(op, number)
    return f"there are {few} {things} {where}", f"there are {many} {things} {where}"


COUNT = Template(
    "count",
    (ZONE, sorts.CONTENT, sorts.COMPARISON, sorts.NUMBER),
    evaluate=lambda setting, zone, content, op, number: compared(
        _amount(zone, content), op, number
    ),
    columns=_columns,
    phrases=_count_phrases,
    rules=lambda asp, name, zone, content, op, number: (
        f"{name}(W) :- {_total(asp, zone, content)}(W,N), N {op} {number}."
    ),
    code=lambda c, zone, content, op, number: (
        f"return {_amount_code(c, zone, content)} {c.signs[op]} {number};"
    ),
)
"""How many of a content are in hand, or on the board and in hand (zone ``all``)."""


def _compare(setting: Setting, zone: str, one: str, op: str, other: str) -> PositionTest:
    compare, left, right = RELATED[op], _amount(zone, one), _amount(zone, other)
    return lambda case: compare(left(case), right(case))


def _compare_phrases(say: English, zone: str, one: str, op: str, other: str) -> Phrases:
    left, right, where = say.things(one), say.things(other), WHERE[zone]
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
    (ZONE, sorts.CONTENT, sorts.COMPARISON, sorts.CONTENT),
    evaluate=_compare,
    columns=_columns,
    phrases=_compare_phrases,
    rules=lambda asp, name, zone, one, op, other: (
        f"{name}(W) :- {_total(asp, zone, one)}(W,N), {_total(asp, zone, other)}(W,M), N {op} M."
    ),
    code=lambda c, zone, one, op, other: (
        f"return {_amount_code(c, zone, one)} {c.signs[op]} {_amount_code(c, zone, other)};"
    ),
)
"""Whether there are as many of `one` as of `other`, or fewer."""
OF_POSITIONS = (COUNT, COMPARE)
