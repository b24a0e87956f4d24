"""What is said where there is no hypothesis, and of rules that are not in the space."""

from __future__ import annotations

import pytest

from grl.las import Limits, parse, solve
from grl.las.analyse import analyse
from grl.las.clock import Clock
from grl.las.explain import Explanation, explain
from grl.las.membership import membership

MODES = "#modeh(t(var(v))). #modeb(1,p(var(v))). #maxv(1)."


def explained(text: str, **limits: int) -> Explanation:
    task = parse(text, limits=Limits(**limits))
    assert solve(task).unsatisfiable
    return explain(task, Clock(20))


def test_contradictory_examples_are_named() -> None:
    found = explained(
        f"""p(a). p(b). {MODES}
        #pos(fine,{{t(b)}},{{}}). #pos(one,{{t(a)}},{{}}). #pos(other,{{}},{{t(a)}})."""
    )
    assert [one.name for one in found.conflict] == ["one", "other"]
    assert found.least
    assert found.helps == ()
    assert "may contradict each other" in found.lines()[-1]


def test_a_missing_predicate_is_found() -> None:
    found = explained(f"p(a). p(b). q(a). {MODES} #pos(e,{{t(a)}},{{t(b)}}).")
    assert [one.name for one in found.conflict] == ["e"]
    assert found.helps == ("another predicate, #modeb(1,q(var(v)))",)


@pytest.mark.parametrize(
    ("text", "limits", "help_"),
    [
        (
            "r(a,b). p(b). #modeh(t(var(v))). #modeb(1,r(var(v),var(w))). #maxv(1). "
            "#pos({t(a)},{}).",
            {},
            "one more variable, #maxv(2)",
        ),
        (
            "a(x;y). b(x;z). #modeh(t(var(v))). #modeb(1,a(var(v))). #modeb(1,b(var(v))). #maxv(1)."
            "#pos({t(x)},{t(y),t(z)}).",
            {"body": 1},
            "one more literal, -ml 2 --max-rule-length 6",
        ),
        (
            "r(a,b). r(b,c). r(c,d). #modeh(t(var(v),var(v))). #maxv(3). "
            "#modeb(1,r(var(v),var(v)),(positive)). #pos({t(a,c)},{t(a,b),t(b,c),t(a,d),t(b,b)}).",
            {},
            "one more recall, #modeb(2,r(var(v),var(v)))",
        ),
        (
            "d(a;b). p(a). #modeh(t(var(v))). #modeb(1,d(var(v))). #modeb(1,p(var(v)),(positive))."
            "#maxv(1). #pos({t(b)},{t(a)}).",
            {},
            "p(var(v)) negated too",
        ),
        (
            "p(a). #modeh(t(var(v))). #modeb(1,p(var(v))). #maxv(1). #max_penalty(1). "
            "#pos({t(a)},{}).",
            {},
            "no #max_penalty",
        ),
    ],
)
def test_what_helps_is_found_by_trying(text: str, limits: dict[str, int], help_: str) -> None:
    assert help_ in explained(text, **limits).helps


def test_orderings_without_a_hypothesis_are_explained() -> None:
    found = explained(
        """#pos(a,{},{},{p.}). #pos(b,{},{},{p.}). #pos(c,{},{},{q.}).
        #modeo(1,p). #weight(1). #maxv(1).
        #brave_ordering(first,a,b,<). #brave_ordering(second,a,c,<)."""
    )
    assert [one.name for one in found.conflict] == ["first"]


def test_noise_is_paid_for_and_the_rule_is_learned() -> None:
    """One label in twenty is flipped; the penalty keeps the flips out of the rules."""
    text = ["#modeh(t). #modeb(1,a). #modeb(1,b). #modeb(1,c). #modeb(1,d). #maxv(0)."]
    flipped = {7, 33, 50, 71, 92}
    for i in range(100):
        facts = {name for bit, name in enumerate("abcd") if i >> bit & 1}
        holds = ({"a", "b"} <= facts or "c" not in facts) != (i in flipped)
        sides = "{t},{}" if holds else "{},{t}"
        text.append(f"#pos(e{i}@5,{sides},{{{' '.join(f'{name}.' for name in sorted(facts))}}}).")
    outcome = solve(parse("\n".join(text)))
    assert outcome.rules is not None
    assert {str(rule) for rule in outcome.rules} == {"t :- not c.", "t :- a; b."}
    assert {int(name[1:]) for name in outcome.uncovered} == flipped
    assert outcome.cost == 5 + 5 * 5


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("t(X) :- p(X).", "it is in the space and costs 2"),
        ("t(X) :- p(X), r(X,Y), r(Y,Z).", "it has 3 variables, #maxv allows 2"),
        ("t(X) :- p(X), q(X), r(X,Y), not r(Y,X).", "it has 4 body literals, -ml allows 3"),
        ("t(X) :- q(Y).", "it is unsafe: a variable occurs in no positive body literal"),
        ("t(X) :- p(X), not q(X).", "not q(V1): its mode is positive only"),
        ("t(X) :- r(X,X).", "r(V1,V1): its mode is anti_reflexive"),
        ("t(X) :- s(X).", "s(V1): there is no modeb of s/1"),
        ("t(X) :- c(X,blue).", "c(V1,blue): no modeb of c/2 has these arguments"),
        ("u(X) :- p(X).", "u(V1): there is no modeh of u/1"),
        ("t(X) :- p(X), p(Y).", "it uses a mode more often than its recall allows"),
        ("t(X) :- p(X), w(X).", "a variable stands where modes want different types"),
        ("t(X) :- p(X), not p(X).", "it holds p(V1) beside its negation"),
        ("{t(X)} :- p(X).", "t(V1): there is no modeha of t/1"),
    ],
)
def test_why_says_what_keeps_a_rule_out(rule: str, said: str) -> None:
    task = parse(
        """#modeh(t(var(v))). #modeb(1,p(var(v))). #modeb(1,q(var(v)),(positive)).
        #modeb(2,r(var(v),var(v)),(anti_reflexive)). #modeb(1,c(var(v),const(k))).
        #modeb(1,w(var(other))). #constant(k,red). #maxv(2)."""
    )
    reasons = membership(task, rule)
    assert any(said in line for line in reasons.lines)
    assert reasons.inside == said.startswith("it is in the space")


def test_the_analysis_says_why_a_task_is_not_for_the_fast_layer() -> None:
    fast = analyse(parse(f"p(a). {MODES} #pos({{t(a)}},{{}})."), Clock())
    assert (fast.layer, fast.reasons) == ("coverage", ())
    guessed = analyse(parse(f"{{p(a)}}. {MODES} #pos({{t(a)}},{{}})."), Clock())
    assert guessed.layer == "general"
    assert "not exactly one answer set" in guessed.reasons[0]
    used = analyse(parse(f"p(a). u(X) :- t(X). {MODES} #pos({{t(a)}},{{}})."), Clock())
    assert used.reasons == ("t/1 occurs in the background or in a context",)
