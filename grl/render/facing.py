"""Places for an automaton with a second centre, such as where a jumping king lands and jumps on.

From that state arms lead in as many directions as from the start, and come back to it. Drawn like
a star, with the second centre somewhere outside, half of its arrows would have to go around the
page; so the two centres face one another and the arms lie between them, one below the other, those
that lead up the board at the top.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from grl.model import Dfa

Point = tuple[float, float]

LEAST_ARMS = 3
"""Two arms leave room enough for a second centre beyond them."""
_BETWEEN = 104.0
_ACROSS = 330.0
_AHEAD = 170.0
_NEAREST = 0.58
_ASIDE = 0.28
_BELOW = 90.0
_BEYOND = 190.0


def second_centre(dfa: Dfa, headings: Mapping[int, Point]) -> int | None:
    """The one state without a heading from which arms lead in three directions or more, if any."""
    arms: dict[int, set[Point]] = {}
    for source, _, target in dfa.transitions:
        if source not in headings and source != 0 and target in headings:
            arms.setdefault(source, set()).add(_rounded(headings[target]))
    found = [state for state, ways in sorted(arms.items()) if len(ways) >= LEAST_ARMS]
    return found[0] if len(found) == 1 else None


def facing_places(
    dfa: Dfa, centre: int, headings: Mapping[int, Point], depth: Mapping[int, int]
) -> tuple[Point, ...]:
    """A place for every state: the start on the left, `centre` on the right, arms between them."""
    arms: dict[Point, list[int]] = {}
    for state in sorted(headings, key=lambda state: (depth[state], state)):
        arms.setdefault(_rounded(headings[state]), []).append(state)
    rows = sorted(arms, key=lambda way: (-way[1], way[0]))
    high = _BETWEEN * (len(rows) - 1)
    across = max(_ACROSS, 0.55 * high)
    right = across + max(_AHEAD, 0.33 * high)
    placed: dict[int, Point] = {0: (0.0, 0.0), centre: (right, 0.0)}
    for number, way in enumerate(rows):
        # The first state of an arm stands on a ray from the centre, in one column with those of
        # the other arms; the further ones come back beside the ray, which stays free.
        y = high / 2 - _BETWEEN * number
        length = math.hypot(across, y)
        aside = _ASIDE * _BETWEEN * across / length
        chain = arms[way]
        for at, state in enumerate(chain):
            share = 1 - (1 - _NEAREST) * at / max(1, len(chain) - 1)
            off = aside if at else 0.0
            placed[state] = (
                right - share * across - off * y / length,
                share * y - off * across / length,
            )
    beside = [0, 0]
    for state in range(dfa.size):
        if state not in placed:
            side = int(not _only_from_start(dfa, state))
            x = right + _BEYOND if side else -_BEYOND
            placed[state] = (x, -_BELOW * beside[side])
            beside[side] += 1
    return tuple(placed[state] for state in range(dfa.size))


def _only_from_start(dfa: Dfa, state: int) -> bool:
    return all(source == 0 for source, _, target in dfa.transitions if target == state)


def _rounded(way: Sequence[float]) -> Point:
    turn = round(math.atan2(way[1], way[0]) / (math.pi / 16)) * (math.pi / 16)
    return round(math.cos(turn), 6) + 0.0, round(math.sin(turn), 6) + 0.0
