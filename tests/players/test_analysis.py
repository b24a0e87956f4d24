"""The turns of a position by their values, held to those that tic-tac-toe is known to have."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner
from learned import learned

from grl.cli import main
from grl.players import agent
from grl.players.analysis import analyse
from grl.players.interface import WIN, Budget

LINES = [*((r, r + 1, r + 2) for r in (0, 3, 6)), *((f, f + 3, f + 6) for f in range(3))]
LINES += [(0, 4, 8), (2, 4, 6)]


@cache
def worth(cells: str, mover: str) -> int:
    """The value of a board for who is to move, by trying everything: a win in n plies WIN - n."""
    other = "o" if mover == "x" else "x"
    if any(all(cells[at] == other for at in line) for line in LINES):
        return -WIN
    if "." not in cells:
        return 0
    return max(passed(worth(cells[:at] + mover + cells[at + 1 :], other))
               for at, cell in enumerate(cells) if cell == ".")  # fmt: skip


def passed(value: int) -> int:
    """The value of a turn from that of the board after it."""
    return -value - 1 if value < 0 else -value + 1 if value > 0 else 0


@pytest.mark.parametrize("name", ["alphabeta", "mtdf"])
@pytest.mark.parametrize(
    ("rows", "mover"),
    [
        (["...", ".x.", "..."], "o"),
        (["x..", ".o.", "..x"], "o"),
        (["x.o", "...", "..."], "x"),
        (["xx.", "oo.", "..."], "x"),
        (["xox", ".o.", "..."], "x"),
    ],
)
def test_every_turn_has_its_known_value(rows: list[str], mover: str, name: str) -> None:
    rulebook = learned("tic-tac-toe")
    engine = rulebook.engine()
    state = engine.state(rulebook.position(rows, mover))
    found = analyse(engine, state, agent(name), Budget())
    cells, other = "".join(rows), "o" if mover == "x" else "x"

    assert sorted(each.turn for each in found) == sorted(state.turns())
    for each in found:
        file, rank = each.turn[0], int(each.turn[1])
        at = 3 * (3 - rank) + "abc".index(file)
        assert each.value == passed(worth(cells[:at] + mover + cells[at + 1 :], other))
        assert each.proven
        assert each.line[0] == each.turn
    assert [each.value for each in found] == sorted((each.value for each in found), reverse=True)


def test_the_best_turns_are_listed_with_variations(tmp_path: Path) -> None:
    model = tmp_path / "model.grl.json"
    learned("tic-tac-toe").save(model)
    after = [word for turn in ("a1", "b1", "a2", "b2") for word in ("--after", turn)]
    words = ["analyse", str(model), *after, "--player", "mtdf:depth=9", "--best", "2"]
    told = CliRunner().invoke(main, words)
    assert told.exit_code == 0, told.output
    assert told.stdout.splitlines()[-2].split()[:3] == ["wins", "in", "1*"]
    assert told.stdout.splitlines()[-2].split()[-1] == "a3"
    data = json.loads(CliRunner().invoke(main, [*words, "--json"]).stdout)
    assert [each["spoken"] for each in data["turns"]] == ["wins in 1", "0"]


def test_a_game_that_is_over_has_no_turns(tmp_path: Path) -> None:
    model = tmp_path / "model.grl.json"
    learned("tic-tac-toe").save(model)
    after = [word for turn in ("a1", "b1", "a2", "b2", "a3") for word in ("--after", turn)]
    told = CliRunner().invoke(main, ["analyse", str(model), *after])
    assert told.stdout.endswith("The game is over.\n")
