"""Automata and machines as SVG without Graphviz, by the curves and places of this room.

Where states have no directions they stand in columns, by how many letters lead to them.
"""

from __future__ import annotations

import math
from html import escape

from grl.render.compass import Places
from grl.render.facing import Point
from grl.render.picture import Picture
from grl.render.routes import RADIUS, RING, Route, Routes, label_size, route
from grl.render.words import plain, tint

MOST_STATES = 40
MOST_ARROWS = 90
"""More are no picture that anybody could read: transitions are listed then."""
_COLUMN, _ROW = 150.0, 90.0
_INK = "#4a4a4a"
_HEAD = 3.2


def drawable(picture: Picture) -> bool:
    """Whether it is a picture that anybody could read."""
    return picture.size <= MOST_STATES and len(picture.arrows) <= MOST_ARROWS


def columns(picture: Picture) -> Places:
    """States from left to right by how far they are from a start."""
    depth = dict.fromkeys(picture.starts or (0,), 0)
    waiting = list(depth)
    while waiting:
        here = waiting.pop(0)
        for arrow in picture.arrows:
            if arrow.source == here and arrow.target not in depth:
                depth[arrow.target] = depth[here] + 1
                waiting.append(arrow.target)
    furthest = max(depth.values(), default=0)
    columns: dict[int, list[int]] = {}
    for state in range(picture.size):
        columns.setdefault(depth.get(state, furthest + 1), []).append(state)
    found = {}
    for column, states in columns.items():
        for row, state in enumerate(states):
            # A little askew, for arrows along a column or a row would run through states.
            y = ((len(states) - 1) / 2 - row) * _ROW + (column % 2) * 12.0
            found[state] = (column * _COLUMN + (row % 2) * 16.0, y)
    return Places(tuple(found[state] for state in range(picture.size)))


def box(picture: Picture, laid: Places, routes: Routes) -> tuple[float, float, float, float]:
    """Left, top, width and height of a drawing, y downwards."""
    points = [(x + dx, y + dy) for x, y in laid.at for dx in (-24, 24) for dy in (-24, 24)]
    ways = [*(way for _, way in routes.marks), *routes.arrows]
    points += [place for way in ways for place in way.control]
    for arrow, way in zip(picture.arrows, routes.arrows, strict=True):
        if way.label is not None:
            wide, high = label_size(arrow.lines)
            x, y = way.label
            points += [(x - wide / 2, y - high / 2), (x + wide / 2, y + high / 2)]
    xs, ys = [x for x, _ in points], [-y for _, y in points]
    left, top = math.floor(min(xs)) - 6, math.floor(min(ys)) - 6
    return left, top, math.ceil(max(xs)) + 6 - left, math.ceil(max(ys)) + 6 - top


def picture_svg(picture: Picture, laid: Places | None) -> str | None:
    """A picture with its title, its states in the places `laid` if given; None for a large one."""
    if not drawable(picture):
        return None
    laid = laid or columns(picture)
    routes = route(picture, laid)
    left, top, wide, high = box(picture, laid, routes)
    titles = [(picture.title, 13, "bold"), (picture.subtitle, 11, "normal")]
    titles += [(line, 10, "normal") for line in picture.legend]
    above = 18 * len(titles) + 4
    wide = max(wide, *(7.2 * len(text) * size / 12 for text, size, _ in titles))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:g}" height="{high + above:g}"'
        f' viewBox="{left:g} {top - above:g} {wide:g} {high + above:g}" role="img"'
        ' font-family="Helvetica, Arial, sans-serif" font-size="12">',
        f"<title>{_text(picture.title)}, {_text(picture.subtitle)}</title>",
        f'<rect x="{left:g}" y="{top - above:g}" width="{wide:g}" height="{high + above:g}"'
        ' fill="#ffffff"/>',
    ]
    parts += [
        f'<text x="{left + 4:g}" y="{top - above + 18 * number:g}" font-size="{size}"'
        f' font-weight="{weight}">{_text(text)}</text>'
        for number, (text, size, weight) in enumerate(titles, 1)
    ]
    for way in (*(way for _, way in routes.marks), *routes.arrows):
        parts += _arrow(way)
    for state, place in enumerate(laid.at):
        parts += _state(picture, state, place)
    for arrow, way in zip(picture.arrows, routes.arrows, strict=True):
        if way.label is not None:
            parts += _label(arrow.lines, way.label)
    return "".join([*parts, "</svg>"])


def _arrow(way: Route) -> list[str]:
    (ax, ay), *rest = ((x, -y) for x, y in way.control)
    bends = " ".join(f"{x:.1f},{y:.1f}" for x, y in rest)
    ex, ey = rest[-1]
    tx, ty = way.tip[0], -way.tip[1]
    length = math.hypot(tx - ex, ty - ey) or 1
    ux, uy = (tx - ex) / length * _HEAD, (ty - ey) / length * _HEAD
    return [
        f'<path d="M{ax:.1f},{ay:.1f}C{bends}" fill="none" stroke="{_INK}" stroke-width="1.2"/>',
        f'<polygon points="{tx:.1f},{ty:.1f} {ex - uy:.1f},{ey + ux:.1f}'
        f' {ex + uy:.1f},{ey - ux:.1f}" fill="{_INK}"/>',
    ]


def _state(picture: Picture, state: int, place: Point) -> list[str]:
    x, y = place[0], -place[1]
    colour = picture.colour
    doubled, dashed = state in picture.doubled, state in picture.dashed
    look = f'stroke="{colour}" stroke-width="1.6"'
    outer = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS + RING:g}" fill="none" {look}/>'
    broken = ' stroke-dasharray="4 3"' if dashed else ""
    return [
        *([outer] if doubled else []),
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS:g}"'
        f' fill="{tint(colour, 0.3 if doubled else 0.12)}" {look}{broken}/>',
        f'<text x="{x:.1f}" y="{y + 4.2:.1f}" text-anchor="middle">{state}</text>',
    ]


def _label(lines: tuple[str, ...], middle: Point) -> list[str]:
    wide, high = label_size(lines)
    x, y = middle[0] - wide / 2, -middle[1] - high / 2
    return [
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high:.1f}" fill="#ffffff"'
        ' fill-opacity="0.92"/>',
        *(
            f'<text x="{x + 2:.1f}" y="{y + 11 + 12.5 * number:.1f}" font-size="10"'
            f' font-family="Menlo, Consolas, monospace">{_text(line)}</text>'
            for number, line in enumerate(lines)
        ),
    ]


def _text(text: str) -> str:
    return escape(plain(text))
