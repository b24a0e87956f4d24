"""Riders that hop on as they like, to and fro for ever: their language is found all the same."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest
from strange_games import STEPS, Strange

import grl
from grl.board import Position, Square
from grl.compare import compare_game
from grl.generate import generate
from grl.sgrl import pool
from grl.sgrl.automaton import START
from grl.sgrl.detours import Places, Visit
from grl.sgrl.pool import Pool
from grl.sgrl.words import Word
from grl.traces import header_dict, write_traces
from grl.turn import Letter


class Riders(Strange):
    """Men step onto empty squares, or hop over men of anybody, taking none, as often as they like.

    Each square that a man can come to is listed once.
    """

    name = "riders"
    rows = ("bb..", "b...", "....", "...w", "..ww")
    most = 100
    """Hops of one turn."""

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
                if words[square].count("(") == 2 * self.most:
                    continue
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


class TwoHops(Riders):
    """The same, but nobody hops three times."""

    name = "two-hops"
    most = 2


def learned(game: Riders, path: Path, n: int = 40) -> grl.Rulebook:
    """What so many games say, held to the game."""
    write_traces(path, header_dict(game), generate(game, n, all_moves=True, seed=2, max_plies=60))
    rulebook = grl.learn(path)
    compared = compare_game(rulebook, game, 100, endings=20)
    assert not compared.missing
    assert not compared.surplus
    return rulebook


def sizes(rulebook: grl.Rulebook) -> list[int]:
    return [dfa.size for dfa in rulebook.model.automata]


RIDING = [1 + 1 + 4 + 1] * 2
"""A start, an end, a state over a man for each way, and one after any hop."""


def test_riders_are_learned_from_few_games(tmp_path: Path) -> None:
    assert sizes(learned(Riders(), tmp_path / "games.jsonl", 6)) == RIDING


@pytest.mark.parametrize("game", [Riders(), TwoHops()], ids=lambda game: game.name)
def test_the_shortest_words_decide_and_longer_ones_are_heard(
    game: Riders, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "BRIEF", 25)
    lengths, within = [], Pool.within

    def noted(self: Pool, longest: int, others: Collection[Word]) -> Pool:
        found = within(self, longest, others)
        lengths.append((longest, len(found.words), len(self.words)))
        return found

    monkeypatch.setattr(Pool, "within", noted)
    learned(game, tmp_path / "games.jsonl")
    longest, few, many = lengths[0]
    assert longest < 2 * 2 + 1, "two hops and the mark"
    assert few < many


def test_long_rides_are_rare_and_the_longest_of_two_hops_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only where longer words would hardly have been seen may lengths that change nothing do."""
    off: dict[str, bool] = {}
    lengths = Pool.lengths

    def noted(self: Pool) -> Iterator[int]:
        off[name] = self.trails_off()
        return lengths(self)

    monkeypatch.setattr(Pool, "lengths", noted)
    for game in (Riders(), TwoHops()):
        name = game.name
        rulebook = learned(game, tmp_path / f"{name}.jsonl")
        assert (sizes(rulebook) == RIDING) == off[name]
    assert off == {"riders": True, "two-hops": False}


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
