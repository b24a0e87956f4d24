"""Machines from plans, compared with machines drawn by hand."""

from __future__ import annotations

import pytest
from learned import learned, learned_from

from grl.board import Player, Square
from grl.locm.actions import Action
from grl.locm.machines import (
    SQUARE,
    ZERO,
    learn_machines,
    machine_of,
    square_sequences,
    zero_sequences,
)
from grl.locm.plans import Plan, Plans
from grl.model import Machine

WHITE = Player("white")
Edge = tuple[str, str, int, str]


def drawn(
    edges: list[Edge], initial: str, final: str
) -> tuple[frozenset[Edge], frozenset[str], frozenset[str]]:
    """A machine by hand, its states named anew: by the first transition out or into them."""
    return renamed(edges, set(initial.split()), set(final.split()))


def shape(machine: Machine) -> tuple[frozenset[Edge], frozenset[str], frozenset[str]]:
    """A learned machine without the numbers of its states."""
    edges = [(str(s), action, position, str(t)) for s, action, position, t in machine.transitions]
    return renamed(edges, set(map(str, machine.initial)), set(map(str, machine.final)))


def renamed(
    edges: list[Edge], initial: set[str], final: set[str]
) -> tuple[frozenset[Edge], frozenset[str], frozenset[str]]:
    """Every transition occurs once, so the ends of transitions name the states."""
    ends: dict[str, set[str]] = {}
    for source, action, position, target in edges:
        ends.setdefault(source, set()).add(f"{action}.{position} starts")
        ends.setdefault(target, set()).add(f"{action}.{position} ends")
    name = {state: ", ".join(sorted(sides)) for state, sides in ends.items()}
    assert len(set(name.values())) == len(name)
    return (
        frozenset((name[s], action, position, name[t]) for s, action, position, t in edges),
        frozenset(name[s] for s in initial),
        frozenset(name[s] for s in final),
    )


def machine(machines: tuple[Machine, ...], mover: str, piece: str, sort: str) -> Machine:
    (found,) = [m for m in machines if (m.mover, m.piece, m.sort) == (mover, piece, sort)]
    return found


QUEEN_ZERO = drawn(
    [
        ("queen", "move_queen", 0, "queen"),
        ("queen", "appear_arrow", 0, "arrow"),
        ("arrow", "move_arrow", 0, "arrow"),
    ],
    initial="queen",
    final="arrow",
)
MAN_ZERO = drawn(
    [
        ("over", "move_man", 0, "down"),
        ("down", "move_and_remove_man", 0, "over"),
        ("down", "appear_king", 0, "crowned"),
    ],
    initial="over down",
    final="down crowned",
)
KING_ZERO = drawn(
    [("over", "move_king", 0, "down"), ("down", "move_and_remove_king", 0, "over")],
    initial="over down",
    final="down",
)


@pytest.mark.parametrize(("mover", "piece"), [("white", "q"), ("black", "Q")])
def test_a_queen_moves_then_an_arrow_appears_then_the_arrow_moves(mover: str, piece: str) -> None:
    machines = learned("amazons:width=6,height=6").model.machines
    zero = machine(machines, mover, piece, ZERO)
    assert shape(zero) == QUEEN_ZERO
    assert zero.size == 2


@pytest.mark.parametrize(("mover", "man", "king"), [("white", "m", "k"), ("black", "M", "K")])
def test_in_checkers_taking_and_moving_on_alternate(mover: str, man: str, king: str) -> None:
    machines = learned("checkers").model.machines
    assert shape(machine(machines, mover, man, ZERO)) == MAN_ZERO
    assert shape(machine(machines, mover, king, ZERO)) == KING_ZERO


def test_the_machines_of_checkers_are_the_same_from_another_engine() -> None:
    machines = learned_from("checkers.single.jsonl").model.machines
    assert shape(machine(machines, "white", "m", ZERO)) == MAN_ZERO
    assert shape(machine(machines, "black", "K", ZERO)) == KING_ZERO


def test_a_crowned_man_moves_no_further() -> None:
    zero = machine(learned("checkers").model.machines, "white", "m", ZERO)
    (crowned,) = {t for _, action, _, t in zero.transitions if action == "appear_king"}
    assert crowned in zero.final
    assert crowned not in {source for source, *_ in zero.transitions}


def test_a_man_of_nine_mens_morris_steps_and_then_may_remove() -> None:
    machines = learned_from("nine_mens_morris.jsonl.gz").model.machines
    assert shape(machine(machines, "white", "W", ZERO)) == drawn(
        [("up", "move_man", 0, "down"), ("down", "remove_man", 0, "done")],
        initial="up",
        final="down done",
    )


def test_squares_of_a_queens_turn_go_two_ways() -> None:
    """Figure 3 of the GRL paper: a queen crosses the square, or an arrow appears there."""
    squares = machine(learned("amazons:width=6,height=6").model.machines, "white", "q", SQUARE)
    names = {(action, position) for _, action, position, _ in squares.transitions}
    assert names == {
        ("move_queen", 1),
        ("move_queen", 2),
        ("appear_arrow", 1),
        ("move_arrow", 1),
        ("move_arrow", 2),
    }
    arrives = {
        t
        for _, action, position, t in squares.transitions
        if (action, position) == ("move_queen", 2)
    }
    leaves = {
        s
        for s, action, position, _ in squares.transitions
        if (action, position) == ("move_queen", 1)
    }
    appears = {s for s, action, _, _ in squares.transitions if action == "appear_arrow"}
    assert arrives == leaves == appears


def acted(*steps: str) -> Plan:
    """A plan from lines ``name square square``."""
    return tuple(
        Action(name, tuple(Square(int(s)) for s in args))
        for name, *args in (step.split() for step in steps)
    )


def machines_of(*plans: Plan) -> dict[str, Machine]:
    observed = Plans()
    for plan in plans:
        observed.observe((WHITE, "m"), plan)
    return {machine.sort: machine for machine in learn_machines(observed) if machine.whole}


def test_a_zero_machine_of_one_state_is_left_out() -> None:
    single = machines_of(acted("move 0 1"), acted("move 0 1", "move 1 2"))
    assert set(single) == {SQUARE}
    assert machine_of(WHITE, "m", SQUARE, [(("move", 1), ("move", 1))]) is not None
    assert machine_of(WHITE, "m", ZERO, [(("move", 0), ("move", 0))]) is None
    assert machine_of(WHITE, "m", ZERO, []) is None
    # Without the second plan a turn has one step and no more, and the machine says so.
    assert set(machines_of(acted("move 0 1"))) == {ZERO, SQUARE}


def test_transitions_that_follow_one_another_meet() -> None:
    zero = machines_of(acted("a 0", "b 0", "c 0"), acted("a 0", "c 0"))[ZERO]
    assert shape(zero) == drawn(
        [("1", "a", 0, "2"), ("2", "b", 0, "2"), ("2", "c", 0, "3")], initial="1", final="3"
    )


def test_lives_are_those_of_the_plan_and_of_each_square() -> None:
    plans = Plans()
    plans.observe((WHITE, "q"), acted("move 0 1", "appear 1", "shoot 1 2"))
    patterns = plans.patterns[WHITE, "q"]
    assert zero_sequences(patterns) == {(("move", 0), ("appear", 0), ("shoot", 0))}
    assert square_sequences(patterns) == {
        (("move", 1),),
        (("move", 2), ("appear", 1), ("shoot", 1)),
        (("shoot", 2),),
    }


def test_a_machine_goes_on_from_its_beginning_only() -> None:
    zero = machines_of(acted("a 0", "b 0"), acted("b 0"))[ZERO]
    after_a = zero.after(None, "a")
    assert after_a is not None
    done = zero.after(after_a, "b")
    assert done in zero.final
    assert zero.after(None, "b") == done
    assert zero.after(done, "a") is None
    assert zero.after(after_a, "a") is None
    assert zero.after(None, "c") is None


def test_the_order_of_plans_and_their_counts_change_nothing() -> None:
    plans = [acted("a 0", "b 1"), acted("b 1", "b 0"), acted("c 0"), acted("a 0", "c 1")]
    once, often = machines_of(*plans), machines_of(*plans[::-1], *plans)
    assert once == often


def test_machines_come_sorted_and_apart_by_mover_and_piece() -> None:
    plans = Plans()
    for mover, piece in (("white", "m"), ("black", "M"), ("white", "k")):
        plans.observe((Player(mover), piece), acted("move 0 1"))
    machines = learn_machines(plans)
    keys = [(m.mover, m.piece, m.sort) for m in machines]
    assert keys == [
        (mover, piece, sort)
        for mover, piece in (("black", "M"), ("white", "k"), ("white", "m"))
        for sort in (ZERO, SQUARE)
    ]
