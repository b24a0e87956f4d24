"""How much time and memory work may take, and how much of them there is."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

SHARE = 0.75
"""The part of the machine's memory that work may take where nobody says otherwise."""
ROOM = 4 << 30
"""Bytes of addresses beyond the limit: threads and libraries reserve many that they never use."""
RARELY = 100_000
"""New objects between two collections: learning makes many that live long, and few circles."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """`seconds` and `memory`, in bytes of resident size; None is no bound."""

    seconds: float | None = None
    memory: int | None = None


@contextmanager
def rare_collections() -> Iterator[None]:
    """While it lasts unused circles of objects are looked for rarely, as where many live long."""
    least, *others = gc.get_threshold()
    if 0 < least < RARELY:
        gc.set_threshold(RARELY, *others)
    try:
        yield
    finally:
        gc.set_threshold(least, *others)


def cores() -> int:
    """The processor cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def usable_memory() -> int | None:
    """`SHARE` of the memory, in bytes, that the machine or this process's group of processes has.

    None where the system doesn't say.
    """
    known = [*_machine(), *_groups()]
    return int(min(known) * SHARE) if known else None


def _machine() -> Iterator[int]:
    try:
        yield os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return


def _groups() -> Iterator[int]:
    """The limits of the control groups that this process is in, those above included."""
    root = Path("/sys/fs/cgroup")
    try:
        lines = Path("/proc/self/cgroup").read_text(encoding="ascii").splitlines()
    except (OSError, ValueError):
        return
    for line in lines:
        _, kinds, path = line.split(":", 2)
        name = "memory.max" if not kinds else "memory.limit_in_bytes"
        if kinds and "memory" not in kinds.split(","):
            continue
        folder = (root / "memory" if kinds else root).joinpath(*path.strip("/").split("/"))
        for place in (folder, *folder.parents):
            if place == root.parent:
                break
            try:
                yield int((place / name).read_text(encoding="ascii"))
            except (OSError, ValueError):
                continue


def resident(pid: int) -> int:
    """The resident size of a process in bytes; 0 where the system doesn't say."""
    try:
        with open(f"/proc/{pid}/statm", "rb") as stream:
            return int(stream.read().split()[1]) * _PAGE
    except (OSError, IndexError, ValueError):
        return 0


def resident_together(pid: int) -> int:
    """The resident size of a process and of all below it; what they share counts for each."""
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as stream:
            children = stream.read().split()
    except OSError:
        children = []
    return resident(pid) + sum(resident_together(int(child)) for child in children)


_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def bound_allocations(memory: int) -> None:
    """Refuses this process what lies far beyond `memory` bytes, such as one vast array.

    A backstop: whoever watches the resident size sees the rest, and sees it in time.
    """
    try:
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        bound = memory + ROOM + _data()
        if most == resource.RLIM_INFINITY or bound < most:
            resource.setrlimit(resource.RLIMIT_DATA, (bound, most))
    except (ImportError, AttributeError, OSError, ValueError, OverflowError):
        return


def _data() -> int:
    """The size of this process's data in bytes, as `RLIMIT_DATA` counts it."""
    with open("/proc/self/statm", "rb") as stream:
        return int(stream.read().split()[5]) * _PAGE
