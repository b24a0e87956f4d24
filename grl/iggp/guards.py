"""Rules that are wrong somewhere: guards for exceptions, and what is better than nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from grl.iggp.bias import Context
from grl.iggp.deadline import Late
from grl.iggp.goals import Goal
from grl.iggp.sampling import literal_columns
from grl.iggp.sweep import Floats
from grl.iggp.tables import Bools
from grl.iggp.terms import Literal, Rule
from grl.iggp.world import World

_ROWS = 1500
_GUARDS = 5


@dataclass(frozen=True)
class Guard:
    """A rule and the rows that it covers, positive or not."""

    rule: Rule
    covers: Bools


def guards(world: World, goal: Goal, missing: Bools, seed: int, late: Late) -> Iterator[Guard]:
    """Bodies of one or two literals that cover much of what is missing and little else."""
    sampled = _sampled(world, goal, missing, seed, Context(depth=1), late)
    if sampled is None or late():
        return
    literals, fp, fn, weight = sampled
    gp, gn = fp.T @ fp, (fn.T @ fn) * weight
    precision = (gp + 0.1) / (gp + gn + 0.2)
    prior = len(fp) / (len(fp) + len(fn) * weight)
    gain = gp * np.log2(precision / prior)
    seen: set[bytes] = set()
    order = np.argsort(-gain.ravel(), kind="stable")[:200]
    given = 0
    for flat in order:
        a, b = divmod(int(flat), gain.shape[1])
        if a > b:
            continue
        chosen = (literals[a],) if a == b else (literals[a], literals[b])
        rule = Rule((), (*goal.given, *chosen))
        mark = (fp[:, a] * fp[:, b]).tobytes() + (fn[:, a] * fn[:, b]).tobytes()
        if mark in seen:
            continue
        seen.add(mark)
        rows = goal.covered(world, rule)
        yield Guard(rule, rows)
        given += 1
        if given >= _GUARDS:
            return


def partition(
    world: World, goal: Goal, missing: Bools, seed: int, late: Late
) -> list[tuple[Literal, Bools]]:
    """Literals of which each covers many of the missing rows and all cover nearly all of them.

    Comes with the rows that each covers. Empty where no such literals are found.
    """
    sampled = _sampled(world, goal, missing, seed, Context(depth=1), late)
    if sampled is None or late():
        return []
    literals, fp, fn, weight = sampled
    left = np.ones(len(fp), dtype=bool)
    negatives = fn.sum(0) * weight
    result: list[tuple[Literal, Bools]] = []
    while left.mean() > 0.01 and len(result) < 4:
        covered_ = fp[left].sum(0)
        prior = float(left.sum()) / (float(left.sum()) + len(fn) * weight)
        gain = covered_ * np.log2((covered_ + 0.1) / (covered_ + negatives + 0.2) / prior)
        best = int(np.argmax(gain))
        if gain[best] <= 0.0 or covered_[best] < 0.1 * len(fp):
            return []
        rule = Rule((), (*goal.given, literals[best]))
        result.append((literals[best], goal.covered(world, rule)))
        left &= fp[:, best] == 0
    return result if left.mean() <= 0.01 and len(result) > 1 else []


def salvage(world: World, goal: Goal, said: Bools, seed: int, late: Late) -> Iterator[Guard]:
    """Rules that raise the balanced accuracy on the training rows, one after another."""
    said = said.copy()
    positives, negatives = int(goal.positive.sum()), int((~goal.positive).sum())
    for number in range(8):
        missing = goal.positive & ~said
        if late() or not missing.any():
            return
        sampled = _sampled(world, goal, missing, seed + number, Context(ground=True), late)
        if sampled is None:
            return
        literals, fp, fn, weight = sampled
        scale_p = int(missing.sum()) / max(len(fp), 1) / max(positives, 1)
        scale_n = weight * scale_p * max(positives, 1) / max(negatives, 1)
        body: list[int] = []
        mp, mn = np.ones(len(fp), dtype=np.float32), np.ones(len(fn), dtype=np.float32)
        best = 0.0
        while len(body) < 5:
            value = (mp @ fp) * scale_p - (mn @ fn) * scale_n
            at = int(np.argmax(value))
            if value[at] <= best + 1e-9:
                break
            best = float(value[at])
            body.append(at)
            mp, mn = mp * fp[:, at], mn * fn[:, at]
        if not body:
            return
        rule = Rule((), (*goal.given, *(literals[i] for i in body)))
        rows = goal.covered(world, rule)
        fresh = rows & ~said
        right = int((fresh & goal.positive).sum()) / max(positives, 1)
        wrong = int((fresh & ~goal.positive).sum()) / max(negatives, 1)
        if right <= wrong:
            return
        yield Guard(rule, rows)
        said |= rows


class _Sample(NamedTuple):
    """Literals and their truth, a column a literal, on missing rows and on negative ones.

    A negative row stands for `weight` times as many rows as a missing one.
    """

    literals: list[Literal]
    missing: Floats
    negative: Floats
    weight: float


def _sampled(
    world: World, goal: Goal, missing: Bools, seed: int, context: Context, late: Late
) -> _Sample | None:
    random = np.random.default_rng((seed, 77))
    negatives = np.flatnonzero(~goal.positive)
    positives = np.flatnonzero(missing)
    all_n, all_p = len(negatives), len(positives)
    if all_n > _ROWS:
        negatives = np.sort(random.choice(negatives, _ROWS, replace=False))
    if all_p > _ROWS:
        positives = np.sort(random.choice(positives, _ROWS, replace=False))
    rows = np.concatenate([positives, negatives])
    literals, matrix, _ = literal_columns(world, goal.frame(world, rows), goal.base, context, late)
    if not literals:
        return None
    truth = matrix.astype(np.float32)
    weight = (all_n / max(len(negatives), 1)) / (all_p / max(len(positives), 1))
    return _Sample(literals, truth[: len(positives)], truth[len(positives) :], weight)
