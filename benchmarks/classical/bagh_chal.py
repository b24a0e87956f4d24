"""Bagh chal: four tigers and twenty goats."""

from __future__ import annotations

from random import Random

from classical_rules import (
    ALL,
    REMOVED,
    STARTS,
    Classical,
    alquerque,
    appears,
    board_of,
    free,
    rays,
    step,
)

from grl.board import EMPTY, Player, Position

GOATS, TIGERS = Player("goats"), Player("tigers")
KEYS = {GOATS: "g", TIGERS: "t"}
ROWS = ("t...t", ".....", ".....", ".....", "t...t")
NUMBER, ENOUGH = 20, 5


class BaghChal(Classical):
    """Goats are placed one by one on any empty point; once all twenty are, a goat steps along a
    line to an empty point. A tiger steps so from the beginning, or jumps along a line over a goat
    onto the empty point behind it and takes it. Five goats taken win for the tigers; tigers that
    can't move have lost, and so have goats."""

    name = "bagh-chal"
    provenance = "the rules of Nepal as on Wikipedia, Bagh-Chal; without a rule of repetition"

    def __init__(self) -> None:
        board = board_of(ROWS, alquerque)
        pieces = {"g": (GOATS, "goat"), "t": (TIGERS, "tiger")}
        self.set_up(board, pieces, ROWS, (GOATS, TIGERS), {GOATS: {"g": NUMBER}})
        self._rays = rays(board, ALL)

    def turns(self, position: Position) -> list[str]:
        cells, names, mover = position.cells, position.board.names, position.to_move
        if mover == GOATS and position.reserve[GOATS]["g"]:
            return [names[s] + appears("g") for s in free(position)]
        found = []
        for square, content in enumerate(cells):
            for way, line in self._rays[square] if content == KEYS[mover] else ():
                if cells[line[0]] == EMPTY:
                    found.append(names[square] + step(way, "e"))
                elif mover == TIGERS and "".join(cells[s] for s in line[:2]) == "g" + EMPTY:
                    found.append(names[square] + step(way, "p") + REMOVED + step(way, "e"))
        return found

    def decided(self, position: Position) -> dict[Player, int] | None:
        left = position.cells.count("g") + position.reserve[GOATS]["g"]
        return self.won(TIGERS) if left <= NUMBER - ENOUGH else None

    def endgames(self) -> list[Position]:
        """Random play never shuts the tigers in: half of the positions let the goats do that."""
        chance = Random(self.name)
        found: dict[object, Position] = {}
        while len(found) < STARTS:
            goats = chance.randint(NUMBER - ENOUGH + 1, NUMBER)
            cells = list("tttt" + "g" * goats + EMPTY * (21 - goats))
            chance.shuffle(cells)
            rows = self.equipment.board.rows("".join(cells))
            position = self.position(rows, GOATS, {GOATS: {"g": 0}})
            if any(self.is_terminal(self.play(position, turn)) for turn in self.legal(position)):
                found[position.outcome] = position
        return [*super().endgames(), *found.values()]
