"""What a search can know of turns before it sees a position: trees of words, one for each origin.

A node is a path: an origin, and letters, flights and segments from there. It fixes which squares
have changed and what lies there now, the hand, the state of the automaton, and with them the
actions of the turn. So machines and ties are asked when a node is made, and never again. What only
the position decides is a test: one character of its text, which `grl.moves.compiled` writes, must
be the one that the edge names.

Trees are infinite where automata have cycles; a node gets its edges when a search first comes by.
A path that comes back to a state it has been in, as the reference implementation distinguishes
states apart, is cut there. The reference implementation cuts later paths to a state as well; that
changes nothing, because depth first the path by which a state is first reached is the first of
those that never repeat a state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from grl.board import EMPTY, Equipment, Player, Square, Stock
from grl.locm.actions import advance, flush
from grl.model import AutomatonKey, Model, Role, StateId
from grl.moves.compiled_nodes import (
    ALWAYS,
    NO_CHANGE,
    START,
    STEPS,
    Arrival,
    Edge,
    End,
    Known,
    Node,
    Splice,
    TooLong,
    closes_circle,
    state_of,
)
from grl.moves.crossing import crosses, crossing_limit
from grl.moves.turn_order import Order, Progress, completed, followed
from grl.turn import Letter, Segment, Turn, hand_of

COUNTED = 8
"""How many pieces of a kind a test on the hand can ask for."""
MAX_LETTERS = 100
"""The longest segment; what loops without end, such as pieces kept again and again, gets here."""


class Paths:
    """The trees of one player whose reserve lists the pieces `listed`."""

    def __init__(
        self,
        model: Model,
        mover: Player,
        listed: frozenset[str],
        orders: Mapping[tuple[Player, str], Order],
    ) -> None:
        self.equipment: Equipment = model.equipment
        self.board = self.equipment.board
        self.model, self.mover = model, mover
        self.most_crossings = crossing_limit(model)
        self.listed = tuple(sorted(listed))
        self.view = self.equipment.views[mover]
        self.view_table = str.maketrans(dict(self.view))
        self.contents = {on: "".join(c for c, v in self.view.items() if v == on) for on in STEPS}
        self.later = {
            dfa.key.holds: dfa
            for dfa in model.automata
            if dfa.key.mover == mover and dfa.key.role is Role.LATER
        }
        self.splices = [
            (slice(0, square), slice(square + 1, self.board.size))
            for square in range(self.board.size)
        ]
        self.states: dict[object, int] = {}
        self.nodes = 0
        self.limit = 0
        self.roots: dict[str, list[Node | None]] = {}
        for dfa in model.automata:
            if dfa.key.mover == mover and dfa.key.role is Role.FIRST:
                self.roots[dfa.key.holds] = [None] * self.board.size
        self.orders = orders

    def hand_text(self, stock: Stock) -> str:
        """For each piece that the reserve lists as many ``y`` as there are of it, filled up."""
        hand = hand_of(stock, self.mover)
        return "".join(("y" * min(hand[key], COUNTED)).ljust(COUNTED) for key in self.listed)

    def root(self, origin: Square, holds: str) -> Node:
        """The tree of the turns from `origin`, made when it is first asked for."""
        dfa = self.model.automaton[AutomatonKey(self.mover, holds, Role.FIRST)]
        order = self.orders.get((self.mover, holds))
        progress = order.began if order is not None else Progress()
        begun = Known(
            order, dfa, START, origin, "", holds, progress, frozenset(), (), (), (), origin,
            (), (), (), (), (), None,
        )  # fmt: skip
        edges = tuple(self._segment(begun))
        if len(edges) == 1 and edges[0][:2] == ALWAYS and edges[0][2].edges is not None:
            node = edges[0][2]
        else:
            node = Node(None, None, edges)
        self.roots[holds][origin] = node
        return node

    def open(self, node: Node) -> tuple[Edge, ...]:
        """Give a node its edges, in the order in which the search follows them.

        There are none where machines or the limit of crossings forbid the letter that leads here,
        or where a circle closes.
        """
        arrival = node.arrival
        if arrival is None:
            # Another thread was here first.
            return node.edges or ()
        if isinstance(arrival, Known):
            return self._open_segment(node, arrival)
        edges: list[Edge] = []
        known = self._arrive(arrival)
        if known is not None and not closes_circle(known):
            if len(known.letters) > MAX_LETTERS or self.nodes > self.limit:
                raise TooLong
            dfa, state = known.dfa, known.state
            if state in dfa.accepting or state in dfa.continuing:
                edges += self._segment_end(node, known)
            for letter, following in dfa.successors[state]:
                edges += self._letter(known, letter, following)
        opened = node.edges = tuple(edges)
        node.arrival = None
        self.nodes += 1 + len(edges)
        return opened

    def _open_segment(self, node: Node, begun: Known) -> tuple[Edge, ...]:
        """Open a node where a later segment begins; where one edge always fits, it takes that."""
        edges = tuple(self._segment(begun))
        self.nodes += len(edges)
        if len(edges) == 1 and edges[0][:2] == ALWAYS:
            onward = edges[0][2]
            node.change, node.arrival = onward.change, onward.arrival
            if onward.edges is None:
                return self.open(node)
            edges = onward.edges
        node.edges, node.arrival = edges, None
        return edges

    def _arrive(self, arrival: Arrival) -> Known | None:
        """What is known behind a letter; None where machines, ties or crossings don't allow it."""
        before, letter, dfa, state, square, held, under, changes, gained = arrival
        content = before.under[0] if letter.removes else EMPTY
        pending = before.progress.pending
        actions, pending = advance(
            self.equipment, pending, letter, before.held, before.square, square, content
        )
        progress = followed(before.order, before.progress, actions, pending)
        if progress is None:
            return None
        letters = (*before.letters, letter)
        targets = before.targets
        if letter.fly:
            targets = (*targets, self.board.names[square])
        took = (*before.took, square) if letter.removes else before.took
        met = before.met
        if self.most_crossings is not None and not before.done and crosses(letter):
            met = (*met, square)
            if len(met) - len(set(met)) > self.most_crossings:
                return None
        return Known(
            before.order, dfa, state, square, held, under, progress, changes, gained, took,
            met, before.origin, letters, targets, before.done, before.starts, before.ends,
            before,
        )  # fmt: skip

    def _segment(self, begun: Known) -> Iterator[Edge]:
        """The words from an origin: removals of what lies there, then those that take it up."""
        holds = begun.under
        start = begun.dfa.successors[START]
        if holds != EMPTY:
            for letter, state in start:
                if letter.removes:
                    yield from self._letter(begun, letter, state)
        letters = [(letter, state) for letter, state in start if not letter.removes]
        if holds == EMPTY:
            for letter, state in letters:
                yield from self._letter(begun, letter, state)
        elif letters:
            changes = _changed(begun.changes, begun.origin, EMPTY)
            lifted = begun._replace(held=holds, under=EMPTY, changes=changes)
            edges = tuple(
                edge for letter, state in letters for edge in self._letter(lifted, letter, state)
            )
            self.nodes += len(edges)
            if edges:
                yield (*ALWAYS, Node(None, self._splice(begun.origin, EMPTY), edges))

    def _letter(self, known: Known, letter: Letter, state: StateId) -> Iterator[Edge]:
        """The edges of one letter: where it leads, and what a position must have there."""
        square = known.square
        if letter.removes:
            yield from self._removals(known, letter, state)
        elif letter.reserves:
            gained = self._gained(known, letter.piece, 1)
            kept = Arrival(
                known, letter, known.dfa, state, square, known.held, known.under, known.changes,
                gained,
            )  # fmt: skip
            yield from self._edges(ALWAYS, kept, None)
        elif letter.appears:
            yield from self._appearance(known, letter)
        else:
            for target in letter.landings(self.board, square):
                yield from self._step(known, letter, state, target)

    def _step(self, known: Known, letter: Letter, state: StateId, target: Square) -> Iterator[Edge]:
        test, under = (int(target), letter.on), self.contents[letter.on]
        for square, content in known.changes:
            if square == target:
                if self.view[content] != letter.on:
                    return
                test, under = ALWAYS, content
        if under:
            arrival = Arrival(
                known, letter, known.dfa, state, target, known.held, under, known.changes,
                known.gained,
            )  # fmt: skip
            yield from self._edges(test, arrival, None)

    def _removals(self, known: Known, letter: Letter, state: StateId) -> Iterator[Edge]:
        """What is removed is only distinguished where an action is named after it."""
        if known.under == EMPTY:
            return
        square = known.square
        named = known.order is not None and known.progress.pending is None
        changes = _changed(known.changes, square, EMPTY)
        for content in known.under if named else known.under[0]:
            settled = len(known.under) == 1 or not named
            test = ALWAYS if settled else (self.board.size + square, content)
            before = known if content == known.under else known._replace(under=content)
            arrival = Arrival(
                before, letter, known.dfa, state, square, known.held, EMPTY,
                changes, known.gained,
            )  # fmt: skip
            yield from self._edges(test, arrival, self._splice(square, EMPTY))

    def _appearance(self, known: Known, letter: Letter) -> Iterator[Edge]:
        """What was held is put down; the piece that appears is held, and may leave the reserve."""
        square, piece = known.square, letter.piece
        heir = self.model.automaton.get(AutomatonKey(self.mover, piece, Role.APPEARED))
        left = dict(known.gained).get(piece)
        test, gained = ALWAYS, known.gained
        if piece in self.listed or left is not None:
            gained = self._gained(known, piece, -1)
            taken = -(left or 0)
            if piece not in self.listed and taken >= 0:
                return
            if piece in self.listed and taken >= 0:
                if taken >= COUNTED:
                    raise TooLong
                at = self.listed.index(piece) * COUNTED + taken
                test = 2 * self.board.size + at, "y"
        if heir is None:
            return
        changes, change, under = known.changes, None, known.under
        if known.held:
            under = known.held
            changes, change = _changed(changes, square, under), self._splice(square, under)
        arrival = Arrival(known, letter, heir, START, square, piece, under, changes, gained)
        yield from self._edges(test, arrival, change)

    def _edges(
        self, test: tuple[int, str], arrival: Arrival, change: Splice | None
    ) -> Iterator[Edge]:
        """The edge to the node behind a letter; past it, where nothing is to be done there.

        The node behind a letter that always fits is opened at once, and left out where it ends no
        turn and what happens to the board can as well happen on the way out.
        """
        node, dfa = Node(arrival, change), arrival.dfa
        if test != ALWAYS or arrival.state in dfa.accepting or arrival.state in dfa.continuing:
            yield (*test, node)
            return
        edges = self.open(node)
        if change is None:
            yield from edges
        elif len(edges) == 1 and edges[0][2].change is None:
            edges[0][2].change = change
            yield edges[0]
        elif edges:
            yield (*test, node)

    def _segment_end(self, node: Node, known: Known) -> Iterator[Edge]:
        """Let the turn end at `node`; the edges are those of the segments that may follow."""
        if not known.held and all(letter.moves for letter in known.letters):
            return
        actions = flush(self.equipment, known.progress.pending)
        ended = followed(known.order, known.progress, actions, None)
        if ended is None:
            return
        segment = Segment(self.board.names[known.origin], known.letters, known.targets)
        done = (*known.done, segment)
        starts, ends = (*known.starts, known.origin), (*known.ends, known.square)
        put = self._splice(known.square, known.held) if known.held else None
        if known.state in known.dfa.accepting and completed(known.order, ended):
            state = done if self.model.passing_matters else state_of(known)
            reached = self.states.setdefault(state, len(self.states))
            place = put or NO_CHANGE
            node.end = End(Turn(done), starts, ends, *place, known.gained, reached)
        if known.state not in known.dfa.continuing or len(done) >= self.model.segments:
            return
        changes = known.changes
        if known.held:
            changes = _changed(changes, known.square, known.held)
        between = known._replace(
            held="", progress=ended, changes=changes, letters=(), targets=(), done=done,
            starts=starts, ends=ends,
        )  # fmt: skip
        edges = tuple(self._later(between))
        if edges:
            yield (*ALWAYS, Node(None, put, edges))

    def _later(self, between: Known) -> Iterator[Edge]:
        """The segments that may follow, from every square that may hold what they begin with."""
        changed = dict(between.changes)
        for square in self.board.squares if self.later else ():
            for holds, dfa in self.later.items():
                known = changed.get(square)
                if known is not None and known != holds:
                    continue
                test = ALWAYS if known is not None else (self.board.size + square, holds)
                begun = Known(
                    between.order, dfa, START, square, "", holds, between.progress,
                    between.changes, between.gained, (), between.met, square, (), (),
                    between.done, between.starts, between.ends, between.above,
                )  # fmt: skip
                yield (*test, Node(begun, None))

    def _gained(self, known: Known, piece: str, by: int) -> tuple[tuple[str, int], ...]:
        """The hand's gains after one more; a piece that no reserve lists counts from 0 on."""
        counts = dict(known.gained)
        counts[piece] = counts.get(piece, 0) + by
        if counts[piece] == 0 and piece in self.listed:
            del counts[piece]
        return tuple(sorted(counts.items()))

    def _splice(self, square: Square, content: str) -> Splice:
        before, after = self.splices[square]
        return before, content, after


def _changed(
    changes: Iterable[tuple[Square, str]], square: Square, content: str
) -> frozenset[tuple[Square, str]]:
    return frozenset({c for c in changes if c[0] != square} | {(square, content)})
