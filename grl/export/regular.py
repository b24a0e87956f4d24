"""Graphs as regular expressions, in the manner of Regular Boardgames: states go one by one."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

HOLDS, FAILS = "{$ 0 == 0}", "{$ 0 == 1}"
"""What holds everywhere, for there is no empty word, and what holds nowhere."""

Edge = tuple[Hashable, str, Hashable]


def either(parts: Iterable[str]) -> str:
    """One of some expressions; a single one stays as it is."""
    found = list(dict.fromkeys(parts))
    if not found:
        return FAILS
    return found[0] if len(found) == 1 else f"({' + '.join(found)})"


def then(*parts: str) -> str:
    """One expression after the other; what holds everywhere is left out."""
    return " ".join(part for part in parts if part and part != HOLDS) or HOLDS


def expression(edges: Iterable[Edge], start: Hashable, end: Hashable) -> str | None:
    """The words on the ways from `start` to `end`; None where there is none.

    Nothing leads to `start`, and nothing from `end`. States are eliminated, those first through
    which the fewest ways lead.
    """
    between: dict[tuple[Hashable, Hashable], str] = {}
    for source, label, target in edges:
        known = between.get((source, target))
        between[source, target] = label if known is None else either([known, label])
    order = dict.fromkeys(state for pair in between for state in pair)
    inner = [state for state in order if state not in (start, end)]
    while inner:
        state = min(inner, key=lambda one: _ways(between, one))
        inner.remove(state)
        loop = between.pop((state, state), None)
        again = "" if loop is None else f"({loop})*"
        into = [(pair[0], label) for pair, label in between.items() if pair[1] == state]
        out = [(pair[1], label) for pair, label in between.items() if pair[0] == state]
        between = {pair: label for pair, label in between.items() if state not in pair}
        for source, before in into:
            for target, after in out:
                way = then(before, again, after)
                known = between.get((source, target))
                between[source, target] = way if known is None else either([known, way])
    return between.get((start, end))


def _ways(between: dict[tuple[Hashable, Hashable], str], state: Hashable) -> int:
    into = sum(pair[1] == state for pair in between)
    return into * sum(len(label) for pair, label in between.items() if pair[0] == state)
