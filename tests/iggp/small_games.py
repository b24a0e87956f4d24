"""Small made-up games in the format of the data set, with their rules in Python."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence

State = Sequence[str]


def file_text(
    atoms: Iterable[str],
    statics: Iterable[str],
    states: Iterable[tuple[Iterable[str], Iterable[str]]],
) -> str:
    """A file of the data set."""
    parts = [("atoms", atoms), ("statics", statics)]
    for background, positives in states:
        parts += [("background", background), ("positives", positives)]
    return "\n---\n\n".join(
        f"{name}:\n" + "".join(f"\t{line}\n" for line in lines) for name, lines in parts
    )


def counter(number: int, seed: int) -> str:
    """A counter from 0 to 7 that a button puts back to 0 and that else goes up by one."""
    generator = random.Random(seed)
    states = []
    for _ in range(number):
        value, pressed = generator.randrange(8), generator.random() < 0.4
        after = 0 if pressed else value + 1
        states.append(
            (
                [f"true_value({value})", f"does(player, {'press' if pressed else 'wait'})"],
                [f"next_value({after})"] if after < 8 else [],
            )
        )
    return file_text(
        [f"next_value({v})" for v in range(8)],
        [f"succ({v}, {v + 1})" for v in range(7)],
        states,
    )


def board(
    number: int,
    seed: int,
    atoms: Sequence[str],
    rule: Callable[[dict[tuple[int, int], str], str], Iterable[str]],
) -> str:
    """Positions on a board of 4 by 3 with pieces of two players; `rule` names what is true."""
    generator = random.Random(seed)
    states = []
    for _ in range(number):
        cells = {
            (x, y): generator.choice(["r", "r", "g", "g", "b"])
            for x in range(1, 5)
            for y in range(1, 4)
        }
        mover = generator.choice(["red", "green"])
        facts = [f"true_cell({x}, {y}, {c})" for (x, y), c in cells.items()]
        states.append(([*facts, f"true_control({mover})"], list(rule(cells, mover))))
    return file_text(
        atoms,
        [
            *(f"succ({v}, {v + 1})" for v in range(1, 4)),
            "owner(r, red)",
            "owner(g, green)",
            "role(red)",
            "role(green)",
        ],
        states,
    )


def three_in_a_row(cells: dict[tuple[int, int], str], _: str) -> list[str]:
    """Three equal pieces side by side in one rank end the game."""
    return [
        "terminal()"
        for x in (1, 2)
        for y in (1, 2, 3)
        if cells[x, y] != "b" and cells[x, y] == cells[x + 1, y] == cells[x + 2, y]
    ][:1]


def empty_ahead(cells: dict[tuple[int, int], str], mover: str) -> list[str]:
    """The mover may step up from an own piece to an empty square."""
    own = mover[0]
    return [
        f"legal({mover}, {x}, {y})"
        for x in range(1, 5)
        for y in (1, 2)
        if cells[x, y] == own and cells[x, y + 1] == "b"
    ]


def a_step_or_a_pass(cells: dict[tuple[int, int], str], mover: str) -> list[str]:
    """The mover steps up to an empty square, and passes only where that can't be done."""
    steps = empty_ahead(cells, mover)
    return steps or [f"pass({mover})"]


def no_empty_square(cells: dict[tuple[int, int], str], _: str) -> list[str]:
    """The game is over when the board is full."""
    return [] if "b" in cells.values() else ["terminal()"]


def winner(cells: dict[tuple[int, int], str], _: str) -> list[str]:
    """Who holds the corner a1 has 100 and the other 0; where nobody holds it both have 50."""
    holder = {"r": "red", "g": "green", "b": None}[cells[1, 1]]
    return [
        f"goal({who}, {50 if holder is None else 100 if who == holder else 0})"
        for who in ("red", "green")
    ]


def joined_sides(cells: dict[tuple[int, int], str], _: str) -> list[str]:
    """The game is over when a chain of squares with one kind of piece joins left and right."""
    for kind in "rg":
        reached = {place for place in cells if place[0] == 1 and cells[place] == kind}
        for _ in cells:
            reached |= {
                (x, y)
                for x, y in cells
                if cells[x, y] == kind
                and reached & {(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)}
            }
        if any(x == 4 for x, _ in reached):
            return ["terminal()"]
    return []


LEGAL = [
    f"legal({who}, {x}, {y})" for who in ("red", "green") for x in range(1, 5) for y in (1, 2, 3)
]
GOAL = [f"goal({who}, {value})" for who in ("red", "green") for value in (0, 50, 100)]
