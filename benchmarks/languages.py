"""Piece languages written by hand, and exact comparison of what was learned with them.

A language is a pair of regular expressions over micro-moves: the words after which the turn may
be over, and those after which another segment may follow. They become automata by Brzozowski's
derivatives, so nothing here shares code with the learners.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

import networkx as nx

from grl.board import Board, Square
from grl.model import Dfa
from grl.turn import Letter

# Regular expressions: values without redundancy, so that derivatives come to an end.


@dataclass(frozen=True)
class Nothing:
    """No word at all."""


@dataclass(frozen=True)
class Empty:
    """The empty word alone."""


@dataclass(frozen=True)
class One:
    """A single letter."""

    letter: Letter


@dataclass(frozen=True)
class Chain:
    """A word of the first, then a word of the second."""

    first: Regex
    second: Regex


@dataclass(frozen=True)
class Either:
    """A word of any of them."""

    parts: frozenset[Regex]


@dataclass(frozen=True)
class Star:
    """Any number of words of it, also none."""

    part: Regex


Regex = Nothing | Empty | One | Chain | Either | Star
NOTHING, EMPTY = Nothing(), Empty()


def either(*parts: Regex) -> Regex:
    flat: set[Regex] = set()
    for part in parts:
        flat |= part.parts if isinstance(part, Either) else {part}
    flat.discard(NOTHING)
    if len(flat) > 1:
        return Either(frozenset(flat))
    return flat.pop() if flat else NOTHING


def chain(*parts: Regex) -> Regex:
    result: Regex = EMPTY
    for part in reversed(parts):
        if NOTHING in (part, result):
            return NOTHING
        if part == EMPTY:
            continue
        if result == EMPTY:
            result = part
        elif isinstance(part, Chain):
            result = chain(part.first, chain(part.second, result))
        else:
            result = Chain(part, result)
    return result


def star(part: Regex) -> Regex:
    if part in (NOTHING, EMPTY):
        return EMPTY
    return part if isinstance(part, Star) else Star(part)


def plus(part: Regex) -> Regex:
    return chain(part, star(part))


def maybe(part: Regex) -> Regex:
    return either(part, EMPTY)


def nullable(regex: Regex) -> bool:
    match regex:
        case Empty() | Star():
            return True
        case Chain(first, second):
            return nullable(first) and nullable(second)
        case Either(parts):
            return any(map(nullable, parts))
    return False


def first_letters(regex: Regex) -> set[Letter]:
    match regex:
        case One(letter):
            return {letter}
        case Chain(first, second):
            return first_letters(first) | (first_letters(second) if nullable(first) else set())
        case Either(parts):
            return {letter for part in parts for letter in first_letters(part)}
        case Star(part):
            return first_letters(part)
    return set()


def derivative(regex: Regex, letter: Letter) -> Regex:
    """The words that may follow `letter`."""
    match regex:
        case One(own):
            return EMPTY if own == letter else NOTHING
        case Chain(first, second):
            rest = chain(derivative(first, letter), second)
            return either(rest, derivative(second, letter)) if nullable(first) else rest
        case Either(parts):
            return either(*(derivative(part, letter) for part in parts))
        case Star(part):
            return chain(derivative(part, letter), regex)
    return NOTHING


# Automata, as plain as they come.


@dataclass(frozen=True)
class Graph:
    """A partial automaton from state 0: a dict of letters to targets and a label for each state.

    The label says whether a word may end the turn here (``$``), or the segment (``;``).
    """

    moves: tuple[dict[Letter, int], ...]
    labels: tuple[str, ...]

    def label(self, state: int | None) -> str:
        return "" if state is None else self.labels[state]

    def step(self, state: int | None, letter: Letter) -> int | None:
        return None if state is None else self.moves[state].get(letter)

    def letters(self, state: int | None) -> Iterable[Letter]:
        return () if state is None else self.moves[state]


def graph_of(dfa: Dfa) -> Graph:
    """A learned automaton as it stands in the model."""
    moves: tuple[dict[Letter, int], ...] = tuple({} for _ in range(dfa.size))
    for source, letter, target in dfa.transitions:
        assert letter not in moves[source], "two ways from one state by one letter"
        moves[source][letter] = target
    labels = tuple(
        "$" * (state in dfa.accepting) + ";" * (state in dfa.continuing)
        for state in range(dfa.size)
    )
    return Graph(moves, labels)


@dataclass(frozen=True)
class Language:
    """The words that may end a turn, and the words that may end a segment before others."""

    ends: Regex
    goes_on: Regex = NOTHING

    def graph(self) -> Graph:
        number = {(self.ends, self.goes_on): 0}
        moves: list[dict[Letter, int]] = []
        labels = []
        for ends, goes_on in (queue := [(self.ends, self.goes_on)]):
            row = {}
            for letter in sorted(first_letters(ends) | first_letters(goes_on)):
                target = derivative(ends, letter), derivative(goes_on, letter)
                if target not in number:
                    number[target] = len(number)
                    queue.append(target)
                row[letter] = number[target]
            moves.append(row)
            labels.append("$" * nullable(ends) + ";" * nullable(goes_on))
        return Graph(tuple(moves), tuple(labels))


def difference(ours: Graph, theirs: Graph, board: Board) -> tuple[str, tuple[Letter, ...]] | None:
    """A square and a shortest word from there on which two languages disagree, or None.

    Only words count whose squares stay on the board from some origin. The search runs over
    (state of ours, state of theirs, square), breadth first from every square at once; a flight
    leads to every other square.
    """
    queue: deque[tuple[int | None, int | None, Square, Square, tuple[Letter, ...]]] = deque(
        (0, 0, square, square, ()) for square in board.squares
    )
    met: set[tuple[int | None, int | None, Square]] = {(0, 0, square) for square in board.squares}
    while queue:
        one, two, square, origin, word = queue.popleft()
        if ours.label(one) != theirs.label(two):
            return board.names[origin], word
        for letter in sorted({*ours.letters(one), *theirs.letters(two)}):
            after = ours.step(one, letter), theirs.step(two, letter)
            for target in letter.landings(board, square):
                if (*after, target) not in met:
                    met.add((*after, target))
                    queue.append((*after, target, origin, (*word, letter)))
    return None


def equivalent_states(graph: Graph) -> tuple[int, int] | None:
    """Two states that no word distinguishes, by the table-filling method; None where all differ.

    The state that nothing leads out of and that accepts nothing, left out of partial automata,
    takes part as -1.
    """
    states = [-1, *range(len(graph.moves))]
    alphabet = {letter for row in graph.moves for letter in row}

    def label(state: int) -> str:
        return graph.labels[state] if state >= 0 else ""

    def step(state: int, letter: Letter) -> int:
        return graph.moves[state].get(letter, -1) if state >= 0 else -1

    pairs = [(a, b) for a in states for b in states if a < b]
    distinct = {pair for pair in pairs if label(pair[0]) != label(pair[1])}
    growing = True
    while growing:
        growing = False
        for a, b in pairs:
            if (a, b) not in distinct and any(
                tuple(sorted((step(a, letter), step(b, letter)))) in distinct for letter in alphabet
            ):
                distinct.add((a, b))
                growing = True
    return next((pair for pair in pairs if pair not in distinct), None)


def reached(graph: Graph) -> set[int]:
    """The states that some word leads to."""
    edges = nx.DiGraph((s, t) for s, row in enumerate(graph.moves) for t in row.values())
    edges.add_node(0)
    return {0, *nx.descendants(edges, 0)}


def minimal_size(graph: Graph) -> int:
    """How many states the smallest partial automaton of the same language has."""
    states = sorted(reached(graph))
    number = {state: i for i, state in enumerate(states)}
    blocks = [graph.labels[state] for state in states]
    count = 0
    while True:
        signatures = [
            (blocks[i], frozenset((x, blocks[number[t]]) for x, t in graph.moves[s].items()))
            for i, s in enumerate(states)
        ]
        names = {signature: str(k) for k, signature in enumerate(dict.fromkeys(signatures))}
        blocks = [names[signature] for signature in signatures]
        if len(names) == count:
            return count
        count = len(names)


# The pieces of the games that come with the project.

ORTHOGONAL = ((1, 0), (0, 1), (-1, 0), (0, -1))
DIAGONAL = ((1, 1), (-1, 1), (-1, -1), (1, -1))


def step(dx: int, dy: int, on: str = "e") -> Regex:
    return One(Letter(dx, dy, on))


def appears(piece: str) -> Regex:
    return One(Letter(0, 0, "a", piece))


REMOVED = One(Letter(0, 0, "d"))


def slides(directions: Iterable[tuple[int, int]]) -> Regex:
    """One or more steps over empty squares, always the same way."""
    return either(*(plus(step(*d)) for d in directions))


def jump(dx: int, dy: int, over: str) -> Regex:
    """Onto a piece, which is removed, and on to the empty square behind."""
    return chain(step(dx, dy, over), REMOVED, step(dx, dy))


def breakthrough_pawn(up: int) -> Language:
    return Language(
        either(*(step(dx, up) for dx in (-1, 0, 1)), step(-1, up, "p"), step(1, up, "p"))
    )


def checkers_man(up: int, king: str) -> Language:
    walk = either(step(-1, up), step(1, up))
    jumps = plus(either(jump(-1, up, "p"), jump(1, up, "p")))
    return Language(chain(either(walk, jumps), maybe(appears(king))))


CHECKERS_KING = Language(
    either(*(step(*d) for d in DIAGONAL), plus(either(*(jump(*d, "p") for d in DIAGONAL))))
)
AMAZONS_QUEEN = Language(chain(slides((*ORTHOGONAL, *DIAGONAL)), appears("x")))
AMAZONS_ARROW = Language(slides((*ORTHOGONAL, *DIAGONAL)))
PEG = Language(either(*(jump(*d, "w") for d in ORTHOGONAL)))
STAYS = Language(EMPTY)
LINKED_STEPS = either(*(step(n * dx, n * dy) for dx, dy in ORTHOGONAL for n in (1, 2, 3)))
FLIGHT = One(Letter(0, 0, "e", fly=True))


def placed(piece: str) -> Language:
    return Language(appears(piece))


def moved(*regexes: Regex) -> Language:
    """What takes a piece somewhere and ends the turn."""
    return Language(either(*regexes))


def leaps(directions: Iterable[tuple[int, int]], on: str = "e") -> Regex:
    """One step in any of the directions."""
    return either(*(step(*d, on) for d in directions))


def rides(directions: Iterable[tuple[int, int]]) -> Regex:
    """A slide over empty squares that may end on an opponent's piece."""
    return either(
        *(either(plus(step(*d)), chain(star(step(*d)), step(*d, "p"))) for d in directions)
    )


def over(dx: int, dy: int) -> Regex:
    """Over a piece that stays, and on to the empty square behind."""
    return chain(step(dx, dy, "p"), step(dx, dy))


def chess_pawn(up: int) -> Language:
    return moved(step(0, up), step(-1, up, "p"), step(1, up, "p"))


def racing_man(up: int, *, capturing: bool) -> Language:
    ways = (-1, up), (1, up)
    jumps = either(*(jump(*d, "p") if capturing else over(*d) for d in ways))
    return moved(leaps(ways), plus(jumps))


def _racing(*, capturing: bool) -> dict[str, Language]:
    return {
        "white m first": racing_man(1, capturing=capturing),
        "black M first": racing_man(-1, capturing=capturing),
    }


ALL_WAYS = (*ORTHOGONAL, *DIAGONAL)
KNIGHTS_WAYS = tuple((dx, dy) for dx in (-2, -1, 1, 2) for dy in (-2, -1, 1, 2) if dx**2 != dy**2)
KINGS_JUMPS = plus(either(*(jump(*d, "p") for d in DIAGONAL)))
CROWNED_ON_THE_WAY = Language(either(EMPTY, chain(REMOVED, KINGS_JUMPS)))
ASALTO_OFFICER = moved(leaps(ALL_WAYS), plus(either(*(jump(*d, "p") for d in ALL_WAYS))))
ASALTO_SOLDIER = moved(leaps(((1, 0), (0, 1), (-1, 0), (1, 1), (-1, 1))))


def _chess() -> dict[str, Language]:
    pieces = {
        "n": moved(leaps(KNIGHTS_WAYS), leaps(KNIGHTS_WAYS, "p")),
        "k": moved(leaps(ALL_WAYS), leaps(ALL_WAYS, "p")),
        "b": moved(rides(DIAGONAL)),
        "r": moved(rides(ORTHOGONAL)),
        "q": moved(rides(ALL_WAYS)),
    }
    return {
        "white P first": chess_pawn(1),
        "black p first": chess_pawn(-1),
        **{f"white {key.upper()} first": language for key, language in pieces.items()},
        **{f"black {key} first": language for key, language in pieces.items()},
    }


def _laws_of_chess() -> dict[str, Language]:
    """Chess without castling: pawns are promoted, go two steps at first, and take in passing."""
    promoted = (("white", "QRBN"), ("black", "qrbn"))
    return {
        **_chess(),
        "white P first": _lawful_pawn(1, "QRBN"),
        "black p first": _lawful_pawn(-1, "qrbn"),
        **{f"{who} {key} appeared": STAYS for who, keys in promoted for key in keys},
    }


def _lawful_pawn(up: int, new: str) -> Language:
    single = either(step(0, up), step(-1, up, "p"), step(1, up, "p"))
    passing = (chain(step(dx, 0, "p"), REMOVED, step(0, up)) for dx in (-1, 1))
    return moved(
        chain(single, maybe(either(*map(appears, new)))),
        chain(step(0, up), step(0, up)),
        either(*passing),
    )


def _morris(first: str, second: str, *, flying: bool) -> dict[str, Language]:
    man = either(LINKED_STEPS, FLIGHT) if flying else LINKED_STEPS
    languages: dict[str, Language] = {}
    for player, own, other in (("white", first, second), ("black", second, first)):
        languages |= {
            f"{player} . first": placed(own),
            f"{player} {own} appeared": Language(EMPTY, EMPTY),
            f"{player} {own} first": Language(man, man),
            f"{player} {other} later": Language(REMOVED),
        }
    return languages


def _sliding(tiles: str) -> dict[str, Language]:
    return {f"solver {tile} first": moved(leaps(ORTHOGONAL)) for tile in tiles}


LANGUAGES: dict[str, dict[str, Language]] = {
    "breakthrough": {
        "white w first": breakthrough_pawn(1),
        "black b first": breakthrough_pawn(-1),
    },
    "chess:castling=0": _laws_of_chess(),
    "checkers": {
        "white m first": checkers_man(1, "k"),
        "black M first": checkers_man(-1, "K"),
        "white k first": CHECKERS_KING,
        "black K first": CHECKERS_KING,
        "white k appeared": STAYS,
        "black K appeared": STAYS,
    },
    "amazons": {
        "white q first": AMAZONS_QUEEN,
        "black Q first": AMAZONS_QUEEN,
        "white x appeared": AMAZONS_ARROW,
        "black x appeared": AMAZONS_ARROW,
    },
    "peg-solitaire": {"solver i first": PEG},
    "connect-four": {
        "white . first": placed("x"),
        "white x appeared": STAYS,
        "black . first": placed("o"),
        "black o appeared": STAYS,
    },
    "tic-tac-toe": {
        "x . first": placed("x"),
        "x x appeared": STAYS,
        "o . first": placed("o"),
        "o o appeared": STAYS,
    },
    "nine-mens-morris": _morris("m", "M", flying=False),
    "nine-mens-morris:flying=1": _morris("m", "M", flying=True),
    "nine-mens-morris, W and B": _morris("W", "B", flying=True),
    "checkers:continuing=1": {
        "white m first": checkers_man(1, "k"),
        "black M first": checkers_man(-1, "K"),
        "white k first": CHECKERS_KING,
        "black K first": CHECKERS_KING,
        "white k appeared": CROWNED_ON_THE_WAY,
        "black K appeared": CROWNED_ON_THE_WAY,
    },
    "checker-bt": _racing(capturing=False),
    "checker-bt:capturing=1": _racing(capturing=True),
    "chess-bt": _chess(),
    "five-field-kono": {
        "white m first": moved(leaps(DIAGONAL)),
        "black M first": moved(leaps(DIAGONAL)),
    },
    "asalto": {"soldiers s first": ASALTO_SOLDIER, "officers O first": ASALTO_OFFICER},
    "eight-puzzle": _sliding("12345678"),
    "fifteen-puzzle": _sliding("123456789ABCDEF"),
    "graph-game": {"player i first": moved(leaps(((1, 0), (-1, 0))))},
}
"""By game, with its options where they make a difference, and by the text of the automaton's key.

One of Nine Men's Morris is as another engine calls its pieces.
"""


def languages_of(spec: str) -> dict[str, Language]:
    """The languages of a game; options that are not listed make no difference to pieces."""
    return LANGUAGES[spec if spec in LANGUAGES else spec.partition(":")[0]]


SIZES: dict[str, dict[str, int]] = {
    "breakthrough": {"white w first": 2, "black b first": 2},
    "checkers": {
        "white m first": 8,
        "black M first": 8,
        "white k first": 11,
        "black K first": 11,
        "white k appeared": 1,
        "black K appeared": 1,
    },
    "amazons": {
        "white q first": 10,
        "black Q first": 10,
        "white x appeared": 9,
        "black x appeared": 9,
    },
    "peg-solitaire": {"solver i first": 10},
    "connect-four": {"white . first": 2, "white x appeared": 1},
    "tic-tac-toe": {"x . first": 2, "x x appeared": 1},
    "nine-mens-morris": {"white m first": 2, "white m appeared": 1, "white M later": 2},
    "nine-mens-morris:flying=1": {"black M first": 2, "black M appeared": 1, "black m later": 2},
    "nine-mens-morris, W and B": {"white W first": 2, "white W appeared": 1, "white B later": 2},
    "checkers:continuing=1": {"white m first": 8, "black K first": 11, "white k appeared": 11},
    "checker-bt": {"white m first": 5, "black M first": 5},
    "checker-bt:capturing=1": {"white m first": 7, "black M first": 7},
    "chess-bt": {
        "white P first": 2,
        "white N first": 2,
        "white B first": 6,
        "white R first": 6,
        "white Q first": 10,
        "white K first": 2,
    },
    "five-field-kono": {"white m first": 2, "black M first": 2},
    "asalto": {"soldiers s first": 2, "officers O first": 19},
    "eight-puzzle": {"solver 1 first": 2, "solver 8 first": 2},
    "fifteen-puzzle": {"solver 1 first": 2, "solver F first": 2},
    "graph-game": {"player i first": 2},
}
"""The number of states of some of them, counted by hand."""
