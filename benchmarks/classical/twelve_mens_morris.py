"""Twelve men's morris, morabaraba: three squares joined by diagonals too; played with six men."""

from __future__ import annotations

from classical_rules import (
    BLACK,
    REMOVED,
    WHITE,
    Classical,
    appears,
    changed,
    free,
    step,
)

from grl.board import EMPTY, HOLE, Board, Player, Position, Square

KEYS = {WHITE: "w", BLACK: "b"}
ROWS = (".##.##.", "#.#.#.#", "##...##", "...#...", "##...##", "#.#.#.#", ".##.##.")
MEN = 6
MILLS = (
    "a1 d1 g1,a7 d7 g7,a1 a4 a7,g1 g4 g7,b2 d2 f2,b6 d6 f6,b2 b4 b6,f2 f4 f6,"
    "c3 d3 e3,c5 d5 e5,c3 c4 c5,e3 e4 e5,a4 b4 c4,e4 f4 g4,d1 d2 d3,d5 d6 d7,"
    "a1 b2 c3,g1 f2 e3,a7 b6 c5,g7 f6 e5"
)


class TwelveMensMorris(Classical):
    """Three squares, one in the other; lines join the middles of their sides, and their corners. In
    turn the players place six men each on empty points. Then a man steps along a line to the next
    point, if it is empty; nobody flies. Who completes a mill, three points in a line, diagonals
    too, takes one opposing man that is in no mill, or any, where all are; two mills at once take
    one man too. Who has fewer than three men, those in hand included, or no turn, has lost.
    Simplified: a mill may be opened and closed again at once, and nothing is drawn."""

    name = "twelve-mens-morris"
    provenance = "morabaraba as the Generally Accepted Rules have it; six men each, no flying"

    def __init__(self) -> None:
        plain = Board(7, 7)
        self._mills = [[plain.square(s) for s in mill.split()] for mill in MILLS.split(",")]
        pairs = [pair for mill in self._mills for pair in (mill[:2], mill[1:])]
        links = frozenset((s, t) for a, b in pairs for s, t in ((a, b), (b, a)))
        holes = frozenset(s for s in plain.squares if "".join(reversed(ROWS))[s] == HOLE)
        pieces = {key: (who, "man") for who, key in KEYS.items()}
        hands = {who: {key: MEN} for who, key in KEYS.items()}
        self.set_up(Board(7, 7, holes, links), pieces, ROWS, reserve=hands)
        self._links = sorted(links)

    def turns(self, position: Position) -> list[str]:
        cells, names, own = position.cells, position.board.names, KEYS[position.to_move]
        if position.reserve[position.to_move][own]:
            arrivals = [(names[s] + appears(own), cells, s) for s in free(position)]
        else:
            arrivals = [
                (names[s] + step((t % 7 - s % 7, t // 7 - s // 7), "e"), _without(cells, s), t)
                for s, t in self._links
                if cells[s] == own and cells[t] == EMPTY
            ]
        foe = KEYS[self.other(position.to_move)]
        men = [s for s in position.board.squares if cells[s] == foe]
        loose = [s for s in men if not self._in_mill(cells, s, foe)] or men
        found = []
        for text, lifted, to in arrivals:
            if self._in_mill(lifted, to, own):
                found += [f"{text}; {names[s]}{REMOVED}" for s in loose]
            else:
                found.append(text)
        return found

    def decided(self, position: Position) -> dict[Player, int] | None:
        for player, key in KEYS.items():
            if position.cells.count(key) + position.reserve[player][key] < 3:
                return self.won(self.other(player))
        return None

    def _in_mill(self, cells: str, square: Square, key: str) -> bool:
        """Whether a man of a key on this square is, or would be, in a mill."""
        mills = (mill for mill in self._mills if square in mill)
        return any(all(s == square or cells[s] == key for s in mill) for mill in mills)


def _without(cells: str, square: Square) -> str:
    return changed(cells, {square: EMPTY})
