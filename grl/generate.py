"""Plays of reference games, made for trace files: by chance, greedily or with a short search.

Equal arguments give equal plays, byte for byte: play number i draws from its own generator, seeded
by the seed and i, and chooses among the legal turns in the order of their texts.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any, Literal

from grl.board import Player, Position
from grl.errors import GameError, Place
from grl.games import Game
from grl.tracejson import position_dict

Players = Literal["random", "greedy", "search"]
Chooser = Callable[[Game, Position, list[str], Random, int], str]
_BOUND = 1 << 30
_SEARCHED = 5_000


def generate(
    game: Game,
    n: int,
    *,
    all_moves: bool,
    seed: int,
    players: Players | Chooser = "random",
    max_plies: int | None = None,
    endgames: float = 0.0,
    rare: float = 0.0,
    depth: int = 2,
    opening: int = 0,
) -> Iterator[dict[str, Any]]:
    """`n` plays of `game` as plain data of the trace format; the first k are the same for any n.

    `all_moves` lists every legal turn with each turn played. After `max_plies` a play breaks off
    as ``stopped``. The share `endgames` of the plays begins at one of `game.endgames()`. The share
    `rare` is short: the way to one of the positions that `game.rare` draws, and a turn there, one
    that ends the game where there is one. `depth` is how many plies ``search`` looks ahead at most.
    The first `opening` turns of every other play are random. `players` may be a function as well.
    Raises `GameError` for bad arguments, or where a game draws no positions.
    """
    if isinstance(players, str) and players not in CHOOSERS:
        raise GameError(
            f"there are no players of the kind {players!r}", expected=f"one of {list(CHOOSERS)}"
        )
    shares = 0 <= endgames <= 1 and 0 <= rare <= 1
    if n < 0 or depth < 1 or (max_plies is not None and max_plies < 0) or not shares:
        raise GameError(
            "an argument is out of bounds",
            found=f"n {n}, depth {depth}, max_plies {max_plies}, endgames {endgames}, rare {rare}",
            expected="n and max_plies of at least 0, depth of at least 1, shares from 0 to 1",
        )
    chooser = CHOOSERS[players] if isinstance(players, str) else players
    starts = [_without_past(start) for start in game.endgames()]
    for index in range(n):
        rng = Random(f"{seed} {index}")
        name = f"g{index + 1}"
        if rare and rng.random() < rare:
            yield _short_play(game, name, rng, all_moves)
            continue
        start = rng.choice(starts) if starts and rng.random() < endgames else game.initial

        left = itertools.chain(itertools.repeat(True, opening), itertools.repeat(False))

        def choose(
            position: Position,
            legal: list[str],
            rng: Random = rng,
            left: Iterator[bool] = left,
        ) -> str:
            by_chance = next(left)
            return (_random if by_chance else chooser)(game, position, legal, rng, depth)

        yield _play(game, name, start, choose, all_moves, max_plies)


def _without_past(position: Position) -> Position:
    return replace(position, moved=frozenset(), last=None, trail=None)


def _short_play(game: Game, name: str, rng: Random, all_moves: bool) -> dict[str, Any]:
    """The way to a position that the game draws, and a turn there."""
    position = game.rare(rng)
    if position is None:
        raise GameError(
            f"{game.name} draws no positions around rare turns",
            expected="a game with a method rare() or endgames()",
        )
    way = list(position.trail or ())
    start = _without_past(position)
    if way:
        start = replace(
            start, cells=way[0].cells, to_move=Player(way[0].to_move), stock=way[0].stock
        )
    turns = iter([past.turn for past in way])

    def choose(position: Position, legal: list[str]) -> str:
        known = next(turns, None)
        if known is not None:
            return known
        ends = [turn for turn in legal if game.is_terminal(game.play(position, turn))]
        return rng.choice(ends or legal)

    return _play(game, name, start, choose, all_moves, len(way) + 1)


def _play(
    game: Game,
    name: str,
    start: Position,
    choose: Callable[[Position, list[str]], str],
    all_moves: bool,
    max_plies: int | None,
) -> dict[str, Any]:
    """A play from `start`, each turn chosen among the sorted legal ones."""
    play: dict[str, Any] = {"id": name}
    if start.outcome != game.initial.outcome:
        play["initial"] = position_dict(start)
    turns: list[dict[str, Any]] = []
    play["turns"] = turns
    position = start
    due = start.to_move
    while not game.is_terminal(position):
        if len(turns) == max_plies:
            play["end"] = "stopped"
            return play
        legal = sorted(game.legal(position))
        if not legal:
            raise GameError(
                f"{game.name} is not over but has no legal turn",
                expected="is_terminal() to be true, or 'pass' among the legal turns",
                place=Place(rows=tuple(position.rows)),
            )
        text = choose(position, legal)
        turn: dict[str, Any] = {"turn": text}
        if position.to_move != due:
            turn = {"by": position.to_move, "turn": text}
        if all_moves:
            turn["legal"] = legal
        turns.append(turn)
        due = game.equipment.next_player(position.to_move)
        position = game.play(position, text)
    play["end"] = "terminal"
    play["goals"] = dict(game.goals(position))
    return play


def _random(game: Game, position: Position, legal: list[str], rng: Random, depth: int) -> str:  # noqa: ARG001
    return rng.choice(legal)


def _greedy(game: Game, position: Position, legal: list[str], rng: Random, depth: int) -> str:  # noqa: ARG001
    """Wins at once where it can, else leaves the opponents as few pieces as it can."""
    mover = position.to_move

    def score(text: str) -> tuple[int, int]:
        after = game.play(position, text)
        gain = max(0, _margin(game, after, mover)) if game.is_terminal(after) else 0
        view = game.equipment.views[mover]
        return gain, -sum(view.get(cell) == "p" for cell in after.cells)

    scores = {text: score(text) for text in legal}
    best = max(scores.values())
    return rng.choice([text for text in legal if scores[text] == best])


def _search(game: Game, position: Position, legal: list[str], rng: Random, depth: int) -> str:
    """Looks `depth` plies ahead for ends of the game; the sooner, the more they count.

    It looks less far where so many turns are legal that more than `_SEARCHED` positions, about,
    would come into view.
    """
    mover = position.to_move
    while depth > 1 and len(legal) ** depth > _SEARCHED:
        depth -= 1
    best: list[str] = []
    record = -_BOUND
    for text in legal:
        # The window begins one below the record, so that a tie differs from a worse turn.
        value = _value(game, game.play(position, text), mover, depth - 1, record - 1, _BOUND)
        if value > record:
            record, best = value, []
        if value == record:
            best.append(text)
    return rng.choice(best)


def _value(game: Game, position: Position, player: Player, depth: int, low: int, high: int) -> int:
    """What `player` can reach against all others, by alpha-beta within (low, high); 0: no end."""
    if game.is_terminal(position):
        return _margin(game, position, player) * (depth + 1)
    if depth == 0:
        return 0
    own = position.to_move == player
    best = -_BOUND if own else _BOUND
    for text in game.legal(position):
        value = _value(game, game.play(position, text), player, depth - 1, low, high)
        if own:
            best = max(best, value)
            low = max(low, best)
        else:
            best = min(best, value)
            high = min(high, best)
        if low >= high:
            break
    return best


def _margin(game: Game, position: Position, player: Player) -> int:
    """By how much `player` is ahead of the best other in a terminal position."""
    goals = game.goals(position)
    return goals[player] - max((goal for who, goal in goals.items() if who != player), default=0)


CHOOSERS: dict[str, Chooser] = {"random": _random, "greedy": _greedy, "search": _search}
"""How the players of `generate` choose among the sorted legal turns."""
