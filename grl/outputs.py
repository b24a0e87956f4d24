"""Files written whole or not at all: a reader finds the old content or the new, never a part.

The content goes to a hidden temporary file beside the target, which takes the target's place once
it is complete. A pipe or a device has no place to take: it is written to as it is.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import IO

from grl.errors import GrlError, Place


@contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A binary stream whose content becomes the file at `path` when the block ends without error.

    A link is followed: the file that it leads to is replaced. Raises `OSError` where the file
    system refuses; the file is then as it was.
    """
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.path.isfile(target):
        with open(target, "wb") as stream:
            yield stream
        return
    folder, name = os.path.split(target)
    handle, temporary = tempfile.mkstemp(dir=folder, prefix=f".{name[:40]}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
        os.chmod(temporary, 0o644)
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise


def check_apart(path: str | os.PathLike[str], inputs: Iterable[str | os.PathLike[str]]) -> None:
    """Raises `GrlError` where `path` is one of the `inputs`, by whatever name or link."""
    for read in inputs:
        with suppress(OSError):
            if os.path.samefile(path, read):
                same = os.fspath(path) == os.fspath(read)
                raise GrlError(
                    "the output is a file that is read",
                    place=Place(file=os.fspath(path)),
                    found=None if same else f"{os.fspath(read)}, the same file",
                    hint="choose another output",
                )


def write_whole(
    path: str | os.PathLike[str],
    content: str | bytes,
    *,
    inputs: Iterable[str | os.PathLike[str]] = (),
) -> None:
    """Write a text (in UTF-8) or bytes as a file, whole or not at all, and over no input.

    Raises `OSError`, and `GrlError` where the file is one of the `inputs`.
    """
    check_apart(path, inputs)
    with whole_file(path) as stream:
        stream.write(content.encode() if isinstance(content, str) else content)
