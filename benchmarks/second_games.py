"""Games drawn from the second grammar: which of them are learned exactly, and which are not.

For each seed 200 random games are recorded with all legal turns and learned from in a child process
under limits of time and memory; the model is held to the game on fresh positions. A line for each
seed comes as soon as it is known, and a total at the end. Seconds are of the processor, so that a
busy machine gives the same results; `SLACK` times as many on the clock end the work all the same.

    python benchmarks/second_games.py --seeds 1-100 --limit 400 --out build/drawn2.jsonl --resume
    python benchmarks/second_games.py --describe 7
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from types import FrameType

from second_grammar.describe import described, features
from second_grammar.play import MOST_PLIES, SecondGame
from second_grammar.screening import draw, passing_attempt, rules_of

import grl
from grl.children import Report
from grl.fresh import ENDINGS, fresh_positions
from grl.generate import generate
from grl.resources import Bounds
from grl.rulebook import Rulebook
from grl.supervise import supervised
from grl.traces import header_dict, write_traces
from grl.turn import Turn

GAMES, POSITIONS, LIMIT, MEMORY = 200, 1000, 400.0, 4096
SLACK = 20
NEAR_ENDINGS = 0.25
"""The share of games that begin shortly before an end, where no rule asks for the past."""
FOLLOWED = 5
"""Turns of each position after which the next player is compared."""
KINDS = ("missing", "surplus", "early", "ending", "goals", "unknown", "next")
"""In how many positions a legal turn is missing or surplus, the game is called over too early, an
end is overlooked, its goals are wrong or unknown, and the position after a turn is another one."""


@dataclass(frozen=True)
class Outcome:
    """What came of one drawn game; `trouble` says what ended the work before its time.

    `differing` counts positions by `KINDS`; `said` tells whether the model itself reports anything
    unexplained or open, and `verdict` is the line in which it does.
    """

    seed: int
    games: int
    positions: int = 0
    differing: dict[str, int] = field(default_factory=dict)
    said: bool = False
    verdict: str = ""
    learned_s: float = 0.0
    seconds: float = 0.0
    trouble: str = ""

    @property
    def result(self) -> str:
        """One of the classes that the total counts."""
        if self.trouble:
            return "no model"
        if not any(self.differing.values()):
            return "exact, but unsure" if self.said else "exact"
        unsaid = any(n for kind, n in self.differing.items() if kind != "unknown")
        return "not exact in silence" if unsaid and not self.said else "not exact and said so"

    def line(self) -> str:
        """The outcome for people."""
        start = f"seed {self.seed:>4}  {self.result:<22} {self.seconds:7.1f} s"
        if self.trouble:
            return f"{start}  {self.trouble}"
        counts = "  ".join(f"{kind} {n}" for kind, n in self.differing.items() if n)
        counts = f"  {counts}" if counts else ""
        verdict = f"  [{self.verdict}]" if self.said else ""
        return f"{start}  {self.positions} positions{counts}{verdict}"


def outcome(seed: int, games: int, positions: int, limit: float, memory: int) -> Outcome:
    """Draw and record the game, and let a child learn and compare within the limits.

    `limit` is in seconds, `memory` in MB.
    """
    game = draw(seed)
    stages = ["starting"]

    def note(stage: str, done: int, total: int | None) -> None:  # noqa: ARG001
        stages.append(stage)

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.jsonl"
        near = NEAR_ENDINGS if game.endgames() else 0.0
        plays = generate(
            game, games, all_moves=True, seed=seed, endgames=near, max_plies=MOST_PLIES
        )
        write_traces(path, header_dict(game), plays)
        work = partial(_learned_and_compared, seed, games, positions, path, limit)
        bounds = Bounds(limit * SLACK, memory << 20)
        try:
            ended = supervised(work, bounds, progress=note)
        except TimeoutError:
            trouble = f"stopped after {limit:g} s, at {stages[-1]!r}"
            return Outcome(seed, games, seconds=limit, trouble=trouble)
        except Exception as error:
            trouble = f"{type(error).__name__}: {str(error)[:200]}".splitlines()[0]
            return Outcome(seed, games, trouble=trouble)
    if ended.result is None:
        trouble = f"ended by the limit of {ended.by}, at {stages[-1]!r}"
        return Outcome(seed, games, trouble=trouble)
    return ended.result


def _learned_and_compared(
    seed: int, games: int, positions: int, path: Path, limit: float, report: Report[Outcome]
) -> Outcome:
    def ring(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
        raise TimeoutError

    signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, limit)
    began = time.process_time()
    rulebook = grl.learn(path, progress=report.progress)
    learned = time.process_time() - began
    report.progress("comparing", 0, positions)
    compared, differing = differences(rulebook, draw(seed), positions, seed)
    verdict = rulebook.model.report["verdict"]
    signal.setitimer(signal.ITIMER_PROF, 0)
    return Outcome(
        seed,
        games,
        compared,
        differing,
        said=not verdict["exact"],
        verdict=verdict["line"].partition("; grl ask")[0],
        learned_s=learned,
        seconds=time.process_time() - began,
    )


def differences(
    rulebook: Rulebook, game: SecondGame, positions: int, seed: int, endings: int = ENDINGS
) -> tuple[int, dict[str, int]]:
    """The number of fresh positions looked at, and of those that differ by kind.

    Beyond `positions` there are terminal ones, up to `endings` of each kind as far as found.
    """
    chance = random.Random(f"second games, turns to follow {seed}")
    found: Counter[str] = Counter()
    number = 0
    for position, legal in fresh_positions(game, positions, seed, endings):
        number += 1
        here = rulebook.position(**position.to_dict(trail=rulebook.looks_back))
        learned = {turn.effect(here) for turn in rulebook.legal(here)}
        if not legal:
            found["ending"] += bool(learned)
            goals = rulebook.goals(here)
            found["unknown"] += not learned and not goals
            found["goals"] += not learned and goals not in ({}, game.goals(position))
            continue
        known = {turn.effect(here): turn for turn in map(Turn.parse, legal)}
        found["early"] += not learned
        found["missing"] += bool(learned) and not learned >= known.keys()
        found["surplus"] += not learned <= known.keys()
        both = [turn for effect, turn in known.items() if effect in learned]
        wrong = False
        for turn in chance.sample(both, min(FOLLOWED, len(both))):
            after = game.play(position, turn)
            if game.legal(after):
                wrong |= rulebook.play(here, turn).outcome != after.outcome
        found["next"] += wrong
    return number, {kind: found[kind] for kind in KINDS}


def _kept(path: Path | None, games: int) -> dict[int, Outcome]:
    """The outcomes in a file of an earlier run with as many games, by seed."""
    if path is None or not path.exists():
        return {}
    lines = path.read_text(encoding="utf-8").splitlines()
    outcomes = [Outcome(**json.loads(line)) for line in lines]
    return {found.seed: found for found in outcomes if found.games == games}


def _run(
    seeds: Sequence[int], jobs: int, games: int, positions: int, limit: float, memory: int
) -> Iterator[Outcome]:
    work = partial(outcome, games=games, positions=positions, limit=limit, memory=memory)
    if jobs == 1:
        yield from map(work, seeds)
        return
    with ProcessPoolExecutor(max_workers=jobs) as pool:
        try:
            yield from pool.map(work, seeds)
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def totals(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """What came of all games, for people."""
    results = Counter(found.result for found in outcomes)
    exact = results["exact"] + results["exact, but unsure"]
    yield f"{exact} of {len(outcomes)} games of the second grammar are learned exactly"
    yield from (f"  {number:>4}  {result}" for result, number in sorted(results.items()))
    kinds = Counter(kind for found in outcomes for kind, n in found.differing.items() if n)
    yield "games with differences by kind: " + (
        ", ".join(f"{kind} {kinds[kind]}" for kind in KINDS if kinds[kind]) or "none"
    )


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
        "--limit", type=float, default=LIMIT, help="seconds for one game, of the processor"
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
    kept = _kept(chosen.out, chosen.games) if chosen.resume else {}
    found = [kept[seed] for seed in chosen.seeds if seed in kept]
    left = [seed for seed in chosen.seeds if seed not in kept]
    run = _run(left, chosen.jobs, chosen.games, chosen.positions, chosen.limit, chosen.memory)
    try:
        for one in run:
            found.append(one)
            print(one.line(), flush=True)
            if chosen.out is not None:
                chosen.out.parent.mkdir(parents=True, exist_ok=True)
                with chosen.out.open("a", encoding="utf-8") as stream:
                    stream.write(json.dumps(asdict(one)) + "\n")
    except KeyboardInterrupt:
        return 130
    print(*totals(found), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
