"""Files that are changed and still read well: odd models, games and tasks, behind the checks."""

from __future__ import annotations

import json
import signal
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import FrameType

from fuzzing.mutations import TREES, VALUES, line_dropped, line_repeated, token_dropped
from grl.las.syntax import parse as parse_task
from grl.modelfile import from_data
from grl.proving.programs import parse as parse_program
from grl.traces import Traces

TRIES = 16
LARGE = 1 << 17
SLOW = 2.0
"""Processor seconds of one reading; of the clock would make cases depend on the machine."""


def changed(name: str, content: bytes, rng: Random) -> bytes:
    """`content` after a few changes, each of which left it readable; as it is where none did."""
    reads = _READERS[Path(name).suffix]
    tree = name.endswith((".json", ".jsonl"))
    kinds = TREES if tree else (*VALUES, token_dropped, line_dropped, line_repeated)
    wanted = rng.choice((1, 2, 4, 8))
    for _ in range(TRIES):
        odd = rng.choice(rng.choice((kinds, kinds, VALUES)))(content, rng)
        if odd != content and len(odd) < LARGE and _readable(reads, odd):
            content, wanted = odd, wanted - 1
            if not wanted:
                break
    return content


def changeable(name: str) -> bool:
    """Whether there is a reader for files of that name."""
    return Path(name).suffix in _READERS and name != "position.json"


def _readable(reads: Callable[[bytes], object], content: bytes) -> bool:
    # Whatever reading raises, a run of the command line on plain mutations meets it too.
    try:
        with _bounded():
            reads(content)
    except Exception:
        return False
    return True


@contextmanager
def _bounded() -> Iterator[None]:
    def late(_: int, __: FrameType | None) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGVTALRM, late)
    signal.setitimer(signal.ITIMER_VIRTUAL, SLOW)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
        signal.signal(signal.SIGVTALRM, before)


def _trace(content: bytes) -> None:
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
        file.write(content)
        file.flush()
        if not list(Traces.open(file.name)):
            raise ValueError("no game")


def _model(content: bytes) -> None:
    from_data(json.loads(content))


def _task(content: bytes) -> None:
    parse_task(content.decode())


def _program(content: bytes) -> None:
    parse_program(content.decode(), invariants=b":- {" in content)


_READERS: dict[str, Callable[[bytes], object]] = {
    ".jsonl": _trace,
    ".json": _model,
    ".las": _task,
    ".lp": _program,
}
