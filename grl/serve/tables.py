"""Games under way: each apart from the others, and written down whenever it changes.

A game is kept as the turns played in it; where it stands is carried along with them, a position a
ply. Files are written whole, in a folder of the user's own, so that games are there when
the server is started again, however it ended.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from grl.board import Position
from grl.errors import IllegalTurn
from grl.inputs import read_bounded
from grl.notation import find_turn
from grl.outputs import write_whole
from grl.players.seats import PERSON
from grl.serve.messages import GameLine, GameView, NewGame, Setup, Step
from grl.serve.refusals import Refused
from grl.serve.seating import Players
from grl.serve.shelf import Served, Shelf
from grl.serve.trees import changed, touched, tree
from grl.turn import PASS, Turn, text_of

MOST_GAMES = 5_000
"""Games that are kept; the oldest one makes room."""
LIVE = 400
"""Games of those asked for last that are kept ready."""
MOST_PLIES = 5_000
MOST_FILE = 64 << 20


class Kept(msgspec.Struct):
    """A game as its file has it; `turns` are those played, of which `ply` stand."""

    id: str
    model: str
    name: str
    seats: dict[str, str]
    start: dict[str, Any] | None
    turns: list[str]
    ply: int
    made: float
    changed: float


@dataclass
class Table:
    """A game under way; whoever changes it holds its lock."""

    kept: Kept
    served: Served
    positions: list[Position]
    turns: list[Turn]
    lock: threading.RLock = field(default_factory=threading.RLock, repr=False)
    version: int = 0
    """Grows with every change: whoever thinks meanwhile thinks in vain."""
    view: GameView | None = None
    _legal: tuple[int, list[Turn]] | None = field(default=None, repr=False)

    @property
    def position(self) -> Position:
        """Where the game stands."""
        return self.positions[self.kept.ply]

    def meant(self, text: str) -> Turn:
        """The turn that a text names here, legal or not."""
        return find_turn(self.position, text, self.legal)

    def legal(self) -> list[Turn]:
        """The legal turns."""
        if self._legal is None or self._legal[0] != self.kept.ply:
            self._legal = (self.kept.ply, self.served.rulebook.legal(self.position))
        return self._legal[1]

    def advance(self, turn: Turn) -> None:
        """Play a legal turn, in whatever spelling; what was taken back before is gone."""
        listed, text = [text_of(each) for each in self.legal()], str(turn)
        if text not in listed:
            effect = turn.effect(self.position)
            same = (each for each in listed if Turn.parse(each).effect(self.position) == effect)
            text = next(same, "")
            if not text:
                raise IllegalTurn(
                    f"turn '{turn}' is not legal for {self.position.to_move}",
                    expected=f"one of the {len(listed)} legal turns",
                )
        if self.kept.ply >= MOST_PLIES:
            raise Refused(409, f"the game is too long; at most {MOST_PLIES:,} plies")
        ply = self.kept.ply
        if self.kept.turns[ply : ply + 1] != [text]:
            played = Turn.parse(text)
            self.kept.turns[ply:] = [text]
            self.positions[ply + 1 :] = [self.served.rulebook.after(self.position, played)]
            self.turns[ply:] = [played]
            self._legal = None
        self.kept.ply = ply + 1

    def replay(self) -> None:
        """Carry out all turns of the file; raises `GrlError` where one is not legal."""
        wanted, ply = self.kept.turns, self.kept.ply
        self.kept.turns, self.kept.ply = [], 0
        for text in wanted:
            self.advance(self.meant(text))
        self.kept.ply = min(ply, len(self.kept.turns))

    def seen(self) -> GameView:
        """The game for a page."""
        if self.view is None:
            self.view = self._seen()
        return self.view

    def _seen(self) -> GameView:
        kept, position = self.kept, self.position
        board = position.board
        legal = self.legal()
        over = not legal
        return GameView(
            id=kept.id,
            model=kept.model,
            name=kept.name,
            ply=kept.ply,
            plies=len(kept.turns),
            cells=position.cells,
            to_move=position.to_move,
            reserve=position.reserve,
            seats=kept.seats,
            steps=[
                Step(
                    text,
                    before.to_move,
                    _once(touched(board, turn), changed(before, after)),
                )
                for text, turn, before, after in zip(
                    kept.turns, self.turns, self.positions, self.positions[1:], strict=False
                )
            ],
            over=over,
            said=self._ending() if over else "",
            goals=self._goals() if over else {},
            turns=len(legal),
            tree=tree(board, legal),
            may_pass=PASS in legal,
            started=kept.start is None,
        )

    def _goals(self) -> dict[str, int]:
        goals = self.served.rulebook.goals(self.position)
        return {str(player): goal for player, goal in goals.items()}

    def _ending(self) -> str:
        """Why the game is over."""
        outlook = self.served.explainer.position(self.position)
        return outlook.reason if outlook.ending is None else outlook.ending.sentence


def _once(first: Sequence[str], others: Sequence[str]) -> list[str]:
    return [*first, *(name for name in others if name not in first)]


class Tables:
    """All games, those under way in memory and all of them in files."""

    def __init__(self, folder: Path, shelf: Shelf, players: Players) -> None:
        self.folder, self.shelf, self.players = folder, shelf, players
        self._lock = threading.Lock()
        self._live: OrderedDict[str, Table] = OrderedDict()
        self._lines: dict[str, GameLine] = {}
        for path in folder.glob("*.json"):
            kept = _read(path)
            if kept is not None and kept.id == path.stem:
                self._lines[kept.id] = _line(kept)

    def list(self) -> list[GameLine]:
        """The games, the one that changed last first."""
        with self._lock:
            return sorted(self._lines.values(), key=lambda line: -line.changed)

    def begin(self, asked: NewGame) -> Table:
        """A new game."""
        served = self.shelf.get(asked.model)
        rulebook = served.rulebook
        start = rulebook.initial if asked.position is None else _set_up(served, asked.position)
        players = [str(player) for player in rulebook.model.equipment.players]
        now = time.time()
        kept = Kept(
            id=secrets.token_hex(8),
            model=served.id,
            name=asked.name or served.name,
            seats=dict.fromkeys(players, PERSON),
            start=None if asked.position is None else msgspec.to_builtins(asked.position),
            turns=[],
            ply=0,
            made=now,
            changed=now,
        )
        table = Table(kept, served, [start], [])
        self.seat(table, asked.seats)
        with served.using:
            for text in asked.turns:
                table.advance(table.meant(text))
            table.seen()
        with self._lock:
            self._live[kept.id] = table
        self._write(table)
        self._make_room()
        return table

    @contextmanager
    def held(self, key: str) -> Iterator[Table]:
        """A game that nobody else changes meanwhile."""
        table = self._table(key)
        with table.lock, table.served.using:
            yield table

    @contextmanager
    def changing(self, key: str) -> Iterator[Table]:
        """The same, written down afterwards."""
        with self.held(key) as table:
            before = msgspec.structs.replace(table.kept, turns=list(table.kept.turns))
            yield table
            if table.kept != before:
                table.kept.changed = time.time()
                table.version += 1
                table.view = None
                self._write(table)

    def seat(self, table: Table, seats: dict[str, str]) -> None:
        """Put players on seats; raises `GrlError` for what is no player, `Refused` for no seat."""
        for player, spec in seats.items():
            if player not in table.kept.seats:
                known = ", ".join(table.kept.seats)
                raise Refused(422, f"there is no seat {player!r}; expected one of {known}")
            self.players.named(spec, person=True)
        table.kept.seats = {**table.kept.seats, **seats}

    def drop(self, key: str) -> None:
        """Forget a game."""
        with self.held(key) as table:
            table.version += 1
            with self._lock:
                self._live.pop(key, None)
                self._lines.pop(key, None)
            (self.folder / f"{key}.json").unlink(missing_ok=True)

    def _table(self, key: str) -> Table:
        with self._lock:
            found = self._live.get(key)
            if found is not None:
                self._live.move_to_end(key)
                return found
            if key not in self._lines:
                raise Refused(404, f"there is no game {key!r}")
        table = self._loaded(key)
        with self._lock:
            # Somebody else may have read it meanwhile: there is one table for a game.
            table = self._live.setdefault(key, table)
            while len(self._live) > LIVE:
                self._live.popitem(last=False)
        return table

    def _loaded(self, key: str) -> Table:
        kept = _read(self.folder / f"{key}.json")
        if kept is None:
            raise Refused(404, f"the file of game {key!r} can't be read")
        served = self.shelf.get(kept.model)
        start = served.rulebook.initial
        if kept.start is not None:
            start = _set_up(served, msgspec.convert(kept.start, Setup))
        table = Table(kept, served, [start], [])
        with served.using:
            table.replay()
        return table

    def _write(self, table: Table) -> None:
        kept = table.kept
        write_whole(self.folder / f"{kept.id}.json", msgspec.json.encode(kept))
        with self._lock:
            self._lines[kept.id] = _line(kept)

    def _make_room(self) -> None:
        while len(self._lines) > MOST_GAMES:
            oldest = min(self._lines.values(), key=lambda line: line.changed).id
            with self._lock:
                self._live.pop(oldest, None)
                self._lines.pop(oldest, None)
            (self.folder / f"{oldest}.json").unlink(missing_ok=True)


def _set_up(served: Served, setup: Setup) -> Position:
    return served.rulebook.position(setup.rows, setup.to_move, setup.reserve, setup.history or None)


def _line(kept: Kept) -> GameLine:
    return GameLine(kept.id, kept.model, kept.name, len(kept.turns), kept.changed)


def _read(path: Path) -> Kept | None:
    """A game from its file; None for what is none."""
    try:
        return msgspec.json.decode(read_bounded(path, MOST_FILE), type=Kept)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None
