"""Latches of a learned model from its automata: what no word of any turn can change back.

A quick way beside that of `grl.players.latches`, which asks clingo about every turn of every state
and is too slow where turns are many. Here each segment of a turn is followed through its automaton
from every square, over boards on which anything may lie that can come to lie there. That is more
than the rules allow, so that what is found is a latch indeed; a latch that rests on a restriction,
or on the end of the game, is not found. Effects may change any square: a model with some has none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from grl.board import EMPTY, Board, Player, Square
from grl.model import AutomatonKey, Dfa, Model, Role, StateId
from grl.players.latches import Latches
from grl.players.propositions import places
from grl.turn import Letter

START = StateId(0)
Contents = dict[Square, set[str]]
"""What may lie on each square."""
Changes = dict[Square, set[tuple[str, str]]]
"""What may become of what, by square."""


class Hand(NamedTuple):
    """An automaton and its state, the square under the hand, what it holds or nothing, what may lie
    there, and whether it has left the square where it began."""

    dfa: Dfa
    state: StateId
    square: Square
    held: str
    under: frozenset[str]
    moved: bool

    def left(self, began: str, put: str) -> Iterator[tuple[Square, str, str]]:
        """What becomes of the square where something, or nothing, is put down; `began` is what lay
        where the hand began."""
        for old in self.under if self.moved else (began,):
            for new in (put,) if put else self.under:
                if old != new:
                    yield self.square, old, new


def movement_latches(model: Model) -> Latches:
    """The latches that follow from the movements of a model, of squares alone, in games that go on
    from its initial position.

    What never leaves a square inhibits all else there; what never comes back inhibits, once it is
    gone, what only it could become.
    """
    names = {place: name for name, place in places(model.equipment).items()}
    if model.effects:
        return Latches((), frozenset(), frozenset())
    contents, changes = _changes(model)
    ends = {(old, square) for square, each in changes.items() for old, _ in each}
    begins = {(new, square) for square, each in changes.items() for _, new in each}
    lying = [(key, square) for square in contents for key in sorted(contents[square])]
    positive = [place for place in lying if place not in ends]
    negative = [place for place in lying if place not in begins]
    inhibits = {
        (names[key, square], True): frozenset(
            names[other, square] for other in contents[square] - {key} if (other, square) in begins
        )
        for key, square in positive
    }
    inhibits |= {
        (names[key, square], False): frozenset(
            names[other, square]
            for other in contents[square] - {key}
            if (other, square) in begins
            and all(old == key for old, new in changes[square] if new == other)
        )
        for key, square in negative
    }
    return Latches(
        tuple(sorted(names[place] for place in lying)),
        frozenset(names[place] for place in positive),
        frozenset(names[place] for place in negative),
        inhibits,
    )


def _changes(model: Model) -> tuple[Contents, Changes]:
    """What may lie where, from the initial position on, and what a segment may change."""
    board, initial = model.equipment.board, model.initial.cells
    contents: Contents = {square: {initial[square]} for square in board.squares}
    changes: Changes = {square: set() for square in board.squares}
    walker = _Walker(model, contents)
    size = -1
    while size != (size := sum(map(len, contents.values()))):
        for square, old, new in list(walker.changes()):
            changes[square].add((old, new))
            contents[square].add(new)
    return contents, changes


class _Walker:
    """Follows automata over boards with any contents."""

    def __init__(self, model: Model, contents: Contents) -> None:
        self.model, self.contents = model, contents
        self.board: Board = model.equipment.board
        self.views: Mapping[Player, Mapping[str, str]] = model.equipment.views

    def changes(self) -> Iterator[tuple[Square, str, str]]:
        """Square, old and new content, of all segments of all turns."""
        for dfa in self.model.automata:
            if dfa.key.role is not Role.APPEARED:
                for square in self.board.squares:
                    if dfa.key.holds in self.contents[square]:
                        yield from self._segment(dfa, square)

    def _segment(self, dfa: Dfa, origin: Square) -> set[tuple[Square, str, str]]:
        """What a segment may change, if any word of it comes to an end.

        As long as the hand is where it began, what lies there is nobody's to see.
        """
        holds = dfa.key.holds
        found: set[tuple[Square, str, str]] = set()
        ends = False
        held = "" if holds == EMPTY else holds
        start = Hand(dfa, START, origin, held, frozenset(EMPTY), False)
        rest, seen = [start], {start}
        while rest:
            hand = rest.pop()
            if hand != start and hand.state in hand.dfa.accepting | hand.dfa.continuing:
                ends = True
                found.update(hand.left(holds, hand.held))
            for letter, following in hand.dfa.successors[hand.state]:
                if hand.moved and letter.removes:
                    found.update(hand.left(holds, EMPTY))
                elif hand.moved and letter.appears:
                    found.update(hand.left(holds, hand.held))
                elif letter.moves and not hand.moved:
                    found.update((origin, holds, there) for there in hand.under if there != holds)
                for after in self._after(hand, letter, following, hand == start):
                    if after not in seen:
                        seen.add(after)
                        rest.append(after)
        return found if ends else set()

    def _after(self, hand: Hand, letter: Letter, following: StateId, first: bool) -> Iterator[Hand]:
        """The hand after a letter."""
        if letter.removes:
            held = "" if first else hand.held
            yield hand._replace(state=following, held=held, under=frozenset(EMPTY))
        elif letter.appears:
            key = AutomatonKey(hand.dfa.key.mover, letter.piece, Role.APPEARED)
            heir = self.model.automaton.get(key)
            under = frozenset((hand.held,)) if hand.held else hand.under
            if heir is not None:
                yield hand._replace(dfa=heir, state=START, held=letter.piece, under=under)
        elif letter.reserves:
            yield hand._replace(state=following)
        else:
            view = self.views[hand.dfa.key.mover]
            for target in letter.landings(self.board, hand.square):
                there = frozenset(c for c in self.contents[target] if view.get(c) == letter.on)
                if there:
                    yield hand._replace(state=following, square=target, under=there, moved=True)
