"""Positions worth a question: self-play by what all theories agree on, until they don't.

A game goes on from the initial position or a recorded one, by chance among the turns that the
model holds legal. It stops at the first position on which theories differ, or of which a feature
holds that never did in a record: up to there all theories say that it can be reached, and nothing
speaks against it. Beyond a line of three that nobody saw there may be no game at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import NamedTuple

from grl.ask.committee import Committee, Saying, disagreement
from grl.board import EMPTY, Position
from grl.model import Feature, Model
from grl.records import Records
from grl.rules.cases import PositionCase, Setting, TurnCase
from grl.rules.endings import position_features
from grl.rules.features import compile_position
from grl.turn import Turn, play

GAMES = 100
PLIES = 40
VISITS = 900
"""Positions looked at for one set of questions."""
FORAYS = 0.5
"""The part of the games that begin at recorded positions; the others at the initial one."""
OPENING = 200
"""Plies of a game from the initial position."""
MANNERS = ("chance", "last", "last", "clear")
"""How games are played, as often as a manner stands here: any turn, or the first of several by
which the game goes on, or that of them which leaves most squares empty."""
WAYS = 12
"""How many turns are looked at where the first won't do."""


class Trait(NamedTuple):
    """A feature of positions and whether it holds."""

    feature: Feature
    holds: bool


@dataclass(frozen=True)
class Sight:
    """A position met, what theories say of it, and how many plies it is from a recorded one."""

    position: Position
    sayings: tuple[Saying, ...]
    plies: int
    traits: frozenset[object]

    @property
    def dispute(self) -> float:
        """How much theories differ, in bits."""
        return disagreement(self.sayings)


class Scout:
    """Looks for positions; `seen` counts the traits of recorded and of asked ones."""

    def __init__(self, committee: Committee, records: Records, rng: Random) -> None:
        self._committee = committee
        self._rng = rng
        self._recorded = [_bare(moment.position) for moment in records.sorted_moments()]
        self.known = {p.outcome for p in self._recorded}
        self.known |= {end.position.outcome for end in records.sorted_ends()}
        self._traits = Traits(committee.model, committee.theories[0].setting)
        self.seen: Counter[object] = Counter()
        for moment in records.sorted_moments():
            words = frozenset(map(word_of, moment.turns))
            self.seen.update(self._traits.of(moment.position, words))
        for end in records.sorted_ends():
            self.seen.update(self._traits.of(end.position, frozenset()))

    def sights(self) -> list[Sight]:
        """The positions met in some games, each once, none recorded."""
        found: dict[object, Sight] = {}
        visits = 0
        for _ in range(GAMES):
            near = self._recorded and self._rng.random() < FORAYS
            start = self._rng.choice(self._recorded) if near else self._committee.model.initial
            for sight in self._game(_bare(start), PLIES if near else OPENING):
                visits += 1
                if sight.position.outcome not in self.known:
                    found.setdefault(sight.position.outcome, sight)
            if visits >= VISITS:
                break
        return list(found.values())

    def _game(self, start: Position, most: int) -> list[Sight]:
        """The positions of one game, up to the first on which theories differ."""
        committee = self._committee
        position, plies = start, 0
        met: list[Sight] = []
        manner = self._rng.choice(MANNERS)
        for _ in range(most):
            plies = 0 if position.outcome in self.known else plies + 1
            sayings, cases = committee.says(position)
            words = frozenset(word_of(str(case.turn)) for case in cases)
            found = self._traits.of(position, words)
            met.append(Sight(position, sayings, plies, found))
            if not cases or disagreement(sayings) > 0 or self._strange(found):
                break
            position = self._next(position, cases, manner)
        return met

    def _strange(self, found: frozenset[object]) -> bool:
        """Whether a feature of positions is met that was never seen to hold, or never to fail."""
        return any(isinstance(t, Trait) and not self.seen[t] for t in found)

    def _next(self, position: Position, cases: Sequence[TurnCase], manner: str) -> Position:
        """Where a turn drawn by chance leads, or the best of several that are drawn.

        Random games seldom last until no turn is left, or no piece: so some go out of the way of
        other ends, and some of these clear the board.
        """
        following = [self._follow(position, self._rng.choice(cases))]
        if manner == "chance":
            return following[0]
        following += [self._follow(position, self._rng.choice(cases)) for _ in range(WAYS - 1)]
        if manner == "clear":
            following.sort(key=lambda p: -p.cells.count(EMPTY))
        going = (p for p in following if not self._committee.says(p).over)
        return next(going, following[0])

    def _follow(self, position: Position, case: TurnCase) -> Position:
        after = play(position, case.turn)
        mover = self._committee.theories[0].follower(position, case.turn, after)
        return _bare(replace(after, to_move=mover))

    def note(self, sight: Sight) -> None:
        """A position was asked: it is known from now on."""
        self.seen.update(sight.traits)
        self.known.add(sight.position.outcome)

    def new_piece(self, sight: Sight) -> str | None:
        """The name of a piece on the board that its owner, who is to move, was never seen with."""
        position = sight.position
        for key, piece in position.equipment.pieces.items():
            mine = piece.player == position.to_move and key in position.cells
            if mine and not self.seen[("on board", position.to_move, key)]:
                return f"{piece.type} ({key})"
        return None

    def novelty(self, sight: Sight) -> float:
        """How unlike all that was seen a position is: the sum of its rare traits."""
        return sum(1.0 / (1 + self.seen[trait]) ** 2 for trait in sight.traits)


class Traits:
    """What makes a position rare: in the terms in which rules could speak of it.

    Which features of positions hold, which pieces the mover has, how many there are, and what
    letters its turns have.
    """

    def __init__(self, model: Model, setting: Setting) -> None:
        self._setting = setting
        self._features = [
            (feature, compile_position(setting, feature))
            for feature, _ in position_features(setting, model, (), 0)
            if feature[0] not in ("stuck", "passed", "mover")
        ]

    def of(self, position: Position, words: frozenset[object]) -> frozenset[object]:
        """The traits of a position in which turns with such words are legal."""
        mover = position.to_move
        case = PositionCase.of(self._setting, position)
        counts = Counter(position.cells)
        found: set[object] = {("word", mover, word) for word in words}
        found |= {Trait(feature, test(case)) for feature, test in self._features}
        for key in position.equipment.pieces:
            found.add(("count", mover, key, counts[key]))
            if counts[key]:
                found.add(("on board", mover, key))
        return frozenset(found)


def word_of(text: str) -> object:
    """A turn without its squares and directions: what its letters do."""
    segments = Turn.parse(text).segments
    return tuple("".join(x.on + x.piece for x in segment.letters) for segment in segments)


def _bare(position: Position) -> Position:
    """A position without the game so far: a question doesn't tell of that."""
    return replace(position, moved=frozenset(), last=None)


def unknown_end(sayings: Sequence[Saying]) -> bool:
    """Whether the model takes a game to be over and has no goals for it."""
    return sayings[0] == ("over", None)
