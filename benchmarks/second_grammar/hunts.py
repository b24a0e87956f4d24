"""Games of unequal sides: few strong pieces with a goal against many that hunt or besiege them."""

from __future__ import annotations

from random import Random

from . import conditions, places
from .closings import Turns
from .endings import Ending, Fixed, Shared
from .fields import Field, draw_field
from .frames import Hand, Plan, finished
from .moving import FAR, heading, names, pick
from .rules import Rules
from .starts import siege
from .table import PLAYERS, PieceType, Table, Word
from .takings import Custodial, Enclosure, Taking
from .words import Hop, Leap, Slide


def draw_hunt(chance: Random, plan: Plan) -> Rules | None:
    """One side has few strong pieces and a goal, the other many that hunt or besiege them."""
    field = draw_field(chance, plan.board)
    many_seat = chance.randrange(2)
    few_seat = 1 - many_seat
    tafl = chance.random() < 0.5
    way = heading(chance, field, facing=False)
    takings: tuple[Taking, ...] = ()
    few_words: list[Word]
    many_words: list[Word]
    if tafl:
        hostile = places.corners(field) if chance.random() < 0.4 else None
        runs, royal = chance.random() < 0.15, chance.random() < 0.4
        taken = Custodial("orthogonally", runs, hostile=hostile, royal=royal)
        takings = (taken,) if chance.random() < 0.85 else (Enclosure(),)
        reach = chance.choice((1, FAR, FAR, 2))
        few_words = [Slide(way, chance.choice((reach, 1)), "e")]
        many_words = [Slide(way, reach, "e")]
    else:
        way, reach = names(field, facing=False)[-1], chance.choice((1, 1, 2, FAR))
        hops = chance.random() < 0.6
        few_words = [Slide(way, reach, "e" if hops or chance.random() < 0.5 else "ep")]
        few_words += [Hop(way, "p", "now", chain=chance.random() < 0.6)] if hops else []
        many_words = [Slide(heading(chance, field, facing=True), 1, "e")]
        if field.leaps and chance.random() < 0.15:
            many_words = [Leap("a knight's leap", "e")]
    leader = PieceType("king" if tafl else "fox", "k", tuple(few_words), (few_seat,), royal=True)
    hound = PieceType("hound", "h", tuple(many_words), (many_seat,))
    guards = tafl and chance.random() < 0.8
    guard = PieceType("guard", "g", tuple(many_words), (few_seat,))
    types = (leader, hound, guard) if guards else (leader, hound)
    table = Table(field, PLAYERS[:2], types)
    start = siege(chance, table, guards=guards, many_seat=many_seat)
    takes = bool(takings) or any(
        isinstance(w, Hop) or "p" in getattr(w, "on", "") for w in few_words
    )
    hand: Hand = ()
    if not tafl and chance.random() < 0.15:
        hand = ((many_seat, table.key(hound, many_seat), chance.randint(2, 5)),)
    return finished(
        chance,
        plan,
        table,
        start,
        takings=takings,
        takes=takes,
        hand=hand,
        first=_goals(chance, field, tafl=tafl, takes=takes, few=few_seat)[: plan.endings],
    )


def _goals(
    chance: Random, field: Field, *, tafl: bool, takes: bool, few: int
) -> tuple[Ending, ...]:
    """What either side plays for, the most telling first."""
    many = 1 - few
    goal = pick(
        chance,
        {places.corners: 3, places.edge: 3, places.far_rank: 3, places.side_files: 1},
    )(field)
    escape = Ending(conditions.Arrived(goal, "k", "leader", 1), Fixed(100, 0), (few,))
    caught = Ending(conditions.Few("k", "leaders", 1), Fixed(0, 100), (few,))
    only = chance.random() < 0.5
    trapped = Ending(conditions.Trapped("k", "leaders", only), Fixed(0, 100), (few,))
    least = chance.choice((1, 2, 3))
    beaten = Ending(conditions.Few("h", "hounds", least), Fixed(0, 100), (many,))
    number = Turns(chance.choice((20, 30, 40, 60)))
    found = [caught] if tafl else [trapped] if chance.random() < 0.6 else []
    found += [escape] if chance.random() < 0.75 or not found else []
    found += [beaten] if takes and chance.random() < 0.5 else []
    found += [trapped] if tafl and chance.random() < 0.3 else []
    chance.shuffle(found)
    if chance.random() < 0.35:
        found.append(Ending(number, Shared(chance.choice((None, few, many)))))
    return tuple(found)
