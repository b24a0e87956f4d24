"""Which position would decide whether a piece may do what records offered too seldom."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grl.board import Board, Square
    from grl.model import Model
    from grl.turn import Letter

LETTER = re.compile(r"\([^)]*\)")
CONTENTS = {
    "e": "{} empty",
    "w": "an own piece on {}",
    "p": "an opponent's piece on {}",
    "n": "a piece of nobody on {}",
}


def wanted(model: Model, key: str, word: str) -> str:
    """A position in words, in which the letters of `word` fit the board; empty if there is none.

    `key` is the text of an automaton's key and `word` as `grl.sgrl.confidence.spell` writes it.
    """
    from grl.board import EMPTY
    from grl.turn import parse_letter

    holds, role = key.split()[-2:]
    letters = [parse_letter(text) for text in LETTER.findall(word)]
    found = min(_walks(model.equipment.board, letters), default=None)
    if found is None:
        return ""
    _, square, contents = found
    name = model.equipment.board.names[square]
    first = f"{name} empty" if holds == EMPTY else f"{holds} on {name}"
    if role == "appeared":
        first = f"{holds} just appeared on {name}"
    parts = [first, *(CONTENTS[on].format(where) for where, on in contents)]
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else parts[0]


Contents = tuple[tuple[str, str], ...]


def _walks(board: Board, letters: Sequence[Letter]) -> list[tuple[int, Square, Contents]]:
    """The squares from which the letters stay on the board, those nearest its middle first.

    With each goes what has to lie where.
    """
    found = []
    for start in board.squares:
        square, contents = start, dict[str, str]()
        for letter in letters:
            if letter.fly:
                contents["some other square"] = letter.on
                continue
            if letter.steps:
                target = board.step(square, letter.dx, letter.dy)
                if target is None:
                    break
                square = target
                if square != start:
                    contents.setdefault(board.names[square], letter.on)
        else:
            off = abs(2 * (start % board.width) + 1 - board.width)
            off += abs(2 * (start // board.width) + 1 - board.height)
            found.append((off, start, tuple(contents.items())))
    return found
