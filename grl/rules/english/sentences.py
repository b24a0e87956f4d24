"""Literals as English phrases and rules as English sentences.

Every template of features has a phrase for when it holds and one for when it doesn't.
Files and ranks are those that the player in question sees.
"""

from __future__ import annotations

from collections.abc import Sequence

from grl.board import Equipment
from grl.model import Feature, Literal, Rule
from grl.rules.english.positions import POSITION_PHRASES
from grl.rules.english.turns import TURN_PHRASES
from grl.rules.english.words import Speaker, joined


class English(Speaker):
    """Phrases and sentences for one game's equipment."""

    def __init__(self, equipment: Equipment) -> None:
        super().__init__(equipment, POSITION_PHRASES, TURN_PHRASES)

    def sentence(self, kind: str, rule: Rule) -> str:
        """A rule of `kind` restriction, ending, control or pass as a sentence."""
        if kind == "ending":
            body = joined([self.position(*literal) for literal in rule.body])
            self.view = "position"
            goals = [f"{goal} for {self.seat(i)}" for i, goal in enumerate(rule.value)]
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
        who = self.seat(rule.value[0])
        return f"After a turn {who} moves{' again' if not rule.value[0] else ''}{condition}."

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


def sentences(equipment: Equipment, kind: str, rules: Sequence[Rule]) -> list[str]:
    """Each rule of a kind, restriction, ending, control or pass, as a sentence."""
    english = English(equipment)
    return [english.sentence(kind, rule) for rule in rules]


def phrase(equipment: Equipment, kind: str, literal: Literal) -> str:
    """A literal of a rule of such a kind as a clause."""
    english = English(equipment)
    said = {"ending": english.position, "pass": english.passing}.get(kind, english.turn)
    return said(literal.feature, literal.holds)
