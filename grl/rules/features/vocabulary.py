"""Which features a game gives rise to, and what each costs a rule that uses it.

Features come in rounds, cheap and common ones first; a learner asks for the next round only while
something stays unexplained. Arguments are taken from the equipment, from the words of the
automata, and from numbers seen in the records.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from typing import NamedTuple

from grl.logic.changes import KEPT, REMOVED, effect_term
from grl.logic.contents import (
    NOTHING,
    content_turned,
    contents_by_player,
    contents_of,
    owner_in,
)
from grl.logic.geometry import AROUND, ZONES
from grl.logic.grid import BROAD_WAYS, WAYS_OF
from grl.logic.ops.groups import HEADS
from grl.logic.ops.lines import AHEAD, ALONG, BEHIND, LINED, RUN, SIGHT, SOME_WAY, THROUGH, TOWARD
from grl.logic.ops.places import LAST, LINE, RING, ZONE, crossed, lies, moved, path, square, taken
from grl.logic.ops.sets import (
    ALIGNED,
    CROWD,
    EITHER,
    GROUP,
    NEAR,
    SHIFT,
    WITHOUT,
    aside,
    together,
)
from grl.logic.ops.turns import reachable, threatened
from grl.logic.search import CROWDS
from grl.logic.terms import LAST_ROLES, Term, make
from grl.model import Feature, Model, Role
from grl.rules.features.cases import Setting
from grl.rules.features.terms import size, sizes, some
from grl.turn import Kind, Letter

ROUNDS = 3
LONGEST_ROW = 6
MOST_ALONG = 4
"""Up to so many pieces on a line through a square are counted."""


class Priced(NamedTuple):
    """A feature with the cost of a literal that uses it; its negation costs a little more."""

    feature: Feature
    cost: float


NEGATION = 0.2


class Words(NamedTuple):
    """What the turns of a model can contain; `leaps` go farther than to a neighbour at once.

    `changed` are the terms for the squares that a turn takes: where it removes pieces, and where
    effects put others in their place.
    """

    letters: frozenset[str]
    opening: frozenset[str]
    appearing: frozenset[str]
    keeping: frozenset[str]
    segments: int
    drops: bool
    effects: bool
    leaps: bool
    changed: tuple[Term, ...] = ()


def words_of(model: Model) -> Words:
    """The kinds of letters in the automata and what can appear."""
    letters = {x for dfa in model.automata for _, x, _ in dfa.transitions}
    leading = {
        x
        for dfa in model.automata
        for state, x, _ in dfa.transitions
        if state == 0 and dfa.key.role == Role.FIRST
    }
    several = len({_kind(x) for x in leading}) > 1
    drops = any(dfa.key.role == Role.APPEARED and dfa.transitions for dfa in model.automata)
    return Words(
        frozenset(map(_kind, letters)),
        frozenset(_kind(x) for x in leading) if several else frozenset(),
        frozenset(x.piece for x in letters if x.kind is Kind.APPEAR),
        frozenset(x.piece for x in letters if x.kind is Kind.RESERVE),
        model.segments,
        drops,
        bool(model.effects),
        any(max(abs(x.dx), abs(x.dy)) > 1 for x in letters),
        tuple(dict.fromkeys(_changed(model, letters))),
    )


def _changed(model: Model, letters: Iterable[Letter]) -> Iterator[Term]:
    if any(x.removes for x in letters):
        yield taken
    for at, effect in enumerate(model.effects if model.equipment.sowing is None else ()):
        where = effect_term(effect.where, effect.becomes, model.equipment, f"effects[{at}]")
        yield taken if effect.becomes in (REMOVED, KEPT) else where


def _kind(letter: Letter) -> str:
    return "fly" if letter.fly else letter.on


def roles(words: Words) -> list[str]:
    """The squares of a turn that features speak of."""
    found = ["start1", "end1"]
    for number in range(2, min(words.segments, 3) + 1):
        found += [f"start{number}", f"end{number}"]
    if words.drops:
        found.append("drop")
    return found


def turn_features(setting: Setting, words: Words, level: int) -> Iterator[Priced]:
    """The features of single turns of a round (0 the first), without relations."""
    if level == 0:
        yield from shape_features(setting, words)
        yield from _first_terms(setting, words)
        if setting.equipment.stocked:
            for content in _own(setting):
                yield Priced(("before", size("now", ("hand", content), "=", 0)), 1.2)
    elif level == 1:
        yield from _second_terms(setting, words)
        for here in going(setting, square("start1"), square("end1")):
            yield Priced(some("before", here), 1.5)
        yield from came(setting)
        for player in setting.equipment.players:
            yield Priced(("before", ("mover", player)), 1.8)
        began, ended = (make(LAST, role, 1) for role in LAST_ROLES)
        for one, other in ((began, ended), (ended, began)):
            there = make(TOWARD, square("start1"), one, other)
            yield at(square("end1"), there, 1.45)
        for feature, cost in landings(setting):
            yield Priced(("before", feature), cost)
    else:
        yield from _third_terms(setting, words)
        attackers = len(setting.equipment.players)
        for seat in range(1, attackers):
            for content in _own(setting):
                after = content_turned(content, attackers - 1, attackers)
                assert after is not None
                later = (seat - 1) % attackers
                yield Priced(("before", attacked(content, seat)), 2.0)
                yield Priced(("after", attacked(after, later)), 2.0)
                yield Priced(("before", reached(content, seat)), 2.05)
                for when in ("after", "midway"):
                    yield Priced((when, reached(after, later)), 2.05)
        for feature, cost in meetings(setting):
            yield Priced(("after", feature), cost + 0.3)
        for role in [r for r in roles(words) if r != "start1"][:2]:
            yield Priced(exposed(role), 2.2)


def attacked(content: str, seat: int, level: int = 0) -> Feature:
    """Whether turns of the player at a seat would take some of a content."""
    return some("now", together(lies(content), threatened(seat, level)))


def reached(content: str, seat: int, level: int = 0) -> Feature:
    """Whether they would end their first segment on some of it."""
    return some("now", together(lies(content), reachable(seat, level)))


def exposed(role: str) -> Feature:
    """Whether turns of the next player would change a square of the turn."""
    return some("after", together(square(role), threatened(1)))


def _own(setting: Setting) -> list[str]:
    return [each for each in contents_by_player(setting.equipment) if owner_in(each) == "own"]


def _first_terms(setting: Setting, words: Words) -> Iterator[Priced]:
    """Ranks, what lies around the squares of a turn, and whether it leads back."""
    for role in roles(words):
        here = square(role)
        for number in range(1, setting.board.height + 1):
            yield at(here, make(LINE, "rank", 0, "=", number), 1.0)
            if number > 1:
                yield at(here, make(LINE, "rank", 0, "<", number), 1.3)
        for view in views(setting):
            for dx, dy in AROUND:
                if view == "board" or dy:
                    yield from beyond(make(SHIFT, view, dx, dy, here), broad(setting), 1.8)
    yield at(square("end1"), square("start1"), 1.0)


def _second_terms(setting: Setting, words: Words) -> Iterator[Priced]:
    """Files, rings, zones, lines, neighbours, and what the last turn did."""
    board = setting.board
    kinds = contents_of(setting.equipment)
    for role in roles(words):
        here = square(role)
        for number in range(1, board.width + 1):
            yield at(here, make(LINE, "file", 0, "=", number), 1.5)
            if number > 1:
                yield at(here, make(LINE, "file", 0, "<", number), 1.6)
        for number in range(1, rings(setting) + 1):
            yield at(here, make(RING, "=", number), 1.5)
            if number > 2:
                yield at(here, make(RING, "<", number), 1.7)
        for zone in ZONES:
            yield at(here, make(ZONE, zone), 1.5)
        yield at(here, moved, 1.5)
        for last in LAST_ROLES:
            for back in setting.back:
                before = make(LAST, last, back)
                yield at(here, before, 1.5)
                for adjacency in sorted(setting.near):
                    yield at(here, make(NEAR, adjacency, before), 1.6)
        if role == "end1":
            for last in LAST_ROLES:
                for dx, dy in AROUND:
                    beyond_last = make(SHIFT, views(setting)[-1], dx, dy, make(LAST, last, 1))
                    yield at(here, beyond_last, 1.55)
        for kind in broad(setting)[1:]:
            for length in range(2, min(LONGEST_ROW, max(board.width, board.height)) + 1):
                for when in ("before", "after"):
                    for ways in BROAD_WAYS:
                        line = make(LINED, ways, length, lies(kind))
                        yield at(here, line, 1.5 if ways == "around" else 1.6, when)
        for adjacency in sorted(setting.near):
            if role != "start1":
                yield at(here, make(NEAR, adjacency, square("start1")), 1.4)
            for kind in kinds:
                for when in ("before", "after"):
                    beside = make(NEAR, adjacency, lies(kind))
                    yield at(here, beside, 1.6 + named(kind), when)
            if "opposing" in kinds:
                anybodys = make(EITHER, lies("own"), lies("opposing"))
                for when in ("before", "after"):
                    yield at(here, make(NEAR, adjacency, anybodys), 1.65, when)
    for there in words.changed:
        yield at(there, make(LAST, "end1", 1), 1.5)
        for adjacency, number in product(sorted(setting.near), CROWDS):
            for kind in broad(setting)[1:]:
                yield at(there, make(CROWD, adjacency, number, lies(kind)), 1.9)
    for origin, toward in (("end1", AHEAD), ("start1", BEHIND)):
        onward = make(SOME_WAY, "onward", make(toward, square(origin)))
        yield from beyond(onward, broad(setting), 1.7)
        yield from (at(square(role), onward, 1.5) for _, role in consecutive(words))
    if words.leaps:
        yield from between(setting)
    for one, other in consecutive(words):
        for dx in range(-2, 3):
            for dy in range(-2, 3):
                yield at(square(other), make(SHIFT, "board", dx, dy, square(one)), 1.5)
    for part in (*(make(ZONE, zone) for zone in ZONES), *map(lies, kinds)):
        yield at(part, path, 1.7)
    inside = make(WITHOUT, path, square("end1"))
    for part in (
        *(make(ZONE, zone) for zone in ZONES),
        *(make(LINE, "rank", 0, "=", number) for number in range(1, board.height + 1)),
        *(make(LINE, "file", 0, "=", number) for number in range(1, board.width + 1)),
    ):
        yield at(part, inside, 1.9)
    yield from beyond(crossed, broad(setting), 1.7)


def _third_terms(setting: Setting, words: Words) -> Iterator[Priced]:
    """Lines through squares, groups, what is farther away, and whatever effects may speak of."""
    kinds = contents_of(setting.equipment)
    for role in [r for r in roles(words) if r != "start1"][:2]:
        for ways in BROAD_WAYS:
            for kind in broad(setting)[1:]:
                for least in range(1, MOST_ALONG + 1):
                    yield at(square(role), make(ALONG, ways, least, lies(kind)), 2.6)
    for adjacency in sorted(setting.near):
        for kind in broad(setting)[1:]:
            dead = lifeless(kind, adjacency)
            if kind == "own":
                yield at(square("end1"), dead, 2.0, "after")
            yield Priced(some("after", dead), 2.0)
        groups = make(HEADS, adjacency, lies("own"))
        for when in ("gain", "loss"):
            yield Priced(sizes(when, groups, "<", groups), 2.2)
    for ways, far in product(BROAD_WAYS, (False, True)) if words.changed else ():
        yield Priced(some("after", jumpable(ways, far=far)), 1.9 + 0.1 * far)
    line = make(THROUGH, "onward", square("start1"))
    for op in ("=", "<"):
        yield Priced(sizes("before", path, op, make(WITHOUT, line, lies("empty"))), 2.0)
    for role in roles(words)[:2]:
        here = square(role)
        for view in views(setting):
            for dx in range(-2, 3):
                for dy in range(-2, 3):
                    if max(abs(dx), abs(dy)) == 2:
                        yield from beyond(make(SHIFT, view, dx, dy, here), broad(setting), 2.0)
            for dx, dy in AROUND:
                there = make(SHIFT, view, dx, dy, here)
                yield from (at(there, lies(kind), 2.0) for kind in kinds if ":" in kind)


def at(here: Term, there: Term, cost: float, when: str = "before") -> Priced:
    """Whether two sets meet, one of them often a single square."""
    return Priced(some(when, together(here, there)), cost)


def beyond(there: Term, kinds: Sequence[str], cost: float) -> Iterator[Priced]:
    """What lies on a square, before the turn, and whether there is such a square at all."""
    yield Priced(some("before", there), cost)
    yield from (at(there, lies(kind), cost) for kind in kinds)


def broad(setting: Setting) -> list[str]:
    """The contents without types, ``empty`` first."""
    return [kind for kind in contents_of(setting.equipment) if ":" not in kind]


def named(kind: str) -> float:
    """What naming a type of piece adds to a cost."""
    return 0.4 if ":" in kind else 0.0


def views(setting: Setting) -> list[str]:
    """Whose displacements there are: the board's, and the mover's where these differ."""
    relative = any(each != "identity" for each in setting.frames.values())
    return ["board", "seen"] if relative else ["board"]


def lifeless(kind: str, adjacency: str) -> Term:
    """Pieces in groups without an empty neighbour."""
    alive = make(GROUP, adjacency, make(NEAR, adjacency, lies("empty")), lies(kind))
    return make(WITHOUT, lies(kind), alive)


def apart(kind: str, other: str, adjacency: str) -> Term:
    """Pieces beside which nothing else lies."""
    return make(WITHOUT, lies(kind), make(NEAR, adjacency, lies(other)))


def besieged(kind: str, adjacency: str, *others: str) -> Term:
    """Pieces beside which nothing is empty, or of their owner, or one of some `others`."""
    found = apart(kind, "empty", adjacency)
    for other in (kind, *others):
        found = make(WITHOUT, found, make(NEAR, adjacency, lies(other)))
    return found


def jumpable(ways: str, *, far: bool) -> Term:
    """Opponents with an empty square behind them, next to the end of a turn, or `far` from it with
    nothing between."""
    near = make(AHEAD, square("end1"))
    if far:
        near = make(EITHER, near, make(AHEAD, make(RUN, near, lies("empty"))))
    behind = make(BEHIND, lies("empty"))
    return make(SOME_WAY, ways, together(together(lies("opposing"), behind), near))


def rings(setting: Setting) -> int:
    return (min(setting.board.width, setting.board.height) + 1) // 2


def meetings(setting: Setting) -> Iterator[Priced]:
    """Pieces of two owners, or of two types, next to each other or with nothing between them."""
    kinds = contents_of(setting.equipment)[1:]
    for one, other in combinations(kinds, 2):
        if owner_in(one) == owner_in(other) and not (":" in one and ":" in other):
            continue
        extra = named(one) + named(other)
        for adjacency in sorted(setting.near):
            beside = together(lies(one), make(NEAR, adjacency, lies(other)))
            yield Priced(some("now", beside), 1.6 + extra)
        for ways in WAYS_OF:
            seen = together(lies(one), make(SIGHT, ways, lies(other)))
            yield Priced(some("now", seen), 1.9 + extra)


def between(setting: Setting) -> Iterator[Priced]:
    """What lies on squares next to the start and to the end of a turn, where it may be in the way.

    A knight's leap has one such square of each kind: next to where it starts, or to where it ends.
    """
    start, end = square("start1"), square("end1")
    for near, other in product(sorted(setting.near), repeat=2):
        middle = together(make(NEAR, near, start), make(NEAR, other, end))
        yield from (at(middle, lies(kind), 1.7) for kind in broad(setting))


def going(setting: Setting, start: Term, end: Term) -> Iterator[Term]:
    """The end of a turn's first segment, if that goes so far, to whichever side."""
    for dx in range(3):
        for dy in range(-2, 3):
            if dx or dy:
                yield together(end, aside(views(setting)[-1], dx, dy, start))


def came(setting: Setting) -> Iterator[Priced]:
    """How far the last turn went."""
    for there in going(setting, *(make(LAST, role, 1) for role in LAST_ROLES)):
        yield Priced(("before", some("now", there)), 1.8)


def landings(setting: Setting) -> Iterator[Priced]:
    """What lies where the last turn ended."""
    for kind in contents_of(setting.equipment)[1:]:
        where = together(make(LAST, "end1", 1), lies(kind))
        yield Priced(some("now", where), 1.8 + named(kind))


def consecutive(words: Words) -> Iterator[tuple[str, str]]:
    """The end of each segment with the squares of the next."""
    for number in range(1, min(words.segments, 3)):
        yield f"end{number}", f"start{number + 1}"
        yield f"end{number}", f"end{number + 1}"


def shape_features(setting: Setting, words: Words) -> Iterator[Priced]:
    """What kind of turn it is, wherever it is played; relations between turns speak of these."""
    contents = contents_by_player(setting.equipment)
    yield from (Priced(("moves", each), 1.0 + named(each)) for each in (NOTHING, *contents))
    others = [each for each in contents if owner_in(each) != "own"]
    yield from (Priced(("takes", each), 1.0 + named(each)) for each in others)
    for name, keys in (("appears", words.appearing), ("keeps", words.keeping)):
        for each in contents:
            if any(keys & setting.keys(player, each) for player in setting.equipment.players):
                yield Priced((name, each), 1.0 + named(each))
    yield from (Priced(("letter", kind), 1.1) for kind in sorted(words.letters))
    yield from (Priced(("opens", kind), 1.15) for kind in sorted(words.opening))
    yield from (
        Priced(("segments", "=", number), 1.0)
        for number in range(1, min(words.segments, 3) + 1)
        if words.segments > 1
    )
    if words.effects:
        yield Priced(("segments", "=", 1), 1.0)
    yield from (Priced(("steps", "=", number), 0.7 + 0.5 * number) for number in (1, 2, 3))
    yield from headings()


def headings() -> Iterator[Priced]:
    """Whether the first segment goes ahead, keeps its rank, or goes back; or to the middle file, or
    away from it."""
    start, end = square("start1"), square("end1")
    yield at(start, make(ALIGNED, "rank", "<", end), 1.1)
    yield at(end, make(ALIGNED, "rank", "=", start), 1.1)
    yield at(end, make(ALIGNED, "rank", "<", start), 1.1)
    yield at(end, make(ALIGNED, "wing", "<", start), 1.1)
    yield at(start, make(ALIGNED, "wing", "<", end), 1.1)
