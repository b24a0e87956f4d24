"""Len choa of Siam: a tiger against six leopards on a triangle of ten points."""

from __future__ import annotations

from itertools import pairwise

from classical_rules import REMOVED, Classical, appears, free, step

from grl.board import EMPTY, Board, Player, Position, Square

LEOPARDS, TIGER = Player("leopards"), Player("tiger")
KEYS = {LEOPARDS: "l", TIGER: "t"}
ROWS = ("###t###", "##...##", "#.#.#.#", ".##.##.")
LINES = "a1 b2 c3 d4,d1 d2 d3 d4,g1 f2 e3 d4,c3 d3 e3,b2 d2 f2,a1 d1 g1"
NUMBER, ENOUGH = 6, 3


class LenChoa(Classical):
    """Two lines across a triangle, parallel to its base, and one from its top down to the middle of
    the base make ten points. The tiger begins on the top, d4; the leopards, who move first, in the
    hand. As long as he has leopards in his hand their player puts one on an empty point; after that
    he moves one along a line to an empty point beside it. The tiger moves so too, or jumps straight
    along a line over a leopard beside him onto the empty point behind it and takes it; he need not,
    and takes one leopard in a turn. Three leopards taken win for the tiger; the leopards win when
    the tiger can't move, however many of them are in the hand."""

    name = "len-choa"
    provenance = "James Low, On Siamese Literature, Asiatic Researches 20, 1839; no repetition"

    def __init__(self) -> None:
        plain = Board(len(ROWS[0]), len(ROWS))
        holes = frozenset(s for s in plain.squares if "".join(reversed(ROWS))[s] == "#")
        points = [list(map(plain.square, line.split())) for line in LINES.split(",")]
        lines = [line for one in points for line in (one, one[::-1])]
        links = frozenset(pair for line in lines for pair in pairwise(line))
        board = Board(plain.width, plain.height, holes, links)
        pieces = {"l": (LEOPARDS, "leopard"), "t": (TIGER, "tiger")}
        hands = {LEOPARDS: {"l": NUMBER}}
        self.set_up(board, pieces, ROWS, (LEOPARDS, TIGER), hands)
        self._near = {s: [to for at, to in sorted(links) if at == s] for s in board.squares}
        self._jumps: dict[Square, list[tuple[Square, Square]]] = {s: [] for s in board.squares}
        for line in lines:
            for square, over, to in zip(line, line[1:], line[2:], strict=False):
                self._jumps[square].append((over, to))

    def turns(self, position: Position) -> list[str]:
        cells, names, own = position.cells, position.board.names, KEYS[position.to_move]
        if own == "l" and position.reserve[LEOPARDS]["l"]:
            return [names[s] + appears(own) for s in free(position)]
        men = [s for s in position.board.squares if cells[s] == own]
        found = [
            names[s] + self._step(s, to, "e")
            for s in men
            for to in self._near[s]
            if cells[to] == EMPTY
        ]
        for square in men if own == "t" else ():
            for over, to in self._jumps[square]:
                if cells[over] == "l" and cells[to] == EMPTY:
                    there = self._step(square, over, "p") + REMOVED
                    found.append(names[square] + there + self._step(over, to, "e"))
        return found

    def decided(self, position: Position) -> dict[Player, int] | None:
        left = position.cells.count("l") + position.reserve[LEOPARDS]["l"]
        return self.won(TIGER) if left <= NUMBER - ENOUGH else None

    def _step(self, square: Square, to: Square, on: str) -> str:
        """The letter of a step from one point to another."""
        width = self.equipment.board.width
        return step((to % width - square % width, to // width - square // width), on)
