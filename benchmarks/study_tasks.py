"""The learning tasks of the Connect-Four study, written from traces.

Boschloo, *Learning to Play with Inductive Logic Programming*, 2025, learns the rules of Connect
Four one predicate at a time; section 4.1 lists the predicates, their mode declarations and the
rules found. Here the examples come from a trace file: what the trace shows (cells, who moves,
legal turns, next positions, endings) labels them, and what it doesn't show comes from
games/connect_four/helpers.lp. `grl.las.choose` keeps the few examples that matter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise, product
from pathlib import Path

from grl.board import EMPTY, Position
from grl.games import load
from grl.generate import generate
from grl.las import Example, Limits, Ordering, Task, parse
from grl.las.choose import Chosen, Lesson, choose
from grl.las.clock import grounded
from grl.traces import Traces, header_dict, write_traces
from grl.turn import Turn

GAME = Path(__file__).resolve().parent.parent / "games" / "connect_four"
TASKS = GAME / "tasks"
PLAYS, ENDGAMES, SEED = 24, 0.5, 3
"""The traces: grl traces generate connect-four -n 24 --all-moves --endgames 0.5 --seed 3."""
EVERY = 7
"""Of a play every seventh position and the last one are taken."""
PLAYERS = {"white": 1, "black": 2}
DISCS = {EMPTY: 0, "x": 1, "o": 2}
SCORES = (0, 50, 100)


@dataclass(frozen=True)
class Moment:
    """One position of a trace, with all that the trace says of it.

    `control` and `drop` are unknown at the end of a play, `goals` before it; `after` is the board
    that the drop leads to, `mover` who moves there, None where the trace doesn't say.
    """

    name: str
    cells: tuple[tuple[int, int, int], ...]
    control: int | None = None
    drop: int | None = None
    legal: tuple[int, ...] = ()
    after: tuple[tuple[int, int, int], ...] = ()
    mover: int | None = None
    goals: tuple[tuple[int, int], ...] = ()

    @property
    def terminal(self) -> bool:
        return bool(self.goals)

    @property
    def board(self) -> str:
        return " ".join(f"cell({x},{y},{disc})." for x, y, disc in self.cells)

    @property
    def to_move(self) -> str:
        return "" if self.control is None else f" control({self.control})."

    @property
    def move(self) -> str:
        return f" does({self.control},drop({self.drop}))."


def write_study_traces(path: Path) -> None:
    """The trace file that the study's tasks come from."""
    game = load("connect-four")
    plays = generate(game, PLAYS, all_moves=True, seed=SEED, endgames=ENDGAMES)
    write_traces(path, header_dict(game), plays)


def moments(path: Path) -> list[Moment]:
    """The positions of a trace file that tasks are made of."""
    found = []
    for number, play in enumerate(Traces.open(path), 1):
        last = len(play.plies) - 1
        for at, ply in enumerate(play.plies):
            if at % EVERY and at != last:
                continue
            after = play.final if at == last else play.plies[at + 1].position
            found.append(
                Moment(
                    f"g{number}_{at}",
                    cells(ply.position),
                    PLAYERS[ply.by],
                    column(ply.position, ply.turn),
                    tuple(sorted(column(ply.position, turn) for turn in ply.legal or ())),
                    cells(after),
                    None if at == last else PLAYERS[after.to_move],
                )
            )
        if play.goals is not None:
            goals = tuple((PLAYERS[player], goal) for player, goal in play.goals.items())
            found.append(Moment(f"g{number}_end", cells(play.final), goals=goals))
    return found


def cells(position: Position) -> tuple[tuple[int, int, int], ...]:
    width = position.board.width
    return tuple(
        (at % width + 1, at // width + 1, DISCS[key]) for at, key in enumerate(position.cells)
    )


def column(position: Position, turn: str) -> int:
    board = position.board
    return board.square(Turn.parse(turn).segments[0].origin) % board.width + 1


@cache
def sections() -> dict[str, str]:
    """The parts of helpers.lp by their headings."""
    parts = re.split(r"^% (\w+)\n", (GAME / "helpers.lp").read_text(encoding="utf-8"), flags=re.M)
    return {name: text.strip() for name, text in zip(parts[1::2], parts[2::2], strict=True)}


@cache
def derived(facts: str) -> frozenset[str]:
    """What the helpers say of a board and a move."""
    ctl = grounded("\n".join([*sections().values(), facts]))
    return frozenset(str(atom.symbol) for atom in ctl.symbolic_atoms if atom.is_fact)


def labelled(
    name: str, candidates: Sequence[str], holds: Callable[[str], bool], context: str
) -> Lesson:
    """One positive example: each candidate is included where it holds, else excluded."""
    inside = tuple(atom for atom in candidates if holds(atom))
    outside = tuple(atom for atom in candidates if not holds(atom))
    return Lesson((Example(name, True, inside, outside, context.strip()),))


Lessons = Callable[[Sequence[Moment]], Iterator[Lesson]]


def helped(candidates: Callable[[Moment], list[str]], moved: bool = False) -> Lessons:
    """Lessons on boards, or boards and moves, labelled by the helpers."""

    def lessons(seen: Sequence[Moment]) -> Iterator[Lesson]:
        for one in seen:
            if moved and one.drop is None:
                continue
            facts = one.board + (one.move if moved else "")
            yield labelled(one.name, candidates(one), derived(facts).__contains__, facts)

    return lessons


def starts(name: str) -> Callable[[Moment], list[str]]:
    """The atoms (X,Y,P) of a row in some direction."""
    return lambda one: [f"{name}({x},{y},{p})" for x, y, _ in one.cells for p in (0, 1, 2)]


def columns(one: Moment) -> list[int]:
    return sorted({x for x, _, _ in one.cells})


def opponents(_: Sequence[Moment]) -> Iterator[Lesson]:
    every = [f"opponent({p},{q})" for p in (1, 2) for q in (1, 2)]
    yield labelled("players", every, derived("").__contains__, "")


def sizes(one: Moment) -> list[str]:
    return [f"board_size({x},{y})" for x, y in product(columns(one), repeat=2)]


def endings(seen: Sequence[Moment]) -> Iterator[Lesson]:
    for one in seen:
        yield labelled(one.name, ["terminal"], lambda _, one=one: one.terminal, one.board)  # type: ignore[misc]


def scores(seen: Sequence[Moment]) -> Iterator[Lesson]:
    every = [f"goal({p},{score})" for p in (1, 2) for score in SCORES]
    for one in seen:
        if one.terminal:
            known = {f"goal({player},{score})" for player, score in one.goals}
            yield labelled(one.name, every, known.__contains__, one.board)


def moves(seen: Sequence[Moment]) -> Iterator[Lesson]:
    for one in seen:
        for control in (1, 2) if one.control is None else (one.control,):
            known = {f"legal({control},drop({x}))" for x in one.legal}
            every = [f"legal({p},drop({x}))" for p in (1, 2) for x in columns(one)]
            context = f"{one.board} control({control})."
            name = one.name if one.control else f"{one.name}_{control}"
            yield labelled(name, every, known.__contains__, context)


def players(seen: Sequence[Moment]) -> Iterator[Lesson]:
    every = ["control(1)", "control(2)"]
    for one in seen:
        if one.control is not None:
            yield labelled(one.name, every, f"control({one.control})".__eq__, one.board)


def choices(seen: Sequence[Moment]) -> Iterator[Lesson]:
    """Each legal move may be made, none together with another, and one has to be made."""
    for one in seen:
        if one.terminal:
            every = tuple(f"does({p},drop({x}))" for p in (1, 2) for x in columns(one))
            yield Lesson((Example(one.name, True, (), every, "terminal. control(1)."),))
            continue
        drops = tuple(f"does({one.control},drop({x}))" for x in one.legal)
        context = " ".join(f"legal({one.control},drop({x}))." for x in one.legal) + one.to_move
        examples = [
            Example(f"{one.name}_{x}", True, (drop,), tuple(d for d in drops if d != drop), context)
            for x, drop in zip(one.legal, drops, strict=True)
        ]
        examples.append(Example(f"{one.name}_none", False, (), drops, context))
        examples += [
            Example(f"{one.name}_both{n}", False, pair, (), context)
            for n, pair in enumerate(pairwise(drops), 1)
        ]
        yield Lesson(tuple(examples))


def movers(seen: Sequence[Moment]) -> Iterator[Lesson]:
    every = ["next(control(1))", "next(control(2))"]
    for one in seen:
        if one.mover is not None:
            known = f"next(control({one.mover}))"
            yield labelled(one.name, every, known.__eq__, one.to_move)


def boards(seen: Sequence[Moment]) -> Iterator[Lesson]:
    for one in seen:
        if one.drop is not None:
            known = {f"next({x},{y},{disc})" for x, y, disc in one.after}
            every = [f"next({x},{y},{disc})" for x, y, _ in one.cells for disc in (0, 1, 2)]
            yield labelled(one.name, every, known.__contains__, one.board + one.to_move + one.move)


def preferences(seen: Sequence[Moment], kinds: int = 5) -> Iterator[Lesson]:
    """Moves in order: those that win, those that block, those in the centre, the others.

    Of boards with so many kinds of moves, such as one that wins in the centre, the lowest column
    of each kind.
    """
    for one in seen:
        if one.control is None:
            continue
        facts = derived(one.board)
        ranks = {
            x: (
                f"check({one.control},{x})" not in facts,
                f"check({3 - one.control},{x})" not in facts,
                f"center({x})" not in facts,
            )
            for x in one.legal
        }
        levels = sorted(set(ranks.values()))
        firsts = [min(x for x in ranks if ranks[x] == level) for level in levels]
        if len(firsts) < kinds:
            continue
        examples = tuple(
            Example(f"{one.name}_{x}", True, (), (), f"{one.board} does({one.control},drop({x})).")
            for x in firsts
        )
        orderings = tuple(
            Ordering(f"{a.name}_over_{b.name}", True, a.name, b.name) for a, b in pairwise(examples)
        )
        yield Lesson(examples, orderings)


@dataclass(frozen=True)
class Spec:
    """A task of the study: what is given, the bias as in the study, and where examples come from.

    `body` and `rule` are the limits that the command line takes.
    """

    name: str
    given: tuple[str, ...]
    bias: str
    lessons: Lessons
    body: int = 3
    rule: int = 5

    @property
    def head(self) -> str:
        """The task without its examples."""
        options = (
            ""
            if (self.body, self.rule) == (3, 5)
            else (f" -ml {self.body} --max-rule-length {self.rule}")
        )
        lines = [f"% grl las {self.name}.las{options}", *(sections()[name] for name in self.given)]
        return "\n".join([*lines, self.bias.strip()]) + "\n"

    @property
    def task(self) -> Task:
        """The task without its examples, as a value."""
        return parse(self.head, limits=Limits(self.body, self.rule))


def _shifted(axis: str, by: int) -> str:
    return f"var({axis}){by:+d}" if by else f"var({axis})"


def _row(name: str) -> Spec:
    """A task of four in a row: any cells up to three columns and rows away may matter."""
    near = "\n".join(
        f"#modeb(1,cell({_shifted('x', dx)},{_shifted('y', dy)},var(p)),(positive))."
        for dx in range(4)
        for dy in range(-3, 4)
    )
    bias = f"#modeh({name}(var(x),var(y),var(p))).\n#modeb(1,role(var(p)),(positive)).\n{near}"
    return Spec(name, ("role",), f"{bias}\n#maxv(3).", helped(starts(name)), 5, 6)


SPECS: tuple[Spec, ...] = (
    Spec(
        "opponent",
        ("role",),
        """
#modeh(opponent(var(r),var(r))).
#modeb(2,role(var(r))).
#modeb(1,var(r) < var(r)).
#modeb(1,var(r) != var(r)).
#maxv(2).""",
        opponents,
    ),
    Spec(
        "open",
        (),
        """
#modeh(open).
#modeb(1,cell(var(x),var(y),const(c))).
#constant(c,0). #constant(c,1). #constant(c,2).
#maxv(2).""",
        helped(lambda _: ["open"]),
    ),
    Spec(
        "open_column",
        (),
        """
#modeh(open(var(x))).
#modeb(1,cell(var(x),var(y),const(c))).
#constant(c,0). #constant(c,1). #constant(c,2).
#maxv(2).""",
        helped(lambda one: [f"open({x})" for x in columns(one)]),
    ),
    *map(_row, ("horz", "vert", "dia1", "dia2")),
    Spec(
        "line",
        ("role", "rows"),
        """
#modeh(line(var(p))).
#modeb(1,horz(var(x),var(y),var(p))).
#modeb(1,vert(var(x),var(y),var(p))).
#modeb(1,dia1(var(x),var(y),var(p))).
#modeb(1,dia2(var(x),var(y),var(p))).
#modeb(1,role(var(p))).
#maxv(3).""",
        helped(lambda _: [f"line({p})" for p in (0, 1, 2)]),
    ),
    Spec(
        "board_size",
        ("role", "columns"),
        """
#modeh(board_size(var(x),var(y))).
#modeh(greaterX(var(x))).
#modeh(greaterY(var(y))).
#modeb(1,role(var(r))).
#modeb(1,greaterX(var(x))).
#modeb(1,greaterY(var(y))).
#modeb(2,col(var(x))).
#modeb(2,row(var(y))).
#modeb(1,var(x) > var(x)).
#modeb(1,var(y) > var(y)).
#maxv(2).""",
        helped(sizes),
        4,
    ),
    Spec(
        "terminal",
        ("role", "open", "rows", "line"),
        """
#modeh(terminal).
#modeb(1,line(var(p))).
#modeb(1,open).
#maxv(1).""",
        endings,
    ),
    Spec(
        "target",
        (),
        """
#modeh(target(var(x),var(y))).
#modeb(1,cell(var(x),var(y),const(c))).
#modeb(1,cell(var(x),var(y)-1,const(c))).
#modeb(1,cell(var(x),var(y)+1,const(c))).
#constant(c,0).
#maxv(2).""",
        helped(lambda one: [f"target({x},{y})" for x, y, _ in one.cells]),
    ),
    Spec(
        "target_player",
        (),
        """
target(X,Y) :- cell(X,Y,0), not cell(X,Y-1,0).
#modeh(target(var(x),var(y),var(p))).
#modeb(1,target(var(x),var(y))).
#modeb(1,does(var(p),drop(var(x)))).
#maxv(3).""",
        helped(starts("target"), moved=True),
    ),
    Spec(
        "goal",
        ("role", "opponent", "open", "rows", "line", "terminal"),
        """
#modeh(goal(var(p),const(s))).
#modeb(2,line(var(p))).
#modeb(1,opponent(var(p),var(p)),(positive)).
#modeb(1,terminal).
#constant(s,0). #constant(s,50). #constant(s,100).
#maxv(2).""",
        scores,
    ),
    Spec(
        "legal",
        ("role", "open", "rows", "line", "terminal"),
        """
#modeh(legal(var(p),drop(var(x)))).
#modeb(1,control(var(p))).
#modeb(1,open(var(x))).
#modeb(1,terminal).
#maxv(2).""",
        moves,
    ),
    Spec(
        "control",
        ("role", "columns", "size", "count"),
        """
#modeh(control(var(r))).
#modeb(2,numberOf(var(r),var(n)),(positive)).
#modeb(1,var(n) < var(n)).
#modeb(1,var(r) < var(r)).
#maxv(4).""",
        players,
    ),
    Spec(
        "does",
        (),
        """
#modeha(does(var(p),var(m))).
#modec(legal(var(p),var(m))).
#modeb(1,control(var(p))).
#modeb(1,terminal).
#maxv(2).""",
        choices,
    ),
    Spec(
        "next_control",
        ("opponent",),
        """
#modeh(next(control(var(p)))).
#modeb(1,opponent(var(p),var(p)),(positive)).
#modeb(1,control(var(p))).
#maxv(2).""",
        movers,
    ),
    Spec(
        "next_cell",
        ("role", "target"),
        """
#modeh(next(var(x),var(y),var(p))).
#modeh(next(var(x),var(y),const(c))).
#modeb(1,target(var(x),var(y),var(p))).
#modeb(1,cell(var(x),var(y),var(p)),(positive)).
#modeb(1,cell(var(x),var(y),const(c))).
#modeb(1,control(var(p)),(positive)).
#modeb(1,role(var(p)),(positive)).
#constant(c,0).
#maxv(3).""",
        boards,
    ),
    Spec(
        "preferences",
        ("role", "opponent", "columns", "target", "check", "center"),
        """
#modeo(1,does(var(r),drop(var(x))),(positive)).
#modeo(1,check(var(r),var(x))).
#modeo(1,opponent(var(r),var(r)),(anti_reflexive)).
#modeo(1,target(var(x),var(y))).
#modeo(1,role(var(r))).
#modeo(1,center(var(x))).
#maxp(3).
#maxv(3).
#weight(20).""",
        preferences,
    ),
)


def chosen(spec: Spec, seen: Sequence[Moment]) -> Chosen:
    """The examples that a task needs, and what is learned from them."""
    return choose(spec.task, list(spec.lessons(seen)))


def task_text(spec: Spec, lessons: Sequence[Lesson]) -> str:
    """The task file."""
    return "\n".join([spec.head, *(lesson.text for lesson in lessons)]) + "\n"
