"""Tournaments: every pair of players from the same random openings, each opening from both sides.

A tournament is a list of games, each of which can be played on its own. Their records are written
in that order as they are known, a line of JSON each, so that a tournament which was cut off goes on
where it stopped; with budgets in nodes the file is the same however often that happened, and
whatever the number of processes.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

from grl.board import Player
from grl.children import FORKS, Report
from grl.engine.engine import State
from grl.errors import GrlError, Place
from grl.inputs import read_bounded
from grl.players.interface import Budget, Game
from grl.players.seats import Seat
from grl.progress import Progress, silent
from grl.supervise import together

FORMAT = "grl-arena/1"
TRIES = 50
"""Openings that are thrown away for one that was not there before."""
MOST_BYTES = 2**30
Opening = tuple[State, tuple[str, ...]]
"""A state, and the turns that led there."""


@dataclass(frozen=True)
class Contest:
    """What a tournament is: a game, known by a text that differs for any other; who plays; how
    many random turns every opening has, by which seed, and after how many plies a game is drawn."""

    game: Game
    identity: str
    seats: Sequence[Seat]
    opening: int
    seed: int
    plies: int

    def header(self) -> dict[str, Any]:
        """What the first line of the file of records says."""
        players = [seat.identity for seat in self.seats]
        return {
            "format": FORMAT, "game": self.identity, "players": players, "opening": self.opening,
            "seed": self.seed, "plies": self.plies,
        }  # fmt: skip


@dataclass(frozen=True)
class Match:
    """One game of a tournament: the places of the two players among the seats, who begins first."""

    number: int
    seats: tuple[int, int]
    opening: int


@dataclass(frozen=True)
class Record:
    """A game that was played: `points` of the player who began, 0 to 1, `turns` with those of the
    opening, `nodes` that each of the two spent; `cut` where it was too long."""

    number: int
    seats: tuple[int, int]
    points: float
    cut: bool
    nodes: tuple[int, int]
    turns: tuple[str, ...]


def matches(seats: int, games: int) -> Iterator[Match]:
    """The games of a tournament, so many for each pair; two in a row have the same opening."""
    for game in range(games):
        for place, (a, b) in enumerate(combinations(range(seats), 2)):
            number = game * (seats * (seats - 1) // 2) + place
            yield Match(number, (b, a) if game % 2 else (a, b), game // 2)


def openings(contest: Contest, count: int) -> list[Opening]:
    """So many openings, none of which ends the game; to different boards as far as there are."""
    found: list[Opening] = []
    met: set[tuple[str, int]] = set()
    for number in range(count):
        chance = random.Random(f"opening {contest.seed} {number}")
        opening = None
        for _ in range(TRIES):
            tried = _walked(contest.game.initial, contest.opening, chance)
            opening = tried or opening
            if tried is not None and (tried[0].cells, tried[0].mover) not in met:
                break
        if opening is None:
            raise GrlError(
                "no opening of this length was found",
                found=f"{contest.opening} random turns end the game",
                expected="fewer turns",
            )
        met.add((opening[0].cells, opening[0].mover))
        found.append(opening)
    return found


def _walked(state: State, plies: int, chance: random.Random) -> Opening | None:
    """Random turns; None where the game is over after them or before."""
    turns = []
    for _ in range(plies):
        if state.over:
            return None
        number = chance.randrange(state.count())
        turns.append(state.turns()[number])
        state = state.play(number)
    return None if state.over else (state, tuple(turns))


def played(
    contest: Contest, match: Match, opening: Opening, _: Report[None] | None = None
) -> Record:
    """One game from an opening; the first of the match plays for whoever is to move after it."""
    players = contest.game.equipment.players
    state, begun = opening
    first = state.mover
    turns = list(begun)
    nodes = [0, 0]
    while not state.over and len(turns) < contest.plies:
        side = int(state.mover != first)
        seed = seed_of(contest, match.number, len(turns))
        answer = contest.seats[match.seats[side]].choose(contest.game, state, seed)
        nodes[side] += answer.nodes
        turns.append(answer.turn)
        state = state.play(answer.number)
    points = _points(state, players[first]) if state.over else 0.5
    return Record(
        match.number, match.seats, points, not state.over, (nodes[0], nodes[1]), tuple(turns)
    )


def seed_of(contest: Contest, match: int, ply: int) -> int:
    """The seed with which a player chooses a turn."""
    return random.Random(f"turn {contest.seed} {match} {ply}").getrandbits(32)


def _points(state: State, player: Player) -> float:
    """1 for a player with more than the other, 0 for one with less, else, or unknown, a half."""
    goals = state.goals()
    if len(goals) < 2:
        return 0.5
    mine, other = goals[player], max(goal for who, goal in goals.items() if who != player)
    return 0.5 if mine == other else float(mine > other)


def tournament(
    contest: Contest,
    games: int,
    path: Path,
    jobs: int = 1,
    progress: Progress = silent,
) -> list[Record]:
    """Play so many games of each pair and write their records to a file, those that it lacks.

    A file that isn't there is begun. `jobs` games are played at once where processes fork. Raises
    `GrlError` for the file of another tournament and for a game that is not for two.
    """
    if len(contest.game.equipment.players) != 2:
        raise GrlError("not a game for two", expected="a model of a game with two players")
    listed = list(matches(len(contest.seats), games))
    found, size = _known(contest, path)
    todo = listed[len(found) :]
    starts = openings(contest, (games + 1) // 2) if todo else []
    if todo:
        for seat in contest.seats:
            _warmed(contest.game, seat)
    with open(path, "ab", buffering=0) as stream:
        stream.truncate(size)
        if not size:
            stream.write(_line(contest.header()))
        waiting: dict[int, Record] = {}

        def done(at: int, record: Record | GrlError) -> None:
            if isinstance(record, GrlError):
                raise record
            waiting[at] = record
            while len(found) - known in waiting:
                found.append(waiting.pop(len(found) - known))
                stream.write(_line(asdict(found[-1])))
            progress("games", len(found), len(listed))

        known = len(found)
        works = [partial(played, contest, match, starts[match.opening]) for match in todo]
        if jobs > 1 and FORKS:
            together(works, jobs, done)
        else:
            for at, work in enumerate(works):
                done(at, work())
    return found[: len(listed)]


def _warmed(game: Game, seat: Seat) -> None:
    """Lets a player compile what it needs once, before there are processes."""
    assert seat.agent is not None
    seat.agent.choose(game, game.initial, Budget(nodes=1, seconds=1.0))


def _line(data: dict[str, Any]) -> bytes:
    return json.dumps(data, ensure_ascii=False).encode() + b"\n"


def _known(contest: Contest, path: Path) -> tuple[list[Record], int]:
    """The records in a file, and the bytes up to the end of the last whole one; 0 where there is
    no file, or no whole header."""
    header = contest.header()
    content = read_bounded(path, MOST_BYTES) if path.exists() else b""
    if b"\n" not in content and _line(header).startswith(content):
        return [], 0
    first, records, whole = _parsed(content, path)
    if first != header:
        raise GrlError(
            "the results of another tournament",
            place=Place(file=str(path)),
            found=json.dumps(first)[:80],
            expected=json.dumps(header)[:80],
            hint="choose another file",
        )
    return records, whole


def read_results(path: Path) -> tuple[dict[str, Any], list[Record]]:
    """The header of a file of results, and its whole records. Raises `GrlError`."""
    header, records, _ = _parsed(read_bounded(path, MOST_BYTES), path)
    if not {"game", "players", "opening"} <= header.keys():
        raise GrlError("not a file of results", place=Place(file=str(path)))
    return header, records


def _parsed(content: bytes, path: Path) -> tuple[dict[str, Any], list[Record], int]:
    """The header, the records, and the bytes up to the end of the last whole one."""
    whole = content.rfind(b"\n") + 1
    lines = content[:whole].splitlines()
    try:
        header: dict[str, Any] = json.loads(lines[0]) if lines else {}
        records = [_record(json.loads(line)) for line in lines[1:]]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise GrlError(f"not a file of results: {error}", place=Place(file=str(path))) from None
    if [record.number for record in records] != list(range(len(records))):
        raise GrlError("records are missing or doubled", place=Place(file=str(path)))
    return header, records, whole


def _record(data: dict[str, Any]) -> Record:
    """The inverse of `asdict` of a record."""
    a, b = data["seats"]
    m, n = data["nodes"]
    return Record(
        int(data["number"]), (int(a), int(b)), float(data["points"]), bool(data["cut"]),
        (int(m), int(n)), tuple(map(str, data["turns"])),
    )  # fmt: skip
