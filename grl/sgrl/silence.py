"""How much a silence tells: a Gamma-Poisson model of how often words are seen.

A word of the language whose expected number of sightings is E is seen Poisson(r E) times, where
the rate r varies from word to word like a Gamma(alpha, beta): restrictions, which the language
doesn't know, make some words rarer than their offers suggest. The model is fitted to the words
that were seen; then a word never seen costs ``alpha log2(1 + E / beta)`` bits, the surprise of
that silence.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import expm1, lgamma, log, log1p, log2

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
    best_likelihood = float("-inf")
    for alpha in ALPHAS:
        for scale in SCALES:
            beta = alpha * scale
            likelihood = sum(_log_likelihood(e, n, alpha, beta) for e, n in words)
            if likelihood > best_likelihood + 1e-9:
                best, best_likelihood = Silence(alpha, beta), likelihood
    return best


def _log_likelihood(expected: float, count: int, alpha: float, beta: float) -> float:
    """Log probability of `count` sightings, given that there was at least one."""
    log_none = -alpha * log1p(expected / beta)
    return (
        lgamma(count + alpha)
        - lgamma(alpha)
        - lgamma(count + 1)
        + log_none
        + count * log(expected / (beta + expected))
        - log(max(-expm1(log_none), 1e-300))
    )
