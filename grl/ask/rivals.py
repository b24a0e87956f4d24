"""Rival theories: other rules that explain the same records as well.

Each feature that the chosen rules use is forbidden in turn, and rules are sought without it; what
then explains the records as well as the chosen rules is a rival, whose own features are forbidden
in turn. Where rivals disagree on a position, the records don't say what the rules are, and an
answer there would: this is query by committee (Seung, Opper and Sompolinsky 1992) with a committee
of minimal theories.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from grl.model import Feature, Literal, Model, Rule, Rules
from grl.progress import Progress, silent
from grl.records import Records
from grl.rules.endings.learn import Endings, ending_learner, learn_endings
from grl.rules.endings.outcomes import Outcome
from grl.rules.endings.recorded import outcomes
from grl.rules.features.cases import Generator, Setting
from grl.rules.features.vocabulary import words_of
from grl.rules.play.referee import presiding
from grl.rules.restrictions.labelled import Labelled, label
from grl.rules.restrictions.learn import SAMPLE
from grl.rules.restrictions.scoring import Explained
from grl.rules.restrictions.survey import Survey
from grl.rules.restrictions.turn_vocabulary import TurnVocabulary
from grl.rules.restrictions.working_set import Working
from grl.summary.standing import alone, undecided

TURNS = 2_500
"""Turns of the positions from which rivals of the restrictions are learned."""
LEVELS = 2
"""Rounds of the vocabulary that rivals may use; the last one is expensive."""
COST_FACTOR = 2.5
"""How much more expensive, or larger, than the chosen rules a rival may be."""
PATIENCE = 4
"""Rules of a rival that few positions may speak for."""
TRIED = 2
"""Theories sought for each rival wanted."""

Seek = Callable[[frozenset[Feature]], "tuple[Rule, ...] | None"]
"""Rules without some features that explain the records as well, or None."""


def rivals(
    model: Model, generator: Generator, records: Records, wanted: int, progress: Progress
) -> list[Rules]:
    """Up to `wanted` rules each in place of the model's restrictions and of its endings.

    All explain the positions of `records` as well as the model's do, at not too great a length:
    without a bound something explains anything. Restrictions have rivals only
    where records list all legal turns. Who moves next has none. As many again are the endings in
    another order, where no record shows which of two counts. Where it is open what becomes of a
    player who alone has no turn, that nothing does is one more.
    """
    rules = model.rules
    if rules is None:
        return []
    setting = Setting(model.equipment, rules.frames, generator)
    moments = records.sorted_moments()
    items = [label(setting, moment) for moment in moments if moment.complete]
    found = [
        replace(rules, restrictions=other)
        for other in _restrictions(model, setting, items, wanted, progress)
    ]
    found += [replace(rules, endings=other) for other in _reordered(model)][:wanted]
    if alone(model):
        found.append(replace(rules, endings=_for_all(model)))
    data = outcomes(presiding(setting, rules), moments, records.sorted_ends())
    return found + [
        replace(rules, endings=other) for other in _endings(model, setting, data, wanted, progress)
    ]


def _restrictions(
    model: Model, setting: Setting, items: Sequence[Labelled], wanted: int, progress: Progress
) -> list[tuple[Rule, ...]]:
    assert model.rules is not None
    chosen = model.rules.restrictions
    if not chosen or not items:
        return []
    vocabulary = TurnVocabulary.of(setting, words_of(model), items[:SAMPLE])
    working = Working(vocabulary)
    working.add(_some(items))
    survey = Survey(setting, items)
    most = len(survey.wrong(chosen))
    limit = COST_FACTOR * working.theory(LEVELS - 1, Explained(), patience=PATIENCE).cost

    def seek(without: frozenset[Feature]) -> tuple[Rule, ...] | None:
        for level in range(LEVELS):
            theory = working.theory(level, Explained(), without, limit, patience=PATIENCE)
            if theory.unexplained == 0 and len(survey.wrong(theory.rules, most + 1)) <= most:
                return theory.rules
        return None

    return _without_each(chosen, seek, wanted, progress, "rival restrictions")


def _endings(
    model: Model, setting: Setting, data: Sequence[Outcome], wanted: int, progress: Progress
) -> list[tuple[Rule, ...]]:
    assert model.rules is not None
    chosen = model.rules.endings
    if not chosen:
        return []

    def learned(without: frozenset[Feature]) -> Endings:
        learner = ending_learner(setting, model, data, without)
        return learn_endings(setting, model, learner, silent)

    known = learned(frozenset())
    most, largest = known.unexplained + known.early, COST_FACTOR * _size(chosen)

    def seek(without: frozenset[Feature]) -> tuple[Rule, ...] | None:
        found = learned(without)
        as_good = found.unexplained + found.early <= most and _size(found.rules) <= largest
        return found.rules if as_good else None

    return _without_each(chosen, seek, wanted, progress, "rival endings")


def _reordered(model: Model) -> Iterator[tuple[Rule, ...]]:
    """The endings, in turn with one of them before another that no record shows to be behind it."""
    assert model.rules is not None
    for first, second, _ in undecided(model):
        rules = list(model.rules.endings)
        rules.insert(first - 1, rules.pop(second - 1))
        yield tuple(rules)


def _for_all(model: Model) -> tuple[Rule, ...]:
    """The endings, those for want of a turn only where nobody has one."""
    assert model.rules is not None
    stuck = Literal(("stuck", 0), True)
    others = [Literal(("stuck", seat), True) for seat in range(1, len(model.equipment.players))]
    return tuple(
        replace(rule, body=(*rule.body, *others)) if stuck in rule.body else rule
        for rule in model.rules.endings
    )


def _without_each(
    chosen: tuple[Rule, ...],
    seek: Seek,
    wanted: int,
    progress: Progress,
    stage: str,
) -> list[tuple[Rule, ...]]:
    """The theories found without features of the chosen rules, then without those of rivals.

    Whole rules come first, then single features; so each rule has a rival early.
    """
    queue = deque(
        [
            *(frozenset(literal.feature for literal in rule.body) for rule in chosen),
            *(frozenset([literal.feature]) for rule in chosen for literal in rule.body),
        ]
    )
    known = {_said(chosen)}
    asked: set[frozenset[Feature]] = set()
    found: list[tuple[Rule, ...]] = []
    used = _features(chosen)
    while queue and len(found) < wanted and len(asked) < TRIED * wanted:
        without = queue.popleft()
        if without in asked:
            continue
        asked.add(without)
        progress(stage, len(asked), TRIED * wanted)
        other = seek(without)
        if other is None:
            continue
        fresh = _features(other) - used
        if fresh:
            queue.append(without | fresh)
        if _said(other) not in known:
            known.add(_said(other))
            found.append(other)
    return found


def _features(rules: Iterable[Rule]) -> frozenset[Feature]:
    return frozenset(literal.feature for rule in rules for literal in rule.body)


def _size(rules: Iterable[Rule]) -> int:
    """What rules take to write down: names, numbers and squares, and one for each rule."""
    return sum(1 + sum(_length(literal.feature) for literal in rule.body) for rule in rules)


def _length(feature: object) -> int:
    return sum(map(_length, feature)) if isinstance(feature, tuple) else 1


def _said(rules: Iterable[Rule]) -> tuple[object, ...]:
    """What rules say, without what speaks for them."""
    return tuple((rule.body, rule.value) for rule in rules)


def _some(items: Sequence[Labelled]) -> list[Labelled]:
    """Positions to learn from: of those with illegal turns and of those without, evenly."""
    with_surplus = [item for item in items if item.surplus]
    without = [item for item in items if not item.surplus and item.cases]
    chosen: list[Labelled] = []
    for group, turns in ((with_surplus, TURNS), (without, TURNS // 4)):
        step = max(1, sum(len(item.cases) for item in group) // turns)
        chosen += group[::step]
    return chosen
