"""Whether a game is learned exactly: recorded, learned in a child under limits, and held to it.

Random games are recorded with all legal turns and learned from in a child process under limits of
time and memory; the model is held to the game on fresh positions. Seconds are of the processor, so
that a busy machine gives the same results; `SLACK` times as many on the clock end the work all the
same.
"""

from __future__ import annotations

import json
import random
import resource
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import grl
from grl.children import Report
from grl.compare import as_reached
from grl.correspondence import correspond
from grl.fresh import Met, fresh_positions
from grl.games import Game
from grl.generate import generate
from grl.resources import Bounds
from grl.rulebook import Rulebook
from grl.supervise import supervised
from grl.traces import Traces, header_dict, write_traces
from grl.turn import Turn

SLACK = 20
FOLLOWED = 5
"""Turns of each position after which the next player is compared."""
KINDS = ("missing", "surplus", "early", "ending", "goals", "unknown", "next")
"""In how many positions a legal turn is missing or surplus, the game is called over too early, an
end is overlooked, its goals are wrong or unknown, and the position after a turn is another one."""


@dataclass(frozen=True)
class Outcome:
    """What came of one game; `trouble` says what ended the work before its time.

    `differing` counts positions by `KINDS`; `said` tells whether the model itself reports anything
    unexplained or open, and `verdict` is the line in which it does. `plies` are those recorded, and
    `memory` is the most that the child had, in MB.
    """

    game: str
    games: int
    positions: int = 0
    differing: dict[str, int] = field(default_factory=dict)
    said: bool = False
    verdict: str = ""
    plies: int = 0
    learned_s: float = 0.0
    seconds: float = 0.0
    memory: int = 0
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
        start = f"{self.game:<9}  {self.result:<22} {self.seconds:7.1f} s"
        if self.trouble:
            return f"{start}  {self.trouble}"
        counts = "  ".join(f"{kind} {n}" for kind, n in self.differing.items() if n)
        counts = f"  {counts}" if counts else ""
        verdict = f"  [{self.verdict}]" if self.said else ""
        return (
            f"{start}  learned in {self.learned_s:.1f} s, {self.memory:,} MB, "
            f"from {self.plies:,} plies; {self.positions} positions{counts}{verdict}"
        )


@dataclass(frozen=True)
class Trial:
    """A game to be learned: who makes it, and under which limits.

    `limit` is in seconds for learning, and as many again for the comparison; `memory` is in MB. The
    share `near` of the games begins near an end. `met` gives the positions compared, `recorded`
    changes a play before it is written, and `read` says what is learned from the file.
    """

    name: str
    make: Callable[[], Game]
    seed: int
    games: int
    positions: int
    limit: float
    memory: int
    most: int
    near: float = 0.0
    met: Callable[[Game, int, int], Iterable[Met]] = fresh_positions
    recorded: Callable[[dict[str, Any]], dict[str, Any]] = dict
    read: Callable[[Path], Path | Traces] = Path

    def run(self) -> Outcome:
        """Record the game, and let a child learn and compare within the limits."""
        stages = ["recording"]

        def note(stage: str, done: int, total: int | None) -> None:  # noqa: ARG001
            stages.append(stage)

        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "games.jsonl"
            work = partial(_learned_and_compared, self, path)
            bounds = Bounds(self.limit * SLACK, self.memory << 20)
            try:
                self.record(path)
                ended = supervised(work, bounds, progress=note)
            except TimeoutError:
                trouble = f"stopped after {self.limit:g} s, at {stages[-1]!r}"
                return Outcome(self.name, self.games, seconds=self.limit, trouble=trouble)
            except Exception as error:
                said = f"{type(error).__name__}: {str(error)[:200]}".splitlines()[0]
                return Outcome(self.name, self.games, trouble=f"{said}, at {stages[-1]!r}")
        if ended.result is None:
            trouble = f"ended by the limit of {ended.by}, at {stages[-1]!r}"
            return Outcome(self.name, self.games, trouble=trouble)
        return ended.result

    def record(self, path: Path) -> None:
        """Write the games to learn from."""
        game = self.make()
        plays = generate(
            game,
            self.games,
            all_moves=True,
            seed=self.seed,
            endgames=self.near,
            max_plies=self.most,
        )
        write_traces(path, header_dict(game), map(self.recorded, plays))


def _learned_and_compared(trial: Trial, path: Path, report: Report[Outcome]) -> Outcome:
    def ring(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
        raise TimeoutError

    signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, trial.limit)
    began = time.process_time()
    rulebook = grl.learn(trial.read(path), progress=report.progress)
    learned = time.process_time() - began
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    signal.setitimer(signal.ITIMER_PROF, trial.limit)
    report.progress("comparing", 0, trial.positions)
    game = trial.make()
    compared, differing = differences(
        rulebook, game, trial.met(game, trial.positions, trial.seed), trial.seed
    )
    signal.setitimer(signal.ITIMER_PROF, 0)
    verdict = rulebook.model.report["verdict"]
    with path.open("rb") as stream:
        plies = sum(line.count(b'"legal"') for line in stream)
    return Outcome(
        trial.name,
        trial.games,
        compared,
        differing,
        said=not verdict["exact"],
        verdict=verdict["line"].partition("; grl ask")[0],
        plies=plies,
        learned_s=learned,
        seconds=time.process_time() - began,
        memory=memory,
    )


def differences(
    rulebook: Rulebook, game: Game, met: Iterable[Met], seed: int
) -> tuple[int, dict[str, int]]:
    """The number of the positions `met` in `game`, and of those that differ by kind."""
    chance = random.Random(f"second games, turns to follow {seed}")
    found: Counter[str] = Counter()
    number = 0
    like = correspond(game.initial, rulebook.initial)
    for position, legal in met:
        number += 1
        if legal:
            here = rulebook.position(**position.to_dict(trail=rulebook.looks_back))
        else:
            here = as_reached(rulebook, like, position)
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
            if not game.is_terminal(after):
                wrong |= rulebook.play(here, turn).outcome != after.outcome
        found["next"] += wrong
    return number, {kind: found[kind] for kind in KINDS}


def run_all(
    trials: Sequence[Trial], jobs: int, out: Path | None, *, resume: bool, what: str
) -> int:
    """Run trials, print a line for each and the totals; the exit status.

    Outcomes are added to the file `out`; with `resume` those in it aren't sought again.
    """
    kept = _kept(out) if resume else {}
    found = [kept[x.name, x.games] for x in trials if (x.name, x.games) in kept]
    left = [trial for trial in trials if (trial.name, trial.games) not in kept]
    try:
        for one in _run(left, jobs):
            found.append(one)
            print(one.line(), flush=True)
            if out is not None:
                out.parent.mkdir(parents=True, exist_ok=True)
                with out.open("a", encoding="utf-8") as stream:
                    stream.write(json.dumps(asdict(one)) + "\n")
    except KeyboardInterrupt:
        return 130
    print(*totals(found, what), sep="\n")
    return 0


def _run(trials: Sequence[Trial], jobs: int) -> Iterator[Outcome]:
    if jobs == 1:
        yield from map(Trial.run, trials)
        return
    with ProcessPoolExecutor(max_workers=jobs) as pool:
        try:
            yield from pool.map(Trial.run, trials)
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _kept(path: Path | None) -> dict[tuple[str, int], Outcome]:
    """The outcomes in a file of an earlier run, by game and number of games."""
    if path is None or not path.exists():
        return {}
    lines = path.read_text(encoding="utf-8").splitlines()
    outcomes = [Outcome(**json.loads(line)) for line in lines]
    return {(found.game, found.games): found for found in outcomes}


def totals(outcomes: Sequence[Outcome], what: str) -> Iterator[str]:
    """What came of all games, for people."""
    results = Counter(found.result for found in outcomes)
    exact = results["exact"] + results["exact, but unsure"]
    yield f"{exact} of {len(outcomes)} {what} are learned exactly"
    yield from (f"  {number:>4}  {result}" for result, number in sorted(results.items()))
    kinds = Counter(kind for found in outcomes for kind, n in found.differing.items() if n)
    yield "games with differences by kind: " + (
        ", ".join(f"{kind} {kinds[kind]}" for kind in KINDS if kinds[kind]) or "none"
    )
