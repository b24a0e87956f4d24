"""The learned model as frozen data: automata, machines and what they were learned from.

Nothing here plays: `grl.rulebook` does. The one file format, ``.grl.json``, is in
`grl.modelfile`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple, NewType

from grl.board import Equipment, Player, Position
from grl.errors import ModelError
from grl.showing import svg_of
from grl.turn import Letter

StateId = NewType("StateId", int)


class Role(StrEnum):
    """Where in a turn an automaton is in control."""

    FIRST = "first"
    """It starts the turn: the first segment, from the square where the turn begins."""
    LATER = "later"
    """It starts a segment after the first."""
    APPEARED = "appeared"
    """It takes over within a segment: its piece has just appeared under the hand."""


@dataclass(frozen=True, slots=True, order=True)
class AutomatonKey:
    """Whose words an automaton accepts.

    `holds` is what the origin square of the segment holds, a piece key or ``.``; for
    `Role.APPEARED` it is the piece that has appeared.
    """

    mover: Player
    holds: str
    role: Role

    def __str__(self) -> str:
        return f"{self.mover} {self.holds} {self.role}"


@dataclass(frozen=True)
class Dfa:
    """A minimal partial DFA over micro-moves; states count from 0, the start.

    States are numbered breadth first, letters in ascending order, so that equal languages give
    equal values. A word may end the turn in an `accepting` state; in a `continuing` one another
    segment may follow. A letter ``a`` always leads to an accepting state without successors,
    where control passes to the automaton of the piece that appeared.
    """

    key: AutomatonKey
    size: int
    transitions: tuple[tuple[StateId, Letter, StateId], ...]
    accepting: frozenset[StateId]
    continuing: frozenset[StateId] = frozenset()

    def __post_init__(self) -> None:
        ends = set(self.accepting | self.continuing)
        for source, _, target in self.transitions:
            ends |= {source, target}
        if self.size < 1 or any(not 0 <= state < self.size for state in ends):
            raise ModelError(f"automaton of {self.key}: a state lies outside 0..{self.size - 1}")
        if len(self.steps) != len(self.transitions):
            raise ModelError(f"automaton of {self.key}: two transitions for one state and letter")

    def _repr_svg_(self) -> str | None:
        """What a notebook shows."""
        return svg_of(self)

    @cached_property
    def steps(self) -> dict[tuple[StateId, Letter], StateId]:
        """The transition function."""
        return {(source, letter): target for source, letter, target in self.transitions}

    @cached_property
    def successors(self) -> dict[StateId, tuple[tuple[Letter, StateId], ...]]:
        """For every state its letters, in their order, and where they lead."""
        result: dict[StateId, list[tuple[Letter, StateId]]] = {}
        for source, letter, target in self.transitions:
            result.setdefault(source, []).append((letter, target))
        return {
            StateId(state): tuple(
                sorted(result.get(StateId(state), ()), key=lambda each: each[0].order)
            )
            for state in range(self.size)
        }


class Tie(NamedTuple):
    """A square that two actions of a turn share.

    Where `after` is the next of the two actions to come after `before`, its argument `second` is
    argument `first` of `before`; positions count from 1. In LOCM's words it is a state parameter
    of the machine for these two transitions alone.
    """

    before: str
    first: int
    after: str
    second: int

    def broken(self, before: Sequence[object], after: Sequence[object]) -> bool:
        """Whether the arguments of the two actions differ where they should agree.

        A position that an action lacks ties nothing.
        """
        if self.first > len(before) or self.second > len(after):
            return False
        return before[self.first - 1] != after[self.second - 1]


@dataclass(frozen=True)
class Machine:
    """A state machine of LOCM: states 0..size-1, transitions labelled ``action`` and position.

    `piece` is the piece whose turns it describes, seen by `mover`; `sort` names the sort of
    objects (``zero`` for the zero machine, whose transitions have position 0). A square that
    stands in an action twice has one transition with both positions as digits: 13 for the first
    and third. `initial` and `final` are the states in which a plan of the zero machine begins and
    ends; `whole` is off for a further zero machine of LOCM2, which sees only its own actions. The
    machine of squares holds the `ties` between the squares of a turn. A zero machine that is not
    `binding`, and `idle_ties`, describe the turns seen and forbid none (`grl.moves.binding`).
    """

    mover: Player
    piece: str
    sort: str
    size: int
    transitions: tuple[tuple[StateId, str, int, StateId], ...]
    initial: frozenset[StateId]
    final: frozenset[StateId]
    whole: bool = True
    ties: tuple[Tie, ...] = ()
    binding: bool = True
    idle_ties: tuple[Tie, ...] = ()

    def _repr_svg_(self) -> str | None:
        """What a notebook shows."""
        return svg_of(self)

    @cached_property
    def actions(self) -> frozenset[str]:
        """The actions that it sees."""
        return frozenset(action for _, action, _, _ in self.transitions)

    @cached_property
    def steps(self) -> dict[tuple[StateId, str, int], StateId]:
        """The transition function on (state, action, position)."""
        return {(s, action, position): t for s, action, position, t in self.transitions}

    @cached_property
    def starts(self) -> dict[str, StateId]:
        """Where each action leads that may begin a plan; for zero machines."""
        return {action: t for s, action, _, t in self.transitions if s in self.initial}

    def after(self, state: StateId | None, action: str) -> StateId | None:
        """The state of a zero machine after `action` (state None: the plan begins), or None."""
        return self.starts.get(action) if state is None else self.steps.get((state, action, 0))


Feature = tuple[Any, ...]
"""A template of `grl.rules` by name, then its arguments: strings, numbers, and tuples."""


FRAMES = (
    *("identity", "flip", "turn", "mirror"),
    *("quarter", "back-quarter", "transpose", "back-transpose"),
)
"""The symmetries by which players may look at the board (`grl.logic.perspectives`)."""


class Status(StrEnum):
    """How far a rule is to be trusted."""

    CERTAIN = "certain"
    """Enough positions of the records speak for it, and none against it."""
    PROVISIONAL = "provisional"
    """Few positions speak for it, or others explain as much."""
    REFUTED = "refuted"
    """Some positions of the records speak against it."""


class Literal(NamedTuple):
    """A feature that must hold, or must not."""

    feature: Feature
    holds: bool


@dataclass(frozen=True)
class Score:
    """A goal that is counted: `each` for every one of an amount and `plus`, from 0 to 100.

    The amount is a term as data or pieces held, as the numbers of features are
    (`grl.rules.templates.terms`), or what the contents of a term's squares count, where `sums`. It
    speaks of the player at one seat.
    """

    each: int
    plus: int
    amount: tuple[Any, ...]
    sums: bool = False

    def of(self, number: int) -> int:
        """The goal for so many."""
        return min(max(self.each * number + self.plus, 0), 100)

    @property
    def settled(self) -> int:
        """From so many on the goal stays as it is."""
        left = 100 - self.plus if self.each > 0 else self.plus
        return max(0, -(-left // abs(self.each))) if self.each else 0

    def __lt__(self, other: Goal) -> bool:
        """Scores come behind numbers, in any fixed order among themselves."""
        return isinstance(other, Score) and repr(self) < repr(other)

    def __gt__(self, other: Goal) -> bool:
        return not isinstance(other, Score) or repr(self) > repr(other)


Goal = int | Score
"""What a player gets, 0..100, or how it is counted."""
Goals = tuple[Goal, ...]
"""What each player gets, by seat from the player to move on."""


@dataclass(frozen=True)
class Rule:
    """A conjunction of literals and what follows from it.

    `support` counts the positions that speak for the rule, `against` those that speak against it;
    a `provisional` rule rests on few positions or has rivals that explain as much. `value` is what
    the rule says, by seat from the player to move on: the goals of an ending (a seat each), the
    seat that moves next; nothing for a rule that forbids a turn or a pass.
    """

    body: tuple[Literal, ...]
    value: Goals = ()
    support: int = 0
    against: int = 0
    provisional: bool = False

    @property
    def seat(self) -> int:
        """The seat that moves next, which the value of a rule of control is."""
        found = self.value[0]
        assert isinstance(found, int)
        return found

    @property
    def fixed(self) -> tuple[int, ...]:
        """The goals that are numbers."""
        return tuple(goal for goal in self.value if isinstance(goal, int))

    @property
    def counted(self) -> bool:
        """Whether goals depend on how many there are of what."""
        return len(self.fixed) < len(self.value)

    @property
    def status(self) -> Status:
        """How far the rule is to be trusted."""
        if self.against:
            return Status.REFUTED
        return Status.PROVISIONAL if self.provisional else Status.CERTAIN


@dataclass(frozen=True)
class Rules:
    """What is learned beside movement; a model without `Rules` says nothing of these things.

    `frames` names for each player the symmetry by which they look at the board. A turn is illegal
    when a rule of `restrictions` covers it, in this order: relations between turns see only those
    that earlier rules left. A position is terminal when a rule of `endings` covers it or no legal
    turn is left; the first that covers it gives the goals. The first rule of `control` that
    covers a turn says who moves next, else it is the next player in turn order. A pass of a player
    who passes freely is illegal when a rule of `passing` covers it; its rivals are the turns that
    all restrictions leave.
    """

    frames: Mapping[Player, str]
    restrictions: tuple[Rule, ...] = ()
    endings: tuple[Rule, ...] = ()
    control: tuple[Rule, ...] = ()
    passing: tuple[Rule, ...] = ()

    @property
    def statuses(self) -> frozenset[Status]:
        """How far rules are to be trusted, all of them."""
        parts = (self.restrictions, self.endings, self.control, self.passing)
        return frozenset(rule.status for part in parts for rule in part)

    def without(self, statuses: Collection[Status]) -> Rules:
        """The rules of other statuses."""

        def kept(rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
            return tuple(rule for rule in rules if rule.status not in statuses)

        return Rules(
            self.frames,
            kept(self.restrictions),
            kept(self.endings),
            kept(self.control),
            kept(self.passing),
        )


@dataclass(frozen=True)
class Effect:
    """What the choices of a turn bring about on other squares, such as discs turned over.

    `where` is a term for the squares (`grl.logic.terms`), as data. What lies there is ``removed``,
    becomes the mover's of the ``same`` type, or what another word says: ``own:king``, ``neutral:``
    or, where there are two players, ``opposing:`` with a type; or it is removed and joins the
    mover's reserve, as it is (``kept``), as a piece of his (``won``), or as one of a type
    (``won:man``); or it is ``pushed`` there, the piece on which the first segment lands.

    Where contents are numbers (`grl.sowing`) effects come in stages, each on the board that those
    before it leave: what the turn takes up is ``sown`` on from `where`, or what lies on `where` is
    ``moved``, added up, `to` another square.
    """

    where: Feature
    becomes: str
    to: Feature = ()


@dataclass(frozen=True)
class Model:
    """Everything learned from the records of one game.

    `passes` says for each player seen to pass whether that happened only when there was no other
    turn (``forced``) or also otherwise (``free``), as far as no rule forbids it. `segments` is the
    largest number of segments seen in one turn. `report` is plain data about the learning, for
    people. `crossings` is no part of what was learned: while rules are sought it bounds how many
    opposing pieces a turn passes over again (`grl.moves.crossing`).
    """

    game: str
    equipment: Equipment
    initial: Position
    automata: tuple[Dfa, ...]
    machines: tuple[Machine, ...] = ()
    passes: Mapping[Player, str] = field(default_factory=dict)
    segments: int = 1
    effects: tuple[Effect, ...] = ()
    rules: Rules | None = None
    report: Mapping[str, Any] = field(default_factory=dict)
    crossings: int | None = None

    def _repr_svg_(self) -> str | None:
        """What a notebook shows."""
        return svg_of(self)

    @cached_property
    def automaton(self) -> dict[AutomatonKey, Dfa]:
        """The automata by key."""
        return {dfa.key: dfa for dfa in self.automata}

    @cached_property
    def passing_matters(self) -> bool:
        """Whether turns bring about different things where they pass over different pieces."""
        return any(_names(effect.where, {"path", "crossed"}) for effect in self.effects)


def _names(term: Sequence[Any], operators: Collection[str]) -> bool:
    """Whether a term, as data, names any of some operators."""
    inner = (part for part in term[1:] if isinstance(part, tuple | list))
    return term[0] in operators or any(_names(part, operators) for part in inner)


def refuse_effects(model: Model, form: str) -> None:
    """Raises `ModelError` where a model has effects, which nothing of this `form` can hold yet."""
    if model.effects:
        raise ModelError(
            f"the model of {model.game} can't be written as {form}",
            found="effects: what its turns bring about without a choice",
            expected="a model without effects",
            hint="grl rules prints its effects, and grl export --to dot draws its automata",
        )
