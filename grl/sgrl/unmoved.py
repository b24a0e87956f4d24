"""Pieces that no record shows moving, though another player's of the same type do.

They are taken to move as these, as every other piece of the two players does. Of symmetries only
those are used that all automata seen of both players bear out, and none where the piece itself was
silent for long. Nothing was seen of such a piece, so its automaton is never called sure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import permutations

from grl.board import EMPTY, Equipment, Player
from grl.model import AutomatonKey, Role
from grl.sgrl.offers import NOWHERE, OfferTree
from grl.sgrl.symmetry import counterparts

Trees = Mapping[AutomatonKey, OfferTree]


def with_unmoved(trees: Trees, equipment: Equipment) -> dict[AutomatonKey, OfferTree]:
    """The trees, and one without sightings for each piece met that never moved or appeared."""
    scenes = {key.mover: tree.scene for key, tree in trees.items() if key.role is Role.FIRST}
    found = dict(trees)
    for source, target in permutations(scenes, 2):
        met = set(_met(trees, equipment, source, target))
        images = dict(counterparts(equipment, source, target))
        for key in trees:
            holds = images.get(key.holds)
            if key.mover != source or holds not in met:
                continue
            image = AutomatonKey(target, holds, key.role)
            if image not in found:
                # Nothing is known of boards on which it might have had a later segment.
                held = scenes[target].holding(holds) if key.role is Role.FIRST else (NOWHERE,) * 2
                lifted = key.role is not Role.APPEARED and holds != EMPTY
                found[image] = OfferTree(scenes[target], *held, lifted=lifted)
    return found


def _met(trees: Trees, equipment: Equipment, source: Player, target: Player) -> Iterator[str]:
    """What stands on the boards of the target, or appears in words of its own or as images."""
    images = dict(counterparts(equipment, source, target))
    for key, tree in trees.items():
        appearing = {letter.piece for word in tree.seen for letter in word if letter.appears}
        if key.mover == target:
            yield from appearing
        elif key.mover == source:
            yield from (images[piece] for piece in appearing if piece in images)
    for key, tree in trees.items():
        if key.mover == target and key.role is Role.FIRST:
            yield from (h for h in images.values() if len(tree.scene.holding(h)[0]))
