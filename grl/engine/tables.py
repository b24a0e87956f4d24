"""Tables of integers in C, and texts in C that stand in files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import resources


def numbers(kind: str, name: str, values: Sequence[int]) -> str:
    """An array of integers of a kind."""
    inner = ", ".join(map(str, values))
    return f"static const {kind} {name}[{len(values)}] UNUSED = {{{inner}}};"


def records(kind: str, name: str, rows: Iterable[Iterable[object]]) -> str:
    """An array of structures, by the values of their fields."""
    inner = ", ".join(f"{{{', '.join(map(str, row))}}}" for row in rows)
    return f"static const {kind} {name}[] UNUSED = {{{inner or '{0}'}}};"


def pointers(kind: str, name: str, tables: Iterable[str]) -> str:
    """An array of tables of integers of a kind."""
    return f"static const {kind} *const {name}[] UNUSED = {{{', '.join(tables)}}};"


def header(package: str, name: str) -> str:
    """The text of a file of a package."""
    return resources.files(package).joinpath(name).read_text(encoding="utf-8")
