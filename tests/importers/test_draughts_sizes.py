"""PDN of draughts on larger boards: the tag GameType says which game it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from library_records import imported, turns_of, write

from grl.errors import GameError

INTERNATIONAL = '[GameType "20"]\n\n1. 32-28 19-23 2. 28x19 14x23 3. 37-32 *\n'


def test_international_draughts_is_read_as_its_number_says(tmp_path: Path) -> None:
    pytest.importorskip("lark", reason="the extra import is not installed")
    plays, imports = imported("pdn", write(tmp_path / "games.pdn", INTERNATIONAL), all_moves=True)
    assert imports.quarantine == []
    # 32 is d4 on 10 x 10 squares, counted from the upper left, where black stands.
    assert turns_of(plays[0]) == [
        "d4 (1 1 e)",
        "g7 (-1 -1 e)",
        "e5 (1 1 p) (1 1 e); f6 (0 0 d)",
        "h8 (-1 -1 p) (-1 -1 e); g7 (0 0 d)",
        "c3 (1 1 e)",
    ]
    assert [len(turn["legal"]) for turn in plays[0]["turns"]] == [9, 9, 1, 2, 9]


def test_a_number_that_no_game_claims_needs_a_game(tmp_path: Path) -> None:
    path = write(tmp_path / "games.pdn", INTERNATIONAL.replace("20", "30"))
    with pytest.raises(GameError, match=r"no games claim records of the format pdn-30.*--game"):
        imported("pdn", path)
    with pytest.raises(GameError):
        imported("pdn", path, game="nothing")
