"""A piece that takes lands where it can take on, if there is such a square."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
from capturing_games import ASLANT, Jumping
from lessons import games_of, taught
from running import differences

from grl.board import Position, Square
from grl.compare import compare_game
from grl.engine.engine import compiled
from grl.export.program import asp_program
from grl.fresh import fresh_positions
from grl.model import Literal

CHOICE = [".......", "...b...", ".......", ".......", "..b....", ".w.....", "......."]
"""The leaper may land on d4 or e5, and from e5 alone it takes on."""


class Landing(Jumping):
    """Jumping, but with a choice of two squares to land on, and a piece takes while it can.

    Of the squares on which it may land those count from which it can take on, if there are any.
    """

    name = "landing"
    start = ("b.b.b.b", ".b.b.b.", ".......", ".......", ".......", ".w.w.w.", "w.w.w.w")

    def _jumps(
        self, position: Position, origin: Square, square: Square, text: str, over: list[Square]
    ) -> Iterator[str]:
        board, cells = position.board, position.cells
        for dx, dy in ASLANT:
            near = board.step(square, dx, dy)
            if near is None or near in over or cells[near] != self.theirs(position):
                continue
            landings = []
            for far in (board.step(square, n * dx, n * dy) for n in (2, 3)):
                if far is None or (cells[far] != "." and far != origin):
                    break
                landings.append(far)
            taken = [*over, near]
            words = [
                f"{text} ({dx} {dy} p)" + f" ({dx} {dy} e)" * n for n in range(1, len(landings) + 1)
            ]
            on = [
                [*self._jumps(position, origin, far, word, taken)]
                for word, far in zip(words, landings, strict=True)
            ]
            gone = "".join(f"; {board.names[s]} (0 0 d)" for s in sorted(taken))
            yield from [turn for turns in on for turn in turns] or [word + gone for word in words]


@cache
def learned():
    return taught(Landing(), games_of(Landing(), 40, endgames=0.5, max_plies=60))


def test_the_rule_is_found_and_the_game_is_exact():
    literals = {each for rule in learned().model.rules.restrictions for each in rule.body}

    assert Literal(("further", "pieces"), True) in literals
    found = compare_game(learned(), Landing(), positions=150, endings=5)
    assert found.same, found


def test_a_landing_without_a_further_piece_is_left_out():
    book = learned()
    position = book.position(CHOICE, "white")

    def jumps(turns):
        return [text.partition(";")[0].count("p") for text in turns if " p)" in text]

    assert set(jumps(Landing().turns(position))) == {2}
    assert set(jumps(map(str, book.legal(position)))) == {2}
    assert set(jumps(str(turn) for turn in compiled(book.model).legal(position))) == {2}


@pytest.mark.parametrize("mover", ["white", "black"])
def test_programs_have_it_as_well(mover):
    book = learned()
    positions = [book.position(CHOICE, mover)]
    positions += [book.position(**p.to_dict()) for p, _ in fresh_positions(Landing(), 3, 5, 0)]

    assert differences(book.model, asp_program(book.model), positions, 2) >= len(positions)
