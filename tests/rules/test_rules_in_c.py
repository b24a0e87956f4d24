"""Features and lists of rules compiled to C say what the evaluators in Python say."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pytest
from c_rules import COMPILER, Compiled
from random_terms import random_term
from shorthand import formed, lacks, pattern

from grl.board import Equipment, Piece, Position, make_position
from grl.errors import IllegalTurn, NotCompiled
from grl.games import Game, load
from grl.logic.code import Code
from grl.logic.contents import contents_by_player
from grl.logic.geometry import Geometry
from grl.logic.grid import Grid
from grl.logic.ops.groups import HEADS
from grl.logic.ops.places import LAST, lies, square
from grl.logic.ops.sets import aside, together
from grl.logic.ops.shapes import REGION
from grl.logic.perspectives import frames_of
from grl.logic.terms import LAST_ROLES, make
from grl.model import Feature, Literal, Rule, Rules
from grl.moves.candidate import Candidate
from grl.rules.code.rules import RuleCode
from grl.rules.features.cases import PositionCase, Setting, TurnList
from grl.rules.features.levels import first_level
from grl.rules.features.past import events
from grl.rules.features.quantities import number_features
from grl.rules.features.relations import MEASURES, SCOPES
from grl.rules.features.terms import size, sizes, some
from grl.rules.features.vocabulary import (
    Words,
    attacked,
    exposed,
    headings,
    reached,
    roles,
    turn_features,
)
from grl.rules.play.referee import Restrictor, candidate_of, forbidden, presiding, turn_body
from grl.rules.templates.evaluation import check_position, check_turn, column
from grl.rules.templates.positions import compile_position
from grl.turn import PASS, Turn, play

pytestmark = pytest.mark.skipif(COMPILER is None, reason="no C compiler")

GAMES = {
    "checkers": 70,
    "nine-mens-morris": 60,
    "amazons:width=4,height=4": 7,
    "go:size=5": 40,
    "small-xiangqi": 40,
}
"""Reference games, and how many plies of each are played."""
WIDE = {"breakthrough:width=9,height=8": 20, "connect-four:width=12,height=11": 40}
"""Games on boards of more than 64 and of more than 128 squares."""
LISTS = 4
"""Positions whose turns are compared, a game; there are others without a trail."""
MOST_TURNS = 10
FEW = 3
"""Turns that players are said to have where a feature asks for them: they are asked for often."""


class Sample:
    """Positions of a game with turns, legal ones and beginnings of these."""

    def __init__(self, name: str, plies: int) -> None:
        self.chance = random.Random(name)
        self.game = load(name)
        frames = frames_of(self.game.initial)
        self.setting = Setting(self.game.equipment, frames, self.few)
        self.frames = frames
        self._known: dict[object, list[Candidate]] = {}
        line = list(played(self.game, self.chance, plies))
        self.positions = self.chance.sample(line, min(LISTS, len(line)))
        bare = [p for p in line if p.last == "pass"][:1] + self.positions[:1]
        self.positions += [make_position(self.game.equipment, **p.to_dict()) for p in bare]

    def turns(self, position: Position) -> list[Candidate]:
        """Legal turns, beginnings of turns that can be carried out, and a pass."""
        found = {PASS: candidate_of(position, PASS, play(position, PASS))}
        for turn in self._legal(position, MOST_TURNS):
            for each in (turn, *beginnings(turn)):
                try:
                    found[each] = candidate_of(position, each, play(position, each))
                except IllegalTurn:
                    continue
        return list(found.values())

    def few(self, position: Position) -> list[Candidate]:
        """Some legal turns."""
        found = self._known.get(position.outcome)
        if found is None:
            found = self._known[position.outcome] = [
                candidate_of(position, turn, play(position, turn))
                for turn in self._legal(position, FEW)
            ]
        return found

    def _legal(self, position: Position, most: int) -> list[Turn]:
        legal = [Turn.parse(text) for text in self.game.legal(position) if text != "pass"]
        return random.Random(position.cells).sample(legal, min(most, len(legal)))


def beginnings(turn: Turn) -> Iterator[Turn]:
    """What a turn begins with, letter by letter."""
    for number, segment in enumerate(turn.segments):
        for length in range(1, len(segment.letters) + 1):
            yield Turn((*turn.segments[:number], segment.prefix(length)))


def played(game: Game, chance: random.Random, plies: int) -> Iterator[Position]:
    """The positions of random games."""
    position = game.initial
    for _ in range(plies):
        if game.is_terminal(position):
            position = game.initial
        yield position
        legal = game.legal(position)
        often = "pass" if "pass" in legal and chance.random() < 0.3 else chance.choice(legal)
        position = game.play(position, often)


def words(setting: Setting) -> Words:
    """All that turns might contain."""
    keys = frozenset(setting.equipment.pieces)
    letters = frozenset(["e", "w", "p", "n", "d", "a", "r", "fly"])
    return Words(letters, letters - {"fly"}, keys, keys, 3, True, True, leaps=True)


def position_features(sample: Sample) -> list[Feature]:
    """Features of positions of every kind, drawn at random."""
    chance, setting = sample.chance, sample.setting
    whats = [*contents_by_player(setting.equipment), "empty"]
    cases = [PositionCase.of(setting, position) for position in sample.positions]
    counts = [f for f, _ in number_features(setting, cases, hands=True)]
    board, seats = setting.board, range(len(setting.equipment.players))

    def drawn() -> tuple[tuple[int, int, str], ...]:
        number = chance.randint(0, 2)
        away = {(chance.randint(-2, 2), chance.randint(-2, 2)) for _ in range(number)} - {(0, 0)}
        return tuple((dx, dy, chance.choice(whats)) for dx, dy in [(0, 0), *sorted(away)])

    def cells(number: int) -> tuple[tuple[int, int, str], ...]:
        places = {
            (chance.randint(1, board.width), chance.randint(1, board.height)) for _ in range(number)
        }
        return tuple((x, y, chance.choice(whats)) for x, y in sorted(places))

    found: list[Feature] = [("passes", 1)]
    found += chance.sample(counts, min(12, len(counts)))
    found += [("size", "now", (zone, w), "<", 3) for zone in ("hand", "all") for w in whats[:3]]
    pieces = sorted(setting.equipment.pieces)
    found += [("size", "now", ("all", f"={key}"), "=", 1) for key in pieces]
    for _ in range(4):
        where = tuple((x, y) for x, y, _ in cells(12))
        there = make(REGION, chance.choice(seats), where)
        found.append(size("now", together(lies(chance.choice(whats)), there), "<", 2))
        found.append(lacks(chance.choice(seats), cells(chance.randint(1, 2))))
        found += [pattern(drawn()), pattern(drawn())]
        start, end = (make(LAST, role, 1) for role in LAST_ROLES)
        gone = aside("seen", chance.randint(0, 1), chance.randint(-2, 2), start)
        found.append(some("now", together(end, gone)))
        found.append(attacked(chance.choice(whats), chance.choice(seats)))
        found.append(reached(chance.choice(whats), chance.choice(seats)))
    groups = [make(HEADS, a, lies(chance.choice(whats))) for a in setting.near for _ in range(2)]
    found += [size("now", each, "=", 1) for each in groups]
    found += [("stuck", seat) for seat in seats]
    found += [("mover", player) for player in setting.equipment.players]
    found += [("times", s, "<", n) for s in ("board", "position") for n in (1, 2)]
    found += [("times", "board", "=", 1), ("again", 1), ("again", 2)]
    found += [("passes", number) for number in range(1, 4)]
    found += [("since", e, op, n) for e in events(setting) for op, n in (("<", 1), ("=", 2))]
    found += terms(sample, ["now"], 12)
    return known(sample, found, check_position)


def terms(sample: Sample, whens: Sequence[str], number: int) -> list[Feature]:
    """Features of terms drawn at random."""
    chance, found = sample.chance, []
    while len(found) < number:
        when = chance.choice(whens)
        one, other = (random_term(chance, sample.game.equipment, 2) for _ in range(2))
        if one.directed or other.directed or ((one.of_turn or other.of_turn) and when == "now"):
            continue
        op = chance.choice("=<")
        boards = when if when == "now" else chance.choice((when, "gain", "loss"))
        found += [some(when, one), size(when, one, op, 2), sizes(boards, one, op, other)][
            : chance.choice((1, 1, 3))
        ]
    return found


def known(
    sample: Sample, features: Sequence[Feature], check: Callable[[Setting, Feature], None]
) -> list[Feature]:
    """Each feature once; all are such as rules from outside may have."""
    for feature in features:
        check(sample.setting, feature)
    return list(dict.fromkeys(features))


def features_of_turns(sample: Sample, positions: Sequence[Feature]) -> list[Feature]:
    """Features of turns of every kind, drawn at random."""
    chance, setting = sample.chance, sample.setting
    found: list[Feature] = []
    for level in range(3):
        drawn = [f for f, _ in turn_features(setting, words(setting), level)]
        plain = [f for f in drawn if f[0] not in ("some", "size", "sizes")]
        found += chance.sample(plain, min(18, len(plain)))
        given = [f for f in drawn if f[0] in ("some", "size", "sizes")]
        found += chance.sample(given, min(8, len(given)))
    asked = [f for f in positions if f[0] not in ("some", "size", "sizes")]
    found += [("after", each) for each in asked]
    found += [("midway", each) for each in (*chance.sample(asked, 8), reached("empty", 0))]
    found += [("before", each) for each in chance.sample(asked, 5)]
    found += [("steps", "<", 2), ("segments", "<", 2)]
    start, end = square("start1"), square("end1")
    found += [some("before", together(end, aside("seen", n, 1 - n, start))) for n in (0, 1, 2)]
    found += [priced.feature for priced in headings()]
    patterns = [f[2][1] for f in positions if f[0] == "some" and f[2][0] == "pattern"]
    for role in (*roles(words(setting)), "taken", "captured"):
        found += [exposed(role), formed(role, chance.choice(patterns))]
    found += [("and", *chance.sample(found, 2)) for _ in range(5)]
    found += terms(sample, ["before", "after"], 10)
    return known(sample, found, check_turn)


def related(sample: Sample, features: Sequence[Feature]) -> list[Feature]:
    """Relations of every kind between turns, also one within another."""
    chance = sample.chance
    found: list[Feature] = [("prefix",), *(("further", begins) for begins in ("letters", "pieces"))]
    found += [
        ("more", scope, what)
        for scope in SCOPES
        for what in contents_by_player(sample.setting.equipment)[:3]
    ]
    found += [
        ("beyond", scope, measure, than)
        for scope in SCOPES
        for measure in MEASURES
        for than in ("more", "less")
    ]
    for scope in SCOPES:
        for name in ("rival_has", "rival_lacks"):
            found += [(name, scope, each) for each in chance.sample(list(features), 3)]
            found.append((name, scope, chance.choice(found)))
    return known(sample, found, check_turn)


@pytest.mark.parametrize("name", [*GAMES, *WIDE])
def test_features_hold_where_the_evaluators_say_so(name: str, tmp_path):
    sample = Sample(name, {**GAMES, **WIDE}[name])
    positions = position_features(sample)
    turns = features_of_turns(sample, positions)
    relations = related(sample, turns)
    setting = sample.setting
    presiding(setting, Rules(sample.frames))
    compiled = Compiled(setting, Rules(sample.frames), tmp_path, positions, turns, relations)
    tests = [compile_position(setting, feature) for feature in positions]
    seen = dict.fromkeys(range(len(turns)), frozenset())

    for position in sample.positions:
        turn_list = compiled.begin(position, sample.turns(position))
        wanted = [bool(test(turn_list.before)) for test in tests]
        assert differing(positions, compiled.hold(), wanted) == []

        wanted = [column(turn_list, feature).tolist() for feature in turns]
        assert differing(turns, compiled.hold_of_turns(), wanted) == []
        seen = {n: seen[n] | set(values) for n, values in enumerate(wanted)}

        alive = [sample.chance.random() < 0.6 for _ in turn_list.cases]
        turn_list.restrict(np.array(alive, dtype=np.bool_))
        wanted = [column(turn_list, feature).tolist() for feature in relations]
        assert differing(relations, compiled.hold_of_rivals(alive), wanted) == []

        for number, case in enumerate(turn_list.cases):
            after = play(position, case.turn)
            assert compiled.followed(number) == compiled.past(after)
    assert sum(len(values) == 2 for values in seen.values()) > len(turns) / 6


def differing(features: Sequence[Feature], found: Sequence, wanted: Sequence) -> list:
    return [
        (feature, one, other)
        for feature, one, other in zip(features, found, wanted, strict=True)
        if one != other
    ]


def random_rules(sample: Sample) -> Rules:
    """Lists of rules with bodies drawn at random."""
    chance = sample.chance
    positions = [f for f in position_features(sample) if f[0] != "stuck"]
    turns = features_of_turns(sample, positions)
    relations = related(sample, turns)
    seats = len(sample.game.equipment.players)
    asking: list[Feature] = [("after", ("stuck", seat)) for seat in range(seats)]
    asking += [("rival_lacks", "start", asking[0]), ("and", asking[-1], chance.choice(turns))]
    stuck: list[Feature] = [("stuck", seat) for seat in range(seats)]

    grown = [("more", "any", what) for what in contents_by_player(sample.setting.equipment)]

    def body(*kinds: Sequence[Feature]) -> tuple[Literal, ...]:
        return tuple(Literal(chance.choice(kind), chance.random() < 0.5) for kind in kinds)

    presiding(sample.setting, Rules(sample.frames))
    lists = [
        TurnList(PositionCase.of(sample.setting, position), sample.turns(position))
        for position in sample.positions
    ]
    gone = np.zeros(sum(len(turn_list.cases) for turn_list in lists), dtype=np.bool_)

    def restrictions(number: int, *shapes: Sequence[Sequence[Feature]]) -> tuple[Rule, ...]:
        """Rules that forbid some turns, and not most."""
        nonlocal gone
        found: list[Rule] = []
        while len(found) < number:
            drawn = body(*chance.choice(shapes))
            tests = turn_body(sample.setting, drawn)
            covered = np.concatenate([forbidden(turn_list, tests) for turn_list in lists])
            if 0 < covered.mean() < 0.3 and (gone | covered).mean() < 0.7:
                gone = gone | covered
                found.append(Rule(drawn))
        return tuple(found)

    def rules(number: int, *shapes: Sequence[Sequence[Feature]]) -> tuple[Rule, ...]:
        return tuple(
            Rule(body(*chance.choice(shapes)), tuple(chance.randint(0, 3) for _ in range(seats)))
            for _ in range(number)
        )

    plain = ((turns, turns, relations), (turns, turns, turns), (relations, turns, relations))
    return Rules(
        sample.frames,
        (
            *restrictions(5, *plain),
            *restrictions(2, (turns, relations, asking), (turns, asking), (turns, turns, asking)),
            *restrictions(2, *plain),
        ),
        rules(6, (positions, positions, positions), (positions, positions, stuck)),
        (*rules(3, (turns, grown, turns)), *rules(4, (turns, turns, turns), (turns, relations))),
        rules(4, *plain, (turns, [("before", each) for each in stuck])),
    )


@pytest.mark.parametrize("name", GAMES)
def test_lists_of_rules_say_what_a_referee_says(name: str, tmp_path):
    sample = Sample(name, GAMES[name])
    rules = random_rules(sample)
    setting = sample.setting
    referee = presiding(setting, rules)
    compiled = Compiled(setting, rules, tmp_path)
    left = []

    for position in sample.positions:
        turn_list = compiled.begin(position, sample.turns(position))
        Restrictor(setting, first_level(rules.restrictions)).survivors(turn_list, turn_list.cases)
        assert compiled.restricted(1) == turn_list.alive.tolist()
        restrictor = Restrictor(setting, rules.restrictions)
        survivors = restrictor.survivors(turn_list, turn_list.cases)
        wanted = turn_list.alive.tolist()
        assert compiled.restricted() == wanted
        left += wanted

        for stuck, turns in ((-1, None), (int(not survivors), survivors)):
            number, ending = compiled.library.ended(stuck), referee.ending(position, turns)
            assert (None if number < 0 else rules.endings[number]) == ending

        barred = referee.barring(position, survivors) is not None
        assert bool(compiled.library.barred()) == barred
        for case in turn_list.cases:
            after = play(position, case.turn)
            follower = referee.follower(position, case.turn, after)
            seat = compiled.library.following(case.number)
            assert setting.seat(position.to_move, seat) == follower
        assert compiled.failures == []
    assert not all(left)


def refused(restrictions: Sequence[Feature], equipment=None) -> str:
    """Why restrictions can't be written in C."""
    game = load("checkers")
    rules = Rules(
        frames_of(game.initial), tuple(Rule((Literal(feature, True),)) for feature in restrictions)
    )
    equipment = equipment or game.equipment
    code = Code(equipment, Grid(Geometry(equipment.board), rules.frames))
    with pytest.raises(NotCompiled) as caught:
        RuleCode(equipment, rules, code)
    return str(caught.value)


def test_what_cannot_be_written_in_c_is_refused_with_its_reason():
    assert "restriction 2 asks who has turns" in refused(
        [("takes", "opposing"), ("rival_has", "any", ("before", ("stuck", 1)))]
    )
    game = load("checkers")
    many = {chr(0x4E00 + n): Piece(chr(0x4E00 + n), None, f"kind {n}") for n in range(65)}
    crowded = Equipment(game.equipment.board, game.equipment.players, many)
    assert "more kinds of pieces" in refused([("appears", "neutral")], crowded)
