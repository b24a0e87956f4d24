"""How each player looks at the board: the symmetry that takes the first player's view to theirs.

Rules that are the same for all players become one rule when ranks, files and directions are
relative to the player. Which symmetry relates the players is read from where their pieces begin;
where no symmetry does, or nothing stands on the board, everyone looks as the first player does.
Where several do, endings may decide which (`grl.rules.learn.framing`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from grl.board import Board, Player, Position, Square

Matrix = tuple[int, int, int, int]

SYMMETRIES: Mapping[str, Matrix] = {
    "identity": (1, 0, 0, 1),
    "flip": (1, 0, 0, -1),
    "turn": (-1, 0, 0, -1),
    "mirror": (-1, 0, 0, 1),
    "quarter": (0, 1, -1, 0),
    "back-quarter": (0, -1, 1, 0),
    "transpose": (0, 1, 1, 0),
    "back-transpose": (0, -1, -1, 0),
}
"""Linear parts (a, b, c, d): (dx, dy) as the player sees it is (a dx + b dy, c dx + d dy). All but
the two quarter turns are their own inverse."""


def fits(board: Board, name: str) -> bool:
    """Whether a symmetry maps a board of this shape onto itself, holes and links aside."""
    return SYMMETRIES[name][0] != 0 or board.width == board.height


def seen_from(board: Board, name: str, square: Square) -> tuple[int, int]:
    """File and rank of `square`, from 1, as a player with this symmetry sees them."""
    a, b, c, d = SYMMETRIES[name]
    y, x = divmod(square, board.width)
    x2, y2 = 2 * x - (board.width - 1), 2 * y - (board.height - 1)
    return (
        (a * x2 + b * y2 + board.width - 1) // 2 + 1,
        (c * x2 + d * y2 + board.height - 1) // 2 + 1,
    )


def turned(name: str, dx: int, dy: int) -> tuple[int, int]:
    """A displacement as a player with this symmetry sees it."""
    a, b, c, d = SYMMETRIES[name]
    return a * dx + b * dy, c * dx + d * dy


def turned_back(name: str, dx: int, dy: int) -> tuple[int, int]:
    """The displacement on the board that a player sees as (dx, dy)."""
    a, b, c, d = SYMMETRIES[name]
    return a * dx + c * dy, b * dx + d * dy


def frames_of(initial: Position) -> dict[Player, str]:
    """The symmetry of every player, by name; ``identity`` for the first."""
    first, *others = initial.equipment.players
    frames = {first: "identity"}
    home = _stands(initial, first, "identity")
    for player in others:
        frames[player] = (
            next(iter(_symmetries(initial, player)), "identity") if home else "identity"
        )
    return frames


def fitting_frames(initial: Position) -> Iterator[dict[Player, str]]:
    """`frames_of` first, then what else might relate two players by their pieces at the start."""
    known = frames_of(initial)
    yield known
    if len(initial.equipment.players) == 2:
        first, second = initial.equipment.players
        for name in _symmetries(initial, second):
            if name != known[second]:
                yield {first: "identity", second: name}


def possible_frames(initial: Position) -> Iterator[dict[Player, str]]:
    """What may relate two players whose pieces no symmetry relates at the start, `frames_of` aside:
    the symmetries of the board."""
    players, board = initial.equipment.players, initial.board
    if len(players) == 2 and not any(_symmetries(initial, players[1])):
        holes = _holes(board, "identity")
        for name in SYMMETRIES:
            if name != "identity" and fits(board, name) and _holes(board, name) == holes:
                yield {players[0]: "identity", players[1]: name}


def _symmetries(initial: Position, player: Player) -> Iterator[str]:
    """The symmetries of the board that take the first player's pieces to those of another.

    Those come first that keep the holes where they are, too. Holes that no such symmetry keeps lie
    as they do for other reasons, and what the players begin with says how they look at the board.
    """
    board = initial.board
    home = _stands(initial, initial.equipment.players[0], "identity")
    found = [
        name for name in SYMMETRIES if fits(board, name) and _stands(initial, player, name) == home
    ]
    holes = _holes(board, "identity")
    kept = [name for name in found if _holes(board, name) == holes]
    yield from kept or (found if home else ())


def _stands(initial: Position, player: Player, name: str) -> set[tuple[int, int, str]]:
    pieces = initial.equipment.pieces
    return {
        (*seen_from(initial.board, name, square), pieces[initial.cells[square]].type)
        for square in initial.board.squares
        if initial.cells[square] in pieces and pieces[initial.cells[square]].player == player
    }


def _holes(board: Board, name: str) -> set[tuple[int, int]]:
    return {seen_from(board, name, hole) for hole in board.holes}
