"""Who moves next, where it is not always the next player in turn order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from grl.board import Player
from grl.model import Rule
from grl.progress import Progress
from grl.records import Moment
from grl.rules.features.cases import Setting, TurnCase
from grl.rules.features.decision_list import Example, Examples, first_of
from grl.rules.features.vocabulary import Priced
from grl.rules.play.referee import pass_case
from grl.rules.restrictions.labelled import label
from grl.rules.restrictions.turn_vocabulary import TurnVocabulary
from grl.rules.search.deepening import Sample, deepened
from grl.rules.search.greedy import Greedy
from grl.rules.search.refine import ADDED, Attempt, refine
from grl.rules.templates.columns import turn_table
from grl.turn import PASS

FIRST_EXCEPTIONS = 400
FIRST_REGULAR = 800
REVISIONS = 8
LEVELS = 2
DEEPENINGS = 2
"""In so many revisions features are made of terms where the listed ones don't do."""

Followed = Example[TurnCase]
"""A turn that was played, with the seat, from the mover on, that moved next; None for seat 1."""


@dataclass(frozen=True)
class Control:
    """Rules, and how many of the turns played they get wrong."""

    rules: tuple[Rule, ...]
    wrong: int


def followed(setting: Setting, moments: Sequence[Moment]) -> list[Followed]:
    """The turns of the records after which it is known who moved; empty where nothing is odd."""
    if len(setting.equipment.players) == 1:
        return []

    def seat(moment: Moment, follower: Player) -> int:
        return setting.places_after(moment.position.to_move, follower)

    if all(seat(m, follower) == 1 for m in moments for _, follower in m.followers):
        return []
    found = []
    for moment in moments:
        if not moment.followers:
            continue
        by_text = {str(case.turn): case for case in label(setting, moment).cases}
        by_text[str(PASS)] = pass_case(setting, moment.position, [])
        for text, follower in sorted(moment.followers):
            if text in by_text:
                next_seat = seat(moment, follower)
                found.append(Followed(by_text[text], None if next_seat == 1 else (next_seat,)))
    return found


def learn_control(
    vocabulary: TurnVocabulary, data: Sequence[Followed], progress: Progress
) -> Control:
    """The rules that say after which turns it is not the next player's move."""
    if all(item.says is None for item in data):
        return Control((), 0)
    working = first_of(data, FIRST_EXCEPTIONS, FIRST_REGULAR)
    deeper: dict[Priced, None] = {}

    def attempts(some: Sequence[Followed], revision: int) -> Iterator[Attempt[tuple[Rule, ...]]]:
        progress("who moves next: rounds", revision + 1, None)
        for level in range(LEVELS):
            features = _features(vocabulary, level)
            yield _attempt(vocabulary, features, some)
        if revision < DEEPENINGS:
            deeper.update(dict.fromkeys(_deepened(vocabulary, features, some)))
        if deeper:
            yield _attempt(vocabulary, [*features, *deeper], some)

    wrong = _examples(vocabulary.setting, data).wrong
    return Control(*refine(working, attempts, wrong, REVISIONS, joining=lambda some: some[:ADDED]))


def _features(vocabulary: TurnVocabulary, level: int) -> list[Priced]:
    features = [f for i in range(level + 1) for f in vocabulary.levels[i]]
    features += [
        Priced(("after", ("stuck", seat)), 1.5)
        for seat in range(len(vocabulary.setting.equipment.players))
    ]
    return features


def _deepened(
    vocabulary: TurnVocabulary, features: Sequence[Priced], working: Sequence[Followed]
) -> list[Priced]:
    """Features made of terms that separate the turns after which another than the next one moves.

    The turns are looked at one by one: what rivals there were is no matter.
    """
    cases = [item.case for item in working]
    sample = Sample(
        cases,
        np.array([item.says is not None for item in working]),
        np.arange(len(working)),
        {},
        vocabulary.table(cases, features),
        [],
    )
    return deepened(vocabulary.setting, vocabulary.words, sample).features


def _attempt(
    vocabulary: TurnVocabulary, features: Sequence[Priced], working: Sequence[Followed]
) -> Attempt[tuple[Rule, ...]]:
    table = vocabulary.table([item.case for item in working], features)
    found = Greedy(features, table, working).ordered()
    return Attempt(found.rules, found.cost)


def _examples(setting: Setting, data: Sequence[Followed]) -> Examples[Followed]:
    return Examples(data, partial(turn_table, setting))


def misled(setting: Setting, rules: Sequence[Rule], data: Sequence[Followed]) -> int:
    """After how many of the turns played the rules name the wrong player."""
    return len(_examples(setting, data).wrong(rules))
