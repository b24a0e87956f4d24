"""Literals as English phrases and rules as English sentences.

Every template has a phrase for when it holds and one for when it doesn't (`grl.rules.templates`).
Files and ranks are those that the player in question sees.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grl.board import Equipment
from grl.errors import ModelError
from grl.logic.english import Speech, joined
from grl.logic.ops.places import square
from grl.model import Feature, Literal, Rule
from grl.rules.templates import OF_TURNS, POSITIONS, scores
from grl.rules.templates.template import Template


class English(Speech):
    """Phrases and sentences for one game's equipment; `view` is from where players are named."""

    def __init__(self, equipment: Equipment) -> None:
        super().__init__(equipment, "position")

    def role(self, role: str) -> str:
        """A square of the turn."""
        return self.noun(square(role))

    def sentence(self, kind: str, rule: Rule) -> str:
        """A rule of `kind` restriction, ending, control or pass as a sentence."""
        if kind == "ending":
            body = joined([self.position(*literal) for literal in rule.body])
            self.view = "position"
            goals = scores.phrases(self, rule)
            end = f": {joined(goals)}" if goals else ""
            return f"The game is over if {body}{end}." if body else f"The game is over{end}."
        clause = self.passing if kind == "pass" else self.turn
        body = joined([clause(*literal) for literal in rule.body])
        condition = f" if {body}" if body else ""
        if kind == "restriction":
            return f"A turn is illegal{condition}."
        if kind == "pass":
            return f"A pass is illegal{condition}."
        self.view = "turn"
        again = "" if rule.seat else " again"
        return f"After a turn {self.seat(rule.seat)} moves{again}{condition}."

    def passing(self, feature: Feature, holds: bool) -> str:
        """A clause on a pass: on the position, or on the turns beside it."""
        if feature[0] == "before":
            return self.within("turn", feature[1], holds)
        if feature[:2] == ("rival_has", "any"):
            legal = "some legal turn" if holds else "no legal turn"
            clause = self.turn(feature[2], True)
            does = clause.removeprefix("it ")
            return f"{legal} {does}" if does != clause else f"of {legal} it is true that {clause}"
        return self.turn(feature, holds)

    def position(self, feature: Feature, holds: bool) -> str:
        """A clause on a position; the player to move looks at it."""
        return self._said(POSITIONS, feature, holds, "position")

    def turn(self, feature: Feature, holds: bool) -> str:
        """A clause on a turn; the mover looks at it."""
        return self._said(OF_TURNS, feature, holds, "turn")

    def within(self, view: str, feature: Feature, holds: bool) -> str:
        """A clause on a position as part of a clause on a turn."""
        return self._said(POSITIONS, feature, holds, view)

    def _said(
        self, templates: Mapping[str, Template], feature: Feature, holds: bool, view: str
    ) -> str:
        if feature[0] not in templates:
            raise ModelError(f"no phrase for the feature {feature[0]!r}")
        outer, self.view = self.view, view
        try:
            return templates[feature[0]].phrases(self, *feature[1:])[0 if holds else 1]
        finally:
            self.view = outer


def sentences(equipment: Equipment, kind: str, rules: Sequence[Rule]) -> list[str]:
    """Each rule of a kind, restriction, ending, control or pass, as a sentence."""
    english = English(equipment)
    return [english.sentence(kind, rule) for rule in rules]


def phrase(equipment: Equipment, kind: str, literal: Literal) -> str:
    """A literal of a rule of such a kind as a clause."""
    english = English(equipment)
    said = {"ending": english.position, "pass": english.passing}.get(kind, english.turn)
    return said(literal.feature, literal.holds)
