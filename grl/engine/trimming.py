"""C text without what a model doesn't use: branches of ``#if`` that its constants decide,
functions, tables and macros that nothing refers to, and comments, which stand in the headers.

The parts that are the same for all models are written for all there may be. Nothing is understood
here but what these texts are like: what stands alone begins at the left margin, and ends with the
line on which its braces are closed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_WORD = re.compile(r"[A-Za-z_]\w*")
_PASTED = re.compile(r"([A-Za-z_]\w*)##")
_DEFINE = re.compile(r"#define (\w+)(\(.*?\))?(.*)")
_NAMED = re.compile(
    r"(?:static|INLINE|PLAIN|FINDS|LAST_COUNT|STATES|CHANGES|EXPORT|MANY)\b[^=;{(\[]*?(\w+)\s*[(\[={;]"
)
_TYPE = re.compile(r"(\w+)(?:\([^()]*\))?;$")
_KNOWN = re.compile(r"[\s\d()<>=!&|+-]*")

Branch = tuple[str, list[str]]


def trimmed(text: str, exported: str = "EXPORT") -> str:
    """The same program, as far as the functions rest on it that are marked with a word."""
    out: list[str] = []
    lines = (line.rstrip() for line in _COMMENT.sub("", text).split("\n"))
    _resolved([line for line in lines if line], 0, {"DEVICE": 0}, out)
    return "\n".join(_needed(out, exported)) + "\n"


# Conditions ---------------------------------------------------------------------------------------


def _resolved(lines: Sequence[str], at: int, known: dict[str, int], out: list[str]) -> int:
    """Adds lines up to the end of a branch, without branches that are never taken; the number of
    the line that ends it."""
    while at < len(lines):
        line = lines[at]
        if re.match(r"#(elif|else|endif)\b", line):
            return at
        if not re.match(r"#if", line):
            _define(line, known)
            out.append(line)
            at += 1
            continue
        kept: list[Branch] = []
        taken = False
        while not lines[at].startswith("#endif"):
            head = lines[at]
            holds = _holds(head, known)
            body: list[str] = []
            sure = holds is True and not kept
            at = _resolved(lines, at + 1, known if sure and not taken else dict(known), body)
            if not taken and holds is not False:
                kept.append((head if holds is None else "#else", body))
            taken = taken or holds is True
        at += 1
        out += _chosen(kept)
    return at


def _chosen(kept: Sequence[Branch]) -> Iterator[str]:
    """The lines of the branches that may be taken."""
    for number, (head, body) in enumerate(kept):
        if number == 0 and head == "#else":
            yield from body
            return
        yield head.replace("#elif", "#if") if number == 0 else head
        yield from body
    if kept:
        yield "#endif"


def _holds(head: str, known: Mapping[str, int]) -> bool | None:
    """Whether a condition holds; None where that isn't known here."""
    if head == "#else":
        return True
    directive, _, text = head.partition(" ")
    value = _value(text, known) if directive in ("#if", "#elif") else None
    return None if value is None else bool(value)


def _value(text: str, known: Mapping[str, int]) -> int | None:
    """The value of an expression of constants."""
    text = text.replace("defined(__CUDACC__)", "0")
    text = _WORD.sub(lambda word: str(known.get(word[0], word[0])), text).strip()
    if not text or not _KNOWN.fullmatch(text) or not re.search(r"\d", text):
        return None
    if re.search(r"\d\s*\(|\)\s*[\d(]", text):
        return None
    python = text.replace("&&", " and ").replace("||", " or ")
    python = re.sub(r"!(?!=)", " not ", python)
    try:
        return int(eval(python, {"__builtins__": {}}))
    except (SyntaxError, TypeError):
        return None


def _define(line: str, known: dict[str, int]) -> None:
    """Note a constant that a line defines."""
    found = _DEFINE.match(line)
    if found and found[2] is None:
        value = _value(found[3], known)
        if value is not None:
            known[found[1]] = value


# What is referred to ------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Item:
    """What stands alone: its lines, and the name that it gives something; none where it stays in
    any case."""

    lines: Sequence[str]
    name: str


def _items(lines: Sequence[str], exported: str) -> Iterator[_Item]:
    at = 0
    while at < len(lines):
        begun, line, name = at, lines[at], ""
        if line.startswith("#define"):
            found = _DEFINE.match(line)
            name = found[1] if found and not found[3].strip().isdigit() else ""
            while lines[at].endswith("\\"):
                at += 1
        elif not line.startswith("#"):
            depth = lines[at].count("{") - lines[at].count("}")
            while depth > 0 or not lines[at].endswith((";", "}")):
                at += 1
                depth += lines[at].count("{") - lines[at].count("}")
            text = " ".join(lines[begun : at + 1])
            found = _TYPE.search(text) if line.startswith("typedef") else _NAMED.match(text)
            name = found[1] if found and not line.startswith(f"{exported} ") else ""
        at += 1
        yield _Item(lines[begun:at], name)


def _needed(lines: Sequence[str], exported: str) -> Iterator[str]:
    """The lines of what is referred to, and of what stays in any case."""
    items = list(_items(lines, exported))
    named: dict[str, list[_Item]] = {}
    for item in items:
        named.setdefault(item.name, []).append(item)
    waiting, met = list(named.get("", ())), {""}
    while waiting:
        text = "\n".join(waiting.pop().lines)
        words = set(_WORD.findall(text))
        for prefix in set(_PASTED.findall(text)):
            words |= {name for name in named if name.startswith(prefix)}
        for word in words & named.keys() - met:
            met.add(word)
            waiting += named[word]
    for item in items:
        if item.name in met:
            yield from item.lines
