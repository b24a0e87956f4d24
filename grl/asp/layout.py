"""The layout of programs: facts side by side, and rules on lines that are not too long."""

from __future__ import annotations

from collections.abc import Iterable

WIDTH = 96


def filled(facts: Iterable[str]) -> list[str]:
    """Facts on lines of up to `WIDTH` characters."""
    lines: list[str] = []
    for fact in facts:
        if lines and len(lines[-1]) + len(fact) < WIDTH:
            lines[-1] += f" {fact}"
        else:
            lines.append(fact)
    return lines


def wrapped(line: str, width: int = WIDTH) -> str:
    """A rule on lines that are not too long, broken between literals."""
    if len(line) <= width or line.startswith("%"):
        return line
    parts, depth, start = [], 0, 0
    for at, character in enumerate(line):
        depth += {"(": 1, ")": -1, "{": 1, "}": -1}.get(character, 0)
        if depth == 0 and line[at : at + 2] == ", ":
            parts.append(line[start : at + 1])
            start = at + 2
    parts.append(line[start:])
    lines = [parts[0]]
    for part in parts[1:]:
        if len(lines[-1]) + len(part) < width:
            lines[-1] += f" {part}"
        else:
            lines.append(f"    {part}")
    return "\n".join(lines)
