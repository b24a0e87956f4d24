"""The vectorised offer tree against a walk that carries every prefix out, one board at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from random import Random

import numpy as np
import pytest

from grl.board import EMPTY, Board, Equipment, Piece, Player, Position, Square, make_position
from grl.errors import IllegalTurn
from grl.sgrl.offers import Geometry, Node, OfferTree, Scene, characters_of
from grl.sgrl.words import END
from grl.turn import (
    PUT,
    Letter,
    Mismatch,
    Segment,
    Turn,
    carry_out,
    compile_turn,
    hand_of,
)

WHITE, BLACK = Player("white"), Player("black")
PIECES = {
    "m": Piece("m", WHITE, "man"),
    "q": Piece("q", WHITE, "queen"),
    "M": Piece("M", BLACK, "man"),
    "x": Piece("x", None, "arrow"),
}
CASES = 600
APPEARED = "q"


@dataclass
class Case:
    """Positions on one board, a piece whose words are offered there, and some letters."""

    equipment: Equipment
    positions: list[Position]
    holds: str
    appeared: bool
    letters: list[Letter]


def random_case(seed: int) -> Case:
    random = Random(seed)
    width, height = random.randint(2, 4), random.randint(1, 4)
    squares = [Square(i) for i in range(width * height)]
    holes = frozenset(s for s in squares if random.random() < 0.15)
    if len(holes) == len(squares):
        holes = frozenset()
    links = None
    if random.random() < 0.4:
        there = [s for s in squares if s not in holes]
        pairs = [(a, b) for a in there for b in there if a != b]
        links = frozenset(pair for pair in pairs if random.random() < 0.5)
    board = Board(width, height, holes, links)
    stocked = [key for key in "mqx" if random.random() < 0.4]
    equipment = Equipment(board, (WHITE, BLACK), PIECES, frozenset((WHITE, key) for key in stocked))
    positions = []
    for _ in range(random.randint(1, 4)):
        cells = "".join("#" if s in holes else random.choice("...mmqMMx") for s in squares)
        hand = {"white": {key: random.randint(0, 2) for key in stocked}}
        positions.append(make_position(equipment, board.rows(cells), "white", hand))
    steps = [(dx, dy) for dx in (-2, -1, 0, 1, 2) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]
    letters = [Letter(*random.choice(steps), random.choice("eewwppnn")) for _ in range(5)]
    letters += random.sample(
        [
            Letter(0, 0, "d"),
            Letter(0, 0, random.choice("epwn"), fly=True),
            Letter(0, 0, "a", random.choice("qx")),
            Letter(0, 0, "r", random.choice("mx")),
        ],
        3,
    )
    appeared = random.random() < 0.25
    return Case(equipment, positions, random.choice("mqMx."), appeared, letters)


# The readable walk: text-book turns, carried out from the beginning for every single prefix.

Place = tuple[int, str, tuple[str, ...]]
"""The row, the origin, and the squares flown to."""


def carried(case: Case, place: Place, letters: tuple[Letter, ...]) -> tuple[Square, str] | None:
    """Where the hand is after a prefix and the board without it; None where it doesn't fit."""
    row, origin, targets = place
    position = case.positions[row]
    before = (Letter(0, 0, "a", APPEARED),) if case.appeared else ()
    if not before and not letters:
        return position.board.square(origin), position.cells
    turn = Turn((Segment(origin, (*before, *letters), targets),))
    cells = list(position.cells)
    hand = hand_of(position.stock, WHITE)
    if case.appeared and APPEARED in hand:
        hand[APPEARED] += 1
    try:
        program = compile_turn(turn, position.board)
        assert program[-1].code == PUT
        carry_out(
            program[:-1], cells, case.equipment.views[WHITE], set(), hand, case.equipment.pieces
        )
    except (Mismatch, IllegalTurn):
        return None
    return program[-1].square, "".join(cells)


def walk(
    case: Case, places: list[tuple[Place, Square]], letters: tuple[Letter, ...], letter: Letter
) -> Iterator[tuple[Place, Square]]:
    """The places where a prefix fits that is one letter longer."""
    for (row, origin, targets), square in places:
        position = case.positions[row]
        names = position.board.names
        if letter.fly:
            nexts = [(*targets, names[s]) for s in position.board.squares if s != square]
        else:
            nexts = [targets]
        for following in nexts:
            place = (row, origin, following)
            after = carried(case, place, (*letters, letter))
            if after is not None:
                yield place, after[0]


def tree_of(case: Case) -> tuple[OfferTree, list[tuple[Place, Square]]]:
    """The offer tree of a case, and the places where its words begin."""
    boards = []
    begin: list[tuple[Place, Square]] = []
    names = case.equipment.board.names
    for row, position in enumerate(case.positions):
        boards.append(position.cells)
        for square in case.equipment.board.squares:
            if case.appeared or position.cells[square] == case.holds:
                begin.append(((row, names[square], ()), square))
    if case.appeared:
        # Each place is a board of its own: what lies below the piece that has just appeared.
        case.positions = [case.positions[row] for (row, _, _), _ in begin]
        begin = [((i, place[1], ()), square) for i, (place, square) in enumerate(begin)]
        boards = [position.cells for position in case.positions]
    scene = Scene(
        case.equipment,
        Geometry(case.equipment.board),
        WHITE,
        characters_of(boards, case.equipment.board.size),
        [position.stock for position in case.positions],
        [1] * len(boards),
        [True] * len(boards),
    )
    if case.appeared:
        rows = np.array([place[0] for place, _ in begin], dtype=np.int32)
        squares = np.array([square for _, square in begin], dtype=np.int32)
    else:
        rows, squares = scene.holding(case.holds)
    lifted = not case.appeared and case.holds != EMPTY
    return OfferTree(scene, rows, squares, lifted=lifted), begin


def placed(node: Node) -> Counter[tuple[int, int, int]]:
    """Row, origin and hand square of every place of a node, with how often each occurs."""
    begins = node.tree.root.square
    return Counter(
        zip(node.row.tolist(), begins[node.offer].tolist(), node.square.tolist(), strict=True)
    )


def expected(case: Case, places: list[tuple[Place, Square]]) -> Counter[tuple[int, int, int]]:
    board = case.equipment.board
    return Counter((row, board.square(origin), square) for (row, origin, _), square in places)


@pytest.mark.parametrize("first", range(0, CASES, 100))
def test_every_prefix_fits_exactly_where_it_can_be_carried_out(first: int) -> None:
    met: Counter[str] = Counter()
    for seed in range(first, first + 100):
        case = random_case(seed)
        tree, begin = tree_of(case)
        random = Random(-seed)
        todo: list[tuple[Node, tuple[Letter, ...], list[tuple[Place, Square]]]]
        todo = [(tree.root, (), begin)]
        for node, letters, places in todo:
            assert placed(node) == expected(case, places), (seed, letters)
            if len(letters) == 4 or not places or (letters and letters[-1].appears):
                continue
            for letter in random.sample(case.letters, 3 if letters else len(case.letters)):
                flights = sum(x.fly for x in letters) + letter.fly
                if flights > 1 or not doable(letters, letter):
                    continue
                longer = list(walk(case, places, letters, letter))
                todo.append((node.child(letter), (*letters, letter), longer))
                if longer:
                    met["flight" if letter.fly else letter.on] += len(longer)
    assert all(met[kind] > 20 for kind in [*"ewpndar", "flight"]), met


def doable(letters: tuple[Letter, ...], letter: Letter) -> bool:
    """Leaves out a piece that is kept and appears within one word."""
    return not letter.appears or all(x.on != "r" or x.piece != letter.piece for x in letters)


@pytest.mark.parametrize("first", range(0, 120, 60))
def test_words_with_the_same_mark_have_one_number_only_if_they_have_one_effect(first: int) -> None:
    """Numbers that agree by chance would hide words that were never seen."""
    compared = equal = 0
    for seed in range(first, first + 60):
        case = random_case(seed)
        if case.appeared or case.holds == EMPTY:
            continue
        steps = [x for x in case.letters if not x.fly and x.on in "ewpnd"]
        tree, begin = tree_of(case)
        effects: dict[int, list[tuple[int, str]]] = {}
        for word in words_of(steps, 3):
            node = tree.root
            for letter in (*word, END):
                node = node.child(letter)
            numbers = node.effects(np.arange(len(node.offer))).tolist()
            for offer, number in zip(node.offer.tolist(), numbers, strict=True):
                place = begin[offer][0]
                board = landed(case, place, word)
                effects.setdefault(offer, []).append((number, board))
        for results in effects.values():
            for (number, board), (other, other_board) in combinations(results[:40], 2):
                compared += 1
                if number == other:
                    equal += 1
                    assert board == other_board, seed
    assert compared > 300
    assert equal > 20


def words_of(letters: list[Letter], length: int) -> Iterator[tuple[Letter, ...]]:
    layer: list[tuple[Letter, ...]] = [()]
    for _ in range(length):
        layer = [(*word, letter) for word in layer for letter in letters]
        yield from layer


def landed(case: Case, place: Place, word: tuple[Letter, ...]) -> str:
    """The board after a whole word."""
    row, origin, _ = place
    position = case.positions[row]
    cells = list(position.cells)
    program = compile_turn(Turn((Segment(origin, word),)), position.board)
    hand = hand_of(position.stock, WHITE)
    carry_out(program, cells, case.equipment.views[WHITE], set(), hand, case.equipment.pieces)
    return "".join(cells)


def expectation(boards: list[str], silent: set[int], word: list[Letter]) -> float:
    """How often `word` is missed where a man's steps right, and right and up, were seen.

    On the boards `silent` only the step right was seen.
    """
    equipment = Equipment(Board(2, 2), (WHITE, BLACK), PIECES)
    count = len(boards)
    geometry = Geometry(equipment.board)
    characters = characters_of(boards, equipment.board.size)
    scene = Scene(equipment, geometry, WHITE, characters, [()] * count, [1] * count, [True] * count)
    tree = OfferTree(scene, *scene.holding("m"), lifted=True)
    corner = [i for i in range(count) if boards[i].startswith("m") and i not in silent]
    for seen, rows in (([RIGHT, UP], corner), ([RIGHT], list(range(count)))):
        offers = np.array(rows, dtype=np.int32)
        tree.add_sightings((*seen, END), offers, np.ones(len(rows)))
    scene.calibrate()
    node = tree.root
    for letter in (*word, END):
        node = node.child(letter)
    return node.expected


RIGHT, UP = Letter(1, 0, "e"), Letter(0, 1, "e")


def test_a_word_is_not_missed_where_another_word_with_its_effect_was_seen() -> None:
    """Two ways round to one square: the record lists one, and the other is no silence."""
    boards = ["m...", "..m.", "m..."]
    assert expectation(boards, set(), [UP, RIGHT]) == 0.0
    assert expectation(boards, {2}, [UP, RIGHT]) > 0.0
    assert expectation(boards, set(), [RIGHT]) > 0.0
