"""Toguz kumalak, the Kazakh mancala, with few pits: even pits are taken, and a tuz is won."""

from __future__ import annotations

import string

from classical_rules import REMOVED, Classical, appears, board_of

from grl.board import EMPTY, HOLE, Player, Position, Square

SOUTH, NORTH = Player("south"), Player("north")
KEYS = EMPTY + string.digits[1:] + string.ascii_uppercase + string.ascii_lowercase
TUZ = "*"
STONES_OF_TUZ = 3


class ToguzKumalak(Classical):
    """South's pits lie on rank 1 from file b on, north's above them; south's kazan is the last
    square of rank 1, north's a2. The key of a pit or kazan is the number of its stones. A turn sows
    all stones of one of the mover's pits counter-clockwise over the pits of both, not over the
    kazans; of several stones the first goes into the pit they come from, a single one goes on to
    the next pit. If the last stone makes an even number in an opponent's pit, all of them go into
    the mover's kazan. If it makes three in an opponent's pit, they go there too, and the pit is the
    mover's tuz from then on: each stone that falls into a tuz, whoever sows it, goes into its
    owner's kazan at once, and nobody sows from there. A player may have one tuz only; it can't be
    the last pit of the opponent's row, as he sows it, nor the pit of the same number as the
    opponent's own tuz; three in such a pit stay there. Who has more than half the stones in his
    kazan has won, and half of them for each is a draw. When the player to move has no stones in his
    pits, the game is over, and the other one gets what is left."""

    name = "toguz-kumalak"
    provenance = (
        "Auezov and Kuanyshbaev's rules of 1949; 5 pits with 5 stones each, the small board of "
        "mankala.cz; the stones that are left stay where they are"
    )

    def __init__(self, pits: int = 5, stones: int = 5) -> None:
        rows = [EMPTY + KEYS[stones] * pits + HOLE, HOLE + KEYS[stones] * pits + EMPTY]
        self._number = 2 * pits * stones
        pieces: dict[str, tuple[Player | None, str]] = {
            KEYS[n]: (None, f"{n} stones") for n in range(1, self._number + 1)
        }
        self.set_up(board_of(rows), pieces | {TUZ: (None, "tuz")}, rows, (SOUTH, NORTH))
        width = pits + 2
        south = [Square(s) for s in range(1, pits + 1)]
        north = [Square(s) for s in range(2 * width - 2, width, -1)]
        self._way = south + north
        self._pits = {SOUTH: south, NORTH: north}
        self._store = {SOUTH: Square(width - 1), NORTH: Square(width)}

    def turns(self, position: Position) -> list[str]:
        cells, names, mover = position.cells, position.board.names, position.to_move
        found = []
        for pit in self._pits[mover]:
            if cells[pit] not in (EMPTY, TUZ):
                after, at = self._sown(cells, pit, mover), self._way.index(pit)
                order = [*self._way[at:], *self._way[:at], *self._store.values()]
                changes = [names[s] + _content(after[s]) for s in order if after[s] != cells[s]]
                found.append("; ".join(changes))
        return found

    def decided(self, position: Position) -> dict[Player, int] | None:
        for player, store in self._store.items():
            if 2 * _stones(position.cells[store]) > self._number:
                return self.won(player)
        return None

    def stuck(self, position: Position) -> dict[Player, int]:
        cells = position.cells
        south, north = (
            sum(_stones(cells[s]) for s in (self._store[who], *self._pits[who]))
            for who in (SOUTH, NORTH)
        )
        return self.won(None if south == north else SOUTH if south > north else NORTH)

    def _sown(self, cells: str, pit: Square, mover: Player) -> list[str]:
        """The contents of all squares after a pit is sown."""
        after, foe, number = [_stones(c) for c in cells], self.other(mover), _stones(cells[pit])
        owners = {s: who for who in (mover, foe) for s in self._pits[self.other(who)]}
        tuzes = {s: self._store[owners[s]] for s in self._way if cells[s] == TUZ}
        at = self._way.index(pit) - (number > 1)
        after[pit] = 0
        for _ in range(number):
            at = (at + 1) % len(self._way)
            after[tuzes.get(self._way[at], self._way[at])] += 1
        last = self._way[at]
        if last in self._pits[foe]:
            won = after[last] == STONES_OF_TUZ and self._may_be_tuz(cells, last, mover)
            if won or after[last] % 2 == 0:
                after[self._store[mover]] += after[last]
                after[last] = 0
            if won:
                tuzes[last] = self._store[mover]
        return [
            HOLE if content == HOLE else TUZ if s in tuzes else KEYS[after[s]]
            for s, content in enumerate(cells)
        ]

    def _may_be_tuz(self, cells: str, pit: Square, mover: Player) -> bool:
        """Whether a pit of the opponent's may become the mover's tuz."""
        own, theirs = self._pits[mover], self._pits[self.other(mover)]
        number = theirs.index(pit)
        last = number == len(theirs) - 1
        return not last and cells[own[number]] != TUZ and all(cells[s] != TUZ for s in theirs)


def _stones(content: str) -> int:
    return 0 if content in (HOLE, TUZ) else KEYS.index(content)


def _content(content: str) -> str:
    return REMOVED if content == EMPTY else appears(content)
