"""The game so far: positions that occurred before, plies since an event, passes, the last turn.

What looks further back than the last turn reads a position's trail (`grl.trail`). A position
without one is the first of its game, unless it has a last turn: then its past is unknown, and
counts as none.
"""

from __future__ import annotations

from itertools import islice

from grl.logic.english import amounts, article, counted
from grl.rules.features.cases import PositionCase, Setting
from grl.rules.features.past import SCOPES, events, passes, since, times
from grl.rules.templates import sorts
from grl.rules.templates.template import Phrases, PositionTest, Template, compared
from grl.rules.templates.writers import Definitions, English, Source

SCOPE = sorts.words("scope", *SCOPES)
EVENT = sorts.Sort("event", lambda setting, value: value in events(setting))


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
    of_past=lambda *_: True,
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
    c.trail = True
    return (
        "const State *past = c->before ? c->before : c->state->up;\n"
        f"  for (int k = 1; past && k < {number}; k++) past = past->up;\n"
        "  return past && same_board(past, c->state);"
    )


AGAIN = Template(
    "again",
    (sorts.COUNT,),
    evaluate=_again,
    phrases=_again_phrases,
    rules=None,
    code=_again_code,
    of_past=lambda *_: True,
    absolute=True,
)
"""Whether the board is as it was so many plies ago."""


def _passes_phrases(say: English, number: int) -> Phrases:
    if number == 1:
        return "the last turn was a pass", "the last turn was no pass"
    several = f"of the last {counted(number)} turns"
    return f"the last {counted(number)} turns were passes", f"not all {several} were passes"


def _passes_rules(asp: Definitions, name: str, number: int) -> str:
    asp.needs |= {f"passed {each}" for each in range(1, number + 1)}
    return f"{name}(W) :- passed(W,{number})."


PASSES = Template(
    "passes",
    (sorts.COUNT,),
    evaluate=lambda setting, number: lambda case: passes(case, number),
    phrases=_passes_phrases,
    rules=_passes_rules,
    code=lambda c, number: f"return c->state->passes >= {number};",
    of_past=lambda number: number > 1,
    absolute=True,
)
"""Whether the last turns, so many of them, were passes."""


_EVENTS = {
    "capture": ("a piece was captured", "no piece was captured"),
    "change": (
        "the number of pieces on the board changed",
        "the number of pieces on the board did not change",
    ),
    "handover": ("another player moved", "no other player moved"),
}


def _since_phrases(say: English, event: str, op: str, number: int) -> Phrases:
    kind = event.partition(":")[2]
    what, nothing = _EVENTS.get(event) or (f"{article(kind)} {kind} moved", f"no {kind} moved")
    if not event:
        what = "the game began"
    elif (op, number) == ("<", 1):
        return f"{what} with the last turn", f"{nothing} with the last turn"
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
    of_past=lambda *_: True,
    absolute=True,
)
"""How many plies ago something happened; see `grl.rules.features.past.events`."""


OF_POSITIONS = (TIMES, AGAIN, PASSES, SINCE)
