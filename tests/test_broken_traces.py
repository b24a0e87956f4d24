"""Broken trace files: each is refused in one line that says where and what was expected."""

from __future__ import annotations

import copy
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import zstandard

from grl.errors import BoardError, GrlError, IllegalTurn, TraceError, TurnSyntaxError
from grl.traces import Traces

HEADER: dict[str, Any] = {
    "format": "grl-trace/1",
    "game": "pawns",
    "board": {"width": 3, "height": 4},
    "players": ["white", "black"],
    "pieces": {
        "p": {"player": "white", "type": "pawn"},
        "P": {"player": "black", "type": "pawn"},
        "x": {"player": None, "type": "stone"},
    },
    "initial": {
        "to_move": "white",
        "rows": ["PPP", "...", "...", "p#p"],
        "reserve": {"white": {"p": 1}},
    },
}
PLAY: dict[str, Any] = {
    "id": "g",
    "turns": [
        {"by": "white", "turn": "a1 (0 1 e)", "legal": ["a1 (0 1 e)", "c1 (0 1 e)"]},
        {"turn": "b4 (0 -1 e)"},
        {"turn": "a2 (1 1 p)"},
        {"turn": "c4 (-1 -1 p)"},
    ],
    "goals": {"white": 100, "black": 0},
}
BROKEN_LINE = 3
PLAYS = 4


class Break(NamedTuple):
    """One way to break a file: `change` alters the header or the play in line 3.

    `says` are parts of the message, `ply` the first bad ply (None: the play as a whole).
    """

    name: str
    change: Callable[[dict[str, Any]], object]
    says: tuple[str, ...]
    ply: int | None = None
    kind: type[GrlError] = TraceError


def setting(*path: str | int, to: object) -> Callable[[dict[str, Any]], object]:
    """The change that sets what lies at `path`."""

    def change(data: Any) -> None:
        for key in path[:-1]:
            data = data[key]
        data[path[-1]] = to

    return change


def without(*path: str | int) -> Callable[[dict[str, Any]], object]:
    """The change that takes away what lies at `path`."""

    def change(data: Any) -> None:
        for key in path[:-1]:
            data = data[key]
        del data[path[-1]]

    return change


def turn(number: int, text: object) -> Callable[[dict[str, Any]], object]:
    """The change that replaces the turn of ply `number`."""
    return setting("turns", number - 1, "turn", to=text)


BROKEN_HEADERS = [
    Break("format missing", without("format"), ("missing header", '"grl-trace/1"')),
    Break("format newer", setting("format", to="grl-trace/2"), ("unknown format", "grl-trace/2")),
    Break("format no string", setting("format", to=1), ("field format", "found 1")),
    Break("game missing", without("game"), ("field game", "missing key")),
    Break("game a number", setting("game", to=7), ("field game", "a string", "found 7")),
    Break("board a list", setting("board", to=[3, 4]), ("field board", "an object", "[3, 4]")),
    Break("width missing", without("board", "width"), ("field board.width", "missing key")),
    Break("width true", setting("board", "width", to=True), ("board.width", "found true")),
    Break("width a float", setting("board", "width", to=3.0), ("board.width", "found 3.0")),
    Break("height zero", setting("board", "height", to=0), ("size", "at least 1"), kind=BoardError),
    Break(
        "height huge", setting("board", "height", to=10**9), ("size", "at most"), kind=BoardError
    ),
    Break("players an object", setting("players", to={}), ("field players", "a list")),
    Break("no players", setting("players", to=[]), ("field players", "one name"), kind=BoardError),
    Break(
        "a player twice",
        setting("players", to=["white", "white"]),
        ("field players", "each once"),
        kind=BoardError,
    ),
    Break("player null", setting("players", 1, to=None), ("field players[1]", "found null")),
    Break("pieces missing", without("pieces"), ("field pieces", "missing key")),
    Break(
        "piece key too long",
        setting("pieces", "pp", to={"player": None, "type": "t"}),
        ("bad key", "one printable character"),
        kind=BoardError,
    ),
    Break(
        "piece key reserved",
        setting("pieces", "@", to={"player": None, "type": "t"}),
        ("bad key", "one printable character"),
        kind=BoardError,
    ),
    Break("piece a string", setting("pieces", "p", to="pawn"), ("field pieces.p", "an object")),
    Break("piece without player", without("pieces", "p", "player"), ("pieces.p.player", "or null")),
    Break("piece without type", without("pieces", "p", "type"), ("pieces.p.type", "missing key")),
    Break(
        "piece of an unknown player",
        setting("pieces", "p", "player", to="red"),
        ("'red'", "one of ['white', 'black']"),
        kind=BoardError,
    ),
    Break("initial missing", without("initial"), ("field initial", "missing key")),
    Break("rows missing", without("initial", "rows"), ("initial.rows", "missing key")),
    Break("rows a string", setting("initial", "rows", to="PPP"), ("initial.rows", "a list")),
    Break("a row a number", setting("initial", "rows", 1, to=3), ("initial.rows[1]", "found 3")),
    Break(
        "a row too short",
        setting("initial", "rows", 1, to=".."),
        ("row 2", "3 characters", "'..'"),
        kind=BoardError,
    ),
    Break(
        "a row too few",
        without("initial", "rows", 3),
        ("number of rows", "expected 4", "found 3"),
        kind=BoardError,
    ),
    Break(
        "a row with an unknown piece",
        setting("initial", "rows", 1, to=".q."),
        ("unknown piece on b3", "'q'", "one of p P x"),
        kind=BoardError,
    ),
    Break(
        "an unknown player to move",
        setting("initial", "to_move", to="red"),
        ("to move", "'red'", "one of"),
        kind=BoardError,
    ),
    Break("reserve a list", setting("initial", "reserve", to=[]), ("initial.reserve", "an object")),
    Break(
        "reserve of a player a number",
        setting("initial", "reserve", to={"white": 3}),
        ("initial.reserve.white", "an object of counts"),
    ),
    Break(
        "reserve of an unknown player",
        setting("initial", "reserve", to={"red": {"p": 1}}),
        ("reserve", "'red'"),
        kind=BoardError,
    ),
    Break(
        "reserve of an unknown piece",
        setting("initial", "reserve", to={"white": {"q": 1}}),
        ("reserve of white", "'q'"),
        kind=BoardError,
    ),
    Break(
        "reserve below zero",
        setting("initial", "reserve", to={"white": {"p": -1}}),
        ("reserve of white", "from 0", "-1"),
        kind=BoardError,
    ),
    Break(
        "reserve true",
        setting("initial", "reserve", to={"white": {"p": True}}),
        ("reserve of white", "whole number"),
        kind=BoardError,
    ),
    Break("links an object", setting("board", "links", to={}), ("board.links", "a list")),
    Break(
        "a link of three",
        setting("board", "links", to=[["a1", "a2", "a3"]]),
        ("board.links[0]", "a pair"),
    ),
    Break(
        "a link to itself",
        setting("board", "links", to=[["a1", "a1"]]),
        ("board.links[0]", "different squares"),
    ),
    Break(
        "a link of numbers",
        setting("board", "arcs", to=[[1, 2]]),
        ("board.arcs[0]", "a pair of squares"),
    ),
    Break(
        "a link off the board",
        setting("board", "links", to=[["a1", "d1"]]),
        ("board.links[0]", "'d1'"),
        kind=BoardError,
    ),
    Break(
        "an arc to a hole",
        setting("board", "arcs", to=[["a1", "b1"]]),
        ("board.arcs[0]", "'b1'"),
        kind=BoardError,
    ),
]

BROKEN_PLAYS = [
    Break("turn a number", turn(2, 5), ("turns[1].turn", "a turn", "found 5"), 2),
    Break("turn null", turn(2, None), ("turns[1].turn", "found null"), 2),
    Break("turn missing", without("turns", 1, "turn"), ("turns[1].turn", "missing key"), 2),
    Break(
        "entry a string",
        setting("turns", 1, to="b4 (0 -1 e)"),
        ("turns[1]", "an object with a turn"),
        2,
    ),
    Break("entry a list", setting("turns", 1, to=[]), ("turns[1]", "an object with a turn"), 2),
    Break("turn empty", turn(2, ""), ("a square such as", "the end"), 2, TurnSyntaxError),
    Break("turn without letters", turn(2, "b4"), ("a letter such as",), 2, TurnSyntaxError),
    Break("turn in words", turn(2, "b4-b3"), ("character 3", "'-b3'"), 2, TurnSyntaxError),
    Break(
        "a step that stays",
        turn(2, "b4 (0 0 e)"),
        ("character 3", "a letter such as"),
        2,
        TurnSyntaxError,
    ),
    Break(
        "a new line in a turn",
        turn(2, "b4 (0 -1 e)\n"),
        ("can't be read",),
        2,
        TurnSyntaxError,
    ),
    Break("a step off the board", turn(2, "b4 (0 1 e)"), ("leads nowhere",), 2, IllegalTurn),
    Break("a step into a hole", turn(1, "a1 (1 0 e)"), ("leads nowhere",), 1, IllegalTurn),
    Break("a start off the board", turn(2, "d4 (0 -1 e)"), ("no square 'd4'",), 2, IllegalTurn),
    Break("a flight off the board", turn(2, "b4 (@b9 e)"), ("no square 'b9'",), 2, IllegalTurn),
    Break(
        "a step to an empty square that isn't",
        turn(3, "a2 (1 1 e)"),
        ("doesn't fit at b3", "an empty square", "found 'P'", "position P.P/.P./p../.#p"),
        3,
        IllegalTurn,
    ),
    Break(
        "a capture of nothing",
        turn(2, "b4 (0 -1 p)"),
        ("a piece of an opponent", "found '.'"),
        2,
        IllegalTurn,
    ),
    Break(
        "a capture of an own piece",
        turn(2, "b4 (1 0 p)"),
        ("a piece of an opponent", "found 'P'"),
        2,
        IllegalTurn,
    ),
    Break("a removal of nothing", turn(2, "b3 (0 0 d)"), ("to remove", "empty"), 2, IllegalTurn),
    Break("an empty hand", turn(2, "b3 (0 -1 e)"), ("changes something",), 2, IllegalTurn),
    Break(
        "an unknown piece appears", turn(2, "b3 (0 0 a q)"), ("pieces p P x", "'q'"), 2, IllegalTurn
    ),
    Break(
        "an empty reserve",
        turn(3, "b2 (0 0 a p); c3 (0 0 a p)"),
        ("'p' in the mover's reserve", "none left"),
        3,
        IllegalTurn,
    ),
    Break(
        "a turn of the wrong player",
        turn(2, "c1 (0 1 e)"),
        ("turn of the wrong player", "a turn of black"),
        2,
    ),
    Break("by a number", setting("turns", 1, "by", to=2), ("turns[1].by", "a player"), 2),
    Break("by null", setting("turns", 1, "by", to=None), ("turns[1].by", "found null"), 2),
    Break("by a stranger", setting("turns", 1, "by", to="red"), ("unknown player", '"red"'), 2),
    Break(
        "first turn by the other player",
        setting("turns", 0, "by", to="black"),
        ("turns[0].by", 'expected "white"', 'found "black"'),
        1,
    ),
    Break("legal a string", setting("turns", 0, "legal", to="a1 (0 1 e)"), ("turns[0].legal",), 1),
    Break("legal null", setting("turns", 0, "legal", to=None), ("turns[0].legal", "a list"), 1),
    Break(
        "a legal turn a number",
        setting("turns", 0, "legal", 1, to=4),
        ("turns[0].legal[1]", "a turn", "found 4"),
        1,
    ),
    Break(
        "a legal turn a list",
        setting("turns", 0, "legal", 1, to=[]),
        ("turns[0].legal[1]", "a turn", "found []"),
        1,
    ),
    Break(
        "a legal turn unreadable",
        setting("turns", 0, "legal", 1, to="c1 0 1"),
        ("turns[0].legal[1]", "a letter such as"),
        1,
        TurnSyntaxError,
    ),
    Break(
        "a legal turn that doesn't fit",
        setting("turns", 0, "legal", 1, to="c1 (0 1 p)"),
        ("turns[0].legal[1]", "doesn't fit at c2", "a piece of an opponent"),
        1,
        IllegalTurn,
    ),
    Break(
        "a legal turn twice",
        setting("turns", 0, "legal", 1, to="a1 (0 1 e)"),
        ("turns[0].legal", "twice", "each legal turn once"),
        1,
    ),
    Break(
        "played, not legal",
        setting("turns", 0, "legal", to=["c1 (0 1 e)", "a1 (1 1 e)"]),
        ("'a1 (0 1 e)' is not among the legal ones", "one of the legal turns"),
        1,
    ),
    Break("no legal turns", setting("turns", 0, "legal", to=[]), ("not among the legal",), 1),
    Break(
        "legal turns of the other player",
        setting("turns", 1, to={"turn": "c1 (0 1 e)", "legal": ["c1 (0 1 e)", "c1 (0 2 e)"]}),
        ("turn of the wrong player",),
        2,
    ),
    Break("end unknown", setting("end", to="draw"), ("field end", '"terminal" or "stopped"')),
    Break("end a list", setting("end", to=[]), ("field end", '"terminal" or "stopped"')),
    Break("goals missing", without("goals"), ("field goals", "missing key", '"stopped"')),
    Break("goals null", setting("goals", to=None), ("field goals", "found null")),
    Break("goals a list", setting("goals", to=[100, 0]), ("field goals", "an object")),
    Break("goals of one", without("goals", "black"), ('no goal for "black"', "each of")),
    Break("goals of a stranger", setting("goals", "red", to=0), ("unknown player", '"red"')),
    Break("goal too high", setting("goals", "white", to=101), ("goals.white", "from 0 to 100")),
    Break("goal negative", setting("goals", "black", to=-1), ("goals.black", "from 0 to 100")),
    Break("goal a float", setting("goals", "white", to=99.5), ("goals.white", "found 99.5")),
    Break("goal true", setting("goals", "white", to=True), ("goals.white", "found true")),
    Break("goal text", setting("goals", "white", to="100"), ("goals.white", 'found "100"')),
]

UNREADABLE_PLAYS = [
    Break("id a number", setting("id", to=3), ("field id", "a string", "found 3")),
    Break("turns missing", without("turns"), ("field turns", "missing key")),
    Break("turns an object", setting("turns", to={}), ("field turns", "a list")),
    Break("initial null", setting("initial", to=None), ("field initial", "an object")),
    Break(
        "initial with another hole",
        setting("initial", to={"to_move": "white", "rows": ["PPP", "...", "...", "#pp"]}),
        ("field initial", "'#' must mark the same squares"),
        kind=BoardError,
    ),
    Break(
        "initial of another size",
        setting("initial", to={"to_move": "white", "rows": ["PPP", "p#p"]}),
        ("field initial", "number of rows"),
        kind=BoardError,
    ),
    Break("a second header", lambda play: (play.clear(), play.update(HEADER)), ("second header",)),
]


def lines(play: dict[str, Any] | None = None, header: dict[str, Any] | None = None) -> list[bytes]:
    """A file of four plays, as lines; `play` takes the place of the second."""
    plays = [{**PLAY, "id": f"g{number}"} for number in range(1, PLAYS + 1)]
    if play is not None:
        plays[BROKEN_LINE - 2] = play
    return [json.dumps(data).encode() + b"\n" for data in [header or HEADER, *plays]]


def broken(change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    play = copy.deepcopy({**PLAY, "id": "g2"})
    change(play)
    return play


def refusal(path: Path) -> GrlError:
    """The error that reading the file ends with."""
    with pytest.raises(GrlError) as caught:
        list(Traces.open(path))
    return caught.value


def check_message(error: GrlError, start: str, says: tuple[str, ...]) -> None:
    message = str(error)
    assert message.startswith(start)
    assert message.splitlines() == [message]
    assert message.isprintable()
    for part in says:
        assert part in message


def test_the_file_is_sound_before_it_is_broken(tmp_path: Path) -> None:
    path = tmp_path / "sound.jsonl"
    path.write_bytes(b"".join(lines()))
    plays = list(Traces.open(path))
    assert [play.id for play in plays] == ["g1", "g2", "g3", "g4"]
    assert all(len(play.plies) == 4 and play.end == "terminal" for play in plays)


@pytest.mark.parametrize("case", BROKEN_HEADERS, ids=lambda case: case.name)
def test_a_broken_header_is_refused_even_when_skipping(case: Break, tmp_path: Path) -> None:
    header = copy.deepcopy(HEADER)
    case.change(header)
    path = tmp_path / "f.jsonl"
    path.write_bytes(b"".join(lines(header=header)))
    for skip_bad in (False, True):
        with pytest.raises(case.kind) as caught:
            Traces.open(path, skip_bad=skip_bad)
        check_message(caught.value, f"{path}:1", (*case.says, "expected"))


@pytest.mark.parametrize("case", BROKEN_PLAYS, ids=lambda case: case.name)
def test_a_broken_play_is_refused_and_kept_up_to_its_first_bad_ply(
    case: Break, tmp_path: Path
) -> None:
    path = tmp_path / "f.jsonl"
    path.write_bytes(b"".join(lines(broken(case.change))))
    error = refusal(path)
    assert isinstance(error, case.kind)
    start = f"{path}:{BROKEN_LINE}, game g2"
    if case.ply is not None:
        start += f", ply {case.ply}, field turns[{case.ply - 1}]"
    check_message(error, start, (*case.says, "expected"))

    traces = Traces.open(path, skip_bad=True)
    plays = list(traces)
    assert [str(flaw) for flaw in traces.bad] == [str(error)]
    assert [play.id for play in plays] == ["g1", "g2", "g3", "g4"]
    cut = plays[1]
    whole = plays[0]
    kept = len(PLAY["turns"]) if case.ply is None else case.ply - 1
    assert cut.plies == whole.plies[:kept]
    assert (cut.end, cut.goals) == ("stopped", None)
    expected = whole.final if case.ply is None else whole.plies[kept].position
    assert cut.final == expected
    assert all(play.end == "terminal" for play in (plays[0], *plays[2:]))


@pytest.mark.parametrize("case", UNREADABLE_PLAYS, ids=lambda case: case.name)
def test_a_play_without_a_first_position_is_left_out(case: Break, tmp_path: Path) -> None:
    path = tmp_path / "f.jsonl"
    path.write_bytes(b"".join(lines(broken(case.change))))
    error = refusal(path)
    assert isinstance(error, case.kind)
    check_message(error, f"{path}:{BROKEN_LINE}", case.says)
    traces = Traces.open(path, skip_bad=True)
    assert [play.id for play in traces] == ["g1", "g3", "g4"]
    assert [str(flaw) for flaw in traces.bad] == [str(error)]


BROKEN_BYTES = {
    "cut": (lambda line: line[:40] + b"\n", ("not JSON at column", "one complete JSON object")),
    "text": (lambda _: b"1. e4 e5\n", ("not JSON at column", "JSON object")),
    "no object": (lambda _: b"[1, 2]\n", ("a JSON object", "found [1, 2]")),
    "latin-1": (lambda line: line.replace(b"g2", b"g\xe9"), ("not UTF-8 at byte 10", "UTF-8")),
    "mark": (lambda line: b"\xef\xbb\xbf" + line, ("not JSON at column 1",)),
    "key twice": (
        lambda line: line.replace(b'"turns"', b'"id": "h", "turns"'),
        ('"id" stands twice', "each key once"),
    ),
    "nested": (lambda _: b"[" * 200_000 + b"\n", ("not JSON",)),
    "long number": (
        lambda line: line.replace(b"100", b"1" * 6000),
        ("not JSON that can be read",),
    ),
    "two objects": (lambda line: line[:-1] + line, ("not JSON at column",)),
}


@pytest.mark.parametrize("name", BROKEN_BYTES)
def test_a_line_that_is_no_json_object_is_left_out(name: str, tmp_path: Path) -> None:
    change, says = BROKEN_BYTES[name]
    whole = lines()
    whole[BROKEN_LINE - 1] = change(whole[BROKEN_LINE - 1])
    path = tmp_path / "f.jsonl"
    path.write_bytes(b"".join(whole))
    error = refusal(path)
    assert isinstance(error, TraceError)
    check_message(error, f"{path}:{BROKEN_LINE}: ", (*says, "expected"))
    traces = Traces.open(path, skip_bad=True)
    assert [play.id for play in traces] == ["g1", "g3", "g4"]
    assert [str(flaw) for flaw in traces.bad] == [str(error)]


def test_a_file_cut_in_its_last_line_says_where(tmp_path: Path) -> None:
    path = tmp_path / "f.jsonl"
    path.write_bytes(b"".join(lines())[:-30])
    column = len(lines()[-1]) - 30 + 1
    check_message(refusal(path), f"{path}:5: not JSON at column ", ())
    assert int(str(refusal(path)).split("column ")[1].split(":")[0]) <= column


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_an_empty_file_is_refused(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"f.jsonl{suffix}"
    pack = {"": bytes, ".gz": gzip.compress, ".zst": zstandard.compress}[suffix]
    path.write_bytes(pack(b""))
    check_message(refusal(path), f"{path}:1: empty file", ("expected a header line",))


@pytest.mark.parametrize(("suffix", "pack"), [(".gz", gzip.compress), (".zst", zstandard.compress)])
class TestPackedFiles:
    """Compressed files whose bytes are not what they should be."""

    @staticmethod
    def content() -> bytes:
        """Enough lines for the end of a file to be far from its beginning."""
        plays = [json.dumps({**PLAY, "id": f"{i * 7919 % 5003}"}).encode() for i in range(5000)]
        return lines()[0] + b"\n".join(plays) + b"\n"

    def test_cut(self, suffix: str, pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
        path = tmp_path / f"f.jsonl{suffix}"
        packed = pack(self.content())
        path.write_bytes(packed[: len(packed) * 2 // 3])
        error = refusal(path)
        assert isinstance(error, TraceError)
        check_message(error, f"{path}:", ("cut or corrupt", "a complete file"))
        assert error.place.line is not None
        traces = Traces.open(path, skip_bad=True)
        plays = list(traces)
        assert len(plays) <= error.place.line - 2
        assert [str(flaw) for flaw in traces.bad] == [str(error)]

    def test_not_packed(self, suffix: str, pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
        del pack
        path = tmp_path / f"f.jsonl{suffix}"
        path.write_bytes(self.content())
        check_message(refusal(path), f"{path}:1: ", ("cut or corrupt", "its name says"))

    def test_corrupt(self, suffix: str, pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
        path = tmp_path / f"f.jsonl{suffix}"
        packed = bytearray(pack(self.content()))
        for at in range(len(packed) // 2, len(packed) // 2 + 64):
            packed[at] ^= 0xFF
        path.write_bytes(packed)
        check_message(refusal(path), f"{path}:", ())


@pytest.mark.parametrize("name", ["missing.jsonl", "missing.jsonl.zst", "."])
def test_a_file_that_can_not_be_opened_is_a_trace_error(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    with pytest.raises(TraceError, match="can't read the file"):
        Traces.open(path)


def test_strange_ids_and_turns_stay_in_one_printable_line(tmp_path: Path) -> None:
    path = tmp_path / "f.jsonl"
    play = broken(turn(1, "a1 (0 0 a \x1b)"))
    play["id"] = "g\r\n\u2028\x1b[31m\ud800"
    path.write_bytes(b"".join(lines(play)))
    check_message(refusal(path), f"{path}:3, game g ", ("'\\x1b'",))
