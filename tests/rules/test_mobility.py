"""Whether a player has a turn left: the compiled answer and the one of the referee."""

from __future__ import annotations

from dataclasses import replace

import pytest
from learned import learned, random_positions

from grl.compiler import compilers
from grl.engine.generator import QuickGenerator
from grl.rules.features.cases import PositionCase, Setting
from grl.rules.play.referee import stuck_by
from grl.rules.restrictions import survey
from grl.rules.restrictions.survey import Mobility

GAMES = ["checkers", "breakthrough:width=6,height=6"]


@pytest.mark.skipif(not compilers(), reason="there is no C compiler")
@pytest.mark.parametrize("spec", GAMES)
def test_compiled_restrictions_leave_turns_where_the_referee_has_some(spec, monkeypatch):
    monkeypatch.setattr(survey, "MANY", 1)
    model = learned(spec).model
    setting = Setting(model.equipment, model.rules.frames, QuickGenerator(model))
    restrictions = model.rules.restrictions[:1]
    mobility = Mobility(setting, restrictions)
    stuck = stuck_by(setting, restrictions)
    seen = set()

    for position in random_positions(spec, 60, seed=5):
        # Without most of the own pieces players are often stuck.
        keys = [key for key, piece in model.equipment.pieces.items() if piece.player]
        for gone in ("", *keys):
            cells = "".join("." if cell == gone else cell for cell in position.cells)
            case = PositionCase.of(setting, replace(position, cells=cells, last=None))
            for seat in (0, 1):
                answer = mobility.stuck(case, seat)
                assert answer == stuck(case, seat)
                seen.add(answer)

    assert seen == {True, False}
    assert mobility.compiled
