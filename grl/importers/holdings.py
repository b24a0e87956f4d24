"""Which of the numbers that a library prints beside its boards say what players hold.

A number says how many pieces a player still has in hand if it falls by one whenever the player puts
one more piece on the board, and never changes else. A library prints such numbers in the same place
of every text; that they are the ones shows in random games.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

_NUMBER = re.compile(r"(?<![\w.-])[0-9]+(?![\w.])")


class Step(NamedTuple):
    """What one action did: the texts before and after it, and who has how many pieces more."""

    before: str
    after: str
    more: Mapping[str, int]


def holdings_of(steps: Sequence[Step], players: Sequence[str]) -> dict[str, int]:
    """By player the place of the number of pieces in hand among all numbers of a text.

    Nothing where not every player has one, or texts differ in how many numbers they print.
    """
    counted = [(numbers_of(step.before), numbers_of(step.after), step.more) for step in steps]
    if len({len(some) for before, after, _ in counted for some in (before, after)}) != 1:
        return {}
    found: dict[str, int] = {}
    for player in players:
        falls = [max(0, more.get(player, 0)) for _, _, more in counted]
        for place in range(len(counted[0][0])):
            changes = [before[place] - after[place] for before, after, _ in counted]
            if any(falls) and changes == falls:
                found[player] = place
                break
    return found if len(found) == len(players) == len(set(found.values())) else {}


def numbers_of(text: str) -> list[int]:
    """The whole numbers of a text."""
    return [int(number) for number in _NUMBER.findall(text)]
