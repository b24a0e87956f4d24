"""Positions of the records with their pseudo-legal turns, labelled by which of them are legal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import NamedTuple

from grl.errors import GrlError
from grl.model import Literal
from grl.moves.candidate import Candidate
from grl.records import Moment
from grl.rules.features.cases import PositionCase, Setting, TurnCase, TurnList
from grl.rules.features.vocabulary import Priced
from grl.rules.search.conjunctions import Bools
from grl.turn import Effect, Segment, Turn, text_of

ILLEGAL, LEGAL, ALIAS = 0, 1, 2


@dataclass
class Labelled:
    """The turns of a position with what is known of them.

    `labels` has an entry a case of `cases`: `LEGAL`; `ALIAS` for another spelling of a legal
    turn, which may or may not be played; else `ILLEGAL`, of which nothing is known where the
    moment is not `complete`. Cases of one effect share a number in `effects`. `missing` counts the
    legal turns that the generator lacks, `others` those that may be played and are not among the
    cases, for only one kind of turns is looked at.
    """

    turn_list: TurnList
    cases: list[TurnCase]
    labels: list[int]
    effects: list[int]
    complete: bool
    missing: int
    others: int = 0

    @property
    def surplus(self) -> int:
        """How many generated turns are not known to be legal."""
        return self.labels.count(ILLEGAL)


class Kind(NamedTuple):
    """A kind of turns: the literals that all of them have, and what naming it costs."""

    body: tuple[Literal, ...]
    cost: float

    @classmethod
    def of(cls, priced: Priced) -> Kind:
        """The turns that have a feature."""
        return cls((Literal(priced.feature, True),), priced.cost)


def label(setting: Setting, moment: Moment, turns: Sequence[Candidate] | None = None) -> Labelled:
    """The labelled turns of a moment; turns are matched by text, what is left over by effect.

    Of several spellings with the effect of a turn of the records the one that chooses as it does is
    legal, in whatever order captured pieces leave, else the first. Who has generated the
    pseudo-legal `turns` before passes them.
    """
    before = PositionCase.of(setting, moment.position)
    if turns is None:
        turns = setting.generator(moment.position)
    turn_list = TurnList(before, turns)
    cases = turn_list.survivors
    texts = [text_of(case.candidate.turn) for case in cases]
    numbers: dict[object, int] = {}
    effects = [numbers.setdefault(case.candidate.effect, len(numbers)) for case in cases]
    labels = [LEGAL if text in moment.turns else ILLEGAL for text in texts]
    missing = 0
    for text in sorted(moment.turns.difference(texts, ("pass",))):
        effect = numbers.get(_effect(moment, text))
        if effect is None:
            missing += 1
        elif all(labels[i] != LEGAL for i, e in enumerate(effects) if e == effect):
            alike = [i for i, e in enumerate(effects) if e == effect]
            segments = Turn.parse(text).segments
            chosen = (i for i in alike if _chooses(cases[i].candidate, segments))
            labels[next(chosen, alike[0])] = LEGAL
    known = {effect for effect, each in zip(effects, labels, strict=True) if each == LEGAL}
    labels = [
        ALIAS if each == ILLEGAL and effect in known else each
        for effect, each in zip(effects, labels, strict=True)
    ]
    return Labelled(turn_list, cases, labels, effects, moment.complete, missing)


def legal_turns(item: Labelled) -> list[TurnCase]:
    """The cases that are known to be legal, in one spelling each."""
    return [case for case, each in zip(item.cases, item.labels, strict=True) if each == LEGAL]


def subsampled(item: Labelled, shapes: Bools, most: int) -> Labelled:
    """The same position with all legal turns and `most` of the others, of every shape in turn.

    `shapes` has a row a turn; turns with equal rows are of one shape. Those kept are spread evenly
    over the turns of a shape.
    """
    by_shape: dict[bytes, list[int]] = {}
    for row, each in enumerate(item.labels):
        if each == ILLEGAL:
            by_shape.setdefault(shapes[row].tobytes(), []).append(row)
    shares = [_halving(rows) for rows in by_shape.values()]
    ranked = [row for turn in zip_longest(*shares) for row in turn if row is not None]
    dropped = set(ranked[most:])
    return with_rows(item, [row for row in range(len(item.cases)) if row not in dropped])


def _halving(rows: Sequence[int]) -> list[int]:
    """All of `rows`, so ordered that every beginning of the list is spread over them."""
    found: dict[int, None] = {}
    step = len(rows)
    while step:
        found.update(dict.fromkeys(rows[::step]))
        step //= 2
    return list(found)


def with_rows(item: Labelled, rows: Sequence[int]) -> Labelled:
    """The same position with some of its turns, by number."""
    return replace(
        item,
        cases=[item.cases[i] for i in rows],
        labels=[item.labels[i] for i in rows],
        effects=[item.effects[i] for i in rows],
    )


def compact(item: Labelled) -> Labelled:
    """The same in a list of turns of its own, so that those that are no rows are kept nowhere."""
    turn_list = TurnList(item.turn_list.before, [case.candidate for case in item.cases])
    return replace(item, turn_list=turn_list, cases=turn_list.cases)


def _chooses(candidate: Candidate, segments: Sequence[Segment]) -> bool:
    """Whether a turn of the records begins with the segments that a candidate chooses."""
    chosen = candidate.chosen.segments
    return tuple(segments[: len(chosen)]) == chosen


def _effect(moment: Moment, text: str) -> Effect | None:
    """What a turn of the records leaves; None where it doesn't fit."""
    try:
        return Turn.parse(text).effect(moment.position)
    except GrlError:
        return None
