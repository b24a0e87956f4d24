"""Pseudo-legal turns for those who ask for many: by the compiled model, where that is faster.

Effects are terms that the reference implementation evaluates for every position anew; without them
both are as fast, for most of the time goes into making objects. Where only the squares are asked
for that turns change none are made, and the compiled model is always faster.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from grl.board import Player, Position, Stock
from grl.engine.engine import compiled
from grl.engine.native import Native, TooLarge
from grl.logic.rows import Touched
from grl.model import Model, Rule, Rules
from grl.moves.candidate import Candidate
from grl.rules.features.replies import Seen
from grl.rules.play.effects import generator_of

WORTH_COMPILING = 300
"""So many positions are asked about before a model with effects is compiled."""
WORTH_WITHOUT = 30_000
"""So many turns would be made to see what squares they touch before any other model is."""
MOST_TURNS = 100_000
"""So many turns are remembered."""


class QuickGenerator:
    """What `generator_of` gives: asks the reference implementation first, then the compiled model.

    A `grl.rules.features.cases.Generator` that says what squares turns touch, too.
    """

    def __init__(self, model: Model, *, locm: bool = True) -> None:
        self._model, self._locm = model, locm
        self._reference = generator_of(model, locm=locm)
        self._native: Native | str | None = None
        self._asked = self._asked_touched = self._made = 0
        self._known: dict[tuple[str, Stock, Player], Sequence[Candidate]] = {}
        self._turns = 0

    def __call__(self, position: Position) -> Sequence[Candidate]:
        """The pseudo-legal turns, every spelling of them.

        They are remembered: one learner after the other asks for those of the same positions. They
        depend on the board, the hands and who moves, not on the game before.
        """
        key = (position.cells, position.stock, position.to_move)
        found = self._known.get(key)
        if found is None:
            found = self._generated(position)
            self._made += len(found)
            self._turns += len(found)
            if self._turns > MOST_TURNS:
                self._known.clear()
                self._turns = len(found)
            self._known[key] = found
        return found

    def _generated(self, position: Position) -> Sequence[Candidate]:
        self._asked += 1
        if self._model.effects and self._asked >= WORTH_COMPILING:
            native = self._compiled([position.stock])
            if native is not None:
                with suppress(TooLarge):
                    return native.spellings(position)
        return self._reference(position)

    def touched(self, boards: Sequence[Seen]) -> Sequence[Touched] | None:
        """What pseudo-legal turns change, and where they end; None where it is to be looked up."""
        self._asked_touched += len(boards)
        turns = self._asked_touched * self._made / max(1, self._asked)
        effects = self._model.effects and self._asked_touched >= WORTH_COMPILING
        if effects or turns >= WORTH_WITHOUT:
            native = self._compiled({stock for _, stock, _ in boards})
            if native is not None:
                with suppress(TooLarge):
                    return [(changed, ends) for changed, ends in native.touched(boards)]
        return None

    def mobile(
        self, frames: Mapping[Player, str], restrictions: Sequence[Rule]
    ) -> Callable[[Position], bool | None] | None:
        """What says of a position whether restrictions leave who moves a turn, or that it doesn't
        know; None where these can't be compiled."""
        rules = Rules(frames, tuple(restrictions))
        native = compiled(replace(self._model, rules=rules, passes={}), locm=self._locm)
        if isinstance(native, str):
            return None

        def asked(position: Position) -> bool | None:
            if native.takes(position.stock):
                with suppress(TooLarge):
                    return native.count(position) > 0
            return None

        return asked

    def _compiled(self, stocks: Iterable[Stock]) -> Native | None:
        """The compiled model; None where there is none, or it doesn't take what is in hand."""
        if self._native is None:
            self._native = compiled(self._model, locm=self._locm)
        if isinstance(self._native, str) or not all(map(self._native.takes, stocks)):
            return None
        return self._native
