"""Learning tasks from trace files: who may do what, what comes next, when a game ends, and how.

A target is a relation of the Game Description Language. Its examples are positions of the file,
of which `grl.las.choose` keeps the few that matter; its mode bias comes from the vocabulary of the
file: cells and their neighbours within a reach, contents, counts, players and their order, and
what a turn touches. Nothing is known of any game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from grl.board import HOLE, Board, Player, Position
from grl.errors import TraceError
from grl.las.choose import Chosen, Lesson, choose
from grl.las.syntax import parse
from grl.las.task import Example, Limits
from grl.las.vocabulary import Vocabulary, squares, walk
from grl.progress import Progress, silent
from grl.traces import Traces
from grl.turn import Turn

REACH = 3
POSITIONS = 120
AT_ONCE = 6


@dataclass(frozen=True)
class Moment:
    """A position with what the record says of it.

    `by` plays `turn` and `played` played before; `after` is where the turn leads and `then` who
    moves there, as far as it is known; `goals` are there when the game is over.
    """

    name: str
    position: Position
    by: Player | None = None
    turn: str = ""
    legal: tuple[str, ...] | None = None
    played: Player | None = None
    after: Position | None = None
    then: Player | None = None
    goals: Mapping[Player, int] | None = None


@dataclass(frozen=True)
class Made:
    """A task's text and the limits that it wants; `lacks` as in `grl.las.choose`."""

    text: str
    limits: Limits
    examples: int
    positions: int
    lacks: str = ""

    @property
    def complete(self) -> bool:
        """Whether what is learned from the task satisfies all positions."""
        return not self.lacks


@dataclass(frozen=True)
class _Source:
    """The moments of a file and the words for them."""

    words: Vocabulary
    moments: Sequence[Moment]
    reach: int = REACH


def make_task(
    traces: Traces,
    target: str,
    *,
    given: str = "",
    reach: int = REACH,
    positions: int = POSITIONS,
    time_limit: float | None = None,
    progress: Progress = silent,
    kept: Callable[[Made], None] | None = None,
) -> Made:
    """The task of `target`, one of `TARGETS`, from a trace file.

    `given` are rules and mode declarations to go with the file's own, such as rules learned
    before. `time_limit` bounds the choice of examples, in seconds; without one the task is the
    same on any machine. A task that isn't complete says so in its first lines. `kept` hears of
    the task so far, before each search. Raises `TraceError` where the file says nothing of the
    target.
    """
    source = _Source(
        Vocabulary.of(traces.header.equipment), _spread(traces, target, positions), reach
    )
    make, limits = TARGETS[target]
    bias, lessons = make(source)
    if not lessons:
        raise TraceError(
            f"the file says nothing of {target}", expected=_NEEDS[target], hint="record more"
        ).at(file=traces.path)
    background = [line for line in source.words.background() if line]
    head = "\n".join([*background, *given.splitlines(), *bias]) + "\n"
    options = f"-ml {limits.body} --max-rule-length {limits.rule}"
    first = f"% {target} of {traces.header.game}; with {options}\n"

    def made(found: Chosen) -> Made:
        mark = unfinished(found.lacks) if found.lacks else ""
        text = mark + first + head + "\n".join(lesson.text for lesson in found.lessons) + "\n"
        number = sum(len(lesson.examples) for lesson in found.lessons)
        return Made(text, limits, number, len(lessons), found.lacks)

    found = choose(
        parse(head, limits=limits),
        lessons,
        at_once=AT_ONCE,
        time_limit=time_limit,
        progress=progress,
        kept=None if kept is None else lambda chosen: kept(made(chosen)),
    )
    return made(found)


def unfinished(lacks: str) -> str:
    """The first lines of a task that isn't complete."""
    return (
        f"% UNFINISHED: {lacks}.\n"
        "% What is learned from these examples may be wrong on other positions of the records.\n"
    )


_NEEDS = {
    "terminal": "a game that the rules ended",
    "goal": "a game that the rules ended, with goals",
    "legal": "turns with all legal ones, as with --all-moves",
    "next": "a turn",
    "control": "a game of two turns",
}


def _spread(traces: Traces, target: str, most: int) -> list[Moment]:
    """Distinct moments that say something of the target, spread over the file.

    Of endings as many as of other positions.
    """
    ended: dict[object, Moment] = {}
    going: dict[object, Moment] = {}
    for number, play in enumerate(traces, 1):
        played: Player | None = None
        last = len(play.plies) - 1
        for at, ply in enumerate(play.plies):
            after = play.final if at == last else play.plies[at + 1].position
            then = None if at == last else after.to_move
            one = Moment(
                f"g{number}_{at + 1}",
                ply.position,
                ply.by,
                ply.turn,
                ply.legal,
                played,
                after,
                then,
            )
            going.setdefault((ply.position.outcome, ply.turn), one)
            played = ply.by
        if play.goals is not None:
            one = Moment(f"g{number}_end", play.final, played=played, goals=play.goals)
            ended.setdefault((play.final.cells, played), one)
    useful = [one for one in going.values() if target != "legal" or one.legal is not None]
    useful = [one for one in useful if target != "control" or one.then is not None]
    return [*_some(list(ended.values()), most // 2), *_some(useful, most)]


def _some(moments: list[Moment], most: int) -> list[Moment]:
    """At most so many, evenly spread."""
    if len(moments) <= most:
        return moments
    return [moments[number * len(moments) // most] for number in range(most)]


Result = tuple[list[str], list[Lesson]]


def _terminal(source: _Source) -> Result:
    bias = ["#modeh(terminal).", *_patterns(source), *_constants(source), "#maxv(3)."]
    lessons = [
        _lesson(one.name, {"terminal": one.goals is not None}, _facts(source, one))
        for one in source.moments
    ]
    return bias, lessons if any(one.goals is not None for one in source.moments) else []


def _goal(source: _Source) -> Result:
    ends = [one for one in source.moments if one.goals is not None]
    scores = sorted({score for one in ends for score in (one.goals or {}).values()})
    bias = [
        "#modeh(goal(var(p),const(score))).",
        *_patterns(source),
        "#modeb(1,played(var(p))).",
        "#modeb(1,follows(var(p),var(p)),(positive)).",
        *_constants(source),
        *(f"#constant(score,{score})." for score in scores),
        "#maxv(3).",
    ]
    names = source.words.players
    lessons = [
        _lesson(
            one.name,
            {
                f"goal({names[player]},{score})": goal == score
                for player, goal in (one.goals or {}).items()
                for score in scores
            },
            _facts(source, one),
        )
        for one in ends
    ]
    return bias, lessons


def _legal(source: _Source) -> Result:
    words = source.words
    known = [one for one in source.moments if one.legal is not None]
    seen: set[str] = set()
    for one in known:
        here = [words.term(turn) for turn in one.legal or ()]
        if len(set(here)) < len(here):
            raise TraceError(
                "turns don't differ in where they start and end",
                expected="one legal turn for each start and end of its first segment",
            ).at(rows=one.position.rows)
        seen.update(here)
    shapes = sorted(set(map(_shape, seen)))
    board = words.equipment.board
    steps = {(0, 0)}
    steps |= {step for one in known for turn in one.legal or () for step in _steps(turn, board)}
    near = sorted(steps | set(product((-1, 0, 1), repeat=2)))
    bias = [
        *(f"#modeh(legal(var(p),{shape}))." for shape in shapes),
        *(f"#modeh(legal(const(player),{shape}))." for shape in shapes),
        "#modeb(1,control(var(p)),(positive)).",
        "#modeb(1,control(const(player)),(positive)).",
        *(f"#constant(player,{player})." for player in words.players.values()),
        *(f"#modeb(1,cell({_cell(*at)},const(c)))." for at in near),
        *(f"#modeb(1,cell({_cell(*at)},_),(positive))." for at in near if any(at)),
        *(f"#modeb(1,own({_cell(*at)}))." for at in near),
        *(f"#modeb(1,other({_cell(*at)}))." for at in near),
        "#modeb(1,terminal).",
        *_constants(source, counts=False),
        "#maxv(3).",
    ]
    bias = [
        "own(X,Y) :- cell(X,Y,C), owner(C,P), control(P).",
        "other(X,Y) :- cell(X,Y,C), owner(C,P), control(Q), P != Q.",
        *bias,
    ]
    lessons = []
    for one in source.moments:
        mover = one.by or one.position.to_move
        name = words.players[mover]
        legal = {words.term(turn) for turn in one.legal or ()}
        if one.legal is None and one.goals is None:
            continue
        every = {
            f"legal({player},{_placed(shape, x, y)})": player == name
            and _placed(shape, x, y) in legal
            for player in words.players.values()
            for shape in shapes
            for (x, y), key in squares(one.position)
            if key != HOLE and (player == name or (x, y) == (1, 1))
        }
        over = " terminal." if one.goals is not None else ""
        facts = f"{_cells(source, one)} control({name}).{over}"
        lessons.append(_lesson(one.name, every, facts))
    return bias, lessons if known else []


def _next(source: _Source) -> Result:
    words = source.words
    bias = [
        "#modeh(next(cell(var(x),var(y),var(c)))).",
        "#modeh(next(cell(var(x),var(y),const(c)))).",
        "#modeb(1,cell(var(x),var(y),var(c)),(positive)).",
        "#modeb(1,start(var(x),var(y),_)).",
        "#modeb(1,start(_,_,var(c)),(positive)).",
        "#modeb(1,end(var(x),var(y))).",
        "#modeb(1,removed(var(x),var(y))).",
        "#modeb(1,placed(var(x),var(y),_)).",
        "#modeb(1,placed(var(x),var(y),var(c)),(positive)).",
        *_constants(source, counts=False),
        "#maxv(3).",
    ]
    lessons = []
    contents = list(words.contents.values())
    for one in source.moments:
        if one.after is None:
            continue
        held = dict(squares(one.after))
        every = {
            f"next(cell({x},{y},{content}))": words.contents.get(held[x, y]) == content
            for (x, y), key in squares(one.position)
            if key != HOLE
            for content in contents
        }
        turn = " ".join(words.turn(one.position, one.turn))
        lessons.append(_lesson(one.name, every, f"{_cells(source, one)} {turn}"))
    return bias, lessons


def _control(source: _Source) -> Result:
    names = source.words.players
    bias = [
        "#modeh(next(control(var(p)))).",
        "#modeb(1,control(var(p))).",
        "#modeb(1,follows(var(p),var(p)),(positive)).",
        "#modeb(1,role(var(p)),(positive)).",
        "#modeb(1,end(_,_)).",
        "#modeb(1,removed(_,_)).",
        "#modeb(1,placed(_,_,_)).",
        "#maxv(2).",
    ]
    lessons = []
    for one in source.moments:
        if one.then is None or one.by is None:
            continue
        every = {f"next(control({name}))": player == one.then for player, name in names.items()}
        turn = " ".join(source.words.turn(one.position, one.turn))
        lessons.append(_lesson(one.name, every, f"control({names[one.by]}). {turn}"))
    return bias, lessons


TARGETS: Mapping[str, tuple[Callable[[_Source], Result], Limits]] = {
    "terminal": (_terminal, Limits(5, 6)),
    "goal": (_goal, Limits(4, 5)),
    "legal": (_legal, Limits(5, 6)),
    "next": (_next, Limits(5, 6)),
    "control": (_control, Limits(3, 4)),
}
"""What a task can be of, with the limits of its rules."""


def _patterns(source: _Source) -> list[str]:
    """Literals for patterns of equal contents, contents on an edge, and counts."""
    kind = "p" if source.words.plain else "c"
    board = source.words.equipment.board
    wide, high = (min(source.reach, side - 1) for side in (board.width, board.height))
    lines = [
        f"#modeb(1,cell({_cell(dx, dy)},var({kind})),(positive))."
        for dx in range(wide + 1)
        for dy in range(-high, high + 1)
        if dx or dy >= 0
    ]
    lines.append("#modeb(1,role(var(p)),(positive)).")
    if not source.words.plain:
        lines.append("#modeb(1,owner(var(c),var(p)),(positive)).")
    return [
        *lines,
        "#modeb(1,cell(_,const(rank),const(c))).",
        "#modeb(1,cell(_,_,const(c))).",
        "#modeb(1,count(const(c),const(n)),(positive)).",
        *(f"#constant(rank,{rank})." for rank in sorted({1, board.height})),
    ]


def _constants(source: _Source, counts: bool = True) -> list[str]:
    lines = [f"#constant(c,{content})." for content in sorted(set(source.words.contents.values()))]
    return lines + ([f"#constant(n,{number})." for number in (1, 2)] if counts else [])


def _cell(dx: int, dy: int) -> str:
    return f"var(x){dx:+d}," * bool(dx) + "var(x)," * (not dx) + f"var(y){f'{dy:+d}' if dy else ''}"


def _shape(term: str) -> str:
    """The head of legal/2 for a turn: its displacement stays, its square becomes variables."""
    name, _, rest = term.partition("(")
    if not rest:
        return name
    arguments = rest.rstrip(")").split(",")
    return f"{name}({','.join(['var(x)', 'var(y)', *arguments[2:]])})"


def _placed(shape: str, x: int, y: int) -> str:
    """A turn of a shape from a square."""
    return shape.replace("var(x)", str(x)).replace("var(y)", str(y))


def _steps(turn: str, board: Board) -> Iterator[tuple[int, int]]:
    """The squares of a turn's first segment, seen from its origin."""
    for segment in Turn.parse(turn).segments[:1]:
        path = walk(segment, board)
        yield from ((x - path[0][0], y - path[0][1]) for x, y in path)


def _cells(source: _Source, one: Moment) -> str:
    facts = source.words.position(one.position)
    return " ".join(fact for fact in facts if fact.startswith(("cell", "hand")))


def _facts(source: _Source, one: Moment) -> str:
    facts = source.words.position(one.position)
    if one.played is not None:
        facts.append(f"played({source.words.players[one.played]}).")
    return " ".join(facts)


def _lesson(name: str, atoms: Mapping[str, bool], context: str) -> Lesson:
    holds = tuple(atom for atom, yes in atoms.items() if yes)
    fails = tuple(atom for atom, yes in atoms.items() if not yes)
    return Lesson((Example(name, True, holds, fails, context.strip()),))
