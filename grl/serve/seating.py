"""Which players a page may name: those that are part of grl, and people.

Elsewhere a player may also be a program in a file; over the page nobody names files of the server.
"""

from __future__ import annotations

from grl.errors import GrlError
from grl.players import AGENTS
from grl.players.seats import PERSON, Seat, seat


def sitting(spec: str, *, person: bool = False) -> Seat:
    """The seat that a text names; raises `GrlError` for any other text."""
    name = spec.strip().partition(":")[0]
    known = [*([PERSON] if person else []), *AGENTS]
    if name not in known:
        raise GrlError(f"there is no player {name[:40]!r}", expected=f"one of {', '.join(known)}")
    return seat(spec, person=person)
