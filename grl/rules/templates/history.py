"""The game so far: positions that occurred before, plies since an event, passes, the last turn.

What looks further back than the last turn reads a position's trail (`grl.trail`). A position
without one is the first of its game, unless it has a last turn: then its past is unknown, and
counts as none.
"""

from __future__ import annotations

from itertools import islice

from grl.errors import NotCompiled
from grl.logic.english import amounts, article, counted, joined
from grl.rules.features.cases import PositionCase, Setting, TurnCase
from grl.rules.features.past import SCOPES, events, passes, since, times
from grl.rules.features.turn_squares import bearing
from grl.rules.templates import sorts
from grl.rules.templates.template import Phrases, PositionTest, Template, TurnTest, compared
from grl.rules.templates.writers import Definitions, English, Source

SCOPE = sorts.words("scope", *SCOPES)
EVENT = sorts.Sort("event", lambda setting, value: value in events(setting))
SENSE = sorts.words("sense", "same", "back")


def _times_phrases(say: English, scope: str, op: str, number: int) -> Phrases:
    thing = "the same board" if scope == "board" else "the same position"
    if op == "=":
        often = f"exactly {counted(number)} time{'' if number == 1 else 's'}"
        return f"{thing} occurred before {often}", f"{thing} did not occur before {often}"
    if number == 1:
        return f"{thing} did not occur before", f"{thing} occurred before"
    few, many = amounts(op, number)
    return f"{thing} occurred before {few} times", f"{thing} occurred before {many} times"


def _times_code(c: Source, scope: str, op: str, number: int) -> str:
    c.trail = True
    same = "same_board" if scope == "board" else "same_position"
    most = number - 1 if op == "<" else number
    return (
        "const State *past = c->before ? c->before : c->state->up;\n"
        "  int n = 0;\n"
        f"  for (; past && n <= {most}; past = past->up) n += {same}(past, c->state);\n"
        f"  return n {c.signs[op]} {number};"
    )


TIMES = Template(
    "times",
    (SCOPE, sorts.COMPARISON, sorts.NUMBER),
    evaluate=lambda setting, scope, op, number: compared(
        lambda case: times(case, scope), op, number
    ),
    phrases=_times_phrases,
    rules=None,
    code=_times_code,
    effort=6,
    of_past=True,
    absolute=True,
)
"""How often the board, or the position, occurred before in this game."""


def _again(setting: Setting, number: int) -> PositionTest:
    def test(case: PositionCase) -> bool:
        then = next(islice(case.pasts(), number - 1, None), None)
        return then is not None and then.cells == case.cells

    return test


def _again_phrases(say: English, number: int) -> Phrases:
    ago = f"{counted(number)} pl{'y' if number == 1 else 'ies'} ago"
    return f"the board is as it was {ago}", f"the board is not as it was {ago}"


def _again_code(c: Source, number: int) -> str:
    if number < 1:
        raise NotCompiled(f"again {number}", expected="at least a ply ago")
    c.trail = True
    return (
        "const State *past = c->before ? c->before : c->state->up;\n"
        f"  for (int k = 1; past && k < {number}; k++) past = past->up;\n"
        "  return past && same_board(past, c->state);"
    )


AGAIN = Template(
    "again",
    (sorts.NUMBER,),
    evaluate=_again,
    phrases=_again_phrases,
    rules=None,
    code=_again_code,
    of_past=True,
    absolute=True,
)
"""Whether the board is as it was so many plies ago."""
PASSES = Template(
    "passes",
    (sorts.NUMBER,),
    evaluate=lambda setting, number: lambda case: passes(case, number),
    phrases=lambda say, number: (
        f"the last {counted(number)} turns were passes",
        f"not all of the last {counted(number)} turns were passes",
    ),
    rules=None,
    code=lambda c, number: f"return c->state->passes >= {number};",
    of_past=True,
    absolute=True,
)
"""Whether the last turns, so many of them, were passes."""


def _since_phrases(say: English, event: str, op: str, number: int) -> Phrases:
    what = {
        "": "the game began",
        "capture": "a piece was captured",
        "change": "the number of pieces on the board changed",
        "handover": "another player moved",
    }.get(event)
    if what is None:
        kind = event.partition(":")[2]
        what = f"{article(kind)} {kind} moved"
    if op == "=":
        return f"{what} {number} plies ago", f"{what} not {number} plies ago"
    return f"{what} fewer than {number} plies ago", f"{what} {number} plies ago or more"


def _since_code(c: Source, event: str, op: str, number: int) -> str:
    at = c.events.setdefault(event, len(c.events))
    return f"return c->state->since[{at}] {c.signs[op]} {number};"


SINCE = Template(
    "since",
    (EVENT, sorts.COMPARISON, sorts.NUMBER),
    evaluate=lambda setting, event, op, number: compared(
        lambda case: since(setting, case, event), op, number
    ),
    phrases=_since_phrases,
    rules=None,
    code=_since_code,
    of_past=True,
    absolute=True,
)
"""How many plies ago something happened; see `grl.rules.features.past.events`."""


def _passed_rules(asp: Definitions, name: str) -> str:
    asp.needs.add("passed")
    return f"{name}(W) :- passed(W)."


PASSED = Template(
    "passed",
    (),
    evaluate=lambda setting: lambda case: case.last == "pass",
    phrases=lambda say: ("the last turn was a pass", "the last turn was no pass"),
    rules=_passed_rules,
    code=lambda c: "return !c->before && c->state->passes;",
    absolute=True,
)
"""Whether the last turn was a pass."""


def _came(setting: Setting, dx: int, dy: int) -> PositionTest:
    def test(case: PositionCase) -> bool:
        last = case.last_squares(1)
        start, end = last.get("start1"), last.get("end1")
        if start is None or end is None:
            return False
        seen = setting.relative[case.to_move]
        return (abs(seen[end][0] - seen[start][0]), seen[end][1] - seen[start][1]) == (dx, dy)

    return test


def _came_phrases(say: English, dx: int, dy: int) -> Phrases:
    files = "file" if dx == 1 else "files"
    ranks = f"{abs(dy)} rank{'' if abs(dy) == 1 else 's'} {'back' if dy < 0 else 'on'}"
    gone = joined([*([f"{dx} {files} aside"] if dx else []), *([ranks] if dy else [])])
    return f"the last turn went {gone}", f"the last turn didn't go {gone}"


def _came_rules(asp: Definitions, name: str, dx: int, dy: int) -> str:
    asp.recall("start1", 1)
    asp.recall("end1", 1)
    last = "last(W,start1,1,S), last(W,end1,1,R)"
    return f"{name}(W) :- {last}, mover(W,M), {asp.shifted(dx, dy)}(M,S,R)."


def _came_code(c: Source, dx: int, dy: int) -> str:
    c.back = max(c.back, 1)
    return (
        "const i16 *last = c->ground.last;\n"
        "  int x, y;\n"
        "  if (last[0] == NONE || last[1] == NONE) return 0;\n"
        f"{c.gone(c.me, 'last[0]', 'last[1]', dx, dy)}"
    )


CAME = Template(
    "came",
    (sorts.FILES, sorts.RANKS),
    evaluate=_came,
    phrases=_came_phrases,
    rules=_came_rules,
    code=_came_code,
)
"""How far the last turn's first segment went: files, and ranks as the player to move sees."""


def _echo(setting: Setting, sense: str) -> TurnTest:
    board = setting.board

    def test(case: TurnCase) -> bool:
        start, end = case.square("start1"), case.square("end1")
        last = case.before.last_squares(1)
        one, other = last.get("start1"), last.get("end1")
        if start is None or end is None or one is None or other is None or start == end:
            return False
        way = bearing(board, one, other) if sense == "same" else bearing(board, other, one)
        return way == bearing(board, start, end)

    return test


def _echo_phrases(say: English, sense: str) -> Phrases:
    way = "in the direction of" if sense == "same" else "in the direction opposite to"
    return f"it goes {way} the last turn", f"it does not go {way} the last turn"


def _echo_rules(asp: Definitions, name: str, sense: str) -> str:
    asp.recall("start1", 1)
    asp.recall("end1", 1)
    asp.needs |= {"start", "end"}
    asp.bearing()
    last = "A,B" if sense == "same" else "B,A"
    return f"""{name}(W,T) :- start(W,T,1,S), end(W,T,1,R), bearing(S,R,X,Y), last(W,start1,1,A),
    last(W,end1,1,B), bearing({last},X,Y)."""


def _echo_code(c: Source, sense: str) -> str:
    c.back = max(c.back, 1)
    width = c.setting.board.width
    sign = ">" if sense == "same" else "<"
    return (
        "const i16 *last = l->before.ground.last;\n"
        f"  int one = {c.start}, other = {c.end}, x, y, to_x, to_y;\n"
        "  if (one == NONE || other == NONE || one == other) return 0;\n"
        "  if (last[0] == NONE || last[1] == NONE || last[0] == last[1]) return 0;\n"
        f"  x = other % {width} - one % {width}, y = other / {width} - one / {width};\n"
        f"  to_x = last[1] % {width} - last[0] % {width};\n"
        f"  to_y = last[1] / {width} - last[0] / {width};\n"
        f"  return x * to_y == y * to_x && x * to_x + y * to_y {sign} 0;"
    )


ECHO = Template(
    "echo",
    (SENSE,),
    evaluate=_echo,
    phrases=_echo_phrases,
    rules=_echo_rules,
    code=_echo_code,
)
"""Whether the first segment goes in the direction of the last turn's, or (``back``) against it.

Directions are those of the board, in lowest terms.
"""
OF_POSITIONS = (TIMES, AGAIN, PASSES, SINCE, PASSED, CAME)
OF_TURNS = (ECHO,)
