"""Players at work for a page: what they may spend is bounded, and they stop when nobody waits."""

from __future__ import annotations

from typing import Any

from grl.engine.engine import Engine
from grl.players.interface import plies_to_end, spoken
from grl.players.seats import CHANCE
from grl.serve.refusals import Refused
from grl.serve.seating import bounded
from grl.serve.tables import Table, Tables
from grl.serve.thinkers import Task, Thinkers
from grl.serve.trees import touched
from grl.turn import Turn


def quick(spec: str) -> bool:
    """Whether a player answers at once, whatever its budget."""
    return spec.partition(":")[0].strip() == CHANCE


class Thinking:
    """Who answers for players: processes of their own, but for chance, which is quick."""

    def __init__(self, tables: Tables, thinkers: Thinkers) -> None:
        self.tables, self.thinkers = tables, thinkers

    def prepare(self, table: Table) -> None:
        """Begin to compile the model of a game, so that nobody has to wait for it later."""
        self.thinkers.prepare(table.served.id, table.served.rulebook.model)

    def answer(self, table: Table, spec: str, ply: int | None, seed: int | None) -> Any:
        """A player's turn where the game stands; the game's lock is free meanwhile."""
        named, served = self.tables.players.named(spec), table.served
        with table.lock, served.using:
            check_ply(table, ply)
            position, version, at = table.position, table.version, table.kept.ply
            if not table.legal():
                raise Refused(409, "the game is over")
            seed = at if seed is None else seed
            if quick(spec):
                plain = Engine(served.rulebook, None)
                found = bounded(named).choose(plain, plain.state(position), seed)
        if not quick(spec):
            found = self.thinkers.choose(
                served.id,
                served.rulebook.model,
                Task(position, named, seed),
                lambda: table.version != version,
            )
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

    def judged(self, table: Table, spec: str, best: int, ply: int | None) -> Any:
        """The best turns where the game stands, with values and variations."""
        named, served = self.tables.players.named(spec), table.served
        with table.lock, served.using:
            check_ply(table, ply)
            position, version, over = table.position, table.version, not table.legal()
        if over:
            return {"player": spec, "to_move": position.to_move, "turns": []}
        found = self.thinkers.judge(
            served.id,
            served.rulebook.model,
            Task(position, named),
            lambda: table.version != version,
        )
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
