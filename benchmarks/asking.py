"""How many positions a game takes when the learner chooses them, and when chance does.

For each game and seed: learn from one random game, ask until nothing differs from the reference on
fresh positions; beside it, learn from ever more random games until nothing differs. All legal turns
are known in both. Positions are counted, decisions and ends: those of the first game with the
questions, those of all the random games.

    python benchmarks/asking.py --games connect-four,checkers --seeds 3
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from math import inf
from pathlib import Path

from whole_games import MAX_PLIES, select

import grl
from grl.ask import Session, game_oracle
from grl.compare import compare_game
from grl.errors import GrlError
from grl.games import Game, load
from grl.generate import generate
from grl.rulebook import Rulebook
from grl.traces import header_dict, write_traces

GAMES = (
    "tic-tac-toe",
    "connect-four",
    "breakthrough",
    "checkers",
    "nine-mens-morris",
    "five-field-kono",
)
LADDER = (1, 2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 200)
QUESTIONS = 60
POSITIONS = 2_000
FIRST_LOOK = 300
SECONDS = 300.0


@dataclass(frozen=True)
class Way:
    """One way to a model: the games and questions it took, and their positions; `exact` or not."""

    games: int
    questions: int
    positions: int
    exact: bool
    seconds: float

    @property
    def needed(self) -> float:
        """The positions, without end where they were too few."""
        return self.positions if self.exact else inf


def exact(rulebook: Rulebook, game: Game, seed: int, positions: int) -> bool:
    """Whether nothing differs from the reference; a first look spares most of the long ones."""
    if not (rulebook.knows_terminal and rulebook.knows_goals):
        return False
    if not compare_game(rulebook, game, min(FIRST_LOOK, positions), seed + 1000).same:
        return False
    return compare_game(rulebook, game, positions, seed).same


def by_asking(spec: str, seed: int, most: int, positions: int, limit: float) -> Way:
    """One random game, then questions."""
    game = load(spec)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.jsonl"
        held = _played(game, spec, seed, path, 1)
        session = Session([path], Path(folder) / "answers.jsonl", seed=seed)
        oracle = game_oracle(game, session.rulebook.initial)
        done = exact(session.rulebook, game, seed, positions)
        while not done and not session.over and session.answered < most:
            if time.monotonic() - began > limit:
                break
            session.round(oracle, most - session.answered)
            done = exact(session.rulebook, game, seed, positions)
    return Way(1, session.answered, held + session.answered, done, time.monotonic() - began)


def by_chance(spec: str, seed: int, positions: int, limit: float) -> Way:
    """Ever more random games."""
    game = load(spec)
    began = time.monotonic()
    way = Way(0, 0, 0, exact=False, seconds=0.0)
    with tempfile.TemporaryDirectory() as folder:
        for number in LADDER:
            path = Path(folder) / "games.jsonl"
            held = _played(game, spec, seed, path, number)
            done = exact(grl.learn(path), game, seed, positions)
            way = Way(number, 0, held, done, time.monotonic() - began)
            if done or way.seconds > limit:
                break
    return way


def _played(game: Game, spec: str, seed: int, path: Path, number: int) -> int:
    """Write so many games; how many different positions they hold."""
    plays = generate(game, number, all_moves=True, seed=seed, max_plies=MAX_PLIES.get(spec))
    write_traces(path, header_dict(game), islice(plays, number))
    met: set[object] = set()
    for play in grl.Traces.open(path):
        met |= {ply.position.outcome for ply in play.plies}
        met |= {(play.final.outcome, "end")} if play.end == "terminal" else set()
    return len(met)


def trials(
    specs: Sequence[str], seeds: int, most: int, positions: int, limit: float
) -> Iterator[tuple[str, int, Way, Way]]:
    """Both ways for each game and seed, as they are known; an error ends a way without a model."""
    lost = Way(0, 0, 0, exact=False, seconds=0.0)
    for spec in specs:
        for seed in range(1, seeds + 1):
            ways = []
            for go in (
                lambda: by_asking(spec, seed, most, positions, limit),  # noqa: B023
                lambda: by_chance(spec, seed, positions, limit),  # noqa: B023
            ):
                ways.append(_tried(go, lost))
            yield spec, seed, ways[0], ways[1]


def _tried(go: Callable[[], Way], lost: Way) -> Way:
    try:
        return go()
    except GrlError as error:
        print(f"    {error}", flush=True)
        return lost


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="asking.py", description=__doc__.partition("\n")[0])
    parser.add_argument("--games", default="", help="some of them, with commas between")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--questions", type=int, default=QUESTIONS, help="at most so many")
    parser.add_argument("--positions", type=int, default=POSITIONS, help="compared")
    parser.add_argument("--limit", type=float, default=SECONDS, help="seconds for one way")
    chosen = parser.parse_args(arguments)
    specs = select(chosen.games) if chosen.games else list(GAMES)
    print(f"{'game':<24} {'seed':>4}   {'one game and questions':<32} random games", flush=True)
    done: dict[str, list[tuple[Way, Way]]] = {}
    for spec, seed, asked, chance in trials(
        specs, chosen.seeds, chosen.questions, chosen.positions, chosen.limit
    ):
        done.setdefault(spec, []).append((asked, chance))
        print(f"{spec:<24} {seed:>4}   {_way_text(asked):<32} {_way_text(chance)}", flush=True)
        if len(done[spec]) == chosen.seeds:
            middles = [_middle([pair[i].needed for pair in done[spec]]) for i in (0, 1)]
            print(
                f"== {spec}: {middles[0]} positions by asking, {middles[1]} by chance", flush=True
            )
    return 0


def _way_text(way: Way) -> str:
    number = f"{way.positions:,}" if way.exact else f"> {way.positions:,}"
    asked = f" + {way.questions} asked" if way.questions else ""
    games = f"{way.games} game{'s' if way.games != 1 else ''}"
    return f"{number} ({games}{asked}), {way.seconds:.0f} s"


def _middle(needs: Sequence[float]) -> str:
    middle = statistics.median_low(needs)
    return "too many" if middle == inf else f"{middle:,.0f}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
