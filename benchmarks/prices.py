"""Writes docs/prices.md: what operators and features cost, from the code that prices them.

The features are those that turns and positions of the reference games are offered by their pieces
and boards alone; numbers, regions and patterns come from records on top.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from grl.board import Equipment
from grl.games import available, load
from grl.logic.ops import OPERATORS
from grl.logic.perspectives import frames_of
from grl.rules.endings.features import pieces_counted, pieces_placed
from grl.rules.features.cases import Setting
from grl.rules.features.levels import MOMENTS
from grl.rules.features.quantities import area_features
from grl.rules.features.terms import terms_in
from grl.rules.features.vocabulary import ROUNDS, Priced, Words, meetings, turn_features

PAGE = Path(__file__).parents[1] / "docs" / "prices.md"
HEAD = """# What operators and features cost

Written by `make prices` from the code; a test holds the page to it. How prices are used:
[rules.md](rules.md#the-vocabulary).

## Operators

A term costs the sum of its operators, and 0.5 more for each word that names a type.

| operator | takes | price |
| --- | --- | ---: |
"""
FEATURES = """
## Listed features

What the reference games are offered by their pieces and boards, with all kinds of letters and two
segments a turn. A negated literal costs 0.2 more, a rule 2. Numbers that records show, regions,
patterns, and features found by [deepening](rules.md#restrictions) come on top.

| asked of | round | template | features | least | most |
| --- | ---: | --- | ---: | ---: | ---: |
"""


def page() -> str:
    """The page as the code has it now."""
    return HEAD + "".join(_operators()) + FEATURES + "".join(_features())


def _operators() -> Iterator[str]:
    for name, operator in OPERATORS.items():
        takes = ", ".join(sort.value for sort in operator.takes) or "–"
        yield f"| `{name}` | {takes} | {operator.price:.1f} |\n"


def _features() -> Iterator[str]:
    found: dict[tuple[str, int, str], dict[Priced, None]] = defaultdict(dict)
    for name in sorted(available()):
        game = load(name)
        setting = Setting(game.equipment, frames_of(game.initial), lambda _: [])
        words = _words(game.equipment)
        for level in range(ROUNDS):
            for priced in turn_features(setting, words, level):
                found["turns", level + 1, _template(priced)][priced] = None
        for level, offered in enumerate(_of_positions(setting)):
            for priced in offered:
                found["positions", level + 1, _template(priced)][priced] = None
    for (asked, level, template), features in sorted(found.items()):
        costs = [priced.cost for priced in features]
        row = f"| {asked} | {level} | `{template}` | {len(features)} "
        yield f"{row}| {min(costs):.1f} | {max(costs):.1f} |\n"


def _of_positions(setting: Setting) -> Iterator[Iterable[Priced]]:
    yield pieces_placed(setting)
    yield [*area_features(setting, []), *meetings(setting), *pieces_counted(setting)]


def _words(equipment: Equipment) -> Words:
    letters = frozenset("ewpnda")
    pieces = frozenset(equipment.pieces)
    return Words(letters, letters, pieces, pieces, 2, drops=True, effects=False, leaps=True)


def _template(priced: Priced) -> str:
    name, *arguments = priced.feature
    feature = arguments[0] if name in MOMENTS else priced.feature
    asked = {
        part.operator.name
        for term in terms_in(feature)
        for part in term.terms()
        if part.operator.asks
    }
    parts = [name, str(feature[0])] if name in MOMENTS else [name]
    return " ".join([*parts, *sorted(asked)])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
