"""Tables of integers in C."""

from __future__ import annotations

from collections.abc import Sequence


def numbers(kind: str, name: str, values: Sequence[int]) -> str:
    """An array of integers of a kind."""
    inner = ", ".join(map(str, values))
    return f"static const {kind} {name}[{len(values)}] UNUSED = {{{inner}}};"
