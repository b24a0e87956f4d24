"""Compiled models from before: found without writing their C text, by what it is made of.

A text is made of the model and of the generator, the files of this package. Those are known by
their sizes and times of change, so that a generator that somebody has edited is another one.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

import msgspec

from grl.compiler import load, load_noted, note
from grl.engine.native import Native
from grl.engine.source import Facts, program
from grl.model import Model

GENERATOR = (
    *("", "engine", "locm", "logic", "logic/ops", "moves"),
    *("rules", "rules/code", "rules/features", "rules/templates"),
)
"""The folders of `grl` in which the generator's files are."""
SOURCES = (".py", ".h")
MANY = b" many"
"""After the key of a model, that of its second library."""
SLACK = 2 * 10**9
"""Nanoseconds before this module was imported in which others of the process may have been."""
_imported = time.time_ns()


def native_of(model: Model, *, locm: bool = True) -> Native:
    """The compiled form of a model; raises `NotCompiled` and `CompilerFailed`."""
    key = _key(model, locm)

    def second() -> ctypes.CDLL:
        noted = None if key is None else load_noted(key + MANY)
        if noted is not None:
            return noted[0].library
        loaded = load(native.program.many)
        if key is not None:
            note(loaded, key + MANY, b"")
        return loaded.library

    noted = None if key is None else load_noted(key)
    if noted is not None:
        with suppress(msgspec.MsgspecError):
            facts = msgspec.json.decode(noted[1], type=Facts)
            native = Native(model, facts, noted[0], second, locm=locm)
            return native
    written = program(model, locm=locm)
    loaded = load(written.text)
    if key is not None:
        note(loaded, key, msgspec.json.encode(written.facts))
    native = Native(model, written.facts, loaded, second, locm=locm)
    return native


def _key(model: Model, locm: bool) -> bytes | None:
    """What the text of a model is made of; None where the generator can't be known."""
    version = _generator()
    if version is None:
        return None
    parts = (
        model.equipment, model.automata, model.machines, model.passes, model.segments,
        model.effects, model.rules, model.crossings, locm, version,
    )  # fmt: skip
    return hashlib.sha256(msgspec.json.encode(parts, order="deterministic")).digest()


@cache
def _generator() -> str | None:
    """A digest that is another one when a file of the generator is.

    None where a file was changed when this process may already have read it, and where files can't
    be looked at.
    """
    root = Path(__file__).parent.parent
    try:
        found = sorted(each for folder in GENERATOR for each in _files(root / folder))
    except OSError:
        return None
    if not found or max(changed for _, _, _, changed in found) > _imported - SLACK:
        return None
    return hashlib.sha256(repr(found).encode()).hexdigest()


def _files(folder: Path) -> Iterator[tuple[str, int, int, int]]:
    """The sources in a folder: names, sizes, and when the content and anything else changed."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(SOURCES):
                about = entry.stat()
                yield entry.path, about.st_size, about.st_mtime_ns, about.st_ctime_ns
