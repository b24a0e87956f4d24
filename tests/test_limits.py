"""What comes from outside is bounded, and what is too large is refused before it costs anything."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
import zstandard
from click.testing import CliRunner, Result
from race import Race, race_model

import grl
from grl.board import make_stock
from grl.cli import main
from grl.errors import LONGEST, BoardError, GrlError, ModelError, Place, TraceError, one_line
from grl.generate import generate
from grl.inputs import read_bounded
from grl.limits import MAX_POSITION, MAX_RESERVE, MAX_RULES, MAX_STATES, MAX_TRANSITIONS
from grl.model import Role, Tie
from grl.modelfile import from_data, to_data
from grl.traceio import Lines
from grl.traces import Traces, header_dict


def run(*args: object) -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args])


def race_lines(number: int = 2) -> list[bytes]:
    plays = generate(Race(), number, all_moves=True, seed=1)
    return [json.dumps(item).encode() + b"\n" for item in (header_dict(Race()), *plays)]


def test_a_small_file_that_unpacks_to_one_huge_line_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.jsonl.zst"
    compressor = zstandard.ZstdCompressor(level=3).compressobj()
    with path.open("wb") as stream:
        stream.write(compressor.compress(b"".join(race_lines())))
        for _ in range(96):
            stream.write(compressor.compress(b" " * 2**20))
        stream.write(compressor.flush())
    assert path.stat().st_size < 100_000
    done = run("traces", "check", path)
    assert done.exit_code == 2
    assert "bomb.jsonl.zst:4: the line is too long" in done.stderr
    assert "--max-line" in done.stderr


@pytest.mark.parametrize("name", ["t.jsonl", "t.jsonl.gz", "t.jsonl.zst"])
def test_a_line_may_be_as_long_as_the_bound_and_no_longer(name: str, tmp_path: Path) -> None:
    from grl.traceio import write_lines

    lines = race_lines()
    write_lines(str(tmp_path / name), lines)
    longest = max(map(len, lines))
    assert list(Lines(str(tmp_path / name), longest=longest)) == lines
    assert len(list(Traces.open(tmp_path / name, max_line=longest))) == 2
    with pytest.raises(TraceError, match="too long"):
        list(Lines(str(tmp_path / name), longest=longest - 1))


def test_the_option_allows_longer_lines(tmp_path: Path) -> None:
    path = tmp_path / "wide.jsonl"
    first, *others = race_lines()
    path.write_bytes(first + others[0].rstrip() + b" " * 2**21 + b"\n")
    assert run("traces", "check", path, "--max-line", 1).exit_code == 2
    assert run("traces", "check", path, "--max-line", 3).exit_code == 0


@pytest.mark.parametrize("count", [-1, MAX_RESERVE + 1, 10**30, 1.0, True, "1", None])
def test_a_reserve_counts_within_reason(count: object) -> None:
    with pytest.raises(BoardError, match="bad count") as caught:
        make_stock(Race().equipment, {"white": {"r": count}})  # type: ignore[dict-item]
    assert len(str(caught.value)) < LONGEST
    assert make_stock(Race().equipment, {"white": {"r": MAX_RESERVE}})


@pytest.mark.parametrize("field", ["game", "players", "type"])
def test_names_of_traces_are_bounded(field: str, tmp_path: Path) -> None:
    header: dict[str, Any] = header_dict(Race())
    name = "n" * 1000
    if field == "game":
        header["game"] = name
    elif field == "players":
        header["players"][0] = name
    else:
        header["pieces"]["r"]["type"] = name
    (tmp_path / "t.jsonl").write_text(json.dumps(header) + "\n")
    with pytest.raises(GrlError, match="200"):
        Traces.open(tmp_path / "t.jsonl")


def chain(states: int) -> dict[str, Any]:
    """A race whose first automaton is one long word."""
    data: dict[str, Any] = to_data(race_model())
    data["automata"][0] |= {
        "states": states,
        "transitions": [[i, "(0 1 e)", i + 1] for i in range(states - 1)],
        "accepting": [states - 1],
    }
    return data


def test_automata_are_bounded_when_they_are_loaded() -> None:
    assert from_data(chain(MAX_STATES)).automata
    with pytest.raises(ModelError, match=r"automata\[0\]\.states"):
        from_data(chain(MAX_STATES + 1))


def test_all_automata_together_are_bounded() -> None:
    data = chain(MAX_STATES)
    machine = {
        "mover": "white", "piece": "r", "sort": "zero", "states": 2, "initial": [0], "final": [1],
        "whole": True, "ties": [], "transitions": [[0, "move", 0, 1]] * 10_000,
    }  # fmt: skip
    data["machines"] = [machine] * (MAX_TRANSITIONS // 10_000)
    with pytest.raises(ModelError, match="too large"):
        from_data(data)


@pytest.mark.parametrize(
    ("change", "names"),
    [
        ({"game": "g" * 1000}, "game"),
        ({"segments": 10**9}, "segments"),
        ({"report": {"games": 10**40}}, "report"),
        ({"report": {"a": [[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]}}, "report"),
        ({"rules": {"frames": {"white": "identity", "black": "identity"},
                    "restrictions": [{}] * (MAX_RULES + 1)}}, "restrictions"),
        ({"rules": {"frames": {"white": "identity", "black": "identity"}, "endings": [],
                    "control": [], "restrictions": [{"if": [["f"]] * 1000, "value": []}]}}, "if"),
    ],
)  # fmt: skip
def test_other_parts_of_a_model_are_bounded(change: dict[str, Any], names: str) -> None:
    with pytest.raises(ModelError, match=names) as caught:
        from_data(to_data(race_model()) | change)
    assert len(str(caught.value)) <= LONGEST


def test_a_long_chain_is_printed_without_a_stack_trace(tmp_path: Path) -> None:
    path = tmp_path / "chain.grl.json"
    path.write_text(json.dumps(chain(MAX_STATES)))
    done = run("rules", path)
    assert done.exit_code == 0
    assert f"{MAX_STATES - 1} letters" in done.stdout
    assert run("rules", path, "--json").exit_code == 0


def test_a_hand_that_wanders_for_ever_is_one_error(tmp_path: Path) -> None:
    data: dict[str, Any] = to_data(race_model())
    width = 5_000
    data["board"] = {"width": width, "height": 1, "arcs": None}
    data["initial"]["rows"] = ["r" + "." * (width - 1)]
    data["automata"] = [
        {"mover": "white", "holds": "r", "role": Role.FIRST, "states": 2, "continuing": [],
         "transitions": [[0, "(1 0 e)", 1], [1, "(1 0 e)", 0]], "accepting": [1]}
    ]  # fmt: skip
    path = tmp_path / "wandering.grl.json"
    path.write_text(json.dumps(data))
    done = run("moves", path)
    assert done.exit_code == 2
    assert "goes on for hundreds of letters" in done.stderr


@pytest.mark.parametrize("position", [3, 10**30])
def test_a_tie_of_arguments_that_an_action_lacks_ties_nothing(position: int) -> None:
    tie = Tie("move_man", position, "remove_man", 1)
    assert not tie.broken((1, 2), (2,))
    assert Tie("move_man", 2, "remove_man", 1).broken((1, 2), (3,))
    assert not Tie("move_man", 2, "remove_man", 1).broken((1, 2), (2,))


def test_an_error_is_one_short_printable_line_that_keeps_its_spaces() -> None:
    rows = tuple("." * 40 for _ in range(40))
    error = GrlError("turn 'a1  (0 1 e)'", found="\x1b[2J\x07\n x", place=Place(rows=rows))
    assert str(error) == r"turn 'a1  (0 1 e)'; found \x1b[2J\x07 x"
    long = str(GrlError("m" * 1000, expected="e" * 1000))
    assert len(long) == LONGEST
    assert long.endswith("…")
    assert one_line("a\r\n   b \n") == "a b"


def test_a_quoted_turn_keeps_its_spaces_on_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "race.grl.json"
    grl.Rulebook(race_model()).save(path)
    done = run("moves", path, "--after", "a1  (0 1 e)")
    assert done.exit_code == 2
    assert "'a1  (0 1 e)'" in done.stderr
    weird = run("moves", path, "--aft\x1ber\x07", "x" * 1000)
    assert weird.exit_code == 2
    assert weird.stderr.strip("\n").isprintable()
    assert len(weird.stderr) <= 300


def test_what_may_be_large_takes_no_memory_before_it_is(tmp_path: Path) -> None:
    path = tmp_path / "small"
    path.write_bytes(b"abc" * 5)
    tracemalloc.start()
    assert read_bounded(path, 2**30) == b"abc" * 5
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 4 * 2**20
    assert read_bounded(path, 15) == b"abc" * 5
    assert read_bounded(path, 7) == b"abcabcab"


def test_a_large_position_file_is_refused_as_such(tmp_path: Path) -> None:
    from grl.modelfile import write_model

    write_model(race_model(), tmp_path / "race.grl.json")
    (tmp_path / "p.json").write_bytes(b" " * (MAX_POSITION + 1))
    done = run("moves", tmp_path / "race.grl.json", "--position", tmp_path / "p.json")
    assert done.exit_code == 2
    assert "p.json: the position file is too large" in done.stderr
