"""Relations that are made of those of a file hold what clingo says that their rules derive."""

import random

import clingo
import pytest
from small_games import GOAL, board, file_text, winner

from grl.iggp import parse_task
from grl.iggp.connections import connections
from grl.iggp.lines import lines
from grl.iggp.tallies import tallies
from grl.iggp.target import make_target
from grl.iggp.world import make_world


def country(number, seed):
    """A map whose countries are coloured or not, some at the coast, and a crowd on squares."""
    chance = random.Random(seed)
    places = "abcdefgh"
    edges = [(p, q) for p in places for q in places if p < q and chance.random() < 0.3]
    statics = [f"road({p}, {q})" for p, q in edges] + [f"road({q}, {p})" for p, q in edges]
    statics += ["coast(a)", "coast(b)", "port(red, g)", "port(blue, h)", "after(1, 2)"]
    states = [
        (
            [f"true_owner({p}, {chance.choice(['red', 'blue'])})" for p in places[:6]]
            + [f"true_hut({p})" for p in places if chance.random() < 0.5]
            + [f"true_man({x}, {y})" for x in "123" for y in "123" if chance.random() < 0.2],
            [],
        )
        for _ in range(number)
    ]
    return file_text(["over()"], [*statics, "after(2, 3)"], states)


FILES = {"squares": board(12, 3, GOAL, winner), "a map": country(12, 4)}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("make", [connections, lines, tallies])
def test_made_relations_hold_what_their_rules_derive(name, make):
    task = parse_task(FILES[name])
    world = make_world(task)
    (key,) = world.targets
    names = world.vocabulary.names

    made = make(make_target(world, key, 0, lambda: None).world)

    assert made
    assert len({(relation.name, relation.arity) for relation in made}) == len(made)
    rules = "\n".join(dict.fromkeys(rule for relation in made for rule in relation.definition))
    for number, state in enumerate(task.states):
        facts = "".join(f"{atom}.\n" for atom in (*task.statics, *state.background))
        control = clingo.Control(["--warn=none"])
        control.add("base", [], facts + rules)
        control.ground([("base", [])])
        derived: dict[tuple[str, int], set[tuple[str, ...]]] = {}
        for atom in control.symbolic_atoms:
            symbol = atom.symbol
            arguments = tuple(str(argument) for argument in symbol.arguments)
            derived.setdefault((symbol.name, len(arguments)), set()).add(arguments)
        for relation in made:
            rows = relation.rows[relation.rows[:, 0] == number, 1:]
            held = {tuple(names[code] for code in row) for row in rows}
            assert held == derived.get((relation.name, relation.arity), set()), relation.name
