"""Reads a task file: ILASP's directives are taken apart, everything else is left to clingo.

The background is the text of the file with the directives blanked out, so that the places which
clingo reports are places in the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from difflib import get_close_matches
from itertools import count
from pathlib import Path
from typing import Any

import clingo
import clingo.ast

from grl.errors import Place
from grl.inputs import read_bounded
from grl.las.characters import stray_character
from grl.las.expressions import Expressions
from grl.las.task import Example, Limits, Mode, Ordering, Task, TaskError
from grl.las.terms import Aggregate, Anonymous, Atom, Constant, Rule, Slot, Term, leaves, terms_of
from grl.las.tokens import FILES, Token, check_text, problem

DEFAULTS = Limits()
NUMBERS = {
    "#maxv": "max_variables",
    "#maxp": "levels",
    "#max_penalty": "max_penalty",
    "#minhl": "min_head",
    "#maxhl": "max_head",
}
MODES = {
    "#modeh": "heads",
    "#modeb": "bodies",
    "#modeha": "choices",
    "#modec": "conditions",
    "#modeo": "preferences",
}
DIRECTIVES = frozenset(
    {
        *NUMBERS,
        *MODES,
        "#pos",
        "#neg",
        "#brave_ordering",
        "#cautious_ordering",
        "#constant",
        "#weight",
        "#bias",
        "#final_bias",
        "#disallow_multiple_head_variables",
    }
)
OPTIONS = ("positive", "anti_reflexive", "symmetric")
CLINGO = frozenset(
    {"#const", "#count", "#defined", "#edge", "#end", "#external", "#false", "#heuristic"}
    | {"#include", "#inf", "#infimum", "#max", "#maximise", "#maximize", "#min", "#minimise"}
    | {"#minimize", "#program", "#project", "#script", "#show", "#sum", "#sup", "#supremum"}
    | {"#theory", "#true"}
)
"""What a statement of clingo may begin with, beside names and variables."""
MOST_BYTES = 64 << 20
"""A task of more is no task that anybody wrote."""
MOST_VALUES = 1_000_000
"""Constants that one interval may stand for."""


def read(path: Path, *, limits: Limits = DEFAULTS, allow_files: bool = False) -> Task:
    """The task in a file; ``-`` is no special name."""
    return parse(read_text(path), file=str(path), limits=limits, allow_files=allow_files)


def read_text(path: Path) -> str:
    """The text of a file. Raises `TaskError` where it isn't UTF-8, or has over `MOST_BYTES`."""
    data = read_bounded(path, MOST_BYTES)
    if len(data) > MOST_BYTES:
        raise TaskError(
            "the file is too large",
            place=Place(file=str(path)),
            expected=f"at most {MOST_BYTES:,} bytes",
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise TaskError(
            f"byte {error.start} is not UTF-8", place=Place(file=str(path)), expected="UTF-8"
        ) from None


def parse(
    text: str, *, file: str | None = None, limits: Limits = DEFAULTS, allow_files: bool = False
) -> Task:
    """The task in a text; errors name the line and the column."""
    return _Parser(text, file, allow_files).task(limits)


class _Parser(Expressions):
    def __init__(self, text: str, file: str | None, allow_files: bool) -> None:
        super().__init__(text, file)
        self._allow_files = allow_files
        self._blanked: list[tuple[int, int]] = []
        self._examples: list[Example] = []
        self._orderings: list[Ordering] = []
        self._modes: dict[str, list[Mode]] = {name: [] for name in MODES.values()}
        self._constants: dict[str, list[Term]] = {}
        self._weights: list[Term] = []
        self._written: list[Rule] = []
        self._bias: list[str] = []
        self._numbers: dict[str, int] = {}
        self._one_head_variable = False
        self._unnamed = count(1)
        self._extended = False
        self._contexts: set[str] = set()
        self._notes: list[str] = []

    def task(self, limits: Limits) -> Task:
        self._extended = limits.extended
        while self.peek.kind != "end":
            begin = self.peek
            if begin.text in DIRECTIVES:
                self._directive(self.take())
                self._blanked.append((begin.start, self._last.end))
            elif begin.kind == "number" and self.ahead(1).text == "~":
                self._rule()
                self._blanked.append((begin.start, self._last.end))
            else:
                self._background(begin)
        background = self._without_directives()
        check_program(background, self.file)
        self._check()
        if any(re.search(r"\bpenalty\s*\(", one) for one in self._bias):
            # In FastLAS a mode without a sign is of positive literals alone.
            signs = (True if one.sign is None else one.sign for one in self._modes["bodies"])
            modes = zip(self._modes["bodies"], signs, strict=True)
            self._modes["bodies"] = [replace(one, sign=sign) for one, sign in modes]
        grouped: dict[str, Any] = {name: tuple(modes) for name, modes in self._modes.items()}
        return Task(
            background=background if background.strip() else "",
            examples=tuple(self._examples),
            orderings=tuple(self._orderings),
            constants={name: tuple(values) for name, values in self._constants.items()},
            weights=tuple(self._weights),
            written=tuple(self._written),
            bias="\n".join(self._bias),
            one_head_variable=self._one_head_variable,
            limits=limits,
            notes=tuple(dict.fromkeys(self._notes)),
            **grouped,
            **self._numbers,  # type: ignore[arg-type]
        )

    def _without_directives(self) -> str:
        text = self.text
        pieces, at = [], 0
        for start, end in self._blanked:
            pieces += [text[at:start], re.sub(r"[^\n]", " ", text[start:end])]
            at = end
        return "".join([*pieces, text[at:]])

    def _background(self, begin: Token) -> None:
        if begin.text in FILES and not self._allow_files:
            raise self.error(
                f"{begin.text} reaches outside the task", begin, hint="allow it with --allow-files"
            )
        if begin.kind == "directive" and begin.text not in CLINGO:
            near = get_close_matches(begin.text, sorted(DIRECTIVES | CLINGO), 1)
            raise self.error(
                "unknown directive",
                begin,
                found=begin.text,
                hint=f"is it {near[0]}?" if near else None,
            )
        closing = "#end" if begin.text == "#script" else None
        if closing:
            while self.peek.text != closing and self.peek.kind != "end":
                self.take()
        while self.peek.text != ".":
            if self.peek.kind == "end":
                raise self.error("a statement is not ended", begin, expected="a full stop")
            if self.peek.text in DIRECTIVES:
                raise self.error(
                    "a statement begins inside another", self.peek, expected="a full stop before it"
                )
            self.take()
        self.take()
        if begin.text == ":~" and self.peek.text == "[":
            while self.take().text != "]":
                if self.peek.kind == "end":
                    raise self.error("a weak constraint is not ended", begin, expected="]")

    def _directive(self, name: Token) -> None:
        word = name.text
        if word == "#disallow_multiple_head_variables":
            self._one_head_variable = True
            self.expect(".")
            return
        self.expect("(")
        if word in MODES:
            self._modes[MODES[word]].append(self._mode(word, name))
        elif word in NUMBERS:
            self._numbers[NUMBERS[word]] = self.number()
        elif word in ("#pos", "#neg"):
            self._examples.append(self._example(word == "#pos", name))
        elif word in ("#brave_ordering", "#cautious_ordering"):
            self._orderings.append(self._ordering(word == "#brave_ordering", name))
        elif word == "#constant":
            self._constant()
        elif word == "#weight":
            self._weights.append(self.term())
        elif word in ("#bias", "#final_bias"):
            self._bias.append(self._quoted())
        self.expect(")")
        self.expect(".")

    def _quoted(self) -> str:
        token = self.take()
        if token.kind != "string":
            raise self.error("not a program in quotes", token, expected='"…"')
        text = token.text[1:-1].replace('\\"', '"').replace("\\n", "\n").replace("\\\\", "\\")
        try:
            check_text(text, None, allow_files=self._allow_files)
        except TaskError as error:
            raise TaskError(
                f"in the program in quotes, line {error.place.line}, {error.message}",
                place=Place(file=self.file, line=token.line),
                expected=error.expected,
                found=error.found,
            ) from None
        check_program(text, self.file, line=token.line)
        return text

    def _constant(self) -> None:
        at = self.peek
        named = self.term()
        if not isinstance(named, Constant):
            raise self.error("not the name of a type", at, found=str(named))
        kind = str(named)
        self.expect(",")
        value = self.term()
        if self.peek.text == "..":
            self.take()
            low, high = _integer(value), _integer(self.term())
            if low is None or high is None:
                raise self.error("not an interval of integers", self._last)
            if high - low >= MOST_VALUES:
                raise self.error(
                    "the interval is too long",
                    self._last,
                    expected=f"at most {MOST_VALUES:,} values",
                    found=f"{high - low + 1:,}",
                )
            values: list[Term] = [Constant(str(number)) for number in range(low, high + 1)]
        else:
            values = [value]
        known = self._constants.setdefault(kind, [])
        known += [one for one in values if one not in known]

    def _mode(self, word: str, name: Token) -> Mode:
        recall: int | None = None
        if self.peek.kind == "number" and self.ahead(1).text == ",":
            recall = self.number()
            self.take()
        elif self.peek.text == "*" and self.ahead(1).text == ",":
            self.take()
            self.take()
        at = self.peek
        literal = self.literal(slots=True)
        if word in ("#modeh", "#modeha") and (not isinstance(literal, Atom) or literal.negated):
            raise self.error("not a head", at, expected="an atom")
        if isinstance(literal, Aggregate) and not self._extended:
            raise self.error("ILASP has no aggregates in modes", at, hint="allow with --extended")
        if isinstance(literal, Aggregate) and word not in ("#modeb", "#modeo"):
            raise self.error("an aggregate stands in bodies only", at, expected="an atom")
        flags: dict[str, Any] = {}
        if self.peek.text == ",":
            self.take()
            self.expect("(")
            while True:
                option = self.take()
                if option.text not in OPTIONS:
                    raise self.error(
                        "unknown option", option, expected=", ".join(OPTIONS), found=option.text
                    )
                flags[option.text] = True
                if self.peek.text != ",":
                    break
                self.take()
            self.expect(")")
        positive = flags.pop("positive", False)
        sign = True if positive or not isinstance(literal, Atom) else None
        if isinstance(literal, Atom) and literal.negated:
            literal, sign = Atom(literal.term), False
        return Mode(literal, recall, sign, line=name.line, **flags)

    def _identifier(self, prefix: str) -> tuple[str, int | None]:
        """A name with or without ``@penalty``; a fresh name where the file gives none."""
        label: str | None = None
        penalty: int | None = None
        if self.peek.kind in ("name", "number", "string"):
            label = self.take().text
        if self.peek.text == "@":
            self.take()
            penalty = self.number()
        return label or f"{prefix}{next(self._unnamed)}", penalty

    def _example(self, positive: bool, name: Token) -> Example:
        label, penalty = "", None
        if self.peek.text != "{":
            label, penalty = self._identifier("example_")
            self.expect(",")
        inclusions = self._atoms()
        exclusions: tuple[str, ...] = ()
        context = ""
        if self.peek.text == ",":
            self.take()
            exclusions = self._atoms()
        if self.peek.text == ",":
            self.take()
            context = self._context()
        label = label or f"example_{next(self._unnamed)}"
        return Example(label, positive, inclusions, exclusions, context, penalty, name.line)

    def _atoms(self) -> tuple[str, ...]:
        self.expect("{")
        found: list[str] = []
        while self.peek.text != "}":
            at = self.peek
            text = str(self.term())
            try:
                symbol = clingo.parse_term(text)
            except RuntimeError:
                raise self.error("not a ground atom", at, found=text) from None
            if symbol.type != clingo.SymbolType.Function or not symbol.name:
                raise self.error("not a ground atom", at, found=text)
            found.append(str(symbol))
            if self.peek.text not in (",", ";"):
                break
            self.take()
            if self.peek.text == "}":
                raise self.error("an atom is missing", self.peek, expected="an atom", found="}")
        self.expect("}")
        return tuple(dict.fromkeys(found))

    def _context(self) -> str:
        opening = self.expect("{")
        depth = 1
        while depth:
            token = self.take()
            if token.kind == "end":
                raise self.error("a context is not ended", opening, expected="}")
            if token.text in FILES and not self._allow_files:
                raise self.error(f"{token.text} reaches outside the task", token)
            depth += (token.text == "{") - (token.text == "}")
        text = self.text[opening.end : self._last.start]
        bare = re.sub(r"%[^\n]*", "", text).strip()
        if bare and bare[-1] not in ".]":
            text += "."
        if text not in self._contexts:
            self._contexts.add(text)
            check_program(text, self.file, line=opening.line, column=opening.column + 1)
        return text if bare else ""

    def _ordering(self, brave: bool, name: Token) -> Ordering:
        arguments: list[tuple[str, int | None]] = []
        op = "<"
        while True:
            if self.peek.text in ("<", ">", "<=", ">=", "=", "!=", "==", "<>"):
                op = {"==": "=", "<>": "!="}.get(self.peek.text, self.peek.text)
                self.take()
                break
            at = self.peek
            if at.kind not in ("name", "number", "string"):
                raise self.error("not the name of an example", at, found=at.text)
            arguments.append(self._identifier("order_"))
            if self.peek.text != ",":
                break
            self.take()
        if len(arguments) == 2:
            arguments.insert(0, (f"order_{next(self._unnamed)}", None))
        if len(arguments) != 3:
            raise self.error("an ordering compares two examples", name)
        (label, penalty), (first, _), (second, _) = arguments
        return Ordering(label, brave, first, second, op, penalty, name.line)

    def _rule(self) -> None:
        cost = self.number()
        self.take()
        begin = self.peek
        self._background(begin)
        text = " ".join(self.text[begin.start : self._last.end].split())
        check_program(text, self.file, line=begin.line, column=begin.column)
        self._written.append(Rule(None, (), cost, text))

    def _check(self) -> None:
        names: set[str] = set()
        for example in self._examples:
            if example.name in names:
                raise TaskError(
                    f"two examples are called {example.name}",
                    place=Place(file=self.file, line=example.line),
                )
            names.add(example.name)
        for order in self._orderings:
            for one in (order.first, order.second):
                if one not in names:
                    raise TaskError(
                        f"no example is called {one}",
                        place=Place(file=self.file, line=order.line),
                        hint="an ordering compares examples that have names",
                    )
        for group in self._modes.values():
            for mode in group:
                self._check_mode(mode)

    def _check_mode(self, mode: Mode) -> None:
        for leaf in (leaf for term in terms_of(mode.literal) for leaf in leaves(term)):
            if isinstance(leaf, Slot) and leaf.kind == "const" and leaf.type not in self._constants:
                self._notes.append(
                    f"line {mode.line}: type {leaf.type} has no constants, so that no literal is "
                    f"made of {mode} (#constant({leaf.type}, …) declares them)"
                )
        head = mode in self._modes["heads"] or mode in self._modes["choices"]
        if head and any(
            isinstance(leaf, Anonymous) for term in terms_of(mode.literal) for leaf in leaves(term)
        ):
            raise TaskError(
                "a head holds no anonymous variable", place=Place(file=self.file, line=mode.line)
            )


def _integer(term: Term) -> int | None:
    try:
        symbol = clingo.parse_term(str(term))
    except RuntimeError:
        return None
    return symbol.number if symbol.type == clingo.SymbolType.Number else None


def check_program(text: str, file: str | None, *, line: int = 1, column: int = 1) -> None:
    """Raises a `TaskError` with the place where clingo can't read `text`."""
    stray = stray_character(text)
    if stray is not None:
        row = text.count("\n", 0, stray)
        at = stray - text.rfind("\n", 0, stray) + (column - 1 if row == 0 else 0)
        raise problem(f"unexpected character {text[stray]!a}", file, line + row, at)
    said: list[str] = []

    def listen(_code: clingo.MessageCode, message: str) -> None:
        said.append(message)

    ignore: Callable[[Any], None] = lambda _statement: None  # noqa: E731
    padded = "\n" * (line - 1) + " " * (column - 1) + text
    try:
        clingo.ast.parse_string(padded, ignore, logger=listen)
    except RuntimeError:
        match = re.search(r":(\d+):(\d+)(?:-[\d:]+)?: error: (.*)", said[0] if said else "", re.S)
        if match is None:
            raise TaskError("clingo can't read this", place=Place(file=file, line=line)) from None
        what = " ".join(match.group(3).split())
        raise problem(what, file, int(match.group(1)), int(match.group(2))) from None
