"""What replayed games say, counted: the same as if each had been observed by itself.

Only what may come into the sample is made into objects: positions whose fingerprints are small
enough, and witnesses of rare turns.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from grl.columns.replaying import ColumnReplayer, Numbers, Plies
from grl.fingerprints import ALL, Hashes, of_text
from grl.games_table import GamesTable
from grl.records import (
    Goals,
    Line,
    Records,
    Seen,
    Spot,
    class_of,
    moment_fingerprints,
    span,
)
from grl.sgrl.evidence import WITNESSES, Decision, Evidence, Kind, ranks

_NOBODY = -1
_LAST = np.uint64(ALL - 1)


class Counter:
    """Counts the games of one file."""

    def __init__(self, replayer: ColumnReplayer) -> None:
        self.replayer = replayer
        self._equipment = replayer.equipment
        self._rests: dict[str, int] = {}
        self._rest: NDArray[np.int32] = np.zeros(0, np.int32)
        self._depth: Hashes = np.zeros((0, 0, 0), np.uint64)
        self._asked = False

    def count(self, games: GamesTable, plies: Plies, evidence: Evidence, records: Records) -> None:
        """Add the good games to what is known."""
        evidence.board = self._equipment.board
        lasts = np.flatnonzero(plies.turn < 0)
        numbers = plies.line[lasts]
        moves = np.flatnonzero((plies.turn >= 0) & plies.good[plies.game])
        if len(moves):
            self._evidence(plies, moves, numbers, evidence)
        fingerprints = self._fingerprints(plies)
        lines: dict[int, Line] = {}
        self._moments(games, plies, moves, fingerprints, records, lines)
        self._ends(games, plies, lasts[plies.good], fingerprints, records, lines)
        evidence.trim(2)
        records.trim(2)

    def _evidence(self, plies: Plies, moves: Numbers, numbers: Hashes, evidence: Evidence) -> None:
        movers = self.replayer.movers[plies.mover[moves]]
        found = ranks(plies.boards[moves], movers, 0, 0)
        evidence.expect(found)
        witness = np.zeros(len(moves), dtype=bool)
        if evidence.bound < ALL:
            witness = self._witnesses(plies, moves, found, evidence)
            kept = witness | (found < np.uint64(evidence.bound))
            moves, found, witness = moves[kept], found[kept], witness[kept]
            if not len(moves):
                return
        turns = plies.turn[moves]
        games = numbers[plies.game[moves]]
        order = np.lexsort((games, turns, found))
        moves, found, turns, games = moves[order], found[order], turns[order], games[order]
        first = np.flatnonzero(np.r_[True, (found[1:] != found[:-1]) | (turns[1:] != turns[:-1])])
        counts = np.diff(np.r_[first, len(found)])
        chosen = moves[first]
        boards = self._boards(plies.board[chosen])
        players, texts = self._equipment.players, self.replayer.table.texts
        for cells, mover, turn, count, game, rank, testifies in zip(
            boards,
            plies.mover[chosen].tolist(),
            turns[first].tolist(),
            counts.tolist(),
            games[first].tolist(),
            found[first].tolist(),
            witness[order][first].tolist(),
            strict=True,
        ):
            key = Decision(players[mover], cells, (), False)
            evidence.add(key, {texts[turn]: count}, game, rank, witness=testifies)
        if witness.any():
            self._refresh(plies, moves[witness[order]], evidence)

    def _witnesses(
        self, plies: Plies, moves: Numbers, found: Hashes, evidence: Evidence
    ) -> NDArray[np.bool_]:
        """Which plies may be witnesses of their kinds of turns: of each kind the first few."""
        depths = self._depths(plies, moves, evidence)
        near = np.flatnonzero(found <= depths)
        rest, mover, held = (part.astype(np.int64) for part in self._kinds(plies, moves[near]))
        kind = (rest * self._depth.shape[1] + mover) * self._depth.shape[2] + held
        order = np.lexsort((found[near], kind))
        kind, ranked = kind[order], found[near][order]
        fresh = np.r_[True, kind[1:] != kind[:-1]][: len(kind)]
        number = np.cumsum(fresh | np.r_[True, ranked[1:] != ranked[:-1]][: len(kind)])
        begin = np.maximum.accumulate(np.where(fresh, number, 0))
        chosen = np.zeros(len(moves), dtype=bool)
        chosen[near[order[number - begin < WITNESSES]]] = True
        return chosen

    def _kinds(
        self, plies: Plies, at: Numbers
    ) -> tuple[NDArray[np.int32], NDArray[np.int8], NDArray[np.uint8]]:
        """The kinds of turns, as numbers: the text without its square, the mover, what is held."""
        texts = self.replayer.table.texts
        fresh = texts[len(self._rest) :]
        if fresh:
            known = self._rests
            rests = (text.partition(" ")[2] for text in fresh)
            more = np.array([known.setdefault(r, len(known)) for r in rests], dtype=np.int32)
            self._rest = np.concatenate((self._rest, more))
        if len(self._depth) < len(self._rests):
            shape = (
                max(2 * len(self._depth), len(self._rests)),
                len(self._equipment.players),
                len(self.replayer.table.contents),
            )
            grown = np.full(shape, _LAST, dtype=np.uint64)
            grown[: len(self._depth)] = self._depth.reshape(-1, *shape[1:])
            self._depth = grown
        rest = self._rest[plies.turn[at]]
        # A pass is of one kind, whatever lies on the first square of all.
        held = np.where(rest == self._rests.get("", -1), 0, plies.held[at])
        return rest, plies.mover[at], held.astype(np.uint8)

    def _depths(self, plies: Plies, at: Numbers, evidence: Evidence) -> Hashes:
        """For plies the rank up to which they are witnesses."""
        rest, mover, held = self._kinds(plies, at)
        if not self._asked:
            self._asked = True
            self._refresh(plies, at, evidence)
        return self._depth[rest, mover, held]

    def _refresh(self, plies: Plies, at: Numbers, evidence: Evidence) -> None:
        """Look up how far witnesses of the kinds met here are kept by now."""
        kinds = set(zip(*(part.tolist() for part in self._kinds(plies, at)), strict=True))
        rests = list(self._rests)
        players, contents = self._equipment.players, self.replayer.table.contents
        for rest, mover, held in kinds:
            text = rests[rest]
            kind: Kind = players[mover], contents[held] if text else "", text
            self._depth[rest, mover, held] = min(evidence.depth(kind), ALL - 1)

    def _fingerprints(self, plies: Plies) -> Hashes:
        """Those of the moments of all plies, and of the ends."""
        played = self.replayer.texts()
        before = np.r_[np.int32(-1), plies.turn[:-1]]
        lasts = np.where(before >= 0, played[before] if len(played) else 0, np.uint64(0))
        starts = plies.ply == 0
        for game in np.flatnonzero([p is not None and p.last is not None for p in plies.initials]):
            position = plies.initials[game]
            assert position is not None
            lasts[starts & (plies.game == game)] = of_text(str(position.last))
        games = plies.game.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        movers = self.replayer.movers[plies.mover]
        # A board twice in one game is rare, and is looked for by sorting.
        boards = _earlier(plies.boards ^ games)
        repeated = boards
        if boards.any():
            repeated = (_earlier(plies.boards ^ games ^ movers) << np.uint64(32)) + boards
        return moment_fingerprints(plies.boards, movers, 0, plies.moved, lasts, 0, repeated)

    def _moments(
        self,
        games: GamesTable,
        plies: Plies,
        moves: Numbers,
        fingerprints: Hashes,
        records: Records,
        lines: dict[int, Line],
    ) -> None:
        lengths = np.diff(games.starts).tolist()
        by_game = np.array([class_of(span(length), complete=False) for length in lengths])
        found = fingerprints[moves]
        classes = by_game[plies.game[moves]] if len(moves) else np.zeros(0, np.int64)
        records.expect(classes, found)
        for number, bound in records.bounds.items():
            kept = (classes != number) | (found < np.uint64(bound))
            moves, found, classes = moves[kept], found[kept], classes[kept]
        if not len(moves):
            return
        turns = plies.turn[moves]
        nexts = np.where(plies.turn[moves + 1] >= 0, plies.mover[moves + 1], _NOBODY)
        order = np.lexsort((plies.line[moves], plies.ply[moves], nexts, turns, found, classes))
        moves, found, classes = moves[order], found[order], classes[order]
        turns, nexts = turns[order], nexts[order]
        columns = (found, classes, turns, nexts)
        change = np.any([column[1:] != column[:-1] for column in columns], axis=0)
        first = np.flatnonzero(np.r_[True, change])
        chosen = moves[first]
        players, texts = self._equipment.players, self.replayer.table.texts
        for number, turn, after, key, game, ply, way in zip(
            classes[first].tolist(),
            turns[first].tolist(),
            nexts[first].tolist(),
            found[first].tolist(),
            plies.game[chosen].tolist(),
            plies.ply[chosen].tolist(),
            plies.line[chosen].tolist(),
            strict=True,
        ):
            line = self._line(plies, game, lines)
            text = texts[turn]
            followers = {(text, players[after])} if after != _NOBODY else set()
            seen = Seen(Spot(("", ply, way), line, ply), False, {text}, followers)
            records.add((number, key, 0), seen)

    def _ends(
        self,
        games: GamesTable,
        plies: Plies,
        lasts: Numbers,
        fingerprints: Hashes,
        records: Records,
        lines: dict[int, Line],
    ) -> None:
        found = fingerprints[lasts]
        if records.end_bound < ALL:
            kept = found < np.uint64(records.end_bound)
            lasts, found = lasts[kept], found[kept]
        texts = self.replayer.table.texts
        before = plies.turn[lasts - 1]
        for key, game, ply, way, turn in zip(
            found.tolist(),
            plies.game[lasts].tolist(),
            plies.ply[lasts].tolist(),
            plies.line[lasts].tolist(),
            before.tolist(),
            strict=True,
        ):
            goals = self._goals(games, game)
            if goals is not None:
                line = self._line(plies, game, lines)
                spot = Spot((texts[turn] if ply else "", ply, way), line, ply)
                records.add_end(key, spot, goals, 1)

    def _goals(self, games: GamesTable, game: int) -> Goals | None:
        """The goals of a game that the rules ended, in the order of players."""
        goals = games.goals[game]
        if goals is None or games.ends[game] == "stopped":
            return None
        return tuple((player, goals[player]) for player in self._equipment.players)

    def _line(self, plies: Plies, game: int, lines: dict[int, Line]) -> Line:
        line = lines.get(game)
        if line is None:
            begin, end = plies.starts[game : game + 2].tolist()
            initial = plies.initials[game]
            assert initial is not None
            line = lines[game] = Line(
                initial,
                array("i", plies.turn[begin : end - 1].tobytes()),
                plies.mover[begin:end].tobytes(),
                self.replayer.table.texts,
            )
        return line

    def _boards(self, codes: NDArray[np.uint8]) -> Sequence[str]:
        """Boards as strings."""
        contents = np.array([ord(c) for c in self.replayer.table.contents], dtype=np.uint32)
        size = codes.shape[1]
        found: list[str] = contents[codes].view(f"<U{size}")[:, 0].tolist()
        return found


def _earlier(values: Hashes) -> Hashes:
    """For each value how often it stands before."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    new = np.r_[True, ordered[1:] != ordered[:-1]]
    found = np.zeros(len(values), dtype=np.uint64)
    if new.all():
        return found
    begin = np.maximum.accumulate(np.where(new, np.arange(len(values)), 0))
    found[order] = (np.arange(len(values)) - begin).astype(np.uint64)
    return found
