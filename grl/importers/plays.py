"""Files of games in notation as plays of the trace format, each replayed on a reference game.

What doesn't replay is quarantined: left out, or kept as far as it goes, and always listed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import Any, Final

from grl.board import Position
from grl.errors import GrlError
from grl.games import Game
from grl.importers.acf import ACF
from grl.importers.matching import Matcher, Replayed
from grl.importers.numbering import Numbering, numberings, starting_position
from grl.importers.pdn import PDN
from grl.importers.records import FileByFile, Format, Record, RecordError
from grl.progress import Progress, silent
from grl.traceio import Lines
from grl.tracejson import position_dict

FORMATS: Final[dict[str, Format]] = {"acf": ACF, "pdn": PDN}
_SAMPLE = 20


class Imports(FileByFile):
    """The plays of some files of moves in square numbers, matched with the turns of `game`.

    With `all_moves` every legal turn of `game` is listed with each turn played.
    Iterating raises `GrlError` where no numbering of the squares fits a file's first games.
    """

    def __init__(
        self,
        paths: Sequence[str | os.PathLike[str]],
        form: Format,
        game: Game,
        *,
        all_moves: bool = False,
        keep_beginnings: bool = False,
        strict: bool = False,
        progress: Progress = silent,
    ) -> None:
        super().__init__(paths, keep_beginnings=keep_beginnings, strict=strict, progress=progress)
        self.form = form
        self.game = game
        self.all_moves = all_moves

    def _plays(self, path: str, lines: Lines) -> Iterator[dict[str, Any]]:
        records = self.form.read(lines)
        sample = list(islice(records, _SAMPLE))
        if not sample:
            return
        numbering = find_numbering(self.game, self.form, sample)
        if numbering is None:
            raise self._none_fits(path, sample)
        matcher = Matcher(self.game, numbering)
        for record in chain(sample, records):
            start, replayed = replay(matcher, record)
            if self.admitted(path, record.line, len(replayed.turns), replayed.flaw):
                name = self.name(path, record.line)
                yield _play(self.game, name, start, replayed, all_moves=self.all_moves)

    def _none_fits(self, path: str, sample: Sequence[Record]) -> GrlError:
        """The error of a file of whose first games no move fits; `quarantine` has the causes.

        They are those under the notation's usual numbering, for the others fit no better.
        """
        matcher = Matcher(self.game, next(numberings(self.game, self.form)))
        for record in sample:
            flaw = replay(matcher, record)[1].flaw
            if flaw is not None:
                name = self.name(path, record.line)
                self.quarantine.append(flaw.at(file=path, line=record.line, game=name))
        first = self.quarantine[0]
        return GrlError(
            f"none of the first games begins like {self.game.name}: {first.message}",
            place=replace(first.place, rows=None),
            expected=first.expected,
            found=first.found,
            hint="is it the right game and format?",
        )


def find_numbering(game: Game, form: Format, records: Sequence[Record]) -> Numbering | None:
    """The numbering under which most moves of `records` fit, the usual one on a tie.

    None where no move does.
    """
    best, most = None, 0
    for numbering in numberings(game, form):
        matcher = Matcher(game, numbering)
        fitting = sum(replay(matcher, record)[1].fitting for record in records)
        if fitting > most:
            best, most = numbering, fitting
    return best


def replay(matcher: Matcher, record: Record) -> tuple[Position, Replayed]:
    """Where the game of `record` starts, and what of it replays."""
    start = matcher.game.initial
    if record.setup is not None:
        try:
            start = starting_position(matcher.game, matcher.numbering, record.setup)
        except RecordError as flaw:
            return start, Replayed((), start, 0, flaw)
    replayed = matcher.replay(start, record.moves)
    if replayed.flaw is None and record.flaw is not None:
        return start, replace(replayed, flaw=record.flaw)
    if not record.moves:
        return start, replace(replayed, flaw=RecordError("no moves"))
    return start, replayed


def _play(
    game: Game, name: str, start: Position, replayed: Replayed, *, all_moves: bool
) -> dict[str, Any]:
    """The play in the trace format; it is terminal only where the game says so."""
    play: dict[str, Any] = {"id": name}
    if start.outcome != game.initial.outcome:
        play["initial"] = position_dict(start)
    turns: list[dict[str, Any]] = []
    play["turns"] = turns
    due, position = start.to_move, start
    for by, text in replayed.turns:
        turn: dict[str, Any] = {"turn": text} if by == due else {"by": by, "turn": text}
        if all_moves:
            turn["legal"] = sorted(game.legal(position))
            position = game.play(position, text)
        turns.append(turn)
        due = game.equipment.next_player(by)
    if game.is_terminal(replayed.end):
        play["end"] = "terminal"
        play["goals"] = dict(game.goals(replayed.end))
    else:
        play["end"] = "stopped"
    return play
