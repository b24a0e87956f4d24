"""Tables of integers in C."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def numbers(kind: str, name: str, values: Sequence[int]) -> str:
    """An array of integers of a kind."""
    inner = ", ".join(map(str, values))
    return f"static const {kind} {name}[{len(values)}] UNUSED = {{{inner}}};"


def written(squares: Iterable[int], size: int) -> str:
    """A set of squares as an initialiser."""
    bits = sum(1 << s for s in squares)
    words = [bits >> at & (2**64 - 1) for at in range(0, size, 64)]
    return f"SET({', '.join(f'{word:#x}ULL' for word in words)})"
