"""Every template in ASP against its evaluator, on positions and turns of random games."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from itertools import permutations

import clingo
import pytest
from learned import learned_movements, random_positions
from made_once import made_once
from random_rules import Features, leveled
from random_terms import random_term
from shorthand import HEADINGS, formed, held, lacks, meets, pattern

from grl.export import levels
from grl.export.program import build, fluents
from grl.export.spelling import turn_of
from grl.logic.contents import contents_by_player
from grl.logic.ops.places import square
from grl.logic.ops.sets import together
from grl.logic.terms import LAST_ROLES
from grl.model import Literal, Rules
from grl.moves.search import Searcher
from grl.rules.features.cases import PositionCase, Setting, TurnList
from grl.rules.features.quantities import number_features
from grl.rules.features.relations import MEASURES
from grl.rules.features.terms import some
from grl.rules.features.vocabulary import (
    attacked,
    came,
    exposed,
    going,
    reached,
    turn_features,
    words_of,
)
from grl.rules.templates import POSITIONS, RELATIONS, TURNS
from grl.rules.templates.evaluation import compile_turn_feature
from grl.rules.templates.positions import compile_position
from grl.rules.templates.terms import SUMS

GAMES = {
    "checkers": {"white": "identity", "black": "turn"},
    "amazons:width=6,height=6": {"white": "identity", "black": "flip"},
    "nine-mens-morris": {"white": "identity", "black": "identity"},
    "breakthrough:width=6,height=6": {"white": "identity", "black": "quarter"},
    "connect-four:width=5,height=4": {"white": "identity", "black": "mirror"},
}
RESERVING = {"gorogoro": {"white": "identity", "black": "turn"}}
"""A game in which captured pieces join the reserve."""
LEARNED_FROM = {"nine-mens-morris": 4, "gorogoro": 4, "connect-four:width=5,height=4": 3}
POSITIONS_EACH = 2
MOST_TURNS = 30
DRAWN = 2
"""Features of each template that are drawn at random."""
ALL = [*POSITIONS.values(), *TURNS.values(), *RELATIONS.values()]
COUNTING = {"takes", "more", "size", "sizes"}
"""Templates that say something else without aggregates."""


def begun(owner, ways, length):
    return ("begun", ways, length, ("lies", owner))


def position_features(setting, cases):
    whats = [
        "empty",
        *contents_by_player(setting.equipment),
        *(f"={k}" for k in sorted(setting.equipment.pieces)[:1]),
    ]
    numbers = [p.feature for p in number_features(setting, cases, hands=True)]
    adjacency = "links" if "links" in setting.near else "orthogonal"
    mine, theirs = (("area", adjacency, ("lies", owner)) for owner in ("own", "opposing"))
    found = [
        ("size", "now", ("lies", whats[1]), "<", 5),
        ("size", "now", ("hand", "own"), "<", 4),
        ("size", "now", ("all", "opposing"), "=", 9),
        ("sizes", "now", ("all", "own"), "<", ("all", "opposing")),
        ("sizes", "now", ("lies", "own"), "=", ("lies", "opposing")),
        ("sizes", "now", mine, "<", theirs),
        *(
            ("sizes", "now", ("lies", one), op, ("lies", other), more)
            for one, other, op, more in (
                ("own", "opposing", "<", 1),
                ("opposing", "own", "<", 2),
                ("own", "empty", "=", 5),
            )
        ),
        *(("size", "now", theirs, "<", number) for number in range(4, 40, 6)),
        ("sizes", "now", ("hand", "opposing"), "<", ("hand", "own")),
        lacks(0, ((1, 1, "empty"), (2, 1, whats[1]))),
        lacks(1, ((2, 2, "empty"), (9, 9, "empty"))),
        lacks(0, ((1, 2, "own"),)),
        *(
            pattern(tuple((dx, dy, what) for dx, dy in offsets))
            for what in whats
            for offsets in (((0, 0), (1, 1)), ((0, 0), (0, 2), (-1, 1)))
        ),
        pattern(((0, 0, whats[0]), (1, 1, "empty"), (0, 1, whats[1]))),
        held(0, ((1, 1), (2, 1), (3, 2)), "own"),
        ("size", "now", held(1, ((1, 1), (2, 2), (3, 3), (4, 4)), "empty")[2], "<", 2),
        *(
            ("size", "now", ("heads", a, ("lies", what)), "=", 1)
            for what in whats[:4]
            for a in setting.near
        ),
        *(
            ("sizes", "now", begun("own", *how), "<", begun("opposing", *how), *more)
            for how, more in ((("around", 2), ()), (("rising", 2), (1,)), (("orthogonal", 3), (2,)))
        ),
        ("size", "now", begun("own", "around", 2), "=", 3),
        ("stuck", 0),
        ("stuck", 1),
        ("passes", 1),
        *(priced.feature[1] for priced in came(setting)),
        *(("mover", player) for player in setting.equipment.players),
        *(attacked(what, seat) for what in whats[1:4] for seat in (0, 1)),
        *(reached(what, seat) for what in whats[:4] for seat in (0, 1)),
    ]
    terms = TermFeatures(setting, random.Random(3))
    return [*found, *numbers, *(terms.of_position() for _ in range(15))]


class TermFeatures:
    """Features that random terms give."""

    def __init__(self, setting, dice):
        self.setting, self.dice = setting, dice

    def term(self, of_turn):
        """A term that can stand in a feature, at times a common square of a turn with a set."""
        while True:
            found = random_term(self.dice, self.setting.equipment, 3)
            if self.dice.random() < 0.4:
                role = self.dice.choice(("start1", "end1", "end2", "taken"))
                found = together(square(role), found)
            said = not found.directed and not found.leveled
            if said and (of_turn or not found.of_turn):
                return found.data

    def of_position(self):
        return self.given("now", False)

    def of_turn(self):
        return self.given(self.dice.choice(("before", "after")), True)

    def boards(self, when):
        """The boards of two terms."""
        return when if when == "now" else self.dice.choice((when, "gain", "loss"))

    def given(self, when, of_turn):
        op, number = self.dice.choice("=<"), self.dice.randint(0, 9)
        return self.dice.choice(
            (
                ("some", when, self.term(of_turn)),
                ("size", when, self.term(of_turn), op, number),
                ("sizes", self.boards(when), self.term(of_turn), op, self.term(of_turn)),
            )
        )


def features_of_turns(setting, words, positions, dice):
    priced = [p.feature for level in range(3) for p in turn_features(setting, words, level)]
    by_template: dict[str, list] = {}
    for feature in priced:
        by_template.setdefault(feature[0], []).append(feature)
    found = [f for group in by_template.values() for f in dice.sample(group, min(8, len(group)))]
    found += [
        *(("opens", kind) for kind in ("e", "p", "d", "a", "fly")),
        *(("letter", kind) for kind in ("e", "w", "p", "n", "d", "r", "fly")),
        ("segments", "<", 2),
        ("segments", "=", 2),
        ("steps", "<", 2),
        ("steps", "=", 2),
        *(some("before", gone) for gone in going(setting, square("start1"), square("end1"))),
        *HEADINGS,
        *(("takes", what) for what in ("empty", "own", "opposing")),
        *(("moves", what) for what in ("empty", "own")),
        *(
            (name, what)
            for name in ("appears", "keeps")
            for what in contents_by_player(setting.equipment)
        ),
        exposed("end1"),
        exposed("start1"),
        *(
            meets("end1", ("toward", ("square", "start1"), ("last", one, 1), ("last", other, 1)))
            for one, other in permutations(LAST_ROLES)
        ),
        formed("end1", ((0, 0, "own"), (1, 1, "own"))),
        formed("start1", ((0, 0, "opposing"), (1, 0, "empty"), (1, 1, "own"))),
        formed("drop", ((0, 0, "own"), (0, 1, "empty"))),
        ("before", ("stuck", 0)),
        ("after", ("passes", 1)),
        ("after", ("some", "now", ("lined", "around", 2, ("lies", "opposing")))),
        ("after", attacked("opposing", 0)),
        ("before", attacked("own", 1)),
        *(("midway", reached(what, seat)) for what in ("opposing", "empty") for seat in (0, 1)),
        ("midway", ("mover", setting.equipment.players[0])),
        ("midway", ("size", "now", ("lies", "own"), "<", 9)),
        ("midway", ("some", "now", ("lined", "around", 2, ("lies", "opposing")))),
        ("after", ("mover", setting.equipment.players[0])),
        *((when, ("some", "now", ("last", "end1", 2))) for when in ("after", "midway")),
        ("after", ("size", "now", ("all", "opposing"), "<", 9)),
        ("prefix",),
        *(("further", begins) for begins in ("letters", "pieces")),
        ("and", ("moves", "own"), ("takes", "opposing")),
        ("otherwise", "moves", "takes", (("own", "opposing"), ("empty", "own"))),
        *(
            (relation, scope, f)
            for relation in ("rival_has", "rival_lacks")
            for scope in ("any", "start", "first")
            for f in (
                ("takes", "opposing"),
                ("segments", "=", 2),
                ("prefix",),
                ("and", ("steps", "=", 2), ("takes", "opposing")),
            )
        ),
        *(
            ("beyond", scope, measure, than)
            for scope in ("any", "start")
            for measure in MEASURES
            for than in ("more", "less")
        ),
        *(
            ("more", scope, what)
            for scope in ("any", "start", "first")
            for what in ("opposing", "empty")
        ),
    ]
    terms = TermFeatures(setting, random.Random(4))
    found += [terms.of_turn() for _ in range(20)]
    plain = [f for f in positions if f[0] != "stuck"]
    found += [(when, f) for when in ("after", "midway") for f in dice.sample(plain, 6)]
    found += [("before", f) for f in dice.sample(positions, 6)]
    return list(dict.fromkeys(found))


class Bench:
    """A game's setting, cases to look at, and features to ask of them."""

    def __init__(self, spec):
        model = learned_movements(spec, LEARNED_FROM.get(spec)).model
        frames = (GAMES | RESERVING)[spec]
        self.model = replace(model, rules=Rules(frames))
        searcher = Searcher(self.model)
        self.setting = Setting(model.equipment, frames, searcher.spellings)
        self.dice = random.Random(7)
        few = [
            position
            for position in random_positions(spec, 40, seed=3)
            if len(searcher.spellings(position)) <= MOST_TURNS
        ]
        self.at = [
            self.passed(position) if number % 2 else position
            for number, position in enumerate(few[:: len(few) // POSITIONS_EACH])
        ]
        self.at.append(self.stripped(self.at[0]))
        cases = [PositionCase.of(self.setting, p) for p in self.at]
        self.positions = list(dict.fromkeys(position_features(self.setting, cases)))
        words = words_of(self.model)
        turns = features_of_turns(self.setting, words, self.positions, self.dice)
        drawn = Features(random.Random(5), self.model, self.setting)
        written = [t for t in ALL if t.rules is not None]
        some = [(t, drawn.of(t)) for t in written for _ in range(DRAWN)]
        some = [(t, f) for t, f in some if not leveled(f)]
        of_positions = POSITIONS.values()
        self.positions += [f for t, f in some if t in of_positions]
        turns += [f for t, f in some if t not in of_positions]
        self.turns = [f for f in turns if f[0] not in ("after", "midway")]
        self.afterwards = [f for f in turns if f[0] in ("after", "midway")]

    def stripped(self, position):
        """The same without the pieces of the player to move."""
        view = position.equipment.views[position.to_move]
        cells = "".join("." if view.get(c) == "w" else c for c in position.cells)
        return replace(position, cells=cells)

    def passed(self, position):
        """The same after a pass and another turn's traces, for what history says."""
        moved = frozenset(position.board.squares[::2])
        return replace(position, last="pass", moved=moved, trail=None)


@cache
def bench(spec):
    return Bench(spec)


class Asked:
    """Features with their evaluators and a program that defines them."""

    def __init__(self, bench, positions, turns, *, chains=False):
        self.bench = bench
        self.literals = tuple([Literal(f, True) for f in fs] for fs in (positions, turns))
        built = build(
            bench.model, chains=chains, positions=self.literals[0], turns=self.literals[1]
        )
        self.program = levels.recursive(built.text)
        definitions, setting = built.definitions, bench.setting
        self.positions = [
            (f, definitions.position(f), compile_position(setting, f)) for f in positions
        ]
        self.turns = [(f, definitions.turn(f), compile_turn_feature(setting, f)) for f in turns]

    def answers(self, position):
        """The truth of all features by ASP: names for the position, and by turn."""
        facts = "".join(f"true({f})." for f in fluents(self.bench.model, position, *self.literals))
        control = clingo.Control(["--warn=none"])
        shown = [f"#show {name}/1." for _, name, _ in self.positions]
        shown += [f"#show {name}/2." for _, name, _ in self.turns]
        control.add("base", [], "\n".join([self.program, facts, "#show turn/2.", *shown]))
        control.ground([("base", [])])
        found = []
        control.solve(on_model=lambda m: found.extend(m.symbols(shown=True)))
        holds = [a for a in found if str(a.arguments[0]) == "now"]
        turns = {str(a.arguments[1]): set() for a in holds if a.name == "turn"}
        for atom in holds:
            if len(atom.arguments) == 2 and str(atom.arguments[1]) in turns:
                turns[str(atom.arguments[1])].add(atom.name)
        equipment = self.bench.model.equipment
        return (
            {a.name for a in holds if len(a.arguments) == 1},
            {turn_of(term, equipment): names for term, names in turns.items()},
        )

    def check(self, position):
        """Compare all features on a position; gives the templates with the values met."""
        setting = self.bench.setting
        of_position, of_turns = self.answers(position)
        met = set()

        def stuck(seat):
            players = self.bench.model.equipment.players
            mover = players[(players.index(position.to_move) + seat) % len(players)]
            return not setting.generator(replace(position, to_move=mover))

        case = PositionCase.of(setting, position, stuck)
        for feature, name, test in self.positions:
            holds = test(case)
            met.add((feature[0], holds))
            assert holds == (name in of_position), (feature, position.rows, position.to_move)
        turn_list = TurnList(PositionCase.of(setting, position), setting.generator(position))
        assert {str(case.turn) for case in turn_list.survivors} == set(of_turns)
        for feature, name, test in self.turns:
            for turn in turn_list.survivors:
                holds = test(turn)
                met.add((feature[0], holds))
                where = feature, position.rows, position.to_move, str(turn.turn)
                assert holds == (name in of_turns[str(turn.turn)]), where
        return met


@cache
def agreement(spec):
    def check():
        at = bench(spec)
        met = set()
        # In one program features of positions would be defined after every turn as well.
        parts = (at.positions, []), ([], at.turns), ([], at.afterwards)
        for asked in (Asked(at, *part) for part in parts):
            for position in at.at:
                met |= asked.check(position)
        return met

    return made_once(f"agreement on {spec}", check)


@pytest.mark.parametrize("spec", GAMES)
def test_definitions_agree_with_evaluators(spec):
    assert agreement(spec)


@pytest.mark.parametrize("spec", [spec for spec in GAMES if spec != "checkers"])
def test_counts_agree_without_aggregates(spec):
    """Not of checkers, whose lines take long and count nothing that others don't."""
    at = bench(spec)
    positions, turns = ([f for f in fs if f[0] in COUNTING] for fs in (at.positions, at.turns))
    asked = Asked(at, positions[::12], turns[::4], chains=True)
    for position in at.at[:1]:
        assert asked.check(position)


@cache
def reserving(spec):
    """As `agreement`, of what joins the reserve in positions with a capture."""
    at = bench(spec)
    kept = (
        "otherwise",
        "takes",
        "keeps",
        (("opposing:pawn", "own:gold"), ("opposing:silver", "own:silver")),
    )
    asked = Asked(at, [], [kept, *(f for f in at.turns if f[0] == "keeps")])
    positions = random_positions(spec, 40, seed=3)
    catching = [p for p in positions if any(" r " in str(c.turn) for c in at.setting.generator(p))]
    return set().union(*map(asked.check, catching[:POSITIONS_EACH]))


def test_what_joins_a_reserve_is_said_alike():
    both = {(name, met) for name in ("keeps", "otherwise") for met in (True, False)}

    assert reserving("gorogoro") == both


def test_both_values_of_every_template_are_met():
    met = set().union(*map(agreement, GAMES), *map(reserving, RESERVING))

    templates = {t.name for t in ALL if t.rules is not None} - SUMS
    assert {t for t in templates if not {(t, True), (t, False)} <= met} == set()
