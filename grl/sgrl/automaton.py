"""Small deterministic automata under construction: k-testable candidates, merging, minimal form.

Here words carry their marks, so there is one final state, `FINAL`, and acceptance is a
transition. `to_dfa` turns that into the model's form, where states accept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import log2

from grl.model import AutomatonKey, Dfa, StateId
from grl.sgrl.words import END, NEXT, Word
from grl.sgrl.wrapping import Wrapping
from grl.turn import Letter

FINAL = -1
START = 0

Delta = dict[int, dict[Letter, int]]
Transitions = Mapping[int, Mapping[Letter, int]]
"""Where each letter leads from each state, to be read only."""


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

    def spelled(self, wrapping: Wrapping) -> Automaton:
        """The automaton of all spellings of its words."""
        if not wrapping:
            return self
        return self.renamed(wrapping.spellings)

    def renamed(self, names: Callable[[Letter], Iterable[Letter]]) -> Automaton:
        """The automaton with the letters that each stands for in its place."""
        return canonical(
            {
                state: {each: t for x, t in row for each in names(x)}
                for state, row in enumerate(self.delta)
            }
        )


def canonical(delta: Transitions) -> Automaton:
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
            tuple((x, FINAL if t == final else renumbered[t]) for x, t in rows[b].items())
            for b in order
        )
    )


def _minimal(
    moves: list[dict[Letter, int]], labels: list[str], start: int
) -> tuple[list[dict[Letter, int]], dict[int, int]]:
    """Moore's partition refinement: the rows of the minimal automaton, and states to its states.

    Only what `start` reaches is kept, numbered breadth first; the letters of a row are in order.
    """
    place = {letter: i for i, letter in enumerate(sorted({x for row in moves for x in row}))}
    ordered = [sorted(row, key=place.__getitem__) for row in moves]
    targets = [[row[x] for x in letters] for row, letters in zip(moves, ordered, strict=True)]
    kinds: dict[tuple[object, ...], int] = {}
    block = [
        kinds.setdefault((label, *letters), len(kinds))
        for label, letters in zip(labels, ordered, strict=True)
    ]
    blocks = len(kinds)
    while True:
        signatures: dict[tuple[int, ...], int] = {}
        refined = [
            signatures.setdefault((old, *[block[t] for t in row]), len(signatures))
            for old, row in zip(block, targets, strict=True)
        ]
        block = refined
        if len(signatures) == blocks:
            break
        blocks = len(signatures)
    member = {b: s for s, b in enumerate(block)}
    order, number = [block[start]], {block[start]: 0}
    for b in order:
        for t in targets[member[b]]:
            if block[t] not in number:
                number[block[t]] = len(order)
                order.append(block[t])
    rows = [
        {x: number[block[t]] for x, t in zip(ordered[s], targets[s], strict=True)}
        for s in (member[b] for b in order)
    ]
    return rows, {s: number[b] for s, b in enumerate(block) if b in number}


def k_testable(words: Iterable[Word], k: int, *, runs: bool = False) -> Automaton:
    """The smallest k-testable language in the strict sense that holds `words`.

    A state remembers the last k-1 letters, the beginning of the word included; with `runs` the
    last k-1 runs of equal letters, however long these are.
    """
    number: dict[tuple[Letter, ...], int] = {(): START}
    delta: Delta = {START: {}}
    begin = Letter(0, 0, "^")
    for word in words:
        context: tuple[Letter, ...] = (begin,)
        state = START
        for letter in word[:-1]:
            if not (runs and context and context[-1] == letter):
                context = (*context, letter)[-(k - 1) :] if k > 1 else ()
            target = number.setdefault(context, len(number))
            delta.setdefault(target, {})
            delta[state][letter] = target
            state = target
        delta[state][word[-1]] = FINAL
    return canonical(delta)


def merged(automaton: Automaton, keep: int, drop: int) -> Folded | None:
    """The automaton with two states made one, and whatever that forces; None if `FINAL` is hit."""
    found = Folded(automaton)
    todo = [(keep, drop)]
    while todo:
        one, other = todo.pop()
        if FINAL in {one, other}:
            if one != other:
                return None
        else:
            todo += found.fold(one, other)
    return found


class Folded(Mapping[int, Mapping[Letter, int]]):
    """An automaton some of whose states are one; rows are made when they are asked for."""

    def __init__(self, automaton: Automaton) -> None:
        self._delta = automaton.delta
        self._parent: dict[int, int] = {}
        self._rows: dict[int, dict[Letter, int]] = {}

    def fold(self, one: int, other: int) -> Iterator[tuple[int, int]]:
        """Make two states one; the pairs of states that this forces to be one."""
        a, b = sorted((self._state(one), self._state(other)))
        if a == b:
            return
        self._parent[b] = a
        row = self._rows.setdefault(a, dict(self._delta[a]))
        for letter, target in self._rows.pop(b, dict(self._delta[b])).items():
            known = row.setdefault(letter, target)
            if known != target:
                yield known, target

    def gained(self) -> Iterator[tuple[int, Letter, int]]:
        """By which letters states go on that they did not have, and where these lead to."""
        members: dict[int, list[int]] = {}
        for state in self._parent:
            members.setdefault(self._state(state), []).append(state)
        for one, others in members.items():
            row = self[one]
            for state in (one, *others):
                known = {letter for letter, _ in self._delta[state]}
                for letter, target in row.items():
                    if letter not in known:
                        yield state, letter, target

    def _state(self, state: int) -> int:
        while state in self._parent:
            state = self._parent[state]
        return state

    def __getitem__(self, state: int) -> Mapping[Letter, int]:
        row = self._rows.get(state) or dict(self._delta[state])
        return {letter: t if t == FINAL else self._state(t) for letter, t in row.items()}

    def __iter__(self) -> Iterator[int]:
        return (state for state in range(len(self._delta)) if state not in self._parent)

    def __len__(self) -> int:
        return len(self._delta) - len(self._parent)


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
