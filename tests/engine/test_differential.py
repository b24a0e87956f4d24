"""Engines play as the reference implementation does: learned models, and models made by chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from random import Random

import castling_game
import numpy as np
import pytest
from differential import Met, PlainEngine, PlainState, compare, compare_games, reference_of
from learned import ENOUGH, learned, learned_movements
from lessons import games_of, taught
from past_games import Opening, Patience, Threefold
from random_automata import random_automata, random_equipment
from random_models import placed, random_model, walks
from strange_games import Pairs

from grl.board import Board, Equipment, Piece, Player, Position, make_position
from grl.compiler import compilers
from grl.engine import generator
from grl.engine.source import program
from grl.games import Game, load
from grl.model import AutomatonKey, Dfa, Literal, Model, Role, Rule, Rules, StateId
from grl.modelfile import from_data, to_data
from grl.rulebook import Rulebook
from grl.rules.features.vocabulary import exposed
from grl.rules.play.effects import generator_of
from grl.turn import Letter

WALKED, RANDOM_WALKED = 24, 15
"""Positions of a learned model, and of a random one, on which engines are compared."""
LONGEST = 60
"""Plies after which a game begins anew."""
SEEDS = range(34, 42)
SETWISE: dict[int, tuple[str, ...]] = {
    52: (),
    38: ("#define MIXED 1",),
    72: (),
    146: ("#define MIXED 1", "going_on_1"),
    131: ("#define MIXED 1", "#define ASKED 1", "completing_1"),
}
"""Seeds of random models whose turns are sets of origins, with what their text has: turns that are
walked from some origins (MIXED), of 146 only where a restriction on the first segment lets them
(going_on); rules that look at single turns (ASKED), after lines that turns complete. In that of 52
turns are compared by how far they go, in that of 72 what lies on squares is compared with a
table."""

LESSONS: dict[str, tuple[Callable[[], Game], int, float, int | None]] = {
    "pairs": (Pairs, 30, 0.0, 40),
    "threefold": (Threefold, 100, 0.0, None),
    "patience": (Patience, 100, 0.0, None),
    "opening": (Opening, 100, 0.0, None),
    "go": (lambda: load("go:size=4"), 45, 0.0, None),
}
"""Game, number of games, share of those near an end, most plies: as other tests have learned them,
so that one run learns each once."""
MOVEMENTS = {"nine-mens-morris": 4}
"""Games learned without rules, with as many plays."""


@cache
def lesson(name: str) -> Rulebook:
    if name in ENOUGH:
        return learned(name)
    if name in MOVEMENTS:
        return learned_movements(name, MOVEMENTS[name])
    make, n, endgames, most = LESSONS[name]
    return taught(make(), games_of(make(), n, endgames=endgames, max_plies=most))


def engine_of(rulebook: Rulebook):
    """The engine of a rulebook."""
    return rulebook.engine()


def games(rulebook: Rulebook, seed: int) -> Iterator[Position]:
    """The positions of random games, their ends included, one after the other without end."""
    chance = Random(seed)
    while True:
        position = rulebook.initial
        for _ in range(LONGEST):
            yield position
            turns = rulebook.legal(position)
            if not turns:
                break
            position = rulebook.after(position, chance.choice(turns))


@pytest.mark.parametrize("name", [*LESSONS, *MOVEMENTS])
def test_quick_generators_say_what_the_reference_says(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not compilers():
        pytest.skip("there is no C compiler")
    monkeypatch.setattr(generator, "WORTH_COMPILING", 1)
    monkeypatch.setattr(generator, "WORTH_WITHOUT", 0)
    model = lesson(name).model
    quick, reference = generator.QuickGenerator(model), generator_of(model)
    positions = list(islice(games(lesson(name), 1), WALKED))
    touched = quick.touched([(each.cells, each.stock, each.to_move) for each in positions])
    assert touched is not None
    for position, squares in zip(positions, touched, strict=True):
        turns = list(reference(position))
        assert list(quick(position)) == turns
        changed = {s for t in turns for s, c in enumerate(t.cells) if c != position.cells[s]}
        reached = {end for t in turns for end in t.ends[:1]}
        assert [set(np.flatnonzero(each).tolist()) for each in squares] == [changed, reached]


@pytest.mark.parametrize("name", [*ENOUGH, *LESSONS, *MOVEMENTS])
def test_engines_of_learned_models_play_as_the_reference_does(name: str) -> None:
    engine, reference = engine_of(lesson(name)), reference_of(lesson(name).model)
    chance, met = Random(name), Met()
    some = (p for p in games(reference, 5) if chance.random() < 0.4)
    positions = [*islice(some, WALKED), *(placed(chance, reference) for _ in range(WALKED // 4))]
    assert not [str(each) for each in compare(reference, engine, positions, met)]
    assert not [str(each) for each in compare_games(reference, engine, positions[-1])]
    assert met.counts["turns"] > WALKED


@pytest.mark.parametrize("seed", SETWISE)
def test_turns_as_sets_of_origins_are_those_of_the_reference(seed: int) -> None:
    reference, met = reference_of(random_model(seed, setwise=True)), Met()
    written = program(reference.model)
    assert written.setwise == ""
    assert all(part in written.text for part in SETWISE[seed])
    engine = engine_of(Rulebook(reference.model))
    positions = list(islice(walks(reference, seed), 2 * RANDOM_WALKED))
    assert not [str(each) for each in compare(reference, engine, positions, met)]
    for position in positions[::RANDOM_WALKED]:
        assert not [str(each) for each in compare_games(reference, engine, position)]
    assert met.counts["turns"] > RANDOM_WALKED


def lone_man(
    transitions: tuple[tuple[int, Letter, int], ...], accepting: set[int], stock: bool = False
) -> Model:
    """A man in a corner of a small board; the other player may have men in hand."""
    board, (white, black) = Board(4, 4), map(Player, ("white", "black"))
    pieces = {"m": Piece("m", white, "man"), "M": Piece("M", black, "man")}
    equipment = Equipment(board, (white, black), pieces, frozenset({(black, "M")} if stock else ()))
    ways = Dfa(
        AutomatonKey(white, "m", Role.FIRST),
        3,
        tuple(sorted((StateId(s), x, StateId(t)) for s, x, t in transitions)),
        frozenset(map(StateId, accepting)),
        frozenset(),
    )
    nothing = frozenset({StateId(0)})
    appeared = Dfa(AutomatonKey(white, "m", Role.APPEARED), 1, (), nothing, frozenset())
    rows = ["....", "....", "....", "m..."]
    position = make_position(equipment, rows, "white", {"black": {"M": 1}} if stock else None)
    automata = tuple(sorted((ways, appeared), key=lambda dfa: dfa.key))
    return Model("lone man", equipment, position, automata)


UP, DOWN, RIGHT = Letter(0, 1, "e"), Letter(0, -1, "e"), Letter(1, 0, "e")


def test_words_that_go_round_without_end_are_left_to_the_walk() -> None:
    model = lone_man(((0, UP, 1), (1, DOWN, 0), (1, RIGHT, 2)), {2})
    assert "too many" in program(model).setwise


@pytest.mark.parametrize("stock", [False, True])
def test_a_man_in_the_place_of_its_like_is_one_turn_with_the_plain_step(stock: bool) -> None:
    model = lone_man(((0, UP, 1), (1, Letter(0, 0, "a", "m"), 2)), {1, 2}, stock)
    reference = reference_of(model)
    assert not list(compare(reference, engine_of(Rulebook(model)), [model.initial]))


def test_threats_don_t_ask_which_first_segments_let_a_turn_go_on() -> None:
    board, players = Board(4, 4), (Player("white"), Player("black"))
    white, black = players
    pieces = {"m": Piece("m", white, "man"), "M": Piece("M", black, "man")}
    equipment = Equipment(board, players, pieces)
    one = frozenset({StateId(1)})

    def step(mover: Player, holds: str, role: Role, letter: Letter, on: bool = False) -> Dfa:
        transitions = ((StateId(0), letter, StateId(1)),)
        return Dfa(
            AutomatonKey(mover, holds, role), 2, transitions, one, one if on else frozenset()
        )

    # White removes a piece after a step that makes a row, and threatens all pieces before.
    automata = (
        step(black, "M", Role.FIRST, DOWN),
        step(white, "m", Role.FIRST, UP, on=True),
        step(white, "M", Role.LATER, Letter(0, 0, "d")),
    )
    row = ("both", ("square", "end1"), ("lined", "around", 3, ("lies", "own")))
    bodies = (
        (Literal(("segments", "=", 2), True), Literal(("some", "after", row), False)),
        (Literal(exposed("end1"), True),),
    )
    position = make_position(equipment, ["M..M", "....", "....", "m..m"], "black")
    rules = Rules(dict.fromkeys(players, "identity"), tuple(Rule(body, ()) for body in bodies))
    ordered = tuple(sorted(automata, key=lambda dfa: dfa.key))
    model = Model("rows", equipment, position, ordered, segments=2, rules=rules)
    assert "going_on_0" in program(model).text
    reference = reference_of(model)
    assert not reference.legal(position)
    assert not list(compare(reference, engine_of(Rulebook(model)), [position]))


def test_kings_castle_in_c_where_the_reference_lets_them() -> None:
    model = castling_game.model()
    reference, positions = reference_of(model), castling_game.positions(model.equipment, 60, 1)
    assert not list(compare(reference, engine_of(Rulebook(model)), positions))


@pytest.mark.parametrize("first", SEEDS[::4])
def test_engines_of_random_models_play_as_the_reference_does(first: int) -> None:
    met = Met()
    for seed in range(first, first + 4):
        reference = reference_of(random_model(seed))
        engine = engine_of(Rulebook(reference.model))
        positions = islice(walks(reference, seed), RANDOM_WALKED)
        met.counts["compiled"] += engine.kind != "python"
        met.by_hash.clear()
        assert not [str(each) for each in compare(reference, engine, positions, met)]
    assert met.counts["compiled"] >= 3 or not compilers()
    assert met.counts["positions"] > 3 * RANDOM_WALKED
    assert met.counts["turns"] > met.counts["positions"]


# Whether the comparison sees what it is made to see.


class Short(PlainState):
    """One turn is missing."""

    def turns(self):
        return super().turns()[:-1]


class Doubled(PlainState):
    """One turn is there twice."""

    def turns(self):
        found = super().turns()
        return [*found, *found[:1]]


class Disordered(PlainState):
    """The order is another."""

    def turns(self):
        return super().turns()[::-1]


class Miscounted(PlainState):
    """There is one more."""

    def count(self):
        return super().count() + 1


class Astray(PlainState):
    """The first turn is played, whichever was meant."""

    def play(self, number):  # noqa: ARG002
        return super().play(0)


class Unturned(PlainState):
    """The same player goes on."""

    def play(self, number):
        return type(self)(self.rulebook, replace(super().play(number).at, to_move=self.at.to_move))


class Unmoved(PlainState):
    """Positions come back without what has moved."""

    def position(self):
        return replace(self.at, moved=frozenset())


class Forgetful(PlainState):
    """Positions come back without their last turn."""

    def position(self):
        return replace(self.at, last=None)


class Endless(PlainState):
    """No game is over."""

    @property
    def over(self):
        return False


class Generous(PlainState):
    """Everybody wins."""

    def goals(self):
        return dict.fromkeys(super().goals(), 100)


class Alike(PlainState):
    """All states have one hash."""

    def __hash__(self):
        return 7


class Unsteady(PlainState):
    """Equal states have different hashes."""

    def __hash__(self):
        return id(self)


class Unequal(PlainState):
    """No state is like another."""

    def __eq__(self, other):
        return self is other

    def __hash__(self):
        return hash(self.at)


class Uncounted(PlainState):
    """The second player is said to have one turn less than are listed and played."""

    def count(self):
        return super().count() - (self.at.to_move == "o")


SEEN = {
    Short: "turns",
    Doubled: "turns",
    Disordered: "orders",
    Miscounted: "counts",
    Astray: "successors",
    Unturned: "successors",
    Unmoved: "positions",
    Forgetful: "positions",
    Endless: "ends",
    Generous: "goals",
    Alike: "hashes",
    Unsteady: "hashes",
    Unequal: "states",
    Uncounted: "sequences",
}


def small() -> tuple[Rulebook, list[Position]]:
    reference = reference_of(lesson("tic-tac-toe").model)
    return reference, list(islice(games(reference, 1), 30))


def test_the_reference_differs_in_nothing_from_itself() -> None:
    reference, positions = small()
    met = Met()
    assert not list(compare(reference, PlainEngine(reference), positions, met))
    assert met.counts["over"] == met.counts["goals"] > 2
    assert met.counts["hashes"] > 60
    assert met.collisions == 0


@pytest.mark.parametrize("kind", SEEN)
def test_the_comparison_sees_what_an_engine_does_otherwise(kind: type[PlainState]) -> None:
    reference, positions = small()
    history = {"moved": ["a3", "b2"]}
    positions.append(reference.position(["x..", ".o.", "..."], "x", history=history))
    found = {each.what for each in compare(reference, PlainEngine(reference, kind), positions)}
    assert SEEN[kind] in found


def test_a_difference_says_where_it_was_met() -> None:
    reference, positions = small()
    found = next(compare(reference, PlainEngine(reference, Short), positions))
    text = str(found)
    assert text.startswith("tic-tac-toe: turns differ in {'rows': ['...', '...', '...']")
    assert "c3 (0 0 a x)" in text


# Random models.


def test_a_random_model_depends_on_its_seed_alone_and_fits_into_a_model_file() -> None:
    for seed in (3, 5):
        model = random_model(seed)
        assert to_data(random_model(seed)) == to_data(model)
        assert from_data(to_data(model)) == model
    assert to_data(random_model(4)) != to_data(random_model(3)) | {"game": "random-4"}


def test_random_automata_have_letters_of_every_kind_and_circles() -> None:
    met: Counter[str] = Counter()
    for seed in range(60):
        chance = Random(seed)
        equipment = random_equipment(chance)
        for dfa in random_automata(chance, equipment):
            met.update("fly" if x.fly else x.on for _, x, _ in dfa.transitions)
            met["circle"] += any(s == t for s, _, t in dfa.transitions)
            met["back"] += any(0 < t < s for s, _, t in dfa.transitions)
            met["goes on"] += bool(dfa.continuing)
            met[dfa.key.role] += 1
        met[f"{len(equipment.players)} players"] += 1
        met["links"] += equipment.board.links is not None
        met["holes"] += bool(equipment.board.holes)
        met["stocked"] += bool(equipment.stocked)
        met["two words"] += equipment.board.size > 64
    wanted = [*"ewpndar", "fly", "circle", "back", "goes on", "first", "later", "appeared"]
    wanted += ["1 players", "2 players", "3 players", "links", "holes", "stocked", "two words"]
    assert all(met[each] > 3 for each in wanted), met


@cache
def models() -> tuple[Model, ...]:
    return tuple(random_model(seed) for seed in SEEDS[:12])


def test_most_random_models_have_turns_that_rules_forbid_and_games_that_end() -> None:
    met: Counter[str] = Counter()
    for seed, model in enumerate(models()):
        rulebook = Rulebook(model)
        free, here = Rulebook(replace(model, rules=None)), set[str]()
        for position in islice(walks(rulebook, seed), RANDOM_WALKED):
            legal, generated = rulebook.legal(position), free.legal(position)
            here |= {"turns"} if legal else set()
            here |= {"restricted"} if len(legal) < len(generated) else set()
            here |= {"over"} if generated and not legal and rulebook.goals(position) else set()
        met.update(here)
    assert met["turns"] >= len(SEEDS) - 2, met
    assert met["restricted"] >= len(SEEDS) // 2, met
    assert met["over"] >= 3, met
