"""Games drawn by a seed from a grammar of boards, pieces, restrictions and endings.

What a learner does with games that nobody chose. `draw(seed)` puts a game together out of
`drawn_parts` and draws again until random play makes something of it: games last a while, many end,
and every restriction and ending comes about.

    python benchmarks/drawn_games.py --seeds 1-20 --positions 2000 --jobs 2
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import TypeVar

import drawn_parts as parts
from drawn_parts import (
    DIAGONALS,
    ORTHOGONALS,
    Direction,
    Jump,
    NoTurn,
    PieceType,
    Restriction,
    Ride,
    Rule,
    Word,
)
from drawn_play import MOST_PLIES, DrawnGame, Rules, described, named, playout
from whole_games import Alarm

import grl
from grl.board import Board, Square
from grl.compare import compare_game
from grl.errors import GrlError
from grl.generate import generate
from grl.tally import Comparison, ending_words
from grl.traces import header_dict, write_traces

T = TypeVar("T")
LOOKS = (10, 60)
MOST_SCREENED = 200
"""How many random games are looked at: after the first looks, dull games are given up."""
SHORTEST = 6
LEAST_ENDED = 0.4
KNIGHT: tuple[Direction, ...] = tuple(
    (dx, dy) for dx in (-2, -1, 1, 2) for dy in (-2, -1, 1, 2) if abs(dx) != abs(dy)
)
DIRECTIONS: tuple[tuple[Direction, ...], ...] = (
    ORTHOGONALS,
    DIAGONALS,
    ORTHOGONALS + DIAGONALS,
    ((-1, 1), (0, 1), (1, 1)),
    ((-1, 1), (1, 1)),
    ((0, 1), (1, 0), (-1, 0)),
    ((0, 1), (-1, -1), (1, -1)),
)
LEAPS: tuple[tuple[Direction, ...], ...] = (
    KNIGHT,
    ((2, 0), (0, 2), (-2, 0), (0, -2)),
    ((2, 2), (-2, 2), (-2, -2), (2, -2)),
    tuple(step for step in KNIGHT if step[1] > 0),
)
LINES: tuple[tuple[Direction, ...], ...] = (
    ((0, 0), (1, 0), (2, 0)),
    ((0, 0), (1, 1), (2, 2)),
    ((0, 0), (1, 0), (0, 1)),
    ((0, 0), (1, 0), (0, 1), (1, 1)),
    ((0, 0), (2, 0), (1, 1)),
    ((0, 0), (2, 1), (4, 2)),
    ((0, 0), (1, 0), (2, 0), (3, 0)),
    ((0, 0), (0, 1), (0, 2), (0, 3)),
)
NAMES = ("guard", "runner", "chief")
WON = ((100, 0), (100, 0), (100, 0), (80, 20), (70, 0), (60, 40))
NO_TURN = (NoTurn(0, 100), NoTurn(0, 100), NoTurn(100, 0), NoTurn(50, 50), NoTurn(30, 10))


@cache
def draw(seed: int) -> DrawnGame:
    """The game of a seed: the first of its draws of which random play makes something."""
    attempt = 0
    while True:
        attempt += 1
        chance = Random(f"drawn {seed} {attempt}")
        game = DrawnGame(FAMILIES[seed % len(FAMILIES)](chance))
        if playable(game, chance):
            return game


def playable(game: DrawnGame, chance: Random) -> bool:
    """Whether random games last, many end, and every restriction and ending is met.

    All within `MOST_SCREENED` random games.
    """
    met: Counter[str] = Counter()
    felt: set[str] = set()
    lengths = []
    endings = {rule.name for rule in game.rules.endings}
    restrictions = {restriction.said for restriction in game.rules.restrictions}
    for number in range(1, MOST_SCREENED + 1):
        line = playout(game, chance)
        lengths.append(len(line) - 1)
        if game.is_terminal(line[-1]):
            met[game.ending(line[-1])] += 1
        if felt < restrictions:
            felt |= game.felt(chance.choice(line))
        if number in LOOKS and (
            met.total() < LEAST_ENDED * number or statistics.median(lengths) < SHORTEST
        ):
            return False
        if number >= LOOKS[-1] and felt == restrictions and endings <= set(met):
            return True
    return False


def _board(chance: Random, low: int, high: int, *, links: bool = False) -> Board:
    width, height = chance.randint(low, high), chance.randint(low, high)
    plain = Board(width, height)
    holes: set[Square] = set()
    if chance.random() < 0.3:
        for _ in range(chance.randint(1, 2)):
            square = Square(chance.randrange(width, max(width + 1, plain.size - width)))
            holes |= {square, Square(plain.size - 1 - square)}
    board = Board(width, height, frozenset(holes))
    if not links or chance.random() < 0.6:
        return board
    slanted = chance.randrange(2)
    joined = {
        (square, near)
        for square in board.squares
        for step in ORTHOGONALS + (DIAGONALS if sum(divmod(square, width)) % 2 == slanted else ())
        if (near := board.step(square, *step)) is not None
    }
    pairs = frozenset(pair for pair in joined if pair[::-1] in joined)
    return Board(width, height, frozenset(holes), pairs)


def _region(chance: Random, board: Board, number: int) -> frozenset[Square]:
    return frozenset(chance.sample(board.squares, min(number, len(board.squares))))


def _kept_out(chance: Random, board: Board) -> Restriction:
    kind = chance.randrange(3)
    if kind == 0:
        rank = chance.randrange(1, board.height - 1)
        ranks = {rank, board.height - 1 - rank}
        squares = frozenset(s for s in board.squares if s // board.width in ranks)
        return parts.keeps_out(f"on rank {' or '.join(str(r + 1) for r in sorted(ranks))}", squares)
    if kind == 1:
        file = chance.randrange(board.width)
        squares = frozenset(s for s in board.squares if s % board.width == file)
        return parts.keeps_out(f"on the {file + 1}. file", squares)
    squares = _region(chance, board, 3)
    return parts.keeps_out(f"on {named(board, squares)}", squares)


def _some(chance: Random, items: Sequence[T], least: int, most: int) -> tuple[T, ...]:
    return tuple(chance.sample(items, min(len(items), chance.randint(least, most))))


def _ride(chance: Random, board: Board, *, captures: bool) -> Ride:
    if board.links is not None:
        directions = chance.choice((DIRECTIONS[0], *DIRECTIONS[2:4]))
        return Ride(directions, 1, quiet=True, captures=captures)
    kind = chance.randrange(4)
    if kind == 0:
        return Ride(chance.choice(LEAPS), 1, quiet=True, captures=captures)
    reach = chance.choice((2, 3, 8)) if kind == 1 else 1
    return Ride(chance.choice(DIRECTIONS), reach, quiet=True, captures=captures)


def _setup(chance: Random, board: Board, keys: str) -> tuple[tuple[Square, str], ...]:
    """White's pieces on one or two ranks, of mixed types, each at least once."""
    ranks = 2 if board.height > 5 and chance.random() < 0.5 else 1
    squares = [s for s in board.squares if s < ranks * board.width]
    chance.shuffle(squares)
    squares = squares[: max(len(keys), round(len(squares) * chance.choice((0.6, 1.0))))]
    placed = [
        (s, keys[i] if i < len(keys) else chance.choice(keys[:-1] or keys))
        for i, s in enumerate(squares)
    ]
    return tuple(sorted(placed))


def _won(chance: Random) -> tuple[int, int]:
    return chance.choice(WON)


def _placing(chance: Random) -> Rules:
    board = _board(chance, 4, 6)
    types = tuple(PieceType(NAMES[i], "gr"[i], ()) for i in range(chance.randint(1, 2)))
    counted = len(types) > 1 or chance.random() < 0.4
    hand = tuple(
        (t.key, (chance.randint(2, 4) if i else chance.randint(5, 10)) if counted else None)
        for i, t in enumerate(types)
    )
    restrictions = [
        parts.rests(),
        parts.adjoins("any", forbidden=False),
        parts.adjoins("own", forbidden=True),
        parts.adjoins("opposing", forbidden=True),
        _kept_out(chance, board),
    ]
    endings = [
        parts.pattern(chance.choice(LINES), *_won(chance)),
        parts.connects(diagonally=chance.random() < 0.5, holder=100, rest=0),
        _filled(chance, board),
        parts.crowded(
            round(len(board.squares) * chance.choice((0.5, 0.8))), chance.choice((50, 40))
        ),
    ]
    return Rules(
        board,
        types,
        hand=hand,
        mill=chance.choice(LINES[:5]) if chance.random() < 0.25 else (),
        restrictions=_some(chance, restrictions, chance.choice((0, 1, 1)), 2),
        endings=_some(chance, endings, 1, 2),
        no_turn=chance.choice(NO_TURN),
    )


def _filled(chance: Random, board: Board) -> Rule:
    squares = _region(chance, board, chance.randint(2, 3))
    said = f"{named(board, squares)} (white; black half a turn away)"
    return parts.filled(squares, said, *_won(chance))


def _moving(chance: Random) -> Rules:
    board = _board(chance, 5, 7, links=True)
    number = chance.randint(1, 3)
    types = []
    for i in range(number):
        words: list[Word] = [_ride(chance, board, captures=chance.random() < 0.8)]
        if chance.random() < 0.4 and board.links is None:
            attack = Ride(chance.choice(DIRECTIONS), 1, quiet=False, captures=True)
            words = (
                [replace(words[0], captures=False), attack] if isinstance(words[0], Ride) else words
            )
        royal = i > 0 and i == number - 1
        types.append(PieceType(NAMES[i], "grc"[i], tuple(words), royal=royal))
    if number > 1 and chance.random() < 0.4:
        types[0] = replace(types[0], promotes=types[1].key)
    restrictions = [
        parts.compulsory(),
        _kept_out(chance, board),
        parts.adjoins("own", forbidden=True),
        parts.not_where_the_last_began(),
    ]
    guarded = [parts.royal_safe(types)] if number > 1 and chance.random() < 0.6 else []
    endings = _fights(chance, types)
    endings += [_filled(chance, board), parts.pattern(chance.choice(LINES), *_won(chance))]
    return Rules(
        board,
        tuple(types),
        setup=_setup(chance, board, "".join(t.key for t in types)),
        again=chance.random() < 0.1,
        restrictions=(*guarded, *_some(chance, restrictions, chance.choice((0, 1, 1)), 2)),
        endings=_some(chance, endings, 1, 3),
        no_turn=chance.choice(NO_TURN),
    )


def _fights(chance: Random, types: Sequence[PieceType]) -> list[Rule]:
    """Races, and losses of pieces; who loses them gets the smaller part."""
    won, lost = _won(chance)
    return [
        parts.race(types[:1], chance.choice((1, 1, 2)), *_won(chance)),
        parts.bereft(types[-1:], 1, lost, won),
        parts.bereft(types, chance.choice((1, 2, 3)), lost, won),
    ]


def _jumping(chance: Random) -> Rules:
    board = _board(chance, 5, 7, links=True)
    directions = chance.choice(DIRECTIONS)
    to_the_end = chance.random() < 0.5
    steps = Ride(directions, 1, quiet=True, captures=False)
    jump = Jump(
        chance.choice((directions, DIRECTIONS[2])),
        chance.choice(("p", "p", "wp")),
        removes=True,
        many=to_the_end or chance.random() < 0.6,
        to_the_end=to_the_end,
    )
    types = [PieceType(NAMES[0], "g", (steps, jump))]
    if chance.random() < 0.5:
        wide = replace(jump, directions=DIRECTIONS[2]), replace(steps, directions=DIRECTIONS[2])
        types.append(PieceType(NAMES[1], "r", wide))
        types[0] = replace(types[0], promotes="r")
    restrictions = [parts.compulsory(), parts.maximal(), _kept_out(chance, board)]
    return Rules(
        board,
        tuple(types),
        setup=_setup(chance, board, "g"),
        restrictions=_some(chance, restrictions, chance.choice((0, 1, 1)), 2),
        endings=_some(chance, [_fights(chance, types)[0], _fights(chance, types)[2]], 1, 2),
        no_turn=chance.choice(NO_TURN),
    )


def _shooting(chance: Random) -> Rules:
    board = _board(chance, 4, 5)
    reach = chance.choice((1, 2, 8))
    ride = Ride(chance.choice(DIRECTIONS[:3]), reach, quiet=True, captures=False)
    types = (PieceType(NAMES[0], "g", (ride,), shoots=chance.choice((1, 2, 8))),)
    endings = [
        parts.race(types, 1, *_won(chance)),
        parts.pattern(chance.choice(LINES[:5]), *_won(chance)),
        parts.crowded(round(len(board.squares) * 0.7), 50),
    ]
    setup = tuple(sorted((s, "g") for s in chance.sample(board.squares[: board.width], 2)))
    return Rules(
        board,
        types,
        setup=setup,
        restrictions=_some(chance, [_kept_out(chance, board)], 0, 1),
        endings=_some(chance, endings, 0, 1),
        no_turn=chance.choice(NO_TURN),
    )


def _mixed(chance: Random) -> Rules:
    board = _board(chance, 4, 6)
    number = chance.randint(1, 2)
    types = tuple(
        PieceType(NAMES[i], "gr"[i], (_ride(chance, board, captures=chance.random() < 0.4),))
        for i in range(number)
    )
    hand = tuple(
        (t.key, chance.randint(2, 6) if i else chance.randint(4, 7)) for i, t in enumerate(types)
    )
    restrictions = [
        parts.adjoins("opposing", forbidden=True),
        _kept_out(chance, board),
        parts.compulsory(),
        parts.not_where_the_last_began(),
    ]
    endings = [
        parts.pattern(chance.choice(LINES), *_won(chance)),
        parts.bereft(types, chance.choice((2, 3)), 0, 100),
        _filled(chance, board),
    ]
    return Rules(
        board,
        types,
        hand=hand,
        hand_first=chance.random() < 0.7,
        mill=chance.choice(LINES[:5]) if chance.random() < 0.5 else (),
        restrictions=_some(chance, restrictions, chance.choice((0, 1, 1)), 2),
        endings=_some(chance, endings, 1, 2),
        no_turn=chance.choice(NO_TURN),
    )


FAMILIES = (_placing, _moving, _jumping, _mixed, _moving, _shooting, _placing)
"""The families in turn, seed by seed, so that few seeds show all of the grammar."""


# What is learned of them.

GAMES_LEARNED = 200
NEAR_ENDINGS = 0.25
POSITIONS = 2000
LIMIT = 600.0


@dataclass(frozen=True)
class Outcome:
    """What came of one drawn game."""

    seed: int
    words: tuple[str, ...]
    result: Comparison | None
    knows: bool
    seconds: float
    trouble: str = ""

    @property
    def exact(self) -> bool:
        """Whether nothing differs and endings and goals are claimed."""
        return self.knows and self.result is not None and self.result.same


def outcome(
    seed: int,
    games: int = GAMES_LEARNED,
    positions: int = POSITIONS,
    limit: float = LIMIT,
) -> Outcome:
    """Draw, play, learn, compare, the last three within `limit` seconds."""
    game = draw(seed)
    words = tuple(described(game))
    near = NEAR_ENDINGS if game.endgames() else 0.0
    began = time.process_time()
    try:
        with Alarm(limit), tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "games.jsonl"
            plays = generate(
                game, games, all_moves=True, seed=seed, endgames=near, max_plies=MOST_PLIES
            )
            write_traces(path, header_dict(game), plays)
            began = time.process_time()
            rulebook = grl.learn(path)
            seconds = time.process_time() - began
            result = compare_game(rulebook, game, positions, seed)
    except (GrlError, MemoryError, RecursionError, TimeoutError) as error:
        trouble = f"{type(error).__name__}: {error}"[:200]
        return Outcome(seed, words, None, False, time.process_time() - began, trouble)
    knows = rulebook.knows_terminal and rulebook.knows_goals
    return Outcome(seed, words, result, knows, seconds)


def outcome_lines(found: Outcome) -> Iterator[str]:
    """An outcome for people."""
    verdict = "exact" if found.exact else "not exact"
    yield f"game {found.seed}: {verdict}, learned in {found.seconds:.1f} s"
    yield from (f"    {line}" for line in found.words)
    if found.result is None:
        yield f"  {found.trouble}"
        return
    result = found.result
    yield (
        f"  {result.positions:,} positions, {result.turns:,} turns: missing {result.missing:,}, "
        f"surplus {result.surplus:,}, elsewhere {result.elsewhere:,}, "
        f"called terminal too early {result.early:,}"
    )
    for name, shapes in (("missing", result.missing_shapes), ("surplus", result.surplus_shapes)):
        yield from (f"    {name} {number:,}  {shape}" for shape, number in shapes)
    for ending in result.endings:
        said = (
            "nothing said"
            if ending.recognised is None
            else f"recognised {ending.recognised:,}, goals right {ending.right or 0:,}"
        )
        yield f"    {ending_words(ending.kind, ending.goals)}: met {ending.met:,}, {said}"


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="drawn_games.py", description=__doc__.partition("\n")[0])
    parser.add_argument("--seeds", default="1-20", help="one, or the first and the last: 1-20")
    parser.add_argument("--games", type=int, default=GAMES_LEARNED, help="games to learn from")
    parser.add_argument("--positions", type=int, default=POSITIONS)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--limit", type=float, default=LIMIT, help="seconds for one game")
    parser.add_argument("--only-draw", action="store_true", help="describe the games and stop")
    chosen = parser.parse_args(arguments)
    first, _, last = chosen.seeds.partition("-")
    seeds = range(int(first), int(last or first) + 1)
    if chosen.only_draw:
        for seed in seeds:
            print(f"game {seed}:", *described(draw(seed)), sep="\n    ", flush=True)
        return 0
    exact = 0
    with ProcessPoolExecutor(max_workers=chosen.jobs) as pool:
        try:
            for found in pool.map(
                outcome,
                seeds,
                [chosen.games] * len(seeds),
                [chosen.positions] * len(seeds),
                [chosen.limit] * len(seeds),
            ):
                exact += found.exact
                print(*outcome_lines(found), sep="\n", flush=True)
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            return 130
    print(f"{exact} of {len(seeds)} drawn games are learned exactly")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
