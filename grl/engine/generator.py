"""Pseudo-legal turns for those who ask for many: by the compiled model, where that is faster.

Effects are terms that the reference implementation evaluates for every position anew; without them
both are as fast, for most of the time goes into making objects.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from grl.board import Position
from grl.engine.engine import compiled
from grl.engine.native import Native, TooLarge
from grl.model import Model
from grl.moves.candidate import Candidate
from grl.rules.features.cases import Generator
from grl.rules.play.effects import generator_of

WORTH_COMPILING = 300
"""So many positions are asked about before a model is compiled."""


def quick_generator(model: Model, *, locm: bool = True) -> Generator:
    """What `generator_of` gives, faster where many positions are asked about."""
    reference = generator_of(model, locm=locm)
    return _Quick(model, reference, locm).spellings if model.effects else reference


class _Quick:
    """Asks the reference implementation first, then the compiled model."""

    def __init__(self, model: Model, reference: Generator, locm: bool) -> None:
        self._model, self._reference, self._locm = model, reference, locm
        self._native: Native | str | None = None
        self._asked = 0

    def spellings(self, position: Position) -> Sequence[Candidate]:
        """The pseudo-legal turns, every spelling of them."""
        self._asked += 1
        if self._asked < WORTH_COMPILING:
            return self._reference(position)
        if self._native is None:
            self._native = compiled(self._model, locm=self._locm)
        if not isinstance(self._native, str) and self._native.takes(position):
            with suppress(TooLarge):
                return self._native.spellings(position)
        return self._reference(position)
