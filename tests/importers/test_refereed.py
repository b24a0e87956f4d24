"""Records that libraries referee: what they write comes back as turns that others find legal."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import pytest
from library_records import EXTRAS, imported, needs, turns_of, write, written
from random_records import Chess, Crazyhouse, Csa, Kif, Sgf, Usi, Wthor

from grl.errors import GrlError, MissingExtra
from grl.games import load
from grl.importers import PgnImports

NUMBER = 3


# Variants in PGN.


def test_chess_by_the_library_is_the_reference_turn_by_turn(tmp_path: Path) -> None:
    needs("chess")
    path = written(tmp_path, Chess(), Chess().games(2))
    ours = list(PgnImports([path], load("chess"), all_moves=True))
    theirs, _ = imported("pgn", path, variant="Standard", all_moves=True)
    assert [play["turns"] for play in theirs] == [play["turns"] for play in ours]


def test_drops_are_those_of_the_reference_but_for_keys(tmp_path: Path) -> None:
    needs("chess")
    path = written(tmp_path, Crazyhouse(), Crazyhouse().games(1))
    ours = list(PgnImports([path], load("chess:drops=1"), all_moves=True))
    theirs, _ = imported("pgn", path, all_moves=True)
    for one, other in zip(theirs, ours, strict=True):
        assert any("(0 0 a" in turn for turn in turns_of(one))
        for turn, same in zip(one["turns"], other["turns"], strict=True):
            assert len(turn["legal"]) == len(same["legal"])
            assert turn["turn"].split(" (0 0 a")[0] == same["turn"].split(" (0 0 a")[0]


@pytest.mark.parametrize("variant", ["Atomic", "Antichess", "Horde", "Racing Kings", "3check"])
def test_variants_are_known_by_the_tag_and_begin_at_their_own_start(
    tmp_path: Path, variant: str
) -> None:
    needs("chess")
    from chess.variant import find_variant

    from grl.importers.variants import LibraryVariant

    kind = Chess()
    kind.variant = variant  # type: ignore[misc]
    plays, imports = imported("pgn", written(tmp_path, kind, kind.games(NUMBER)))
    assert (imports.read, imports.kept) == (NUMBER, NUMBER)
    assert all("initial" not in play for play in plays)
    first = LibraryVariant(variant)
    rows = tuple(str(find_variant(variant)()).replace(" ", "").splitlines())
    assert first.shown(first.start(None)).rows == rows


def test_an_explosion_takes_what_stands_around(tmp_path: Path) -> None:
    needs("chess")
    text = '[Variant "Atomic"]\n\n1. Nf3 f6 2. Nd4 a5 3. Ne6 a4 4. Nxf8 *\n'
    plays, _ = imported("pgn", write(tmp_path / "games.pgn", text))
    assert turns_of(plays[0])[-1] == "e6 (1 2 p); e8 (0 0 d); f8 (0 0 d); g8 (0 0 d)"
    assert plays[0]["goals"] == {"white": 100, "black": 0}


def test_a_king_on_the_hill_is_the_end_and_moves_after_it_are_over(tmp_path: Path) -> None:
    needs("chess")
    moves = "1. e4 a6 2. Ke2 a5 3. Ke3 b6 4. Kd4"
    text = f'[Variant "King of the Hill"]\n\n{moves} 1-0\n\n[Variant "KOTH"]\n\n{moves} b5 1-0\n'
    plays, imports = imported("pgn", write(tmp_path / "games.pgn", text))
    assert (plays[0]["end"], plays[0]["goals"]) == ("terminal", {"white": 100, "black": 0})
    assert dict(imports.reasons) == {"over": 1}
    assert imports.quarantine[0].place.ply == 8


def test_shuffled_games_begin_each_elsewhere_and_castle(tmp_path: Path) -> None:
    needs("chess")
    tags = '[Variant "Chess960"]\n[SetUp "1"]\n[FEN "rk6/8/8/8/8/8/8/1K2R3 w Ea - 0 1"]\n\n'
    lost = tags.replace("Ea", "a")
    path = write(tmp_path / "games.pgn", f"{tags}1. O-O *\n\n{lost}1. Kb2 *\n")
    plays, imports = imported("pgn", path)
    assert plays[0]["initial"]["rows"][0] == "rk......"
    assert turns_of(plays[0]) == ["b1 (1 0 e) (1 0 e) (1 0 w) (1 0 e) (1 0 e); e1 (1 0 e)"]
    assert dict(imports.reasons) == {"position": 1}


# Coordinates that pyffish understands.

UCI = {
    "chess": [
        ("e2e4 a7a6 e4e5 d7d5 e5d6", "e5 (-1 0 p) (0 0 d) (0 1 e)"),
        ("g1f3 a7a6 e2e3 a6a5 f1e2 a5a4 e1g1", "e1 (1 0 e) (1 0 e); h1 (-1 0 w) (-1 0 e)"),
    ],
    "minishogi": [
        ("d1b3 c5d4 b3d5+", "b3 (1 1 e) (1 1 p) (0 0 r G) (0 0 a C)"),
        ("d1b3 c5d4 b3d5+ e5d5 G@c3", "c3 (0 0 a G)"),
    ],
    "flipello": [("P@e3", "e3 (0 0 a P); e4 (0 0 a P)")],
    "duck": [("e2e4,e4e3 a7a6,a6b6", "a7 (0 -1 e); e3 (0 0 d); b6 (0 0 a *)")],
    "xiangqi": [("b3b10", "b3 " + "(0 1 e) " * 4 + "(0 1 p) (0 1 e) (0 1 p)")],
}
"""Moves by variant, and the last of them as a turn."""


@pytest.mark.parametrize("variant", UCI)
def test_a_move_in_coordinates_is_what_it_changes(tmp_path: Path, variant: str) -> None:
    needs("pyffish")
    lines = [moves for moves, _ in UCI[variant]]
    plays, imports = imported("uci", write(tmp_path / "a.txt", "\n".join(lines)), variant=variant)
    assert imports.quarantine == []
    assert [turns_of(play)[-1] for play in plays] == [turn for _, turn in UCI[variant]]


def test_what_legal_moves_do_is_foretold_as_the_library_says_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    needs("pyffish")
    monkeypatch.setattr("grl.importers.fairy._KNOWN", 2)
    import pyffish

    chance, fen, moves = Random(4), pyffish.start_fen("minishogi"), list[str]()
    for _ in range(10):
        moves.append(chance.choice(pyffish.legal_moves("minishogi", fen, [])))
        fen = pyffish.get_fen("minishogi", fen, moves[-1:])
    path = write(tmp_path / "games.txt", " ".join(moves))
    foretold, _ = imported("uci", path, variant="minishogi", all_moves=True)
    asked, _ = imported("uci", path, variant="minishogi", all_moves=True, exact=True)
    assert foretold == asked


@pytest.mark.parametrize(("variant", "plies"), [("ataxx", 14), ("isolation", 3), ("duck", 2)])
def test_moves_that_do_more_to_the_board_are_foretold_as_the_library_says_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variant: str, plies: int
) -> None:
    needs("pyffish")
    monkeypatch.setattr("grl.importers.fairy._KNOWN", 2)
    import pyffish

    chance, fen, moves = Random(4), pyffish.start_fen(variant), list[str]()
    for _ in range(plies):
        moves.append(chance.choice(pyffish.legal_moves(variant, fen, [])))
        fen = pyffish.get_fen(variant, fen, moves[-1:])
    path = write(tmp_path / "games.txt", " ".join(moves))
    foretold, _ = imported("uci", path, variant=variant, all_moves=True)
    asked, _ = imported("uci", path, variant=variant, all_moves=True, exact=True)
    assert foretold == asked


def test_where_moves_do_more_than_they_did_before_the_import_stops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    needs("pyffish")
    monkeypatch.setattr("grl.importers.fairy._KNOWN", 0)
    monkeypatch.setattr("grl.importers.fairy._CHECKED", 1)
    path = write(tmp_path / "games.txt", "P@e3")
    with pytest.raises(GrlError, match=r"something else than 0 of them did.*--exact"):
        imported("uci", path, variant="flipello", all_moves=True)


def test_a_variant_whose_promoted_pieces_can_t_be_told_from_held_ones_is_quarantined(
    tmp_path: Path,
) -> None:
    needs("pyffish")
    path = write(tmp_path / "games.txt", "c2c3\n")
    _, imports = imported("uci", path, variant="kyotoshogi")
    assert [flaw.reason for flaw in imports.quarantine] == ["illegal"]


def test_unknown_variants_and_bad_positions_don_t_reach_the_library(tmp_path: Path) -> None:
    needs("pyffish")
    path = write(tmp_path / "games.txt", "fen nonsense moves e2e4\nposition startpos moves e2e4\n")
    with pytest.raises(GrlError, match="there is no variant 'xyz'; expected one of "):
        imported("uci", path, variant="xyz")
    plays, imports = imported("uci", path, variant="chess")
    assert (len(plays), dict(imports.reasons)) == (1, {"position": 1})


# Shogi.


def test_the_three_notations_of_shogi_say_the_same(tmp_path: Path) -> None:
    needs("cshogi")
    found = []
    for kind in (Usi(), Csa(), Kif()):
        # The same numbers are drawn, and the library lists the same moves.
        plays, imports = imported(kind.form, written(tmp_path, kind, kind.games(NUMBER)))
        assert (imports.kept, imports.quarantine) == (NUMBER, [])
        found.append([play["turns"] for play in plays])
    assert found[0] == found[1] == found[2]
    turns = {turn["turn"] for play in found[0] for turn in play}
    assert any(" (0 0 r " in turn for turn in turns)
    assert any(" (0 0 a " in turn and "e)" not in turn for turn in turns)


def test_the_beginning_of_a_bad_game_is_kept_on_request(tmp_path: Path) -> None:
    needs("cshogi")
    path = write(tmp_path / "games.usi", "7g7f 3c3d 7g7f\nsfen x moves 7g7f\n")
    plays, imports = imported("usi", path, keep_beginnings=True)
    assert [(turns_of(play), play["end"]) for play in plays] == [
        (["c3 (0 1 e)", "g7 (0 -1 e)"], "stopped")
    ]
    assert dict(imports.reasons) == {"illegal": 1, "position": 1}
    assert imports.quarantine[0].place.rows is not None


def test_pyffish_finds_the_same_turns_of_shogi_legal_as_cshogi(tmp_path: Path) -> None:
    needs("cshogi", "pyffish")
    words = Usi().game(Random(3))[:6]
    ours, _ = imported("usi", written(tmp_path, Usi(), [words]), all_moves=True)
    files = {f"{9 - x}": "abcdefghi"[x] for x in range(9)}
    ranks = {"abcdefghi"[y]: f"{9 - y}" for y in range(9)}
    texts = [
        "".join(files.get(c, ranks.get(c, c)) for c in word).replace("*", "@") for word in words
    ]
    path = write(tmp_path / "games.txt", " ".join(texts))
    theirs, _ = imported("uci", path, variant="shogi", all_moves=True)
    assert ours[0]["turns"] == theirs[0]["turns"]


def test_handicaps_and_set_up_positions_begin_elsewhere(tmp_path: Path) -> None:
    needs("cshogi")
    path = write(tmp_path / "a.kif", "手合割：二枚落ち\n   1 ６二銀(71)\n   2 ７六歩(77)\n")
    plays, _ = imported("kif", path)
    assert plays[0]["initial"]["to_move"] == "white"
    assert plays[0]["initial"]["rows"][1] == "........."
    text = "PI82HI22KA\n-\n-7162GI\n+7776FU\n"
    again, _ = imported("csa", write(tmp_path / "a.csa", text))
    assert again[0]["turns"] == plays[0]["turns"]
    assert again[0]["initial"]["rows"] == plays[0]["initial"]["rows"]


# Stones and discs.


def test_stones_that_sgfmill_takes_are_those_that_the_reference_takes(tmp_path: Path) -> None:
    needs("sgfmill")

    class Small(Sgf):
        size = 5
        most = 45

    games = Small().games(NUMBER)
    path = written(tmp_path, Small(), games)
    plays, imports = imported("sgf", path)
    ours, _ = imported("sgf", path, game="go:size=5", all_moves=True)
    assert (imports.kept, imports.quarantine) == (NUMBER, [])
    assert [turns_of(play) for play in plays] == [turns_of(play) for play in ours]
    assert all(turn["turn"] in turn["legal"] for play in ours for turn in play["turns"])
    assert max(turn.count("(0 0 d)") for play in plays for turn in turns_of(play)) > 2


def test_handicap_stones_passes_and_turns_out_of_turn(tmp_path: Path) -> None:
    needs("sgfmill")
    text = "(;GM[1]SZ[9]HA[2]AB[cc:dc]KM[0.5];W[ee](;B[];W[tt])(;B[aa]))(;SZ[9];B[aa];B[ab];W[ba])"
    plays, imports = imported("sgf", write(tmp_path / "games.sgf", text))
    assert imports.quarantine == []
    assert plays[0]["initial"]["to_move"] == "white"
    assert plays[0]["initial"]["rows"][2] == "..xx....."
    assert turns_of(plays[0]) == ["e5 (0 0 a o)", "pass", "pass"]
    assert plays[1]["turns"][1] == {"by": "black", "turn": "a8 (0 0 a x)"}


def test_other_games_in_sgf_need_a_reference(tmp_path: Path) -> None:
    needs("sgfmill")
    path = write(tmp_path / "a.sgf", "(;GM[99]SZ[8];W[b2-b3];B[g7-f6];W[B3-C4])")
    with pytest.raises(GrlError, match=r"record of game number 99.*--game"):
        imported("sgf", path)
    plays, _ = imported("sgf", path, game="breakthrough")
    assert turns_of(plays[0]) == ["b2 (0 1 e)", "g7 (-1 -1 e)", "b3 (1 1 e)"]


def test_discs_are_turned_as_another_implementation_turns_them(tmp_path: Path) -> None:
    needs("pyspiel")
    path = written(tmp_path, Wthor(), Wthor().games(NUMBER))
    plays, imports = imported("wthor", path, all_moves=True)
    game = f"{Path(__file__).parents[1] / 'reversing_game.py'}:Reversing:size=8"
    ours, _ = imported("wthor", path, game=game, all_moves=True)
    assert (imports.kept, imports.quarantine) == (NUMBER, [])
    assert any("pass" in turns_of(play) for play in plays)
    for play, other in zip(plays, ours, strict=True):
        for turn, same in zip(play["turns"], other["turns"], strict=True):
            assert set(map(in_order, turn["legal"])) == set(map(in_order, same["legal"]))
        assert list(play.get("goals", {}).values()) == list(other.get("goals", {}).values())


def in_order(turn: str) -> tuple[str, ...]:
    """A turn whose first segment is followed by the others in the order of their texts."""
    first, *others = turn.split("; ")
    return first, *sorted(others)


@pytest.mark.parametrize("module", EXTRAS)
def test_without_a_package_one_line_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str
) -> None:
    forms = {"chess": "pgn", "pyffish": "uci", "cshogi": "usi", "sgfmill": "sgf"}
    for name in [name for name in sys.modules if name.split(".")[0] == module]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, module, None)
    wanted = rf"{module[:3]}.* is not installed.*pip install 'grl\[{EXTRAS[module]}\]'"
    if module == "pyspiel":
        wanted = wanted.replace("pys", "open_spiel")
    with pytest.raises(MissingExtra, match=wanted):
        imported(forms.get(module, "wthor"), write(tmp_path / "games", ""), variant="atomic")
