"""Automata and machines as drawings that a page makes itself: places, curves and labels as data.

Curves and places are those of `grl.render`; where states have no directions they stand in columns,
by how many letters lead to them. No Graphviz is needed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from grl.model import Model
from grl.render.compass import Places, places
from grl.render.facing import Point
from grl.render.picture import Picture, of_dfa, of_machine
from grl.render.routes import RADIUS, Route, label_size, route

MOST_STATES = 40
MOST_ARROWS = 90
"""More are no picture that anybody could read: transitions are listed then."""
_COLUMN, _ROW = 150.0, 90.0


def pictures(model: Model) -> dict[str, Any]:
    """All automata and machines of a model, in its order, without what is to be drawn."""
    automata = [
        _about(of_dfa(dfa, model.equipment))
        | {"key": str(dfa.key), "mover": dfa.key.mover, "holds": dfa.key.holds}
        for dfa in model.automata
    ]
    machines = [
        _about(of_machine(machine, model.equipment))
        | {"mover": machine.mover, "holds": machine.piece, "sort": machine.sort}
        for machine in model.machines
    ]
    return {"automata": automata, "machines": machines}


def picture(model: Model, number: int) -> dict[str, Any]:
    """One of them, automata first, with places for all that is to be drawn."""
    if number < len(model.automata):
        dfa = model.automata[number]
        return _drawn(of_dfa(dfa, model.equipment), places(dfa))
    machine = model.machines[number - len(model.automata)]
    return _drawn(of_machine(machine, model.equipment), None)


def _about(picture: Picture) -> dict[str, Any]:
    return {
        "title": picture.title,
        "subtitle": picture.subtitle,
        "size": picture.size,
        "starts": list(picture.starts),
    }


def _drawn(picture: Picture, laid: Places | None) -> dict[str, Any]:
    data: dict[str, Any] = {
        "title": picture.title,
        "subtitle": picture.subtitle,
        "colour": picture.colour,
        "size": picture.size,
        "starts": list(picture.starts),
        "doubled": sorted(picture.doubled),
        "dashed": sorted(picture.dashed),
        "arrows": [
            {"source": arrow.source, "target": arrow.target, "lines": list(arrow.lines)}
            for arrow in picture.arrows
        ],
        "drawn": False,
    }
    if picture.size > MOST_STATES or len(picture.arrows) > MOST_ARROWS:
        return data
    laid = laid or Places(_columns(picture))
    routes = route(picture, laid)
    for arrow, way in zip(data["arrows"], routes.arrows, strict=True):
        arrow.update(_way(way))
    return data | {
        "drawn": True,
        "radius": RADIUS,
        "states": [_point(place) for place in laid.at],
        "marks": [_way(way) for _, way in routes.marks],
        "box": _box(picture, laid.at, [way for _, way in routes.marks], routes.arrows),
    }


def _columns(picture: Picture) -> tuple[Point, ...]:
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
    return tuple(found[state] for state in range(picture.size))


def _way(way: Route) -> dict[str, Any]:
    return {
        "control": [_point(place) for place in way.control],
        "tip": _point(way.tip),
        "label": None if way.label is None else _point(way.label),
    }


def _box(
    picture: Picture, at: Sequence[Point], marks: Sequence[Route], arrows: Sequence[Route]
) -> list[float]:
    """Left, top, width and height of a drawing."""
    points = [(x + dx, y + dy) for x, y in at for dx in (-24, 24) for dy in (-24, 24)]
    points += [place for way in (*marks, *arrows) for place in way.control]
    for arrow, way in zip(picture.arrows, arrows, strict=True):
        if way.label is not None:
            wide, high = label_size(arrow.lines)
            x, y = way.label
            points += [(x - wide / 2, y - high / 2), (x + wide / 2, y + high / 2)]
    xs, ys = [x for x, _ in points], [-y for _, y in points]
    left, top = math.floor(min(xs)) - 6, math.floor(min(ys)) - 6
    return [left, top, math.ceil(max(xs)) + 6 - left, math.ceil(max(ys)) + 6 - top]


def _point(place: Point) -> list[float]:
    """A place with y downwards, as on a page."""
    return [round(place[0], 1), round(-place[1], 1)]
