"""What notebooks show of positions, automata, machines and whole models: SVG, without Graphviz."""

from __future__ import annotations

from html import escape
from typing import NamedTuple

from grl.board import Board, Equipment, Position
from grl.model import Dfa, Machine, Model
from grl.render.boards import board_svg
from grl.render.compass import places
from grl.render.drawing import picture_svg
from grl.render.picture import of_dfa, of_machine
from grl.render.words import plain

WIDTH = 1_100
"""Automata of a model flow into rows of about so many points."""
_HEADING = 34
_SVG = "http://www.w3.org/2000/svg"


class _Tile(NamedTuple):
    """A picture to be placed: its text and its size."""

    svg: str
    width: float
    height: float


def svg_of(value: object) -> str | None:
    """The picture of a value; None where it has none, or is too large for one.

    An automaton or a machine on its own knows no other player: its own has the first colour.
    """
    if isinstance(value, Position):
        found = board_svg(value)
        return None if found is None else f'<svg xmlns="{_SVG}"{found.removeprefix("<svg")}'
    if isinstance(value, Dfa):
        lone = Equipment(Board(1, 1), (value.key.mover,), {})
        return picture_svg(of_dfa(value, lone), places(value))
    if isinstance(value, Machine):
        return picture_svg(of_machine(value, Equipment(Board(1, 1), (value.mover,), {})), None)
    return _model_svg(value) if isinstance(value, Model) else None


def _model_svg(model: Model) -> str:
    """The initial board and all automata that can be drawn, in rows."""
    equipment = model.equipment
    drawn = [board_svg(model.initial)]
    drawn += [picture_svg(of_dfa(dfa, equipment), places(dfa)) for dfa in model.automata]
    tiles = [_tile(svg) for svg in drawn if svg is not None]
    placed, x, y, lowest, widest = [], 0.0, float(_HEADING), 0.0, 200.0
    for tile in tiles:
        if x and x + tile.width > WIDTH:
            x, y, lowest = 0.0, y + lowest + 16, 0.0
        placed.append(f'<svg x="{x:g}" y="{y:g}"{tile.svg.removeprefix("<svg")}')
        lowest, widest = max(lowest, tile.height), max(widest, x + tile.width)
        x += tile.width + 16
    height = y + lowest
    return (
        f'<svg xmlns="{_SVG}" width="{widest:g}" height="{height:g}"'
        f' viewBox="0 0 {widest:g} {height:g}" role="img">'
        f'<rect width="{widest:g}" height="{height:g}" fill="#ffffff"/>'
        f'<text x="4" y="20" font-size="16" font-weight="bold"'
        f' font-family="Helvetica, Arial, sans-serif">{escape(plain(model.game))}</text>'
        f"{''.join(placed)}</svg>"
    )


def _tile(svg: str) -> _Tile:
    """A picture with the size that its first lines give."""
    size = [float(svg.split(f' {name}="', 1)[1].split('"', 1)[0]) for name in ("width", "height")]
    return _Tile(svg, *size)
