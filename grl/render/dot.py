"""Pictures as text in the dot language; equal pictures give equal bytes.

Where places are given, the text fixes every coordinate and names the layout ``nop2``, which only
draws, or, without routes for the arrows, ``neato``, which finds them between states that are
pinned; otherwise it asks for dot's layers. In each case plain ``dot -Tsvg FILE`` draws it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from graphviz import Digraph

from grl.board import Equipment
from grl.model import Dfa, Machine
from grl.render.compass import Places, places
from grl.render.facing import Point
from grl.render.picture import Picture, of_dfa, of_machine
from grl.render.routes import (
    ARROWHEAD,
    FONT_SIZE,
    MARK,
    RADIUS,
    RING,
    Route,
    Routes,
    fine_control,
    label_size,
    route,
)
from grl.render.words import plain, tint

Layout = Literal["dot", "neato", "nop2"]

MOST_ARROWS = 200
"""Between states without places of their own; more take Graphviz minutes."""

_FONT = "Helvetica"
_INK = "#333333"
_CAPTION_GAP = 14.0
_INCH = 72.0


@dataclass(frozen=True, slots=True)
class DotText:
    """A picture's dot text, its file name without ending, and the layout that it needs."""

    stem: str
    text: str
    layout: Layout
    arrows: int

    @property
    def drawable(self) -> bool:
        """Whether it is a picture that anybody could read, and that Graphviz draws in seconds."""
        return self.layout != "dot" or self.arrows <= MOST_ARROWS


def dot_of_dfa(dfa: Dfa, equipment: Equipment, *, routed: bool = True) -> DotText:
    """The dot text of an automaton, laid out by direction where its letters have any."""
    return dot_text(of_dfa(dfa, equipment), places(dfa), routed=routed)


def dot_of_machine(machine: Machine, equipment: Equipment) -> DotText:
    """The dot text of a LOCM machine."""
    return dot_text(of_machine(machine, equipment))


def dot_text(picture: Picture, laid: Places | None = None, *, routed: bool = True) -> DotText:
    """The dot text of a picture, its states in the places `laid` if given.

    The arrows between them are `routed` here, which takes a while for many, or left to Graphviz.
    """
    routes = route(picture, laid) if laid is not None and routed else None
    layout: Layout = "dot" if laid is None else "neato" if routes is None else "nop2"
    pinned = "!" if layout == "neato" else ""
    graph = Digraph(
        "automaton",
        graph_attr=_graph_attributes(picture, laid, routes) | {"layout": layout},
        node_attr={
            "shape": "circle",
            "width": _number(2 * RADIUS / _INCH),
            "fixedsize": "true",
            "color": picture.colour,
            "fontname": _FONT,
            "fontsize": "11",
            "penwidth": "1.4",
            "fillcolor": tint(picture.colour, 0.12),
            "style": "filled",
        },
        edge_attr={
            "fontname": _FONT,
            "fontsize": _number(FONT_SIZE),
            "color": _INK,
            "fontcolor": "black",
            "arrowsize": _number(ARROWHEAD / 10),
        },
    )
    for number, state in enumerate(picture.starts):
        mark = {"shape": "point", "width": "0.07", "label": ""}
        mark |= {"color": picture.colour, "fillcolor": picture.colour}
        link = {"color": picture.colour, "penwidth": "1.4"}
        if routes is not None:
            place, way = routes.marks[number]
            mark["pos"] = _pair(place)
            link["pos"] = _spline(way)
        elif laid is not None:
            x, y = laid.at[state]
            mark["pos"] = _pair((x - MARK - RADIUS, y)) + pinned
        graph.node(f"start{number}", **mark)
        graph.edge(f"start{number}", f"s{state}", **link)
    for state in range(picture.size):
        shown = {"label": str(state)}
        if state in picture.doubled:
            shown |= {"peripheries": "2", "fillcolor": tint(picture.colour, 0.3)}
        if state in picture.dashed:
            shown["style"] = "filled,dashed"
        if laid is not None:
            shown["pos"] = _pair(laid.at[state]) + pinned
        graph.node(f"s{state}", **shown)
    for number, arrow in enumerate(picture.arrows):
        drawn = {"label": _label(arrow.lines)}
        if routes is not None:
            way = routes.arrows[number]
            drawn["pos"] = _spline(way)
            if way.label is not None:
                drawn["lp"] = _pair(way.label)
        graph.edge(f"s{arrow.source}", f"s{arrow.target}", **drawn)
    return DotText(picture.stem, graph.source, layout, len(picture.arrows))


def _graph_attributes(
    picture: Picture, laid: Places | None, routes: Routes | None
) -> dict[str, str]:
    attributes = {
        "charset": "UTF-8",
        "bgcolor": "white",
        "fontname": _FONT,
        "label": _caption(picture),
        "labelloc": "t",
        "outputorder": "edgesfirst",
        "pad": "0.15",
    }
    if laid is None:
        return attributes | {"rankdir": picture.rankdir, "nodesep": "0.45", "ranksep": "0.55"}
    if routes is None:
        return attributes | {"inputscale": _number(_INCH), "splines": "true"}
    left, low, right, high = _bounds(picture, laid.at, routes)
    width, height = _caption_size(picture)
    middle = (left + right) / 2
    left, right = min(left, middle - width / 2), max(right, middle + width / 2)
    top = high + _CAPTION_GAP + height
    return attributes | {
        "bb": f"{_pair((left, low))},{_pair((right, top))}",
        "lp": _pair((middle, top - height / 2)),
    }


def _bounds(
    picture: Picture, at: Sequence[Point], routes: Routes
) -> tuple[float, float, float, float]:
    corners: list[Point] = []
    for x, y in at:
        reach = RADIUS + RING
        corners += [(x - reach, y - reach), (x + reach, y + reach)]
    for arrow, way in zip(picture.arrows, routes.arrows, strict=True):
        corners += fine_control(way)
        if way.label is not None:
            (x, y), (width, height) = way.label, label_size(arrow.lines)
            corners += [(x - width / 2, y - height / 2), (x + width / 2, y + height / 2)]
    corners += [place for place, _ in routes.marks]
    xs, ys = zip(*corners, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _caption(picture: Picture) -> str:
    """The words above a picture; nothing for one without a title."""
    if not picture.title:
        return ""
    rows = [_row(f"<B>{_escaped(picture.title)}</B>", 14), _row(_escaped(picture.subtitle), 12)]
    rows += [_row(_escaped(line), 10, "LEFT") for line in picture.legend]
    table = '<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="1">'
    return f"<{table}{''.join(rows)}</TABLE>>"


def _row(text: str, points: int, align: str = "CENTER") -> str:
    return f'<TR><TD ALIGN="{align}"><FONT POINT-SIZE="{points}">{text}</FONT></TD></TR>'


def _caption_size(picture: Picture) -> Point:
    if not picture.title:
        return 0.0, 0.0
    widths = [9.5 * len(picture.title), 7.5 * len(picture.subtitle)]
    widths += [6.2 * len(line) for line in picture.legend]
    return max(widths), 38 + 15 * len(picture.legend)


def _label(lines: Iterable[str]) -> str:
    """A label on a white ground, so that its arrow may run beneath it."""
    text = '<BR ALIGN="LEFT"/>'.join(map(_escaped, lines))
    return (
        '<<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="1" BGCOLOR="white">'
        f'<TR><TD BALIGN="LEFT">{text}</TD></TR></TABLE>>'
    )


def _escaped(text: str) -> str:
    """`text` inside an HTML-like label; what can't be printed becomes a question mark."""
    special = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\\": "&#92;"}
    return "".join(special.get(c, c) for c in plain(text))


def _spline(way: Route) -> str:
    return f"e,{_pair(way.tip)} {' '.join(map(_pair, fine_control(way)))}"


def _pair(point: Point) -> str:
    return ",".join(map(_number, point))


def _number(value: float) -> str:
    rounded = round(value, 2) + 0.0
    return f"{rounded:.2f}".rstrip("0").rstrip(".")
