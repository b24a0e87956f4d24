"""Positions to hold a rulebook to: fresh random games, and endings of every kind.

Random play hides endings: a draw, a block or a solved board may come once in a thousand games.
So, once there are positions enough, further games begin near endings, from the starts that the
reference names and from a few plies before an ending already met, and end in the kind that is
wanted as soon as a turn leads there, until each kind of ending with each result has been met often
or nothing new comes of it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

from grl.board import Position
from grl.games import Game
from grl.progress import Progress, silent

MAX_PLIES = 500
IDLE_GAMES = 200
IDLE_ENDINGS = 400
ENDGAME_EVERY = 4
ENDINGS = 50
NEAR_PLIES = 12
WAYS_BACK = 8
NEARNESS = 0.7
LOOKED_AT = 60
LINES_KEPT = 100
MOST_RESULTS = 8
"""Where an ending has more results than these, as with scores, fewer of each are looked for."""

Met = tuple[Position, list[str]]
"""A position with its legal turns, none where it is terminal."""
Kind = tuple[str, tuple[int, ...]]
"""A kind of ending and the goals of the players in turn order."""
Chooser = Callable[[Position, list[str]], str]
"""Chooses one of the legal turns of a position."""


def fresh_positions(
    game: Game,
    positions: int,
    seed: int,
    endings: int = ENDINGS,
    progress: Progress = silent,
) -> Iterator[Met]:
    """Distinct positions of random games with their legal turns, none on terminal ones.

    Up to `positions` of them are not terminal. No game gives more than a twentieth of them; one
    game in `ENDGAME_EVERY` starts near an ending, where the reference names such starts. At the
    end come further terminal positions, until there are `endings` of each kind and result; fewer
    of those of which `IDLE_ENDINGS` games in a row brought no other, and of kinds with more than
    `MOST_RESULTS` results; `progress` counts the games played for that.
    """
    rng = random.Random(f"compare, positions {seed}")
    starts = game.endgames()
    share = -(-positions // 20)
    seen: set[object] = set()
    search = _Endings(game, starts, endings, rng, progress)
    found = idle = games = 0
    while found < positions and idle < IDLE_GAMES:
        games += 1
        near = starts and games % ENDGAME_EVERY == 0
        met = _random_game(game, rng.choice(starts) if near else game.initial, rng, MAX_PLIES)
        fresh = [x for x in met if (x[0].outcome, not x[1]) not in seen]
        idle = 0 if fresh else idle + 1
        ended = [x for x in fresh if not x[1]]
        going = [x for x in fresh if x[1]]
        chosen = sorted(rng.sample(range(len(going)), min(share, len(going), positions - found)))
        found += len(chosen)
        seen.update((x[0].outcome, not x[1]) for x in (*(going[i] for i in chosen), *ended))
        yield from (going[i] for i in chosen)
        yield from ended
        search.note(met)
    yield from search.more()


class _Endings:
    """Endings met so far by kind, with how play came there; looks for more of those too few."""

    def __init__(
        self,
        game: Game,
        starts: Sequence[Position],
        wanted: int,
        rng: random.Random,
        progress: Progress,
    ) -> None:
        self._progress = progress
        self._played_games = 0
        self._game = game
        self._starts = starts
        self._wanted = wanted
        self._rng = rng
        self._met: dict[Kind, set[object]] = {}
        self._ways: dict[Kind, list[list[Position]]] = {}

    def note(self, met: Sequence[Met]) -> Kind | None:
        """Remember how a game ended; the kind, if it is an ending not met before."""
        last, legal = met[-1]
        if legal:
            return None
        kind = _kind(self._game, last)
        known = self._met.setdefault(kind, set())
        if last.outcome in known:
            return None
        known.add(last.outcome)
        ways = self._ways.setdefault(kind, [])
        way = [position for position, _ in met[-1 - WAYS_BACK : -1]]
        if way and len(ways) < LINES_KEPT:
            ways.append(way)
        return kind

    def more(self) -> Iterator[Met]:
        """Terminal positions, until each kind has been met often enough or gives no more."""
        for start in self._starts if self._wanted else ():
            yield from self._played(start)
        given_up: set[Kind] = set()
        idle: dict[Kind, int] = {}
        while poor := sorted(
            kind
            for kind, known in self._met.items()
            if len(known) < self._wanted * self._share(kind) and kind not in given_up
        ):
            for kind in poor:
                before = len(self._met[kind])
                yield from self._played(self._start(kind), kind)
                idle[kind] = idle.get(kind, 0) + 1 if len(self._met[kind]) == before else 0
                if idle[kind] >= IDLE_ENDINGS * self._share(kind):
                    given_up.add(kind)

    def _share(self, kind: Kind) -> float:
        """The part of what is done for a kind that is done where its ending has many results."""
        results = sum(ending == kind[0] for ending, _ in self._met)
        return min(1.0, MOST_RESULTS / results)

    def _start(self, kind: Kind) -> Position:
        """One of the starts that the reference names, or a position shortly before an ending.

        The last positions before it are likeliest: what brings it about then mostly stands yet.
        """
        ways = self._ways[kind]
        if not ways or (self._starts and self._rng.random() < 0.5):
            return self._rng.choice(self._starts or [self._game.initial])
        way = self._rng.choice(ways)
        back = int(self._rng.expovariate(NEARNESS))
        return way[-1 - min(back, len(way) - 1)]

    def _played(self, start: Position, kind: Kind | None = None) -> Iterator[Met]:
        met = _random_game(self._game, start, self._rng, NEAR_PLIES, self._wanted_turn(kind))
        self._played_games += 1
        self._progress("games played for further endings", self._played_games, None)
        if self.note(met) is not None:
            yield met[-1]

    def _wanted_turn(self, kind: Kind | None) -> Chooser:
        """Chooses by chance, but what ends the game in `kind` and has not been met, if it is seen.

        Of many turns only some are looked at.
        """
        game, rng = self._game, self._rng

        def choose(position: Position, legal: list[str]) -> str:
            if kind is None:
                return rng.choice(legal)
            turns = rng.sample(legal, min(LOOKED_AT, len(legal)))
            for turn in turns:
                after = game.play(position, turn)
                if (
                    game.is_terminal(after)
                    and after.outcome not in self._met[kind]
                    and _kind(game, after) == kind
                ):
                    return turn
            return turns[0]

        return choose


def _kind(game: Game, position: Position) -> Kind:
    """What kind of ending a terminal position is."""
    return game.ending(position), tuple(game.goals(position).values())


def _random_game(
    game: Game, start: Position, rng: random.Random, plies: int, choose: Chooser | None = None
) -> list[Met]:
    """The distinct positions of one game of random turns, of so many plies at most."""
    met: dict[object, Met] = {}
    position = start
    for _ in range(plies):
        legal = [] if game.is_terminal(position) else game.legal(position)
        met.setdefault((position.outcome, not legal), (position, legal))
        if not legal:
            break
        turn = rng.choice(legal) if choose is None else choose(position, legal)
        position = game.play(position, turn)
    return list(met.values())
