"""Where a pass is illegal, for players who pass though they have other turns.

A pass is a turn without segments: what can be said of it is what can be said of the position, and
which turns are its rivals.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from grl.model import Model, Rule, Rules
from grl.progress import Progress
from grl.records import Moment
from grl.rules.endings.features import position_features
from grl.rules.endings.outcomes import Outcome
from grl.rules.features.cases import Setting, TurnCase
from grl.rules.features.decision_list import Example, Examples
from grl.rules.features.vocabulary import Priced, came, landings, shape_features, words_of
from grl.rules.play.referee import Restrictor, pass_case
from grl.rules.restrictions.labelled import Labelled
from grl.rules.restrictions.offered import SCOPE_COST
from grl.rules.search.lists import ListLearner, Use
from grl.rules.templates.columns import turn_table

FIRST_ILLEGAL = 100
FIRST_LEGAL = 200
LEVELS = 3

Chance = Example[TurnCase]
"""A pass that its player might be free to play: None where the records list it as legal."""
ILLEGAL = ()


@dataclass(frozen=True)
class Passing:
    """Rules, how many positions show whether a pass is legal, and how many are wrong by them."""

    rules: tuple[Rule, ...]
    positions: int
    wrong: int


def learn_passing(
    setting: Setting,
    model: Model,
    rules: Rules,
    pairs: Iterable[tuple[Moment, Labelled]],
    progress: Progress,
) -> Passing:
    """The rules that say where free players may not pass; none where they may everywhere.

    `pairs` are moments, each with its turns, which the restrictions of `rules` are asked to judge.
    Where not all legal turns are known, a pass that was played is known to be legal.
    """
    free = [
        (moment, item)
        for moment, item in pairs
        if (moment.complete or _listed(moment))
        and model.passes.get(moment.position.to_move) == "free"
    ]
    positions = sum(moment.complete for moment, _ in free)
    if all(_listed(moment) for moment, _ in free):
        return Passing((), positions, 0)
    restrictor = Restrictor(setting, rules.restrictions)
    data = []
    for moment, item in free:
        turns = restrictor.survivors(item.turn_list, item.cases)
        says = None if _listed(moment) else ILLEGAL
        data.append(Chance(pass_case(setting, moment.position, turns), says))
    examples = Examples(data, partial(turn_table, setting))
    first = FIRST_ILLEGAL, FIRST_LEGAL
    use: Use[Chance] = Use("passes", first, LEVELS, partial(_features, setting, model))
    learned = examples.believed(ListLearner(use, examples).learned(progress))
    return Passing(learned, positions, len(examples.wrong(learned)))


def _listed(moment: Moment) -> bool:
    return "pass" in moment.turns


def _features(
    setting: Setting, model: Model, working: Sequence[Chance], level: int
) -> Iterator[Priced]:
    """The features of passes of a round: of the position, and of the turns that are legal there."""
    if level == 0:
        for feature, cost in shape_features(setting, words_of(model)):
            yield Priced(("rival_has", "any", feature), cost + SCOPE_COST["any"])
    if level == 1:
        yield from came(setting)
        for feature, cost in landings(setting):
            yield Priced(("before", feature), cost)
    plain = [Outcome(chance.case.before, None) for chance in working]
    for feature, cost in position_features(setting, model, plain, level):
        yield Priced(("before", feature), cost)
