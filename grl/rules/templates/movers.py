"""Who moves, and whether there is a turn to play."""

from __future__ import annotations

from grl.board import Player
from grl.rules.features.cases import PositionCase, Setting
from grl.rules.templates import sorts
from grl.rules.templates.template import Phrases, PositionTest, Template
from grl.rules.templates.writers import Definitions, English, Source

TO_MOVE = Template(
    "mover",
    (sorts.PLAYER,),
    evaluate=lambda setting, player: lambda case: case.to_move == player,
    phrases=lambda say, player: (f"{player} is to move", f"{player} is not to move"),
    rules=lambda asp, name, player: f"{name}(W) :- mover(W,{asp.names.player[Player(player)]}).",
    code=lambda c, player: f"return {c.me} == {[*map(str, c.players)].index(player)};",
    absolute=True,
)
"""Whether it is this player's turn."""


def _stuck(setting: Setting, seat: int) -> PositionTest:
    def test(case: PositionCase) -> bool:
        if case.stuck is not None:
            return case.stuck(seat)
        return setting.stuck is not None and setting.stuck(case, seat)

    return test


def _stuck_phrases(say: English, seat: int) -> Phrases:
    who = say.seat(seat)
    return f"{who} has no turn to play", f"{who} has a turn to play"


def _stuck_rules(asp: Definitions, name: str, seat: int) -> str:
    """Asked of the position on the board alone: what a turn leaves has no turns yet."""
    asp.needs.add(f"stuck {seat}" if seat else "able")
    world = f"seat({seat})" if seat else "now"
    return f"{name}(now) :- position(now), not able({world})."


def _stuck_code(c: Source, seat: int) -> str:
    c.asks_stuck = True
    return (
        f"if (!c->stuck[{seat}]) "
        f"c->stuck[{seat}] = (u8)(1 + is_stuck(c->space, c->state, {seat}, c->before ? 1 : 2));\n"
        f"  return c->stuck[{seat}] == 2;"
    )


STUCK = Template(
    "stuck",
    (sorts.SEAT,),
    evaluate=_stuck,
    phrases=_stuck_phrases,
    rules=_stuck_rules,
    code=_stuck_code,
    effort=9,
    absolute=True,
)
"""Whether the player at `seat`, were it their turn, has none but a pass."""


OF_POSITIONS = (TO_MOVE, STUCK)
