"""Shobu: a move on one board that pushes nothing, and the same one on another, which may push."""

from __future__ import annotations

from classical_rules import ALL, BLACK, REMOVED, WHITE, Classical, Ray, board_of, rays, step

from grl.board import EMPTY, Player, Position, Square

KEYS = {BLACK: "b", WHITE: "w"}
ROWS = ("wwww#wwww", "....#....", "....#....", "bbbb#bbbb")
SIDE, FAR = 4, 2
Shape = tuple[int, int, int]


class Shobu(Classical):
    """Four boards of 4 x 4 squares, two dark ones on the left and two light ones on the right; the
    two nearer to a player are his home boards. On each board each player's four stones fill the
    rank on his side. A turn is two moves. The passive move takes a stone of the mover's on one of
    his home boards one or two squares in any of eight directions over empty squares onto an empty
    one. The aggressive move takes a stone of his in the same direction and as far on one of the two
    boards of the other colour, his own or the opponent's. It may push one opposing stone that it
    meets on its way ahead of it, onto an empty square or off the board, which removes it; never two
    stones, nor a stone of his own, nor one with another behind it. A passive move that no
    aggressive one can follow is not allowed. Who has no stone left on one of the boards has lost;
    and so has who has no turn. The same two moves on both home boards, of which neither pushes, can
    be made in either order, and are two turns. Simplified: no draw, by agreement or repetition."""

    name = "shobu"
    provenance = "Manolis Vranas and Jamie Sajdak, Smirk & Laughter Games 2019"

    def __init__(self) -> None:
        rows = [*ROWS, "#" * len(ROWS[0]), *ROWS]
        board = board_of(rows)
        self.set_up(board, {k: (who, "stone") for who, k in KEYS.items()}, rows, (BLACK, WHITE))
        self._rays = rays(board, ALL)
        self._boards: dict[tuple[bool, bool], list[Square]] = {}
        for square in board.squares:
            y, x = divmod(square, board.width)
            self._boards.setdefault((y > SIDE, x > SIDE), []).append(square)
        """The squares of each board, by whether it is an upper one and a light one."""

    def turns(self, position: Position) -> list[str]:
        upper = position.to_move == WHITE
        found = []
        for light in (False, True):
            passive = self._moves(position, self._boards[upper, light], pushes=False)
            squares = [s for far in (False, True) for s in self._boards[far, not light]]
            aggressive = self._moves(position, squares, pushes=True)
            for shape, texts in passive.items():
                found += [f"{one}; {two}" for one in texts for two in aggressive.get(shape, ())]
        return found

    def decided(self, position: Position) -> dict[Player, int] | None:
        for squares in self._boards.values():
            held = {position.cells[s] for s in squares}
            for player, key in KEYS.items():
                if key not in held:
                    return self.won(self.other(player))
        return None

    def _moves(
        self, position: Position, squares: list[Square], pushes: bool
    ) -> dict[Shape, list[str]]:
        """The moves of the mover's stones on these squares, by direction and distance."""
        cells, own = position.cells, KEYS[position.to_move]
        found: dict[Shape, list[str]] = {}
        for square in squares:
            for ray in self._rays[square] if cells[square] == own else ():
                for far in range(1, min(FAR, len(ray[1])) + 1):
                    text = self._move(position, square, ray, far)
                    if text is not None and (pushes or ";" not in text):
                        found.setdefault((*ray[0], far), []).append(text)
        return found

    def _move(self, position: Position, square: Square, ray: Ray, far: int) -> str | None:
        """A stone's move along a ray, the stone that it pushes first; None if it can't move so."""
        cells, names, foe = position.cells, position.board.names, KEYS[self.other(position.to_move)]
        way, line = ray
        text = names[square] + step(way, "e") * far
        met = [n for n, s in enumerate(line[:far]) if cells[s] != EMPTY]
        if not met:
            return text
        if len(met) > 1 or cells[line[met[0]]] != foe:
            return None
        pushed = names[line[met[0]]]
        if far == len(line):
            return f"{pushed}{REMOVED}; {text}"
        ahead = step(way, "e") * (far - met[0])
        return f"{pushed}{ahead}; {text}" if cells[line[far]] == EMPTY else None
