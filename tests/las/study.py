"""Small tasks in the manner of the Connect-Four study, with the rules that it learned."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

Board = dict[tuple[int, int], int]

DIRECTIONS = {"horz": (1, 0), "vert": (0, 1), "dia1": (1, 1), "dia2": (1, -1)}


def boards(seed: int, *, discs: int | None = None) -> Iterator[Board]:
    """Boards of random play, 7 by 6, that end with a line or after some discs."""
    rnd = Random(seed)
    while True:
        board = {(x, y): 0 for x in range(1, 8) for y in range(1, 7)}
        player = 1
        for _ in range(rnd.randint(4, 36) if discs is None else discs):
            x = rnd.choice([x for x in range(1, 8) if board[x, 6] == 0])
            y = min(y for y in range(1, 7) if board[x, y] == 0)
            board[x, y] = player
            if lines(board, player):
                break
            player = 3 - player
        yield board


def lines(board: Board, player: int) -> set[str]:
    """The directions in which a player has four in a row."""
    return {
        name
        for name, step in DIRECTIONS.items()
        if any(begins(board, square, step, player) for square in board)
    }


def begins(board: Board, square: tuple[int, int], step: tuple[int, int], player: int) -> bool:
    (x, y), (dx, dy) = square, step
    return all(board.get((x + i * dx, y + i * dy)) == player for i in range(4))


def cells(board: Board) -> str:
    return " ".join(f"cell({x},{y},{disc})." for (x, y), disc in board.items())


def with_lines(seed: int, wanted: list[str | None]) -> list[Board]:
    """A board for each wanted direction, None for a board without a line."""
    found = []
    more = boards(seed)
    for want in wanted:
        for board in more:
            seen = lines(board, 1) | lines(board, 2)
            if seen == ({want} if want else set()):
                found.append(board)
                break
    return found


def line_task(chosen: list[Board], *, heads: bool) -> str:
    """All four directions in one task: one head for each of them, or line/1 for all."""
    text = ["role(1). role(2)."]
    for board in chosen:
        labels: dict[str, bool] = {}
        for player in (1, 2):
            if not heads:
                labels[f"line({player})"] = bool(lines(board, player))
            for name, step in DIRECTIONS.items() if heads else ():
                for x, y in board:
                    labels[f"{name}({x},{y},{player})"] = begins(board, (x, y), step, player)
        text.append(example(labels, cells(board)))
    if heads:
        text += [f"#modeh({name}(var(x),var(y),var(p)))." for name in DIRECTIONS]
    else:
        text.append("#modeh(line(var(p))).")
    for dx in range(4):
        for dy in range(-3, 4):
            at = f"{shifted('x', dx)},{shifted('y', dy)}"
            text.append(f"#modeb(1,cell({at},var(p)),(positive)).")
    text += ["#modeb(1,role(var(p)),(positive)).", "#maxv(3)."]
    return "\n".join(text)


def shifted(kind: str, by: int) -> str:
    return f"var({kind}){by:+d}" if by else f"var({kind})"


def example(labels: dict[str, bool], context: str) -> str:
    holds = ",".join(atom for atom, yes in labels.items() if yes)
    fails = ",".join(atom for atom, yes in labels.items() if not yes)
    return f"#pos({{{holds}}},{{{fails}}},{{{context}}})."


@dataclass(frozen=True)
class Study:
    """A task, the program the study gives for it, its cost, and contexts to compare both on."""

    task: str
    program: str
    cost: int
    shown: tuple[str, ...]
    contexts: tuple[str, ...] = ("",)
    body: int = 3


def labelled(board: Board, atoms: dict[str, bool], more: str = "") -> str:
    return example(atoms, f"{cells(board)} {more}")


def targets(board: Board) -> dict[str, bool]:
    return {
        f"target({x},{y})": disc == 0 and board.get((x, y - 1)) != 0
        for (x, y), disc in board.items()
    }


def _some(seed: int, number: int) -> list[Board]:
    more = boards(seed)
    return [next(more) for _ in range(number)]


def _full() -> Board:
    return {(x, y): 1 + (x // 2 + y) % 2 for x in range(1, 8) for y in range(1, 7)}


def studies() -> dict[str, Study]:
    """The tasks by name."""
    seen, new = _some(3, 3), tuple(cells(board) for board in _some(9, 4))
    every_size = {f"size({x},{y})": (x, y) == (7, 6) for x in range(1, 8) for y in range(1, 8)}
    columns = {f"open({x})": any(seen[1][x, y] == 0 for y in range(1, 7)) for x in range(1, 8)}
    drops = [f"does(1,drop({x}))" for x in (1, 2, 3)]
    legal = " ".join(f"legal(1,drop({x}))." for x in (1, 2, 3))
    return {
        "opponent": Study(
            """role(1). role(2).
            #modeh(opponent(var(r), var(r))).
            #modeb(2, role(var(r))).
            #modeb(1, var(r) < var(r)).
            #maxv(2).
            #pos({opponent(1,2), opponent(2,1)},{opponent(1,1)},{}).""",
            """opponent(V1,V2) :- role(V1); role(V2); V1 < V2.
            opponent(V1,V2) :- role(V1); role(V2); V2 < V1.""",
            8,
            ("opponent/2",),
        ),
        "opponent by difference": Study(
            """role(1). role(2).
            #modeh(opponent(var(r), var(r))).
            #modeb(2, role(var(r))).
            #modeb(1, var(r) != var(r)).
            #maxv(2).
            #pos({opponent(1,2), opponent(2,1)},{opponent(1,1)},{}).""",
            "opponent(V1,V2) :- role(V1); role(V2); V2 != V1.",
            4,
            ("opponent/2",),
        ),
        "lunch": Study(
            """item(apple). item(pear). item(donut).
            #pos({take(apple)}, {take(pear)}).
            #pos({take(apple),take(pear)}, {}).
            #neg({take(donut)}, {}).
            #neg({},{take(apple),take(pear),take(donut)}).
            #modeha(take(var(v))).
            #modec(item(var(v))).
            #modeb(1, item(var(v))).
            #modeb(1, take(donut)).
            #maxv(1).""",
            ":- take(donut). 1 {take(V1) : item(V1) } 2.",
            5,
            ("take/1",),
        ),
        "board size": Study(
            f"""role(1). role(2). col(X) :- cell(X,_,_). row(Y) :- cell(_,Y,_).
            {labelled(seen[0], every_size)}
            #modeh(size(var(x), var(y))).
            #modeh(greaterX(var(x))).
            #modeh(greaterY(var(y))).
            #modeb(1, role(var(r))).
            #modeb(1, greaterX(var(x))).
            #modeb(1, greaterY(var(y))).
            #modeb(2, col(var(x))).
            #modeb(2, row(var(y))).
            #modeb(1, var(x) > var(x)).
            #modeb(1, var(y) > var(y)).
            #maxv(2).""",
            """greaterY(V1) :- row(V1); row(V2); V2 > V1.
            greaterX(V1) :- col(V1); col(V2); V2 > V1.
            size(V1,V2) :- col(V1); row(V2); not greaterX(V1); not greaterY(V2).""",
            13,
            ("size/2",),
            (*new, "cell(1,1,0). cell(2,1,0). cell(1,2,0). cell(2,2,0). cell(3,1,0). cell(3,2,0)."),
            body=4,
        ),
        "open": Study(
            f"""{labelled(seen[1], columns)}
            {labelled(_full(), {f"open({x})": False for x in range(1, 8)})}
            #modeh(open(var(x))).
            #modeb(1, cell(var(x),var(y),const(c))). #constant(c,0). #constant(c,1).
            #maxv(2).""",
            "open(V1) :- cell(V1,V2,0).",
            2,
            ("open/1",),
            new,
        ),
        "terminal": Study(
            """#pos({terminal},{},{line(1). open.}). #pos({terminal},{},{line(2).}).
            #pos({terminal},{},{}). #pos({},{terminal},{open.}).
            #modeh(terminal). #modeb(1,line(var(p))). #modeb(1,open). #maxv(1).""",
            "terminal :- line(V1). terminal :- not open.",
            4,
            ("terminal/0",),
            ("line(1).", "open.", "line(2). open.", ""),
        ),
        "target": Study(
            f"""{labelled(seen[0], targets(seen[0]))} {labelled(seen[1], targets(seen[1]))}
            #modeh(target(var(x),var(y))).
            #modeb(1, cell(var(x),var(y),const(c))). #modeb(1, cell(var(x),var(y)-1,const(c))).
            #modeb(1, cell(var(x),var(y)+1,const(c))).
            #constant(c,0). #maxv(2).""",
            "target(V1,V2) :- cell(V1,V2,0); not cell(V1,V2-1,0).",
            3,
            ("target/2",),
            new,
        ),
        "goal": Study(
            """opponent(1,2). opponent(2,1).
            #pos({goal(1,100),goal(2,0)},{goal(1,0),goal(1,50),goal(2,50),goal(2,100)},
                {line(1). terminal.}).
            #pos({goal(1,50),goal(2,50)},{goal(1,0),goal(2,0),goal(1,100),goal(2,100)},{}).
            #pos({goal(2,100),goal(1,0)},{goal(1,50),goal(2,50),goal(1,100),goal(2,0)},
                {line(2). terminal.}).
            #modeh(goal(var(p),const(s))). #constant(s,0). #constant(s,50). #constant(s,100).
            #modeb(1,line(var(p))). #modeb(1,opponent(var(p),var(p)),(positive)).
            #modeb(1,terminal). #maxv(2).""",
            """goal(V1,100) :- line(V1). goal(V1,50) :- opponent(V1,V2); not terminal.
            goal(V1,0) :- line(V2); opponent(V1,V2).""",
            8,
            ("goal/2",),
            ("line(1). terminal.", "", "line(2). terminal."),
        ),
        "legal": Study(
            """#pos({legal(1,drop(1)),legal(1,drop(3))},
                {legal(1,drop(2)),legal(2,drop(1)),legal(2,drop(2)),legal(2,drop(3))},
                {open(1). open(3). control(1).}).
            #pos({},{legal(1,drop(1)),legal(2,drop(1))},{open(1). terminal. control(1).}).
            #modeh(legal(var(p),drop(var(x)))).
            #modeb(1,control(var(p))). #modeb(1,open(var(x))). #modeb(1,terminal). #maxv(2).""",
            "legal(V1,drop(V2)) :- control(V1); open(V2); not terminal.",
            4,
            ("legal/2",),
            ("open(1). control(2).", "open(4). open(5). control(1).", "terminal. control(1)."),
        ),
        "does": Study(
            f"""{legal}
            #pos({{{drops[0]}}},{{{drops[1]},{drops[2]}}}).
            #pos({{{drops[1]}}},{{{drops[0]},{drops[2]}}}).
            #pos({{{drops[2]}}},{{{drops[0]},{drops[1]}}}).
            #neg({{}},{{{",".join(drops)}}}).
            #neg({{{drops[0]},{drops[1]}}},{{}}). #neg({{{drops[0]},{drops[2]}}},{{}}).
            #neg({{{drops[1]},{drops[2]}}},{{}}).
            #modeha(does(var(p),var(m))). #modec(legal(var(p),var(m))).
            #modeb(1,control(var(p))). #modeb(1,terminal). #maxv(2).""",
            "1 {does(V1,V2) : legal(V1,V2) } 1.",
            2,
            ("does/2",),
        ),
        "next control": Study(
            """opponent(1,2). opponent(2,1).
            #pos({next(control(2))},{next(control(1))},{control(1).}).
            #pos({next(control(1))},{next(control(2))},{control(2).}).
            #modeh(next(control(var(p)))). #modeb(1,opponent(var(p),var(p)),(positive)).
            #modeb(1,control(var(p))). #maxv(2).""",
            "next(control(V1)) :- opponent(V2,V1); not control(V1).",
            3,
            ("next/1",),
            ("control(1).", "control(2)."),
        ),
        "next control, recursive": Study(
            """opponent(1,2). opponent(2,1).
            #pos(e1,{next(control(2))},{next(control(1))},{}).
            #pos(e2,{next(control(1))},{next(control(2))},{}).
            #modeh(next(control(var(p)))). #modeb(1,opponent(var(p),var(p)),(positive)).
            #modeb(1,next(control(var(p)))). #maxv(2).""",
            "next(control(V1)) :- opponent(V2,V1); not next(control(V2)).",
            3,
            ("next/1",),
        ),
        "control": Study(
            """role(1). role(2).
            #pos({control(1)},{control(2)},{numberOf(1,3). numberOf(2,3).}).
            #pos({control(2)},{control(1)},{numberOf(1,4). numberOf(2,3).}).
            #pos({control(1)},{control(2)},{numberOf(1,0). numberOf(2,0).}).
            #modeh(control(var(r))). #modeb(2,numberOf(var(r),var(n)),(positive)).
            #modeb(1,var(n) < var(n)). #modeb(1,var(r) < var(r)). #maxv(4).""",
            """control(V1) :- numberOf(V1,V3); numberOf(V2,V3); V1 < V2.
            control(V1) :- numberOf(V1,V2); numberOf(V4,V3); V2 < V3.""",
            8,
            ("control/1",),
            ("numberOf(1,7). numberOf(2,7).", "numberOf(1,8). numberOf(2,7)."),
        ),
    }


PREFERENCES = """role(1). role(2). opponent(1,2). opponent(2,1).
col(X) :- cell(X,_,_). center(X) :- X > 2, X < 6, col(X).
target(X,Y) :- cell(X,Y,0), not cell(X,Y-1,0).
check(P,X) :- role(P), cell(X,Y,P), cell(X,Y+1,P), cell(X,Y+2,P), cell(X,Y+3,0).
check(P,X) :- role(P), cell(X,Y,0), cell(X+1,Y,P), cell(X+2,Y,P), cell(X+3,Y,P), target(X,Y).
check(P,X) :- role(P), cell(X-1,Y,P), cell(X,Y,0), cell(X+1,Y,P), cell(X+2,Y,P), target(X,Y).
check(P,X) :- role(P), cell(X-2,Y,P), cell(X-1,Y,P), cell(X,Y,0), cell(X+1,Y,P), target(X,Y).
check(P,X) :- role(P), cell(X-3,Y,P), cell(X-2,Y,P), cell(X-1,Y,P), cell(X,Y,0), target(X,Y).
cell(1..7,5..6,0). cell(1..2,2..4,0). cell(4..7,2..4,0). cell(2,1,0). cell(5..7,1,0).
cell(3,4,2). cell(3,3,2). cell(3,2,2). cell(1,1,1). cell(3,1,1). cell(4,1,1).
#modeo(1, does(var(r), drop(var(x))), (positive)).
#modeo(1, check(var(r),var(x))).
#modeo(1, opponent(var(r),var(r)),(anti_reflexive)).
#modeo(1, target(var(x),var(y))).
#modeo(1, role(var(r))).
#modeo(1, center(var(x))).
#maxp(3). #maxv(3). #weight(20).
#pos(p1,{},{},{control(1). does(1,drop(2)).}).
#pos(p2,{},{},{control(1). does(1,drop(1)).}).
#pos(p3,{},{},{control(1). does(1,drop(3)).}).
#pos(p4,{},{},{control(2). does(2,drop(3)).}).
#pos(p5,{},{},{control(2). does(2,drop(2)).}).
#pos(p6,{},{},{control(2). does(2,drop(6)).}).
#pos(p7,{},{},{control(2). does(2,drop(5)).}).
#brave_ordering(p1,p2,<).
#brave_ordering(p1,p3,<).
#brave_ordering(p4,p5,<).
#brave_ordering(p5,p6,<).
#brave_ordering(p7,p6,<).
"""
