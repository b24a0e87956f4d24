"""Bytes of trace files: lines out of plain, gzip and zstd files; files written whole or not at all.

Everything is a stream: one line is in memory at a time, however long the file, and a line is
bounded, however few bytes it is packed into. A compressed file that is cut or corrupt is a
`TraceError`, like one that can't be opened.
"""

from __future__ import annotations

import gzip
import io
import os
import stat
import zlib
from collections.abc import Iterable, Iterator
from typing import IO, TYPE_CHECKING, cast

from grl.errors import MissingExtra, TraceError
from grl.limits import MAX_LINE
from grl.outputs import whole_file
from grl.parquetio import ParquetLines, is_columnar
from grl.progress import Progress, silent
from grl.storage import is_remote, open_bytes, size_of

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

STAGE = "reading traces"
_REPORT_EVERY = 1 << 20
_CHUNK = 1 << 17
_PACKED = 1 << 10
"""Bytes of a zstd file that are unpacked at once: they may hold 30,000 times as many."""
_GZIP_LEVEL = 9
_ZSTD_LEVEL = 10


class Lines:
    """The lines of a file as bytes, numbered from 1; iterate once, then `close`.

    A line may have `longest` bytes. `number` is the line last read. `progress` hears of the bytes
    read from the file itself (compressed ones where it is compressed), about once every MiB.
    `regular` is false for pipes and terminals, which can't be read twice. Raises `TraceError` with
    file and line.
    """

    def __init__(self, path: str, progress: Progress = silent, *, longest: int = MAX_LINE) -> None:
        self.path = path
        self._longest = longest
        self.number = 0
        self._progress = progress
        self._reported = 0
        try:
            self._raw: IO[bytes] = open_bytes(path)
            self.regular, self._total = _size(self._raw, path)
        except (OSError, ValueError) as error:
            raise _cannot("read", path, error) from None
        self._stream = _decompressed(self._raw, path)

    def __iter__(self) -> Iterator[bytes]:
        while line := self._read():
            self.number += 1
            self._report()
            yield line

    def _read(self) -> bytes:
        try:
            line = self._stream.readline(self._longest + 1)
        except (OSError, EOFError, ValueError, zlib.error) as error:
            # The codecs raise what they like; all of it means that the bytes end in the dark.
            raise TraceError(
                "the file is cut or corrupt: no more lines can be read from it",
                found=str(error) or type(error).__name__,
                expected="a complete file of the kind that its name says",
            ).at(file=self.path, line=self.number + 1) from None
        if len(line) > self._longest:
            raise TraceError(
                "the line is too long",
                found=f"more than {self._longest:,} bytes",
                expected="one game in a line",
                hint="--max-line MB allows more",
            ).at(file=self.path, line=self.number + 1)
        return line

    def _report(self) -> None:
        if self._total is None:
            return
        done = self._raw.tell()
        if done - self._reported >= _REPORT_EVERY or done == self._total > self._reported:
            self._reported = done
            self._progress(STAGE, done, self._total)

    def close(self) -> None:
        """Close the file; what is left in it stays unread."""
        self._stream.close()
        self._raw.close()


def _size(raw: IO[bytes], path: str) -> tuple[bool, int | None]:
    """Whether a file can be read twice, and its size where that is known."""
    if is_remote(path):
        return True, None if is_columnar(path) else size_of(path)
    status = os.fstat(raw.fileno())
    regular = stat.S_ISREG(status.st_mode)
    # Of a columnar file lines say nothing about how far it is read.
    return regular, status.st_size if regular and not is_columnar(path) else None


def _decompressed(raw: IO[bytes], path: str) -> IO[bytes]:
    if path.endswith(".gz"):
        return cast("IO[bytes]", gzip.GzipFile(fileobj=raw, mode="rb"))
    if path.endswith(".zst"):
        return cast("IO[bytes]", io.BufferedReader(_ZstdBytes(raw, path), _CHUNK))
    if is_columnar(path):
        return cast("IO[bytes]", ParquetLines(raw, path))
    return raw


class _ZstdBytes(io.RawIOBase):
    """The content of a zstd file of one or more frames; unlike the package's own reader this one
    notices a last frame that is cut."""

    def __init__(self, raw: IO[bytes], path: str) -> None:
        super().__init__()
        try:
            import zstandard
        except ImportError:
            raise _no_zstd(path) from None
        self._raw = raw
        self._new = zstandard.ZstdDecompressor().decompressobj
        self._broken = zstandard.ZstdError
        self._frame = self._new()
        self._inside = False
        self._ready = b""
        self._at = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        while self._at == len(self._ready):
            if not self._fill():
                return 0
        view = memoryview(buffer)
        part = self._ready[self._at : self._at + len(view)]
        view[: len(part)] = part
        self._at += len(part)
        return len(part)

    def _fill(self) -> bool:
        chunk = (self._frame.unused_data if self._frame.eof else b"") or self._raw.read(_PACKED)
        if not chunk:
            if self._inside and not self._frame.eof:
                raise EOFError("the last zstd frame is not complete")
            return False
        if self._frame.eof:
            self._frame = self._new()
        self._inside = True
        try:
            self._ready = self._frame.decompress(chunk)
        except self._broken as error:
            raise ValueError(str(error)) from None
        self._at = 0
        return True


def write_lines(path: str, lines: Iterable[bytes]) -> None:
    """Write `lines` to `path`, compressed as its name says; equal lines give equal bytes.

    A regular file is replaced once the new one is complete and is left alone when anything
    raises; a pipe or a device is written to as it is. Raises `TraceError` where the file system
    refuses.
    """
    try:
        with whole_file(path) as stream:
            _compress(stream, path, lines)
    except OSError as error:
        raise _cannot("write", path, error) from None


def _compress(stream: IO[bytes], path: str, lines: Iterable[bytes]) -> None:
    if path.endswith(".gz"):
        with gzip.GzipFile("", "wb", _GZIP_LEVEL, stream, mtime=0) as packed:
            packed.writelines(lines)
    elif path.endswith(".zst"):
        try:
            import zstandard
        except ImportError:
            raise _no_zstd(path) from None
        compressor = zstandard.ZstdCompressor(level=_ZSTD_LEVEL)
        with compressor.stream_writer(stream, closefd=False) as writer:
            for line in lines:
                writer.write(line)
    else:
        stream.writelines(lines)


def _cannot(verb: str, path: str, error: Exception) -> TraceError:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return TraceError(f"can't {verb} the file: {reason}").at(file=path)


def _no_zstd(path: str) -> MissingExtra:
    return MissingExtra(
        "the package zstandard is not installed",
        hint="pip install zstandard, or use a plain or .gz file",
    ).at(file=path)
