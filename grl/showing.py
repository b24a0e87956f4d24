"""How values show themselves to people: counts in words, and pictures where there is a notebook."""

from __future__ import annotations

from importlib import import_module

PAINTER = "grl.render.notebook"
"""The module that draws; values lie below it and ask for it by name when a notebook asks them."""


def count(number: int, one: str, many: str = "") -> str:
    """``1 turn``, ``2 turns``; `many` where an s isn't enough."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def svg_of(value: object) -> str | None:
    """The picture of a position, an automaton, a machine or a model; None where it is too large."""
    svg: str | None = import_module(PAINTER).svg_of(value)
    return svg
