"""Positions worth a question: self-play by what all theories agree on, until they don't.

A game goes on from the initial position or a recorded one, by chance among the turns that the
model holds legal. It stops at the first position on which theories differ, or of which a feature
holds that never did in a record: up to there all theories say that it can be reached, and nothing
speaks against it. Beyond a line of three that nobody saw there may be no game at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from grl.ask.committee import Committee, Saying, disagreement
from grl.ask.traits import Trait, Traits
from grl.board import EMPTY, Position
from grl.model import Model
from grl.records import Records
from grl.rules.features.cases import TurnCase
from grl.turn import Turn, play

GAMES = 100
PLIES = 40
VISITS = 900
"""Positions looked at for one set of questions."""
FORAYS = 0.5
"""The part of the games that begin at recorded positions; the others at the initial one."""
OPENING = 200
"""Plies of a game from the initial position."""
MANNERS = ("chance", "last", "last", "clear", "cross")
"""How games are played, as often as a manner stands here: any turn, or the first of several by
which the game goes on, or of these the one that leaves most squares empty, or goes furthest ahead.
"""
WAYS = 12
"""How many turns are looked at where the first won't do."""

MOMENTS = 2_000
"""Recorded positions whose traits are counted."""
TURNS = 200
"""Turns of a position that give it traits."""
DRAWN = 8
"""Recorded positions of which the emptiest gets a piece that nobody saw."""
UNSURE = 0.5
"""What an automaton that lacks data adds to the novelty of a position where it has a turn."""


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
        self._unsure = frozenset(_unsure(committee.model))
        self.asked: Counter[tuple[str, str]] = Counter()
        self._recorded = [_bare(moment.position) for moment in records.sorted_moments()]
        self.known = {p.outcome for p in self._recorded}
        self.known |= {end.position.outcome for end in records.sorted_ends()}
        self._traits = Traits(committee.model, committee.theories[0].setting)
        self.seen: Counter[object] = Counter()
        self._traits.look_at(moment.position for moment in records.sorted_moments()[:MOMENTS])
        self._traits.look_at(end.position for end in records.sorted_ends()[:MOMENTS])
        for moment in records.sorted_moments()[:MOMENTS]:
            turns = [Turn.parse(text) for text in sorted(moment.turns)[:TURNS]]
            self.seen.update(self._traits.of(moment.position, turns))
        for end in records.sorted_ends()[:MOMENTS]:
            self.seen.update(self._traits.of(end.position, ()))

    def sights(self) -> list[Sight]:
        """The positions met in some games, each once, none recorded; and those made up."""
        found = {sight.position.outcome: sight for sight in self.planted()}
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

    def planted(self) -> Iterator[Sight]:
        """Recorded positions in which a piece stands that its owner was never seen with.

        Where nobody saw a king made the model can't make one, nor play to where there is one.
        """
        for key, piece in self._committee.model.equipment.pieces.items():
            if piece.player is None or self.seen["on board", piece.player, key]:
                continue
            mine = self._traits.owned(piece.player)
            fitting = [
                p for p in self._recorded if p.to_move == piece.player and mine & set(p.cells)
            ]
            if fitting:
                drawn = self._rng.sample(fitting, min(DRAWN, len(fitting)))
                start = max(drawn, key=lambda p: p.cells.count(EMPTY))
                at = self._rng.choice([i for i, c in enumerate(start.cells) if c in mine])
                cells = start.cells[:at] + key + start.cells[at + 1 :]
                yield self._sight(replace(start, cells=cells), 1)

    def _sight(self, position: Position, plies: int) -> Sight:
        sayings, cases = self._committee.says(position)
        found = self._traits.of(position, [case.turn for case in cases[:TURNS]])
        return Sight(position, sayings, plies, found)

    def _game(self, start: Position, most: int) -> list[Sight]:
        """The positions of one game, up to the first on which theories differ."""
        committee = self._committee
        position, plies = start, 0
        met: list[tuple[Position, int]] = []
        manner = self._rng.choice(MANNERS)
        for _ in range(most):
            plies = 0 if position.outcome in self.known else plies + 1
            met.append((position, plies))
            sayings, cases = committee.says(position)
            if not cases or disagreement(sayings) > 0:
                break
            position = self._next(position, cases, manner)
        self._traits.look_at(each for each, _ in met)
        found: list[Sight] = []
        for each, number in met:
            found.append(self._sight(each, number))
            if self._strange(found[-1].traits):
                break
        return found

    def _strange(self, found: frozenset[object]) -> bool:
        """Whether a feature of positions is met that was never seen to hold, or never to fail."""
        return any(isinstance(t, Trait) and not self.seen[t] for t in found)

    def _next(self, position: Position, cases: Sequence[TurnCase], manner: str) -> Position:
        """Where a turn drawn by chance leads, or the best of several that are drawn.

        Random games seldom last until no turn is left, or no piece: so some go out of the way of
        other ends, and some of these clear the board, or take the pieces across it.
        """
        drawn = [self._rng.choice(cases) for _ in range(1 if manner == "chance" else WAYS)]
        if manner == "chance":
            return self._follow(position, drawn[0])
        if manner == "clear":
            drawn.sort(key=lambda case: -case.candidate.cells.count(EMPTY))
        if manner == "cross":
            drawn.sort(key=self._traits.behind)
        following = (self._follow(position, case) for case in drawn)
        going = (after for after in following if not self._committee.says(after).over)
        return next(going, None) or self._follow(position, drawn[0])

    def _follow(self, position: Position, case: TurnCase) -> Position:
        after = play(position, case.turn)
        mover = self._committee.theories[0].follower(position, case.turn, after)
        return _bare(replace(after, to_move=mover))

    def note(self, sight: Sight) -> None:
        """A position was asked: it is known from now on."""
        self.seen.update(sight.traits)
        position = sight.position
        self.asked.update((position.to_move, key) for key in set(position.cells))
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
        """How unlike all that was seen a position is: the sum of its rare traits.

        A position where pieces are to move whose automata lack data counts for more.
        """
        rare = sum(1.0 / (1 + self.seen[trait]) ** 2 for trait in sight.traits)
        position = sight.position
        doubtful = sum(
            1.0 / (1 + self.asked[mover, holds])
            for mover, holds in self._unsure
            if mover == position.to_move and holds in position.cells
        )
        return rare + UNSURE * doubtful


def _unsure(model: Model) -> Iterator[tuple[str, str]]:
    """For automata that lack data, by the report of the learning: the mover, and what they lift."""
    sure = {item["key"]: item["sure"] for item in model.report.get("automata", ())}
    for dfa in model.automata:
        if dfa.key.holds != EMPTY and not sure.get(str(dfa.key), True):
            yield dfa.key.mover, dfa.key.holds


def _bare(position: Position) -> Position:
    """A position without the game so far: a question doesn't show that."""
    return replace(position, moved=frozenset(), last=None, trail=None)


def unknown_end(sayings: Sequence[Saying]) -> bool:
    """Whether the model takes a game to be over and has no goals for it."""
    return sayings[0] == ("over", None)
