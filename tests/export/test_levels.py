"""Rules with marks: one recursive program, or a copy for each number of letters; other copies."""

from grl.asp.reader import read_rules
from grl.asp.rules import printed
from grl.export.copies import between, copied
from grl.export.levels import marked, recursive, unrolled

RULES = """% Words of any letters.
now(W,board,S,C) :- board(W,S,C).
walk'(W,from(S),S) :- begins(W,S). % where they begin
walk'(W,then(P,L),R) :- walk(W,P,S), arc(S,L,R), not wall(R).
sets'(W,P,S) :- walk'(W,P,S), down(W,P).
spare(W,P) :- stock(W,P).
spare'(W,then(P,L)) :- spare(W,P), L != remove.
now'(W,P,S,C) :- walk'(W,P,S), C = empty.
"""


def test_one_recursive_program_is_the_same_without_the_marks():
    assert recursive(RULES) == RULES.replace("'", "")
    assert marked(read_rules(RULES))
    assert not marked(read_rules(recursive(RULES)))


def test_each_number_of_letters_has_its_copy():
    """What nothing puts down, ``sets``, goes; what is now on the board is handed on."""
    assert printed(unrolled(read_rules(RULES), 2, 1)).split("\n") == [
        "now_0(W,board,S,C) :- board(W,S,C).",
        "walk_1(W,from(S),S) :- begins(W,S).",
        "walk_2(W,then(P,L),R) :- walk_1(W,P,S), arc(S,L,R), not wall(R).",
        "spare_0(W,P) :- stock(W,P).",
        "spare_1(W,then(P,L)) :- spare_0(W,P), L != remove.",
        "now_1(W,P,S,C) :- walk_1(W,P,S), C = empty.",
        "now_2(W,P,S,C) :- walk_2(W,P,S), C = empty.",
        "now_1(W,B,S,C) :- now_0(W,B,S,C).",
        "now_2(W,B,S,C) :- now_1(W,B,S,C).",
        "now(X0,X1,X2,X3) :- now_0(X0,X1,X2,X3).",
        "walk(X0,X1,X2) :- walk_1(X0,X1,X2).",
        "walk(X0,X1,X2) :- walk_2(X0,X1,X2).",
        "spare(X0,X1) :- spare_0(X0,X1).",
        "spare(X0,X1) :- spare_1(X0,X1).",
        "now(X0,X1,X2,X3) :- now_1(X0,X1,X2,X3).",
        "now(X0,X1,X2,X3) :- now_2(X0,X1,X2,X3).",
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
