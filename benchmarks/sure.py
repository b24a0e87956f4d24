"""How far "sure" can be believed: automata from few games, right or wrong against sure or not.

Thresholds of `grl.sgrl.confidence` are chosen on the games of `SETTING`; figures come from
`REPORT`, other games with other seeds, most of which nobody tuned anything on. An automaton of a
reference game is right when it equals the language written down for it (`languages`), on all words
that stay on the board. For other games 200 held-out games with all legal turns judge (20 of
Teeko): the automaton is wrong when it refuses a word that was legal there, or generates one that
would have been seen there 20 times and never was; both after later segments are cut off where
effects explain those of the records learned from. A loop that never ends there is wrong, too.
Pieces of which no word was seen have no automaton and are not counted.

    python benchmarks/sure.py --set report --jobs 2
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import cache
from importlib import import_module
from pathlib import Path

import drawn_games
from languages import Language, difference, graph_of, languages_of

from grl.board import Equipment
from grl.games import Game, load
from grl.generate import generate
from grl.rules.learn.effects import choices, learn_effects
from grl.sgrl.automaton import accepts
from grl.sgrl.collect import collect
from grl.sgrl.confidence import spell
from grl.sgrl.evidence import Evidence
from grl.sgrl.learn import Learned, learn_automata
from grl.sgrl.pool import Pool
from grl.traces import Traces, header_dict, write_traces

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "bench" / "sure"
sys.path.append(str(ROOT / "tests"))

OWN: Mapping[str, tuple[str, str]] = {
    "teeko": ("teeko", "Teeko"),
    "made-up": ("made_up_game", "MadeUp"),
    "no-echo": ("strange_games", "NoEcho"),
    "rearguard": ("strange_games", "Rearguard"),
    "enclosing": ("capturing_games", "Enclosing"),
    "jumping": ("capturing_games", "Jumping"),
}
"""Games that are no reference games: module and class."""
SETTING = (
    *("nine-mens-morris", "connect-four", "eight-puzzle", "graph-game"),
    *("drawn-1", "drawn-2", "drawn-3"),
)
REPORT = (
    *("breakthrough", "checker-bt", "checker-bt:capturing=1", "five-field-kono", "tic-tac-toe"),
    *("no-echo", "rearguard", "made-up", "jumping", "enclosing", "drawn-101", "drawn-102"),
)
SEEDS: Mapping[str, Sequence[int]] = {"setting": range(1, 3), "report": range(102, 105)}
SETS = {"setting": SETTING, "report": REPORT}

ALL_MOVES = (1, 2, 3, 5, 8, 12, 20)
SINGLE = (*ALL_MOVES, 40)
MOST: Mapping[str, tuple[int, int]] = {"teeko": (8, 20)}
"""The last rungs with all moves and with single ones, where more would take long."""
MAX_PLIES = 200
HELD_OUT, HELD_OUT_SEED = 200, 9_001
MOST_HELD_OUT: Mapping[str, int] = {"teeko": 20}
EXPECTED = 20.0
MOST_WORDS = 200_000
"""An automaton that generates more words in the held-out games has a loop that the game lacks."""
BANDS = ((1, 3), (5, 12), (20, 40))


@dataclass(frozen=True)
class Judged:
    """One automaton from `games` games: whether it is right and called sure, and what was wrong.

    `wrong` begins with ``lacks`` or ``surplus`` and has the word; it is empty where it is right.
    """

    spec: str
    all_moves: bool
    seed: int
    games: int
    key: str
    sure: bool
    wrong: str
    states: int
    support: int
    doubt: float
    open: int
    notes: str = ""


@cache
def game_of(spec: str) -> Game:
    """A reference game, a drawn one, or one of `OWN`."""
    if spec.startswith("drawn-"):
        return drawn_games.draw(int(spec.removeprefix("drawn-")))
    if spec not in OWN:
        return load(spec)
    module, name = OWN[spec]
    made: Callable[[], Game] = getattr(import_module(module), name)
    return made()


def record(spec: str, n: int, *, all_moves: bool, seed: int) -> Path:
    """A file of `n` random games, generated once and kept."""
    kind = "all" if all_moves else "single"
    name = f"{spec.replace(':', '-').replace('=', '')}-{kind}-{n}-{seed}.jsonl.gz"
    path = WORK / name
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        game = game_of(spec)
        plays = generate(game, n, all_moves=all_moves, seed=seed, max_plies=MAX_PLIES)
        write_traces(path, header_dict(game), plays)
    return path


def seen_in(evidence: Evidence, equipment: Equipment) -> dict[str, Pool]:
    """The words of held-out records by automaton."""
    return {str(key): Pool(tree) for key, tree in collect(evidence, equipment).items()}


class Judge:
    """Says what is wrong with an automaton of a game; nothing when it is right."""

    def __init__(self, spec: str) -> None:
        self.spec = spec
        self.equipment = game_of(spec).equipment
        self.written = None if spec.startswith("drawn-") or spec in OWN else languages_of(spec)
        self.held: dict[bool, dict[str, Pool]] = {}
        if self.written is None:
            n = MOST_HELD_OUT.get(spec, HELD_OUT)
            evidence = Evidence()
            for play in Traces.open(record(spec, n, all_moves=True, seed=HELD_OUT_SEED)):
                for ply in play.plies:
                    evidence.observe(ply)
            self.held[False] = seen_in(evidence, self.equipment)
            self.held[True] = seen_in(choices(evidence), self.equipment)

    def fault(self, item: Learned, cut: bool) -> str:
        """What is wrong with an automaton; empty when nothing is.

        With `cut` it was learned from first segments, for the others are effects of these.
        """
        key = str(item.dfa.key)
        if self.written is not None:
            return self._against(item, self.written.get(key))
        pool = self.held[cut].get(key)
        if pool is None:
            return "surplus automaton"
        for word in pool.words:
            if not accepts(item.automaton, word):
                return f"lacks {spell(word)}"
        for number, node in enumerate(pool.language(item.automaton)):
            if number == MOST_WORDS:
                return "words without end"
            if not node.count and node.expected >= EXPECTED:
                return f"surplus by {node.ending}, depth {node.depth}"
        return ""

    def _against(self, item: Learned, language: Language | None) -> str:
        if language is None:
            return "surplus automaton"
        theirs = language.graph()
        found = difference(graph_of(item.dfa), theirs, self.equipment.board)
        if found is None:
            return ""
        state: int | None = 0
        for letter in found[1]:
            state = theirs.step(state, letter)
        return f"{'lacks' if theirs.label(state) else 'surplus'} {spell(found[1])}"


def climb(spec: str, all_moves: bool, seeds: Sequence[int]) -> list[Judged]:
    """What becomes of the automata of one game from more and more games of each seed."""
    judge = Judge(spec)
    ladder: Sequence[int] = ALL_MOVES if all_moves else SINGLE
    most = MOST.get(spec, (ladder[-1], ladder[-1]))[not all_moves]
    rungs = [n for n in ladder if n <= most]
    found = []
    for seed in seeds:
        evidence = Evidence()
        traces = Traces.open(record(spec, rungs[-1], all_moves=all_moves, seed=seed))
        for number, play in enumerate(traces, 1):
            for ply in play.plies:
                evidence.observe(ply, number)
            if number not in rungs or not evidence.decisions:
                continue
            cut = learn_effects(evidence, judge.equipment).cut
            known = choices(evidence) if cut else evidence
            for item in learn_automata(known, judge.equipment):
                trust = item.confidence
                found.append(
                    Judged(
                        spec,
                        all_moves,
                        seed,
                        number,
                        str(item.dfa.key),
                        trust.sure,
                        judge.fault(item, cut),
                        item.dfa.size,
                        trust.support,
                        round(trust.doubt, 2),
                        len(trust.open),
                        trust.weakest,
                    )
                )
    return found


def _climb(task: tuple[str, bool, Sequence[int]]) -> list[Judged]:
    return climb(*task)


def climbs(specs: Iterable[str], seeds: Sequence[int], jobs: int) -> Iterator[list[Judged]]:
    """All games in both modes."""
    tasks = [(spec, all_moves, tuple(seeds)) for spec in specs for all_moves in (True, False)]
    if jobs == 1:
        yield from map(_climb, tasks)
        return
    with ProcessPoolExecutor(max_workers=jobs) as pool:
        yield from pool.map(_climb, tasks, chunksize=1)


def counted(found: Sequence[Judged]) -> str:
    """Sure and right, sure and wrong, unsure and right, unsure and wrong, in one line."""
    count = Counter((item.sure, not item.wrong) for item in found)
    sure = count[True, True] + count[True, False]
    share = f"{100 * count[True, True] / sure:.1f} %" if sure else "-"
    return (
        f"{count[True, True]:5} {count[True, False]:5} {count[False, True]:5} "
        f"{count[False, False]:5}  {share}"
    )


def lines(found: Sequence[Judged]) -> Iterator[str]:
    """The report: by mode and number of games, by game, and the ones wrong though sure."""
    yield f"{'':42} {'sure+':>5} {'sure-':>5} {'not+':>5} {'not-':>5}  right among sure"
    for all_moves in (True, False):
        mode = "all moves" if all_moves else "single moves"
        here = [item for item in found if item.all_moves == all_moves]
        for low, high in BANDS:
            band = [item for item in here if low <= item.games <= high]
            if band:
                yield f"{f'{mode}, {low} to {high} games':42} {counted(band)}"
        for spec in dict.fromkeys(item.spec for item in here):
            own = [item for item in here if item.spec == spec]
            yield f"{f'{mode}: {spec}':42} {counted(own)}  sure from {_from(own)}"
    yield f"{'all':42} {counted(found)}"
    for item in found:
        if item.sure and item.wrong:
            mode = "all" if item.all_moves else "single"
            yield (
                f"sure and wrong: {item.spec} {mode} seed {item.seed}, {item.games} games, "
                f"{item.key}: {item.wrong}"
            )


def _from(found: Sequence[Judged]) -> str:
    """From how many games on all automata of a seed are sure: median over seeds."""
    first = []
    for seed in sorted({item.seed for item in found}):
        own = [item for item in found if item.seed == seed]
        last = float("inf")
        for n in sorted({item.games for item in own}, reverse=True):
            if not all(item.sure for item in own if item.games == n):
                break
            last = n
        first.append(last)
    middle = sorted(first)[len(first) // 2]
    return "no number of games" if middle == float("inf") else f"{middle:g}"


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="sure", description=__doc__.partition("\n")[0])
    parser.add_argument("--set", choices=sorted(SETS), default="report")
    parser.add_argument("--games", nargs="*", help="only these")
    parser.add_argument("--seeds", help="such as 1-5; by default those of the set")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--dump", type=Path, help="write every automaton as a line of JSON")
    options = parser.parse_args(arguments)
    seeds = SEEDS[options.set]
    if options.seeds:
        low, _, high = options.seeds.partition("-")
        seeds = range(int(low), int(high or low) + 1)
    found: list[Judged] = []
    for part in climbs(options.games or SETS[options.set], seeds, options.jobs):
        found += part
        if part:
            print(f"{part[0].spec} done, {counted(part)}", file=sys.stderr, flush=True)
        if options.dump:
            text = "".join(json.dumps(asdict(item)) + "\n" for item in found)
            options.dump.write_text(text, encoding="utf-8")
    print("\n".join(lines(found)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
