"""The graphs of a model as C: a function for each node, which calls those that edges lead to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from grl.board import EMPTY, Board, Equipment, Player, Square
from grl.engine.graph import CAME, HERE, THERE, Check, Edge, End, Graph, Node, Store
from grl.engine.tables import header, numbers, pointers, records
from grl.logic.relations import written
from grl.turn import Kind, Letter

KINDS = {"e": 1, "w": 2, "p": 4, "n": 8, "d": 16, "a": 32, "r": 64}
"""The bits of letters, as in ``cases.h``."""
FLY = 128


class Walks:
    """Writes the walks of all players; contents are numbered as in ``walk.h``."""

    def __init__(
        self,
        equipment: Equipment,
        letters: Sequence[Letter],
        graphs: Sequence[Graph],
        *,
        hands: bool = False,
    ) -> None:
        self.equipment, self.letters, self.graphs = equipment, letters, graphs
        self.contents = {EMPTY: 0}
        self.contents |= {key: n for n, key in enumerate(sorted(equipment.pieces), 1)}
        self._steps: dict[tuple[int, int], int] = {}
        self.hands = hands
        self.ties = max((graph.registers for graph in graphs), default=0)
        self._tails = [tails(graph, letters) for graph in graphs]

    def tables(self, extra: Sequence[Letter]) -> Iterator[str]:
        """What a letter is, by its number; `extra` letters are those of effects."""
        letters = [*self.letters, *extra]
        bits = [KINDS[x.on] | (FLY if x.fly else 0) for x in letters]
        pieces = [self.contents[x.piece] - 1 if x.piece else 0 for x in letters]
        by = [x.dx + x.dy * self.equipment.board.width for x in letters]
        yield numbers("u8", "letter_bits", bits or [0])
        yield numbers("i16", "letter_by", by or [0])
        yield numbers("u8", "letter_piece", pieces or [0])

    def text(self, *, tabled: bool = False) -> Iterator[str]:
        """The functions; the tables that they rest on come first.

        With `tabled` nodes that do no more than step are rows of a table: a compiler is done with
        them sooner, and walks take somewhat longer.
        """
        self._tabled = tabled
        functions = [line for graph in self.graphs for line in self._graph(graph)]
        tables = list(self._places()) if tabled else []
        leaves = list(self._leaves())
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
        yield from leaves
        if tabled:
            yield pointers("i16", "steps", [f"step_{n}" for n in self._steps.values()])
            yield pointers("u8", "views", [f"view_{n}" for n in range(len(self.graphs))])
        yield from functions
        yield from tables
        yield "static Set starting_squares(const Walk *w) {\n  switch (w->from->to_move) {"
        for seat, graph in enumerate(self.graphs):
            union = self._union(key for key, _ in graph.starts)
            yield f"  case {seat}: return {union};"
        yield "  }\n  return NO_SQUARE;\n}"
        if tabled:
            return
        yield "static void walk_from(Walk *w, int s) {\n  switch (w->from->to_move) {"
        for seat, graph in enumerate(self.graphs):
            yield f"  case {seat}:\n    switch (CELL(w, s)) {{"
            for key, node in graph.starts:
                yield f"    case {self.contents[key]}: {self._go(seat, node, 's')} break;"
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
        return f"step_{self._way(letter)}"

    def _way(self, letter: Letter) -> int:
        """The number of the table of a letter's steps."""
        return self._steps.setdefault((letter.dx, letter.dy), len(self._steps))

    def _graph(self, graph: Graph) -> Iterator[str]:
        seat = self.equipment.players.index(graph.player)
        functions = [node.number for node in graph.nodes if not self._in_table(node)]
        # The name that stands last is the one of which it is asked whether the line is needed.
        first = [node for _, node in graph.starts if node in functions][:1]
        others = [number for number in functions if number not in first]
        if functions:
            yield f"static Visit {', '.join(f'p{seat}_{n}' for n in (*others, *first))};"
        for node in graph.nodes:
            if self._in_table(node):
                continue
            yield f"static void p{seat}_{node.number}(Walk *w, int s) {{"
            if node.holds is not None:
                yield from self._begin(graph, seat, node)
            else:
                if node.number in self._tails[seat]:
                    found = f"leaves_{seat}_{node.number}(w->lies[0], s)"
                    arguments = f"{found}, {self.contents[node.held]}, {int(node.done == 0)}"
                    yield f"  LEAVES_OF({arguments})"
                yield f"  if (!walk_enters(w, {node.key}, s, {int(node.pending)})) return;"
                if node.end is not None:
                    yield from self._end(seat, node, node.end)
                for edge in node.edges:
                    yield self._edge(graph, seat, node.held, edge)
            yield "}"

    def _go(self, seat: int, target: int, square: str) -> str:
        """The walk goes on with a node and a square."""
        if self._in_table(self.graphs[seat].nodes[target]):
            return f"visit(w, {self._place(seat, target)}, {square});"
        return f"p{seat}_{target}(w, {square});"

    def _place(self, seat: int, node: int) -> int:
        """The number of a node among those of all players."""
        return sum(len(graph.nodes) for graph in self.graphs[:seat]) + node

    def _in_table(self, node: Node) -> bool:
        """Whether all that is done at a node is to end, and to step."""
        end = node.end
        begins = node.holds is None or bool(self.contents[node.holds])
        ends = end is None or (
            end.accepts and node.held and not (end.following or end.checks or end.stores)
        )
        return self._tabled and begins and bool(ends) and all(map(self._steps_plainly, node.edges))

    def _steps_plainly(self, edge: Edge) -> bool:
        """Whether an edge is a step that asks no tie, and is remembered with its ends alone."""
        letter, squares = self.letters[edge.letter], [store.square for store in edge.stores]
        known = squares.count(HERE) <= 1 and squares.count(THERE) <= 1 and CAME not in squares
        return letter.kind is Kind.STEP and not letter.fly and not edge.checks and known

    def _places(self) -> Iterator[str]:
        """All nodes as a table, and the steps of those that need no function."""
        hops: list[tuple[object, ...]] = []
        places: list[tuple[object, ...]] = []
        starts = []
        for seat, graph in enumerate(self.graphs):
            for node in graph.nodes:
                if not self._in_table(node):
                    places.append((f"p{seat}_{node.number}",))
                    continue
                first = len(hops)
                for edge in node.edges:
                    letter = self.letters[edge.letter]
                    registers = {store.square: store.register for store in edge.stores}
                    ties = (registers.get(HERE, -1), registers.get(THERE, -1))
                    target = self._place(seat, edge.target)
                    way = self._way(letter)
                    hops.append(
                        (way, edge.letter, target, KINDS[letter.on], int(edge.pending), *ties)
                    )
                begins = 0 if node.holds is None else self.contents[node.holds]
                held = self.contents[node.held] if node.held else 0
                ends = (int(node.pending), int(node.end is not None), int(node.done == 0))
                places.append((0, first, len(hops), node.key, seat, begins, held, *ends))
            nodes = {self.contents[key]: self._place(seat, node) for key, node in graph.starts}
            starts += [nodes.get(content, 0) for content in self.contents.values()]
        yield records("Hop", "hops", hops)
        yield records("Place", "places", places)
        yield numbers("u16", "starts", starts)
        yield header("grl.engine", "places.h")

    def _leaves(self) -> Iterator[str]:
        """By tail the squares where a turn may end that has come to a square."""
        yield "#if LEAVES"
        rays: dict[int, Letter] = {}
        texts = []
        for seat, (graph, found) in enumerate(zip(self.graphs, self._tails, strict=True)):
            for number in found:
                texts.append(f"static Set leaves_{seat}_{number}(Set empty, int s);")
            for number in found:
                node = graph.nodes[number]
                ends = node.end is not None and node.end.accepts
                lines = [f"  Set r = {'set_of(s)' if ends else 'NO_SQUARE'}; int t; (void)t;"]
                for edge in node.edges:
                    letter = self.letters[edge.letter]
                    if _slides(graph.nodes[edge.target], edge.letter):
                        rays[edge.letter] = letter
                        way = "up" if (letter.dy, letter.dx) > (0, 0) else "down"
                        ray = f"ray_{way}(ray_{edge.letter}, empty, s)"
                        lines.append(f"  r = set_or(r, {ray});")
                        continue
                    onward = f"leaves_{seat}_{edge.target}(empty, t)"
                    lines.append(
                        f"  t = {self._step(letter)}[s]; "
                        f"if (t >= 0 && set_has(empty, t)) r = set_or(r, {onward});"
                    )
                head = f"static Set leaves_{seat}_{number}(Set empty, int s) {{"
                texts += [head, *lines, "  return r;\n}"]
        board = self.equipment.board
        for number, letter in sorted(rays.items()):
            rows = ", ".join(
                written(_ray(board, square, letter), board.size)
                for square in map(type(board.squares[0]), range(board.size))
            )
            yield f"static const Set ray_{number}[] = {{{rows}}};"
        yield from texts
        yield "#endif"

    def _begin(self, graph: Graph, seat: int, node: Node) -> Iterator[str]:
        """Take up what lies there, or remove it."""
        holds = self.contents[node.holds or EMPTY]
        removing = [e for e in node.edges if self.letters[e.letter].removes]
        others = [e for e in node.edges if not self.letters[e.letter].removes]
        yield "  SEGMENT_IN"
        for edge in removing:
            yield self._edge(graph, seat, "", edge)
        if others and holds:
            yield f"  walk_set(w, s, {holds}, 0); LIFT_MOVED"
        for edge in others:
            yield self._edge(graph, seat, node.holds or "" if holds else "", edge)
        if others and holds:
            yield f"  walk_back(w, s, 0, {holds});"
        yield "  SEGMENT_OUT"

    def _end(self, seat: int, node: Node, end: End) -> Iterator[str]:
        ties, untie = _ties(end.stores)
        inner = [f"PUT_IN({self.contents[node.held]})"] if node.held else []
        inner.append(f"STOP({int(node.done == 0)}){ties}")
        if end.accepts:
            inner.append("walk_emit(w);")
        if end.following:
            cases = " ".join(
                f"case {self.contents[key]}: {self._go(seat, target, 'o')} break;"
                for key, target in end.following
            )
            union = self._union(key for key, _ in end.following)
            inner.append(f"SET_EACH(o, {union}) switch (CELL(w, o)) {{ {cases} }}")
            if node.done == 0:
                inner.append("w->first = 0;")
        inner += [untie.strip()] if untie else []
        inner += [f"PUT_OUT({self.contents[node.held]})"] if node.held else []
        yield f"  if ({_checked(end.checks)}) {{ {' '.join(inner)} }}"

    def _edge(self, graph: Graph, seat: int, held: str, edge: Edge) -> str:
        """A letter, in a line: what must hold, what it does, and that it is undone."""
        letter = self.letters[edge.letter]
        ties, untie = _ties(edge.stores)
        if letter.kind is Kind.STEP:
            way = self._class(graph.player, letter.on) if letter.fly else self._step(letter)
            fits = "t != s" if letter.fly else f"view_{seat}[CELL(w, t)] & {KINDS[letter.on]}"
            macro = f"{'FLY' if letter.fly else 'HOP'}{'_ONTO' if edge.pending else ''}"
            before = f"{way}, {_checked(edge.checks, fits)}"
        elif letter.removes:
            fits = "CELL(w, s)"
            if edge.keys is not None:
                fits = " || ".join(f"{fits} == {self.contents[key]}" for key in sorted(edge.keys))
            macro, before = "REMOVAL", _checked(edge.checks, fits, HERE)
        else:
            piece = self.contents[letter.piece] - 1
            macro = "KEEPING" if letter.reserves else "DROP"
            fits = f"w->hand[{piece}] != 0" if self.hands and letter.appears else ""
            before = f"{_checked(edge.checks, fits, HERE)}, {piece}"
            if letter.appears and held:
                macro, before = "LAY_AND_DROP", f"{before}, {self.contents[held]}"
        if macro.endswith("_ONTO"):  # `w->came` is another square by then
            ties = ties.replace(CAME, "came")
        inner = f"{ties.strip()} {self._go(seat, edge.target, 't')} {untie.strip()}"
        return f"  {macro}({before}, {edge.letter}, {' '.join(inner.split())})"


def tails(graph: Graph, letters: Sequence[Letter]) -> frozenset[int]:
    """The nodes after which turns differ by the square alone where they end: from there on the hand
    goes over empty squares with what it holds, and no tie asks for anything."""
    found = {
        node.number
        for node in graph.nodes
        if node.held
        and (node.end is None or not (node.end.following or node.end.checks))
        and all(
            letters[x.letter].on == "e" and not (letters[x.letter].fly or x.checks or x.pending)
            for x in node.edges
        )
    }
    while True:
        kept = {n for n in found if all(edge.target in found for edge in graph.nodes[n].edges)}
        if kept == found:
            return frozenset(found)
        found = kept


def _slides(node: Node, letter: int) -> bool:
    """Whether turns end at a node, or go on by the same letter, and do nothing else."""
    only = [(edge.letter, edge.target) for edge in node.edges] == [(letter, node.number)]
    return only and node.end is not None and node.end.accepts


def _ray(board: Board, square: Square, letter: Letter) -> list[Square]:
    """The squares that a letter reaches when it is repeated."""
    found: list[Square] = []
    there = None if square in board.holes else board.step(square, letter.dx, letter.dy)
    while there is not None and there not in found:
        found.append(there)
        there = board.step(there, letter.dx, letter.dy)
    return found


def _check(check: Check, there: str = THERE) -> str:
    """Whether two squares are the same; a letter that doesn't move the hand leads `there`."""
    one, other = (there if each == THERE else each for each in (check.one, check.other))
    return f"{one} == {other}"


def _checked(checks: Iterable[Check], fits: str = "", there: str = THERE) -> str:
    """A condition and what ties ask."""
    parts = [f"({fits})"] if fits else []
    return " && ".join([*parts, *(_check(each, there) for each in checks)]) or "1"


def _ties(stores: Iterable[Store]) -> tuple[str, str]:
    """What remembers squares for ties, and what forgets them again."""
    stores = list(stores)
    remember = "".join(f" TIE({store.register}, {store.square})" for store in stores)
    return remember, "".join(f" UNTIE({store.register})" for store in stores)
