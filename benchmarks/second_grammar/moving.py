"""Weighted draws of types of pieces: how they go, how they take, what they turn into."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import TypeVar

from . import odd_words as odd
from . import places
from . import takings as take
from .fields import DIRECTIONS, ROUND, Field
from .table import Change, PieceType, Word
from .takings import Taking
from .words import LEAPS, Cannon, FirstStride, Fly, Hop, Lame, Leap, Slide, Tally

T = TypeVar("T")
FAR = 9

STYLES: Mapping[str, int] = {
    "replacement": 27,
    "hop": 17,
    "custodial": 11,
    "facing": 7,
    "intervention": 5,
    "enclosure": 4,
    "outnumbered": 4,
    "infection": 4,
    "mill": 5,
    "push": 4,
    "shot": 3,
    "cannon": 3,
    "none": 9,
}
"""How pieces that move take others, with weights."""


@dataclass(frozen=True)
class Army:
    """Types of one or more players with the takings that go with them."""

    types: tuple[PieceType, ...]
    takings: tuple[Taking, ...]
    style: str

    @property
    def keeps_stock(self) -> bool:
        """Whether own pieces appear but from the hand, which a counted hand does not allow."""
        words = [word for kind in self.types for word in kind.words]
        flips = any(t.flips for t in self.takings)
        odd_ones = any(
            isinstance(w, odd.Split | odd.Swap) or (isinstance(w, Hop) and w.takes == "flip")
            for w in words
        )
        return not (flips or odd_ones)

    @property
    def takes(self) -> bool:
        """Whether anything is ever taken."""
        return self.style != "none"


def pick(chance: Random, weights: Mapping[T, float]) -> T:
    """One of the keys, by weight."""
    return chance.choices(list(weights), list(weights.values()))[0]


def names(field: Field, *, facing: bool) -> list[str]:
    """The sets of directions that make sense on a board; all-round ones alone without `facing`."""
    if (-1, 1) in field.compass:
        known = list(DIRECTIONS)
    elif (1, 1) in field.compass:
        known = ["orthogonally", "in every direction", "ahead, straight or diagonally"]
        known += ["ahead or sideways", "straight or diagonally ahead"]
    else:
        known = ["orthogonally", "ahead or sideways"]
    if field.kind == "alquerque":
        known = [n for n in known if n not in ("diagonally", "diagonally ahead")]
    return [n for n in known if facing or n in ROUND]


def heading(chance: Random, field: Field, *, facing: bool) -> str:
    """A set of directions; the common ones more often."""
    known = names(field, facing=facing)
    return pick(chance, {n: 4.0 if n in ROUND else 1.0 for n in known})


def quiet_words(chance: Random, field: Field, on: str, *, facing: bool) -> list[Word]:
    """A way of going, mostly one word."""
    way = heading(chance, field, facing=facing)
    weights: dict[str, float] = {"step": 42, "slide": 12, "rider": 12, "far": 5, "hop": 7}
    weights |= {"tally": 4, "stride": 4 if facing else 0, "split": 2, "fly": 1}
    if field.leaps:
        weights |= {"leap": 8, "lame": 4}
    kind = pick(chance, weights)
    step = Slide(way, 1, on)
    if kind == "slide":
        return [Slide(way, chance.choice((2, 3)), on)]
    if kind == "rider":
        return [Slide(way, FAR, on)]
    if kind == "far":
        return [Slide(way, FAR, on, far=True)]
    if kind == "hop":
        over = chance.choice(("w", "wp", "wp"))
        return [step, Hop(way, over, "none", chain=chance.random() < 0.6)]
    if kind == "tally":
        return [Tally(way, on)]
    if kind == "stride":
        return [step, FirstStride(chance.choice(("straight ahead", way)))]
    if kind == "split":
        return [odd.Split(way)] + ([Leap(_leap(chance, 1), on)] if field.leaps else [step])
    if kind == "fly":
        return [step, Fly(few=chance.choice((3, 2)))]
    if kind == "leap":
        return [Leap(_leap(chance, facing), on)] + ([step] if chance.random() < 0.25 else [])
    if kind == "lame":
        return [Lame(on)]
    return [step]


def _leap(chance: Random, facing: int) -> str:
    return chance.choice([leap for leap in LEAPS if facing or "ahead" not in leap])


def draw_army(chance: Random, field: Field, *, facing: bool, seats: tuple[int, ...]) -> Army:
    """One to three types that take in one style, sometimes in a second one besides."""
    style = pick(chance, STYLES)
    number = pick(chance, {1: 48, 2: 36, 3: 16})
    types = []
    for i in range(number):
        words = _armed(chance, field, style, facing=facing)
        royal = i > 0 and i == number - 1 and chance.random() < 0.55
        name, letter = (
            (("king", "k") if royal else ("man", "m"))
            if number == 1 or royal
            else (
                ("man", "m"),
                ("rider", "r"),
                ("captain", "c"),
            )[i]
        )
        types.append(PieceType(name, letter, tuple(words), seats, royal))
    takings = side_takings(chance, field, style)
    if style != "none" and chance.random() < 0.1:
        takings += side_takings(
            chance, field, pick(chance, {"custodial": 2, "intervention": 1, "outnumbered": 1})
        )
    types = _changes(chance, field, types, seats=seats, facing=facing, takes=style != "none")
    return Army(tuple(types), tuple(takings), style)


def _changes(
    chance: Random,
    field: Field,
    types: list[PieceType],
    *,
    seats: tuple[int, ...],
    facing: bool,
    takes: bool,
) -> list[PieceType]:
    """Promotions, and types that turn into each other with every move."""
    roll = chance.random()
    first = types[0]
    zone = places.far_rank(field) if facing else places.centre(field)
    if roll < 0.3:
        plain = [t for t in types[1:] if not t.royal]
        into = chance.choice(plain) if plain and chance.random() < 0.6 else None
        if into is None:
            words = [*first.words]
            words.append(Slide(names(field, facing=False)[-1], chance.choice((1, FAR)), "e"))
            words = [_freed(w) for w in words]
            into = PieceType("queen", "q", tuple(dict.fromkeys(words)), seats)
            types = [*types, into]
        return [
            replace(first, change=Change(into.letter, zone, optional=chance.random() < 0.2)),
            *types[1:],
        ]
    if roll < 0.36 and len(types) > 1 and not types[1].royal:
        capturing = takes and chance.random() < 0.5
        back = Change(first.letter, None, capturing) if chance.random() < 0.7 else None
        return [
            replace(first, change=Change(types[1].letter, None, capturing)),
            replace(types[1], change=back),
            *types[2:],
        ]
    return types


def _freed(word: Word) -> Word:
    """The word in directions all round."""
    directions = getattr(word, "directions", None)
    if directions is None or directions in ROUND:
        return word
    way = "orthogonally" if "side" in directions else "diagonally"
    way = "in every direction" if "straight" in directions else way
    return replace(word, directions=way)  # type: ignore[type-var]


def _armed(chance: Random, field: Field, style: str, *, facing: bool) -> list[Word]:
    """The words of a type that takes in a style."""
    if style == "replacement":
        if chance.random() < 0.65:
            words = quiet_words(chance, field, "ep", facing=facing)
            captures = any(getattr(w, "on", "") == "ep" for w in words)
            return (
                words
                if captures
                else [*words, Slide(heading(chance, field, facing=facing), 1, "p")]
            )
        quiet = quiet_words(chance, field, "e", facing=facing)
        reach = chance.choice((1, 1, 2))
        return [*quiet, Slide(heading(chance, field, facing=facing), reach, "p")]
    if style == "hop":
        way = heading(chance, field, facing=facing)
        takes = pick(chance, {"now": 6, "later": 3, "flip": 1})
        over = pick(chance, {"p": 5, "wp": 1})
        chain = chance.random() < 0.75
        wide = way if chance.random() < 0.6 else heading(chance, field, facing=False)
        flying = chance.random() < 0.15
        hop = Hop(wide, over, takes, chain, chain and over == "p" and chance.random() < 0.6, flying)
        return [Slide(way, FAR if flying else 1, "e"), hop]
    words = quiet_words(chance, field, "e", facing=facing)
    if style == "push":
        words = [w for w in words if not isinstance(w, Hop)]
        words.append(odd.Push(heading(chance, field, facing=facing), chance.random() < 0.75))
    if style == "shot":
        words.append(odd.Shoot(heading(chance, field, facing=facing), chance.choice((1, 2, FAR))))
    if style == "cannon":
        words = [Slide(heading(chance, field, facing=False), chance.choice((1, FAR)), "e")]
        words.append(Cannon(heading(chance, field, facing=False)))
    if style == "facing" and chance.random() < 0.7:
        words = [Slide(heading(chance, field, facing=False), 1, "e")]
    if chance.random() < 0.06:
        words.append(
            odd.Swap(heading(chance, field, facing=facing), "p" if style == "none" else "w")
        )
    return words


def side_takings(
    chance: Random, field: Field, style: str, *, placing: bool = False
) -> list[Taking]:
    """The takings of a style that looks at where the piece stands."""
    way = chance.choice([n for n in names(field, facing=False) if n != "diagonally"])
    if style == "custodial":
        return [
            take.Custodial(
                way,
                runs=chance.random() < 0.45,
                flips=chance.random() < 0.2,
                edge=chance.random() < 0.12,
                hostile=places.corners(field) if chance.random() < 0.15 else None,
                royal=chance.random() < 0.6,
            )
        ]
    if style == "reversing":
        return [take.Custodial(way, runs=chance.random() < 0.8, flips=True)]
    if style == "pairs":
        return [take.Custodial(way, runs=False)]
    if style == "facing":
        approach, withdraw = chance.choice(((True, False), (False, True), (True, True)))
        runs, both = chance.random() < 0.65, chance.random() < 0.25
        return [take.Facing(approach, withdraw, runs, both, flips=chance.random() < 0.12)]
    if style == "intervention":
        return [take.Intervention(way, flips=chance.random() < 0.25)]
    if style == "enclosure":
        return [take.Enclosure(flips=chance.random() < 0.12)]
    if style == "outnumbered":
        return [take.Outnumbered(chance.choice((2, 2, 3)), flips=chance.random() < 0.3)]
    if style == "infection":
        return [take.Outnumbered(1, flips=True)]
    if style == "mill":
        length = 3 if placing or chance.random() < 0.8 else 2
        return [take.Mill(way, length, chance.random() < 0.5, flips=chance.random() < 0.12)]
    return []
