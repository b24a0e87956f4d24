"""What all frames share: the plan of a game, and the rules over what a frame has drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from .endings import Ending
from .fields import KINDS
from .moving import pick
from .rules import Aftermath, Placing, Rules
from .rulings import (
    Sketch,
    draw_control,
    draw_endings,
    draw_no_turn,
    draw_passing,
    draw_restrictions,
)
from .starts import Start
from .table import Table
from .takings import Taking

FRAMES: Mapping[str, int] = {
    "armies": 42,
    "placing": 19,
    "hands and moves": 14,
    "hunt": 12,
    "race": 7,
    "blocking": 6,
}
"""The broad ways in which the world's games are played, with their weights."""
NUMBER_OF_RESTRICTIONS = {0: 22, 1: 36, 2: 27, 3: 15}
NUMBER_OF_ENDINGS = {1: 42, 2: 38, 3: 20}
Hand = tuple[tuple[int, str, int | None], ...]


@dataclass(frozen=True)
class Plan:
    """The outline of a game, drawn first so that screening does not prefer simple games."""

    frame: str
    board: str
    restrictions: int
    endings: int


def draw_plan(chance: Random) -> Plan:
    """An outline by the weights."""
    return Plan(
        pick(chance, FRAMES),
        pick(chance, KINDS),
        pick(chance, NUMBER_OF_RESTRICTIONS),
        pick(chance, NUMBER_OF_ENDINGS),
    )


def finished(
    chance: Random,
    plan: Plan,
    table: Table,
    start: Start | None,
    *,
    takings: tuple[Taking, ...] = (),
    takes: bool = False,
    hand: Hand = (),
    placing: Placing | None = None,
    prisoners: bool = False,
    aftermath: Aftermath | None = None,
    moves: bool = True,
    takes_on: str = "all",
    first: tuple[Ending, ...] = (),
    endings: int | None = None,
) -> Rules | None:
    """The rules over what is drawn already; None where there is no start or no room.

    `first` are endings that stand already, `endings` is how many there shall be, by the plan as a
    rule.
    """
    if start is None or len(start) >= len(table.field.squares):
        return None
    own = sum(table.owners.get(key) == 0 for _, key in start)
    held = [n for seat, _, n in hand if seat == 0]
    pieces = 0 if None in held else own + sum(n or 0 for n in held)
    sketch = Sketch(
        chance,
        table.field,
        table.types,
        facing=len(table.players) == 2,
        takes=takes,
        moves=moves,
        places=bool(hand),
        pieces=pieces,
    )
    passing = draw_passing(sketch)
    return Rules(
        plan.frame,
        table,
        start,
        hand,
        placing or Placing(),
        takings,
        takes_on,
        prisoners,
        aftermath,
        draw_restrictions(sketch, plan.restrictions),
        draw_endings(sketch, passing, plan.endings if endings is None else endings, first),
        draw_no_turn(sketch),
        draw_control(sketch),
        passing,
    )
