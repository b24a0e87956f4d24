"""Which turn a move in square numbers means, and what is said when there is none or are several.

Positions, in the numbers of English checkers: a black man on 3 can jump to 19 through 12, over 8
and 16, or through 10, over 7 and 15; a king can also go all the way round.
"""

import pytest
from notation import imported, turns_of
from race import Race

from grl.errors import GameError
from grl.importers import FORMATS, Imports

ORDINARY = "1. 11-15 23-19 2. 8-11 *\n\n"
MAN = "B:W7,8,15,16,32:B3"
KING = "B:W7,8,15,16,32:BK3"
LEFT = "c1 (-1 1 p) (0 0 d) (-1 1 e) (1 1 p) (0 0 d) (1 1 e)"
RIGHT = "c1 (1 1 p) (0 0 d) (1 1 e) (-1 1 p) (0 0 d) (-1 1 e)"


@pytest.fixture
def play(tmp_path):
    """The play or the flaw of a game from a position, which follows an ordinary one."""

    def read(position, moves, **options):
        path = tmp_path / "games.pdn"
        path.write_text(f'{ORDINARY}[FEN "{position}"]\n{moves} *\n')
        plays, imports = imported(path, **options)
        assert imports.read == 2
        return (plays[1] if len(plays) > 1 else None), next(iter(imports.quarantine), None)

    return read


@pytest.mark.parametrize(
    ("moves", "turn"),
    [
        ("3x12x19", LEFT),
        ("3x10x19", RIGHT),
        ("3x19 7-2", LEFT),
        ("3x19 8-4", RIGHT),
        ("3x19 32-28 19-23 7-2", LEFT),
        ("3x19 32-28 19-23 8-4", RIGHT),
    ],
)
def test_shorthand_is_settled_by_squares_between_or_by_later_moves(play, moves, turn):
    found, flaw = play(MAN, moves)

    assert flaw is None
    assert turns_of(found)[0] == turn
    assert len(turns_of(found)) == len(moves.split())


@pytest.mark.parametrize("moves", ["3x19", "3x19 32-28", "3x19 32-28 19-23"])
def test_shorthand_that_stays_open_is_quarantined(play, moves):
    found, flaw = play(MAN, moves)

    assert found is None
    assert flaw.reason == "ambiguous"
    assert "ply 1: " in str(flaw)
    assert "which of 3-10-19 3-12-19; found 3x19" in str(flaw)


@pytest.mark.parametrize("moves", ["3x10x19x12x3", "3x12x19x10x3", "3x3"])
def test_any_way_round_to_the_same_effect_is_the_same_turn(play, moves):
    found, flaw = play(KING, f"{moves} 32-28")

    assert flaw is None
    assert len(turns_of(found)) == 2


@pytest.mark.parametrize("moves", ["3x12x11x19", "3x11x19", "3x12", "3-8", "8-3", "3x12x19x3"])
def test_squares_that_no_turn_passes_are_no_turn(play, moves):
    found, flaw = play(MAN, moves)

    assert found is None
    assert flaw.reason == "illegal"
    assert f"one of 3-10-19 3-12-19; found {moves}; position .M......" in str(flaw)


def test_the_first_bad_ply_is_named_and_what_comes_before_can_be_kept(play):
    for keep in (False, True):
        found, flaw = play(MAN, "3x12x19 7-2 19-15 32-28", keep_beginnings=keep)
        assert (flaw.reason, flaw.place.ply) == ("illegal", 3)
        assert flaw.place.game == "games.pdn:3"
        assert (found is not None) == keep
    assert len(turns_of(found)) == 2
    assert found["end"] == "stopped"


def test_what_is_agreed_before_open_shorthand_can_be_kept(play):
    found, flaw = play("W:W7,8,15,16,32:B3", "32-28 3x19", keep_beginnings=True)

    assert (flaw.reason, flaw.place.ply) == ("ambiguous", 2)
    assert len(turns_of(found)) == 1


def test_moves_after_the_end_differ_from_illegal_ones(play):
    found, flaw = play("B:W7:B3", "3x10 7-2", keep_beginnings=True)

    assert (flaw.reason, flaw.place.ply) == ("over", 2)
    assert found["end"] == "terminal"
    assert found["goals"] == {"white": 100, "black": 0}


def test_a_strict_import_stops_at_the_first_bad_game(play):
    from grl.importers import RecordError

    with pytest.raises(RecordError, match="a move that is not legal there"):
        play(MAN, "3-8", strict=True)


@pytest.mark.parametrize(
    "position",
    [
        "B:W7,33:B3",
        "B:W7:B7",
        "B:W0:B3",
        "X:W7:B3",
        "B:W7",
        "B:W7:B3,",
        "B:Q7:B3",
        "B:W7,a:B3",
    ],
)
def test_positions_that_are_none(play, position):
    found, flaw = play(position, "3-8")

    if position.endswith(","):
        assert flaw is None or flaw.reason == "illegal"
    else:
        assert found is None
        assert flaw.reason == "position"


def test_ranges_of_men_and_who_begins(play):
    found, _ = play("w:W21-32:B1-12.", "24-20")

    assert found["initial"] == {
        "to_move": "black",
        "rows": [
            ".M.M.M.M",
            "M.M.M.M.",
            ".M.M.M.M",
            "........",
            "........",
            "m.m.m.m.",
            ".m.m.m.m",
            "m.m.m.m.",
        ],
    }
    assert turns_of(found) == ["b6 (-1 -1 e)"]


def test_a_game_with_pieces_on_both_colours_has_no_numbers(tmp_path):
    path = tmp_path / "games.acf"
    path.write_text("0-1\t1-0\n")

    with pytest.raises(GameError, match="pieces on squares of one colour"):
        list(Imports([path], FORMATS["acf"], Race()))
