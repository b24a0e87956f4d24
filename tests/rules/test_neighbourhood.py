"""Endings of few positions share the notion of neighbours that others show, unless records mind.

Whether men touch is worked out here on rows of text.
"""

from __future__ import annotations

from random import Random

import pytest
from strange_games import BLACK, WHITE, Strange

from grl.board import Player, make_position
from grl.logic.ops.places import lies
from grl.logic.ops.sets import NEAR, together
from grl.logic.perspectives import frames_of
from grl.logic.terms import make
from grl.model import Literal, Rule
from grl.rules.endings.neighbourhood import with_one_notion
from grl.rules.endings.outcomes import Outcome, examples
from grl.rules.features.cases import PositionCase, Setting
from grl.rules.features.terms import some

AROUND = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]
FALLING = [step for step in AROUND if step not in ((1, 1), (-1, -1))]
"""Steps to the right and up: what goes down to the right is a falling diagonal."""
LOST = (0, 100)


def touch(rows: list[str], steps: list[tuple[int, int]]) -> bool:
    men = {(x, -y): man for y, row in enumerate(rows) for x, man in enumerate(row) if man != "."}
    return any(
        man == "w" and men.get((x + dx, y + dy)) == "b"
        for (x, y), man in men.items()
        for dx, dy in steps
    )


def drawn(
    setting: Setting, mover: Player, steps: list[tuple[int, int]], number: int, seed: int
) -> list[Outcome]:
    """Random positions with three men; who is to move has lost where two of them touch."""
    chance = Random(f"{mover} {seed}")
    found = []
    for _ in range(number):
        cells = list("wbw" + "." * 17)
        chance.shuffle(cells)
        rows = ["".join(cells[at : at + 4]) for at in range(0, 20, 4)]
        position = make_position(setting.equipment, rows, mover)
        says = LOST if touch(rows, steps) else None
        found.append(Outcome(PositionCase.of(setting, position), says))
    return found


@pytest.mark.parametrize(("truly", "many"), [(AROUND, 0), (FALLING, 200)])
def test_a_notion_is_shared_where_no_record_minds(truly: list[tuple[int, int]], many: int) -> None:
    game = Strange()
    setting = Setting(game.equipment, frames_of(game.initial), lambda _: [])

    def rule(mover: Player, notion: str) -> Rule:
        touching = some("now", together(lies("own"), make(NEAR, notion, lies("opposing"))))
        return Rule((Literal(("mover", mover), True), Literal(touching, True)), LOST)

    greedy = [rule(WHITE, "around"), rule(BLACK, "falling")]
    shown = drawn(setting, WHITE, AROUND, 100, 1) + drawn(setting, BLACK, truly, many, 1)
    shown += [each for each in drawn(setting, BLACK, FALLING, 10, 2) if each.says]
    found = with_one_notion(examples(setting, shown), greedy)
    fresh = drawn(setting, WHITE, AROUND, 300, 3) + drawn(setting, BLACK, truly, 300, 3)
    assert examples(setting, fresh).wrong(found) == []
    if truly == AROUND:
        assert examples(setting, fresh).wrong(greedy)
    else:
        assert found == tuple(greedy)
