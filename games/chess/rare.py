"""Positions of few pieces, drawn at random around turns of chess that random play seldom meets.

Each kind is drawn as white sees it and handed out for either player. It is None where the draw
makes no position that play could reach.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from random import Random

from grl.board import EMPTY, Player, Position, Square
from grl.games import Game
from grl.turn import Turn

from ..common import BLACK, WHITE, leads_to
from .armies import SIDE, SIZE


class Drawn(Game):
    """What a game needs for positions of it to be drawn; `check` says whether kings are safe."""

    check: bool
    repetition: int
    quiet: int

    @abstractmethod
    def with_pieces(
        self, cells: Sequence[str], mover: Player, chance: Random | None = None
    ) -> Position | None:
        """The position with these pieces, or None where play never leads to it.

        Where captured pieces are dropped, `chance` says which have been promoted, and draws hands.
        """


Kind = Callable[[Drawn, Random], Position | None]

BARREN = ("", "N", "B", "BB", "Bb", "BBb", "BN", "NN", "Nn", "Nb")
"""What is left besides the kings where mate is out of reach, or nearly so."""
MATING = ("Q", "R", "RR", "QR", "QP", "BBN", "QN", "RP", "P", "PP")
ARMED = "PNBRQHLTD"
"""Pieces that take others, the last four promoted."""
TRIES = 30
DETOURS = 0.25
"""The share of ways back that go by another square."""


def castling(game: Drawn, chance: Random) -> Position | None:
    """King and rooks at home, black pieces about; they may have gone away and come back.

    Now and then they stand as if at home, but on other ranks or files.
    """
    cells = [EMPTY] * SIZE
    rank, aside = 0, 0
    if chance.random() < 0.15:
        rank, aside = chance.randrange(SIDE - 1), chance.choice((-1, 0, 1))
    cells[rank * SIDE + 4 + aside] = "K"
    for corner in (0, 7):
        if chance.random() < 0.85:
            cells[rank * SIDE + corner] = "R"
    if chance.random() < 0.5:
        cells[60] = "k"
        for corner in (56, 63):
            if chance.random() < 0.7:
                cells[corner] = "r"
    else:
        _put(cells, chance, "k", range(32, SIZE))
    for piece in chance.choices("nbrqpNBP", k=chance.randint(1, 4)):
        _put(cells, chance, piece, range(SIZE) if chance.random() < 0.5 else range(24))
    position = _made(game, chance, cells, white_moves=True)
    if position is None or chance.random() < 0.6:
        return position
    return _there_and_back(game, chance, position)


def in_passing(game: Drawn, chance: Random) -> Position | None:
    """A black pawn has passed one or two white ones; or it has a turn ago, too late to take it.

    Or it only seems so, on this rank or another: it is another piece that passes them, or one that
    moves from about where a pawn came from that has long stood there.
    """
    cells = [EMPTY] * SIZE
    file = chance.randrange(SIDE)
    seems = chance.choice(("", "", "passes", "stands"))
    up = chance.choice((1, 0, 0, 0, -1, -2, -3)) * SIDE if seems else 0
    mover = file
    if seems == "passes":
        cells[48 + up + mover] = chance.choice("rq")
    elif seems:
        mover = (file + chance.choice((-1, 0, 0, 0, 1))) % SIDE
        cells[48 + up + mover] = chance.choice("rqb" if up > 0 else "rqbppp")
        cells[32 + up + file] = "p"
        cells[40 + up + (mover + chance.choice((-1, 1))) % SIDE] = chance.choice("NB.")
    else:
        cells[48 + mover] = "p"
    beside = [x for x in (file - 1, file + 1) if 0 <= x < SIDE]
    for x in chance.sample(beside, chance.randint(1, len(beside))):
        cells[32 + up + x] = "P"
    # On its rank and on the lines to it the king may be what forbids the capture.
    on_rank = range(32 + up, 40 + up)
    _put(cells, chance, "K", on_rank if chance.random() < 0.4 else range(SIZE))
    _put(cells, chance, "k", range(SIZE))
    for piece in chance.choices("rqbnpRBNP", k=chance.randint(0, 3)):
        _put(cells, chance, piece, range(24, 48) if chance.random() < 0.4 else range(SIZE))
    position = _made(game, chance, cells, white_moves=False)
    if position is None:
        return None
    forward = 1 if position.to_move == WHITE else -1
    rank = 7 + up // SIDE if forward < 0 else 2 - up // SIDE
    step = f"{'abcdefgh'[mover]}{rank} (0 {forward} e) (0 {forward} e)"
    turns = game.legal(position)
    if step not in turns:
        turns = [turn for turn in turns if turn.startswith(step[:2])] if seems == "stands" else []
        if not turns:
            return None
        takes = [turn for turn in turns if turn.endswith(" p)")]
        step = chance.choice(takes if takes and chance.random() < 0.5 else turns)
    after: Position | None = game.play(position, step)
    if chance.random() < 0.2:
        for _ in range(2):
            after = None if after is None else _any_turn(game, chance, after)
    return after


def checked(game: Drawn, chance: Random) -> Position | None:
    """White's king is attacked along a line, and pawns stand a step or two before its squares."""
    cells = [EMPTY] * SIZE
    file, rank = chance.randrange(SIDE), chance.randrange(SIDE)
    across, up = chance.choice([(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y])
    line = []
    while 0 <= file < SIDE and 0 <= rank < SIDE:
        line.append(rank * SIDE + file)
        file, rank = file + across, rank + up
    if len(line) < 3:
        return None
    between = line[1 : chance.randint(2, len(line) - 1)]
    cells[line[0]] = "K"
    cells[line[len(between) + 1]] = chance.choice("qb" if across and up else "qr")
    for square in chance.sample(between, min(len(between), 2)):
        _put(cells, chance, "P", [s for s in (square - 8, square - 16) if s not in between])
    _put(cells, chance, "k", [s for s in range(SIZE) if s not in between])
    for piece in chance.choices("nbrqpNBRP", k=chance.randint(0, 3)):
        _put(cells, chance, piece, [s for s in range(SIZE) if s not in between])
    return _made(game, chance, cells, white_moves=True)


def promotion(game: Drawn, chance: Random) -> Position | None:
    """White pawns a step from the last rank, something to take there, black ones perhaps too."""
    cells = [EMPTY] * SIZE
    for square in chance.sample(range(48, 56), chance.randint(1, 2)):
        cells[square] = "P"
    for piece in chance.choices("rnbq", k=chance.randint(0, 2)):
        _put(cells, chance, piece, range(56, SIZE))
    if chance.random() < 0.4:
        _put(cells, chance, "p", range(8, 16))
    _put(cells, chance, "K", range(SIZE))
    _put(cells, chance, "k", range(SIZE))
    return _made(game, chance, cells, white_moves=True)


def near_the_end(game: Drawn, chance: Random) -> Position | None:
    """A king, alone or nearly so, whom a turn mates or leaves without a turn."""
    kind = chance.choice(("mate", "stalemate") if game.check else ("king taken", "stalemate"))
    for _ in range(TRIES):
        cells = [EMPTY] * SIZE
        king = chance.choice([*range(8), *range(56, 64), *range(0, 64, 8), *range(7, 64, 8)])
        cells[king] = "k"
        _put(cells, chance, "K", [s for s in range(SIZE) if _apart(s, king) == 2])
        for piece in chance.choice(MATING):
            near = [s for s in range(SIZE) if 1 <= _apart(s, king) <= 4]
            _put(cells, chance, piece, near)
        if chance.random() < 0.3:
            _put(cells, chance, chance.choice("pnbr"), range(SIZE))
        position = _made(game, chance, cells, white_moves=True)
        if position is not None and leads_to(game, position, kind):
            return position
    return None


def barren(game: Drawn, chance: Random) -> Position | None:
    """Kings with knights and bishops are left, or will be when a last piece is taken.

    A turn has been played from half of these positions: that alone ends no game.
    """
    position = _nearly_barren(game, chance)
    if position is None or chance.random() < 0.5:
        return position
    return _any_turn(game, chance, position)


def _nearly_barren(game: Drawn, chance: Random) -> Position | None:
    cells = [EMPTY] * SIZE
    left = chance.choice(BARREN)
    for piece in ("K", "k", *(left if chance.random() < 0.5 else left.swapcase())):
        _put(cells, chance, piece, range(SIZE))
    if chance.random() < 0.25:
        return _made(game, chance, cells, white_moves=True)
    piece = chance.choice("qrbnp")
    for _ in range(TRIES):
        more = [*cells]
        _put(more, chance, piece, range(SIZE))
        position = _made(game, chance, more, white_moves=True)
        if position is not None and any(turn.endswith(" p)") for turn in game.legal(position)):
            return position
    return None


def wandering(game: Drawn, chance: Random) -> Position | None:
    """Few pieces have gone to and fro until a turn draws the game, by repetition or by a count.

    Now and then that turn is another one, and a piece comes back by another square, so that the
    same board recurs with the other player to move; some games go on for as long as the count asks.
    """
    cells = [EMPTY] * SIZE
    for piece in ("K", "k", *chance.choices("RBNQPrbnqp", k=chance.randint(1, 4))):
        _put(cells, chance, piece, range(SIZE))
    position = _made(game, chance, cells, white_moves=True)
    if position is None:
        return None
    patient = bool(game.quiet) and (not game.repetition or chance.random() < 0.2)
    most = game.quiet + chance.randint(-2, 8) if patient else 5 * game.repetition
    home, there = ["", ""], ["", ""]
    for ply in range(most):
        turns = game.legal(position)
        if not turns:
            return None
        ways = {turn: _way(position, turn) for turn in turns}
        mine = [turn for turn, (start, _) in ways.items() if start and start == there[ply % 2]]
        homeward = [turn for turn in mine if ways[turn][1] == home[ply % 2]]
        again = bool(homeward) and chance.random() < (0.2 if patient else 0.95)
        detour = again and chance.random() < DETOURS
        turn = chance.choice(mine if detour else homeward if again else turns)
        after = game.play(position, turn)
        if game.is_terminal(after):
            return position
        start, there[ply % 2] = ways[turn]
        if not detour:
            home[ply % 2] = start
        position = after
    return position


def crowded(game: Drawn, chance: Random) -> Position | None:
    """Pieces stand close together and take each other, promoted ones as often as others."""
    cells = [EMPTY] * SIZE
    file, rank = chance.randrange(SIDE - 3), chance.randrange(SIDE - 3)
    close = [SIDE * (rank + up) + file + across for up in range(4) for across in range(4)]
    for piece in chance.choices(ARMED, k=chance.randint(3, 5)):
        _put(cells, chance, piece, close)
    for piece in chance.choices(ARMED.lower(), k=chance.randint(3, 5)):
        _put(cells, chance, piece, close)
    for king in "Kk":
        _put(cells, chance, king, range(SIZE))
    return _made(game, chance, cells, white_moves=True)


KINDS: tuple[Kind, ...] = (castling, in_passing, checked, promotion, near_the_end)


def _apart(one: int, other: int) -> int:
    """Steps of a king from square to square."""
    return max(abs(one % SIDE - other % SIDE), abs(one // SIDE - other // SIDE))


def _put(cells: list[str], chance: Random, piece: str, squares: Sequence[int]) -> None:
    """Puts a piece on one of the empty squares, if there is one; no pawn on the outer ranks."""
    ranks = range(8, 56) if piece in "Pp" else range(SIZE)
    free = [square for square in squares if cells[square] == EMPTY and square in ranks]
    if free:
        cells[chance.choice(free)] = piece


def _made(game: Drawn, chance: Random, cells: list[str], *, white_moves: bool) -> Position | None:
    """The position as it is, or with the players' parts exchanged."""
    if chance.random() < 0.5:
        return game.with_pieces(cells, WHITE if white_moves else BLACK, chance)
    ranks = [cells[i : i + SIDE] for i in range(0, SIZE, SIDE)]
    mirrored = [cell.swapcase() for rank in reversed(ranks) for cell in rank]
    return game.with_pieces(mirrored, BLACK if white_moves else WHITE, chance)


def _there_and_back(game: Drawn, chance: Random, start: Position) -> Position | None:
    """A piece on the first rank of who moves has gone a way and come back since."""
    own = game.equipment.views[start.to_move]
    first = range(8) if start.to_move == WHITE else range(56, 64)
    home = [start.board.names[s] for s in first if own[start.cells[s]] == "w"]
    away = [t for t in game.legal(start) if t[:2] in home and ";" not in t and " p)" not in t]
    if not away:
        return None
    position = _any_turn(game, chance, game.play(start, chance.choice(away)))
    if position is None:
        return None
    place = start.cells
    back = [
        turn
        for turn in game.legal(position)
        if all(game.play(position, turn).cells[s] == place[s] for s in first)
    ]
    return _any_turn(game, chance, game.play(position, chance.choice(back))) if back else None


def _way(position: Position, turn: str) -> tuple[str, str]:
    """From where to where a turn of plain steps goes; empty for others."""
    segment, *more = Turn.parse(turn).segments
    if more or any(letter.on != "e" for letter in segment.letters):
        return "", ""
    board = position.board
    square: Square | None = board.square(segment.origin)
    for letter in segment.letters:
        assert square is not None
        square = board.step(square, letter.dx, letter.dy)
    return segment.origin, "" if square is None else board.names[square]


def _any_turn(game: Drawn, chance: Random, position: Position) -> Position | None:
    """After a random turn; None where there is none."""
    turns = game.legal(position)
    return game.play(position, chance.choice(turns)) if turns else None
