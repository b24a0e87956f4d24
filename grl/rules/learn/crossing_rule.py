"""Whether a turn may pass over an opposing piece twice, where turns change what they pass over.

Where pieces go far, most turns that a search finds do so, far too many to look at. Records whose
turns never do are taken to follow the rule of draughts; what passes over one piece again is
generated nevertheless while rules are learned, so that positions can speak for the rule. Where
none does it is open.
"""

from __future__ import annotations

from dataclasses import replace

from grl.model import Model, Rule
from grl.moves.crossing import FORBIDDEN, crossings, forbids, may_cross
from grl.rules.features.decision_list import FEW
from grl.rules.restrictions.survey import Survey
from grl.sgrl.evidence import Evidence
from grl.turn import Turn

NEVER_SEEN = 1
"""The bound of crossings while rules are learned from records that show none."""


def bounded(model: Model, evidence: Evidence) -> Model:
    """The model with a bound of crossings, one more than any turn of the records has."""
    if not model.passing_matters or not may_cross(model):
        return model
    board = model.equipment.board
    most = max(
        (
            crossings(board, Turn.parse(text).segments[0])
            for turns in evidence.decisions.values()
            for text in turns
            if text.partition(";")[0].count("p)") > 1
        ),
        default=0,
    )
    return replace(model, crossings=most + NEVER_SEEN)


def with_crossings(model: Model, rules: tuple[Rule, ...], survey: Survey) -> tuple[Rule, ...]:
    """Restrictions whose first is that no opposing piece is passed over twice, if none ever was.

    It stands first so that a search can follow it (`grl.moves.crossing.crossing_limit`), unless
    that leaves wrong turns in more of the positions surveyed.
    """
    if model.crossings != NEVER_SEEN:
        return rules
    found = next(filter(forbids, rules), None)
    if found is None:
        board = model.equipment.board
        support = sum(
            item.complete
            and any(
                crossings(board, case.turn.segments[0]) for case in item.cases if case.turn.segments
            )
            for item in survey.items
        )
        found = Rule(FORBIDDEN, support=support, provisional=support < FEW)
    first = (found, *(rule for rule in rules if rule is not found))
    return first if len(survey.wrong(first)) <= len(survey.wrong(rules)) else rules
