"""The game so far: how often positions occurred before, plies since an event, passes.

Templates that ask for it stand in `grl.rules.templates.history`; which of their features a game
gives rise to is said here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from operator import gt
from statistics import fmean

from grl.board import EMPTY
from grl.model import Feature
from grl.rules.features.cases import PositionCase, Setting
from grl.trail import Past

CAPTURE = "capture"
"""A player has fewer pieces on the board than before, or nobody has."""
CHANGE = "change"
"""There are more, or fewer, pieces than before."""
HANDOVER = "handover"
"""It became another player's move."""
SCOPES = ("board", "position")
"""What is compared: what lies where, or that with the pieces in hand and the player to move."""
MOST_COUNTERS = 4
FIRST_PLIES = 4
"""After so many plies no game has just begun."""
MOVER_COST = 1.2
"""What it costs that the player to move has moved last, too: ends are often for who made them."""
LEAST_ENDS = 3
"""So many games have to end at one value of a counter before rules speak of it."""


def times(case: PositionCase, scope: str) -> int:
    """How often a case's board, or position, occurred before."""
    counts, key = case.counts(scope), case.occurrence(scope)
    if case.previous is None:
        return counts.get(key, 0)
    return counts.get(key, 0) + (case.previous.occurrence(scope) == key)


def passes(case: PositionCase, number: int) -> bool:
    """Whether the last turns, so many of them, were passes."""
    turns = case.turns()
    return all(next(turns, "") == "pass" for _ in range(number))


def since(setting: Setting, case: PositionCase, event: str) -> int:
    """The plies since an event; those of the whole game where there was none."""
    after, to_move, plies = case.cells, str(case.to_move), 0
    owners = tuple(map("".join, owned(setting))) if event == CAPTURE else ()
    for past in case.pasts():
        if event == HANDOVER:
            happened = past.to_move != to_move
        else:
            happened = _happened(setting, past, after, event, owners)
        if happened:
            return plies
        after, to_move, plies = past.cells, past.to_move, plies + 1
    return plies


def _happened(
    setting: Setting, past: Past, after: str, event: str, owners: tuple[str, ...]
) -> bool:
    if not event:
        return False
    if event == CHANGE:
        return after.count(EMPTY) != past.cells.count(EMPTY)
    if event == CAPTURE:
        return any(map(gt, _counted(past.cells, owners), _counted(after, owners)))
    if past.turn == "pass":
        return False
    key = past.cells[setting.board.square(past.turn.partition(" ")[0])]
    piece = setting.equipment.pieces.get(key)
    return piece is not None and f"move:{piece.type}" == event


@lru_cache(maxsize=1 << 16)
def _counted(cells: str, owners: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(sum(map(cells.count, keys)) for keys in owners)


def owned(setting: Setting) -> list[list[str]]:
    """The keys of each player's pieces, and of nobody's."""
    found: dict[str | None, list[str]] = {}
    for key, piece in setting.equipment.pieces.items():
        found.setdefault(piece.player, []).append(key)
    return list(found.values())


def events(setting: Setting) -> list[str]:
    """The events that counters begin at; none is the beginning of the game."""
    types = sorted({piece.type for piece in setting.equipment.pieces.values() if piece.player})
    return ["", CAPTURE, CHANGE, HANDOVER, *(f"move:{kind}" for kind in types if len(types) > 1)]


def past_features(
    setting: Setting, ends: Iterable[PositionCase], going: Iterable[PositionCase]
) -> Iterator[tuple[Feature, float]]:
    """What the game so far may have to do with its end, and what that costs.

    Only of what is seen to differ: repetitions and passes among the ends, whose turn led to them,
    counters at whose value several games end.
    """
    ends, going = list(ends), list(going)
    for number in range(2, 5):
        if sum(passes(case, number) for case in ends) >= LEAST_ENDS:
            yield ("passes", number), 1.4 + number / 20
    for scope in SCOPES:
        seen = {times(case, scope) for case in ends}
        for number in sorted(seen - {0})[:MOST_COUNTERS]:
            yield ("times", scope, "<", number), 1.6 + number / 20
    if len({since(setting, case, HANDOVER) < 1 for case in ends}) > 1:
        yield ("since", HANDOVER, "<", 1), MOVER_COST
    for event in events(setting):
        counts: dict[int, int] = {}
        for case in ends:
            value = since(setting, case, event)
            counts[value] = counts.get(value, 0) + 1
        often = sorted(n for n, c in counts.items() if c >= LEAST_ENDS and n > 2)
        if not often:
            continue
        longest = max((since(setting, case, event) for case in going), default=0)
        for number in [n for n in often if n > longest // 2][-MOST_COUNTERS:]:
            yield ("since", event, "<", number), 2.0


def recent(cases: Sequence[PositionCase]) -> Iterator[tuple[Feature, float]]:
    """Whether the last turn captured, moved a piece of some type, or was another player's, where
    some did."""
    for event in events(cases[0].setting) if cases else ():
        feature = ("since", event, "<", 1)
        if event and len({since(case.setting, case, event) < 1 for case in cases}) > 1:
            yield feature, 1.6


def beginnings(
    cases: Sequence[PositionCase], forbidden: Sequence[float]
) -> Iterator[tuple[Feature, float]]:
    """Whether a game has just begun, where more turns are forbidden then than later.

    `forbidden` is the share of the turns of each position that are.
    """
    plies = [since(case.setting, case, "") for case in cases]
    for number in range(1, FIRST_PLIES + 1):
        shares: tuple[list[float], list[float]] = [], []
        for count, share in zip(plies, forbidden, strict=True):
            shares[count < number].append(share)
        if all(shares) and fmean(shares[True]) > fmean(shares[False]):
            yield ("since", "", "<", number), 1.6 + (number - 1) / 20


def repetitions(cases: Iterable[PositionCase]) -> Iterator[tuple[Feature, float]]:
    """Whether a board or a position occurred before, where some did among what turns leave."""
    if any(times(case, "board") for case in cases):
        for scope in SCOPES:
            yield ("times", scope, "<", 1), 1.6
        yield ("again", 2), 2.0
