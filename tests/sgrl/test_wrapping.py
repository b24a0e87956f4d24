"""Boards whose edges meet, as only words show: a step across an edge is what it is elsewhere."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from strange_games import STEPS, Strange

import grl
from grl.board import Board, Position, Square
from grl.compare import compare_game
from grl.generate import generate
from grl.progress import silent
from grl.sgrl.collect import collect
from grl.sgrl.edges import leads_round, meeting
from grl.sgrl.pool import Pool
from grl.sgrl.words import END, cut
from grl.sgrl.wrapping import NO_EDGE, Wrapping
from grl.shards import observe
from grl.traces import Traces, header_dict, write_traces
from grl.turn import Letter, Turn


class Plain(Strange):
    """Men step onto empty squares, sideways also over any number of these, and capture aslant."""

    name = "plain"
    rows = ("bbbbb", ".....", ".....", "wwwww")

    def at(self, board: Board, x: int, y: int) -> Square | None:
        """The square at a file and a rank, from 0."""
        inside = 0 <= x < board.width and 0 <= y < board.height
        return Square(y * board.width + x) if inside else None

    def legal(self, position: Position) -> list[str]:
        if self.winner(position) is not None:
            return []
        board, own = position.board, self.own(position)
        other = "b" if own == "w" else "w"
        found = []
        for start in board.squares:
            if position.cells[start] != own:
                continue
            for dx, dy in STEPS:
                found += self.slides(position, start, dx, dy, board.width - 1 if dx else 1)
            y, x = divmod(start, board.width)
            for dx, dy in product((-1, 1), repeat=2):
                end = self.at(board, x + dx, y + dy)
                if end is not None and position.cells[end] == other:
                    found.append(f"{board.names[start]} {self.letter(board, start, end, 'p')}")
        return found

    def slides(self, position: Position, start: Square, dx: int, dy: int, most: int) -> list[str]:
        """The slides in a direction."""
        board, found = position.board, []
        text, here = board.names[start], start
        for _ in range(most):
            y, x = divmod(here, board.width)
            end = self.at(board, x + dx, y + dy)
            if end is None or position.cells[end] != ".":
                break
            text = f"{text} {self.letter(board, here, end, 'e')}"
            found.append(text)
            here = end
        return found

    def letter(self, board: Board, start: Square, end: Square, on: str) -> str:
        (y, x), (to_y, to_x) = divmod(start, board.width), divmod(end, board.width)
        return f"({to_x - x} {to_y - y} {on})"


class Rolled(Plain):
    """The same where the first file lies beside the last one."""

    name = "rolled"

    def at(self, board: Board, x: int, y: int) -> Square | None:
        return super().at(board, x % board.width, y)


class Anywhere(Plain):
    """Men leap to any empty square, across no edge."""

    name = "anywhere"

    def legal(self, position: Position) -> list[str]:
        if self.winner(position) is not None:
            return []
        board, own = position.board, self.own(position)
        return [
            f"{board.names[start]} {self.letter(board, start, end, 'e')}"
            for start, end in product(board.squares, repeat=2)
            if position.cells[start] == own and position.cells[end] == "."
        ]


def recorded(game: Strange, folder: Path, number: int) -> Path:
    path = folder / "games.jsonl"
    plays = generate(game, number, all_moves=True, seed=3, max_plies=60)
    write_traces(path, header_dict(game), plays)
    return path


@pytest.mark.parametrize(
    ("game", "edges"),
    [(Plain(), NO_EDGE), (Rolled(), Wrapping(files=5)), (Anywhere(), NO_EDGE)],
    ids=["plain", "rolled", "anywhere"],
)
def test_the_words_show_which_edges_meet(game: Strange, edges: Wrapping, tmp_path: Path) -> None:
    path = recorded(game, tmp_path, 15)
    evidence = observe([Traces.open(path)], 1, silent).evidence.settled()

    assert meeting(collect(evidence, game.equipment), game.equipment.board) == edges


def test_steps_across_an_edge_lead_where_other_steps_do(tmp_path: Path) -> None:
    game = Rolled()
    rulebook = grl.learn(recorded(game, tmp_path, 15))
    compared = compare_game(rulebook, game, 150, endings=20)
    assert not compared.missing
    assert not compared.surplus
    for dfa in rulebook.model.automata:
        targets = {(start, letter): end for start, letter, end in dfa.transitions}
        for (start, letter), end in targets.items():
            if letter.dx:
                further = letter._replace(dx=letter.dx - (5 if letter.dx > 0 else -5))
                assert targets[start, further] == end


@pytest.mark.parametrize(
    ("text", "round_"),
    [
        ("(1 0 e) (1 0 e) (-4 0 e) (1 0 e)", False),
        ("(1 0 e) (1 0 e) (-4 0 e) (1 0 e) (1 0 e)", True),
        ("(-1 0 p) (-1 0 e) (1 0 p) (1 0 e) (-1 0 p) (-1 0 e)", False),
        ("(0 1 e) (0 1 e) (0 1 e) (0 1 e) (0 1 e)", False),
    ],
)
def test_words_that_lead_all_the_way_round_are_known(text: str, round_: bool) -> None:
    word = cut(Turn.parse(f"a1 {text}").segments[0].letters, END)[0]
    pool = cast(Pool, SimpleNamespace(words=[word]))
    assert leads_round(pool, Wrapping(files=5)) == round_


def test_a_word_has_one_plain_spelling() -> None:
    edges = Wrapping(files=6, ranks=4)
    letters = [Letter(dx, dy, "e") for dx, dy in product(range(-5, 6), range(-3, 4)) if dx or dy]
    plain = {letter: edges.plain(letter) for letter in letters}
    assert len(set(plain.values())) == 6 * 4 - 1
    for letter, short in plain.items():
        assert letter in edges.spellings(short)
        assert (letter.dx - short.dx) % 6 == (letter.dy - short.dy) % 4 == 0
    assert edges.plain(Letter(5, -3, "p")) == Letter(-1, 1, "p")
    assert edges.plain(Letter(3, 0, "e")) == edges.plain(Letter(-3, 0, "e"))
    assert edges.word((Letter(0, 0, "d"), Letter(-5, 0, "e"))) == (
        Letter(0, 0, "d"),
        Letter(1, 0, "e"),
    )
