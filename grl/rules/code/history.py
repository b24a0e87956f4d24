"""What states keep of the game before: in C from turn to turn, and for positions from outside."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

from grl.board import Position
from grl.logic.grid import NONE
from grl.logic.relations import union
from grl.rules.code.source import Source
from grl.rules.features.cases import PositionCase, Setting
from grl.rules.features.past import CAPTURE, CHANGE, HANDOVER, owned, since

MOST = 65_535
"""Counters go no further."""


class Packed(NamedTuple):
    """What the fields of a `State` hold that speak of the game before, but for `moved` and `up`.

    `last` has two squares a turn: where the first segment began and where it ended, -1 for none.
    """

    since: tuple[int, ...]
    passes: int
    last: tuple[int, ...]
    last_only: bool


def packed_past(
    setting: Setting, position: Position, back: int, events: Sequence[str], *, own: bool
) -> Packed:
    """The past of a position, for the events that are counted, so many turns `back`, and each
    player's `own` last one."""
    case = PositionCase.of(setting, position)
    squares: list[int] = []
    turns = [case.last_squares(number) for number in range(1, back + 1)]
    if own:
        turns += map(case.own_squares, setting.equipment.players)
    for last in turns:
        squares += [last.get("start1", NONE), last.get("end1", NONE)]
    passes = sum(1 for _ in takewhile(lambda turn: turn == "pass", case.turns()))
    return Packed(
        tuple(min(since(setting, case, event), MOST) for event in events),
        min(passes, MOST),
        tuple(squares),
        position.trail is None and position.last is not None,
    )


def follow(source: Source) -> str:
    """The C function that carries the past on: ``void follow(before, after, turn)``."""
    lines = [
        "static UNUSED void follow(const State *before, State *after, const Turn *turn) {",
        "  int pass = !turn->segments;",
        "  after->passes = (u16)(!pass ? 0 : before->last_only ? 1 : before->passes + "
        f"(before->passes < {MOST}));",
        "  after->last_only = 0;",
        "#if LASTS",
        "  i16 ends[2] = {NONE, NONE};",
        "  if (!pass) ends[0] = turn->squares.start[0], ends[1] = turn->squares.end[0];",
        "#endif",
        "#if BACK",
        "  for (int k = 2 * BACK - 1; k > 1; k--) "
        "after->last[k] = before->last_only ? NONE : before->last[k - 2];",
        "  memcpy(after->last, ends, sizeof ends);",
        "#endif",
        "#if OWN",
        "  for (int k = 2 * BACK; k < LASTS; k++) after->last[k] = before->last[k];",
        "  memcpy(after->last + 2 * (BACK + before->to_move), ends, sizeof ends);",
        "#endif",
    ]
    for event, number in source.events.items():
        happened = _happened(source, event)
        grown = f"before->since[{number}] + (before->since[{number}] < {MOST})"
        value = f"{happened} ? 0 : {grown}" if happened else grown
        lines.append(f"  after->since[{number}] = (u16)({value});")
    lines += ["#if TRAIL", "  after->up = before;", "#endif", "}"]
    return "\n".join(lines)


def _number(state: str, kinds: Sequence[int] | None = None) -> str:
    """How many squares are empty, or hold pieces of some kinds."""
    if kinds is None:
        return f"set_count(empty_of({state}->pieces))"
    return f"set_count({union([f'{state}->pieces[{kind}]' for kind in kinds])})"


def _happened(source: Source, event: str) -> str:
    """Whether an event happened in a turn; nothing for the beginning of the game."""
    if not event:
        return ""
    if event == HANDOVER:
        return "(before->to_move != after->to_move)"
    if event == CHANGE:
        return f"({_number('after')} != {_number('before')})"
    if event == CAPTURE:
        groups = [[source.keys.index(key) for key in keys] for keys in owned(source.setting)]
        fewer = [f"{_number('after', kinds)} < {_number('before', kinds)}" for kinds in groups]
        return f"({' || '.join(fewer)})"
    pieces = source.setting.equipment.pieces
    moving = [i for i, key in enumerate(source.keys) if f"move:{pieces[key].type}" == event]
    tests = [f"set_has(before->pieces[{kind}], turn->squares.start[0])" for kind in moving]
    return f"(!pass && ({' || '.join(tests) or '0'}))"
