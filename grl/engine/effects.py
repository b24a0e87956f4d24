"""Effects as C: what the choices of a turn bring about (`grl.rules.play.effects`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from grl.engine.tables import numbers
from grl.logic.changes import PUSHED, effect_term, heir
from grl.logic.code import Code
from grl.model import Model
from grl.turn import REMOVE_LETTER, Letter

NOTHING = 255
"""The content that stands for no change."""


class Effects:
    """Writes the effects of a model; their letters are numbered after those of automata."""

    def __init__(
        self, model: Model, code: Code, contents: Mapping[str, int], first_letter: int
    ) -> None:
        self.model, self.code, self.contents = model, code, contents
        self.first_letter = first_letter
        pieces = sorted(model.equipment.pieces) if model.effects else []
        self.letters: tuple[Letter, ...] = (
            *([REMOVE_LETTER] if model.effects else []),
            *(Letter(0, 0, "a", key) for key in pieces),
        )

    def text(self) -> Iterator[str]:
        """A function: it adds what a turn brings about; 0 where that can't be carried out."""
        if not self.model.effects:
            return
        equipment = self.model.equipment
        tests = []
        for number, effect in enumerate(self.model.effects):
            term = effect_term(effect.where, effect.becomes, equipment, f"effects[{number}]")
            tests.append(f"  where[{number}] = {self.code.define(term)}(&g, &t->squares);")
            if effect.becomes != PUSHED:
                rows = [
                    self.contents.get(heir(equipment, effect.becomes, mover, key) or "", NOTHING)
                    for mover in equipment.players
                    for key in self.contents
                ]
                yield numbers("u8", f"heir_{number}", rows)
        count = len(self.model.effects)
        yield "static int walk_effects(Walk *w, Turn *t, State *after) {"
        yield f"  Ground g;\n  Set where[{count}], all = NO_SQUARE;"
        yield "  int me = w->from->to_move;"
        yield "  ground_of(&g, w->lies + 1, w->lies[0], me);"
        yield from tests
        yield f"  for (int e = 0; e < {count}; e++) all = set_or(all, where[e]);"
        yield "  SET_EACH(s, all) {"
        yield "    int content = CELL(w, s), now = 255;"
        for number, effect in enumerate(self.model.effects):
            becomes = f"heir_{number}[me * (KEYS + 1) + content]"
            if effect.becomes == PUSHED:
                becomes = "landed_on(w, t)"
            yield f"    if (now == 255 && set_has(where[{number}], s)) now = {becomes};"
        arguments = f"w, t, after, s, content, now, {self.first_letter}"
        yield f"    if (now != 255 && !effect_at({arguments})) return 0;"
        yield "  }\n  return 1;\n}"
