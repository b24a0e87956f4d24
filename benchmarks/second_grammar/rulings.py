"""Weighted draws of restrictions, endings and control, from what makes sense in a game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from . import closings as closing
from . import conditions, places, wholes
from . import control as then
from . import recalling as recall
from . import restrictions as keep
from .conditions import Condition
from .endings import Ending, Fixed, Result, Scored, Shared
from .fields import Field
from .moving import names, pick
from .patterns import SHAPES
from .restrictions import Restriction
from .table import PieceType, Zone


@dataclass(frozen=True)
class Sketch:
    """What is known of a game when its rules are drawn."""

    chance: Random
    field: Field
    types: tuple[PieceType, ...]
    facing: bool
    takes: bool
    moves: bool
    places: bool
    pieces: int
    """How many a player begins with or may place; 0 where they never run out."""

    @property
    def royal(self) -> bool:
        return any(kind.royal for kind in self.types)

    @property
    def kings(self) -> bool:
        """Whether both players have a royal piece."""
        return any(kind.royal and len(kind.seats) > 1 for kind in self.types)

    @property
    def plain(self) -> list[PieceType]:
        return [kind for kind in self.types if not kind.royal and kind.seats]

    def zone(self) -> Zone:
        return places.draw_zone(self.chance, self.field, facing=self.facing)

    def way(self) -> str:
        return self.chance.choice(names(self.field, facing=False))

    def odds(self, odds: float) -> bool:
        return self.chance.random() < odds


def draw_restrictions(sketch: Sketch, number: int) -> tuple[Restriction, ...]:
    """So many different restrictions, as far as there are any for such a game."""
    known = _restrictions(sketch)
    found: list[Restriction] = []
    while known and len(found) < number:
        make = pick(sketch.chance, known)
        del known[make]
        found.append(make())
    return tuple(found)


def _restrictions(sketch: Sketch) -> dict[Callable[[], Restriction], float]:
    chance, odds, plain = sketch.chance, sketch.odds, sketch.plain
    first = plain[0] if plain else sketch.types[0]
    second = sketch.types[-1]
    known: dict[Callable[[], Restriction], float] = {
        lambda: _kept_out(sketch, first): 5,
        lambda: _beside(sketch): 6,
        lambda: wholes.AtMost(chance.choice((1, 2)), sketch.zone()): 2,
        recall.NotVacated: 2,
        lambda: recall.NoReturn(odds(0.5)): 4,
        lambda: recall.InTouch(chance.choice(("touch", "not touch", "line")), odds(0.7)): 4,
        lambda: recall.Opening(chance.choice((1, 2, 4)), sketch.zone(), odds(0.6)): 3,
        wholes.LeavesTurn: 2,
        lambda: wholes.NoRow(sketch.way(), chance.choice((2, 3, 3)), not sketch.moves): 3,
        wholes.NoRoom: 2,
        lambda: wholes.Balanced(chance.choice((0, 1)), sketch.zone()): 1,
    }
    if sketch.takes:
        known |= {
            lambda: keep.Compulsory(odds(0.35)): 9,
            lambda: keep.Shielded(chance.choice((1, 2))): 3,
            recall.NoRecapture: 3,
            wholes.NoSuicide: 3,
            lambda: keep.MustTake(placed=True): 3 if sketch.places else 0,
        }
    if sketch.moves:
        known |= {
            lambda: keep.StaysIn(sketch.zone()): 3,
            lambda: keep.Frozen(odds(0.4), odds(0.4)): 4,
            recall.NoUndo: 4,
            lambda: recall.AnotherPiece(odds(0.5)): 4,
            wholes.StaysTogether: 2,
        }
        if sketch.facing:
            known[lambda: keep.NoRetreat(first.letter, first.name)] = 3
    if sketch.royal:
        known |= {
            keep.RoyalSafe: 12 if sketch.takes else 0,
            keep.NoFacing: 3 if sketch.kings else 0,
            lambda: keep.KeepsOut(sketch.zone(), second.letter, second.name, but=odds(0.6)): 4,
            lambda: keep.StaysIn(_home(sketch), second.letter, second.name): 4,
        }
    if len(sketch.types) > 1:
        known |= {
            lambda: keep.LastResort(second.letter, second.name): 2 if sketch.moves else 0,
            lambda: keep.Foremost(second.letter, second.name): 3 if sketch.takes else 0,
            lambda: keep.Below(first.letter, second.letter, (first.name, second.name)): (
                3 if sketch.takes and sketch.moves else 0
            ),
        }
    if sketch.places:
        known[lambda: wholes.OneAFile(second.letter, second.name, odds(0.6))] = 3
    return {make: weight for make, weight in known.items() if weight}


def _home(sketch: Sketch) -> Zone:
    part = places.home_part if sketch.facing else places.centre
    return part(sketch.field)


def _kept_out(sketch: Sketch, kind: PieceType) -> Restriction:
    zone, only = sketch.zone(), sketch.places and sketch.moves and sketch.odds(0.4)
    if len(sketch.types) > 1 and sketch.odds(0.4):
        return keep.KeepsOut(zone, kind.letter, kind.name, placed_only=only)
    return keep.KeepsOut(zone, placed_only=only)


def _beside(sketch: Sketch) -> Restriction:
    whose, forbidden = sketch.chance.choice(
        (("own", True), ("own", False), ("opposing", True), ("opposing", False), ("any", False))
    )
    what = "all"
    if sketch.places and sketch.moves:
        what = sketch.chance.choice(("all", "moves", "placings"))
    return keep.Beside(whose, forbidden, what)


# Endings.


def _fixed(sketch: Sketch, *, wins: bool) -> Fixed:
    """What it is worth to be the one of whom the ending speaks; now and then upside down."""
    if sketch.odds(0.08):
        wins = not wins
    high, low = pick(sketch.chance, {(100, 0): 84, (80, 20): 6, (70, 0): 5, (60, 40): 5})
    return Fixed(high if wins else low, low if wins else high, sketch.odds(0.3))


def _scored(sketch: Sketch) -> Scored:
    what = pick(sketch.chance, {"pieces": 6, "zone": 2, "group": 2, "territory": 2, "area": 3})
    each = sketch.chance.choice((5, 10)) if sketch.odds(0.12) else 0
    return Scored(what, sketch.odds(0.85), sketch.zone() if what == "zone" else None, each)


def _neutral(sketch: Sketch, score: float) -> Result:
    """The result of an ending that is about nobody in particular."""
    if sketch.odds(score):
        return _scored(sketch)
    return Shared(None if sketch.odds(0.7) else sketch.chance.randrange(2))


def draw_endings(
    sketch: Sketch, passing: str, number: int, first: tuple[Ending, ...]
) -> tuple[Ending, ...]:
    """So many endings with those that stand already; where players may pass one is for that."""
    found = list(first)
    if passing == "free":
        found.append(Ending(closing.Passed(), _neutral(sketch, 0.8)))
    if passing == "forced":
        found.append(Ending(closing.Stuck(), _neutral(sketch, 0.85)))
    known = _endings(sketch)
    while known and len(found) < number:
        ending = _drawn(sketch, known)
        if ending.name not in {other.name for other in found}:
            found.append(ending)
    return tuple(found)


def _drawn(sketch: Sketch, known: dict[Callable[[], Ending], float]) -> Ending:
    """One of the endings, which is not offered again."""
    make = pick(sketch.chance, known)
    del known[make]
    return make()


def _endings(sketch: Sketch) -> dict[Callable[[], Ending], float]:
    chance, odds = sketch.chance, sketch.odds
    few = max(sketch.pieces, 1)

    def about(when: Condition, *, wins: bool = True) -> Ending:
        return Ending(when, _fixed(sketch, wins=wins))

    length = 4 if sketch.pieces == 0 or few > 6 else 3
    known: dict[Callable[[], Ending], float] = {
        lambda: about(
            conditions.Row(sketch.way(), chance.choice((length, length, 3)), odds(0.12))
        ): (9 if few > 2 else 0),
        lambda: about(conditions.Shape(chance.choice(sorted(SHAPES)))): 4 if few > 3 else 0,
        lambda: about(conditions.Joined(odds(0.5))): 4 if sketch.places or few > 5 else 1,
        lambda: about(conditions.Occupied(places.some(chance, sketch.field), odds(0.5))): 3,
        lambda: about(conditions.Trapped("", "pieces", odds(0.4)), wins=False): 3,
        lambda: about(conditions.Held(places.some(chance, sketch.field), "", "a piece")): 1,
        lambda: about(conditions.Lead(chance.choice((2, 3, 4)))): 4 if sketch.takes else 0,
    }
    if sketch.places:
        left = chance.choice((0, 0, 0, 3))
        known[lambda: Ending(closing.Full(left), _neutral(sketch, 0.75))] = 9
    if sketch.moves:
        known |= {
            lambda: about(_arrival(sketch)): 9,
            lambda: about(conditions.OneGroup()): 3 if not sketch.places or sketch.pieces else 0,
            lambda: Ending(
                closing.Turns(chance.choice((30, 40, 50, 60))), _neutral(sketch, 0.55)
            ): 4,
            lambda: Ending(
                closing.Quiet(chance.choice((6, 8, 10, 12, 16))), _neutral(sketch, 0.35)
            ): (5 if sketch.takes else 0),
            lambda: Ending(closing.Repeated(chance.choice((2, 2, 3)), True), Shared()): 4,
            lambda: about(closing.Repeated(chance.choice((2, 2, 3)), False), wins=False): 3,
        }
    if sketch.takes:
        least = min(chance.choice((1, 2, 3)), max(1, few - 1))
        known[lambda: about(conditions.Few("", "pieces", least), wins=False)] = 12 if few > 1 else 0
    for kind in sketch.types:
        if kind.royal:
            known |= _royal(sketch, kind)
    return {make: weight for make, weight in known.items() if weight}


def _royal(sketch: Sketch, kind: PieceType) -> dict[Callable[[], Ending], float]:
    letter, name = kind.letter, kind.name

    def about(when: Condition, *, wins: bool) -> Ending:
        return Ending(when, _fixed(sketch, wins=wins))

    return {
        lambda: about(conditions.Few(letter, name + "s", 1), wins=False): 25 if sketch.takes else 0,
        lambda: about(conditions.Trapped(letter, name + "s", sketch.odds(0.6)), wins=False): 5,
        lambda: about(conditions.Arrived(sketch.zone(), letter, name, 1), wins=True): 6,
        lambda: about(
            conditions.Held(places.centre(sketch.field), letter, "a " + name), wins=True
        ): 3,
        lambda: about(conditions.Contact(sketch.chance.choice((1, 2, 2))), wins=True): 3,
    }


def _arrival(sketch: Sketch) -> Condition:
    """Pieces that reach the far side, a camp, or some other zone."""
    field, chance = sketch.field, sketch.chance
    if not sketch.facing:
        return conditions.Arrived(places.centre(field), "", "pieces", 1)
    zone = pick(chance, {places.far_rank: 6, places.camp: 2, places.far_part: 1, places.centre: 1})(
        field
    )
    most = min(sketch.pieces or 2, len(zone.squares[0]))
    return conditions.Arrived(
        zone, "", "pieces", max(1, min(most, pick(chance, {1: 5, 2: 3, 3: 2})))
    )


# Control.


def draw_control(sketch: Sketch) -> then.Control:
    known: dict[Callable[[], then.Control], float] = {
        then.TurnAbout: 76,
        then.AfterTaking: 8 if sketch.takes else 0,
        lambda: then.Twice(sketch.odds(0.6)): 6,
        lambda: then.AfterZone(sketch.zone()): 4,
        lambda: then.AfterRow(sketch.way(), 3): 4,
    }
    return pick(sketch.chance, known)()


def draw_no_turn(sketch: Sketch) -> then.NoTurn:
    weights = {"loses": 56, "draw": 16, "wins": 14, "most": 10}
    weights["mate"] = 30 if sketch.royal and sketch.takes else 0
    return then.NoTurn(pick(sketch.chance, weights))


def draw_passing(sketch: Sketch) -> str:
    if sketch.places and not sketch.moves:
        return pick(sketch.chance, {"none": 60, "forced": 28, "free": 12})
    return pick(sketch.chance, {"none": 84, "forced": 12, "free": 4})
