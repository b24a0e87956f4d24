"""The whole C source of a model: constants, terms, rules, effects and walks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources

from grl.board import Equipment
from grl.engine.effects import Effects
from grl.engine.graph import Graph, NotCompiled, alphabet, graphs
from grl.engine.memory import is_tree
from grl.engine.tables import numbers, written
from grl.engine.walk import Walks
from grl.logic.code import Code
from grl.logic.geometry import Geometry
from grl.logic.grid import Grid
from grl.model import Model
from grl.turn import Letter

MOST_PIECES = 250
"""Kinds of pieces: contents are bytes."""
MOST_SQUARES = 1_024
MOST_EDGES = 6_000
"""Edges of all graphs; more would keep a compiler busy for long."""
PASSES = {"forced": 1, "free": 2}


@dataclass(frozen=True)
class Program:
    """A model as C: the text, and what its numbers stand for."""

    model: Model
    text: str
    letters: tuple[Letter, ...]
    graphs: tuple[Graph, ...]
    hands: bool


def program(model: Model, *, locm: bool = True) -> Program:
    """The program of a model; raises `NotCompiled` where one can't be made of it."""
    equipment = model.equipment
    _bounds(equipment)
    made = graphs(model, locm=locm)
    edges = sum(len(node.edges) for graph in made for node in graph.nodes)
    if edges > MOST_EDGES:
        raise NotCompiled(
            "the automata are too large to compile",
            found=f"{edges:,} edges",
            expected=f"at most {MOST_EDGES:,}",
        )
    letters = alphabet(model)
    walks = Walks(equipment, letters, made)
    frames = dict.fromkeys(equipment.players, "identity")
    frames |= model.rules.frames if model.rules is not None else {}
    code = Code(equipment, Grid(Geometry(equipment.board), frames))
    effects = Effects(model, code, walks.contents, len(letters))
    brought_about = list(effects.text())
    parts = [
        *_constants(model, walks, code),
        _header("grl.logic", "sets.h"),
        _header("grl.logic", "rows.h"),
        _header("grl.rules.code", "cases.h"),
        *_board(equipment),
        *walks.tables(effects.letters),
        *_outcomes(model),
        _header("grl.engine", "engine.h"),
        code.text(),
        *_unruled(),
        *brought_about,
        *walks.text(),
        _header("grl.engine", "objects.h"),
    ]
    text = "\n".join(parts) + "\n"
    return Program(model, text, (*letters, *effects.letters), made, walks.hands)


def _header(package: str, name: str) -> str:
    return resources.files(package).joinpath(name).read_text(encoding="utf-8")


def _bounds(equipment: Equipment) -> None:
    for what, number, most in (
        ("kinds of pieces", len(equipment.pieces), MOST_PIECES),
        ("squares", equipment.board.size, MOST_SQUARES),
    ):
        if number > most:
            raise NotCompiled(
                f"too many {what} to compile", found=f"{number:,}", expected=f"{most:,}"
            )


def _constants(model: Model, walks: Walks, code: Code) -> Iterator[str]:
    equipment = model.equipment
    values = {
        "SQUARES": equipment.board.size,
        "KEYS": max(len(equipment.pieces), 1),
        "PLAYERS": len(equipment.players),
        "HANDS": int(walks.hands),
        "BACK": 0,
        "EVENTS": 0,
        "MOVED": 0,
        "TRAIL": 0,
        "SEGMENTS": model.segments,
        "MEMOS": code.memos,
        "KEYED": int(not all(is_tree(g, equipment.board, walks.letters) for g in walks.graphs)),
        "TIES": walks.ties,
        "EFFECTS": int(bool(model.effects)),
        "TURNS": 0,
        "CONTROL": 0,
        "SCRATCH": 0,
        "PASSES": 0,
    }
    for name, value in values.items():
        yield f"#define {name} {value}"


def _board(equipment: Equipment) -> Iterator[str]:
    board = equipment.board
    yield f"static const Set board_squares = {written(board.squares, board.size)};"
    hole = len(equipment.pieces) + 1
    yield numbers("u8", "board_cells", [hole if s in board.holes else 0 for s in range(board.size)])


def _outcomes(model: Model) -> Iterator[str]:
    players = model.equipment.players
    yield numbers("u8", "pass_kinds", [PASSES.get(model.passes.get(p, ""), 0) for p in players])
    endings = model.rules.endings if model.rules is not None else ()
    rows = ", ".join("{" + ", ".join(map(str, rule.value)) + "}" for rule in endings)
    rows = rows or "{" + ", ".join("0" for _ in players) + "}"
    yield f"static const signed char ending_goals[][PLAYERS] = {{{rows}}};"


def _unruled() -> Iterator[str]:
    """Where a model has no rules nothing is forbidden and nothing ends a game."""
    yield "static void follow(const State *b, State *a, const Turn *t) { (void)b; (void)a; (void)t; }"
    yield "static void restrict_turns(List *l, int level) { (void)l; (void)level; }"
    yield "static int ending_of(Case *c, int stuck) { (void)c; (void)stuck; return -1; }"
    yield "static int next_seat(List *l, int i) { (void)l; (void)i; return 1; }"
    yield "static int pass_barred(List *l) { (void)l; return 0; }"
