"""Features of turns as sets of origins: of which origins a feature holds, for every word at once.

A value is a set for each word that the board's shape fixes, met with sets that lie on the board,
moved so far as the squares that the feature asks for lie from the origin.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from typing import Any

from grl.board import EMPTY, Square
from grl.engine.reach import Reach
from grl.engine.words import Offset, Word
from grl.errors import NotCompiled
from grl.logic.code import Code
from grl.logic.contents import content_turned, keys_of, owner_in
from grl.logic.grid import axes_of
from grl.logic.ops import known_term
from grl.logic.ops.places import lies
from grl.logic.ops.turns import REACHABLE
from grl.logic.perspectives import turned_back
from grl.logic.relations import converse
from grl.logic.rows import Ground, Rows, Walked
from grl.logic.terms import Term, literals_of
from grl.model import Feature, Rule
from grl.rules.code.rules import RuleCode
from grl.rules.features.cases import Setting
from grl.rules.features.terms import size, terms_in
from grl.rules.templates.template import RELATED
from grl.rules.templates.terms import numbers_code
from grl.turn import Kind

GEOMETRIC = frozenset(
    {"square", "shift", "line", "ring", "cell", "zone", "near", "aligned"}
    | {"path", "crossed", "taken", "both", "without", "either"}
)
"""Operators whose values the squares of a turn fix, whatever lies on the board."""
WITH_EFFECTS = frozenset({"some", "size", "sizes", "before", "and", "moves", "opens", "steps"})
"""Features that a turn's choices decide, whatever they bring about."""
BITS = {"e": 1, "w": 2, "p": 4, "n": 8, "d": 16, "a": 32, "r": 64, "fly": 128}

Origins = frozenset[Square]


class LeftToWalk(Exception):
    """Words, by number, of which something is asked that sets of origins don't say."""

    def __init__(self, words: Collection[int]) -> None:
        super().__init__(words)
        self.words = frozenset(words)


@dataclass(frozen=True)
class Moved:
    """A set on the board, given as an expression, and for each word how far from the origin the
    square lies that must, or must not, belong to it; None where none is asked for."""

    squares: str
    distances: tuple[int | None, ...]
    holds: bool


@dataclass(frozen=True)
class Asked:
    """A function of a feature of one turn; where `nearby` is given, the call, but for its last
    argument, of the function that finds out what may change the answer for the position before."""

    function: str
    nearby: str = ""


@dataclass(frozen=True)
class Value:
    """Of which origins something holds, by word: those of `fixed` that all of `moved` let pass.

    Where `scalar` is given it must hold as well, whatever the origin, and of each turn that is left
    what is `asked`.
    """

    fixed: tuple[Origins, ...]
    moved: tuple[Moved, ...] = ()
    scalar: str = ""
    asked: tuple[Asked, ...] = ()


class Literals:
    """Writes features of the turns of one player; raises `NotCompiled` for others than it knows,
    and `LeftToWalk` where it is some words of which it doesn't know them.

    Where turns have effects `changing` names the function of the squares at which they end then.
    """

    def __init__(
        self,
        setting: Setting,
        ruled: RuleCode,
        code: Code,
        seat: int,
        words: Sequence[Word],
        reach: Reach | None,
        changing: str = "",
    ) -> None:
        self.setting, self.ruled, self.code, self.reach = setting, ruled, code, reach
        self.seat, self.words, self.changing = seat, words, changing
        self.player = setting.equipment.players[seat]
        self.board = setting.board
        self.every = frozenset(self.board.squares)
        self._values: dict[Feature, Value] = {}

    def of(self, words: Sequence[Word]) -> Literals:
        """The same for other words of the player."""
        ruled, code = self.ruled, self.code
        return Literals(self.setting, ruled, code, self.seat, words, self.reach, self.changing)

    def value(self, feature: Feature) -> Value:
        """Of which origins a feature holds that is no relation."""
        if feature not in self._values:
            try:
                self._values[feature] = self._known(feature)
            except NotCompiled:
                self._values[feature] = self._asked(feature)
        return self._values[feature]

    def decided(self, rule: Rule) -> list[Origins] | None:
        """The origins of each word that a rule covers whatever lies on the board; None where that
        decides, too."""
        gone, decided = [word.origins for word in self.words], True
        for feature, holds in rule.body:
            try:
                value = self._known(feature)
            except NotCompiled:
                decided = False
                continue
            whole = not (value.moved or value.scalar or value.asked)
            decided &= whole
            if whole or holds:
                found = zip(gone, value.fixed, strict=True)
                gone = [each & some if holds else each - some for each, some in found]
        return gone if decided or not any(gone) else None

    def gate(self, rule: Rule) -> tuple[str, list[Origins]] | None:
        """The origins of each word that a rule covers while an expression holds, whatever else lies
        on the board; None where it takes more to decide."""
        gone, scalars = [word.origins for word in self.words], []
        for feature, holds in rule.body:
            try:
                value = self._known(feature)
            except NotCompiled:
                return None
            whole = all(word.origins <= f for word, f in zip(self.words, value.fixed, strict=True))
            if value.moved or value.asked or (value.scalar and not whole):
                return None
            if value.scalar:
                scalars.append(value.scalar if holds else f"!({value.scalar})")
            else:
                found = zip(gone, value.fixed, strict=True)
                gone = [each & some if holds else each - some for each, some in found]
        return (" && ".join(scalars), gone) if scalars else None

    def _asked(self, feature: Feature) -> Value:
        """A feature that is asked of one turn after the other: few where more is known of it."""
        if self.changing:
            raise NotCompiled("what effects leave is left to the walk")
        every = (self.every,) * len(self.words)
        asked = (Asked(self.ruled.turn(feature), self._nearby(feature)),)
        name, when, data, *_ = (*feature, "", "")
        if name == "midway":
            breaks = (len(word.letters) > 1 for word in self.words)
            return Value(tuple(self.every if each else frozenset() for each in breaks), asked=asked)
        if name != "some" or when != "after":
            return Value(every, asked=asked)
        parts = [each for each, holds in literals_of(known_term(data)) if holds]
        points = [each for each in parts if each.operator.name == "square"]
        for line in parts:
            completing = self._completing(line, points[0]) if points else ""
            if completing:
                tables = [self._point(points[0], word) for word in self.words]
                distances = tuple(map(_distance, tables))
                moved = (Moved(completing, distances, True),)
                return Value(tuple(map(frozenset, tables)), moved, asked=asked)
        return Value(every, asked=asked)

    def _nearby(self, feature: Feature) -> str:
        """The call that finds what decides whether pieces are reached after turns, if one does."""
        name, inner, *_ = (*feature, "")
        if self.reach is None or name != "after" or not isinstance(inner, tuple):
            return ""
        match inner:
            case ("some", "now", ("both", ("lies", what), (REACHABLE.name, seat, 0))):
                pass
            case _:
                return ""
        players = self.setting.equipment.players
        next_seat = (self.seat + 1) % len(players)
        keys = self.setting.keys(players[next_seat], what)
        for word in self.words:
            if word.holds not in keys and any(key in keys for key in word.leaves.values()):
                return ""
        put = {key for word in self.words for key in word.leaves.values()}
        by = (next_seat + seat) % len(players)
        watched = self.reach.watched(by, put)
        return f"{watched}(c->state->pieces, {self._lying(keys)}" if watched else ""

    def _completing(self, line: Term, point: Term) -> str:
        """The squares that stand in a line after a turn, at most, of those where it puts what joins
        the line; nothing where that isn't known."""
        if line.operator.name != "lined" or not self.code.mirrored:
            return ""
        ways, number, squares = line.arguments
        assert isinstance(number, int)
        assert isinstance(squares, Term)
        if ways == "onward" or number < 2 or squares.operator.name != "lies":
            return ""
        keys = keys_of(self.setting.equipment, self.player, str(squares.arguments[0]))
        for word in self.words:
            put = {at for at, content in word.leaves.items() if content in keys}
            if put - {role_offset(word, str(point.arguments[0]))}:
                return ""
        held = f"{self.code.define(squares)}(&c->ground, 0)"
        axes = [f"{self.code.completing(d, number)}({held})" for d in axes_of(str(ways))]
        return reduce(lambda one, other: f"set_or({one}, {other})", axes)

    def _known(self, feature: Feature) -> Value:
        """A feature of which sets of origins say all."""
        name, *arguments = feature
        if self.changing and name == "segments":
            return self._changes(*arguments)
        if self.changing and name not in WITH_EFFECTS:
            raise NotCompiled("what effects leave is left to the walk")
        if name in ("some", "size", "sizes"):
            return self._term(feature)
        if name == "before":
            return Value(
                (self.every,) * len(self.words), (), f"{self.ruled.position(arguments[0])}(c)"
            )
        if name == "and":
            one, other = map(self.value, arguments)
            fixed = tuple(a & b for a, b in zip(one.fixed, other.fixed, strict=True))
            scalar = " && ".join(each for each in (one.scalar, other.scalar) if each)
            moved, asked = (*one.moved, *other.moved), (*one.asked, *other.asked)
            return Value(fixed, moved, scalar, asked)
        if name == "takes":
            return self._takes(arguments[0])
        if name == "otherwise":
            return self._otherwise(*arguments)
        if name == "after":
            return self._left(arguments[0])
        test = self._tests().get(name)
        if test is None:
            raise NotCompiled(f"a feature {name!r} is left to the walk")
        return self._constant([test(word, *arguments) for word in self.words])

    def numbers(self, feature: Feature) -> list[int]:
        """What a relation between numbers compares, by word; the same from all origins."""
        name, _, *arguments = feature
        if name == "more" and self.changing:
            raise NotCompiled("what effects leave is left to the walk")
        if name == "more":
            return self._numbers_taken(arguments[0])
        if name == "beyond" and arguments[0] == "distance":
            sign = -1 if arguments[1] == "less" else 1
            return [sign * max(map(abs, word.end)) for word in self.words]
        raise NotCompiled(f"a relation {name!r} is left to the walk")

    def _changes(self, op: str, number: int) -> Value:
        """How many segments a turn has, of which all but the first are effects."""
        alone = RELATED[op](1, number)
        more = {RELATED[op](n, number) for n in range(2, self.board.size + 2)}
        if len(more) > 1:
            raise NotCompiled("numbers of effects are left to the walk")
        if more == {alone}:
            return self._constant([alone] * len(self.words))
        distances = tuple(self._distance(word.end) for word in self.words)
        moved = Moved(f"{self.changing}(&c->ground, 0)", distances, not alone)
        return Value((self.every,) * len(self.words), (moved,))

    def _constant(self, holds: Sequence[bool]) -> Value:
        return Value(tuple(self.every if each else frozenset() for each in holds))

    def _tests(self) -> Mapping[str, Callable[..., bool]]:
        """What the letters of a word decide."""
        return {
            "moves": lambda word, what: word.holds in self._keys(what),
            "appears": partial(self._named, Kind.APPEAR),
            "keeps": partial(self._named, Kind.RESERVE),
            "letter": lambda word, kind: (
                (word.flies if kind == "fly" else any(x.on == kind for x in word.letters))
                or (kind == "d" and bool(word.removes))
            ),
            "opens": lambda word, kind: (
                kind == ("fly" if word.letters[0].fly else word.letters[0].on)
            ),
            "segments": lambda word, op, number: RELATED[op](word.segments, number),
            "steps": lambda word, op, number: RELATED[op](
                sum(x.kind is Kind.STEP for x in word.letters), number
            ),
        }

    def _keys(self, what: str) -> frozenset[str]:
        return self.setting.keys(self.player, what)

    def _named(self, kind: Kind, word: Word, what: str) -> bool:
        return any(x.kind is kind and x.piece in self._keys(what) for x in word.letters)

    # What a turn takes ------------------------------------------------------------------------

    def _gone(self, word: Word, keys: Collection[str]) -> tuple[int, list[Offset]]:
        """By how much some pieces surely become fewer, and squares that may hold one that goes."""
        sure, open_squares = 0, []
        for at, content in word.leaves.items():
            before = word.asks.get(at)
            if before is None:
                raise NotCompiled("what a turn leaves on squares it doesn't ask for")
            sure -= content in keys
            if before <= set(keys):
                sure += 1
            elif before & set(keys):
                open_squares.append(at)
        if word.removes & set(keys):
            if not word.removes <= set(keys):
                raise NotCompiled("a removal of which it is open what it takes")
            sure += 1
        return sure, open_squares

    def _takes(self, what: str) -> Value:
        return self._taking([self._keys(what)] * len(self.words))

    def _otherwise(self, given: str, named: str, pairs: Sequence[tuple[str, str]]) -> Value:
        """A part of a turn that its letters decide is not what a table has for what it takes."""
        test = self._tests().get(named)
        if test is None or given != "takes":
            raise NotCompiled("parts of turns compared by a table are left to the walk")
        wrong = [
            frozenset[str]().union(
                *(self._keys(one) for one, other in pairs if not test(word, other))
            )
            for word in self.words
        ]
        both = zip(self.words, wrong, strict=True)
        if left := [n for n, (word, keys) in enumerate(both) if keys & {*word.leaves.values()}]:
            raise LeftToWalk(left)
        return self._taking(wrong)

    def _taking(self, wanted: Sequence[frozenset[str]]) -> Value:
        """Whether turns take pieces, given for each word."""
        fixed: list[Origins] = []
        squares: dict[frozenset[str], list[int | None]] = {}
        several = []
        for number, (word, keys) in enumerate(zip(self.words, wanted, strict=True)):
            sure, some = self._gone(word, keys)
            open_square = sure == 0 and len(some) == 1
            if not open_square and sure <= 0 < sure + len(some):
                several.append(number)
            fixed.append(self.every if sure > 0 or open_square else frozenset())
            if open_square:
                none: list[int | None] = [None] * len(self.words)
                squares.setdefault(keys, none)[number] = self._distance(some[0])
        if several:
            raise LeftToWalk(several)
        moved = (Moved(self._lying(keys), tuple(at), True) for keys, at in squares.items())
        return Value(tuple(fixed), tuple(moved))

    def _left(self, feature: Feature) -> Value:
        """How many pieces there are after a turn, as the next player sees them, where the turn's
        letters decide by how many these are fewer."""
        players = len(self.setting.equipment.players)
        match feature:
            case ("size", "now", ("lies" | "all" as zone, str(content)), str(op), int(number)):
                hands = zone == "all"
            case _:
                raise NotCompiled("what a turn leaves is left to the walk")
        mine = content_turned(content, 1, players)
        if mine is None:
            raise NotCompiled("a count after a turn is left to the walk")
        keys, less = self._keys(mine), set()
        for word in self.words:
            sure, some = self._gone(word, keys)
            if some:
                raise NotCompiled("a count after a turn is left to the walk")
            if hands and word.hand in keys:
                stocked = (self.player, word.hand) in self.setting.equipment.stocked
                if not stocked or owner_in(mine) != "own":
                    raise NotCompiled("a count after a turn is left to the walk")
                sure += 1
            less.add(sure)
        if len(less) != 1:
            raise NotCompiled("a count after a turn is left to the walk")
        number += less.pop()
        before = size("now", ("all", mine) if hands else lies(mine), op, number)
        return Value((self.every,) * len(self.words), (), f"{self.ruled.position(before)}(c)")

    def _lying(self, keys: Collection[str]) -> str:
        order = {key: n for n, key in enumerate(sorted(self.setting.equipment.pieces))}
        found = "c->ground.empty" if EMPTY in keys else "NO_SQUARE"
        for key in sorted(set(keys) - {EMPTY}):
            one = f"c->ground.pieces[{order[key]}]"
            found = one if found == "NO_SQUARE" else f"set_or({found}, {one})"
        return found

    def _numbers_taken(self, what: str) -> list[int]:
        gone = [self._gone(word, self._keys(what)) for word in self.words]
        if uncertain := [number for number, (_, some) in enumerate(gone) if some]:
            raise LeftToWalk(uncertain)
        return [sure for sure, _ in gone]

    # Terms ------------------------------------------------------------------------------------

    def _distance(self, offset: Offset) -> int:
        return offset[0] + offset[1] * self.board.width

    def _term(self, feature: Feature) -> Value:
        name, when, data, *_ = feature
        term = known_term(data)
        if when != "before":
            raise NotCompiled("a term on the board after a turn is left to the walk")
        if not any(each.of_turn for each in terms_in(feature)):
            return Value((self.every,) * len(self.words), (), self._scalar(feature))
        if name != "some":
            raise NotCompiled("sizes of terms that speak of the turn are left to the walk")
        parts = list(literals_of(term))
        dynamic = [(each, holds) for each, holds in parts if not self._geometric(each)]
        shaped = [(each, holds) for each, holds in parts if self._geometric(each)]
        if any(each.of_turn or each.directed for each, _ in dynamic):
            raise NotCompiled(f"{term} is left to the walk")
        anchor = next(
            (each for each, holds in shaped if each.point and each.of_turn and holds), None
        )
        if anchor is None:
            return self._beside(term, shaped, dynamic)
        tables = [self._point(anchor, word) for word in self.words]
        fixed = tuple(
            self._fitting(word, table, anchor, shaped)
            for word, table in zip(self.words, tables, strict=True)
        )
        distances = tuple(map(_distance, tables))
        moved = tuple(
            Moved(f"{self.code.define(each)}(&c->ground, 0)", distances, holds)
            for each, holds in dynamic
        )
        return Value(fixed, moved)

    def _scalar(self, feature: Feature) -> str:
        if feature[0] == "some":
            return f"set_any({self.code.define(known_term(feature[2]))}(&c->ground, 0))"

        def amount(data: tuple[Any, ...], _: str) -> str:
            return self.code.number(known_term(data), "&c->ground, 0")

        return f"({numbers_code(feature, amount)})"

    def _geometric(self, term: Term) -> bool:
        return all(each.operator.name in GEOMETRIC for each in term.terms())

    def _point(self, term: Term, word: Word) -> dict[Square, Square]:
        """By origin the square of a point of the turn, where there is one."""
        name, *arguments = term.operator.name, *term.arguments
        if name == "shift":
            view, dx, dy, inner = arguments
            assert isinstance(inner, Term)
            across, along = int(str(dx)), int(str(dy))
            if view == "seen":
                across, along = turned_back(self.setting.frames[self.player], across, along)
            table = self.setting.offset(across, along)
            found = self._point(inner, word)
            return {s: there for s, t in found.items() if (there := table[t]) is not None}
        if name != "square":
            return {}
        offset = role_offset(word, str(arguments[0]))
        if offset is None:
            return {}
        by = self._distance(offset)
        return {origin: Square(origin + by) for origin in word.origins}

    def _fitting(
        self,
        word: Word,
        table: Mapping[Square, Square],
        anchor: Term,
        shaped: Sequence[tuple[Term, bool]],
    ) -> Origins:
        """The origins from which a point exists and fits what the shape of the board decides."""
        rest = [(each, holds) for each, holds in shaped if each is not anchor]
        if not rest:
            return frozenset(table)
        rows, origins = self._rows(word)
        squares = [(rows.squares(each), holds) for each, holds in rest]
        fits = []
        for row, origin in enumerate(origins):
            square = table.get(origin)
            if square is not None and all(
                bool(each[row, square]) == holds for each, holds in squares
            ):
                fits.append(origin)
        return frozenset(fits)

    def _rows(self, word: Word) -> tuple[Rows, list[Square]]:
        """The turns of a word from all origins, on an empty board."""
        origins = sorted(word.origins)
        cells = "".join(
            "#" if square in self.board.holes else EMPTY for square in range(self.board.size)
        )
        turns = [
            Walked(
                partial(self._role, word, s),
                partial(self._path, word, s),
                partial(self._taken, word, s),
            )
            for s in origins
        ]
        grounds = [Ground(self.player, cells)] * len(origins)
        return Rows(self.setting.equipment, self.setting.grid, grounds, turns), origins

    def _role(self, word: Word, origin: Square, role: str) -> Square | None:
        offset = role_offset(word, role)
        return None if offset is None else Square(origin + self._distance(offset))

    def _path(self, word: Word, origin: Square) -> list[Square]:
        return [] if word.flies else self._where(word, origin, Kind.STEP)

    def _taken(self, word: Word, origin: Square) -> list[Square]:
        return self._where(word, origin, Kind.REMOVE)

    def _where(self, word: Word, origin: Square, kind: Kind) -> list[Square]:
        return [Square(origin + self._distance(offset)) for offset in word.where(kind)]

    def _beside(
        self,
        term: Term,
        shaped: Sequence[tuple[Term, bool]],
        dynamic: Sequence[tuple[Term, bool]],
    ) -> Value:
        """Whether a neighbour of a point lies in sets on the board."""
        if not dynamic:
            fixed = []
            for word in self.words:
                rows, origins = self._rows(word)
                some = rows.some(term)
                fixed.append(frozenset(s for row, s in enumerate(origins) if some[row]))
            return Value(tuple(fixed))
        near, holds = shaped[0] if len(shaped) == 1 else (None, False)
        inner = near.arguments[1] if near is not None and near.operator.name == "near" else None
        if near is None or not holds or not isinstance(inner, Term) or not inner.point:
            raise NotCompiled(f"{term} is left to the walk")
        squares = "board_squares"
        for each, belongs in dynamic:
            squares = (
                f"set_{'and' if belongs else 'less'}"
                f"({squares}, {self.code.define(each)}(&c->ground, 0))"
            )
        back = self.code.image(converse(self.code.near_pairs(str(near.arguments[0]))))
        tables = [self._point(inner, word) for word in self.words]
        distances = tuple(map(_distance, tables))
        moved = Moved(f"{back}({squares})", distances, True)
        return Value(tuple(frozenset(table) for table in tables), (moved,))


def _distance(table: Mapping[Square, Square]) -> int:
    """How far squares lie from their origins."""
    return next((int(t) - int(s) for s, t in sorted(table.items())), 0)


def role_offset(word: Word, role: str) -> Offset | None:
    """How far from the origin the square lies that plays a role; None where there is none."""
    if role == "start1":
        return 0, 0
    if role == "end1":
        return word.end
    if role in ("drop", "taken"):
        kind = Kind.APPEAR if role == "drop" else Kind.REMOVE
        return next(iter(word.where(kind)), None)
    if role == "captured":
        steps = [letter for letter in word.letters if letter.kind is Kind.STEP]
        return word.end if steps and steps[-1].on != "e" else None
    return None
