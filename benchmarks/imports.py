"""How fast records of 1,000 games are imported, and whether exactly the broken ones are left out.

    make bench PART=importers
    make bench PART="importers --games 200 --kinds usi,csa --all-moves"

Libraries play the games at random and write them, 1 % of them broken in ten ways. A line for each
notation; the exit status is 1 where a good game was left out, a broken one was kept, or the reason
is not the expected one.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from broken_records import break_some, ways
from random_records import KINDS, Kind

from grl.importers.formats import NOTATIONS, Wishes
from grl.progress import silent

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
    parser.add_argument("--kinds", default="", help="some notations, with commas between")
    parser.add_argument("--all-moves", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(words)
    WORK.mkdir(parents=True, exist_ok=True)
    chosen = asked.kinds.split(",") if asked.kinds else None
    wrong = 0
    for kind in (make() for make in KINDS):
        if chosen is not None and kind.form not in chosen:
            continue
        try:
            kind.begin()
        except ImportError as error:
            print(f"{kind.name}: left out, for {error.name} is not installed", flush=True)
            continue
        for line, good in measured(
            kind, min(asked.games, kind.number), asked.seed, all_moves=asked.all_moves
        ):
            print(line, flush=True)
            wrong += not good
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
