"""Games recorded in the notations of players, as plays of the trace format.

A reader of a notation gives games as moves, not yet looked at (`grl.importers.records`). `Imports`
matches them with the legal turns of a reference game, as does `PgnImports` with moves in short
notation; `CoordinateImports` carries out moves in coordinates and needs no game. What does not fit
is left out, and listed with its reason.

Read `grl.importers.plays` first, and `grl.importers.pdn` for how a reader looks.
"""

from grl.importers.carrying import CoordinateImports
from grl.importers.plays import FORMATS, Imports
from grl.importers.records import REASONS, RecordError
from grl.importers.san import PgnImports
from grl.importers.startfile import read_start

__all__ = [
    "FORMATS",
    "REASONS",
    "CoordinateImports",
    "Imports",
    "PgnImports",
    "RecordError",
    "read_start",
]
