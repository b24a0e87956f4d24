"""Theories side by side: what each says of a position, and what an answer says in such terms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import log2
from typing import NamedTuple

from grl.ask.answers import Answer, effect_of
from grl.board import Position
from grl.model import Model, Rules
from grl.moves.candidate import Candidate
from grl.rules.features.cases import Generator, TurnCase
from grl.rules.play.referee import Referee, referee_of
from grl.turn import PASS, Turn

Saying = tuple[object, ...]
"""What a theory says: ``("over", goals by seat or None)``, or ``("turns", effects)``."""
KEPT = 20_000
"""Positions whose pseudo-legal turns are remembered."""


class Said(NamedTuple):
    """What each theory says of a position, and the turns that the first one leaves."""

    sayings: tuple[Saying, ...]
    cases: Sequence[TurnCase]

    @property
    def over(self) -> bool:
        """Whether the first theory takes the game to be over."""
        return self.sayings[0][0] == "over"


class Committee:
    """The rules of a model, the first, and their rivals, on one generator of turns."""

    def __init__(self, model: Model, generator: Generator, theories: Sequence[Rules]) -> None:
        self.model = model
        self._generator = generator
        self._known: dict[object, Sequence[Candidate]] = {}
        self._said: dict[object, Said] = {}
        self.theories = [referee_of(model.initial, rules, self.candidates) for rules in theories]

    def candidates(self, position: Position) -> Sequence[Candidate]:
        """The pseudo-legal turns of a position, generated once."""
        found = self._known.get(position.outcome)
        if found is None:
            if len(self._known) >= KEPT:
                self._known.clear()
            found = self._known[position.outcome] = self._generator(position)
        return found

    def says(self, position: Position) -> Said:
        """What the theories say of a position without history; asked once of each.

        Theories that share their restrictions share the turns that these leave.
        """
        found = self._said.get(position.outcome)
        if found is None:
            left: dict[int, Sequence[TurnCase]] = {}
            sayings = []
            for theory in self.theories:
                key = id(theory.rules.restrictions)
                if key not in left:
                    left[key] = theory.survivors(position)
                sayings.append(self._saying(theory, position, left[key]))
            if len(self._said) >= KEPT:
                self._said.clear()
            over = sayings[0][0] == "over"
            cases = () if over else left[id(self.theories[0].rules.restrictions)]
            found = self._said[position.outcome] = Said(tuple(sayings), cases)
        return found

    def _saying(self, theory: Referee, position: Position, cases: Sequence[TurnCase]) -> Saying:
        ending = theory.ending(position, cases)
        if ending is not None:
            return "over", ending.value
        effects = frozenset(case.candidate.effect for case in cases)
        if theory.may_pass(position, self.model.passes.get(position.to_move), cases):
            effects |= {PASS.effect(position)}
        return ("turns", effects) if effects else ("over", None)

    def saying_of(self, answer: Answer) -> Saying:
        """An answer as a theory would say it."""
        position = answer.position
        if answer.goals is not None:
            players = position.equipment.players
            first = players.index(position.to_move)
            seats = range(len(players))
            return "over", tuple(answer.goals[players[(first + s) % len(players)]] for s in seats)
        return "turns", frozenset(effect_of(position, Turn.parse(text)) for text in answer.turns)


def disagreement(sayings: Sequence[Saying]) -> float:
    """The entropy in bits of the votes, 0 where all say the same."""
    votes = Counter(sayings)
    return -sum(n / len(sayings) * log2(n / len(sayings)) for n in votes.values())
