"""Counting where a rulebook and its reference agree and differ, position by position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from grl.board import Player, Position, Stock
from grl.correspondence import Correspondence
from grl.errors import GrlError, IllegalTurn
from grl.rulebook import Rulebook
from grl.turn import Turn

EXAMPLES = 3
SHAPES = 5
KINDS = ("missing", "elsewhere", "ending", "surplus")


@dataclass(frozen=True)
class Example:
    """A position on which the two sides differ, in the rulebook's pieces and players.

    `elsewhere` lists turns that lead to another position than they should.
    """

    rows: tuple[str, ...]
    to_move: Player
    reserve: Mapping[str, Mapping[str, int]]
    missing: tuple[str, ...] = ()
    surplus: tuple[str, ...] = ()
    elsewhere: tuple[str, ...] = ()
    ending: str = ""


@dataclass(frozen=True)
class Ending:
    """Terminal positions of one kind and result.

    `kind` is what the reference calls it, "" where nobody says. `recognised` and `right` are None
    where the rulebook says nothing; `right` counts those for which it gives these very goals.
    """

    kind: str
    goals: Mapping[Player, int]
    met: int
    recognised: int | None
    right: int | None


@dataclass(frozen=True)
class Comparison:
    """What came out.

    `positions` counts positions with turns, in `single` of which only one legal turn is known;
    `turns` counts the turns of the reference on them, `played` the next positions compared and
    `elsewhere` those that differ. `early` counts positions that the rulebook wrongly calls
    terminal. `initial` says whether both begin alike (None: not asked).
    """

    against: str
    positions: int
    single: int
    turns: int
    missing: int
    surplus: int
    played: int
    elsewhere: int
    early: int
    initial: bool | None
    endings: tuple[Ending, ...]
    missing_shapes: tuple[tuple[str, int], ...]
    surplus_shapes: tuple[tuple[str, int], ...]
    examples: tuple[Example, ...]

    @property
    def same(self) -> bool:
        """Whether no difference was found."""
        return (
            self.missing == self.surplus == self.elsewhere == self.early == 0
            and self.initial is not False
            and all(x in (None, e.met) for e in self.endings for x in (e.recognised, e.right))
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data, with `same`."""
        return {"same": self.same, **asdict(self)}


@dataclass(frozen=True)
class Expected:
    """The position that a turn should lead to; `to_move` is None where it means nothing."""

    cells: str
    stock: Stock
    to_move: Player | None

    @classmethod
    def of(cls, like: Correspondence, after: Position, goes_on: bool) -> Expected:
        cells, stock, _ = after.outcome
        to_move = like.players[after.to_move] if goes_on else None
        return cls(like.cells(cells), like.stock(stock), to_move)

    def met_by(self, position: Position) -> bool:
        cells, stock, to_move = position.outcome
        return (cells, stock) == (self.cells, self.stock) and self.to_move in (None, to_move)


class Tally:
    """Counts what agrees and what differs, position by position."""

    def __init__(self, rulebook: Rulebook) -> None:
        self.rulebook = rulebook
        self.initial: bool | None = None
        self.positions = 0
        self._single = self._turns = self._played = self._elsewhere = self._early = 0
        self._missing: Counter[str] = Counter()
        self._surplus: Counter[str] = Counter()
        self._endings: dict[tuple[str, tuple[tuple[Player, int], ...]], list[int]] = {}
        self._examples: dict[object, tuple[tuple[int, bool], Example]] = {}
        self._kept: Counter[tuple[int, bool]] = Counter()
        self._shown: set[tuple[str, str]] = set()

    def turns(self, here: Position, known: Sequence[Turn]) -> list[Turn]:
        """Compare all legal turns of a position; the known ones that both sides have."""
        self.positions += 1
        self._turns += len(known)
        learned = self._legal(here)
        if self.rulebook.knows_terminal and not learned:
            self._early += 1
            self._note(here, "ending", (), "called terminal, but the game goes on")
        missing, surplus = _difference(here, known, learned)
        self._missing.update(map(shape, missing))
        self._surplus.update(map(shape, surplus))
        if missing:
            self._note(here, "missing", missing)
        if surplus:
            self._note(here, "surplus", surplus)
        absent = set(missing)
        return [turn for turn in known if turn not in absent]

    def single_turn(self, here: Position, turn: Turn, expected: Expected) -> None:
        """Compare a position of which only the turn chosen is known."""
        self.positions += 1
        self._single += 1
        self._turns += 1
        if not self.next(here, turn, expected):
            self._missing[shape(turn)] += 1
            self._note(here, "missing", [turn])

    def next(self, here: Position, turn: Turn, expected: Expected) -> bool:
        """Compare where a turn leads; False when the rulebook doesn't allow it."""
        try:
            after = self.rulebook.play(here, turn)
        except IllegalTurn:
            return False
        self._played += 1
        if not expected.met_by(after):
            self._elsewhere += 1
            self._note(here, "elsewhere", [turn])
        return True

    def ended(self, here: Position, goals: Mapping[Player, int], kind: str = "") -> None:
        """Compare a terminal position, as far as the rulebook says something of endings."""
        counts = self._endings.setdefault((kind, tuple(goals.items())), [0, 0, 0])
        counts[0] += 1
        words = ending_words(kind, goals)
        if self.rulebook.knows_terminal:
            if self.rulebook.is_terminal(here):
                counts[1] += 1
            else:
                self._note(here, "ending", (), f"over ({words}), but not called terminal")
        if self.rulebook.knows_goals:
            found = self.rulebook.goals(here)
            if found == dict(goals):
                counts[2] += 1
            else:
                self._note(here, "ending", (), f"{words}, but called {goal_words(found)}")

    def finish(self, against: str) -> Comparison:
        """Everything counted so far."""
        examples = [x for _, x in sorted(self._examples.values(), key=lambda item: item[0])]
        terminal, goals = self.rulebook.knows_terminal, self.rulebook.knows_goals
        return Comparison(
            against=against,
            positions=self.positions,
            single=self._single,
            turns=self._turns,
            missing=self._missing.total(),
            surplus=self._surplus.total(),
            played=self._played,
            elsewhere=self._elsewhere,
            early=self._early,
            initial=self.initial,
            endings=tuple(
                Ending(kind, dict(key), met, ended if terminal else None, right if goals else None)
                for (kind, key), (met, ended, right) in sorted(self._endings.items())
            ),
            missing_shapes=tuple(self._missing.most_common(SHAPES)),
            surplus_shapes=tuple(self._surplus.most_common(SHAPES)),
            examples=tuple(examples[:EXAMPLES]),
        )

    def _legal(self, here: Position) -> list[Turn]:
        try:
            return self.rulebook.legal(here)
        except GrlError as error:
            raise error.at(rows=here.rows) from None

    def _note(
        self, here: Position, kind: str, turns: Sequence[Turn] = (), ending: str = ""
    ) -> None:
        """Keep a position as an example, unless there are enough like it.

        Those with a shape of turn not yet shown go before the others of their kind.
        """
        shapes = {(kind, shape(turn)) for turn in turns}
        rank = KINDS.index(kind), bool(shapes) and shapes <= self._shown
        known = self._examples.get(here.outcome)
        if known is None:
            if self._kept[rank] >= EXAMPLES:
                return
            known = rank, Example(tuple(here.rows), here.to_move, here.reserve)
        self._kept[rank] += 1
        self._shown |= shapes
        example = known[1]
        changes: dict[str, Any] = {kind: ending or (*getattr(example, kind), *map(str, turns))}
        self._examples[here.outcome] = min(rank, known[0]), replace(example, **changes)


def _difference(
    here: Position, known: Sequence[Turn], learned: Sequence[Turn]
) -> tuple[list[Turn], list[Turn]]:
    """The turns that only the first and only the second side has, with their number.

    The same text is the same turn; only what is left over has to be carried out. A record that
    spells one turn in two ways asks for it once; a rulebook must not generate it twice.
    """
    ours, theirs = Counter(known), Counter(learned)
    missing = list((ours - theirs).elements())
    surplus = list((theirs - ours).elements())
    if not missing:
        return [], surplus
    effects = {_effect(here, turn): turn for turn in learned}
    matched = Counter(effects.get(_effect(here, turn)) for turn in missing)
    left = []
    for turn in surplus:
        if matched[turn] > 0:
            matched[turn] = 0
        else:
            left.append(turn)
    return [turn for turn in missing if _effect(here, turn) not in effects], left


def _effect(here: Position, turn: Turn) -> object:
    """What makes two turns one: first origin square and resulting position.

    Who moves next follows from the position and is compared by playing.
    """
    try:
        return turn.effect(here)
    except IllegalTurn:
        return turn


def goal_words(goals: Mapping[Player, int]) -> str:
    """Goals for people: ``white 100, black 0``."""
    return ", ".join(f"{player} {value}" for player, value in goals.items()) or "nothing"


def ending_words(kind: str, goals: Mapping[Player, int]) -> str:
    """A kind of ending with its goals for people: ``board full, white 50, black 50``."""
    return ", ".join(filter(None, (kind, goal_words(goals))))


def shape(turn: Turn) -> str:
    """The word of a turn without its squares: equal for turns that differ only in place."""
    return "; ".join(" ".join(map(str, s.letters)) for s in turn.segments) or str(turn)
