"""Files read whole, up to a bound."""

from __future__ import annotations

import os

_CHUNK = 1 << 20


def read_bounded(path: str | os.PathLike[str], most: int) -> bytes:
    """The content of a file; of one with more than `most` bytes the first `most` + 1.

    Memory is taken as content comes, so that a bound costs nothing where files are small. Raises
    `OSError`.
    """
    found = bytearray()
    with open(path, "rb") as stream:
        while len(found) <= most:
            chunk = stream.read(min(_CHUNK, most + 1 - len(found)))
            if not chunk:
                break
            found += chunk
    return bytes(found)
