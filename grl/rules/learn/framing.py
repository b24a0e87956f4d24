"""By which of several frames endings are described best, where the initial position leaves it open.

An empty board, or one row of pieces on either side, fits several symmetries. Restrictions and
control may be the same by all of them, while a region that ends the game is one rule for both
players by one symmetry only.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import inf
from typing import NamedTuple

from grl.board import Player
from grl.logic.ops.shapes import NAMING
from grl.logic.perspectives import fitting_frames, possible_frames
from grl.model import Model, Rule, Rules
from grl.moves.candidate import Candidate
from grl.progress import Progress, Stopped, late
from grl.records import End, Moment
from grl.rules.endings.learn import ending_learner
from grl.rules.endings.outcomes import Outcome
from grl.rules.endings.recorded import outcomes
from grl.rules.features.cases import Generator, Setting
from grl.rules.features.terms import speaks_of
from grl.rules.features.vocabulary import Words, words_of
from grl.rules.learn.control import Followed, turns_played
from grl.rules.play.referee import presiding
from grl.rules.restrictions.labelled import Labelled, label
from grl.rules.restrictions.learn import drafted_cost
from grl.rules.restrictions.survey import Survey
from grl.rules.restrictions.turn_vocabulary import TurnVocabulary
from grl.rules.search.lists import ListLearner

TRIED, MOST_TURNS = 400, 200_000
"""Positions on which restrictions are drafted to compare frames, and of how many turns."""
MANY = 3
CONVINCING = 0.5
"""To what part of the cost of all endings frames have to lead that the start doesn't suggest."""
SPLINTERED = 2
"""No others are tried where that many rules for each result explain all ends."""
CLEARLY = 1.0
"""By how much less a theory has to cost."""


class Framed(NamedTuple):
    """A setting, the rules so far with its frames, and what learns endings by them."""

    setting: Setting
    rules: Rules
    learner: ListLearner[Outcome]


class Basis(NamedTuple):
    """What restrictions, control and endings were, or will be, learned from."""

    items: Sequence[Labelled]
    played: Sequence[Followed]
    moments: Sequence[Moment]
    ends: Sequence[End]


def well_framed(first: Framed, model: Model, basis: Basis, progress: Progress) -> Framed:
    """The frames that promise most of the ends which a draft of endings by `first` leaves.

    That is `first` where no other does better. Others come into question only where they change
    nothing of what restrictions and control say of the records. Where the players' pieces begin so
    that no symmetry relates them, one has to explain clearly more.
    """
    others = [each for each in fitting_frames(model.initial) if each != first.rules.frames]
    unlikely = () if others else tuple(possible_frames(model.initial))
    if not others and not unlikely:
        return first
    draft = [rule for rule in first.learner.draft().rules if _plain(rule)]
    left = {_where(item) for item in first.learner.examples.wrong(draft)}
    if not left:
        return first
    if unlikely:
        return _convincing(first, _framed(first, model, basis, unlikely, progress))

    def drafts(framed: Framed) -> tuple[int, float]:
        items = framed.learner.examples.items
        data = [item for item in items if item.goals is None or _where(item) in left]
        found = ending_learner(framed.setting, model, data).draft()
        return found.unexplained, found.cost

    best, found = drafts(first), first
    for framed in _framed(first, model, basis, others, progress):
        value = drafts(framed)
        if value < best:
            best, found = value, framed
    return found


def _convincing(first: Framed, others: Iterable[Framed]) -> Framed:
    """The best of the frames by which a draft explains more ends than by `first`, or as many, for
    clearly less; `first` where there are none."""
    least = first.learner.further_draft()
    results = {rule.value for rule in least.rules}
    if not least.unexplained and len(least.rules) <= SPLINTERED * len(results):
        return first
    most, found = CONVINCING * least.cost, first
    for framed in others:
        drafted = framed.learner.further_draft()
        if drafted.cost < most and drafted.rank < least.rank:
            least, found = drafted, framed
    return found


def _framed(
    first: Framed,
    model: Model,
    basis: Basis,
    others: Sequence[Mapping[Player, str]],
    progress: Progress,
) -> Iterator[Framed]:
    """The other frames that change nothing of what restrictions and control say."""
    before = (
        len(Survey(first.setting, basis.items).wrong(first.rules.restrictions)),
        len(turns_played(first.setting, basis.played).wrong(first.rules.control)),
    )
    for number, frames in enumerate(others):
        if late(progress, "symmetries: endings", number, len(others)):
            break
        setting = Setting(first.setting.equipment, frames, first.setting.generator)
        rules = replace(first.rules, frames=frames)
        if _as_wrong(setting, rules, basis, *before):
            data = outcomes(presiding(setting, rules), basis.moments, basis.ends)
            yield Framed(setting, rules, ending_learner(setting, model, data))


def framed_by_turns(
    model: Model,
    generator: Generator,
    moments: Sequence[Moment],
    progress: Progress,
) -> Mapping[Player, str]:
    """The frames by which plain restrictions explain most of some positions for the least cost.

    Those of the initial position are kept where no other is clearly better. Many others, as of an
    empty board, are tried only where it explains too little.
    """
    found, *others = fitting_frames(model.initial)
    sample = [moment for moment in moments if moment.complete][:TRIED]
    if not others or not sample:
        return found
    words = words_of(model)
    turns: list[Sequence[Candidate]] = []
    for number, moment in enumerate(sample):
        if late(progress, "symmetries: turns of positions", number, len(sample)):
            break
        turns.append(generator(moment.position))
        if sum(map(len, turns)) > MOST_TURNS:
            break
    sample = sample[: len(turns)]
    best: tuple[int, float] | None = None
    for number, frames in enumerate((found, *others)):
        if late(progress, "symmetries: restrictions", number, len(others) + 1):
            break
        setting = Setting(model.equipment, frames, generator)
        # What costs more once all is explained is not better, whatever else there is to explain.
        limit = best[1] - CLEARLY if best is not None and not best[0] else inf
        try:
            left, cost = _drafted(setting, words, zip(sample, turns, strict=True), progress, limit)
        except Stopped:
            break
        # Turns and their lists are circles of objects, by the hundred thousand in each draft; what
        # was there before it is not gone through.
        gc.collect(1)
        if best is None:
            best = left, cost
            if left == 0 and (not cost or len(others) >= MANY):
                break
        elif left < best[0] or (left == best[0] and cost < best[1] - CLEARLY):
            best, found = (left, cost), frames
    return found


def _drafted(
    setting: Setting,
    words: Words,
    sample: Iterable[tuple[Moment, Sequence[Candidate]]],
    progress: Progress,
    limit: float,
) -> tuple[int, float]:
    """What plain features make of some moments: how many are unexplained, and at what cost."""
    items = [label(setting, moment, turns) for moment, turns in sample]
    return drafted_cost(TurnVocabulary.of(setting, words, items), items, progress, limit)


def _where(item: Outcome) -> tuple[object, ...]:
    """The position of an outcome; with other frames other scores, and other outcomes, may do."""
    return item.case.to_move, item.case.cells, item.case.stock


def _plain(rule: Rule) -> bool:
    """Whether a rule is well supported and names neither squares nor players."""
    return not rule.provisional and not any(
        feature[0] == "mover" or speaks_of(feature, NAMING) for feature, _ in rule.body
    )


def _as_wrong(setting: Setting, rules: Rules, basis: Basis, positions: int, turns: int) -> bool:
    """Whether restrictions are wrong in just so many positions, and control after so many turns."""
    wrong = Survey(setting, basis.items).wrong(rules.restrictions, positions + 1)
    played = turns_played(setting, basis.played)
    return len(wrong) == positions and len(played.wrong(rules.control)) == turns
