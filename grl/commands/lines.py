"""Boards and turns as a person at a terminal reads them: colours, short names, variations."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import click

from grl.board import board_lines, file_name, hand_lines
from grl.notation import short_names

if TYPE_CHECKING:
    from grl.board import Position, Square
    from grl.rulebook import Rulebook
    from grl.turn import Turn

COLOURS = ("yellow", "cyan", "magenta", "green")
"""Of the players' pieces, in turn order."""
NAMED = 100
"""Of more turns than these no short names are sought."""


def coloured(position: Position, last: Collection[Square] = ()) -> str:
    """A position for people, with colours that `click.echo` leaves out but on a terminal: the
    players' pieces, and the squares of the last turn in reverse."""
    board, equipment = position.board, position.equipment
    lines = board_lines(position.rows)
    if "NO_COLOR" in os.environ:
        return "\n".join([*lines, *hand_lines(position.reserve)])
    side = len(str(board.height)) + 2
    wide = max(len(file_name(x + 1)) for x in range(board.width)) + 1
    marked = {board.names[square] for square in last}
    for y, row in enumerate(position.rows):
        line = lines[y][:side]
        for x, cell in enumerate(row):
            piece = equipment.pieces.get(cell)
            owner = None if piece is None else piece.player
            fg = None if owner is None else COLOURS[equipment.players.index(owner) % len(COLOURS)]
            name = f"{file_name(x + 1)}{board.height - y}"
            plain = fg is None and name not in marked
            shown = cell if plain else click.style(cell, fg=fg, bold=True, reverse=name in marked)
            line += shown + " " * (wide - 1)
        lines[y] = line.rstrip()
    return "\n".join([*lines, *hand_lines(position.reserve)])


def touched(before: Position, turn: Turn, after: Position) -> set[Square]:
    """The squares on which a turn began and those where something else lies after it."""
    board = before.board
    changed = {square for square in board.squares if before.cells[square] != after.cells[square]}
    start = turn.start(board)
    return changed if start is None else {*changed, start}


def named(position: Position, turns: Sequence[Turn], wanted: Sequence[Turn]) -> dict[Turn, str]:
    """Short names of some of the legal turns, where there are not too many for that."""
    if len(turns) > NAMED:
        return {turn: str(turn) for turn in wanted}
    return short_names(position, turns, wanted)


def variation(rulebook: Rulebook, position: Position, line: Sequence[str]) -> str:
    """Turns one after the other from a position, by short names."""
    said = []
    for text in line:
        turns = rulebook.legal(position)
        turn = next(turn for turn in turns if str(turn) == text)
        said.append(named(position, turns, [turn])[turn])
        position = rulebook.after(position, turn)
    return " ".join(f"'{name}'" if " " in name else name for name in said)
