"""What takes long to make is made by the first test process that asks, and read by the others.

The tests of one run share a folder, which `conftest.py` makes and removes. Without one, as when a
helper runs on its own, everything is made where it is asked for.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

FOLDER = "GRL_TESTS_MADE"
"""The environment variable that names the folder; processes that tests start inherit it."""


def made_once(name: str, make: Callable[[], T]) -> T:
    """What `make` returns, which depends on `name` alone and can be pickled."""
    folder = os.environ.get(FOLDER)
    if folder is None:
        return make()
    path = Path(folder) / hashlib.sha256(name.encode()).hexdigest()
    with path.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if path.exists():
            found: T = pickle.loads(path.read_bytes())
            return found
        made = make()
        whole = path.with_suffix(".part")
        whole.write_bytes(pickle.dumps(made))
        whole.rename(path)
    return made
