"""Files here or elsewhere: a path with a scheme, such as ``s3://…``, is opened by fsspec."""

from __future__ import annotations

import os
from typing import IO, Any, cast

from grl.errors import MissingExtra


def is_remote(path: str) -> bool:
    """Whether a path names a file system of its own."""
    return "://" in path


class Remote(str):
    """A path elsewhere, as far as commands treat it like a `Path`."""

    __slots__ = ()

    def is_file(self) -> bool:
        """Whether it is a file of this machine's: no."""
        return False


def _filesystem(path: str) -> tuple[Any, str]:
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise MissingExtra(
            "the package fsspec is not installed", hint='pip install "grl[dask]"'
        ).at(file=path) from None
    system, name = url_to_fs(path)
    return system, name


def open_bytes(path: str) -> IO[bytes]:
    """A file for reading; raises `OSError`."""
    if not is_remote(path):
        return open(path, "rb")
    system, name = _filesystem(path)
    return cast("IO[bytes]", system.open(name, "rb"))


def size_of(path: str) -> int:
    """The size of a file in bytes."""
    if not is_remote(path):
        return os.stat(path).st_size
    system, name = _filesystem(path)
    return int(system.size(name))


def size_and_age(path: str) -> str:
    """What changes when a file does."""
    if not is_remote(path):
        status = os.stat(path)
        return f"{status.st_size} {status.st_mtime_ns}"
    system, name = _filesystem(path)
    return str(system.ukey(name))
