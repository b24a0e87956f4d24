"""Whole games, learned from ever more records until nothing differs from the reference.

For each game and seed: play n games, learn, compare turns, next positions, endings and goals on
fresh positions, and count perft; with the next larger n as long as anything differs. A row is
printed as soon as it is known, the median over the seeds once all are there. An interruption
loses only what runs.

    python benchmarks/whole_games.py --games checkers,asalto --seeds 2 --mode all --jobs 2
"""

from __future__ import annotations

import argparse
import importlib.resources
import json
import signal
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field, replace
from itertools import count, islice
from math import inf
from pathlib import Path
from types import FrameType
from typing import Any

import grl
from grl.compare import compare_game
from grl.errors import GrlError
from grl.games import Game, load
from grl.generate import generate
from grl.rulebook import Rulebook
from grl.tally import Comparison, ending_words
from grl.traces import header_dict, write_traces

GAMES = (
    "tic-tac-toe",
    "connect-four",
    "connect-four:width=5,height=4",
    "connect-four:width=9,height=7,line=5",
    "breakthrough",
    "breakthrough:width=6,height=6",
    "checker-bt",
    "checker-bt:capturing=1",
    "chess-bt",
    "checkers",
    "checkers:continuing=1",
    "amazons:width=6,height=6",
    "amazons",
    "peg-solitaire",
    "five-field-kono",
    "nine-mens-morris",
    "nine-mens-morris:flying=1",
    "asalto",
    "fifteen-puzzle",
    "eight-puzzle",
    "graph-game",
)
LADDER: Mapping[bool, Sequence[int]] = {
    True: (5, 10, 20, 50, 100, 200),
    False: (50, 200, 1000, 5000),
}
"""Numbers of games, with all moves known and with single moves."""

MAX_PLIES: Mapping[str, int] = {
    "chess-bt": 200,
    "nine-mens-morris": 200,
    "nine-mens-morris:flying=1": 200,
    "five-field-kono": 150,
    "eight-puzzle": 100,
    "fifteen-puzzle": 100,
    "graph-game": 50,
}
"""Games that may not end in random play break off here."""
NEAR_ENDINGS = 0.25
POSITIONS = 10_000
SEEDS = 5
FEWER_POSITIONS: Mapping[str, int] = {"amazons": 200}
LEARNED_FROM: Mapping[tuple[str, bool], int] = {("amazons", True): 100}
"""Where the positions compared, or learned from, are drawn, for each has thousands of turns."""

FIRST_LOOK = 300
PERFT_SECONDS = 10.0
FROM_REFERENCE = 50_000
"""Without a published table the reference counts itself, up to so many sequences."""


@dataclass(frozen=True)
class Trial:
    """One game with one seed: what was learned from `games` games, the most that were tried.

    `needed` is the first number of games from which nothing differed, None where something always
    did. `wrong_terminal` and `wrong_goals` are None where the rulebook says nothing of endings.
    `perft` is the number of depths that agree, `perft_wrong` the first that doesn't. `trouble` is
    the error that ended the trial before its time; the figures are then those of the last look.
    """

    spec: str
    all_moves: bool
    seed: int
    needed: int | None = None
    games: int = 0
    positions: int = 0
    turns: int = 0
    missing: int = 0
    surplus: int = 0
    elsewhere: int = 0
    wrong_terminal: int | None = None
    wrong_goals: int | None = None
    endings: Mapping[str, int] = field(default_factory=dict)
    perft: int = 0
    perft_wrong: int | None = None
    seconds: float = 0.0
    trouble: str = ""


def trial(spec: str, all_moves: bool, seed: int, positions: int, limit: float = inf) -> Trial:
    """Climb the ladder of games until nothing differs, within `limit` seconds.

    What was known last stands beside the trouble where there is any.
    """
    found = Trial(spec, all_moves, seed)
    with Alarm(limit):
        try:
            for found in climb(load(spec), spec, all_moves, seed, positions):  # noqa: B007
                pass
        except (GrlError, MemoryError, RecursionError, TimeoutError) as error:
            return replace(found, needed=None, trouble=_first_line(error))
    return found


def climb(
    game: Game,
    spec: str,
    all_moves: bool,
    seed: int,
    positions: int,
    ladder: Sequence[int] | None = None,
) -> Iterator[Trial]:
    """Learn from more and more of the same games; the comparisons made, the last one in full.

    A first look at a few positions spares the rungs that are clearly too low the long comparison.
    """
    rungs = LADDER[all_moves] if ladder is None else ladder
    positions = min(positions, FEWER_POSITIONS.get(spec, positions))
    plays = records(game, spec, all_moves, seed, rungs[-1])
    paths: list[Path] = []
    with tempfile.TemporaryDirectory() as folder:
        for n in rungs:
            before = int(paths[-1].stem) if paths else 0
            paths.append(Path(folder) / f"{n}.jsonl")
            write_traces(paths[-1], header_dict(game), islice(plays, n - before))
            started = time.process_time()
            rulebook = grl.learn(paths, positions=LEARNED_FROM.get((spec, all_moves)))
            lesson = Trial(spec, all_moves, seed, games=n, seconds=time.process_time() - started)
            if n != rungs[-1]:
                if not knows(rulebook):
                    continue
                look = compare_game(rulebook, game, min(FIRST_LOOK, positions), seed + 1000)
                yield trial_of(lesson, look)
                if not look.same:
                    continue
            result = compare_game(rulebook, game, positions, seed)
            agreed, wrong = perft(rulebook, game, spec)
            exact = result.same and knows(rulebook) and wrong is None
            yield replace(
                trial_of(lesson, result),
                needed=n if exact else None,
                perft=agreed,
                perft_wrong=wrong,
            )
            if exact:
                return


def records(
    game: Game, spec: str, all_moves: bool, seed: int, most: int
) -> Iterator[dict[str, Any]]:
    """Games to learn from, `most` of them; the first n are the same however many are taken."""
    near = NEAR_ENDINGS if game.endgames() else 0.0
    plies = MAX_PLIES.get(spec)
    return generate(game, most, all_moves=all_moves, seed=seed, endgames=near, max_plies=plies)


def knows(rulebook: Rulebook) -> bool:
    """Whether the rulebook claims to know endings and goals."""
    return rulebook.knows_terminal and rulebook.knows_goals


def trial_of(lesson: Trial, result: Comparison) -> Trial:
    """What a comparison says of a lesson."""
    overlooked = [e.met - e.recognised for e in result.endings if e.recognised is not None]
    misjudged = [e.met - e.right for e in result.endings if e.right is not None]
    silent = any(e.recognised is None for e in result.endings)
    return replace(
        lesson,
        positions=result.positions,
        turns=result.turns,
        missing=result.missing,
        surplus=result.surplus,
        elsewhere=result.elsewhere,
        wrong_terminal=None if silent else sum(overlooked) + result.early,
        wrong_goals=None if silent else sum(misjudged),
        endings={ending_words(e.kind, e.goals): e.met for e in result.endings},
    )


def perft(rulebook: Rulebook, game: Game, spec: str) -> tuple[int, int | None]:
    """How many depths agree with the table, as far as they cost little, and the first that doesn't.

    What the next depth will cost is estimated from the last one and by how much it has more
    sequences.
    """
    agreed, took, before = 0, 0.0, 1
    for depth, expected in enumerate(counts(game, spec), 1):
        if agreed and took * expected / max(before, 1) > PERFT_SECONDS:
            break
        started = time.process_time()
        if rulebook.perft(rulebook.initial, depth) != expected:
            return agreed, depth
        took, before, agreed = max(time.process_time() - started, 1e-4), expected, depth
    return agreed, None


def counts(game: Game, spec: str) -> Iterator[int]:
    """The perft table of a game or variant; where there is none the reference counts."""
    text = spec.partition(":")[2]
    chosen = {k: int(v) for k, _, v in (item.partition("=") for item in text.split(",") if item)}
    package = type(game).__module__.rpartition(".")[0]
    file = importlib.resources.files(package).joinpath("perft.json") if package else None
    if file is not None and file.is_file():
        for table in json.loads(file.read_text(encoding="utf-8"))["tables"]:
            if table["options"] == chosen:
                yield from table["counts"]
                return
    for depth in count(1):
        number = game.perft(game.initial, depth)
        yield number
        if not 0 < number <= FROM_REFERENCE / 10:
            return


# The table.

COLUMNS = (
    f"{'game':<37} {'mode':<6} {'seed':>4} {'needs':>6} {'positions':>9} {'missing':>8} "
    f"{'surplus':>8} {'elsewhere':>9} {'terminal':>8} {'goals':>6} {'perft':>7} {'seconds':>8}"
)


def row(found: Trial) -> Iterator[str]:
    """A trial for people: a line of figures and one of endings by kind."""
    perft = f"{found.perft}" if found.perft_wrong is None else f"not {found.perft_wrong}"
    needs = str(found.needed) if found.needed is not None else f"> {found.games}"
    mode = "all" if found.all_moves else "single"
    yield (
        f"{found.spec:<37} {mode:<6} {found.seed:>4} {needs:>6} {found.positions:>9,} "
        f"{found.missing:>8,} {found.surplus:>8,} {found.elsewhere:>9,} "
        f"{_said(found.wrong_terminal):>8} {_said(found.wrong_goals):>6} {perft:>7} "
        f"{found.seconds:>8.1f}"
    )
    if found.trouble:
        yield f"    {found.trouble}"
    yield "    " + ("; ".join(f"{k}: {n}" for k, n in found.endings.items()) or "no ending met")


def summary(trials: Sequence[Trial]) -> str:
    """The median of the games needed over the seeds; a trial that came to nothing needs no end."""
    needs = [inf if t.needed is None else t.needed for t in trials]
    middle = statistics.median_low(needs)
    first = trials[0]
    most = max(t.games for t in trials) or LADDER[first.all_moves][-1]
    mode = "all moves" if first.all_moves else "single moves"
    exact = sum(n < inf for n in needs)
    median = f"more than {most}" if middle == inf else f"{middle:,.0f}"
    return (
        f"== {first.spec}, {mode}: {median} games (median of {len(trials)} seeds, "
        f"{exact} exact), learned in {statistics.median(t.seconds for t in trials):.1f} s"
    )


def _said(number: int | None) -> str:
    return "-" if number is None else f"{number:,}"


def _first_line(error: BaseException) -> str:
    text = str(error).partition("\n")[0]
    return f"{type(error).__name__}: {text}"[:200] if text else type(error).__name__


class Alarm:
    """Raises `TimeoutError` in the main thread after so many seconds."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def __enter__(self) -> None:
        def ring(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
            raise TimeoutError(f"stopped after {self._seconds:.0f} s")

        if self._seconds < inf:
            self._before = signal.signal(signal.SIGALRM, ring)
            signal.setitimer(signal.ITIMER_REAL, self._seconds)

    def __exit__(self, *_: object) -> None:
        if self._seconds < inf:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self._before)


def run(
    tasks: Sequence[tuple[str, bool, int, int, float]], jobs: int, say: Callable[[str], None]
) -> Iterator[Trial]:
    """All trials, in the order in which they are done."""
    if jobs == 1:
        yield from (trial(*task) for task in tasks)
        return
    with ProcessPoolExecutor(max_workers=jobs) as pool:
        waiting: dict[Future[Trial], tuple[str, bool, int, int, float]] = {
            pool.submit(trial, *task): task for task in tasks
        }
        try:
            for future in as_completed(waiting):
                try:
                    yield future.result()
                except Exception as error:
                    spec, all_moves, seed, *_ = waiting[future]
                    yield Trial(spec, all_moves, seed, trouble=_first_line(error))
        except KeyboardInterrupt:
            say("interrupted")
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="whole_games.py", description=__doc__.partition("\n")[0])
    parser.add_argument("--games", default="", help="some of them, with commas between")
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--positions", type=int, default=POSITIONS)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--mode", choices=("all", "single", "both"), default="both")
    parser.add_argument("--limit", type=float, default=inf, help="seconds for one trial")
    parser.add_argument("--json", type=Path, default=None, help="write all trials there")
    chosen = parser.parse_args(arguments)
    modes = {"all": (True,), "single": (False,), "both": (True, False)}[chosen.mode]
    specs = select(chosen.games)
    tasks = [
        (spec, mode, seed, chosen.positions, chosen.limit)
        for mode in modes
        for spec in specs
        for seed in range(1, chosen.seeds + 1)
    ]
    done: list[Trial] = []
    left = Counter((spec, mode) for spec, mode, *_ in tasks)
    _say(COLUMNS)
    try:
        for found in run(tasks, chosen.jobs, _say):
            done.append(found)
            for line in row(found):
                _say(line)
            key = found.spec, found.all_moves
            left[key] -= 1
            if not left[key]:
                _say(summary([t for t in done if (t.spec, t.all_moves) == key]))
            if chosen.json is not None:
                _write(chosen.json, done)
    except KeyboardInterrupt:
        return 130
    return 0


def select(text: str) -> list[str]:
    """The games that a list names; a comma begins a new one only where a name follows."""
    if not text:
        return list(GAMES)
    specs: list[str] = []
    for item in text.replace(";", ",").split(","):
        if "=" in item and ":" not in item and specs:
            specs[-1] += f",{item}"
        else:
            specs.append(item)
    return specs


def _write(path: Path, done: Iterable[Trial]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps([asdict(t) for t in done], indent=1), encoding="utf-8")


def _say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
