"""Pseudo-legal turns fast: the search of `grl.moves.search` along trees that are made once.

`grl.moves.compiled_tree` says what the trees hold. A search compares characters of the position's
text and splices strings; turns, with their segments, hang in the trees ready made. What takes too
long a search is left to the reference implementation, so that both have the same turns and the same
errors.
"""

from __future__ import annotations

from grl.board import EMPTY, Player, Position, Square, Stock, held
from grl.model import Model, Role
from grl.moves.candidate import Candidate
from grl.moves.compiled_nodes import START, Edge, TooLong
from grl.moves.compiled_tree import Paths
from grl.moves.search import Searcher
from grl.turn import PASS, Turn, hand_of, stock_with

MAX_VISITS = 20_000
MAX_GROWTH = 20_000
"""Nodes from one origin that a search goes through, and that it makes. What needs more, because
very many paths lead to few states, is left to the reference implementation, which remembers the
states."""

MAX_NODES = 250_000
MAX_RESERVES = 10_000
"""Nodes of the trees of one mover, and reserves met, that are kept; with more, all begins anew."""

_new = tuple.__new__


class _Reserve:
    """What follows from a position's reserve: the mover's trees, the reserves after turns."""

    def __init__(self, paths: Paths, stock: Stock) -> None:
        self.paths = paths
        self.stock = stock
        self.tail = paths.hand_text(stock) + "!"
        self.hand = hand_of(stock, paths.mover)
        self._after: dict[tuple[tuple[str, int], ...], Stock] = {}
        self.unchanged = self.after(())

    def after(self, gained: tuple[tuple[str, int], ...]) -> Stock:
        """The reserve when the mover's hand has gained so many pieces."""
        found = self._after.get(gained)
        if found is None:
            hand = {**self.hand, **{key: self.hand.get(key, 0) + by for key, by in gained}}
            found = stock_with(self.stock, self.paths.mover, hand) if hand else self.stock
            self._after[gained] = found
        return found


class CompiledSearcher:
    """Generates the pseudo-legal turns of positions under one model.

    The turns, their order and the errors are those of ``Searcher(model, locm=locm)``. Trees grow
    while positions are searched, so the first positions of a model take longer than later ones.
    """

    def __init__(self, model: Model, *, locm: bool = True) -> None:
        self.model = model
        self.readable = Searcher(model, locm=locm)
        self._paths: dict[tuple[Player, frozenset[str]], Paths] = {}
        self._reserves: dict[tuple[Player, Stock], _Reserve] = {}
        self._left = _left_to_the_readable(model)

    def turns(self, position: Position) -> list[Turn]:
        """The pseudo-legal turns, by origin square; no two with the same origin and effect."""
        found = [candidate.turn for candidate in self.candidates(position)]
        passing = self.model.passes.get(position.to_move)
        if passing == "free" or (passing == "forced" and not found):
            found.append(PASS)
        return found

    def candidates(self, position: Position) -> list[Candidate]:
        """The same turns with what they leave behind, passes left out.

        Raises `SearchError` where one turn has too many ways to go on.
        """
        found = self._found(position, spelled=False)
        return self.readable.candidates(position) if found is None else found

    def spellings(self, position: Position) -> list[Candidate]:
        """All words found, also several that start on one square and have the same effect.

        Of words that come through the same search state only the first is found.
        """
        found = self._found(position, spelled=True)
        return self.readable.spellings(position) if found is None else found

    def _found(self, position: Position, *, spelled: bool) -> list[Candidate] | None:
        """What is found along trees; None where the reference implementation has to search."""
        left = self._left.get(position.to_move)
        if left is None or not left.isdisjoint(position.cells):
            return None
        reserve = self._reserves.get((position.to_move, position.stock))
        if reserve is None:
            reserve = self._reserve(position.to_move, position.stock)
        try:
            return _search(position.cells, reserve, left, spelled)
        except TooLong:
            return None
        finally:
            if reserve.paths.nodes > MAX_NODES or len(self._reserves) > MAX_RESERVES:
                self._paths.clear()
                self._reserves.clear()

    def _reserve(self, mover: Player, stock: Stock) -> _Reserve:
        listed = frozenset(hand_of(stock, mover))
        paths = self._paths.get((mover, listed))
        if paths is None:
            paths = Paths(self.model, mover, listed, self.readable.orders)
            self._paths[mover, listed] = paths
        found = self._reserves[mover, stock] = _Reserve(paths, stock)
        return found


def _left_to_the_readable(model: Model) -> dict[Player, set[str]]:
    """For each player with automata what lies on the origins that trees don't serve: often nothing.

    A later segment of an empty hand that goes about counts only if it changed something. Whether it
    did is no part of a search state, so that what is found depends on the reference
    implementation's memory.
    """
    left: dict[Player, set[str]] = {dfa.key.mover: set() for dfa in model.automata}
    wandering = {
        dfa.key.mover
        for dfa in model.automata
        if dfa.key.role is Role.LATER
        and dfa.key.holds == EMPTY
        and any(letter.moves for letter, _ in dfa.successors[START])
    }
    for dfa in model.automata:
        if dfa.key.mover in wandering and dfa.key.role is Role.FIRST:
            left[dfa.key.mover].add(dfa.key.holds)
    return left


def _search(cells: str, reserve: _Reserve, left_alone: set[str], spelled: bool) -> list[Candidate]:
    """Go along the trees of all origins, depth first.

    From an origin one turn is kept for each effect or, `spelled`, for each state that is reached.
    An origin that takes too long raises `TooLong`; its piece is `left_alone` from then on.
    """
    paths, unchanged = reserve.paths, reserve.unchanged
    open_node = paths.open
    text = cells.translate(paths.view_table) + cells + reserve.tail
    found: list[Candidate] = []
    seen: set[object] = set()
    visits = 0

    def visit(edges: tuple[Edge, ...], board: str) -> None:
        nonlocal visits
        visits += 1
        if visits > MAX_VISITS:
            raise TooLong
        for edge in edges:
            at, content, node = edge
            here = board
            while text[at] == content:
                following = node.edges
                if following is None:
                    following = open_node(node)
                if node.change is not None:
                    before, put, after = node.change
                    here = f"{here[before]}{put}{here[after]}"
                if node.end is not None:
                    turn, starts, ends, before, put, after, gained, reached = node.end
                    left = f"{here[before]}{put}{here[after]}"
                    stock = unchanged
                    same: object = left
                    if gained:
                        stock = reserve.after(gained)
                        same = left, held(stock)
                    if spelled:
                        same = reached
                    if same not in seen:
                        seen.add(same)
                        found.append(_new(Candidate, (turn, starts, ends, left, stock, 0)))
                if len(following) != 1:
                    if following:
                        visit(following, here)  # noqa: F821
                    break
                at, content, node = following[0]

    try:
        for origin, holds in enumerate(cells):
            if holds in paths.roots:
                paths.limit = paths.nodes + MAX_GROWTH
                root = paths.roots[holds][origin] or paths.root(Square(origin), holds)
                if root.edges:
                    seen.clear()
                    visits = 0
                    board = cells
                    if root.change is not None:
                        before, put, after = root.change
                        board = f"{cells[before]}{put}{cells[after]}"
                    visit(root.edges, board)
    except TooLong:
        left_alone.add(holds)
        raise
    finally:
        # A function that calls itself is a circle of references, and would keep all that it holds.
        del visit
    return found
