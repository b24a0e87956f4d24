"""The graphs of a model as C: a function for each node, which calls those that its edges lead to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from grl.board import EMPTY, Equipment, Player
from grl.engine.graph import HERE, THERE, Check, Edge, End, Graph, Node, Store
from grl.engine.tables import numbers
from grl.turn import Kind, Letter

KINDS = {"e": 1, "w": 2, "p": 4, "n": 8, "d": 16, "a": 32, "r": 64}
"""The bits of letters, as in ``cases.h``."""
FLY = 128


class Walks:
    """Writes the walks of all players; contents are numbered as in ``engine.h``."""

    def __init__(
        self, equipment: Equipment, letters: Sequence[Letter], graphs: Sequence[Graph]
    ) -> None:
        self.equipment, self.letters, self.graphs = equipment, letters, graphs
        self.contents = {EMPTY: 0}
        self.contents |= {key: n for n, key in enumerate(sorted(equipment.pieces), 1)}
        self._steps: dict[tuple[int, int], int] = {}
        self.hands = bool(equipment.stocked) or any(x.reserves for x in letters)
        self.ties = max((graph.registers for graph in graphs), default=0)

    def tables(self, extra: Sequence[Letter]) -> Iterator[str]:
        """What a letter is, by its number; `extra` letters are those of effects."""
        letters = [*self.letters, *extra]
        bits = [KINDS[x.on] | (FLY if x.fly else 0) for x in letters]
        pieces = [self.contents[x.piece] - 1 if x.piece else 0 for x in letters]
        yield numbers("u8", "letter_bits", bits or [0])
        yield numbers("u8", "letter_piece", pieces or [0])

    def text(self) -> Iterator[str]:
        """The functions; the tables that they rest on come first."""
        functions = [line for graph in self.graphs for line in self._graph(graph)]
        board = self.equipment.board
        for (dx, dy), number in self._steps.items():
            targets = [
                -1 if s in board.holes or (t := board.step(s, dx, dy)) is None else int(t)
                for s in map(type(board.squares[0]), range(board.size))
            ]
            yield numbers("i16", f"step_{number}", targets)
        for seat, player in enumerate(self.equipment.players):
            view = self.equipment.views[player]
            seen = [KINDS[view[key]] for key in self.contents]
            yield numbers("u8", f"view_{seat}", [*seen, 0])
        yield from functions
        yield "static Set starting_squares(const Walk *w) {\n  switch (w->from->to_move) {"
        for seat, graph in enumerate(self.graphs):
            union = self._union(key for key, _ in graph.starts)
            yield f"  case {seat}: return {union};"
        yield "  }\n  return NO_SQUARE;\n}"
        yield "static void walk_from(Walk *w, int s) {\n  switch (w->from->to_move) {"
        for seat, graph in enumerate(self.graphs):
            yield f"  case {seat}:\n    switch (w->cells[s]) {{"
            for key, node in graph.starts:
                yield f"    case {self.contents[key]}: p{seat}_{node}(w, s); break;"
            yield "    }\n    break;"
        yield "  }\n}"

    def _union(self, keys: Iterable[str]) -> str:
        """The squares that hold some of these contents, as the walk has changed them."""
        found = "NO_SQUARE"
        for key in keys:
            one = f"w->lies[{self.contents[key]}]"
            found = one if found == "NO_SQUARE" else f"set_or({found}, {one})"
        return found

    def _class(self, player: Player, content: str) -> str:
        view = self.equipment.views[player]
        return self._union(key for key in self.contents if view[key] == content)

    def _step(self, letter: Letter) -> str:
        number = self._steps.setdefault((letter.dx, letter.dy), len(self._steps))
        return f"step_{number}"

    def _graph(self, graph: Graph) -> Iterator[str]:
        seat = self.equipment.players.index(graph.player)
        for node in graph.nodes:
            yield f"static void p{seat}_{node.number}(Walk *w, int s);"
        for node in graph.nodes:
            yield f"static void p{seat}_{node.number}(Walk *w, int s) {{"
            if node.holds is not None:
                yield from self._begin(graph, seat, node)
            else:
                yield f"  if (!walk_enters(w, {node.key}, s, {int(node.pending)})) return;"
                if node.end is not None:
                    yield from self._end(seat, node, node.end)
                for edge in node.edges:
                    yield from self._edge(graph, seat, node.held, edge)
            yield "}"

    def _begin(self, graph: Graph, seat: int, node: Node) -> Iterator[str]:
        """Take up what lies there, or remove it."""
        holds = self.contents[node.holds or EMPTY]
        removing = [e for e in node.edges if self.letters[e.letter].removes]
        others = [e for e in node.edges if not self.letters[e.letter].removes]
        yield "  SAVE_MOVED SAVE_MARK"
        yield "#if KEYED\n  u64 took = w->took; w->took = 0;\n#endif"
        yield "  w->start[w->segments++] = (i16)s;"
        yield "  walk_push(w, ORIGIN | s, s);"
        yield "  FRESH_MOVED"
        for edge in removing:
            yield from self._edge(graph, seat, "", edge)
        if others and holds:
            yield "  walk_set(w, s, 0);\n  LIFT_MOVED"
        for edge in others:
            yield from self._edge(graph, seat, node.holds if holds else "", edge)
        if others and holds:
            yield f"  walk_back(w, s, {holds});"
        yield "  w->length--; w->segments--;"
        yield "#if KEYED\n  w->took = took;\n#endif"
        yield "  LOAD_MOVED LOAD_MARK"

    def _end(self, seat: int, node: Node, end: End) -> Iterator[str]:
        yield f"  if ({_checked(end.checks)}) {{"
        if node.held:
            yield "    int under = w->cells[s];\n    SAVE_MOVED SAVE_MARK"
            yield f"    walk_set(w, s, {self.contents[node.held]});\n    PUT_MOVED"
        yield "    w->end[w->segments - 1] = (i16)s;"
        if node.done == 0:
            yield "    w->first = w->length;"
        yield from _stored(end.stores)
        if end.accepts:
            yield "    walk_emit(w);"
        if end.following:
            yield f"    SET_EACH(o, {self._union(key for key, _ in end.following)})"
            yield "      switch (w->cells[o]) {"
            for key, target in end.following:
                yield f"      case {self.contents[key]}: p{seat}_{target}(w, o); break;"
            yield "      }"
            if node.done == 0:
                yield "    w->first = 0;"
        yield from _restored(end.stores)
        if node.held:
            yield "    walk_back(w, s, under);\n    LOAD_MOVED LOAD_MARK"
        yield "  }"

    def _edge(self, graph: Graph, seat: int, held: str, edge: Edge) -> Iterator[str]:
        letter = self.letters[edge.letter]
        go = f"p{seat}_{edge.target}"
        checks = "".join(f" && {_check(each, HERE)}" for each in edge.checks)
        if letter.kind is Kind.STEP:
            yield from self._hop(graph, seat, letter, edge, go)
        elif letter.removes:
            keys = "w->cells[s]"
            if edge.keys is not None:
                some = (f"w->cells[s] == {self.contents[key]}" for key in sorted(edge.keys))
                keys = f"({' || '.join(some)})"
            yield f"  if ({keys}{checks}) {{"
            yield "    const int under = w->cells[s], t = s; (void)t;\n    SAVE_MOVED SAVE_MARK"
            yield "#if KEYED\n    u64 took = w->took; w->took = mixed(took + s + 1);\n#endif"
            yield "    walk_set(w, s, 0);\n    DROP_MOVED"
            yield from _gone(edge, go, "s")
            yield "    walk_back(w, s, under);\n    LOAD_MOVED LOAD_MARK"
            yield "#if KEYED\n    w->took = took;\n#endif"
            yield "  }"
        elif letter.reserves:
            piece = self.contents[letter.piece] - 1
            yield f"  if (1{checks}) {{"
            yield f"    i16 held = w->hand[{piece}]; int t = s; (void)t;"
            yield f"    w->hand[{piece}] = (i16)(held < 0 ? 1 : held + 1);"
            yield from _gone(edge, go, "s")
            yield f"    w->hand[{piece}] = held;"
            yield "  }"
        else:
            yield from self._appear(letter, held, edge, go, checks)

    def _appear(
        self, letter: Letter, held: str, edge: Edge, go: str, checks: str
    ) -> Iterator[str]:
        piece = self.contents[letter.piece] - 1
        has = f"w->hand[{piece}] != 0" if self.hands else "1"
        yield f"  if ({has}{checks}) {{"
        yield "    int t = s; (void)t;\n    SAVE_MOVED"
        if held:
            yield "    int under = w->cells[s];\n    SAVE_MARK"
            yield f"    walk_set(w, s, {self.contents[held]});\n    PUT_MOVED"
        yield "    FRESH_MOVED"
        if self.hands:
            yield f"    i16 had = w->hand[{piece}];\n    if (had > 0) w->hand[{piece}]--;"
        yield from _gone(edge, go, "s")
        if self.hands:
            yield f"    w->hand[{piece}] = had;"
        if held:
            yield "    walk_back(w, s, under);\n    LOAD_MARK"
        yield "    LOAD_MOVED\n  }"

    def _hop(
        self, graph: Graph, seat: int, letter: Letter, edge: Edge, go: str
    ) -> Iterator[str]:
        """A step or a flight."""
        checks = " && ".join(map(_check, edge.checks))
        if letter.fly:
            yield f"  SET_EACH(t, {self._class(graph.player, letter.on)})"
            yield f"  if (t != s{' && ' + checks if checks else ''}) {{"
        else:
            fits = f"view_{seat}[w->cells[t]] & {KINDS[letter.on]}"
            test = "t >= 0 && " + (f"({fits}) && {checks}" if checks else fits)
            yield f"  {{ int t = {self._step(letter)}[s]; if ({test}) {{"
        yield "#if MOVED\n    int stepped = w->stepped; w->stepped = 1;\n#endif"
        if edge.pending:
            yield "    i16 came = w->came;"
            yield from _stored(edge.stores)
            yield "    w->came = (i16)s;"
        else:
            yield from _stored(edge.stores)
        yield f"    walk_push(w, {edge.letter}, t);"
        if letter.fly:
            yield "    walk_push(w, TARGET | t, t);"
        yield f"    {go}(w, t);"
        yield f"    w->length -= {2 if letter.fly else 1};"
        yield from _restored(edge.stores)
        if edge.pending:
            yield "    w->came = came;"
        yield "#if MOVED\n    w->stepped = stepped;\n#endif"
        yield "  }" if letter.fly else "  } }"


def _gone(edge: Edge, go: str, at: str) -> Iterator[str]:
    yield from _stored(edge.stores)
    yield f"    walk_push(w, {edge.letter}, {at});"
    yield f"    {go}(w, {at});"
    yield "    w->length--;"
    yield from _restored(edge.stores)


def _check(check: Check, there: str = THERE) -> str:
    """Whether two squares are the same; a letter that doesn't move the hand leads `there`."""
    one, other = (there if each == THERE else each for each in (check.one, check.other))
    return f"{one} == {other}"


def _checked(checks: Iterable[Check]) -> str:
    return " && ".join(map(_check, checks)) or "1"


def _stored(stores: Iterable[Store]) -> Iterator[str]:
    stores = list(stores)
    for store in stores:
        yield f"    i16 tie_{store.register} = w->tie[{store.register}];"
    for store in stores:
        yield f"    w->tie[{store.register}] = (i16){store.square};"


def _restored(stores: Iterable[Store]) -> Iterator[str]:
    for store in stores:
        yield f"    w->tie[{store.register}] = tie_{store.register};"
