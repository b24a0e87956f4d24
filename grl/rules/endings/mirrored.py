"""Endings said of one player, said of the next as well.

Goals go by seat from the player to move. Where a turn may keep the move, the same line of stones
can end the game at either side's turn, and records may show one of the two only.
"""

from __future__ import annotations

from collections.abc import Sequence

from grl.logic.terms import turned
from grl.model import Literal, Rule
from grl.rules.features.cases import PositionCase, Setting
from grl.rules.features.positions import covering
from grl.rules.features.terms import TERM_TEMPLATES, terms_in

ABSOLUTE = frozenset({"stuck", "passed", "mover", "times", "again", "passes", "since"})
"""Templates that speak of whose turn it is, or of a player by name."""
SEATS = {"filled": 0, "held": 0, "attacked": 1, "reached": 1}
"""Where templates of positions have a seat among their arguments."""


def mirrored_rules(
    setting: Setting, rules: Sequence[Rule], silent: Sequence[PositionCase]
) -> tuple[Rule, ...]:
    """The rules said of the players next in turn order, without those that are among them.

    None covers one of the positions `silent`, of which the rules say nothing. Files and ranks in
    features are those that the owner of a piece sees, so they stay as they are.
    """
    seats = len(setting.equipment.players)
    known = {(rule.body, rule.value) for rule in rules}
    found: dict[Rule, None] = {}
    for rule in rules:
        if any(literal.feature[0] in ABSOLUTE for literal in rule.body):
            continue
        for by in range(1, seats):
            literals = [_mirrored(literal, by, seats) for literal in rule.body]
            body = tuple(literal for literal in literals if literal is not None)
            if len(body) < len(literals):
                continue
            value = tuple(rule.value[(seat - by) % seats] for seat in range(seats))
            if (body, value) not in known and not any(map(covering(setting, body), silent)):
                found[Rule(body, value, support=0, provisional=True)] = None
    return tuple(found)


def _mirrored(literal: Literal, by: int, seats: int) -> Literal | None:
    template, *arguments = literal.feature
    if template in TERM_TEMPLATES:
        later = {term: turned(term, by, seats) for term in terms_in(literal.feature)}
        if None in later.values():
            return None
        datas = {term.data: each.data for term, each in later.items() if each is not None}
        return Literal((template, *(datas.get(a, a) for a in arguments)), literal.holds)

    def renamed(value: object) -> object:
        if isinstance(value, tuple):
            return tuple(map(renamed, value))
        if isinstance(value, str) and value[:1].isdigit():
            return f"{(int(value[0]) + by) % seats}{value[1:]}"
        return value

    place = SEATS.get(template)
    given = [
        (each + by) % seats if number == place and isinstance(each, int) else renamed(each)
        for number, each in enumerate(arguments)
    ]
    return Literal((template, *given), literal.holds)
