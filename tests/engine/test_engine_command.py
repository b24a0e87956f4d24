"""``grl engine``: what it prints of a model, and the protocol by which other programs play."""

from __future__ import annotations

import doctest
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from learned import learned
from race import Race, race_model
from random_models import random_model
from shorthand import heading

from grl import compiler
from grl.cli import main
from grl.commands import protocol
from grl.engine import overview
from grl.engine.graph import CAME, HERE, THERE, Check, Edge, End, Graph, Node, Store
from grl.engine.source import program
from grl.errors import NotCompiled
from grl.model import Literal, Model, Rule, Rules
from grl.modelfile import write_model
from grl.rulebook import Rulebook

GRAPH = """
Turns of white
  a turn from r begins at 0
     0  on r
        (-1 1 p) → 1
        (0 1 e) → 2
        (1 1 p) → 1
     1  r in hand, over a piece
        the turn may end
     2  r in hand
        the turn may end

Turns of black
"""
PAGE = Path(__file__).parents[2] / "docs" / "engine.md"
HAS_COMPILER = bool(compiler.compilers())


def ruled() -> Model:
    """Races with an ending, a restriction and who moves next."""
    model = race_model()
    stuck = Rule((Literal(("stuck", 0), True),), (0, 100), 5)
    back = Rule((Literal(heading("behind"), True),), (), 5)
    return replace(model, rules=Rules({"white": "identity", "black": "flip"}, (back,), (stuck,)))


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A model file, and a cache of its own."""
    monkeypatch.setenv("GRL_CACHE", str(tmp_path))
    monkeypatch.setenv("GRL_COMPILER", "none")
    path = tmp_path / "race.grl.json"
    write_model(ruled(), path)
    return path


def run(*args: object, text: str | bytes = "") -> Result:
    return CliRunner().invoke(main, ["engine", *map(str, args)], input=text, catch_exceptions=False)


def test_the_command_says_what_there_is_without_a_compiler(model: Path) -> None:
    done = run(model)
    assert done.exit_code == 0
    facts = [line.split(maxsplit=1) for line in done.output.splitlines()]
    assert facts[:3] == [
        ["kind", "python: GRL_COMPILER is 'none'"],
        ["graph", "white: 3 nodes, 3 edges"],
        ["graph", "black: 3 nodes, 3 edges"],
    ]
    lines = f"{program(ruled()).text.count(chr(10)):,}"
    assert facts[3][1].startswith(f"{lines} lines of C, written in ")
    assert facts[4] == ["turns", "counted as sets of origins"]
    assert facts[5:] == [["rules", "0 of 2 compiled, 2 could be"]]


@pytest.mark.skipif(not HAS_COMPILER, reason="there is no C compiler")
def test_the_command_says_what_a_compiler_made(
    model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GRL_COMPILER")
    first, second = (dict(line.split(maxsplit=1) for line in run(model).output.splitlines()[-5:])
                     for _ in range(2))  # fmt: skip
    assert first["library"].startswith("compiled in ")
    assert second["library"].startswith("loaded, as it was kept, in ")
    assert first["state"] == second["state"]
    assert int(first["state"].split()[0]) > 16
    assert first["rules"] == "2 of 2 compiled"
    assert "(compiled)" in run(model, "--show").output


def test_the_graphs_are_shown_with_the_rules(model: Path) -> None:
    shown = run(model, "--show").output
    assert GRAPH in shown
    assert "\nRestrictions\n  1. A turn is illegal if " in shown
    assert "\nEndings\n  1. The game is over if " in shown
    assert shown.count("(could be compiled)") == 2
    assert shown.endswith("The C text: grl engine MODEL --source\n")


def test_ties_pieces_and_further_segments_are_shown() -> None:
    model = race_model()
    end = End(True, (("r", 3), (".", 4)), (Check("w->tie[2]", HERE),), (Store(0, THERE),))
    edge = Edge(0, frozenset("Rr"), 7, "r", True, (Check(CAME, THERE),), (Store(1, HERE),))
    node = Node(5, 5, "r", None, 1, end, (edge,), True)
    begins = Node(6, 6, "", ".", 0, None, ())
    lines = list(overview.graph_lines(model, Graph("white", (node, begins), (("r", 5),), 3)))
    assert lines == [
        "a turn from r begins at 5",
        "   5  r in hand, over a piece, segment 2",
        "      the turn may end, if register 2 is here; register 0 takes there",
        "      a segment from r may follow → 3, if register 2 is here; register 0 takes there",
        "      a segment from an empty square may follow → 4, if register 2 is here;"
        " register 0 takes there",
        "      (-1 -1 p) of R r → 7, if the square it came from is there; register 1 takes here",
        "   6  on an empty square",
    ]


def test_what_can_not_be_written_is_said_item_by_item(
    model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise NotCompiled("too odd")

    def choosy(equipment: object, rules: Rules, code: object) -> object:
        return refuse() if rules.endings else RULE_CODE(equipment, rules, code)

    RULE_CODE = overview.RuleCode  # noqa: N806
    monkeypatch.setattr(overview, "program", refuse)
    monkeypatch.setattr(overview, "RuleCode", choosy)
    shown = run(model, "--show").output
    assert shown.startswith("kind     python: too odd\n")
    assert "rules    0 of 2 compiled, 1 could be\n" in shown
    assert "(not compiled: too odd)" in shown
    assert shown.count("(could be compiled)") == 1


def test_effects_are_looked_at_too() -> None:
    model = next(m for m in map(random_model, range(20)) if m.effects and m.rules)
    whole = overview.overview(model)
    assert len(whole.obstacles["effects"]) == len(model.effects)
    alone = overview._obstacles(model, written=False)
    assert alone == whole.obstacles


def test_the_source_is_printed_as_it_is_compiled(
    model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = run(model, "--source")
    assert (done.exit_code, done.output) == (0, program(ruled()).text)
    monkeypatch.setattr("grl.engine.source.MOST_EDGES", 3)
    refused = run(model, "--source")
    assert refused.exit_code == 1
    assert refused.stderr.startswith("the automata are too large to compile")


def test_the_text_for_graphics_processors_is_printed_where_there_is_one(tmp_path: Path) -> None:
    models = [random_model(n, setwise=True) for n in range(9)]
    sets = next(model for model in models if program(model).sets)
    walking = next(model for model in models if not program(model).sets)
    for made, status, said in (
        (sets, 0, "#define DEVICE 1\n"),
        (walking, 1, "a graphics processor"),
    ):
        path = tmp_path / f"{status}.grl.json"
        write_model(made, path)
        done = run(path, "--cuda")
        assert done.exit_code == status
        assert (done.stderr if status else done.stdout).startswith(said)


def test_options_that_exclude_one_another_are_refused(model: Path) -> None:
    assert run(model, "--source", "--protocol").exit_code == 2
    assert run(model, "--source", "--cuda").exit_code == 2


@pytest.mark.parametrize("compilers", ["", "none"])
def test_the_python_of_the_page_does_what_it_shows(
    compilers: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    learned("tic-tac-toe").save(tmp_path / "model.grl.json")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRL_COMPILER", compilers)
    monkeypatch.setenv("GRL_CACHE", str(tmp_path))
    text = PAGE.read_text(encoding="utf-8")
    if compilers == "none":
        before, _, rest = text.partition("Many positions at once")
        text = before + "## The command" + rest.partition("## The command")[2]
    page = tmp_path / "page.md"
    page.write_text(text, encoding="utf-8")
    found = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert found.attempted >= 14
    assert found.failed == 0


# The protocol ------------------------------------------------------------------------------------


def answers(model: Path, text: str | bytes) -> list[list[str]]:
    """The answers to commands, each with its last line, ``ok`` or an error."""
    done = run(model, "--protocol", text=text)
    assert done.exit_code == 0
    found: list[list[str]] = [[]]
    for line in done.output.splitlines():
        found[-1].append(line)
        if line == "ok" or line.startswith("error "):
            found.append([])
    assert found.pop() == []
    return found


@pytest.mark.parametrize("kind", ["python", "native"])
def test_a_program_plays_a_game(kind: str, model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if kind == "native":
        if not HAS_COMPILER:
            pytest.skip("there is no C compiler")
        monkeypatch.delenv("GRL_COMPILER")
    rulebook = Rulebook(ruled(), compiled=False)
    turns = [str(turn) for turn in rulebook.legal(rulebook.initial)]
    after = rulebook.play(rulebook.initial, turns[1])
    number = rulebook.perft(after, 3)
    said = answers(
        model,
        f"turns\nplay 1\nperft 3\nover\nshow\nposition\nundo\nplay {turns[1]}\nposition\n"
        "play b4-b3\nundo\nundo\nperft 0\n",
    )
    assert said[0] == [*turns, "ok"]
    assert said[1] == ["ok"]
    assert said[2:4] == [[str(number), "ok"], ["no", "ok"]]
    assert said[4][-2:] == ["black to move", "ok"]
    assert json.loads(said[5][0]) == after.to_dict()
    assert said[8] == said[5]
    assert said[9:12] == [["ok"]] * 3
    assert said[12] == ["1", "ok"]


def test_a_game_ends_with_goals(model: Path, tmp_path: Path) -> None:
    position = Race().endgames()[0].to_dict() | {"rows": ["r..", "...", "...", "R.."]}
    (tmp_path / "a position.json").write_text(json.dumps(position), encoding="utf-8")
    said = answers(
        model, f"goals\nposition {tmp_path}/a position.json\nover\ngoals\nturns\nplay 0\nplayers\n"
    )
    assert said[0] == ["- white", "- black", "ok"]
    assert said[1:4] == [["ok"], ["yes", "ok"], ["0 white", "100 black", "ok"]]
    assert said[4] == ["ok"]
    assert said[5] == ["error there is no turn number 0; expected none: the game is over"]
    assert said[6] == ["white", "black", "ok"]


def test_random_games_are_counted_by_how_they_end(model: Path) -> None:
    first, again, other = answers(model, "playouts 40 7\nplayouts 40 7\nplayouts 0 1\n")
    assert first == again
    assert other == ["games 0", "plies 0", "ok"]
    games, plies, *ends = first[:-1]
    assert games == "games 40"
    assert int(plies.split()[1]) > 100
    assert sum(int(end.split()[1]) for end in ends) == 40
    assert {tuple(end.split()[2:]) for end in ends} <= {("0", "100"), ("100", "0"), ("-", "-")}


@pytest.mark.parametrize(
    ("command", "error"),
    [
        ("jump", "no such command"),
        ("turns all", "turns takes nothing"),
        ("undo", "nothing was played"),
        ("perft", "wrong numbers"),
        ("perft -1", "wrong numbers"),
        ("perft ٣", "wrong numbers"),
        ("perft 501", "wrong depth of perft"),
        ("perft " + "9" * 400, "wrong numbers"),
        ("playouts 5", "wrong numbers"),
        ("playouts 99999999999 1", "too many games"),
        ("play", "turn '' can't be read"),
        ("play 99", "there is no turn number 99"),
        ("play b4 (0 -2 e)", "turn 'b4 (0 -2 e)' is not legal for black"),
        ("play a9 (0 1 e)", "a9"),
        ("play a1 (", "can't be read"),
        ("position no-such-file", "no-such-file: No such file or directory"),
        ("position .", "Is a directory"),
        ("\x00\x1b[2J", "no such command"),
        ("\udcff", "no such command"),
    ],
)
def test_an_error_is_one_line_and_changes_nothing(command: str, error: str, model: Path) -> None:
    text = f"play 0\nposition\n{command}\nposition\n".encode(errors="surrogateescape")
    if command == "undo":
        text = text.removeprefix(b"play 0\n")
    *_, before, found, after = answers(model, text)
    assert error in found[-1]
    assert found[-1].startswith("error ")
    assert found[-1].isprintable()
    assert before == after


def test_lines_without_a_command_are_passed_over(model: Path) -> None:
    assert answers(model, "\n  \n\r\nover\r\n\n over \nover") == [["no", "ok"]] * 3


def test_a_line_that_is_too_long_is_no_command(
    model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "LONGEST", 20)
    said = answers(model, "over\n" + "over " * 30 + "\nover\n" + "x" * 50)
    assert said[0] == said[2] == ["no", "ok"]
    assert said[1] == said[3] == ["error the line is too long; expected at most 20 characters"]


def test_the_session_ends_where_somebody_quits(model: Path) -> None:
    assert answers(model, "quit\nover\n") == [["ok"]]
    assert answers(model, "") == []


def test_help_lists_every_command(model: Path) -> None:
    (listed,) = answers(model, "help\n")
    names = [line.split()[0] for line in listed[:-1]]
    page = PAGE.read_text(encoding="utf-8").replace("\\|", "|")
    assert len(names) >= 10
    assert all(f"| `{line}` |" in page for line in listed[:-1])


def test_each_answer_comes_before_the_next_command(model: Path) -> None:
    command = [sys.executable, "-m", "grl", "engine", str(model), "--protocol"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=dict(os.environ)
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(2):
            process.stdin.write("kind\n")
            process.stdin.flush()
            assert process.stdout.readline() == "python GRL_COMPILER is 'none'\n"
            assert process.stdout.readline() == "ok\n"
        process.stdin.close()
        assert process.wait() == 0
