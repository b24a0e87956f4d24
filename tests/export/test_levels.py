"""Rules with marks: one recursive program, or a copy for each number of letters; other copies."""

from grl.asp.reader import read_rules
from grl.asp.rules import printed
from grl.export.copies import between, copied
from grl.export.levels import marked, recursive, unrolled

RULES = """% Words of any letters.
now(W,board,S,C) :- board(W,S,C).
fresh'(W,from(S),S) :- begins(W,S). % where they begin
fresh'(W,then(P,L),R) :- fresh(W,P,S), arc(S,L,R), not wall(R).
down'(W,P,B,1) :- fresh'(W,P,B).
sets'(W,P,S) :- fresh'(W,P,S), left(W,P).
spare(W,P) :- stock(W,P).
spare'(W,then(P,L)) :- spare(W,P), L != remove.
now'(W,P,S,C) :- fresh'(W,P,S), C = empty.
"""


def test_one_recursive_program_is_the_same_without_the_marks():
    assert recursive(RULES) == RULES.replace("'", "")
    assert marked(read_rules(RULES))
    assert not marked(read_rules(recursive(RULES)))


def test_each_number_of_letters_has_its_copy():
    """What nothing is left of, ``sets``, goes; boards are handed on while words have them."""
    assert printed(unrolled(read_rules(RULES), 2, 1)).split("\n") == [
        "now_0(W,board,S,C) :- board(W,S,C).",
        "fresh_1(W,from(S),S) :- begins(W,S).",
        "fresh_2(W,then(P,L),R) :- fresh_1(W,P,S), arc(S,L,R), not wall(R).",
        "down_1(W,P,B,1) :- fresh_1(W,P,B).",
        "down_2(W,P,B,1) :- fresh_2(W,P,B).",
        "spare_0(W,P) :- stock(W,P).",
        "spare_1(W,then(P,L)) :- spare_0(W,P), L != remove.",
        "now_1(W,P,S,C) :- fresh_1(W,P,S), C = empty.",
        "now_2(W,P,S,C) :- fresh_2(W,P,S), C = empty.",
        "used_1(W,B) :- down_1(W,X1,B,X3).",
        "used_2(W,B) :- down_2(W,X1,B,X3).",
        "now_1(W,B,S,C) :- now_0(W,B,S,C), used_1(W,B).",
        "now_2(W,B,S,C) :- now_1(W,B,S,C), used_2(W,B).",
        "now(X0,X1,X2,X3) :- now_0(X0,X1,X2,X3).",
        "fresh(X0,X1,X2) :- fresh_1(X0,X1,X2).",
        "fresh(X0,X1,X2) :- fresh_2(X0,X1,X2).",
        "down(X0,X1,X2,X3) :- down_1(X0,X1,X2,X3).",
        "down(X0,X1,X2,X3) :- down_2(X0,X1,X2,X3).",
        "spare(X0,X1) :- spare_0(X0,X1).",
        "spare(X0,X1) :- spare_1(X0,X1).",
        "now(X0,X1,X2,X3) :- now_1(X0,X1,X2,X3).",
        "now(X0,X1,X2,X3) :- now_2(X0,X1,X2,X3).",
        "used(X0,X1) :- used_1(X0,X1).",
        "used(X0,X1) :- used_2(X0,X1).",
    ]


def test_a_copy_has_other_predicates_and_the_same_terms():
    rules = read_rules("walk'(W,walk(S)) :- N = #count{P : walk(W,P), free(P)}, board(W,S).")

    assert printed(copied(rules, {"walk", "board"}, prefix="later_")) == (
        "later_walk'(W,walk(S)) :- N = #count{P : later_walk(W,P), free(P)}, later_board(W,S)."
    )


def test_a_copy_is_of_what_changes_with_a_position_and_matters():
    rules = read_rules(
        "cell(S) :- board(S), square(S). square(a). able :- N = #count{S : cell(S)}, N < 3. "
        "walk'(S) :- board(S). other :- board(S). near(S) :- square(S). able :- walk(S), near(S)."
    )

    found, changing = between(rules, {"board"}, "able")

    assert [rule.name for rule in found] == ["cell", "able", "walk'", "able"]
    assert changing == {"board", "cell", "able", "walk", "other"}
