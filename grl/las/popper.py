"""Tasks in Popper's format: ``bias.pl``, ``bk.pl`` and ``exs.pl`` of a folder, read and written.

Popper learns definite programs: ``head_pred`` and ``body_pred`` are modes of positive literals,
the positive examples have to follow and the negative ones must not. As a task of ours that is one
example. The background has to be a program of clingo once ``\\+`` is ``not``: facts, rules and
arithmetic, but no lists and no built-in predicates of Prolog.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import clingo

from grl.errors import Place
from grl.las.clock import grounded
from grl.las.syntax import parse, read_text
from grl.las.task import Limits, Mode, Task, TaskError
from grl.las.terms import Atom, Slot
from grl.las.tokens import check_text

FILES = ("bk.pl", "bias.pl", "exs.pl")
VARIABLES, BODY = 6, 6
"""What Popper takes where a bias does not say."""
ANY = "any"
_OPERATORS = (
    ("\\+", "not "),
    ("=\\=", "!="),
    ("\\==", "!="),
    ("\\=", "!="),
    ("=:=", "="),
    ("=<", "<="),
    (" is ", " = "),
)
_PLAIN = re.compile(r"[a-z][A-Za-z0-9_]*")


def read_popper(folder: Path) -> Task:
    """The task in a folder. Raises `TaskError` where something in it has no counterpart here."""
    background, bias, examples = (_program(folder / name) for name in FILES)
    said = _atoms(bias, folder / "bias.pl")
    for name in ("enable_pi", "non_magic", "enable_bagof"):
        if name in said:
            raise TaskError(f"{name} has no counterpart", place=Place(file=str(folder / "bias.pl")))
    lines = [background, *_modes(said, folder / "bias.pl")]
    lines.append(f"#maxv({_number(said, 'max_vars', VARIABLES)}).")
    labels = _atoms(examples, folder / "exs.pl")
    holds, fails = (
        ",".join(str(one.arguments[0]) for one in labels.get(name, ())) for name in ("pos", "neg")
    )
    if not holds:
        raise TaskError("there are no positive examples", place=Place(file=str(folder / "exs.pl")))
    lines.append(f"#pos(examples,{{{holds}}},{{{fails}}}).")
    body = _number(said, "max_body", BODY)
    limits = Limits(body=body, rule=body + 1, constraints=False)
    return parse("\n".join(lines), file=str(folder), limits=limits)


def _program(path: Path) -> str:
    """The clauses of a file of Prolog as clingo writes them, line by line."""
    text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m.group().count("\n"), read_text(path), flags=re.S)
    lines = (re.sub(r"%.*", "", line) for line in text.splitlines())
    kept = "\n".join("" if line.lstrip().startswith(":-") else line for line in lines)
    for prolog, ours in _OPERATORS:
        kept = kept.replace(prolog, ours)
    check_text(kept, str(path))
    return kept


def _atoms(program: str, path: Path) -> Mapping[str, list[clingo.Symbol]]:
    try:
        ctl = grounded(program)
    except TaskError as error:
        raise error.at(file=str(path)) from None
    found: dict[str, list[clingo.Symbol]] = {}
    for atom in ctl.symbolic_atoms:
        found.setdefault(atom.symbol.name, []).append(atom.symbol)
    return found


def _number(said: Mapping[str, list[clingo.Symbol]], name: str, other: int) -> int:
    return said[name][0].arguments[0].number if name in said else other


def _modes(said: Mapping[str, list[clingo.Symbol]], path: Path) -> Iterator[str]:
    types = {}
    for one in said.get("type", ()):
        name, places = one.arguments
        names = [str(place) for place in places.arguments] if not places.name else [str(places)]
        types[str(name), len(names)] = names
    if "head_pred" not in said:
        raise TaskError("there is no head_pred", place=Place(file=str(path)))
    for kind, directive in (("head_pred", "modeh"), ("body_pred", "modeb")):
        for one in said.get(kind, ()):
            yield _mode(directive, one, types)
    if "enable_recursion" in said:
        for one in said["head_pred"]:
            yield _mode("modeb", one, types)


def _mode(directive: str, one: clingo.Symbol, types: Mapping[tuple[str, int], list[str]]) -> str:
    name, arity = str(one.arguments[0]), one.arguments[1].number
    places = ",".join(f"var({kind})" for kind in types.get((name, arity), [ANY] * arity))
    option = "" if directive == "modeh" else ",(positive)"
    return f"#{directive}({name}{f'({places})' if places else ''}{option})."


def popper_files(task: Task) -> dict[str, str]:
    """A task as the three files of Popper, by name.

    Raises `TaskError` for what Popper has not: negated literals, constants, contexts, penalties,
    negative examples that several atoms make up, rules other than normal ones.
    """
    others = (task.choices, task.conditions, task.preferences, task.orderings, task.written)
    if any(others) or task.bias or not task.heads:
        raise TaskError("Popper learns definite rules from modes alone")
    heads = [_declared(mode, head=True) for mode in task.heads]
    bodies = [_declared(mode, head=False) for mode in task.bodies]
    names = {name for name, _, _ in heads}
    bias = [f"head_pred({name},{len(types)})." for name, types, _ in heads]
    bias += [f"body_pred({name},{len(types)})." for name, types, _ in bodies if name not in names]
    bias += ["enable_recursion."] if any(name in names for name, _, _ in bodies) else []
    for name, types, _ in dict.fromkeys((*heads, *bodies)):
        bias += [f"type({name},({','.join(types)}{',' * (len(types) == 1)}))."] if types else []
    bias += [f"max_vars({task.max_variables}).", f"max_body({task.limits.body})."]
    labels = []
    for example in task.examples:
        if example.context or example.penalty is not None:
            raise TaskError(f"example {example.name} has a context or a penalty")
        if example.positive:
            labels += [f"pos({atom})." for atom in example.inclusions]
            labels += [f"neg({atom})." for atom in example.exclusions]
        elif len(example.inclusions) == 1 and not example.exclusions:
            labels.append(f"neg({example.inclusions[0]}).")
        else:
            raise TaskError(f"example {example.name} is about several atoms together")
    background = re.sub(r"\bnot ", r"\\+ ", task.background).replace(";", ",")
    lines = [line for line in background.splitlines() if line.strip()]
    texts = (lines, list(dict.fromkeys(bias)), labels)
    return {name: "\n".join([*some, ""]) for name, some in zip(FILES, texts, strict=True)}


def _declared(mode: Mode, *, head: bool) -> tuple[str, tuple[str, ...], bool]:
    literal = mode.literal
    if not isinstance(literal, Atom) or (mode.sign is not True and not head):
        raise TaskError(f"{mode}: Popper has positive atoms alone", hint="say (positive)")
    types = []
    for place in literal.term.args:
        if not isinstance(place, Slot) or place.kind != "var":
            raise TaskError(f"{mode}: Popper has variables alone as arguments")
        types.append(place.type)
    if not _PLAIN.fullmatch(literal.term.name):
        raise TaskError(f"{mode}: not a name in Prolog")
    return literal.term.name, tuple(types), head
