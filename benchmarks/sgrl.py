"""Automata of pieces, learned and judged: beside the GRL paper's tables, and games needed.

Every automaton is held to a language written by hand (`languages`): right means equal to it on all
words that stay on the board. Seconds are processor time of one process, so that other work on the
machine doesn't count; reading is timed apart. The share of a game's time that all its pieces have
in common (boards laid out as arrays, rates) is added in full to each of them.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import islice, pairwise
from math import log10
from pathlib import Path
from random import Random

from languages import difference, graph_of, languages_of

from grl.board import Equipment
from grl.games import load
from grl.generate import Players, generate
from grl.importers import FORMATS, Imports
from grl.progress import silent
from grl.sgrl.evidence import Evidence
from grl.sgrl.learn import Learned, learn_automata
from grl.shards import observe
from grl.traces import Traces, header_dict, write_traces

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "bench" / "sgrl"
PICTURE = ROOT / "docs" / "images" / "sgrl-games-needed.svg"
HUMAN_GAMES = ROOT.parent / "shared" / "data" / "checkers" / "ACF.txt"

GAMES: Mapping[bool, int] = {True: 50, False: 1000}
"""How many games are learned from, with all moves known and with single moves, as in the paper."""
FEWER: Mapping[tuple[str, bool], int] = {
    ("amazons", True): 3,
    ("amazons:width=6,height=6", True): 20,
    ("asalto", True): 10,
    ("asalto", False): 40,
    ("fifteen-puzzle", True): 2,
    ("fifteen-puzzle", False): 20,
}
"""Where fewer suffice and all would take long."""
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

Figures = tuple[str, str]


@dataclass(frozen=True)
class Row:
    """A row of the paper: a piece, its keys for both players, and the seconds of both tables.

    As printed there; a star marks an automaton that was wrong.
    """

    game: str
    spec: str
    piece: str
    keys: tuple[str, ...]
    all_moves: Figures
    single: Figures


TINY = ("< 0.01", "< 0.01")


def _chess(piece: str, all_moves: Figures, single: Figures) -> Row:
    keys = f"white {piece} first", f"black {piece.lower()} first"
    return Row("ChessBT", "chess-bt", piece, keys, all_moves, single)


PAPER: Sequence[Row] = (
    Row(
        "Amazons",
        "amazons",
        "Q",
        ("white q first", "black Q first"),
        ("8.1", "35.2"),
        ("51.2*", "54.9"),
    ),
    Row(
        "Amazons",
        "amazons",
        "A",
        ("white x appeared", "black x appeared"),
        ("9.3", "10.8"),
        ("86.2*", "34.6*"),
    ),
    Row("Checkers", "checkers", "P", ("white m first", "black M first"), TINY, TINY),
    Row("Checkers", "checkers", "K", ("white k first", "black K first"), TINY, TINY),
    Row("Peg Solitaire", "peg-solitaire", "P", ("solver i first",), ("< 0.01", "-"), TINY),
    Row("BT", "breakthrough", "P", ("white w first", "black b first"), TINY, TINY),
    Row(
        "CheckerBT",
        "checker-bt",
        "P",
        ("white m first", "black M first"),
        ("0.16", "0.17"),
        ("1.2*", "3.1*"),
    ),
    _chess("P", TINY, TINY),
    _chess("K", TINY, TINY),
    _chess("N", TINY, TINY),
    _chess("B", ("3.3", "3.4"), ("43.2", "41.0")),
    _chess("R", ("3.9", "3.8"), ("52.4", "50.0")),
    _chess("Q", ("12.3", "12.5"), ("145.3", "140.4")),
)
"""Tables 1 (all moves known) and 2 (a single move known), the rows of SGRL+."""

OTHERS = (
    "amazons:width=6,height=6",
    "checkers:continuing=1",
    "checker-bt:capturing=1",
    "nine-mens-morris",
    "nine-mens-morris:flying=1",
    "asalto",
    "five-field-kono",
    "eight-puzzle",
    "fifteen-puzzle",
    "connect-four",
    "tic-tac-toe",
    "graph-game",
)
"""The other reference games."""

LADDER = (1, 2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 200, 300, 500, 1000)
MOST_ALL_MOVES = 100
CURVES = (
    "amazons",
    *(spec for spec in dict.fromkeys(row.spec for row in PAPER) if spec != "amazons"),
    *(spec for spec in OTHERS if spec != "fifteen-puzzle"),
)
SEEDS = 10
FEWER_SEEDS: Mapping[str, int] = {"amazons": 3, "asalto": 5}
PEOPLE_SEEDS = 5


@dataclass(frozen=True)
class Verdict:
    """One automaton: whether it is right, its states, whether it is called sure, its seconds."""

    right: bool
    states: int
    sure: bool
    seconds: float = 0.0


@dataclass(frozen=True)
class Lesson:
    """What was learned from one file; `common` seconds belong to all of its automata.

    `turns` counts the turns played, or where all moves are known the turns listed, in different
    positions.
    """

    games: int
    turns: int
    reading: float
    common: float
    total: float
    verdicts: Mapping[str, Verdict]


def verdict(item: Learned, spec: str, equipment: Equipment, seconds: float = 0.0) -> Verdict:
    """What becomes of an automaton when it is held to its language."""
    language = languages_of(spec).get(str(item.dfa.key))
    right = language is not None and (
        difference(graph_of(item.dfa), language.graph(), equipment.board) is None
    )
    return Verdict(right, item.dfa.size, item.confidence.sure, seconds)


def record(
    spec: str, n: int, *, all_moves: bool, seed: int = 1, players: Players = "random"
) -> Path:
    """A file of `n` games, generated once and kept."""
    name = spec.replace(":", "-").replace("=", "").replace(",", "-")
    path = WORK / f"{name}-{'all' if all_moves else 'single'}-{players}-{n}-{seed}.jsonl"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        game = load(spec)
        plays = generate(
            game,
            n,
            all_moves=all_moves,
            seed=seed,
            players=players,
            max_plies=MAX_PLIES.get(spec),
            depth=1,
        )
        write_traces(path, header_dict(game), plays)
    return path


def lesson(path: Path, spec: str) -> Lesson:
    """Read a file, learn its automata, and judge them."""
    traces = Traces.open(path)
    began = time.process_time()
    shard = observe([traces], 1, silent)
    read = time.process_time()
    marks: list[tuple[float, str]] = []
    turns = sum(sum(turns.values()) for turns in shard.evidence.decisions.values())
    learned = learn_automata(
        shard.evidence,
        traces.header.equipment,
        progress=lambda what, done, total: marks.append((time.process_time(), what)),  # noqa: ARG005
    )
    done = time.process_time()
    own = {str(item.dfa.key): 0.0 for item in learned}
    for (start, what), (end, _) in pairwise(marks):
        key = what.partition(": ")[2]
        if key in own:
            own[key] += end - start
    common = done - read - sum(own.values())
    verdicts = {
        str(item.dfa.key): verdict(
            item, spec, traces.header.equipment, own[str(item.dfa.key)] + common
        )
        for item in learned
    }
    return Lesson(shard.games, turns, read - began, common, done - read, verdicts)


Line = tuple[str, str, str]


def table() -> Iterator[Line]:
    """Our figures beside the paper's, row by row, then the other reference games."""
    for all_moves, number in ((True, 1), (False, 2)):
        lessons: dict[str, Lesson] = {}
        for spec in dict.fromkeys(row.spec for row in PAPER):
            games = FEWER.get((spec, all_moves), GAMES[all_moves])
            lessons[spec] = lesson(record(spec, games, all_moves=all_moves), spec)
            yield _read_line(spec, lessons[spec], number)
        for row in PAPER:
            verdicts = [lessons[row.spec].verdicts.get(key) for key in row.keys]
            theirs = row.all_moves if all_moves else row.single
            yield f"table {number}: {row.game} {row.piece}", _shown(verdicts), _theirs(theirs)
    for spec in OTHERS:
        for all_moves in (True, False):
            games = FEWER.get((spec, all_moves), GAMES[all_moves])
            found = lesson(record(spec, games, all_moves=all_moves), spec)
            known = languages_of(spec)
            right = sum(v.right for key, v in found.verdicts.items() if key in known)
            sure = sum(v.sure for v in found.verdicts.values())
            sizes = " ".join(str(v.states) for v in found.verdicts.values())
            what = f"{spec}, {found.games} games, {'all moves' if all_moves else 'single'}"
            ours = f"{right} of {len(known)} right, {sure} sure, {found.total:.1f} s"
            yield what, ours, f"states {sizes}"


def _read_line(spec: str, found: Lesson, number: int) -> Line:
    speed = found.turns / max(found.reading, 1e-9)
    what = f"table {number}: {spec}, {found.games} games, {found.turns:,} turns"
    ours = f"read {found.reading:.1f} s, {speed:,.0f} turns/s"
    return what, ours, f"learned in {found.total:.1f} s"


def _shown(verdicts: Sequence[Verdict | None]) -> str:
    return "; ".join(
        "not seen"
        if v is None
        else f"{'right' if v.right else 'WRONG'} {v.states} states {v.seconds:.1f} s"
        for v in verdicts
    )


def _theirs(figures: Figures) -> str:
    return "paper: " + "; ".join(
        f"{figure.rstrip('*')} s{' wrong' * figure.endswith('*')}" for figure in figures
    )


def kinds_of_players() -> Iterator[Line]:
    """Single moves of players who choose otherwise than by chance."""
    for spec, n in (("checkers", 200), ("breakthrough", 100), ("amazons:width=6,height=6", 60)):
        kinds: tuple[Players, ...] = ("random", "greedy", "search")
        for kind in kinds:
            found = lesson(record(spec, n, all_moves=False, players=kind), spec)
            right = sum(v.right for v in found.verdicts.values())
            what = f"{spec}, {n} games, single, {kind} players"
            yield what, f"{right} of {len(languages_of(spec))} right", ""


def human_games() -> Iterator[Line]:
    """Games that people played, drawn by chance from an archive, if it is there."""
    if not HUMAN_GAMES.exists():
        yield "games of people", "no archive at hand", ""
        return
    plays = list(Traces.open(_imported()))
    equipment = Traces.open(_imported()).header.equipment
    for n in (50, 100, 200, 300, 500, 1000):
        right = []
        for seed in range(PEOPLE_SEEDS):
            evidence = Evidence()
            for play in Random(seed).sample(plays, n):
                for ply in play.plies:
                    evidence.observe(ply)
            learned = learn_automata(evidence, equipment)
            right.append(sum(verdict(item, "checkers", equipment).right for item in learned))
        total = len(languages_of("checkers"))
        ours = f"all {total} right in {right.count(total)} of {PEOPLE_SEEDS} samples"
        yield f"checkers, {n} games of people", ours, "right: " + " ".join(map(str, right))


def _imported() -> Path:
    path = WORK / "people.jsonl"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        game = load("checkers")
        write_traces(path, header_dict(game), Imports([HUMAN_GAMES], FORMATS["acf"], game))
    return path


# Games needed.


@dataclass(frozen=True)
class Climb:
    """One game climbed up the ladder: by key what was learned at each rung."""

    spec: str
    all_moves: bool
    rungs: tuple[int, ...]
    verdicts: Mapping[str, tuple[Verdict | None, ...]]


def climb(spec: str, all_moves: bool, seed: int) -> Climb:
    """More and more of the same games, until every automaton was right on two rungs in a row."""
    game = load(spec)
    most = MOST_ALL_MOVES if all_moves else LADDER[-1]
    plays = generate(game, most, all_moves=all_moves, seed=seed, max_plies=MAX_PLIES.get(spec))
    evidence, rungs = Evidence(), []
    verdicts: dict[str, list[Verdict | None]] = {key: [] for key in languages_of(spec)}
    with tempfile.TemporaryDirectory() as folder:
        for before, n in zip((0, *LADDER), LADDER, strict=False):
            if n > most:
                break
            path = Path(folder) / f"{n}.jsonl"
            write_traces(path, header_dict(game), islice(plays, n - before))
            evidence.merge(observe([Traces.open(path)], 1, silent).evidence)
            rungs.append(n)
            learned = {
                str(item.dfa.key): verdict(item, spec, game.equipment)
                for item in learn_automata(evidence, game.equipment)
            }
            for key, found in verdicts.items():
                found.append(learned.get(key))
            if all(
                len(found) > 1 and all(v is not None and v.right for v in found[-2:])
                for found in verdicts.values()
            ):
                break
    return Climb(spec, all_moves, tuple(rungs), {k: tuple(v) for k, v in verdicts.items()})


def needed(rungs: Sequence[int], verdicts: Sequence[Verdict | None]) -> float:
    """The first rung from which on the automaton was right; infinite where it never was."""
    first = float("inf")
    for n, found in reversed(list(zip(rungs, verdicts, strict=True))):
        if found is None or not found.right:
            break
        first = n
    return first


@dataclass(frozen=True)
class Need:
    """Games needed of one piece over the seeds."""

    spec: str
    keys: tuple[str, ...]
    all_moves: tuple[float, ...]
    single: tuple[float, ...]


def curves() -> Iterator[Line]:
    """Games needed until an automaton is right and stays so, and how far "sure" can be believed."""
    tasks = [
        (spec, all_moves, seed)
        for spec in CURVES
        for all_moves in (True, False)
        for seed in range(1, FEWER_SEEDS.get(spec, SEEDS) + 1)
    ]
    with ProcessPoolExecutor(max_workers=2) as pool:
        climbs = list(pool.map(climb, *zip(*tasks, strict=True), chunksize=1))
    needs = [need for spec in CURVES for need in _needs(spec, climbs)]
    for need in needs:
        what = f"{need.spec}: {', '.join(need.keys)}"
        yield what, f"all moves {_spread(need.all_moves)}", f"single {_spread(need.single)}"
    found = [v for c in climbs for vs in c.verdicts.values() for v in vs if v is not None]
    sure = [v for v in found if v.sure]
    wrong = sum(not v.right for v in sure)
    yield "automata called sure", f"{len(sure):,} of {len(found):,}", f"wrong among them: {wrong}"
    fallen = sum(_falls(vs) for c in climbs for vs in c.verdicts.values())
    yield "right, and wrong with more games", f"{fallen} automata", ""
    PICTURE.write_text(picture(needs), encoding="utf-8")
    yield "picture", str(PICTURE.relative_to(ROOT)), ""


def _falls(verdicts: Sequence[Verdict | None]) -> bool:
    right = [v is not None and v.right for v in verdicts]
    return any(a and not b for a, b in pairwise(right))


def _needs(spec: str, climbs: Sequence[Climb]) -> Iterator[Need]:
    """A need for each kind of piece: of the automata of both players the later one counts."""
    for keys in kinds_of_automata(spec):
        columns = []
        for all_moves in (True, False):
            mine = [c for c in climbs if (c.spec, c.all_moves) == (spec, all_moves)]
            columns.append(
                tuple(max(needed(c.rungs, c.verdicts[key]) for key in keys) for c in mine)
            )
        yield Need(spec, keys, *columns)


def kinds_of_automata(spec: str) -> list[tuple[str, ...]]:
    """The keys of a game's languages, those of one type of piece and role together."""
    game = load(spec)
    pieces = game.equipment.pieces
    groups: dict[tuple[str, str], list[str]] = {}
    for key in languages_of(spec):
        _, holds, role = key.split()
        kind = pieces[holds].type if holds in pieces else "empty"
        groups.setdefault(("tile" if kind.startswith("tile") else kind, role), []).append(key)
    return [tuple(keys) for keys in groups.values()]


def _spread(counts: Sequence[float]) -> str:
    def text(count: float) -> str:
        return f"> {LADDER[-1]}" if count == float("inf") else f"{count:g}"

    low, middle, high = min(counts), statistics.median(counts), max(counts)
    return f"{text(middle)} ({text(low)} to {text(high)})"


# The picture: a row for each piece, games along a logarithmic axis, dot at the median.

LEFT, RIGHT, TOP, HIGH = 250, 690, 64, 17
COLOURS = {"all moves": "#1b6ca8", "single moves": "#c8641b"}


def picture(needs: Sequence[Need]) -> str:
    """The games needed as an SVG."""
    height = TOP + HIGH * len(needs) + 40
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="720" height="{height}"'
        ' font-family="sans-serif" font-size="11">',
        "<title>Games needed until an automaton is right</title>",
        '<rect width="100%" height="100%" fill="white"/>',
        '<text x="12" y="20" font-size="14">Games needed until an automaton is right</text>',
    ]
    for number, (label, colour) in enumerate(COLOURS.items()):
        x = LEFT + 130 * number
        lines += [
            f'<circle cx="{x}" cy="36" r="4" fill="{colour}"/>',
            f'<text x="{x + 9}" y="40">{label}</text>',
        ]
    lines.append(
        f'<text x="12" y="40" fill="#555">dot: median of {SEEDS} seeds; line: all of them</text>'
    )
    for games in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000):
        at = f"{_across(games):.1f}"
        lines += [
            f'<line x1="{at}" x2="{at}" y1="{TOP - 6}" y2="{height - 30}" stroke="#ddd"/>',
            f'<text x="{at}" y="{height - 14}" text-anchor="middle">{games}</text>',
        ]
    for number, need in enumerate(needs):
        y = TOP + HIGH * number + 6
        lines.append(f'<text x="{LEFT - 12}" y="{y + 4}" text-anchor="end">{_label(need)}</text>')
        for shift, counts, colour in zip(
            (-3, 3), (need.all_moves, need.single), COLOURS.values(), strict=True
        ):
            low, middle, high = map(_across, (min(counts), statistics.median(counts), max(counts)))
            lines += [
                f'<line x1="{low:.1f}" x2="{high:.1f}" y1="{y + shift}" y2="{y + shift}"'
                f' stroke="{colour}" stroke-width="1.5"/>',
                f'<circle cx="{middle:.1f}" cy="{y + shift}" r="3.2" fill="{colour}"/>',
            ]
    return "\n".join([*lines, "</svg>", ""])


def _across(games: float) -> float:
    return LEFT + (RIGHT - LEFT) * log10(min(games, LADDER[-1])) / log10(LADDER[-1])


def _label(need: Need) -> str:
    _, holds, role = need.keys[0].split()
    name = need.spec.replace("width=6,height=6", "6×6").replace("=1", "").replace(":", " ")
    piece = load(need.spec).equipment.pieces.get(holds)
    kind = "empty" if piece is None else "tile" if piece.type.startswith("tile") else piece.type
    return f"{name}: {kind}" + ("" if role == "first" else f", {role}")


def rows() -> Iterator[Line]:
    """Everything about automata of pieces."""
    yield from table()
    yield from kinds_of_players()
    yield from human_games()
    yield from curves()
