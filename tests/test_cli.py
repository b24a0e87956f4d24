"""The command line: what each command prints, its exit status, and one line for every error."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result
from race import Race, race_model

import grl.games
from grl.cli import main
from grl.generate import generate
from grl.modelfile import write_model
from grl.rulebook import load
from grl.traces import header_dict, write_traces

START = ["RRR", "...", "...", "rrr"]


def run(*args: object, text: str | None = None) -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args], input=text)


def refused(result: Result) -> str:
    """The one line that a refused command leaves on standard error."""
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("grl: ")
    assert "Traceback" not in result.stderr
    return result.stderr


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "race.grl.json"
    write_model(race_model(), path)
    return path


@pytest.fixture
def loose(tmp_path: Path) -> Path:
    """A model that also steps sideways."""
    path = tmp_path / "loose.grl.json"
    write_model(race_model(sideways=True), path)
    return path


@pytest.fixture
def records(tmp_path: Path) -> Path:
    path = tmp_path / "race.jsonl"
    write_traces(path, header_dict(Race()), generate(Race(), 20, all_moves=True, seed=1))
    return path


@pytest.fixture
def race_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    def load_game(spec: str) -> Race:
        return Race(width=int(spec.partition("width=")[2] or 3))

    monkeypatch.setattr(grl.games, "load", load_game)


def commands(group: click.Group = main, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    found = []
    for name, command in group.commands.items():
        found.append((*path, name))
        if isinstance(command, click.Group):
            found += commands(command, (*path, name))
    return found


@pytest.mark.parametrize("path", [(), *commands()], ids=" ".join)
def test_every_help_has_a_worked_example(path: tuple[str, ...]) -> None:
    result = run(*path, "--help")
    assert result.exit_code == 0
    assert f"  grl {' '.join(path)}".rstrip() in result.stdout.partition("Example")[2]


def test_summaries_of_commands_are_not_cut() -> None:
    assert "..." not in run("--help").stdout.partition("Commands:")[2].partition("Example")[0]


def test_a_group_alone_shows_its_help() -> None:
    assert run().stdout == run("--help").stdout
    assert run("traces").stdout == run("traces", "--help").stdout
    assert run().exit_code == run("traces").exit_code == 0


def test_the_version_is_printed() -> None:
    assert run("--version").stdout.split()[-1][0].isdigit()


def test_help_imports_no_room() -> None:
    code = "import sys, grl.cli; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    heavy = {"numpy", "networkx", "clingo", "rich", "graphviz", "msgspec", "pygraphviz"}
    heavy |= {"zstandard"}
    rooms = {"grl.rulebook", "grl.learning", "grl.compare", "grl.traces", "grl.render"}
    assert not loaded & (heavy | rooms)


@pytest.mark.parametrize(
    "args",
    [
        ["nonsense"],
        ["moves"],
        ["moves", "no-such-file"],
        ["--no-such-option"],
        ["perft", "no-such-file", "-d", "x"],
        ["learn", "-o", "x"],
        ["traces", "nonsense"],
        ["traces", "generate", "no-such-game", "-n", "1", "-o", "x.jsonl"],
        ["traces", "generate", "race", "-n", "0", "-o", "x.jsonl"],
    ],
    ids=" ".join,
)
def test_wrong_usage_is_one_line(args: list[str]) -> None:
    refused(run(*args))


def test_moves_as_json_are_those_of_the_contract(model: Path) -> None:
    result = run("moves", model, "--json")
    assert result.exit_code == 0
    data = json.loads(result.stdout)
    assert data.keys() == {"terminal", "goals", "turns"}
    assert data["terminal"] is False
    assert data["goals"] == {}
    assert [turn["turn"] for turn in data["turns"]] == ["a1 (0 1 e)", "b1 (0 1 e)", "c1 (0 1 e)"]
    assert data["turns"][0] == {
        "turn": "a1 (0 1 e)",
        "rows": ["RRR", "...", "r..", ".rr"],
        "to_move": "black",
        "reserve": {},
    }


def test_moves_shows_the_board_and_lists_the_turns(model: Path) -> None:
    lines = run("moves", model, "--after", "a1 (0 1 e)").stdout.splitlines()
    assert lines[:5] == ["4  R R R", "3  . . .", "2  r . .", "1  . r r", "   a b c"]
    assert lines[5] == "black to move, 3 turns:"
    assert lines[6] == "a4 (0 -1 e)"


def test_moves_after_turns_follow_one_another(model: Path) -> None:
    after = ["--after", "a1 (0 1 e)", "--after", "b4 (0 -1 e)"]
    turns = [
        turn["turn"] for turn in json.loads(run("moves", model, *after, "--json").stdout)["turns"]
    ]
    assert "a2 (1 1 p)" in turns


def test_an_illegal_turn_is_bad_input(model: Path) -> None:
    line = refused(run("moves", model, "--after", "a1 (0 1 e)", "--after", "a1 (0 1 e)"))
    assert "ply 2" in line
    refused(run("moves", model, "--after", "a1 (1 0 w)"))
    refused(run("moves", model, "--after", "nonsense"))


def test_a_position_without_turns_is_over(model: Path, tmp_path: Path) -> None:
    file = position_file(tmp_path, {"rows": ["R..", "r..", "...", "..."], "to_move": "white"})
    assert json.loads(run("moves", model, "--position", file, "--json").stdout) == {
        "terminal": True,
        "goals": {},
        "turns": [],
    }
    assert "over" in run("moves", model, "--position", file).stdout


def position_file(folder: Path, data: object) -> Path:
    path = folder / "position.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return path


def test_a_position_file_may_have_reserve_and_history(model: Path, tmp_path: Path) -> None:
    data = {
        "rows": START,
        "to_move": "black",
        "reserve": {"black": {"R": 2}},
        "history": {"moved": ["a1"], "last": None},
    }
    turns = json.loads(
        run("moves", model, "--position", position_file(tmp_path, data), "--json").stdout
    )
    assert turns["turns"][0]["reserve"] == {"black": {"R": 2}}


def test_a_listed_turn_can_be_fed_back_as_a_position(model: Path, tmp_path: Path) -> None:
    first = json.loads(run("moves", model, "--json").stdout)["turns"][0]
    result = run("moves", model, "--position", position_file(tmp_path, first), "--json")
    assert result.exit_code == 0
    assert len(json.loads(result.stdout)["turns"]) == 3


GOOD = {"rows": START, "to_move": "white"}


@pytest.mark.parametrize(
    ("data", "named"),
    [
        ("{", "JSON"),
        ("[" * 100_000, "JSON"),
        ([], "object"),
        ("null", "object"),
        ({"to_move": "white"}, "rows"),
        ({"rows": START}, "to_move"),
        (GOOD | {"rows": "RRR"}, "rows"),
        (GOOD | {"rows": [1, 2]}, "rows"),
        (GOOD | {"rows": START[1:]}, "rows"),
        (GOOD | {"rows": ["RR", *START[1:]]}, "rows"),
        (GOOD | {"rows": ["R?R", *START[1:]]}, "rows"),
        (GOOD | {"rows": ["R#R", *START[1:]]}, "rows"),
        (GOOD | {"to_move": "nobody"}, "to_move"),
        (GOOD | {"to_move": 1}, "to_move"),
        (GOOD | {"reserve": []}, "reserve"),
        (GOOD | {"reserve": {"white": 1}}, "reserve"),
        (GOOD | {"reserve": {"white": {"?": 1}}}, "reserve"),
        (GOOD | {"reserve": {"white": {"r": -1}}}, "reserve"),
        (GOOD | {"reserve": {"white": {"r": "1"}}}, "reserve"),
        (GOOD | {"history": {"moved": ["z9"]}}, "history"),
        (GOOD | {"history": {"moved": [1]}}, "history"),
        (GOOD | {"history": {"last": 1}}, "history"),
        (GOOD | {"history": "none"}, "history"),
    ],
)
def test_a_broken_position_file_is_refused_by_field(
    model: Path, tmp_path: Path, data: Any, named: str
) -> None:
    line = refused(run("moves", model, "--position", position_file(tmp_path, data)))
    assert "position.json" in line
    assert named in line


def test_a_position_file_that_is_not_text_is_refused(model: Path, tmp_path: Path) -> None:
    path = tmp_path / "position.json"
    path.write_bytes(b"\xff\xfe\x00{")
    assert "position.json" in refused(run("moves", model, "--position", path))


def test_a_file_that_is_no_model_is_refused(tmp_path: Path) -> None:
    assert "position.json" in refused(run("moves", position_file(tmp_path, GOOD)))
    assert "position.json" in refused(run("perft", position_file(tmp_path, "{"), "-d", 1))


def test_perft_counts_and_divides(model: Path, tmp_path: Path) -> None:
    assert run("perft", model, "-d", 0).stdout == "1\n"
    assert run("perft", model, "-d", 2).stdout == "9\n"
    divided = run("perft", model, "-d", 2, "--divide").stdout.splitlines()
    assert divided[0] == "a1 (0 1 e): 3"
    assert divided[-1] == "total: 9"
    rulebook = load(model)
    assert run("perft", model, "-d", 4).stdout == f"{rulebook.perft(rulebook.initial, 4)}\n"
    file = position_file(tmp_path, {"rows": ["...", "R..", ".r.", "..."], "to_move": "white"})
    assert run("perft", model, "-d", 1, "--position", file).stdout == "2\n"


@pytest.mark.usefixtures("race_installed")
def test_a_comparison_without_difference_answers_yes(model: Path) -> None:
    result = run("compare", model, "--game", "race", "-n", 40)
    assert result.exit_code == 0
    assert "40 positions" in result.stdout
    assert "says nothing" in result.stdout
    assert result.stdout.endswith("no difference\n")


@pytest.mark.usefixtures("race_installed")
def test_a_comparison_with_differences_answers_no_and_shows_them(loose: Path) -> None:
    result = run("compare", loose, "--game", "race", "-n", 40)
    assert result.exit_code == 1
    assert "(1 0 e)" in result.stdout
    assert "surplus for " in result.stdout
    data = json.loads(run("compare", loose, "--game", "race", "-n", 40, "--json").stdout)
    assert data["same"] is False
    assert data["surplus"] > 0
    assert data["missing"] == 0
    assert len(data["examples"]) == 3
    assert len(data["examples"][0]["rows"]) == 4


@pytest.mark.usefixtures("race_installed")
def test_a_comparison_needs_exactly_one_thing_to_compare_with(model: Path, records: Path) -> None:
    refused(run("compare", model))
    refused(run("compare", model, "--game", "race", "--traces", records))


@pytest.mark.usefixtures("race_installed")
def test_a_game_on_another_board_is_bad_input(model: Path) -> None:
    assert "size" in refused(run("compare", model, "--game", "race:width=4"))


def test_held_out_games_are_compared(model: Path, loose: Path, records: Path) -> None:
    result = run("compare", model, "--traces", records, "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["positions"] > 20
    assert run("compare", loose, "--traces", records).exit_code == 1


def test_learning_writes_a_model_and_says_what_it_learned(records: Path, tmp_path: Path) -> None:
    target = tmp_path / "learned.grl.json"
    result = run("learn", records, "-o", target)
    assert result.exit_code == 0, result.stderr
    assert "20 games" in result.stdout
    assert "white" in result.stdout
    assert [
        turn["turn"] for turn in json.loads(run("moves", target, "--json").stdout)["turns"]
    ] == [
        "a1 (0 1 e)",
        "b1 (0 1 e)",
        "c1 (0 1 e)",
    ]
    assert run("learn", records, "-o", target, "--positions", 5, "--no-locm").exit_code == 0


def test_bad_records_are_refused_or_put_aside(records: Path, tmp_path: Path) -> None:
    lines = records.read_text(encoding="utf-8").splitlines()
    broken = tmp_path / "broken.jsonl"
    broken.write_text("\n".join([*lines[:8], "{", *lines[8:]]), encoding="utf-8")
    target = tmp_path / "learned.grl.json"
    assert "broken.jsonl:9" in refused(run("learn", broken, "-o", target))
    assert not target.exists()
    assert "broken.jsonl:9" in refused(run("traces", "check", broken))

    result = run("learn", broken, "-o", target, "--skip-bad")
    assert result.exit_code == 0
    assert "1 flaw left out" in result.stderr
    assert "broken.jsonl:9" in result.stderr
    result = run("traces", "check", broken, "--skip-bad")
    assert result.exit_code == 0
    assert "broken.jsonl:9" in result.stderr


def test_outputs_that_cannot_be_written_are_refused_before_the_work(
    records: Path, tmp_path: Path
) -> None:
    for target in (tmp_path, tmp_path / "nowhere" / "m.json", "/dev/null"):
        refused(run("learn", records, "-o", target))
    refused(run("traces", "generate", "tic-tac-toe", "-n", 1, "-o", tmp_path))
    assert sorted(tmp_path.iterdir()) == [records]


def test_checking_counts_what_it_read(records: Path, tmp_path: Path) -> None:
    result = run("traces", "check", records, records)
    assert result.exit_code == 0
    head, first, second = result.stdout.splitlines()
    columns = ["file", "games", "plies", "legal", "turns", "quarantined", "seconds", "plies/s"]
    assert head.split() == columns
    assert first.split()[:2] == second.split()[:2] == [str(records), "20"]
    missing = run("traces", "check", tmp_path / "none.jsonl")
    assert "none.jsonl" in refused(missing)


@pytest.mark.usefixtures("race_installed")
def test_generated_games_can_be_checked(tmp_path: Path) -> None:
    target = tmp_path / "new.jsonl.gz"
    options = ["--all-moves", "--seed", 3, "--players", "search", "--depth", 1, "--endgames", 0.5]
    result = run("traces", "generate", "race", "-n", 4, *options, "--max-plies", 9, "-o", target)
    assert result.exit_code == 0
    assert run("traces", "check", target).stdout.splitlines()[1].split()[1] == "4"
    again = tmp_path / "again.jsonl.gz"
    run("traces", "generate", "race", "-n", 4, *options, "--max-plies", 9, "-o", again)
    assert again.read_bytes() == target.read_bytes()


def test_games_that_chance_does_not_end_are_broken_off(tmp_path: Path) -> None:
    target = tmp_path / "wandering.jsonl"
    assert run("traces", "generate", "fifteen-puzzle", "-n", 1, "-o", target).exit_code == 0
    _, play = target.read_text(encoding="utf-8").splitlines()
    recorded = json.loads(play)
    assert (recorded["end"], len(recorded["turns"])) == ("stopped", 1_000)


def test_models_are_drawn_and_exported(model: Path, tmp_path: Path) -> None:
    result = run("render", model, "-o", tmp_path / "pictures", "--format", "dot")
    assert result.exit_code == 0
    assert "2 files" in result.stdout
    drawn = {path.name: path.read_bytes() for path in (tmp_path / "pictures").iterdir()}
    assert run("export", model, "--to", "dot", "-o", tmp_path / "graphs").exit_code == 0
    assert drawn == {path.name: path.read_bytes() for path in (tmp_path / "graphs").iterdir()}
    refused(run("export", model, "--to", "nonsense", "-o", tmp_path / "graphs"))
    refused(run("render", model, "-o", model))


def test_games_are_listed_within_80_columns() -> None:
    lines = run("games").stdout.splitlines()
    assert lines[0].split()[0] == "game"
    assert {line.split()[0] for line in lines[1:-1]} == set(grl.games.available())
    assert max(map(len, lines)) <= 80


def test_a_game_is_described_at_length_within_80_columns() -> None:
    for game in grl.games.available():
        lines = run("games", game).stdout.splitlines()
        assert lines[0] == game
        assert max(map(len, lines)) <= 80
    shown = run("games", "connect-four:width=4,height=4").stdout
    assert "  board        4 x 4, 16 squares\n" in shown
    assert "  options      width=7,height=6,line=4\n" in shown
    assert "James D. Allen, The Complete Book of Connect 4" in " ".join(shown.split())
    assert "no-such-game" in refused(run("games", "no-such-game"))


def test_games_as_json_have_all_that_is_known() -> None:
    found = json.loads(run("games", "--json").stdout)
    assert [game["game"] for game in found] == list(grl.games.available())
    assert all(game["rules_after"] for game in found)
    one = json.loads(run("games", "nine-mens-morris", "--json").stdout)
    assert one["options"] == {"flying": 0}
    assert one["linked"]
    assert one["squares"] == 24
    assert one["initial"]["reserve"]["white"] == {"m": 9}


def test_doctor_lists_what_is_installed() -> None:
    result = run("doctor")
    assert result.exit_code == 0
    assert "click" in result.stdout


def test_python_runs_grl_as_a_module() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "grl", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout == run("--version").stdout.replace("main", "grl", 1)


def test_a_person_plays_against_chance(model: Path) -> None:
    result = run("play", model, "--seed", 4, text="1\nundo\nb1 (0 1 e)\n?\nquit\n")
    assert result.exit_code == 0
    assert "1  a1 (0 1 e)" in result.stdout
    assert result.stdout.count("black plays ") == 2
    assert (
        result.stdout
        == run("play", model, "--seed", 4, text="1\nundo\nb1 (0 1 e)\n?\nquit\n").stdout
    )


def test_a_person_plays_all_sides(model: Path) -> None:
    result = run("play", model, "--against", "none", text="1\n1\nundo\nall\nquit\n")
    assert result.exit_code == 0
    assert "plays" not in result.stdout.replace("plays it", "")
    assert "white> " in result.stdout
    assert "black> " in result.stdout


def test_what_is_typed_need_not_be_utf_8(model: Path) -> None:
    result = CliRunner().invoke(main, ["play", str(model)], input=b"\xf5\xff\n\xe9\nquit\n")
    assert result.exit_code == 0
    assert result.stdout.count("white> ") == 3


def test_play_forgives_and_ends_with_the_input(model: Path) -> None:
    result = run("play", model, text="undo\n99\nnonsense\na1 (1 0 w)\n\n")
    assert result.exit_code == 0
    assert "Nothing to take back." in result.stdout
    assert "There are 3 turns." in result.stdout
    assert "'nonsense'" in result.stdout
    assert run("play", model, text="").exit_code == 0


def test_play_says_when_the_game_is_over(model: Path) -> None:
    result = run("play", model, "--against", "none", text="1\n" * 40)
    assert result.exit_code == 0
    assert "The game is over." in result.stdout


def test_an_interrupt_is_one_line_and_status_130(tmp_path: Path) -> None:
    target = tmp_path / "long.jsonl"
    command = [sys.executable, "-m", "grl", "traces", "generate", "tic-tac-toe"]
    with subprocess.Popen(
        [*command, "-n", "100000000", "-o", str(target)],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        deadline = time.monotonic() + 30
        while not any(tmp_path.iterdir()) and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert out == ""
    assert err == "grl: interrupted\n"
    assert list(tmp_path.iterdir()) == []


def test_a_reader_that_has_seen_enough_is_no_error(model: Path) -> None:
    for arguments in (["--version"], ["moves", str(model), "--json"], ["games"]):
        read, write = os.pipe()
        os.close(read)
        command = [sys.executable, "-m", "grl", *arguments]
        done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, check=False)
        os.close(write)
        assert done.returncode == 141
        assert done.stderr == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("arguments", [["--version"], ["games"], ["moves", "MODEL", "--json"]])
def test_output_that_can_not_be_written_is_one_line(arguments: list[str], model: Path) -> None:
    named = [str(model) if word == "MODEL" else word for word in arguments]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "grl", *named],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr == "grl: can't write the output: No space left on device\n"


@pytest.mark.parametrize("command", ["play", "ask"])
def test_nobody_at_the_keyboard_ends_a_conversation(
    command: str, loose: Path, records: Path, tmp_path: Path
) -> None:
    more = [str(records), "--answers", str(tmp_path / "a.jsonl")] if command == "ask" else []
    done = subprocess.run(
        [
            "/bin/sh",
            "-c",
            'exec "$@" <&-',
            "sh",
            sys.executable,
            "-m",
            "grl",
            command,
            loose,
            *more,
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0
    assert done.stderr == ""


def test_an_interrupt_while_the_program_starts_leaves_no_stack_trace() -> None:
    """The command line is held up while it is imported, which is when the interrupt comes."""
    code = (
        "import os, signal, sys, grl.__main__\n"
        "class Slow:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'grl.cli': os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Slow())\n"
        "grl.__main__.main()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert done.returncode == -signal.SIGINT
    assert done.stderr == b""


def test_a_pipe_shows_no_progress_bar(records: Path) -> None:
    assert run("traces", "check", records).stderr == ""


def test_odd_terminals_get_escapes_instead_of_a_stack_trace(loose: Path, records: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "grl", "compare", str(loose), "--traces", str(records)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert done.returncode == 1
    assert done.stderr == ""
