"""Positions as the fluents of exported programs."""

from __future__ import annotations

from grl.board import Position
from grl.rules.asp.definitions import passed, recalled, recalled_own
from grl.rules.asp.naming import Names
from grl.rules.features.cases import PositionCase, Setting
from grl.rules.features.past import passes


def fluents_of(position: Position, setting: Setting, needs: set[str]) -> list[str]:
    """The fluents of a position, as terms; of its history only what is in `needs`."""
    names = Names(position.equipment)
    width = position.board.width

    def place(square: int) -> str:
        return f"{square % width + 1},{square // width + 1}"

    found = [f"cell({place(s)},{names.cell(position.cells[s])})" for s in position.board.squares]
    found.append(f"control({names.player[position.to_move]})")
    found += [
        f"hand({names.player[p]},{names.piece[key]},{count})" for p, key, count in position.stock
    ]
    if "moved" in needs:
        found += [f"moved({place(s)})" for s in sorted(position.moved)]
    case = PositionCase.of(setting, position)
    for role, back in recalled(needs):
        square = case.last_squares(back).get(role)
        if square is not None:
            found.append(f"last({role},{back},{place(square)})")
    for role in recalled_own(needs):
        for player in position.equipment.players:
            square = case.own_squares(player).get(role)
            if square is not None:
                found.append(f"own({role},{names.player[player]},{place(square)})")
    return found + [f"passed({number})" for number in passed(needs) if passes(case, number)]
