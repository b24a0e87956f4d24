"""Rules that some positions suggest and that pay for themselves in all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import compress

from grl.model import Rule
from grl.progress import Progress
from grl.rules.features.vocabulary import ROUNDS
from grl.rules.restrictions.habits import Habits
from grl.rules.restrictions.labelled import Kind, Labelled
from grl.rules.restrictions.samples import MOST_WRONG, joining, shown
from grl.rules.restrictions.scoring import Silence
from grl.rules.restrictions.survey import Survey
from grl.rules.restrictions.theory import Body
from grl.rules.restrictions.turn_vocabulary import TurnVocabulary
from grl.rules.restrictions.working_set import Working

TRIALS = 4
"""So many theories show whether there is anything to be had."""
MOST_RULES = 8
"""So many rules are learned at a time: in a sample many more may pay by chance."""
PATIENCE = 12
"""How many rules that few positions speak for are gone through."""


def paying_rules(
    vocabulary: TurnVocabulary,
    first: Sequence[Labelled],
    survey: Survey,
    whole: Survey,
    scoring: Silence,
    progress: Progress,
    level: int = 0,
    kind: Kind | None = None,
) -> Mapping[Rule, float]:
    """Those rules of a theory of the `first` positions that pay for themselves in the `whole`, each
    with what it costs.

    Where none does, positions of the `survey` that the theory gets wrong join, for another one.
    With a `kind` of turns these have no others, and all rules name it.
    """
    table = Working(vocabulary, progress, listed=True, kind=kind)
    working = list(first)
    for trial in range(TRIALS):
        progress("restrictions: rounds", trial + 1, None)
        table.add(shown(vocabulary, working[len(table.items) :]))
        if trial > 1 and level == ROUNDS - 1:
            table.doubt()
        theory = table.theory(max(level, 1), scoring, patience=PATIENCE, most=MOST_RULES)
        paid = paid_in(whole, theory.rules, table.costs, scoring.habits)
        if paid:
            return {rule: table.costs[rule.body] for rule in paid}
        inside = set(map(id, working))
        wrong = survey.wrong(theory.rules, MOST_WRONG)
        fresh = [item for item in wrong if id(item) not in inside]
        if not fresh:
            break
        working += joining(vocabulary, theory.rules, fresh, trial)
    return {}


def paid_in(
    survey: Survey, rules: tuple[Rule, ...], costs: Mapping[Body, float], habits: Habits | None
) -> tuple[Rule, ...]:
    """Of rules that pay for themselves in a sample those that do so in all positions.

    None of them forbids a turn played, which rules of a sample may do that were given up.
    """
    scoring = Silence(habits=habits)
    kept: tuple[Rule, ...] = ()
    found = rules
    while kept != found:
        kept = found
        right = [not against for _, against in survey.counted(kept)]
        if all(right):
            right = [
                scoring.paid(some, costs[rule.body]) > 0
                for rule, some in zip(kept, survey.shares(kept), strict=True)
            ]
        found = tuple(compress(kept, right))
    return kept
