"""The whole C source of a model: constants, terms, rules, effects and walks, as far as used."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from grl.board import Equipment
from grl.engine.effects import Effects, has_hands
from grl.engine.graph import Graph, alphabet, graphs
from grl.engine.memory import effects_differ, is_tree, is_trie
from grl.engine.reach import Reach
from grl.engine.setwise import Setwise
from grl.engine.tables import header, numbers
from grl.engine.ties import decided
from grl.engine.trimming import trimmed
from grl.engine.walk import Walks
from grl.engine.wordrules import SKIP
from grl.errors import NotCompiled
from grl.logic.code import Code
from grl.logic.geometry import Geometry
from grl.logic.grid import Grid
from grl.logic.relations import written
from grl.model import Feature, Goal, Model, Rules
from grl.moves.crossing import crossing_limit
from grl.rules.code.rules import Needs, RuleCode
from grl.turn import Letter

MOST_PIECES = 250
"""Kinds of pieces: contents are bytes."""
MOST_SQUARES = 1_024
MOST_EDGES = 6_000
"""Edges of all graphs; more would keep a compiler busy for long."""
_MANY_EDGES = 100
"""With more of them turns that are found as sets are listed by tables."""
PASSES = {"forced": 1, "free": 2}
LESS = '#pragma GCC optimize("O1")'
"""Less is optimised of what follows."""


class Facts(NamedTuple):
    """What those who use the library of a model need of it: plain data, kept beside the library.

    `letters` are by number. `hands`, `trail`: whether states have those; `back`, `own`, `events`:
    what they have of the game before, as in `grl.rules.code.rules.Needs`.
    """

    letters: tuple[Letter, ...]
    hands: bool
    back: int
    own: bool
    events: tuple[str, ...]
    trail: bool


@dataclass(frozen=True)
class Program:
    """A model as C: the text, and what its numbers stand for."""

    text: str
    facts: Facts
    graphs: tuple[Graph, ...]
    needs: Needs
    setwise: str = ""
    """Why turns are not found as sets of origins; nothing where they are."""
    mixed: bool = False
    """Whether turns from some origins are walked beside such sets."""
    whole: str = field(default="", repr=False)
    """The text before anything of it is left out."""
    sets: str = ""
    """Where all are the text without the walk, which wants ``DEVICE`` defined as 1 before it."""

    @cached_property
    def many(self) -> str:
        """The text of a second library, of what works on many positions or games at once."""
        return trimmed(self.whole, "MANY")

    @property
    def counted(self) -> str:
        """How turns are counted, in words."""
        if self.setwise:
            return f"one by one: {self.setwise}"
        return f"as sets of origins{', and by a walk where turns may go on' * self.mixed}"


def program(model: Model, *, locm: bool = True, setwise: bool = True) -> Program:
    """The program of a model; raises `NotCompiled` where one can't be made of it.

    Without `setwise` turns are walked, even if they could be found as sets of origins.
    """
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
    trees = [is_tree(graph, equipment.board, letters) for graph in made]
    made = tuple(
        decided(graph, letters, tree=tree) for graph, tree in zip(made, trees, strict=True)
    )
    hands = has_hands(model, letters)
    walks = Walks(equipment, letters, made, hands=hands)
    rules = rules_of(model)
    code = Code(equipment, Grid(Geometry(equipment.board), rules.frames))
    effects = Effects(model, code, walks.contents, len(letters))
    brought_about = list(effects.text())
    ruled = RuleCode(equipment, rules, code)
    reach = Reach(model, made, letters, code, hands=hands) if ruled.needs.reached else None
    sets, reason = None, "not asked for"
    if setwise:
        sets, reason = _setwise(model, rules, made, letters, ruled, code, reach)
    said = ruled.text()
    reaching = [] if reach is None else list(reach.text())
    before = [
        *_constants(model, walks, code, ruled.needs, sets, all(trees)),
        f"#define DOUBTS {int(reach is not None and reach.doubts)}",
        header("grl.logic", "sets.h"),
        header("grl.logic", "rows.h"),
        header("grl.rules.code", "cases.h"),
        *_board(equipment),
    ]
    ruling = [
        *_outcomes(model),
        code.text(),
        said,
        *([] if sets is None else [header("grl.engine", "setwise.h")]),
        *(header("grl.engine", name) for name in ("walk.h", "engine.h", "calls.h")),
    ]
    playing = [*reaching, *([] if sets is None else sets.text())]
    walking = [
        "#pragma GCC push_options",
        *(LESS, *walks.text(tabled=sets is not None and edges > _MANY_EDGES)),
        "#pragma GCC pop_options",
        header("grl.engine", "objects.h"),
    ]
    tables = walks.tables(effects.letters)
    whole = "\n".join([*before, *tables, *ruling, *brought_about, *playing, *walking])
    if sets is None or sets.mixed:  # as fast, in half the time
        whole = f"{LESS}\n{whole}"
    needs = ruled.needs
    past = needs.back, needs.own, needs.events, needs.trail
    facts = Facts((*letters, *effects.letters), walks.hands, *past)
    return Program(
        text=trimmed(whole),
        whole=whole,
        facts=facts,
        graphs=made,
        needs=needs,
        setwise=reason,
        mixed=sets is not None and sets.mixed,
        sets="\n".join([*before, *ruling, *playing, ""]) if sets and sets.alone else "",
    )


def _setwise(
    model: Model,
    rules: Rules,
    made: Sequence[Graph],
    letters: Sequence[Letter],
    ruled: RuleCode,
    code: Code,
    reach: Reach | None,
) -> tuple[Setwise | None, str]:
    """The model as sets of origins, or None and why it is left to the walk."""
    try:
        return Setwise(model, rules, made, letters, ruled, code, reach), ""
    except NotCompiled as error:
        return None, error.message


def rules_of(model: Model) -> Rules:
    """The rules of a model; where it has none nothing is forbidden, and nothing ends a game."""
    if model.rules is not None:
        return model.rules
    return Rules(dict.fromkeys(model.equipment.players, "identity"))


def _bounds(equipment: Equipment) -> None:
    for what, number, most in (
        ("kinds of pieces", len(equipment.pieces), MOST_PIECES),
        ("squares", equipment.board.size, MOST_SQUARES),
    ):
        if number > most:
            raise NotCompiled(
                f"too many {what} to compile", found=f"{number:,}", expected=f"{most:,}"
            )


def _constants(
    model: Model, walks: Walks, code: Code, needs: Needs, sets: Setwise | None, trees: bool
) -> Iterator[str]:
    equipment = model.equipment
    rules = rules_of(model)
    listed = (rules.restrictions, rules.endings, rules.control, rules.passing)
    counted = not (rules.restrictions or rules.control or rules.passing or model.effects)
    counted = (
        counted
        and trees
        and all(effects_differ(g, equipment.board, walks.letters) for g in walks.graphs)
    )
    features = [each.feature for part in listed for rule in part for each in rule.body]
    crossings = crossing_limit(model)
    values = {
        "SQUARES": equipment.board.size,
        "KEYS": max(len(equipment.pieces), 1),
        "PLAYERS": len(equipment.players),
        "HANDS": int(walks.hands),
        "BACK": needs.back,
        "OWN": int(needs.own),
        "LASTS": 2 * (needs.back + needs.own * len(equipment.players)),
        "EVENTS": len(needs.events),
        "MOVED": int(needs.moved),
        "TRAIL": int(needs.trail),
        "MIDWAY": int(needs.midway),
        "REACHED": int(needs.reached),
        "THREATS": int(needs.threats),
        "SEGMENTS": model.segments,
        "MEMOS": code.memos,
        "KEYED": int(not trees),
        "PASSAGE": int(model.passing_matters),
        "CROSSINGS": -1 if crossings is None else crossings,
        "TRIE": int(not model.effects and all(map(is_trie, walks.graphs))),
        "TIES": walks.ties,
        "EFFECTS": int(bool(model.effects)),
        "SETWISE": int(sets is not None),
        "COUNTED": int(sets is None and counted),
        "LEAVES": int(
            sets is None
            and counted
            and not (needs.moved or needs.back or needs.own or needs.events)
        ),
        "SETS": 1 if sets is None else sets.most,
        "MIXED": int(sets is not None and sets.mixed),
        "ROWS": 0 if sets is None else sets.rows,
        "ANYWHERE": needs.anywhere,
        "RAY": max(equipment.board.width, equipment.board.height),
        "DENSE": int(sets is not None and sets.dense),
        "ASKED": int(sets is not None and sets.asked),
        "PATH": 1 if sets is None else sets.path,
        "TAKES": 1 if sets is None else sets.takes,
        "SKIPPED": SKIP,
        "WRITES": 1 if sets is None else sets.writes,
        "TURNS": int(bool(rules.restrictions or rules.control or rules.passing)),
        "CONTROL": int(bool(rules.control)),
        "PASSING": int(bool(rules.passing)),
        "SCRATCH": needs.scratch,
        "PASSES": int(any(map(_counts_passes, features))),
    }
    for name, value in values.items():
        yield f"#define {name} {value}"


def _board(equipment: Equipment) -> Iterator[str]:
    board = equipment.board
    yield f"static const Set board_squares = {written(board.squares, board.size)};"
    yield f"static const Set board_holes UNUSED = {written(board.holes, board.size)};"


def _outcomes(model: Model) -> Iterator[str]:
    players = model.equipment.players
    yield numbers("u8", "pass_kinds", [PASSES.get(model.passes.get(p, ""), 0) for p in players])
    endings = model.rules.endings if model.rules is not None else ()
    rows = ", ".join("{" + ", ".join(map(_fixed, rule.value)) + "}" for rule in endings)
    rows = rows or "{" + ", ".join("0" for _ in players) + "}"
    yield f"static const signed char ending_goals[][PLAYERS] = {{{rows}}};"


def _fixed(goal: Goal) -> str:
    """A goal in the table; one that is counted is none of it."""
    return str(goal) if isinstance(goal, int) else "-1"


def _counts_passes(feature: Feature) -> bool:
    """Whether a feature asks how many of the last turns were passes."""
    inner = (part for part in feature[1:] if isinstance(part, tuple) and part)
    return feature[0] == "passes" or any(map(_counts_passes, inner))
