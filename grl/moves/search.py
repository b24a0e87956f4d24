"""Pseudo-legal turns by a synchronised depth-first search (GRL paper, section 3.4, Algorithm 1).

A search state is the square under the hand, the state of the automaton in control, the states of
the LOCM zero machines that order the turn, and the squares to which earlier actions tie later
ones. The paper cuts a branch when such a state was visited; here the changes made to the board and
the reserve so far belong to it as well, for a removal makes a second crossing of the same square
a different one, and so does the number of segments, which is bounded. The order of the removals in
a segment belongs to it too, while the states are not too many: a chain of jumps that stops is a
beginning of the one that goes on, even where another order ends alike. Where a turn changes what it
has passed over, paths to a state differ by that, and only those are cut that come back to where
they have been themselves; where it is bounded how often one piece is passed over, only if no other
has been since. This is the reference implementation: pure Python, one turn after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from grl.board import EMPTY, Content, Player, Position, Square
from grl.errors import Place, SearchError
from grl.locm.actions import advance, flush
from grl.model import AutomatonKey, Dfa, Model, Role, StateId
from grl.moves.candidate import Candidate
from grl.moves.crossing import crosses, crossing_limit
from grl.moves.turn_order import Order, Progress, completed, followed, orders
from grl.turn import PASS, Letter, Segment, Turn, hand_of, stock_with

START = StateId(0)
MAX_STATES = 50_000
"""Search states from one origin square. Later segments that the first determines, such as all the
discs that a move turns over, are no choices; a model that takes them for choices gets here."""


class Searcher:
    """Generates the pseudo-legal turns of positions under one model.

    With `locm` off machines and ties are not consulted. With `roles` off the automata don't say
    which of them begin a turn, nor after which words a turn ends or goes on: segments follow one
    another as they like, and only LOCM can order them. The object only holds tables made from the
    model; every search walks on a cursor of its own.
    """

    def __init__(self, model: Model, *, locm: bool = True, roles: bool = True) -> None:
        self.model = model
        self.board = model.equipment.board
        self.by_key = model.automaton
        self.passing = model.passing_matters
        self.most_crossings = crossing_limit(model)
        self.locm, self.roles = locm, roles
        self.orders = orders(model, idle=not roles) if locm else {}
        self.first: dict[Player, dict[str, list[Dfa]]] = {}
        self.later: dict[Player, dict[str, list[Dfa]]] = {}
        for dfa in model.automata:
            for role, automata in ((Role.FIRST, self.first), (Role.LATER, self.later)):
                if dfa.key.role is role or (not roles and dfa.key.role is not Role.APPEARED):
                    here = automata.setdefault(dfa.key.mover, {})
                    here.setdefault(dfa.key.holds, []).append(dfa)
        displacements = {
            (letter.dx, letter.dy) for dfa in model.automata for _, letter, _ in dfa.transitions
        }
        self.target: dict[tuple[int, int], tuple[Square | None, ...]] = {
            (dx, dy): tuple(
                self.board.step(Square(s), dx, dy) if s not in self.board.holes else None
                for s in range(self.board.size)
            )
            for dx, dy in displacements
        }

    def turns(self, position: Position) -> list[Turn]:
        """The pseudo-legal turns, by origin square; no two with the same origin and effect."""
        found = [candidate.turn for candidate in self.candidates(position)]
        passing = self.model.passes.get(position.to_move)
        if passing == "free" or (passing == "forced" and not found):
            found.append(PASS)
        return found

    def candidates(self, position: Position) -> list[Candidate]:
        """The same turns with what they leave behind, passes left out."""
        return distinct(self.spellings(position))

    def spellings(self, position: Position) -> list[Candidate]:
        """All words found, also several that start on one square and have the same effect.

        Rules may forbid one of them and allow another, so they choose before `distinct` does. Of
        words that come through the same search state only the first is found.
        """
        found: list[Candidate] = []
        automata = self.first.get(position.to_move, {})
        for origin in self.board.squares:
            holds = position.cells[origin]
            order = self.orders.get((position.to_move, holds))
            if holds in automata and (self.roles or order is not None or not self.locm):
                try:
                    found += self._from(position, origin, order, automata[holds])
                except RecursionError:
                    raise SearchError(
                        f"a turn from {self.board.names[origin]} goes on for hundreds of letters",
                        expected="turns that end",
                        place=Place(rows=tuple(position.rows)),
                    ) from None
        return found

    def _from(
        self, position: Position, origin: Square, order: Order | None, automata: Iterable[Dfa]
    ) -> list[Candidate]:
        """All words from a square; where they are too many, of those whose removals differ in
        their order alone the first."""
        cursor = _Cursor(self, position, order)
        try:
            return cursor.turns_from(origin, automata)
        except SearchError:
            if not cursor.took_several:
                raise
            return _Cursor(self, position, order, ordered=False).turns_from(origin, automata)


def distinct(candidates: Iterable[Candidate]) -> list[Candidate]:
    """The first of those with the same origin and effect."""
    found: dict[object, Candidate] = {}
    for candidate in candidates:
        found.setdefault(candidate.effect, candidate)
    return list(found.values())


class _Cursor:
    """One search from one origin square: the board as it now is and the letters so far."""

    def __init__(
        self,
        searcher: Searcher,
        position: Position,
        order: Order | None,
        *,
        ordered: bool = True,
    ) -> None:
        self.searcher, self.ordered = searcher, ordered
        self.equipment = position.equipment
        self.mover = position.to_move
        self.view: dict[str, Content] = self.equipment.views[self.mover]
        self.order = order
        self.stock = position.stock
        self.cells = list(position.cells)
        self.hand = hand_of(position.stock, self.mover)
        self.changes: frozenset[tuple[Square, str]] = frozenset()
        self.took: tuple[Square, ...] = ()
        self.took_several = False
        self.done: list[Segment] = []
        self.starts: tuple[Square, ...] = ()
        self.ends: tuple[Square, ...] = ()
        self.origin = Square(0)
        self.letters: list[Letter] = []
        self.targets: list[str] = []
        self.met: tuple[Square, ...] = ()
        self.visited: set[tuple[object, ...]] = set()
        self.states = 0
        self.found: list[Candidate] = []

    def turns_from(self, origin: Square, automata: Iterable[Dfa]) -> list[Candidate]:
        """All turns that begin on `origin` in the control of one of `automata`."""
        began = self.order.began if self.order is not None else Progress()
        for dfa in automata:
            self._segment(origin, dfa, began)
        return self.found

    def _segment(self, origin: Square, dfa: Dfa, progress: Progress) -> None:
        """Take up what lies on `origin` and follow `dfa`; or remove it, when the word begins so."""
        outer = self.origin, self.letters, self.targets, self.took
        self.origin, self.letters, self.targets, self.took = origin, [], [], ()
        holds = self.cells[origin]
        removals = [(x, s) for x, s in dfa.successors[START] if x.removes]
        if holds != EMPTY:
            for letter, state in removals:
                self._letter(letter, state, dfa, origin, origin, "", progress)
        with_change = self._change(origin, EMPTY) if holds != EMPTY else _nothing
        held = holds if holds != EMPTY else ""
        for letter, state in dfa.successors[START]:
            if not letter.removes:
                for target in self._targets(letter, origin):
                    self._letter(letter, state, dfa, origin, target, held, progress)
        with_change()
        self.origin, self.letters, self.targets, self.took = outer

    def _targets(self, letter: Letter, square: Square) -> Iterator[Square]:
        """The squares to which `letter` takes the hand from `square`; only fitting ones."""
        if letter.fly:
            for target in self.searcher.board.squares:
                if target != square and self.view[self.cells[target]] == letter.on:
                    yield target
        elif letter.appears or letter.reserves:
            if letter.reserves or self.hand.get(letter.piece, 1) > 0:
                yield square
        elif letter.removes:
            if self.cells[square] != EMPTY:
                yield square
        else:
            target_or_none = self.searcher.target[letter.dx, letter.dy][square]
            if target_or_none is not None and self.view[self.cells[target_or_none]] == letter.on:
                yield target_or_none

    def _letter(
        self,
        letter: Letter,
        state: StateId,
        dfa: Dfa,
        source: Square,
        target: Square,
        held: str,
        progress: Progress,
    ) -> None:
        """Carry `letter` out, go on from `state`, and undo it."""
        actions, pending = advance(
            self.equipment, progress.pending, letter, held, source, target, self.cells[target]
        )
        following = followed(self.order, progress, actions, pending)
        if following is None:
            return
        met = self.met
        if not self._meets(letter, target):
            self.met = met
            return
        self.letters.append(letter)
        if letter.fly:
            self.targets.append(self.searcher.board.names[target])
        undo: Callable[[], None] = _nothing
        hand, took = self.hand, self.took
        if letter.removes:
            undo = self._change(target, EMPTY)
            self.took = (*took, target)
            self.took_several |= bool(took)
        elif letter.reserves:
            self.hand = {**hand, letter.piece: hand.get(letter.piece, 0) + 1}
        elif letter.appears:
            if held:
                undo = self._change(target, held)
            if letter.piece in hand:
                self.hand = {**hand, letter.piece: hand[letter.piece] - 1}
        if letter.appears:
            heir = self.searcher.by_key.get(AutomatonKey(self.mover, letter.piece, Role.APPEARED))
            if heir is not None:
                self._state(heir, START, target, letter.piece, following)
        else:
            self._state(dfa, state, target, held, following)
        undo()
        self.hand, self.took = hand, took
        if letter.fly:
            self.targets.pop()
        self.letters.pop()
        self.met = met

    def _meets(self, letter: Letter, target: Square) -> bool:
        """Note an opposing piece on the way; false where too many are passed over again."""
        most = self.searcher.most_crossings
        if most is not None and not self.done and crosses(letter):
            self.met = (*self.met, target)
            return len(self.met) - len(set(self.met)) <= most
        return True

    def _state(
        self, dfa: Dfa, state: StateId, square: Square, held: str, progress: Progress
    ) -> None:
        """Note the turn where all machines accept, then go on with every letter that fits."""
        hand = frozenset(self.hand.items())
        done = len(self.done)
        met, took = len(set(self.met)), self.took if self.ordered else ()
        key = (square, dfa.key, state, progress, done, self.changes, held, hand, took, met)
        if key in self.visited:
            return
        self.visited.add(key)
        self.states += 1
        if self.states > MAX_STATES:
            raise SearchError(
                f"more than {MAX_STATES} ways to go on in one turn of {self.mover}",
                expected="segments that a player chooses, not effects of the first one",
                place=Place(rows=tuple(self.equipment.board.rows("".join(self.cells)))),
            )
        if state in dfa.accepting or state in dfa.continuing:
            self._segment_end(dfa, state, square, held, progress)
        for letter, following in dfa.successors[state]:
            for target in self._targets(letter, square):
                self._letter(letter, following, dfa, square, target, held, progress)
        if self.searcher.passing:
            self.visited.remove(key)

    def _segment_end(
        self, dfa: Dfa, state: StateId, square: Square, held: str, progress: Progress
    ) -> None:
        """Put the hand down; the turn ends here, another segment follows, or either.

        A segment that changed nothing, an empty hand going about, is none.
        """
        if not held and all(letter.moves for letter in self.letters):
            return
        ended = followed(self.order, progress, flush(self.equipment, progress.pending), None)
        if ended is None:
            return
        undo = self._change(square, held) if held else _nothing
        segment = Segment(
            self.searcher.board.names[self.origin], tuple(self.letters), tuple(self.targets)
        )
        self.done.append(segment)
        starts, ends = self.starts, self.ends
        self.starts, self.ends = (*starts, self.origin), (*ends, square)
        roles = self.searcher.roles
        if (state in dfa.accepting or not roles) and completed(self.order, ended):
            stock = stock_with(self.stock, self.mover, self.hand) if self.hand else self.stock
            turn = Turn(tuple(self.done))
            cells = "".join(self.cells)
            self.found.append(Candidate(turn, self.starts, self.ends, cells, stock))
        goes_on = state in dfa.continuing or not roles
        if goes_on and len(self.done) < self.searcher.model.segments:
            heirs = self.searcher.later.get(self.mover, {})
            for origin in self.searcher.board.squares:
                for heir in heirs.get(self.cells[origin], ()):
                    self._segment(origin, heir, ended)
        self.starts, self.ends = starts, ends
        self.done.pop()
        undo()

    def _change(self, square: Square, content: str) -> Callable[[], None]:
        """Set a cell; the function returned takes that back."""
        before, changes = self.cells[square], self.changes
        self.cells[square] = content
        self.changes = frozenset({c for c in changes if c[0] != square} | {(square, content)})

        def undo() -> None:
            self.cells[square] = before
            self.changes = changes

        return undo


def _nothing() -> None:
    return None
