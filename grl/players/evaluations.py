"""Evaluations as people name them, read from the rules of a learned model, each made once.

=========================== ==================================================================
``none``                    nothing: all is even where the game goes on
``fuzzy``                   how nearly the goals are had (`grl.players.fuzzy`)
``fuzzy+latches``           what is false for good has truth 0
``fuzzy+distances``         a square is the more true, the nearer the pieces are that may come
``fuzzy+latches+distances`` both
``mobility``                how few turns the others have, whatever the goals are
=========================== ==================================================================

They are in C where the model is compiled. A reference game has the evaluations of a model that was
learned of it (`grl.players.referees.Refereed`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from grl.board import Equipment
from grl.engine.engine import Engine, State
from grl.errors import GrlError
from grl.players import agent
from grl.players.changes import movement_latches
from grl.players.distances import turns_away
from grl.players.formulas import Circuit
from grl.players.fuzzy import Fuzzy
from grl.players.fuzzycode import Compiled
from grl.players.goals import Goals, goals_of, turns_of
from grl.players.interface import Answer, Budget, Evaluation, Game
from grl.players.referees import Refereed
from grl.rulebook import Rulebook

NONE, MOBILITY = "none", "mobility"
LATCHES, DISTANCES = "latches", "distances"
NAMES: Mapping[str, frozenset[str]] = {
    NONE: frozenset(),
    "fuzzy": frozenset(),
    "fuzzy+latches": frozenset({LATCHES}),
    "fuzzy+distances": frozenset({DISTANCES}),
    "fuzzy+latches+distances": frozenset({LATCHES, DISTANCES}),
    MOBILITY: frozenset(),
}
"""Evaluations by name, with what they add to fuzzy goals."""


@dataclass(frozen=True)
class Judging:
    """The player `name` with the evaluation `judged`, which is made for the game it plays."""

    name: str
    judged: str

    def choose(self, game: Game, state: State, budget: Budget, seed: int = 0) -> Answer:
        """See `grl.players.interface.Agent`; raises `GrlError` as `evaluation_of` does."""
        return agent(self.name, evaluation_of(self.judged, game)).choose(game, state, budget, seed)


@lru_cache(maxsize=32)
def evaluation_of(name: str, game: Game) -> Evaluation | None:
    """The evaluation of a name for a game.

    Raises `GrlError` where no learned model is known of the game, and where its goals are such that
    none has a degree of truth.
    """
    if name == NONE:
        return None
    rules = _rules_of(game)
    goals = mobility_goals(rules.model.equipment) if name == MOBILITY else goals_of(rules.model)
    if not goals.circuit.fluents:
        raise GrlError(
            "the goals of this model have no degrees of truth",
            found="; ".join(goals.left_out) or "no endings",
            expected=f"another evaluation, {MOBILITY} for instance",
        )
    added = NAMES[name]
    fuzzy = Fuzzy(
        goals,
        latches=movement_latches(rules.model) if LATCHES in added else None,
        distances=turns_away(rules.model) if DISTANCES in added else None,
        count=lambda position: game.state(position).count(),
    )
    engine = game if isinstance(game, Engine) else rules.engine()
    if engine.native is None:
        return fuzzy
    compiled = Compiled(fuzzy, engine)
    if game is engine:
        return compiled
    return lambda state, seat: compiled(engine.state(state.position()), seat)


def mobility_goals(equipment: Equipment) -> Goals:
    """Everybody wants the others to have no turn, and who is alone to have some."""
    circuit, goals = Circuit(), {}
    for player in equipment.players:
        others = [circuit.fluent(turns_of(each)) for each in equipment.players if each != player]
        goals[player] = (
            circuit.either(others) if others else circuit.negated(circuit.fluent(turns_of(player)))
        )
    roots = list(chain(goals.values()))
    only, numbers = circuit.only(roots)
    place = dict(zip(roots, numbers, strict=True))
    return Goals(equipment, only, {p: ((100, place[root]),) for p, root in goals.items()}, {})


def _rules_of(game: Game) -> Rulebook:
    """The learned model from which evaluations are read."""
    rules = game.rulings if isinstance(game, Engine | Refereed) else None
    if not isinstance(rules, Rulebook):
        raise GrlError("an evaluation is read from a learned model", found="a game without one")
    return rules
