"""Random games with their turns, as plain data of records: a compiled engine plays them quickly."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from grl.engine.asked import MOST_PLIES, check_games
from grl.engine.engine import Engine, State
from grl.engine.native import TOO_LARGE, Native, TooLarge

CHUNK = 512
"""Games that are played at once."""
_ROOM = 1 << 18
"""Codes for the turns of a chunk; more are made room for where a game needs them."""
_UNKNOWN = -1

Turns = list[tuple[int, str]]
"""Who plays, by number, and what."""


def random_games(
    engine: Engine, n: int, seed: int = 0, most: int = MOST_PLIES
) -> Iterator[dict[str, Any]]:
    """`n` games from the first position as they stand in trace files, the same for one seed.

    A game that doesn't end within `most` plies, or whose goals no rule names, is stopped there.
    """
    check_games(n, seed)
    players = engine.equipment.players
    following = {i: (i + 1) % len(players) for i in range(len(players))}
    seat = players.index(engine.rulings.initial.to_move)
    games = _compiled if engine.native is not None else _interpreted
    for number, (turns, goals) in enumerate(games(engine, n, seed, most)):
        listed = []
        expected = seat
        for mover, text in turns:
            turn = {"turn": text}
            listed.append(turn if mover == expected else {"by": players[mover], **turn})
            expected = following[mover]
        known = _UNKNOWN not in goals
        record: dict[str, Any] = {"id": f"g{number + 1}", "turns": listed}
        record["end"] = "terminal" if known else "stopped"
        if known:
            record["goals"] = dict(zip(players, goals, strict=True))
        yield record


def _compiled(engine: Engine, n: int, seed: int, most: int) -> Iterator[tuple[Turns, list[int]]]:
    native = engine.native
    assert native is not None
    first = engine.initial
    inside = native.objects.state_inside(first)
    texts = {b"": "pass"}
    out = np.zeros(_ROOM, dtype=np.uint16)
    begin = 0
    while begin < n:
        end = min(begin + CHUNK, n)
        goals = np.zeros((end - begin, len(native.players)), dtype=np.int8)
        plies = np.zeros(end - begin, dtype=np.int32)
        failed = ctypes.c_int()
        done: int = native.beside.recorded_games(
            native.space, inside, 0, seed & (2**64 - 1), begin, end, most,
            goals.ctypes.data, plies.ctypes.data, out.ctypes.data, len(out), ctypes.byref(failed),
        )  # fmt: skip
        if failed.value:
            raise TooLarge(TOO_LARGE)
        if not done:
            out = np.zeros(2 * len(out), dtype=np.uint16)
            continue
        yield from zip(_spelled(native, out, plies[:done], texts), goals.tolist(), strict=False)
        begin += done


def _spelled(native: Native, out: Any, plies: Any, texts: dict[bytes, str]) -> Iterator[Turns]:
    """The turns of games from their codes; `texts` remembers those read."""
    raw, codes, at = out.tobytes(), out.tolist(), 0
    for length in plies.tolist():
        turns: Turns = []
        for _ in range(length):
            begin, end = at + 2, at + 2 + codes[at + 1]
            spelling = raw[2 * begin : 2 * end]
            text = texts.get(spelling)
            if text is None:
                text = texts[spelling] = str(native.read(spelling).turn)
            turns.append((codes[at], text))
            at = end
        yield turns


def _interpreted(engine: Engine, n: int, seed: int, most: int) -> Iterator[tuple[Turns, list[int]]]:
    for number in range(n):
        chance = random.Random(f"{seed} {number}")
        state: State = engine.initial
        turns: Turns = []
        while not state.over and len(turns) < most:
            chosen = chance.randrange(state.count())
            turns.append((state.mover, state.turns()[chosen]))
            state = state.play(chosen)
        goals = state.goals() if state.over else {}
        yield turns, [goals.get(player, _UNKNOWN) for player in engine.equipment.players]
