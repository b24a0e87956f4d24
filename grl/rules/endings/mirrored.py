"""Endings said of one player, said of the next as well.

Goals go by seat from the player to move. Where a turn may keep the move or do something to the
opponent's pieces, or there are more than two players, the same line of stones can end the game at
any side's turn, and records may show some of these only.
"""

from __future__ import annotations

from collections.abc import Sequence

from grl.logic.changes import PUSHED
from grl.logic.contents import owner_in
from grl.model import Model, Rule
from grl.rules.features.cases import PositionCase, Setting
from grl.rules.templates.evaluation import covering, mirror


def either_side(model: Model) -> bool:
    """Whether turns may bring about for any player what they do for one."""
    pieces = model.equipment.pieces
    placed = (
        pieces[letter.piece].player not in (automaton.key.mover, None)
        for automaton in model.automata
        for _, letter, _ in automaton.transitions
        if letter.appears
    )
    put = (each.becomes == PUSHED or owner_in(each.becomes) == "opposing" for each in model.effects)
    several = len(model.equipment.players) > 2
    return bool(model.rules and model.rules.control) or several or any(placed) or any(put)


def mirrored_rules(
    setting: Setting, rules: Sequence[Rule], silent: Sequence[PositionCase]
) -> tuple[Rule, ...]:
    """The rules said of the players next in turn order, without those that are among them.

    None covers one of the positions `silent`, of which the rules say nothing. Files and ranks in
    features are those that the owner of a piece sees, so they stay as they are.
    """
    seats = len(setting.equipment.players)
    known = {(frozenset(rule.body), rule.value) for rule in rules}
    found = []
    for rule in rules:
        for by in range(1, seats):
            image = mirror(rule, by, seats)
            if image is None or (frozenset(image.body), image.value) in known:
                continue
            known.add((frozenset(image.body), image.value))
            if not any(map(covering(setting, image.body), silent)):
                found.append(image)
    return tuple(found)
