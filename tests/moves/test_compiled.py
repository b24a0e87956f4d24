"""The compiled search has the turns of the reference implementation: same order, same effects."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from learned import learned_movements, random_positions
from test_move_search import (
    PIECES,
    model_of,
    morris,
    one_letter,
    random_model,
    states,
)
from test_ties import castling

import grl
from grl import games
from grl.board import Board, Equipment, Player, Position, make_position
from grl.errors import SearchError
from grl.generate import generate
from grl.locm.machines import learn_machines
from grl.locm.plans import Plans, PlanWriter
from grl.model import AutomatonKey, Dfa, Model, Role, StateId
from grl.moves import compiled, search
from grl.moves.candidate import Candidate
from grl.moves.compiled import CompiledSearcher
from grl.moves.search import Searcher
from grl.sgrl.evidence import Decision
from grl.traces import header_dict, write_traces
from grl.turn import Letter, play

WHITE, BLACK = Player("white"), Player("black")


class Both:
    """Both searchers of a model; `agree` compares them and returns what they find."""

    def __init__(self, model: Model) -> None:
        self.pairs = [
            (Searcher(model, locm=locm), CompiledSearcher(model, locm=locm))
            for locm in (False, True)
        ]

    def agree(self, position: Position) -> list[Candidate]:
        for readable, fast in self.pairs:
            expected, found = readable.candidates(position), fast.candidates(position)
            assert found == expected, f"{position.rows} {position.reserve}"
            assert fast.spellings(position) == readable.spellings(position)
            assert fast.turns(position) == readable.turns(position)
        return found


@pytest.mark.parametrize(
    ("spec", "plays", "n"),
    [
        ("checkers", 20, 50),
        ("connect-four", 3, 15),
        ("amazons:width=4,height=4", 2, 6),
        ("breakthrough:width=6,height=6", 2, 20),
        ("peg-solitaire", 10, 20),
        ("tic-tac-toe", 3, 15),
        ("chess-bt", 6, 8),
        ("nine-mens-morris", 4, 15),
        ("checker-bt", 2, 15),
        ("asalto", 1, 10),
    ],
)
def test_learned_models_give_the_same_turns(spec: str, plays: int, n: int) -> None:
    model = learned_movements(spec, plays).model
    both = Both(model)
    found = 0
    for reached in random_positions(spec, n, seed=11):
        found += len(both.agree(replace(reached, equipment=model.equipment)))
    assert found > n


@pytest.mark.parametrize(("spec", "plays"), [("five-field-kono", 3), ("graph-game", 6)])
def test_models_of_games_broken_off_give_the_same_turns(
    spec: str, plays: int, tmp_path: Path
) -> None:
    """Random games of these go on for thousands of plies."""
    game = games.load(spec)
    path = tmp_path / "games.jsonl"
    cut_short = generate(game, plays, all_moves=True, seed=1, max_plies=50)
    write_traces(path, header_dict(game), cut_short)
    assert walk(grl.learn([path], rules=False).model, 40, seed=5)


@pytest.mark.parametrize("first", range(0, 100, 25))
def test_random_models_give_the_same_turns(first: int) -> None:
    """Every kind of letter, links, holes, reserves, two segments, machines that forbid words."""
    met: Counter[str] = Counter()
    for seed in range(first, first + 25):
        random = Random(seed)
        model, positions = random_model(random)
        plans = Plans()
        for position in positions:
            writer = PlanWriter(model.equipment)
            decision = Decision(WHITE, position.cells, position.stock, True)
            for turn in Searcher(model).turns(position):
                if random.random() < 0.3:
                    written = writer.write(decision, str(turn))
                    assert written is not None
                    plans.observe(*written)
        both = Both(replace(model, machines=tuple(learn_machines(plans))))
        free = Both(model)
        for position in positions:
            some, every = both.agree(position), free.agree(position)
            met["forbidden"] += len(every) - len(some)
            for candidate in every:
                met.update({x.on for s in candidate.turn.segments for x in s.letters})
                met["flight"] += any(s.targets for s in candidate.turn.segments)
                met[f"{len(candidate.turn.segments)} segments"] += 1
    wanted = [*"ewpnadr", "flight", "1 segments", "2 segments", "forbidden"]
    assert all(met[kind] > 10 for kind in wanted), met


def random_cyclic(random: Random, key: AutomatonKey) -> Dfa:
    """An automaton with cycles of any letters; what appears ends the word, nothing is kept."""
    size = random.randint(1, 3)
    transitions: dict[tuple[int, Letter], int] = {}
    for state in range(size):
        for _ in range(random.randint(1, 3)):
            dx, dy = random.choice([(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1)])
            letter = Letter(dx, dy, random.choice("eeepwn"))
            kind = random.random()
            if kind < 0.15:
                letter = Letter(0, 0, "d")
            elif kind < 0.25:
                letter = Letter(0, 0, random.choice("ep"), fly=True)
            elif kind < 0.4:
                letter = Letter(0, 0, "a", random.choice("mx"))
            transitions[state, letter] = size if letter.appears else random.randrange(size)
    some = [state for state in range(size) if random.random() < 0.6]
    on = [state for state in range(size) if random.random() < 0.3]
    return Dfa(
        key,
        size + 1,
        tuple((StateId(s), letter, StateId(t)) for (s, letter), t in sorted(transitions.items())),
        states(*some, size),
        states(*on),
    )


def random_circles(random: Random) -> Model:
    """Pieces that come back to where they were, by ways that end and ways that don't."""
    equipment = Equipment(Board(3, 2), (WHITE, BLACK), PIECES, frozenset({(WHITE, "x")}))
    automata = [random_cyclic(random, AutomatonKey(WHITE, holds, Role.FIRST)) for holds in ".mq"]
    if random.random() < 0.4:
        kinds = random.sample(".mM", random.randint(1, 2))
        automata += [random_cyclic(random, AutomatonKey(WHITE, k, Role.LATER)) for k in kinds]
    automata += [random_cyclic(random, AutomatonKey(WHITE, k, Role.APPEARED)) for k in "mx"]
    rows = ["".join(random.choice("...mqM") for _ in range(3)) for _ in range(2)]
    hand = {"white": {"x": random.randint(0, 2)}}
    position = make_position(equipment, rows, "white", hand)
    return Model("circles", equipment, position, tuple(automata), segments=2)


@pytest.mark.parametrize("first", range(0, 120, 40))
def test_automata_with_cycles_give_the_same_turns(
    first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Paths that close a circle are cut; where there are too many the reference is asked."""
    monkeypatch.setattr(search, "MAX_STATES", 150)
    monkeypatch.setattr(compiled, "MAX_VISITS", 50)
    monkeypatch.setattr(compiled, "MAX_GROWTH", 400)
    alone = handed_over = refused = several = 0
    for seed in range(first, first + 40):
        model = random_circles(Random(seed))
        fast = CompiledSearcher(model)
        try:
            expected = Searcher(model).candidates(model.initial)
        except SearchError:
            refused += 1
            with pytest.raises(SearchError):
                fast.candidates(model.initial)
            continue
        asked = spied(fast, monkeypatch)
        assert fast.candidates(model.initial) == expected, model.initial.rows
        spelled = Searcher(model).spellings(model.initial)
        assert fast.spellings(model.initial) == spelled, model.initial.rows
        several += len(spelled) > len(expected)
        alone, handed_over = alone + (not asked), handed_over + bool(asked)
    assert min(alone - 10, handed_over, several) > 0, (alone, handed_over, refused, several)


def spied(fast: CompiledSearcher, monkeypatch: pytest.MonkeyPatch) -> list[Position]:
    """The positions, from now on, for which the reference implementation is asked."""
    asked: list[Position] = []
    candidates = fast.readable.candidates

    def spy(position: Position) -> list[Candidate]:
        asked.append(position)
        return candidates(position)

    monkeypatch.setattr(fast.readable, "candidates", spy)
    return asked


def walk(model: Model, steps: int, seed: int) -> list[Candidate]:
    """Compare along a random game; returns all that was found."""
    both, random, position, found = Both(model), Random(seed), model.initial, []
    for _ in range(steps):
        before, candidates = position, both.agree(position)
        found += candidates
        position = model.initial
        if candidates:
            position = play(before, random.choice(candidates).turn)
    return found


def test_reserves_flights_and_removals_after_a_move() -> None:
    found = walk(morris(), 60, seed=3)
    for kind in ("; ", "@", " a ", " d)"):
        assert sum(kind in str(candidate.turn) for candidate in found) > 50


def test_squares_tied_together() -> None:
    model = castling()
    both = Both(model)
    for row, turns in (("R...K..R", 2), ("R.B.K..R", 1), ("R.B.KB.R", 0)):
        assert len(both.agree(make_position(model.equipment, [row], "white"))) == turns


def test_three_segments_in_any_order() -> None:
    equipment = Equipment(Board(2, 2), (WHITE, BLACK), PIECES)
    kinds = [Letter(0, 0, "a", "x"), Letter(0, 0, "a", "m"), Letter(1, 0, "e"), Letter(0, 1, "e")]
    lengths: Counter[int] = Counter()
    for seed in range(15):
        random = Random(seed)
        automata = [
            one_letter(WHITE, holds, role, random.sample(kinds, 2), ends=random.choice(["$;", ";"]))
            for holds in ".mx"
            for role in (Role.FIRST, Role.LATER)
        ]
        automata += [
            Dfa(AutomatonKey(WHITE, piece, Role.APPEARED), 1, (), states(0), states(0))
            for piece in "mx"
        ]
        rows = ["".join(random.choice(".mx") for _ in range(2)) for _ in range(2)]
        position = make_position(equipment, rows, "white")
        both = Both(Model("any", equipment, position, tuple(automata), segments=3))
        lengths.update(len(found.turn.segments) for found in both.agree(position))
    assert all(lengths[n] > 10 for n in (1, 2, 3)), lengths


# What trees don't follow.


def test_an_endless_walk_is_left_to_the_search_that_remembers_states(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A rover goes anywhere; paths that don't repeat a square are far too many to follow."""
    monkeypatch.setattr(compiled, "MAX_VISITS", 1_000)
    steps = [(1, 0), (0, 1), (-1, 0), (0, -1)]
    loop = tuple((StateId(0), Letter(dx, dy, "e"), StateId(0)) for dx, dy in steps)
    rover = Dfa(AutomatonKey(WHITE, "m", Role.FIRST), 1, loop, states(0))
    equipment = Equipment(Board(6, 6), (WHITE, BLACK), PIECES)
    rows = ["......"] * 5 + ["m....."]
    position = make_position(equipment, rows, "white")
    model = Model("rover", equipment, position, (rover,))
    assert len(Both(model).agree(position)) == 36
    fast = CompiledSearcher(model)
    asked = spied(fast, monkeypatch)
    for _ in range(2):
        assert len(fast.candidates(position)) == 36
    assert len(asked) == 2
    assert fast.candidates(replace(position, cells="." * 36)) == []
    assert len(asked) == 2


def test_more_ways_than_any_turn_has_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every disc may be turned over or not, in any order: effects taken for choices."""
    monkeypatch.setattr(search, "MAX_STATES", 2_000)
    monkeypatch.setattr(compiled, "MAX_GROWTH", 2_000)
    discs = 14
    turn_over = one_letter(WHITE, "M", Role.LATER, [Letter(0, 0, "a", "m")], ends="$;")
    first = one_letter(WHITE, "M", Role.FIRST, [Letter(0, 0, "a", "m")], ends="$;")
    appeared = Dfa(AutomatonKey(WHITE, "m", Role.APPEARED), 1, (), states(0), states(0))
    model = replace(model_of(first, turn_over, appeared, cells="M" * discs), segments=discs)
    with pytest.raises(SearchError, match="more than 2000 ways"):
        CompiledSearcher(model).candidates(model.initial)


def test_an_empty_hand_that_goes_about_later_is_left_to_the_reference_implementation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = one_letter(WHITE, "m", Role.FIRST, [Letter(1, 0, "e")], ends="$;")
    walks = Dfa(
        AutomatonKey(WHITE, ".", Role.LATER),
        3,
        (
            (StateId(0), Letter(1, 0, "p"), StateId(1)),
            (StateId(1), Letter(0, 0, "d"), StateId(2)),
        ),
        states(2),
    )
    model = replace(model_of(first, walks, cells="m.M.M"), segments=2)
    assert len(Both(model).agree(model.initial)) == 2
    fast = CompiledSearcher(model)
    asked = spied(fast, monkeypatch)
    fast.candidates(model.initial)
    fast.candidates(replace(model.initial, cells="mMMMM"))
    assert len(asked) == 2


def test_more_pieces_than_a_test_counts() -> None:
    """Ten pieces placed one after another in one turn."""
    places = Letter(0, 0, "a", "m")
    first = one_letter(WHITE, ".", Role.FIRST, [places], ends="$")
    again = Dfa(
        AutomatonKey(WHITE, "m", Role.APPEARED),
        3,
        ((StateId(0), Letter(1, 0, "e"), StateId(1)), (StateId(1), places, StateId(2))),
        states(0, 2),
    )
    model = model_of(first, again, cells="." * 14, stocked="m")
    for count in (0, 1, 2, 8, 9, 10, 14):
        hand = {"white": {"m": count}}
        position = make_position(model.equipment, ["." * 14], "white", hand)
        found = Both(model).agree(position)
        assert max([len(c.turn.segments[0].letters) for c in found], default=-1) == 2 * count - 1


def test_trees_begin_anew_when_they_have_grown_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "MAX_NODES", 20)
    monkeypatch.setattr(compiled, "MAX_RESERVES", 2)
    assert walk(morris(), 30, seed=4)


def test_other_players_than_the_model_knows_have_no_turns() -> None:
    model = model_of(one_letter(WHITE, "m", Role.FIRST, [Letter(1, 0, "e")], ends="$"), cells="m.M")
    black = replace(model.initial, to_move=BLACK)
    assert Both(model).agree(black) == []
    assert Both(model).agree(replace(model.initial, cells="...")) == []
