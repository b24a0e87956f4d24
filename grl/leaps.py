"""The leaps of records, tallied: do they look like slides that were written as one leap?

A language of leaps needs a word for each length that the board has room for. What gives slides
away are leaps of one, two and three times the same step, none over a piece, although pieces lay in
the way of others. So leaps are tallied by who makes them, with the chance that whoever may leap
over pieces never does. Of a knight's leaps it is asked likewise whether one of the two squares that
they may come over was always empty, as it is of horses that a piece beside them hobbles.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import log

from grl.board import Player, Position
from grl.errors import GrlError
from grl.replay import Play
from grl.slides import (
    Group,
    Mover,
    Ray,
    Slides,
    Step,
    Way,
    alone,
    bends_of,
    passes,
    rays_of,
    steps_of,
)
from grl.turn import Turn

SAMPLE = 20_000
"""Turns that are looked at before a notice is given, those listed as legal included."""

_MOST = 64
"""Turns of one position that a sample takes."""

_REMEMBERED = 65_536
_LENGTHS = frozenset({1, 2, 3})
_SHOWN = 3
_FEWEST = 5
_CHANCE = log(1e-3)
_SLIPS = 100
_FEWEST_FLIGHTS = 30
_MOST_BENT = 2_000
"""So many leaps of a group say how likely it is that a square is always empty by chance."""


@dataclass(frozen=True, slots=True)
class Example:
    """A turn of a record: the game's name, the ply, the position before it and the turn."""

    game: str
    ply: int
    position: Position
    turn: str

    def __str__(self) -> str:
        return f"game {self.game}, ply {self.ply}: '{self.turn}'"


@dataclass
class _Bent:
    """What was seen of bent leaps that come over the square of one half: how many there were with
    something on it, and how many other leaps led past an empty square and an occupied one."""

    leaps: int = 0
    over: int = 0
    offers: Counter[tuple[int, int]] = field(default_factory=Counter)

    @property
    def clear(self) -> bool:
        """Whether none comes over a piece, but for slips of the pen."""
        return self.over * _SLIPS <= self.leaps

    @property
    def chance(self) -> float:
        """The logarithm of the chance that a knight's leaps all come over an empty square."""
        return sum(
            count * log(free / (free + blocked))
            for (free, blocked), count in self.offers.items()
            if free
        )


@dataclass
class _Tally:
    """What was seen of a group: lengths, leaps longer than one step, those over pieces."""

    lengths: set[int] = field(default_factory=set)
    ways: set[Way] = field(default_factory=set)
    leaps: int = 0
    over: int = 0
    offers: Counter[tuple[Ray, ...]] = field(default_factory=Counter)
    example: Example | None = None
    shown: int = 0
    leapt: Example | None = None

    @property
    def clear(self) -> bool:
        """Whether there are leaps and they pass over no piece, but for slips of the pen."""
        return self.leaps > 0 and self.over * _SLIPS <= self.leaps

    @property
    def like_slides(self) -> bool:
        """Whether the leaps are as those of slides, by their lengths."""
        return self.clear and self.lengths >= _LENGTHS

    @property
    def chance(self) -> float:
        """The logarithm of the chance that of somebody who may leap over pieces none would."""
        longest = max(self.lengths)
        total = 0.0
        for rays, count in self.offers.items():
            known = [ray for ray in rays if ray.way in self.ways]
            free = sum(length <= longest for ray in known for length in ray.free)
            blocked = sum(length <= longest for ray in known for length in ray.blocked)
            total += count * log(free / (free + blocked))
        return total


class Leaps:
    """The steps of some records, tallied; with a `limit` only of the first so many turns, and
    only of some where a position lists very many."""

    def __init__(self, limit: int | None = None) -> None:
        self._limit = limit
        self._turns = 0
        self._known: set[tuple[Player, str, str]] = set()
        self._tallies: dict[Group, _Tally] = {}
        self._ways: dict[Mover, set[Way]] = {}
        self._examples: dict[Mover, Example] = {}
        self._bent: dict[tuple[Group, bool], _Bent] = {}
        self._bent_examples: dict[Group, Example] = {}

    @property
    def full(self) -> bool:
        """Whether the limit is reached, after which nothing is observed."""
        return self._limit is not None and self._turns >= self._limit

    def observe(self, play: Play) -> None:
        """Add a played game; boards with links are passed over, for there links make the steps."""
        for number, ply in enumerate(play.plies, 1):
            if self.full or ply.position.board.links is not None:
                return
            turns = (ply.turn,) if ply.legal is None else ply.legal
            if self._limit is not None:
                # Reading a long list costs as well, so it counts as more turns than are taken.
                turns = turns[:: 1 + len(turns) // _MOST]
                self._turns += len(ply.legal or ()) // 2
            self._turns += len(turns)
            for text in turns:
                self._observe(text, ply.position, play, number)

    def _observe(self, text: str, position: Position, play: Play, number: int) -> None:
        """Add a turn; equal words of the same piece, without a leap, are looked at once."""
        origin, _, rest = text.partition(" ")
        steps = steps_of(rest)
        if not steps:
            return
        plain = steps[-1].segment == 0 and all(s.length == 1 and not s.bent for s in steps)
        if plain:
            known = position.to_move, position.cells[position.board.square(origin)], rest
            if known in self._known:
                return
            if len(self._known) < _REMEMBERED:
                self._known.add(known)
        self._add(steps, Example(play.id, number, position, text))

    def _add(self, steps: tuple[Step, ...], example: Example) -> None:
        position = example.position
        turn = Turn.parse(example.turn)
        for step in steps:
            group = step.group(position, turn)
            tally = self._tallies.get(group)
            if tally is None:
                tally = self._tallies[group] = _Tally()
            tally.lengths.add(step.length)
            tally.ways.add(step.way)
            if step.on == "e":
                ways = self._ways.setdefault(group.mover, set())
                ways.add((step.way[0] * step.length, step.way[1] * step.length))
                self._examples.setdefault(group.mover, example)
            if step.bent:
                self._bend(group, step, turn, example)
            if step.length == 1:
                continue
            tally.leaps += 1
            if alone(position, turn, step):
                if self._limit is not None:
                    tally.offers[rays_of(position, turn, step)] += 1
                if tally.example is None or (step.length == _SHOWN and tally.shown != _SHOWN):
                    tally.example, tally.shown = example, step.length
            else:
                tally.over += 1
                tally.leapt = tally.leapt or example

    def _bend(self, group: Group, step: Step, turn: Turn, example: Example) -> None:
        position = example.position
        for slanting in (False, True):
            bent = self._bent.setdefault((group, slanting), _Bent())
            bent.leaps += 1
            bent.over += not passes(position, turn, step, slanting=slanting)
            if bent.leaps <= _MOST_BENT:
                bent.offers[bends_of(position, turn, step, slanting=slanting)] += 1
        if group not in self._bent_examples:
            self._bent_examples[group] = example

    def _hobbled(self) -> frozenset[tuple[Group, bool]]:
        """The bent leaps that come over a square that is always empty, by which half is first.

        Whoever makes them is judged by all of them that do, onto whatever they lead.
        """
        found: set[tuple[Group, bool]] = set()
        for slanting in (False, True):
            chances: defaultdict[Mover, float] = defaultdict(float)
            clear = [
                (group, bent)
                for (group, slant), bent in self._bent.items()
                if slant == slanting and bent.clear
            ]
            for group, bent in clear:
                chances[group.mover] += bent.chance
            known = {group for group, _ in found}
            found |= {
                (group, slanting)
                for group, _ in clear
                if chances[group.mover] <= _CHANCE and group not in known
            }
        return frozenset(found)

    def slides(self) -> Slides:
        """What to rewrite: leaps that pass over no piece, where single steps are made as well, and
        those of pieces that are hobbled."""
        short = {
            (group.mover, group.line)
            for group, tally in self._tallies.items()
            if 1 in tally.lengths
        }
        return Slides(
            frozenset(
                group
                for group, tally in self._tallies.items()
                if tally.clear and (group.mover, group.line) in short
            ),
            self._hobbled(),
        )

    def notice(self) -> str | None:
        """One line where turns look as if slides, or flights, were written as leaps, else None."""
        alike = [(g, t) for g, t in sorted(self._tallies.items()) if t.like_slides]
        seen = sum(tally.leaps for _, tally in alike)
        if seen >= _FEWEST and sum(tally.chance for _, tally in alike) <= _CHANCE:
            group, tally = max(alike, key=lambda item: item[1].leaps)
            example = tally.example
            assert example is not None
            proper = self.slides().turn(example.position, example.turn)
            return (
                f"slides look written as one leap: {_whose(group.mover)} goes up to "
                f"{max(tally.lengths)} squares at once, never over a piece, such as in {example}, "
                f"which should read '{proper}'"
            )
        for group, _ in sorted(self._hobbled()):
            example = self._bent_examples[group]
            proper = self.slides().turn(example.position, example.turn)
            if proper != example.turn:
                return (
                    f"steps look written as one leap: what {_whose(group.mover)} passes is always "
                    f"empty, such as in {example}, which should read '{proper}'"
                )
        for mover, ways in sorted(self._ways.items()):
            board = self._examples[mover].position.board
            all_ways = (2 * board.width - 1) * (2 * board.height - 1) - 1
            if len(ways) >= _FEWEST_FLIGHTS and 2 * len(ways) > all_ways:
                example = self._examples[mover]
                return (
                    f"flights look written as leaps: {_whose(mover)} goes by {len(ways)} "
                    f"different displacements, such as in {example}; a piece that may go "
                    "anywhere is written '(@c3 e)'"
                )
        return None

    def report(self) -> Iterator[str]:
        """What rewriting does, a line each: leaps into steps, leaps over pieces left, others."""
        chosen = self.slides().groups
        tallies = sorted(self._tallies.items())
        turned = sum(t.leaps - t.over for group, t in tallies if group in chosen)
        yield f"{turned:,} slides written as leaps become steps"
        bent = [self._bent[each] for each in self._hobbled()]
        if bent:
            leaps = sum(each.leaps - each.over for each in bent)
            yield f"{leaps:,} leaps past a square that is always empty become two steps"
        over = [t for _, t in tallies if t.leapt is not None]
        if over:
            yield (
                f"{sum(t.over for t in over):,} leaps over pieces stay, for they may be genuine, "
                f"such as in {over[0].leapt}"
            )
        others = [t for group, t in tallies if group not in chosen and t.example is not None]
        if others:
            yield (
                f"{sum(t.leaps - t.over for t in others):,} leaps over empty squares stay, for the "
                "same piece leaps over others too or never goes a single step, such as in "
                f"{others[0].example}"
            )


def _whose(mover: Mover) -> str:
    return f"{mover.player}'s {mover.piece}"


def find_slides(sources: Iterable[Iterable[Play]]) -> Leaps:
    """The leaps of all plays of some sources; its `slides` says which to rewrite."""
    leaps = Leaps()
    for plays in sources:
        for play in plays:
            leaps.observe(play)
    return leaps


def notice(plays: Iterable[Play], limit: int = SAMPLE) -> str | None:
    """`Leaps.notice` of the first turns of some plays; what can't be read ends them."""
    leaps = Leaps(limit)
    try:
        for play in plays:
            leaps.observe(play)
            if leaps.full:
                break
    except GrlError:
        pass
    return leaps.notice()
