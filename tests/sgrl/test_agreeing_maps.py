"""Mirror images agree with one another: a map after a map is one that the records bear out."""

from __future__ import annotations

from itertools import product
from math import inf

from grl.model import AutomatonKey, Role
from grl.sgrl.symmetry import DIHEDRAL, agreeing, followed

WHITE, BLACK = AutomatonKey("white", "h", Role.FIRST), AutomatonKey("black", "H", Role.FIRST)
SAME, SIDEWAYS, FLIPPED, TURNED, ASLANT = (*DIHEDRAL[:4], DIHEDRAL[7])


def doubts(known):
    """All maps of two pieces but the identity of each, with infinitely many bits but for those."""
    keys = (WHITE, BLACK)
    maps = product(keys, keys, DIHEDRAL)
    return {each: known.get(each, inf) for each in maps if each[0] != each[1] or each[2] != SAME}


TRUE = {
    (WHITE, WHITE, SIDEWAYS): -1.0,
    (BLACK, BLACK, SIDEWAYS): -1.5,
    **{(*keys, by): -2.0 for keys in ((WHITE, BLACK), (BLACK, WHITE)) for by in (FLIPPED, TURNED)},
}


def test_a_map_that_would_give_a_refuted_one_is_left_out() -> None:
    """A piece that goes ahead and aside was never offered a step back aslant."""
    found = agreeing(doubts({**TRUE, (WHITE, WHITE, ASLANT): -0.5}))

    assert found == {*TRUE, (WHITE, WHITE, SAME), (BLACK, BLACK, SAME)}


def test_the_least_doubtful_maps_stand() -> None:
    found = agreeing(doubts({**TRUE, (WHITE, WHITE, ASLANT): -3.0, (BLACK, BLACK, ASLANT): -3.0}))

    assert (WHITE, WHITE, ASLANT) in found
    assert (WHITE, WHITE, SIDEWAYS) not in found


def test_what_agrees_is_closed() -> None:
    found = agreeing(dict.fromkeys(doubts({}), 0.0))

    assert len(found) == 4 * len(DIHEDRAL)
    found = agreeing(doubts(TRUE))
    assert {(a, d, followed(x, y)) for a, b, x in found for c, d, y in found if b == c} == found
