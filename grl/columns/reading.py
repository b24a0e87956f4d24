"""Records of a file as tables of games, as far as they are single moves."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from grl.games_table import IN_TURN, GamesTable
from grl.tracejson import Header
from grl.traces import Traces, Unchecked

PLIES = 1 << 17
"""Turns of a table, about."""


def tables(traces: Traces) -> Iterator[GamesTable | Unchecked]:
    """The records of a file: tables of games, and single records that don't fit into one."""
    if traces.slides is not None:
        yield from traces.records()
        return
    found = traces.tables(PLIES)
    if found is not None:
        yield from found
        return
    making = _Making(traces.header)
    for record in traces.records():
        if record[0] is None or not making.add(record[0], record[1]):
            yield from making.finish()
            yield record
        elif making.plies >= PLIES:
            yield from making.finish()
    yield from making.finish()


class _Making:
    """A table in the making."""

    def __init__(self, header: Header) -> None:
        self._header = header
        self._players = {player: seat for seat, player in enumerate(header.equipment.players)}
        self._clear()

    def _clear(self) -> None:
        self._texts: dict[str, int] = {}
        self._turns: list[int] = []
        self._starts = [0]
        self._by: list[int] = []
        self._named = False
        self._rest: list[tuple[int, str | None, str | None, str | None, Any]] = []

    @property
    def plies(self) -> int:
        return len(self._turns)

    def add(self, record: dict[str, Any], line: int) -> bool:
        """Add a record, if all is as it should be and there are no lists of legal turns."""
        try:
            texts = [turn["turn"] for turn in record["turns"]]
            by = [turn.get("by") for turn in record["turns"]]
            if any("legal" in turn for turn in record["turns"]):
                return False
            seats = [IN_TURN if who is None else self._players[who] for who in by]
            name, initial, end = record.get("id"), record.get("initial"), record.get("end")
        except (KeyError, TypeError, AttributeError):
            return False
        if not set(map(type, texts)) <= {str} or type(record["turns"]) is not list:
            return False
        explicit = sum(1 for turn in record["turns"] if "by" in turn)
        if explicit != len(seats) - seats.count(IN_TURN) or type(name) not in (str, type(None)):
            return False
        if (name is None and "id" in record) or (initial is None and "initial" in record):
            return False
        known = self._texts
        self._turns += [known.setdefault(text, len(known)) for text in texts]
        self._starts.append(len(self._turns))
        self._by += seats
        self._named = self._named or explicit > 0
        start = None if initial is None else json.dumps(initial)
        self._rest.append((line, name, start, end, record.get("goals")))
        return True

    def finish(self) -> Iterable[GamesTable]:
        """The table, if there is anything in it; then a new one is begun."""
        if not self._rest:
            return []
        lines, ids, initials, ends, goals = zip(*self._rest, strict=True)
        table = GamesTable(
            self._header.equipment.players,
            list(self._texts),
            np.array(self._turns, dtype=np.int32),
            np.array(self._starts, dtype=np.int64),
            np.array(self._by, dtype=np.int8) if self._named else None,
            lines,
            ids,
            initials,
            ends,
            goals,
        )
        self._clear()
        return [table]
