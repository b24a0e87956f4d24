"""Whether an engine plays as the reference implementation does, position by position.

The reference is a `Rulebook` that plays in Python. Of a position the turns are compared, their
order included, what each of them leaves, whether the game is over, goals, and hashes. An engine
that finds turns in several ways is also compared with itself: turns counted and turns played, the
state that a turn leads to and that of its position, and random games. Whatever differs is a
`Difference`, which says all that is needed to see it again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from inspect import signature
from itertools import product
from typing import Any, Protocol
from unittest.mock import patch

from grl.board import Position
from grl.engine import engine as engines
from grl.errors import SearchError
from grl.model import Model
from grl.rulebook import Rulebook
from grl.turn import Turn

SUCCESSORS = 250
"""Turns of a position that are played, at most."""
GAMES, PART, PLIES = 40, 8, 60
"""Random games, how many of them a thread takes at a time, and their plies at most."""


class State(Protocol):
    """A state of an engine; hashable."""

    @property
    def over(self) -> bool: ...

    def count(self) -> int: ...

    def turns(self) -> list[str]: ...

    def play(self, number: int) -> State: ...

    def goals(self) -> Mapping[str, int]: ...

    def position(self) -> Position: ...


class Engine(Protocol):
    """As much of an engine as is compared."""

    def state(self, position: Position) -> State: ...

    def perft(self, state: Any, depth: int) -> int: ...


def reference_of(model: Model) -> Rulebook:
    """The rulebook that plays in Python."""
    plain = {"compiled": False} if "compiled" in signature(Rulebook).parameters else {}
    return Rulebook(model, **plain)


@dataclass(frozen=True)
class Difference:
    """One thing that an engine does otherwise; `what` is one of a few words."""

    what: str
    game: str
    position: Mapping[str, object]
    expected: object
    found: object

    def __str__(self) -> str:
        return (
            f"{self.game}: {self.what} differ in {self.position}\n"
            f"  expected {self.expected}\n  found    {self.found}"
        )


@dataclass
class Met:
    """What comparisons have met, and the hashes of states so far, for one model.

    `collisions` counts states on different boards, or with other hands or another player to move,
    that share a hash.
    """

    counts: Counter[str] = field(default_factory=Counter)
    collisions: int = 0
    by_hash: dict[int, object] = field(default_factory=dict)

    def hashed(self, number: int, position: Position) -> None:
        """Note the hash of a position's state."""
        if self.by_hash.setdefault(number, position.outcome) != position.outcome:
            self.collisions += 1
        self.counts["hashes"] += 1


def compare(
    reference: Rulebook, engine: Engine, positions: Iterable[Position], met: Met | None = None
) -> Iterator[Difference]:
    """All differences on some positions; those in which the reference gives up are passed over."""
    met = Met() if met is None else met
    for position in positions:
        try:
            turns = reference.legal(position)
            goals = {} if turns else reference.goals(position)
        except SearchError:
            met.counts["given up"] += 1
            continue
        yield from _differences(reference, engine, position, turns, goals, met)
        met.counts["positions"] += 1
        met.counts["turns"] += len(turns)
        met.counts["over"] += not turns
        met.counts["goals"] += bool(goals)
    if met.collisions > 2 + met.counts["hashes"] // 1000:
        yield Difference("hashes", reference.model.game, {}, "few alike", f"{met.collisions} alike")


def _differences(
    reference: Rulebook,
    engine: Engine,
    position: Position,
    turns: list[Turn],
    goals: Mapping[str, int],
    met: Met,
) -> Iterator[Difference]:
    whole = reference.looks_back

    def difference(what: str, expected: object, found: object) -> Difference:
        game = reference.model.game
        return Difference(what, game, position.to_dict(trail=whole), expected, found)

    state = engine.state(position)
    again = _data(state.position(), whole)
    if again != _data(position, whole):
        yield difference("positions", _data(position, whole), again)
    expected, found = [str(turn) for turn in turns], list(state.turns())
    if sorted(expected) != sorted(found):
        missing = Counter(expected) - Counter(found)
        surplus = Counter(found) - Counter(expected)
        yield difference("turns", f"also {[*missing]}", f"also {[*surplus]}")
        return
    if expected != found:
        yield difference("orders", expected, found)
        return
    if state.count() != len(expected):
        yield difference("counts", len(expected), state.count())
        return
    if state.over != (not expected):
        yield difference("ends", not expected, state.over)
        return
    if not expected and dict(state.goals()) != dict(goals):
        yield difference("goals", dict(goals), dict(state.goals()))
    stride = max(1, -(-len(turns) // SUCCESSORS))
    # Of very many turns those at regular distances, the last one among them.
    for number in range(len(turns) - 1, -1, -stride):
        turn = turns[number]
        after, reached = reference.after(position, turn), state.play(number)
        left = _data(reached.position(), whole)
        if left != _data(after, whole):
            yield difference("successors", (str(turn), _data(after, whole)), left)
            return
        if hash(reached) != hash(engine.state(after)):
            yield difference("hashes", f"after '{turn}' as from its position", "another")
            return
        if reached != engine.state(after):
            yield difference("states", f"after '{turn}' as from its position", "another")
            return
        met.hashed(hash(reached), after)
    if 0 < len(turns) <= SUCCESSORS:
        total = sum(state.play(number).count() for number in range(len(turns)))
        counted = engine.perft(state, 2)
        if counted != total:
            yield difference("sequences", total, counted)


def compare_games(reference: Rulebook, engine: Any, position: Position) -> Iterator[Difference]:
    """What is wrong with random games of an engine from a position."""

    def difference(what: str, expected: object, found: object) -> Difference:
        data = position.to_dict(trail=reference.looks_back)
        return Difference(what, reference.model.game, data, expected, found)

    start = engine.state(position)
    with patch.object(engines, "CHUNK", PART):
        runs = [
            engine.playouts(GAMES, seed=3, threads=n, start=start, most=PLIES) for n in (1, 1, 2)
        ]
    first, *others = ((run["plies"], run["goals"].tolist()) for run in runs)
    for other in others:
        if other != first:
            yield difference("random games", first, other)
    rules, players = reference.model.rules, reference.model.equipment.players
    unknown = (-1,) * len(players)
    known = {unknown}
    for rule, turned in product(rules.endings if rules is not None else (), range(len(players))):
        known.add(rule.value[turned:] + rule.value[:turned])
    if first[0] > GAMES * PLIES or len(first[1]) != GAMES or not known >= set(map(tuple, first[1])):
        yield difference("random games", f"{GAMES} games of goals {sorted(known)}", first)
    # A second turn is played only where the first one has not ended the game.
    ends = [start.play(n) for n in range(start.count())] or [start]
    goals = {tuple(e.goals().get(p, -1) for p in players) if e.over else unknown for e in ends}
    run = engine.playouts(GAMES, seed=5, start=start, most=2)
    if not goals >= set(map(tuple, run["goals"].tolist())):
        yield difference("ends of games", sorted(goals), run["goals"].tolist())
    least = 0 if start.over else 1
    most = least and 1 + any(not end.over for end in ends)
    if not least * GAMES <= run["plies"] <= most * GAMES:
        yield difference("plies", f"{least} to {most} a game", run["plies"])


def _data(position: Position, trail: bool) -> object:
    """A position as plain data; the trail only where rules ask for it."""
    return position.to_dict(trail=trail)


# A rulebook as an engine: to try the comparison, and what an engine that is none would be.


@dataclass(frozen=True)
class PlainState:
    """A position that a rulebook plays on from."""

    rulebook: Rulebook
    at: Position

    @cached_property
    def legal(self) -> list[Turn]:
        """The legal turns, asked for once."""
        return self.rulebook.legal(self.at)

    @property
    def over(self) -> bool:
        return not self.legal

    def count(self) -> int:
        return len(self.legal)

    def turns(self) -> list[str]:
        return [str(turn) for turn in self.legal]

    def play(self, number: int) -> PlainState:
        return type(self)(self.rulebook, self.rulebook.after(self.at, self.legal[number]))

    def goals(self) -> Mapping[str, int]:
        return self.rulebook.goals(self.at)

    def position(self) -> Position:
        return self.at

    def __hash__(self) -> int:
        return hash(self.at)


@dataclass(frozen=True)
class PlainEngine:
    """The reference implementation behind the interface of engines; `kind` makes its states."""

    rulebook: Rulebook
    kind: type[PlainState] = PlainState

    def state(self, position: Position) -> PlainState:
        return self.kind(self.rulebook, position)

    def perft(self, state: PlainState, depth: int) -> int:
        """The number of sequences of turns."""
        if depth == 0:
            return 1
        return sum(self.perft(state.play(n), depth - 1) for n in range(len(state.turns())))
