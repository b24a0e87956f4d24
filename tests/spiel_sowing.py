"""Games of sowing of OpenSpiel as records: what its states show before and after each action."""

from __future__ import annotations

import random
import string
from collections.abc import Callable
from typing import Any

import pyspiel

KEYS = "." + string.digits[1:] + string.ascii_uppercase + string.ascii_lowercase
FILES = "abcdefgh"
PLAYERS = ("south", "north")
Board = tuple[str, str]
"""The near row, and the far one."""


def _written(near: list[int], own: int, far: list[int], other: int) -> Board:
    """Houses on files b to g, from the players' left each, and the stores at their right hands."""
    low = "".join(KEYS[n] for n in (*near, own))
    return f"#{low}", "".join(KEYS[n] for n in (other, *reversed(far))) + "#"


def mancala(state: Any) -> Board:
    pits = [round(x) for x in state.observation_tensor(0)[:14]]
    return _written(pits[1:7], pits[7], pits[8:14], pits[0])


def oware(state: Any) -> Board:
    numbers = [round(48 * x) for x in state.observation_tensor(0)]
    return _written(numbers[:6], numbers[12], numbers[6:12], numbers[13])


GAMES: dict[str, tuple[Callable[[Any], Board], int]] = {
    "mancala": (mancala, 1),
    "oware": (oware, 0),
}
"""What a state shows, and the first action of the near player."""


def header(name: str) -> dict[str, Any]:
    near, far = GAMES[name][0](pyspiel.load_game(name).new_initial_state())
    return {
        "format": "grl-trace/1",
        "game": name,
        "board": {"width": 8, "height": 2},
        "players": list(PLAYERS),
        "pieces": {key: {"player": None, "type": f"heap {key}"} for key in KEYS[1:49]},
        "initial": {"to_move": PLAYERS[0], "rows": [far, near]},
    }


def plays(name: str, n: int, seed: int) -> list[dict[str, Any]]:
    """Games at random, with every legal turn."""
    shown, first = GAMES[name]
    game, chance = pyspiel.load_game(name), random.Random(seed)
    found = []
    for number in range(n):
        state, turns, expected = game.new_initial_state(), [], 0
        while not state.is_terminal():
            before, mover = shown(state), state.current_player()
            legal = {}
            for action in state.legal_actions():
                # The far player's actions go on behind the near player's store, where that is one.
                house = action - first if mover == 0 else (action - first) % 7 if first else action
                start = f"{FILES[1 + house]}1" if mover == 0 else f"{FILES[6 - house]}2"
                legal[action] = _turn(before, shown(state.child(action)), start)
            action = chance.choice(state.legal_actions())
            by = {"by": PLAYERS[mover]} if mover != expected else {}
            turns.append({"turn": legal[action], "legal": list(legal.values()), **by})
            state.apply_action(action)
            expected = 1 - mover
        goals = [round(50 + 50 * x) for x in map(_sign, state.returns())]
        found.append(
            {"id": f"g{number}", "turns": turns, "goals": dict(zip(PLAYERS, goals, strict=True))}
        )
    return found


def _sign(number: float) -> int:
    return (number > 0) - (number < 0)


def _turn(before: Board, after: Board, start: str) -> str:
    """The change between two boards, the square where the turn starts first."""
    found = []
    for rank, (old, new) in enumerate(zip(before, after, strict=True), 1):
        for file, was, now in zip(FILES, old, new, strict=True):
            square = f"{file}{rank}"
            if was != now or square == start:
                letter = "d" if now == "." else f"a {now}"
                found.insert(0 if square == start else len(found), f"{square} (0 0 {letter})")
    return "; ".join(found)
