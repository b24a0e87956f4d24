"""How fast records of 1,000 games are imported, and whether exactly the broken ones are left out.

    make bench PART=importers
    make bench PART="importers --games 200 --kinds usi,csa --all-moves"
    make bench PART="importers --learn 200 --kinds minishogi"

Libraries play the games at random and write them, 1 % of them broken in ten ways. A line for each
notation; the exit status is 1 where a good game was left out, a broken one was kept, or the reason
is not the expected one. With `--learn` so many sound games of each are imported with all turns,
learned, and the model is compared with imported games that it hasn't seen, a quarter as many; the
exit status is 1 where it isn't exact.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from broken_records import break_some, ways
from random_records import KINDS, Kind

import grl
from grl.compare import compare_traces
from grl.importers.formats import NOTATIONS, Wishes, written
from grl.progress import silent
from grl.traces import Traces

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "bench"
DATA = Path(os.environ.get("GRL_DATA", ROOT.parent / "shared" / "data"))
GAMES = 1_000
SHARE = 0.01
COMMON = {"keep_beginnings": False, "strict": False, "progress": silent}
REAL = (("acf", "checkers/ACF.txt"), ("pdn", "checkers/tinsley.pdn"))
"""Records of people, where they are at hand."""


def main(words: Sequence[str]) -> int:
    """Print a line for each notation, and for each game that isn't as expected."""
    parser = argparse.ArgumentParser(prog="make bench PART=importers", description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--kinds", default="", help="some notations or games, with commas between")
    parser.add_argument("--all-moves", action="store_true")
    parser.add_argument("--learn", type=int, default=0, help="from so many games of each")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(words)
    WORK.mkdir(parents=True, exist_ok=True)
    chosen = asked.kinds.split(",") if asked.kinds else None
    wrong = 0
    for kind in (make() for make in KINDS):
        if chosen is not None and not {kind.form, kind.name.rpartition(", ")[2]} & {*chosen}:
            continue
        try:
            kind.begin()
        except ImportError as error:
            print(f"{kind.name}: left out, for {error.name} is not installed", flush=True)
            continue
        if asked.learn:
            lines = learned(kind, min(asked.learn, kind.number), asked.seed)
        else:
            number = min(asked.games, kind.number)
            lines = measured(kind, number, asked.seed, all_moves=asked.all_moves)
        for line, good in lines:
            print(line, flush=True)
            wrong += not good
    if asked.learn:
        return int(wrong > 0)
    for form, name in REAL:
        if chosen is None or form in chosen:
            print(_people(form, DATA / name, asked.games), flush=True)
    return int(wrong > 0)


def measured(
    kind: Kind, number: int, seed: int, *, all_moves: bool = False
) -> Iterator[tuple[str, bool]]:
    """A line of figures for a kind, one for each surprise, and whether they are as expected.

    Rates are in processor time, for one core.
    """
    records, broken = break_some(kind, kind.games(number, seed), SHARE, seed)
    path = WORK / f"records{kind.ending}"
    path.write_bytes(kind.file(records))
    expected = {
        f"{path.name}:{kind.line(records, index)}": (name, flaw)
        for index, (name, flaw) in broken.items()
    }
    wishes = Wishes(**kind.wishes, all_moves=all_moves)
    began = time.process_time()
    imports = NOTATIONS[kind.form].make([path], wishes, COMMON).imports
    for _ in imports:
        pass
    seconds = time.process_time() - began
    found = {str(flaw.place.game): flaw for flaw in imports.quarantine}
    for game in sorted({*expected, *found}):
        reason = found[game].reason if game in found else "kept"
        way, flaw = expected.get(game, ("nothing", None))
        if flaw is None or reason not in flaw.reasons:
            yield f"  {game}: broken by {way}, and {found.get(game, 'kept')}", False
    kinds = len(ways(kind))
    exact = found.keys() == expected.keys()
    yield (
        f"{kind.name:<24} {imports.read:>6,} read {imports.kept:>6,} kept, {len(found):>3} left out"
        f" of {len(broken)} broken in {kinds} ways, {imports.plies:>7,} plies, "
        f"{imports.read / seconds:>6,.0f} games/s{' with all turns' if all_moves else ''}",
        exact,
    )


def learned(kind: Kind, number: int, seed: int) -> Iterator[tuple[str, bool]]:
    """What a model of imported games says of others, and whether it is exact."""
    traces = {}
    for name, many, at in (("learned", number, seed), ("fresh", number // 4, seed + 1)):
        records = [kind.text(words, index) for index, words in enumerate(kind.games(many, at))]
        path = WORK / f"{name}{kind.ending}"
        path.write_bytes(kind.file(records))
        wishes = Wishes(**kind.wishes, all_moves=True)
        traces[name] = WORK / f"imported-{name}.jsonl"
        written(traces[name], NOTATIONS[kind.form].make([path], wishes, COMMON))
    began = time.process_time()
    rulebook = grl.learn(traces["learned"])
    seconds = time.process_time() - began
    result = compare_traces(rulebook, Traces.open(traces["fresh"]))
    yield (
        f"{kind.name:<24} {number:>6,} games learned in {seconds:,.0f} s; {result.turns:,} turns "
        f"of {number // 4:,} others, {result.missing:,} missing, {result.surplus:,} surplus, "
        f"{result.elsewhere:,} lead elsewhere; endings "
        + ", ".join(f"{e.right} of {e.met}" for e in result.endings),
        result.same,
    )


def _people(form: str, path: Path, most: int) -> str:
    if not path.exists():
        return f"{form}: left out, for there is no {path}"
    imports = NOTATIONS[form].make([path], Wishes(), COMMON).imports
    began = time.process_time()
    for _ in imports:
        if imports.kept == most:
            break
    seconds = time.process_time() - began
    return (
        f"{form + ', ' + path.name:<24} {imports.read:>6,} read {imports.kept:>6,} kept "
        f"{dict(imports.reasons)}, {imports.plies:,} plies, {imports.read / seconds:,.0f} games/s"
    )
