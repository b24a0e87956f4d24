"""Who moves, whether there is a turn to play, and what a turn could take or reach."""

from __future__ import annotations

from collections.abc import Callable

from grl.board import Player
from grl.logic.contents import NOTHING
from grl.rules.features.cases import PositionCase, Setting, TurnCase
from grl.rules.templates import sorts
from grl.rules.templates.template import Phrases, PositionTest, Template, TurnTest
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


def _among(what: str, squares: Callable[[PositionCase], int]) -> PositionTest:
    """Whether `what` lies on some squares, which are asked for only where there is any."""

    def test(case: PositionCase) -> bool:
        bits = case.bits(what)
        return bool(bits) and bool(bits & squares(case))

    return test


def _could(say: English, seat: int, does: str, what: str) -> Phrases:
    could, thing = f"{say.seat(seat)} could {does}", say.thing(what)
    return f"{could} {thing}", f"{could} no {thing.removeprefix('an ').removeprefix('a ')}"


def _attacked_rules(asp: Definitions, name: str, what: str, seat: int) -> str:
    asp.replies(("attacked", what, seat), seat)
    asp.needs.add("threats")
    return f"""{name}(W) :- mover(W,M), reply_turn(seen(W,{seat}),T), {asp.on(what, "W", "S")},
    reply_changed(seen(W,{seat}),T,S,C), not {name}_still(M,C).
{name}_still(M,C) :- player(M), piece(C,_,_), {asp.of(what, "M", "C")}."""


def _attacked_code(c: Source, what: str, seat: int) -> str:
    c.asks_threats = True
    return (
        f"Set pieces = {c.on(what)};\n"
        "  return set_any(pieces) && "
        f"set_any(set_and(pieces, threats(c->space, c->state, {seat})));"
    )


ATTACKED = Template(
    "attacked",
    (sorts.CONTENT, sorts.SEAT),
    evaluate=lambda setting, what, seat: _among(what, lambda case: case.threats(seat)),
    phrases=lambda say, what, seat: _could(
        say, seat, "occupy" if what == NOTHING else "take", what
    ),
    rules=_attacked_rules,
    code=_attacked_code,
    effort=8,
)
"""Whether a pseudo-legal turn of the player at `seat` would take some `what`."""


def _reached_rules(asp: Definitions, name: str, what: str, seat: int) -> str:
    asp.replies(("reached", what, seat), seat)
    asp.needs.add("halt")
    return f"{name}(W) :- reply_halt(seen(W,{seat}),S), {asp.on(what, 'W', 'S')}."


def _reached_code(c: Source, what: str, seat: int) -> str:
    c.asks_reached = True
    return (
        f"Set pieces = {c.on(what)};\n"
        f"  return set_any(pieces) && reached_by(c->space, c->state, {seat}, pieces);"
    )


REACHED = Template(
    "reached",
    (sorts.CONTENT, sorts.SEAT),
    evaluate=lambda setting, what, seat: _among(what, lambda case: case.reached(seat)),
    phrases=lambda say, what, seat: _could(say, seat, "move onto", what),
    rules=_reached_rules,
    code=_reached_code,
    effort=7,
)
"""Whether a pseudo-legal turn of the player at `seat` would end its first segment on `what`."""


def _exposed(setting: Setting, role: str) -> TurnTest:
    def test(case: TurnCase) -> bool:
        square = case.square(role)
        if square is None:
            return False
        return bool(setting.threats(case.after.position()) & setting.mask((square,)))

    return test


def _exposed_phrases(say: English, role: str) -> Phrases:
    could = f"the next player could change {say.role(role)}"
    return could, could.replace("could", "could not")


def _exposed_rules(asp: Definitions, name: str, role: str) -> str:
    asp.needs |= {"after", "reply 0 after", "threats"}
    seen = "seen(after(W,T),0)"
    return f"""{name}(W,T) :- {asp.role(role)}, reply_turn({seen},U), reply_changed({seen},U,S,C),
    not cell(after(W,T),S,C)."""


def _exposed_code(c: Source, role: str) -> str:
    c.asks_threats = True
    square = c.role(role)
    threats = "threats(l->space, left_by(l, i)->state, 0)"
    return f"return {square} != NONE && set_has({threats}, {square});"


EXPOSED = Template(
    "exposed",
    (sorts.ROLE,),
    evaluate=_exposed,
    phrases=_exposed_phrases,
    rules=_exposed_rules,
    code=_exposed_code,
    effort=9,
)
"""Whether a pseudo-legal turn of the next player would change a square of the turn."""
OF_POSITIONS = (TO_MOVE, STUCK, ATTACKED, REACHED)
OF_TURNS = (EXPOSED,)
