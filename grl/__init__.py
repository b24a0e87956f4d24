"""grl: show it the records of games, and it writes the rulebook.

>>> import grl
>>> model = grl.learn(["checkers.jsonl"])          # doctest: +SKIP
>>> [str(turn) for turn in model.legal(model.initial)]  # doctest: +SKIP
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "1.0.0"

if TYPE_CHECKING:
    from grl.board import Position
    from grl.errors import GrlError, IllegalTurn
    from grl.learning import learn
    from grl.rulebook import Rulebook, load
    from grl.traces import Traces
    from grl.tracewriter import TraceWriter
    from grl.turn import Turn

_HOME = {
    "GrlError": "grl.errors",
    "IllegalTurn": "grl.errors",
    "Position": "grl.board",
    "Rulebook": "grl.rulebook",
    "TraceWriter": "grl.tracewriter",
    "Traces": "grl.traces",
    "Turn": "grl.turn",
    "learn": "grl.learning",
    "load": "grl.rulebook",
}

__all__ = [
    "GrlError",
    "IllegalTurn",
    "Position",
    "Rulebook",
    "TraceWriter",
    "Traces",
    "Turn",
    "__version__",
    "learn",
    "load",
]


def __getattr__(name: str) -> Any:
    """Import a public name's module when the name is first used: ``import grl`` stays fast."""
    from importlib import import_module

    if name not in _HOME:
        raise AttributeError(f"module 'grl' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value
