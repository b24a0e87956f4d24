"""Every layer finds the optimum that trying all hypotheses finds, on many small random tasks."""

from __future__ import annotations

from random import Random

import pytest

from grl.las import Limits, Task, parse, solve
from grl.las.analyse import ENUMERATED, FAST, analyse
from grl.las.clock import Clock
from grl.las.space import sorted_space
from las.brute import loss, optimum

MOST = 5
"""Hypotheses of a greater cost are not tried."""
TRIES = 2500
"""Where more would have to be tried, the greatest cost is lowered."""
LARGEST = 40


def random_task(rnd: Random, kind: str) -> str:
    """A task in the language; the kind says which layer it is likely to end in."""
    constants = "abc"[: rnd.randint(2, 3)]
    text = [f"d({';'.join(constants)})."]
    guessed = kind != "observed" and rnd.random() < 0.6
    if guessed:
        text.append("0 { e(X) : d(X) } 1.")
    soft = rnd.random() < 0.4

    def penalty() -> str:
        return f"@{rnd.randint(1, 3)}" if soft and rnd.random() < 0.8 else ""

    def atom() -> str:
        name = "p" if rnd.random() < 0.1 else "e" if guessed and rnd.random() < 0.3 else "t"
        return f"{name}({rnd.choice(constants)})"

    def context() -> str:
        dense = rnd.choice([0.5, 0.2, 0.1])
        facts = [f"{p}({x})." for p in "pq" for x in constants if rnd.random() < dense]
        facts += [
            f"r({x},{y})." for x in constants for y in constants if rnd.random() < dense * 0.7
        ]
        return " ".join(facts)

    number = rnd.randint(1, 4)
    for i in range(number):
        atoms = sorted({atom() for _ in range(rnd.randint(1, 3))})
        cut = rnd.randint(0, len(atoms))
        word = "pos" if kind == "ordered" or rnd.random() < 0.7 else "neg"
        sides = f"{{{','.join(atoms[:cut])}}},{{{','.join(atoms[cut:])}}}"
        text.append(f"#{word}(x{i}{penalty()},{sides},{{{context()}}}).")
    if kind == "choice":
        text.append("#modeha(t(var(v))).")
        text.append("#modec(1,d(var(v)),(positive)).")
    elif kind != "ordered":
        text.append("#modeh(t(var(v))).")
    modes = ["p(var(v))", "q(var(v))", "r(var(v),var(v))", "r(const(c),var(v))", "r(_,var(v))"]
    modes += ["t(var(v))", "e(var(v))"] if kind == "recursive" else []
    word = "#modeo" if kind == "ordered" else "#modeb"
    for mode in rnd.sample(modes, 2):
        option = rnd.choice(["", ",(positive)", ""])
        if mode.startswith("r(var"):
            option = rnd.choice(["", ",(anti_reflexive)", ",(symmetric)"])
        text.append(f"{word}({rnd.randint(1, 2)},{mode}{option}).")
    if rnd.random() < 0.2:
        text.append(f"{word}(1,var(v) != var(v)).")
    if kind == "ordered":
        text += ["#weight(1).", "#weight(-1)." if rnd.random() < 0.5 else ""]
        text.append(f"#maxp({rnd.randint(1, 2)}).")
        for i in range(rnd.randint(1, 3)):
            pair = f"x{rnd.randrange(number)},x{rnd.randrange(number)}"
            sort, op = rnd.choice(["brave", "cautious"]), rnd.choice(["<", "<", "<=", ">", "!="])
            text.append(f"#{sort}_ordering(o{i}{penalty()},{pair},{op}).")
    text.append("#constant(c,a).")
    text.append(f"#maxv({rnd.randint(1, 2)}).")
    return "\n".join(text)


def agree(task: Task) -> None:
    """All layers that take the task, and the brute force, come to the same."""
    expected, most = optimum(task, MOST, TRIES)
    layers = [None, "general"]
    if analyse(task, Clock()).layer == FAST:
        layers += [FAST, ENUMERATED]
    costs = []
    for layer in layers:
        outcome = solve(task, layer=layer, quick=True)
        assert outcome.proven
        costs.append(outcome.cost if outcome.rules is not None else None)
        if outcome.rules is not None:
            chosen = list(enumerate(outcome.rules))
            paid = loss(task, chosen)
            assert paid is not None
            assert paid + sum(rule.cost for rule in outcome.rules) == outcome.cost
    assert len(set(costs)) == 1
    found = costs[0]
    assert (found if found is not None and found <= most else None) == expected


KINDS = ("observed", "recursive", "choice", "ordered")
SLOW = {("ordered", 2)}
"""A draw on which one layer works as long as on all others together."""
DRAWN = [(kind, seed) for seed in range(8) for kind in KINDS if (kind, seed) not in SLOW]


def drawn(kind: str, seed: int) -> Task:
    """A small random task of a kind."""
    rnd = Random(f"{kind}{seed}")
    if kind == "rich":
        return parse(rich_task(Random(seed)))
    while True:
        limits = Limits(body=2, rule=3, constraints=rnd.random() < 0.7)
        task = parse(random_task(rnd, kind), limits=limits)
        if len(sorted_space(task)) <= (LARGEST if kind != "ordered" else LARGEST // 2):
            return task


@pytest.mark.parametrize(("kind", "seed"), DRAWN)
def test_every_layer_finds_the_optimum(kind: str, seed: int) -> None:
    agree(drawn(kind, seed))


def test_a_written_space_is_solved_like_the_modes_that_span_it() -> None:
    rnd = Random(5)
    for _ in range(6):
        text = random_task(rnd, "observed")
        limits = Limits(body=2, rule=3)
        task = parse(text, limits=limits)
        rules = "\n".join(f"{rule.cost} ~ {rule}" for rule in sorted_space(task))
        bare = "\n".join(line for line in text.splitlines() if not line.startswith("#mode"))
        written = parse(f"{bare}\n{rules}", limits=limits)
        first, second = solve(task), solve(written)
        assert (first.cost, first.rules is None) == (second.cost, second.rules is None)


BACKGROUND = (
    "0 { e(X) : d(X) } 1.",
    "1 { e(X) : d(X) } 2.",
    "u :- 2 { e(X) }.",
    "u :- #count{X : e(X)} = 1.",
    ":- #sum{1,X : e(X)} > 1.",
    "e(X) ; f(X) :- d(X), p(X).",
    "f(X) :- d(X), not e(X).",
    "g(X) :- f(X). f(X) :- g(X), p(X).",
    "s(X) :- t(X).",
    "w :- #count{X : t(X)} >= 1.",
)
WRITTEN_RULES = (
    "t(X) :- p(X).",
    "t(X) :- d(X), not e(X).",
    "t(X) :- t(Y), d(X).",
    "t(a).",
    ":- e(X), not p(X).",
    ":- not u.",
    "1 { t(X) : d(X) } 1.",
    "t(X) ; f(X) :- d(X), not p(X).",
    "t(X) :- d(X), #count{Y : e(Y)} = 1.",
    "f(X) :- t(X).",
    "0 { t(a); t(b) } 1 :- k.",
    "k :- not t(a).",
    "t(b) :- not k.",
    "t(X) :- s(X).",
    ":- 2 {t(X)}.",
)
WEAK = (":~ e(X).[1@1,X]", ":~ t(X).[-1@1,X]", ":~ k.[2@2]", ":~ u.[1@2]")


def rich_task(rnd: Random) -> str:
    """Aggregates, disjunctions, recursion and guesses in the background and among the rules."""
    text = ["d(a;b).", *rnd.sample(BACKGROUND, rnd.randint(0, 4))]
    ordered = rnd.random() < 0.4
    number = rnd.randint(1, 4)
    for i in range(number):
        atoms = sorted({f"{rnd.choice('ttte')}({rnd.choice('ab')})" for _ in range(3)})
        rnd.shuffle(atoms)
        cut = rnd.randint(0, len(atoms))
        word = "pos" if ordered or rnd.random() < 0.6 else "neg"
        penalty = rnd.choice(["", "", "@1", "@2"])
        context = " ".join(f"p({x})." for x in "ab" if rnd.random() < 0.5)
        sides = f"{{{','.join(atoms[:cut])}}},{{{','.join(atoms[cut:])}}}"
        text.append(f"#{word}(x{i}{penalty},{sides},{{{context}}}).")
    for i in range(rnd.randint(1, 3) if ordered else 0):
        sort, op = rnd.choice(["brave", "cautious"]), rnd.choice(["<", "<=", ">", "=", "!="])
        pair = f"x{rnd.randrange(number)},x{rnd.randrange(number)}"
        text.append(f"#{sort}_ordering(o{i},{pair},{op}).")
    text += [f"1 ~ {rule}" for rule in WEAK if ordered]
    text += [f"{rnd.randint(1, 3)} ~ {rule}" for rule in rnd.sample(WRITTEN_RULES, 6)]
    return "\n".join(text)


@pytest.mark.parametrize("seed", range(25))
def test_any_program_may_be_background_and_any_rule_be_learned(seed: int) -> None:
    agree(drawn("rich", seed))


def board_task(rnd: Random) -> str:
    """Cells with coordinates, arithmetic and anonymous variables in modes, several heads."""
    width, height = rnd.randint(2, 3), rnd.randint(1, 3)
    heads = rnd.choice(
        [["t(var(x))"], ["t(var(x),var(y))"], ["g(var(p),const(k))", "h"], ["t(f(var(x)))", "h"]]
    )
    text = [f"#modeh({head})." for head in heads]
    for i in range(rnd.randint(1, 5)):
        cells = [
            f"c({x},{y},{rnd.choice('abe')})."
            for x in range(1, width + 1)
            for y in range(1, height + 1)
            if rnd.random() < 0.8
        ]
        more = ["o(a).", "z.", "n(b,1).", "m(f(2)).", "c(q,1,a)."]
        context = " ".join([*cells, *(fact for fact in more if rnd.random() < 0.3)])
        atoms = set()
        for _ in range(rnd.randint(1, 5)):
            x, y, p, k = rnd.randint(1, width), rnd.randint(1, height), rnd.choice("ab"), 1
            filled = rnd.choice(heads).replace("var(x)", str(x)).replace("var(y)", str(y))
            atoms.add(filled.replace("var(p)", p).replace("const(k)", str(k)))
        shuffled = sorted(atoms)
        rnd.shuffle(shuffled)
        cut = rnd.randint(0, len(shuffled))
        penalty = rnd.choice(["", "", "@2"])
        word = rnd.choice(["pos", "pos", "pos", "neg"])
        sides = f"{{{','.join(shuffled[:cut])}}},{{{','.join(shuffled[cut:])}}}"
        text.append(f"#{word}(x{i}{penalty},{sides},{{{context}}}).")
    modes = (
        "c(var(x),var(y),var(p))", "c(var(x)+1,var(y),var(p))", "c(_,var(y)-1,var(p))",
        "c(var(x),_,const(e))", "o(var(p))", "z", "n(var(p),var(x)*2)", "m(f(var(x)))",
        "var(x)+1 < var(x)", "var(p) != var(p)", "var(x)\\2 != 0", "c(2-var(x),var(y),var(p))",
    )  # fmt: skip
    for mode in rnd.sample(modes, 3):
        text.append(f"#modeb({rnd.randint(1, 2)},{mode}{rnd.choice(['', ',(positive)'])}).")
    text.append(f"#constant(e,e). #constant(k,1). #maxv({rnd.randint(1, 4)}).")
    return "\n".join(text)


def test_bodies_found_by_search_are_as_cheap_as_those_written_out() -> None:
    rnd = Random(1)
    compared = 0
    while compared < 40:
        limits = Limits(rnd.randint(1, 3), rnd.randint(2, 4), rnd.random() < 0.6)
        task = parse(board_task(rnd), limits=limits)
        space = {str(rule) for rule in sorted_space(task)}
        if len(space) > 2000:
            continue
        fast, written = solve(task, layer=FAST), solve(task, layer=ENUMERATED)
        assert (fast.layer, written.layer) == (FAST, ENUMERATED)
        assert (fast.rules is None, fast.cost) == (written.rules is None, written.cost)
        assert {str(rule) for rule in fast.rules or ()} <= space
        compared += 1
