"""What a template of features is, and what its arguments may be.

A feature is a template's name with arguments, plain data: ``("size", "now", ("lies", "own"), "<",
3)``. A `Template` holds everything that is known of it: what it takes, how it is evaluated,
phrased, defined in ASP and computed in C. Templates stand in the modules of this folder, and
nothing else has to know them. From the sorts of its arguments follow how features from outside are
checked, and what one says of another player.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import eq, lt
from typing import Any, Final

from grl.rules.features.cases import PositionCase, TurnCase
from grl.rules.templates.sorts import Sort

PositionTest = Callable[[PositionCase], bool]
TurnTest = Callable[[TurnCase], bool]
Phrases = tuple[str, str]
"""A clause, and the clause that says the opposite."""
RELATED: Final[dict[str, Callable[[int, int], bool]]] = {"=": eq, "<": lt}
"""How numbers are compared."""


def compared(number_of: Callable[[Any], int], op: str, number: int) -> Callable[[Any], bool]:
    """The evaluator of how some number of a case compares with another."""
    compare = RELATED[op]
    return lambda case: compare(number_of(case), number)


@dataclass(frozen=True, eq=False)
class Template:
    """One template, with all that is known of it.

    All functions get the arguments after what they rest on. `evaluate` gets the setting, and in
    place of inner features their evaluators, and returns the evaluator of a case; of a relation
    between turns it gets `Rivals` and which of these are alive, in place of inner features their
    columns, and returns a column. `phrases` gets an `English`; `rules` the `Definitions`, the name
    of the predicate, and of a relation the predicate of the turns alive; `code` a `Source`, and
    returns the body of a C function; of a relation it gets the `Relations`, and returns a
    `Contest`.
    """

    name: str
    takes: tuple[Sort, ...]
    evaluate: Callable[..., Any]
    phrases: Callable[..., Phrases]
    rules: Callable[..., str] | None
    """None where programs can't say it."""
    code: Callable[..., Any]
    effort: int | Callable[..., int] = 1
    """What it costs to ask in C: a number, or a function of the arguments, which gets efforts in
    place of inner features. What is cheap is asked first; 0 is read from the turn."""
    optional: int = 0
    """So many arguments may be left out at the end."""
    columns: Callable[..., Any] | None = None
    """From a setting, cases and features of templates with the same function to a table."""
    of_letters: bool = False
    """Whether it asks nothing of the board: turns of one player with equal letters agree."""
    of_past: Callable[..., bool] = lambda *_: False
    """Whether it asks for the game before a position, beyond its last turn, by its arguments."""
    absolute: bool = False
    """Whether it speaks of whose turn it is, or of a player by name: it says nothing of others."""
