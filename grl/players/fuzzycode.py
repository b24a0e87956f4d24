"""Fuzzy goals in C, over the compiled states of a learned model: what `grl.players.fuzzy` says.

The text comes after that of the model, and defines ``EVALUATE`` for the search of ``search.h``, and
a function for states as objects of Python. Numbers are worked out in the order of Python's, so that
the two agree to the last bit where a compiler keeps to that order.
"""

from __future__ import annotations

import ctypes
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from grl.board import EMPTY
from grl.compiler import load
from grl.engine.engine import Engine, State
from grl.engine.native import Native
from grl.errors import GrlError
from grl.logic.relations import written
from grl.players.formulas import Kind, Node
from grl.players.fuzzy import Fuzzy, mobility, nearness
from grl.players.propositions import InHand, OnSquare, Proposition

HELPERS = """
#if defined(__GNUC__) && !defined(__clang__) && !defined(__TINYC__)
#define AS_WRITTEN __attribute__((optimize("fp-contract=off")))
#else
#define AS_WRITTEN
#pragma STDC FP_CONTRACT OFF
#endif

/* How many turns a player would have. */
UNUSED static int fuzzy_turns(Space *p, const State *s, int seat) {
  State asked = *s;
  Found found;
  int open = p->depth, count;
  asked.to_move = (u8)seat;
  count = find_turns(p, &asked, &found);
  p->depth = open;
  return count;
}
UNUSED static Set fuzzy_taken(const State *s) {
  Set all = NO_SQUARE;
  for (int k = 0; k < KEYS; k++) all = set_or(all, s->pieces[k]);
  return all;
}
/* A conjunction; of two or more parts that are more true than not, at least as true as theta. */
UNUSED static AS_WRITTEN double fuzzy_both(const double *v, int n, double theta) {
  double likely = 1, rest = 1;
  int many = 0;
  for (int i = 0; i < n; i++) if (v[i] > 0.5) { likely *= v[i]; many++; }
  if (many > 1 && likely < theta) likely = theta;
  rest = likely;
  for (int i = 0; i < n; i++) if (v[i] <= 0.5) rest *= v[i];
  return rest;
}
UNUSED static AS_WRITTEN double fuzzy_count(const double *v, int n, int least, double tau) {
  int there = 0;
  for (int i = 0; i < n; i++) there += v[i] > 0.5;
  if (there < least) return (1 - tau) + (tau - 0.5) * there / least;
  return 0.5 + (tau - 0.5) * (there - least + 1) / (n - least + 1);
}
"""
BEGIN = """static AS_WRITTEN double fuzzy_value(Space *p, const State *s, int seat) {
  (void)p;
"""
END = """
#define EVALUATE(state, seat) fuzzy_whole(LIKELY * fuzzy_value(r->space, state, seat))
INLINE int fuzzy_whole(double x) { return (int)(x < 0 ? x - 0.5 : x + 0.5); }
static Space *fuzzy_space;
EXPORT double fuzzy_of(const State *s, int seat) {
  if (!fuzzy_space && !(fuzzy_space = space_new())) return 0;
  fuzzy_space->depth = fuzzy_space->failed = 0;
  return fuzzy_value(fuzzy_space, s, seat);
}
"""


class Compiled:
    """The evaluation `fuzzy` for the compiled states of an engine.

    It is an evaluation itself; `text` is what a search in C takes. Raises `GrlError` for Yager's
    norms, which want a power, and where Python plays.
    """

    def __init__(self, fuzzy: Fuzzy, engine: Engine) -> None:
        if engine.native is None:
            raise GrlError("there is no compiled model", found=engine.reason)
        if fuzzy.logic.q is not None:
            raise GrlError("Yager's norms are not compiled", expected="the product")
        self.fuzzy = fuzzy
        self.native = engine.native
        self.text = code_of(fuzzy, engine.native)

    @cached_property
    def _value(self) -> Any:
        loaded = load(self.native.program.text + self.text).library
        # With the interpreter's lock, for there is one memory for all threads.
        function = ctypes.PyDLL(loaded._name, handle=loaded._handle).fuzzy_of
        function.restype, function.argtypes = ctypes.c_double, [ctypes.c_void_p, ctypes.c_int]
        return function

    def __call__(self, state: State, seat: int) -> float:
        """See `grl.players.interface.Evaluation`."""
        value: float = self._value(self.native.objects.state_inside(state), seat)
        return value


def code_of(fuzzy: Fuzzy, native: Native) -> str:
    """The text in C."""
    writer = _Writer(fuzzy, native)
    body = "\n".join(writer.lines())
    sets = "".join(f"static const Set {name} = {text};\n" for text, name in writer.sets.items())
    return f"{HELPERS}{sets}{BEGIN}{body}\n}}\n{END}"


class _Writer:
    """Writes the function: a variable for each node."""

    def __init__(self, fuzzy: Fuzzy, native: Native) -> None:
        self.fuzzy, self.native, self.logic = fuzzy, native, fuzzy.logic
        self.false = self.logic.atom(False)
        self.place = {key: number for number, key in enumerate(native.keys)}
        self.sets: dict[str, str] = {}

    def lines(self) -> Iterator[str]:
        """The lines of the function."""
        yield "  const Set taken = fuzzy_taken(s); (void)taken;"
        for number, node in enumerate(self.fuzzy.goals.circuit.nodes):
            yield f"  const double n{number} = {self.node(node)};"
        values = []
        for goals in self.fuzzy.goals.goals.values():
            parts = [f"{goal / 100!r} * n{root}" for goal, root in goals]
            values.append(self.either(parts))
        yield f"  const double v[] = {{{', '.join(values)}}};"
        if len(values) == 1:
            yield "  return 2 * v[seat] - 1;"
            return
        yield "  double best = -1;"
        yield f"  for (int i = 0; i < {len(values)}; i++)"
        yield "    if (i != seat && v[i] > best) best = v[i];"
        yield "  return v[seat] - best;"

    def node(self, node: Node) -> str:
        """The expression of a node."""
        parts = [f"n{part}" for part in node.parts]
        match node.kind:
            case Kind.FLUENT:
                return self.proposition(self.fuzzy.propositions[node.name])
            case Kind.NOT:
                return f"1 - {parts[0]}"
            case Kind.AND if self.logic.theta is not None and parts:
                row = f"(double[]){{{', '.join(parts)}}}"
                return f"fuzzy_both({row}, {len(parts)}, {self.logic.theta!r})"
            case Kind.AND:
                return " * ".join(parts) or "1"
            case Kind.OR:
                return self.either(parts)
        row = f"(double[]){{{', '.join(parts)}}}"
        return f"fuzzy_count({row}, {len(parts)}, {node.least}, {self.logic.tau!r})"

    def either(self, parts: Sequence[str]) -> str:
        """The expression of a disjunction."""
        return f"1 - {' * '.join(f'(1 - {part})' for part in parts) or '1'}"

    def proposition(self, one: Proposition) -> str:
        """The expression of a proposition's truth."""
        if isinstance(one, OnSquare):
            return self.on_square(one)
        seats = self.native.players
        if isinstance(one, InHand):
            held = f"s->hand[{seats.index(one.player)}][{self.place[one.key]}]"
            asked = f"{held} == {one.number}" if one.number else f"{held} <= 0"
            return f"{asked} ? {self.logic.tau!r} : {self.false!r}"
        count = f"fuzzy_turns(p, s, {seats.index(one.player)})"
        return f"{mobility(self.logic, 0)!r} / (1 + {count})"

    def on_square(self, one: OnSquare) -> str:
        """That of something on a square."""
        if one.never:
            return f"{self.has(one.key, [one.square])} ? {self.logic.tau!r} : 0"
        dead = [
            self.has(key, [square]) if there else f"!{self.has(key, [square])}"
            for (key, square), there in one.dead
        ]
        text = f"{self.has(one.key, [one.square])} ? {self.logic.tau!r} : "
        if dead:
            text += f"{' || '.join(dead)} ? 0 : "
        nearer: defaultdict[int, defaultdict[str, list[int]]]
        nearer = defaultdict(lambda: defaultdict(list))
        for (key, square), turns in one.away.items():
            nearer[turns][key].append(square)
        for turns, places in sorted(nearer.items()):
            asked = " || ".join(self.has(key, squares) for key, squares in sorted(places.items()))
            text += f"{asked} ? {nearness(self.logic, turns)!r} : "
        return text + repr(self.false)

    def has(self, key: str, squares: Sequence[int]) -> str:
        """Whether a piece, or nothing, lies on one of these squares."""
        if key == EMPTY:
            return f"!set_has(taken, {squares[0]})"
        held = f"s->pieces[{self.place[key]}]"
        if len(squares) == 1:
            return f"set_has({held}, {squares[0]})"
        text = written(squares, self.native.board.size)
        name = self.sets.setdefault(text, f"fuzzy_set_{len(self.sets)}")
        return f"set_any(set_and({held}, {name}))"
