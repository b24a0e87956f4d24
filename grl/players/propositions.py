"""What the propositions of a model's goals ask of a position: squares, hands, turns.

A proposition that is false may be nearly true, or false for good; both depend on what lies
elsewhere, by the model's distances and latches.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from grl.board import EMPTY, Equipment, Player, Square
from grl.players.distances import Place
from grl.players.goals import Goals, turns_of
from grl.players.latches import Latches
from grl.rules.asp.naming import Names


@dataclass(frozen=True)
class OnSquare:
    """`key` lies on `square`.

    `away` has the turns that pieces elsewhere need to get there. `dead` are places, and whether
    they are taken: one that is as it says makes the proposition false for good; where `never` is
    set its being false does.
    """

    square: Square
    key: str
    away: Mapping[Place, int] = field(default_factory=dict)
    dead: tuple[tuple[Place, bool], ...] = ()
    never: bool = False


@dataclass(frozen=True)
class InHand:
    """A player has so many of a piece in hand."""

    player: Player
    key: str
    number: int


@dataclass(frozen=True)
class NoTurns:
    """A player has no turn."""

    player: Player


Proposition = OnSquare | InHand | NoTurns


def propositions(
    goals: Goals,
    latches: Latches | None = None,
    distances: Mapping[Place, Mapping[Place, int]] | None = None,
) -> dict[str, Proposition]:
    """The propositions of the goals by name, in the order of their nodes."""
    return {
        name: _proposition(name, goals.equipment, latches, distances or {})
        for name in goals.circuit.fluents
    }


def _proposition(
    name: str,
    equipment: Equipment,
    latches: Latches | None,
    distances: Mapping[Place, Mapping[Place, int]],
) -> Proposition:
    named = places(equipment)
    if name in named:
        place = named[name]
        dead: tuple[tuple[Place, bool], ...] = ()
        never = False
        if latches is not None:
            never = name in latches.negative
            dead = tuple(
                (named[latch], holds)
                for (latch, holds), others in latches.inhibits.items()
                if name in others and latch in named
            )
        return OnSquare(place[1], place[0], distances.get(place, {}), dead, never)
    for player in equipment.players:
        if name == turns_of(player):
            return NoTurns(player)
    predicate, _, number = name.rpartition(",")
    player, key = _hands(equipment)[predicate]
    return InHand(player, key, int(number.removesuffix(")")))


def places(equipment: Equipment) -> dict[str, Place]:
    """What lies where, by the name of the proposition."""
    names, width = Names(equipment), equipment.board.width
    return {
        f"cell({s % width + 1},{s // width + 1},{names.cell(key)})": (key, s)
        for s in equipment.board.squares
        for key in (EMPTY, *equipment.pieces)
    }


def _hands(equipment: Equipment) -> dict[str, tuple[Player, str]]:
    names = Names(equipment)
    return {
        f"hand({said},{piece}": (player, key)
        for player, said in names.player.items()
        for key, piece in names.piece.items()
    }
