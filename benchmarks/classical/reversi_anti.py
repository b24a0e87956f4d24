"""Anti-reversi on a small board: discs are turned over as ever, and fewer discs win."""

from __future__ import annotations

from classical_rules import ALL, BLACK, WHITE, Classical, appears, custodial, free, rays

from grl.board import Board, Player, Position, Square

KEYS = {BLACK: "b", WHITE: "w"}
ROWS = ("......", "......", "..wb..", "..bw..", "......", "......")


class ReversiAnti(Classical):
    """A turn puts a disc on an empty square so that in at least one of eight directions a line of
    opposing discs lies between it and another disc of the mover; all discs so enclosed become the
    mover's. Who can't do so passes. When neither player can the game is over, and who has fewer
    discs wins."""

    name = "reversi-anti"
    provenance = "reversi with a fixed opening and the aim reversed; on 6 x 6"

    def __init__(self) -> None:
        board = Board(6, 6)
        pieces = {key: (who, "disc") for who, key in KEYS.items()}
        self.set_up(board, pieces, ROWS, (BLACK, WHITE))
        self._rays = rays(board, ALL)

    def turns(self, position: Position) -> list[str]:
        names, own = position.board.names, KEYS[position.to_move]
        found = [
            "; ".join(names[s] + appears(own) for s in (to, *turned))
            for to, turned in self._placements(position, position.to_move)
        ]
        return found or ["pass"]

    def decided(self, position: Position) -> dict[Player, int] | None:
        if any(self._placements(position, player) for player in KEYS):
            return None
        black, white = (position.cells.count(key) for key in KEYS.values())
        return self.won(None if black == white else BLACK if black < white else WHITE)

    def _placements(self, position: Position, player: Player) -> list[tuple[Square, list[Square]]]:
        """Where a player may put a disc, and what that turns over."""
        own, foe = KEYS[player], KEYS[self.other(player)]
        found = []
        for to in free(position):
            turned = [
                s
                for _, line in self._rays[to]
                for s in custodial(position.cells, line, own, foe, None)
            ]
            if turned:
                found.append((to, turned))
        return found
