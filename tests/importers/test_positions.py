"""Boards alone: the turns found between them are those of the games, and what can't be told is."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from random import Random

import pytest
from boards_alone import WAYS, broken_by
from click.testing import CliRunner
from languages import difference, graph_of, languages_of

from grl.board import Equipment, Player
from grl.cli import main
from grl.errors import GrlError
from grl.games import load
from grl.generate import generate
from grl.importers.explanations import Explainer
from grl.sgrl.evidence import Evidence
from grl.sgrl.learn import learn_automata
from grl.traces import Traces, from_positions, header_dict
from grl.turn import PASS, Turn, play

GAMES = {
    "breakthrough": 4,
    "checkers": 20,
    "amazons:width=6,height=6": 8,
    "chess:castling=0": 5,
    "peg-solitaire": 10,
    "connect-four": 10,
    "nine-mens-morris": 10,
}
"""From how many random games the turns come out as the reference spells them."""


@cache
def games(spec: str, number: int) -> tuple[dict, ...]:
    return tuple(generate(load(spec), number, all_moves=False, seed=1, max_plies=80))


def boards(spec: str, number: int) -> list[list[list[str]]]:
    game, found = load(spec), []
    for record in games(spec, number):
        position = game.initial
        rows = [position.rows]
        for turn in record["turns"]:
            position = play(position, Turn.parse(turn["turn"]))
            rows.append(position.rows)
        found.append(rows)
    return found


def header(spec: str) -> dict:
    return header_dict(load(spec))


def run(*args: object):
    return CliRunner().invoke(main, ["import", "positions", *map(str, args)])


def written(path: Path, spec: str, number: int) -> Path:
    """Boards as JSON lines, after the header of a trace file."""
    lines = [header(spec), *({"boards": each} for each in boards(spec, number))]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def turns_in(path: Path) -> list[list[str]]:
    return [[ply.turn for ply in record.plies] for record in Traces.open(path)]


@pytest.mark.parametrize("spec", GAMES)
def test_turns_come_out_as_the_reference_spells_them(spec: str, tmp_path: Path) -> None:
    number = GAMES[spec]
    done = run(written(tmp_path / "boards.jsonl", spec, number), "-o", tmp_path / "out.jsonl")

    assert done.exit_code == 0, done.stderr
    assert turns_in(tmp_path / "out.jsonl") == [
        [turn["turn"] for turn in record["turns"]] for record in games(spec, number)
    ]


def test_automata_learned_from_boards_are_the_languages_of_the_pieces(tmp_path: Path) -> None:
    run(written(tmp_path / "boards.jsonl", "breakthrough", 20), "-o", tmp_path / "out.jsonl")
    evidence, traces = Evidence(), Traces.open(tmp_path / "out.jsonl")
    for record in traces:
        for ply in record.plies:
            evidence.observe(ply)
    known, equipment = languages_of("breakthrough"), traces.header.equipment

    learned = learn_automata(evidence, equipment)

    assert {str(item.dfa.key) for item in learned} == set(known)
    for item in learned:
        language = known[str(item.dfa.key)].graph()
        assert difference(graph_of(item.dfa), language, equipment.board) is None


def as_csv(found: list[list[list[str]]]) -> str:
    lines = ["Game;Ply;Board;Result"]
    for number, rows in enumerate(found):
        lines += [f"{number};{ply};{'/'.join(each)};1-0" for ply, each in enumerate(rows)]
    return "\n".join(lines)


def as_squares(found: list[list[list[str]]]) -> str:
    high, wide = len(found[0][0]), len(found[0][0][0])
    names = [f"{chr(97 + x)}{y + 1}" for y in range(high) for x in range(wide)]
    lines = ["game," + ",".join(names)]
    for number, rows in enumerate(found):
        for each in rows:
            lines.append(f"{number}," + ",".join(c for row in each[::-1] for c in row))
    return "\n".join(lines)


def as_fen(found: list[list[list[str]]]) -> str:
    def placement(rows: list[str]) -> str:
        text = "/".join(rows)
        for gap in range(8, 0, -1):
            text = text.replace("." * gap, str(gap))
        return text

    texts = []
    for rows in found:
        sides = "wb" * len(rows)
        texts.append("\n".join(f"{placement(r)} {s}" for r, s in zip(rows, sides, strict=False)))
    return "\n\n".join(texts)


def as_diagrams(found: list[list[list[str]]]) -> str:
    def drawn(rows: list[str]) -> str:
        ranks = [f"{len(rows) - i}  {' '.join(row)}" for i, row in enumerate(rows)]
        return "\n".join([*ranks, "   " + " ".join("abcdefgh"[: len(rows[0])])])

    return "\n1-0\n".join("\n\n".join(map(drawn, rows)) for rows in found)


def as_boards_by_line(found: list[list[list[str]]]) -> str:
    return "\n".join(
        json.dumps({"game": number, "ply": ply, "rows": each})
        for number, rows in enumerate(found)
        for ply, each in enumerate(rows)
    )


@pytest.mark.parametrize("form", [as_csv, as_squares, as_fen, as_diagrams])
def test_every_kind_of_file_says_the_same(form, tmp_path: Path) -> None:
    source, start = tmp_path / "boards.txt", tmp_path / "start.json"
    source.write_text(form(boards("breakthrough", 3)))
    start.write_text(json.dumps(header("breakthrough")))

    done = run(source, "--start", start, "--ended", "-o", tmp_path / "out.jsonl")

    assert done.exit_code == 0, done.stderr
    expected = [[turn["turn"] for turn in record["turns"]] for record in games("breakthrough", 3)]
    assert turns_in(tmp_path / "out.jsonl") == expected
    ends = [record.end for record in Traces.open(tmp_path / "out.jsonl")]
    told = form in (as_csv, as_diagrams)
    assert ends[:2] == ["terminal" if told else "stopped"] * 2


def test_without_a_start_case_says_whose_pieces_are_and_the_first_move_who_begins(
    tmp_path: Path,
) -> None:
    source = tmp_path / "boards.jsonl"
    source.write_text(as_boards_by_line(boards("checkers", 9)))

    assert run(source, "-o", tmp_path / "out.jsonl").exit_code == 0

    found = Traces.open(tmp_path / "out.jsonl").header
    assert found.initial.to_move == "black"
    owners = {key: piece.player for key, piece in found.equipment.pieces.items()}
    assert owners == {"M": "white", "K": "white", "m": "black", "k": "black"}
    assert turns_in(tmp_path / "out.jsonl") == [
        [turn["turn"] for turn in record["turns"]] for record in games("checkers", 9)
    ]


def test_broken_games_are_left_out_with_their_reason_and_no_others(
    tmp_path: Path,
) -> None:
    spec = "checkers"
    found = boards(spec, 20)
    keys = "".join(load(spec).equipment.pieces)
    for number, way in enumerate(WAYS):
        found[2 * number] = broken_by(way, found[2 * number], keys, Random(number))
    source = tmp_path / "boards.jsonl"
    lines = [header(spec), *({"boards": each} for each in found)]
    source.write_text("".join(json.dumps(line) + "\n" for line in lines))

    done = run(source, "-o", tmp_path / "out.jsonl")

    assert done.exit_code == 0
    left_out = [line.split(",")[0] for line in done.stderr.splitlines()]
    assert left_out == [f"{source}:{2 * number + 2}" for number in range(len(WAYS))]
    assert "a board that no likely turn leads to; expected a turn of " in done.stderr
    assert "position" in done.stdout
    assert "unexplained" in done.stdout
    assert "no moves" in done.stdout


def test_a_game_is_kept_up_to_its_first_bad_board_where_that_is_wanted(tmp_path: Path) -> None:
    found = boards("breakthrough", 4)
    del found[2][9], found[3][0]
    source = tmp_path / "boards.jsonl"
    lines = [header("breakthrough"), *({"boards": each} for each in found)]
    source.write_text("".join(json.dumps(line) + "\n" for line in lines))

    done = run(source, "-o", tmp_path / "out.jsonl", "--keep-beginnings")

    assert done.exit_code == 0
    assert f"{source}:4, game boards.jsonl:4, ply 9: a board that no likely turn" in done.stderr
    assert "boards.jsonl:5, ply 1: only other players' pieces moved, though it is" in done.stderr
    third = [turn["turn"] for turn in games("breakthrough", 4)[2]["turns"]]
    assert turns_in(tmp_path / "out.jsonl")[2] == third[:8]
    assert run(source, "-o", tmp_path / "none.jsonl", "--strict").exit_code == 2


@pytest.mark.parametrize(
    ("before", "after", "turns"),
    [
        (["..A.", "....", "...."], ["....", "....", "..A."], "c3 (0 -2 e) or c3 (0 -1 e) (0 -1 e)"),
        (
            ["....", ".b..", "A...", "...."],
            ["..A.", "....", "....", "...."],
            "a2 (1 1 p) (0 0 d) (1 1 e) or a2 (2 2 e); b3 (0 0 d)",
        ),
    ],
)
def test_two_turns_for_which_nothing_speaks_are_ambiguous(
    before: list[str], after: list[str], turns: str, tmp_path: Path
) -> None:
    source = tmp_path / "boards.jsonl"
    source.write_text(json.dumps({"boards": [before, after]}) + "\n")

    done = run(source, "-o", tmp_path / "out.jsonl")

    assert done.exit_code == 2
    assert "ply 1: two turns explain the board, and nothing else speaks for either" in done.stderr
    assert f"found {turns}; position" in done.stderr


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "the files hold no game"),
        ('{"boards": 3}\n', "a list of boards"),
        ('{"boards": [["ab", "c"]]}\n', "not a board"),
        ('{"boards": [["A."]]}\n', "a game without two boards"),
        ('{"boards": [["A."], [".A"], ["A.", ".."]]}\n', "wrong number of rows"),
        ('{"boards": ["A1/2[P] w", "1A/2[P] b"]}\n', "pieces in hand"),
        ('{"boards": [["A."], [".A"]], "to_move": "green"}\n', "unknown player to move"),
        ("{oops\n", "not JSON"),
        ("game,board\n1,A./..\n1,A./.\n", "not a board"),
        ("A./..\n./A\n", "the wrong length"),
    ],
)
def test_broken_input_is_one_clear_line(text: str, expected: str, tmp_path: Path) -> None:
    source = tmp_path / "boards.txt"
    source.write_text(text)

    done = run(source, "-o", tmp_path / "out.jsonl")

    assert (done.exit_code, done.stdout) == (2, ""), done.stdout
    assert expected in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out.jsonl").exists()


def test_from_python(tmp_path: Path) -> None:
    found = boards("checkers", 9)
    spec = header("checkers")
    goals = [record.get("goals") for record in games("checkers", 9)]

    imports = from_positions(
        found,
        tmp_path / "out.jsonl",
        game="checkers",
        pieces={key: (piece["player"], piece["type"]) for key, piece in spec["pieces"].items()},
        goals=goals,
    )

    assert (imports.read, imports.kept, imports.quarantine) == (9, 9, [])
    assert Traces.open(tmp_path / "out.jsonl").header.to_dict() == spec
    assert [record.goals for record in Traces.open(tmp_path / "out.jsonl")] == goals


def test_no_game_at_all_is_an_error_in_python(tmp_path: Path) -> None:
    with pytest.raises(GrlError, match="there is no board"):
        from_positions([], tmp_path / "out.jsonl")
    with pytest.raises(GrlError, match="without two boards"):
        from_positions([[["A."]]], tmp_path / "out.jsonl")


def test_every_explanation_leads_from_board_to_board() -> None:
    for spec in ("checkers", "amazons:width=6,height=6", "abalone", "brandub", "go:size=7"):
        game = load(spec)
        equipment: Equipment = game.equipment
        explainer = Explainer(equipment)
        for record in generate(game, 2, all_moves=False, seed=3, max_plies=40):
            position = game.initial
            for turn in record["turns"]:
                after = play(position, Turn.parse(turn["turn"]))
                mover = Player(position.to_move)
                texts = explainer.turns(position.cells, after.cells, mover)
                assert texts
                for text in texts:
                    found = PASS if text == "pass" else Turn.parse(text)
                    assert play(position, found).cells == after.cells
                position = after
