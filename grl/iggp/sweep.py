"""Pure bodies over a sample: all of up to three literals by Gram matrices, longer ones by a beam.

A sample is a matrix of literals by rows. For each literal i the products of the rows where i is
true with themselves count all triples that hold i at once; a body is pure when its count over the
negative rows is zero.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grl.iggp.tables import Bools, Ints

Floats = NDArray[np.float32]
Body = tuple[int, ...]

_WORK = 1.5e10
_QUICK = 120
_THOROUGH = 240
"""Of how many literals all triples are counted."""
_BEAM = 120
_LONG = 6
_LONGEST = 8
_POOL = 4000
_AT_ONCE = 1 << 22
OVERHEAD = 6.0


@dataclass(frozen=True)
class Sample:
    """Literals true by row (`positive` and `negative`, a column a literal) and their costs.

    `origin` is the example that each positive row belongs to, ascending; a body covers an example
    when it covers one of its rows.
    """

    positive: Bools
    negative: Bools
    origin: Ints
    costs: NDArray[np.float64]

    def examples(self) -> int:
        return int(self.origin[-1]) + 1 if len(self.origin) else 0

    def covers(self, bodies: Ints) -> Bools:
        """Which examples each body covers; bodies as of `as_table`."""
        always = np.ones((len(self.positive), 1), dtype=bool)
        columns = np.packbits(np.concatenate([self.positive, always], axis=1).T, axis=1)
        rows = np.bitwise_and.reduce([columns[place] for place in bodies.T], axis=0)
        number = self.examples()
        if number == len(self.origin):
            return np.unpackbits(rows, axis=1, count=number).view(bool)
        starts = np.searchsorted(self.origin, np.arange(number))
        result = np.empty((len(bodies), number), dtype=bool)
        step = max(1, _AT_ONCE // len(self.origin))
        for begin in range(0, len(bodies), step):
            here = slice(begin, begin + step)
            truth = np.unpackbits(rows[here], axis=1, count=len(self.origin)).view(bool)
            result[here] = np.logical_or.reduceat(truth, starts, axis=1)
        return result

    def as_table(self, bodies: list[Body]) -> Ints:
        """Bodies as rows of one length, filled up by a literal that always holds for nothing."""
        longest = max((len(body) for body in bodies), default=0)
        none = len(self.costs)
        padded = [(*body, *[none] * (longest - len(body))) for body in bodies]
        return np.array(padded, dtype=np.int64).reshape(len(bodies), longest)


def sweep(sample: Sample, late: Callable[[], bool], *, thorough: bool = True) -> list[Body]:
    """Pure bodies, the best first; the fewer literals and the more positives, the better."""
    positive = sample.positive.astype(np.float32)
    negative = sample.negative.astype(np.float32)
    costs = sample.costs.astype(np.float32)
    p1, n1 = positive.sum(0), negative.sum(0)
    pure = np.flatnonzero((n1 == 0) & (p1 > 0))
    pool: dict[Body, float] = {(int(i),): float(p1[i] / (costs[i] + OVERHEAD)) for i in pure}
    useful = np.flatnonzero((n1 > 0) & (p1 > 0) & (n1 / max(len(negative), 1) < 0.999))
    beams: dict[int, list[tuple[float, Body]]] = {}
    base = _information(len(positive), len(negative))

    def gain(p: NDArray[np.float32], n: NDArray[np.float32], cost: NDArray[np.float32]) -> Floats:
        value = np.log2((p + 0.05) / (p + n + 0.1)) + base
        return np.asarray(p * value / np.sqrt(cost + OVERHEAD), dtype=np.float32)

    single = gain(p1, n1, costs)
    singles = useful[np.argsort(-single[useful], kind="stable")][:_BEAM]
    beams[1] = [(float(single[i]), (int(i),)) for i in singles]
    # Pairs of everything useful, as far as the work allows.
    rows = len(positive) + len(negative)
    room = int(min(len(useful), (_WORK / 4 / max(rows, 1)) ** 0.5))
    chosen = _choose(useful, costs, single, room)
    fp, fn = positive[:, chosen], negative[:, chosen]
    gp, gn = fp.T @ fp, fn.T @ fn
    pair_cost = costs[chosen][:, None] + costs[chosen][None, :]
    upper = np.triu(np.ones(gp.shape, dtype=bool), 1)
    found = upper & (gn == 0) & (gp > 0)
    _collect(pool, found, gp / (pair_cost + OVERHEAD), chosen)
    pair_gain = np.where(upper & (gn > 0) & (gp > 0), gain(gp, gn, pair_cost), -np.inf)
    beams[2] = _best(pair_gain, chosen)
    if not late():
        most = _THOROUGH if thorough else _QUICK
        beams[3] = _triples(sample, chosen, positive, negative, pool, late, gain, single, most)
    longest = _LONGEST if thorough else _LONG
    _beam(positive, negative, costs, useful, beams, pool, late, gain, longest)
    ordered = sorted(pool.items(), key=lambda item: (-item[1], len(item[0]), item[0]))
    return [body for body, _ in ordered[:_POOL]]


def _information(p: int, n: int) -> float:
    return -float(np.log2((p + 0.05) / (p + n + 0.1)))


def _choose(useful: Ints, costs: Floats, single: Floats, room: int) -> Ints:
    """Half of the room for cheap literals, half for those that distinguish most."""
    if len(useful) <= room:
        return useful
    cheap = useful[np.argsort(costs[useful], kind="stable")]
    distinguishing = useful[np.argsort(-single[useful], kind="stable")]
    mixed = np.stack([cheap, distinguishing], axis=1).ravel()
    _, first = np.unique(mixed, return_index=True)
    return np.sort(mixed[np.sort(first)[:room]])


def _collect(pool: dict[Body, float], found: Bools, scores: Floats, chosen: Ints) -> None:
    at = np.argwhere(found)
    if not len(at):
        return
    values = scores[at[:, 0], at[:, 1]]
    order = _top(values, min(1500, len(values)))
    for i in order:
        a, b = at[i]
        pool[int(chosen[a]), int(chosen[b])] = float(values[i])


def _best(values: Floats, chosen: Ints) -> list[tuple[float, Body]]:
    flat = values.ravel()
    number = min(_BEAM, len(flat))
    if not number:
        return []
    order = np.argsort(-flat, kind="stable")[:number] if len(flat) < 20000 else _top(flat, number)
    result: list[tuple[float, Body]] = []
    for i in order:
        if flat[i] > -np.inf:
            a, b = divmod(int(i), values.shape[1])
            result.append((float(flat[i]), (int(chosen[a]), int(chosen[b]))))
    return result


def _top(flat: Floats, number: int) -> Ints:
    """The places of the greatest values, at most `number`; equal ones in order."""
    least = np.partition(flat, -number)[-number]
    above = np.flatnonzero(flat >= least)
    return above[np.argsort(-flat[above], kind="stable")[:number]]


def _triples(
    sample: Sample,
    useful: Ints,
    positive: Floats,
    negative: Floats,
    pool: dict[Body, float],
    late: Callable[[], bool],
    gain: Callable[[Floats, Floats, Floats], Floats],
    single: Floats,
    most: int,
) -> list[tuple[float, Body]]:
    costs = sample.costs.astype(np.float32)
    rows = positive.shape[0] + negative.shape[0]
    room = min(most, int((_WORK / max(rows, 1) * 2) ** (1 / 3)))
    chosen = _choose(useful, costs, single, room)
    fp, fn = positive[:, chosen], negative[:, chosen]
    gn = fn.T @ fn
    pair_pure = gn == 0
    upper = np.triu(np.ones(gn.shape, dtype=bool), 1)
    best: list[tuple[float, Body]] = []
    own = costs[chosen]
    triples: dict[Body, float] = {}
    least = -np.inf
    for i in range(len(chosen)):
        if late():
            break
        p = fp[fp[:, i] > 0]
        n = fn[fn[:, i] > 0]
        p, n = p[:, i + 1 :], n[:, i + 1 :]
        tp, tn = p.T @ p, n.T @ n
        cost = own[i] + own[i + 1 :][:, None] + own[i + 1 :][None, :]
        fresh = upper[i + 1 :, i + 1 :] & ~pair_pure[i + 1 :, i + 1 :] & (tp > 0)
        fresh &= ~(pair_pure[i, i + 1 :][:, None] | pair_pure[i, i + 1 :][None, :])
        later = chosen[i + 1 :]
        found = fresh & (tn == 0)
        if found.any():
            scores = tp / (cost + OVERHEAD)
            at = np.argwhere(found)
            values = scores[at[:, 0], at[:, 1]]
            for j in _top(values, min(200, len(values))):
                a, b = at[j]
                triples[int(chosen[i]), int(later[a]), int(later[b])] = float(values[j])
        values = np.where(fresh & (tn > 0), gain(tp, tn, cost), -np.inf)
        top = values.ravel()
        above = np.flatnonzero(top > least)
        for j in above[_top(top[above], min(8, len(above)))] if len(above) else ():
            a, b = divmod(int(j), values.shape[1])
            best.append((float(top[j]), (int(chosen[i]), int(later[a]), int(later[b]))))
        if len(best) > 4 * _BEAM:
            best.sort(key=lambda pair: (-pair[0], pair[1]))
            del best[_BEAM:]
            least = best[-1][0]
    pool.update(sorted(triples.items(), key=lambda item: (-item[1], item[0]))[:6000])
    best.sort(key=lambda pair: (-pair[0], pair[1]))
    return best[:_BEAM]


def _beam(
    positive: Floats,
    negative: Floats,
    costs: Floats,
    useful: Ints,
    beams: dict[int, list[tuple[float, Body]]],
    pool: dict[Body, float],
    late: Callable[[], bool],
    gain: Callable[[Floats, Floats, Floats], Floats],
    longest: int,
) -> None:
    """Extend the best bodies of each length by one literal, from the longest enumerated length."""
    if not len(useful):
        return
    fp, fn = positive[:, useful], negative[:, useful]
    positives, negatives = (np.ascontiguousarray(matrix.T) for matrix in (positive, negative))
    own = costs[useful]
    for length in range(2, longest + 1):
        before = beams.get(length - 1, [])
        if late() or not before:
            return
        bodies = [body for _, body in before]
        mp, mn = _rows(positives, bodies), _rows(negatives, bodies)
        p, n = mp @ fp, mn @ fn
        had_n = mn.sum(1)[:, None]
        cost = np.array([costs[list(body)].sum() for body in bodies])[:, None] + own[None, :]
        cost = cost.astype(np.float32)
        changed = (n < had_n) & (p > 0)
        scores = p / (cost + OVERHEAD)
        found = changed & (n == 0)
        at = np.argwhere(found)
        values = scores[at[:, 0], at[:, 1]]
        seen: set[tuple[int, float]] = set()
        for j in _top(values, min(1000, len(values))) if len(values) else ():
            a, b = at[j]
            body = tuple(sorted({*bodies[a], int(useful[b])}))
            pool.setdefault(body, float(values[j]))
        values = np.where(changed & (n > 0), gain(p, n, cost), -np.inf)
        top = values.ravel()
        merged: list[tuple[float, Body]] = list(beams.get(length, []))
        known = {body for _, body in merged}
        number = min(3 * _BEAM, len(top))
        for j in _top(top, number) if number else ():
            if top[j] == -np.inf:
                continue
            a, b = divmod(int(j), values.shape[1])
            body = tuple(sorted({*bodies[a], int(useful[b])}))
            if body in known:
                continue
            known.add(body)
            merged.append((float(top[j]), body))
        merged.sort(key=lambda pair: (-pair[0], pair[1]))
        distinct = []
        for value, body in merged:
            signature = (len(body), round(value * _signature_scale(costs, body), 3))
            if signature in seen:
                continue
            seen.add(signature)
            distinct.append((value, body))
        beams[length] = distinct[:_BEAM]


def _signature_scale(costs: Floats, body: Body) -> float:
    """Undoes the share of the cost in a gain, so that bodies that cover the same look the same."""
    return float(np.sqrt(costs[list(body)].sum() + OVERHEAD))


def _rows(columns: Floats, bodies: list[Body]) -> Floats:
    result = np.ones((len(bodies), columns.shape[1]), dtype=np.float32)
    for number, body in enumerate(bodies):
        for i in body:
            result[number] *= columns[i]
    return result
