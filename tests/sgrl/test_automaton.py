"""Automata under construction keep the language that they should, and are minimal."""

from __future__ import annotations

from itertools import pairwise, product

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from languages import Graph, equivalent_states, graph_of, minimal_size, reached

from grl.board import Player
from grl.model import AutomatonKey, Role
from grl.sgrl.automaton import (
    FINAL,
    START,
    Automaton,
    Delta,
    accepts,
    canonical,
    k_testable,
    merged,
    to_dfa,
)
from grl.sgrl.words import END, NEXT, Word
from grl.turn import Letter

A, B = Letter(1, 0, "e"), Letter(0, 1, "p")
GIVES_WAY = Letter(0, 0, "a", "x")
ALPHABET = (A, B)
ENDS = (END, NEXT, GIVES_WAY)
KEY = AutomatonKey(Player("white"), "m", Role.FIRST)

ALL_WORDS: list[Word] = [
    (*letters, end)
    for length in range(6)
    for letters in product(ALPHABET, repeat=length)
    for end in ENDS
]

words = st.builds(
    lambda letters, end: (*letters, end),
    st.lists(st.sampled_from(ALPHABET), max_size=4),
    st.sampled_from(ENDS),
)
samples = st.lists(words, min_size=1, max_size=8)


@st.composite
def deltas(draw: st.DrawFn) -> Delta:
    """Automata with loops in which every state leads on to the end, as the learner's do."""
    size = draw(st.integers(1, 6))
    delta: Delta = {}
    for state in range(size):
        targets = st.dictionaries(st.sampled_from(ALPHABET), st.integers(0, size - 1))
        ends = st.dictionaries(st.sampled_from(ENDS), st.just(FINAL))
        delta[state] = draw(targets) | draw(ends)
    live = {FINAL}
    for _ in range(size):
        live |= {s for s, row in delta.items() if live & set(row.values())}
    assume(START in live)
    return {s: {x: t for x, t in row.items() if t in live} for s, row in delta.items() if s in live}


def runs(delta: Delta, word: Word) -> bool:
    """Whether a word, mark included, leads from the start to the end."""
    state = START
    for letter in word:
        if state == FINAL or letter not in delta[state]:
            return False
        state = delta[state][letter]
    return state == FINAL


def language(automaton: Automaton) -> set[Word]:
    return {word for word in ALL_WORDS if accepts(automaton, word)}


def as_graph(automaton: Automaton) -> Graph:
    """The automaton with its final state written out."""
    final = automaton.size
    moves = tuple({x: final if t == FINAL else t for x, t in row} for row in automaton.delta)
    return Graph((*moves, {}), ("",) * final + ("$",))


def trie(sample: list[Word]) -> Delta:
    """The prefix tree of some words."""
    delta: Delta = {START: {}}
    for word in sample:
        state = START
        for letter in word[:-1]:
            if letter not in delta[state]:
                delta[state][letter] = len(delta)
                delta[len(delta)] = {}
            state = delta[state][letter]
        delta[state][word[-1]] = FINAL
    return delta


@settings(max_examples=70, deadline=None)
@given(deltas())
def test_canonical_keeps_the_language(delta: Delta) -> None:
    assert language(canonical(delta)) == {word for word in ALL_WORDS if runs(delta, word)}


@settings(max_examples=70, deadline=None)
@given(deltas())
def test_canonical_is_minimal_and_numbered_breadth_first(delta: Delta) -> None:
    automaton = canonical(delta)
    graph = as_graph(automaton)
    assert equivalent_states(graph) is None
    assert reached(graph) == set(range(automaton.size + 1))
    order = [START]
    for state in order:
        for letter, target in automaton.delta[state]:
            assert letter in (*ALPHABET, *ENDS)
            if target not in (FINAL, *order):
                order.append(target)
    assert order == list(range(automaton.size))
    assert all(row == tuple(sorted(row)) for row in automaton.delta)


@settings(max_examples=70, deadline=None)
@given(deltas(), st.randoms(use_true_random=False))
def test_canonical_does_not_depend_on_the_names_of_states(delta: Delta, random: object) -> None:
    names = [s for s in delta if s != START]
    shuffled = list(names)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    name = {START: START, FINAL: FINAL, **dict(zip(names, shuffled, strict=True))}
    renamed = {name[s]: {x: name[t] for x, t in row.items()} for s, row in delta.items()}
    assert canonical(renamed) == canonical(delta)


@settings(max_examples=60, deadline=None)
@given(samples)
def test_canonical_of_a_finite_language_has_no_state_too_many(sample: list[Word]) -> None:
    automaton = canonical(trie(sample))
    assert language(automaton) == set(sample)
    assert minimal_size(as_graph(automaton)) == automaton.size + 1


def test_two_languages_that_differ_in_one_word_have_different_canonical_forms() -> None:
    one = canonical(trie([(A, END), (A, B, END)]))
    assert one == canonical(trie([(A, B, END), (A, END)]))
    assert one != canonical(trie([(A, END), (A, B, NEXT)]))
    assert one != canonical(trie([(A, END)]))


@settings(max_examples=70, deadline=None)
@given(samples, st.integers(1, 6))
def test_k_testable_holds_all_its_words(sample: list[Word], k: int) -> None:
    automaton = k_testable(sample, k)
    assert set(sample) <= language(automaton)


@settings(max_examples=70, deadline=None)
@given(samples, st.integers(1, 6))
def test_k_testable_holds_exactly_what_its_windows_allow(sample: list[Word], k: int) -> None:
    """By its definition: a word belongs when each of its windows of k letters was seen."""

    def windows(word: Word) -> set[tuple[object, ...]]:
        whole = ("^", *word)
        return {whole[max(0, i - k + 1) : i + 1] for i in range(1, len(whole))}

    seen = {window for word in sample for window in windows(word)}
    assert language(k_testable(sample, k)) == {w for w in ALL_WORDS if windows(w) <= seen}


@settings(max_examples=60, deadline=None)
@given(samples)
def test_with_k_rising_k_testable_shrinks_to_the_words_themselves(sample: list[Word]) -> None:
    languages = [language(k_testable(sample, k)) for k in range(1, 7)]
    for larger, smaller in pairwise(languages):
        assert smaller <= larger
    assert languages[-1] == set(sample)


def made_one(automaton: Automaton, keep: int, drop: int) -> Automaton | None:
    delta = merged(automaton, keep, drop)
    return None if delta is None else canonical(delta)


@settings(max_examples=60, deadline=None)
@given(deltas(), st.data())
def test_merging_only_adds_words(delta: Delta, data: st.DataObject) -> None:
    automaton = canonical(delta)
    states = st.integers(0, automaton.size - 1)
    keep, drop = data.draw(states), data.draw(states)
    result = made_one(automaton, keep, drop)
    if result is None:
        return
    assert language(automaton) <= language(result)
    assert equivalent_states(as_graph(result)) is None
    if keep == drop:
        assert result == automaton
    else:
        assert result.size < automaton.size
    assert made_one(automaton, drop, keep) == result


@settings(max_examples=60, deadline=None)
@given(deltas(), st.data())
def test_merged_states_have_the_same_future(delta: Delta, data: st.DataObject) -> None:
    """What could follow either state may follow both afterwards."""
    automaton = canonical(delta)
    keep = data.draw(st.integers(0, automaton.size - 1))
    drop = data.draw(st.integers(0, automaton.size - 1))
    result = made_one(automaton, keep, drop)
    if result is None:
        return
    access = paths(automaton)
    for state, other in ((keep, drop), (drop, keep)):
        rest = next(w for w in ALL_WORDS if tail(automaton, other, w))
        assert tail(result, START, (*access[state], *rest))


def paths(automaton: Automaton) -> dict[int, tuple[Letter, ...]]:
    """A shortest way to every state."""
    found: dict[int, tuple[Letter, ...]] = {START: ()}
    todo = [START]
    for state in todo:
        for letter, target in automaton.delta[state]:
            if target != FINAL and target not in found:
                found[target] = (*found[state], letter)
                todo.append(target)
    return found


def tail(automaton: Automaton, state: int, word: Word) -> bool:
    for letter in word:
        if state == FINAL:
            return False
        following = dict(automaton.delta[state]).get(letter)
        if following is None:
            return False
        state = following
    return state == FINAL


def test_a_merge_that_would_end_a_word_in_the_middle_is_refused() -> None:
    automaton = canonical({0: {A: FINAL, B: 1}, 1: {A: 2}, 2: {B: FINAL}})
    after_b = dict(automaton.delta[START])[B]
    assert made_one(automaton, START, after_b) is None


def test_merging_the_two_states_of_one_step_gives_steps_without_end() -> None:
    automaton = canonical(trie([(A, END), (A, A, END)]))
    assert automaton.size == 3
    result = made_one(automaton, 1, 2)
    assert result is not None
    assert language(result) == {(*[A] * n, END) for n in range(1, 6)}


@settings(max_examples=70, deadline=None)
@given(deltas())
def test_the_models_form_accepts_the_same_words(delta: Delta) -> None:
    automaton = canonical(delta)
    graph = graph_of(to_dfa(automaton, KEY))
    for word in ALL_WORDS:
        letters, mark = (word, END) if word[-1] == GIVES_WAY else (word[:-1], word[-1])
        state: int | None = 0
        for letter in letters:
            state = graph.step(state, letter)
        assert (mark.on in graph.label(state)) == accepts(automaton, word), word


@settings(max_examples=70, deadline=None)
@given(deltas())
def test_the_models_form_is_minimal(delta: Delta) -> None:
    dfa = to_dfa(canonical(delta), KEY)
    graph = graph_of(dfa)
    assert dfa.key == KEY
    assert equivalent_states(graph) is None
    assert reached(graph) == set(range(dfa.size))
    assert dfa.transitions == tuple(sorted(dfa.transitions))
    assert not {letter for _, letter, _ in dfa.transitions} & {END, NEXT}
    for _, letter, target in dfa.transitions:
        if letter == GIVES_WAY:
            assert graph.label(target) == "$"
            assert not graph.moves[target]


def test_bits_grow_with_states_letters_and_transitions() -> None:
    small = canonical(trie([(A, END)]))
    wider = canonical(trie([(A, END), (B, END)]))
    longer = canonical(trie([(A, A, END)]))
    assert small.bits(2) < wider.bits(2) < wider.bits(9)
    assert small.bits(2) < longer.bits(2)


@given(samples)
def test_runs_of_equal_letters_may_be_as_long_as_they_like(sample):
    """Where a letter was seen to come again it comes as often as it likes."""
    automaton = k_testable(sample, 3, runs=True)

    assert all(accepts(automaton, word) for word in sample)
    for word in sample:
        for at, (letter, following) in enumerate(pairwise(word)):
            if letter == following:
                assert accepts(automaton, (*word[:at], letter, letter, *word[at:]))


def test_what_came_before_a_run_is_remembered():
    """Only whoever has passed a piece may slide on another way."""
    over, aside = (B, A, END), (B, A, A, B, A, END)

    automaton = k_testable([over, aside], 4, runs=True)

    assert accepts(automaton, (B, A, A, A, A, B, A, END))
    assert not accepts(automaton, (A, A, END))
    assert not accepts(k_testable([over, aside], 4), (B, A, A, A, A, B, A, END))
