"""Games drawn from the second grammar: which of them are learned exactly, and which are not.

For each seed 200 random games are recorded, learned and held to the game as `exactness` does it. A
line for each seed comes as soon as it is known, and a total at the end.

    python benchmarks/second_games.py --seeds 1-100 --limit 400 --out build/drawn2.jsonl --resume
    python benchmarks/second_games.py --describe 7
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from exactness import Trial, run_all
from second_grammar.describe import described, features
from second_grammar.play import MOST_PLIES
from second_grammar.screening import draw, passing_attempt, rules_of

GAMES, POSITIONS, LIMIT, MEMORY = 200, 1000, 400.0, 4096
NEAR_ENDINGS = 0.25
"""The share of games that begin shortly before an end; a game whose rules recall has no such."""


def trial(seed: int, games: int, positions: int, limit: float, memory: int) -> Trial:
    """The game of a seed, to be learned from so many games."""
    make = partial(draw, seed)
    limits = games, positions, limit, memory, MOST_PLIES
    return Trial(f"seed {seed:>4}", make, seed, *limits, near=NEAR_ENDINGS)


def distribution(seeds: Sequence[int]) -> Iterator[str]:
    """Of how many games each feature is a part."""
    found: dict[str, Counter[str]] = {}
    for seed in seeds:
        for part, feature in features(rules_of(seed)):
            found.setdefault(part, Counter())[feature] += 1
    for part, counts in sorted(found.items()):
        yield f"{part}: " + ", ".join(f"{feature} {n}" for feature, n in counts.most_common())


def _seeds(text: str) -> range:
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="second_games.py", description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--seeds", type=_seeds, default=range(1, 101), help="one, or the first and the last: 1-100"
    )
    parser.add_argument("--games", type=int, default=GAMES, help="games to learn from")
    parser.add_argument("--positions", type=int, default=POSITIONS, help="positions compared")
    parser.add_argument(
        "--limit", type=float, default=LIMIT, help="seconds for learning a game, and for comparing"
    )
    parser.add_argument("--memory", type=int, default=MEMORY, help="MB for one game")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path, help="a file to add the outcomes to, as JSON lines")
    parser.add_argument("--resume", action="store_true", help="leave out the seeds in that file")
    parser.add_argument("--describe", type=_seeds, help="print these games' rules and stop")
    parser.add_argument("--features", type=_seeds, help="count these games' features and stop")
    parser.add_argument("--attempts", type=_seeds, help="screen these seeds anew and stop")
    chosen = parser.parse_args(arguments)
    if chosen.describe or chosen.features or chosen.attempts:
        for seed in chosen.describe or ():
            print(f"game {seed}:", *described(rules_of(seed)), sep="\n    ", flush=True)
        for line in distribution(chosen.features or ()):
            print(line)
        for seed in chosen.attempts or ():
            print(seed, passing_attempt(seed), flush=True)
        return 0
    limits = chosen.games, chosen.positions, chosen.limit, chosen.memory
    trials = [trial(seed, *limits) for seed in chosen.seeds]
    what = "games of the second grammar"
    return run_all(trials, chosen.jobs, chosen.out, resume=chosen.resume, what=what)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
