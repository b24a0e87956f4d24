"""Places of statics are units, and rules are merged into what their rows have in common."""

import random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from small_games import file_text

from grl.iggp import learn_program, parse_task, score
from grl.iggp.merging import body_of, grown, unions
from grl.iggp.places import places
from grl.iggp.world import make_world

SIDE = range(1, 5)
STEPS = {"north": (0, 1), "south": (0, -1), "east": (1, 0), "west": (-1, 0)}


def pushing(number, seed):
    """A keeper between boxes: who walks pushes at most one of them, and none out of the room."""
    chance = random.Random(seed)
    squares = [(x, y) for x in SIDE for y in SIDE]
    ahead = {
        (way, x, y): (x + dx, y + dy)
        for way, (dx, dy) in STEPS.items()
        for x, y in squares
        if (x + dx, y + dy) in squares
    }
    states = []
    for _ in range(number):
        keeper, *boxes = chance.sample(squares, 5)
        legal = []
        for way in STEPS:
            first = ahead.get((way, *keeper))
            second = ahead.get((way, *first)) if first else None
            if first and (first not in boxes or (second and second not in boxes)):
                legal.append(f"legal_walk({way})")
        facts = [f"true_keeper({keeper[0]}, {keeper[1]})"]
        states.append((facts + [f"true_box({x}, {y})" for x, y in boxes], legal))
    statics = [f"ahead({w}, {x}, {y}, {v}, {z})" for (w, x, y), (v, z) in ahead.items()]
    return file_text([f"legal_walk({way})" for way in STEPS], statics, states)


def test_what_may_be_pushed_is_learned_exactly():
    learned = learn_program(parse_task(pushing(250, 1)), seconds=20.0)

    assert learned.errors == 0
    assert score(learned.text, parse_task(pushing(400, 2))).perfect


def test_places_are_pairs_of_arguments_of_the_same_types():
    statics = ["ahead(north, 1, 2, 1, 3)", "ahead(east, 2, 3, 3, 3)", "ahead(west, 3, 1, 2, 2)"]
    statics += ["leap(1, 2, 3, 2, 1)", "leap(3, 1, 2, 3, 3)", "leap(2, 3, 1, 1, 2)", "near(1, 2)"]
    states = [([f"true_at({x}, {y}, {z}, {y})"], []) for x, y, z in [(1, 2, 3), (3, 1, 2)]]
    world = make_world(parse_task(file_text(["over()"], statics, states)))
    found = {key: places(relation) for key, relation in world.relations.items()}

    assert found["ahead", 5] == ((1, 2), (3, 4))
    assert found["leap", 5] == ((1, 2), (3, 4))
    assert found["near", 2] == found["true_at", 4] == ()


@settings(deadline=None)
@given(
    st.integers(1, 12), st.integers(1, 9), st.integers(1, 20),
    st.floats(0.2, 0.8), st.integers(0, 10_000), st.integers(1, 4),
)  # fmt: skip
def test_a_merged_body_holds_on_all_its_rows_and_on_no_negative_one(
    rows, others, literals, share, seed, number
):
    random_ = np.random.default_rng(seed)
    positive = random_.random((rows, literals)) < share
    negative = random_.random((others, literals)) < share
    parts = [random_.random(rows) < 0.4 for _ in range(number)]
    costs = np.ones(literals)

    for union in (
        *unions(positive, negative, parts),
        *grown(positive, negative, parts, random_),
    ):
        body = body_of(positive, negative, costs, union)
        assert body is not None
        assert positive[union][:, body].all()
        assert not negative[:, body].all(axis=1).any()
