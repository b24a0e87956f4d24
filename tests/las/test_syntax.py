"""Task files: what is read, how, and where an error is said to be."""

from __future__ import annotations

from pathlib import Path

import pytest

from grl.las import Limits, Task, TaskError, parse, read, solve
from grl.las.bias import permitted
from grl.las.space import choice_cost, sorted_space


def space(text: str, **limits: int) -> dict[str, int]:
    return {str(rule): rule.cost for rule in sorted_space(parse(text, limits=Limits(**limits)))}


def test_an_example_has_a_name_a_penalty_and_a_context() -> None:
    task = parse("#pos(eg1@3, {p(a), q}, {r}, {s(1..2). t :- s(1).}). #neg({p(a)},{}).")
    first, second = task.examples
    assert (first.name, first.penalty, first.positive) == ("eg1", 3, True)
    assert (first.inclusions, first.exclusions) == (("p(a)", "q"), ("r",))
    assert first.context == "s(1..2). t :- s(1)."
    assert (second.positive, second.penalty, second.context) == (False, None, "")


def test_atoms_are_evaluated_as_clingo_does() -> None:
    (example,) = parse('#pos({p(1+1), -q(a,"x y"), r((1,2))},{}).').examples
    assert example.inclusions == ("p(2)", '-q(a,"x y")', "r((1,2))")


def test_orderings_come_with_and_without_identifier_and_operator() -> None:
    task = parse(
        """#pos(a,{},{}). #pos(b,{},{}).
        #brave_ordering(a,b). #brave_ordering(o1,a,b). #cautious_ordering(o2@4,a,b,>=).
        #cautious_ordering(b,a,=)."""
    )
    read = [(o.brave, o.first, o.second, o.op, o.penalty) for o in task.orderings]
    assert read == [
        (True, "a", "b", "<", None),
        (True, "a", "b", "<", None),
        (False, "a", "b", ">=", 4),
        (False, "b", "a", "=", None),
    ]


def test_the_background_is_everything_that_is_no_directive() -> None:
    task = parse("p(1..3). % here\n#maxv(2).\nq(X) :- p(X); not r(X).\n#const n = 3. %* a\nb *%\n")
    assert task.max_variables == 2
    assert "q(X) :- p(X); not r(X)." in task.background
    assert "#maxv" not in task.background
    assert task.background.count("\n") == 5


def test_a_rule_space_may_be_written_out() -> None:
    task = parse("3 ~ 1{s(C): c(C,F)}1 :- f(F).\n2 ~ :~ p(X).[X@1, X]\n1~p:-q.")
    assert [(rule.cost, str(rule)) for rule in task.written] == [
        (3, "1{s(C): c(C,F)}1 :- f(F)."),
        (2, ":~ p(X).[X@1, X]"),
        (1, "p:-q."),
    ]


def test_constants_may_be_an_interval() -> None:
    assert [str(c) for c in parse("#constant(i, 0..2). #constant(i, x).").constants["i"]] == [
        "0", "1", "2", "x",
    ]  # fmt: skip


def test_a_type_without_constants_makes_no_literal_and_is_noted() -> None:
    text = "#modeh(t).\n#modeb(1,p(const(c))). #modeb(1,q)."
    assert set(space(text)) == {"t.", "t :- q.", "t :- not q.", ":- q.", ":- not q."}
    (note,) = parse(text).notes
    assert note.startswith("line 2: type c has no constants")


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("p :- q", 1, "column 1: a statement is not ended"),
        ("\n  #pos({p(X)},{}).", 2, "column 11: a variable where none is allowed"),
        ("#modeb(1, p(var(t)), (positve)).", 1, "column 23: unknown option"),
        ("p.\nq :- not.\n", 2, "column 9: syntax error"),
        ("#pos({p},{},{\nq :- , .\n}).", 2, "column 6: syntax error"),
        ("#pos(a,{},{}). #pos(a,{},{}).", 1, "two examples are called a"),
        ("#brave_ordering(a,b).", 1, "no example is called a"),
        ("#modeh(var(t) < 3).", 1, "column 8: not a head"),
        ('#include "x.lp".', 1, "column 1: #include reaches outside the task"),
        ("#script (python)\n#end.", 1, "column 1: #script reaches outside"),
        ("#maxv(two).", 1, "column 7: syntax error"),
        ("#modeb(1,#count{var(x) : p(var(x))} = var(n)).", 1, "ILASP has no aggregates"),
        ("p :- q, #pos({},{}).", 1, "column 9: a statement begins inside another"),
        ("p(`).", 1, "column 3: unknown character"),
        ("#pos({},{},{p. ", 1, "column 12: a context is not ended"),
    ],
)
def test_errors_name_the_line_and_the_column(text: str, line: int, said: str) -> None:
    with pytest.raises(TaskError) as caught:
        parse(text, file="t.las")
    assert str(caught.value).startswith(f"t.las:{line}: ")
    assert said in str(caught.value)


def test_what_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.las"
    path.write_bytes(b"p(\xff).")
    with pytest.raises(TaskError, match="not UTF-8"):
        read(path)


OPPONENT = """#modeh(o(var(r), var(r))). #modeb(2, role(var(r)), (positive)).
#modeb(1, var(r) < var(r)). #maxv(2)."""


def test_every_rule_is_made_once_up_to_renaming() -> None:
    found = space(OPPONENT)
    assert found["o(V1,V2) :- role(V1); role(V2); V1 < V2."] == 4
    assert found[":- role(V1); role(V2); V1 < V2."] == 3
    assert ":- role(V2); role(V1); V2 < V1." not in found
    assert "o(V1,V2) :- role(V1)." not in found
    assert len(found) == 10


def test_limits_bound_bodies_and_rules() -> None:
    modes = "#modeh(t). #modeb(1,a). #modeb(1,b). #modeb(1,c)."
    assert max(rule.count(";") for rule in space(modes, body=2)) == 1
    longest = space(modes, body=3, rule=3)
    assert "t :- a; b." in longest
    assert "t :- a; b; c." not in longest
    assert ":- a; b; c." in longest


def test_options_restrict_the_space() -> None:
    modes = "#modeh(t). #modeb(1,r(var(v),var(v)),({})). #maxv(2)."
    positive = space(modes.format("positive"))
    assert set(positive) == {
        "t.", "t :- r(V1,V1).", "t :- r(V1,V2).", ":- r(V1,V1).", ":- r(V1,V2).",
    }  # fmt: skip
    assert ":- r(V1,V1)." not in space(modes.format("anti_reflexive"))
    joined = "#modeb(1,p(var(v))). " + modes
    plain = space(joined.format("positive"), body=2)
    symmetric = space(joined.format("positive,symmetric"), body=2)
    assert ":- p(V1); r(V1,V2)." in plain
    assert ":- p(V2); r(V1,V2)." in plain or ":- p(V1); r(V2,V1)." in plain
    assert len(symmetric) < len(plain)


def test_arithmetic_and_anonymous_variables_stand_in_modes() -> None:
    found = space(
        r"#modeh(t(var(y))). #modeb(1,c(_,var(y)-1),(positive)). #modeb(1,var(y)\2 != 0). #maxv(1)."
    )
    assert r"t(V1) :- c(_,V1-1); V1\2 != 0." in found


@pytest.mark.parametrize(
    ("lower", "elements", "upper", "cost"),
    [(1, 1, 1, 1), (0, 1, 1, 2), (1, 2, 1, 4), (0, 2, 2, 8), (1, 4, 1, 16), (0, 1, 2, 4)],
)
def test_a_choice_head_costs_what_it_allows(
    lower: int, elements: int, upper: int, cost: int
) -> None:
    assert choice_cost(lower, elements, upper) == cost


def test_choice_heads_have_conditions_and_bounds() -> None:
    text = """#modeha(take(var(v))). #modec(item(var(v)),(positive)). #modeb(1,item(var(v))).
    #modeb(1,take(donut)). #maxv(1)."""
    found = space(text)
    assert found["1 {take(V1) : item(V1) } 1."] == 2
    assert found["0 {take(V1) : item(V1) } 2 :- take(donut)."] == 6
    assert all(rule.count("take(V1)") <= 1 for rule in found)
    assert not any("take(V1)" in rule for rule in space(text + "#minhl(2). #maxhl(2)."))


def test_weak_constraints_have_weights_and_levels() -> None:
    found = space("#modeo(1,p(var(v)),(positive)). #weight(2). #weight(v). #maxp(2). #maxv(1).")
    assert set(found) == {
        ":~ p(V1).[2@1, V1]",
        ":~ p(V1).[2@2, V1]",
        ":~ p(V1).[V1@1, V1]",
        ":~ p(V1).[V1@2, V1]",
    }
    assert set(found.values()) == {1}


def test_bias_removes_rules_and_makes_them() -> None:
    from grl.las.bias import permitted

    def left(task: Task) -> set[str]:
        return {str(rule) for rule in permitted(task, sorted_space(task))}

    modes = "#modeh(t(var(v))). #modeb(1,p(var(v))). #modeb(1,q(var(v))). #maxv(1)."
    bias = '#bias(":- constraint. :- body(naf(_)). :- body(p(X)), body(q(X)).").'
    assert left(parse(modes + bias)) == {"t(V1) :- p(V1).", "t(V1) :- q(V1)."}
    made = '#bias("1 {head(p); head(q)} 1. {body(r); body(naf(s)); body(a(var__(1)))}.").'
    rules = left(parse(made))
    assert len(rules) == 16
    assert "p :- a(V1); r; not s." in rules or "p :- r; a(V1); not s." in rules


def test_a_bias_of_fastlas_prices_rules() -> None:
    text = """#modeh(sel). #modeb(a). #modeb(not b).
    #pos(p1,{sel},{},{a.}). #pos(p2,{},{sel},{b.}). #pos(p3,{},{sel},{a. b.}).
    #bias("penalty(5, body(X)) :- in_body(X), X != neg(b). penalty(1,naf) :- found(naf).").
    #final_bias("found(naf) :- in_body(neg(X)).")."""
    task = parse(text, limits=Limits(constraints=False))
    costs = {str(rule): rule.cost for rule in permitted(task, sorted_space(task))}
    assert costs == {"sel.": 0, "sel :- a.": 5, "sel :- not b.": 1, "sel :- a; not b.": 6}
    outcome = solve(task)
    assert (outcome.proven, outcome.cost, outcome.program()) == (True, 1, ("sel :- not b.",))


def test_scores_of_fastlas_decide() -> None:
    text = """#modeh(p). #modeb(a). #pos(e1@3,{p},{},{a.}). #pos(e2@1,{},{p},{a.}).
    #bias("penalty(1, head) :- in_head(X). penalty(1, body(X)) :- in_body(X).")."""
    outcome = solve(parse(text, limits=Limits(constraints=False)))
    assert (outcome.cost, outcome.uncovered) == (2, ("e2",))
