"""Small deterministic automata under construction: k-testable candidates, merging, minimal form.

Here words carry their marks, so there is one final state, `FINAL`, and acceptance is a
transition. `to_dfa` turns that into the model's form, where states accept.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import log2

from grl.model import AutomatonKey, Dfa, StateId
from grl.sgrl.words import END, NEXT, Word
from grl.turn import Letter

FINAL = -1
START = 0

Delta = dict[int, dict[Letter, int]]


@dataclass(frozen=True)
class Automaton:
    """A partial DFA over letters and marks: states from 0, the start, and `FINAL`.

    Made by `canonical`, so states are numbered breadth first and equal languages are equal.
    """

    delta: tuple[tuple[tuple[Letter, int], ...], ...]

    @property
    def size(self) -> int:
        """The number of states, `FINAL` apart."""
        return len(self.delta)

    def bits(self, alphabet: int) -> float:
        """The length of a plain description: for each transition its letter and its target."""
        per_transition = log2(self.size + 1) + log2(max(alphabet, 2))
        return self.size + sum(len(row) for row in self.delta) * per_transition


def canonical(delta: Delta) -> Automaton:
    """The minimal automaton of the language of `delta`, whose states all lead to `FINAL`."""
    states = sorted(delta)
    number = {state: i for i, state in enumerate(states)}
    number[FINAL] = len(states)
    moves = [{x: number[t] for x, t in delta[state].items()} for state in states]
    moves.append({})
    labels = [""] * len(states) + ["final"]
    rows, of = _minimal(moves, labels, number[START])
    final = of.get(number[FINAL])
    order = [b for b in range(len(rows)) if b != final]
    renumbered = {b: i for i, b in enumerate(order)}
    return Automaton(
        tuple(
            tuple((x, FINAL if t == final else renumbered[t]) for x, t in sorted(rows[b].items()))
            for b in order
        )
    )


def _minimal(
    moves: list[dict[Letter, int]], labels: list[str], start: int
) -> tuple[list[dict[Letter, int]], dict[int, int]]:
    """Moore's partition refinement: the rows of the minimal automaton, and states to its states.

    Only what `start` reaches is kept, numbered breadth first with letters in order.
    """
    names = sorted(set(labels))
    block = [names.index(label) for label in labels]
    while True:
        signatures: dict[tuple[object, ...], int] = {}
        refined = [
            signatures.setdefault(
                (block[s], tuple(sorted((x, block[t]) for x, t in row.items()))), len(signatures)
            )
            for s, row in enumerate(moves)
        ]
        stable = len(signatures) == len(set(block))
        block = refined
        if stable:
            break
    member = {b: s for s, b in enumerate(block)}
    order, number = [block[start]], {block[start]: 0}
    for b in order:
        for _, t in sorted(moves[member[b]].items()):
            if block[t] not in number:
                number[block[t]] = len(order)
                order.append(block[t])
    rows = [{x: number[block[t]] for x, t in moves[member[b]].items()} for b in order]
    return rows, {s: number[b] for s, b in enumerate(block) if b in number}


def k_testable(words: Iterable[Word], k: int) -> Automaton:
    """The smallest k-testable language in the strict sense that holds `words`.

    A state remembers the last k-1 letters, the beginning of the word included.
    """
    number: dict[tuple[Letter, ...], int] = {(): START}
    delta: Delta = {START: {}}
    begin = Letter(0, 0, "^")
    for word in words:
        context: tuple[Letter, ...] = (begin,)
        state = START
        for letter in word[:-1]:
            context = (*context, letter)[-(k - 1) :] if k > 1 else ()
            target = number.setdefault(context, len(number))
            delta.setdefault(target, {})
            delta[state][letter] = target
            state = target
        delta[state][word[-1]] = FINAL
    return canonical(delta)


def merged(automaton: Automaton, keep: int, drop: int) -> Automaton | None:
    """The automaton with two states made one, and whatever that forces; None if `FINAL` is hit."""
    parent = list(range(automaton.size))

    def find(state: int) -> int:
        while parent[state] != state:
            parent[state] = parent[parent[state]]
            state = parent[state]
        return state

    rows = [dict(row) for row in automaton.delta]
    todo = [(keep, drop)]
    while todo:
        a, b = todo.pop()
        if FINAL in {a, b}:
            if a != b:
                return None
            continue
        a, b = sorted((find(a), find(b)))
        if a == b:
            continue
        parent[b] = a
        for letter, target in rows[b].items():
            known = rows[a].get(letter)
            if known is None:
                rows[a][letter] = target
            else:
                todo.append((known, target))
    delta: Delta = {
        state: {x: t if t == FINAL else find(t) for x, t in rows[state].items()}
        for state in range(automaton.size)
        if parent[state] == state
    }
    return canonical(delta)


def accepts(automaton: Automaton, word: Word) -> bool:
    """Whether `word`, mark included, belongs to the language."""
    state = START
    for letter in word:
        if state == FINAL:
            return False
        target = dict(automaton.delta[state]).get(letter)
        if target is None:
            return False
        state = target
    return state == FINAL


def access_words(automaton: Automaton) -> list[Word]:
    """A shortest word to every state, by state."""
    words: dict[int, Word] = {START: ()}
    for state in (queue := [START]):
        for letter, target in automaton.delta[state]:
            if target != FINAL and target not in words:
                words[target] = (*words[state], letter)
                queue.append(target)
    return [words[state] for state in range(automaton.size)]


def to_dfa(automaton: Automaton, key: AutomatonKey) -> Dfa:
    """The model's form of an automaton: minimal, states accept, marks are gone."""
    final = automaton.size
    marks = [{x.on for x, _ in row if x in (END, NEXT)} for row in automaton.delta]
    moves = [
        {x: final if t == FINAL else t for x, t in row if x not in (END, NEXT)}
        for row in automaton.delta
    ]
    labels = ["".join(sorted(on)) for on in [*marks, {END.on}]]
    rows, of = _minimal([*moves, {}], labels, START)
    label = {state: labels[s] for s, state in of.items()}
    return Dfa(
        key=key,
        size=len(rows),
        transitions=tuple(
            (StateId(s), x, StateId(t))
            for s, row in enumerate(rows)
            for x, t in sorted(row.items())
        ),
        accepting=frozenset(StateId(s) for s in label if END.on in label[s]),
        continuing=frozenset(StateId(s) for s in label if NEXT.on in label[s]),
    )
