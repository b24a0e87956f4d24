"""A learned rulebook against something to hold it to: a reference game, or games held out.

Turns are compared by effect (the same first origin square and the same resulting position are
one turn), next positions by playing, endings by what the rulebook says of them, if anything.
Turns that only the rulebook has are counted by the shape of their word, so that one sees which
restriction would explain them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from grl.board import Position
from grl.correspondence import Correspondence, correspond
from grl.games import Game
from grl.progress import Progress, silent
from grl.rulebook import Rulebook
from grl.tally import Comparison, Ending, Example, Expected, Tally
from grl.traces import Play, Ply, Traces
from grl.turn import Turn

PLAYED = 5
MAX_PLIES = 500
IDLE_GAMES = 200
ENDGAME_EVERY = 4

__all__ = [
    "Comparison",
    "Ending",
    "Example",
    "compare_game",
    "compare_traces",
    "fresh_positions",
]


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
    tally = Tally(rulebook)
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
            tally.next(here, turn, Expected.of(like, after, not game.is_terminal(after)))
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
    tally = Tally(rulebook)
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


def _moments(
    rulebook: Rulebook, like: Correspondence, record: Play
) -> Iterator[tuple[Position, Ply, Expected]]:
    """The plies of a game with the rulebook's view of where each begins and should lead.

    Who moves after the last ply is not recorded.
    """
    following = [*(ply.position for ply in record.plies[1:]), record.final]
    last = len(record.plies) - 1
    for number, (ply, after) in enumerate(zip(record.plies, following, strict=True)):
        here = rulebook.position(**like.position(ply.position))
        yield here, ply, Expected.of(like, after, number != last)
