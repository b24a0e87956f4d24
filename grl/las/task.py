"""A learning task: background, examples, orderings, and the bias that makes the rule space.

The notions are those of learning from answer sets: a positive example wants an answer set of
background, hypothesis and context that extends its partial interpretation, a negative one wants
none; an ordering compares answer sets of two examples by the weak constraints.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from grl.errors import GrlError
from grl.las.terms import Aggregate, Atom, Comparison, Rule, Term


class TaskError(GrlError):
    """A task that breaks the language, or that contradicts itself."""


@dataclass(frozen=True, slots=True)
class Example:
    """A partial interpretation in a context; `penalty` None must be covered."""

    name: str
    positive: bool
    inclusions: tuple[str, ...]
    exclusions: tuple[str, ...]
    context: str = ""
    penalty: int | None = None
    line: int = 0

    def __str__(self) -> str:
        kind = "pos" if self.positive else "neg"
        inside = "{" + ", ".join(self.inclusions) + "}, {" + ", ".join(self.exclusions) + "}"
        return f"#{kind}({self.name}, {inside})"


@dataclass(frozen=True, slots=True)
class Ordering:
    """`first` `op` `second` on answer sets: on some pair (`brave`) or on every pair."""

    name: str
    brave: bool
    first: str
    second: str
    op: str = "<"
    penalty: int | None = None
    line: int = 0

    def __str__(self) -> str:
        kind = "brave" if self.brave else "cautious"
        return f"#{kind}_ordering({self.name}, {self.first}, {self.second}, {self.op})"


@dataclass(frozen=True, slots=True)
class Mode:
    """A mode declaration; `recall` None is unbounded. `sign` None allows both signs."""

    literal: Atom | Comparison | Aggregate
    recall: int | None = None
    sign: bool | None = None
    anti_reflexive: bool = False
    symmetric: bool = False
    line: int = 0

    def __str__(self) -> str:
        return str(self.literal)


@dataclass(frozen=True, slots=True)
class Limits:
    """What the command line bounds; `body`, `rule` and `weak` count literals.

    `weak` bounds the bodies of weak constraints; None is as many as `body`.
    """

    body: int = 3
    rule: int = 5
    constraints: bool = True
    extended: bool = False
    weak: int | None = None
    choices: bool = True


@dataclass(frozen=True, slots=True)
class Task:
    """All of a task file, checked; `notes` say what is odd about it."""

    background: str = ""
    examples: tuple[Example, ...] = ()
    orderings: tuple[Ordering, ...] = ()
    heads: tuple[Mode, ...] = ()
    choices: tuple[Mode, ...] = ()
    conditions: tuple[Mode, ...] = ()
    bodies: tuple[Mode, ...] = ()
    preferences: tuple[Mode, ...] = ()
    constants: dict[str, tuple[Term, ...]] = field(default_factory=dict)
    weights: tuple[Term, ...] = ()
    written: tuple[Rule, ...] = ()
    bias: str = ""
    max_variables: int = 3
    levels: int = 1
    max_penalty: int | None = None
    min_head: int = 1
    max_head: int = 2
    one_head_variable: bool = False
    limits: Limits = Limits()
    notes: tuple[str, ...] = ()

    @property
    def has_modes(self) -> bool:
        """Whether any mode declaration makes rules."""
        return bool(self.heads or self.choices or self.bodies or self.preferences)
