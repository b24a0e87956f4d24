"""Kings, rooks and guards on a small board: no king may be left, or castle over, where it is taken.

A king steps to any square beside it, or castles: two squares to the right, and a rook from there
over him. A guard steps down; or it takes a piece on its right, which it steps onto and removes, and
goes on to the square below that. Uppercase pieces are white.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

from grl.board import Board, Equipment, Piece, Player, Position, make_position
from grl.model import AutomatonKey, Dfa, Literal, Model, Role, Rule, Rules, StateId
from grl.rules.features.vocabulary import reached
from grl.turn import Letter

WHITE, BLACK = Player("white"), Player("black")
BOARD = Board(5, 4)
TYPES = {"k": "king", "r": "rook", "g": "guard"}
CASTLING = "a1 (1 0 e) (1 0 e); d1 (-1 0 w) (-1 0 e)"
CASTLINGS = {
    "free": (["....k", ".....", ".....", "K..R."], False, False, False),
    "onto a file of a rook": (["..r.k", ".....", ".....", "K..R."], False, False, True),
    "over a file of a rook": ([".r..k", ".....", ".....", "K..R."], False, True, False),
    "out of a file of a rook": (["r...k", ".....", ".....", "K..R."], True, False, False),
    "behind a guard": ([".r..k", ".....", ".g...", "K..R."], False, False, False),
    "beside a king": ([".....", ".....", "k....", "K..R."], True, True, False),
}
"""Rows; whether the king could be taken before he castles, on the way, and where he then stands."""
STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
AROUND = [way for way in product((-1, 0, 1), repeat=2) if way != (0, 0)]

Arc = tuple[int, Letter, int]


def king() -> tuple[list[Arc], set[int], set[int]]:
    arcs = [(0, Letter(*way, on), 1) for way in AROUND for on in "ep" if (*way, on) != (1, 0, "e")]
    arcs += [(0, Letter(1, 0, "e"), 2), (2, Letter(1, 0, "e"), 3)]
    return arcs, {1, 2}, {3}


def rook() -> tuple[list[Arc], set[int], set[int]]:
    arcs: list[Arc] = []
    for state, way in enumerate(STRAIGHT, 2):
        for source in (0, state):
            arcs += [(source, Letter(*way, "e"), state), (source, Letter(*way, "p"), 1)]
    return arcs, {1, 2, 3, 4, 5}, set()


def guard() -> tuple[list[Arc], set[int], set[int]]:
    down = Letter(0, -1, "e")
    return (
        [(0, down, 1), (0, Letter(1, 0, "p"), 2), (2, Letter(0, 0, "d"), 3), (3, down, 1)],
        {1},
        set(),
    )


def _dfa(
    mover: Player, holds: str, role: Role, arcs: list[Arc], ends: set[int], on: set[int]
) -> Dfa:
    transitions = tuple((StateId(a), letter, StateId(z)) for a, letter, z in sorted(arcs))
    states = 1 + max(max(a, z) for a, _, z in arcs)
    accepting, continuing = (frozenset(map(StateId, some)) for some in (ends, on))
    return Dfa(AutomatonKey(mover, holds, role), states, transitions, accepting, continuing)


def _automata() -> Iterator[Dfa]:
    over = [(0, Letter(-1, 0, "w"), 1), (1, Letter(-1, 0, "e"), 2)]
    for mover, case in ((WHITE, str.upper), (BLACK, str.lower)):
        for key, made in (("k", king), ("r", rook), ("g", guard)):
            yield _dfa(mover, case(key), Role.FIRST, *made())
        yield _dfa(mover, case("r"), Role.LATER, over, {2}, set())


CASTLES = Literal(("segments", "=", 2), True)
TAKEN = Literal(reached("own:king", 1), True)
RULES = Rules(
    dict.fromkeys((WHITE, BLACK), "identity"),
    restrictions=(
        Rule((Literal(("after", reached("opposing:king", 0)), True),)),
        Rule((CASTLES, Literal(("midway", reached("opposing:king", 0)), True))),
        Rule((CASTLES, Literal(("before", TAKEN.feature), True))),
    ),
    endings=(
        Rule((Literal(("stuck", 0), True), TAKEN), (0, 100)),
        Rule((Literal(("stuck", 0), True),), (50, 50)),
    ),
)


def model(rules: Rules = RULES) -> Model:
    """The game as a model."""
    pieces = {}
    for mover, case in ((WHITE, str.upper), (BLACK, str.lower)):
        for key, kind in TYPES.items():
            pieces[case(key)] = Piece(case(key), mover, kind)
    equipment = Equipment(BOARD, (WHITE, BLACK), pieces)
    start = make_position(equipment, ["....k", ".....", ".....", "K..R."], WHITE)
    automata = tuple(sorted(_automata(), key=lambda dfa: dfa.key))
    return Model("castling", equipment, start, automata, segments=2, rules=rules)


def positions(equipment: Equipment, number: int, seed: int) -> Iterator[Position]:
    """Those of `CASTLINGS`, and random ones with kings and up to nine other pieces."""
    for rows, *_ in CASTLINGS.values():
        yield make_position(equipment, rows, WHITE)
    chance = Random(seed)
    for _ in range(number):
        cells = ["K", "k", *chance.choices("RrgGRr", k=chance.randint(1, 9))]
        cells += "." * (BOARD.size - len(cells))
        chance.shuffle(cells)
        yield make_position(equipment, BOARD.rows("".join(cells)), chance.choice((WHITE, BLACK)))
