"""Players at work for a page: what they may spend is bounded, and they stop when nobody waits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from grl.engine.engine import Engine
from grl.players.analysis import analyse
from grl.players.chance import Chance
from grl.players.interface import Budget, plies_to_end, spoken
from grl.players.seats import Seat
from grl.serve.refusals import Refused
from grl.serve.seating import sitting
from grl.serve.tables import Table
from grl.serve.trees import touched
from grl.turn import Turn

MOST_SECONDS = 60.0
"""That a player may think about a turn."""
MOST_NODES = 50_000_000


def bounded(spec: str, stop: Callable[[], bool] | None = None) -> Seat:
    """The player that a text names, with a budget that ends; raises `GrlError` for any other."""
    named = sitting(spec)
    budget = named.budget
    seconds = MOST_SECONDS if budget.seconds is None else min(budget.seconds, MOST_SECONDS)
    nodes = None if budget.nodes is None else min(budget.nodes, MOST_NODES)
    if budget.seconds is None and nodes is not None:
        # Whoever asks for nodes alone wants the same answer again, and gets it where time allows.
        seconds = MOST_SECONDS
    return replace(named, budget=Budget(nodes, seconds, budget.depth, stop))


def quick(spec: str) -> bool:
    """Whether a player answers at once, whatever its budget."""
    return spec.partition(":")[0].strip() == "random"


def answer(table: Table, spec: str, ply: int | None, seed: int | None) -> Any:
    """A player's turn where the game stands; the game's lock is free meanwhile."""
    with table.lock, table.served.using:
        check_ply(table, ply)
        position, version, at = table.position, table.version, table.kept.ply
        if not table.legal():
            raise Refused(409, "the game is over")
        player = bounded(spec, lambda: table.version != version)
        seed = at if seed is None else seed
        if isinstance(player.agent, Chance):
            plain = Engine(table.served.rulebook, None)
            found = player.choose(plain, plain.state(position), seed)
    if not isinstance(player.agent, Chance):
        with table.served.thinking:
            engine = table.served.engine
            found = player.choose(engine, engine.state(position), seed)
    return {
        "player": spec,
        "ply": at,
        "turn": found.turn,
        "squares": touched(position.board, Turn.parse(found.turn)),
        "value": found.value,
        "spoken": spoken(found.value),
        "wins_in": plies_to_end(found.value),
        "proven": found.proven,
        "line": list(found.line),
        "nodes": found.nodes,
        "depth": found.depth,
        "seconds": round(found.seconds, 3),
    }


def judged(table: Table, spec: str, best: int, ply: int | None) -> Any:
    """The best turns where the game stands, with values and variations."""
    with table.lock, table.served.using:
        check_ply(table, ply)
        position, version, over = table.position, table.version, not table.legal()
    if over:
        return {"player": spec, "to_move": position.to_move, "turns": []}
    player = bounded(spec, lambda: table.version != version)
    assert player.agent is not None
    with table.served.thinking:
        engine = table.served.engine
        found = analyse(engine, engine.state(position), player.agent, player.budget)
    return {
        "player": spec,
        "to_move": position.to_move,
        "turns": [
            {
                "turn": each.turn,
                "squares": touched(position.board, Turn.parse(each.turn)),
                "value": each.value,
                "spoken": spoken(each.value),
                "wins_in": plies_to_end(each.value),
                "proven": each.proven,
                "line": list(each.line),
                "depth": each.depth,
                "nodes": each.nodes,
            }
            for each in found[:best]
        ],
    }


def check_ply(table: Table, ply: int | None) -> None:
    """Raises `Refused` where the game stands elsewhere than somebody thinks."""
    if ply is not None and ply != table.kept.ply:
        raise Refused(409, f"the game stands at ply {table.kept.ply}, not {ply}")
