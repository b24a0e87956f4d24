"""Prefixes let go of when there are many, and made again: the same automata in less memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from learned import record

import grl
from grl.model import AutomatonKey
from grl.progress import silent
from grl.sgrl import pool
from grl.sgrl.collect import collect
from grl.sgrl.learn import cheapest
from grl.sgrl.offers import Node, OfferTree
from grl.shards import observe


def numbers(node: Node) -> Iterator[int]:
    """How many numbers a node holds, and each of those below it."""
    yield (3 + len(node.emptied)) * len(node.offer)
    for child in node.children.values():
        if child is not node.tree.nowhere:
            yield from numbers(child)


def total(trees: Mapping[AutomatonKey, OfferTree]) -> int:
    return sum(sum(numbers(tree.root)) for tree in trees.values())


@pytest.mark.parametrize("spec", ["checkers", "peg-solitaire", "nine-mens-morris"])
def test_what_is_forgotten_changes_no_automaton(
    spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    traces = grl.Traces.open(record(spec, tmp_path / "games.jsonl", 12))
    equipment = traces.header.equipment
    evidence = observe([traces], 1, silent).evidence.settled()
    found = []
    for most in (pool.MOST_NUMBERS, 0):
        monkeypatch.setattr(pool, "MOST_NUMBERS", most)
        trees = collect(evidence, equipment)
        pooled = pool.pools(trees, equipment)
        before = total(trees)
        automata = {key: cheapest(pooled[key])[:-1] for key in sorted(pooled)}
        for each in pooled.values():
            if not most:
                each.forget()
        found.append((automata, total(trees), before))
    (kept, many, _), (forgot, few, least) = found
    assert forgot == kept
    assert few <= least
    assert many > few
