"""Small sound files of every kind, from which broken ones are made."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from made_once import made_once

import grl
from grl import games
from grl.ask.answers import Answer
from grl.board import Position
from grl.generate import generate
from grl.modelfile import write_model
from grl.rulebook import Rulebook
from grl.tracejson import position_dict
from grl.traces import header_dict, write_traces

RECORDED = (
    # A game, plays, and the plies after which they break off; the shorter first.
    ("tic-tac-toe", 5, None),
    ("tic-tac-toe", 12, None),
    ("breakthrough:width=4,height=5", 3, None),
    ("connect-four:width=4,height=4,line=3", 3, None),
    ("eight-puzzle:width=2,height=2", 3, 12),
    ("graph-game", 3, 12),
    ("amazons:width=4,height=4", 1, None),
    ("checkers", 1, 16),
    ("peg-solitaire", 1, 8),
    ("nine-mens-morris", 1, 22),
    ("chess-bt", 1, 8),
    ("asalto", 1, 6),
)
LEARNED = 7
"""So many of the first are learned from."""


class Trace(NamedTuple):
    """A trace file, with the option that names its game."""

    game: str
    content: bytes


@dataclass(frozen=True)
class Seeds:
    """Contents of sound files by kind; a model stands at the place of the trace it came from."""

    traces: tuple[Trace, ...]
    models: tuple[bytes, ...]
    positions: tuple[tuple[bytes, ...], ...]
    turns: tuple[tuple[str, ...], ...]
    answers: tuple[bytes, ...]
    tasks: tuple[bytes, ...] = ()
    given: tuple[bytes, ...] = ()
    programs: tuple[bytes, ...] = ()
    invariants: tuple[bytes, ...] = ()
    mappings: tuple[bytes, ...] = ()
    plans: tuple[bytes, ...] = ()
    states: tuple[bytes, ...] = ()
    pdn: tuple[bytes, ...] = ()
    acf: tuple[bytes, ...] = ()
    pgn: tuple[bytes, ...] = ()


@cache
def seeds() -> Seeds:
    """The sound files, made once; the same in every run."""
    return made_once("seeds of fuzzing", _seeds)


def _seeds() -> Seeds:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        traces = [_recorded(folder / f"{i}.jsonl", *one) for i, one in enumerate(RECORDED)]
        models, positions, turns, answers = [], [], [], []
        for i in range(LEARNED):
            path = folder / f"{i}.jsonl"
            rulebook = grl.learn([path])
            write_model(rulebook.model, folder / "model")
            models.append((folder / "model").read_bytes())
            met = [ply.position for play in grl.Traces.open(path) for ply in play.plies]
            some = [rulebook.initial, met[1], met[len(met) // 2], met[-1]]
            positions.append(tuple(json.dumps(p.to_dict()).encode() for p in some))
            turns.append(_first_turns(rulebook))
            answers.append(_answers(path, rulebook, some[1:3]))
    return Seeds(
        tuple(traces),
        tuple(models),
        tuple(positions),
        tuple(turns),
        tuple(answers),
        *(tuple(text.encode() for text in texts) for texts in _TEXTS),
    )


def _recorded(path: Path, spec: str, plays: int, max_plies: int | None) -> Trace:
    game = games.load(spec)
    all_moves = plays != 12
    written = generate(game, plays, all_moves=all_moves, seed=3, max_plies=max_plies)
    write_traces(path, header_dict(game), written)
    return Trace(spec, path.read_bytes())


def _first_turns(rulebook: Rulebook) -> tuple[str, ...]:
    """Turns that follow one another from the start."""
    position, found = rulebook.initial, []
    while len(found) < 3 and (legal := rulebook.legal(position)):
        found.append(str(legal[0]))
        position = rulebook.play(position, legal[0])
    return tuple(found)


def _answers(path: Path, rulebook: Rulebook, positions: Sequence[Position]) -> bytes:
    header = path.read_bytes().splitlines()[0]
    plays = []
    for number, position in enumerate(positions, 1):
        turns = tuple(str(turn) for turn in rulebook.legal(position))
        if turns:
            plays.append(json.dumps(Answer(position, turns).play(f"answer {number}")).encode())
        else:
            play = {"id": f"answer {number}", "initial": position_dict(position), "turns": []}
            plays.append(json.dumps(play | {"end": "stopped"}).encode())
    return b"".join(line + b"\n" for line in (header, *plays))


_TASKS = (
    """p(a). p(b). q(b).
#pos({t(a)},{t(b)}). #modeh(t(var(v))). #modeb(1,p(var(v))). #modeb(1,q(var(v))). #maxv(1).
""",
    """% noise, weights and orders
bird(a). bird(b). can(a). ab(b).
#modeh(fly(var(b))). #modeb(1,bird(var(b))). #modeb(1,ab(var(b)),(positive)).
#pos(p1@3,{fly(a)},{fly(b)},{can(a).}).
#neg(n1@2,{fly(b)},{}).
#modeo(1,fly(var(b))). #weight(1). #weight(-1). #maxp(2).
#pos(p2,{},{fly(a)},{ab(a).}). #brave_ordering(o1@4,p1,p2).
#constant(b,a). #maxv(2).
""",
    """1 ~ t :- a.
2 ~ t :- not b.
1 ~ :- t, b.
#pos(e1,{t},{},{a.}).
#pos(e2@5,{},{t},{b.}).
#neg(e3,{t},{},{a. b.}).
""",
    """num(1..4). #modeh(1,big(var(n))). #modeb(1,num(var(n))). #modeb(1,var(n) > const(c)).
#constant(c,1). #constant(c,2). #constant(c,3). #maxv(1).
#pos({big(4),big(3)},{big(1)}).
""",
    """0 { on(X) } 1 :- cell(X). cell(1..2).
#modeha(on(const(k))). #modeb(2,on(var(c)),(anti_reflexive)). #modeb(1,cell(var(c))).
#constant(k,1). #constant(k,2). #minhl(1). #maxhl(2). #maxv(2).
#pos({on(1)},{on(2)}).
#neg({on(1),on(2)},{}).
""",
)
_GIVEN = (
    """won(P) :- role(P), step(A,B), cell(X,Y,P), cell(X+A,Y+B,P), cell(X+2*A,Y+2*B,P).
step(1,0). step(0,1). step(1,1). step(1,-1).
#modeb(2,won(var(p))).
""",
)
_PROGRAMS = (
    """#const top = 3.
role(up). role(down).
base(at(0..top)). base(turn(P)) :- role(P).
init(at(0)). init(turn(up)).
other(up,down). other(down,up).
legal(P,stay) :- true(turn(P)), not terminal.
legal(up,step) :- true(turn(up)), true(at(N)), N < top, not terminal.
next(at(N)) :- true(at(N)), not does(up,step).
next(at(N+1)) :- true(at(N)), does(up,step).
next(turn(Q)) :- true(turn(P)), other(P,Q).
terminal :- true(at(top)).
goal(up,100) :- terminal.
goal(down,0) :- terminal.
""",
)
_INVARIANTS = (
    """:- { true(at(_)) } != 1.
:- { true(turn(_)) } != 1.
""",
)
_MAPPINGS = ("reach(X) :- true(at(X)).\n", "true(at(X)) :- true(at(X)).\n")
_PLANS = (
    """(pick a)
(put a b)
(pick c)
(put c a)

(pick b)
(put b c)
""",
    """(board p1 lift f0)
(move lift f0 f1)
(leave p1 lift f1)
(move lift f1 f0)
(board p2 lift f0)
(move lift f0 f2)
(leave p2 lift f2)

(move lift f0 f1)
(move lift f1 f2)
""",
    """(open)
(shut)
(open)
""",
)
_STATES = (
    "atoms:\n"
    + "".join(f"\tnext_value({n})\n" for n in range(4))
    + "---\n\nstatics:\n"
    + "".join(f"\tsucc({n}, {n + 1})\n" for n in range(3))
    + "".join(
        f"---\n\nbackground:\n\ttrue_value({n})\n\tdoes(player, {does})\n---\n\npositives:\n{then}"
        for n, does, then in (
            (0, "press", "\tnext_value(0)\n"),
            (0, "wait", "\tnext_value(1)\n"),
            (1, "wait", "\tnext_value(2)\n"),
            (2, "wait", "\tnext_value(3)\n"),
            (3, "wait", ""),
            (2, "press", "\tnext_value(0)\n"),
        )
    ),
)
_PDN = (
    """[Event "A match"]
[Black "One"]
[White "Other"]
[Result "1-0"]
1. 11-15 23-18 2. 8-11 27-23 3. 11-16 18x11 4. 7x11 {a comment} 22-18 (22-17) 5. 15x22 25x18 1-0

[Event "Another"]
[Result "1/2-1/2"]
1. 9-14 22-18 2. 5-9 25-22 1/2-1/2
""",
)
_ACF = (
    """10-13 21-17 5-10 22-18 13-22 27-18 9-13 18-9 4-13 23-19 11-14 19-15 0-4	1/2-1/2
10-13 21-17 5-10 22-19 9-12	1-0
8-12 20-16	0-1
""",
)
_PGN = (
    """[Event "A"]
[FEN "4k3/P7/8/8/8/8/8/R3K3 w Q - 0 1"]

1. a8=Q+ {comment} Kd7 (1... Kf7 2. O-O-O) 2. O-O-O+! $1 Kc6 ; rest
1-0

[Variant "Crazyhouse"]

1. e4 d5 2. exd5 Qxd5 3. P@d3 *
1. f3 e5 2. g4 Qh4# 0-1
""",
)
_TEXTS = (
    *(_TASKS, _GIVEN, _PROGRAMS, _INVARIANTS, _MAPPINGS),
    *(_PLANS, _STATES, _PDN, _ACF, _PGN),
)
