"""Theories of restrictions, and what speaks for their rules."""

from __future__ import annotations

from dataclasses import dataclass

from grl.model import Literal, Rule

Body = tuple[Literal, ...]

FEW = 4
"""A rule that fewer positions speak for is provisional."""


@dataclass(frozen=True)
class Theory:
    """Rules, in how many positions of the working set they leave a surplus turn, and their cost."""

    rules: tuple[Rule, ...]
    unexplained: int
    cost: float

    @property
    def rank(self) -> tuple[int, float]:
        """Theories that explain more come first, then cheaper ones."""
        return self.unexplained, self.cost
