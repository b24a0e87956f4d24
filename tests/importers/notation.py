"""Games written in square numbers by tables written by hand, for the importers to read back."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

from grl import games
from grl.generate import generate
from grl.importers import FORMATS, Imports

_FROM_THE_RIGHT = (
    "g1 e1 c1 a1 h2 f2 d2 b2 g3 e3 c3 a3 h4 f4 d4 b4 "
    "g5 e5 c5 a5 h6 f6 d6 b6 g7 e7 c7 a7 h8 f8 d8 b8"
)
_FROM_THE_LEFT = (
    "a1 c1 e1 g1 b2 d2 f2 h2 a3 c3 e3 g3 b4 d4 f4 h4 "
    "a5 c5 e5 g5 b6 d6 f6 h6 a7 c7 e7 g7 b8 d8 f8 h8"
)

ENGLISH = dict(enumerate(_FROM_THE_RIGHT.split(), 1))
"""As in PDN of English checkers: whoever begins sits below and counts from the right."""

ARCHIVE = dict(enumerate(_FROM_THE_LEFT.split()))
"""As in the ACF archives: from 0, and from the left."""

CHECKERS = games.load("checkers")


def in_numbers(turn: str, names: dict[int, str]) -> list[int]:
    """The squares on which the piece stands during `turn`, by number."""
    numbers = {square: number for number, square in names.items()}
    x, y = ord(turn[0]) - ord("a"), int(turn[1]) - 1
    path = [(x, y)]
    for dx, dy, on in re.findall(r"\((-?\d) (-?\d) ([ep])\)", turn):
        x, y = x + int(dx), y + int(dy)
        if on == "e":
            path.append((x, y))
    return [numbers[f"{'abcdefgh'[x]}{y + 1}"] for x, y in path]


def written(turn: str, names: dict[int, str], *, short: bool = False) -> str:
    path = in_numbers(turn, names)
    if short:
        path = [path[0], path[-1]]
    return ("x" if " p)" in turn else "-").join(map(str, path))


def random_games(n: int, seed: int = 1) -> list[dict[str, Any]]:
    """Random games of checkers; every other one breaks off before its end."""
    whole = list(generate(CHECKERS, n, all_moves=False, seed=seed))
    for play in whole[::2]:
        cut = Random(len(play["turns"])).randrange(4, len(play["turns"]))
        play["turns"] = play["turns"][:cut]
        play["end"] = "stopped"
        del play["goals"]
    return whole


def archive_line(play: dict[str, Any], result: str = "1-0") -> str:
    turns = (written(t["turn"], ARCHIVE).replace("x", "-") for t in play["turns"])
    return " ".join(turns) + "\t" + result + "\n"


def portable(moves: Iterable[str], result: str = "*", **tags: str) -> str:
    """A game in PDN with its tags, moves numbered by twos."""
    head = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
    body = [f"{i // 2 + 1}. {move}" if i % 2 == 0 else move for i, move in enumerate(moves)]
    return f"{head}{' '.join(body)} {result}\n\n"


def imported(path: Path, **options: Any) -> tuple[list[dict[str, Any]], Imports]:
    """The plays of a file and who read them; the format is the ending of the file's name."""
    imports = Imports([path], FORMATS[path.suffix[1:]], CHECKERS, **options)
    return list(imports), imports


def turns_of(play: dict[str, Any]) -> list[str]:
    return [turn["turn"] for turn in play["turns"]]
