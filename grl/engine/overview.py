"""What there is of a model in C: its graphs, how large it is, and which rules can be written.

For people: nothing here is needed to play.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from grl.board import EMPTY
from grl.compiler import CompilerFailed
from grl.engine.effects import Effects
from grl.engine.graph import CAME, HERE, THERE, Check, End, Graph, Node, Store, alphabet, graphs
from grl.engine.native import Native
from grl.engine.source import program
from grl.engine.walk import Walks
from grl.errors import NotCompiled
from grl.logic.code import Code
from grl.logic.geometry import Geometry
from grl.logic.grid import Grid
from grl.model import Model, Rules
from grl.rules.code.rules import RuleCode
from grl.turn import Letter

PARTS = ("restrictions", "endings", "control", "passing")
"""The parts of the rules, as `grl.model.Rules` names them."""
EFFECTS = "effects"
NAMES = {HERE: "here", THERE: "there", CAME: "the square it came from"}
"""The squares of ties as people read them: before a letter, after it, and the one before that."""


@dataclass(frozen=True)
class Overview:
    """A model in C, as far as it comes.

    `kind` and `reason` are those of the engine. `graphs` and `source` are empty where there can be
    none; `counted` says how turns are counted.
    `writing` and `making` are seconds, of the text and of the library, which was `kept` from
    before or compiled now; `state` is the size of a state in bytes, 0 without a library.
    `obstacles` has for each part of the model, effects and lists of rules, and each item of it why
    that can't be written in C, or None where it can.
    """

    kind: str
    reason: str
    graphs: tuple[Graph, ...]
    source: str
    counted: str
    writing: float
    making: float
    kept: bool
    state: int
    obstacles: Mapping[str, tuple[str | None, ...]]


def overview(model: Model) -> Overview:
    """Writes a model in C, makes its library, and says how that went."""
    kind, reason, source, counted, made, making = "python", "", "", "", None, 0.0
    began = time.perf_counter()
    drawn: tuple[Graph, ...] = ()
    try:
        written = program(model)
        drawn, source, counted = written.graphs, written.text, written.counted
    except NotCompiled as error:
        reason = str(error)
        with suppress(NotCompiled):
            drawn = graphs(model)
    writing = time.perf_counter() - began
    if source:
        began = time.perf_counter()
        try:
            made = Native.of(model, written)
            kind = made.kind
        except CompilerFailed as failed:
            reason = str(failed)
        making = time.perf_counter() - began
    return Overview(
        kind=kind,
        reason=reason,
        graphs=drawn,
        source=source,
        counted=counted,
        writing=writing,
        making=making,
        kept=made is not None and made.kept,
        state=0 if made is None else made.state_size,
        obstacles=_obstacles(model, written=bool(source)),
    )


def _obstacles(model: Model, *, written: bool) -> Mapping[str, tuple[str | None, ...]]:
    """Why items can't be written, each tried alone; a model that is `written` has none."""
    rules = model.rules
    lists = {part: getattr(rules, part) if rules is not None else () for part in PARTS}
    if written:
        none = {part: (None,) * len(items) for part, items in lists.items()}
        return {EFFECTS: (None,) * len(model.effects)} | none
    geometry = Geometry(model.equipment.board)
    frames = dict.fromkeys(model.equipment.players, "identity") if rules is None else rules.frames

    def code() -> Code:
        return Code(model.equipment, Grid(geometry, frames))

    def rule(part: str, number: int) -> object:
        only: dict[str, Any] = {part: (lists[part][number],)}
        return RuleCode(model.equipment, Rules(frames, **only), code()).text()

    def effect(number: int) -> object:
        alone = replace(model, effects=(model.effects[number],))
        contents = Walks(model.equipment, (), ()).contents
        return list(Effects(alone, code(), contents, 0).text())

    found = {EFFECTS: tuple(_obstacle(effect, n) for n in range(len(model.effects)))}
    for part, items in lists.items():
        found[part] = tuple(_obstacle(partial(rule, part), n) for n in range(len(items)))
    return found


def _obstacle(write: Callable[[int], object], number: int) -> str | None:
    try:
        write(number)
    except NotCompiled as error:
        return str(error)
    return None


# Graphs as text ----------------------------------------------------------------------------------


def size(graph: Graph) -> tuple[int, int]:
    """How many nodes and edges a graph has."""
    return len(graph.nodes), sum(len(node.edges) for node in graph.nodes)


def graph_lines(model: Model, graph: Graph) -> Iterator[str]:
    """A graph as lines of text: where turns begin, and each node with what goes on from there.

    Letters are in the syntax of traces. A register remembers a square for a tie.
    """
    letters = alphabet(model)
    for holds, number in graph.starts:
        yield f"a turn from {_content(holds)} begins at {number}"
    for node in graph.nodes:
        yield f"{number_of(node)}  {_node(node)}"
        yield from (f"      {line}" for line in _ways(node, letters))


def number_of(node: Node) -> str:
    """The number of a node, in its column."""
    return f"{node.number:>4}"


def _node(node: Node) -> str:
    """What a node holds."""
    if node.holds is not None:
        holds = f"on {_content(node.holds)}"
    else:
        holds = f"{node.held} in hand" if node.held else "nothing in hand"
    segment = f", segment {node.done + 1}" if node.done else ""
    pending = ", over a piece" if node.pending else ""
    return f"{holds}{pending}{segment}"


def _ways(node: Node, letters: Sequence[Letter]) -> Iterator[str]:
    """How a turn may go on from a node, or end."""
    if node.end is not None:
        yield from _end(node.end)
    for edge in node.edges:
        keys = "" if edge.keys is None else f" of {' '.join(sorted(edge.keys))}"
        yield f"{letters[edge.letter]}{keys} → {edge.target}{_ties(edge.checks, edge.stores)}"


def _end(end: End) -> Iterator[str]:
    ties = _ties(end.checks, end.stores)
    if end.accepts:
        yield f"the turn may end{ties}"
    for holds, number in end.following:
        yield f"a segment from {_content(holds)} may follow → {number}{ties}"


def _ties(checks: Sequence[Check], stores: Sequence[Store]) -> str:
    """What ties ask of squares and remember of them."""
    asked = [f"{_square(check.one)} is {_square(check.other)}" for check in checks]
    kept = [f"register {store.register} takes {_square(store.square)}" for store in stores]
    return (f", if {' and '.join(asked)}" if asked else "") + "".join(f"; {one}" for one in kept)


def _square(name: str) -> str:
    register = name.removeprefix("w->tie[").removesuffix("]")
    return NAMES.get(name, f"register {register}")


def _content(key: str) -> str:
    return "an empty square" if key == EMPTY else key
