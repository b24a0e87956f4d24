"""A learned rulebook against something to hold it to: a reference game, or games held out.

Turns are compared by effect (the same first origin square and the same resulting position are
one turn), next positions by playing, endings by what the rulebook says of them, if anything.
Turns that only the rulebook has are counted by the shape of their word, so that one sees which
restriction would explain them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from grl.board import Player, Position
from grl.correspondence import Correspondence, correspond
from grl.fresh import ENDINGS, fresh_positions
from grl.games import Game
from grl.progress import Progress, silent
from grl.rulebook import Rulebook
from grl.tally import Comparison, Ending, Example, Expected, Tally
from grl.traces import Play, Ply, Traces
from grl.trail import Trail
from grl.turn import Turn

PLAYED = 5

__all__ = [
    "Comparison",
    "Ending",
    "Example",
    "as_reached",
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
    endings: int = ENDINGS,
) -> Comparison:
    """Compare with a reference on up to `positions` distinct positions of fresh random games.

    Terminal positions come in addition: those met on the way, and more until there are `endings`
    of each kind and result, as far as the game has them. Raises `BoardError` where the two can't
    be brought together.
    """
    like = correspond(game.initial, rulebook.initial)
    tally = Tally(rulebook)
    looks = rulebook.looks_back
    start = rulebook.position(**like.position(game.initial, trail=looks))
    tally.initial = start.outcome == rulebook.initial.outcome
    rng = random.Random(f"compare, turns to play {seed}")
    for position, legal in fresh_positions(game, positions, seed, endings, progress):
        if not legal:
            here = as_reached(rulebook, like, position)
            tally.ended(here, like.goals(game.goals(position)), game.ending(position))
            continue
        here = rulebook.position(**like.position(position, trail=looks))
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
            last = as_reached(rulebook, like, record.final)
            if ("ended", last.outcome) not in seen:
                seen.add(("ended", last.outcome))
                tally.ended(last, like.goals(record.goals))
        if positions is not None and tally.positions >= positions:
            break
    return tally.finish(traces.header.game)


def as_reached(rulebook: Rulebook, like: Correspondence, end: Position) -> Position:
    """A terminal position as the rulebook comes there, by the turn that leads to it.

    Who moves in a terminal position means nothing, and no record says it; so the rulebook's own
    player is taken, whom its rules on endings were learned for.
    """
    looks = rulebook.looks_back
    here = rulebook.position(**like.position(end, trail=looks))
    if not end.trail:
        return here
    *earlier, past = end.trail
    before = replace(
        end,
        cells=past.cells,
        to_move=Player(past.to_move),
        stock=past.stock,
        last=earlier[-1].turn if earlier else None,
        trail=Trail(earlier),
    )
    turn = like.turn(Turn.parse(past.turn))
    after = rulebook.after(rulebook.position(**like.position(before, trail=looks)), turn)
    return replace(here, to_move=after.to_move)


def _moments(
    rulebook: Rulebook, like: Correspondence, record: Play
) -> Iterator[tuple[Position, Ply, Expected]]:
    """The plies of a game with the rulebook's view of where each begins and should lead.

    Who moves after the last ply is not recorded.
    """
    following = [*(ply.position for ply in record.plies[1:]), record.final]
    last = len(record.plies) - 1
    for number, (ply, after) in enumerate(zip(record.plies, following, strict=True)):
        here = rulebook.position(**like.position(ply.position, trail=rulebook.looks_back))
        yield here, ply, Expected.of(like, after, number != last)
