"""Bodies looked at as sets of rows match as often as clingo says."""

from __future__ import annotations

from random import Random

import clingo

from grl.las import Limits, parse
from grl.las.clock import grounded
from grl.las.matches import Bodies, Interpretation, readable
from grl.las.space import sorted_space
from grl.las.terms import variables
from las.test_layers_agree import board_task


def counted(facts: str, body: str, names: list[int]) -> int:
    terms = ",".join(f"V{n}" for n in names) or "0"
    ctl = grounded(f"{facts} found(S) :- S = #count{{{terms} : {body}}}.")
    (atom,) = ctl.symbolic_atoms.by_signature("found", 1)
    return atom.symbol.arguments[0].number


def test_a_body_has_as_many_rows_as_clingo_finds_matches() -> None:
    rnd = Random(2)
    looked = 0
    for _ in range(25):
        task = parse(board_task(rnd), limits=Limits(3, 4))
        facts = task.examples[0].context
        rules = rnd.sample(space, 40) if len(space := sorted_space(task)) > 40 else space
        bodies = Bodies(rule.body if readable(rule.body) else None for rule in rules)
        ctl = grounded(facts)
        atoms = [atom.symbol for atom in ctl.symbolic_atoms]
        here = Interpretation(atoms, bodies)
        for number, rule in enumerate(rules):
            rows = here.rows(number) if rule.body else None
            if rows is None:
                continue
            names = sorted({n for one in rule.body for n in variables(one)})
            assert rows.bit_count() == counted(facts, ", ".join(map(str, rule.body)), names)
            looked += 1
    assert looked > 100


def test_sums_take_integers_only() -> None:
    task = parse("#modeb(1,p(var(t)),(positive)). #maxv(1).", limits=Limits(1, 1))
    (rule,) = sorted_space(task)
    atoms = [clingo.parse_term(text) for text in ("p(3)", "p(4)", "p(a)")]
    here = Interpretation(atoms, Bodies([rule.body]))
    rows = here.rows(0)
    assert rows is not None
    assert here.sum(rows, 0, 1) == 7
