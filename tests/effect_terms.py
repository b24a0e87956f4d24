"""Sets of squares that effects change in well-known games, as terms: what operators compose to."""

from __future__ import annotations

from grl.model import Effect

END, PATH, BRINK = ("square", "end1"), ("path",), ("brink",)
OWN, EMPTY = ("lies", "own"), ("lies", "empty")
DIRECTIONS = ("orthogonal", "diagonal", "around")
LENGTHS = ("one", "any")
CLOSERS = ("own", "own or edge")


def prey(*types):
    """Opposing pieces, of these types or of all."""
    found = ("lies", f"opposing:{types[0]}") if types else ("lies", "opposing")
    for kind in types[1:]:
        found = ("either", found, ("lies", f"opposing:{kind}"))
    return found


def enclosed(ways, length, closer, *types):
    """Runs, or single pieces, between the end and a piece of the mover, or the edge."""
    reached = ("behind", OWN)
    if closer == "own or edge":
        reached = ("either", reached, BRINK)
    those = prey(*types)
    if length == "one":
        return ("some_way", ways, ("both", ("both", those, ("ahead", END)), reached))
    runs = ("run", ("ahead", END), those), ("run_up", reached, those)
    return ("some_way", ways, ("both", *runs))


def breathless(nearness, *types):
    """Groups next to the end without an empty neighbour."""
    those = prey(*types)
    groups = [("group", nearness, ("near", nearness, seeds), those) for seeds in (END, EMPTY)]
    return ("without", *groups)


def around(nearness, *types):
    """Neighbours of the end."""
    return ("both", prey(*types), ("near", nearness, END))


def passed(*types):
    """Pieces that the first segment passes over."""
    return ("both", prey(*types), PATH)


MADE = {"enclosed": enclosed, "breathless": breathless, "around": around, "passed": passed}


def effect(where, becomes, *types):
    """The effect on squares that a name with arguments stands for."""
    name, *arguments = where
    return Effect(MADE[name](*arguments, *types), becomes)
