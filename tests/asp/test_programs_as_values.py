"""Answer set programs as values: printed and read back, renamed, and their dependencies."""

from __future__ import annotations

import random

import clingo
import pytest

from grl.asp.dependencies import dependencies
from grl.asp.layout import filled, wrapped
from grl.asp.reader import ProgramError, read_literal, read_rules, read_statements, respelt
from grl.asp.rules import (
    Aggregate,
    Comment,
    Comparison,
    Defined,
    Element,
    Literal,
    Rule,
    printed,
)
from grl.asp.terms import Function, Number, Operation, Pool, Variable, substitution, variables

BINARY = ("+", "-", "*", "/", "\\", "**", "&", "?", "^")


def random_arithmetic(chance, depth, leaves):
    """A term and the same term with parentheses everywhere."""
    if depth == 0 or chance.random() < 0.2:
        leaf = chance.choice(leaves)
        return leaf, f"({leaf})"
    if chance.random() < 0.25:
        operator = chance.choice("-~|")
        inner, spelt = random_arithmetic(chance, depth - 1, leaves)
        if operator == "-" and isinstance(inner, Number):
            return Number(-inner.value), f"({-inner.value})"
        said = f"|{spelt}|" if operator == "|" else f"({operator}{spelt})"
        return Operation(operator, (inner,)), said
    operator = chance.choice(BINARY)
    (a, one), (b, other) = (random_arithmetic(chance, depth - 1, leaves) for _ in range(2))
    return Operation(operator, (a, b)), f"({one}{operator}{other})"


def random_term(chance, depth):
    kind = chance.randrange(6) if depth else chance.randrange(3)
    if kind == 0:
        return Variable(chance.choice(("X", "Y", "Next", "_")))
    if kind == 1:
        return Number(chance.randint(-3, 3))
    if kind == 2:
        return Function(chance.choice(("a", "from", "b_2")))
    if kind == 3:
        leaves = (Variable("X"), Number(2), Number(-1), Function("a"))
        return random_arithmetic(chance, depth, leaves)[0]
    if kind == 4:
        return Operation("..", (random_term(chance, 0), random_term(chance, 0)))
    inner = tuple(random_term(chance, depth - 1) for _ in range(chance.randint(1, 3)))
    if chance.random() < 0.3 and len(inner) > 1:
        return Pool(inner)
    return Function(chance.choice(("then", "f", "")), inner)


def random_atom(chance):
    name = chance.choice(("p", "walk'", "q_1"))
    arguments = [
        tuple(random_term(chance, 2) for _ in range(chance.randint(1, 3))) for _ in range(2)
    ]
    if chance.random() < 0.1:
        return Function(name)
    if chance.random() < 0.15:
        return Pool(tuple(Function(name, each) for each in arguments))
    return Function(name, arguments[0])


def random_literal(chance, inside=False):
    kind = chance.randrange(4)
    positive = chance.random() < 0.6
    if kind == 0:
        operator = chance.choice(("=", "!=", "<", "<=", ">", ">="))
        return Literal(Comparison(random_term(chance, 2), operator, random_term(chance, 2)))
    if kind == 1 and not inside:
        elements = tuple(
            Element(
                tuple(random_term(chance, 1) for _ in range(chance.randint(1, 2))),
                tuple(random_literal(chance, True) for _ in range(chance.randint(0, 2))),
            )
            for _ in range(chance.randint(1, 2))
        )
        function = chance.choice(("#count", "#sum", "#min", "#max"))
        return Literal(Aggregate(Variable("N"), chance.choice("=<"), function, elements), positive)
    return Literal(random_atom(chance), positive)


def random_rule(chance):
    head = None if chance.random() < 0.1 else random_atom(chance)
    body = tuple(random_literal(chance) for _ in range(chance.randint(head is None, 4)))
    return Rule(head, body)


@pytest.mark.parametrize("seed", range(4))
def test_random_rules_are_read_as_they_were_printed(seed):
    chance = random.Random(seed)
    rules = tuple(random_rule(chance) for _ in range(150))

    assert read_rules(printed(rules)) == rules


def test_no_parentheses_are_missing_and_none_are_needless():
    chance = random.Random(7)
    leaves = (Variable("X"), Number(2), Number(-1), Function("a"))
    for _ in range(400):
        term, spelt = random_arithmetic(chance, 4, leaves)
        (one,), (other,) = read_rules(f"p({term})."), read_rules(f"p({spelt}).")

        assert one == other == Rule(Function("p", (term,)))
    assert str(read_literal("p(((X+Y))\\2+(1*3)-(X-1)..-(3))")) == "p((X+Y)\\2+1*3-(X-1)..-3)"


def test_a_program_and_its_print_have_the_same_answer_set():
    text = """
    % Squares of a small board, and which of them are crowded.
    square(S,X,Y) :- S = X+4*(Y-1), X = 1..4, Y = 1..3.   away(1,0; -1,0; 0,1; 0,-1).
    near(S,T) :- square(S,X,Y), away(A,B), square(T,X+A,
        Y+B).   % within the board
    held(S) :- square(S,X,Y), |X-Y| < 2, not X = Y.
    crowd(S,N) :- square(S,_,_), N = #count{T : near(S,T), held(T)}.
    weight(N) :- N = #sum{K,S : crowd(S,K)}.
    odd(S) :- crowd(S,N), N\\2 = 1.  lone(S) :- crowd(S,0), not odd(S).
    """
    expected = answer(text)

    assert answer(printed(read_statements(text))) == expected
    assert {name.partition("(")[0] for name in expected} >= {"weight", "odd", "lone", "held"}


def answer(program):
    control = clingo.Control(["--warn=none"])
    control.add("base", [], program)
    control.ground([("base", [])])
    found = []
    control.solve(on_model=lambda model: found.append(set(map(str, model.symbols(atoms=True)))))
    assert len(found) == 1
    return found[0]


def test_comments_and_directives_keep_their_places():
    text = "% First.\np(a).\n#defined q/2.\n% Last: p.\n"

    assert read_statements(text) == (
        Comment("% First."),
        Rule(Function("p", (Function("a"),))),
        Defined("q", 2),
        Comment("% Last: p."),
    )
    assert printed(read_statements(text)) == text.strip()


def test_predicates_are_renamed_and_functions_of_the_same_name_are_not():
    (rule,) = read_rules("p(p(X),p) :- q(p(X)), not p(X,p), N = #count{p(Y) : p(Y), q(Y)}, p(1;2).")

    renamed = rule.renamed(lambda name: {"p": "old_p"}.get(name, name))

    assert str(renamed) == (
        "old_p(p(X),p) :- q(p(X)), not old_p(X,p), N = #count{p(Y) : old_p(Y), q(Y)}, old_p(1; 2)."
    )


@pytest.mark.parametrize("mark", ["", "'"])
def test_a_text_is_respelt_where_predicates_stand(mark):
    text = "% walk'(é) and p'(x).\np'(X) :-   q(p'(X)), % né p'(\n    not p'(X), p(X).  p'(a; b).\n"

    assert respelt(text, lambda name: name.removesuffix("'"), mark) == (
        "% walk'(é) and p'(x).\np(X) :-   q(p'(X)), % né p'(\n    not p(X), p(X).  p(a; b).\n"
    )


def test_names_without_the_mark_stay_what_they_are():
    text = "p(a) :-\n    q'(a), r.\nr. q(b).\n"

    assert respelt(text, str.upper, "'") == "p(a) :-\n    Q'(a), r.\nr. q(b).\n"


def test_nothing_in_a_comment_ends_a_program():
    text = "p'(a). % what\0 ever \u2028 q'(b).\r r'(c).\nq'(b).\n"

    assert [rule.name for rule in read_rules(text)] == ["p'", "q'"]
    assert respelt(text, lambda name: name.removesuffix("'")) == (
        "p(a). % what\0 ever \u2028 q'(b).\r r'(c).\nq(b).\n"
    )


def test_variables_are_replaced_wherever_they_stand():
    literal = read_literal("not p(S,f(S,T),s,SS,S+1)")

    assert (
        str(literal.replaced(substitution({"S": Function("a1")}))) == "not p(a1,f(a1,T),s,SS,a1+1)"
    )
    (rule,) = read_rules("p(S) :- N = #count{T,S : q(T,S)}, S < 3.")
    replaced = rule.replaced(substitution({"S": Variable("R")}))
    assert str(replaced) == "p(R) :- N = #count{T,R : q(T,R)}, R < 3."
    assert list(variables(replaced.head)) == ["R"]


def test_a_rule_says_on_what_it_rests_and_how():
    (rule,) = read_rules("p(X) :- q(X), not r(X), N = #count{Y : s(Y)}, N < 3, t = X.")

    assert rule.name == "p"
    assert [(atom.name, monotone) for atom, monotone in rule.below()] == [
        ("q", True),
        ("r", False),
        ("s", False),
    ]
    assert rule.predicates == {"p", "q", "r", "s"}


def test_dependencies_go_up_and_down_and_through_aggregates():
    known = dependencies(
        read_rules("b :- a. c(N) :- N = #count{X : b(X)}. d :- c(1), not e. f :- e. e :- e.")
    )

    assert known.depending({"b"}) == {"b", "c", "d"}
    assert known.below({"d"}) == {"a", "b", "c", "d", "e"}
    assert known.below({"d"}, cut={"c"}) == {"c", "d", "e"}
    assert known.below({"nowhere"}) == {"nowhere"}
    ranks = known.ranks()
    assert ranks["a"] < ranks["b"] < ranks["c"] < ranks["d"]
    assert not known.unstratified()
    assert dependencies(read_rules("p :- q. q :- not p.")).unstratified() == {("q", "p")}


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("p(a).\nq(X :- p(X).", 2, "syntax error"),
        ("p(a)", 2, "syntax error"),
        ("p.\n{q}.", 2, "{ q }"),
        ("p; q.", 1, "p; q"),
        ("#program more.\np.", 1, "#program more."),
        ("p :- not not q.", 1, "not not q"),
        ("p :- q : r.", 1, "q: r"),
        ("p :- 1 < X < 3.", 1, "1 < X < 3"),
        ("p(@f(1)).", 1, "@f(1)"),
        ('p("a").', None, '"a"'),
        ("-p(a).", 1, "-p(a)"),
        ("p.\n\n#show p/0.", 3, "#show p/0."),
    ],
)
def test_what_is_no_program_of_ours_is_an_error_in_one_line(text, line, said):
    with pytest.raises(ProgramError) as error:
        read_statements(text)

    assert error.value.place.line == line
    assert said in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("text", ["p, q", "p. q", "", "p("])
def test_what_is_not_one_literal_is_an_error(text):
    with pytest.raises(ProgramError):
        read_literal(text)


def test_long_rules_are_broken_between_literals_and_facts_stand_side_by_side():
    long = printed(read_rules("p(X) :- " + ", ".join(f"q(X,{i},a)" for i in range(20)) + "."))

    lines = wrapped(long).split("\n")

    assert len(lines) > 2
    assert all(len(line) <= 100 for line in lines)
    assert read_rules("\n".join(lines)) == read_rules(long)
    assert len(filled([f"fact({i})." for i in range(20)])) == 3
