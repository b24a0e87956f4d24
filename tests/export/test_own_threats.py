"""Kings that may not be attacked: what the mover could take next."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import ClassVar

from lessons import games_of, taught
from running import differences
from threat_games import Horses

from grl.board import Position
from grl.compare import compare_game
from grl.engine.engine import compiled
from grl.export.program import asp_program
from grl.fresh import fresh_positions
from grl.logic.ops.places import lies
from grl.logic.ops.sets import together
from grl.logic.ops.turns import threatened
from grl.model import Literal
from grl.rules.features.terms import some


class Peaceful(Horses):
    """Horses that nothing hobbles, and no turn may leave a king where it can be taken, whosever."""

    name = "peaceful"
    kinds: ClassVar = {"k": "king", "h": "horse"}
    rows = ("hk.h", "....", "....", "....", "H.KH")

    def goes(self, *_: object) -> bool:
        return True

    def turns(self, position: Position) -> Iterator[str]:
        """The legal turns, each looked for when it is asked for."""
        names, cells = position.board.names, position.cells
        for start, (dx, dy), end in self.moves(cells, position.to_move):
            after = [*cells]
            after[end], after[start] = after[start], "."
            if all(self.safe("".join(after), player) for player in self.equipment.players):
                yield f"{names[start]} ({dx} {dy} {'e' if cells[end] == '.' else 'p'})"


@cache
def learned():
    return taught(Peaceful(), games_of(Peaceful(), 12, endgames=0.5, max_plies=40))


def test_the_rule_is_found_and_the_game_is_exact() -> None:
    literals = {each for rule in learned().model.rules.restrictions for each in rule.body}
    attacks = some("after", together(lies("opposing:king"), threatened(0)))

    assert Literal(attacks, True) in literals
    found = compare_game(learned(), Peaceful(), positions=60, endings=3)
    assert found.same, found


def test_programs_and_compiled_models_have_it_as_well() -> None:
    book = learned()
    positions = [book.position(**p.to_dict()) for p, _ in fresh_positions(Peaceful(), 4, 12, 0)]

    assert differences(book.model, asp_program(book.model), positions, 2) >= len(positions)
    engine = compiled(book.model)
    for position in positions:
        legal = set(Peaceful().turns(position))
        assert set(map(str, engine.legal(position))) == legal
