"""What results say of strength: intervals and Elo differences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from grl.players.arena import Record

NORMAL = 1.959963984540054
"""Standard deviations within which 95 % of a normal distribution lie."""
ROUNDS = 1000
"""Of the search for ratings; a few dozen are enough for players that are not far apart."""


def wilson(score: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a share of points, 0 to 1, after so many games.

    Wilson, Probable inference, the law of succession, and statistical inference (1927). A draw
    counts as half a win and half a loss, which makes the interval wider than draws deserve.
    """
    if not games:
        return 0.0, 1.0
    share, square = score / games, NORMAL**2
    middle = share + square / (2 * games)
    spread = NORMAL * math.sqrt(share * (1 - share) / games + square / (4 * games**2))
    whole = 1 + square / games
    return max(0.0, (middle - spread) / whole), min(1.0, (middle + spread) / whole)


def elo(share: float) -> float:
    """The Elo difference at which a share of the points is expected; infinite at 0 and 1."""
    if share <= 0:
        return -math.inf
    return math.inf if share >= 1 else 400 * math.log10(share / (1 - share))


def rated(names: Sequence[str], results: Sequence[Standing]) -> list[float]:
    """The Elo rating of each player, 0 on average, that makes all results together likeliest.

    Bradley and Terry's model, by the iteration of Hunter, MM algorithms for generalized
    Bradley-Terry models (2004). One more game of each pair, drawn, keeps ratings finite.
    """
    place = {name: number for number, name in enumerate(names)}
    pairs = [(place[r.first], place[r.second], r.games + 1) for r in results]
    points = [0.0] * len(names)
    for result, (a, b, games) in zip(results, pairs, strict=True):
        won = result.share * result.games + 0.5
        points[a] += won
        points[b] += games - won
    strength = [1.0] * len(names)
    for _ in range(ROUNDS):
        met = [0.0] * len(names)
        for a, b, games in pairs:
            for one in (a, b):
                met[one] += games / (strength[a] + strength[b])
        strength = [won / share for won, share in zip(points, met, strict=True)]
        middle = math.prod(strength) ** (1 / len(strength))
        strength = [each / middle for each in strength]
    return [400 * math.log10(each) for each in strength]


@dataclass(frozen=True)
class Standing:
    """What came of the games of two players, as the first of them sees it; `low` and `high` are the
    interval of its share of the points."""

    first: str
    second: str
    won: int
    drawn: int
    lost: int
    low: float
    high: float
    nodes: tuple[int, int]

    @property
    def games(self) -> int:
        """How many they were."""
        return self.won + self.drawn + self.lost

    @property
    def share(self) -> float:
        """The part of the points that the first has."""
        return (self.won + self.drawn / 2) / self.games if self.games else 0.5


def standings(names: Sequence[str], records: Sequence[Record]) -> list[Standing]:
    """For every pair of players what came of their games."""
    found = []
    for a, b in combinations(range(len(names)), 2):
        own = [record for record in records if set(record.seats) == {a, b}]
        points = [each.points if each.seats[0] == a else 1 - each.points for each in own]
        nodes = [sum(each.nodes[each.seats.index(place)] for each in own) for place in (a, b)]
        low, high = wilson(sum(points), len(points))
        found.append(
            Standing(
                names[a], names[b], points.count(1.0), points.count(0.5), points.count(0.0),
                low, high, (nodes[0], nodes[1]),
            )
        )  # fmt: skip
    return found
