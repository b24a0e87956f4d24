"""Tables of what one part of a turn is, given another: what is kept, given what is taken, say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from grl.logic.contents import contents_by_player
from grl.logic.ops.places import square
from grl.rules.features.cases import Setting, TurnCase, rows_of
from grl.rules.features.terms import some
from grl.rules.features.vocabulary import Priced, Words, roles
from grl.rules.restrictions.labelled import ALIAS, LEGAL, Labelled
from grl.rules.search.tables import matched_terms, squares_of
from grl.rules.search.zones import PLACE_COST, excepted
from grl.rules.templates.columns import turn_table
from grl.turn import Kind

GIVEN, NAMED = ("takes", "moves"), {"keeps": Kind.RESERVE, "appears": Kind.APPEAR}
MOST_TURNS = 40_000
"""So many turns are looked at, spread over the sample."""
COST, PAIR_COST = 1.5, 0.4


def dependencies(setting: Setting, sample: Sequence[Labelled]) -> Iterator[Priced]:
    """For each two parts of turns the table of what the one gives for the other, where legal turns
    have such a table and other turns go against two of its entries or more."""
    typed = [what for what in contents_by_player(setting.equipment) if ":" in what]
    for named, kind in NAMED.items():
        labelled = list(_with_letter(sample, kind))
        labelled = labelled[:: len(labelled) // MOST_TURNS + 1]
        if not labelled:
            continue
        cases = [case for case, _ in labelled]
        after = turn_table(setting, cases, [(named, what) for what in typed])
        for given in GIVEN:
            before = turn_table(setting, cases, [(given, what) for what in typed])
            legal: dict[int, set[int]] = {}
            others: dict[int, set[int]] = {}
            for (_, is_legal), ones, twos in zip(labelled, before, after, strict=True):
                for one, two in product(ones.nonzero()[0].tolist(), twos.nonzero()[0].tolist()):
                    (legal if is_legal else others).setdefault(one, set()).add(two)
            table = [
                (typed[one], typed[min(twos)])
                for one, twos in sorted(legal.items())
                if len(twos) == 1 and others.get(one, set()) - twos
            ]
            if len(table) > 1:
                cost = COST + PAIR_COST * len(table)
                yield Priced(("otherwise", given, named, tuple(table)), cost)


def oppositions(setting: Setting, words: Words, items: Sequence[Labelled]) -> Iterator[Priced]:
    """Tables of what lies on one square of a turn, given what lies on another, as no legal turn
    has it, or none but in a zone: what may not take what. Such zones, too."""
    labelled = [
        (case, label == LEGAL)
        for item in items
        if item.complete
        for case, label in zip(item.cases, item.labels, strict=True)
        if label != ALIAS
    ]
    labelled = labelled[:: len(labelled) // MOST_TURNS + 1]
    bad = np.array([not is_legal for _, is_legal in labelled], dtype=np.bool_)
    if bad.any() and not bad.all():
        rows = rows_of(setting, [case for case, _ in labelled], "before")
        points = [square(role) for role in roles(words)]
        for term, number in matched_terms(rows, squares_of(points), bad, [np.ones_like(bad)]):
            yield Priced(some("before", term), COST + PAIR_COST * number)
        for term, number, places in excepted(rows, points, bad):
            cost = COST + PAIR_COST * number + PLACE_COST * places
            yield Priced(some("before", term), cost)


def _with_letter(sample: Sequence[Labelled], kind: Kind) -> Iterator[tuple[TurnCase, bool]]:
    """The turns with a letter of a kind, and whether they are legal."""
    for item in sample:
        for case, label in zip(item.cases, item.labels, strict=True):
            if label != ALIAS and any(letter.kind is kind for letter in case.letters):
                yield case, label == LEGAL
