"""Evidence is a sum: shards merge in any order, and samples don't depend on it either."""

from __future__ import annotations

import copy

from hypothesis import given, settings
from hypothesis import strategies as st

from grl.board import Board, Equipment, Piece, Player, Position, make_position
from grl.sgrl.evidence import Decision, Evidence
from grl.traces import Ply

WHITE = Player("white")
EQUIPMENT = Equipment(Board(2, 1), (WHITE, Player("black")), {"m": Piece("m", WHITE, "man")})

texts = st.sampled_from(["a1 (1 0 e)", "b1 (-1 0 e)", "pass", "a1 (0 0 d)"])


@st.composite
def plies(draw: st.DrawFn) -> Ply:
    rows = [draw(st.sampled_from(["m.", ".m", "mm"]))]
    position = make_position(EQUIPMENT, rows, draw(st.sampled_from(["white", "black"])))
    turn = draw(texts)
    legal = None
    if draw(st.booleans()):
        legal = tuple(sorted({turn, *draw(st.lists(texts, max_size=2))}))
    return Ply(position, turn, legal)


games = st.lists(plies(), max_size=12)


def observed(items: list[Ply]) -> Evidence:
    evidence = Evidence()
    for ply in items:
        evidence.observe(ply)
    return evidence


@settings(max_examples=80, deadline=None)
@given(games, games, games)
def test_shards_merge_in_any_order_and_grouping(
    one: list[Ply], two: list[Ply], three: list[Ply]
) -> None:
    together = observed(one + two + three)
    for order in ((one, two, three), (three, one, two), (two, three, one)):
        left = observed(order[0])
        left.merge(observed(order[1]))
        left.merge(observed(order[2]))
        inner = observed(order[1])
        inner.merge(observed(order[2]))
        right = observed(order[0])
        right.merge(inner)
        assert left == right == together
        assert list(left.sorted()) == list(together.sorted())


@settings(max_examples=60, deadline=None)
@given(games, games)
def test_merging_leaves_the_other_shard_alone(one: list[Ply], two: list[Ply]) -> None:
    first, second = observed(one), observed(two)
    before = copy.deepcopy(second)
    first.merge(second)
    first.merge(observed(one))
    assert second == before


@settings(max_examples=60, deadline=None)
@given(games)
def test_counts_are_those_of_single_moves_and_one_where_all_moves_are_known(
    items: list[Ply],
) -> None:
    evidence = observed(items)
    for decision, turns in evidence.decisions.items():
        here = [p for p in items if belongs(decision, p)]
        for text in {t for p in here for t in p.legal or (p.turn,)} | set(turns):
            if decision.complete:
                assert turns.get(text) == 1
            else:
                assert turns.get(text) == sum(p.turn == text for p in here)
    assert sum(belongs(d, p) for d in evidence.decisions for p in items) == len(items)


def belongs(decision: Decision, ply: Ply) -> bool:
    position = ply.position
    return (decision.mover, decision.cells, decision.complete) == (
        position.to_move,
        position.cells,
        ply.legal is not None,
    )


@settings(max_examples=60, deadline=None)
@given(games, st.randoms(use_true_random=False), st.integers(0, 8), st.integers(0, 3))
def test_a_sample_depends_on_the_seed_alone(
    items: list[Ply], random: object, size: int, seed: int
) -> None:
    shuffled = list(items)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    evidence = observed(items)
    sample = evidence.sample(size, seed)
    assert sample == observed(shuffled).sample(size, seed)
    assert len(sample.decisions) == min(size, len(evidence.decisions))
    assert sample.decisions.items() <= evidence.decisions.items()


def test_other_seeds_choose_other_decisions() -> None:
    board = Board(5, 2)
    equipment = Equipment(board, EQUIPMENT.players, EQUIPMENT.pieces)
    evidence = Evidence()
    for i in range(1, 1 << 10):
        cells = "".join(".m"[i >> bit & 1] for bit in range(10))
        evidence.observe(Ply(Position(equipment, cells, WHITE), "pass"))
    samples = [set(evidence.sample(20, seed).decisions) for seed in range(5)]
    assert all(len(sample) == 20 for sample in samples)
    assert len({frozenset(sample) for sample in samples}) == 5
    assert len(set.union(*samples)) > 60


def test_what_a_larger_sample_holds_a_smaller_one_begins_with() -> None:
    evidence = Evidence()
    for rows in ("m.", ".m", "mm"):
        evidence.observe(Ply(make_position(EQUIPMENT, [rows], "white"), "pass"))
    one, two = (set(evidence.sample(size, 7).decisions) for size in (1, 2))
    assert one < two < set(evidence.sample(3, 7).decisions)
