"""Games in the Game Description Language, played by clingo.

A game is a KIF text (Love and others, *General Game Playing: Game Description Language
Specification*, 2008). It becomes an answer set program in which what is true and what the roles do
are externals, so that one grounding serves all states. The text declares its atoms and moves by
`base` and `input`.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import clingo

Expression = str | tuple["Expression", ...]
"""A word, or a list of expressions."""

Moves = tuple[clingo.Symbol, ...]
"""The action of every role, in the order of the roles; none in a state that has no successor."""

GIVEN = frozenset({"true", "does"})
TARGETS = ("legal", "next", "goal", "terminal")
_TOKEN = re.compile(r"[()]|[^\s()]+")


@dataclass(frozen=True, slots=True)
class State:
    """What is true in a state (arguments of `true`), and what follows from it.

    `legal` and `goal` hold the arguments of the atoms, sorted.
    """

    facts: frozenset[clingo.Symbol]
    legal: tuple[tuple[clingo.Symbol, clingo.Symbol], ...]
    goal: tuple[tuple[clingo.Symbol, clingo.Symbol], ...]
    terminal: bool

    def moves(self, role: clingo.Symbol) -> tuple[clingo.Symbol, ...]:
        """What a role may do."""
        return tuple(action for owner, action in self.legal if owner == role)


class Rules:
    """The rules of one game: the answers of clingo for its states.

    Raises `ValueError` for a text that is no game.
    """

    def __init__(self, text: str) -> None:
        statements = list(parse(text))
        clauses = [clause for statement in statements for clause in _clauses(statement)]
        self._moving = _depending(clauses)
        asp = [f"{head} :- {', '.join(body)}." if body else f"{head}." for head, body in clauses]
        asp += [
            "#external true(F) : base(F).",
            "#external does(R,A) : input(R,A).",
            "#show legal/2. #show next/1. #show goal/2. #show terminal/0.",
        ]
        self._control = clingo.Control(["--warn=none", "--models=2"])
        self._control.add("base", [], "\n".join(asp))
        self._control.ground([("base", [])])
        atoms = self._control.symbolic_atoms
        self.roles = tuple(
            atom.symbol.arguments[0] for atom in sorted_atoms(atoms.by_signature("role", 1))
        )
        self.base = frozenset(a.symbol.arguments[0] for a in atoms.by_signature("base", 1))
        self.inputs = frozenset(tuple(a.symbol.arguments) for a in atoms.by_signature("input", 2))
        self.statics = tuple(
            atom.symbol
            for atom in sorted_atoms(atoms)
            if atom.is_fact
            and atom.symbol.name not in self._moving | GIVEN | {"init", "base", *TARGETS}
        )
        self.values = tuple(sorted({a.symbol.arguments[1] for a in atoms.by_signature("goal", 2)}))
        self._init = frozenset(a.symbol.arguments[0] for a in atoms.by_signature("init", 1))
        self._set: set[clingo.Symbol] = set()

    @cached_property
    def initial(self) -> State:
        """The state in which a game begins."""
        return self.state(self._init)

    def state(self, facts: Iterable[clingo.Symbol]) -> State:
        """The state in which exactly these facts are true."""
        held = frozenset(facts)
        if not held <= self.base:
            strange = min(held - self.base)
            raise ValueError(f"{strange} is true in a state and not declared by base")
        model = self._solved({clingo.Function("true", [fact]) for fact in held})
        legal = _pairs(model, "legal")
        for pair in legal:
            if pair not in self.inputs:
                raise ValueError(f"legal{pair} is not declared by input")
        terminal = any(symbol.name == "terminal" for symbol in model)
        return State(held, legal, _pairs(model, "goal"), terminal)

    def following(self, state: State, moves: Moves) -> frozenset[clingo.Symbol]:
        """What is true in the next state; `moves` may be empty."""
        actions = zip(self.roles, moves, strict=True) if moves else ()
        given = {clingo.Function("true", [fact]) for fact in state.facts}
        given |= {clingo.Function("does", [role, action]) for role, action in actions}
        model = self._solved(given)
        return frozenset(s.arguments[0] for s in model if s.name == "next")

    def next_state(self, state: State, moves: Moves) -> State:
        """The state after these moves, one for each role."""
        return self.state(self.following(state, moves))

    def _solved(self, given: set[clingo.Symbol]) -> Sequence[clingo.Symbol]:
        for symbol in self._set - given:
            self._control.assign_external(symbol, False)
        for symbol in given - self._set:
            self._control.assign_external(symbol, True)
        self._set = given
        with self._control.solve(yield_=True) as handle:
            models: list[Sequence[clingo.Symbol]] = [m.symbols(shown=True) for m in handle]
        if len(models) != 1:
            raise ValueError("the rules are not stratified")
        return models[0]


def sorted_atoms(atoms: Iterable[clingo.SymbolicAtom]) -> list[clingo.SymbolicAtom]:
    """Atoms in the order of their symbols."""
    return sorted(atoms, key=lambda atom: atom.symbol)


def read_rules(path: Path) -> Rules:
    """The rules in a file."""
    return Rules(path.read_text(encoding="utf-8"))


def played(
    rules: Rules, rng: random.Random, most_plies: int = 1000
) -> Iterator[tuple[State, Moves]]:
    """One game at random: each state with the moves made in it, none in the last.

    Raises `ValueError` where a role has no move, no goal value at the end, or no end is reached.
    """
    state = rules.initial
    for _ in range(most_plies):
        if state.terminal:
            valued = [role for role, _ in state.goal]
            if sorted(valued) != sorted(rules.roles):
                raise ValueError(f"goal values at the end: {state.goal}")
            yield state, ()
            return
        choices = [state.moves(role) for role in rules.roles]
        if not all(choices):
            raise ValueError(f"a role has no move; true: {sorted(state.facts)}")
        moves = tuple(map(rng.choice, choices))
        yield state, moves
        state = rules.next_state(state, moves)
    raise ValueError(f"no end after {most_plies} moves")


def _pairs(
    model: Iterable[clingo.Symbol], name: str
) -> tuple[tuple[clingo.Symbol, clingo.Symbol], ...]:
    found = [tuple(s.arguments) for s in model if s.name == name]
    return tuple(sorted((first, second) for first, second in found))


def parse(text: str) -> Iterator[Expression]:
    """The expressions of a KIF text; raises `ValueError` for brackets that don't match."""
    stack: list[list[Expression]] = [[]]
    for token in _TOKEN.findall(re.sub(r";.*", "", text)):
        if token == "(":
            stack.append([])
        elif token == ")":
            if len(stack) == 1:
                raise ValueError("a bracket too many")
            closed = tuple(stack.pop())
            stack[-1].append(closed)
        else:
            stack[-1].append(token)
    if len(stack) != 1:
        raise ValueError("a bracket is not closed")
    yield from stack[0]


def _clauses(statement: Expression) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The clauses of answer set programs that a statement says: head and body."""
    if isinstance(statement, tuple) and statement[0] == "<=":
        head, *conditions = statement[1:]
        for body in itertools.product(*map(_choices, conditions)):
            yield _term(head), tuple(itertools.chain.from_iterable(body))
    else:
        yield _term(statement), ()


def _choices(condition: Expression) -> list[tuple[str, ...]]:
    """A condition as a disjunction of conjunctions of literals."""
    if isinstance(condition, tuple):
        if condition[0] == "or":
            return [choice for part in condition[1:] for choice in _choices(part)]
        if condition[0] == "not":
            return [(f"not {_term(condition[1])}",)]
        if condition[0] == "distinct":
            return [(f"{_term(condition[1])} != {_term(condition[2])}",)]
    return [(_term(condition),)]


def _term(expression: Expression) -> str:
    if isinstance(expression, tuple):
        name, *arguments = map(_term, expression)
        return f"{name}({','.join(arguments)})" if arguments else name
    if expression.startswith("?"):
        return "V_" + expression[1:]
    return expression


def _depending(clauses: Iterable[tuple[str, tuple[str, ...]]]) -> frozenset[str]:
    """The predicates that depend on what is true or done."""
    uses: dict[str, set[str]] = {}
    for head, body in clauses:
        names = {literal.removeprefix("not ").split("(")[0] for literal in body}
        uses.setdefault(head.split("(")[0], set()).update(names)
    found: set[str] = set(GIVEN)
    while grown := {name for name, used in uses.items() if used & found} - found:
        found |= grown
    return frozenset(found)


@cache
def dat_atom(symbol: clingo.Symbol) -> str:
    """An atom as the IGGP data set writes it: `legal(x, mark(1, 2))` is `legal_mark(x, 1, 2)`."""
    arguments: list[clingo.Symbol] = []
    name = symbol.name
    for argument in symbol.arguments:
        if argument.type is clingo.SymbolType.Function and argument.arguments:
            name += f"_{argument.name}"
            arguments += argument.arguments
        else:
            arguments.append(argument)
    return f"{name}({', '.join(map(str, arguments))})"


GAMES = Path(__file__).resolve().parent / "gdl"


def games() -> list[Path]:
    """The games written here, by name."""
    return sorted(GAMES.glob("*.kif"))


SHARES: Mapping[str, int] = {"train": 4, "validate": 1, "test": 1}
"""Distinct states (with moves, for `next`) go to the splits in these shares."""

Row = tuple[list[clingo.Symbol], list[clingo.Symbol]]
"""Background and positives of a state."""

PLAYS = 120
MOST_STATES = 3000


def write_tasks(name: str, rules: Rules, folder: Path, seed: int = 1) -> None:
    """Write the files of the four targets of a game: ``NAME_TARGET_SPLIT.dat``.

    States come from games played at random; they end at `PLAYS` games or `MOST_STATES` states.
    """
    rng = random.Random(f"{name} {seed}")
    states: dict[State, None] = {}
    steps: dict[tuple[State, Moves], None] = {}
    for _ in range(PLAYS):
        for state, moves in played(rules, rng):
            states[state] = None
            steps[state, moves] = None
        if len(steps) >= MOST_STATES:
            break
    true = {state: [clingo.Function("true", [fact]) for fact in state.facts] for state in states}
    rows: dict[str, list[Row]] = {
        "legal": [(true[s], [clingo.Function("legal", pair) for pair in s.legal]) for s in states],
        "goal": [(true[s], [clingo.Function("goal", pair) for pair in s.goal]) for s in states],
        "terminal": [(true[s], [clingo.Function("terminal")] * s.terminal) for s in states],
        "next": [
            (
                true[state]
                + [clingo.Function("does", pair) for pair in zip(rules.roles, moves, strict=False)],
                [clingo.Function("next", [fact]) for fact in rules.following(state, moves)],
            )
            for state, moves in steps
        ],
    }
    atoms = {
        "legal": [clingo.Function("legal", pair) for pair in rules.inputs],
        "goal": [clingo.Function("goal", [r, v]) for r in rules.roles for v in rules.values],
        "terminal": [clingo.Function("terminal")],
        "next": [clingo.Function("next", [fact]) for fact in rules.base],
    }
    statics = _section("statics", rules.statics)
    folder.mkdir(parents=True, exist_ok=True)
    for target in TARGETS:
        rng.shuffle(rows[target])
        for split, part in _splits(rows[target]).items():
            sections = [_section("atoms", atoms[target]), statics]
            for background, positives in part:
                sections.append(_section("background", background))
                sections.append(_section("positives", positives))
            text = "\n---\n\n".join(sections)
            (folder / f"{name}_{target}_{split}.dat").write_text(text, encoding="utf-8")


def _splits(rows: list[Row]) -> dict[str, list[Row]]:
    total, begun = sum(SHARES.values()), 0
    parts = {}
    for split, share in SHARES.items():
        ends = begun + share
        parts[split] = rows[len(rows) * begun // total : len(rows) * ends // total]
        begun = ends
    return parts


def _section(title: str, atoms: Iterable[clingo.Symbol]) -> str:
    return "".join([f"{title}:\n", *(f"\t{dat_atom(atom)}\n" for atom in sorted(atoms))])
