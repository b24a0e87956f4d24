"""Files written whole or not at all: a reader finds the old content or the new, never a part.

The content goes to a hidden temporary file beside the target, which takes the target's place once
it is complete. A pipe or a device has no place to take: it is written to as it is.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO


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


def write_whole(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a text (in UTF-8) or bytes as a file, whole or not at all. Raises `OSError`."""
    with whole_file(path) as stream:
        stream.write(content.encode() if isinstance(content, str) else content)
