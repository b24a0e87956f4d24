"""What open_spiel does through Python, for `engine.py`; run by the interpreter that has it.

Its games are C++ objects that Python drives, as whoever uses the package does. A turn is all
actions until another player is to act, so that a queen's step and its arrow, or a mill and the man
that it removes, are one turn, as in trace files. The only argument is JSON, and so is what is
printed: ``{"game": "checkers", "seconds": 2.0, "depth": 5}``. With ``{"game": …, "most": 1000}``
sequences of whole turns are counted, of 1, 2, … turns, while there are no more by their growth.
"""

from __future__ import annotations

import importlib
import json
import random
import sys
import time
from collections.abc import Callable
from typing import Any

REPEATS = 3
COUNTED = 100
"""Games in which actions and turns are counted, apart from what is timed."""


def turns_of_actions(game: Any, games: int, seed: int) -> float:
    """How many turns an action is in random games, one at most."""
    draw = random.Random(seed).random
    actions = turns = 0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            mover = state.current_player()
            legal = state.legal_actions()
            state.apply_action(legal[int(draw() * len(legal))])
            actions += 1
            turns += state.current_player() != mover
    return turns / actions


def playouts(game: Any, seconds: float, seed: int) -> dict[str, float]:
    """Random games to their ends for so long, in processor time."""
    draw = random.Random(seed).random
    games = actions = 0
    began = time.process_time()
    spent = 0.0
    while spent < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[int(draw() * len(legal))])
            actions += 1
        games += 1
        spent = time.process_time() - began
    return {"games/s": games / spent, "actions/s": actions / spent}


def perft(state: Any, depth: int) -> int:
    """The sequences of `depth` actions, those of the last one only counted."""
    legal = state.legal_actions()
    if depth == 1:
        return len(legal)
    total = 0
    for action in legal:
        after = state.clone()
        after.apply_action(action)
        if not after.is_terminal():
            total += perft(after, depth - 1)
    return total


def perft_of_turns(state: Any, depth: int) -> int:
    """The sequences of `depth` turns; those actions of a player that lead to one state are one."""
    if state.is_terminal():
        return 0
    mover, waiting, ends = state.current_player(), [state], {}
    while waiting:
        here = waiting.pop()
        for action in here.legal_actions():
            after = here.child(action)
            if after.is_terminal() or after.current_player() != mover:
                first = after.history()[len(state.history())]
                ends[first, str(after)] = after
            else:
                waiting.append(after)
    if depth == 1:
        return len(ends)
    return sum(perft_of_turns(after, depth - 1) for after in ends.values())


def counts_of_turns(game: Any, most: int) -> list[int]:
    """The numbers of sequences of 1, 2, … turns."""
    counts = [1]
    while counts[-1] and counts[-1] ** 2 <= most * counts[max(0, len(counts) - 2)]:
        counts.append(perft_of_turns(game.new_initial_state(), len(counts)))
    return counts[1:]


def counted(game: Any, depth: int, seconds: float) -> dict[str, float]:
    """Bulk perft from the first position, again and again for so long."""
    nodes = 0
    began = time.process_time()
    spent = 0.0
    while spent < seconds:
        nodes += perft(game.new_initial_state(), depth)
        spent = time.process_time() - began
    return {"nodes/s": nodes / spent}


def best(measure: Callable[[int], dict[str, float]], what: str) -> dict[str, float]:
    """The fastest of some repeats, for what else the machine does only slows a program down."""
    return max((measure(seed) for seed in range(REPEATS)), key=lambda found: found[what])


def main(text: str) -> int:
    asked = json.loads(text)
    game = importlib.import_module("pyspiel").load_game(asked["game"])
    if "most" in asked:
        print(json.dumps({"counts": counts_of_turns(game, asked["most"])}))
        return 0
    seconds = asked["seconds"] / REPEATS
    played = best(lambda seed: playouts(game, seconds, seed), "actions/s")
    share = turns_of_actions(game, COUNTED, REPEATS)
    found = best(lambda _: counted(game, asked["depth"], seconds), "nodes/s")
    print(json.dumps({**played, **found, "turns/s": share * played["actions/s"]}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
