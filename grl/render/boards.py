"""A position as an SVG picture: squares, or points and lines where a board has links."""

from __future__ import annotations

from html import escape

from grl.board import EMPTY, Board, Equipment, Position, Square, file_name
from grl.render.words import piece_label, plain, player_colour, tint

MOST_SQUARES = 2_500
"""A larger board is no picture any more."""
_CELL = 36
_EDGE = 24
_LINE = "#8a8a8a"
_NOBODY = "#6b6b6b"


def board_svg(position: Position) -> str | None:
    """The picture of a position; None where the board is too large for one."""
    board = position.board
    if board.size > MOST_SQUARES:
        return None
    width, height = board.width * _CELL + 2 * _EDGE, board.height * _CELL + 2 * _EDGE
    parts = [
        f'<svg width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img"'
        ' font-family="Helvetica, Arial, sans-serif" font-size="11" text-anchor="middle">',
        f"<title>{escape(plain(position.to_move))} to move</title>",
        *(_grid(board) if board.links is None else _lines(board)),
        *_names(board),
    ]
    parts += [
        _man(position.equipment, position.cells[square], *_middle(board, square))
        for square in board.squares
        if position.cells[square] != EMPTY
    ]
    return "".join([*parts, "</svg>"])


def piece_svg(equipment: Equipment, key: str) -> str:
    """The picture of a piece alone."""
    middle = _CELL / 2
    return (
        f'<svg width="{_CELL}" height="{_CELL}" viewBox="0 0 {_CELL} {_CELL}" role="img"'
        ' font-family="Helvetica, Arial, sans-serif" font-size="11" text-anchor="middle">'
        f"{_man(equipment, key, middle, middle)}</svg>"
    )


def _grid(board: Board) -> list[str]:
    corner = _CELL / 2
    shapes = []
    for square in board.squares:
        x, y = _middle(board, square)
        dark = (square // board.width + square % board.width) % 2 == 0
        shapes.append(
            f'<rect x="{x - corner:g}" y="{y - corner:g}" width="{_CELL}" height="{_CELL}"'
            f' fill="{"#dcd6c8" if dark else "#f6f3ec"}" stroke="#b8b0a0"/>'
        )
    return shapes


def _lines(board: Board) -> list[str]:
    """The links, once each; one that leads in one direction only is dashed."""
    links = board.links or frozenset()
    shapes = []
    for one, other in sorted(links):
        both = (other, one) in links
        if both and one > other:
            continue
        (x1, y1), (x2, y2) = _middle(board, one), _middle(board, other)
        dashed = "" if both else ' stroke-dasharray="5 3"'
        shapes.append(
            f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{_LINE}"{dashed}/>'
        )
    for square in board.squares:
        x, y = _middle(board, square)
        shapes.append(f'<circle cx="{x:g}" cy="{y:g}" r="3.5" fill="{_LINE}"/>')
    return shapes


def _names(board: Board) -> list[str]:
    bottom = board.height * _CELL + _EDGE + 16
    texts = [
        f'<text x="{_EDGE + _CELL * x - _CELL / 2:g}" y="{bottom}">{file_name(x)}</text>'
        for x in range(1, board.width + 1)
    ]
    return texts + [
        f'<text x="{_EDGE / 2:g}" y="{_EDGE + _CELL * (board.height - y) + _CELL / 2 + 4:g}">'
        f"{y}</text>"
        for y in range(1, board.height + 1)
    ]


def _man(equipment: Equipment, key: str, x: float, y: float) -> str:
    """A piece: a disc in its player's colour, or a grey square where it is nobody's."""
    player = equipment.pieces[key].player
    colour = _NOBODY if player is None else player_colour(equipment, player)
    look = f'fill="{tint(colour, 0.25)}" stroke="{colour}" stroke-width="2"'
    shape = (
        f'<rect x="{x - 12:g}" y="{y - 12:g}" width="24" height="24" {look}/>'
        if player is None
        else f'<circle cx="{x:g}" cy="{y:g}" r="13" {look}/>'
    )
    letter = escape(plain(key))
    return (
        f"<g><title>{escape(piece_label(equipment, key))}</title>{shape}"
        f'<text x="{x:g}" y="{y + 5:g}" font-size="14" font-weight="bold">{letter}</text></g>'
    )


def _middle(board: Board, square: Square) -> tuple[float, float]:
    y, x = divmod(square, board.width)
    return _EDGE + _CELL * (x + 0.5), _EDGE + _CELL * (board.height - y - 0.5)
