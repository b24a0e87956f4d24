"""Trace files: reading them as streams, what a play holds, and writing them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from grl.board import Board, Equipment, Piece, Player, make_position
from grl.errors import TraceError
from grl.interpreter import Interpreter
from grl.traceio import Lines
from grl.traces import Play, Traces, describe, write_traces
from grl.turn import Turn
from grl.turn import play as carried_out

ROOT = Path(__file__).parent.parent
EXTERNAL = ROOT.parent / "shared" / "data" / "traces"
EXTERNAL_FILES = sorted(EXTERNAL.glob("*.jsonl*"))
SHIPPED = sorted((ROOT / "traces").rglob("*.jsonl*"))

WHITE, BLACK = Player("white"), Player("black")
PIECES = {
    "p": Piece("p", WHITE, "pawn"),
    "P": Piece("P", BLACK, "pawn"),
    "x": Piece("x", None, "stone"),
}
EQUIPMENT = Equipment(Board(3, 4), (WHITE, BLACK), PIECES)
INITIAL = make_position(EQUIPMENT, ["PPP", "...", "...", "ppp"], "white")
HEADER = describe("pawns", EQUIPMENT, INITIAL)
LINE_SCHEMA = jsonschema.Draft202012Validator(
    json.loads(resources.files("grl").joinpath("trace.schema.json").read_text("utf-8"))
)


def play(*turns: str | Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """A stopped play of these turns."""
    entries = [{"turn": turn} if isinstance(turn, str) else turn for turn in turns]
    return {"id": "g", "turns": entries, "end": "stopped", **more}


def written(path: Path, *plays: Mapping[str, Any], header: Mapping[str, Any] = HEADER) -> Traces:
    write_traces(path, header, plays)
    return Traces.open(path)


def read(path: Path, *plays: Mapping[str, Any], header: Mapping[str, Any] = HEADER) -> list[Play]:
    return list(written(path, *plays, header=header))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "f.jsonl"


class TestPositionsOfAPlay:
    def test_each_ply_has_the_position_before_it_and_what_the_game_left_behind(
        self, path: Path
    ) -> None:
        (game,) = read(path, play("a1 (0 1 e)", "b4 (0 -1 e)", "a2 (1 1 p)"))
        rows = [ply.position.rows for ply in game.plies]
        assert rows == [
            ["PPP", "...", "...", "ppp"],
            ["PPP", "...", "p..", ".pp"],
            ["P.P", ".P.", "p..", ".pp"],
        ]
        assert [ply.by for ply in game.plies] == ["white", "black", "white"]
        assert game.plies[2].position.history == {"moved": ["a2", "b3"], "last": "b4 (0 -1 e)"}
        assert game.final.rows == ["P.P", ".p.", "...", ".pp"]
        assert game.final.history == {"moved": ["b3"], "last": "a2 (1 1 p)"}

    def test_a_player_may_move_twice_and_the_order_goes_on_from_there(self, path: Path) -> None:
        again = {"by": "white", "turn": "b1 (0 1 e)"}
        (game,) = read(path, play("a1 (0 1 e)", again, "a4 (0 -1 e)", "c1 (0 1 e)"))
        assert [ply.by for ply in game.plies] == ["white", "white", "black", "white"]

    def test_a_pass_changes_the_player_only(self, path: Path) -> None:
        (game,) = read(path, play("pass", "b4 (0 -1 e)"))
        assert game.plies[1].position.rows == INITIAL.rows
        assert game.plies[1].by == "black"
        assert game.plies[1].position.last == "pass"

    def test_a_play_may_begin_elsewhere(self, path: Path) -> None:
        start = {"to_move": "black", "rows": ["P..", "...", "..p", "..."]}
        (game,) = read(path, play("a4 (0 -1 e)", initial=start))
        assert game.plies[0].position.rows == start["rows"]
        assert game.plies[0].by == "black"

    def test_without_an_id_the_line_names_the_play(self, path: Path) -> None:
        nameless = play()
        del nameless["id"]
        assert [game.id for game in read(path, play(), nameless)] == ["g", "line 3"]

    def test_goals_belong_to_games_that_the_rules_ended(self, path: Path) -> None:
        goals = {"white": 50, "black": 50}
        ended, stopped = read(path, play(end="terminal", goals=goals), play(goals=goals))
        assert (ended.end, ended.goals) == ("terminal", goals)
        assert (stopped.end, stopped.goals) == ("stopped", None)

    def test_unknown_keys_are_passed_over(self, path: Path) -> None:
        noted = play({"turn": "a1 (0 1 e)", "clock": 12}, comment=["?"])
        (game,) = read(path, noted, header={**HEADER, "source": "here"})
        assert len(game.plies) == 1

    def test_a_reserve_runs_down_and_fills_up(self, path: Path) -> None:
        initial = make_position(EQUIPMENT, INITIAL.rows, "white", {"white": {"p": 1}})
        (game,) = read(
            path,
            play("a2 (0 0 a p)", "pass", "b2 (0 0 a x)", "pass", "a2 (0 1 e) (0 0 r P)"),
            header=describe("pawns", EQUIPMENT, initial),
        )
        reserves = [ply.position.reserve for ply in game.plies]
        assert reserves[0] == {"white": {"p": 1}}
        assert reserves[1:] == [{"white": {"p": 0}}] * 4
        assert game.final.reserve == {"white": {"P": 1, "p": 0}}
        assert game.final.equipment.stocked == {("white", "p")}


class TestLegalTurns:
    def test_they_are_kept_as_listed(self, path: Path) -> None:
        legal = ["c1 (0 1 e)", "a1 (0 1 e)"]
        (game,) = read(path, play({"turn": "a1 (0 1 e)", "legal": legal}, "a4 (0 -1 e)"))
        assert [ply.legal for ply in game.plies] == [tuple(legal), None]

    def test_a_turn_of_the_same_start_and_effect_stands_for_the_one_listed(
        self, path: Path
    ) -> None:
        listed = {"turn": "a1 (0 1 e) (1 0 e)", "legal": ["a1 (1 1 e)", "c1 (0 1 e)"]}
        (game,) = read(path, play(listed))
        assert game.plies[0].turn == "a1 (0 1 e) (1 0 e)"

    def test_a_turn_of_another_start_does_not_however_equal_its_effect(self, path: Path) -> None:
        exchanged = {
            "turn": "a1 (0 1 e); b1 (0 1 e)",
            "legal": ["b1 (0 1 e); a1 (0 1 e)"],
        }
        with pytest.raises(TraceError, match="not among the legal ones"):
            read(path, play(exchanged))

    def test_a_position_where_the_mover_has_only_odd_turns_is_not_the_wrong_players(
        self, path: Path
    ) -> None:
        odd = {"turn": "a4 (0 -1 e)", "legal": ["a4 (0 -1 e)", "a1 (0 1 e)"]}
        assert len(read(path, play(odd))) == 1


class TestGamesInWhichPlayersMoveOthersPieces:
    ODD = ("a4 (0 -1 e)", "b1 (0 1 e)")
    USUAL = ("a1 (0 1 e)", "b4 (0 -1 e)")

    def test_most_other_plays_have_such_turns(self, path: Path) -> None:
        assert len(read(path, play(*self.ODD), play(*self.USUAL), play(*self.ODD))) == 3

    def test_few_other_plays_have_such_turns(self, path: Path) -> None:
        plays = [play(*self.USUAL), play(*self.ODD), play(*self.USUAL)]
        with pytest.raises(TraceError, match=r":3, game g, ply 1, .*turn of the wrong player"):
            read(path, *plays)

    def test_a_play_is_no_witness_in_its_own_case(self, path: Path) -> None:
        with pytest.raises(TraceError, match="turn of the wrong player"):
            read(path, play(*self.ODD))

    def test_plays_that_can_not_be_replayed_are_no_witnesses(self, path: Path) -> None:
        broken = play(*self.USUAL, "a9 (0 1 e)")
        write_traces(path, HEADER, [play(*self.ODD), broken, broken, play(*self.ODD)])
        traces = Traces.open(path, skip_bad=True)
        assert [len(game.plies) for game in traces] == [2, 2, 2, 2]
        assert len(traces.bad) == 2

    @pytest.mark.parametrize(
        "turn",
        [
            "a4 (0 0 d)",
            "a4 (0 0 a p)",
            "a3 (0 0 a p); a4 (0 -1 w)",
            "a4 (0 -1 e); a1 (0 1 e)",
        ],
    )
    def test_removing_replacing_and_placing_are_no_such_turns(self, turn: str, path: Path) -> None:
        assert len(read(path, play(turn))) == 1

    def test_pieces_of_nobody_are_everybodys(self, path: Path) -> None:
        start = {"to_move": "white", "rows": ["x..", "...", "...", "p.P"]}
        assert len(read(path, play("a4 (1 0 e)", "b4 (0 -1 e)", initial=start))) == 1


class TestBoardsWithLinks:
    def test_links_go_both_ways_and_arcs_one_way(self, path: Path) -> None:
        header = dict(HEADER)
        header["board"] = {
            "width": 3,
            "height": 4,
            "links": [["a1", "a2"]],
            "arcs": [["b1", "b2"]],
        }
        traces = written(path, play("a1 (0 1 e)", "pass", "a2 (0 -1 e)"), header=header)
        assert len(next(iter(traces)).plies) == 3
        links = traces.header.equipment.board.links
        assert links == {(0, 3), (3, 0), (1, 4)}
        assert traces.header.to_dict() == header
        with pytest.raises(Exception, match="along a link"):
            read(path, play("b1 (0 1 e)", "pass", "b2 (0 -1 e)"), header=header)

    def test_a_board_without_a_single_link_stays_one(self, path: Path) -> None:
        board = Board(2, 2, links=frozenset())
        equipment = Equipment(board, (WHITE,), PIECES_OF_WHITE)
        header = describe("still", equipment, make_position(equipment, ["..", "p."], "white"))
        assert written(path, header=header).header.equipment.board.links == frozenset()


PIECES_OF_WHITE = {"p": PIECES["p"]}


class TestStreams:
    @pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
    def test_iterating_twice_reads_twice(self, suffix: str, tmp_path: Path) -> None:
        traces = written(tmp_path / f"f.jsonl{suffix}", *[play("a1 (0 1 e)")] * 50)
        first = list(traces)
        assert len(first) == 50
        assert list(traces) == first

    def test_two_frames_of_zstd_are_one_file(self, tmp_path: Path) -> None:
        target = tmp_path / "f.jsonl.zst"
        write_traces(target, HEADER, [play()])
        head = target.read_bytes()
        write_traces(target, play(), [play("a1 (0 1 e)")])
        target.write_bytes(head + target.read_bytes())
        assert [len(game.plies) for game in Traces.open(target)] == [0, 0, 1]

    def test_only_the_header_is_read_to_open_a_file(self, path: Path) -> None:
        path.write_bytes(json.dumps(HEADER).encode() + b"\n{ not a play\n")
        assert Traces.open(path).header.game == "pawns"

    def test_empty_lines_and_a_missing_last_line_end_do_no_harm(self, path: Path) -> None:
        lines = [json.dumps(data) for data in (HEADER, play(), play())]
        path.write_text("\r\n\n".join(lines))
        assert [game.line for game in Traces.open(path)] == [3, 5]

    def test_a_pipe_is_read_once(self, tmp_path: Path) -> None:
        pipe = tmp_path / "pipe.jsonl"
        os.mkfifo(pipe)
        text = "".join(json.dumps(data) + "\n" for data in (HEADER, play("a1 (0 1 e)"), play()))
        writer = threading.Thread(target=pipe.write_text, args=(text,))
        writer.start()
        traces = Traces.open(pipe)
        assert len(list(traces)) == 2
        writer.join()
        with pytest.raises(TraceError, match="only once"):
            list(traces)

    def test_progress_ends_at_the_size_of_the_file(self, path: Path) -> None:
        heard: list[tuple[int, int | None]] = []
        write_traces(path, HEADER, [play()] * 40_000)
        traces = Traces.open(path, progress=lambda _, done, total: heard.append((done, total)))
        assert sum(1 for _ in traces) == 40_000
        size = path.stat().st_size
        assert heard[-1] == (size, size)
        assert [done for done, _ in heard] == sorted(done for done, _ in heard)
        assert 2 <= len(heard) < 10

    def test_zstandard_is_imported_for_zst_files_only(self, path: Path) -> None:
        write_traces(path, HEADER, [play()])
        code = (
            "import sys; from grl.traces import Traces; "
            f"list(Traces.open({str(path)!r})); sys.exit('zstandard' in sys.modules)"
        )
        assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


class TestWriting:
    @pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
    def test_equal_content_gives_equal_bytes_under_any_name(
        self, suffix: str, tmp_path: Path
    ) -> None:
        plays = [play("a1 (0 1 e)", id=f"é{i}") for i in range(100)]
        one, two = tmp_path / f"one.jsonl{suffix}", tmp_path / f"two.jsonl{suffix}"
        write_traces(one, HEADER, plays)
        write_traces(two, HEADER, iter(plays))
        assert one.read_bytes() == two.read_bytes()

    @pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
    def test_a_file_is_replaced_whole_or_not_at_all(self, suffix: str, tmp_path: Path) -> None:
        target = tmp_path / f"f.jsonl{suffix}"
        write_traces(target, HEADER, [play()])
        before = target.read_bytes()

        def failing() -> Iterator[dict[str, Any]]:
            yield play()
            raise KeyError("enough")

        with pytest.raises(KeyError):
            write_traces(target, HEADER, failing())
        assert target.read_bytes() == before
        assert list(tmp_path.iterdir()) == [target]

    def test_a_folder_that_is_missing_is_a_trace_error(self, tmp_path: Path) -> None:
        with pytest.raises(TraceError, match="can't write"):
            write_traces(tmp_path / "no" / "f.jsonl", HEADER, [])

    def test_a_device_is_written_to_as_it_is(self) -> None:
        write_traces(os.devnull, HEADER, [play()])
        assert not Path(os.devnull).is_file()


def schema_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The lines of a file of any kind as objects, the header first."""
    for raw in Lines(str(path)):
        yield json.loads(raw)


@pytest.mark.skipif(not EXTERNAL_FILES, reason=f"there is no folder {EXTERNAL} with trace files")
@pytest.mark.parametrize("source", EXTERNAL_FILES, ids=lambda source: source.name)
class TestFilesFromElsewhere:
    def test_they_are_read_without_complaint(self, source: Path) -> None:
        traces = Traces.open(source)
        plays = list(traces)
        assert plays
        assert not traces.bad
        assert all(game.goals is not None for game in plays if game.end == "terminal")

    def test_reading_on_is_the_same_as_carrying_out_each_turn_anew(self, source: Path) -> None:
        for game in Traces.open(source):
            after = [*(ply.position for ply in game.plies[1:]), game.final]
            for ply, position in zip(game.plies, after, strict=True):
                anew = carried_out(ply.position, Turn.parse(ply.turn))
                assert replace(anew, to_move=position.to_move) == position

    def test_they_keep_to_the_schema(self, source: Path) -> None:
        for line in schema_lines(source):
            LINE_SCHEMA.validate(line)

    def test_their_header_survives(self, source: Path) -> None:
        header = Traces.open(source).header
        assert header.to_dict() == describe(header.game, header.equipment, header.initial)
        first = next(schema_lines(source))
        assert header.to_dict()["initial"] == first["initial"]
        assert header.to_dict()["pieces"] == first["pieces"]


@pytest.mark.parametrize("source", SHIPPED, ids=lambda source: source.name)
def test_shipped_files_are_sound(source: Path) -> None:
    """Each is read as a whole by other tests; the schema takes long, so it sees a few games."""
    lines = list(schema_lines(source))
    for line in (*lines[:2], *lines[2 :: 1 + len(lines) // 3], lines[-1]):
        LINE_SCHEMA.validate(line)


def test_the_example_in_the_documentation_is_a_trace_file(path: Path) -> None:
    text = (ROOT / "docs" / "trace-format.md").read_text("utf-8")
    example = re.search(r"```json\n(.*?)```", text, re.DOTALL)
    assert example is not None
    path.write_text(example[1])
    assert [(game.id, game.end) for game in Traces.open(path)] == [
        ("first", "stopped"),
        ("second", "terminal"),
    ]
    for line in schema_lines(path):
        LINE_SCHEMA.validate(line)
    refusal = re.search(r"```text\n(games.jsonl.*)\n```", text)
    assert refusal is not None
    path.write_text(example[1].replace("b2 (1 1 p)", "b2 (1 1 e)"))
    with pytest.raises(Exception, match="doesn't fit") as caught:
        list(Traces.open(path))
    assert str(caught.value).replace(str(path), "games.jsonl") == refusal[1]


def test_an_interpreter_remembers_no_more_than_its_bound() -> None:
    interpreter = Interpreter(EQUIPMENT, limit=3)
    texts = [f"a{y} (1 0 e)" for y in (1, 2, 3, 4)] * 2
    for text in texts:
        assert str(interpreter.read(text).turn) == text
        assert len(interpreter.known) <= 3
