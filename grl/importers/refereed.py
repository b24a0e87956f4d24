"""Records of which a library says what is legal, as plays: no game of ours is needed.

The library plays a move and shows the board before and after; the turn is what differs
(`grl.importers.differences`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic

from grl.board import Board
from grl.errors import Place
from grl.importers.differences import Differences, Shown, Unsayable, joined
from grl.importers.records import FileByFile, RecordError, decoded
from grl.importers.referee import Referee, State
from grl.progress import Progress, silent
from grl.traceio import Lines
from grl.tracejson import FORMAT


@dataclass(slots=True)
class Written:
    """One game of a file, which begins at `line`: where it starts, and its moves with their lines.

    `flaw` says why reading stopped; `moves` are those before it.
    """

    line: int
    moves: Sequence[tuple[str, int]]
    setup: str | None = None
    flaw: RecordError | None = None


_STAGE = "playing"
Read = Callable[[Lines], Iterator[Written]]
Made = Callable[[], Iterator[Written]]
_HEADS = frozenset({"position", "fen", "sfen", "startpos"})
"""What stands around a position as programs are told one."""


def read_moves(lines: Lines) -> Iterator[Written]:
    """Games a line, as programs are told: moves alone, or ``position sfen … moves 7g7f …``."""
    for raw in lines:
        words = decoded(raw).partition("#")[0].split()
        if not words:
            continue
        setup = None
        if "moves" in words:
            at = words.index("moves")
            setup = " ".join(word for word in words[:at] if word not in _HEADS) or None
            words = words[at + 1 :]
        yield Written(lines.number, [(word, lines.number) for word in words], setup)


@dataclass(slots=True)
class _Walk(Generic[State]):
    """How far a game has been played: the position, its board, who is due, and the turns."""

    state: State
    here: Shown
    due: str
    turns: list[dict[str, Any]]

    @property
    def ply(self) -> int:
        """The number of the next turn."""
        return len(self.turns) + 1


class RefereedImports(FileByFile, Generic[State]):
    """The plays of some files; each iteration reads them anew.

    Where games are `made` and not read, there are no files, and `line` is the number of a game.
    With `all_moves` every legal turn is listed with each turn played. `header` is known when the
    plays have been read: what pieces there are shows in the games.
    """

    def __init__(
        self,
        paths: Sequence[str | os.PathLike[str]],
        read: Read,
        referee: Referee[State],
        *,
        made: Made | None = None,
        all_moves: bool = False,
        keep_beginnings: bool = False,
        strict: bool = False,
        progress: Progress = silent,
    ) -> None:
        super().__init__(paths, keep_beginnings=keep_beginnings, strict=strict, progress=progress)
        self.read_file = read
        self.made = made
        self.referee = referee
        self.all_moves = all_moves
        self.start = referee.shown(referee.start(None))
        self._told = Told(referee, self.start)
        self._keys = self._told.keys

    @property
    def header(self) -> dict[str, Any]:
        """The header of a trace file, with the pieces that the plays so far have shown."""
        return self.referee.header() or self._keys.header()

    def __iter__(self) -> Iterator[dict[str, Any]]:
        if self.made is None:
            return super().__iter__()
        self.reset()
        return self._given(self.referee.name, self._played(self.made()))

    def _played(self, games: Iterator[Written]) -> Iterator[Written]:
        for written in games:
            self._progress(_STAGE, written.line, None)
            yield written

    def _plays(self, path: str, lines: Lines) -> Iterator[dict[str, Any]]:
        return self._given(path, self.read_file(lines))

    def _given(self, path: str, games: Iterator[Written]) -> Iterator[dict[str, Any]]:
        for written in games:
            play, flaw = self._play(written)
            if self.admitted(path, written.line, len(play["turns"]), flaw):
                yield {"id": self.name(path, written.line)} | play

    def _play(self, written: Written) -> tuple[dict[str, Any], RecordError | None]:
        """The play of a record as far as it goes, and what stopped it."""
        referee = self.referee
        turns: list[dict[str, Any]] = []
        play: dict[str, Any] = {"turns": turns, "end": "stopped"}
        try:
            walk = self._begin(written.setup, turns)
        except RecordError as flaw:
            return play, written.flaw or flaw
        if walk.here != self.start:
            play["initial"] = self._keys.initial(walk.here)
        for text, line in written.moves:
            try:
                while (skip := referee.skip(walk.state)) is not None:
                    self._step(walk, skip)
                self._step(walk, referee.find(walk.state, text))
            except RecordError as flaw:
                return play, flaw.at(line=line, ply=walk.ply, rows=walk.here.rows)
            except Unsayable as error:
                place = Place(line=line, ply=walk.ply, rows=walk.here.rows)
                return play, RecordError("illegal", message=error.message, place=place, found=text)
        if written.flaw is None and not walk.turns:
            return play, RecordError("no moves")
        if written.flaw is None:
            goals = referee.goals(walk.state)
            play |= {} if goals is None else {"end": "terminal", "goals": dict(goals)}
        return play, written.flaw

    def _begin(self, setup: str | None, turns: list[dict[str, Any]]) -> _Walk[State]:
        """Where a game begins; raises `RecordError` for a board of another size."""
        state = self.referee.start(setup)
        here = self._told.shown(state)
        if list(map(len, here.rows)) != list(map(len, self.start.rows)):
            raise RecordError("position", found="/".join(here.rows))
        return _Walk(state, here, here.mover, turns)

    def _step(self, walk: _Walk[State], move: str) -> None:
        """Plays a legal move and adds its turn."""
        here = replace(walk.here, mover=self.referee.mover(walk.state, move))
        turn, state, there = self._told.played(walk.state, here, move)
        listed = {}
        if self.all_moves:
            listed = {"legal": sorted(self._told.choices(walk.state, here, turn))}
        by = {} if here.mover == walk.due else {"by": here.mover}
        walk.turns.append({**by, "turn": turn, **listed})
        walk.due = self._keys.next_player(here.mover)
        walk.state, walk.here = state, there


class Told(Generic[State]):
    """What a library says, in our notation: the boards of its positions and its moves as turns."""

    def __init__(self, referee: Referee[State], start: Shown) -> None:
        self.referee = referee
        self.keys = Keys(referee, start)
        self._in_parts = type(referee).course is not Referee.course
        self._board = Board(len(start.rows[0]), len(start.rows))
        named = self._board.square
        self._differences = Differences(
            self._board.width,
            self.keys,
            referee.stock,
            referee.thrown,
            frozenset(frozenset(map(named, link)) for link in referee.links),
        )

    def shown(self, state: State) -> Shown:
        """The board of a position, whose pieces are known from now on."""
        shown = self.referee.shown(state)
        self.keys.see(shown)
        return shown

    def played(self, state: State, here: Shown, move: str) -> tuple[str, State, Shown]:
        """The turn that a legal move is, and the position after it; raises `Unsayable`."""
        course = self.referee.course(state, move)
        boards = [self.shown(passed) for passed in course]
        return self._turn(move, here, boards), course[-1], boards[-1]

    def choices(self, state: State, here: Shown, played: str = "") -> dict[str, str]:
        """Every legal turn with the move that it is; of several that come to the same, `played`."""
        reached: dict[object, tuple[str, str]] = {}
        for move in self.referee.moves(state):
            boards = self._foreseen(state, move)
            turn = self._turn(move, here, boards)
            effect = (turn.partition(" ")[0], boards[-1].rows, boards[-1].mover)
            if effect not in reached or turn == played:
                reached[effect] = turn, move
        return dict(reached.values())

    def _turn(self, move: str, here: Shown, boards: Sequence[Shown]) -> str:
        """The turn that a move is, which leads from `here` through some boards."""
        known = self.referee.turn(move)
        if known is not None:
            return known
        if len(boards) == 1:
            return self._differences.turn(here, boards[0], self.referee.way(move))
        parts = []
        for there in boards:
            parts.append(self._differences.turn(here, there))
            here = replace(there, mover=here.mover)
        return joined(parts, self._board)

    def _foreseen(self, state: State, move: str) -> Sequence[Shown]:
        if self._in_parts:
            return [self.shown(passed) for passed in self.referee.course(state, move)]
        there = self.referee.foreseen(state, move)
        self.keys.see(there)
        return [there]


class Keys(dict[str, str | None]):
    """Whose each piece is that positions have shown, and the header that follows from it."""

    def __init__(self, referee: Referee[Any], start: Shown) -> None:
        super().__init__()
        self.referee, self.start = referee, start
        self._seen = set(".#")
        for keys in (*referee.stock.values(), "".join(start.rows)):
            self._add(keys)

    def see(self, shown: Shown) -> None:
        """Take in the pieces of a position."""
        for row in shown.rows:
            if not self._seen.issuperset(row):
                self._add(row)

    def _add(self, keys: Sequence[str]) -> None:
        for key in keys:
            if key not in self._seen:
                self._seen.add(key)
                self[key] = self.referee.owner(key)

    def next_player(self, player: str) -> str:
        """Who is after `player` in turn order."""
        players = self.referee.players
        return players[(players.index(player) + 1) % len(players)]

    def initial(self, shown: Shown) -> dict[str, Any]:
        """A position where games begin, as it stands in a trace file."""
        initial: dict[str, Any] = {"to_move": shown.mover, "rows": list(shown.rows)}
        if self.referee.stock:
            initial["reserve"] = {
                player: {key: shown.hands.get(player, {}).get(key, 0) for key in keys}
                for player, keys in self.referee.stock.items()
            }
        return initial

    def header(self) -> dict[str, Any]:
        """The header of a trace file."""
        types = self.referee.types
        links = [list(link) for link in self.referee.links]
        size = {"width": len(self.start.rows[0]), "height": len(self.start.rows)}
        return {
            "format": FORMAT,
            "game": self.referee.name,
            "board": {**size, "links": links} if links else size,
            "players": list(self.referee.players),
            "pieces": {
                key: {"player": self[key], "type": types.get(key.upper(), key.lower())}
                for key in sorted(self)
            },
            "initial": self.initial(self.start),
        }
