"""Curves for the arrows between states whose places are fixed, and places for their labels.

Each arrow has a few candidates: a Bézier curve with more or less bend and a place for the label
along it. Beginning with the first candidates, each arrow in turn takes the one that is best given
the others, until none changes: labels mustn't lie on states or on one another, curves mustn't run
through states, and should cross little, bend little and stay near the states.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from grl.render.compass import Places
from grl.render.facing import Point
from grl.render.picture import Arrow, Picture

FONT_SIZE = 10.0
RADIUS = 16.2
RING = 4.0
ARROWHEAD = 8.0
MARK = 34.0
_CHARACTER = 5.9
_LINE = 12.5
_SAMPLES = 48
_SWEEPS = 8
_COARSE = 2
_COVER = 125.0
_MARGIN = 110.0
_OUTSIDE = 3.0
_TOUCHING = 8.0
_ONE_SIDE = (
    (0.12, 0.12),
    (0.25, 0.25),
    (0.42, 0.42),
    (0.65, 0.65),
    (0.95, 0.95),
    (1.3, 1.3),
    (1.7, 1.7),
    (0.15, 0.5),
    (0.5, 0.15),
    (0.4, 1.0),
    (1.0, 0.4),
    (0.8, 1.5),
    (1.5, 0.8),
)
_BENDS = ((0.0, 0.0), *_ONE_SIDE, *((-one, -other) for one, other in _ONE_SIDE))
_HARDLY = ((0.0, 0.0), (0.12, 0.12), (-0.12, -0.12))
_ALONG = (0.5, 0.42, 0.58, 0.34, 0.66, 0.27, 0.73)

Points = NDArray[np.float64]
Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Route:
    """A drawn arrow: four control points, the tip of its head, and the middle of its label."""

    control: tuple[Point, Point, Point, Point]
    tip: Point
    label: Point | None


@dataclass(frozen=True, slots=True)
class Routes:
    """The routes of a picture's arrows, and the start points with their routes, in order."""

    arrows: tuple[Route, ...]
    marks: tuple[tuple[Point, Route], ...]


@dataclass(frozen=True)
class _Candidate:
    route: Route
    samples: Points
    box: Box | None
    cost: float


def label_size(lines: Sequence[str]) -> Point:
    """About the width and height of a label in points."""
    return _CHARACTER * max(map(len, lines), default=0) + 4, _LINE * len(lines) + 4


def route(picture: Picture, laid: Places) -> Routes:
    """Curves for all arrows of `picture` and for the marks of its start states."""
    places = laid.at
    bends = _HARDLY if laid.straight else _BENDS
    radii = [RADIUS + RING * (state in picture.doubled) for state in range(picture.size)]
    options = [list(_arrow_candidates(arrow, places, radii, bends)) for arrow in picture.arrows]
    options += [list(_mark_candidates(places[state], radii[state])) for state in picture.starts]
    ends = [{arrow.source, arrow.target} for arrow in picture.arrows]
    ends += [{state} for state in picture.starts]
    options = [
        _weighed(candidates, own, np.array(places), np.array(radii))
        for candidates, own in zip(options, ends, strict=True)
    ]
    # Short arrows choose first, long ones find a way around them, and the marks fit in anywhere.
    count = len(picture.arrows)
    order = sorted(range(count), key=lambda i: (_extent(options[i][0]), i))
    order += range(count, len(options))
    chosen: dict[int, _Candidate] = {}
    for _ in range(_SWEEPS):
        changed = False
        for index in order:
            before = chosen.pop(index, None)
            chosen[index] = _best(options[index], list(chosen.values()))
            changed |= chosen[index] is not before
        if not changed:
            break
    return Routes(
        tuple(chosen[index].route for index in range(count)),
        tuple(
            (chosen[index].route.control[0], chosen[index].route)
            for index in range(count, len(options))
        ),
    )


def _arrow_candidates(
    arrow: Arrow, places: Sequence[Point], radii: Sequence[float], bends: Sequence[Point]
) -> Iterator[_Candidate]:
    size = label_size(arrow.lines)
    if arrow.source == arrow.target:
        x, y = places[arrow.source]
        outwards = math.atan2(y, x) if (x, y) != (0.0, 0.0) else -math.pi / 2
        for sector in range(16):
            angle = outwards + sector * math.pi / 8
            yield _loop((x, y), radii[arrow.source], angle, size, 12.0 * min(sector, 16 - sector))
        return
    source, target = places[arrow.source], places[arrow.target]
    for bend in bends:
        curve = _bent(source, target, bend)
        shown, tip = _clipped(curve, source, radii[arrow.source], target, radii[arrow.target])
        samples = _sampled(shown)
        length = float(np.sum(np.hypot(*np.diff(samples, axis=0).T)))
        middles = [_point(middle) for middle in _bezier(shown, np.array(_ALONG))]
        boxes = [_box(middle, size) for middle in middles]
        shares = np.sum(_inside(samples, np.array(boxes)), axis=0) / _SAMPLES
        for along, middle, box, hidden in zip(_ALONG, middles, boxes, shares.tolist(), strict=True):
            cost = 25 * abs(bend[0] + bend[1]) + 0.15 * length + 30 * abs(along - 0.5)
            cost += 400 * max(0.0, hidden - 0.6)
            yield _Candidate(Route(_points(shown), tip, middle), samples, box, cost)


def _mark_candidates(place: Point, radius: float) -> Iterator[_Candidate]:
    """Short arrows into a start state, preferably from the left."""
    for sector in range(16):
        angle = math.pi + sector * math.pi / 8
        away = np.array([math.cos(angle), math.sin(angle)])
        centre = np.array(place)
        first = centre + away * (radius + MARK)
        last = centre + away * (radius + ARROWHEAD)
        curve = np.array([first, (2 * first + last) / 3, (first + 2 * last) / 3, last])
        tip = centre + away * radius
        cost = 6.0 * min(sector, 16 - sector)
        yield _Candidate(Route(_points(curve), _point(tip), None), _sampled(curve), None, cost)


def _loop(place: Point, radius: float, angle: float, size: Point, cost: float) -> _Candidate:
    centre = np.array(place)

    def on(turn: float, distance: float) -> Points:
        return centre + distance * np.array([math.cos(angle + turn), math.sin(angle + turn)])

    curve = np.array(
        [on(0.45, radius), on(0.62, radius + 42), on(-0.62, radius + 42), on(-0.4, radius + 7)]
    )
    # So far out that the label only just touches the loop.
    cosine, sine = max(abs(math.cos(angle)), 1e-9), max(abs(math.sin(angle)), 1e-9)
    across = min(size[0] / 2 / cosine, size[1] / 2 / sine)
    middle = _point(on(0.0, radius + 33 + across))
    tip = _point(on(-0.37, radius))
    samples = _sampled(curve)
    return _Candidate(Route(_points(curve), tip, middle), samples, _box(middle, size), cost)


def _bent(source: Point, target: Point, bend: Point) -> Points:
    """A curve whose two inner control points stand off the line by shares of its length."""
    first, last = np.array(source), np.array(target)
    along = last - first
    aside = np.array([-along[1], along[0]])
    one, other = (1 / 3 - 0.2 * min(1.0, abs(part)) for part in bend)
    return np.array(
        [
            first,
            first + along * one + aside * bend[0],
            last - along * other + aside * bend[1],
            last,
        ]
    )


def _clipped(
    curve: Points, source: Point, leave: float, target: Point, reach: float
) -> tuple[Points, Point]:
    """The part of `curve` between two states, short of the arrow's head, and the head's tip."""
    times = np.linspace(0, 1, 401)
    points = _bezier(curve, times)
    away = np.hypot(*(points - np.array(source)).T)
    ahead = np.hypot(*(points - np.array(target)).T)
    begin = times[int(np.argmax(away >= leave))]
    touch = times[len(times) - 1 - int(np.argmax(ahead[::-1] >= reach))]
    end = times[len(times) - 1 - int(np.argmax(ahead[::-1] >= reach + ARROWHEAD))]
    return _part(curve, float(begin), float(end)), _at(curve, float(touch))


def _part(curve: Points, begin: float, end: float) -> Points:
    """The Bézier curve of the stretch of `curve` from `begin` to `end`, by its blossom."""

    def blossom(*times: float) -> Points:
        points = curve
        for time in times:
            points = (1 - time) * points[:-1] + time * points[1:]
        return np.asarray(points[0])

    return np.array(
        [
            blossom(begin, begin, begin),
            blossom(begin, begin, end),
            blossom(begin, end, end),
            blossom(end, end, end),
        ]
    )


def _bezier(curve: Points, times: Points) -> Points:
    t = times[:, None]
    result: Points = (
        (1 - t) ** 3 * curve[0]
        + 3 * (1 - t) ** 2 * t * curve[1]
        + 3 * (1 - t) * t**2 * curve[2]
        + t**3 * curve[3]
    )
    return result


def fine_control(way: Route) -> tuple[Point, ...]:
    """The route's curve in four shorter Bézier pieces, whose control points lie close to it."""
    curve = np.array(way.control)
    points = [way.control[0]]
    for quarter in range(4):
        points += _points(_part(curve, quarter / 4, (quarter + 1) / 4))[1:]
    return tuple(points)


def _sampled(curve: Points) -> Points:
    return _bezier(curve, np.linspace(0, 1, _SAMPLES))


def _at(curve: Points, time: float) -> Point:
    return _point(_bezier(curve, np.array([time]))[0])


def _point(values: Points) -> Point:
    return float(values[0]), float(values[1])


def _points(curve: Points) -> tuple[Point, Point, Point, Point]:
    return _point(curve[0]), _point(curve[1]), _point(curve[2]), _point(curve[3])


def _box(middle: Point, size: Point) -> Box:
    (x, y), (width, height) = middle, size
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


def _weighed(
    candidates: Sequence[_Candidate], own: set[int], centres: Points, radii: Points
) -> list[_Candidate]:
    """The candidates with what the states cost them; `own` are the states at the arrow's ends."""
    foreign = [state for state in range(len(centres)) if state not in own]
    low, high = centres.min(axis=0) - _MARGIN, centres.max(axis=0) + _MARGIN
    through: dict[int, float] = {}
    result = []
    for choice in candidates:
        curve = id(choice.samples)
        if curve not in through:
            to = choice.samples[:, None] - centres[foreign]
            gap = np.sqrt(np.sum(to * to, axis=2)) - radii[foreign]
            blocked = int(np.sum(np.any(gap < 4, axis=0)))
            outside = np.maximum(low - choice.samples, choice.samples - high)
            through[curve] = 5000.0 * blocked + 15.0 * int(np.sum(gap < 14))
            through[curve] += _OUTSIDE * max(0.0, float(np.max(outside)))
        cost = choice.cost + through[curve]
        if choice.box is not None:
            box = np.array(choice.box)
            to = np.clip(centres, box[:2], box[2:]) - centres
            cost += 1500.0 * int(np.sum(np.sqrt(np.sum(to * to, axis=1)) < radii + 2))
        result.append(replace(choice, cost=cost))
    return result


def _extent(choice: _Candidate) -> float:
    first, *_, last = choice.route.control
    return math.dist(first, last)


def _best(candidates: Sequence[_Candidate], others: Sequence[_Candidate]) -> _Candidate:
    """The candidate that costs least beside the `others`; the first of equals."""
    if not others:
        return min(candidates, key=lambda choice: choice.cost)
    curves = np.stack([other.samples for other in others])
    coarse = curves[:, ::_COARSE]
    boxes = np.array([other.box for other in others if other.box is not None]).reshape(-1, 4)
    best, least = candidates[0], math.inf
    shared: dict[int, float] = {}
    for choice in sorted(candidates, key=lambda choice: choice.cost):
        if choice.cost >= least:
            break
        curve = id(choice.samples)
        if curve not in shared:
            shared[curve] = _beside_curves(choice.samples[::_COARSE], coarse)
            shared[curve] += _COVER * _covered(choice.samples[None], boxes)
        cost = choice.cost + shared[curve]
        if choice.box is not None and cost < least:
            cost += _label_cost(np.array(choice.box), curves, boxes)
        if cost < least:
            best, least = choice, cost
    return best


def _beside_curves(samples: Points, curves: Points) -> float:
    """What it costs to cross the other curves or to run beside them."""
    curves = curves[_near(samples, curves)]
    if not len(curves):
        return 0.0
    sides = _side(samples[:-1], samples[1:], curves)
    apart = sides[..., :-1] * sides[..., 1:] < 0
    sides = _side(curves[:, :-1], curves[:, 1:], samples)
    parted = sides[..., :-1] * sides[..., 1:] < 0
    crossings = int(np.sum(apart & parted.swapaxes(1, 2)))
    gap = _gaps(samples, curves)
    touching = int(np.sum(gap[:, 3:-3] < _TOUCHING**2))
    return 100.0 * crossings + 25.0 * touching


def _near(samples: Points, curves: Points) -> NDArray[np.bool_]:
    """Which curves may cross a curve or touch it: their boxes do."""
    low, high = samples.min(axis=0) - _TOUCHING, samples.max(axis=0) + _TOUCHING
    found: NDArray[np.bool_] = np.all(
        (curves.max(axis=1) >= low) & (curves.min(axis=1) <= high), axis=1
    )
    return found


def _gaps(samples: Points, curves: Points) -> Points:
    """For every curve and sample the square of the distance between them."""
    begin = curves[:, :-1]
    along = np.diff(curves, axis=1)
    to = samples[None, :, None] - begin[:, None]
    share = np.sum(to * along[:, None], axis=3) / np.sum(along * along, axis=2)[:, None]
    to -= np.clip(share, 0, 1)[..., None] * along[:, None]
    result: Points = np.min(np.sum(to * to, axis=3), axis=2)
    return result


def _side(a: Points, b: Points, points: Points) -> Points:
    """On which side of the segments a-b the points lie: an array of curves x segments x points."""
    along = (b - a)[..., :, None, :]
    to = points[..., None, :, :] - a[..., :, None, :]
    result: Points = along[..., 0] * to[..., 1] - along[..., 1] * to[..., 0]
    return result


def _label_cost(box: Points, curves: Points, boxes: Points) -> float:
    """What it costs that a label lies on other curves or other labels."""
    wide = np.minimum(boxes[:, 2], box[2]) - np.maximum(boxes[:, 0], box[0]) + 3
    high = np.minimum(boxes[:, 3], box[3]) - np.maximum(boxes[:, 1], box[1]) + 3
    over = (wide > 0) & (high > 0)
    return _COVER * _covered(curves, box[None]) + float(np.sum((800 + 2 * wide * high)[over]))


def _covered(curves: Points, boxes: Points) -> int:
    """How many samples of the curves lie in the boxes."""
    return int(np.sum(_inside(curves, boxes)))


def _inside(curves: Points, boxes: Points) -> NDArray[np.bool_]:
    """Which samples of the curves lie in which box: an array of curves x samples x boxes."""
    x, y = curves[..., 0][..., None], curves[..., 1][..., None]
    wide = (x > boxes[:, 0] - 1) & (x < boxes[:, 2] + 1)
    found: NDArray[np.bool_] = wide & (y > boxes[:, 1] - 1) & (y < boxes[:, 3] + 1)
    return found
