"""The files of the IGGP data set: a target's candidate atoms, statics, and states with positives.

A file holds sections that begin with ``atoms:``, ``statics:``, ``background:`` and ``positives:``,
one atom a line, with ``---`` between sections. A state is a background section and the positives
section that follows it. The candidates of every state are the atoms of the file; those of them
that are not listed as positives of a state are negatives there. A listed positive that is no
candidate becomes one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grl.errors import IggpError
from grl.inputs import read_bounded

_NAME = re.compile(r"_*[a-z][A-Za-z0-9_']*")
_CONSTANT = re.compile(r"""_*[a-z][A-Za-z0-9_']*|0|-?[1-9][0-9]*|"(?:[^"\\\n]|\\["\\n])*\"""")
_PUNCTUATION = re.compile(r"\s*([(),])\s*")
_SECTIONS = ("atoms", "statics", "background", "positives")
_DEEPEST = 64
_LARGEST = 2**31 - 1
"""The largest integer of clingo, which reads what is larger as another one."""
_MOST_BYTES = 1 << 30


@dataclass(frozen=True, slots=True, order=True)
class Atom:
    """A ground atom; `arguments` are constants as ASP writes them."""

    predicate: str
    arguments: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.predicate}({','.join(self.arguments)})" if self.arguments else self.predicate

    @property
    def signature(self) -> tuple[str, int]:
        return self.predicate, len(self.arguments)


@dataclass(frozen=True, slots=True)
class State:
    """What is true in one state, and which candidates the target makes true there."""

    background: tuple[Atom, ...]
    positives: frozenset[Atom]


@dataclass(frozen=True, slots=True)
class Task:
    """One file: the candidates in the file's order, without repetitions."""

    atoms: tuple[Atom, ...]
    statics: tuple[Atom, ...]
    states: tuple[State, ...]


def read_task(path: str | Path) -> Task:
    """The task in a file; raises `IggpError` with the line of whatever breaks the format."""
    try:
        data = read_bounded(path, _MOST_BYTES)
        if len(data) > _MOST_BYTES:
            raise IggpError("the file is too large", expected=f"at most {_MOST_BYTES:,} bytes").at(
                file=str(path)
            )
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise IggpError("not a text in UTF-8").at(file=str(path), line=line) from None
    try:
        return parse_task(text)
    except IggpError as error:
        raise error.at(file=str(path)) from None


def parse_task(text: str) -> Task:
    """The task in a text; raises `IggpError` with a line number."""
    atoms: dict[Atom, None] = {}
    statics: dict[Atom, None] = {}
    states: list[State] = []
    background: dict[Atom, None] | None = None
    last = 0
    seen = False
    for number, section, content in _sections(text):
        last = number
        if section == "atoms":
            seen = True
            atoms.update(content)
        elif section == "statics":
            statics.update(content)
        elif section == "background":
            if background is not None:
                raise _at(number, "a state without positives", "a section positives: before it")
            background = content
        else:
            if background is None:
                raise _at(number, "positives without a state", "a section background: before them")
            states.append(State(tuple(background), frozenset(content)))
            atoms.update((atom, None) for atom in content)
            background = None
    if background is not None:
        raise _at(last, "the last state has no positives", "a section positives: after it")
    if not seen:
        raise _at(1, "no candidate atoms", "a section atoms:")
    if not states:
        raise _at(max(last, 1), "no states", "sections background: and positives:")
    return Task(tuple(atoms), tuple(statics), tuple(states))


def _sections(text: str) -> Iterator[tuple[int, str, dict[Atom, None]]]:
    name, begun = "", 0
    content: dict[Atom, None] = {}
    known_atoms: dict[str, Atom] = {}
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.strip()
        if not line or line == "---":
            continue
        if line.endswith(":"):
            if line[:-1] not in _SECTIONS:
                expected = " or ".join(f"{known}:" for known in _SECTIONS)
                raise _at(number, "unknown section", expected, line)
            if name:
                yield begun, name, content
            name, begun, content = line[:-1], number, {}
        elif not name:
            raise _at(number, "a line outside of every section", "a section such as atoms:", line)
        else:
            if line not in known_atoms:
                try:
                    known_atoms[line] = parse_atom(line)
                except IggpError as error:
                    raise error.at(line=number) from None
            content[known_atoms[line]] = None
    if name:
        yield begun, name, content


def _at(line: int, message: str, expected: str, found: str | None = None) -> IggpError:
    return IggpError(message, expected=expected, found=found and found[:80]).at(line=line)


def parse_atom(text: str) -> Atom:
    """An atom such as ``cell(1, 2, b)`` or ``terminal()``, with or without a full stop."""
    match = _NAME.match(text)
    rest = text[match.end() :].strip().removesuffix(".").strip() if match else ""
    if match is None or not (rest == "" or (rest[0] == "(" and rest[-1] == ")")):
        raise IggpError("not an atom", expected="an atom such as cell(1, 2, b)", found=text[:80])
    inside = rest[1:-1].strip()
    return Atom(match.group(), _arguments(inside, text) if inside else ())


def _arguments(inside: str, text: str) -> tuple[str, ...]:
    parts: list[str] = []
    at, depth, part, open_slot = 0, 0, "", True
    while at < len(inside):
        mark = _PUNCTUATION.match(inside, at)
        if mark is None:
            constant = _CONSTANT.match(inside, at)
            if constant is None or not open_slot:
                break
            _check_number(constant.group())
            part += constant.group()
            at, open_slot = constant.end(), False
            continue
        at = mark.end()
        sign = mark.group(1)
        if sign == "(" and part and part[-1] not in "(,":
            depth, open_slot = depth + 1, True
            part += sign
        elif sign == ")" and depth and not open_slot:
            depth -= 1
            part += sign
        elif sign == "," and not open_slot:
            open_slot = True
            if depth:
                part += sign
            else:
                parts.append(part)
                part = ""
        else:
            break
        if depth > _DEEPEST:
            break
    else:
        if depth == 0 and not open_slot:
            return (*parts, part)
    raise IggpError(
        "not a list of constants", expected="constants of ASP with commas between", found=text[:80]
    )


def _check_number(text: str) -> None:
    digits = text.removeprefix("-")
    if digits.isdigit() and (len(digits) > 10 or int(digits) > _LARGEST):
        raise IggpError("the number is too large", expected=f"at most {_LARGEST}", found=text[:40])
