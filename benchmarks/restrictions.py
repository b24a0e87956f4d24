"""Which restriction explains a surplus turn, for the games whose rules restrict what pieces may do.

Movement automata and machines of turns say what a piece can do, not when a rule forbids it. Each
predicate here tells whether a turn breaks one such rule, so that a turn that breaks none stands
out as unexplained. Pieces are those of the shipped references.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from grl.board import Position, Square
from grl.fresh import fresh_positions
from grl.games import Game, outcomes
from grl.rulebook import Rulebook, origin_of
from grl.turn import Turn

UNEXPLAINED = "unexplained"

Breaks = Callable[[Position, Turn, Iterable[Turn]], bool]
"""Whether a turn breaks a rule, given the position and the turns that are legal there."""


def floats(position: Position, turn: Turn, legal: Iterable[Turn]) -> bool:  # noqa: ARG001
    """A disc comes to lie on nothing."""
    below = position.board.step(_origin(position, turn), 0, -1)
    return below is not None and position.cells[below] == "."


def spares_a_capture(position: Position, turn: Turn, legal: Iterable[Turn]) -> bool:  # noqa: ARG001
    """Nothing is captured though something can be."""
    return not _captures(turn) and any(map(_captures, legal))


def breaks_off(position: Position, turn: Turn, legal: Iterable[Turn]) -> bool:  # noqa: ARG001
    """A jump stops although it can go on."""
    return any(str(other).startswith(f"{turn} (") and _captures(turn) for other in legal)


def crowns_wrongly(position: Position, turn: Turn, legal: Iterable[Turn]) -> bool:  # noqa: ARG001
    """A man is crowned short of the last rank, or not crowned on it."""
    origin = _origin(position, turn)
    man = position.cells[origin]
    if man not in "mM":
        return False
    letters = turn.segments[0].letters
    dx, dy = (sum(steps) for steps in zip(*((x.dx, x.dy) for x in letters), strict=True))
    beyond = position.board.step(origin, dx, dy + (1 if man == "m" else -1))
    return (beyond is None) != any(letter.on == "a" for letter in letters)


RESTRICTIONS: Mapping[str, Mapping[str, Breaks]] = {
    "connect-four": {"a disc rests on something": floats},
    "checkers": {
        "a capture is compulsory": spares_a_capture,
        "a jump goes on while it can": breaks_off,
        "a man is crowned on the last rank and only there": crowns_wrongly,
    },
}
"""For each game its restrictions; the first one that a turn breaks explains it."""


def explain(rulebook: Rulebook, game: Game, positions: int, seed: int) -> Mapping[str, int]:
    """How many surplus turns each restriction explains, on the positions of `compare_game`."""
    rules = RESTRICTIONS.get(game.name, {})
    reasons = Counter(dict.fromkeys([*rules, UNEXPLAINED], 0))
    for position, texts in fresh_positions(game, positions, seed):
        if not texts:
            continue
        legal = [Turn.parse(text) for text in texts]
        effects = outcomes(game, position)
        for turn in rulebook.legal(position):
            if (origin_of(turn), game.play(position, turn).outcome) not in effects:
                broken = (name for name, breaks in rules.items() if breaks(position, turn, legal))
                reasons[next(broken, UNEXPLAINED)] += 1
    return {rule: number for rule, number in reasons.items() if number}


def _origin(position: Position, turn: Turn) -> Square:
    return position.board.square(origin_of(turn))


def _captures(turn: Turn) -> bool:
    return any(letter.on == "d" for segment in turn.segments for letter in segment.letters)
