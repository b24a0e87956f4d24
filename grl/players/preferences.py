"""Preferences learned from play: which turn somebody chose among the legal ones.

Each choice gives orderings: the turn that was played before every other legal one, both described
by their facets (`grl.players.facets`). What is learned is a short list of weak constraints, the
weightiest first, that has as many of them in order as its length is worth: the hypothesis of least
cost of a task for a learner of answer set programs (`task_text`), found by `grl.las.lists`. After
Boschloo, *Learning to Play with Inductive Logic Programming*, section 4.1.4, where the orderings
are picked by hand and the vocabulary is written for the game.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from grl.las.clock import Clock
from grl.las.lists import Listed, Signs, best_list
from grl.players.choices import Choice
from grl.players.facets import FACETS, Outlook, fact_text, vocabulary
from grl.players.interface import Game
from grl.progress import Progress, silent

MOST_BOUNDS = 4
"""Of the values of a facet so many, the smallest, are bounds of constraints."""
WIDTH = 98
BROKEN = 3
"""A constraint pays that is right more than twice as often as it is wrong."""
SHARE = 100
"""A literal costs the pairs by this number, where nothing else is said."""

Facts = tuple[tuple[str, int], ...]
"""The facets of a turn."""


@dataclass(frozen=True)
class Preference:
    """A weak constraint: more of a facet is preferred, or with `fewer` less of it; with `least`
    only whether there is so much of it counts."""

    facet: str
    fewer: bool
    least: int | None = None

    def ranks(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        """By values of the facet: the larger, the better."""
        found = values if self.least is None else (values >= self.least).astype(np.int64)
        return -found if self.fewer else found

    @property
    def literals(self) -> int:
        """What it costs in a task."""
        return 1 if self.least is None else 2

    def rule(self, level: int) -> str:
        """The constraint in the language of clingo."""
        sign = "" if self.fewer else "-"
        if FACETS[self.facet].flag:
            return f":~ {self.facet}. [{sign}1@{level}]"
        if self.least is None:
            return f":~ {self.facet}(N). [{sign}N@{level}, N]"
        return f":~ {self.facet}(N); N >= {self.least}. [{sign}1@{level}]"

    @property
    def english(self) -> str:
        """What is preferred."""
        words = FACETS[self.facet].words
        if FACETS[self.facet].flag:
            return f"{'No turns' if self.fewer else 'Turns'} {words}."
        if self.least == 1 and self.fewer:
            return f"No {words}."
        if self.least is not None:
            bound = f"Fewer than {self.least}" if self.fewer else f"{self.least} or more"
            return f"{bound} {words}."
        return f"As {'few' if self.fewer else 'many'} as possible: {words}."


@dataclass(frozen=True)
class Orderings:
    """Pairs of turns, the first of them played and the second not, with how often each is met.

    `choices` is the number of choices they are from, `foreign` that of turns that were played and
    that the model doesn't have, `alike` that of turns no facet distinguishes from the one played,
    `left_out` that of choices for which there was no time.
    """

    pairs: Mapping[tuple[Facts, Facts], int]
    choices: int
    foreign: int
    alike: int
    left_out: int = 0

    @property
    def total(self) -> int:
        """How many pairs there are, each as often as it is met."""
        return sum(self.pairs.values())


@dataclass(frozen=True)
class Costs:
    """What a literal costs, and what a pair costs that is decided the wrong way; one that is left
    undecided costs 1."""

    literal: int
    broken: int = BROKEN


@dataclass(frozen=True)
class Learned:
    """What was learned, the weightiest first, and by which costs."""

    preferences: tuple[Preference, ...]
    orderings: Orderings
    listed: Listed
    costs: Costs


def orderings(
    game: Game,
    chosen: Sequence[Choice],
    ahead: int,
    *,
    clock: Clock | None = None,
    progress: Progress = silent,
) -> Orderings:
    """The pairs that choices give, as many as the clock allows to look at."""
    clock, names = clock or Clock(), vocabulary(ahead)
    pairs: Counter[tuple[Facts, Facts]] = Counter()
    foreign = alike = seen = 0
    for number, choice in enumerate(chosen):
        if clock.left() <= 0:
            break
        seen += 1
        progress("choices", number, len(chosen))
        outlook = Outlook(game, game.state(choice.position))
        played = outlook.number_of(choice.turn)
        if played is None:
            foreign += 1
            continue
        facts = [tuple(outlook.facts(turn, names).items()) for turn in range(outlook.state.count())]
        others = [each for turn, each in enumerate(facts) if turn != played]
        pairs.update((facts[played], each) for each in others if each != facts[played])
        alike += others.count(facts[played])
    progress("choices", len(chosen), len(chosen))
    listed = dict(sorted(pairs.items()))
    return Orderings(listed, seen - foreign, foreign, alike, len(chosen) - seen)


def candidates(found: Orderings) -> tuple[Preference, ...]:
    """The constraints that decide some ordering, each in both directions; one of those that decide
    all of them alike, the first in the vocabulary and without a bound if there is such a one."""
    met = {name: np.unique(both).tolist() for name, both in _values(found).items()}
    listed = [Preference(name, fewer) for name in met for fewer in (False, True)]
    listed += [
        Preference(name, fewer, least)
        for name, values in met.items()
        for least in values[1 : MOST_BOUNDS + 1]
        for fewer in (False, True)
        if not FACETS[name].flag
    ]
    columns = signs(found, listed)
    distinct: dict[bytes, Preference] = {}
    for number, each in enumerate(listed):
        if columns[:, number].any():
            distinct.setdefault(columns[:, number].tobytes(), each)
    return tuple(distinct.values())


def signs(found: Orderings, listed: Sequence[Preference]) -> Signs:
    """Pairs × constraints: 1 where a constraint prefers the first, -1 where the second, else 0."""
    values = _values(found)
    table = np.zeros((len(found.pairs), len(listed)), dtype=np.int8)
    for column, each in enumerate(listed):
        first, second = map(each.ranks, values[each.facet])
        table[:, column] = np.sign(first - second)
    return table


def _values(found: Orderings) -> dict[str, NDArray[np.int64]]:
    """For each facet its values in the first turns of all pairs, and in the second."""
    names = [name for pair in islice(found.pairs, 1) for name, _ in pair[0]]
    table = np.array(
        [[[value for _, value in facts] for facts in pair] for pair in found.pairs], dtype=np.int64
    ).reshape(len(found.pairs), 2, len(names))
    return {name: table[:, :, place].T for place, name in enumerate(names)}


def learn(
    found: Orderings,
    *,
    levels: int,
    price: int | None = None,
    broken: int = BROKEN,
    clock: Clock | None = None,
    progress: Progress = silent,
    kept: Callable[[Learned], None] | None = None,
) -> Learned:
    """The list of at most `levels` constraints of least cost.

    A literal costs `price`, a hundredth of all pairs where it is None, and 1 at least; a pair that
    is left undecided 1, one that is decided the wrong way `broken`. `kept` hears of each better
    list.
    """
    costs = Costs(max(1, found.total // SHARE) if price is None else price, broken)
    listed = candidates(found)
    table = signs(found, listed)
    merged: Counter[bytes] = Counter()
    for row, count in zip(table, found.pairs.values(), strict=True):
        merged[row.tobytes()] += count
    rows = [np.frombuffer(row, dtype=np.int8) for row in sorted(merged)]
    narrow = np.array(rows, dtype=np.int8).reshape(len(rows), len(listed))

    def made(one: Listed) -> Learned:
        return Learned(tuple(listed[number] for number in one.chosen), found, one, costs)

    best = best_list(
        narrow,
        [merged[row] for row in sorted(merged)],
        [costs.literal * each.literals for each in listed],
        levels,
        wrong=broken,
        clock=clock,
        progress=progress,
        better=None if kept is None else lambda one: kept(made(one)),
    )
    return made(best)


def strategy_text(learned: Learned, title: str) -> str:
    """What was learned, as a program with its meaning in English."""
    found, listed = learned.orderings, learned.listed
    kept = found.total - listed.tied - listed.broken
    head = (
        f"{title} Of the legal turns those are played that the first rule likes best; of these, "
        "those that the second does, and so on; and any of those that are left."
    )
    record = (
        f"From {found.choices:,} choices, each before the turns that were not played: "
        f"{found.total:,} orderings, of which {kept:,} are kept, {listed.tied:,} left open and "
        f"{listed.broken:,} broken."
    )
    lines = [*_comment(head), *_comment(record)]
    if found.alike:
        lines += _comment(f"{found.alike:,} turns differ from the one played in no facet.")
    if found.foreign:
        lines += _comment(f"{found.foreign:,} turns that were played are not legal in the model.")
    if found.left_out:
        lines += _comment(f"{found.left_out:,} choices were not looked at for want of time.")
    for number, each in enumerate(learned.preferences):
        level = len(learned.preferences) - number
        lines += ["", *_comment(f"{number + 1}. {each.english}"), each.rule(level)]
    return "\n".join([*lines, "", *cost_lines(learned)]) + "\n"


def cost_lines(learned: Learned) -> list[str]:
    """What it costs, and whether nothing costs less, as `grl las` prints it."""
    listed = learned.listed
    costs = learned.costs
    each = f"{costs.literal} a literal, 1 what is left open, {costs.broken} what is broken"
    said = f"% cost {listed.cost}: {each}"
    return [said] if listed.proven else ["% not proven optimal", said]


def task_text(found: Orderings, levels: int, costs: Costs) -> str:
    """The task of which the learned preferences are a hypothesis, in ILASP's language."""
    names: dict[Facts, str] = {}
    for pair in found.pairs:
        for facts in pair:
            names.setdefault(facts, f"t{len(names) + 1}")
    return "\n".join(
        [
            "% Turns as examples, those that were played before the others.",
            *(f"#pos({name},{{}},{{}},{{{_said(facts)}}})." for facts, name in names.items()),
            *_ordered(found, names, costs.broken),
            *(
                f"{costs.literal * each.literals} ~ {each.rule(level)}"
                for level in range(1, levels + 1)
                for each in candidates(found)
            ),
            "",
        ]
    )


def _ordered(found: Orderings, names: Mapping[Facts, str], broken: int) -> Iterator[str]:
    for number, ((first, second), count) in enumerate(found.pairs.items(), 1):
        pair = f"{names[first]}, {names[second]}"
        yield f"#brave_ordering(better{number}@{count}, {pair}, <)."
        if broken > 1:
            yield f"#brave_ordering(as_good{number}@{count * (broken - 1)}, {pair}, <=)."


def _said(facts: Facts) -> str:
    return " ".join(fact_text(name, value) for name, value in facts if fact_text(name, value))


def _comment(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="% ", subsequent_indent="% ")
