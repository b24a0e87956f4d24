"""Columnar trace files, ``.parquet``: the games of ``grl-trace/1`` as typed columns.

A row is a game: ``id`` (text), ``turns`` (a list of texts), ``by`` (a list of players, or null
where all leave it to the order of players), ``legal`` (for each turn a list of texts, or null where
single moves are known), ``initial`` (JSON, or null), ``end`` (text) and ``goals`` (for each player
of the header a number, or null). The header stands, as JSON, in the schema's metadata under
``grl-trace``. Columns but ``turns`` may be missing. Read and written by pyarrow, the extra
``parquet``.
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import IO, Any

import numpy as np

from grl.errors import GrlError, MissingExtra, TraceError
from grl.games_table import IN_TURN, GamesTable
from grl.outputs import whole_file
from grl.progress import Progress, silent
from grl.storage import is_remote, open_bytes

SUFFIX = ".parquet"
ROWS = 8_192
"""Games of a row group."""
_HEADER = b"grl-trace"
_STAGE = "reading traces"
_LISTED = 512
"""Games of a table that are read at once, before their plies are counted."""


def is_columnar(path: str) -> bool:
    """Whether a file is columnar, by its name."""
    return path.endswith(SUFFIX)


def _arrow(path: str) -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtra(
            "the package pyarrow is not installed",
            hint='pip install "grl[parquet]", or use a .jsonl file',
        ).at(file=path) from None
    return pyarrow, pyarrow.parquet


class _File:
    """An open file with its header."""

    def __init__(self, stream: IO[bytes] | str, path: str) -> None:
        arrow, parquet = _arrow(path)
        self.path, self.broken = path, arrow.ArrowException
        try:
            self.file = parquet.ParquetFile(stream)
            schema = self.file.schema_arrow
        except (arrow.ArrowException, OSError) as error:
            raise self.cut(error) from None
        raw = (schema.metadata or {}).get(_HEADER)
        if raw is None:
            raise TraceError(
                "no header",
                found=f"metadata with the keys {sorted(map(repr, schema.metadata or ()))}",
                expected=f"the header as JSON under {_HEADER.decode()!r} in the schema's metadata",
            ).at(file=path, line=1)
        if "turns" not in schema.names:
            raise TraceError(
                "missing column", found=str(schema.names), expected="a column 'turns'"
            ).at(file=path)
        self.raw_header: bytes = raw
        self.groups: int = self.file.num_row_groups
        self.columns = [n for n in _COLUMNS if n in schema.names]

    def cut(self, error: Exception) -> TraceError:
        return TraceError(
            "the file is cut or corrupt",
            found=str(error).splitlines()[0] if str(error) else type(error).__name__,
            expected="a complete file of the kind that its name says",
        ).at(file=self.path)

    def batches(self, groups: list[int], rows: int, columns: list[str]) -> Iterator[Any]:
        """Record batches of some row groups."""
        try:
            yield from self.file.iter_batches(
                batch_size=rows, row_groups=groups, columns=columns, use_threads=False
            )
        except (self.broken, OSError) as error:
            raise self.cut(error) from None

    def first_rows(self) -> list[int]:
        """The number of games before each row group."""
        sizes = [self.file.metadata.row_group(i).num_rows for i in range(self.groups)]
        return [sum(sizes[:i]) for i in range(self.groups + 1)]


Record = tuple[dict[str, Any] | None, int, GrlError | None]
_COLUMNS = ("id", "turns", "by", "legal", "initial", "end", "goals")


def row_counts(path: str) -> list[int]:
    """The number of games in each row group, the parts into which a file can be divided."""
    file = _opened(path)
    return [file.file.metadata.row_group(i).num_rows for i in range(file.groups)]


def _opened(path: str) -> _File:
    return _File(open_bytes(path) if is_remote(path) else path, path)


def read_tables(
    path: str, plies: int, part: tuple[int, int] = (0, 1), progress: Progress = silent
) -> Iterator[GamesTable | Record]:
    """The games of every `part[1]`-th row group, beginning with number `part[0]`, as tables.

    Where there are lists of legal turns, or something is odd, games come as single records.
    """
    file = _opened(path)
    players: list[str] = json.loads(file.raw_header).get("players", [])
    groups = list(range(part[0], file.groups, part[1]))
    firsts = file.first_rows()
    done, total = 0, sum(firsts[group + 1] - firsts[group] for group in groups)
    for group in groups:
        row = firsts[group]
        rows = max(64, min(ROWS, plies // _mean_plies(file, group)))
        for batch in file.batches([group], rows, file.columns):
            table = _table(batch, players, row + 2)
            if table is not None:
                yield table
            else:
                for number, each in enumerate(batch.to_pylist(), row + 2):
                    yield record_of(each, players), number, None
            row += len(batch)
            done += len(batch)
            progress(_STAGE, done, total)


def _mean_plies(file: _File, group: int) -> int:
    """About how many turns a game has, at least one."""
    data = file.file.metadata.row_group(group)
    for number in range(data.num_columns):
        column = data.column(number)
        if column.path_in_schema.startswith("turns"):
            return max(1, int(column.num_values) // max(1, int(data.num_rows)))
    return 1


def _table(batch: Any, players: list[str], line: int) -> GamesTable | None:
    lists = batch.column("turns")
    count = len(batch)
    names = batch.schema.names
    if "legal" in names and batch.column("legal").null_count < count:
        return None
    flat = lists.flatten()
    if lists.null_count or flat.null_count or str(flat.type) not in ("string", "large_string"):
        return None
    encoded = flat.dictionary_encode()
    starts = lists.offsets.to_numpy().astype(np.int64)
    turns = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int32)
    by = None
    if "by" in names and batch.column("by").null_count < count:
        seats = {player: seat for seat, player in enumerate(players)}
        listed = batch.column("by").to_pylist()
        by = np.full(len(turns), IN_TURN, np.int8)
        for game, movers in enumerate(listed):
            if movers is not None:
                begin = int(starts[game] - starts[0])
                if len(movers) != starts[game + 1] - starts[game] or set(movers) - {None, *players}:
                    return None
                by[begin : begin + len(movers)] = [
                    IN_TURN if who is None else seats[who] for who in movers
                ]

    def column(name: str) -> list[Any]:
        return batch.column(name).to_pylist() if name in names else [None] * count

    goals = column("goals")
    if any(each is not None and len(each) != len(players) for each in goals):
        return None
    return GamesTable(
        players,
        encoded.dictionary.to_pylist(),
        turns,
        starts - starts[0],
        by,
        range(line, line + count),
        column("id"),
        column("initial"),
        column("end"),
        [None if each is None else dict(zip(players, each, strict=True)) for each in goals],
    )


class ParquetLines(io.RawIOBase):
    """A columnar file as the lines of JSON that it stands for."""

    def __init__(self, stream: IO[bytes], path: str) -> None:
        super().__init__()
        self._lines = _lines(_File(stream, path))

    def readline(self, size: int | None = -1) -> bytes:
        """The next line, whole whatever its size; empty at the end."""
        del size
        return next(self._lines, b"")


def _lines(file: _File) -> Iterator[bytes]:
    yield file.raw_header + b"\n"
    players = json.loads(file.raw_header).get("players", [])
    for batch in file.batches(list(range(file.groups)), _LISTED, file.columns):
        for row in batch.to_pylist():
            yield json.dumps(record_of(row, players), ensure_ascii=False).encode() + b"\n"


def record_of(row: Mapping[str, Any], players: list[str]) -> dict[str, Any]:
    """A row as the object that a line of JSON holds."""
    turns: list[dict[str, Any]] = [{"turn": text} for text in row["turns"] or ()]
    for key in ("by", "legal"):
        for turn, value in zip(turns, row.get(key) or (), strict=False):
            if value is not None:
                turn[key] = value
    record: dict[str, Any] = {"turns": turns}
    if row.get("id") is not None:
        record = {"id": row["id"], **record}
    if row.get("initial") is not None:
        record["initial"] = json.loads(row["initial"])
    if row.get("end") is not None:
        record["end"] = row["end"]
    if row.get("goals") is not None:
        record["goals"] = dict(zip(players, row["goals"], strict=False))
    return record


def write_columns(
    path: str | os.PathLike[str],
    header: Mapping[str, Any],
    plays: Iterable[Mapping[str, Any]],
    rows: int = ROWS,
) -> None:
    """Write a columnar file of `header` and `plays`, plain data as in the format, unchecked.

    A row group has so many `rows`. The file appears whole or not at all.
    """
    name = os.fspath(path)
    arrow, parquet = _arrow(name)
    players = list(header["players"])
    texts = arrow.list_(arrow.string())
    schema = arrow.schema(
        [
            ("id", arrow.string()),
            ("turns", texts),
            ("by", texts),
            ("legal", arrow.list_(texts)),
            ("initial", arrow.string()),
            ("end", arrow.string()),
            ("goals", arrow.list_(arrow.int16())),
        ],
        {_HEADER: json.dumps(header, ensure_ascii=False).encode()},
    )
    stream = iter(plays)
    with (
        whole_file(name) as out,
        parquet.ParquetWriter(
            out, schema, compression="zstd", dictionary_pagesize_limit=1 << 24
        ) as writer,
    ):
        while some := list(islice(stream, rows)):
            columns = zip(*(_row(play, players) for play in some), strict=True)
            arrays = [
                arrow.array(column, type=field.type)
                for column, field in zip(columns, schema, strict=True)
            ]
            writer.write_table(arrow.Table.from_arrays(arrays, schema=schema))


def _row(play: Mapping[str, Any], players: list[str]) -> tuple[Any, ...]:
    turns = play["turns"]
    goals = play.get("goals")
    by = [turn.get("by") for turn in turns]
    legal = [turn.get("legal") for turn in turns]
    return (
        play.get("id"),
        [turn["turn"] for turn in turns],
        by if any(who is not None for who in by) else None,
        legal if any(turns is not None for turns in legal) else None,
        json.dumps(play["initial"], ensure_ascii=False) if "initial" in play else None,
        play.get("end"),
        None if goals is None else [goals.get(player) for player in players],
    )
