"""Who moves next, where it is not always the next player in turn order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from grl.board import Player
from grl.logic.grid import Bools
from grl.logic.ops.places import lies, square
from grl.logic.ops.sets import together
from grl.logic.ops.shapes import named
from grl.model import Rule
from grl.progress import Progress, late
from grl.records import Moment
from grl.rules.endings.regions import SQUARE_COST
from grl.rules.features.cases import PositionCase, Setting, TurnCase, TurnList
from grl.rules.features.decision_list import Example, Examples
from grl.rules.features.terms import sizes
from grl.rules.features.vocabulary import Priced, at
from grl.rules.play.referee import pass_case
from grl.rules.restrictions.turn_vocabulary import TurnVocabulary
from grl.rules.search.deepening import Sample, deepened
from grl.rules.search.lists import ListLearner, Use
from grl.rules.templates.columns import turn_table
from grl.turn import PASS, text_of

FIRST_EXCEPTIONS = 400
FIRST_REGULAR = 800
LEVELS = 2
MOST_PLACES = 16
"""On more squares than these no turn is said to end."""
MORE_COST = 0.4
"""What it costs more to compare what lies on squares before and after a turn."""

Place = tuple[int, int]
Followed = Example[TurnCase]
"""A turn that was played, with the seat, from the mover on, that moved next; None for seat 1."""


@dataclass(frozen=True)
class Control:
    """Rules, and how many of the turns played they get wrong."""

    rules: tuple[Rule, ...]
    wrong: int


def followed(
    setting: Setting, moments: Sequence[Moment], most: int, progress: Progress
) -> list[Followed]:
    """The turns of the records after which it is known who moved; empty where nothing is odd.

    No further moments are looked at once these offer more than so many turns.
    """
    if len(setting.equipment.players) == 1:
        return []

    def seat(moment: Moment, follower: Player) -> int:
        return setting.places_after(moment.position.to_move, follower)

    if all(seat(m, follower) == 1 for m in moments for _, follower in m.followers):
        return []
    found = []
    turns = 0
    for number, moment in enumerate(moments):
        if turns > most or late(progress, "who moves next: turns", number, len(moments)):
            break
        if not moment.followers:
            continue
        before = PositionCase.of(setting, moment.position)
        cases = TurnList(before, setting.generator(moment.position)).cases
        turns += len(cases)
        by_text = {text_of(case.turn): case for case in cases}
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
    setting, words = vocabulary.setting, vocabulary.words

    def features(working: Sequence[Followed], level: int) -> Iterator[Priced]:
        yield from vocabulary.levels[level]
        if level == 0:
            yield from places_kept(setting, working)
        for seat in range(len(setting.equipment.players) if level == 0 else 0):
            yield Priced(("after", ("stuck", seat)), 1.5)

    def deeper(cases: Sequence[TurnCase], bad: Bools, known: Bools) -> list[Priced]:
        """The turns are looked at one by one: what rivals there were is no matter."""
        sample = Sample(cases, bad, np.arange(len(cases)), {}, known, [])
        return deepened(setting, words, sample).features

    first = FIRST_EXCEPTIONS, FIRST_REGULAR
    use = Use("who moves next", first, LEVELS, features, deeper=deeper)
    everything = turns_played(setting, data)
    rules = ListLearner(use, everything).learned(progress)
    return Control(rules, len(everything.wrong(rules)))


def places_kept(setting: Setting, data: Sequence[Followed]) -> Iterator[Priced]:
    """Whether a turn ends on one of the squares on which most turns keep the move, or brings more
    of the mover's pieces there; as the board has these squares, and as the mover sees them."""
    ends = [
        (item.says is not None, item.case.before.to_move, end)
        for item in data
        if (end := item.case.square("end1")) is not None
    ]
    seen = len(set(setting.frames.values())) > 1
    for eyes in (None, 0) if seen else (None,):
        kept, every = Counter[Place](), Counter[Place]()
        for keeps, mover, end in ends:
            place = setting.relative[mover if eyes == 0 else setting.equipment.players[0]][end]
            every[place] += 1
            kept[place] += keeps
        places = tuple(sorted(place for place in every if 2 * kept[place] > every[place]))
        if 1 < len(places) <= MOST_PLACES:
            there, cost = named(places, eyes), 1.2 + SQUARE_COST * len(places)
            mine = together(lies("own"), there)
            yield at(square("end1"), there, cost)
            yield Priced(sizes("gain", mine, "<", mine), cost + MORE_COST)


def turns_played(setting: Setting, data: Sequence[Followed]) -> Examples[Followed]:
    """The turns played, to which rules of control are held."""
    return Examples(data, partial(turn_table, setting))
