"""Riders that hop on as they like, to and fro for ever: their language is found all the same."""

from __future__ import annotations

from collections import deque
from pathlib import Path

from strange_games import STEPS, Strange

import grl
from grl.board import Position, Square
from grl.compare import compare_game
from grl.generate import generate
from grl.sgrl.automaton import START
from grl.sgrl.detours import Places, Visit
from grl.traces import header_dict, write_traces
from grl.turn import Letter


class Riders(Strange):
    """Men step onto empty squares, or hop over men of anybody, taking none, as often as they like.

    Each square that a man can come to is listed once.
    """

    name = "riders"
    rows = ("bb..", "b...", "....", "...w", "..ww")

    def legal(self, position: Position) -> list[str]:
        if self.winner(position) is not None:
            return []
        steps = [
            f"{position.board.names[start]} ({dx} {dy} e)"
            for start, (dx, dy), _ in self.steps(position)
        ]
        return [*steps, *self.rides(position)]

    def rides(self, position: Position) -> list[str]:
        board, own = position.board, self.own(position)
        found = []
        for start in board.squares:
            if position.cells[start] != own:
                continue
            cells = position.cells[:start] + "." + position.cells[start + 1 :]
            words: dict[Square, str] = {start: board.names[start]}
            queue = deque([start])
            while queue:
                square = queue.popleft()
                for dx, dy in STEPS:
                    over = board.step(square, dx, dy)
                    end = None if over is None else board.step(over, dx, dy)
                    if over is None or end is None or end in words:
                        continue
                    if cells[over] != "." and cells[end] == ".":
                        on = "w" if cells[over] == own else "p"
                        words[end] = f"{words[square]} ({dx} {dy} {on}) ({dx} {dy} e)"
                        queue.append(end)
            found += [word for square, word in words.items() if square != start]
        return found


def test_riders_are_learned(tmp_path: Path) -> None:
    game, path = Riders(), tmp_path / "games.jsonl"
    write_traces(path, header_dict(game), generate(game, 40, all_moves=True, seed=2, max_plies=60))
    rulebook = grl.learn(path)
    assert max(dfa.size for dfa in rulebook.model.automata) < 15
    compared = compare_game(rulebook, game, 200, endings=50)
    assert not compared.missing
    assert not compared.surplus


def test_a_hand_that_comes_back_with_nothing_changed_made_a_detour() -> None:
    over, on = Letter(1, 0, "p"), Letter(1, 0, "e")
    back, again = Letter(-1, 0, "p"), Letter(-1, 0, "e")
    visit: Visit | None = Places().begin(START)
    for letter, state in ((over, 1), (on, 2), (over, 3), (on, 4), (back, 1), (again, 4)):
        assert visit is not None
        visit = visit.on(letter, state)
    assert visit is not None, "so far no state was met where it was before"
    assert visit.on(over, 3) is None
    taken = visit.on(Letter(0, 0, "d"), 4)
    assert taken is not None
    assert taken.on(over, 3) is not None


def test_a_hand_that_comes_home_has_done_nothing() -> None:
    began = Places().begin(START)
    out = began.on(Letter(1, 0, "e"), 1)
    assert out is not None
    assert out.on(Letter(-1, 0, "e"), 2) is None, "whatever the state"
    assert out.afresh(Letter(-1, 0, "e"), 2) is None
    took = out.on(Letter(0, 0, "d"), 1)
    assert took is not None
    assert took.on(Letter(-1, 0, "e"), 2) is not None
    assert took.afresh(Letter(-1, 0, "e"), 2) is not None
