"""The grammar: a game is board, equipment, start, ways of moving and taking, rules over them.

Each frame draws what it is about; everything else is drawn by weight and combined freely where it
means something. `draw_rules` gives None where what was drawn does not fit together, such as pieces
that find no room.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from . import odd_words as odd
from . import places
from .closings import Turns
from .conditions import Arrived, Few
from .endings import Ending, Fixed, Shared
from .fields import draw_field
from .frames import Hand, Plan, finished
from .hunts import draw_hunt
from .moving import FAR, Army, draw_army, heading, names, pick, quiet_words, side_takings
from .rules import Aftermath, Placing, Rules
from .starts import (
    Start,
    army_start,
    crossed,
    facing_start,
    three_start,
    with_stones,
)
from .table import PLAYERS, PieceType, Table, Word
from .words import Hop, Slide

PLACING_STYLES = {
    "none": 40,
    "reversing": 17,
    "enclosure": 13,
    "pairs": 12,
    "infection": 6,
    "mill": 6,
    "outnumbered": 6,
}
BOTH = (0, 1)


def draw_rules(chance: Random, plan: Plan) -> Rules | None:
    """A game by the plan; None where its parts don't fit together."""
    rules = _DRAWN[plan.frame](chance, plan)
    alike = rules is not None and len({t.words for t in rules.table.types}) < len(
        [t for t in rules.table.types if t.words]
    )
    return None if alike else rules


def _armies(chance: Random, plan: Plan) -> Rules | None:
    """Two armies that fight or race; sometimes what is taken comes back from the hand."""
    field = draw_field(chance, plan.board)
    three = chance.random() < 0.04
    seats = (0, 1, 2) if three else BOTH
    army = draw_army(chance, field, facing=not three, seats=seats)
    types = army.types
    if not three and chance.random() < 0.04:
        ball = PieceType(
            "ball", "o", (Slide(names(field, facing=False)[-1], chance.choice((1, FAR)), "e"),), ()
        )
        types = (*types, ball)
    table = Table(field, PLAYERS[: len(seats)], types)
    start = three_start(chance, table) if three else army_start(chance, table)
    if start is not None and not table.free:
        start = with_stones(chance, field, start, 0.07)
    elif start is not None:
        free = [s for s in places.centre(field).squares[0] if s not in dict(start)]
        start = (*start, (free[0], "o")) if free else None
    prisoners = army.style == "replacement" and army.keeps_stock and chance.random() < 0.3
    hand = _prison(table, army) if prisoners else ()
    if prisoners and not hand:
        return None
    placing = Placing(pick(chance, {"all": 6, "zone": 2, "own": 1}), places.home_part(field))
    goals: tuple[Ending, ...] = ()
    if table.free:
        goal = Ending(Arrived(places.far_rank(field), "o", "ball", 1), Fixed(100, 0))
        goals = (goal,)
    return finished(
        chance,
        plan,
        table,
        start,
        takings=army.takings,
        takes=army.takes,
        hand=hand,
        placing=placing if prisoners else None,
        prisoners=prisoners,
        first=goals,
    )


def _prison(table: Table, army: Army) -> Hand:
    """Empty hands for all types that can be taken; none where types turn to and fro."""
    into = {t.change.into for t in army.types if t.change is not None}
    if any(t.change is not None and t.letter in into for t in army.types):
        return ()
    return tuple(
        (seat, table.key(t, seat), 0)
        for seat, _ in enumerate(table.players)
        for t in army.types
        if not t.royal and t.letter not in into
    )


def _hands(chance: Random, table: Table, *, counted: bool, most: int) -> Hand:
    numbers: list[int | None] = []
    for i, _ in enumerate(table.types):
        number = chance.randint(1, 3) if i else chance.randint(max(2, most // 2), most)
        numbers.append(number if counted else None)
    return tuple(
        (seat, table.key(t, seat), n)
        for seat, _ in enumerate(table.players)
        for t, n in zip(table.types, numbers, strict=True)
    )


def _placing(chance: Random, plan: Plan) -> Rules | None:
    """Pieces are placed and stay."""
    field = draw_field(chance, plan.board)
    players = PLAYERS[: 3 if chance.random() < 0.08 else 2]
    seats = tuple(range(len(players)))
    kinds = [PieceType("stone of one's own", "m", (), seats)]
    if chance.random() < 0.15:
        kinds.append(PieceType("marker", "r", (), seats))
    table = Table(field, players, tuple(kinds))
    style = pick(chance, PLACING_STYLES)
    takings = tuple(side_takings(chance, field, style, placing=True))
    flips = any(t.flips for t in takings)
    counted = not flips and chance.random() < 0.3
    most = max(2, (len(field.squares) - 1) // len(players))
    hand = _hands(chance, table, counted=counted, most=most)
    where = pick(
        chance,
        {
            "all": 60,
            "rests": 12 if field.leaps else 0,
            "own": 6,
            "opposing": 5,
            "any": 8,
            "zone": 3,
        },
    )
    if style == "reversing" and chance.random() < 0.5:
        where = "opposing"
    start: Start = ()
    if style in ("reversing", "infection") and where != "rests":
        start = crossed(field, table)
    start = with_stones(chance, field, start, 0.08)
    return finished(
        chance,
        plan,
        table,
        start,
        takings=takings,
        takes=style != "none",
        hand=hand,
        placing=Placing(where, places.draw_zone(chance, field, facing=len(players) == 2)),
        moves=False,
    )


def _hands_and_moves(chance: Random, plan: Plan) -> Rules | None:
    """Pieces are placed first, or whenever one likes, and move."""
    field = draw_field(chance, plan.board)
    three = chance.random() < 0.05
    seats = (0, 1, 2) if three else BOTH
    army = draw_army(chance, field, facing=not three and chance.random() < 0.4, seats=seats)
    kinds = tuple(t for t in army.types if t.letter != "q")
    into = {t.change.into for t in kinds if t.change is not None}
    kinds = army.types if into else kinds
    table = Table(field, PLAYERS[: len(seats)], kinds)
    placed = Table(field, table.players, tuple(t for t in kinds if t.letter not in into))
    if not army.keeps_stock or not placed.types:
        return None
    most = max(2, min(9, len(field.squares) // (len(seats) + 1)))
    hand = _hands(chance, placed, counted=True, most=most)
    hand = tuple((s, key, 1 if table.kinds[key].royal else n) for s, key, n in hand)
    where = pick(chance, {"all": 70, "zone": 15, "own": 5, "any": 5, "opposing": 5})
    zone = places.home_part(field) if chance.random() < 0.6 else places.edge(field)
    takes_on = pick(chance, {"all": 6, "moves": 3, "placings": 0.5}) if army.takings else "all"
    return finished(
        chance,
        plan,
        table,
        with_stones(chance, field, (), 0.06),
        takings=army.takings,
        takes=army.takes,
        hand=hand,
        placing=Placing(where, zone, first=chance.random() < 0.7),
        takes_on=takes_on,
    )


def _race(chance: Random, plan: Plan) -> Rules | None:
    """Nothing is taken: pieces walk and hop to a camp, or leave the board."""
    field = draw_field(chance, plan.board)
    way = heading(chance, field, facing=True)
    over = chance.choice(("w", "wp", "wp", "p"))
    words: list[Word] = [Slide(way, 1, "e"), Hop(way, over, "none", chain=chance.random() < 0.75)]
    words = words if chance.random() < 0.75 else quiet_words(chance, field, "e", facing=True)
    leaving = chance.random() < 0.35
    if leaving:
        words.append(odd.Leave(places.far_rank(field)))
    if chance.random() < 0.15:
        words.append(odd.Push(way, off=False))
    types = [PieceType("runner", "m", tuple(words), BOTH)]
    table = Table(field, PLAYERS[:2], tuple(types))
    camp = chance.random() < 0.4 and not leaving
    squares = (
        places.in_camp(chance, field)
        if camp
        else places.on_ranks(chance, field)[: field.board.width]
    )
    start = facing_start(chance, table, squares, reflected=not camp and chance.random() < 0.4)
    number = len(squares)
    zone = places.camp(field) if camp else places.far_rank(field)
    if leaving:
        goal = Ending(Few("", "pieces", chance.choice((1, 1, 2))), Fixed(100, 0))
    else:
        needed = min(number, chance.choice((1, 2, 2, 3)), len(zone.squares[0]))
        goal = Ending(Arrived(zone, "", "pieces", needed), Fixed(100, 0))
    first = [goal]
    if plan.endings > 1 and chance.random() < 0.5:
        first.append(Ending(Turns(chance.choice((40, 60, 80))), Shared()))
    return finished(chance, plan, table, start, first=tuple(first))


def _blocking(chance: Random, plan: Plan) -> Rules | None:
    """Moves leave stones behind, and room runs out."""
    field = draw_field(chance, plan.board)
    words = quiet_words(chance, field, "e", facing=chance.random() < 0.2)
    words = [w for w in words if not isinstance(w, odd.Split)]
    if not words:
        return None
    table = Table(field, PLAYERS[:2], (PieceType("walker", "m", tuple(words), BOTH),))
    aftermath = Aftermath(
        pick(chance, {"arrow": 3, "block": 2, "trail": 4}), chance.choice((1, 2, FAR))
    )
    squares = places.scattered(chance, field)[: chance.choice((1, 1, 2, 3))]
    start = facing_start(chance, table, squares)
    return finished(
        chance,
        plan,
        table,
        start,
        aftermath=aftermath,
        endings=plan.endings - 1,
    )


_DRAWN: Mapping[str, Callable[[Random, Plan], Rules | None]] = {
    "armies": _armies,
    "placing": _placing,
    "hands and moves": _hands_and_moves,
    "hunt": draw_hunt,
    "race": _race,
    "blocking": _blocking,
}
