"""Rare kinds of turns where only the turns played are known: which they are, and further positions.

Positions are of checkers, where captures are a rare kind in the first plies of random games.
"""

from __future__ import annotations

import random

import numpy as np
import pytest
from learned import learned, random_positions

from grl import games
from grl.model import Literal, Rule
from grl.progress import silent
from grl.records import Moment
from grl.rules.features.cases import Setting
from grl.rules.features.vocabulary import Priced, words_of
from grl.rules.play.effects import generator_of
from grl.rules.restrictions import paying, rarities
from grl.rules.restrictions.labelled import ILLEGAL, LEGAL, Kind, Labelled, label
from grl.rules.restrictions.paying import paid_in
from grl.rules.restrictions.rarities import Kinds, held_to, refuting
from grl.rules.restrictions.scoring import Silence
from grl.rules.restrictions.silence import needed
from grl.rules.restrictions.survey import Survey
from grl.rules.restrictions.turn_vocabulary import TurnVocabulary
from grl.rules.restrictions.working_set import Working
from grl.rules.search.refine import Theory

TAKES = Priced(("takes", "opposing"), 1.0)
MEN = Rule((Literal(("moves", "own:man"), True),))
WRONG = Rule((Literal(("moves", "own:king"), True),))


@pytest.fixture(scope="module")
def vocabulary() -> TurnVocabulary:
    model = learned("checkers").model
    assert model.rules is not None
    setting = Setting(model.equipment, model.rules.frames, generator_of(model))
    return TurnVocabulary.of(setting, words_of(model), items(setting, 20, seed=1))


def items(setting: Setting, number: int, seed: int) -> list[Labelled]:
    """Positions of random games, of each the turn played alone."""
    game = games.load("checkers")
    chance = random.Random(seed)
    found = []
    for position in random_positions("checkers", number, seed=seed):
        turns = game.legal(position)
        if turns:
            known = frozenset([chance.choice(turns)])
            found.append(label(setting, Moment(position, False, known, frozenset())))
    return found


def takes(item: Labelled) -> list[bool]:
    return [
        case.candidate.cells.count(".") > item.turn_list.before.cells.count(".")
        for case in item.cases
    ]


@pytest.fixture
def rare(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rarities, "RARE", 0.9)
    monkeypatch.setattr(rarities, "TOGETHER", 7)


@pytest.mark.usefixtures("rare")
def test_turns_of_a_kind_are_looked_at_alone_and_the_others_are_counted(
    vocabulary: TurnVocabulary,
) -> None:
    some = items(vocabulary.setting, 60, seed=2)
    kinds = Kinds(vocabulary, some)
    numbers = kinds.table(some).sum(axis=0).tolist()
    assert numbers == sorted(numbers)
    assert all(0 < number <= 0.9 * len(some) for number in numbers)
    shapes = vocabulary.levels[0][: vocabulary.shapes]
    offered = [vocabulary.table(item.cases, shapes) for item in some]
    turns = dict(zip(shapes, sum(each.sum(axis=0) for each in offered).tolist(), strict=True))
    where = dict(zip(shapes, np.stack([each.any(axis=0) for each in offered], axis=1), strict=True))
    narrower = 0
    for kind in kinds.features:
        alike = [each for each in shapes if (where[each] == where[kind]).all()]
        assert turns[kind] == max(turns[each] for each in alike)
        narrower += sum(turns[each] < turns[kind] for each in alike)
    assert narrower
    alone = rarities.alone(vocabulary, some, Kind.of(TAKES))
    offering = [item for item in some if any(takes(item))]
    assert 0 < len(alone) == len(offering) < len(some)
    for item, whole in zip(alone, offering, strict=True):
        assert all(takes(item))
        assert len(item.cases) == sum(takes(whole))
        assert len(item.cases) + item.others == len(whole.cases)


def test_a_silence_is_worth_the_same_whether_other_turns_are_rows_or_counted() -> None:
    whole = np.repeat([0, 1, 2], [4, 2, 3])
    alone = np.array([0, 0, 2])
    left = np.array([4, 2, 3])
    covered = np.array([1, 3, 8])
    scoring = Silence()
    assert scoring.worth(whole, left, covered, 1.0) == scoring.worth(
        alone, left, np.array([0, 1, 2]), 1.0
    )
    assert scoring.weights(alone, left).tolist() == [1 / 4, 1 / 4, 1 / 3]


@pytest.mark.usefixtures("rare")
def test_further_positions_refute_rules_and_those_with_rare_kinds_are_kept(
    vocabulary: TurnVocabulary,
) -> None:
    model = learned("checkers").model
    assert model.rules is not None
    right = model.rules.restrictions
    kinds = Kinds(vocabulary, items(vocabulary.setting, 40, seed=3))
    some = items(vocabulary.setting, 80, seed=4)
    further = [(float(number), item) for number, item in enumerate(some)]
    refuted, against = held_to(further, (*right, WRONG), kinds, vocabulary, silent)
    assert refuted == [*(False for _ in right), True]
    assert against
    assert refuting(further, (*right, WRONG), vocabulary)[0] == refuted
    assert refuting(further, right, vocabulary) == (refuted[:-1], [])
    for item in against:
        played = item.cases[item.labels.index(LEGAL)]
        assert item.turn_list.before.cells[played.candidate.starts[0]].upper() == "K"
    refuted, kept = held_to(further, right, kinds, vocabulary, silent)
    assert not any(refuted)
    assert len(kept) == int(kinds.table(kept).any(axis=1).sum())
    before = {id(item.turn_list.before): item for item in some}
    for item in kept:
        whole = before[id(item.turn_list.before)]
        assert item.labels.count(LEGAL) == whole.labels.count(LEGAL) == 1
        assert item.labels.count(ILLEGAL) <= whole.labels.count(ILLEGAL)
    again = held_to(further[::-1], right, kinds, vocabulary, silent)[1]
    assert [item.turn_list.before for item in again] == [item.turn_list.before for item in kept]


def test_rules_that_forbid_a_turn_played_are_dropped_and_what_they_hid_counts(
    vocabulary: TurnVocabulary,
) -> None:
    compulsory = Rule((Literal(("rival_has", "any", ("takes", "opposing")), True),))
    some = items(vocabulary.setting, 300, seed=5)
    survey = Survey(vocabulary.setting, some)
    rules = (MEN, compulsory, WRONG)
    costs = {rule.body: 1.0 for rule in rules}
    hidden, plain = survey.shares(rules)[1], survey.shares([compulsory])[0]
    scoring = Silence()
    assert scoring.paid(hidden, 1.0) <= 0 < scoring.paid(plain, 1.0)
    assert [wrong > 0 for _, wrong in survey.counted(rules)] == [True, False, True]

    assert paid_in(survey, rules, costs, None) == (compulsory,)
    assert paid_in(survey, rules, {**costs, compulsory.body: 1000.0}, None) == ()


def test_rules_that_forbid_what_others_forbid_are_needless(vocabulary: TurnVocabulary) -> None:
    some = items(vocabulary.setting, 100, seed=6)
    survey = Survey(vocabulary.setting, some)
    ahead = Literal(("steps", "=", 1), True)
    narrower = Rule((*MEN.body, ahead))
    assert needed(survey, (narrower, MEN, WRONG)) == (MEN, WRONG)
    assert needed(survey, (narrower, WRONG)) == (narrower, WRONG)


@pytest.mark.parametrize("right", [True, False])
def test_rules_that_pay_are_taken_at_once_and_some_trials_without_any_are_enough(
    vocabulary: TurnVocabulary, monkeypatch: pytest.MonkeyPatch, right: bool
) -> None:
    compulsory = Rule((Literal(("rival_has", "any", ("takes", "opposing")), True),))
    some = items(vocabulary.setting, 300, seed=5)
    rules = (WRONG, compulsory) if right else (WRONG,)
    made = []

    def theory(*_: object, **__: object) -> Theory:
        made.append(rules)
        return Theory(rules, 0, 1.0)

    monkeypatch.setattr(Working, "theory", theory)
    monkeypatch.setattr(Working, "costs", {rule.body: 1.0 for rule in rules})
    survey = Survey(vocabulary.setting, some)

    found = paying.paying_rules(vocabulary, some[:20], survey, survey, Silence(), silent)

    assert found == ({compulsory: 1.0} if right else {})
    assert len(made) == (1 if right else paying.TRIALS)
