"""Slides written as one leap: when they are noticed, when they aren't, and what becomes of them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result
from leaping import leapt, write_leaps
from learned import record
from strange_games import Hobbled, Knights, Strange

import grl
from grl import games
from grl.board import Board, Equipment, Piece, Player, Position, make_position
from grl.cli import main
from grl.generate import generate
from grl.leaps import find_slides, notice
from grl.traces import Traces, header_dict, write_traces

WHITE, BLACK = Player("white"), Player("black")
STRAIGHT = ((1, 0), (0, 1), (-1, 0), (0, -1))
SMALL = "amazons:width=5,height=4"


class Leapers(games.Game):
    """Pieces on a crowded board whose turns are single letters; play breaks off."""

    name = "leapers"
    provenance = "made up"
    rows: tuple[str, ...] = ("b.b..b.b", "..b..b..", "........", "b......w", "w......b", "........",
                             "..w..w..", "w.w..w.w")  # fmt: skip

    def __init__(self) -> None:
        pieces = {"w": Piece("w", WHITE, "piece"), "b": Piece("b", BLACK, "piece")}
        self.equipment = Equipment(Board(len(self.rows[0]), len(self.rows)), (WHITE, BLACK), pieces)
        self.initial = make_position(self.equipment, self.rows, WHITE)

    def legal(self, position: Position) -> list[str]:
        board = position.board
        view = self.equipment.views[position.to_move]
        found = []
        for square in board.squares:
            if view[position.cells[square]] != "w":
                continue
            for dx, dy in STRAIGHT:
                between = ""
                for length in range(1, 8):
                    target = board.step(square, dx * length, dy * length)
                    if target is None:
                        break
                    on = view[position.cells[target]]
                    more = self.more(board.names[square], (dx, dy), between, on)
                    if on != "w" and more is not None:
                        letter = f"({dx * length} {dy * length} {on})"
                        found.append(f"{board.names[square]} {letter}{more}")
                    between += on
        return found

    def more(self, square: str, way: tuple[int, int], between: str, on: str) -> str | None:
        """What follows on a leap over squares `between` onto `on`; None where there is none."""
        raise NotImplementedError

    def is_terminal(self, position: Position) -> bool:
        return not self.legal(position)

    def goals(self, position: Position) -> dict[Player, int]:
        return {player: 50 * bool(position.cells) for player in (WHITE, BLACK)}


class Short(Leapers):
    """Steps, and leaps of two or three, whatever lies between."""

    def more(self, square, way, between, on):  # noqa: ARG002
        return "" if len(between) < 3 else None


class Doubles(Leapers):
    """One step or two, never over a piece, as pawns do."""

    def more(self, square, way, between, on):  # noqa: ARG002
        return "" if between in ("", "e") and on == "e" else None


class Jumps(Leapers):
    """Steps, and jumps over a piece that is removed when the jump is over."""

    def more(self, square, way, between, on):
        x, y = ord(square[0]) + way[0], int(square[1]) + way[1]
        jump = f"; {chr(x)}{y} (0 0 d)" if between == "p" else None
        return ("" if between == "" else jump) if on == "e" else None


class Cannons(Leapers):
    """Slides onto empty squares; captures over exactly one piece."""

    def more(self, square, way, between, on):  # noqa: ARG002
        lying = len(between.replace("e", ""))
        return "" if lying == (on == "p") else None


class Rooks(Leapers):
    """Slides to the next piece, which is captured if it is an opponent's, written in steps."""

    rows = ("b...b", ".....", ".....", "w...w")

    def legal(self, position: Position) -> list[str]:
        found = []
        for turn in super().legal(position):
            origin, dx, dy, on = turn.replace("(", "").replace(")", "").split()
            length = max(abs(int(dx)), abs(int(dy)))
            x, y = int(dx) // length, int(dy) // length
            found.append(f"{origin}{f' ({x} {y} e)' * (length - 1)} ({x} {y} {on})")
        return found

    def more(self, square, way, between, on):  # noqa: ARG002
        return "" if set(between) <= {"e"} else None


def recorded(game: games.Game, path: Path, *, all_moves: bool, n: int = 12) -> Path:
    plays = generate(game, n, all_moves=all_moves, seed=1, max_plies=40)
    write_traces(path, header_dict(game), plays)
    return path


def run(*args: object) -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args], catch_exceptions=False)


@pytest.mark.parametrize("all_moves", [False, True])
@pytest.mark.parametrize("spec", [*games.available(), "checker-bt:capturing=1"])
def test_no_reference_game_raises_the_notice(spec: str, all_moves: bool, tmp_path: Path) -> None:
    game = games.load(spec)
    n, plies = (1, 1) if spec == "amazons" else (2, 40)
    path = tmp_path / "games.jsonl"
    plays = generate(game, n, all_moves=all_moves, seed=1, max_plies=plies)
    write_traces(path, header_dict(game), plays)

    assert notice(Traces.open(path)) is None
    steps = find_slides([Traces.open(path)]).slides()
    assert list(Traces.open(path, slides=steps)) == list(Traces.open(path))


@pytest.mark.parametrize("all_moves", [False, True])
@pytest.mark.parametrize("kind", [Short, Doubles, Jumps])
def test_no_genuine_leap_raises_the_notice(
    kind: type[Leapers], all_moves: bool, tmp_path: Path
) -> None:
    n = 3 if all_moves else 12
    path = recorded(kind(), tmp_path / "games.jsonl", all_moves=all_moves, n=n)

    assert notice(Traces.open(path)) is None


@pytest.mark.parametrize("kind", [Short, Jumps])
def test_genuine_leaps_stay_even_when_asked(kind: type[Leapers], tmp_path: Path) -> None:
    path = recorded(kind(), tmp_path / "games.jsonl", all_moves=False)

    leaps = find_slides([Traces.open(path)])

    assert leaps.slides().groups == frozenset()
    assert "leaps over pieces stay, for they may be genuine, such as in game g" in "\n".join(
        leaps.report()
    )


@pytest.mark.parametrize("all_moves", [False, True])
def test_of_a_cannon_the_slides_are_rewritten_and_the_captures_stay(
    all_moves: bool, tmp_path: Path
) -> None:
    path = recorded(
        Cannons(), tmp_path / "games.jsonl", all_moves=all_moves, n=2 if all_moves else 16
    )

    assert "never over a piece" in (notice(Traces.open(path)) or "")
    slides = find_slides([Traces.open(path)]).slides()
    turns = [
        t for p in Traces.open(path, slides=slides) for y in p.plies for t in y.legal or [y.turn]
    ]
    assert {group.on for group in slides.groups} == {"e"}
    assert any(turn.endswith(" p)") for turn in turns)
    assert all(turn.count("(") == 1 for turn in turns if turn.endswith(" p)"))
    letters = {letter for t in turns if t.endswith(" e)") for letter in t.split(" (")[1:]}
    assert letters == {"1 0 e)", "0 1 e)", "-1 0 e)", "0 -1 e)"}


@pytest.mark.parametrize("captures", [False, True])
@pytest.mark.parametrize(("spec", "all_moves"), [("chess-bt", False), (SMALL, True)])
def test_slides_written_as_leaps_are_noticed_and_come_back_as_they_were(
    spec: str, all_moves: bool, captures: bool, tmp_path: Path
) -> None:
    source = record(spec, tmp_path / "steps.jsonl", 3 if all_moves else 14, all_moves=all_moves)
    path = write_leaps(source, tmp_path / "leaps.jsonl", captures=captures)

    found = notice(Traces.open(path))
    slides = find_slides([Traces.open(path)]).slides()

    assert found is not None
    assert found.startswith("slides look written as one leap: ")
    assert list(Traces.open(path, slides=slides)) == list(Traces.open(source))


def bent(turn: str) -> str:
    """A turn with a horse's two steps written as one leap, as by somebody with from and to."""
    return re.sub(
        r"\((-?1 0|0 -?1) e\) \((-?1) (-?1) (\w)\)$",
        lambda m: f"({int(m[1].split()[0]) + int(m[2])} {int(m[1].split()[1]) + int(m[3])} {m[4]})",
        turn,
    )


def test_leaps_past_a_square_that_is_always_empty_become_the_steps_that_they_were(
    tmp_path: Path,
) -> None:
    game = games.load("small-xiangqi")
    source = recorded(game, tmp_path / "steps.jsonl", all_moves=True, n=4)
    plays = [json.loads(line) for line in source.read_text().splitlines()]
    for play in plays[1:]:
        for turn in play["turns"]:
            turn["legal"] = [bent(each) for each in turn["legal"]]
            turn["turn"] = bent(turn["turn"])
    path = tmp_path / "leaps.jsonl"
    write_traces(path, *plays[:1], plays[1:])
    assert list(Traces.open(path)) != list(Traces.open(source))

    said = run("traces", "check", path).stderr
    slides = find_slides([Traces.open(path)]).slides()

    assert "what red's H passes is always empty" in said or "what black's h passes" in said
    assert list(Traces.open(path, slides=slides)) == list(Traces.open(source))


@pytest.mark.parametrize("kind", [Hobbled, Knights])
def test_horses_that_are_hobbled_go_two_steps_and_knights_leap(
    kind: type[Strange], tmp_path: Path
) -> None:
    path = recorded(kind(), tmp_path / "games.jsonl", all_moves=True)
    slides = find_slides([Traces.open(path)]).slides()
    read = [turn for play in Traces.open(path, slides=slides) for ply in play.plies
            for turn in ply.legal or ()]  # fmt: skip
    assert {turn.count("(") for turn in read} == {2 if kind is Hobbled else 1}


def test_check_and_learn_say_so_with_a_turn_and_what_it_should_read(tmp_path: Path) -> None:
    source = recorded(Rooks(), tmp_path / "steps.jsonl", all_moves=True, n=6)
    path = write_leaps(source, tmp_path / "leaps.jsonl")

    for command in (
        ("traces", "check", path),
        ("learn", path, "--no-rules", "--no-locm", "--positions", 3, "-o", tmp_path / "model"),
    ):
        done = run(*command)
        assert done.exit_code == 0
        assert done.stderr.count("\n") == 1
        words, proper = done.stderr.split(" which should read ")
        assert words.startswith(f"{path}: slides look written as one leap: white's w goes up to 4")
        leap = words.split("'")[-2]
        assert f"ply 1: '{leap}'" in words
        assert leapt(proper.split("'")[1]) == leap


def test_learn_reads_leaps_as_the_steps_that_they_are(tmp_path: Path) -> None:
    source = recorded(Rooks(), tmp_path / "steps.jsonl", all_moves=True, n=6)
    path = write_leaps(source, tmp_path / "leaps.jsonl")
    plain = ("--no-rules", "-o")

    assert run("learn", source, *plain, tmp_path / "a.json").exit_code == 0
    for jobs in (1, 2):
        done = run("learn", path, "--slides", "--jobs", jobs, *plain, tmp_path / "b.json")
        assert done.exit_code == 0
        assert "slides written as leaps become steps" in done.stderr
        assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()
    assert run("traces", "slides", path, "-o", tmp_path / "c.jsonl").exit_code == 0
    assert list(Traces.open(tmp_path / "c.jsonl")) == list(Traces.open(source))


def test_a_rewritten_file_keeps_notes_and_lists_no_turn_twice(tmp_path: Path) -> None:
    source, target = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    header = {
        "board": {"width": 8, "height": 1}, "players": ["a", "b"],
        "pieces": {"r": {"player": "a", "type": "rook"}, "R": {"player": "b", "type": "rook"}},
        "initial": {"to_move": "a", "rows": ["r......R"]},
    }  # fmt: skip
    legal = [f"a1 ({n} 0 e)" for n in range(1, 7)] + ["a1 (1 0 e) (1 0 e)"]
    play = {"turns": [{"turn": "a1 (2 0 e)", "legal": legal, "clock": 3}], "end": "stopped"}
    write_traces(
        source, {"format": "grl-trace/1", "game": "rooks", **header}, [play | {"by": "me"}]
    )

    assert run("traces", "slides", source, "-o", target).exit_code == 0

    lines = target.read_text().splitlines()
    assert '"clock": 3' in lines[1]
    assert '"by": "me"' in lines[1]
    (ply,) = next(iter(grl.Traces.open(target))).plies
    assert ply.turn == "a1 (1 0 e) (1 0 e)"
    assert ply.legal == tuple("a1" + n * " (1 0 e)" for n in range(1, 7))


def test_a_piece_that_goes_anywhere_is_said_to_fly(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    turns, x, y = [], 0, 0
    chance = Random(1)
    for _ in range(200):
        dx, dy = chance.randrange(5) - x, chance.randrange(4) - y
        if dx or dy:
            turns.append({"turn": f"{'abcde'[x]}{y + 1} ({dx} {dy} e)"})
            x, y = x + dx, y + dy
    header = {
        "board": {"width": 5, "height": 4}, "players": ["a"],
        "pieces": {"g": {"player": "a", "type": "ghost"}},
        "initial": {"to_move": "a", "rows": [".....", ".....", ".....", "g...."]},
    }  # fmt: skip
    play = {"turns": turns, "end": "stopped"}
    write_traces(path, {"format": "grl-trace/1", "game": "ghost", **header}, [play])

    assert str(notice(Traces.open(path))).startswith("flights look written as leaps: a's g goes by")
