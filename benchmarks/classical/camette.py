"""Camette, the smallest of the family of Camelot: canters, jumps and a knight's charge."""

from __future__ import annotations

from collections.abc import Iterator

from classical_rules import (
    ALL,
    BLACK,
    REMOVED,
    WHITE,
    Classical,
    board_of,
    changed,
    distinct,
    rays,
    step,
)

from grl.board import EMPTY, Player, Position, Square

KEYS = {WHITE: "mn", BLACK: "MN"}
KNIGHTS = "nN"
ROWS = ("##.##", "#.N.#", ".MMM.", ".....", ".mmm.", "#.n.#", "##.##")
CASTLES = {WHITE: "c1", BLACK: "c7"}


class Camette(Classical):
    """A piece, knight or man, steps to an empty square beside it in any of eight directions, or
    canters: it leaps over a piece of its own side beside it onto the empty square behind, once or
    more, and must not end where it began. Or it jumps so over an opposing piece, which is taken at
    once, and goes on jumping as long as it can, one way or another. A knight may charge: canter
    first and then jump. Who can jump must jump, or charge with a knight; nobody else need charge,
    and a canter may stop beside a piece that could be taken. One's own castle is entered by jumps
    only. A piece in the opponent's castle ends the turn and wins; who has no pieces left, or no
    turn, has lost. Left out: who has jumped into his own castle must leave it at once."""

    name = "camette"
    provenance = (
        "the World Camelot Federation's rules of Camette; draws and castle rules simplified"
    )

    def __init__(self) -> None:
        board = board_of(ROWS)
        pieces = {"m": (WHITE, "man"), "n": (WHITE, "knight")}
        self.set_up(board, pieces | {"M": (BLACK, "man"), "N": (BLACK, "knight")}, ROWS)
        self._rays = rays(board, ALL)
        self._castles = {who: board.square(name) for who, name in CASTLES.items()}

    def turns(self, position: Position) -> list[str]:
        cells, names, mover = position.cells, position.board.names, position.to_move
        men = [s for s in position.board.squares if cells[s] in KEYS[mover]]
        jumps = [names[s] + text for s in men for text in self._jumps(cells, s, mover) if text]
        steps, charges = [], []
        for square in men:
            for way, line in self._rays[square]:
                if cells[line[0]] == EMPTY and line[0] != self._castles[mover]:
                    steps.append(names[square] + step(way, "e"))
            for to, text in self._canters(cells, square, mover).items():
                after = changed(changed(cells, {square: EMPTY}), {to: cells[square]})
                if to != square:
                    steps.append(names[square] + text)
                if cells[square] in KNIGHTS and to != self._castles[self.other(mover)]:
                    more = (m for m in self._jumps(after, to, mover) if m)
                    charges += [names[square] + text + m for m in more]
        return distinct(position, jumps + charges if jumps else steps + charges)

    def decided(self, position: Position) -> dict[Player, int] | None:
        for player in self.equipment.players:
            foe = self.other(player)
            there = position.cells[self._castles[foe]] in KEYS[player]
            if there or not any(key in position.cells for key in KEYS[foe]):
                return self.won(player)
        return None

    def _canters(self, cells: str, square: Square, mover: Player) -> dict[Square, str]:
        """Where the canters of a piece lead, and the letters of one of the shortest ways."""
        lifted, queue = changed(cells, {square: EMPTY}), [(square, "")]
        found: dict[Square, str] = {}
        for here, text in queue:
            for way, line in self._rays[here] if here != self._castles[self.other(mover)] else ():
                if len(line) < 2 or lifted[line[0]] not in KEYS[mover] or lifted[line[1]] != EMPTY:
                    continue
                if line[1] not in found and line[1] != self._castles[mover]:
                    found[line[1]] = text + step(way, "w") + step(way, "e")
                    queue.append((line[1], found[line[1]]))
        return found

    def _jumps(self, cells: str, square: Square, mover: Player) -> Iterator[str]:
        """The letters of the jumps from a square, as far as they lead; none where there is none."""
        ended, foes = True, KEYS[self.other(mover)]
        for way, line in self._rays[square] if square != self._castles[self.other(mover)] else ():
            if len(line) > 1 and cells[line[0]] in foes and cells[line[1]] == EMPTY:
                ended = False
                after = changed(cells, {square: EMPTY, line[0]: EMPTY, line[1]: cells[square]})
                for more in self._jumps(after, line[1], mover):
                    yield step(way, "p") + REMOVED + step(way, "e") + more
        if ended:
            yield ""
