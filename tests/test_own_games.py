"""A reference game out of somebody's own file: used by every command, and its errors in a line."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from grl.cli import main
from grl.errors import GrlError
from grl.games import load

HOP = '''from grl.board import Board, Equipment, Piece, Player, make_position
from grl.games import Game

WHITE, BLACK = Player("white"), Player("black")


class Hop(Game):
    """Men step ahead, or jump over a man; who has no turn has lost."""

    name = "hop"
    provenance = "made up"

    def __init__(self, width: int = 3, title: str = "hop") -> None:
        pieces = {"w": Piece("w", WHITE, "man"), "b": Piece("b", BLACK, "man")}
        self.equipment = Equipment(Board(width, 5), (WHITE, BLACK), pieces)
        rows = ["b" * width, "." * width, "." * width, "." * width, "w" * width]
        self.initial = make_position(self.equipment, rows, WHITE)

    def legal(self, position):
        board, cells = position.board, position.cells
        own, up = ("w", 1) if position.to_move == WHITE else ("b", -1)
        turns = []
        for square in board.squares:
            one, two = board.step(square, 0, up), board.step(square, 0, 2 * up)
            if cells[square] == own and one is not None and cells[one] == ".":
                turns.append(f"{board.names[square]} (0 {up} e)")
            elif cells[square] == own and two is not None and cells[two] == ".":
                turns.append(f"{board.names[square]} (0 {2 * up} e)")
        return turns

    def is_terminal(self, position):
        return not self.legal(position)

    def goals(self, position):
        return {player: 100 * (player != position.to_move) for player in (WHITE, BLACK)}


def narrow():
    return Hop(width=2)
'''


def run(*args: object) -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args], catch_exceptions=False)


@pytest.fixture
def hop(tmp_path: Path) -> Path:
    path = tmp_path / "hop.py"
    path.write_text(HOP)
    return path


def test_a_file_and_a_class_name_a_game_with_its_options(hop: Path) -> None:
    assert load(f"{hop}:Hop").equipment.board.width == 3
    assert load(f"{hop}:Hop:width=4").equipment.board.width == 4
    assert load(f"{hop}:narrow").equipment.board.width == 2
    assert load(f"{hop}").name == "hop"
    assert load(f"{hop}:width=5").equipment.board.width == 5


def test_every_command_that_takes_a_game_takes_a_file(hop: Path, tmp_path: Path) -> None:
    records, model = tmp_path / "games.jsonl", tmp_path / "hop.grl.json"

    played = run("traces", "generate", f"{hop}:Hop:width=2", "-n", 6, "--all-moves", "-o", records)
    assert (played.exit_code, played.stderr) == (0, f"wrote 6 games to {records}\n")
    assert run("learn", records, "-o", model).exit_code == 0
    compared = run("compare", model, "--game", f"{hop}:narrow", "-n", 5)
    assert compared.exit_code == 0, compared.output
    assert compared.stdout.startswith("against hop: ")
    answers = tmp_path / "answers.jsonl"
    options = ("--questions", 1, "--answers", answers)
    asked = run("ask", model, records, "--game", f"{hop}:narrow", *options)
    assert asked.exit_code == 0, asked.output


@pytest.mark.parametrize(
    ("text", "spec", "where", "words"),
    [
        (None, ":Hop", "", "there is no such file; expected FILE.py:Class"),
        ("x = 1\n", "", "", "defines 0 games; expected a class that inherits grl.games.Game"),
        ("x = 1\n", ":Hop", "", "the file has no Hop; expected a class that inherits"),
        (HOP, ":Skip", "", "the file has no Skip; expected one of Hop"),
        ("x = 1\n", ":x", "", "x is no game; expected a class that inherits"),
        ("def x():\n    return 3\n", ":x", "", "x is no game"),
        ("x = 1\ny = x / 0\n", ":x", ":2", "can't be run: ZeroDivisionError: division by zero"),
        ("x = 1\ny = = 0\n", ":x", ":2", "can't be run: SyntaxError: invalid syntax"),
        ("import sys\nsys.exit(3)\n", ":x", ":2", "can't be run: SystemExit: 3"),
        ("import nowhere_to_be_found\n", ":x", ":1", "ModuleNotFoundError: No module named"),
        (HOP.replace("def goals", "def goal"), ":Hop", "", "Hop lacks goals(); expected"),
        (HOP.replace("def is_", "def iz_"), ":Hop", "", "Hop lacks is_terminal(); expected"),
        (HOP.replace('"." * width, ', "", 1), ":Hop", ":17", "wrong number of rows"),
        (HOP.replace("self.initial =", "initial ="), ":Hop", "", "Hop has no initial; expected"),
        (HOP.replace('name = "hop"', "name = 3"), ":Hop", "", "Hop has no name; expected"),
        (HOP.replace("self.equipment = ", "", 1), ":Hop", ":17", "can't be made: AttributeError"),
        (HOP, ":Hop:height=3", "", "bad or repeated option 'height=3' of Hop; expected width="),
        (HOP, ":Hop:title=3", "", "bad or repeated option 'title=3' of Hop; expected width="),
    ],
)
def test_a_file_that_makes_no_game_is_refused_in_one_line_that_says_where(
    tmp_path: Path, text: str | None, spec: str, where: str, words: str
) -> None:
    path = tmp_path / "game.py"
    if text is not None:
        path.write_text(text)

    with pytest.raises(GrlError) as caught:
        load(f"{path}{spec}")

    assert words in str(caught.value)
    if not words.startswith("bad or"):
        assert str(caught.value).startswith(f"{path}{where}: ")
    done = run("traces", "generate", f"{path}{spec}", "-n", 1, "-o", tmp_path / "x.jsonl")
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert not (tmp_path / "x.jsonl").exists()


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("turns = []", "turns = [][3]", ":22: legal() failed: IndexError: list index out of range"),
        ("return turns", "return None", "legal() gave a wrong value; expected a list of turns"),
        ("not self.legal(position)", "None", "is_terminal() gave a wrong value; expected True or"),
        ("not self.legal(position)", "False", "hop is not over but has no legal turn; expected"),
        ("(WHITE, BLACK)}", "(WHITE,)}", "goals() gave a wrong value; expected goals for each of"),
        ("(0 {up} e)", "(0 {up} z)", "can't be read at character"),
        ("(0 {up} e)", "(0 {up} p)", "doesn't fit at"),
    ],
)
def test_a_mistake_in_a_method_is_one_line_as_well(
    hop: Path, tmp_path: Path, before: str, after: str, words: str
) -> None:
    assert before in HOP
    hop.write_text(HOP.replace(before, after, 1))

    done = run("traces", "generate", f"{hop}:Hop", "-n", 2, "-o", tmp_path / "x.jsonl")

    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert words in done.stderr


def test_a_file_may_import_its_neighbours(hop: Path) -> None:
    (hop.parent / "hop_sizes.py").write_text("WIDTH = 7\n")
    hop.write_text(
        HOP.replace("width: int = 3", "width: int = WIDTH").replace(
            "from grl.games", "from hop_sizes import WIDTH\nfrom grl.games"
        )
    )

    assert load(f"{hop}:Hop").equipment.board.width == 7
