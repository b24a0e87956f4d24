"""How much there is of what: numbers of pieces, leads, areas and groups, and who has more of them.

Numbers and leads are those that occur in the positions given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial, reduce
from itertools import combinations, permutations, product
from operator import sub
from typing import Any

from grl.logic.contents import contents_by_player, exactly, held_contents, of_type, owner_at
from grl.logic.grid import WAYS_OF
from grl.logic.ops.groups import HEADS, LARGEST
from grl.logic.ops.lines import BEGUN
from grl.logic.ops.places import lies
from grl.logic.ops.sets import AREA, EITHER, WITHOUT
from grl.logic.rows import Rows
from grl.logic.terms import Term, make
from grl.model import Feature
from grl.rules.features.cases import PositionCase, Setting
from grl.rules.features.terms import IN_HAND, Held, size, sizes
from grl.rules.features.vocabulary import Priced

MOST_NUMBERS = 12
EXACTLY = 0.1
"""What it costs to say of the smallest number that occurs that there are no fewer: who may not have
just one piece may not have none, though no record shows it."""
ANYBODYS = 0.3
"""What it adds to the cost of a number that pieces are counted whoever has them."""
WHOLE_COST = 1.8
"""What comparing players by what their pieces make together costs, but for areas."""
LONGEST_LINE = 5
"""Lines of up to so many pieces are counted."""
MOST_LEADS = 40
"""By so many numbers of squares areas may differ."""


def number_features(
    setting: Setting, cases: Sequence[PositionCase], *, hands: bool
) -> Iterator[Priced]:
    """Numbers of pieces and leads, those that occur; and comparisons of numbers."""
    contents = contents_by_player(setting.equipment)
    pieces = sorted(setting.equipment.pieces.items())
    names = contents + [exactly(key) for key, piece in pieces if piece.player is not None]
    on_board = {each: [case.bits(each).bit_count() for case in cases] for each in names}
    keyed = {each: 0.4 if each[0] == "=" else 0.0 for each in names}
    amounts: dict[Term | Held, tuple[float, list[int]]]
    amounts = {lies(each): (keyed[each], seen) for each, seen in on_board.items()}
    zones = sorted(IN_HAND, reverse=True) if hands else []
    for zone, each in product(zones, names):
        amounts[zone, each] = keyed[each], [case.held(zone, each) for case in cases]
    for each in held_contents(setting.equipment) if hands else ():
        amounts["hand", each] = 0.0, [case.held("hand", each) for case in cases]
    for shared, those in types_shared(setting):
        seen = [sum(column) for column in zip(*(on_board[each] for each in those), strict=True)]
        amounts[shared] = ANYBODYS, seen
    for what, (extra, seen) in amounts.items():
        numbers = sorted(set(seen))
        if len(numbers) < 2:
            continue
        low, high = numbers[:MOST_NUMBERS], numbers[-MOST_NUMBERS:]
        least = numbers[0]
        below = {number: number for number in {*low, *high} - {least}}
        if least:
            below[least + 1] = least
        for number in sorted({*low, *high}):
            exactly_least = EXACTLY if number == least > 0 else 0.0
            yield Priced(size("now", what, "=", number), _counted(number) + extra + exactly_least)
        for number, as_cheap in sorted(below.items()):
            yield Priced(size("now", what, "<", number), _counted(as_cheap) + extra)
    owners = [each for each in contents if ":" not in each]
    players = [each for each in owners if each != "neutral"]
    yield from _comparisons(partial(sizes, "now"), list(map(lies, players)))
    for zone in zones:
        yield from _comparisons(partial(sizes, "now"), [(zone, each) for each in players])
    held = [each for each in held_contents(setting.equipment) if ":" not in each] if hands else []
    yield from _comparisons(partial(sizes, "now"), [("hand", each) for each in held])
    for one, other in permutations(owners, 2):
        leads = set(map(sub, on_board[one], on_board[other]))
        for least in sorted(lead for lead in leads if lead > 1)[-MOST_NUMBERS:]:
            fewer, more = lies(other), lies(one)
            yield Priced(sizes("now", fewer, "<", more, least - 1), 1.8 + min(least / 20, 0.8))


def types_shared(setting: Setting) -> Iterator[tuple[Term, list[str]]]:
    """For each type that all players have the pieces of that type, and their contents."""
    players = setting.equipment.players
    owners = [owner_at(seat, len(players)) for seat in range(len(players))]
    pieces = setting.equipment.pieces.values()
    having = {player: {each.type for each in pieces if each.player == player} for player in players}
    shared = set.intersection(*having.values()) if len(players) > 1 else set()
    if len(set.union(*having.values())) > 1:
        for kind in sorted(shared):
            those = [of_type(owner, kind) for owner in owners]
            yield reduce(partial(make, EITHER), map(lies, those)), those


def _counted(number: int) -> float:
    """What it costs to say a number of pieces."""
    return 1.4 + min(number / 20, 0.8)


def area_features(setting: Setting, ends: Sequence[PositionCase]) -> Iterator[Priced]:
    """Who has more area, and between two players by how much, with the leads of some positions; who
    encloses more, and who has more groups, a larger one, or more lines."""
    adjacency = "links" if "links" in setting.near else "orthogonal"
    for near in touching(setting):
        for number, each in enumerate(zip(*(wholes(near, o) for o in setting.owners), strict=True)):
            usual = near == adjacency and not number
            yield from _comparisons(partial(sizes, "now"), each, 1.6 if usual else WHOLE_COST)
    for lines in zip(*(lines_made(setting, owner) for owner in setting.owners), strict=True):
        yield from _comparisons(partial(sizes, "now"), lines, WHOLE_COST)
    areas = [wholes(adjacency, owner)[0] for owner in setting.owners]
    if len(areas) != 2 or not ends:
        return
    mine, theirs = areas
    rows = Rows(setting.equipment, setting.grid, [case.ground() for case in ends])
    ahead = rows.size(mine) - rows.size(theirs)
    for fewer, more, leads in ((theirs, mine, ahead), (mine, theirs, -ahead)):
        for least in sorted(set(leads[leads > 1].tolist()))[:MOST_LEADS]:
            yield Priced(sizes("now", fewer, "<", more, least - 1), 1.8 + min(least / 20, 0.8))


def touching(setting: Setting) -> list[str]:
    """The notions of neighbours by which pieces make something together: links alone, if any."""
    return ["links"] if "links" in setting.near else sorted(setting.near)


def wholes(adjacency: str, owner: str) -> tuple[Term, ...]:
    """What a player's pieces make together: their area, what of it is empty, the largest group, and
    a square of each group."""
    pieces = lies(owner)
    area = make(AREA, adjacency, pieces)
    return (
        area,
        make(WITHOUT, area, pieces),
        make(LARGEST, adjacency, pieces),
        make(HEADS, adjacency, pieces),
    )


def lines_made(setting: Setting, owner: str) -> list[Term]:
    """The straight lines of some lengths that a player's pieces make."""
    board = setting.board
    lengths = range(3, min(LONGEST_LINE, max(board.width, board.height)) + 1)
    return [make(BEGUN, ways, n, lies(owner)) for ways in WAYS_OF for n in lengths]


def _comparisons(
    asked: Callable[..., Feature], things: Sequence[Any], cost: float = 1.6
) -> Iterator[Priced]:
    for one, other in combinations(things, 2):
        yield Priced(asked(one, "=", other), cost)
        yield Priced(asked(one, "<", other), cost)
        yield Priced(asked(other, "<", one), cost)
