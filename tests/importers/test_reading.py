"""What counts as a game in a file, and what a flaw in it costs."""

import sys
from pathlib import Path

import pytest
from notation import CHECKERS, imported, turns_of

from grl.errors import GrlError, MissingExtra
from grl.importers import FORMATS, Imports
from grl.importers.pdn import read_pdn
from grl.traceio import Lines

OPENING = "1. 11-15 23-19 2. 8-11 22-17 3. 11-16 24-20"
SIX = 6


@pytest.fixture
def pdn(tmp_path):
    def read(text, **options):
        path = tmp_path / "games.pdn"
        path.write_text(text)
        return imported(path, **options)

    return read


@pytest.fixture
def acf(tmp_path):
    def read(text, **options):
        path = tmp_path / "games.acf"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return imported(path, **options)

    return read


@pytest.mark.parametrize(
    "text",
    [
        f"{OPENING} 1/2-1/2",
        f"{OPENING}",
        OPENING.replace(" ", "\n"),
        OPENING.replace("-", " - "),
        OPENING.replace(". ", "."),
        OPENING.replace("-", "x"),
        OPENING.replace("2. 8", "2... 8"),
        "11-15 {a fine move} 23-19 ; and the rest\n 8-11! 22-17?! $3 11-16 (11-15 (1-2)) 24-20 *",
        '% an escape\n[Event "an [odd] \\"name\\""]\n\n[Site ""]\n' + OPENING,
    ],
)
def test_ways_to_write_the_same_game(pdn, text):
    plays, imports = pdn(f"\n{text}\n")

    assert imports.quarantine == []
    assert [len(turns_of(play)) for play in plays] == [SIX]
    assert turns_of(plays[0])[0] == "c3 (1 1 e)"


def test_games_are_distinguished_by_tags_and_by_results(pdn):
    plays, imports = pdn(
        f'[Event "a"]\n{OPENING}\n[Event "b"]\n[Round "1"]\n\n{OPENING} 0-1\n{OPENING} 1-0\n'
    )

    assert [play["id"] for play in plays] == ["games.pdn:1", "games.pdn:3", "games.pdn:7"]
    assert imports.read == 3


def test_more_or_fewer_than_two_moves_a_number_are_all_read(pdn):
    plays, _ = pdn("1. 11-15 23-19 8-11 22-17 2. 11-16 3. 24-20 *")

    assert len(turns_of(plays[0])) == SIX


def test_text_that_is_no_notation_spoils_one_game(pdn):
    spoilt = OPENING + "and White stopped the clock"
    plays, imports = pdn(f'[Event "a"]\n{spoilt}\n[Event "b"]\n{OPENING} *\n')

    (flaw,) = imports.quarantine
    assert [play["id"] for play in plays] == ["games.pdn:3"]
    assert imports.read == 2
    assert flaw.reason == "unreadable"
    assert "games.pdn:2, game games.pdn:1" in str(flaw)
    assert "found 'and White stopped th'" in str(flaw)


def test_a_comment_without_end_spoils_one_game(pdn):
    plays, imports = pdn(f'[Event "a"]\n{OPENING} {{ah\n\n[Event "b"]\n{OPENING} *\n')

    assert [play["id"] for play in plays] == ["games.pdn:4"]
    assert imports.reasons == {"unreadable": 1}


def test_the_beginning_before_unreadable_text_can_be_kept(pdn, acf):
    for plays, imports in (
        pdn(OPENING + "and so on", keep_beginnings=True),
        acf("8-12 20-16 oops 1-2\t1-0\n", keep_beginnings=True),
    ):
        assert [play["end"] for play in plays] == ["stopped"]
        assert len(turns_of(plays[0])) in {2, SIX}
        assert imports.reasons == {"unreadable": 1}
        assert (imports.read, imports.kept) == (1, 1)


def test_a_comment_glued_to_a_move_names_the_ply(acf):
    _, imports = acf("8-12 20-16\t1-0\n8-12 20-16time\t0-1\n")

    assert "games.acf:2, game games.acf:2, ply 2: " in str(imports.quarantine[0])
    assert "'20-16time'" in str(imports.quarantine[0])


def test_empty_lines_are_no_games_and_results_alone_are_bad_ones(acf):
    plays, imports = acf("8-12 20-16\t1-0\n\n  \n\t1/2-1/2\n")

    assert len(plays) == 1
    assert imports.read == 2
    assert imports.reasons == {"no moves": 1}


def test_bytes_of_any_encoding_are_passed_over_in_names(tmp_path, acf):
    path = tmp_path / "games.pdn"
    path.write_bytes(b'[White "J\xe4ger"]\n' + OPENING.encode())

    assert len(imported(path)[0]) == 1
    assert acf(b"8-12\t1-0\n8-12 \xff\t1-0")[1].reasons == {"unreadable": 1}


def test_compressed_files_are_read(tmp_path):
    import gzip

    path = tmp_path / "games.acf.gz"
    path.write_bytes(gzip.compress(b"8-12 20-16\t1-0\n"))

    assert len(list(Imports([path], FORMATS["acf"], CHECKERS))) == 1


def test_portable_games_without_the_parser_say_what_to_install(pdn, monkeypatch):
    from grl.importers import pdn as module

    module._parser.cache_clear()
    monkeypatch.setitem(sys.modules, "lark", None)

    with pytest.raises(MissingExtra, match=r"pip install 'grl\[import\]'"):
        pdn(OPENING)


def test_games_of_something_else_are_refused(acf):
    with pytest.raises(GrlError, match="none of the first games begins like checkers"):
        acf("0-31 31-0\t1-0\n")


def test_a_starting_position_may_head_a_line(acf):
    line = "wP3" + "4" * 6 + "1k2 29-25"

    plays, imports = acf(f"10-13\t1-0\n{line}\t0-1\n")

    assert imports.quarantine == []
    assert plays[1]["initial"] == {
        "to_move": "black",
        "rows": ["...K....", *["........"] * 6, "m......."],
    }
    assert plays[1]["turns"] == [{"turn": "d8 (-1 -1 e)"}]


def test_variations_that_nest_without_end_are_unreadable_at_once(tmp_path: Path) -> None:
    path = tmp_path / "deep.pdn"
    path.write_text('[Event "deep"]\n1. 11-15 ' + "(" * 200_000 + "\n")
    (record,) = read_pdn(Lines(str(path)))
    assert record.flaw is not None
    assert record.flaw.reason == "unreadable"
    path.write_text('[Event "shallow"]\n1. 11-15 (' + "{((((" + "} 12-16) 24-20 *\n")
    (record,) = read_pdn(Lines(str(path)))
    assert [move.text for move in record.moves] == ["11-15", "24-20"]
