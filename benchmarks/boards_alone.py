"""Games learned from boards alone, held to those learned from traces and to the languages by hand.

    make bench PART=boards
    make bench PART="boards --kinds checkers,amazons --share 0.5"

Of random games the boards are written down, without any move, and imported again; automata are
learned from what was found and from the games' own single-move traces. The exit status is 1 where
these differ. With `--break` so many of a hundred games are broken first, in ten ways, and a line
says whether exactly those were left out. Seconds are processor time.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from languages import difference, graph_of, languages_of

from grl.board import EMPTY
from grl.games import load
from grl.generate import generate
from grl.importers import PositionImports
from grl.model import Dfa
from grl.progress import silent
from grl.sgrl.learn import learn_automata
from grl.shards import observe
from grl.traces import Traces, header_dict, write_traces

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "bench" / "boards"
MOST_PLIES = 200
HEAD = ("game", "games", "turns", "as in traces", "equal", "by hand", "alike", "left out", "s")

Rows = list[str]


class Kind(NamedTuple):
    """A game by its specification, and how many games of it are imported."""

    spec: str
    games: int


KINDS = (
    Kind("breakthrough", 100),
    Kind("checkers", 300),
    Kind("amazons", 100),
    Kind("chess:castling=0", 1000),
)


def main(words: Sequence[str]) -> int:
    """Print a line for each game."""
    parser = argparse.ArgumentParser(prog="make bench PART=boards", description=__doc__)
    parser.add_argument("--kinds", default="", help="some games, with commas between")
    parser.add_argument("--share", type=float, default=1.0, help="of the games")
    parser.add_argument("--break", dest="broken", type=float, default=0.0, help="per cent of games")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(words)
    chosen = asked.kinds.split(",") if asked.kinds else None
    print("".join(f"{name:>13}" for name in HEAD), flush=True)
    wrong = 0
    for spec, number in KINDS:
        if chosen is None or spec.partition(":")[0] in chosen:
            traces = _record(spec, max(int(number * asked.share), 1), asked.seed)
            if asked.broken:
                wrong += not _broken(spec, traces, asked.broken / 100, asked.seed)
            else:
                wrong += not _compared(spec, traces)
    return int(wrong > 0)


def _record(spec: str, number: int, seed: int) -> Path:
    """A trace file of random games, generated once and kept."""
    path = WORK / f"{spec.replace(':', '-')}-{number}-{seed}.jsonl"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        game = load(spec)
        plays = generate(game, number, all_moves=False, seed=seed, max_plies=MOST_PLIES)
        write_traces(path, header_dict(game), plays)
    return path


def boards_of(traces: Traces) -> Iterator[list[Rows]]:
    """The boards of each game."""
    for play in traces:
        yield [*(list(ply.position.rows) for ply in play.plies), list(play.final.rows)]


def _write(path: Path, traces: Traces, games: Iterator[list[Rows]] | list[list[Rows]]) -> None:
    """A file of boards, JSON lines after the header of the traces."""
    with path.open("w") as file:
        file.write(json.dumps(traces.header.to_dict()) + "\n")
        for number, boards in enumerate(games, 1):
            file.write(json.dumps({"id": f"g{number}", "boards": boards}) + "\n")


def _compared(spec: str, path: Path) -> bool:
    """Print how a game fares; whether its automata are those from traces."""
    traces, source = Traces.open(path), path.with_suffix(".boards.jsonl")
    _write(source, traces, boards_of(traces))
    target = path.with_suffix(".found.jsonl")
    began = time.process_time()
    imports = PositionImports([source])
    plays = list(imports)
    seconds = time.process_time() - began
    write_traces(target, imports.header.to_dict(), plays)
    found = {play["id"]: [turn["turn"] for turn in play["turns"]] for play in plays}
    turns = same = 0
    for number, play in enumerate(traces, 1):
        texts = [ply.turn for ply in play.plies]
        turns += len(texts)
        same += sum(a == b for a, b in zip(texts, found.get(f"g{number}", ()), strict=False))
    ours, theirs = _automata(target), _automata(path)
    known, board = languages_of(spec), traces.header.equipment.board
    right = sum(
        difference(graph_of(dfa), known[str(dfa.key)].graph(), board) is None
        for dfa in ours
        if str(dfa.key) in known
    )
    equal = ours == theirs
    cells = (
        spec.partition(":")[0],
        f"{imports.read:,}",
        f"{turns:,}",
        f"{100 * same / turns:.2f} %",
        "yes" if equal else "no",
        f"{right} of {len(known)}",
        f"{imports.alike:,}",
        f"{len(imports.quarantine):,}",
        f"{seconds:.1f}",
    )
    print("".join(f"{cell:>13}" for cell in cells), flush=True)
    return equal


def _automata(path: Path) -> list[Dfa]:
    traces = Traces.open(path)
    evidence = observe([traces], 1, silent).evidence
    return [item.dfa for item in learn_automata(evidence, traces.header.equipment)]


WAYS = (
    "a board left out",
    "two boards left out",
    "a board doubled",
    "a piece gone",
    "a piece too many",
    "a piece elsewhere",
    "a piece changed",
    "a rank left out",
    "an unknown piece",
    "one board alone",
)


def _broken(spec: str, path: Path, share: float, seed: int) -> bool:
    """Print whether exactly the broken games are left out."""
    traces, source = Traces.open(path), path.with_suffix(".broken.jsonl")
    chance = Random(seed)
    keys = "".join(traces.header.equipment.pieces)
    games: list[list[Rows]] = []
    how: dict[int, str] = {}
    for number, boards in enumerate(boards_of(traces), 2):
        if chance.random() < share and len(boards) > 12:
            how[number] = WAYS[len(how) % len(WAYS)]
            boards = broken_by(how[number], boards, keys, chance)  # noqa: PLW2901
        games.append(boards)
    _write(source, traces, games)
    imports = PositionImports([source])
    for _ in imports:
        pass
    found = {flaw.place.line: flaw for flaw in imports.quarantine}
    for line in sorted(how.keys() ^ {n or 0 for n in found}):
        print(f"  {source.name}:{line}: {how.get(line, 'whole')}, and {found.get(line, 'kept')}")
    print(
        f"{spec}: {imports.read:,} read, {imports.kept:,} kept, {len(found):,} left out of "
        f"{len(how):,} broken in {len(set(how.values()))} ways; {dict(imports.reasons)}",
        flush=True,
    )
    return how.keys() == found.keys()


def broken_by(way: str, boards: list[Rows], keys: str, chance: Random) -> list[Rows]:
    """The boards of a game with something wrong in the midst of them."""
    at = chance.randrange(4, len(boards) - 4)
    cells = [(y, x) for y, row in enumerate(boards[at]) for x in range(len(row))]
    full = [(y, x) for y, x in cells if boards[at][y][x] in keys]
    free = [(y, x) for y, x in cells if boards[at][y][x] == EMPTY]
    (y, x), here = chance.choice(full), [*boards[at]]
    key = here[y][x]
    other = chance.choice([each for each in keys if each != key])

    def put(place: tuple[int, int], what: str) -> None:
        y, x = place
        here[y] = f"{here[y][:x]}{what}{here[y][x + 1 :]}"

    if way == WAYS[0]:
        return boards[:at] + boards[at + 1 :]
    if way == WAYS[1]:
        return boards[:at] + boards[at + 2 :]
    if way == WAYS[2]:
        return [*boards[:at], boards[at], *boards[at:]]
    if way == WAYS[9]:
        return boards[:1]
    if way in (WAYS[3], WAYS[5]):
        put((y, x), EMPTY)
    if way == WAYS[4]:
        put(chance.choice(free), other)
    elif way == WAYS[5]:
        put(chance.choice(free), key)
    elif way == WAYS[6]:
        put((y, x), other)
    elif way == WAYS[7]:
        here = here[1:]
    elif way == WAYS[8]:
        put((y, x), "%")
    return [*boards[:at], here, *boards[at + 1 :]]
