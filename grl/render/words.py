"""Letters, actions, pieces and roles as words on a picture, and pictures' file names.

Every label keeps the exact text of a letter, ``(1 1 e)``; an arrow before a step shows at a
glance where it goes.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping

from grl.board import EMPTY, Equipment, Player
from grl.model import Role
from grl.turn import Letter

_COMPASS = "→↗↑↖←↙↓↘"
_MAX_PART = 40

ROLE_WORDS: Mapping[Role, str] = {
    Role.FIRST: "starts the turn",
    Role.LATER: "starts a later segment",
    Role.APPEARED: "has just appeared",
}

# Okabe and Ito's palette, which people with colour-blindness can distinguish; its yellow is left
# out, for a thin yellow line can't be seen on white.
_PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")


def player_colour(equipment: Equipment, player: Player) -> str:
    """The colour of a player, by place in the turn order."""
    return _PALETTE[equipment.players.index(player) % len(_PALETTE)]


def tint(colour: str, share: float) -> str:
    """`colour`, given as ``#rrggbb``, mixed with white to `share` of itself."""
    parts = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return "#" + "".join(f"{round(255 - share * (255 - part)):02x}" for part in parts)


def bearing(letter: Letter) -> tuple[float, float] | None:
    """The unit vector of a step, or None for a letter that names no displacement."""
    length = math.hypot(letter.dx, letter.dy)
    return (letter.dx / length, letter.dy / length) if length else None


def letter_text(letter: Letter) -> str:
    """The letter, a step with the nearest of eight arrows before it."""
    if bearing(letter) is None:
        return str(letter)
    return f"{_COMPASS[_turns(letter)]} {letter}"


def _turns(letter: Letter) -> int:
    return round(math.atan2(letter.dy, letter.dx) / (math.pi / 4)) % 8


def letter_lines(letters: Iterable[Letter]) -> tuple[str, ...]:
    """Letters as the lines of one label, those with the same ending together, round the compass."""

    def order(letter: Letter) -> tuple[bool, str, str, float, Letter]:
        angle = math.atan2(letter.dy, letter.dx) % (2 * math.pi)
        still = bearing(letter) is None
        return still, letter.on, letter.piece, angle, letter

    groups: dict[tuple[bool, str, str], list[str]] = {}
    for letter in sorted(letters, key=order):
        groups.setdefault(order(letter)[:3], []).append(letter_text(letter))
    return _wrapped(groups.values())


def action_lines(actions: Iterable[tuple[str, int]]) -> tuple[str, ...]:
    """Transitions of a machine, ``action.position``, as the lines of one label.

    Position 0 stands for the action as a whole and isn't printed.
    """
    return _wrapped([[f"{name}.{at}" if at else name for name, at in sorted(actions)]])


def _wrapped(groups: Iterable[list[str]]) -> tuple[str, ...]:
    """Lines of about twice as many rows as columns; a group begins a new line."""
    chosen = [group for group in groups if group]
    columns = max(1, round(math.sqrt(sum(map(len, chosen)) / 2)))
    return tuple(
        "  ".join(group[start : start + columns])
        for group in chosen
        for start in range(0, len(group), columns)
    )


def piece_words(equipment: Equipment, mover: Player, key: str) -> str:
    """What a square holds, as the mover would say it."""
    if key == EMPTY:
        return "an empty square"
    piece = equipment.pieces.get(key)
    if piece is None:
        return f"piece {key}"
    words = piece.type if piece.type == key else f"{piece.type} ({key})"
    if piece.player is None:
        return f"{words} of nobody"
    return words if piece.player == mover else f"{words} of {piece.player}"


def piece_label(equipment: Equipment, key: str) -> str:
    """A piece by owner and type, such as ``white man``."""
    piece = equipment.pieces[key]
    return plain(
        f"{piece.type} of nobody" if piece.player is None else f"{piece.player} {piece.type}"
    )


def plain(text: str) -> str:
    """`text` with a question mark for whatever can't be printed."""
    return "".join(c if c.isprintable() else "?" for c in text)


def stem(equipment: Equipment, mover: Player, key: str, role: str) -> str:
    """A readable file name without its ending, such as ``white-man-first``; not yet unique."""
    piece = equipment.pieces.get(key)
    parts: list[str] = [mover]
    if key == EMPTY:
        parts.append("empty")
    elif piece is None:
        parts.append("piece")
    else:
        if piece.player is not None and piece.player != mover:
            parts.append(piece.player)
        parts.append(piece.type)
    return "-".join(map(safe_name, [*parts, role]))


def safe_name(text: str) -> str:
    """`text` as part of a file name."""
    plain = unicodedata.normalize("NFC", text)
    return re.sub(r"[\W_]+", "-", plain).strip("-")[:_MAX_PART].strip("-") or "piece"
