"""Turns that pass over different pieces on the way to one square, where these leave the board."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from grl.board import Board, Equipment, Piece, Player, Position, make_position
from grl.engine.engine import compiled
from grl.engine.native import Native
from grl.model import AutomatonKey, Dfa, Effect, Literal, Model, Role, Rule, Rules, StateId
from grl.moves.compiled import CompiledSearcher
from grl.moves.crossing import crossing_limit, crossings, may_cross
from grl.moves.search import Searcher
from grl.rulebook import Rulebook
from grl.turn import Letter

A, B = Player("a"), Player("b")
BOARD = Board(5, 5)
EQUIPMENT = Equipment(BOARD, (A, B), {"h": Piece("h", A, "hopper"), "p": Piece("p", B, "prey")})
CORNERS = [s for s in BOARD.squares if s % 5 % 2 == s // 5 % 2 == 0]
BETWEEN = [s for s in BOARD.squares if s % 5 % 2 != s // 5 % 2]
STEPS = (1, 0), (-1, 0), (0, 1), (0, -1)
OVER = ("both", ("lies", "opposing"), ("path",))
ONCE = Rule((Literal(("some", "before", ("both", ("crossed",), ("lies", "opposing"))), True),))
SPELLED = Rule((Literal(("some", "before", ("both", ("lies", "opposing"), ("crossed",))), True),))
"""The same rule as no search knows it: it judges turns that were found without it."""


def hopper(*, states: int = 6) -> Dfa:
    """Hops over one opposing piece onto the empty square behind it, again and again, any way.

    With 9 `states` it knows by which way it has come, so that it may come to a square by each.
    """
    landings = range(5, states)
    arcs = []
    for way, step in enumerate(STEPS):
        over = StateId(1 + way)
        for landed in (0, *landings):
            arcs.append((StateId(landed), Letter(*step, "p"), over))
        arcs.append((over, Letter(*step, "e"), StateId(landings[way % len(landings)])))
    key = AutomatonKey(A, "h", Role.FIRST)
    return Dfa(key, states, tuple(sorted(arcs)), frozenset(map(StateId, landings)), frozenset())


def model(*restrictions: Rule, crossings: int | None = None) -> Model:
    initial = make_position(EQUIPMENT, BOARD.rows("." * BOARD.size), A)
    rules = Rules({A: "identity", B: "identity"}, restrictions)
    return Model(
        "hops", EQUIPMENT, initial, (hopper(),), effects=(Effect(OVER, "removed"),), rules=rules,
        crossings=crossings,
    )  # fmt: skip


def hops(position: Position, again: int | None) -> set[tuple[str, frozenset[str], str]]:
    """Whence, over what and where to, by trying all hops that land nowhere twice.

    Where so many hops may be `again` over a piece, in another direction, they may come back to
    where they have landed if another piece has been passed over since.
    """
    names, cells = BOARD.names, position.cells
    found = set()

    def go(origin, square, over, landed):
        for dx, dy in STEPS:
            between = BOARD.step(square, dx, dy)
            behind = None if between is None else BOARD.step(between, dx, dy)
            if behind is None or cells[between] != "p":
                continue
            further = (*over, between)
            if again is not None and len(further) - len({*further}) > again:
                continue
            came = behind, 0 if again is None else len({*further})
            if came not in landed and (cells[behind] == "." or behind == origin):
                found.add((names[origin], frozenset(names[s] for s in further), names[behind]))
                go(origin, behind, further, (*landed, came))

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


def boards(chance: random.Random, number: int, least: int = 5) -> Iterator[Position]:
    """A hopper among prey, of which there are `least` or up to two more."""
    for _ in range(number):
        cells = ["."] * BOARD.size
        for square in chance.sample(BETWEEN, chance.randint(least, least + 2)):
            cells[square] = "p"
        cells[chance.choice(CORNERS)] = "h"
        yield make_position(EQUIPMENT, BOARD.rows("".join(cells)), A)


@pytest.mark.parametrize(
    ("hopping", "again"),
    [(model(), None), (model(ONCE), 0), (model(crossings=1), 1)],
    ids=["freely", "once", "followed"],
)
@pytest.mark.parametrize("compiler", ["", "none"])
def test_every_set_of_pieces_that_can_be_passed_is(monkeypatch, compiler, hopping, again):
    """A square that is reached over other pieces is reached again, whichever way is tried first."""
    if compiler:
        monkeypatch.setenv("GRL_COMPILER", compiler)
    rulebook = Rulebook(hopping)
    shared = 0
    for position in boards(random.Random(5), 20):
        wanted = hops(position, again)
        assert seen(rulebook, position) == wanted
        shared += len(wanted) - len({(origin, end) for origin, _, end in wanted})
    assert shared > 5


@pytest.mark.parametrize(
    ("restrictions", "limit"), [((ONCE, SPELLED), 0), ((SPELLED, ONCE), None), ((), None)]
)
def test_a_rule_is_known_to_the_search_that_follows_it(restrictions, limit):
    assert crossing_limit(model(*restrictions)) == limit


@pytest.mark.parametrize("most", [0, 1, 2])
def test_searches_follow_no_turn_that_passes_too_many_pieces_again(most):
    """What is left are the turns that pass so few, of those that a higher bound lets through."""
    free = replace(model(), automata=(hopper(states=9),), crossings=3)
    bounded = replace(free, crossings=most)
    native = compiled(bounded)
    searches = [Searcher(bounded).spellings, CompiledSearcher(bounded).spellings]
    fewer = 0
    for position in boards(random.Random(5), 12, 6):
        turns = [each.turn for each in Searcher(free).spellings(position)]
        wanted = [turn for turn in turns if crossings(BOARD, turn.segments[0]) <= most]
        for search in searches:
            assert [each.turn for each in search(position)] == wanted
        if isinstance(native, Native):
            assert {each.chosen for each in native.spellings(position)} == set(wanted)
        fewer += len(wanted) < len(turns)
    assert fewer


def test_letters_show_whether_a_piece_may_be_passed_again():
    ahead = replace(hopper(), transitions=tuple(x for x in hopper().transitions if x[1].dx > 0))
    assert may_cross(model())
    assert not may_cross(replace(model(), automata=(ahead,)))
