"""Which features a game gives rise to, and what each costs a rule that uses it.

Features come in rounds, cheap and common ones first; a learner asks for the next round only while
something stays unexplained. Arguments are taken from the equipment, from the words of the
automata, and from numbers seen in the records.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from grl.board import EMPTY, HOLE
from grl.logic.geometry import AROUND
from grl.model import Feature, Model, Role
from grl.rules.cases import PositionCase, Setting
from grl.rules.position_features import LINES
from grl.turn import Kind, Letter

ROUNDS = 3
MOST_NUMBERS = 12
LONGEST_ROW = 6
MOST_ALONG = 4
"""Up to so many pieces on a line through a square are counted."""


WAYS = ("ahead", "level", "behind", "inward", "outward")


class Priced(NamedTuple):
    """A feature with the cost of a literal that uses it; its negation costs a little more."""

    feature: Feature
    cost: float


NEGATION = 0.2


class Words(NamedTuple):
    """What the turns of a model can contain."""

    letters: frozenset[str]
    opening: frozenset[str]
    appearing: frozenset[str]
    segments: int
    drops: bool
    effects: bool


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
        model.segments,
        drops,
        bool(model.effects),
    )


def _kind(letter: Letter) -> str:
    return "fly" if letter.fly else letter.on


def contents(setting: Setting) -> list[str]:
    """The names of contents: a player's pieces together and by type, and nobody's."""
    pieces = setting.equipment.pieces.values()
    types = sorted({piece.type for piece in pieces if piece.player is not None})
    found: list[str] = []
    for seat in range(len(setting.equipment.players) if types else 0):
        found.append(f"{seat}*")
        if len(types) > 1:
            found += [f"{seat}:{kind}" for kind in types]
    neutral = sorted({p.type for p in pieces if p.player is None})
    if neutral:
        found.append("n*")
    if len(neutral) > 1:
        found += [f"n:{kind}" for kind in neutral]
    return found


def typed(what: str) -> float:
    """What naming a type of piece, not only its owner, adds to a cost."""
    return 0.4 if what[1:] not in ("", "*") else 0.0


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
    whats = contents(setting)
    owned = [what for what in whats if what[0] != "n"]
    mine = [what for what in whats if what[0] == "0"]
    board = setting.board
    relative = any(frame != "identity" for frame in setting.frames.values())
    views = [("board", 1.8)] + ([("seen", 1.8)] if relative else [])
    if level == 0:
        yield from shape_features(setting, words)
        for role in roles(words):
            for number in range(1, board.height + 1):
                yield Priced(("at", role, "rank", "=", number), 1.0)
                if number > 1:
                    yield Priced(("at", role, "rank", "<", number), 1.3)
            for view, cost in views:
                for dx, dy in AROUND:
                    if view == "seen" and not dy:
                        continue
                    for what in (HOLE, EMPTY, *(w for w in whats if w[1] == "*")):
                        yield Priced(("near", role, view, dx, dy, what, "before"), cost)
        for what in mine:
            if setting.equipment.stocked:
                yield Priced(("before", ("count", "hand", what, "=", 0)), 1.2)
    elif level == 1:
        for role in roles(words):
            for number in range(1, board.width + 1):
                yield Priced(("at", role, "file", "=", number), 1.5)
                if number > 1:
                    yield Priced(("at", role, "file", "<", number), 1.6)
            yield Priced(("moved", role), 1.5)
            yield from (Priced(("same", role, last), 1.5) for last in ("start1", "end1"))
            for last in ("start1", "end1"):
                for adjacency in sorted(setting.near):
                    yield Priced(("beside_last", role, last, adjacency), 1.6)
            for what in owned:
                if what[1] == "*":
                    for length in range(2, min(LONGEST_ROW, max(board.width, board.height)) + 1):
                        for when in ("before", "after"):
                            yield Priced(("line", role, what, length, when), 1.5)
            for adjacency in sorted(setting.near):
                if role != "start1":
                    yield Priced(("beside", role, adjacency), 1.4)
                for what in (EMPTY, *whats):
                    for when in ("before", "after"):
                        cost = 1.6 + typed(what)
                        yield Priced(("touches", role, adjacency, what, when), cost)
        if "d" in words.letters:
            yield from (Priced(("same", "taken", last), 1.5) for last in ("start1", "end1"))
        for dx in range(3):
            for dy in range(-2, 3):
                if dx or dy:
                    yield Priced(("shift", dx, dy), 1.5)
                    yield Priced(("before", ("came", dx, dy)), 1.8)
        for number in range(1, _rings(setting) + 1):
            for role in roles(words):
                yield Priced(("at", role, "ring", "=", number), 1.5)
                if number > 2:
                    yield Priced(("at", role, "ring", "<", number), 1.7)
        for side in ("ahead", "behind"):
            for what in (HOLE, EMPTY, *(w for w in whats if w[1] == "*")):
                yield Priced(("onward", side, what, "before"), 1.7)
            for _, role in consecutive(words):
                yield Priced(("onto", side, role), 1.5)
        for one, other in consecutive(words):
            for dx in range(-2, 3):
                for dy in range(-2, 3):
                    yield Priced(("apart", one, other, dx, dy), 1.5)
        for player in setting.equipment.players:
            yield Priced(("before", ("mover", player)), 1.8)
        yield from (Priced(("echo", sense), 1.5) for sense in ("same", "back"))
        yield from (Priced(("before", ("landed", what)), 1.8 + typed(what)) for what in whats)
    else:
        attackers = len(setting.equipment.players)
        for seat in range(1, attackers):
            for what in mine:
                yield Priced(("before", ("attacked", what, seat)), 2.0)
                after = f"{attackers - 1}{what[1:]}"
                yield Priced(("after", ("attacked", after, (seat - 1) % attackers)), 2.0)
        for feature, cost in meetings(setting):
            yield Priced(("after", feature), cost + 0.3)
        for op in ("=", "<"):
            yield Priced(("population", op), 2.0)
        for role in [r for r in roles(words) if r != "start1"][:2]:
            yield Priced(("exposed", role), 2.2)
            for lines in LINES:
                for what in owned:
                    if what[1] == "*":
                        for least in range(1, MOST_ALONG + 1):
                            yield Priced(("along", role, lines, what, least, "before"), 2.6)
        for adjacency in sorted(setting.near):
            yield Priced(("breathless", "end1", adjacency), 2.0)
            for what in owned:
                if what[1] == "*":
                    yield Priced(("after", ("choked", what, adjacency)), 2.0)
        for role in roles(words)[:2]:
            for dx in range(-2, 3):
                for dy in range(-2, 3):
                    if max(abs(dx), abs(dy)) == 2:
                        for view, _ in views:
                            for what in (HOLE, EMPTY, *(w for w in whats if w[1] == "*")):
                                yield Priced(("near", role, view, dx, dy, what, "before"), 2.0)
            for view, _ in views:
                for dx, dy in AROUND:
                    for what in whats:
                        if what[1] != "*":
                            yield Priced(("near", role, view, dx, dy, what, "before"), 2.0)


def _rings(setting: Setting) -> int:
    return (min(setting.board.width, setting.board.height) + 1) // 2


def meetings(setting: Setting) -> Iterator[Priced]:
    """Pieces of two owners, or of two types, next to each other or with nothing between them."""
    whats = contents(setting)
    for one, other in combinations(whats, 2):
        if one[0] == other[0] and "*" in (one[1], other[1]):
            continue
        extra = typed(one) + typed(other)
        for adjacency in sorted(setting.near):
            yield Priced(("contact", one, other, adjacency), 1.6 + extra)
        yield from (Priced(("sees", one, other, lines), 1.9 + extra) for lines in LINES)


def consecutive(words: Words) -> Iterator[tuple[str, str]]:
    """The end of each segment with the squares of the next."""
    for number in range(1, min(words.segments, 3)):
        yield f"end{number}", f"start{number + 1}"
        yield f"end{number}", f"end{number + 1}"


def shape_features(setting: Setting, words: Words) -> Iterator[Priced]:
    """What kind of turn it is, wherever it is played; relations between turns speak of these."""
    whats = contents(setting)
    yield from (Priced(("moves", what), 1.0 + typed(what)) for what in (EMPTY, *whats))
    yield from (Priced(("takes", what), 1.0 + typed(what)) for what in whats if what[0] != "0")
    for what in whats:
        if any(
            words.appearing & setting.keys(player, what) for player in setting.equipment.players
        ):
            yield Priced(("appears", what), 1.0 + typed(what))
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
    yield from (Priced(("heading", way), 1.1) for way in WAYS)


def number_features(
    setting: Setting, cases: Iterable[PositionCase], *, hands: bool
) -> Iterator[Priced]:
    """Counts of pieces, with the numbers that occur; and comparisons of counts."""
    whats = contents(setting)
    zones = ["board", "hand", "all"] if hands else ["board"]
    keys = sorted(setting.equipment.pieces)
    names = whats + [f"={key}" for key in keys]
    values: dict[tuple[str, str], set[int]] = {(z, w): set() for z in zones for w in names}
    for case in cases:
        for what in names:
            on_board = case.bits(what).bit_count()
            values["board", what].add(on_board)
            if hands:
                in_hand = case.hand(what)
                values["hand", what].add(in_hand)
                values["all", what].add(on_board + in_hand)
    for (zone, what), seen in values.items():
        extra = 0.4 if what[0] == "=" else 0.0
        numbers = sorted(seen)
        if len(numbers) < 2:
            continue
        low, high = numbers[:MOST_NUMBERS], numbers[-MOST_NUMBERS:]
        for number in sorted({*low, *high}):
            cost = 1.4 + extra + min(number / 20, 0.8)
            yield Priced(("count", zone, what, "=", number), cost)
            if number > numbers[0]:
                yield Priced(("count", zone, what, "<", number), cost)
    yield from _comparisons(zones, whats)


def area_features(setting: Setting) -> Iterator[Priced]:
    """Who has more area."""
    yield from _comparisons(["area"], contents(setting))


def _comparisons(zones: Sequence[str], whats: Sequence[str]) -> Iterator[Priced]:
    for zone in zones:
        for one, other in combinations([w for w in whats if w[1] == "*" and w[0] != "n"], 2):
            yield Priced(("compare", zone, one, "=", other), 1.6)
            yield Priced(("compare", zone, one, "<", other), 1.6)
            yield Priced(("compare", zone, other, "<", one), 1.6)
