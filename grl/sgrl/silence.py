"""How much a silence proves: a Gamma-Poisson model of how often words are seen.

A word of the language whose expected number of sightings is E is seen Poisson(r E) times, where
the rate r varies from word to word like a Gamma(alpha, beta): restrictions, which the language
doesn't know, make some words rarer than their offers suggest. The model is fitted to the words
that were seen; then a word never seen costs ``alpha log2(1 + E / beta)`` bits, the surprise of
that silence.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import lgamma, log2

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

ALPHAS = (0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 20.0, 50.0)
SCALES = (0.25, 0.5, 0.75, 1.0, 1.33, 2.0, 4.0)


@dataclass(frozen=True, slots=True)
class Silence:
    """The fitted model; `bits(E)` is the price of not having seen a word."""

    alpha: float
    beta: float

    def bits(self, expected: float) -> float:
        """The surprise, in bits, that a word with `expected` sightings was never seen."""
        return self.alpha * log2(1.0 + expected / self.beta)


def fit(seen: Iterable[tuple[float, int]]) -> Silence:
    """The most likely model for (expected, count) of the words seen, count > 0, over a grid."""
    words = [(expected, count) for expected, count in seen if expected > 0 and count > 0]
    best = Silence(1.0, 1.0)
    if not words:
        return best
    best_likelihood = float("-inf")
    expected, count = np.array(words).T
    for alpha in ALPHAS:
        ways = sum(lgamma(n + alpha) - lgamma(alpha) - lgamma(n + 1) for _, n in words)
        for scale in SCALES:
            beta = alpha * scale
            likelihood = ways + _log_likelihood(expected, count, alpha, beta)
            if likelihood > best_likelihood + 1e-9:
                best, best_likelihood = Silence(alpha, beta), likelihood
    return best


def _log_likelihood(expected: Floats, count: Floats, alpha: float, beta: float) -> float:
    """Log probability of `count` sightings, given that there was at least one, for all words.

    A term that doesn't depend on `beta` is left out.
    """
    log_none = -alpha * np.log1p(expected / beta)
    log_rest = count * np.log(expected / (beta + expected))
    log_some = np.log(np.maximum(-np.expm1(log_none), 1e-300))
    return float((log_none + log_rest - log_some).sum())
