"""What a picture of an automaton or machine shows, before any thought of layout.

Transitions with the same ends become one arrow with a list of letters.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from grl.board import Equipment
from grl.model import Dfa, Machine, StateId
from grl.render.legends import machine_legend
from grl.render.words import (
    ROLE_WORDS,
    action_lines,
    bearing,
    letter_lines,
    piece_words,
    player_colour,
    stem,
)
from grl.turn import Letter

RankDir = Literal["BT", "TB"]

DOUBLE_RING = "double ring: the turn may end here"
DASHED_RING = "dashed ring: another segment may follow"


@dataclass(frozen=True, slots=True)
class Arrow:
    """All transitions from one state to another, as lines of a label."""

    source: int
    target: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """States 0..size-1, arrows between them and the words around them.

    `doubled` and `dashed` states are drawn with two rings and with broken rings; a `starts` state
    has an arrow from nowhere; `rankdir` is the way in which layers would follow one another.
    """

    stem: str
    title: str
    subtitle: str
    legend: tuple[str, ...]
    colour: str
    size: int
    starts: tuple[int, ...]
    doubled: frozenset[int]
    dashed: frozenset[int]
    arrows: tuple[Arrow, ...]
    rankdir: RankDir = "TB"


def of_dfa(dfa: Dfa, equipment: Equipment) -> Picture:
    """The picture of an automaton."""
    key = dfa.key
    grouped: dict[tuple[StateId, StateId], list[Letter]] = {}
    for source, letter, target in dfa.transitions:
        grouped.setdefault((source, target), []).append(letter)
    return Picture(
        stem(equipment, key.mover, key.holds, key.role),
        f"{key.mover}: {piece_words(equipment, key.mover, key.holds)}",
        ROLE_WORDS[key.role],
        (DOUBLE_RING, DASHED_RING) if dfa.continuing else (),
        player_colour(equipment, key.mover),
        dfa.size,
        (0,),
        frozenset(dfa.accepting),
        frozenset(dfa.continuing),
        tuple(Arrow(*ends, letter_lines(letters)) for ends, letters in sorted(grouped.items())),
        _rankdir(letter for _, letter, _ in dfa.transitions),
    )


def of_machine(machine: Machine, equipment: Equipment) -> Picture:
    """The picture of a LOCM machine."""
    grouped: dict[tuple[StateId, StateId], list[tuple[str, int]]] = {}
    for source, action, position, target in machine.transitions:
        grouped.setdefault((source, target), []).append((action, position))
    return Picture(
        stem(equipment, machine.mover, machine.piece, f"locm-{machine.sort}"),
        f"{machine.mover}: {piece_words(equipment, machine.mover, machine.piece)}",
        "LOCM zero machine" if machine.sort == "zero" else f"LOCM machine of {machine.sort}",
        machine_legend(machine),
        player_colour(equipment, machine.mover),
        machine.size,
        tuple(sorted(machine.initial)),
        frozenset(machine.final),
        frozenset(),
        tuple(Arrow(*ends, action_lines(labels)) for ends, labels in sorted(grouped.items())),
    )


def _rankdir(letters: Iterable[Letter]) -> RankDir:
    """Upwards where every step leads up the board, otherwise downwards."""
    return "BT" if min((x.dy for x in letters if bearing(x) is not None), default=0) > 0 else "TB"
