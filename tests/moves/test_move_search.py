"""The search finds exactly the turns that trying every word finds."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from brute import action_names, actions_of, brute_effects, effect, ordered
from learned import all_binding, learned, random_positions

from grl import games
from grl.board import Board, Equipment, Piece, Player, Position, Square, make_position
from grl.errors import IllegalTurn
from grl.locm.machines import learn_machines
from grl.locm.plans import Plans, PlanWriter
from grl.model import AutomatonKey, Dfa, Model, Role, StateId
from grl.moves.search import Searcher
from grl.sgrl.evidence import Decision
from grl.turn import PASS, Letter, Turn, play

WHITE, BLACK = Player("white"), Player("black")
PIECES = {
    "m": Piece("m", WHITE, "man"),
    "q": Piece("q", WHITE, "queen"),
    "M": Piece("M", BLACK, "man"),
    "x": Piece("x", None, "arrow"),
}


def effects_of(searcher: Searcher, position: Position) -> Counter[object]:
    return Counter(effect(position, turn) for turn in searcher.turns(position))


def assert_agree(
    model: Model, position: Position, letters: int, *, locm: bool = True
) -> set[object]:
    """Search and brute force have the same effects, each once; returns them."""
    found = effects_of(Searcher(model, locm=locm), position)
    assert all(count == 1 for count in found.values()), "an effect comes twice"
    brute = brute_effects(model, position, letters, locm=locm)
    missing = [str(turn) for key, turn in brute.items() if key not in found]
    assert not missing, f"not found at {position.rows} {position.reserve}: {missing[:3]}"
    extra = set(found) - set(brute)
    assert not extra, f"not to be found at {position.rows} {position.reserve}: {extra}"
    return set(found)


# Learned models.


@pytest.mark.parametrize(
    ("spec", "n", "letters"),
    [
        ("checkers", 40, 13),
        ("breakthrough:width=6,height=6", 30, 1),
        ("peg-solitaire", 20, 3),
        ("connect-four", 15, 1),
        ("tic-tac-toe", 15, 1),
    ],
)
def test_learned_models_generate_what_every_word_gives(spec: str, n: int, letters: int) -> None:
    model = learned(spec).model
    sizes = []
    for reached in random_positions(spec, n, seed=5):
        position = replace(reached, equipment=model.equipment)
        with_machines = assert_agree(model, position, letters)
        assert with_machines <= assert_agree(model, position, letters, locm=False)
        sizes.append(len(with_machines))
    assert len(sizes) >= 12
    assert sum(sizes) > len(sizes)


def on_small_board(model: Model) -> Model:
    """A model of Amazons on 4 x 4 squares, where every word can be tried."""
    small = games.load("amazons:width=4,height=4")
    return replace(model, equipment=small.equipment, initial=small.initial)


def test_queens_and_arrows_generate_what_every_word_gives() -> None:
    model = on_small_board(learned("amazons:width=6,height=6").model)
    crowded = [
        replace(reached, equipment=model.equipment)
        for reached in random_positions("amazons:width=4,height=4", 20, seed=5)
        if reached.cells.count("x") >= 5
    ]
    assert len(crowded) > 3
    for position in crowded:
        assert assert_agree(model, position, 7) <= assert_agree(model, position, 7, locm=False)


def test_kings_jump_round_and_over_every_square_they_have_emptied() -> None:
    model = learned("checkers").model
    rows = ["........"] * 2 + ["..M.M...", ".......k", "..M.M...", "........", "....M...", "....."]
    rows = [row.ljust(8, ".") for row in rows]
    rows[1] = "...k...."
    position = make_position(model.equipment, rows, "white")
    found = assert_agree(model, position, 13)
    turns = {str(turn) for turn in Searcher(model).turns(position)}
    round_trips = [turn for turn in turns if turn.count("(0 0 d)") == 4]
    assert found
    assert round_trips, turns


# A game like Nine Men's Morris, made by hand: links, a reserve, flights and second segments.

LINKS = [("a1", "b1"), ("b1", "c1"), ("a1", "a2"), ("c1", "c2"), ("a2", "a3"), ("c2", "c3")]
LINKS += [("a3", "b3"), ("b3", "c3"), ("b1", "b3")]


def morris() -> Model:
    hole = frozenset({Square(4)})
    plain = Board(3, 3, hole)
    pairs = {(plain.square(a), plain.square(b)) for a, b in LINKS}
    board = Board(3, 3, hole, frozenset(pairs | {(b, a) for a, b in pairs}))
    pieces = {"m": PIECES["m"], "M": PIECES["M"]}
    stocked = frozenset({(WHITE, "m"), (BLACK, "M")})
    equipment = Equipment(board, (WHITE, BLACK), pieces, stocked)
    start = make_position(
        equipment, ["...", ".#.", "..."], "white", {"white": {"m": 3}, "black": {"M": 3}}
    )
    steps = [Letter(dx, dy, "e") for dx in (-1, 0, 1) for dy in (-2, -1, 0, 1, 2) if dx * dy == 0]
    steps = [x for x in steps if (x.dx, x.dy) != (0, 0)] + [Letter(0, 0, "e", fly=True)]
    automata = []
    for player, own, other in ((WHITE, "m", "M"), (BLACK, "M", "m")):
        automata += [
            one_letter(player, ".", Role.FIRST, [Letter(0, 0, "a", own)], ends="$"),
            Dfa(AutomatonKey(player, own, Role.APPEARED), 1, (), states(0), states(0)),
            one_letter(player, own, Role.FIRST, steps, ends="$;"),
            one_letter(player, other, Role.LATER, [Letter(0, 0, "d")], ends="$"),
        ]
    ordered_automata = tuple(sorted(automata, key=lambda dfa: dfa.key))
    return Model("morris", equipment, start, ordered_automata, segments=2)


def states(*numbers: int) -> frozenset[StateId]:
    return frozenset(map(StateId, numbers))


def one_letter(player: Player, holds: str, role: Role, letters: list[Letter], *, ends: str) -> Dfa:
    return Dfa(
        AutomatonKey(player, holds, role),
        2,
        tuple((StateId(0), letter, StateId(1)) for letter in sorted(letters)),
        states(1) if "$" in ends else frozenset(),
        states(1) if ";" in ends else frozenset(),
    )


def test_placing_removing_and_flying_give_what_every_word_gives() -> None:
    model = morris()
    random = Random(3)
    position = model.initial
    kinds: Counter[str] = Counter()
    for _ in range(60):
        assert_agree(model, position, 3)
        turns = Searcher(model).turns(position)
        for turn in turns:
            text = str(turn)
            kinds.update(k for k in ("; ", "@", " a ", " d)") if k in text)
        if not turns:
            position = model.initial
            continue
        position = play(position, random.choice(turns))
    assert all(kinds[k] > 50 for k in ("; ", "@", " a ", " d)")), kinds


def test_an_empty_reserve_places_nothing() -> None:
    model = morris()
    full = make_position(model.equipment, ["...", ".#.", "m.."], "white", {"white": {"m": 1}})
    empty = make_position(model.equipment, ["...", ".#.", "m.."], "white", {"white": {"m": 0}})
    placing = [str(t) for t in Searcher(model).turns(full) if "a m" in str(t)]
    assert len(placing) == 7
    assert not [str(t) for t in Searcher(model).turns(empty) if "a m" in str(t)]
    assert [t for t in Searcher(model).turns(empty) if "@" in str(t)]


def test_where_a_step_and_a_flight_come_to_one_square_the_turn_is_the_step() -> None:
    model = morris()
    man = make_position(model.equipment, ["...", ".#.", "m.."], "white", {"white": {"m": 0}})
    turns = {str(t) for t in Searcher(model).turns(man)}
    near = {"a1 (1 0 e)", "a1 (0 1 e)"}
    assert turns == near | {f"a1 (@{square} e)" for square in ("c1", "c2", "a3", "b3", "c3")}


def test_a_placed_piece_leaves_the_reserve_and_the_other_players_stays() -> None:
    model = morris()
    turn = next(t for t in Searcher(model).turns(model.initial) if str(t) == "a1 (0 0 a m)")
    after = play(model.initial, turn)
    assert after.reserve == {"white": {"m": 2}, "black": {"M": 3}}


def test_flights_lead_to_every_empty_square_but_not_to_the_origin() -> None:
    model = morris()
    position = make_position(model.equipment, ["..M", ".#.", "m.."], "white")
    turns = Searcher(model).turns(position)
    single = [turn for turn in turns if len(turn.segments) == 1]
    boards = {play(position, turn).cells for turn in single}
    # A step and a flight to a linked square have one effect, so there is one turn a square.
    assert len(single) == len(boards) == 6
    assert position.cells not in boards
    without_links = {t.segments[0].targets for t in single if t.segments[0].targets}
    assert {("c1",), ("c2",), ("a3",), ("b3",)} <= without_links


def test_a_second_segment_sees_the_board_that_the_first_left() -> None:
    model = morris()
    position = make_position(model.equipment, ["M..", ".#.", "m.."], "white")
    removals = [t for t in Searcher(model).turns(position) if len(t.segments) == 2]
    assert removals
    for turn in removals:
        assert str(turn.segments[1]) == "a3 (0 0 d)"
        assert play(position, turn).cells.count("M") == 0


def test_no_turn_has_more_segments_than_were_ever_seen() -> None:
    model = morris()
    position = make_position(model.equipment, ["M.M", ".#.", "m.."], "white")
    lengths = {
        segments: max(
            len(turn.segments)
            for turn in Searcher(replace(model, segments=segments)).turns(position)
        )
        for segments in (1, 2)
    }
    assert lengths == {1: 1, 2: 2}


@pytest.mark.parametrize("seed", range(25))
def test_three_segments_in_any_order_give_what_every_word_gives(seed: int) -> None:
    """Automata that let segment follow segment, so that one board is reached in many ways."""
    random = Random(seed)
    equipment = Equipment(Board(2, 2), (WHITE, BLACK), PIECES)
    automata = []
    kinds = [Letter(0, 0, "a", "x"), Letter(0, 0, "a", "m"), Letter(1, 0, "e"), Letter(0, 1, "e")]
    for holds in ".mx":
        for role in (Role.FIRST, Role.LATER):
            letters = random.sample(kinds, random.randint(1, 3))
            automata.append(
                one_letter(WHITE, holds, role, letters, ends=random.choice(["$;", ";"]))
            )
    for piece in "mx":
        key = AutomatonKey(WHITE, piece, Role.APPEARED)
        automata.append(Dfa(key, 1, (), states(0), states(0)))
    cells = [random.choice(".mx") for _ in range(4)]
    position = make_position(equipment, ["".join(cells[:2]), "".join(cells[2:])], "white")
    model = Model("any", equipment, position, tuple(automata), segments=3)
    assert_agree(model, position, 3)


# Models made by chance.


def random_model(random: Random) -> tuple[Model, list[Position]]:
    """A model with random acyclic automata over all kinds of letters, and positions for it."""
    width, height = random.randint(2, 3), random.randint(1, 3)
    squares = [Square(i) for i in range(width * height)]
    holes = frozenset(s for s in squares[1:] if random.random() < 0.12)
    links = None
    if random.random() < 0.3:
        links = frozenset(
            (a, b)
            for a in squares
            for b in squares
            if a != b and not {a, b} & holes and random.random() < 0.6
        )
    stocked = [key for key in "mqx" if random.random() < 0.4]
    equipment = Equipment(
        Board(width, height, holes, links),
        (WHITE, BLACK),
        PIECES,
        frozenset((WHITE, key) for key in stocked),
    )
    automata = [
        random_dfa(random, AutomatonKey(WHITE, holds, Role.FIRST), "mqx") for holds in ".mM"
    ]
    automata += [
        random_dfa(random, AutomatonKey(WHITE, holds, Role.LATER), "mqx")
        for holds in random.sample(".mqMx", 2)
    ]
    # What appears may let only some pieces appear, so that every turn has an end.
    for piece, heirs in (("m", ""), ("q", ""), ("x", "mq")):
        if random.random() < 0.8:
            key = AutomatonKey(WHITE, piece, Role.APPEARED)
            automata.append(random_dfa(random, key, heirs))
    positions = []
    for _ in range(3):
        cells = "".join("#" if s in holes else random.choice("..mmqMx") for s in squares)
        hand = {"white": {key: random.randint(0, 2) for key in stocked}}
        positions.append(make_position(equipment, equipment.board.rows(cells), "white", hand))
    automata.sort(key=lambda dfa: dfa.key)
    segments = random.choice([1, 2, 2])
    return Model("random", equipment, positions[0], tuple(automata), segments=segments), positions


def random_dfa(random: Random, key: AutomatonKey, heirs: str) -> Dfa:
    """Two or three layers; letters ``a`` lead to an end of their own."""
    depth = random.randint(1, 2)
    end = depth + 1
    transitions = []
    for state in range(depth):
        steps = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]
        letters = {Letter(*random.choice(steps), random.choice("eeewpn")) for _ in range(3)}
        letters |= {Letter(0, 0, "d")} if random.random() < 0.3 else set()
        letters |= (
            {Letter(0, 0, random.choice("epn"), fly=True)} if random.random() < 0.2 else set()
        )
        letters |= {Letter(0, 0, "r", random.choice("mx"))} if random.random() < 0.4 else set()
        letters |= (
            {Letter(0, 0, "a", random.choice(heirs))} if heirs and random.random() < 0.4 else set()
        )
        for letter in sorted(letters):
            target = end if letter.appears else state + 1
            transitions.append((StateId(state), letter, StateId(target)))
    some = [state for state in range(depth + 1) if state and random.random() < 0.6]
    if key.role is Role.APPEARED and random.random() < 0.5:
        some.append(0)
    on = [state for state in range(depth + 1) if state and random.random() < 0.3]
    return Dfa(key, end + 1, tuple(transitions), states(*some, depth, end), states(*on))


BATCH = 25
LONGEST = 12
"""Two segments, in each a piece, one that appears and one that appears from there."""


@pytest.mark.parametrize("first", range(0, 150, BATCH))
def test_random_models_generate_what_every_word_gives(first: int) -> None:
    met: Counter[str] = Counter()
    for seed in range(first, first + BATCH):
        model, positions = random_model(Random(seed))
        for position in positions:
            assert_agree(model, position, LONGEST, locm=False)
            for turn in Searcher(model).turns(position):
                met[f"{len(turn.segments)} segments"] += 1
                met.update({x.on for s in turn.segments for x in s.letters})
                met["flight"] += any(s.targets for s in turn.segments)
    wanted = [*"ewpnadr", "flight", "1 segments", "2 segments"]
    assert all(met[kind] > 10 for kind in wanted), met


@pytest.mark.parametrize("first", range(200, 200 + 4 * BATCH, BATCH))
def test_random_machines_allow_what_they_would_allow_plan_by_plan(first: int) -> None:
    """Machines are learned from some of a random model's turns, so they forbid some others."""
    forbidden = 0
    for seed in range(first, first + BATCH):
        random = Random(seed)
        model, positions = random_model(random)
        plans = Plans()
        for position in positions:
            writer = PlanWriter(model.equipment)
            decision = Decision(WHITE, position.cells, position.stock, True)
            for turn in brute_effects(model, position, LONGEST, locm=False).values():
                if random.random() < 0.3:
                    written = writer.write(decision, str(turn))
                    assert written is not None
                    plans.observe(*written)
        model = replace(model, machines=tuple(learn_machines(plans)))
        for position in positions:
            ordered_turns = assert_agree(model, position, LONGEST)
            every_turn = assert_agree(model, position, LONGEST, locm=False)
            assert ordered_turns <= every_turn
            forbidden += len(every_turn - ordered_turns)
    assert forbidden > 30


def test_the_names_of_actions_written_here_are_those_that_plans_are_written_in() -> None:
    seen: Counter[str] = Counter()
    for seed in range(300, 340):
        model, positions = random_model(Random(seed))
        writer = PlanWriter(model.equipment)
        for position in positions:
            decision = Decision(WHITE, position.cells, position.stock, True)
            for turn in brute_effects(model, position, LONGEST, locm=False).values():
                written = writer.write(decision, str(turn))
                assert written is not None
                names = action_names(position, turn)
                assert [action.name for action in written[1]] == names, (position.rows, str(turn))
                seen.update(name.rpartition("_")[0] or name for name in names)
    wanted = {"move", "move_over", "move_and_remove", "remove", "appear", "keep"}
    assert wanted <= set(seen), seen


def model_of(*automata: Dfa, cells: str, stocked: str = "") -> Model:
    """A model on a row of squares, white to move."""
    stock = frozenset((WHITE, key) for key in stocked)
    equipment = Equipment(Board(len(cells), 1), (WHITE, BLACK), PIECES, stock)
    start = make_position(equipment, [cells], "white", {"white": dict.fromkeys(stocked, 1)})
    return Model("row", equipment, start, automata)


def test_pieces_kept_in_two_ways_are_two_turns() -> None:
    keeps = [Letter(0, 0, "r", "m"), Letter(0, 0, "r", "x")]
    step = (StateId(0), Letter(1, 0, "p"), StateId(1))
    kept = [(StateId(1), letter, StateId(2)) for letter in keeps]
    key = AutomatonKey(WHITE, "m", Role.FIRST)
    model = model_of(Dfa(key, 3, (step, *kept), states(2)), cells="mM")
    assert assert_agree(model, model.initial, 3)
    assert {str(turn) for turn in Searcher(model).turns(model.initial)} == {
        f"a1 (1 0 p) {letter}" for letter in keeps
    }


def test_a_piece_that_is_kept_placed_and_kept_again_is_counted_right() -> None:
    keep, place = Letter(0, 0, "r", "x"), Letter(0, 0, "a", "x")
    first = Dfa(
        AutomatonKey(WHITE, "m", Role.FIRST),
        3,
        ((StateId(0), keep, StateId(1)), (StateId(1), place, StateId(2))),
        states(1, 2),
    )
    then = one_letter(WHITE, "x", Role.APPEARED, [keep], ends="$")
    model = model_of(first, then, cells="m")
    assert len(assert_agree(model, model.initial, 3)) == 2


def test_an_empty_hand_that_only_goes_about_has_no_turn() -> None:
    walk = one_letter(WHITE, ".", Role.FIRST, [Letter(1, 0, "e")], ends="$")
    model = model_of(walk, cells="..m")
    assert Searcher(model).turns(model.initial) == []


def test_what_is_kept_before_it_is_removed_is_named_by_its_own_type() -> None:
    """Plans and search must agree on it, or the machine forbids the turn it was learned from."""
    word = [Letter(1, 0, "p"), Letter(0, 0, "r", "m"), Letter(0, 0, "d"), Letter(1, 0, "e")]
    transitions = tuple((StateId(i), x, StateId(i + 1)) for i, x in enumerate(word))
    model = model_of(
        Dfa(AutomatonKey(WHITE, "q", Role.FIRST), 5, transitions, states(4)), cells="qM."
    )
    (turn,) = Searcher(model).turns(model.initial)
    plans = Plans()
    decision = Decision(WHITE, model.initial.cells, (), True)
    written = PlanWriter(model.equipment).write(decision, str(turn))
    assert written is not None
    assert [x.name for x in written[1]] == ["move_queen", "keep", "remove_man", "move_queen"]
    plans.observe(*written)
    with_machines = replace(model, machines=tuple(learn_machines(plans)))
    assert Searcher(with_machines).turns(model.initial) == [turn]


# Passing, and effects that come once.


@pytest.mark.parametrize("kind", ["forced", "free", None])
def test_passing_is_free_or_only_for_want_of_a_turn(kind: str | None) -> None:
    passes = {} if kind is None else {WHITE: kind}
    model = replace(learned("breakthrough:width=6,height=6").model, passes=passes)
    blank = ["......"] * 4
    can_move = make_position(model.equipment, ["bbbbbb", *blank, "wwwwww"], "white")
    stuck = make_position(model.equipment, ["w....b", *blank, "......"], "white")
    searcher = Searcher(model)
    assert (PASS in searcher.turns(can_move)) is (kind == "free")
    assert searcher.turns(stuck) == ([] if kind is None else [PASS])
    black = make_position(model.equipment, ["......", *blank, "b....."], "black")
    assert searcher.turns(black) == []


def test_ways_round_to_the_same_board_are_one_turn() -> None:
    """A king that may jump left round or right round takes the same four men."""
    model = learned("checkers").model
    rows = ["........", "...k....", "..M.M...", "........", "..M.M...", "........", "........"]
    position = make_position(model.equipment, [*rows, "........"], "white")
    turns = Searcher(model).turns(position)
    circles = [t for t in turns if len(t.segments[0].letters) == 12]
    assert len(circles) == 1
    assert play(position, circles[0]).cells == position.cells.replace("M", ".")
    assert len(brute_effects(model, position, 12)) == len(turns)


def test_without_machines_turns_are_a_superset_with_more_in_it() -> None:
    """A man's machine orders taking and moving; without it the automata alone decide."""
    model = all_binding(on_small_board(learned("amazons:width=6,height=6").model))
    zero = next(m for m in model.machines if m.sort == "zero" and m.mover == WHITE)
    only_moves = replace(
        zero,
        transitions=tuple(t for t in zero.transitions if t[1] != "move_arrow"),
    )
    strict = replace(model, machines=(only_moves,))
    position = model.initial
    assert Searcher(strict).turns(position) == []
    free = Searcher(strict, locm=False).turns(position)
    assert {effect(position, t) for t in free} == {
        effect(position, t) for t in Searcher(model).turns(position)
    }
    assert all(not ordered(only_moves, actions_of(position, t)) for t in free)


def test_every_turn_found_can_be_played() -> None:
    for seed in range(400, 440):
        model, positions = random_model(Random(seed))
        for position in positions:
            for turn in Searcher(model).turns(position):
                try:
                    play(position, turn)
                except IllegalTurn as error:
                    pytest.fail(f"{turn} on {position.rows}: {error}")


def test_the_same_position_gives_the_same_turns_again_and_is_left_alone() -> None:
    model = learned("checkers").model
    searcher = Searcher(model)
    before = model.initial.to_dict()
    first = [str(turn) for turn in searcher.turns(model.initial)]
    assert [str(turn) for turn in searcher.turns(model.initial)] == first
    assert model.initial.to_dict() == before
    assert all(Turn.parse(text) for text in first)
