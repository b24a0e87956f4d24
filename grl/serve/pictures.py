"""Automata and machines as drawings that a page makes itself: places, curves and labels as data.

Curves and places are those of `grl.render`; where states have no directions they stand in columns,
by how many letters lead to them. No Graphviz is needed.
"""

from __future__ import annotations

from typing import Any

from grl.model import Model
from grl.render.compass import Places, places
from grl.render.drawing import box, columns, drawable
from grl.render.facing import Point
from grl.render.picture import Picture, of_dfa, of_machine
from grl.render.routes import RADIUS, Route, route


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
    if not drawable(picture):
        return data
    laid = laid or columns(picture)
    routes = route(picture, laid)
    for arrow, way in zip(data["arrows"], routes.arrows, strict=True):
        arrow.update(_way(way))
    return data | {
        "drawn": True,
        "radius": RADIUS,
        "states": [_point(place) for place in laid.at],
        "marks": [_way(way) for _, way in routes.marks],
        "box": list(box(picture, laid, routes)),
    }


def _way(way: Route) -> dict[str, Any]:
    return {
        "control": [_point(place) for place in way.control],
        "tip": _point(way.tip),
        "label": None if way.label is None else _point(way.label),
    }


def _point(place: Point) -> list[float]:
    """A place with y downwards, as on a page."""
    return [round(place[0], 1), round(-place[1], 1)]
