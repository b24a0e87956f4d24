"""Turns as numbers: a fixed list of actions for a model, each meaning the same in every state.

An action is a leg of a turn: the hand goes from one square to another, where a piece may appear.
Whatever lies between, however many letters, is one leg; so their number is bounded by squares times
squares times pieces, also where jumps go on without end. Most turns are one leg. A turn of several,
where a piece appears and the hand goes on or another segment follows, is several actions in a row,
as far as the first ones don't settle it. Where two turns have the same legs, such as two ways round
with different captures, a further action says what a square holds afterwards.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from grl.board import EMPTY, Board, Square, held
from grl.engine.engine import State
from grl.errors import GrlError
from grl.later import Later
from grl.model import Dfa, Model, Role, StateId
from grl.turn import PASS, Letter, Segment, Turn

nx = Later("networkx")

Action = int
Trie = Mapping[Action, "Trie | int"]
"""Legal turns by their actions: what may be chosen next, down to the numbers of turns."""


class Leg(NamedTuple):
    """The hand goes from one square to another, where `piece` appears if it names one."""

    start: Square
    end: Square
    piece: str


class Actions:
    """The actions of a model. Their numbers depend on the model alone: 0 to `size` - 1.

    First come the legs, by squares and piece; then ``stop``, which ends a turn that could go on,
    ``pass`` where the model passes, and, where legs can be alike, what squares and hands hold.
    """

    def __init__(self, model: Model) -> None:
        self.board = model.equipment.board
        legs, alike = _legs_of_model(model)
        self.legs = tuple(sorted(legs))
        self._number = {leg: number for number, leg in enumerate(self.legs)}
        self.stop = len(self.legs)
        self.passing = self.stop + 1 if model.passes else None
        self._first = self.stop + 1 + (self.passing is not None)
        self.contents = (EMPTY, *sorted(model.equipment.pieces))
        self.alike = alike
        """Whether turns may have the same legs."""
        self._hands = self._first + alike * self.board.size * len(self.contents)
        self.size = self._hands + 2 * alike
        """The number of actions."""
        self._spelled = lru_cache(maxsize=100_000)(self._spell)

    def trie(self, state: State) -> Trie:
        """The legal turns of a state by their actions."""
        turns = state.turns()
        words = [self._spelled(turn) for turn in turns]
        if len(set(words)) < len(words):
            words = self._told_apart(state, turns, words)
        return _trie(words, range(len(words)), 0)

    def text(self, action: Action) -> str:
        """What an action says: ``c3-d4``, ``e7-e8=Q``, ``d1=x``, ``f4``, ``stop``, ``pass``.

        ``e5:.`` where square e5 shall be empty afterwards. Raises `GrlError` for no action.
        """
        names = self.board.names
        if not 0 <= action < self.size:
            raise GrlError("no such action", found=str(action), expected=f"0 to {self.size - 1}")
        if action < self.stop:
            leg = self.legs[action]
            way = names[leg.start] + (f"-{names[leg.end]}" if leg.end != leg.start else "")
            return way + (f"={leg.piece}" if leg.piece else "")
        if action == self.stop:
            return "stop"
        if action == self.passing:
            return "pass"
        if action < self._hands:
            square, content = divmod(action - self._first, len(self.contents))
            return f"{names[square]}:{self.contents[content]}"
        return ("hand:fewest", "hand:more")[action - self._hands]

    def squares(self, action: Action) -> tuple[Square, Square] | None:
        """Where an action begins and ends; None for one that names no square."""
        if action < self.stop:
            leg = self.legs[action]
            return leg.start, leg.end
        if self._first <= action < self._hands:
            square = Square((action - self._first) // len(self.contents))
            return square, square
        return None

    def _spell(self, text: str) -> tuple[Action, ...]:
        """The actions of a turn, up to those that tell apart what has the same legs."""
        turn = Turn.parse(text)
        if turn == PASS:
            return () if self.passing is None else (self.passing,)
        # Legs without a number are of segments that effects add: no choices.
        legs = (leg for segment in turn.segments for leg in _legs(segment, self.board))
        return (*(self._number[leg] for leg in legs if leg in self._number), self.stop)

    def _told_apart(
        self, state: State, turns: Sequence[str], words: Sequence[tuple[Action, ...]]
    ) -> list[tuple[Action, ...]]:
        """The same words, with what squares and hands hold after turns of one word behind them."""
        found = list(words)
        groups = defaultdict(list)
        for number, word in enumerate(words):
            groups[word].append(number)
        for word, numbers in groups.items():
            if len(numbers) < 2:
                continue
            if not self.alike:
                raise GrlError(
                    "turns that no actions tell apart",
                    found=", ".join(f"'{turns[number]}'" for number in numbers[:2]),
                    expected="turns that differ in squares or pieces",
                )
            after = {number: state.play(number) for number in numbers}
            cells = {number: each.cells for number, each in after.items()}
            for number, more in self._by_cells(cells, after):
                found[number] = (*word, *more)
        return found

    def _by_cells(
        self, cells: Mapping[int, str], after: Mapping[int, State]
    ) -> Iterator[tuple[int, tuple[Action, ...]]]:
        """What the first square on which boards differ holds, and so on."""
        if len(cells) == 1:
            yield next(iter(cells)), ()
            return
        columns = enumerate(zip(*cells.values(), strict=True))
        square = next((place for place, column in columns if len(set(column)) > 1), None)
        if square is None:
            hands = {number: held(after[number].position().stock) for number in cells}
            yield from self._by_hands(hands)
            return
        first = self._first + square * len(self.contents)
        for place, content in enumerate(self.contents):
            group = {number: board for number, board in cells.items() if board[square] == content}
            if group:
                for number, more in self._by_cells(group, after):
                    yield number, (first + place, *more)

    def _by_hands(
        self, hands: Mapping[int, tuple[object, ...]]
    ) -> Iterator[tuple[int, tuple[Action, ...]]]:
        """The first in order of what is held, or the others, and so on."""
        least, *more = sorted(hands, key=lambda number: (hands[number], number))
        if not more:
            yield least, ()
            return
        yield least, (self._hands,)
        for number, rest in self._by_hands({number: hands[number] for number in more}):
            yield number, (self._hands + 1, *rest)


def _trie(words: Sequence[tuple[Action, ...]], numbers: Sequence[int], depth: int) -> Trie:
    """The words by their actions from `depth` on; what is settled has no further ones."""
    groups: dict[Action, list[int]] = {}
    for number in numbers:
        groups.setdefault(words[number][depth], []).append(number)
    if depth and len(groups) == 1:
        return _trie(words, numbers, depth + 1)
    return {
        action: group[0] if len(group) == 1 else _trie(words, group, depth + 1)
        for action, group in groups.items()
    }


def _legs(segment: Segment, board: Board) -> Iterator[Leg]:
    """The legs of a segment."""
    start, *path = segment.path(board)
    appeared = False
    for letter, square in zip(segment.letters, path, strict=True):
        if letter.appears:
            yield Leg(start, square, letter.piece)
            start, appeared = square, True
    if not appeared or path[-1] != start:
        yield Leg(start, path[-1], "")


def _legs_of_model(model: Model) -> tuple[set[Leg], bool]:
    """All legs that the automata have on the board, and whether turns may have the same ones."""
    board = model.equipment.board
    legs: set[Leg] = set()
    alike = False
    for dfa in model.automata:
        for square in board.squares:
            found, several = _legs_from(dfa, board, square)
            legs |= found
            alike = alike or several
    return legs, alike


class _Place(NamedTuple):
    """Where a word may be: a square, and all states that it may be in, whatever lies on its way."""

    square: Square
    states: frozenset[StateId]


def _legs_from(dfa: Dfa, board: Board, start: Square) -> tuple[set[Leg], bool]:
    """The legs of an automaton from a square; whether two ways there are the same leg."""
    ends = dfa.accepting | dfa.continuing
    first = _Place(start, frozenset({StateId(0)}))
    ways = nx.MultiDiGraph()
    ways.add_node(first)
    legs, waiting, met = set[Leg](), [first], {first}
    while waiting:
        here = waiting.pop()
        if here.states & ends and not (dfa.key.role is Role.APPEARED and here.square == start):
            leg = Leg(start, here.square, "")
            legs.add(leg)
            ways.add_edge(here, leg)
        for letter, states in _onward(dfa, here.states).items():
            for square in letter.landings(board, here.square):
                if letter.appears:
                    leg = Leg(start, square, letter.piece)
                    legs.add(leg)
                    ways.add_edge(here, leg)
                    continue
                place = _Place(square, frozenset(states))
                ways.add_edge(here, place)
                if place not in met:
                    met.add(place)
                    waiting.append(place)
    useful: set[_Place | Leg] = set(legs)
    for leg in legs:
        useful |= nx.ancestors(ways, leg)
    several = any(ways.in_degree(node) > (node is not first) for node in useful)
    return legs, several


def _onward(dfa: Dfa, states: frozenset[StateId]) -> dict[Letter, set[StateId]]:
    """Where letters lead, those together that differ in what lies on the square alone."""
    found: dict[Letter, set[StateId]] = defaultdict(set)
    for state in states:
        for letter, target in dfa.successors[state]:
            found[letter._replace(on="e") if letter.moves else letter].add(target)
    return found


__all__ = ["Action", "Actions", "Leg", "Trie"]
