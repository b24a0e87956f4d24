"""Families of learning tasks that grow in examples, literals and rules, written from a seed.

They are of the kinds that papers on learning from answer sets report: lines on boards, puzzles
whose rules are constraints, colourings, preferences over moves and over assignments, policies of
an agent on a grid. Labels come from a rule that the generator knows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, product
from random import Random

from grl.las import Limits

Square = tuple[int, int]


def queens(size: int, examples: int, seed: int = 1) -> str:
    """Queens that don't attack: constraints over a guessed board, from placements of two or more.

    Negative examples are pairs that attack, positive ones are placements that stand.
    """
    rnd = Random(seed)
    text = [f"n(1..{size}).", "0 { q(X,Y) : n(Y) } 1 :- n(X)."]
    text += ["#modeb(2,q(var(n),var(n)),(positive)).", "#modeb(1,var(n) != var(n))."]
    text += ["#modeb(1,diagonal(var(n),var(n),var(n),var(n)),(positive)).", "#maxv(4)."]
    text.append("diagonal(A,B,C,D) :- n(A), n(B), n(C), n(D), |A-C| = |B-D|, A != C.")
    board = [(x, y) for x in range(1, size + 1) for y in range(1, size + 1)]
    for number in range(examples):
        first, second = rnd.sample(board, 2)
        while first[0] == second[0]:
            first, second = rnd.sample(board, 2)
        word = "neg" if attacks(first, second) else "pos"
        inside = ",".join(f"q({x},{y})" for x, y in (first, second))
        text.append(f"#{word}(e{number},{{{inside}}},{{}}).")
    return "\n".join(text)


def attacks(a: Square, b: Square) -> bool:
    """Whether queens attack each other."""
    (x, y), (u, v) = a, b
    return x == u or y == v or abs(x - u) == abs(y - v)


def colouring(nodes: int, examples: int, seed: int = 1) -> str:
    """The choice of one colour a node and the constraint that neighbours differ."""
    rnd = Random(seed)
    text = ["colour(1..3).", "#modeha(c(var(v),var(k))).#modec(1,colour(var(k)),(positive))."]
    text += ["#modeb(2,c(var(v),var(k)),(positive)).", "#modeb(1,edge(var(v),var(v)),(positive))."]
    text += ["#modeb(1,node(var(v)),(positive)).", "#maxv(3).", "#maxhl(1)."]
    for number in range(examples):
        edges = [pair for pair in combinations(range(nodes), 2) if rnd.random() < 0.4]
        graph = " ".join([f"node(0..{nodes - 1}).", *(f"edge({a},{b})." for a, b in edges)])
        colours = [rnd.randint(1, 3) for _ in range(nodes)]
        if number % 2 == 0:
            edges = [(a, b) for a, b in edges if colours[a] != colours[b]]
            graph = " ".join([f"node(0..{nodes - 1}).", *(f"edge({a},{b})." for a, b in edges)])
        clash = any(colours[a] == colours[b] for a, b in edges)
        if number % 3 == 2:
            node = rnd.randrange(nodes)
            none = ",".join(f"c({node},{k})" for k in (1, 2, 3))
            text.append(f"#neg(n{number},{{}},{{{none}}},{{{graph}}}).")
            continue
        if number % 3 == 1:
            text.append(f"#neg(n{number},{{c(0,1),c(0,2)}},{{}},{{{graph}}}).")
            continue
        inside = ",".join(f"c({node},{k})" for node, k in enumerate(colours))
        text.append(f"#{'neg' if clash else 'pos'}(e{number},{{{inside}}},{{}},{{{graph}}}).")
    return "\n".join(text)


def star_battle(size: int, examples: int, seed: int = 1) -> str:
    """One star a row, column and region, none beside another; the space is written out.

    Positive examples are whole solutions, negative ones two stars too near or a line without any.
    """
    rnd = Random(seed)
    board = [(x, y) for x in range(1, size + 1) for y in range(1, size + 1)]
    text = [f"n(1..{size}). cell(X,Y) :- n(X), n(Y)."]
    text.append("near(X,Y,U,V) :- cell(X,Y), cell(U,V), |X-U| <= 1, |Y-V| <= 1, (X,Y) != (U,V).")
    text += [f"{length} ~ {rule}" for length, rule in star_space()]
    for number in range(examples):
        stars = _solution(rnd, size)
        where = {
            (x, y): min(range(size), key=lambda n, x=x, y=y: _distance(stars[n], (x, y)))  # type: ignore[misc]
            for x, y in board
        }
        regions = " ".join(f"region({x},{y},{r})." for (x, y), r in where.items())
        word, outside = "neg", ""
        if number % 3 == 0:
            word, inside = "pos", stars
        elif number % 3 == 1:
            pairs = [
                pair
                for pair in combinations(board, 2)
                if not apart(*pair) or where[pair[0]] == where[pair[1]]
            ]
            inside = list(rnd.choice(pairs))
        else:
            line, inside = rnd.randint(1, size), []
            row = rnd.random() < 0.5
            outside = ",".join(_star((n, line) if row else (line, n)) for n in range(1, size + 1))
        text.append(
            f"#{word}(e{number},{{{','.join(map(_star, inside))}}},{{{outside}}},{{{regions}}})."
        )
    return "\n".join(text)


def _star(square: Square) -> str:
    return f"star({square[0]},{square[1]})"


def _distance(a: Square, b: Square) -> int:
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def _solution(rnd: Random, size: int) -> list[Square]:
    """Stars of which no two are in one row or column or touch."""
    while True:
        rows = list(range(1, size + 1))
        rnd.shuffle(rows)
        stars = list(enumerate(rows, 1))
        if all(apart(a, b) for a, b in combinations(stars, 2)):
            return stars


def star_space() -> Iterator[tuple[int, str]]:
    """Rules of star battles, right and wrong ones, with their lengths."""
    yield 1, "{ star(X,Y) : cell(X,Y) }."
    yield 2, "0 { star(X,Y) : n(Y) } 1 :- n(X)."
    yield 2, "{ star(X,Y) : n(Y) } = 1 :- n(X)."
    yield 2, "{ star(X,Y) : n(X) } = 1 :- n(Y)."
    yield 2, "{ star(X,Y) : region(X,Y,R) } = 1 :- region(_,_,R)."
    for body, counted in (
        ("n(X)", "star(C,D), C = X"),
        ("n(Y)", "star(C,D), D = Y"),
        ("region(_,_,R)", "star(C,D), region(C,D,R)"),
    ):
        for test in ("> 1", "!= 1", "< 1", "> 2"):
            yield 3, f":- {body}, #count{{C,D : {counted}}} {test}."
    yield from (
        (3, ":- star(X,Y), star(U,V), near(X,Y,U,V)."),
        (2, ":- star(X,Y), near(X,Y,_,_)."),
        (3, ":- star(X,Y), star(U,V), X != U."),
        (3, ":- star(X,Y), star(U,V), Y != V."),
        (2, ":- star(X,Y), not star(Y,X)."),
        (1, ":- star(X,X)."),
        (3, ":- star(X,Y), star(X,V), Y != V."),
        (3, ":- star(X,Y), star(U,Y), X != U."),
        (4, ":- star(X,Y), star(U,V), region(X,Y,R), region(U,V,R), (X,Y) != (U,V)."),
    )


def apart(a: Square, b: Square) -> bool:
    """Whether two squares are in different rows and columns and don't touch."""
    (x, y), (u, v) = a, b
    return x != u and y != v and max(abs(x - u), abs(y - v)) > 1


def moves(positions: int, literals: int, seed: int = 1) -> str:
    """Preferences over the moves of positions on a board of 5 by 5, one answer set a move.

    A capture is best, then a step ahead, then what ends in the middle.
    """
    rnd = Random(seed)
    text = ["n(1..5). centre(X,Y) :- n(X), n(Y), X > 1, X < 5, Y > 1, Y < 5."]
    text += ["ahead :- move(X,Y,U,V), V > Y. to(U,V) :- move(X,Y,U,V)."]
    text += ["from(X,Y) :- move(X,Y,U,V). takes :- to(U,V), black(U,V)."]
    text += ["edge(X,Y) :- n(X), n(Y), not centre(X,Y). guarded(X,Y) :- white(U,V), n(X), n(Y),"]
    text += ["  |X-U| = 1, |Y-V| = 1. rank(V) :- to(U,V)."]
    modes = (
        "takes", "ahead", "to(var(n),var(n))", "centre(var(n),var(n))", "from(var(n),var(n))",
        "edge(var(n),var(n))", "guarded(var(n),var(n))", "black(var(n),var(n))",
        "white(var(n),var(n))",
    )  # fmt: skip
    text += [f"#modeo(1,{mode})." for mode in modes[:literals]]
    text += ["#maxv(2).", "#maxp(3).", "#weight(1).", "#weight(-1)."]
    for number in range(positions):
        squares = list(product(range(1, 6), repeat=2))
        rnd.shuffle(squares)
        white, black = squares[:7], squares[7:14]
        facts = [f"white({x},{y})." for x, y in white] + [f"black({x},{y})." for x, y in black]
        found: dict[int, tuple[Square, Square]] = {}
        for (x, y), (dx, dy) in product(white, ((1, 1), (1, -1), (-1, 1), (-1, -1))):
            u, v = x + dx, y + dy
            if 0 < u < 6 and 0 < v < 6 and (u, v) not in white:
                middle = 1 < u < 5 and 1 < v < 5
                worth = 4 * ((u, v) in black) + 2 * (v > y) + middle
                found.setdefault(worth, ((x, y), (u, v)))
        ranked = [found[worth] for worth in sorted(found, reverse=True)]
        for at, ((x, y), (u, v)) in enumerate(ranked):
            context = " ".join([*facts, f"move({x},{y},{u},{v})."])
            text.append(f"#pos(p{number}_{at},{{}},{{}},{{{context}}}).")
            if at:
                text.append(f"#brave_ordering(o{number}_{at},p{number}_{at - 1},p{number}_{at},<).")
    return "\n".join(text)


def plans(steps: int, orders: int, seed: int = 1) -> str:
    """Preferences over time: of plans on a board of 3 by 3, each example allows many of them."""
    rnd = Random(seed)
    text = [f"time(1..{steps}). n(1..3). 1 {{ put(X,Y,T) : n(X), n(Y) }} 1 :- time(T)."]
    text += [":- put(X,Y,T), put(X,Y,U), T < U. corner(X,Y) :- n(X), n(Y), X != 2, Y != 2."]
    text += ["middle(2,2). early(1..2). late(T) :- time(T), not early(T)."]
    modes = ("put(var(n),var(n),var(t))", "corner(var(n),var(n))", "middle(var(n),var(n))")
    text += [f"#modeo(1,{mode},(positive))." for mode in (*modes, "early(var(t))", "late(var(t))")]
    text += ["#maxv(3).", "#maxp(2).", "#weight(1).", "#weight(-1)."]
    board = list(product((1, 2, 3), repeat=2))
    ranked: list[tuple[tuple[int, int], str]] = []
    for number in range(2 * orders):
        plan = rnd.sample(board, steps)
        inside = ",".join(f"put({x},{y},{t})" for t, (x, y) in enumerate(plan, 1))
        early = sum(square == (2, 2) for square in plan[:2])
        corners = sum(x != 2 and y != 2 for x, y in plan)
        text.append(f"#pos(p{number},{{{inside}}},{{}}).")
        ranked.append(((early, corners), f"p{number}"))
    for (a, first), (b, second) in zip(ranked[::2], ranked[1::2], strict=True):
        if a != b:
            better, worse = (first, second) if a > b else (second, first)
            text.append(f"#cautious_ordering({better},{worse},<).")
    return "\n".join(text)


def sudoku(examples: int, seed: int = 1) -> str:
    """Sudoku of 4 by 4: the choice of a number for each cell, and what may not stand together."""
    rnd = Random(seed)
    board = [(x, y) for x in range(4) for y in range(4)]
    name = {(x, y): f"c{x}{y}" for x, y in board}
    text = ["number(1..4).", *(f"cell({one})." for one in name.values())]
    for a, b in product(board, repeat=2):
        if a != b:
            for relation, side in (("row", a[0] == b[0]), ("col", a[1] == b[1])):
                text += [f"same_{relation}({name[a]},{name[b]})."] if side else []
            if (a[0] // 2, a[1] // 2) == (b[0] // 2, b[1] // 2):
                text.append(f"block({name[a]},{name[b]}).")
    text += ["#modeha(v(var(c),var(k))).", "#modec(1,number(var(k)),(positive))."]
    text += ["#modeb(2,v(var(c),var(k)),(positive)).", "#modeb(1,cell(var(c)),(positive))."]
    for relation in ("same_row", "same_col", "block"):
        text.append(f"#modeb(1,{relation}(var(c),var(c)),(positive,anti_reflexive)).")
    text += ["#maxv(3).", "#maxhl(1)."]
    for number in range(examples):
        a, b = rnd.sample(board, 2)
        value = rnd.randint(1, 4)
        if number % 5 == 4:
            none = ",".join(f"v({name[a]},{n})" for n in range(1, 5))
            text.append(f"#neg(e{number},{{}},{{{none}}}).")
            continue
        if number % 5 == 3:
            text.append(f"#neg(e{number},{{v({name[a]},1),v({name[a]},{2 + value % 3})}},{{}}).")
            continue
        shared = a[0] == b[0] or a[1] == b[1]
        shared = shared or (a[0] // 2, a[1] // 2) == (b[0] // 2, b[1] // 2)
        inside = f"v({name[a]},{value}),v({name[b]},{value})"
        text.append(f"#{'neg' if shared else 'pos'}(e{number},{{{inside}}},{{}}).")
    return "\n".join(text)


def policy(size: int, examples: int, seed: int = 1) -> str:
    """An agent on a grid: where it may go, by a helper that has to be invented and is recursive."""
    rnd = Random(seed)
    text = ["#modeh(reach(var(c))).", "#modeh(safe(var(c)))."]
    text += ["#modeb(1,start(var(c)),(positive)).", "#modeb(1,next(var(c),var(c)),(positive))."]
    text += ["#modeb(1,reach(var(c)),(positive)).", "#modeb(1,safe(var(c)))."]
    text += ["#modeb(1,pit(var(c))).", "#modeb(1,cell(var(c)),(positive)).", "#maxv(2)."]
    for number in range(examples):
        cells = list(product(range(size), repeat=2))
        pits = {one for one in cells if rnd.random() < 0.3}
        start = rnd.choice([one for one in cells if one not in pits])
        seen = {start}
        while True:
            more = {
                b for a in seen for b in cells
                if abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1 and b not in pits
            } - seen  # fmt: skip
            if not more:
                break
            seen |= more
        name = {one: f"c{one[0]}{one[1]}" for one in cells}
        facts = [f"start({name[start]})."] + [f"cell({one})." for one in name.values()]
        facts += [f"pit({name[one]})." for one in sorted(pits)]
        facts += [
            f"next({name[a]},{name[b]})." for a in cells for b in cells
            if abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1
        ]  # fmt: skip
        holds = ",".join(f"reach({name[one]})" for one in sorted(seen))
        fails = ",".join(f"reach({name[one]})" for one in cells if one not in seen)
        text.append(f"#pos(e{number},{{{holds}}},{{{fails}}},{{{' '.join(facts)}}}).")
    return "\n".join(text)


def lines(length: int, size: int, examples: int, seed: int = 1) -> str:
    """Lines of one colour on square boards; 5 % of the labels are wrong, all have a penalty."""
    rnd = Random(seed)
    text = ["#modeh(line).", "#maxv(2)."]
    for dx, dy in product(range(length), range(1 - length, length)):
        at = f"var(x){dx:+d}" if dx else "var(x)", f"var(y){dy:+d}" if dy else "var(y)"
        text.append(f"#modeb(1,cell({','.join(at)}),(positive)).")
    steps = ((1, 0), (0, 1), (1, 1), (1, -1))
    for number in range(examples):
        full = {one for one in product(range(1, size + 1), repeat=2) if rnd.random() < 0.35}
        has = any(
            all((x + k * dx, y + k * dy) in full for k in range(length))
            for (x, y), (dx, dy) in product(full, steps)
        )
        sides = ("line", "") if has != (rnd.random() < 0.05) else ("", "line")
        cells = " ".join(f"cell({x},{y})." for x, y in sorted(full))
        text.append(f"#pos(e{number}@10,{{{sides[0]}}},{{{sides[1]}}},{{{cells}}}).")
    return "\n".join(text)


def goals(variables: int, helpers: int) -> str:
    """Goals of a game of two by helpers that have to be invented, and by one another's heads."""
    all_goals = [f"goal({p},{n})" for p in (1, 2) for n in (0, 50, 100)]
    text = ["role(1..2). opponent(1,2). opponent(2,1).", f"#maxv({variables})."]
    text += ["#constant(s,0). #constant(s,50). #constant(s,100)."]
    for context, holds in (
        ("line(1). terminal.", {"goal(1,100)", "goal(2,0)"}),
        ("line(2). terminal.", {"goal(2,100)", "goal(1,0)"}),
        ("terminal.", {"goal(1,50)", "goal(2,50)"}),
        ("", {"goal(1,50)", "goal(2,50)"} if helpers == 1 else set()),
    ):
        fails = ",".join(goal for goal in all_goals if goal not in holds)
        text.append(f"#pos({{{','.join(sorted(holds))}}},{{{fails}}},{{{context}}}).")
    invented = ("won(var(p))", "over")[:helpers]
    text += [f"#modeh({one})." for one in ("goal(var(p),const(s))", *invented)]
    text += [f"#modeb(1,{one})." for one in ("goal(var(p),const(s))", *invented)]
    text += ["#modeb(1,line(var(p))).", "#modeb(1,terminal).", "#modeb(1,role(var(p)))."]
    text += ["#modeb(1,opponent(var(p),var(p)),(positive))."]
    return "\n".join(text)


FAMILIES: dict[str, tuple[Callable[..., str], str, Limits, tuple[tuple[int, ...], ...]]] = {
    "line of three, 5 % of labels wrong": (
        lines, "length, board, examples", Limits(3, 4), ((3, 4, 100), (3, 4, 1000), (3, 4, 10000))
    ),
    "queens": (queens, "board, examples", Limits(), ((3, 10), (4, 20), (5, 40))),
    "colouring": (colouring, "nodes, examples", Limits(), ((4, 12), (5, 24), (6, 48))),
    "star battle, rules written out": (
        star_battle, "board, examples", Limits(), ((4, 12), (5, 24), (6, 48))
    ),
    "preferences over moves": (
        moves, "positions, predicates", Limits(), ((2, 4), (6, 5), (12, 7))
    ),
    "preferences over plans": (plans, "steps, orderings", Limits(), ((3, 6), (4, 30), (4, 90))),
    "sudoku": (sudoku, "examples", Limits(), ((10,), (20,), (40,))),
    "goals with invented helpers": (
        goals, "variables, helpers", Limits(), ((2, 1), (2, 2), (3, 1), (3, 2))
    ),
    "policy with an invented helper": (
        policy, "grid, examples", Limits(2, 4), ((2, 3), (3, 4), (4, 6))
    ),
}  # fmt: skip
"""For each family what grows, the limits, and the steps that the bench takes."""
