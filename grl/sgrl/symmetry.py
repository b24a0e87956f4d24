"""Symmetries between automata: rotations and reflections, within a piece and between players.

A map is only used when the records bear it out: the images of the words seen of one automaton,
where the other never saw them, must not have been silent for long; and the same the other way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import inf

from grl.board import EMPTY, Equipment, Player
from grl.model import AutomatonKey
from grl.sgrl.words import Word
from grl.turn import Letter

Matrix = tuple[int, int, int, int]

DIHEDRAL: tuple[Matrix, ...] = (
    (1, 0, 0, 1),
    (-1, 0, 0, 1),
    (1, 0, 0, -1),
    (-1, 0, 0, -1),
    (0, 1, 1, 0),
    (0, -1, 1, 0),
    (0, 1, -1, 0),
    (0, -1, -1, 0),
)
"""The eight matrices (a, b, c, d): (dx, dy) becomes (a dx + b dy, c dx + d dy)."""
Map = tuple[AutomatonKey, AutomatonKey, Matrix]
"""From the words of one automaton to those of another."""


@dataclass(frozen=True)
class Symmetry:
    """A matrix and the pieces' counterparts; maps letters and words."""

    matrix: Matrix
    pieces: tuple[tuple[str, str], ...]

    @cached_property
    def _images(self) -> dict[Letter, Letter | None]:
        return {}

    def letter(self, letter: Letter) -> Letter | None:
        """The image of a letter; None where a piece has no counterpart."""
        if letter not in self._images:
            self._images[letter] = self._image(letter)
        return self._images[letter]

    def _image(self, letter: Letter) -> Letter | None:
        a, b, c, d = self.matrix
        dx, dy = letter.dx, letter.dy
        piece = ""
        if letter.piece:
            found = dict(self.pieces).get(letter.piece)
            if found is None:
                return None
            piece = found
        return letter._replace(dx=a * dx + b * dy, dy=c * dx + d * dy, piece=piece)

    def images(self, letter: Letter) -> list[Letter]:
        """The image of a letter, if there is one."""
        return [image for image in [self.letter(letter)] if image is not None]

    def word(self, word: Word) -> Word | None:
        """The image of a word."""
        image = []
        for letter in word:
            mapped = self.letter(letter)
            if mapped is None:
                return None
            image.append(mapped)
        return tuple(image)

    @property
    def inverse(self) -> Symmetry:
        a, b, c, d = self.matrix
        return Symmetry((a, c, b, d), tuple(sorted((theirs, ours) for ours, theirs in self.pieces)))

    def then(self, other: Symmetry) -> Symmetry:
        """This map and after it another one."""
        onward = dict(other.pieces)
        pieces = ((ours, onward[theirs]) for ours, theirs in self.pieces if theirs in onward)
        return Symmetry(followed(self.matrix, other.matrix), tuple(sorted(pieces)))


def followed(one: Matrix, by: Matrix) -> Matrix:
    """The matrix of two maps, one after the other."""
    (a, b, c, d), (e, f, g, h) = one, by
    return e * a + f * c, e * b + f * d, g * a + h * c, g * b + h * d


def symmetries(
    equipment: Equipment, source: AutomatonKey, target: AutomatonKey
) -> Iterator[Symmetry]:
    """The maps that could take the language of `source` to that of `target`."""
    if source.role is not target.role:
        return
    pieces = counterparts(equipment, source.mover, target.mover)
    holds = dict(pieces).get(source.holds, EMPTY if source.holds == EMPTY else None)
    if holds != target.holds:
        return
    for matrix in DIHEDRAL:
        if source != target or matrix != DIHEDRAL[0]:
            yield Symmetry(matrix, pieces)


def agreeing(bits: Mapping[Map, float]) -> set[Map]:
    """Of maps, with the bits that speak against each, those that agree, the least doubtful first.

    One map after another is a map, so that with some others are given; a map that would give one of
    infinitely many bits is left out.
    """
    groups: dict[AutomatonKey, set[Map]] = {}
    for one, other, _ in bits:
        group = groups.setdefault(one, {(one, one, DIHEDRAL[0])})
        groups.setdefault(other, group).add((other, other, DIHEDRAL[0]))
    for each in sorted(bits, key=lambda each: round(bits[each], 6)):
        group = groups[each[0]]
        if bits[each] < inf and each not in group:
            more = _closed({*group, each})
            if all(bits.get(one, 0.0) < inf for one in more):
                group |= more
    return set().union(*groups.values())


def _closed(maps: set[Map]) -> set[Map]:
    """Maps, what undoes each, and each after another."""
    found = {*maps, *((b, a, (w, y, x, z)) for a, b, (w, x, y, z) in maps)}
    while True:
        more = {
            (a, d, followed(one, by)) for a, b, one in found for c, d, by in found if b == c
        } - found
        if not more:
            return found
        found |= more


def counterparts(
    equipment: Equipment, source: Player, target: Player
) -> tuple[tuple[str, str], ...]:
    """For each piece the one of the same type once `source` and `target` have changed places.

    Where a player has several pieces of one type they correspond in the order of their keys.
    """

    def changed(player: Player | None) -> Player | None:
        if player == source:
            return target
        return source if player == target else player

    groups: dict[tuple[Player | None, str], list[str]] = {}
    for key in sorted(equipment.pieces):
        piece = equipment.pieces[key]
        groups.setdefault((piece.player, piece.type), []).append(key)
    pairs: list[tuple[str, str]] = []
    for (player, kind), keys in groups.items():
        pairs += zip(keys, groups.get((changed(player), kind), []), strict=False)
    return tuple(sorted(pairs))
