"""A look at the machine: what is there, what it is needed for, and what to do where it isn't.

Nothing is changed and no heavy package is imported; the versions come from package metadata.
"""

from __future__ import annotations

import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec

from grl import games

MIN_PYTHON = (3, 11)

CORE: Mapping[str, str] = {
    "click": "the command line",
    "clingo": "learning rules and proving automata minimal",
    "graphviz": "drawing",
    "networkx": "graphs",
    "numpy": "fast tables and pictures",
    "rich": "tables and progress bars",
    "zstandard": "trace files that end in .zst",
}
"""The core dependencies, which all have the same name as module and as distribution."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at; `advice` says what to do when it isn't `ok`."""

    name: str
    ok: bool
    version: str | None
    needed_for: str
    advice: str | None = None


def check_up() -> list[Finding]:
    """Everything that grl needs or can use on this machine, always in the same order."""
    return [
        _python(),
        *(_package(name, use, f"pip install {name}") for name, use in CORE.items()),
        _dot(),
        _package("pygraphviz", "pictures without a dot program", "pip install 'grl[render]'"),
        _games(),
        _temporary_files(),
        _cores(),
    ]


def _python() -> Finding:
    least = ".".join(map(str, MIN_PYTHON))
    ok = sys.version_info[:2] >= MIN_PYTHON
    advice = None if ok else f"install Python {least} or newer"
    return Finding("Python", ok, platform.python_version(), "everything", advice)


def _package(name: str, use: str, advice: str) -> Finding:
    """Whether a module can be found, and the version its distribution gives."""
    try:
        found = find_spec(name) is not None
    except (ImportError, ValueError):
        found = False
    version = None
    if found:
        try:
            version = metadata.version(name)
        except metadata.PackageNotFoundError:
            version = None
    return Finding(name, found, version, use, None if found else advice)


def _dot() -> Finding:
    found = shutil.which("dot") is not None
    advice = "install the Graphviz programs; pygraphviz draws without them"
    return Finding("dot", found, None, "pictures", None if found else advice)


def _games() -> Finding:
    count = len(games.available())
    return Finding(
        "reference games",
        count > 0,
        f"{count} registered" if count else None,
        "comparing with hand-written rules, generating traces",
        None if count else "install grl with pip, which registers its games",
    )


def _temporary_files() -> Finding:
    """Whether a file can really be written where temporary files go."""
    use = "work between steps"
    try:
        with tempfile.TemporaryFile() as stream:
            stream.write(b"grl")
    except OSError as error:
        advice = f"set TMPDIR to a folder that can be written ({error.strerror or error})"
        return Finding("temporary files", False, None, use, advice)
    return Finding("temporary files", True, tempfile.gettempdir(), use)


def _cores() -> Finding:
    """How many processor cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    count = len(affinity(0)) if affinity is not None else os.cpu_count() or 1
    advice = None if count > 1 else "learning works, but not in parallel"
    return Finding("processor cores", True, str(count), "learning in parallel", advice)
