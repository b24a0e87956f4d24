"""The game of a seed: the first of its draws of which random play makes a game.

Games end, not at once, and both sides have choices; every restriction and every ending comes about.
Nothing here asks what anybody learns of a game.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

from grl.board import Position

from .frames import draw_plan
from .grammar import draw_rules
from .play import MOST_PLIES, SecondGame
from .rules import Rules

FIRST_LOOK, SECOND_LOOK = 6, 16
MOST_GAMES, MOST_WORK = 150, 1500
"""Games, and plies of all of them together, within which everything has to come about."""
TRIES = 30
"""Draws of one plan before a new plan is made."""
SHORTEST = 5.0
"""Plies that a random game lasts on average, at least."""
LEAST_ENDED = 0.4
MOST_TURNS = 60.0
"""Legal turns that there are on average, at most: lists of hundreds take a learner too long."""
ATTEMPTS: tuple[int, ...] = (
    *(6, 16, 21, 4, 1, 14, 6, 3, 7, 2, 3, 32, 6, 2, 1, 3, 10, 8, 12, 2),
    *(1, 1, 6, 16, 21, 20, 2, 7, 1, 4, 1, 1, 2, 1, 12, 2, 2, 32, 5, 12),
    *(5, 9, 5, 44, 23, 1, 2, 8, 14, 1, 1, 16, 5, 22, 7, 1, 2, 21, 4, 5),
    *(34, 16, 2, 3, 8, 2, 4, 3, 14, 2, 2, 12, 4, 10, 3, 3, 7, 1, 14, 1),
    *(10, 5, 3, 4, 30, 14, 1, 6, 3, 5, 10, 32, 17, 2, 1, 2, 2, 17, 13, 21),
)
"""The draws that pass of the seeds from 1 on, as `--attempts` of `second_games.py` prints them."""
LEAST_CHOICES = 1.5
"""Legal turns that each player has on average, at least."""


def draw(seed: int) -> SecondGame:
    """The game of a seed."""
    return SecondGame(rules_of(seed))


@cache
def rules_of(seed: int) -> Rules:
    """The rules of a seed's game."""
    known = ATTEMPTS[seed - 1] if 0 < seed <= len(ATTEMPTS) else passing_attempt(seed)
    rules = attempted(seed, known)
    assert rules is not None, f"the attempts of {__name__} are those of another grammar"
    return rules


def passing_attempt(seed: int) -> int:
    """Which of a seed's draws is the first to pass the screening."""
    attempt = 1
    while not passes(seed, attempt):
        attempt += 1
    return attempt


def passes(seed: int, attempt: int) -> bool:
    """Whether one of a seed's draws passes the screening."""
    rules = attempted(seed, attempt)
    return rules is not None and playable(SecondGame(rules), Random(f"second {seed} {attempt}"))


def attempted(seed: int, attempt: int) -> Rules | None:
    """One of the draws of a seed, fit to be played or not."""
    plan = draw_plan(Random(f"second grammar's plan {seed} {(attempt - 1) // TRIES}"))
    return draw_rules(Random(f"second grammar {seed} {attempt}"), plan)


def playable(game: SecondGame, chance: Random) -> bool:
    """Whether random play makes something of a game, within `MOST_GAMES` games."""
    met: Counter[str] = Counter()
    felt: set[int] = set()
    lengths: list[int] = []
    turns: dict[str, list[int]] = {player: [] for player in game.table.players}
    wanted = {ending.name for ending in game.rules.endings}
    for number in range(1, MOST_GAMES + 1):
        length, ended = _played(game, chance, turns, felt)
        lengths.append(length)
        met.update([ended] if ended else [])
        if number in (FIRST_LOOK, SECOND_LOOK) and not _lively(lengths, met.total(), turns):
            return False
        if sum(lengths) > MOST_WORK:
            return False
        complete = wanted <= set(met) and len(felt) == len(game.rules.restrictions)
        if number >= SECOND_LOOK and complete:
            return _lively(lengths, met.total(), turns)
    return False


def _lively(lengths: list[int], ended: int, turns: dict[str, list[int]]) -> bool:
    if sum(lengths) < SHORTEST * len(lengths) or ended < LEAST_ENDED * len(lengths):
        return False
    means = [sum(found) / len(found) if found else 0.0 for found in turns.values()]
    return min(means) >= LEAST_CHOICES and max(means) <= MOST_TURNS


def _played(
    game: SecondGame, chance: Random, turns: dict[str, list[int]], felt: set[int]
) -> tuple[int, str]:
    """Plays a random game; its length, and its ending or "" where it was broken off."""
    position = game.initial
    for ply in range(MOST_PLIES):
        legal = game.legal(position)
        if not legal:
            return ply, game.ending(position)
        turns[position.to_move].append(len(legal))
        if len(felt) < len(game.rules.restrictions) and chance.random() < 0.25:
            felt |= _felt(game, position)
        position = game.play(position, chance.choice(legal))
    return MOST_PLIES, "" if game.legal(position) else game.ending(position)


def _felt(game: SecondGame, position: Position) -> set[int]:
    """The restrictions that forbid something here."""
    options = game.raw(position, game.table.seat(position.to_move))
    found = set()
    for number, restriction in enumerate(game.rules.restrictions):
        kept = restriction.keep(game, position, options)
        if len(kept) < len(options):
            found.add(number)
        options = kept
    return found
