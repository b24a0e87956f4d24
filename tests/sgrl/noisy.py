"""Records with slips: turns replaced by others that still fit the position they are played in."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

from grl import games
from grl.board import Position
from grl.errors import GrlError
from grl.turn import Turn, play


def corrupt(source: Path, target: Path, spec: str, share: float, seed: int) -> dict[str, int]:
    """Copy a file of single moves, a `share` of its turns corrupted: a wrong square or letter.

    The rest of the game stays as it was written, so it may break off there. Returns for each
    game with a slip the ply, from 1, of its first.
    """
    rng = Random(seed)
    initial = games.load(spec).initial
    header, *lines = source.read_text().splitlines()
    slips: dict[str, int] = {}
    written = [header]
    for line in lines:
        record = json.loads(line)
        position: Position | None = initial
        for ply, item in enumerate(record["turns"], 1):
            if position is not None and rng.random() < share:
                slip = _slip(position, item["turn"], rng)
                if slip is not None:
                    item["turn"] = slip
                    slips.setdefault(record["id"], ply)
            position = position and _after(position, item["turn"])
        written.append(json.dumps(record))
    target.write_text("\n".join(written) + "\n")
    return slips


def _after(position: Position, text: str) -> Position | None:
    try:
        return play(position, Turn.parse(text))
    except GrlError:
        return None


def _slip(position: Position, text: str, rng: Random) -> str | None:
    """Another turn that fits, one square or one letter away; None where chance finds none."""
    square, *letters = text.replace(") (", ")|(").replace(" (", "|(", 1).split("|")
    for _ in range(100):
        if rng.random() < 0.5:
            words = [rng.choice(position.board.names), *letters]
        else:
            at = rng.randrange(len(letters))
            letter = f"({rng.randint(-1, 1)} {rng.randint(-1, 1)} {rng.choice('ewp')})"
            words = [square, *letters[:at], letter, *letters[at + 1 :]]
        slip = " ".join(words)
        if slip != text and _after(position, slip) is not None:
            return slip
    return None
