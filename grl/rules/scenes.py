"""Positions of the records as scenes: their pseudo-legal turns, and which of them are legal."""

from __future__ import annotations

from dataclasses import dataclass

from grl.errors import GrlError
from grl.records import Moment
from grl.rules.cases import PositionCase, Scene, Setting, TurnCase
from grl.turn import Turn, play


@dataclass
class Labelled:
    """A scene with what is known of its turns.

    `legal` has an entry a case of the scene: whether the turn is known to be legal; where the
    moment is `complete` the others are illegal, else nothing is known of them. `missing` counts
    the legal turns that the generator lacks.
    """

    scene: Scene
    cases: list[TurnCase]
    legal: list[bool]
    complete: bool
    missing: int

    @property
    def surplus(self) -> int:
        """How many generated turns are not known to be legal."""
        return len(self.legal) - sum(self.legal)


def label(setting: Setting, moment: Moment) -> Labelled:
    """The scene of a moment; turns are matched by text, what is left over by effect."""
    before = PositionCase.of(setting, moment.position)
    scene = Scene(before, setting.generator(moment.position))
    cases = scene.survivors
    texts = [str(case.turn) for case in cases]
    legal = [text in moment.turns for text in texts]
    left = moment.turns.difference(texts, ("pass",))
    missing = 0
    if left:
        effects: dict[object, int] = {
            (case.candidate.starts[0], case.candidate.cells, _held(case.candidate.stock)): i
            for i, case in enumerate(cases)
        }
        for text in left:
            index = effects.get(_effect(moment, text))
            if index is None:
                missing += 1
            else:
                legal[index] = True
    return Labelled(scene, cases, legal, moment.complete, missing)


def _effect(moment: Moment, text: str) -> object:
    turn = Turn.parse(text)
    try:
        after = play(moment.position, turn)
    except GrlError:
        return None
    origin = moment.position.board.square(turn.segments[0].origin)
    return origin, after.cells, _held(after.stock)


def _held(stock: tuple[tuple[str, str, int], ...]) -> object:
    return tuple(item for item in stock if item[2])
