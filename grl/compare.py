"""A learned rulebook against something to hold it to: a reference game, or games held out.

Turns are compared by effect (the same first origin square and the same resulting position are
one turn), next positions by playing, endings by what the rulebook says of them, if anything.
Turns that only the rulebook has are counted by the shape of their word, so that one sees which
restriction would explain them.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from grl.board import Player, Position, Stock
from grl.correspondence import Correspondence, correspond
from grl.errors import GrlError, IllegalTurn
from grl.games import Game
from grl.progress import Progress, silent
from grl.rulebook import Rulebook, origin_of
from grl.traces import Play, Ply, Traces
from grl.turn import Turn, play

EXAMPLES = 3
SHAPES = 5
PLAYED = 3
MAX_PLIES = 500
IDLE_GAMES = 200
ENDGAME_EVERY = 4


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
    """Terminal positions of one result; `recognised` and `right` are None where nothing is said.

    `right` counts those for which the rulebook gives these very goals.
    """

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
    terminal. `initial` tells whether both begin alike (None: not asked).
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


def compare_game(
    rulebook: Rulebook,
    game: Game,
    positions: int = 1000,
    seed: int = 0,
    progress: Progress = silent,
) -> Comparison:
    """Compare with a reference on up to `positions` distinct positions of fresh random games.

    Terminal positions met on the way come in addition. Raises `BoardError` where the two can't
    be brought together.
    """
    like = correspond(game.initial, rulebook.initial)
    tally = _Tally(rulebook)
    start = rulebook.position(**like.position(game.initial))
    tally.initial = start.outcome == rulebook.initial.outcome
    rng = random.Random(f"compare, turns to play {seed}")
    for position, legal in fresh_positions(game, positions, seed):
        here = rulebook.position(**like.position(position))
        if not legal:
            tally.ended(here, like.goals(game.goals(position)))
            continue
        originals = {like.turn(turn): turn for turn in map(Turn.parse, legal)}
        matched = tally.turns(here, list(originals))
        for turn in rng.sample(matched, min(PLAYED, len(matched))):
            after = game.play(position, originals[turn])
            tally.next(here, turn, _Expected.of(like, after, not game.is_terminal(after)))
        progress("comparing", tally.positions, positions)
    return tally.finish(game.name)


def compare_traces(
    rulebook: Rulebook,
    traces: Traces,
    positions: int | None = None,
    progress: Progress = silent,
) -> Comparison:
    """Compare with recorded games, on up to `positions` distinct positions (None: all).

    Where a record lists all legal turns they are compared; where it knows only the turn that was
    chosen, the rulebook must allow that one.
    """
    like = correspond(traces.header.initial, rulebook.initial)
    tally = _Tally(rulebook)
    seen: set[object] = set()
    for record in traces:
        for here, ply, expected in _moments(rulebook, like, record):
            turn = like.turn(Turn.parse(ply.turn))
            key = here.outcome if ply.legal is not None else (here.outcome, turn)
            if key in seen:
                continue
            seen.add(key)
            if ply.legal is None:
                tally.single_turn(here, turn, expected)
            else:
                matched = tally.turns(here, [like.turn(Turn.parse(text)) for text in ply.legal])
                if turn in matched:
                    tally.next(here, turn, expected)
            progress("comparing", tally.positions, positions)
        if record.end == "terminal" and record.goals is not None:
            last = rulebook.position(**like.position(record.final))
            if ("ended", last.outcome) not in seen:
                seen.add(("ended", last.outcome))
                tally.ended(last, like.goals(record.goals))
        if positions is not None and tally.positions >= positions:
            break
    return tally.finish(traces.header.game)


def fresh_positions(game: Game, positions: int, seed: int) -> Iterator[tuple[Position, list[str]]]:
    """Distinct positions of random games with their legal turns, none on terminal ones.

    Up to `positions` of them are not terminal. No game gives more than a twentieth of them; one
    game in `ENDGAME_EVERY` starts near an ending, where the reference names such starts.
    """
    rng = random.Random(f"compare, positions {seed}")
    starts = game.endgames()
    share = -(-positions // 20)
    seen: set[object] = set()
    found = idle = games = 0
    while found < positions and idle < IDLE_GAMES:
        games += 1
        near = starts and games % ENDGAME_EVERY == 0
        met = _random_game(game, rng.choice(starts) if near else game.initial, rng)
        fresh = [x for x in met if (x[0].outcome, not x[1]) not in seen]
        idle = 0 if fresh else idle + 1
        ended = [x for x in fresh if not x[1]]
        going = [x for x in fresh if x[1]]
        chosen = sorted(rng.sample(range(len(going)), min(share, len(going), positions - found)))
        found += len(chosen)
        seen.update((x[0].outcome, not x[1]) for x in (*(going[i] for i in chosen), *ended))
        yield from (going[i] for i in chosen)
        yield from ended


def _random_game(
    game: Game, start: Position, rng: random.Random
) -> list[tuple[Position, list[str]]]:
    """The distinct positions of one game of random turns."""
    met: dict[object, tuple[Position, list[str]]] = {}
    position = start
    for _ in range(MAX_PLIES):
        legal = [] if game.is_terminal(position) else game.legal(position)
        met.setdefault((position.outcome, not legal), (position, legal))
        if not legal:
            break
        position = game.play(position, rng.choice(legal))
    return list(met.values())


def shape(turn: Turn) -> str:
    """The word of a turn without its squares: equal for turns that differ only in place."""
    return "; ".join(" ".join(map(str, s.letters)) for s in turn.segments) or str(turn)


@dataclass(frozen=True)
class _Expected:
    """The position that a turn should lead to; `to_move` is None where it means nothing."""

    cells: str
    stock: Stock
    to_move: Player | None

    @classmethod
    def of(cls, like: Correspondence, after: Position, goes_on: bool) -> _Expected:
        cells, stock, _ = after.outcome
        to_move = like.players[after.to_move] if goes_on else None
        return cls(like.cells(cells), like.stock(stock), to_move)

    def met_by(self, position: Position) -> bool:
        cells, stock, to_move = position.outcome
        return (cells, stock) == (self.cells, self.stock) and self.to_move in (None, to_move)


def _moments(
    rulebook: Rulebook, like: Correspondence, record: Play
) -> Iterator[tuple[Position, Ply, _Expected]]:
    """The plies of a game with the rulebook's view of where each begins and should lead.

    Who moves after the last ply is not recorded.
    """
    following = [*(ply.position for ply in record.plies[1:]), record.final]
    last = len(record.plies) - 1
    for number, (ply, after) in enumerate(zip(record.plies, following, strict=True)):
        here = rulebook.position(**like.position(ply.position))
        yield here, ply, _Expected.of(like, after, number != last)


class _Tally:
    """Counts what agrees and what differs, position by position."""

    def __init__(self, rulebook: Rulebook) -> None:
        self.rulebook = rulebook
        self.initial: bool | None = None
        self.positions = 0
        self._single = self._turns = self._played = self._elsewhere = self._early = 0
        self._missing: Counter[str] = Counter()
        self._surplus: Counter[str] = Counter()
        self._endings: dict[tuple[tuple[Player, int], ...], list[int]] = {}
        self._examples: dict[object, Example] = {}
        self._kinds: Counter[str] = Counter()

    def turns(self, here: Position, known: Sequence[Turn]) -> list[Turn]:
        """Compare all legal turns of a position; the known ones that both sides have."""
        self.positions += 1
        self._turns += len(known)
        learned = self._legal(here)
        if self.rulebook.knows_terminal and self.rulebook.is_terminal(here):
            self._early += 1
            self._note(here, "ending", ending="called terminal, but the game goes on")
        missing, surplus = _difference(here, known, learned)
        self._missing.update(map(shape, missing))
        self._surplus.update(map(shape, surplus))
        if missing:
            self._note(here, "missing", missing=tuple(map(str, missing)))
        if surplus:
            self._note(here, "surplus", surplus=tuple(map(str, surplus)))
        absent = set(missing)
        return [turn for turn in known if turn not in absent]

    def single_turn(self, here: Position, turn: Turn, expected: _Expected) -> None:
        """Compare a position of which only the turn chosen is known."""
        self.positions += 1
        self._single += 1
        self._turns += 1
        if not self.next(here, turn, expected):
            self._missing[shape(turn)] += 1
            self._note(here, "missing", missing=(str(turn),))

    def next(self, here: Position, turn: Turn, expected: _Expected) -> bool:
        """Compare where a turn leads; False when the rulebook doesn't allow it."""
        try:
            after = self.rulebook.play(here, turn)
        except IllegalTurn:
            return False
        self._played += 1
        if not expected.met_by(after):
            self._elsewhere += 1
            self._note(here, "elsewhere", elsewhere=(str(turn),))
        return True

    def ended(self, here: Position, goals: Mapping[Player, int]) -> None:
        """Compare a terminal position, as far as the rulebook says something of endings."""
        counts = self._endings.setdefault(tuple(goals.items()), [0, 0, 0])
        counts[0] += 1
        words = goal_words(goals)
        if self.rulebook.knows_terminal:
            if self.rulebook.is_terminal(here):
                counts[1] += 1
            else:
                self._note(here, "ending", ending=f"over ({words}), but not called terminal")
        if self.rulebook.knows_goals:
            found = self.rulebook.goals(here)
            if found == dict(goals):
                counts[2] += 1
            else:
                self._note(here, "ending", ending=f"{words}, but called {goal_words(found)}")

    def finish(self, against: str) -> Comparison:
        """Everything counted so far."""
        rank = {"missing": 0, "elsewhere": 1, "ending": 2, "surplus": 3}
        examples = sorted(
            self._examples.values(),
            key=lambda x: min(n for kind, n in rank.items() if getattr(x, kind)),
        )
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
                Ending(dict(key), met, ended if terminal else None, right if goals else None)
                for key, (met, ended, right) in sorted(self._endings.items())
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

    def _note(self, here: Position, kind: str, **difference: Any) -> None:
        """Keep a position as an example, unless there are enough of its kind."""
        example = self._examples.get(here.outcome)
        if example is None:
            if self._kinds[kind] >= EXAMPLES:
                return
            example = Example(tuple(here.rows), here.to_move, here.reserve)
        self._kinds[kind] += 1
        self._examples[here.outcome] = replace(example, **difference)


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
        cells, stock, _ = play(here, turn).outcome
    except IllegalTurn:
        return turn
    return origin_of(turn), cells, stock


def goal_words(goals: Mapping[Player, int]) -> str:
    """Goals for people: ``white 100, black 0``."""
    return ", ".join(f"{player} {value}" for player, value in goals.items()) or "nothing"
