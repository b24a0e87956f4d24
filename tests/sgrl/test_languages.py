"""The hand-written languages and their comparison hold what the tests below them rely on."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from languages import (
    AMAZONS_ARROW,
    CHECKERS_KING,
    EMPTY,
    LANGUAGES,
    NOTHING,
    PEG,
    SIZES,
    Graph,
    Language,
    One,
    Regex,
    chain,
    checkers_man,
    difference,
    either,
    equivalent_states,
    maybe,
    minimal_size,
    placed,
    plus,
    reached,
    star,
    step,
)
from learned import ENOUGH, name_of, record

import grl
from grl import games
from grl.board import Board, Square
from grl.turn import Letter, Turn

A, B = Letter(1, 0, "e"), Letter(0, 1, "e")
EIGHT = Board(8, 8)


def regexes() -> st.SearchStrategy[Regex]:
    return st.recursive(
        st.sampled_from([NOTHING, EMPTY, One(A), One(B)]),
        lambda part: st.one_of(
            st.builds(chain, part, part), st.builds(either, part, part), st.builds(star, part)
        ),
        max_leaves=6,
    )


def holds(regex: Regex, word: tuple[Letter, ...]) -> bool:
    """Membership by cutting the word in every way, slowly and without derivatives."""
    kind = type(regex).__name__
    if kind == "Nothing":
        return False
    if kind == "Empty":
        return not word
    if kind == "One":
        return word == (regex.letter,)
    if kind == "Either":
        return any(holds(part, word) for part in regex.parts)
    cuts = [(word[:i], word[i:]) for i in range(len(word) + 1)]
    if kind == "Chain":
        return any(holds(regex.first, a) and holds(regex.second, b) for a, b in cuts)
    return not word or any(a and holds(regex.part, a) and holds(regex, b) for a, b in cuts)


def run(graph: Graph, word: tuple[Letter, ...]) -> str:
    state: int | None = 0
    for letter in word:
        state = graph.step(state, letter)
    return graph.label(state)


@settings(max_examples=80, deadline=None)
@given(regexes(), regexes())
def test_a_graph_accepts_the_words_of_its_expressions(ends: Regex, goes_on: Regex) -> None:
    graph = Language(ends, goes_on).graph()
    for length in range(5):
        for word in product((A, B), repeat=length):
            assert run(graph, word) == "$" * holds(ends, word) + ";" * holds(goes_on, word)


@settings(max_examples=80, deadline=None)
@given(regexes(), regexes())
def test_a_witness_is_a_shortest_word_that_distinguishes_two_languages(
    one: Regex, two: Regex
) -> None:
    ours, theirs = Language(one).graph(), Language(two).graph()
    board = Board(5, 5)
    shortest = [
        word
        for length in range(5)
        for word in product((A, B), repeat=length)
        if holds(one, word) != holds(two, word)
    ]
    found = difference(ours, theirs, board)
    if shortest:
        assert found is not None
        assert len(found[1]) == len(shortest[0])
        assert found[1] in shortest
    else:
        assert found is None or len(found[1]) > 4


@pytest.mark.parametrize(
    ("right", "wrong", "length"),
    [
        (CHECKERS_KING, Language(either(CHECKERS_KING.ends, step(0, 1))), 1),
        (CHECKERS_KING, Language(maybe(CHECKERS_KING.ends)), 0),
        (AMAZONS_ARROW, Language(star(either(*(step(dx, dy) for dx, dy in [(0, 1)])))), 0),
        (AMAZONS_ARROW, Language(chain(AMAZONS_ARROW.ends, maybe(step(0, 1)))), 2),
        (checkers_man(1, "k"), checkers_man(1, "m"), 2),
        (PEG, Language(plus(PEG.ends)), 6),
        (PEG, Language(PEG.ends, PEG.ends), 3),
        (placed("x"), placed("o"), 1),
    ],
)
def test_planted_differences_are_found_at_their_shortest(
    right: Language, wrong: Language, length: int
) -> None:
    for ours, theirs in ((right, wrong), (wrong, right)):
        found = difference(ours.graph(), theirs.graph(), EIGHT)
        assert found is not None
        origin, word = found
        assert len(word) == length
        assert run(ours.graph(), word) != run(theirs.graph(), word)
        assert origin in EIGHT.names


def test_words_that_leave_the_board_from_every_square_do_not_count() -> None:
    far, farther = Language(star(step(1, 0))).graph(), Language(chain(*[maybe(step(1, 0))] * 3))
    assert difference(far, farther.graph(), Board(4, 1)) is None
    assert difference(far, farther.graph(), Board(5, 1)) == ("a1", (A,) * 4)
    # A hole cuts the row in two, and a missing link does the same.
    assert difference(far, farther.graph(), Board(5, 1, frozenset({Square(1)}))) is None
    links = frozenset((Square(i), Square(i + 1)) for i in range(4) if i != 2)
    assert difference(far, farther.graph(), Board(5, 1, frozenset(), links)) is None


def test_a_flight_leads_over_holes() -> None:
    fly = One(Letter(0, 0, "e", fly=True))
    split = Board(4, 1, frozenset({Square(1), Square(2)}))
    one = Language(chain(fly, step(1, 0))).graph()
    assert difference(one, Language(fly).graph(), split) == ("a1", (Letter(0, 0, "e", fly=True),))
    assert difference(one, Language(NOTHING).graph(), split) is None
    wider = Board(5, 1, frozenset({Square(1), Square(2)}))
    found = difference(one, Language(NOTHING).graph(), wider)
    assert found is not None
    assert len(found[1]) == 2


@pytest.mark.parametrize("game", SIZES)
def test_sizes_counted_by_hand_are_those_of_the_smallest_automata(game: str) -> None:
    sizes = {key: minimal_size(LANGUAGES[game][key].graph()) for key in SIZES[game]}
    assert sizes == SIZES[game]


def test_equivalent_states_are_found_where_a_state_is_doubled() -> None:
    graph = CHECKERS_KING.graph()
    assert len(graph.moves) == 11
    assert equivalent_states(graph) is None
    doubled = Graph((*graph.moves, graph.moves[3]), (*graph.labels, graph.labels[3]))
    assert equivalent_states(doubled) == (3, 11)
    assert reached(doubled) == set(range(11))
    dead = Graph((*graph.moves, {}), (*graph.labels, ""))
    assert equivalent_states(dead) == (-1, 11)


@pytest.mark.parametrize("spec", ENOUGH)
def test_every_turn_of_a_reference_game_is_made_of_words_of_the_languages(
    spec: str, tmp_path: Path
) -> None:
    languages = {key: x.graph() for key, x in LANGUAGES[name_of(spec)].items()}
    used = set()
    for play in grl.Traces.open(record(spec, tmp_path / "games.jsonl", 8, seed=99)):
        for ply in play.plies:
            for text in ply.legal or ():
                used |= follow(ply.position, Turn.parse(text), languages)
    assert used == set(languages), "some language was never used"


def follow(position: grl.Position, turn: Turn, languages: dict[str, Graph]) -> set[str]:
    """Run a turn of one segment through the languages; asserts that it belongs there."""
    (segment,) = turn.segments
    holds = position.cells[position.board.square(segment.origin)]
    key = f"{position.to_move} {holds} first"
    used, state = {key}, 0
    for letter in segment.letters:
        after = languages[key].step(state, letter)
        assert after is not None, f"{turn}: no word of {key}"
        state = after
        if letter.appears:
            assert "$" in languages[key].label(state)
            key, state = f"{position.to_move} {letter.piece} appeared", 0
            used.add(key)
    assert "$" in languages[key].label(state), f"{turn}: {key} doesn't end there"
    return used


def test_the_games_learned_from_here_are_registered_and_have_their_languages() -> None:
    learned_here = {name_of(spec) for spec in ENOUGH}
    assert learned_here <= set(games.available())
    assert learned_here <= set(LANGUAGES)
