"""Records of boards alone as plays: what was played between two boards is found out.

All games are read first, for what a pair of boards leaves open the others decide
(`grl.importers.choosing`). What can't be told is quarantined: a board that no likely turn
explains, or that two explain of which nothing else in the records speaks for either.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from grl.board import EMPTY, HOLE, Player, make_position
from grl.errors import BoardError, GrlError, Place
from grl.importers.boardfiles import Board, BoardGame, first_header, read_boards
from grl.importers.choosing import Choice, Pair, choose
from grl.importers.explanations import Explainer
from grl.importers.records import FileImports, RecordError
from grl.importers.startfile import header_of
from grl.progress import Progress, silent
from grl.traceio import Lines
from grl.tracejson import Header
from grl.traces import write_traces
from grl.tracewriter import piece_dict
from grl.turn import Turn, play

_STAGE = "looking for turns"
_EVERY = 1_000
_SCORES = {"1-0": (100, 0), "0-1": (0, 100), "1/2-1/2": (50, 50), "½-½": (50, 50)}
_LETTERS = ("w", "b")
_MOST_SHOWN = 60


@dataclass(slots=True)
class _Game:
    """A game, the pairs of boards in it with who moved, and what stopped it."""

    path: str
    record: BoardGame
    cells: list[str]
    movers: list[Player]
    flaw: RecordError | None


class PositionImports(FileImports):
    """The plays of files of boards; each iteration reads them anew.

    Without a `header` the first board is the start, upper case is white's and lower case black's,
    and whoever moved first in most games begins; the file's own header comes before that. With
    `ended` a result means that the rules ended the game, and gives its goals; goals in a file do so
    anyway; every other play is ``stopped``.
    """

    def __init__(
        self,
        paths: Sequence[str | os.PathLike[str]],
        header: Header | None = None,
        *,
        ended: bool = False,
        keep_beginnings: bool = False,
        strict: bool = False,
        progress: Progress = silent,
    ) -> None:
        super().__init__(paths, keep_beginnings=keep_beginnings, strict=strict, progress=progress)
        self.ended = ended
        self._given = header
        self._found: Header | None = header
        self._records: Sequence[tuple[str, BoardGame]] | None = None

    @classmethod
    def of(cls, games: Iterable[BoardGame], header: Header, **options: Any) -> PositionImports:
        """The plays of games that are in no file."""
        imports = cls((), header, **options)
        imports._records = [("boards", game) for game in games]
        return imports

    @property
    def header(self) -> Header:
        """The header of a trace file, known when the plays have been read."""
        if self._found is None:
            raise GrlError("the files hold no game", expected="at least one game")
        return self._found

    def __iter__(self) -> Iterator[dict[str, Any]]:
        self.reset()
        records = self._read() if self._records is None else self._records
        if self._given is None:
            self._found = self._in_file()
            games = [game for _, game in records]
            if self._found is None and any(game.boards for game in games):
                self._found = derived_header(games)
        if self._found is not None:
            yield from self._inferred(self._found, records)
            return
        for path, game in records:
            self.admitted(path, game.line, 0, game.flaw)

    def _in_file(self) -> Header | None:
        for path in self.paths:
            header = first_header(path)
            if header is not None:
                return header
        return None

    def _read(self) -> list[tuple[str, BoardGame]]:
        found = []
        for path in self.paths:
            lines = Lines(path, lambda _, done, total: self._progress("importing", done, total))
            try:
                found += [(path, game) for game in read_boards(lines)]
            except RecordError as error:
                raise error.at(file=path) from None
            finally:
                lines.close()
        return found

    def _inferred(
        self, header: Header, records: Sequence[tuple[str, BoardGame]]
    ) -> Iterator[dict[str, Any]]:
        games = [_laid_out(path, record, header) for path, record in records]
        choices = self._choices(header, games)
        begin = 0
        for game in games:
            found = choices[begin : begin + len(game.movers)]
            begin += len(game.movers)
            turns, alike = _told(game, found, header)
            self.alike += alike
            record = game.record
            if game.flaw is None and not turns:
                game.flaw = RecordError("no moves", message="a game without two boards")
            whole = game.flaw is None
            if game.flaw is not None and record.name:
                game.flaw.at(game=record.name)
            if self.admitted(game.path, record.line, len(turns), game.flaw):
                yield self._play(game, turns, header, whole=whole)

    def _choices(self, header: Header, games: Sequence[_Game]) -> list[Choice | None]:
        """For each pair of boards of all games the turn, None where none leads there."""
        explainer = Explainer(header.equipment)
        known: dict[tuple[Player, str, str], tuple[str, ...]] = {}
        pairs = []
        for number, game in enumerate(games):
            if number % _EVERY == 0:
                self._progress(_STAGE, number, len(games))
            for mover, (before, after) in zip(game.movers, pairwise(game.cells), strict=True):
                turns = known.get((mover, before, after))
                if turns is None:
                    turns = explainer.turns(before, after, mover)
                    known[mover, before, after] = turns
                pairs.append(Pair(mover, before, after, turns))
        self._progress(_STAGE, len(games), len(games))
        chosen = iter(choose([pair for pair in pairs if pair.turns], header.equipment))
        return [next(chosen) if pair.turns else None for pair in pairs]

    def name(self, path: str, line: int) -> str:
        return super().name(path, line) if self._records is None else f"g{line}"

    def _play(
        self, game: _Game, turns: list[str], header: Header, *, whole: bool
    ) -> dict[str, Any]:
        """The play in the trace format."""
        record, equipment = game.record, header.equipment
        play: dict[str, Any] = {"id": record.name or self.name(game.path, record.line)}
        due = game.movers[0]
        if game.cells[0] != header.initial.cells or due != header.initial.to_move:
            rows = equipment.board.rows(game.cells[0])
            play["initial"] = {"to_move": due, "rows": rows}
        play["turns"] = []
        for turn, mover in zip(turns, game.movers, strict=False):
            play["turns"].append({"turn": turn} if mover == due else {"by": mover, "turn": turn})
            due = equipment.next_player(mover)
        goals: Mapping[str, Any] | None = record.goals
        scores = _SCORES.get(record.result) if self.ended else None
        if scores is not None and len(equipment.players) == 2:
            goals = dict(zip(equipment.players, scores, strict=True))
        if goals is None or not whole:
            return play | {"end": "stopped"}
        return play | {"end": "terminal", "goals": dict(goals)}


def _laid_out(path: str, record: BoardGame, header: Header) -> _Game:
    """The boards of a record as cells, as far as they are boards of this game."""
    equipment, flaw = header.equipment, record.flaw
    cells: list[str] = []
    movers: list[Player] = []
    for board in record.boards:
        try:
            mover = _mover(board, movers, header)
            cells.append(make_position(equipment, board.rows, mover).cells)
            movers.append(mover)
        except BoardError as error:
            place = Place(line=board.line, ply=max(len(cells), 1))
            flaw = RecordError(
                "position",
                message=error.message,
                place=place,
                found=error.found,
                expected=error.expected,
            )
            break
        if len(cells) > 1 and _others_moved(cells[-2], cells[-1], movers[-2], header):
            place = Place(line=board.line, ply=len(cells) - 1, rows=_rows(header, cells[-2]))
            flaw = RecordError(
                "unexplained",
                message=f"only other players' pieces moved, though it is {movers[-2]}'s turn",
                found=_shown(header, cells[-1]),
                expected=f"a turn of {movers[-2]}",
                place=place,
                hint="is a board missing, or there twice?",
            )
            cells.pop()
            movers.pop()
            break
    return _Game(path, record, cells, movers[:-1] if cells else [], flaw)


def _mover(board: Board, before: Sequence[Player], header: Header) -> Player:
    """Who is to move: as it is written, else who is next, or first."""
    players = header.equipment.players
    if board.mover not in ("", "-", "?"):
        return player_called(board.mover, players)
    if before:
        return header.equipment.next_player(before[-1])
    return header.initial.to_move


def player_called(name: str, players: Sequence[Player]) -> Player:
    """The player of this name, whatever its case, or of this first letter, or number from 1.

    Raises `BoardError`.
    """
    low = name.strip().lower()
    ways = (
        [p for p in players if p.lower() == low],
        [p for n, p in enumerate(players, 1) if str(n) == low],
        [p for p in players if low and p.lower().startswith(low)],
        [p for p, letter in zip(players, _LETTERS, strict=False) if letter == low],
    )
    for found in ways:
        if len(found) == 1:
            return found[0]
    raise BoardError("unknown player to move", found=repr(name), expected=f"one of {list(players)}")


def _others_moved(before: str, after: str, mover: Player, header: Header) -> bool:
    """Whether pieces of others went elsewhere, and none of the mover's changed."""
    view = header.equipment.views[mover]
    changed = [(a, b) for a, b in zip(before, after, strict=True) if a != b]
    left = Counter(a for a, _ in changed if view[a] == "p")
    came = Counter(b for _, b in changed if view[b] == "p")
    own = any("w" in (view[a], view[b]) for a, b in changed)
    return bool(left & came) and not own


def _told(game: _Game, choices: Sequence[Choice | None], header: Header) -> tuple[list[str], int]:
    """The turns of a game as far as they can be told, and for how many another would do.

    What stopped them is noted in `game`.
    """
    turns: list[str] = []
    alike = 0
    hands = header.initial if header.initial.stock else None
    for ply, (choice, mover) in enumerate(zip(choices, game.movers, strict=True), 1):
        flaw = _judged(choice, game, ply, mover, header)
        if flaw is None and choice is not None and hands is not None:
            cells = game.cells[ply - 1]
            try:
                hands = play(replace(hands, cells=cells), Turn.parse(choice.turn), mover)
            except GrlError as error:
                flaw = RecordError(
                    "unexplained",
                    message=error.message,
                    place=Place(ply=ply, rows=_rows(header, cells)),
                    expected=error.expected,
                    hint="what joins the hand doesn't show on boards",
                )
        if flaw is not None or choice is None:
            # It comes before what spoilt the game later on.
            game.flaw = flaw
            break
        turns.append(choice.turn)
        alike += choice.rival is not None
    return turns, alike


def _judged(
    choice: Choice | None, game: _Game, ply: int, mover: Player, header: Header
) -> RecordError | None:
    """What is wrong with a turn that was found, or not."""
    if choice is not None and not choice.unexplained and not choice.open:
        return None
    record = game.record
    line = record.boards[ply].line if ply < len(record.boards) else record.line
    place = Place(line=line, ply=ply, rows=_rows(header, game.cells[ply - 1]))
    if choice is not None and choice.open and not choice.unexplained:
        return RecordError(
            "ambiguous",
            message="two turns explain the board, and nothing else speaks for either",
            found=f"{choice.turn} or {choice.rival}",
            place=place,
        )
    least = "" if choice is None else f"; the least unlikely one is {choice.turn}"
    return RecordError(
        "unexplained",
        found=_shown(header, game.cells[ply]) + least,
        expected=f"a turn of {mover} like others in the records",
        place=place,
    )


def _rows(header: Header, cells: str) -> tuple[str, ...]:
    return tuple(header.equipment.board.rows(cells))


def _shown(header: Header, cells: str) -> str:
    text = "/".join(_rows(header, cells))
    return text if len(text) <= 2 * _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…"


def derived_header(
    games: Sequence[BoardGame], data: Mapping[str, Any] | None = None, to_move: str | None = None
) -> Header:
    """The header that follows from some games as far as `data` doesn't say it.

    See `PositionImports`; `data` is as in a start file.
    """
    boards = [board for game in games for board in game.boards]
    data = data or {"rows": list(boards[0].rows)}
    keys: set[str] = set()
    if "pieces" not in data:
        keys = {key for board in boards for row in board.rows for key in row} - {EMPTY, HOLE}
    if to_move is not None:
        return header_of({**data, "to_move": to_move}, keys)
    header = header_of(data, keys)
    players = header.equipment.players
    begins: Counter[Player] = Counter()
    for game in games:
        if len(game.boards) > 1 and not game.boards[0].mover:
            begins.update(_movers_of(game.boards[0], game.boards[1], header))
        elif game.boards:
            try:
                begins[player_called(game.boards[0].mover, players)] += 1
            except BoardError:
                continue
    first = max(players, key=lambda player: begins[player])
    return header if first == players[0] else header_of({**data, "to_move": first}, keys)


def _movers_of(before: Board, after: Board, header: Header) -> set[Player]:
    """Whose pieces are where none of theirs was."""
    pieces = header.equipment.pieces
    return {
        owner
        for one, two in zip("".join(before.rows), "".join(after.rows), strict=False)
        if one != two and two in pieces and (owner := pieces[two].player) is not None
    }


def from_positions(
    games: Iterable[Iterable[Sequence[str] | str]],
    path: str | os.PathLike[str],
    *,
    game: str = "game",
    players: Sequence[str] = ("white", "black"),
    pieces: Mapping[str, str | Sequence[str | None] | None] | None = None,
    rows: Sequence[str] | None = None,
    to_move: str | None = None,
    movers: Iterable[Sequence[str]] | None = None,
    goals: Iterable[Mapping[str, int] | None] | None = None,
    keep_beginnings: bool = False,
    strict: bool = False,
    progress: Progress = silent,
) -> PositionImports:
    """Write the trace file of games of which the boards alone are known.

    A game is its boards in order, each a list of rows, the highest rank first, or a FEN. What is
    not given follows from the boards, as `PositionImports` says; the rest is as in
    `grl.TraceWriter`. `movers` names for each game who is to move at each of its boards, `goals`
    the goals of games that the rules ended. What comes back has the counts and the `quarantine`.
    Raises `GrlError` where no game can be told, and with `strict` at the first that can't.
    """
    told, ends = _each(movers), _each(goals)
    found = []
    for number, boards in enumerate(games, 1):
        record = BoardGame(number, goals=next(ends, None))
        who = next(told, None) or ()
        for ply, board in enumerate(boards):
            record.add(board, who[ply] if ply < len(who) else "", number)
        found.append(record)
    data: dict[str, Any] = {"game": game, "players": list(players)}
    first = rows or next((record.boards[0].rows for record in found if record.boards), None)
    if first is None:
        raise GrlError("there is no board", expected="games of boards")
    if pieces is not None:
        data["pieces"] = {key: piece_dict(key, value) for key, value in pieces.items()}
    header = derived_header(found, data | {"rows": list(first)}, to_move)
    common = {"keep_beginnings": keep_beginnings, "strict": strict, "progress": progress}
    imports = PositionImports.of(found, header, **common)
    plays = list(imports)
    if not plays:
        raise imports.quarantine[0] if imports.quarantine else GrlError("there is no game")
    write_traces(path, header.to_dict(), plays)
    return imports


def _each(given: Iterable[Any] | None) -> Iterator[Any]:
    return iter(() if given is None else given)
