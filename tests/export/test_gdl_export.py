"""The exported GDL: well formed, and the same game as the model when it is read back."""

import pytest
from gdl import answer_set_program, faults, read
from learned import random_positions
from running import BREAKTHROUGH, CHECKERS, CONNECT_FOUR, differences, model_with

from grl.asp.terms import Function, Number
from grl.export.kif import asp_term, gdl_program, kif

CASES = {
    "tic-tac-toe": (None, 10),
    "connect-four": (CONNECT_FOUR, 8),
    "breakthrough:width=6,height=6": (BREAKTHROUGH, 6),
    "checkers": (CHECKERS, 6),
    "peg-solitaire": (None, 4),
}


@pytest.mark.parametrize("spec", CASES)
def test_rules_are_well_formed_and_mean_what_the_model_means(spec):
    rules, number = CASES[spec]
    model = model_with(rules, spec)

    read_back = read(gdl_program(model))

    assert faults(read_back) == []
    program = answer_set_program(read_back)
    assert differences(model, program, random_positions(spec, number, seed=5), minus=True) >= number


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("(<= (p ?x) (not (q ?x))) (q a)", "unsafe"),
        ("(<= (p ?x) (true ?x) (not (q ?x))) (<= (q ?x) (true ?x) (not (p ?x)))", "not stratified"),
        ("(<= (p (f ?x)) (p ?x)) (p a)", "unbounded"),
        ("(<= (p ?x) (q ?x))", "undefined"),
        ("(<= (legal ?r ?m) (does ?r ?m))", "legal"),
    ],
)
def test_the_reader_finds_faults(text, fault):
    assert fault in {found[0] for found in faults(read(text))}


def test_terms_go_there_and_back():
    letter = Function("step", (Number(-1), Number(2), Function("e")))
    term = Function("then", (Function("from", (Function("c3"),)), letter))

    assert kif(term) == "(then (from c3) (step minus_1 2 e))"
    assert asp_term(kif(term)) == str(term) == "then(from(c3),step(-1,2,e))"
