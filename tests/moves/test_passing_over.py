"""Turns that pass over different pieces on the way to one square, where these leave the board."""

from __future__ import annotations

import random

import pytest

from grl.board import Board, Equipment, Piece, Player, Position, make_position
from grl.model import AutomatonKey, Dfa, Effect, Literal, Model, Role, Rule, Rules, StateId
from grl.rulebook import Rulebook
from grl.turn import Letter

A, B = Player("a"), Player("b")
BOARD = Board(5, 5)
EQUIPMENT = Equipment(BOARD, (A, B), {"h": Piece("h", A, "hopper"), "p": Piece("p", B, "prey")})
CORNERS = [s for s in BOARD.squares if s % 5 % 2 == s // 5 % 2 == 0]
BETWEEN = [s for s in BOARD.squares if s % 5 % 2 != s // 5 % 2]
STEPS = (1, 0), (-1, 0), (0, 1), (0, -1)
OVER = ("both", ("lies", "opposing"), ("path",))
ONCE = Rule((Literal(("some", "before", ("both", ("lies", "opposing"), ("crossed",))), True),))


def hopper() -> Dfa:
    """Hops over one opposing piece onto the empty square behind it, again and again, any way."""
    arcs = []
    for way, step in enumerate(STEPS, 1):
        for landed in (0, 5):
            arcs.append((StateId(landed), Letter(*step, "p"), StateId(way)))
        arcs.append((StateId(way), Letter(*step, "e"), StateId(5)))
    key = AutomatonKey(A, "h", Role.FIRST)
    return Dfa(key, 6, tuple(sorted(arcs)), frozenset({StateId(5)}), frozenset())


def model(*restrictions: Rule) -> Model:
    initial = make_position(EQUIPMENT, BOARD.rows("." * BOARD.size), A)
    rules = Rules({A: "identity", B: "identity"}, restrictions)
    return Model(
        "hops", EQUIPMENT, initial, (hopper(),), effects=(Effect(OVER, "removed"),), rules=rules
    )


def hops(position: Position, *, again: bool) -> set[tuple[str, frozenset[str], str]]:
    """Whence, over what and where to, by trying all hops that land nowhere twice.

    A piece may be hopped over `again`, in another direction.
    """
    names, cells = BOARD.names, position.cells
    found = set()

    def go(origin, square, over, landed):
        for dx, dy in STEPS:
            between = BOARD.step(square, dx, dy)
            behind = None if between is None else BOARD.step(between, dx, dy)
            if behind is None or cells[between] != "p" or over.count(between) > again:
                continue
            if behind not in landed and (cells[behind] == "." or behind == origin):
                further = (*over, between)
                found.add((names[origin], frozenset(names[s] for s in further), names[behind]))
                go(origin, behind, further, (*landed, behind))

    for square in BOARD.squares:
        if cells[square] == "h":
            go(square, square, (), ())
    return found


def seen(rulebook: Rulebook, position: Position) -> set[tuple[str, frozenset[str], str]]:
    found = set()
    for turn in rulebook.legal(position):
        if turn.segments:
            first, *others = turn.segments
            end = BOARD.names[first.path(BOARD)[-1]]
            found.add((first.origin, frozenset(each.origin for each in others), end))
    return found


@pytest.mark.parametrize("again", [True, False])
@pytest.mark.parametrize("compiler", ["", "none"])
def test_every_set_of_pieces_that_can_be_passed_is(monkeypatch, compiler, again):
    """A square that is reached over other pieces is reached again, whichever way is tried first."""
    if compiler:
        monkeypatch.setenv("GRL_COMPILER", compiler)
    rulebook = Rulebook(model(*(() if again else (ONCE,))))
    chance, shared = random.Random(5), 0
    for _ in range(20):
        cells = ["."] * BOARD.size
        for square in chance.sample(BETWEEN, chance.randint(5, 7)):
            cells[square] = "p"
        cells[chance.choice(CORNERS)] = "h"
        position = make_position(EQUIPMENT, BOARD.rows("".join(cells)), A)
        wanted = hops(position, again=again)
        assert seen(rulebook, position) == wanted
        shared += len(wanted) - len({(origin, end) for origin, _, end in wanted})
    assert shared > 5
