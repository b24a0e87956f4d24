"""Whether a rule is in the space that a task's modes span, and why it isn't, in their words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from clingo.ast import AST, ASTType

from grl.las.bias import allows
from grl.las.programs import statements
from grl.las.schemas import safe
from grl.las.space import choice_cost
from grl.las.syntax import check_program
from grl.las.task import Mode, Task
from grl.las.terms import (
    Anonymous,
    Atom,
    Choice,
    Comparison,
    Constant,
    Element,
    Function,
    Literal,
    Operation,
    Rule,
    Slot,
    Term,
    Variable,
    Weak,
    terms_of,
    variables,
)
from grl.las.tokens import check_text

_RELATIONS = {0: ">", 1: "<", 2: "<=", 3: ">=", 4: "!=", 5: "="}
_OPERATORS = {0: "^", 1: "?", 2: "&", 3: "+", 4: "-", 5: "*", 6: "/", 7: "\\", 8: "**"}
_UNARY = {0: "-", 1: "~", 2: "|"}
_MIRROR = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}

Types = Mapping[int, str]


@dataclass(frozen=True, slots=True)
class Membership:
    """Whether a rule is in the space; `lines` say why not, or what it costs."""

    inside: bool
    lines: tuple[str, ...]


def membership(task: Task, text: str) -> Membership:
    """Whether the rule `text` is in the space; if not, what keeps it out."""
    text = text.strip()
    text += "" if text.endswith((".", "]")) else "."
    check_text(text, None)
    check_program(text, None)
    for one in task.written:
        if str(statements(one.written or "")[0]) == str(statements(text)[0]):
            return Membership(True, (f"it is in the space, written out, and costs {one.cost}",))
    rule = read_rule(text)
    if rule is None:
        return Membership(
            False, ("modes make normal rules, constraints, choices, weak constraints",)
        )
    reasons = [*_sizes(task, rule), *_fits(task, rule)]
    if not reasons and task.bias and not allows(task, rule):
        reasons.append("#bias rules it out")
    if reasons:
        return Membership(False, tuple(reasons))
    return Membership(True, (f"it is in the space and costs {rule.cost}",))


def _all_variables(rule: Rule) -> set[int]:
    found: set[int] = set()
    for literal in (*rule.body, *_head_atoms(rule)):
        found |= variables(literal)
    return found


def _head_atoms(rule: Rule) -> list[Atom]:
    if isinstance(rule.head, Atom):
        return [rule.head]
    if isinstance(rule.head, Choice):
        return [one for e in rule.head.elements for one in (e.atom, *e.condition)]
    return []


def _sizes(task: Task, rule: Rule) -> Iterator[str]:
    limits = task.limits
    number = len(_all_variables(rule))
    if number > task.max_variables:
        yield f"it has {number} variables, #maxv allows {task.max_variables}"
    weak = isinstance(rule.head, Weak) and limits.weak is not None
    option, most = ("--max-wc-length", limits.weak or 0) if weak else ("-ml", limits.body)
    if len(rule.body) > most:
        yield f"it has {len(rule.body)} body literals, {option} allows {most}"
    length = len(rule.body) + len(_head_atoms(rule))
    if length > limits.rule and not weak:
        yield f"it has {length} literals, --max-rule-length allows {limits.rule}"
    if rule.head is None and not limits.constraints:
        yield "it is a constraint, and constraints are off"
    if isinstance(rule.head, Choice):
        if not limits.choices:
            yield "it is a choice rule, and choice rules are off"
        elements = len(rule.head.elements)
        if not task.min_head <= elements <= task.max_head:
            yield f"its head has {elements} elements, not {task.min_head} to {task.max_head}"
        if rule.head.upper > max(elements, task.max_head) or rule.head.upper < 1:
            yield f"its upper bound is not from 1 to {max(elements, task.max_head)}"
    if isinstance(rule.head, Weak):
        if not 1 <= rule.head.level <= task.levels:
            yield f"its level is {rule.head.level}, #maxp allows 1 to {task.levels}"
        weights = [str(one) for one in task.weights] or ["1", "-1"]
        if isinstance(rule.head.weight, Constant) and str(rule.head.weight) not in weights:
            yield f"its weight is {rule.head.weight}, #weight allows {', '.join(weights)}"
    opposite = {str(one.term) for one in rule.body if isinstance(one, Atom) and one.negated}
    for one in rule.body:
        if isinstance(one, Atom) and not one.negated and str(one.term) in opposite:
            yield f"it holds {one} beside its negation and can never apply"
    needed: set[int] = set()
    if isinstance(rule.head, Atom):
        needed = variables(rule.head)
    if not isinstance(rule.head, Choice) and not safe(needed, rule.body):
        yield "it is unsafe: a variable occurs in no positive body literal that binds it"


def _fits(task: Task, rule: Rule) -> Iterator[str]:
    """What no mode makes: single literals first, then their combination."""
    wanted: list[tuple[str, Literal, Sequence[Mode]]] = []
    if isinstance(rule.head, Atom):
        wanted.append(("modeh", rule.head, [replace(mode, sign=True) for mode in task.heads]))
    if isinstance(rule.head, Choice):
        for element in rule.head.elements:
            sole = [replace(mode, sign=True) for mode in task.choices]
            wanted.append(("modeha", element.atom, sole))
            wanted += [("modec", one, task.conditions) for one in element.condition]
    weak = isinstance(rule.head, Weak)
    body_modes = task.preferences if weak else task.bodies
    wanted += [("modeo" if weak else "modeb", one, body_modes) for one in rule.body]
    alone = True
    for kind, literal, modes in wanted:
        if not any(True for mode in modes for _ in fitting(task, mode, literal)):
            alone = False
            yield _unfit(task, kind, literal, modes)
    if alone and not _together(task, wanted, {}, {}):
        unbounded = [
            (kind, literal, [replace(mode, recall=None) for mode in modes])
            for kind, literal, modes in wanted
        ]
        if _together(task, unbounded, {}, {}):
            yield "it uses a mode more often than its recall allows"
        else:
            yield "a variable stands where modes want different types"


def _unfit(task: Task, kind: str, literal: Literal, modes: Sequence[Mode]) -> str:
    """Why no mode makes a literal."""
    loose = [replace(mode, sign=None) for mode in modes]
    if any(True for mode in loose for _ in fitting(task, mode, literal)):
        return f"{literal}: its mode is positive only"
    free = [replace(mode, anti_reflexive=False) for mode in loose]
    if any(True for mode in free for _ in fitting(task, mode, literal)):
        return f"{literal}: its mode is anti_reflexive"
    if isinstance(literal, Atom):
        name, arity = literal.term.name, len(literal.term.args)
        same = [
            mode
            for mode in modes
            if isinstance(mode.literal, Atom)
            and mode.literal.term.name == name
            and len(mode.literal.term.args) == arity
        ]
        if same:
            return f"{literal}: no {kind} of {name}/{arity} has these arguments, as {same[0]} has"
        return f"{literal}: there is no {kind} of {name}/{arity}"
    return f"{literal}: there is no such {kind}"


def _together(
    task: Task,
    wanted: Sequence[tuple[str, Literal, Sequence[Mode]]],
    types: Types,
    used: Mapping[tuple[str, int], int],
) -> bool:
    if not wanted:
        return True
    (kind, literal, modes), rest = wanted[0], wanted[1:]
    for number, mode in enumerate(modes):
        times = used.get((kind, number), 0)
        if mode.recall is not None and times >= mode.recall and kind != "modeh":
            continue
        for found in fitting(task, mode, literal):
            clash = any(types.get(name, found[name]) != found[name] for name in found)
            more = {**used, (kind, number): times + 1}
            if not clash and _together(task, rest, {**types, **found}, more):
                return True
    return False


def fitting(task: Task, mode: Mode, literal: Literal) -> Iterator[Types]:
    """The types of a literal's variables under a mode, where the mode makes it."""
    if isinstance(literal, Atom) != isinstance(mode.literal, Atom):
        return
    if isinstance(literal, Atom) and mode.sign is not None and literal.negated == mode.sign:
        return
    turned: list[Literal] = [literal]
    if isinstance(literal, Comparison):
        op = _MIRROR.get(literal.op, literal.op)
        turned.append(Comparison(op, literal.right, literal.left))
    for one in turned:
        if isinstance(one, Comparison) and getattr(mode.literal, "op", None) != one.op:
            continue
        found: dict[int, str] | None = {}
        pairs = zip(terms_of(mode.literal), terms_of(one), strict=True)
        names: list[int] = []
        for pattern, term in pairs:
            found = None if found is None else _unify(task, pattern, term, found, names)
        if found is not None and not (
            mode.anti_reflexive and len(names) == 2 and names[0] == names[1]
        ):
            yield found


def _unify(
    task: Task, pattern: Term, term: Term, types: dict[int, str], names: list[int]
) -> dict[int, str] | None:
    if isinstance(pattern, Slot):
        if pattern.kind == "const":
            known = {str(one) for one in task.constants.get(pattern.type, ())}
            return types if str(term) in known else None
        if not isinstance(term, Variable) or types.get(term.number, pattern.type) != pattern.type:
            return None
        names.append(term.number)
        return {**types, term.number: pattern.type}
    if isinstance(pattern, Function | Operation):
        same = type(term) is type(pattern) and len(pattern.args) == len(term.args)
        label = "name" if isinstance(pattern, Function) else "op"
        if not same or getattr(pattern, label) != getattr(term, label):
            return None
        assert isinstance(term, Function | Operation)
        found: dict[int, str] | None = types
        for one, other in zip(pattern.args, term.args, strict=True):
            found = None if found is None else _unify(task, one, other, found, names)
        return found
    return types if str(pattern) == str(term) else None


def read_rule(text: str) -> Rule | None:
    """A rule's text taken apart; None for what modes can't make."""
    parsed = statements(text)
    if len(parsed) != 1:
        return None
    (statement,) = parsed
    names: dict[str, int] = {}
    try:
        if statement.ast_type == ASTType.Minimize:
            body = tuple(_literal(one, names) for one in statement.body)
            terms = tuple(_term(one, names) for one in statement.terms)
            level = _term(statement.priority, names)
            number = level.number if isinstance(level, Constant) else None
            places = tuple(one for one in terms if isinstance(one, Variable))
            weight = _term(statement.weight, names)
            return Rule(Weak(weight, number or 0, places), body, len(body))
        if statement.ast_type != ASTType.Rule:
            return None
        head = _head(statement.head, names)
        body = tuple(_literal(one, names) for one in statement.body)
    except (LookupError, AttributeError):
        return None
    if isinstance(head, Choice):
        inside = sum(len(element.condition) for element in head.elements)
        cost = choice_cost(head.lower, len(head.elements), head.upper) + inside + len(body)
        return Rule(head, body, cost)
    return Rule(head, body, len(body) + (head is not None))


def _head(head: AST, names: dict[str, int]) -> Atom | Choice | None:
    if head.ast_type == ASTType.Literal:
        if head.atom.ast_type == ASTType.BooleanConstant:
            return None
        one = _literal(head, names)
        if not isinstance(one, Atom):
            raise LookupError
        return one
    if head.ast_type != ASTType.Aggregate:
        raise LookupError
    elements = []
    for element in head.elements:
        condition = tuple(_literal(one, names) for one in element.condition)
        atom = _literal(element.literal, names)
        if not isinstance(atom, Atom) or not all(isinstance(one, Atom) for one in condition):
            raise LookupError
        elements.append(Element(atom, tuple(one for one in condition if isinstance(one, Atom))))
    lower = _bound(head.left_guard, 0)
    return Choice(lower, tuple(elements), _bound(head.right_guard, len(elements)))


def _bound(guard: AST | None, other: int) -> int:
    if guard is None:
        return other
    number = Constant(str(guard.term)).number
    if number is None:
        raise LookupError
    return number


def _literal(literal: AST, names: dict[str, int]) -> Literal:
    if literal.ast_type != ASTType.Literal or literal.sign > 1:
        raise LookupError
    atom = literal.atom
    if atom.ast_type == ASTType.Comparison:
        (guard,) = atom.guards
        left, right = _term(atom.term, names), _term(guard.term, names)
        return Comparison(_RELATIONS[guard.comparison], left, right)
    term = _term(atom.symbol, names)
    if isinstance(term, Constant):
        term = Function(term.text, ())
    if isinstance(term, Operation) and term.op == "-":
        (inner,) = term.args
        args = inner.args if isinstance(inner, Function) else ()
        term = Function(f"-{inner.name if isinstance(inner, Function) else inner}", args)
    if not isinstance(term, Function):
        raise LookupError
    return Atom(term, bool(literal.sign))


def _term(term: AST, names: dict[str, int]) -> Term:
    kind = term.ast_type
    if kind == ASTType.Variable:
        if term.name == "_":
            return Anonymous()
        return Variable(names.setdefault(term.name, len(names) + 1))
    if kind == ASTType.SymbolicTerm:
        return Constant(str(term.symbol))
    if kind == ASTType.Function:
        args = tuple(_term(one, names) for one in term.arguments)
        return Function(term.name, args) if args or not term.name else Constant(term.name)
    if kind == ASTType.BinaryOperation:
        left, right = _term(term.left, names), _term(term.right, names)
        return Operation(_OPERATORS[term.operator_type], (left, right))
    if kind == ASTType.UnaryOperation:
        return Operation(_UNARY[term.operator_type], (_term(term.argument, names),))
    raise LookupError
