"""Positions and games as logic programs and plans, and back.

Facts are those of `grl.export`: ``true(F)`` of a position, ``true(F,T)`` and ``does(P,A,T)`` of a
game, T counting plies from 0. ILASP's examples have the words of `grl.las.vocabulary`. What is read
may be of either kind, or bare ``cell(X,Y,C)`` and ``next(cell(X,Y,C))`` as ILASP's hypotheses give;
it is read as terms, and nothing in it is carried out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from grl.asp.terms import Function, Number, Term
from grl.board import EMPTY, HOLE, Position
from grl.errors import GrlError
from grl.export.program import fluents
from grl.export.spelling import parse_term, term_of, turn_of
from grl.las.vocabulary import Vocabulary
from grl.locm.pddl import domain_pddl, problem_pddl
from grl.moves.problem import position_problem
from grl.rules.asp.naming import Names
from grl.serve.messages import Setup
from grl.serve.shelf import Served
from grl.serve.tables import Table
from grl.tracejson import describe, position_dict
from grl.traces import write_traces
from grl.turn import Turn

MOST_TERMS = 200_000
ENDINGS = {
    "asp": "lp",
    "asp-game": "lp",
    "ilasp": "las",
    "orderings": "las",
    "pddl-domain": "pddl",
    "pddl-problem": "pddl",
    "traces": "jsonl",
}
"""The kinds of exports, with the ends of their files' names."""


def position_facts(served: Served, position: Position) -> str:
    """A position as facts for the program that ``grl export --to asp`` writes."""
    found = fluents(served.rulebook.model, position)
    return "".join(f"true({fluent}).\n" for fluent in found)


def game_facts(table: Table) -> str:
    """A game as facts, ply by ply."""
    served, kept = table.served, table.kept
    equipment = served.rulebook.model.equipment
    names = Names(equipment)
    lines = [f"% {served.rulebook.model.game}: {kept.ply} plies"]
    for ply in range(kept.ply + 1):
        here = table.positions[ply]
        lines += [f"true({fluent},{ply})." for fluent in fluents(served.rulebook.model, here)]
        if ply < kept.ply:
            term = term_of(table.turns[ply], equipment)
            lines.append(f"does({names.player[here.to_move]},{term},{ply}).")
    return "\n".join(lines) + "\n"


def examples(table: Table) -> str:
    """The positions of a game so far as ILASP examples: whose turn, what is legal, whether over."""
    words = Vocabulary.of(table.served.rulebook.model.equipment)
    lines = [f"% {table.served.rulebook.model.game}: a position a ply", *words.background()]
    for ply in range(table.kept.ply + 1):
        here = table.positions[ply]
        legal = table.served.rulebook.legal(here)
        mover = words.players[here.to_move]
        holds = sorted({f"legal({mover},{words.term(str(turn))})" for turn in legal})
        fails = ["terminal"] if legal else []
        if not legal:
            holds = ["terminal"]
        context = " ".join([*words.position(here), f"control({mover})."])
        lines.append(
            f"#pos(p{ply}, {{{', '.join(holds)}}}, {{{', '.join(fails)}}}, {{{context}}})."
        )
    return "\n".join(lines) + "\n"


def orderings(table: Table, judged: Sequence[Any]) -> str:
    """What a player prefers, as ILASP orderings of the positions that its turns lead to."""
    rulebook, here = table.served.rulebook, table.position
    words = Vocabulary.of(rulebook.model.equipment)
    lines = [f"% {rulebook.model.game}: {here.to_move} to move, the best turn first"]
    lines += words.background()
    for number, each in enumerate(judged):
        after = rulebook.after(here, Turn.parse(each["turn"]))
        context = " ".join(words.position(after))
        lines += [f"% t{number}: {each['turn']}, {each['spoken']}"]
        lines.append(f"#pos(t{number}, {{}}, {{}}, {{{context}}}).")
    pairs = [
        (one, other)
        for one in range(len(judged))
        for other in range(one + 1, len(judged))
        if judged[one]["value"] > judged[other]["value"]
    ]
    lines += [
        f"#brave_ordering(o{number}, t{one}, t{other}, <)."
        for number, (one, other) in enumerate(pairs)
    ]
    return "\n".join(lines) + "\n"


def planning(served: Served, position: Position) -> tuple[str, str]:
    """The turns of a position as a planning domain and its problem."""
    domain, facts = position_problem(served.rulebook.model, position)
    squares = {position.board.names[s]: "square" for s in position.board.squares}
    return domain_pddl(domain), problem_pddl(domain, squares, facts, [("ended",)])


def record(table: Table, name: str = "g1") -> dict[str, Any]:
    """A game so far as a play of the trace format."""
    kept, rulebook = table.kept, table.served.rulebook
    play: dict[str, Any] = {"id": name}
    if kept.start is not None:
        play["initial"] = position_dict(table.positions[0])
    play["turns"] = [
        {"by": here.to_move, "turn": text}
        for here, text in zip(table.positions, kept.turns[: kept.ply], strict=False)
    ]
    goals = {} if table.legal() else rulebook.goals(table.position)
    if goals:
        return play | {"end": "terminal", "goals": {str(p): goal for p, goal in goals.items()}}
    return play | {"end": "stopped"}


def trace_file(table: Table) -> str:
    """A game so far as a trace file."""
    model = table.served.rulebook.model
    with TemporaryDirectory() as folder:
        path = Path(folder) / "game.jsonl"
        write_traces(path, describe(model.game, model.equipment, model.initial), [record(table)])
        return path.read_text(encoding="utf-8")


@dataclass
class _Read:
    """What facts say, by ply: cells, who moves, hands; and the turns that were played."""

    cells: dict[int, dict[str, str]] = field(default_factory=dict)
    control: dict[int, str] = field(default_factory=dict)
    hands: dict[int, dict[str, dict[str, int]]] = field(default_factory=dict)
    turns: dict[int, str] = field(default_factory=dict)


def read_facts(served: Served, text: str) -> tuple[Setup, list[str], str]:
    """The position where a game begins, its turns, and what is to be said about it.

    Raises `GrlError` where the facts don't make a position. A game goes as far as its turns are
    legal.
    """
    found = _Read()
    reader = _Reader(served, found)
    for number, term in enumerate(_terms(text)):
        if number >= MOST_TERMS:
            raise GrlError("too many facts", expected=f"at most {MOST_TERMS:,}")
        reader.read(term, None)
    if not found.cells:
        raise GrlError("no fact says what lies where", expected="facts such as cell(1,1,white_man)")
    plies = sorted(found.cells)
    first = _set_up(served, found, plies[0])
    turns, note = _played(served, found, plies)
    return first, turns, note


class _Reader:
    def __init__(self, served: Served, found: _Read) -> None:
        self.equipment = served.rulebook.model.equipment
        self.found = found
        names, words = Names(self.equipment), Vocabulary.of(self.equipment)
        self.key = {"empty": EMPTY}
        self.player: dict[str, str] = {}
        for naming in (words.contents, names.piece):
            self.key |= {name: key for key, name in naming.items()}
        for players in (words.players, names.player):
            self.player |= {name: str(player) for player, name in players.items()}

    def read(self, term: Term, ply: int | None) -> None:
        """Note what a fact says; facts of other kinds are passed over."""
        match term:
            case Function("true" | "next" | "holds", (inner,)):
                self.read(inner, ply)
            case Function("true" | "next" | "holds" | "at", (inner, Number(time))):
                self.read(inner, time)
            case Function("cell", (Number(x), Number(y), Function(name, ()))):
                self.cell(x, y, name, ply or 0)
            case Function("cell", (Number(x), Number(y), Function(name, ()), Number(time))):
                self.cell(x, y, name, time)
            case Function("control", (Function(name, ()),)):
                self.found.control[ply or 0] = self.known(self.player, name, "player")
            case Function("hand", (Function(who, ()), Function(name, ()), Number(count))):
                player = self.known(self.player, who, "player")
                hand = self.found.hands.setdefault(ply or 0, {}).setdefault(player, {})
                hand[self.known(self.key, name, "piece")] = count
            case Function("does", (_, action, Number(time))):
                self.found.turns[time] = turn_of(str(action), self.equipment)
            case Function("does", (_, action)):
                self.found.turns[ply or 0] = turn_of(str(action), self.equipment)

    def cell(self, x: int, y: int, name: str, ply: int) -> None:
        """Note what lies on a square."""
        board = self.equipment.board
        at = (y - 1) * board.width + x - 1
        if not (1 <= x <= board.width and 1 <= y <= board.height) or at in board.holes:
            raise GrlError(f"there is no cell({x},{y}) on this board")
        key = self.known(self.key, name, "piece")
        self.found.cells.setdefault(ply, {})[board.names[at]] = key

    def known(self, names: dict[str, str], name: str, what: str) -> str:
        """What a name stands for; raises `GrlError` where it stands for nothing."""
        if name not in names:
            expected = f"one of {', '.join(sorted(names))}"
            raise GrlError(f"there is no {what} {name!r} in this game", expected=expected)
        return names[name]


def _terms(text: str) -> Iterator[Term]:
    """The facts of a program, or the atoms of an answer set."""
    bare = re.sub(r"%[^\n]*", " ", text)
    depth, begun = 0, 0
    for at, letter in enumerate(f"{bare} "):
        depth += (letter == "(") - (letter == ")")
        if depth < 0 or depth > 200:
            raise GrlError("parentheses don't match", found=repr(bare[max(0, at - 30) : at + 1]))
        if depth == 0 and (letter == "." or letter.isspace()):
            atom = bare[begun:at].strip()
            begun = at + 1
            if atom:
                yield parse_term(atom)
    if depth:
        raise GrlError("a fact is not complete", found=repr(bare[begun : begun + 60]))


def _set_up(served: Served, found: _Read, ply: int) -> Setup:
    initial = served.rulebook.initial
    board = initial.board
    lying = found.cells[ply]
    cells = "".join(
        HOLE if at in board.holes else lying.get(name, EMPTY) for at, name in enumerate(board.names)
    )
    to_move = found.control.get(ply, str(initial.to_move))
    reserve = found.hands.get(ply) or {}
    return Setup(board.rows(cells), to_move, reserve)


def _played(served: Served, found: _Read, plies: Sequence[int]) -> tuple[list[str], str]:
    """The turns that lead from ply to ply, said or found, as far as they are legal."""
    rulebook = served.rulebook
    setup = _set_up(served, found, plies[0])
    here = rulebook.position(setup.rows, setup.to_move, setup.reserve)
    turns: list[str] = []
    last = max([*plies, *(ply + 1 for ply in found.turns)])
    for ply in range(plies[0], last):
        legal = rulebook.legal(here)
        wanted = found.turns.get(ply)
        if wanted is not None:
            turn = Turn.parse(wanted)
            if turn not in legal:
                return turns, f"turn {ply + 1}, {wanted}, is not legal by this model"
        elif ply + 1 in found.cells:
            rows = _set_up(served, found, ply + 1).rows
            leads = [turn for turn in legal if rulebook.after(here, turn).rows == rows]
            if not leads:
                return turns, f"no legal turn of this model leads to position {ply + 1}"
            turn = leads[0]
        else:
            return turns, f"nothing is said of position {ply + 1}"
        turns.append(str(turn))
        here = rulebook.after(here, turn)
    return turns, ""
