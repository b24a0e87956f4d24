"""The intermediate form of a model's turns: one graph a player, on which a walk over a board goes.

A node fixes everything of a search state (`grl.moves.search`) that doesn't depend on squares: the
automaton and its state, what the hand holds, the states of LOCM's zero machines, which action is
pending, which actions ties will ask for, and how many segments are done. Machines are asked while
the graph is made and never again; of them only ties are left, which compare squares in registers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from grl.board import EMPTY, Equipment, Player
from grl.errors import NotCompiled
from grl.locm.actions import Pending as PendingStep
from grl.locm.actions import advance, flush
from grl.model import AutomatonKey, Dfa, Model, Role, StateId
from grl.moves.search import START, Searcher
from grl.moves.turn_order import Order
from grl.turn import Letter

MAX_NODES = 4_000
"""More nodes than these are no graph that a compiler should see."""


HERE = "s"
"""The square of the hand before a letter."""
THERE = "t"
"""The square of the hand after a letter."""
CAME = "w->came"
"""The square from which the hand stepped onto the piece of the pending step."""


@dataclass(frozen=True)
class Check:
    """Two squares that a tie wants to be the same."""

    one: str
    other: str


@dataclass(frozen=True)
class Store:
    """A square of an action that a tie will ask for: into which register which square goes."""

    register: int
    square: str


@dataclass(frozen=True)
class Edge:
    """A letter that may follow: its number, the pieces that may be removed (None: any), where it
    leads to, what ties ask, and what is remembered for them."""

    letter: int
    keys: frozenset[str] | None
    target: int
    held: str
    pending: bool
    checks: tuple[Check, ...] = ()
    stores: tuple[Store, ...] = ()


@dataclass(frozen=True)
class End:
    """The hand is put down: whether the turn may end here, and what may begin the next segment."""

    accepts: bool
    following: tuple[tuple[str, int], ...]
    checks: tuple[Check, ...] = ()
    stores: tuple[Store, ...] = ()


@dataclass(frozen=True)
class Node:
    """A search state without its squares.

    Nodes with one `key` are one search state: whether an empty hand has done anything is no part
    of those. `held` is the piece in the hand, or nothing. A node that begins a segment has in
    `holds` what lies on the origin: first come the edges that remove that, then those that take
    it up.
    """

    number: int
    key: int
    held: str
    holds: str | None = None
    done: int = 0
    end: End | None = None
    edges: tuple[Edge, ...] = ()
    pending: bool = False


@dataclass(frozen=True)
class Graph:
    """The turns of one player: nodes by number, and the node that begins a turn, by content."""

    player: Player
    nodes: tuple[Node, ...]
    starts: tuple[tuple[str, int], ...]
    registers: int


Names = tuple[tuple[str, int], ...]


class _Static(NamedTuple):
    """What a node fixes; `machines` names the content whose machines order the turn."""

    machines: str | None
    key: AutomatonKey
    state: StateId
    held: str
    states: tuple[StateId | None, ...]
    pending: str | None
    names: Names
    done: int
    acted: bool
    begins: str | None


def alphabet(model: Model) -> tuple[Letter, ...]:
    """All letters of a model's automata, in ascending order; a letter's place is its number."""
    return tuple(sorted({letter for dfa in model.automata for _, letter, _ in dfa.transitions}))


def graphs(model: Model, *, locm: bool = True) -> tuple[Graph, ...]:
    """The graph of each player, in turn order; raises `NotCompiled` where one is too large."""
    searcher = Searcher(model, locm=locm)
    numbers = {letter: i for i, letter in enumerate(alphabet(model))}
    return tuple(_Maker(searcher, player, numbers).graph() for player in model.equipment.players)


@dataclass
class _Maker:
    """Makes the graph of one player, node by node."""

    searcher: Searcher
    player: Player
    letters: dict[Letter, int]
    numbers: dict[_Static, int] = field(default_factory=dict)
    waiting: list[_Static] = field(default_factory=list)
    nodes: list[Node] = field(default_factory=list)
    keys: dict[_Static, int] = field(default_factory=dict)
    slots: dict[tuple[str, int], int] = field(default_factory=dict)

    @property
    def equipment(self) -> Equipment:
        return self.searcher.model.equipment

    def graph(self) -> Graph:
        starts = []
        for holds, automata in sorted(self.searcher.first.get(self.player, {}).items()):
            order = self._order(holds)
            states = (None,) * len(order.zero) if order is not None else ()
            machines = holds if order is not None else None
            for dfa in automata:
                begun = _Static(machines, dfa.key, START, "", states, None, (), 0, False, holds)
                starts.append((holds, self._number(begun)))
        while len(self.nodes) < len(self.waiting):
            self.nodes.append(self._node(len(self.nodes), self.waiting[len(self.nodes)]))
        return Graph(self.player, tuple(self.nodes), tuple(starts), len(self.slots))

    def _number(self, static: _Static) -> int:
        if static not in self.numbers and len(self.numbers) >= MAX_NODES:
            raise NotCompiled(
                f"the turns of {self.player} have too many states",
                expected=f"at most {MAX_NODES:,}",
            )
        if static not in self.numbers:
            self.numbers[static] = len(self.waiting)
            self.waiting.append(static)
        return self.numbers[static]

    def _order(self, holds: str | None) -> Order | None:
        """What machines say of turns from that content; None where they say nothing."""
        if holds is None:
            return None
        return self.searcher.orders.get((self.player, holds))

    def _dfa(self, static: _Static) -> Dfa:
        return self.searcher.by_key[static.key]

    def _node(self, number: int, static: _Static) -> Node:
        dfa = self._dfa(static)
        same = static._replace(acted=True)
        key = self.keys.setdefault(same, len(self.keys))
        if static.begins is not None:
            edges = tuple(self._begin(static, dfa))
            return Node(number, key, "", static.begins, static.done, None, edges)
        end = None
        if static.state in dfa.accepting or static.state in dfa.continuing:
            end = self._end(static, dfa)
        edges = tuple(
            edge
            for letter, state in dfa.successors[static.state]
            for edge in self._letter(static, letter, state, static.held, None)
        )
        pending = static.pending is not None
        return Node(number, key, static.held, None, static.done, end, edges, pending)

    def _begin(self, static: _Static, dfa: Dfa) -> Iterator[Edge]:
        holds = static.begins or EMPTY
        letters = dfa.successors[START]
        if holds != EMPTY:
            for letter, state in letters:
                if letter.removes:
                    yield from self._letter(static, letter, state, "", frozenset(holds))
        held = holds if holds != EMPTY else ""
        for letter, state in letters:
            if not letter.removes:
                yield from self._letter(static, letter, state, held, None)

    def _letter(
        self,
        static: _Static,
        letter: Letter,
        state: StateId,
        held: str,
        under: frozenset[str] | None,
    ) -> Iterator[Edge]:
        """The edges of a letter: several where machines distinguish what it removes."""
        key, start = static.key, state
        holds = held
        if letter.appears:
            key, start = AutomatonKey(self.player, letter.piece, Role.APPEARED), START
            holds = letter.piece
            if key not in self.searcher.by_key:
                return
        outcomes: dict[object, tuple[_Static, list[Check], list[Store], set[str]]] = {}
        kinds = under if under is not None else frozenset(self.equipment.pieces)
        for content in sorted(kinds) if letter.removes else [EMPTY]:
            pending = None
            if static.pending is not None:
                pending = PendingStep(static.pending, _named(CAME), _named(HERE))
            actions, after = advance(
                self.equipment, pending, letter, held, _named(HERE), _named(THERE), content
            )
            named = [(action.name, tuple(map(str, action.args))) for action in actions]
            followed = self._follow(static, named)
            if followed is None:
                continue
            states, names, checks, stores = followed
            reached = _Static(
                static.machines, key, start, holds, states,
                after.held if after is not None else None, names, static.done,
                bool(holds) or static.acted or not letter.moves, None,
            )  # fmt: skip
            found = outcomes.setdefault(
                (reached, tuple(checks), tuple(stores)), (reached, checks, stores, set())
            )
            found[3].add(content)
        for reached, checks, stores, contents in outcomes.values():
            keys = None
            if letter.removes and (under is not None or contents != set(kinds)):
                keys = frozenset(contents)
            yield Edge(
                self.letters[letter], keys, self._number(reached), holds,
                reached.pending is not None, tuple(checks), tuple(stores),
            )  # fmt: skip

    def _end(self, static: _Static, dfa: Dfa) -> End | None:
        """Put the hand down; None where that can't be: machines object, or nothing has changed."""
        if not static.held and not static.acted:
            return None
        pending = None
        if static.pending is not None:
            pending = PendingStep(static.pending, _named(CAME), _named(HERE))
        named = [
            (action.name, tuple(map(str, action.args))) for action in flush(self.equipment, pending)
        ]
        followed = self._follow(static, named)
        if followed is None:
            return None
        states, names, checks, stores = followed
        accepts = static.state in dfa.accepting and _complete(self._order(static.machines), states)
        following: list[tuple[str, int]] = []
        model = self.searcher.model
        if static.state in dfa.continuing and static.done + 1 < model.segments:
            for holds, heirs in sorted(self.searcher.later.get(self.player, {}).items()):
                for heir in heirs:
                    begun = _Static(
                        static.machines, heir.key, START, "", states, None, names,
                        static.done + 1, False, holds,
                    )  # fmt: skip
                    following.append((holds, self._number(begun)))
        if not accepts and not following:
            return None
        return End(accepts, tuple(following), tuple(checks), tuple(stores))

    def _follow(
        self, static: _Static, actions: Iterable[tuple[str, tuple[str, ...]]]
    ) -> tuple[tuple[StateId | None, ...], Names, list[Check], list[Store]] | None:
        """What machines and ties make of actions: the search's `_follow`, with squares by name."""
        order = self._order(static.machines)
        if order is None:
            return (), (), [], []
        states, names = static.states, static.names
        checks: list[Check] = []
        stores: dict[int, Store] = {}
        for name, args in actions:
            for before, places in names:
                for tie in order.ties.get(name, ()):
                    if tie.before != before or tie.first > places or tie.second > len(args):
                        continue
                    slot = self.slots[before, tie.first]
                    stored = stores.get(slot)
                    known = f"w->tie[{slot}]" if stored is None else stored.square
                    checks.append(Check(known, args[tie.second - 1]))
                if before == name:
                    break
            moved: list[StateId | None] = []
            for machine, state in zip(order.zero, states, strict=True):
                sees = machine.whole or name in machine.actions
                after = machine.after(state, name) if sees else state
                if sees and after is None:
                    return None
                moved.append(after)
            states = tuple(moved)
            if name in order.remembered:
                names = ((name, len(args)), *(each for each in names if each[0] != name))
                for place, square in enumerate(args, 1):
                    slot = self.slots.setdefault((name, place), len(self.slots))
                    stores[slot] = Store(slot, square)
        return states, names, checks, [stores[slot] for slot in sorted(stores)]


def _complete(order: Order | None, states: tuple[StateId | None, ...]) -> bool:
    """Whether a turn may end here; a machine that saw no action has no objection."""
    return order is None or all(
        state in machine.final or (state is None and not machine.whole)
        for machine, state in zip(order.zero, states, strict=True)
    )


def _named(square: str) -> Any:
    """A square by its name, where the actions of the search have it by its number."""
    return square
